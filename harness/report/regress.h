/*
 * Two builds of one machine, case by case: what changed, as one static page and as JSON. Unlike a report it takes
 * neither side for right, and hides what did not change.
 *
 * Pictures are files that are named after their contents, so that pages of many builds can share a directory, and what
 * looks the same is one file. The same results give the same bytes.
 */
#ifndef HARNESS_REPORT_REGRESS_H
#define HARNESS_REPORT_REGRESS_H

#include "harness/case/case.h"
#include "harness/run/runner.h"

#include <stdbool.h>
#include <stddef.h>

enum harness_regress_verdict {
    HARNESS_REGRESS_SAME,
    HARNESS_REGRESS_CHANGED,
    HARNESS_REGRESS_UNSTABLE,   /* they differed, and when they ran again they did not */
    HARNESS_REGRESS_NOT_TESTED, /* a side does not support the case, or it is not recorded */
    HARNESS_REGRESS_CRASHED,
    HARNESS_REGRESS_VERDICTS
};

/* "same", "changed", ... Static. */
const char *harness_regress_verdict_name(enum harness_regress_verdict verdict);

struct harness_regress;

/* Makes `directory` and its folder `pictures`. `before` and `after` are what people call the two. On failure *out is
 * NULL. */
enum harness_status harness_regress_create(const char *directory, const char *before, const char *after,
                                           struct harness_regress **out, struct harness_error *error);
void harness_regress_destroy(struct harness_regress *regress); /* accepts NULL */

/* Runs the case on both, and where they differ once more. That a backend dies is no failure but a verdict. */
enum harness_status harness_regress_add(struct harness_regress *regress, struct harness_runner *before,
                                        struct harness_runner *after, const char *path,
                                        const struct harness_program *program, enum harness_regress_verdict *out,
                                        struct harness_error *error);

/* A case that is not run, and why: not tested. */
enum harness_status harness_regress_leave_out(struct harness_regress *regress, const char *path, const char *why,
                                              struct harness_error *error);

/* What the last one showed does not count: a baseline accepts it, or it does not come back. */
void harness_regress_accept(struct harness_regress *regress);

/* How many cases have that verdict, with those that are accepted or without. */
size_t harness_regress_count(const struct harness_regress *regress, enum harness_regress_verdict verdict,
                             bool with_accepted);

/* What the last case showed, in a line or more; valid until the next one. */
const char *harness_regress_message(const struct harness_regress *regress);

/* "memory, registers": what counts of both; "" if everything does. Known after the first case. */
const char *harness_regress_compared(const struct harness_regress *regress);

/* Writes index.html, index.json and findings.sarif. */
enum harness_status harness_regress_finish(const struct harness_regress *regress, struct harness_error *error);

#endif
