/* What harness_case_check finds out about a case on the way. */
#ifndef HARNESS_CHECK_H
#define HARNESS_CHECK_H

#include "harness/case/case.h"

struct harness_totals {
    uint64_t bytes;    /* of all contents, lists padded as RUN loads them */
    uint64_t contents; /* the same without padding, but 16 more for each list: as HARNESS_PCB_MAX_DATA counts */
    uint64_t commands; /* of all lists */
};

/* harness_case_check; adds to the totals what the case has if it is valid. */
enum harness_status harness_case_check_totals(const struct harness_case *test_case, struct harness_totals *totals,
                                              struct harness_error *error);

#endif
