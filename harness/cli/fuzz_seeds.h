/* `picafuzz fuzz` without an engine: a loop over seeds (harness/hunt). */
#ifndef HARNESS_CLI_FUZZ_SEEDS_H
#define HARNESS_CLI_FUZZ_SEEDS_H

#include "harness/cli/cli.h"
#include "harness/hunt/hunt.h"

struct cli_hunt {
    struct cli_run_options run; /* backends, scope, quirks, machine, shard */
    const char *findings;       /* NULL: findings */
    const char *corpus;         /* NULL: none is kept, unless files are given or a plug-in tells its edges */
    const char *shader;         /* a file: draws with its programs alone; NULL: any case */
    const char *seeds;          /* "FIRST..LAST"; NULL: from 1 on, without end */
    uint32_t seed;              /* another beginning, for who gives no seeds; 0: none */
    uint32_t executions;        /* of this start; 0: any number */
    uint32_t jobs, seconds, max_findings, plain, children;
    uint32_t reduce_seconds, reduce_tries;
    bool peel;
};

int cli_hunt(struct cli_hunt *request, int count, char **files);

#endif
