/* `picafuzz import --scrub ...`: a case whose texture and vertex bytes are made up, as far as its verdict stays. */
#ifndef HARNESS_CLI_IMPORT_SCRUB_H
#define HARNESS_CLI_IMPORT_SCRUB_H

#include "harness/cli/cli.h"
#include "harness/reduce/reduce.h"

struct cli_scrub_options {
    bool is_on;
    struct cli_run_options run;
    struct harness_reduce_options reduce;
    bool quiet;
};

enum {
    CLI_SCRUB_OPTIONS = 5
};

/* For a struct cli_scrub_options; --only and the others of a scope are for its member `run`. */
extern const struct cli_option cli_scrub_option_table[CLI_SCRUB_OPTIONS];

/* CLI_OK, or CLI_USAGE with a complaint: of options without --scrub, too. */
int cli_scrub_check(struct cli_scrub_options *options, int captures);

/* Scrubs the case, gives it a head that says so, and appends what is to be said to `report`. `name` is what messages
 * call it. */
enum harness_status cli_scrub_case(struct cli_scrub_options *options, const char *name, struct harness_case *test_case,
                                   struct harness_text *report, struct harness_error *error);

#endif
