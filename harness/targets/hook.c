#include "harness/targets/hook.h"

#include "harness/grammar/random.h"
#include "harness/targets/target.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPLICE_PERCENT = 40
};

static uint32_t percent_of_environment(const char *name, uint32_t usual)
{
    const char *const text = getenv(name);
    return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

bool harness_hook_init(struct harness_hook *hook, uint32_t fresh)
{
    memset(hook, 0, sizeof *hook);
    hook->mutator = harness_mutator_create();
    const char *const plain = getenv("PICAFUZZ_PLAIN"); /* `picafuzz fuzz --plain` */
    if (hook->mutator != NULL && plain != NULL)
        harness_mutator_plain(hook->mutator, (uint32_t)strtoul(plain, NULL, 10));
    hook->fresh = percent_of_environment("PICAFUZZ_FRESH", fresh);
    hook->splice = percent_of_environment("PICAFUZZ_SPLICE", SPLICE_PERCENT);
    hook->statistics = harness_pair_statistics_open();
    if (hook->statistics == NULL)
        hook->statistics = &hook->own;
    return hook->mutator != NULL;
}

void harness_hook_finish(struct harness_hook *hook)
{
    harness_mutator_destroy(hook->mutator);
    hook->mutator = NULL;
}

/* For lack of memory the input stays as it is, cut to max_size and at least one byte long. */
static size_t unchanged(uint8_t *data, size_t size, size_t max_size)
{
    if (size == 0 && max_size != 0) {
        data[0] = 0;
        return 1;
    }
    return size < max_size ? size : max_size;
}

/* Counts a mutation; those that generate a new case are included. `kinds`: bit set of what was changed. */
static void count_mutation(struct harness_pair_statistics *statistics, uint64_t kinds)
{
    statistics->mutations++;
    for (uint32_t kind = 0; kinds != 0; kind++, kinds >>= 1)
        statistics->changes[kind] += kinds & 1;
}

/* Generates a new case in `fresh` percent of the calls and returns its size; 0 in the others. */
static size_t make_anew(struct harness_hook *hook, struct harness_random *random, uint8_t *out, size_t max_size)
{
    if (hook->mutator == NULL || !harness_random_percent(random, hook->fresh))
        return 0;
    count_mutation(hook->statistics, 0);
    hook->statistics->generated++;
    return harness_mutate_anew(hook->mutator, out, max_size, harness_random_next(random));
}

static size_t mutate(struct harness_hook *hook, uint8_t *data, size_t size, size_t max_size, uint64_t seed,
                     harness_leaf_mutator leaf)
{
    if (hook->mutator == NULL)
        return unchanged(data, size, max_size);
    const size_t result = harness_mutate(hook->mutator, data, size, max_size, seed, leaf);
    count_mutation(hook->statistics, harness_mutator_kinds(hook->mutator));
    return result;
}

size_t harness_hook_mutate(struct harness_hook *hook, uint8_t *data, size_t size, size_t max_size, unsigned int seed,
                           harness_leaf_mutator leaf)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    const size_t anew = make_anew(hook, &random, data, max_size);
    return anew != 0 ? anew : mutate(hook, data, size, max_size, harness_random_next(&random), leaf);
}

size_t harness_hook_combine(struct harness_hook *hook, const struct harness_input inputs[2], uint8_t *out,
                            size_t max_size, unsigned int seed, harness_leaf_mutator leaf)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    const size_t anew = make_anew(hook, &random, out, max_size);
    if (anew != 0)
        return anew;
    if (hook->mutator != NULL && harness_random_percent(&random, hook->splice)) {
        hook->statistics->crossovers++;
        return harness_crossover(hook->mutator, inputs[0].bytes, inputs[0].size, inputs[1].bytes, inputs[1].size, out,
                                 max_size, harness_random_next(&random));
    }
    const size_t size = inputs[0].size < max_size ? inputs[0].size : max_size;
    if (size != 0)
        memcpy(out, inputs[0].bytes, size);
    return mutate(hook, out, size, max_size, harness_random_next(&random), leaf);
}
