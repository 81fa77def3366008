/* Which pages does a case read and write? By a run on `reference` that tracks them. */
#ifndef HARNESS_RUN_TOUCHED_H
#define HARNESS_RUN_TOUCHED_H

#include "harness/case/formats.h"

/* One element for each window of the case. */
struct harness_page_reports {
    struct harness_touched windows[PICA_MAX_WINDOWS];
    uint64_t *bits;
};

/*
 * `more`, if its count is not 0: chunks inside the windows, with which memory begins in place of the case's own. A page
 * then counts as written if its bytes changed, or if it belongs to a buffer that is drawn to. Free the result also
 * after a failure.
 */
enum harness_status harness_touched_pages(const struct harness_case *test_case, const struct pica_chunk *more,
                                          uint32_t more_count, struct harness_page_reports *out,
                                          struct harness_error *error);
void harness_page_reports_free(struct harness_page_reports *reports);

#endif
