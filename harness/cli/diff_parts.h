/* What the two files of `picafuzz diff` share. */
#ifndef HARNESS_CLI_DIFF_PARTS_H
#define HARNESS_CLI_DIFF_PARTS_H

#include "harness/cli/cli.h"
#include "harness/cli/output.h"
#include "harness/cli/sarif_list.h"
#include "harness/grammar/gen.h"
#include "harness/localise/localise.h"
#include "harness/probe/stable.h"
#include "harness/run/compare.h"
#include "harness/triage/bucket.h"

#include <signal.h>

enum {
    DIFF_PENDING = 32
};

/* A generated case that differed, or that a backend died of, in a process that had run others. */
struct diff_pending {
    uint64_t seed;
    bool crashed;
    struct harness_stability stability; /* without text: it comes back */
};

/* Shared with the guarded children, which do the counting. */
struct diff_totals {
    size_t agree;     /* exactly */
    size_t within;    /* agree within a tolerance only */
    size_t undefined; /* differ, which --excuse puts down to undefined behaviour */
    size_t not_tested;
    size_t vacuous;                            /* generated cases that change no memory */
    size_t done;                               /* generated cases begun */
    size_t kept;                               /* of them in the directory */
    volatile sig_atomic_t asked;               /* Ctrl-C */
    bool no_float24;                           /* of a backend: generated cases in float24 run in binary32 */
    bool unopened;                             /* a backend cannot be opened */
    bool crashed;                              /* the last one begun has no verdict */
    bool explaining;                           /* the case in hand has its verdict: the rest only explains it */
    bool diverged;                             /* the file in hand did, in the first of its processes */
    size_t unstable;                           /* cases whose difference does not come back */
    struct harness_stability stability;        /* of the case in hand; without text: it comes back */
    uint64_t seed;                             /* of the generated case in hand */
    uint64_t stretch_seed;                     /* of the first new one of its process */
    struct diff_pending pending[DIFF_PENDING]; /* generated cases that differ and have no verdict yet */
    size_t pending_count;
    size_t known;                     /* of them it is known whether they come back */
    size_t settled;                   /* of those it was said */
    size_t accepted;                  /* by --accept, now */
    char bucket[HARNESS_BUCKET_NAME]; /* of the file in hand; "": not known */
    char verdict[32];                 /* of the file in hand; "": none yet, or it agrees */
    char message[512];                /* where it differs, in a line */
    bool unexplained;                 /* a backend died of explaining the next case: it is judged only */
};

struct diff_request {
    struct cli_run_options options;
    struct harness_compare_options compare;
    const char *path; /* of the case, or what a generated one is called */
    bool json;
    bool quiet;
    bool no_explain;
    struct cli_seeds seeds; /* count 0: none */
    struct harness_generate_options generate;
    struct cli_output output; /* of generated cases that do not agree; path NULL: nowhere */
    bool defers;              /* a divergence is not printed yet: does it come back? */
    bool buckets;             /* the baseline's buckets are judged, too */
    bool accept;              /* what is new goes into the baseline */
    const char *note;         /* of that; NULL: none */
    const char *quirks_path;  /* the file that --accept changes */
    const char *sarif_path;   /* NULL: none */
    struct cli_sarif sarif;   /* what files showed so far */
    bool is_generated;        /* the case is one; if it agrees nothing is printed */
    struct diff_totals *totals;
};

struct diff_outcome {
    struct harness_comparison comparison;
    struct harness_location location; /* empty if nothing was explained */
};

/* One case on all backends: compared, explained, counted, printed. Returns an exit code. */
int diff_loaded(const struct diff_request *request, struct cli_session *session, struct cli_case *loaded,
                struct diff_outcome *outcome);

/* The file of the request differed: does it in three fresh processes, too? If not, totals->stability says on what that
 * depends. */
bool diff_comes_back(const struct diff_request *request);

/* The same of a generated case, and of its own stability. */
bool diff_seed_comes_back(const struct diff_request *request, struct diff_pending *pending);

/* The case of a seed as fuzzers run it, rewritten by --quirks and --force; with `counts`, that is counted. *why: it is
 * not to be tested. */
enum harness_status diff_generate(const struct diff_request *request, uint64_t seed, bool counts,
                                  struct harness_case *out, const char **why, struct harness_error *error);

/* One line, or a JSON object, about a case that is unstable and not looked at again. Counts it; CLI_DIVERGED. */
int diff_unstable(const struct diff_request *request);

/* Complains of options that do not go together, and opens the quirks file. An exit code. */
int diff_open_baseline(struct diff_request *request);

/* For struct cli_trial: the bucket of the file of a request. */
bool diff_bucket(const void *request, char *name);

/* With --accept, a case that shows something new is written into the baseline: what is left of its exit code. */
int diff_accept(const struct diff_request *request, int code);

/* All seeds of the request. Returns the worst exit code. */
int diff_generated(struct diff_request *request);

#endif
