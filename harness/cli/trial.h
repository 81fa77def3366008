/* The backends of a command, opened, and harness/trial, which says what comes of cases on them. */
#ifndef HARNESS_CLI_TRIAL_H
#define HARNESS_CLI_TRIAL_H

#include "harness/cli/cli.h"
#include "harness/trial/trial.h"

struct cli_trials {
    struct harness_backend backends[HARNESS_MOST_BACKENDS];
    size_t count;
    struct harness_trials *trials;
    struct harness_trial trial; /* what came of the case in hand */
};

/* cli_backends_open and cli_trials_begin. */
int cli_trials_open(const struct cli_run_options *options, const struct harness_trial_options *how,
                    struct cli_trials *out);
/* For backends that are open: begins to judge cases. Of `how` the backends, their options and limit are filled in. */
enum harness_status cli_trials_begin(const struct cli_run_options *options, const struct harness_trial_options *how,
                                     struct cli_trials *trials, struct harness_error *error);
/* CLI_CRASHED, and a line on stderr, if a backend died when it was destroyed or unloaded; its results count all the
 * same. */
int cli_trials_close(struct cli_trials *trials);

/* Rewrites a loaded case as the quirks file says, and judges it, unless the file leaves it out. `past` may be NULL. */
enum harness_status cli_trial_case(const struct cli_run_options *options, const struct cli_trials *trials,
                                   struct harness_case *test_case, const struct harness_past *past,
                                   struct harness_trial *out, struct harness_error *error);

/* Prints on stderr what the plug-ins said about the case, without what steers a terminal. */
void cli_trial_said(const struct harness_trial *trial);

/* CLI_USAGE if cases ran, and nothing was compared; else CLI_OK. */
int cli_nothing_compared(const struct harness_tally *tally);

/* "3 of 5 cases agree, 1 differs, 1 was not tested"; `what`: "", "generated ". */
void cli_totals_print(const struct harness_tally *totals, const char *what);

struct cJSON;
/* The same as members of an object. */
void cli_totals_json(const struct harness_tally *totals, struct cJSON *object);

#endif
