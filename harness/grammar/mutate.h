/*
 * Structure-aware mutation and crossover of cases in binary form (docs/formats/pcb.md), for fuzzing engines. For any
 * bytes the output is the exact encoding of a valid case, at most `max_size` bytes and never empty. The
 * outcome depends on the bytes, the sizes and the seed alone (and on what `leaf` does).
 */
#ifndef HARNESS_MUTATE_H
#define HARNESS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* A byte-level mutator for leaves, LLVMFuzzerMutate for instance: changes `size` bytes in a buffer of `max_size` in
 * place and returns the new size. */
typedef size_t (*harness_leaf_mutator)(uint8_t *data, size_t size, size_t max_size);

/* Cases and buffers that are reused, so that a call does not allocate once they have grown. */
struct harness_mutator;

/* NULL if the host refuses memory. */
struct harness_mutator *harness_mutator_create(void);
void harness_mutator_destroy(struct harness_mutator *mutator); /* accepts NULL */

/* Percent of the operations of cases that are generated anew with values that programs send (gen.h); 0: as always. */
void harness_mutator_plain(struct harness_mutator *mutator, uint32_t percent);

/* No parent: a case generated anew, of the mode HARNESS_GENERATE_MIXED. Returns its size, as harness_mutate. */
size_t harness_mutate_anew(struct harness_mutator *mutator, uint8_t *out, size_t max_size, uint64_t seed);

/* `data` holds `size` bytes and has room for max_size; `size` may be larger than max_size (the rest is cut off). `leaf`
 * may be NULL. Returns the new size: at least 1, unless max_size is 0. */
size_t harness_mutate(struct harness_mutator *mutator, uint8_t *data, size_t size, size_t max_size, uint64_t seed,
                      harness_leaf_mutator leaf);

/* The kinds of change by number, from 0; at most 64. Names are lower-case words with "-", NULL beyond the last. */
uint32_t harness_mutation_kinds(void);
const char *harness_mutation_kind_name(uint32_t kind);

/* The kinds that the last harness_mutate applied, bit by bit; 0 if none had something to change. */
uint64_t harness_mutator_kinds(const struct harness_mutator *mutator);

/* As harness_mutate, with exactly one change, of that kind. 0 if the case has nothing for it or the outcome is too
 * large: `data` is then as before. */
size_t harness_mutate_by(struct harness_mutator *mutator, uint32_t kind, uint8_t *data, size_t size, size_t max_size,
                         uint64_t seed);

/* The kinds of crossover, likewise. */
uint32_t harness_crossover_kinds(void);
const char *harness_crossover_kind_name(uint32_t kind);

/* As harness_crossover, of that kind; 0 if the second case has nothing for it or the outcome is too large. */
size_t harness_crossover_by(struct harness_mutator *mutator, uint32_t kind, const uint8_t *data1, size_t size1,
                            const uint8_t *data2, size_t size2, uint8_t *out, size_t max_size, uint64_t seed);

/* A case out of two, into `out` of max_size bytes, which must not overlap the inputs. */
size_t harness_crossover(struct harness_mutator *mutator, const uint8_t *data1, size_t size1, const uint8_t *data2,
                         size_t size2, uint8_t *out, size_t max_size, uint64_t seed);

#endif
