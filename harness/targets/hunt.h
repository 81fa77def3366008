/*
 * What the differential target does with an input: on which backends, and what is a finding. The environment says it:
 *
 *     PICAFUZZ_BACKENDS  A,B[,C] as `picafuzz diff --backends` takes them; not set: reference,fast
 *     PICAFUZZ_ONLY, PICAFUZZ_IGNORE  what of a plug-in's results counts, as --only and --ignore
 *     PICAFUZZ_QUIRKS, PICAFUZZ_FORCE  known differences: a file (harness/quirks), statements of --force, one a line
 *     PICAFUZZ_PEEL  file of causes that are known (harness/peel), read again when it changes: an input that shows
 *                    nothing else is counted, and no finding
 *     PICAFUZZ_THREADS  worker threads of each backend; not set: none
 *     PICAFUZZ_CAPACITY  entries of each queue and cache of a backend, at most (struct pica_options)
 *     PICAFUZZ_EXECUTIONS  after so many executions (those in the statistics included) nothing is run any more
 *
 * A backend in a process of its own may crash or hang: that is a finding, and the next input starts it anew. What is to
 * be a finding runs again in a fresh process; if it shows nothing there, it is unstable.
 */
#ifndef HARNESS_TARGETS_HUNT_H
#define HARNESS_TARGETS_HUNT_H

#include "harness/run/pair.h"

struct hunt;

/* Opens the backends, but starts none: an engine may fork first. NULL, and `error`, if that cannot be. */
struct hunt *hunt_create(struct harness_pair_statistics *statistics, struct harness_error *error);
void hunt_destroy(struct hunt *hunt); /* accepts NULL */

/* Starts the backends if they do not run yet. NULL: one does not start. */
struct harness_pair *hunt_pair(struct hunt *hunt);

/* The opened backends; count 0: the linked two. */
const struct harness_backend *hunt_backends(const struct hunt *hunt, size_t *count);

/* Are all executions made? */
bool hunt_is_over(const struct hunt *hunt);

/* One input. HARNESS_DIVERGE, HARNESS_CRASH and HARNESS_HANG are findings. */
enum harness_outcome hunt_run(struct hunt *hunt, const uint8_t *bytes, size_t size);

/* Of the last finding, for people. */
const char *hunt_message(const struct hunt *hunt);

#endif
