/*
 * What the inputs of a corpus are like: each is looked at once, by a child process of the lowest priority that takes at
 * most a twentieth of a core. It begins anew with each start; an input on which it dies is left out from then on.
 */
#ifndef HARNESS_PULSE_SURVEY_H
#define HARNESS_PULSE_SURVEY_H

#include "harness/case/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_SURVEY_SLOWEST = 10,
    HARNESS_SURVEY_NAME = 80
};

/* Of the inputs that are there and were looked at. */
struct harness_survey_result {
    uint64_t inputs, bytes;
    double median_bytes, median_us;    /* processor time on `reference` and `fast` */
    double vacuous;                    /* share that changes no memory, 0 to 1 */
    uint64_t semantic, semantic_total; /* items that they exercise, and that there are */
    struct {
        char name[HARNESS_SURVEY_NAME];
        double us;
        uint64_t bytes;
    } slowest[HARNESS_SURVEY_SLOWEST];
    size_t slow_count;
};

struct harness_survey;

/* NULL if the host refuses memory or a pipe. `corpus` is borrowed. */
struct harness_survey *harness_survey_open(const char *corpus);

/* About once a second: starts and watches the child, takes what it found. *out is the newest result. */
void harness_survey_tend(struct harness_survey *survey, struct harness_survey_result *out);

void harness_survey_close(struct harness_survey *survey); /* accepts NULL */

#endif
