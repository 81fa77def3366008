/*
 * Semantic coverage of many cases: runs each on the reference backend with a collector (universe.h), in several
 * processes, and joins what they saw. The result does not depend on the number of processes.
 */
#ifndef HARNESS_COVERAGE_COVERAGE_H
#define HARNESS_COVERAGE_COVERAGE_H

#include "harness/case/error.h"
#include "harness/coverage/universe.h"
#include "harness/grammar/gen.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_COVERAGE_MAX_JOBS = 64
};

/* Case files, and cases of the generator with the seeds first_seed, first_seed + 1, ... */
struct harness_coverage_input {
    char *const *paths;
    size_t path_count;
    uint64_t first_seed;
    uint64_t generated;
    struct harness_generate_options generator;
    unsigned jobs; /* 1 .. HARNESS_COVERAGE_MAX_JOBS */
};

struct harness_coverage_result {
    uint64_t cases;   /* that ran */
    uint64_t refused; /* files that are not cases */
    uint64_t crashed; /* processes that died on a case; the rest of their share is missing */
    char what[512];   /* the first file or seed that was refused, or that crashed */
};

/* Adds HARNESS_MARK_* bits to `marks`, harness_universe_items bytes. HARNESS_OK also if cases were refused. */
enum harness_status harness_coverage_measure(const struct harness_universe *universe,
                                             const struct harness_coverage_input *input, uint8_t *marks,
                                             struct harness_coverage_result *result, struct harness_error *error);

#endif
