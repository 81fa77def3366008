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

/* Sets out->traits. */
enum harness_status cause_find_traits(struct cause_search *search, struct harness_cause *out);

#endif
