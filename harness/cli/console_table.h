/* The table by rule that results of the pack `splits` make (harness/console/packs/splits.h). */
#ifndef HARNESS_CLI_CONSOLE_TABLE_H
#define HARNESS_CLI_CONSOLE_TABLE_H

#include "harness/console/packs/splits.h"

/* Judges what was noted and prints it: a line for each rule, the open questions, totals. */
enum harness_status cli_print_console_table(struct console_splits_table *table, const char *recorded_path,
                                            struct harness_error *error);

#endif
