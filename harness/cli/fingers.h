/* The sides of a backend (harness/fingerprint), found by asking what came of the case of each choice. */
#ifndef HARNESS_CLI_FINGERS_H
#define HARNESS_CLI_FINGERS_H

#include "harness/cli/trial.h"
#include "harness/fingerprint/fingerprint.h"

/* Of the first of the backends that are open. *code: the worst of what became of the cases. */
enum harness_status cli_fingerprint_take(const struct cli_run_options *options, const struct cli_trials *opened,
                                         const bool asked[PICA_CHOICES], struct harness_fingerprint *out, int *code,
                                         struct harness_error *error);

#endif
