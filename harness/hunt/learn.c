/* What a finding needs to show what it shows, in the process that reduced it. */
#include "harness/hunt/hunt_parts.h"

#include "harness/hunt/needs.h"

#include <stdio.h>

enum {
    HANG_MS = 500,      /* a case that ends does so in less; of a hang each try costs that */
    NEEDS_TRIES = 2000, /* for finding out what a difference needs; ... */
    HANG_TRIES = 60,    /* ... each costs HANG_MS ... */
    CRASH_TRIES = 500   /* ... or a new process */
};

static unsigned tries_of(enum harness_outcome kind)
{
    if (kind == HARNESS_HANG)
        return HANG_TRIES;
    return kind == HARNESS_CRASH ? (unsigned)CRASH_TRIES : (unsigned)NEEDS_TRIES;
}

enum harness_status hunt_find_needs(const struct harness_filing *filing, const struct harness_filed *filed,
                                    const struct harness_case *reduced, struct hunt_lesson *out,
                                    struct harness_error *error)
{
    const struct harness_probe_options probe = { .backends = filing->backends,
                                                 .backend_count = filing->backend_count,
                                                 .backend_options = filing->machine,
                                                 .jobs = 1,
                                                 .hang_ms = HANG_MS };
    const struct harness_needs_hint hint = { .tries = tries_of(filed->symptom.kind), .cause = &filed->cause };
    out->cause = (struct harness_peel_cause){ .dies = harness_outcome_died(filed->symptom.kind) };
    (void)snprintf(out->cause.bucket, sizeof out->cause.bucket, "%s", filed->bucket);
    const enum harness_status status =
        filed->confirmed ? harness_needs_find(reduced, &probe, &hint, &out->cause, error) : HARNESS_OK;
    out->has_cause = filed->confirmed && status == HARNESS_OK;
    return status;
}
