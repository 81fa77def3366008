/*
 * Takes what belongs to a game out of a case: texture and vertex bytes are replaced by made-up ones as far as the case
 * shows the same as before. The reducer's engine tries and judges; here is only what it tries (reduce_plan).
 */
#ifndef HARNESS_REDUCE_SCRUB_H
#define HARNESS_REDUCE_SCRUB_H

#include "harness/reduce/reduce.h"
#include "harness/run/reads.h"

/* Bytes of one kind, in memory contents and in the initial state. */
struct harness_scrub_row {
    uint64_t bytes;
    uint64_t made_up; /* nothing of the original is left in them */
    uint64_t coarse;  /* vertices: moved to a coarse grid */
};

/* Neighbouring bytes that are as they were, or coarse. */
struct harness_scrub_rest {
    enum harness_read_kind kind;
    bool coarse;
    uint32_t address, size;
    uint32_t block; /* contents in the order of the case: chunks, then operations */
};

struct harness_scrub_result {
    struct harness_reduce_result reduced;
    struct harness_scrub_row rows[HARNESS_READ_KINDS];
    struct harness_scrub_rest *rests; /* by kind, then by place */
    size_t rest_count;
    uint32_t texts; /* comments and notes that were taken out */
};

/*
 * Scrubs `test_case` in place. Of the options: plan, without, verdict_alone and the state on disk are not looked at: a
 * difference keeps the stage and the rule that are blamed. What comes back is as harness_reduce says; with any other
 * status than HARNESS_OK the case is as it was, but for its texts. Free the result in any case.
 */
enum harness_status harness_scrub(struct harness_case *test_case, const struct harness_reduce_options *options,
                                  struct harness_scrub_result *result, struct harness_error *error);
void harness_scrub_free(struct harness_scrub_result *result);

#endif
