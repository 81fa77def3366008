/* Shared by the files that search for causes; only cause*.c include this. */
#ifndef HARNESS_REDUCE_CAUSE_PARTS_H
#define HARNESS_REDUCE_CAUSE_PARTS_H

#include "harness/reduce/cause.h"

struct cause_search {
    struct harness_probe *probe;
    const struct harness_symptom *symptom;
    struct harness_blame blame;
    struct harness_case *best, *candidate; /* the case without what proved needless so far, and a variant of it */
    struct pica_events events;             /* of the best case */
    struct harness_error *error;
};

/* What comes of the difference in a candidate. */
enum cause_answer {
    CAUSE_STAYS,
    CAUSE_GONE,
    CAUSE_UNKNOWN /* the candidate is undefined where the best case is not, or was not compared: that is no answer */
};

/* Runs the candidate. If the blame rests on traced values (has_step), the symptom stays only with the same stage and
 * rule (harness_cause_same). */
enum harness_status cause_ask(struct cause_search *search, enum cause_answer *out);

/* *out: does it show the symptom? */
enum harness_status cause_shows(struct cause_search *search, bool *out);

/* Makes the candidate, which has just run, the best case, by exchanging the two pointers. */
void cause_keep(struct cause_search *search);

/* Inserts before the last draw a write of the reset value to each register that the case never writes, so that its
 * fields can be tried as well. Kept only if the difference still shows. */
enum harness_status cause_write_unwritten(struct cause_search *search);

/* Fills all windows with noise; contents that the case has stay above it. Does nothing if the windows are too large for
 * a probe. False if memory runs out. */
bool cause_add_noise(struct harness_case *test_case);

/* May the command draw (VTX-20, VTX-41)? Judged by its first register alone. */
bool cause_may_draw(const struct harness_command *command);

/* cause_kept.c: each removes changes of one kind that come after the first draw. False if there are none, or memory ran
 * out. */
bool cause_take_code(struct harness_case *test_case);
bool cause_take_descriptors(struct harness_case *test_case);
bool cause_take_uniforms(struct harness_case *test_case);
bool cause_take_arrays(struct harness_case *test_case);
bool cause_take_textures(struct harness_case *test_case);
bool cause_take_tables(struct harness_case *test_case);
bool cause_take_memory(struct harness_case *test_case);
bool cause_take_indices(struct harness_case *test_case); /* turns all indexed draws into unindexed ones */

/* Clears the trait FAR_ADDRESS unless the difference needs a far address and shows with one that all vertices share. */
enum harness_status cause_try_near(struct cause_search *search, struct harness_cause *out);

/* For geometry shaders, whose address registers are not traced: sets the trait FAR_ADDRESS if the difference shows with
 * a far address that all vertices share, and with no near one. */
enum harness_status cause_try_far(struct cause_search *search, struct harness_cause *out);

/* Sets out->traits by experiment; needless parts are removed from the best case on the way. */
enum harness_status cause_find_traits(struct cause_search *search, struct harness_cause *out);

#endif
