/* --quirks and --force, and how all options of a command that runs backends are made ready. */
#ifndef HARNESS_CLI_QUIRKS_H
#define HARNESS_CLI_QUIRKS_H

#include "harness/cli/cli.h"
#include "harness/quirks/quirks.h"

/* How often the parts of the file were used, over all cases of a command. */
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
    struct harness_text names[HARNESS_MOST_BACKENDS];
    struct cli_quirks_counts counts;
};

/*
 * Makes ready what the options say, in each command that has them: checks --only and --ignore, takes --shard and
 * --seconds, reads the --quirks file, adds --force, and lets `reference` take the file's choices if it is among the
 * backends. CLI_OK, or an exit code after a complaint; cli_run_close in any case.
 */
int cli_run_open(const char *command, struct cli_run_options *options);
void cli_run_close(struct cli_run_options *options);

/*
 * Before cli_run_open, for a command that changes the quirks file: the file must be named, and there must be a backend
 * that is not ours. A file that is not there yet is not read. *path becomes its name. CLI_OK, or CLI_USAGE after a
 * complaint.
 */
int cli_quirks_change(const char *command, struct cli_run_options *options, const char **path);

/*
 * Rewrites a case as the file and --force say. *why becomes the feature ("geometry") for lack of which the case is not
 * to be tested, else NULL; valid until the file is closed. `options`: a struct cli_run_options, for
 * harness_triage_options.prepare.
 */
enum harness_status cli_quirks_case(const void *options, struct harness_case *test_case, const char **why,
                                    struct harness_error *error);

/* The same for a command that is about one case: HARNESS_BAD_INPUT if it is not to be tested. */
enum harness_status cli_quirks_take(const struct cli_run_options *options, struct harness_case *test_case,
                                    struct harness_error *error);

/* Says on stderr how many of `count` cases were left out; nothing if none was. */
void cli_quirks_left_out(uint64_t left_out, uint64_t count);

/* The file, or NULL without one: to rewrite a case without counting it. */
const struct harness_quirks *cli_quirks_file(const struct cli_run_options *options);

/* Counts a case that agrees within the tolerance. */
void cli_quirks_allowed(const struct cli_run_options *options, const struct oracle_allowance *allowed);

/* What was used: lines for people, or one JSON object on a line. Nothing without quirks. */
void cli_quirks_print(const struct cli_run_options *options, bool json);

/* Appends what results depend on, for indices. */
void cli_quirks_identity(const struct cli_run_options *options, struct harness_text *out);

#endif
