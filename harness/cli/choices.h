/* Choices of the harness, for the options of any program. */
#ifndef HARNESS_CLI_CHOICES_H
#define HARNESS_CLI_CHOICES_H

#include "harness/cli/options.h"

extern const struct cli_choices cli_generate_modes;   /* enum harness_generate_mode */
extern const struct cli_choices cli_instruction_sets; /* of struct pica_options */

#endif
