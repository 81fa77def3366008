/*
 * What every differential fuzz target does with its bytes: decode (total), lower, run on `reference` and `fast`, judge.
 * The targets themselves are a few lines around it.
 */
#ifndef HARNESS_TARGETS_PAIR_H
#define HARNESS_TARGETS_PAIR_H

#include "harness/case/case.h"
#include "harness/run/runner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target_pair;

/* Where the time of a campaign goes, nanoseconds in all. Shared with the program that shows progress. */
struct target_statistics {
    uint64_t executions;
    uint64_t without_effect; /* cases that left memory and draws alone */
    uint64_t decode_ns;
    uint64_t reset_ns;
    uint64_t reference_ns;
    uint64_t fast_ns;
    uint64_t compare_ns;
};

struct target_pair_options {
    uint32_t threads;                     /* of `fast` */
    uint32_t instruction_sets;            /* of `fast` */
    bool measure;                         /* fill in the times; costs some clock reads a case */
    struct target_statistics *statistics; /* where to count; NULL: nowhere */
};

/* NULL if the host refuses memory. */
struct target_pair *target_pair_create(const struct target_pair_options *options);
void target_pair_destroy(struct target_pair *pair); /* accepts NULL */

enum target_outcome {
    TARGET_SAME = 0,
    TARGET_DIFFERENT = 1,
    TARGET_HOST_TROUBLE = 2 /* no memory for this case: no verdict */
};

/* One input. After TARGET_DIFFERENT, target_pair_message says where. */
enum target_outcome target_pair_run(struct target_pair *pair, const uint8_t *bytes, size_t size);

/* The same for a case that exists already; it is bounded (target_bound_case). */
enum target_outcome target_pair_run_case(struct target_pair *pair, struct harness_case *test_case);

/* For people; "" unless the last outcome was TARGET_DIFFERENT. */
const char *target_pair_message(const struct target_pair *pair);

enum { TARGET_MAX_OPERATIONS = 64, TARGET_MAX_WINDOW_BYTES = 1 << 20 };

/* Bounds the work of a case so that no input runs long: limits, number of operations, memory. What is written as a
 * finding must have gone through this, or it does not reproduce. */
void target_bound_case(struct harness_case *test_case);

#endif
