/* `picafuzz run --record FILE`: recorded results, case by case. */
#ifndef HARNESS_CLI_RECORD_H
#define HARNESS_CLI_RECORD_H

#include "harness/cli/cli.h"
#include "harness/run/recording.h"

#include <sys/types.h>

struct cli_record {
    const char *path;      /* NULL: nothing is recorded */
    struct cli_list pages; /* as given; empty: all */
    bool surfaces;         /* of memory the pages of buffers, else those of `ranges` */
    struct pica_window ranges[CLI_LIST_MOST];
    const struct cli_run_options *options;
    char growing[4096]; /* the file until it is complete */
    size_t cases;       /* that were executed */
    size_t not_tested;  /* what the backend does not support */
};

/* The date for the head of a recording: now, or SOURCE_DATE_EPOCH where it is set. 64 bytes are enough. */
void cli_record_date(char *out, size_t size);

/* Makes the growing file with its head. CLI_OK, or an exit code after a complaint. */
int cli_record_start(struct cli_record *record, const struct cli_run_options *options);

/* Reads --record-pages. CLI_OK, or CLI_USAGE with a complaint. */
int cli_record_take_pages(struct cli_record *record);

/* *out: for one case; NULL if nothing is recorded. */
enum harness_status cli_record_open(const struct cli_record *record, const struct harness_program *program,
                                    struct harness_recorder **out, struct harness_error *error);

/* Around a case: where the file ends before it, and to where it is cut back unless the case is `good`. */
off_t cli_record_begin(const struct cli_record *record);
void cli_record_end(const struct cli_record *record, off_t before, bool good);

/* Ends the recording, and gives the growing file its name. CLI_OK, or an exit code after a complaint. */
int cli_record_finish(struct cli_record *record);

#endif
