/*
 * What the directory of a bucket remembers beside its cases: how many findings fell into it (`count`; few are kept),
 * when the first one did (`first-seen`), and the version of the key that its name comes from (`key-version`; a
 * directory without one is of version 1). Each is one line of text, and appears whole or not at all.
 */
#ifndef HARNESS_TRIAGE_BUCKET_RECORD_H
#define HARNESS_TRIAGE_BUCKET_RECORD_H

#include "harness/case/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    HARNESS_MOMENT = 24 /* bytes of "2025-01-31T23:59:59Z" and a little more */
};

struct harness_bucket_record {
    uint64_t found;                  /* findings that fell into the bucket; 0: not known */
    char first_seen[HARNESS_MOMENT]; /* a moment, or "": not known */
    unsigned version;                /* of the key: HARNESS_BUCKET_VERSION or an older one */
};

/* Coordinated universal time: texts of two moments compare as the moments do. */
void harness_moment_text(time_t moment, char out[HARNESS_MOMENT]);

/* Is this text what harness_moment_text writes? */
bool harness_moment_is_sound(const char *text);

/* One more finding fell into the bucket, at `now`: the first one's moment stays. */
enum harness_status harness_bucket_record_add(const char *directory, time_t now, struct harness_error *error);

/* Records that the directory is now named by the current version of the key. */
enum harness_status harness_bucket_record_renew(const char *directory, struct harness_error *error);

/* Reads the record. What a missing or malformed file should say is not known. */
void harness_bucket_record_read(const char *directory, struct harness_bucket_record *out);

/* Is this a findings directory, that is, does it contain the directory of a bucket? */
bool harness_holds_buckets(const char *directory);

/* The record that the files' contents make: `count`, `key-version`, `first-seen`. */
enum {
    HARNESS_BUCKET_FILES = 3
};
struct harness_bucket_file {
    const char *bytes; /* NULL: it is missing */
    size_t size;
};
void harness_bucket_record_parse(const struct harness_bucket_file files[HARNESS_BUCKET_FILES],
                                 struct harness_bucket_record *out);

#endif
