/* Lines over time as SVG, with axes. */
#ifndef HARNESS_PULSE_PLOTS_H
#define HARNESS_PULSE_PLOTS_H

#include "harness/case/text.h"
#include "harness/pulse/history.h"

/* What is drawn: the value of a point, with the one before it (NULL for the first), or NAN: none. */
struct harness_plot {
    const char *title; /* "executions a second" */
    double (*value)(const struct harness_pulse_point *point, const struct harness_pulse_point *before);
};

/* A <figure>. Where the campaign did not run the line is broken. The axis of values begins at 0. */
void harness_plot_add(struct harness_text *out, const struct harness_plot *plot,
                      const struct harness_pulse_history *history);

/* "12.3 k", "4 M": three digits are enough for people. `out` of `size` bytes. */
void harness_plot_number(char *out, size_t size, double value);

/* "3 h", "2 d". */
void harness_plot_time(char *out, size_t size, double seconds);

#endif
