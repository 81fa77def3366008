/* A required level of semantic coverage, as `picafuzz coverage --record` writes it. */
#ifndef HARNESS_COVERAGE_LEVEL_H
#define HARNESS_COVERAGE_LEVEL_H

#include "harness/case/error.h"
#include "harness/coverage/universe.h"

struct harness_level {
    bool asked[HARNESS_AREA_TOTAL];
    double percent[HARNESS_AREA_TOTAL]; /* 0 to 100, of what is asked for */
};

/* Reads a JSON object: by name of an area the least percentage of its items with effect. At least one, as a level
 * without any would always pass. The message names file and area. */
enum harness_status harness_level_read(const char *path, struct harness_level *out, struct harness_error *error);

#endif
