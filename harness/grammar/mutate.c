/* Mutation as engines call it: bytes in, bytes out. */
#include "harness/grammar/mutate.h"

#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate_parts.h"

#include <stdlib.h>
#include <string.h>

struct harness_mutator {
    struct harness_case *test_case;
    struct harness_case *other; /* the second parent, or a freshly generated case */
    uint8_t *buffer;            /* the encoding, before it is known to fit */
    size_t capacity;
};

static const size_t FIRST_CAPACITY = (size_t)1 << 16;
static const size_t LARGEST_CAPACITY = (size_t)1 << 24;

struct harness_mutator *harness_mutator_create(void)
{
    struct harness_mutator *const mutator = calloc(1, sizeof *mutator);
    if (mutator == NULL)
        return NULL;
    mutator->test_case = harness_case_create();
    mutator->other = harness_case_create();
    mutator->buffer = malloc(FIRST_CAPACITY);
    mutator->capacity = FIRST_CAPACITY;
    if (mutator->test_case != NULL && mutator->other != NULL && mutator->buffer != NULL)
        return mutator;
    harness_mutator_destroy(mutator);
    return NULL;
}

void harness_mutator_destroy(struct harness_mutator *mutator)
{
    if (mutator == NULL)
        return;
    harness_case_destroy(mutator->test_case);
    harness_case_destroy(mutator->other);
    free(mutator->buffer);
    free(mutator);
}

/* ------------------------------------------------------------------------------------------------- kinds of change */

typedef bool (*change_function)(const struct mutation *mutation);

static const struct {
    change_function change;
    uint32_t weight;
} changes[] = {
    /* What leaves most draws visible comes often: engines pile up several changes on one input. */
    { mutate_word, 36 },
    { mutate_words, 3 },
    { mutate_header, 4 },
    { mutate_count, 3 },
    { mutate_insert_command, 9 },
    { mutate_delete_commands, 4 },
    { mutate_repeat_commands, 4 },
    { mutate_move_commands, 4 },
    { mutate_draw_again, 4 },
    { mutate_shader, 14 },
    { mutate_contents, 14 },
    { mutate_chunks, 2 },
    { mutate_operation_words, 4 },
    { mutate_insert_operation, 4 },
    { mutate_delete_operations, 1 },
    { mutate_move_operation, 3 },
    { mutate_windows, 1 },
    { mutate_limits, 1 },
    { mutate_state, 4 },
    { mutate_splice_block, 5 },
    { mutate_tail, 1 },
};

enum {
    CHANGES = sizeof changes / sizeof changes[0]
};

static bool change_once(const struct mutation *mutation)
{
    uint32_t weights[CHANGES];
    for (uint32_t i = 0; i < CHANGES; i++)
        weights[i] = changes[i].weight;
    for (int tries = 0; tries < 8; tries++)
        if (changes[harness_random_weighted(mutation->random, weights, CHANGES)].change(mutation))
            return true;
    return false;
}

void harness_case_mutate(struct harness_case *test_case, struct harness_random *random, uint32_t count,
                         harness_leaf_mutator leaf)
{
    const struct mutation mutation = { .test_case = test_case, .random = random, .leaf = leaf };
    for (uint32_t i = 0; i < count; i++)
        (void)change_once(&mutation);
}

/* ---------------------------------------------------------------------------------------------------------- output */

/* Encodes into the buffer, which grows as needed. 0 if that is impossible. */
static size_t encode(struct harness_mutator *mutator, const struct harness_case *test_case)
{
    size_t size = 0;
    if (harness_pcb_encode(test_case, mutator->buffer, mutator->capacity, &size, NULL) == HARNESS_OK)
        return size;
    if (size <= mutator->capacity || size > LARGEST_CAPACITY)
        return 0;
    uint8_t *const larger = realloc(mutator->buffer, 2 * size);
    if (larger == NULL)
        return 0;
    mutator->buffer = larger;
    mutator->capacity = 2 * size;
    return harness_pcb_encode(test_case, mutator->buffer, mutator->capacity, &size, NULL) == HARNESS_OK ? size : 0;
}

static bool fits(size_t size, size_t max_size)
{
    return size != 0 && size <= max_size;
}

/* Takes something out of the case; false once there is nothing left. */
static bool shrink_once(struct harness_case *test_case, struct harness_random *random)
{
    const struct mutation mutation = { .test_case = test_case, .random = random };
    struct harness_list *const list = mutate_pick_list(&mutation);
    const uint32_t pick = harness_random_below(random, 4);
    if (pick < 2 && list != NULL) {
        const uint32_t count = 1u + list->count / 4u;
        list->tail_count = 0;
        harness_list_remove(list, harness_random_below(random, list->count), count);
    } else if (pick == 2 && test_case->chunk_count != 0) {
        harness_case_remove_chunks(test_case, harness_random_below(random, test_case->chunk_count), 1);
    } else if (test_case->operation_count != 0) {
        harness_case_remove(test_case, harness_random_below(random, test_case->operation_count), 1);
    } else if (test_case->chunk_count != 0) {
        harness_case_remove_chunks(test_case, 0, test_case->chunk_count);
    } else if (test_case->state != NULL) {
        test_case->state = NULL;
    } else if (test_case->window_count > 1) {
        test_case->window_count = 1;
    } else {
        return false;
    }
    return true;
}

/* Writes the case; if it is too large, less of it. If not even an empty case fits, one byte, which is a case too. */
static size_t put(struct harness_mutator *mutator, struct harness_case *test_case, struct harness_random *random,
                  uint8_t *out, size_t max_size)
{
    size_t size = encode(mutator, test_case);
    while (!fits(size, max_size) && shrink_once(test_case, random))
        size = encode(mutator, test_case);
    if (fits(size, max_size)) {
        memcpy(out, mutator->buffer, size);
        return size;
    }
    if (max_size == 0)
        return 0;
    out[0] = 0;
    return 1;
}

/* -------------------------------------------------------------------------------------------------------- mutation */

static bool decode(struct harness_case *test_case, const uint8_t *data, size_t size)
{
    harness_case_reset(test_case);
    return harness_pcb_decode(test_case, data, size);
}

static uint32_t draw_count(struct harness_random *random)
{
    static const uint32_t weights[] = { 72, 14, 7, 4, 2, 1 };
    return 1u + harness_random_weighted(random, weights, 6);
}

/* A few changes of what the bytes mean, fewer if the outcome is too large. The case is left in mutator->test_case. */
static size_t change_decoded(struct harness_mutator *mutator, const uint8_t *data, size_t size, size_t max_size,
                             struct harness_random *random, harness_leaf_mutator leaf)
{
    size_t encoded = 0;
    uint32_t count = draw_count(random);
    for (int tries = 0; tries < 3 && !fits(encoded, max_size); tries++) {
        if (!decode(mutator->test_case, data, size))
            return 0;
        harness_case_mutate(mutator->test_case, random, count, leaf);
        encoded = encode(mutator, mutator->test_case);
        count = 1;
    }
    return encoded;
}

static size_t mutate_into(struct harness_mutator *mutator, const uint8_t *data, size_t size, uint8_t *out,
                          size_t max_size, struct harness_random *random, harness_leaf_mutator leaf)
{
    if (harness_random_below(random, 200) == 0) {
        harness_generate(mutator->test_case, harness_random_next(random), NULL);
    } else {
        const size_t encoded = change_decoded(mutator, data, size, max_size, random, leaf);
        if (fits(encoded, max_size)) {
            memcpy(out, mutator->buffer, encoded);
            return encoded;
        }
    }
    return put(mutator, mutator->test_case, random, out, max_size);
}

size_t harness_mutate(struct harness_mutator *mutator, uint8_t *data, size_t size, size_t max_size, uint64_t seed,
                      harness_leaf_mutator leaf)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    return mutate_into(mutator, data, size < max_size ? size : max_size, data, max_size, &random, leaf);
}

/* ------------------------------------------------------------------------------------------------------- crossover */

/* The windows of both; those that do not fit are cut. */
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
    for (uint32_t i = 0; i < from->chunk_count && to->chunk_count < 256; i++) {
        struct harness_data data;
        if (harness_data_copy(to, &data, &from->chunks[i].data))
            (void)harness_case_add_chunk(to, from->chunks[i].address, &data);
    }
}

/* Operations first..first + count - 1 of `from`, before `index`. */
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

/* Whole steps of the second case with all that they may need. */
static bool splice_operations(struct harness_case *to, const struct harness_case *from, struct harness_random *random)
{
    if (from->operation_count == 0 || to->operation_count >= 256)
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

/* A run of commands of one of its lists: a draw with the state before it, an upload, ... */
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

/* All writes of the second case to the registers of one area, say the combiner, before the first case's draws. */
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
    uint32_t at = harness_random_below(random, target->count + 1u);
    bool found = false;
    for (uint32_t i = 0; i < source->count; i++) {
        if (source->commands[i].id < area[0] || source->commands[i].id > area[1])
            continue;
        mutate_insert_copies(to, target, at++, source, i, 1);
        at = at < target->count ? at : target->count;
        found = true;
    }
    return found;
}

/* Initial state of the second case, as a whole or part by part. */
static bool splice_state(struct harness_case *to, const struct harness_case *from, struct harness_random *random)
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
    harness_state_normalise(state);
    return true;
}

static bool splice(struct harness_case *to, struct harness_case *from, struct harness_random *random)
{
    switch (harness_random_below(random, 8)) {
    case 0:
    case 1: return splice_operations(to, from, random);
    case 2:
    case 3:
    case 4: return splice_commands(to, from, random);
    case 5:
    case 6: return splice_area(to, from, random);
    default: return splice_state(to, from, random);
    }
}

size_t harness_crossover(struct harness_mutator *mutator, const uint8_t *data1, size_t size1, const uint8_t *data2,
                         size_t size2, uint8_t *out, size_t max_size, uint64_t seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    bool spliced = false;
    if (decode(mutator->test_case, data1, size1) && decode(mutator->other, data2, size2))
        for (int tries = 0; tries < 4 && !spliced; tries++)
            spliced = splice(mutator->test_case, mutator->other, &random);
    if (!spliced)
        return mutate_into(mutator, data1, size1, out, max_size, &random, NULL);
    return put(mutator, mutator->test_case, &random, out, max_size);
}
