/* What the files of the search for causes share. Only cause*.c include this. */
#ifndef HARNESS_REDUCE_CAUSE_PARTS_H
#define HARNESS_REDUCE_CAUSE_PARTS_H

#include "harness/reduce/cause.h"

struct cause_search {
    struct harness_probe *probe;
    const struct harness_symptom *symptom;
    struct harness_blame blame;
    struct harness_case *best, *candidate; /* the case without what it did not need so far; a variant of it */
    struct harness_error *error;
};

/* Does the candidate show the same? If the stage is known from values, it must be the same one. */
enum harness_status cause_shows(struct cause_search *search, bool *out);

/* The candidate is the best case from now on. */
void cause_keep(struct cause_search *search);

/* Registers that the case never writes get writes of what they hold, so that their fields can be tried, too. */
enum harness_status cause_write_unwritten(struct cause_search *search);

/* The candidate gets noise wherever it has no contents of its own. False without memory. */
bool cause_add_noise(struct harness_case *test_case);

/* VTX-20, VTX-41: what draws, as far as a command shows by itself. */
bool cause_may_draw(const struct harness_command *command);

/* cause_kept.c: takes away what changes after the first draw; false if there is nothing of that kind. */
bool cause_take_code(struct harness_case *test_case);
bool cause_take_descriptors(struct harness_case *test_case);
bool cause_take_uniforms(struct harness_case *test_case);
bool cause_take_arrays(struct harness_case *test_case);
bool cause_take_textures(struct harness_case *test_case);
bool cause_take_tables(struct harness_case *test_case);
bool cause_take_memory(struct harness_case *test_case);
bool cause_take_indices(struct harness_case *test_case); /* draws count their vertices instead */

/* Takes the trait of a far address back if the difference is there with near ones, too. */
enum harness_status cause_try_near(struct cause_search *search, struct harness_cause *out);

/* A geometry shader's address is in no trace: sets the trait if one far address for all shows the difference, and no
 * near one does. */
enum harness_status cause_try_far(struct cause_search *search, struct harness_cause *out);

/* Sets out->traits. */
enum harness_status cause_find_traits(struct cause_search *search, struct harness_cause *out);

#endif
