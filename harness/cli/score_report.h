/* What `picafuzz score` counts, prints and writes. */
#ifndef HARNESS_CLI_SCORE_REPORT_H
#define HARNESS_CLI_SCORE_REPORT_H

#include "harness/case/error.h"
#include "harness/case/text.h"
#include "harness/vectors/score.h"

#include <stddef.h>

struct cJSON;

enum {
    SCORE_MOST_AREAS = 32
};

/* How well the expected results are known, best first: what a score says. */
enum score_standing {
    SCORE_MEASURED = 0,
    SCORE_DOCUMENTED = 1,
    SCORE_CHOSEN = 2,
    SCORE_STANDINGS = 3
};

/* Cases by what became of them. */
struct score_row {
    const char *name;
    size_t cases;
    size_t results[VECTORS_RESULTS];
};

struct score_report {
    const char *backend;  /* as it was named */
    const char *compared; /* its scope; "" if that is everything */
    const struct vectors *vectors;
    const struct vectors_scored *scored;           /* by case of the pack */
    const bool *done;                              /* the same: did it run? */
    const bool *known;                             /* the same: does the baseline expect it? */
    const struct harness_fingerprint *fingerprint; /* of the backend; NULL: nobody asked for its sides */
    struct score_row all;
    struct score_row areas[SCORE_MOST_AREAS];
    size_t area_count;
    struct score_row provenances[VECTORS_PROVENANCES];
    struct score_row standings[SCORE_STANDINGS];
};

/* Fills the rows. */
void score_count(struct score_report *report);

/* Cases of a row that are as they should be: passed, or acceptable by another side. */
size_t score_good(const struct score_row *row);

/* Of how many: those that were tested. */
size_t score_tested(const struct score_row *row);

void score_print_text(const struct score_report *report, size_t most_listed);

/* The same as JSON; the caller's. */
struct cJSON *score_json(const struct score_report *report);

/* The same as a page (harness/pages). */
enum harness_status score_write_html(const struct score_report *report, const char *path, struct harness_error *error);

enum harness_status score_write_junit(const struct score_report *report, const char *path, struct harness_error *error);

/* A badge: "picafuzz | measured 214/220, documented 310/312, chosen 1400/1500". */
enum harness_status score_write_badge(const struct score_report *report, const char *path, struct harness_error *error);

#endif
