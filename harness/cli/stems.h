/* What the outputs of several cases are called. */
#ifndef HARNESS_CLI_STEMS_H
#define HARNESS_CLI_STEMS_H

#include "harness/cli/cli.h"

/*
 * A name for each path, no two the same, so that no case overwrites another one's outputs: the file's name without
 * extension; where several files have that name, the whole path with - between its parts; where that is the same, too
 * (x/a and ../x/a), with a number behind it. NULL without memory.
 */
char **cli_stems(const struct cli_paths *paths);

/* Accepts NULL. */
void cli_stems_free(char **stems, const struct cli_paths *paths);

#endif
