/* What the files of `picafuzz diff` share. */
#ifndef HARNESS_CLI_DIFF_PARTS_H
#define HARNESS_CLI_DIFF_PARTS_H

#include "harness/cli/cli.h"
#include "harness/cli/output.h"
#include "harness/cli/refusals.h"
#include "harness/cli/trial.h"
#include "harness/grammar/gen.h"
#include "harness/report/sarif.h"

struct diff_request {
    struct cli_run_options options;
    struct harness_trial_options how;
    struct cli_trials judges;
    struct harness_tally totals;
    const char *path; /* of the case, or what a generated one is called */
    bool json;
    bool quiet, verbose;
    bool no_explain;
    struct cli_seeds seeds; /* count 0: none */
    struct harness_generate_options generate;
    struct cli_output output;     /* of generated cases that do not agree; path NULL: nowhere */
    bool buckets;                 /* the baseline's buckets are judged, too */
    bool accept;                  /* what is new goes into the baseline */
    const char *note;             /* of that; NULL: none */
    const char *quirks_path;      /* the file that --accept changes */
    const char *sarif_path;       /* NULL: none */
    struct harness_sarif sarif;   /* what files showed so far */
    bool is_known;                /* the case in hand shows what the baseline, or --excuse, lets pass */
    bool is_generated;            /* the cases are; those that agree are not printed */
    bool no_float24;              /* of a backend: generated cases in float24 run in binary32 */
    uint64_t done;                /* generated cases begun */
    size_t kept;                  /* of them in the directory */
    size_t accepted;              /* by --accept, now */
    struct cli_refusals untested; /* cases that are not tested, and not printed one by one */
};

/* A case with its verdict, as text or JSON. */
void diff_print(struct diff_request *request, const struct harness_trial *trial);

/* Counts it, and compares it with the baseline, into which --accept writes it if it is new. Returns what is left of its
 * exit code. */
int diff_judge(struct diff_request *request, const struct harness_trial *trial);

/* All seeds of the request. Returns the worst exit code. */
int diff_generated(struct diff_request *request);

#endif
