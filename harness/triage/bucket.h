/*
 * Buckets deduplicate findings: those with the same cause share one. The key of a divergence, after reduction, is the
 * rule that is broken (localise.h); the key of a crash, the function and the signal.
 */
#ifndef HARNESS_TRIAGE_BUCKET_H
#define HARNESS_TRIAGE_BUCKET_H

#include "harness/reduce/reduce.h"

enum {
    HARNESS_BUCKET_NAME = 64,
    HARNESS_BUCKET_VERSION = 10 /* of the key: cases that shared a bucket by another version may not share one now. 1:
                                  what a case looks like; 2: what the difference needs; 3: with experiments on what
                                  the case never writes, on formats, on far addresses, and on what is kept; 4: by the
                                  stage that experiments name where the traces agree, not "memory"; 5: by the
                                  stage in which the broken rule says that a triangle is lost; 6: of what is kept, by
                                  the register that has to change, or by what the earlier draw was told; 7: what
                                  is read from a buffer, by the framebuffer; ends of lists, by what ends them; 8: lost
                                  triangles by the rule where both sides tell it, formats apart for what is read,
                                  functions by the name that C++ has for them; 9: registers by what is done with
                                  them, where many are treated alike; 10: the rule that is broken */
};

struct harness_bucket {
    struct harness_text key;        /* one line, the same for the same bucket */
    struct harness_text title;      /* for people: "blend: BLD-02, equation min". Unlike the key it also says what the
                                       difference or the crash needs, and the register of a habit; the title of a
                                       bucket is that of its smallest case */
    char name[HARNESS_BUCKET_NAME]; /* "diverge-blend-bld-02-1A2B3C4D": fit for a directory; ends with a hash */
};

/* Free with harness_bucket_free. */
void harness_bucket_make(struct harness_bucket *out, const struct harness_symptom *symptom,
                         const struct harness_cause *cause);
void harness_bucket_free(struct harness_bucket *bucket);

/* The register named at the end of the title, if the bucket is that of a habit (harness_habit); else NULL. */
const struct pica_reg_info *harness_bucket_register(const char *title);

/* How to silence the bucket of a habit in this register: one line, static. */
const char *harness_bucket_habit_advice(const struct pica_reg_info *info);

/* Gives a reduced case a header comment that says what it shows; `name` is the finding it was reduced from. Holds no
 * time and no path, so that the output is reproducible. False if memory runs out. */
bool harness_bucket_head(struct harness_case *test_case, const char *name, const struct harness_reduce_result *result,
                         const struct harness_bucket *bucket);

#endif
