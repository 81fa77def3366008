#include "harness/targets/hook.h"

#include "harness/grammar/random.h"
#include "harness/targets/target.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPLICE_PERCENT = 40
};

bool harness_hook_init(struct harness_hook *hook)
{
    memset(hook, 0, sizeof *hook);
    hook->mutator = harness_mutator_create();
    const char *const plain = getenv("PICAFUZZ_PLAIN"); /* `picafuzz fuzz --plain` */
    const char *const fresh = getenv("PICAFUZZ_FRESH"), *const splice = getenv("PICAFUZZ_SPLICE");
    if (hook->mutator != NULL && plain != NULL)
        harness_mutator_plain(hook->mutator, (uint32_t)strtoul(plain, NULL, 10));
    if (hook->mutator != NULL && fresh != NULL)
        harness_mutator_fresh(hook->mutator, (uint32_t)strtoul(fresh, NULL, 10));
    hook->splice = splice != NULL ? (uint32_t)strtoul(splice, NULL, 10) : SPLICE_PERCENT;
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

/* Without memory the input stays as it is. */
static size_t unchanged(uint8_t *data, size_t size, size_t max_size)
{
    if (size == 0 && max_size != 0) {
        data[0] = 0;
        return 1;
    }
    return size < max_size ? size : max_size;
}

/* `kinds`: what was changed, bit by bit. */
static void count_mutation(struct harness_pair_statistics *statistics, uint64_t kinds)
{
    statistics->mutations++;
    statistics->generated += kinds == 0;
    for (uint32_t kind = 0; kinds != 0; kind++, kinds >>= 1)
        statistics->changes[kind] += kinds & 1;
}

size_t harness_hook_mutate(struct harness_hook *hook, uint8_t *data, size_t size, size_t max_size, unsigned int seed,
                           harness_leaf_mutator leaf)
{
    if (hook->mutator == NULL)
        return unchanged(data, size, max_size);
    const size_t result = harness_mutate(hook->mutator, data, size, max_size, seed, leaf);
    count_mutation(hook->statistics, harness_mutator_kinds(hook->mutator));
    return result;
}

size_t harness_hook_combine(struct harness_hook *hook, const struct harness_input inputs[2], uint8_t *out,
                            size_t max_size, unsigned int seed, harness_leaf_mutator leaf)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    if (hook->mutator != NULL && harness_random_percent(&random, hook->splice)) {
        hook->statistics->crossovers++;
        return harness_crossover(hook->mutator, inputs[0].bytes, inputs[0].size, inputs[1].bytes, inputs[1].size, out,
                                 max_size, harness_random_next(&random));
    }
    const size_t size = inputs[0].size < max_size ? inputs[0].size : max_size;
    if (size != 0)
        memcpy(out, inputs[0].bytes, size);
    return harness_hook_mutate(hook, out, size, max_size, (unsigned int)harness_random_next(&random), leaf);
}
