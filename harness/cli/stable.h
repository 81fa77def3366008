/* `unstable` on the command line: does what a case showed come back in fresh processes (harness/probe/stable.h)? */
#ifndef HARNESS_CLI_STABLE_H
#define HARNESS_CLI_STABLE_H

#include "harness/cli/cli.h"
#include "harness/probe/stable.h"

struct cli_stable {
    const struct cli_run_options *options;
    const char *name;               /* of the case, for people */
    enum harness_symptom_kind kind; /* as in struct harness_stable_question */
    bool slow;                      /* it was seen by comparing all memory, whatever pages the backends report */
    /* The case as it is tested (back 0), or the one that ran so many before it. False: there is none. */
    bool (*make)(const void *what, size_t back, struct harness_case *out);
    const void *what;
    size_t before_count;
};

/*
 * Asks, in a guarded child that opens the backends; to be called where none of them has run. False if there is no
 * answer, because the host or a backend failed: then it counts as what it was.
 */
bool cli_stable_ask(const struct cli_stable *question, struct harness_stability *out);

/* For `make`: the case of a file, rewritten as the quirks file says; back is 0. */
struct cli_stable_file {
    const struct cli_run_options *options;
    const char *path;
};
bool cli_stable_make_file(const void *file, size_t back, struct harness_case *out);

#endif
