/* What the files of `picafuzz check` share. */
#ifndef HARNESS_CLI_CHECK_PARTS_H
#define HARNESS_CLI_CHECK_PARTS_H

#include "harness/cli/cli.h"
#include "harness/grammar/gen.h"
#include "harness/run/check.h"

/* Shared with the guarded children, which do the counting. */
struct tally {
    bool unopened; /* the backend cannot be opened */
    uint64_t cases;
    uint64_t not_deterministic;
    uint64_t not_tested;
    uint64_t unstable; /* generated cases of which a check failed after others, and none in a fresh process */
    uint64_t applied[HARNESS_MAX_CHECKS];
    uint64_t failed[HARNESS_MAX_CHECKS];
    bool again; /* of the next child's first case: it failed, and the child that saw it has forgotten that */
    uint64_t again_seed;
};

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
    bool quiet;
    struct harness_generate_options generate;
    struct cli_list areas;
    const char *path;       /* or NULL: generated */
    const char *stem;       /* of what is saved of it, or NULL */
    struct cli_seeds seeds; /* of generated cases */
    uint64_t left;          /* cases that were not begun when the budget was over */
    struct tally *tally;
};

/* A check of the case `name` failed, as text or JSON. */
void check_print_failure(const struct check_request *request, const char *name, size_t check,
                         const struct harness_check_result *result);

/* What came of all cases. */
void check_print_summary(const struct check_request *request);

/* All checks and their rules. Returns an exit code. */
int check_print_list(void);

#endif
