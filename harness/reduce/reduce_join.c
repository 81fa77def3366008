/*
 * Joins commands of a list that send words to the same port. A command between them then sees the port before or after
 * all these words; whether that matters, the backends decide.
 */
#include "harness/case/list_scan.h"
#include "harness/reduce/reduce_pass.h"

#include <string.h>

/* Can the two be joined? Both must write whole words to the same port of the same unit and nothing else, and together
 * fit into one command. */
static bool fit_together(const struct harness_command *a, const struct harness_command *b)
{
    uint32_t units[2] = { 0, 0 };
    const struct harness_command *const both[2] = { a, b };
    enum oracle_port ports[2];
    for (int i = 0; i < 2; i++) {
        const bool is_stream = both[i]->count == 1 || !both[i]->consecutive;
        ports[i] = is_stream && both[i]->mask == 0xF ? oracle_port_of(both[i]->id, &units[i]) : ORACLE_PORT_NONE;
    }
    return ports[0] != ORACLE_PORT_NONE && ports[0] == ports[1] && units[0] == units[1] &&
           a->count + b->count <= HARNESS_MAX_PARAMETERS;
}

/* The last command before `index` that it may be joined with, or UINT32_MAX. */
static uint32_t before(const struct harness_list *list, uint32_t index)
{
    for (uint32_t i = index; i-- > 0;)
        if (fit_together(&list->commands[i], &list->commands[index]))
            return i;
    return UINT32_MAX;
}

/* Variants: the later words move up to the earlier command; the earlier words move down to the later command. False if
 * memory runs out. */
static bool join(struct harness_case *test_case, struct harness_list *list, uint32_t first, uint32_t second,
                 uint32_t variant)
{
    uint32_t words[HARNESS_MAX_PARAMETERS];
    const struct harness_command *const a = &list->commands[first], *const b = &list->commands[second];
    const uint32_t count = a->count + b->count;
    memcpy(words, a->parameters, a->count * sizeof *words);
    memcpy(words + a->count, b->parameters, b->count * sizeof *words);
    struct harness_command *const kept = harness_list_edit(list, variant == 0 ? first : second);
    kept->consecutive = false;
    if (!harness_command_set(test_case, kept, words, count))
        return false;
    harness_list_remove(list, variant == 0 ? second : first, 1);
    return true;
}

static bool join_streams(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            const uint32_t first = before(list, i);
            if (first == UINT32_MAX || !harness_reduce_takes(walk))
                continue;
            if (!join(test_case, list, first, i, walk->variant))
                return false;
            walk->changed = true;
            i--; /* one command was removed before the next one */
        }
    return true;
}

const struct reduce_pass harness_reduce_streams = { "joining streams", 2, .walk = join_streams };
