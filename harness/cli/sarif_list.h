/* Findings that a command met, written as SARIF at its end (--sarif). */
#ifndef HARNESS_CLI_SARIF_LIST_H
#define HARNESS_CLI_SARIF_LIST_H

#include "harness/report/sarif.h"

#include <stdbool.h>

struct cli_sarif {
    struct harness_sarif_result *items; /* whose strings belong to this */
    size_t count;
    bool failed; /* no memory */
};

/* Copies all of it; `accepted` may be NULL. */
void cli_sarif_add(struct cli_sarif *list, const struct harness_sarif_result *result);

/* Writes the file, frees the list. An exit code. */
int cli_sarif_write(struct cli_sarif *list, const char *path);

#endif
