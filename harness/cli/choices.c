#include "harness/cli/choices.h"

#include "harness/run/backends.h"

const struct cli_choices cli_generate_modes = { "mixed, defined, anything, raw", NULL };
const struct cli_choices cli_instruction_sets = { "all, scalar, avx2, avx512, neon", harness_instruction_set };
