/*
 * What hunts and differential fuzz targets do with a case: lower it, run it on `reference` and `fast`, or on any other
 * backends, judge.
 */
#ifndef HARNESS_RUN_PAIR_H
#define HARNESS_RUN_PAIR_H

#include "harness/case/case.h"
#include "harness/run/outcome.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness_pair;

enum {
    HARNESS_PAIR_CAUSES = 64, /* that a hunt may know (harness/peel) */
    HARNESS_PAIR_CHANGES = 64 /* kinds of mutation (harness/grammar/mutate.h) */
};

/* Where the time of a hunt goes, nanoseconds in all. Shared with the program that shows progress. */
struct harness_pair_statistics {
    uint64_t executions;
    uint64_t decode_ns;
    uint64_t reset_ns;
    uint64_t first_ns;  /* the first backend, and the reference that runs beside them */
    uint64_t others_ns; /* what is compared with it */
    uint64_t compare_ns;
    uint64_t not_tested; /* executions that a backend does not support, or that are left out on purpose */
    uint64_t trouble;    /* executions without a verdict: a backend failed, or the host */
    uint64_t forced;     /* inputs that a quirks file rewrote */
    uint64_t tolerated;  /* executions that agree within a tolerance only */
    uint64_t differing;  /* executions that differ, or that a backend died of, whatever was made of them */
    uint64_t avoided;    /* inputs that were changed before they ran, because a backend dies of what they had */
    uint64_t known[HARNESS_PAIR_CAUSES];   /* inputs that showed nothing but a cause that is known, by its number */
    uint64_t by_sign[HARNESS_PAIR_CAUSES]; /* of them and of findings: what looked like the cause, and that was all */
    uint64_t unstable;                     /* inputs that differed, or died, and did not in a fresh process */
    /* Counted by the hooks of harness/targets: proof that the engine calls them. */
    uint64_t mutations;
    uint64_t crossovers;
    uint64_t generated;                     /* of the mutations: those that made a case anew */
    uint64_t changes[HARNESS_PAIR_CHANGES]; /* and those that changed it so; one may do several */
    /* Of those not tested: */
    uint64_t over_budget; /* a budget ran out at which a backend does not stop */
    uint64_t left_out;    /* the quirks file excludes them */
    /* Of those that agree, a part is looked at again: how many of them changed no byte of memory? */
    uint64_t looked_at, vacuous;
};

/* Adds all counters of `more`. */
void harness_pair_statistics_add(struct harness_pair_statistics *sum, const struct harness_pair_statistics *more);

struct harness_pair_options {
    uint32_t threads;                           /* of each backend */
    uint32_t instruction_sets;                  /* of `fast` */
    uint32_t capacity;                          /* of each backend (struct pica_options); 0: as it likes */
    bool measure;                               /* fill in the times; costs some clock reads per case */
    struct harness_pair_statistics *statistics; /* where to count; NULL: nowhere */
    const struct harness_backend *backends;     /* opened, all are compared with the first; NULL: the linked two */
    size_t backend_count;                       /* 2 to HARNESS_MOST_BACKENDS */
};

/* NULL if the host refuses memory, or a backend does not start. Where none of the backends is `reference` in this
 * process, one more runs beside them, unjudged: it says when a budget is over, and callers watch it. */
struct harness_pair *harness_pair_create(const struct harness_pair_options *options);
void harness_pair_destroy(struct harness_pair *pair); /* accepts NULL */

/* The runner of `reference`, for callers that watch it. */
struct harness_runner *harness_pair_reference(struct harness_pair *pair);

/* That of a backend, by its number. */
struct harness_runner *harness_pair_runner(struct harness_pair *pair, size_t backend);

/* The next case runs in fresh processes, as far as backends have one of their own: false if none has. */
bool harness_pair_renew(struct harness_pair *pair);

/* One case, which is bounded (harness_bound_case). TROUBLE, if a backend failed or the host has no memory for it; CRASH
 * and HANG of a backend in a process of its own: the next case starts another; then harness_pair_message says where. */
enum harness_outcome harness_pair_try(struct harness_pair *pair, struct harness_case *test_case);

/* After HARNESS_DIVERGE from harness_pair_try: runs the case again to find out where, for key and message. What comes
 * out may be another outcome, if a backend does not do the same twice. */
enum harness_outcome harness_pair_explain(struct harness_pair *pair);

/* For people; "" unless the last outcome was HARNESS_DIVERGE, HARNESS_CRASH or HARNESS_HANG. */
const char *harness_pair_message(const struct harness_pair *pair);

/* What differs, without values (oracles/run.h), or how a backend died. */
const char *harness_pair_key(const struct harness_pair *pair);

/* Where: "submit, color buffer", "transfer"; "" if that is not known. */
const char *harness_pair_place(const struct harness_pair *pair);

enum {
    HARNESS_PAIR_MAX_OPERATIONS = 64,
    HARNESS_PAIR_MAX_WINDOW_BYTES = 1 << 20,
    /* What engines are told. */
    HARNESS_MAX_INPUT = 1 << 16, /* bytes of the largest input */
    HARNESS_INPUT_TIMEOUT = 25,  /* seconds per input */
    HARNESS_INPUT_MEMORY = 4096  /* MiB per process */
};

/* Bounds the work of a case so that no input runs long: limits, number of operations, memory. A finding must be
 * written in this bounded form, or it does not reproduce. */
void harness_bound_case(struct harness_case *test_case);

#endif
