/*
 * One backend against itself: is it deterministic, do its options leave results alone, do metamorphic relations hold?
 * The oracles decide what to run and whether the results are right (oracles/metamorphic.h, oracles/repeat.h); this room
 * runs.
 */
#ifndef HARNESS_RUN_CHECK_H
#define HARNESS_RUN_CHECK_H

#include "harness/case/case.h"
#include "harness/run/runner.h"
#include "oracles/metamorphic.h"

struct harness_checker;

/* The checks by number: 0 deterministic, 1 invariant, then the relations. */
enum {
    HARNESS_CHECK_DETERMINISTIC = 0,
    HARNESS_CHECK_INVARIANT = 1,
    HARNESS_CHECK_FIRST_RELATION = 2,
    HARNESS_MAX_CHECKS = 64
};

size_t harness_check_count(void);
const char *harness_check_name(size_t check);  /* NULL beyond the last */
const char *harness_check_what(size_t check);  /* one line */
const char *harness_check_rules(size_t check); /* ids with spaces between them */

/* Those of its rules on which sources disagree (oracle_relation_splits); "" for most. */
void harness_check_splits(size_t check, char *out, size_t size);

struct harness_check_result {
    uint32_t places; /* where the check changed the case; 0: it did not apply, or proved nothing */
    struct oracle_report report;
    struct harness_error error; /* what went wrong if the status is not HARNESS_OK */
};

struct harness_check_options {
    struct pica_options backend;      /* of the instances */
    const struct oracle_scope *scope; /* what of its results counts, less than it declares; NULL: all of that */
    bool excuse; /* call a failure whose case touches undefined behaviour ORACLE_DIVERGE_UNDEFINED */
};

/* A checker creates its own instances of the backend when it needs them. `backend` must outlive it. NULL if
 * the host refuses memory. */
struct harness_checker *harness_checker_create(const struct pica_backend *backend,
                                               const struct harness_check_options *options);
void harness_checker_destroy(struct harness_checker *checker); /* accepts NULL */

/*
 * One check of one case. `seed` decides whatever the relation leaves open. HARNESS_OK if the check was done, whatever
 * the verdict (ORACLE_DIVERGE or ORACLE_DIVERGE_UNDEFINED if it failed). The message of a failure names the undefined
 * events that the case touches, as the reference records them; nothing is hidden. ORACLE_REFUSED: nothing was checked,
 * the backend does not support the case. HARNESS_HOST if the backend failed as a host program, HARNESS_CRASHED if it
 * died in a process of its own.
 */
enum harness_status harness_check(struct harness_checker *checker, const struct harness_program *program, size_t check,
                                  uint64_t seed, struct harness_check_result *out);

/* Changing these alone makes a relation fail: one command or operation, or several in a row. `operation` in them is an
 * index in the case. */
struct harness_check_places {
    struct oracle_place first, last;
    uint32_t count;
};

/*
 * After a relation has failed: looks, by some 25 runs, for a small part of the case such that changing only that part
 * makes it fail. harness_check_twins then gives the cases of this part. False if there is none: what follows the last
 * command matters, or nothing less than everything.
 */
bool harness_check_narrow(struct harness_checker *checker, const struct harness_program *program, size_t check,
                          uint64_t seed, struct harness_check_places *out);

/* The two cases of the last relation that was checked and applied, for files. False without memory. */
bool harness_check_twins(const struct harness_checker *checker, struct harness_case *base,
                         struct harness_case *variant);

#endif
