/* What the files of `picafuzz check` share. */
#ifndef HARNESS_CLI_CHECK_PARTS_H
#define HARNESS_CLI_CHECK_PARTS_H

#include "harness/cli/trial.h"
#include "harness/grammar/gen.h"
#include "harness/run/check.h"

/* Of all cases. */
struct tally {
    struct harness_tally totals;
    uint64_t not_deterministic;
    uint64_t not_whole; /* tested, not with all checks */
    uint64_t applied[HARNESS_MAX_CHECKS];
    uint64_t failed[HARNESS_MAX_CHECKS];
};

struct check_failure {
    size_t check;
    struct oracle_report report;
    char places[256]; /* what it is enough to change; "" if that is not known */
};

/* What a worker says of a case that it survived. */
struct check_answer {
    size_t count; /* of failures */
    bool applied[HARNESS_MAX_CHECKS];
    bool confirmed;    /* the case gives the same result when it runs again, or that is among the failures */
    char refusal[160]; /* the first line; "" if it was tested */
    struct check_failure failures[HARNESS_MAX_CHECKS];
};
_Static_assert(sizeof(struct check_answer) <= HARNESS_PROBE_ANSWER, "an answer must fit");

struct check_request {
    struct cli_run_options options;
    struct cli_list relations; /* none: all checks */
    bool selected[HARNESS_MAX_CHECKS];
    uint64_t seed;
    uint64_t require;
    const char *save;
    bool list;
    bool excuse;
    bool json;
    bool quiet, verbose;
    struct harness_generate_options generate;
    struct cli_list areas;
    const char *backend;            /* as it was given */
    struct harness_case *test_case; /* in hand */
    char **stems;                   /* of the files */
    const char *name;               /* of what is saved of the case in hand */
    bool is_generated;              /* the cases in hand */
    bool has_begun;                 /* the backend could be opened, and something is compared */
    struct cli_trials judges;
    struct cli_seeds seeds; /* of generated cases */
    uint64_t left;          /* cases that were not begun when --seconds were over */
    struct tally tally;
};

/* A check of the case `name` failed, as text or JSON. */
void check_print_failure(const struct check_request *request, const char *name, const struct check_failure *failure);

/* What came of all cases. */
void check_print_summary(const struct check_request *request);

/* All checks and their rules. Returns an exit code. */
int check_print_list(void);

#endif
