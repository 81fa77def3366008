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
    uint64_t kinds; /* of the last mutation */
    uint32_t plain; /* of generated cases: struct harness_generate_options */
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

/* Removes something from the case; false once nothing is left. */
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

/* Writes the case, and if it is too large a part of it. If not even an empty case fits, writes one byte, which is a
 * case, too. */
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

/* Measured: six changes at once show a bug that the parent did not show ten times as often as one, at a sixth more
 * cost. */
static uint32_t draw_count(struct harness_random *random)
{
    static const uint32_t weights[] = { 30, 15, 10, 10, 10, 10, 8, 7 };
    return 1u + harness_random_weighted(random, weights, sizeof weights / sizeof weights[0]);
}

/* Makes a few changes to the case that the bytes mean; only one if the result would be too large. Leaves the case in
 * mutator->test_case and its encoding, whose size is returned, in the buffer. */
static size_t change_decoded(struct harness_mutator *mutator, const uint8_t *data, size_t size, size_t max_size,
                             struct harness_random *random, harness_leaf_mutator leaf)
{
    size_t encoded = 0;
    uint32_t count = draw_count(random);
    for (int tries = 0; tries < 3 && !fits(encoded, max_size); tries++) {
        if (!harness_pcb_decode(mutator->test_case, data, size))
            return 0;
        mutator->kinds = harness_case_mutate(mutator->test_case, random, count, leaf);
        encoded = encode(mutator, mutator->test_case);
        count = 1;
    }
    return encoded;
}

void harness_mutator_plain(struct harness_mutator *mutator, uint32_t percent)
{
    mutator->plain = percent;
}

size_t harness_mutate_anew(struct harness_mutator *mutator, uint8_t *out, size_t max_size, uint64_t seed)
{
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_MIXED, .plain = mutator->plain };
    struct harness_random random;
    harness_random_init(&random, seed);
    (void)harness_generate(mutator->test_case, harness_random_next(&random), &options);
    return put(mutator, mutator->test_case, &random, out, max_size);
}

static size_t mutate_into(struct harness_mutator *mutator, const uint8_t *data, size_t size, uint8_t *out,
                          size_t max_size, struct harness_random *random, harness_leaf_mutator leaf)
{
    mutator->kinds = 0;
    const size_t encoded = change_decoded(mutator, data, size, max_size, random, leaf);
    if (fits(encoded, max_size)) {
        memcpy(out, mutator->buffer, encoded);
        return encoded;
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

uint64_t harness_mutator_kinds(const struct harness_mutator *mutator)
{
    return mutator->kinds;
}

/* Writes the case of mutator->test_case to `out` if it has changed and fits whole. */
static size_t put_whole(struct harness_mutator *mutator, bool changed, uint8_t *out, size_t max_size)
{
    const size_t size = changed ? encode(mutator, mutator->test_case) : 0;
    if (!fits(size, max_size))
        return 0;
    memcpy(out, mutator->buffer, size);
    return size;
}

size_t harness_mutate_by(struct harness_mutator *mutator, uint32_t kind, uint8_t *data, size_t size, size_t max_size,
                         uint64_t seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    const struct mutation mutation = { .test_case = mutator->test_case, .random = &random };
    const bool changed = harness_pcb_decode(mutator->test_case, data, size) && mutate_by_kind(&mutation, kind);
    return put_whole(mutator, changed, data, max_size);
}

/* ------------------------------------------------------------------------------------------------------- crossover */

size_t harness_crossover(struct harness_mutator *mutator, const uint8_t *data1, size_t size1, const uint8_t *data2,
                         size_t size2, uint8_t *out, size_t max_size, uint64_t seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    bool spliced = false;
    if (harness_pcb_decode(mutator->test_case, data1, size1) && harness_pcb_decode(mutator->other, data2, size2))
        for (int tries = 0; tries < 4 && !spliced; tries++)
            spliced = splice(mutator->test_case, mutator->other, &random);
    if (!spliced)
        return mutate_into(mutator, data1, size1, out, max_size, &random, NULL);
    return put(mutator, mutator->test_case, &random, out, max_size);
}

size_t harness_crossover_by(struct harness_mutator *mutator, uint32_t kind, const uint8_t *data1, size_t size1,
                            const uint8_t *data2, size_t size2, uint8_t *out, size_t max_size, uint64_t seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    const bool changed = harness_pcb_decode(mutator->test_case, data1, size1) &&
                         harness_pcb_decode(mutator->other, data2, size2) &&
                         splice_by_kind(mutator->test_case, mutator->other, &random, kind);
    return put_whole(mutator, changed, out, max_size);
}
