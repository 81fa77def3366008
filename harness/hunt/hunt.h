/*
 * The hunt: a loop over seeds. Each seed makes a case, worker processes run it on all backends (harness/peel/hunter.h),
 * and a case that shows something new is reduced and filed in the directory of its bucket, inside the findings
 * directory.
 *
 * Seeds are taken in blocks. What a block finds depends only on its seeds and on what the hunt had learnt at an earlier
 * point, which does not depend on the number of workers. What is filed is as reproducible, because reductions are
 * limited by a count of tries. Two things depend on the machine: the cases that are kept for a plug-in's edges, and
 * hangs.
 *
 * Nothing is lost if this process is killed: the cases that were running are run again by the next hunt in the same
 * directory, since their seeds are known.
 */
#ifndef HARNESS_HUNT_HUNT_H
#define HARNESS_HUNT_HUNT_H

#include "harness/peel/hunter.h"
#include "harness/shader/shader_file.h"

enum {
    HARNESS_HUNT_BLOCK = 128, /* seeds */
    HARNESS_HUNT_MOST_JOBS = 64,
    HARNESS_HUNT_PATH = 1024,
    HARNESS_HUNT_NAME = 32, /* "seed-18446744073709551615" */
    HARNESS_HUNT_WORDS = 2048,
    HARNESS_HUNT_MOST_FINDINGS = 1000
};

/* A case that a source reports as a finding; the hunt judges it. */
struct harness_hunt_input {
    char path[HARNESS_HUNT_PATH]; /* a .pcb file, which the hunt deletes once it is judged; "": none */
    char said[HARNESS_HUNT_WORDS];
};

/* Where cases come from instead of seeds: a fuzzing engine that runs beside the hunt (harness/campaign). */
struct harness_hunt_source {
    void *user;
    /* Called many times a second. `over`: the source is to end. `idle`: everything that it gave so far is filed. `next`
     * receives a case; NULL: the hunt takes none now. *ended is set if nothing runs, nothing will be started any more,
     * and no case was given by this call. */
    enum harness_status (*look)(void *user, bool over, bool idle, struct harness_hunt_input *next, bool *ended,
                                struct harness_error *error);
    const struct harness_pair_statistics *statistics; /* counters of the cases that the source runs */
};

/* Which seeds are run: blocks of HARNESS_HUNT_BLOCK seeds are dealt out to the shards in turn. */
struct harness_hunt_seeds {
    uint64_t first, count;  /* at most `count` seeds; 0: all there are */
    uint64_t executions;    /* cases to run in this start; 0: any number */
    uint32_t shard, shards; /* only every `shards`-th block, from number `shard` on */
};

/* What the cases of seeds are made from. */
struct harness_hunt_cases {
    const struct harness_shader_file *shader; /* every case is a draw with one of its programs; NULL: any case */
    const char *shader_name;
    const char *const *parents; /* case files from which some of the cases are mutated */
    size_t parent_count;
    uint32_t plain;    /* as harness_generate_options.plain */
    uint32_t children; /* percent of the cases that are mutated from another one, if there is one */
};

struct harness_hunt_options {
    const struct harness_backend *backends; /* opened, 2 to HARNESS_MOST_BACKENDS; all are compared with the first */
    size_t backend_count;
    struct pica_options machine;         /* options that backends are created with */
    bool varies;                         /* some blocks use other threads, queue sizes, instruction sets and number
                                            formats: only if all backends are our own */
    const struct harness_quirks *quirks; /* known differences; NULL: none */
    const char *findings;                /* directory, which exists */
    const char *identity; /* backends and options that identify the hunt; a hunt with another identity may not continue
                             in the directory */
    const char *again;    /* options of the `picafuzz diff` command that reproduces a finding */
    const struct harness_hunt_source *source; /* NULL: the seeds */
    const char *corpus; /* existing directory for the cases that reach new edges of a plug-in, for this hunt and the
                           next; NULL: they are not saved */
    struct harness_hunt_cases cases;
    struct harness_hunt_seeds seeds;
    unsigned jobs;
    unsigned seconds;      /* 0: until the watcher ends the hunt */
    unsigned max_findings; /* the hunt ends after so many */
    unsigned reduce_tries; /* for each finding, as harness_reduce_options.cost counts; 0: findings are not reduced */
    bool peel;             /* avoid each cause once it has been found */
};

struct harness_hunt_finding {
    char path[HARNESS_HUNT_PATH]; /* of the .pcase */
    char title[256];
    char machine[64]; /* options of `picafuzz diff` for the machine of its block, if that differs from the hunt's */
};

struct harness_hunt_progress {
    double elapsed; /* seconds */
    uint64_t executions;
    size_t findings, duplicates, waiting;
    unsigned reducing; /* of the waiting findings, those that are being reduced now */
    bool pauses;       /* no case runs meanwhile */
};

struct harness_hunt_summary {
    struct harness_hunt_progress progress;
    struct harness_pair_statistics statistics; /* of this start and those before it */
    uint64_t next;                             /* the first seed that was not run; all before it were */
    struct harness_peel peel;
    uint64_t accepted;               /* findings in buckets that the quirks file accepts */
    uint64_t unconfirmed;            /* findings that could not be reproduced when run by themselves */
    uint64_t unfiled;                /* cases that were not filed, because a table of the state was full */
    uint64_t earlier;                /* findings filed by earlier starts that are still in the directory */
    uint64_t earlier_cases;          /* executions of starts before this one */
    uint64_t trouble;                /* of this start: cases without a verdict */
    bool is_done;                    /* all seeds were run */
    char notice[HARNESS_ERROR_SIZE]; /* problems with files in the directory, one a line; "": none */
    struct harness_hunt_finding findings[HARNESS_HUNT_MOST_FINDINGS];
};

/* Called in each turn of the loop, so about every 50 ms or more often; false ends the hunt at once, with its state
 * saved. */
typedef bool (*harness_hunt_watcher)(void *user, const struct harness_hunt_progress *progress);

/* HARNESS_OK when the hunt has ended, with or without findings. Must be called in a process in which no backend has run
 * yet. */
enum harness_status harness_hunt_run(const struct harness_hunt_options *options, harness_hunt_watcher watcher,
                                     void *user, struct harness_hunt_summary *summary, struct harness_error *error);

/* What a hunt.json says about its hunt, for commands that read the findings. */
struct harness_hunt_recalled {
    char *options;                      /* harness_hunt_options.again, malloc'ed; "" where it has none */
    char started_in[HARNESS_HUNT_PATH]; /* directory that relative paths in `options` refer to; "": not known */
    struct harness_pair_statistics statistics;
    struct harness_peel peel; /* known causes */
    uint64_t first;           /* seed */
    bool is_usual;            /* its cases are those that `picafuzz generate` makes of the seeds from `first` on */
    uint64_t filed;
    size_t waiting;
};

/* Reads hunt.json at `path`. False: there is no such file, it cannot be read, or memory is lacking. The caller frees
 * out->options. */
bool harness_hunt_recall(const char *path, struct harness_hunt_recalled *out);

#endif
