/* What `picafuzz coverage` prints and writes. */
#ifndef HARNESS_COVERAGE_REPORT_H
#define HARNESS_COVERAGE_REPORT_H

#include "harness/case/error.h"
#include "harness/coverage/universe.h"

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

struct coverage_report {
    const struct harness_universe *universe;
    const uint8_t *marks; /* of all items */
    uint64_t cases;
};

void coverage_print_text(const struct coverage_report *report, bool missing);

/* The same as JSON; the caller's. */
struct cJSON *coverage_json(const struct coverage_report *report, bool missing);

/* The same with what is missing, as a page (harness/pages). */
enum harness_status coverage_write_html(const struct coverage_report *report, const char *path,
                                        struct harness_error *error);

/* A level is a JSON object: the name of an area, the least percentage with effect. */
enum harness_status coverage_write_level(const struct coverage_report *report, const char *path,
                                         struct harness_error *error);

/* Says on stderr which areas are below. */
enum harness_status coverage_check_level(const struct coverage_report *report, const char *path, bool *passes,
                                         struct harness_error *error);

#endif
