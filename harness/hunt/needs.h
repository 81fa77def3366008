/*
 * What a reduced case needs to show what it shows, by experiment: fields whose usual value makes it go away. Cases are
 * freed of a cause by the first of them (harness/peel/peel.h).
 */
#ifndef HARNESS_HUNT_NEEDS_H
#define HARNESS_HUNT_NEEDS_H

#include "harness/peel/peel.h"
#include "harness/triage/filing.h"

/*
 * Fills in the cause of a finding that was reduced and is filed so: its bucket, whether a backend dies, and its needs,
 * the most special first: a cause that is avoided by it hides least. No needs if nothing is found, or if a backend does
 * not do the same twice. The number of tries is limited, for each kind of finding; what was found by then has to do. If
 * the blamed stage itself looks at some (filed->cause), only those count: the others merely show the fault.
 */
enum harness_status harness_needs_find(const struct harness_filing *filing, const struct harness_filed *filed,
                                       const struct harness_case *reduced, struct harness_peel_cause *out,
                                       struct harness_error *error);

#endif
