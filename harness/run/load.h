/* Loading any kind of case file, ready to run: captures get the windows that they need (CAP-13). */
#ifndef HARNESS_RUN_LOAD_H
#define HARNESS_RUN_LOAD_H

#include "harness/case/formats.h"
#include "harness/run/pair.h"

/*
 * Like harness_case_load_file; the wide windows of an imported capture are replaced by what its operations name and
 * what its draws read and write when the reference runs them.
 */
enum harness_status harness_load(struct harness_case *out, const char *path, struct harness_text *warnings,
                                 struct harness_error *error);

/* CAP-13 for a case with wide windows. */
enum harness_status harness_tighten_windows(struct harness_case *test_case, struct harness_text *warnings,
                                            struct harness_error *error);

/* As engines take it: bounded (harness_bound_case), in binary form, in `out` of HARNESS_MAX_INPUT bytes.
 * HARNESS_TOO_LARGE if it does not fit. */
enum harness_status harness_load_input(const char *path, uint8_t *out, size_t *size, struct harness_error *error);

/* What that input is called in a flat directory: "fog-thin.pcase.pcb" for ".../fog/thin.pcase". Files of the same name
 * in different directories stay apart. */
void harness_input_name(const char *path, char *out, size_t size);

#endif
