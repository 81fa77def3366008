/* Crossover: what one case can take over from another. */
#include "harness/grammar/mutate_parts.h"

/* Adds the windows of `from`; what does not fit is cut off. */
static void join_windows(struct harness_case *to, const struct harness_case *from)
{
    const uint32_t more = mutate_window_bytes(to) + mutate_window_bytes(from);
    const uint32_t most = HARNESS_PCB_MAX_WINDOW_BYTES;
    for (uint32_t i = 0; i < from->window_count; i++)
        (void)harness_case_add_window(to, from->windows[i].address, from->windows[i].size);
    harness_case_fix_windows(to, more < most ? more : most);
}

static void copy_chunks(struct harness_case *to, const struct harness_case *from)
{
    for (uint32_t i = 0; i < from->chunk_count && to->chunk_count < MUTATE_MOST_CHUNKS; i++) {
        struct harness_data data;
        if (harness_data_copy(to, &data, &from->chunks[i].data))
            (void)harness_case_add_chunk(to, from->chunks[i].address, &data);
    }
}

/* Inserts copies of `count` operations of `from`, beginning at `first`, before `index`. */
static void copy_operations(struct harness_case *to, uint32_t index, const struct harness_case *from, uint32_t first,
                            uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct harness_operation operation = from->operations[first + i];
        operation.comment = NULL;
        if (operation.text != NULL)
            operation.text = harness_case_text(to, operation.text, true);
        if ((operation.kind == HARNESS_NOTE && operation.text == NULL) ||
            !harness_data_copy(to, &operation.data, &from->operations[first + i].data))
            continue;
        (void)harness_case_insert(to, index + i < to->operation_count ? index + i : to->operation_count, &operation);
    }
}

/* Copies whole operations, mostly with the windows and initial memory that they may need. */
static bool splice_operations(struct harness_case *to, struct harness_case *from, struct harness_random *random)
{
    if (from->operation_count == 0 || to->operation_count >= MUTATE_MOST_OPERATIONS)
        return false;
    const uint32_t first = harness_random_below(random, from->operation_count);
    const uint32_t count = harness_random_between(random, 1, from->operation_count - first);
    if (harness_random_percent(random, 80)) {
        join_windows(to, from);
        copy_chunks(to, from);
    }
    if (harness_random_percent(random, 30))
        harness_case_remove(to, harness_random_below(random, to->operation_count), 1);
    copy_operations(to, harness_random_below(random, to->operation_count + 1u), from, first, count < 8 ? count : 8);
    return true;
}

/* Copies a run of commands of one list into another: a draw with the state before it, an upload, ... */
static bool splice_commands(struct harness_case *to, struct harness_case *from, struct harness_random *random)
{
    const struct mutation to_mutation = { .test_case = to, .random = random };
    const struct mutation from_mutation = { .test_case = from, .random = random };
    struct harness_list *const target = mutate_pick_list(&to_mutation);
    const struct harness_list *const source = mutate_pick_list(&from_mutation);
    if (target == NULL || source == NULL)
        return false;
    const uint32_t first = harness_random_below(random, source->count);
    const uint32_t left = source->count - first;
    const uint32_t count = harness_random_percent(random, 50) ? left : harness_random_between(random, 1, left);
    const uint32_t at = harness_random_below(random, target->count + 1u);
    if (harness_random_percent(random, 50))
        harness_list_remove(target, at, harness_random_between(random, 1, count));
    mutate_insert_copies(to, target, at < target->count ? at : target->count, source, first, count);
    if (harness_random_percent(random, 50)) {
        join_windows(to, from);
        copy_chunks(to, from);
    }
    return true;
}

/* Copies all writes of a list to the registers of one area, such as the combiner, to one place of another list. */
static bool splice_area(struct harness_case *to, struct harness_case *from, struct harness_random *random)
{
    static const uint16_t areas[][2] = { { 0x040, 0x07F }, { 0x080, 0x0A7 }, { 0x0A8, 0x0BF },
                                         { 0x0C0, 0x0FF }, { 0x100, 0x13F }, { 0x140, 0x1FF },
                                         { 0x200, 0x27F }, { 0x280, 0x2AF }, { 0x2B0, 0x2DF } };
    const struct mutation to_mutation = { .test_case = to, .random = random };
    const struct mutation from_mutation = { .test_case = from, .random = random };
    struct harness_list *const target = mutate_pick_list(&to_mutation);
    const struct harness_list *const source = mutate_pick_list(&from_mutation);
    if (target == NULL || source == NULL)
        return false;
    const uint16_t *const area = areas[harness_random_below(random, sizeof areas / sizeof areas[0])];
    struct harness_list taken = { 0 };
    for (uint32_t i = 0; i < source->count; i++)
        if (source->commands[i].id >= area[0] && source->commands[i].id <= area[1])
            mutate_insert_copies(to, &taken, taken.count, source, i, 1);
    mutate_insert_copies(to, target, harness_random_below(random, target->count + 1u), &taken, 0, taken.count);
    return taken.count != 0;
}

/* Copies some of the parts of the initial state. */
static bool splice_state(struct harness_case *to, struct harness_case *from, struct harness_random *random)
{
    if (from->state == NULL || from->state->given == 0)
        return false;
    struct harness_state *const state = harness_case_state(to);
    if (state == NULL)
        return false;
    for (uint32_t part = 0; part < harness_part_count; part++) {
        if ((from->state->given >> part & 1u) == 0 || !harness_random_percent(random, 60))
            continue;
        for (uint32_t i = 0; i < harness_parts[part].count; i++)
            harness_part_set(&state->values, part, i, harness_part_get(&from->state->values, part, i));
        state->given |= (uint64_t)1 << part;
    }
    harness_state_settle(state);
    return true;
}

/* Replaces contents by contents of the same kind. */
static bool splice_contents(struct harness_case *to, struct harness_case *from, struct harness_random *random)
{
    if (from->chunk_count == 0 || to->chunk_count == 0)
        return false;
    const struct harness_data *const source = &from->chunks[harness_random_below(random, from->chunk_count)].data;
    const uint32_t start = harness_random_below(random, to->chunk_count);
    for (uint32_t i = 0; i < to->chunk_count; i++) {
        struct harness_data *const target = &to->chunks[(start + i) % to->chunk_count].data;
        if (target->kind == source->kind)
            return harness_data_copy(to, target, source);
    }
    return false;
}

struct crossover_kind {
    const char *name;
    bool (*take)(struct harness_case *to, struct harness_case *from, struct harness_random *random);
    uint32_t weight;
};

static const struct crossover_kind kinds[] = {
    { "operations", splice_operations, 4 }, { "commands", splice_commands, 3 }, { "area", splice_area, 2 },
    { "contents", splice_contents, 1 },     { "state", splice_state, 1 },
};

enum {
    KINDS = sizeof kinds / sizeof kinds[0]
};

uint32_t harness_crossover_kinds(void)
{
    return KINDS;
}

const char *harness_crossover_kind_name(uint32_t kind)
{
    return kind < KINDS ? kinds[kind].name : NULL;
}

bool splice_by_kind(struct harness_case *to, struct harness_case *from, struct harness_random *random, uint32_t kind)
{
    return kind < KINDS && kinds[kind].take(to, from, random);
}

bool splice(struct harness_case *to, struct harness_case *from, struct harness_random *random)
{
    uint32_t weights[KINDS];
    for (uint32_t i = 0; i < KINDS; i++)
        weights[i] = kinds[i].weight;
    return splice_by_kind(to, from, random, harness_random_weighted(random, weights, KINDS));
}
