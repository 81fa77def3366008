/*
 * How quick an instance is, measured against itself: its first hour of running, and the last half hour that is over.
 * Instances differ a thousandfold, so what all of them execute together says which one has its turn, and not how quick
 * they are. Time in which it does not run does not count, so it does not matter how turns are dealt out, either.
 */
#ifndef HARNESS_PULSE_PACE_H
#define HARNESS_PULSE_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HARNESS_PACE_FIRST = 3600, /* seconds of running of the first piece that is measured ... */
    HARNESS_PACE_PIECE = 1800, /* ... and of each after it */
    HARNESS_PACE_LITTLE = 300  /* of a piece that is not over yet, from which on it says something */
};

struct harness_pace_piece {
    double seconds; /* 0: there was none yet */
    uint64_t executions;
};

struct harness_pace {
    struct harness_pace_piece first, last;
    struct harness_pace_piece begun; /* what the instance had when the piece that is not over began */
};

/* To be called when the instance has just executed something more: what it ran and executed until now. An engine that
 * says its count now and then only is measured from one of these moments to another. */
void harness_pace_take(struct harness_pace *pace, double seconds, uint64_t executions);

/* Executions a second; 0 without a piece. */
double harness_pace_rate(const struct harness_pace_piece *piece);

/* Was the last piece more than so many times slower than the first one? Not if what came after it is not: an instance
 * may wait for hours until its half hour is full. `seconds`, `executions`: until now. */
bool harness_pace_is_slow(const struct harness_pace *pace, double seconds, uint64_t executions, double times);

#endif
