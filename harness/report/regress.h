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
#include "harness/trial/trial.h"

struct harness_regress;

/* Makes `directory` and its folder `pictures`. `before` and `after` are what people call the two. On failure *out is
 * NULL. */
enum harness_status harness_regress_create(const char *directory, const char *before, const char *after,
                                           struct harness_regress **out, struct harness_error *error);
void harness_regress_destroy(struct harness_regress *regress); /* accepts NULL */

/* A case that was judged on the two. Where they differ both run again, for the place and the pictures. `why`: the
 * reason in a line. */
enum harness_status harness_regress_add(struct harness_regress *regress, struct harness_runner *const runners[2],
                                        const char *path, const struct harness_program *program,
                                        const struct harness_trial *trial, const char *why,
                                        struct harness_error *error);

/* What the last one showed does not count: a baseline accepts it, or it does not come back. */
void harness_regress_accept(struct harness_regress *regress);

/* " 2 agree, 1 diverge (1 accepted)". */
void harness_regress_totals(const struct harness_regress *regress, struct harness_text *out);

/* What the last case showed, in a line or more; valid until the next one. */
const char *harness_regress_message(const struct harness_regress *regress);

/* "memory, registers": what counts of both; "" if everything does. Known after the first case. */
const char *harness_regress_compared(const struct harness_regress *regress);

/* Writes index.html, index.json and findings.sarif. */
enum harness_status harness_regress_finish(const struct harness_regress *regress, struct harness_error *error);

#endif
