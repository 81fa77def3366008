/*
 * Structure-aware mutation and crossover of cases in binary form (docs/formats/pcb.md), for fuzzing engines. Whatever
 * the input bytes are, the output is the exact encoding of a valid case, at most `max_size` bytes and never empty. It
 * depends on the bytes, the sizes and the seed alone (and on what `leaf` does).
 */
#ifndef HARNESS_MUTATE_H
#define HARNESS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* A mutator of plain bytes, such as LLVMFuzzerMutate, for contents without structure: changes `size` bytes in place in
 * a buffer of `max_size` and returns the new size. */
typedef size_t (*harness_leaf_mutator)(uint8_t *data, size_t size, size_t max_size);

/* Holds cases and buffers that are reused, so that calls do not allocate once these have grown. */
struct harness_mutator;

/* NULL if the host refuses memory. */
struct harness_mutator *harness_mutator_create(void);
void harness_mutator_destroy(struct harness_mutator *mutator); /* accepts NULL */

/* For newly generated cases: the member `plain` of struct harness_generate_options (gen.h). */
void harness_mutator_plain(struct harness_mutator *mutator, uint32_t percent);

/* Generates a case without a parent, of the mode HARNESS_GENERATE_MIXED. Returns its size as harness_mutate does. */
size_t harness_mutate_anew(struct harness_mutator *mutator, uint8_t *out, size_t max_size, uint64_t seed);

/* Mutates in place. `data` holds `size` bytes and has room for max_size; if `size` is larger, the rest is ignored.
 * `leaf` may be NULL. Returns the new size: at least 1, unless max_size is 0. */
size_t harness_mutate(struct harness_mutator *mutator, uint8_t *data, size_t size, size_t max_size, uint64_t seed,
                      harness_leaf_mutator leaf);

/* The kinds of change by number, from 0; at most 64. Names are lower-case words with "-", NULL beyond the last. */
uint32_t harness_mutation_kinds(void);
const char *harness_mutation_kind_name(uint32_t kind);

/* The kinds that the last harness_mutate applied, a bit for each; 0 if none had something to change. */
uint64_t harness_mutator_kinds(const struct harness_mutator *mutator);

/* As harness_mutate, with exactly one change, of that kind. Returns 0 and leaves `data` alone if the case has nothing
 * to change so, or the result is too large. */
size_t harness_mutate_by(struct harness_mutator *mutator, uint32_t kind, uint8_t *data, size_t size, size_t max_size,
                         uint64_t seed);

/* The same for the kinds of crossover. */
uint32_t harness_crossover_kinds(void);
const char *harness_crossover_kind_name(uint32_t kind);

/* As harness_crossover, of exactly that kind; 0 if the second case has nothing for it or the result is too large. */
size_t harness_crossover_by(struct harness_mutator *mutator, uint32_t kind, const uint8_t *data1, size_t size1,
                            const uint8_t *data2, size_t size2, uint8_t *out, size_t max_size, uint64_t seed);

/* Writes a case made of two to `out`, which has max_size bytes and must not overlap the inputs. Returns its size. */
size_t harness_crossover(struct harness_mutator *mutator, const uint8_t *data1, size_t size1, const uint8_t *data2,
                         size_t size2, uint8_t *out, size_t max_size, uint64_t seed);

#endif
