/*
 * The hunt: a loop over seeds. Each seed makes a case, workers run it on all backends (harness/peel/hunter.h), and what
 * shows something new is reduced and filed in the directory of its bucket, beside the hunt.
 *
 * Seeds are taken in blocks. What a block finds depends on its seeds and on what was known at an earlier point, which
 * does not depend on how many workers there are; so does what is filed, for reductions count their tries. What a
 * plug-in's edges keep, and what hangs, is up to the machine.
 *
 * Nothing is lost if this process is killed: the cases in flight are run again by the next hunt in that directory, for
 * their seeds are known.
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

/* A case that somebody says is a finding. */
struct harness_hunt_input {
    char path[HARNESS_HUNT_PATH]; /* a file of .pcb, which the hunt removes once it is judged; "": none */
    char said[HARNESS_HUNT_WORDS];
};

/* What cases come from instead of seeds: a fuzzing engine that runs beside the hunt (harness/campaign). */
struct harness_hunt_source {
    void *user;
    /* Called many times a second. `over`: it is to end; `idle`: all that it gave is filed; `next` (NULL: not now) gets
     * a case; *ended: nothing runs or is started any more, and no case was given now. */
    enum harness_status (*look)(void *user, bool over, bool idle, struct harness_hunt_input *next, bool *ended,
                                struct harness_error *error);
    const struct harness_pair_statistics *statistics; /* of what it runs */
};

/* Which seeds: blocks of HARNESS_HUNT_BLOCK of them are dealt out to shards in turn. */
struct harness_hunt_seeds {
    uint64_t first, count;  /* no more than that; 0: all there are */
    uint64_t executions;    /* cases of this start; 0: any number */
    uint32_t shard, shards; /* only every `shards`-th block, from number `shard` on */
};

/* What the case of a seed is made of. */
struct harness_hunt_cases {
    const struct harness_shader_file *shader; /* every case is a draw with one of its programs; NULL: any case */
    const char *shader_name;
    const char *const *parents; /* files of cases that some of the cases are children of */
    size_t parent_count;
    uint32_t plain;    /* as harness_generate_options.plain */
    uint32_t children; /* percent of the cases that are made of another one, where there are some */
};

struct harness_hunt_options {
    const struct harness_backend *backends; /* opened, 2 to HARNESS_PAIR_MOST; all are compared with the first */
    size_t backend_count;
    struct pica_options machine;         /* what they are created with */
    bool varies;                         /* some blocks have other threads, queues, instruction sets and numbers: only
                                            where all backends are ours */
    const struct harness_quirks *quirks; /* known differences; NULL: none */
    const char *findings;                /* directory, which exists */
    const char *identity; /* what a hunt is the same by: backends, options; another one may not go on in the
                                            directory */
    const char *again;    /* options of the `picafuzz diff` that shows a finding again */
    const struct harness_hunt_source *source; /* NULL: the seeds */
    const char *corpus; /* directory, which exists: what is kept for a plug-in's edges, now and by the next hunt; NULL:
                           nowhere */
    struct harness_hunt_cases cases;
    struct harness_hunt_seeds seeds;
    unsigned jobs;
    unsigned seconds;      /* 0: until the watcher ends it */
    unsigned max_findings; /* ends it, too */
    unsigned reduce_tries; /* of each finding, as harness_reduce_options.cost counts; 0: findings stay as they are */
    bool peel;             /* avoid each cause once it was found */
};

struct harness_hunt_finding {
    char path[HARNESS_HUNT_PATH]; /* of the .pcase */
    char title[256];
    char machine[64]; /* options of `picafuzz diff` for what its block was run with, if that is not as usual */
};

struct harness_hunt_progress {
    double elapsed; /* seconds */
    uint64_t executions;
    size_t findings, duplicates, waiting;
};

struct harness_hunt_summary {
    struct harness_hunt_progress progress;
    struct harness_pair_statistics statistics; /* of this start and those before it */
    uint64_t next;                             /* seed; all before it were run */
    struct harness_peel peel;
    uint64_t accepted;               /* findings of buckets that the quirks file accepts */
    uint64_t unconfirmed;            /* findings that showed nothing when run by themselves */
    uint64_t unfiled;                /* cases of kinds for which there was no room */
    uint64_t earlier;                /* findings that were filed by starts before this one, and lie there */
    uint64_t earlier_cases;          /* executions of starts before this one */
    uint64_t trouble;                /* of this start: cases without a verdict */
    bool is_done;                    /* all seeds were run */
    char notice[HARNESS_ERROR_SIZE]; /* what is odd in the directory, and was set aside; "": nothing */
    struct harness_hunt_finding findings[HARNESS_HUNT_MOST_FINDINGS];
};

/* Called about five times a second; false ends the hunt in an orderly way, at once. */
typedef bool (*harness_hunt_watcher)(void *user, const struct harness_hunt_progress *progress);

/* HARNESS_OK when it ended, with or without findings. To be called in a process in which no backend has run. */
enum harness_status harness_hunt_run(const struct harness_hunt_options *options, harness_hunt_watcher watcher,
                                     void *user, struct harness_hunt_summary *summary, struct harness_error *error);

/* What a hunt.json says of its hunt, for those who look at the findings. */
struct harness_hunt_recalled {
    char *options;                      /* harness_hunt_options.again, malloc'ed; "" where it has none */
    char started_in[HARNESS_HUNT_PATH]; /* the directory that paths among them are relative to; "": not known */
    struct harness_pair_statistics statistics;
    uint64_t filed;
    size_t waiting;
};

/* False: it is no such file. */
bool harness_hunt_recall(const char *path, struct harness_hunt_recalled *out);

#endif
