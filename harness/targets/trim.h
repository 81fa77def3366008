/*
 * Trimming by structure: proposes smaller forms of one input, one at a time, and is told which of them behave the same.
 * What it takes out: operations, draws with the state before them, commands, parameters, vertices, memory blocks and
 * their bytes, parts of the initial state, windows. The same input and answers give the same candidates.
 */
#ifndef HARNESS_TRIM_H
#define HARNESS_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_TRIM_STEPS = 512 /* candidates at most for one input: each costs an execution */
};

struct harness_trimmer;

/* NULL if the host refuses memory. */
struct harness_trimmer *harness_trimmer_create(void);
void harness_trimmer_destroy(struct harness_trimmer *trimmer); /* accepts NULL */

/* False if there is nothing to try, or the input is larger than HARNESS_MAX_INPUT. */
bool harness_trim_begin(struct harness_trimmer *trimmer, const uint8_t *bytes, size_t size);

/* The candidate: its size, never 0 after a true begin or a judge below HARNESS_TRIM_STEPS. The bytes belong to the
 * trimmer and stay until the next call of judge or begin. */
size_t harness_trim_candidate(struct harness_trimmer *trimmer, uint8_t **out);

/* `same`: the candidate behaves as the input did, go on from it. Returns the number of candidates judged, or
 * HARNESS_TRIM_STEPS if there is no other. */
uint32_t harness_trim_judge(struct harness_trimmer *trimmer, bool same);

#endif
