/*
 * Sorts a directory of findings into buckets. Incremental: an index beside the files remembers what each showed, by
 * the digest of its bytes; only new and changed files are run. The index also remembers when each bucket was
 * first seen.
 */
#ifndef HARNESS_TRIAGE_TRIAGE_H
#define HARNESS_TRIAGE_TRIAGE_H

#include "harness/trial/probe.h"
#include "harness/triage/bucket.h"
#include "harness/triage/bucket_record.h"

struct harness_triage_options {
    struct harness_probe_options probe; /* case_bytes is filled in */
    const char *index_path;             /* JSON file, replaced at the end; NULL: none */
    const char *identity;               /* harness_triage_identity; an index with another identity is ignored */
    time_t now;                         /* when buckets that are new are first seen */
    /* Called before a case runs, and may change the case; or NULL. *why: why it is not to be tested, or NULL. */
    enum harness_status (*prepare)(const void *what, struct harness_case *test_case, const char **why,
                                   struct harness_error *error);
    const void *prepare_what;
    /* Asked before each file; false: the remaining files are left out. NULL: all files are done. */
    bool (*goes_on)(void *watcher, size_t done, size_t count);
    void *watcher;
    bool read_only; /* the index stays as it is, and new buckets have no date */
};

static const uint32_t HARNESS_TRIAGE_LOADING = UINT32_MAX; /* value of `operation`: no operation had begun */

/* What one file showed. */
struct harness_triage_entry {
    char *path;
    char digest[24]; /* of the file's bytes */
    enum harness_outcome kind;
    char bucket[HARNESS_BUCKET_NAME];
    char *key;
    char *title;        /* for people: "blend: equation min or max" */
    char *needs;        /* what the difference needs, JSON (harness_cause_needs_json) */
    char *summary;      /* CRASH and HANG: backend, operation and how, one line; "" for others */
    uint32_t operation; /* index in the case, or HARNESS_TRIAGE_LOADING, if the kind is DIVERGE or worse */
    uint32_t command;   /* CRASH and HANG: of the operation, from 1; 0: not known (harness_fatal_command) */
    uint64_t bytes;     /* size of the case: harness_case_bytes */
    bool fresh;         /* run now, not taken from the index */
    struct harness_bucket_record record; /* of the file's directory, if that is the bucket's directory */
    bool older; /* the directory of the file is that of a bucket by an older version of the key */
};

struct harness_triage_bucket {
    const char *name;
    const char *key;
    const char *title;
    enum harness_outcome kind;
    size_t count;
    const struct harness_triage_entry *smallest;
    char first_seen[HARNESS_MOMENT]; /* the earliest moment in the index and the directories of its cases; "": not
                                        known */
};

struct harness_triage {
    struct harness_triage_entry *entries; /* in the order of the paths given */
    size_t count;
    struct harness_triage_bucket *buckets; /* the largest first, then by name */
    size_t bucket_count;
    size_t older;                     /* buckets that the index knows by an older version of the key */
    bool is_index_damaged;            /* the index is not valid JSON: it was neither used nor replaced */
    size_t run;                       /* entries that were run now */
    size_t refused;                   /* files that are not cases: left out */
    char refusal[HARNESS_ERROR_SIZE]; /* what is wrong with the first of them */
    size_t left;                      /* files that were left out because it does not go on */
};

/*
 * Appends a text that identifies everything results depend on: the backends (the bytes of a shared library, or of this
 * program for one linked in) and how they run. `names` are as harness_backend_open takes them.
 */
void harness_triage_identity(const char *const *names, size_t count, const struct harness_probe_options *options,
                             struct harness_text *out);

/* Free with harness_triage_free, also after a failure. */
enum harness_status harness_triage_run(const char *const *paths, size_t count,
                                       const struct harness_triage_options *options, struct harness_triage *out,
                                       struct harness_error *error);
void harness_triage_free(struct harness_triage *triage);

#endif
