/*
 * What a campaign had done at which time: a point a minute, in history.tsv (docs/formats/stats.md). Of the last day all
 * points are kept, of the time before one in ten minutes, then one an hour, so that a file of months stays small.
 */
#ifndef HARNESS_PULSE_HISTORY_H
#define HARNESS_PULSE_HISTORY_H

#include "harness/case/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_PULSE_HISTORY_VERSION = 1,
    HARNESS_PULSE_HISTORY_PERIOD = 60 /* seconds between two points */
};

/* Totals at a time. */
struct harness_pulse_point {
    uint64_t time;   /* unix */
    uint64_t starts; /* a new one: it did not run in between */
    uint64_t seconds, executions, edges, features, corpus, bytes, semantic, findings, disk_free;
};

struct harness_pulse_history {
    struct harness_pulse_point *points; /* by time */
    size_t count, capacity;
};

void harness_pulse_history_free(struct harness_pulse_history *history);

/* A last line that is not whole (a power cut) is left out; HARNESS_BAD_INPUT with the line's number for others. The
 * history is empty then. */
enum harness_status harness_pulse_history_parse(const char *text, size_t size, struct harness_pulse_history *out,
                                                struct harness_error *error);

/* HARNESS_NO_MEMORY, or HARNESS_OK. One that is not later than the last is left out. */
enum harness_status harness_pulse_history_add(struct harness_pulse_history *history,
                                              const struct harness_pulse_point *point);

/* Leaves out what is old and near to another. */
void harness_pulse_history_thin(struct harness_pulse_history *history);

/* The file's contents, malloc'ed for the caller; NULL without memory. */
char *harness_pulse_history_print(const struct harness_pulse_history *history);

#endif
