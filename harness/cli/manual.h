/* Pages and shell completion, made from the tables that make --help. */
#ifndef HARNESS_CLI_MANUAL_H
#define HARNESS_CLI_MANUAL_H

#include "harness/cli/cli.h"

/* A page in roff, section 1. NULL: that of the program itself. */
void cli_manual_page(const struct cli_command *command, struct harness_text *out);

enum cli_shell {
    CLI_SHELL_BASH,
    CLI_SHELL_ZSH,
    CLI_SHELL_FISH,
    CLI_SHELLS
};

/* What the shell reads to complete commands, options, and the values of options that are words of a list. */
void cli_manual_completion(enum cli_shell shell, struct harness_text *out);

/* Calls read(user, text) for each option of a command, as help words it. */
void cli_manual_options(const struct cli_command *command, void (*read)(void *user, const struct cli_option_text *text),
                        void *user);

#endif
