/*
 * What the mutation hooks of every engine do, over harness/grammar/mutate.h: for the same bytes, sizes and seed, and
 * the same shares, they give the same bytes. Thin hooks translate: mutator_libfuzzer.c, mutator_afl.c.
 */
#ifndef HARNESS_HOOK_H
#define HARNESS_HOOK_H

#include "harness/grammar/mutate.h"
#include "harness/run/pair.h"

#include <stddef.h>
#include <stdint.h>

struct harness_hook {
    struct harness_mutator *mutator; /* NULL: no memory; inputs stay as they are */
    uint32_t fresh;                  /* percent of all calls that make a case anew, without parents */
    uint32_t splice;                 /* percent of the other crossovers that are one */
    struct harness_pair_statistics *statistics;
    struct harness_pair_statistics own; /* if no campaign watches */
};

/* False if the host refuses memory; the hook can still be used. `fresh` is the engine's share. For experiments the
 * environment may change the schedule: PICAFUZZ_FRESH and PICAFUZZ_SPLICE, percent. */
bool harness_hook_init(struct harness_hook *hook, uint32_t fresh);
void harness_hook_finish(struct harness_hook *hook);

/* In place, as harness_mutate: at least one byte comes out unless max_size is 0. `leaf` may be NULL. */
size_t harness_hook_mutate(struct harness_hook *hook, uint8_t *data, size_t size, size_t max_size, unsigned int seed,
                           harness_leaf_mutator leaf);

struct harness_input {
    const uint8_t *bytes;
    size_t size;
};

/* Two inputs into `out`, which overlaps neither: spliced in 40 of 100 cases, else the first one mutated. Engines call
 * crossover hooks for half of all mutations, and most splices are worth less than a change. */
size_t harness_hook_combine(struct harness_hook *hook, const struct harness_input inputs[2], uint8_t *out,
                            size_t max_size, unsigned int seed, harness_leaf_mutator leaf);

#endif
