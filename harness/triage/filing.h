/*
 * Files a fresh finding: reduces it with so many tries, names its bucket, and puts it there:
 *
 *     FINDINGS/BUCKET/NAME.pcase   the reduced case, with what it shows at its head
 *     FINDINGS/BUCKET/NAME.pcb     the case as it was found
 *     FINDINGS/BUCKET/NAME.txt     what the target said
 *     FINDINGS/BUCKET/count        how many findings fell into this bucket
 *     FINDINGS/BUCKET/first-seen   when the first one did (bucket_record.h)
 *
 * Every file appears whole or not at all, and nothing leaves its old place before it is in its new one: what was put
 * into its bucket and waits all the same, since its hunt was killed, is simply put there again.
 */
#ifndef HARNESS_TRIAGE_FILING_H
#define HARNESS_TRIAGE_FILING_H

#include "harness/case/case.h"
#include "harness/trial/symptom.h"
#include "harness/quirks/quirks.h"
#include "harness/run/backends.h"
#include "harness/triage/bucket.h"

#include <stdbool.h>

enum {
    HARNESS_FILING_KEPT = 3 /* findings of one bucket that are kept; more are counted only */
};

struct harness_filing {
    const char *findings; /* directory; FINDINGS/NAME.pcase, .pcb and .txt lie there */
    const char *name;
    unsigned tries; /* for the reduction, as `cost` of harness_reduce counts: no clock decides; 0: any number */
    const struct harness_backend *backends; /* that showed it, opened */
    size_t backend_count;
    struct pica_options machine;         /* what each of them is created with */
    const struct harness_quirks *quirks; /* known differences that are not to show; NULL: none */
};

/* What became of it. */
struct harness_filed {
    char bucket[HARNESS_BUCKET_NAME];
    struct harness_symptom symptom; /* of the reduced case */
    struct harness_cause cause;     /* what the stage that is blamed needs */
    bool confirmed;                 /* it showed something when run again by itself */
    bool duplicate;                 /* the bucket was full: it was not put there */
};

/* The first half: reduces the case. One that shows nothing when run again by itself stays as it is, for the bucket
 * "unconfirmed". HARNESS_NO_MEMORY says nothing about it. */
enum harness_status harness_finding_reduce(const struct harness_filing *filing, struct harness_case *test_case,
                                           struct harness_filed *filed, struct harness_error *error);

/* The second half: puts the reduced case and copies of the finding's files into the bucket. */
enum harness_status harness_finding_put(const struct harness_filing *filing, const struct harness_case *test_case,
                                        char *path, size_t size, struct harness_filed *filed,
                                        struct harness_error *error);

/* The third: FINDINGS/NAME.*, once it is on the disk that the finding does not wait any more. */
void harness_finding_remove_waiting(const struct harness_filing *filing);

/* Does the baseline (NULL: none) know what the finding at this path shows? */
bool harness_finding_is_accepted(const struct harness_quirks *quirks, const char *path,
                                 const struct harness_filed *filed);

/* Removes what killed processes were writing in the findings directory and its buckets. */
void harness_findings_clean(const char *findings);

/* Reduced cases in the buckets of a findings directory, but for those that the baseline (NULL: none) accepts. */
size_t harness_findings_count(const char *findings, const struct harness_quirks *quirks);

#endif
