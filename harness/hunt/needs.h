/*
 * Finds by experiment what a reduced case needs to show its fault: the fields whose usual value makes the fault
 * disappear. A case is freed of a cause by breaking the first of its needs (harness/peel/peel.h).
 */
#ifndef HARNESS_HUNT_NEEDS_H
#define HARNESS_HUNT_NEEDS_H

#include "harness/peel/peel.h"
#include "harness/triage/filing.h"

/*
 * Fills in the cause of a finding that was reduced and filed as `filed` says: its bucket, whether a backend dies, and
 * its needs. The need whose values are the smallest share of the field's values comes first, because avoiding those
 * hides the least. There are no needs if none is found, or if the case shows nothing in a second run. Each kind of
 * finding has a limit of tries; what was found by then is used. If the blamed stage itself reads some of the fields
 * (filed->cause), only those are kept: the others only make the fault visible.
 */
enum harness_status harness_needs_find(const struct harness_filing *filing, const struct harness_filed *filed,
                                       const struct harness_case *reduced, struct harness_peel_cause *out,
                                       struct harness_error *error);

#endif
