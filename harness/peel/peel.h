/*
 * Causes of differences that a hunt already knows: what each needs, and how a case is freed of them.
 *
 * A case can show a cause only if it has all of the cause's needs: fields with certain values at a draw, or in a word
 * that it writes to a register. To free a case of a cause, it is enough to break one need: its field gets the usual
 * value everywhere.
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
    HARNESS_PEEL_MOST = 64, /* causes */
    HARNESS_PEEL_MOST_NEEDS = 16,
    HARNESS_PEEL_NAME = 96,
    HARNESS_PEEL_KEY = 256
};

struct harness_peel_need {
    const struct pica_field_info *field; /* at most 7 bits wide */
    uint64_t values[2];                  /* bit v % 64 of word v / 64: the cause shows with value v */
    uint32_t usual;                      /* a value with which it does not show */
};

struct harness_peel_cause {
    char bucket[HARNESS_PEEL_NAME]; /* directory of its findings */
    bool dies;                      /* a backend crashes or hangs, so cases are freed before they run */
    uint32_t count;
    struct harness_peel_need needs[HARNESS_PEEL_MOST_NEEDS]; /* the first is broken; none: unavoidable */
    char sign[HARNESS_PEEL_KEY]; /* "KIND KEY": every failure that looks so counts as this cause; "": none does */
    uint64_t seen;               /* cases that showed it since it was found */
};

struct harness_peel {
    uint32_t count;
    struct harness_peel_cause causes[HARNESS_PEEL_MOST]; /* in the order in which they were found; never removed */
};

/* The causes that a case was freed of. */
struct harness_peeled {
    uint32_t count; /* how many; 0: the case is unchanged */
    uint32_t first; /* index of the first of them */
};

/*
 * Frees the case of every cause whose needs it has; with `dies`, only of the causes that kill a backend. The case grows
 * in memory by what is changed. False without memory.
 */
bool harness_peel_free(const struct harness_peel *peel, bool dies, struct harness_case *test_case,
                       struct harness_peeled *out);

/* Which needs of the cause the case has: bit n of *has is need n. False without memory. The case stays unchanged. */
bool harness_peel_has(const struct harness_peel_cause *cause, struct harness_case *test_case, uint32_t *has);

/* Index of the first cause with that sign, or -1. */
int harness_peel_find_sign(const struct harness_peel *peel, const char *kind, const char *key);

/*
 * Learns from a finding with this kind and key: adds its cause, or improves what is known of it. `found` is the case
 * before it was reduced. `findings` counts, for each cause, the findings that taught nothing new. False without memory.
 */
bool harness_peel_learn(struct harness_peel *peel, uint32_t findings[HARNESS_PEEL_MOST],
                        const struct harness_peel_cause *cause, const char *kind, const char *key,
                        struct harness_case *found);

/* Writes the sign of a kind and key: "KIND KEY", cut to its size. */
void harness_peel_sign(const char *kind, const char *key, char out[HARNESS_PEEL_KEY]);

/* Writes the causes for a target of the same build on this machine, which takes them from there. False: there is no
 * such file, or it is of another build; *out stays as it is. */
enum harness_status harness_peel_share(const char *path, const struct harness_peel *peel, struct harness_error *error);
bool harness_peel_take(const char *path, struct harness_peel *out);

#endif
