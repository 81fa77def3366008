/* The steps of the same fragment or vertex on two backends, side by side. */
#ifndef HARNESS_EXPLORE_STEP_ROWS_H
#define HARNESS_EXPLORE_STEP_ROWS_H

#include "oracles/trace_equal.h"

#include <stdbool.h>
#include <stddef.h>

/* A step of the one, of the other, or of both. */
struct harness_step_row {
    const struct pica_trace_step *a, *b; /* NULL: that side does not report it */
    bool differs;                        /* other values, or missing where it has to be reported (pica/trace.def) */
};

/* Fills rows[0 .. a->count + b->count) and returns how many there are. With `b` NULL nothing differs. */
size_t harness_step_rows(const struct oracle_trace *a, const struct oracle_trace *b, struct harness_step_row *rows);

/*
 * How many stages of the combiner, from rows[at] on, only pass on what the one before them made: 0 or more, of two rows
 * each (operands, output).
 */
size_t harness_step_rows_idle(const struct harness_step_row *rows, size_t count, size_t at);

#endif
