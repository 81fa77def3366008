/* --quirks and --force: what commands share. */
#ifndef HARNESS_CLI_QUIRKS_H
#define HARNESS_CLI_QUIRKS_H

#include "harness/cli/cli.h"
#include "harness/quirks/quirks.h"

/* What was used, of all cases of a command. */
struct cli_quirks_counts {
    uint64_t cases;                         /* that were looked at */
    uint64_t forced;                        /* of them rewritten */
    uint64_t without[HARNESS_MOST_WITHOUT]; /* not tested, by the item of the file */
    uint64_t tolerated;                     /* agree within the tolerance */
    struct oracle_allowance allowed;
    /* Of the baseline: */
    uint64_t known, skipped, fixed, flaky, fresh, unmatched;
    bool matched[HARNESS_MOST_ACCEPTED];
    uint32_t filed[HARNESS_MOST_ACCEPTED], silent[HARNESS_MOST_ACCEPTED]; /* sorted cases of an entry; that agree */
};

struct cli_quirks {
    struct harness_quirks *file; /* also what --force said */
    struct cli_list given;       /* the backends as they were named, without the choices */
    struct harness_text names[CLI_MOST_BACKENDS];
    struct cli_quirks_counts counts;
};

/*
 * Reads the file, adds --force, and lets `reference` take the choices if it is among the backends. Complains, and
 * returns an exit code, if there is something wrong or all backends are ours. Does nothing if neither option is given.
 */
int cli_quirks_open(const char *command, struct cli_run_options *options);
/*
 * Before it, by what changes the file: it must be named, and there must be a backend to know differences of. One that
 * is not there yet is not read. `path` becomes its name.
 */
int cli_quirks_change(const char *command, struct cli_run_options *options, const char **path);
void cli_quirks_close(struct cli_run_options *options);

/*
 * Rewrites a case and lowers it again. *why becomes "it has geometry, which the quirks file says is not there" if the
 * case is not to be tested, else NULL; valid until the next one.
 */
enum harness_status cli_quirks_case(const struct cli_run_options *options, struct harness_case *test_case,
                                    struct harness_program *program, const char **why, struct harness_error *error);

/* The same where what is not there cannot be reduced: HARNESS_BAD_INPUT for a case that is not to be tested. */
enum harness_status cli_quirks_take(const struct cli_run_options *options, struct harness_case *test_case,
                                    struct harness_error *error);

/* The file, or NULL without one; for who rewrites a case that is not to be counted. */
const struct harness_quirks *cli_quirks_file(const struct cli_run_options *options);

/* The same as harness_triage_options.prepare has it; `options` is a struct cli_run_options. */
enum harness_status cli_quirks_prepare(const void *options, struct harness_case *test_case, const char **why,
                                       struct harness_error *error);

/* Counts a case that agrees within the tolerance. */
void cli_quirks_allowed(const struct cli_run_options *options, const struct oracle_allowance *allowed);

/* What was used: lines for people, or one JSON object on a line. Nothing without quirks. */
void cli_quirks_print(const struct cli_run_options *options, bool json);

/* Appends what results depend on, for indices. */
void cli_quirks_identity(const struct cli_run_options *options, struct harness_text *out);

#endif
