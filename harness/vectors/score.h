/*
 * Scores a backend by the cases of a pack. A backend that leaves something else than the specification says may be
 * right, too, as a machine with other sides of known choices. The scorer is told its sides (harness/fingerprint), and
 * `reference` with those of them that are open computes what such a machine leaves. Where the fingerprint cannot tell a
 * side, any open one will do. Packs before version 3 hold the results of other sides themselves.
 */
#ifndef HARNESS_VECTORS_SCORE_H
#define HARNESS_VECTORS_SCORE_H

#include "harness/fingerprint/fingerprint.h"
#include "harness/run/backends.h"
#include "harness/vectors/vectors.h"

enum vectors_result {
    VECTORS_PASSED = 0,     /* as the specification says, or as a console left it */
    VECTORS_ACCEPTABLE = 1, /* as a machine with its sides of known choices leaves it */
    VECTORS_FAILED = 2,
    VECTORS_NOT_TESTED = 3, /* the backend does not support it, or models nothing that it changes */
    VECTORS_CRASHED = 4,
    VECTORS_HUNG = 5,
    VECTORS_TROUBLE = 6, /* no verdict: the backend failed, or this host did */
    VECTORS_RESULTS = 7
};

/* "passed", "acceptable", "failed", "not tested", "crashed", "hung", "trouble"; NULL beyond. Static. */
const char *vectors_result_name(uint32_t result);

enum {
    VECTORS_NOTE = 240
};

struct vectors_scored {
    enum vectors_result result;
    struct oracle_allowance allowed; /* what its tolerance let pass */
    char note[VECTORS_NOTE]; /* one line: where it differs, why it was not tested, how it died, which sides it takes */
};

struct vectors_scorer;

/* The backend's scope and tolerance hold. All are borrowed. On failure *out is NULL. */
enum harness_status vectors_scorer_create(const struct vectors *vectors, const struct harness_backend *backend,
                                          const struct pica_options *options, struct vectors_scorer **out,
                                          struct harness_error *error);
void vectors_scorer_destroy(struct vectors_scorer *scorer); /* accepts NULL */

/* The sides that the backend takes. Until they are told, what is not as the specification says has failed. */
void vectors_scorer_know(struct vectors_scorer *scorer, const struct harness_fingerprint *fingerprint);

/* As harness_runner_tell_step, of the backend. */
void vectors_scorer_tell_step(struct vectors_scorer *scorer, volatile uint32_t *step);

/* After HARNESS_CRASHED: how the backend died, in a process of its own or when it was recorded. */
const struct harness_death *vectors_scorer_death(const struct vectors_scorer *scorer);

/* HARNESS_OK: passed, acceptable, failed or not tested. `program`: what runs; NULL: the case as the pack holds it. */
enum harness_status vectors_score(struct vectors_scorer *scorer, size_t index, const struct harness_program *program,
                                  struct vectors_scored *out, struct harness_error *error);

#endif
