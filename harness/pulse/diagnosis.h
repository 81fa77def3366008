/* What is wrong with a campaign, in one line. Thresholds are those of docs/long-campaigns.md. */
#ifndef HARNESS_PULSE_DIAGNOSIS_H
#define HARNESS_PULSE_DIAGNOSIS_H

#include "harness/pulse/history.h"
#include "harness/pulse/totals.h"

enum {
    HARNESS_PULSE_STUCK = 3 * 3600,    /* seconds of running without anything new */
    HARNESS_PULSE_LARGE = 16384,       /* bytes of the median input */
    HARNESS_PULSE_SLOWER = 3,          /* times slower than in an instance's first hour */
    HARNESS_PULSE_VACUOUS = 50,        /* percent of inputs that change no memory */
    HARNESS_PULSE_DISK = 90,           /* percent in use */
    HARNESS_PULSE_DISK_LEFT = 1 << 30, /* bytes; less of them is too little, too */
    HARNESS_PULSE_MEMORY = 5,          /* percent that is left */
    HARNESS_PULSE_WAITING = 20,        /* findings that wait for their reduction */
    HARNESS_PULSE_IDLE = 600           /* seconds in which an instance executed nothing */
};

/* The most pressing first, three at most, "; " between them; "" if nothing is wrong. `trouble`: of the campaign itself;
 * "": none. */
void harness_pulse_diagnose(const struct harness_pulse_totals *totals, const struct harness_pulse_history *history,
                            const char *trouble, char *out, size_t size);

#endif
