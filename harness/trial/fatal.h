/* Which command does a backend crash or hang in? */
#ifndef HARNESS_TRIAL_FATAL_H
#define HARNESS_TRIAL_FATAL_H

#include "harness/trial/probe.h"

/*
 * Bisects the command budget (CMD-20) on worker 0: *out is the number, from 1, of the first command of the operation in
 * `symptom` without which it does not happen; 0 if that is not known: it is not a crash or hang, not in a submitted
 * list, or happens before its second command; or an earlier list would be cut as well. `test_case` is as before
 * when this returns.
 */
enum harness_status harness_fatal_command(struct harness_probe *probe, struct harness_case *test_case,
                                          const struct harness_symptom *symptom, uint32_t *out,
                                          struct harness_error *error);

/* The list of a typed `run` operation that holds the command, if that is certain: no jump comes before it (SUB-03).
 * Borrowed from the case; NULL otherwise. */
const struct harness_command *harness_fatal_place(const struct harness_operation *operation, uint32_t command);

#endif
