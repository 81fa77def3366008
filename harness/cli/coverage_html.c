/* The page of `picafuzz coverage --html`: the table, and below it what is missing, folded by register or subject. */
#include "harness/cli/coverage_report.h"

#include "harness/case/formats.h"
#include "harness/case/text.h"

#include <stdio.h>
#include <string.h>

enum {
    NAME_SIZE = 256
};

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Semantic coverage</title>\n<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222;background:#fff}\n"
    "table{border-collapse:collapse;margin:1em 0}th,td{padding:.3em 1em;text-align:right;border-bottom:1px solid "
    "#ddd}\n"
    "th:first-child,td:first-child{text-align:left}.bar{width:14em;padding:0 1em}\n"
    ".bar span{display:block;height:.8em;background:#e4e4e4;position:relative}\n"
    ".bar i,.bar b{position:absolute;left:0;top:0;bottom:0}.bar i{background:#f2c464}.bar b{background:#3a8a4d}\n"
    "details{margin:.2em 0 .2em 1em}summary{cursor:pointer}h2{margin-top:2em}\n"
    "code{font:13px/1.5 ui-monospace,monospace;margin-right:1.2em;white-space:nowrap}.seen{color:#9a6a00}\n"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}th,td{border-color:#444}\n"
    ".bar span{background:#383838}.seen{color:#e0b050}}\n"
    "</style></head><body>\n";

static void add_escaped(struct harness_text *page, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '<')
            harness_text_add(page, "&lt;");
        else if (*text == '&')
            harness_text_add(page, "&amp;");
        else
            harness_text_format(page, "%c", *text);
    }
}

static double share(size_t part, size_t whole)
{
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

static void add_table(const struct coverage_report *report, struct harness_text *page)
{
    harness_text_add(page, "<table><tr><th>area<th>total<th>seen<th>with effect<th>%<th></tr>\n");
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++) {
        const struct coverage_area area = coverage_count(report, (enum harness_area)a);
        const char *const name = harness_area_name((enum harness_area)a);
        harness_text_format(page, "<tr><td><a href=\"#%s\">%s</a><td>%zu<td>%zu<td>%zu<td>%.2f", name, name, area.total,
                            area.seen, area.effect, coverage_percent(&area));
        harness_text_format(
            page,
            "<td class=\"bar\"><span><i style=\"width:%.1f%%\"></i><b style=\"width:%.1f%%\"></b></span>"
            "</tr>\n",
            share(area.seen, area.total), share(area.effect, area.total));
    }
    harness_text_add(page, "</table>\n<p>Green: with effect. Yellow: seen, without effect so far.</p>\n");
}

/* What the names of one fold begin with: up to the first dot, blank or colon. */
static size_t subject_length(const char *name)
{
    return strcspn(name, ". :");
}

static void add_missing(const struct coverage_report *report, enum harness_area which, struct harness_text *page)
{
    const struct coverage_area area = coverage_count(report, which);
    char subject[NAME_SIZE] = "", name[NAME_SIZE];
    harness_text_format(page, "<h2 id=\"%s\">%s: %zu missing</h2>\n", harness_area_name(which),
                        harness_area_name(which), area.total - area.effect);
    for (size_t i = area.first; i < area.first + area.total; i++) {
        if ((report->marks[i] & HARNESS_MARK_EFFECT) != 0)
            continue;
        harness_item_name(report->universe, i, name, sizeof name);
        const size_t length = subject_length(name);
        if (strncmp(name, subject, length) != 0 || subject[length] != '\0') {
            harness_text_add(page, subject[0] != '\0' ? "</details>\n<details><summary>" : "<details><summary>");
            (void)snprintf(subject, sizeof subject, "%.*s", (int)length, name);
            add_escaped(page, subject);
            harness_text_add(page, "</summary>\n");
        }
        harness_text_add(page, (report->marks[i] & HARNESS_MARK_SEEN) != 0 ? "<code class=\"seen\">" : "<code>");
        add_escaped(page, name);
        harness_text_add(page, "</code>\n");
    }
    if (subject[0] != '\0')
        harness_text_add(page, "</details>\n");
}

enum harness_status coverage_write_html(const struct coverage_report *report, const char *path,
                                        struct harness_error *error)
{
    struct harness_text page;
    harness_text_init(&page);
    harness_text_add(&page, head);
    harness_text_format(&page, "<h1>Semantic coverage</h1>\n<p>%llu case(s) on the reference backend.</p>\n",
                        (unsigned long long)report->cases);
    add_table(report, &page);
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++)
        add_missing(report, (enum harness_area)a, &page);
    harness_text_add(&page, "</body></html>\n");
    const char *const text = harness_text_string(&page);
    const enum harness_status status =
        page.failed ? harness_fail_memory(error) : harness_file_write(path, text, strlen(text), error);
    harness_text_free(&page);
    return status;
}
