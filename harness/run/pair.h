/*
 * What every differential fuzz target does with its bytes: decode (total), lower, run on `reference` and `fast`, judge.
 * The targets themselves are a few lines around it.
 */
#ifndef HARNESS_RUN_PAIR_H
#define HARNESS_RUN_PAIR_H

#include "harness/case/case.h"
#include "harness/run/runner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness_pair;

/* Where the time of a campaign goes, nanoseconds in all. Shared with the program that shows progress. */
struct harness_pair_statistics {
    uint64_t executions;
    uint64_t decode_ns;
    uint64_t reset_ns;
    uint64_t reference_ns;
    uint64_t fast_ns;
    uint64_t compare_ns;
    /* Counted by the hooks of harness/targets: proof that the engine calls them. */
    uint64_t mutations;
    uint64_t crossovers;
    uint64_t trims; /* candidates */
    uint64_t trims_kept;
};

struct harness_pair_options {
    uint32_t threads;                           /* of `fast` */
    uint32_t instruction_sets;                  /* of `fast` */
    bool measure;                               /* fill in the times; costs some clock reads per case */
    struct harness_pair_statistics *statistics; /* where to count; NULL: nowhere */
};

/* NULL if the host refuses memory. */
struct harness_pair *harness_pair_create(const struct harness_pair_options *options);
void harness_pair_destroy(struct harness_pair *pair); /* accepts NULL */

enum harness_outcome {
    HARNESS_SAME = 0,
    HARNESS_DIFFERENT = 1,
    HARNESS_HOST_TROUBLE = 2 /* no memory for this case: no verdict */
};

/* The runner of `reference`, for callers that watch it. */
struct harness_runner *harness_pair_reference(struct harness_pair *pair);

/* One input. After HARNESS_DIFFERENT, harness_pair_message says where. */
enum harness_outcome harness_pair_run(struct harness_pair *pair, const uint8_t *bytes, size_t size);

/* The same for a case that exists already; it is bounded (harness_bound_case). */
enum harness_outcome harness_pair_run_case(struct harness_pair *pair, struct harness_case *test_case);

/* For people; "" unless the last outcome was HARNESS_DIFFERENT. */
const char *harness_pair_message(const struct harness_pair *pair);

/* What differs, without values (oracles/run.h). */
const char *harness_pair_key(const struct harness_pair *pair);

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
