/* What `picafuzz fuzz` has in common with an engine and without: what it says in the end, signals. */
#ifndef HARNESS_CLI_FUZZ_PRINT_H
#define HARNESS_CLI_FUZZ_PRINT_H

#include "harness/cli/cli.h"
#include "harness/peel/peel.h"
#include "harness/run/pair.h"

/* The causes that are known, and how many cases showed nothing else; nothing if there are none. */
void cli_fuzz_print_known(const struct harness_peel *peel, const struct harness_pair_statistics *statistics);

/* Cases that did not come to a verdict of their own. */
void cli_fuzz_print_untested(const struct harness_pair_statistics *statistics);
void cli_fuzz_print_times(const struct harness_pair_statistics *statistics);

/* Where nothing was found: why that is. `backends` are those that agreed, for people. */
void cli_fuzz_print_none(const struct harness_pair_statistics *statistics, const char *backends, bool knows_some);

/* Ctrl-C, SIGTERM, and SIGHUP but under nohup, do no more than cli_is_interrupted says. */
void cli_fuzz_catch(void);

/* docs/verdicts.md */
int cli_fuzz_code(const struct harness_pair_statistics *statistics, bool found);

#endif
