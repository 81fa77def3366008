/*
 * libFuzzer's hooks over harness/grammar/mutate.h. What libFuzzer does that one would not expect: -minimize_crash may
 * pass a size above the maximum; returning 0 means failure and in the end one space character; a crossover hook gets
 * half of all mutations, so it often mutates plainly.
 */
#include "harness/grammar/mutate.h"
#include "harness/grammar/random.h"
#include "harness/targets/target.h"

#include <string.h>

/* Provided by libFuzzer; other engines link without it, or with a stub that returns 0. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));

/* One process mutates for one engine; its interface has no other place for this. */
static struct harness_mutator *mutator;

static bool ready(void)
{
    if (mutator == NULL)
        mutator = harness_mutator_create();
    return mutator != NULL;
}

/* Without memory the input stays what it is. */
static size_t unchanged(uint8_t *data, size_t size, size_t max_size)
{
    if (size == 0 && max_size != 0) {
        data[0] = 0;
        return 1;
    }
    return size < max_size ? size : max_size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    if (!ready())
        return unchanged(data, size, max_size);
    return harness_mutate(mutator, data, size, max_size, seed, LLVMFuzzerMutate);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    const size_t size = size1 < max_out_size ? size1 : max_out_size;
    if (ready() && harness_random_percent(&random, 40))
        return harness_crossover(mutator, data1, size1, data2, size2, out, max_out_size, harness_random_next(&random));
    if (size != 0)
        memcpy(out, data1, size);
    return LLVMFuzzerCustomMutator(out, size, max_out_size, (unsigned int)harness_random_next(&random));
}
