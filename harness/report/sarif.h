/* Findings as SARIF 2.1.0, which forges show beside the code. */
#ifndef HARNESS_REPORT_SARIF_H
#define HARNESS_REPORT_SARIF_H

#include "harness/case/error.h"

#include <stddef.h>

struct harness_sarif_result {
    const char *rule;     /* a bucket, or what kind of change it is */
    const char *message;  /* in words */
    const char *path;     /* of the case: relative to where the program runs, which should be the root of the sources */
    const char *accepted; /* why it does not count; NULL: it does */
};

enum harness_status harness_sarif_write(const char *path, const struct harness_sarif_result *results, size_t count,
                                        struct harness_error *error);

#endif
