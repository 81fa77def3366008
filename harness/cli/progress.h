/*
 * How far a command is that runs many cases, on stderr: on a terminal each second, after the first two; else every ten
 * seconds. Ctrl-C and SIGTERM end it before the next case, and what was done by then is shown as always.
 */
#ifndef HARNESS_CLI_PROGRESS_H
#define HARNESS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cli_progress {
    double next; /* when it is said again: harness_seconds_now */
    bool is_shown;
};

void cli_progress_begin(struct cli_progress *progress);

/* Before a case; `done` of `count` were run. False: it was interrupted. `more`: what else is known, ", 3 agree", or
 * "". */
bool cli_progress_goes_on(struct cli_progress *progress, uint64_t done, uint64_t count, const char *more);

/* A watcher of harness_triage_run; `progress`: a struct cli_progress. */
bool cli_progress_watch(void *progress, size_t done, size_t count);

/* `left`: cases that were not run because it was interrupted. CLI_OK if there are none; else it is said, and
 * CLI_HOST. */
int cli_progress_end(const struct cli_progress *progress, uint64_t left);

#endif
