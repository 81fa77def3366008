/* The files of `picafuzz score`: page, JUnit, badge. Whatever comes from a pack or a plug-in is escaped. */
#include "harness/cli/score_report.h"

#include "harness/case/formats.h"
#include "harness/pages/pages.h"
#include "harness/pages/json.h"

#include <stdio.h>
#include <string.h>

static bool is_bad(enum vectors_result result)
{
    return result == VECTORS_FAILED || result == VECTORS_CRASHED || result == VECTORS_HUNG || result == VECTORS_TROUBLE;
}

enum harness_status score_write_html(const struct score_report *report, const char *path, struct harness_error *error)
{
    return harness_json_page(path, "score", score_json(report), error);
}

/* ------------------------------------------------------------------------------------------------------------ JUnit */

static void add_test(struct harness_text *text, const struct score_report *report, size_t index)
{
    const struct vectors_case *const about = vectors_about(report->vectors, index);
    const enum vectors_result result = report->scored[index].result;
    harness_text_format(text, "<testcase classname=\"");
    harness_xml_text(text, about->area);
    harness_text_add(text, "\" name=\"");
    harness_xml_text(text, about->name);
    harness_text_add(text, "\"");
    const bool skipped = result == VECTORS_NOT_TESTED || (is_bad(result) && report->known[index]);
    if (!skipped && !is_bad(result)) {
        harness_text_add(text, "/>\n");
        return;
    }
    harness_text_format(text, "><%s message=\"%s: ", skipped ? "skipped" : "failure", vectors_result_name(result));
    harness_xml_text(text, report->scored[index].note);
    harness_text_add(text, "\"/></testcase>\n");
}

enum harness_status score_write_junit(const struct score_report *report, const char *path, struct harness_error *error)
{
    struct harness_text text = { 0 };
    size_t failures = 0;
    for (size_t i = 0; i < vectors_count(report->vectors); i++)
        failures += report->done[i] && is_bad(report->scored[i].result) && !report->known[i];
    harness_text_format(&text,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<testsuites><testsuite name=\"picafuzz score\" tests=\"%zu\" failures=\"%zu\">\n",
                        report->all.cases, failures);
    for (size_t i = 0; i < vectors_count(report->vectors); i++)
        if (report->done[i])
            add_test(&text, report, i);
    harness_text_add(&text, "</testsuite></testsuites>\n");
    return harness_file_write_text(path, &text, error);
}

/* ------------------------------------------------------------------------------------------------------------ badge */

enum {
    BADGE_LEFT = 60,
    BADGE_LETTER = 7 /* pixels of a letter of 11 pixels, about */
};

/* "measured 214/220, documented 310/312, chosen 1400/1500" */
static void badge_text(const struct score_report *report, char *out, size_t size)
{
    static const char *const words[SCORE_STANDINGS] = { "measured", "documented", "chosen" };
    size_t used = 0;
    for (uint32_t i = 0; i < SCORE_STANDINGS && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s %zu/%zu", i != 0 ? ", " : "", words[i],
                                 score_good(&report->standings[i]), score_tested(&report->standings[i]));
}

enum harness_status score_write_badge(const struct score_report *report, const char *path, struct harness_error *error)
{
    char score[160];
    struct harness_text text = { 0 };
    const size_t good = score_good(&report->all), tested = score_tested(&report->all);
    const double share = tested != 0 ? 100.0 * (double)good / (double)tested : 0.0;
    badge_text(report, score, sizeof score);
    const int right = (int)strlen(score) * BADGE_LETTER + 10, width = BADGE_LEFT + right;
    const char *const colour = share >= 99.0 ? "#2b8a3e" : share >= 80.0 ? "#b08800" : "#c92a2a";
    harness_text_format(&text,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"20\" role=\"img\" "
                        "aria-label=\"picafuzz: %s\"><title>picafuzz: %s</title>\n"
                        "<rect width=\"%d\" height=\"20\" rx=\"3\" fill=\"#555\"/>"
                        "<rect x=\"%d\" width=\"%d\" height=\"20\" rx=\"3\" fill=\"%s\"/>"
                        "<rect x=\"%d\" width=\"4\" height=\"20\" fill=\"%s\"/>\n",
                        width, score, score, width, BADGE_LEFT, right, colour, BADGE_LEFT, colour);
    harness_text_format(&text,
                        "<g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,DejaVu Sans,sans-serif\" "
                        "font-size=\"11\"><text x=\"%d\" y=\"14\">picafuzz</text><text x=\"%d\" y=\"14\">%s</text></g>"
                        "</svg>\n",
                        BADGE_LEFT / 2, BADGE_LEFT + right / 2, score);
    return harness_file_write_text(path, &text, error);
}
