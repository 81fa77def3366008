/* The kinds of change: their names, how often each is taken, and a few of them on one case. */
#include "harness/grammar/mutate_parts.h"

struct kind {
    const char *name;
    bool (*change)(const struct mutation *mutation);
    uint32_t weight;
};

/* What leaves most draws visible comes often: engines pile up several changes on one input. */
static const struct kind kinds[] = {
    { "field", mutate_word, 34 },
    { "fields", mutate_words, 3 },
    { "copy-field", mutate_copy_field, 8 },
    { "header", mutate_header, 4 },
    { "count", mutate_count, 3 },
    { "insert-command", mutate_insert_command, 9 },
    { "delete-commands", mutate_delete_commands, 4 },
    { "repeat-commands", mutate_repeat_commands, 4 },
    { "move-commands", mutate_move_commands, 4 },
    { "draw-again", mutate_draw_again, 4 },
    { "draws", mutate_draws, 3 },
    { "instruction", mutate_shader, 12 },
    { "instructions", mutate_shader_block, 4 },
    { "stream", mutate_stream, 5 },
    { "contents", mutate_contents, 12 },
    { "vertices", mutate_vertices, 4 },
    { "memory", mutate_chunks, 2 },
    { "relocate", mutate_relocate, 2 },
    { "operation", mutate_operation_words, 4 },
    { "insert-operation", mutate_insert_operation, 4 },
    { "delete-operations", mutate_delete_operations, 1 },
    { "move-operation", mutate_move_operation, 3 },
    { "windows", mutate_windows, 1 },
    { "limits", mutate_limits, 2 },
    { "state", mutate_state, 5 },
    { "state-block", mutate_splice_block, 5 },
    { "tail", mutate_tail, 1 },
};

enum {
    KINDS = sizeof kinds / sizeof kinds[0]
};

uint32_t harness_mutation_kinds(void)
{
    return KINDS;
}

const char *harness_mutation_kind_name(uint32_t kind)
{
    return kind < KINDS ? kinds[kind].name : NULL;
}

bool mutate_by_kind(const struct mutation *mutation, uint32_t kind)
{
    return kind < KINDS && kinds[kind].change(mutation);
}

/* The kind that changed the case, or KINDS if eight found nothing to change. */
static uint32_t change_once(const struct mutation *mutation)
{
    uint32_t weights[KINDS];
    for (uint32_t i = 0; i < KINDS; i++)
        weights[i] = kinds[i].weight;
    for (int tries = 0; tries < 8; tries++) {
        const uint32_t kind = harness_random_weighted(mutation->random, weights, KINDS);
        if (kinds[kind].change(mutation))
            return kind;
    }
    return KINDS;
}

uint64_t harness_case_mutate(struct harness_case *test_case, struct harness_random *random, uint32_t count,
                             harness_leaf_mutator leaf)
{
    const struct mutation mutation = { .test_case = test_case, .random = random, .leaf = leaf };
    uint64_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = change_once(&mutation);
        taken |= kind < KINDS ? (uint64_t)1 << kind : 0;
    }
    return taken;
}
