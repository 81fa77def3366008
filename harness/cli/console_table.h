/* The tables that results of packs make (harness/console/packs). */
#ifndef HARNESS_CLI_CONSOLE_TABLE_H
#define HARNESS_CLI_CONSOLE_TABLE_H

#include "harness/console/packs/numbers.h"
#include "harness/console/packs/registers.h"
#include "harness/console/packs/splits.h"

/* What a machine says of itself, and what comes back from it. */
void cli_print_console_machine(const struct console_view *view, const struct console_results *results);

/* "221 ok, 1 crash; ": begins a line. Nothing if all are 0. */
void cli_print_outcomes(const uint32_t outcomes[CONSOLE_OUTCOMES]);

/* Judges what was noted and prints it: a line for each rule, the open questions, totals. */
enum harness_status cli_print_console_table(struct console_splits_table *table, const char *recorded_path,
                                            struct harness_error *error);

/* What each case of the table says, in the order of the pack `decide`: the words that were left, the side. `path`: a
 * file for ci/amend, or NULL. `where`: of the piece of evidence, "Old 3DS, ...". */
enum harness_status cli_print_decisions(struct console_splits_table *table, const char *path, const char *where,
                                        struct harness_error *error);

/* The pack `numbers`: a line for each operation, and some inputs that came out otherwise; all of them go to the file
 * `wrong_path`, if that is not NULL. */
enum harness_status cli_print_number_table(struct console_numbers_table *table, const char *recorded_path,
                                           const char *wrong_path, struct harness_error *error);

/* The pack `registers`: a line for each register. Nothing if these are no results of it. */
enum harness_status cli_print_register_table(const struct console_view *view, const struct console_results *results,
                                             size_t count, struct harness_error *error);

#endif
