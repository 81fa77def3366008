/*
 * A fuzzing engine, started on one fuzz target as its documentation says, until the time is over; what the target
 * failed on becomes finding files. libFuzzer is the target itself; AFL++ is afl-fuzz, with a directory of its own,
 * CORPUS-afl.
 *
 * The engine writes corpus and failing inputs itself, as it finds them: whoever is killed, the next campaign in these
 * directories goes on with what is there. Several processes, on one machine or many, are the engine's own affair
 * (docs/hunting-for-weeks.md).
 */
#ifndef HARNESS_CAMPAIGN_CAMPAIGN_H
#define HARNESS_CAMPAIGN_CAMPAIGN_H

#include "harness/case/error.h"
#include "harness/peel/peel.h"
#include "harness/quirks/quirks.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_CAMPAIGN_PATH_SIZE = 1024,
    HARNESS_CAMPAIGN_MAX_FINDINGS = 1000
};

enum harness_engine {
    HARNESS_ENGINE_LIBFUZZER = 0,
    HARNESS_ENGINE_AFL = 1
};

/* What runs if it is not the linked two. The target gets the names (harness/targets/hunt.h); findings are reduced here
 * with the opened backends. */
struct harness_campaign_backends {
    const char *names;                    /* "reference,./libmygpu.so"; NULL: reference and fast */
    const char *only, *ignore;            /* names with commas between them; NULL: none */
    const char *options;                  /* of the `picafuzz diff` that shows a finding again; NULL: none */
    const char *quirks_path;              /* NULL: none */
    const char *force;                    /* statements with newlines between them; NULL: none */
    const struct harness_quirks *quirks;  /* both of them read; NULL: none */
    const struct harness_backend *opened; /* the same, restricted to what counts */
    size_t count;
};

struct harness_campaign_options {
    enum harness_engine engine;
    struct harness_campaign_backends backends;
    const char *target;     /* path of the fuzz target, built for that engine */
    const char *dictionary; /* for bytewise mutations by libFuzzer; NULL = none */
    const char *mutator;    /* AFL++: path of the custom mutator */
    const char *corpus;     /* directory: inputs that the fuzzer keeps, read and written */
    const char *findings;   /* directory */
    unsigned seconds;       /* 0 = until stopped */
    uint32_t executions;    /* as the target counts them, after which it ends; 0 = never */
    unsigned max_findings;
    unsigned reduce_tries; /* for each finding before it goes to its bucket (filing.h); 0 = they stay as they are */
    uint32_t seed;         /* 0 = the engine's choice */
    bool peel;             /* a cause that was found is avoided from then on (harness/peel); needs backends.opened */
    uint32_t plain;        /* percent of generated operations with values that programs send; 0 = as always */
    uint32_t threads;      /* worker threads of each backend */
    uint32_t capacity;     /* the same of the entries of queues and caches */
};

/* One failing input: CASE.pcb, CASE.pcase and CASE.txt in the findings directory, or in that of its bucket below. */
struct harness_campaign_finding {
    char path[HARNESS_CAMPAIGN_PATH_SIZE]; /* of the .pcase */
    char title[256];                       /* the first line that the target said about it */
};

struct harness_campaign_progress {
    double elapsed; /* seconds */
    uint64_t executions;
    size_t findings;
    size_t duplicates; /* findings with a title that was there already */
};

struct harness_campaign_summary {
    struct harness_campaign_progress progress;
    struct harness_pair_statistics statistics;
    struct harness_peel peel; /* what is known in the end */
    uint64_t inputs;          /* files in the corpus directory */
    uint64_t accepted;        /* findings of buckets that the quirks file accepts */
    uint64_t left; /* failing inputs that were not filed: they lie in the findings directory for the next campaign */
    struct harness_campaign_finding findings[HARNESS_CAMPAIGN_MAX_FINDINGS];
};

/* Called about five times a second while the engine runs; false ends the campaign in an orderly way. */
typedef bool (*harness_campaign_watcher)(void *user, const struct harness_campaign_progress *progress);

/* HARNESS_OK when the campaign ended, with or without findings. */
enum harness_status harness_campaign_run(const struct harness_campaign_options *options,
                                         harness_campaign_watcher watcher, void *user,
                                         struct harness_campaign_summary *summary, struct harness_error *error);

/* Puts a case file (any format) into the corpus directory as NAME.pcb. HARNESS_TOO_LARGE if it does not fit. */
enum harness_status harness_campaign_add_seed(const struct harness_campaign_options *options, const char *path,
                                              struct harness_error *error);

#endif
