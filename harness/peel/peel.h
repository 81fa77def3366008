/*
 * Causes of differences that a hunt knows already: what each needs, and cases that are freed of them.
 *
 * A case can show a cause only if it has all of the cause's needs: fields with certain values at a draw, or in the
 * words of a fill or transfer. To free a case of it, one need is enough: its field gets the usual value everywhere.
 */
#ifndef HARNESS_PEEL_H
#define HARNESS_PEEL_H

#include "harness/case/case.h"
#include "harness/case/error.h"
#include "pica/fields.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_PEEL_MOST = 64, /* causes of a file */
    HARNESS_PEEL_MOST_NEEDS = 16,
    HARNESS_PEEL_NAME = 96,
    HARNESS_PEEL_KEY = 256
};

struct harness_peel_need {
    const struct pica_field_info *field; /* of at most 7 bits */
    uint64_t values[2];                  /* bit v: value v shows it */
    uint32_t usual;                      /* which does not */
};

struct harness_peel_cause {
    char bucket[HARNESS_PEEL_NAME]; /* where its findings are */
    bool dies;                      /* a backend crashes or hangs: cases are freed before they run */
    uint32_t count;
    struct harness_peel_need needs[HARNESS_PEEL_MOST_NEEDS]; /* the one to break first; none: it cannot be avoided */
    char sign[HARNESS_PEEL_KEY]; /* every failure of this kind and key counts as it, "KIND KEY"; "": none does */
    uint64_t seen;               /* cases that showed it since it was found */
};

struct harness_peel {
    uint32_t count;
    struct harness_peel_cause causes[HARNESS_PEEL_MOST]; /* in the order in which they were found; never removed */
};

/* A cause that the case was freed of. */
struct harness_peeled {
    uint32_t count; /* causes; 0: the case is as it was */
    uint32_t first; /* index of the first one */
};

/*
 * Frees the case of every cause whose needs it has (of those that die alone, if `dies`). A case gets longer in memory
 * by what changes. False without memory.
 */
bool harness_peel_free(const struct harness_peel *peel, bool dies, struct harness_case *test_case,
                       struct harness_peeled *out);

/* Which needs of the cause the case has: bit n is need n. False without memory; the case stays as it is. */
bool harness_peel_has(const struct harness_peel_cause *cause, struct harness_case *test_case, uint32_t *has);

/* Index of the first cause with that sign, or -1. */
int harness_peel_find_sign(const struct harness_peel *peel, const char *kind, const char *key);

/*
 * Of a finding with that kind and key: the cause is known from now on, or one that is known is known better. `found` is
 * the case as it was found; `findings` counts those of each cause that taught nothing. False without memory.
 */
bool harness_peel_learn(struct harness_peel *peel, uint32_t findings[HARNESS_PEEL_MOST],
                        const struct harness_peel_cause *cause, const char *kind, const char *key,
                        struct harness_case *found);

/* How a kind and key become a sign. */
void harness_peel_sign(const char *kind, const char *key, char out[HARNESS_PEEL_KEY]);

/* The file (docs/formats/peel.md). A file that is not there has no causes. */
enum harness_status harness_peel_read(const char *path, struct harness_peel *out, struct harness_error *error);
enum harness_status harness_peel_write(const char *path, const struct harness_peel *peel, struct harness_error *error);

/* The same from text; `name` is for messages. */
enum harness_status harness_peel_parse(const char *text, size_t size, const char *name, struct harness_peel *out,
                                       struct harness_error *error);

#endif
