/* `picafuzz import --list ...`: files and options become what harness_assemble takes. */
#ifndef HARNESS_CLI_IMPORT_DUMP_H
#define HARNESS_CLI_IMPORT_DUMP_H

#include "harness/cli/cli.h"

struct cli_dump_options {
    const char *list;       /* NULL: nothing is assembled */
    struct cli_list memory; /* ADDRESS=FILE */
    struct cli_list state;  /* PART=FILE */
    const char *registers;  /* FILE */
};

/* The case, or a message that names the option. Warnings go to stderr. `stem` gets a name for it. */
enum harness_status cli_dump_load(const struct cli_dump_options *options, struct harness_case *out, char *stem,
                                  size_t size, struct harness_error *error);

#endif
