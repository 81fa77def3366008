/* `picafuzz shader --input ...`: what backends compute of given values, one below the other where they differ. */
#ifndef HARNESS_CLI_SHADER_VALUES_H
#define HARNESS_CLI_SHADER_VALUES_H

#include "harness/cli/cli.h"
#include "harness/shader/shader_run.h"

/* What is asked. Borrowed. */
struct cli_shader_question {
    const struct harness_shader_draws *draws; /* of one draw */
    const struct cli_run_options *run;
    bool trace, json;
};

/* Runs it on all backends and prints; an exit code: CLI_DIVERGED where they differ. */
int cli_shader_values(const struct cli_shader_question *question);

#endif
