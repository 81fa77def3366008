/* Plug-ins that crash when they are looked at closely end a process of their own, and nothing else. */
#ifndef HARNESS_CLI_APART_H
#define HARNESS_CLI_APART_H

#include "harness/cli/cli.h"

/* Room for the names; keep it as long as the options are used. */
struct cli_apart {
    char names[CLI_LIST_MOST][4096];
    struct cli_run_options options;
};

/* The options with process: before each shared library. */
const struct cli_run_options *cli_keep_apart(const struct cli_run_options *options, struct cli_apart *apart);

#endif
