/*
 * Sorts a directory of findings into buckets. Incremental: what a file showed is remembered in an index beside the
 * files, by the digest of its bytes; only new and changed files are run.
 */
#ifndef HARNESS_FINDINGS_TRIAGE_H
#define HARNESS_FINDINGS_TRIAGE_H

#include "harness/findings/bucket.h"
#include "harness/findings/probe.h"

struct harness_triage_options {
    struct harness_probe_options probe; /* case_bytes is filled in */
    const char *index_path;             /* JSON file, replaced at the end; NULL: none */
    const char *identity;               /* backends and options; an index of another identity is not believed */
};

/* What one file showed. */
struct harness_triage_entry {
    char *path;
    char digest[24]; /* of the file's bytes */
    enum harness_symptom_kind kind;
    char bucket[HARNESS_BUCKET_NAME];
    char *key;
    uint64_t bytes; /* size of the case: harness_case_bytes */
    bool fresh;     /* run now, not remembered */
};

struct harness_triage_bucket {
    const char *name;
    const char *key;
    enum harness_symptom_kind kind;
    size_t count;
    const struct harness_triage_entry *smallest;
};

struct harness_triage {
    struct harness_triage_entry *entries; /* in the order of the paths given */
    size_t count;
    struct harness_triage_bucket *buckets; /* the largest first, then by name */
    size_t bucket_count;
    size_t run; /* entries that were run now */
};

/* Free with harness_triage_free, also after a failure. */
enum harness_status harness_triage_run(const char *const *paths, size_t count,
                                       const struct harness_triage_options *options, struct harness_triage *out,
                                       struct harness_error *error);
void harness_triage_free(struct harness_triage *triage);

#endif
