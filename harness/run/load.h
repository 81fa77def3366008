/* Loading any kind of case file, ready to run: captures get the windows that they need (CAP-13). */
#ifndef HARNESS_RUN_LOAD_H
#define HARNESS_RUN_LOAD_H

#include "harness/case/formats.h"

/*
 * Like harness_case_load_file; the wide windows of an imported capture are replaced by what its operations name and
 * what its draws read and write when the reference runs them.
 */
enum harness_status harness_load(struct harness_case *out, const char *path, struct harness_text *warnings,
                                 struct harness_error *error);

/* CAP-13 for a case with wide windows. */
enum harness_status harness_tighten_windows(struct harness_case *test_case, struct harness_text *warnings,
                                            struct harness_error *error);

#endif
