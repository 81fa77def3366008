/* `picafuzz fuzz`: what it is asked, and its ways: a loop over seeds (harness/hunt), an engine (harness/campaign). */
#ifndef HARNESS_CLI_FUZZ_H
#define HARNESS_CLI_FUZZ_H

#include "harness/cli/cli.h"

struct cli_fuzz {
    struct cli_run_options run; /* backends, scope, quirks, machine, shard */
    const char *findings;       /* NULL: findings */
    const char *corpus;         /* NULL: fuzz-corpus; of the loop none, unless a plug-in tells its edges */
    const char *shader;         /* a file: draws with its programs alone; NULL: any case */
    const char *seeds;          /* "FIRST..LAST"; NULL: from 1 on, without end */
    uint32_t engine;            /* 0: none, the loop over seeds; else 1 + enum harness_engine */
    const char *target, *dictionary, *mutator; /* of an engine; NULL: those beside this program */
    uint32_t seed;       /* another beginning of the seeds; of an engine, of its random choices; 0: none */
    uint32_t executions; /* of this start; 0: any number */
    uint32_t jobs, seconds;
    uint32_t max_findings; /* 0: as is usual */
    uint32_t plain, children;
    uint32_t reduce_seconds, reduce_tries;
    bool peel;
    const char *gone; /* the value of an option that there was once; NULL: none */
};

/* Tries that a reduction has; 0: findings stay as they are. */
unsigned cli_fuzz_tries(const struct cli_fuzz *request);

/* Both return an exit code. */
int cli_fuzz_seeds(struct cli_fuzz *request, int count, char **files);
int cli_fuzz_engine(struct cli_fuzz *request, int count, char **files);

#endif
