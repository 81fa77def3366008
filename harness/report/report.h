/*
 * A directory of findings as static pages: for each a folder with the case, where its two backends first differ, the
 * pictures of both and of their difference, the listing with the guilty command marked; and an index of all, by
 * bucket; the same as JSON, and as JUnit XML for continuous integration.
 *
 * The same findings on the same backends give the same bytes.
 */
#ifndef HARNESS_REPORT_REPORT_H
#define HARNESS_REPORT_REPORT_H

#include "harness/case/case.h"
#include "harness/localise/localise.h"
#include "harness/run/runner.h"
#include "harness/triage/triage.h"

#include <stddef.h>

struct cJSON;

struct harness_report;

/* Makes `directory` if it is not there. `specification`: directory of the rules, which pages then quote, or NULL. On
 * failure *out is NULL. */
enum harness_status harness_report_create(const char *directory, const char *specification, struct harness_report **out,
                                          struct harness_error *error);
void harness_report_destroy(struct harness_report *report); /* accepts NULL */

/* One finding as the report takes it, sorted already (triage.h). Borrowed for the call. */
struct harness_report_input {
    const char *path; /* of the case file, for people */
    const char *name; /* of its folder: letters, digits, - and _ */
    const struct harness_triage *triage;
    const struct harness_triage_entry *sorted; /* what the case showed when it was sorted: one of triage's entries */
    const struct harness_case *test_case;
    const char *options;  /* of the `picafuzz diff` that shows it again: "-b reference,./libmygpu.so " or "" */
    const char *accepted; /* why what it showed is no failure: "known (my.quirks:3: issue 12)"; "": it counts */
};

/*
 * Runs the case on both runners and writes its folder. A case on which the two agree gets a folder too: it says so.
 * One on which a backend crashed or hung when it was sorted is not run again, nor one on which something failed.
 */
enum harness_status harness_report_add(struct harness_report *report, struct harness_runner *a,
                                       struct harness_runner *b, const struct harness_report_input *input,
                                       struct harness_error *error);

/* What is known of a hunt that cases come from, for the index. Takes `hunt` over, a JSON object; NULL: nothing. */
void harness_report_hunt(struct harness_report *report, struct cJSON *hunt);

/* Writes index.html, index.json, junit.xml and findings.sarif. */
enum harness_status harness_report_finish(struct harness_report *report, struct harness_error *error);

struct harness_report_totals {
    size_t cases;      /* that were added */
    size_t failures;   /* of them: the two differ, or one failed */
    size_t accepted;   /* the same in a way that is accepted */
    size_t not_tested; /* a backend does not support the case: neither agreement nor finding */
};
struct harness_report_totals harness_report_totals(const struct harness_report *report);

#endif
