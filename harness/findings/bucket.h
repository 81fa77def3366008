/*
 * Buckets: findings that show the same are one. The key of a reduced case is made of what is wrong (symptom), the
 * pipeline stage if somebody knows it, the features that are left, and the undefined behaviour that it needs.
 */
#ifndef HARNESS_FINDINGS_BUCKET_H
#define HARNESS_FINDINGS_BUCKET_H

#include "harness/findings/symptom.h"

enum {
    HARNESS_BUCKET_NAME = 64
};

struct harness_bucket {
    struct harness_text key;        /* one line for people, the same for the same bucket */
    char name[HARNESS_BUCKET_NAME]; /* "diverge-color-1A2B3C4D": fit for a directory; from a hash of the key */
};

/* `features` is a list of words (harness_probe_features, harness_features_shader); `stage` may be NULL: not known.
 * Free with harness_bucket_free. */
void harness_bucket_make(struct harness_bucket *out, const struct harness_symptom *symptom, const char *features,
                         const char *stage);
void harness_bucket_free(struct harness_bucket *bucket);

#endif
