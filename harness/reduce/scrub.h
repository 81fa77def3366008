/*
 * Removes a game's content from a case: texture and vertex bytes are replaced by made-up ones as far as the case still
 * shows the same. The reducer's engine tries and judges the replacements; these files only supply the passes
 * (reduce_plan).
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

/* Neighbouring bytes that are unchanged, or coarse. */
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
 * Scrubs `test_case` in place. The options plan, without, verdict_alone and the state on disk are ignored: a difference
 * keeps its blamed stage and rule. Returns what harness_reduce returns; with any status other than HARNESS_OK the case
 * is unchanged, except that its texts may be gone. Free the result in any case.
 */
enum harness_status harness_scrub(struct harness_case *test_case, const struct harness_reduce_options *options,
                                  struct harness_scrub_result *result, struct harness_error *error);
void harness_scrub_free(struct harness_scrub_result *result);

#endif
