/* What `picafuzz fuzz` is asked: a hunt over seeds (harness/hunt), or over what an engine finds (harness/campaign). */
#ifndef HARNESS_CLI_FUZZ_H
#define HARNESS_CLI_FUZZ_H

#include "harness/campaign/campaign.h"
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
};

/* Tries that a reduction has; 0: findings stay as they are. */
unsigned cli_fuzz_tries(const struct cli_fuzz *request);

/* An engine whose findings a hunt files. */
struct cli_fuzz_engine {
    const struct harness_campaign *campaign;
    const struct harness_campaign_options *options;
    const struct harness_hunt_source *source;
    uint64_t left; /* failing inputs that were not filed */
};

/* Each returns an exit code. cli_fuzz_hunt does what is asked, and calls cli_fuzz_engine for what only engines need. */
int cli_fuzz_hunt(struct cli_fuzz *request, bool has_engine, int count, char **files);
int cli_fuzz_engine(const struct cli_fuzz *request, struct harness_hunt_options *hunt, int count, char **files);

/* Runs the hunt and prints what came of it. `engine`: NULL without one. */
int cli_fuzz_run(const struct harness_hunt_options *options, struct cli_fuzz_engine *engine);
void cli_fuzz_print_engine(const struct cli_fuzz_engine *engine, const struct harness_hunt_summary *summary);

#endif
