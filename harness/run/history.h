/*
 * What a backend was given so far, as one number: of the setup, then of one operation after the other. Two cases that
 * begin alike have equal histories up to where they part. Recorded results are found by it (docs/formats/results.md).
 */
#ifndef HARNESS_RUN_HISTORY_H
#define HARNESS_RUN_HISTORY_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

/* 128-bit XXH3; the same on every host. */
struct harness_history {
    uint64_t low, high;
};

/* The history before the first operation. False without memory. */
bool harness_history_begin(const struct pica_setup *setup, struct harness_history *out);

/* Adds one operation; of its members only those that its kind uses count. False without memory. */
bool harness_history_add(struct harness_history *history, const struct pica_operation *operation);

/* Less than 0, 0, more than 0. */
int harness_history_order(const struct harness_history *a, const struct harness_history *b);

#endif
