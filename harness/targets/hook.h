/*
 * The implementation of the mutation hooks of all engines, over harness/grammar/mutate.h: for the same bytes, sizes,
 * seed and percentages they give the same bytes. The hooks themselves only translate: mutator_libfuzzer.c,
 * mutator_afl.c.
 */
#ifndef HARNESS_HOOK_H
#define HARNESS_HOOK_H

#include "harness/grammar/mutate.h"
#include "harness/run/pair.h"

#include <stddef.h>
#include <stdint.h>

struct harness_hook {
    struct harness_mutator *mutator; /* NULL: no memory; inputs stay as they are */
    uint32_t fresh;                  /* percent of all calls that generate a new case, without parents */
    uint32_t splice;                 /* percent of the other crossover calls that splice */
    struct harness_pair_statistics *statistics;
    struct harness_pair_statistics own; /* used if no campaign shares its counters */
};

/* False if the host refuses memory; the hook can still be used, and leaves inputs as they are. `fresh` is the engine's
 * percentage of new cases. For experiments the environment may override the percentages: PICAFUZZ_FRESH and
 * PICAFUZZ_SPLICE. */
bool harness_hook_init(struct harness_hook *hook, uint32_t fresh);
void harness_hook_finish(struct harness_hook *hook);

/* Mutates in place, like harness_mutate, and returns the new size: at least 1 unless max_size is 0. `leaf` may be
 * NULL. */
size_t harness_hook_mutate(struct harness_hook *hook, uint8_t *data, size_t size, size_t max_size, unsigned int seed,
                           harness_leaf_mutator leaf);

struct harness_input {
    const uint8_t *bytes;
    size_t size;
};

/* Combines two inputs into `out`, which overlaps neither, and returns the size: usually 40 percent of the calls splice,
 * the others mutate the first input. Engines use crossover hooks for half of all mutations, and most splices are worth
 * less than a mutation. */
size_t harness_hook_combine(struct harness_hook *hook, const struct harness_input inputs[2], uint8_t *out,
                            size_t max_size, unsigned int seed, harness_leaf_mutator leaf);

#endif
