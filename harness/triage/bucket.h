/*
 * Buckets: findings with one cause share one. The key of a reduced case that diverges is made of the stage and what the
 * difference needs (reduce/cause.h); that of a crash, of the function and the signal.
 */
#ifndef HARNESS_TRIAGE_BUCKET_H
#define HARNESS_TRIAGE_BUCKET_H

#include "harness/reduce/reduce.h"

enum {
    HARNESS_BUCKET_NAME = 64,
    HARNESS_BUCKET_VERSION = 9 /* of the key: cases that shared a bucket by another version may not share one now. 1:
                                  what a case looks like; 2: what the difference needs; 3: with experiments on what
                                  the case never writes, on formats, on far addresses, and on what is kept; 4: by the
                                  stage that experiments name where the traces agree, not "memory"; 5: by the
                                  stage in which the broken rule says that a triangle is lost; 6: of what is kept, by
                                  the register that has to change, or by what the earlier draw was told; 7: what
                                  is read from a buffer, by the framebuffer; ends of lists, by what ends them; 8: lost
                                  triangles by the rule where both sides tell it, formats apart for what is read,
                                  functions by the name that C++ has for them; 9: registers by what is done with
                                   them, where many are treated alike */
};

struct harness_bucket {
    struct harness_text key;        /* one line, the same for the same bucket */
    struct harness_text title;      /* for people: "blend: equation min"; of a crash with what it needs, of a habit
                                       with the register, which is not in the key: the smallest case of a bucket says
                                       it best */
    char name[HARNESS_BUCKET_NAME]; /* "diverge-blend-equation-min-1A2B3C4D": fit for a directory; ends with a hash */
};

/* Free with harness_bucket_free. */
void harness_bucket_make(struct harness_bucket *out, const struct harness_symptom *symptom,
                         const struct harness_cause *cause);
void harness_bucket_free(struct harness_bucket *bucket);

/* The register at the end of the title of a bucket of a habit (harness_habit), or NULL. */
const struct pica_reg_info *harness_bucket_register(const char *title);

/* How to silence such a bucket, one line; static. */
const char *harness_bucket_habit_advice(const struct pica_reg_info *info);

/* Gives a reduced case a head that says what it shows; `name` is what it was reduced from. No time and no path: the
 * same work gives the same bytes. False without memory. */
bool harness_bucket_head(struct harness_case *test_case, const char *name, const struct harness_reduce_result *result,
                         const struct harness_bucket *bucket);

#endif
