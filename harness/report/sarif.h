/* Findings as SARIF 2.1.0, which forges show beside the code. */
#ifndef HARNESS_REPORT_SARIF_H
#define HARNESS_REPORT_SARIF_H

#include "harness/case/error.h"

struct cJSON;

struct harness_sarif_result {
    const char *rule;     /* a bucket, or what kind of change it is */
    const char *message;  /* in words */
    const char *path;     /* of the case: relative to where the program runs, which should be the root of the sources */
    const char *accepted; /* why it does not count; NULL: it does */
};

/* A file on its way. Begins with zeros. */
struct harness_sarif {
    struct cJSON *root, *rules, *results; /* owned; the last two are parts of the first */
};

/* Copies all of it. */
void harness_sarif_add(struct harness_sarif *sarif, const struct harness_sarif_result *result);

/* Writes what was added, which may be nothing, and forgets it. */
enum harness_status harness_sarif_write(struct harness_sarif *sarif, const char *path, struct harness_error *error);

#endif
