/*
 * Files a fresh finding: reduces it with a limited number of tries, names its bucket, and puts it there:
 *
 *     FINDINGS/BUCKET/NAME.pcase   the reduced case, with what it shows at its head
 *     FINDINGS/BUCKET/NAME.pcb     the case as it was found
 *     FINDINGS/BUCKET/NAME.txt     what the target said
 *     FINDINGS/BUCKET/count        how many findings fell into this bucket
 *     FINDINGS/BUCKET/first-seen   when the first one did (bucket_record.h)
 *
 * Every file is written atomically, and a finding is removed from its old place only after it is in its bucket. If a
 * hunt is killed in between, the finding is put into the bucket again, which does no harm.
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
    const char *findings; /* directory that holds NAME.pcase, NAME.pcb and NAME.txt */
    const char *name;
    unsigned tries; /* for the reduction, as `cost` of harness_reduce counts: no clock decides; 0: any number */
    const struct harness_backend *backends; /* that showed it, opened */
    size_t backend_count;
    struct pica_options machine;         /* what each of them is created with */
    const struct harness_quirks *quirks; /* known differences to be masked; NULL: none */
};

/* What became of it. */
struct harness_filed {
    char bucket[HARNESS_BUCKET_NAME];
    struct harness_symptom symptom; /* of the reduced case */
    struct harness_cause cause;     /* the blamed stage and what the difference needs */
    char message[256];              /* what the reduced case shows, a line; "": not confirmed */
    bool confirmed;                 /* it showed something again when run alone */
    bool duplicate;                 /* the bucket was full: it was not put there */
};

/* First step: reduces the case. A flaky one, which shows nothing when run again alone, is left as it is and goes into
 * the bucket "unconfirmed". HARNESS_NO_MEMORY: nothing is known about the case. */
enum harness_status harness_finding_reduce(const struct harness_filing *filing, struct harness_case *test_case,
                                           struct harness_filed *filed, struct harness_error *error);

/* Second step: puts the reduced case and copies of the finding's files into the bucket. */
enum harness_status harness_finding_put(const struct harness_filing *filing, const struct harness_case *test_case,
                                        char *path, size_t size, struct harness_filed *filed,
                                        struct harness_error *error);

/* Third step: removes FINDINGS/NAME.*, once the disk records that the finding is no longer waiting. */
void harness_finding_remove_waiting(const struct harness_filing *filing);

/* Does the baseline (NULL: none) know what the finding at this path shows? */
bool harness_finding_is_accepted(const struct harness_quirks *quirks, const char *path,
                                 const struct harness_filed *filed);

/* Removes the partly written files of killed processes from the findings directory and its buckets. */
void harness_findings_clean(const char *findings);

/* Number of reduced cases in the buckets of a findings directory that the baseline (NULL: none) does not accept. */
size_t harness_findings_count(const char *findings, const struct harness_quirks *quirks);

#endif
