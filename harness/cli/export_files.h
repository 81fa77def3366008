/* Cases of the command line into a program for a console. */
#ifndef HARNESS_CLI_EXPORT_FILES_H
#define HARNESS_CLI_EXPORT_FILES_H

#include "harness/cli/cli.h"
#include "harness/console/packs/splits.h"

/* As a pack does it (console_pack_adder), of files; the observer is told their paths. The cases are called as cli_stems
 * says. */
enum harness_status cli_export_files(struct console_asking *asking, const struct cli_paths *paths,
                                     struct harness_error *error);

#endif
