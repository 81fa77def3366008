/* The files of `picafuzz score`: page, JUnit, badge. Whatever comes from a pack or a plug-in is escaped. */
#include "harness/cli/score_report.h"

#include "harness/case/formats.h"
#include "harness/report/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum harness_status write_page(struct harness_text *page, const char *path, struct harness_error *error)
{
    const enum harness_status status =
        page->failed ? harness_fail_memory(error) : harness_file_write(path, page->data, page->size, error);
    harness_text_free(page);
    return status;
}

static bool is_bad(enum vectors_result result)
{
    return result == VECTORS_FAILED || result == VECTORS_CRASHED || result == VECTORS_HUNG || result == VECTORS_TROUBLE;
}

static double percent(size_t part, size_t whole)
{
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

/* ------------------------------------------------------------------------------------------------------------- page */

static const char style[] =
    "<style>.score{font-size:2em;font-weight:600;margin:.2em 0}.bar{width:12em}.bar span{display:flex;height:.8em;"
    "background:#e4e4e4}.bar i{background:#2b8a3e}.bar b{background:#8cc63f}.bar u{background:#c92a2a}"
    "td.n,th.n{text-align:right;padding-left:1em}code{overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}tr+tr td{border-color:#333}"
    ".bar span{background:#383838}.soft{color:#999}.bad{color:#ff8787}.known{color:#e0b050}}</style>\n";

static void add_head(struct harness_text *page, const char *title)
{
    harness_text_add(page, "<table><tr><th>");
    harness_text_add(page, title);
    harness_text_add(page, "<th class=\"n\">cases");
    for (uint32_t i = 0; i < VECTORS_RESULTS; i++)
        harness_text_format(page, "<th class=\"n\">%s", vectors_result_name(i));
    harness_text_add(page, "<th class=\"bar\"></tr>\n");
}

static void add_row(struct harness_text *page, const struct score_row *row, const char *remark)
{
    harness_text_add(page, "<tr><td>");
    harness_html_text(page, row->name);
    if (remark[0] != '\0')
        harness_text_format(page, " <span class=\"soft\">%s</span>", remark);
    harness_text_format(page, "<td class=\"n\">%zu", row->cases);
    for (uint32_t i = 0; i < VECTORS_RESULTS; i++)
        harness_text_format(page, "<td class=\"n\">%zu", row->results[i]);
    const size_t bad = row->results[VECTORS_FAILED] + row->results[VECTORS_CRASHED] + row->results[VECTORS_HUNG];
    harness_text_format(page,
                        "<td class=\"bar\"><span><i style=\"width:%.1f%%\"></i><b style=\"width:%.1f%%\"></b>"
                        "<u style=\"width:%.1f%%\"></u></span></tr>\n",
                        percent(row->results[VECTORS_PASSED], row->cases),
                        percent(row->results[VECTORS_ACCEPTABLE], row->cases), percent(bad, row->cases));
}

static void add_tables(struct harness_text *page, const struct score_report *report)
{
    add_head(page, "how well is it known?");
    for (uint32_t i = 0; i < SCORE_STANDINGS; i++)
        add_row(page, &report->standings[i], "");
    harness_text_add(page, "</table>\n<h2>What stands behind the expected results</h2>\n");
    add_head(page, "provenance");
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++)
        add_row(page, &report->provenances[i], score_provenance_text(i));
    harness_text_add(page, "</table>\n<h2>Where</h2>\n");
    add_head(page, "area");
    for (size_t i = 0; i < report->area_count; i++)
        add_row(page, &report->areas[i], "");
    harness_text_add(page,
                     "</table>\n<p class=\"soft\">Green: as the specification says, or as a console left it. Light "
                     "green: as a machine with its sides of known choices leaves it, which is acceptable. Red: "
                     "failed, crashed, hung. Grey: not tested.</p>\n");
}

/* The three numbers. */
static void add_score(struct harness_text *page, const struct score_report *report)
{
    for (uint32_t i = 0; i < SCORE_STANDINGS; i++)
        harness_text_format(page, "<p class=\"score\">%zu of %zu <span class=\"soft\">%s</span></p>\n",
                            score_good(&report->standings[i]), score_tested(&report->standings[i]),
                            report->standings[i].name);
    harness_text_format(page, "<p>%zu of %zu that were tested; %zu not tested</p>\n", score_good(&report->all),
                        score_tested(&report->all), report->all.results[VECTORS_NOT_TESTED]);
}

static void add_case(struct harness_text *page, const struct score_report *report, size_t index)
{
    const struct vectors_case *const about = vectors_about(report->vectors, index);
    harness_text_add(page, "<tr><td><code>");
    harness_html_text(page, about->name);
    harness_text_add(page, "</code><br><span class=\"soft\">");
    harness_html_text(page, about->rules);
    harness_text_format(page, "</span><td>%s ", vectors_provenance_name(about->provenance));
    harness_html_text(page, about->provenance == VECTORS_HW ? about->evidence : "");
    harness_text_format(page, "<td class=\"%s\">%s%s<td>",
                        is_bad(report->scored[index].result) && !report->known[index] ? "bad" : "known",
                        vectors_result_name(report->scored[index].result), report->known[index] ? " (known)" : "");
    harness_html_text(page, report->scored[index].note);
    harness_text_add(page, "</tr>\n");
}

/* One fold for each result that is not "passed"; what is best known first. */
static void add_fold(struct harness_text *page, const struct score_report *report, const size_t *order,
                     enum vectors_result result)
{
    if (report->all.results[result] == 0)
        return;
    harness_text_format(page, "<details%s><summary>%zu %s</summary>\n<table>", is_bad(result) ? " open" : "",
                        report->all.results[result], vectors_result_name(result));
    for (size_t i = 0; i < vectors_count(report->vectors); i++)
        if (report->done[order[i]] && report->scored[order[i]].result == result)
            add_case(page, report, order[i]);
    harness_text_add(page, "</table></details>\n");
}

enum harness_status score_write_html(const struct score_report *report, const char *path, struct harness_error *error)
{
    static const enum vectors_result order[] = { VECTORS_CRASHED, VECTORS_HUNG,       VECTORS_TROUBLE,
                                                 VECTORS_FAILED,  VECTORS_ACCEPTABLE, VECTORS_NOT_TESTED };
    struct harness_text page;
    size_t *const cases = calloc(vectors_count(report->vectors) + 1, sizeof *cases);
    if (cases == NULL)
        return harness_fail_memory(error);
    score_sort(report->vectors, cases);
    harness_text_init(&page);
    harness_html_begin(&page, "picafuzz score", NULL);
    harness_text_add(&page, style);
    add_score(&page, report);
    harness_text_add(&page, "<p><code>");
    harness_html_text(&page, report->backend);
    harness_text_format(&page, "</code> on pack %u", (unsigned)vectors_pack_version(report->vectors));
    harness_text_add(&page, report->compared[0] != '\0' ? "; compared: " : "");
    harness_html_text(&page, report->compared);
    harness_text_add(&page, "</p>\n");
    add_tables(&page, report);
    harness_text_add(&page, "<h2>Cases that did not simply pass</h2>\n");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        add_fold(&page, report, cases, order[i]);
    free(cases);
    harness_html_end(&page);
    return write_page(&page, path, error);
}

/* ------------------------------------------------------------------------------------------------------------ JUnit */

static void add_test(struct harness_text *text, const struct score_report *report, size_t index)
{
    const struct vectors_case *const about = vectors_about(report->vectors, index);
    const enum vectors_result result = report->scored[index].result;
    harness_text_format(text, "<testcase classname=\"");
    harness_html_text(text, about->area);
    harness_text_add(text, "\" name=\"");
    harness_html_text(text, about->name);
    harness_text_add(text, "\"");
    const bool skipped = result == VECTORS_NOT_TESTED || (is_bad(result) && report->known[index]);
    if (!skipped && !is_bad(result)) {
        harness_text_add(text, "/>\n");
        return;
    }
    harness_text_format(text, "><%s message=\"%s: ", skipped ? "skipped" : "failure", vectors_result_name(result));
    harness_html_text(text, report->scored[index].note);
    harness_text_add(text, "\"/></testcase>\n");
}

enum harness_status score_write_junit(const struct score_report *report, const char *path, struct harness_error *error)
{
    struct harness_text text;
    size_t failures = 0;
    for (size_t i = 0; i < vectors_count(report->vectors); i++)
        failures += report->done[i] && is_bad(report->scored[i].result) && !report->known[i];
    harness_text_init(&text);
    harness_text_format(&text,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<testsuites><testsuite name=\"picafuzz score\" tests=\"%zu\" failures=\"%zu\">\n",
                        report->all.cases, failures);
    for (size_t i = 0; i < vectors_count(report->vectors); i++)
        if (report->done[i])
            add_test(&text, report, i);
    harness_text_add(&text, "</testsuite></testsuites>\n");
    return write_page(&text, path, error);
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
    struct harness_text text;
    const double share = percent(score_good(&report->all), score_tested(&report->all));
    badge_text(report, score, sizeof score);
    const int right = (int)strlen(score) * BADGE_LETTER + 10, width = BADGE_LEFT + right;
    const char *const colour = share >= 99.0 ? "#2b8a3e" : share >= 80.0 ? "#b08800" : "#c92a2a";
    harness_text_init(&text);
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
    return write_page(&text, path, error);
}
