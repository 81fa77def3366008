/* Passes over the skeleton of a case: operations, initial memory, windows, limits, initial state. */
#include "harness/case/pcase_names.h"
#include "harness/reduce/reduce_pass.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------ operations */

static bool remove_operations(struct harness_case *test_case, struct reduce_walk *walk)
{
    walk->seen = test_case->operation_count;
    walk->changed = walk->range.count != 0;
    if (walk->changed)
        harness_case_remove(test_case, walk->range.first, walk->range.count);
    return true;
}

const struct reduce_pass harness_reduce_operations = { "operations", 1, .walk = remove_operations };

/* Appends the commands of `from` to `to`. */
static bool append_list(struct harness_case *test_case, struct harness_list *to, const struct harness_list *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const struct harness_command *const command = &from->commands[i];
        const struct harness_writes writes = harness_command_writes(command);
        struct harness_command *const copy = harness_list_insert(test_case, to, to->count, &writes);
        if (copy == NULL)
            return false;
        copy->ignored = command->ignored;
        copy->padding = command->padding;
    }
    to->tail = from->tail;
    to->tail_count = from->tail_count;
    return true;
}

/* Joins each list in the range with that of the next operation, if that runs a list, too. Variants: with or without its
 * last command, which may end the list (REG-13). */
static bool merge_lists(struct harness_case *test_case, struct reduce_walk *walk)
{
    walk->seen = test_case->operation_count;
    for (uint32_t i = walk->range.first + walk->range.count; i-- > walk->range.first;) {
        if (i + 1 >= test_case->operation_count)
            continue;
        struct harness_operation *const one = &test_case->operations[i];
        const struct harness_operation *const next = one + 1;
        if (one->kind != HARNESS_RUN || next->kind != HARNESS_RUN || one->data.list.tail_count != 0)
            continue;
        if (walk->variant == 0 && one->data.list.count != 0)
            one->data.list.count--;
        if (!append_list(test_case, &one->data.list, &next->data.list))
            return false;
        harness_case_remove(test_case, i + 1, 1);
        walk->changed = true;
    }
    return true;
}

const struct reduce_pass harness_reduce_merge = { "joining lists", 2, .walk = merge_lists };

/* -------------------------------------------------------------------------------------------------- initial memory */

static bool remove_chunks(struct harness_case *test_case, struct reduce_walk *walk)
{
    walk->seen = test_case->chunk_count;
    walk->changed = walk->range.count != 0;
    if (walk->changed)
        harness_case_remove_chunks(test_case, walk->range.first, walk->range.count);
    return true;
}

const struct reduce_pass harness_reduce_chunks = { "memory contents", 1, .walk = remove_chunks };

/* --------------------------------------------------------------------------------------------------------- windows */

static bool remove_windows(struct harness_case *test_case, struct reduce_walk *walk)
{
    const struct reduce_range range = walk->range;
    const uint32_t behind = range.first + range.count;
    walk->seen = test_case->window_count;
    walk->changed = range.count != 0 && range.count < test_case->window_count;
    if (!walk->changed)
        return true;
    memmove(test_case->windows + range.first, test_case->windows + behind,
            (test_case->window_count - behind) * sizeof *test_case->windows);
    test_case->window_count -= range.count;
    return true;
}

const struct reduce_pass harness_reduce_windows = { "windows", 1, .walk = remove_windows };

/* Variants: keep one page only; remove the second half; the first half; the last page; the first page. */
static bool shrink_window(struct pica_window *window, uint32_t variant)
{
    const uint32_t pages = window->size / PICA_PAGE_SIZE;
    const uint32_t gone[] = { pages - 1, pages / 2, pages / 2, 1, 1 };
    if (pages < 2)
        return false;
    window->size -= gone[variant] * PICA_PAGE_SIZE;
    if (variant == 2 || variant == 4)
        window->address += gone[variant] * PICA_PAGE_SIZE;
    return true;
}

/* Leaves the usual window alone: a smaller one would have to be written down in the case. */
static bool shrink_windows(struct harness_case *test_case, struct reduce_walk *walk)
{
    for (uint32_t i = 0; i < test_case->window_count; i++)
        if (harness_reduce_takes(walk) && !harness_reduce_is_home(test_case))
            walk->changed = shrink_window(&test_case->windows[i], walk->variant) || walk->changed;
    return true;
}

const struct reduce_pass harness_reduce_window_sizes = { "window sizes", 5, .walk = shrink_windows };

/* ----------------------------------------------------------------------------- limits, profile, comments: one thing */

static bool drop_comments(struct harness_case *test_case)
{
    bool changed = test_case->comment != NULL;
    test_case->comment = NULL;
    for (uint32_t i = 0; i < test_case->chunk_count; i++) {
        changed = changed || test_case->chunks[i].comment != NULL;
        test_case->chunks[i].comment = NULL;
    }
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        changed = changed || test_case->operations[i].comment != NULL;
        test_case->operations[i].comment = NULL;
    }
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            changed = changed || list->commands[i].comment != NULL;
            harness_list_edit(list, i)->comment = NULL;
        }
    return changed;
}

enum {
    SETUP_VARIANTS = 3 /* plus one for each limit */
};

static bool default_limit(struct harness_case *test_case, uint32_t which)
{
    const uint32_t value = harness_limit_default(which);
    if (harness_limit_get(test_case, which) == value)
        return false;
    harness_limit_set(test_case, which, value);
    return true;
}

/* Removes comments, too: they describe a case that no longer exists. */
static bool canonical_setup(struct harness_case *test_case, struct reduce_walk *walk)
{
    const uint32_t variant = walk->variant;
    if (!harness_reduce_takes(walk))
        return true;
    if (variant == 0)
        walk->changed = drop_comments(test_case);
    if (variant == 1) {
        walk->changed = test_case->profile != PICA_PROFILE_F32;
        test_case->profile = PICA_PROFILE_F32;
    }
    for (uint32_t i = 0; i < HARNESS_LIMIT_NAMES; i++)
        if (variant == 2 || variant == SETUP_VARIANTS + i)
            walk->changed = default_limit(test_case, i) || walk->changed;
    return true;
}

const struct reduce_pass harness_reduce_setup = { "limits and profile", SETUP_VARIANTS + HARNESS_LIMIT_NAMES,
                                                  .walk = canonical_setup };

/* Limits on things that a pass can remove. */
static const struct {
    uint32_t limit;
    const struct reduce_pass *pass;
} counted[] = {
    { 0, &harness_reduce_commands },
    { 2, &harness_reduce_instructions },
};

bool harness_reduce_has_limit(const struct harness_case *test_case)
{
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++)
        if (harness_limit_get(test_case, counted[i].limit) != harness_limit_default(counted[i].limit))
            return true;
    return false;
}

bool harness_reduce_lower_limits(const struct harness_case *before, struct harness_case *now)
{
    bool lowered = false;
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        const uint32_t value = harness_limit_get(now, counted[i].limit);
        const uint32_t had = harness_reduce_count(counted[i].pass, before);
        const uint32_t has = harness_reduce_count(counted[i].pass, now);
        if (value == harness_limit_default(counted[i].limit) || had <= has || had - has >= value)
            continue;
        harness_limit_set(now, counted[i].limit, value - (had - has));
        lowered = true;
    }
    return lowered;
}

/* --------------------------------------------------------------------------------------------------- initial state */

/* The things of an initial state: the state as a whole, its parts, then its elements that differ from reset. */
static bool reset_state(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct harness_state *const state = test_case->state;
    struct harness_state reset;
    if (state == NULL)
        return true;
    if (harness_reduce_takes(walk)) { /* REG-02, REG-04: no state at all means the reset state */
        test_case->state = NULL;
        walk->changed = true;
        return true;
    }
    harness_state_init(&reset);
    for (uint32_t part = 0; part < harness_part_count; part++)
        if ((state->given >> part & 1u) != 0 && harness_reduce_takes(walk)) {
            state->given &= ~(UINT64_C(1) << part);
            walk->changed = true;
        }
    for (uint32_t part = 0; part < harness_part_count; part++)
        for (uint32_t i = 0; i < harness_parts[part].count; i++) {
            const uint32_t value = harness_part_get(&reset.values, part, i);
            if (harness_part_get(&state->values, part, i) == value || !harness_reduce_takes(walk))
                continue;
            harness_part_set(&state->values, part, i, value);
            walk->changed = true;
        }
    if (walk->changed)
        harness_state_normalise(state);
    return true;
}

const struct reduce_pass harness_reduce_state = { "initial state", 1, .walk = reset_state };
