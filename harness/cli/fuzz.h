/* The request of `picafuzz fuzz`: a hunt over seeds (harness/hunt), or over what an engine finds (harness/campaign). */
#ifndef HARNESS_CLI_FUZZ_H
#define HARNESS_CLI_FUZZ_H

#include "harness/campaign/campaign.h"
#include "harness/cli/cli.h"

struct cli_fuzz {
    struct cli_run_options run;   /* backends, scope, quirks, machine, shard */
    const char *findings;         /* NULL: "findings" */
    const char *corpus;           /* NULL: "fuzz-corpus"; for the loop only if a plug-in reports edges */
    const char *shader;           /* a shader file: only draws with its programs; NULL: any case */
    const char *seeds;            /* "FIRST..LAST"; NULL: from 1 on, without end */
    uint32_t engine;              /* 0: the loop over seeds; else 1 + enum harness_engine */
    const char *target, *mutator; /* files for an engine; NULL: those beside this program */
    uint32_t seed;                /* selects other seeds; for an engine, seeds its random choices; 0: not given */
    uint32_t executions;          /* limit for this start; 0: none */
    uint32_t jobs, seconds;
    uint32_t max_findings; /* 0: the default */
    uint32_t plain, children;
    uint32_t reduce_seconds, reduce_tries;
    bool peel;
};

/* The limit of tries for each reduction; 0: findings are not reduced. */
unsigned cli_fuzz_tries(const struct cli_fuzz *request);

/* A running engine whose findings a hunt files. */
struct cli_fuzz_engine {
    const struct harness_campaign *campaign;
    const struct harness_campaign_options *options;
    const struct harness_hunt_source *source;
    uint64_t left; /* failing inputs that were not filed, set when the hunt has ended */
};

/* Each returns an exit code. cli_fuzz_hunt carries out the request; with an engine it calls cli_fuzz_engine, which
 * fills in the rest of `hunt`, adds the files to the corpus, and runs. */
int cli_fuzz_hunt(struct cli_fuzz *request, bool has_engine, int count, char **files);
int cli_fuzz_engine(const struct cli_fuzz *request, struct harness_hunt_options *hunt, int count, char **files);

/* cli_fuzz_run runs the hunt, prints its summary and returns an exit code; `engine`: NULL without one.
 * cli_fuzz_print_engine prints the part of the summary that only engines have. */
int cli_fuzz_run(const struct harness_hunt_options *options, struct cli_fuzz_engine *engine);
void cli_fuzz_print_engine(const struct cli_fuzz_engine *engine, const struct harness_hunt_summary *summary);

#endif
