/* `picafuzz run --record FILE`: recorded results, case by case, each in a guarded child. */
#ifndef HARNESS_CLI_RECORD_H
#define HARNESS_CLI_RECORD_H

#include "harness/cli/cli.h"
#include "harness/run/recording.h"

struct cli_record {
    const char *path; /* NULL: nothing is recorded */
    const struct cli_run_options *options;
    char growing[4096]; /* the file until it is complete */
    size_t cases;       /* complete ones */
    size_t *not_tested; /* of them, in shared memory: what the backend does not support */
};

/* Makes the growing file with its head. CLI_OK, or the exit code; all is said then. */
int cli_record_start(struct cli_record *record, const struct cli_run_options *options);

/* In the guarded child; NULL if nothing is recorded. */
enum harness_status cli_record_open(const struct cli_record *record, struct harness_recorder **out,
                                    struct harness_error *error);

/* cli_guard, and what the case wrote goes again unless it came to its end. */
int cli_record_guard(struct cli_record *record, const char *what, unsigned timeout, int (*work)(const void *argument),
                     const void *argument);

/* The file appears under its name. */
int cli_record_finish(struct cli_record *record);

#endif
