/*
 * What a reduced case needs to show what it shows, by experiment: fields whose usual value makes it go away. Cases are
 * freed of a cause by the first of them (harness/peel/peel.h).
 */
#ifndef HARNESS_HUNT_NEEDS_H
#define HARNESS_HUNT_NEEDS_H

#include "harness/peel/peel.h"
#include "harness/trial/probe.h"
#include "harness/reduce/cause.h"

struct harness_needs_hint {
    unsigned seconds; /* 0: no matter how long, but no more tries than */
    unsigned tries;   /* this; 0: any number */
    const struct harness_cause *cause;
};

/* Fills in the needs of `out`, the most special first: a cause that is avoided by it hides least. None if nothing is
 * found, or if a backend does not do the same twice. After `seconds` or `tries` what was found by then has to do. If
 * the blamed stage itself looks at some (`cause`), only those count: the others merely show the fault. */
enum harness_status harness_needs_find(const struct harness_case *test_case, const struct harness_probe_options *probe,
                                       const struct harness_needs_hint *hint, struct harness_peel_cause *out,
                                       struct harness_error *error);

#endif
