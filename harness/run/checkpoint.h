/*
 * The state of the machine between two operations of a case, taken from a backend. Another run can start from it, so
 * that the rest of the case can be repeated, cut short or given to another backend without what came before.
 */
#ifndef HARNESS_RUN_CHECKPOINT_H
#define HARNESS_RUN_CHECKPOINT_H

#include "harness/run/runner.h"

struct harness_checkpoint;

struct harness_checkpoint *harness_checkpoint_create(void);             /* NULL without memory */
void harness_checkpoint_destroy(struct harness_checkpoint *checkpoint); /* accepts NULL */

/* Copies memory and state that `runner` holds now; windows, limits and profile are those of `setup`, which the runner
 * was loaded with and which is borrowed until the next take. Two things begin anew in a run from here: events, and the
 * budget of the whole case (LIM_WORK, CMD-23), so that a run that had used it up goes on where it was cut. */
enum pica_status harness_checkpoint_take(struct harness_checkpoint *checkpoint, struct harness_runner *runner,
                                         const struct pica_setup *setup);

/* To load a runner with. The caller may change its limits. */
struct pica_setup *harness_checkpoint_setup(struct harness_checkpoint *checkpoint);

#endif
