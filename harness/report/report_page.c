/* The page of one finding. */
#include "harness/case/formats.h"
#include "harness/report/html.h"
#include "harness/report/report_parts.h"
#include "harness/report/rule_html.h"
#include "harness/report/rule_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_fact(struct harness_text *out, const char *name, const char *value)
{
    harness_text_format(out, "<tr><th>%s</th><td>", name);
    harness_html_text(out, value);
    harness_text_add(out, "</td></tr>\n");
}

static const char *rule_of(const struct report_entry *entry)
{
    return entry->location.rule != NULL ? entry->location.rule : "";
}

/* What people need to know first. */
static void add_headline(const struct report_entry *entry, struct harness_text *out)
{
    const struct harness_location *const location = &entry->location;
    if (!location->differs || location->stage == NULL) {
        harness_text_format(out, "%s: %s", entry->name, entry->failed ? entry->verdict : "the two agree");
        return;
    }
    harness_text_format(out, "%s: %s differs", entry->name, location->stage);
    if (rule_of(entry)[0] != '\0')
        harness_text_format(out, " (%s)", rule_of(entry));
}

static void add_facts(const struct report_entry *entry, struct harness_text *out)
{
    struct harness_text value;
    harness_text_init(&value);
    harness_text_add(out, "<table class=\"facts\">\n");
    harness_text_format(out, "<tr><th>verdict</th><td class=\"%s\">", report_is_failure(entry) ? "bad" : "fine");
    harness_html_text(out, entry->verdict);
    harness_text_add(out, entry->accepted[0] != '\0' ? ", " : "");
    harness_html_text(out, entry->accepted);
    harness_text_add(out, "</td></tr>\n<tr><th>bucket</th><td><a href=\"../index.html#");
    harness_html_text(out, entry->bucket);
    harness_text_add(out, "\">");
    harness_html_text(out, entry->bucket);
    harness_text_add(out, "</a>: ");
    harness_html_text(out, entry->key);
    harness_text_add(out, "</td></tr>\n");
    if (entry->failed && entry->first_seen[0] != '\0')
        add_fact(out, "first seen", entry->first_seen);
    add_fact(out, "case", entry->path);
    harness_text_format(&value, "%" PRIu32 " operation%s, %" PRIu32 " register writes, %" PRIu64 " bytes",
                        entry->operations, entry->operations == 1 ? "" : "s", entry->writes, entry->bytes);
    add_fact(out, "size", harness_text_string(&value));
    if (entry->location.differs) {
        harness_text_clear(&value);
        harness_text_format(&value, "%s and %s", entry->location.first, entry->location.second);
        add_fact(out, "backends", harness_text_string(&value));
    }
    harness_text_add(out, "</table>\n");
    harness_text_free(&value);
}

static void add_place(const struct report_entry *entry, struct harness_text *out)
{
    struct harness_text place;
    harness_text_init(&place);
    harness_location_text(&entry->location, &place);
    if (place.size != 0) {
        harness_text_add(out, "<h2>Where the two first differ</h2>\n<pre>");
        harness_html_text(out, harness_text_string(&place));
        harness_text_add(out, "</pre>\n");
    } else if (entry->message[0] != '\0') {
        harness_text_add(out, "<h2>What happened</h2>\n<pre>");
        harness_html_text(out, entry->message);
        harness_text_add(out, "</pre>\n");
    }
    harness_text_free(&place);
}

/* Everything that the oracles say, and the first memory that differs. */
static void add_results(const struct report_entry *entry, struct harness_text *out)
{
    if (!entry->location.differs || entry->message[0] == '\0')
        return;
    harness_text_add(out, "<h2>What differs after that operation</h2>\n<pre>");
    harness_html_text(out, entry->message);
    harness_text_add(out, "</pre>\n");
    if (entry->memory.size != 0)
        harness_text_format(out, "<pre>%s</pre>\n", harness_text_string(&entry->memory));
}

static void add_rule(const struct harness_report *report, const struct report_entry *entry, struct harness_text *out)
{
    char file[256];
    struct harness_text rule;
    harness_text_init(&rule);
    if (report->specification != NULL &&
        harness_rule_text(report->specification, rule_of(entry), &rule, file, sizeof file)) {
        harness_text_format(out, "<h2 id=\"rule\">Rule %s</h2>\n<div class=\"rule\">", rule_of(entry));
        harness_rule_html(harness_text_string(&rule), out);
        harness_text_add(out, "</div>\n<p class=\"soft\">from docs/spec/");
        harness_html_text(out, file);
        harness_text_add(out, "</p>\n");
    }
    harness_text_free(&rule);
}

static void add_figure(struct harness_text *out, const char *file, const char *caption)
{
    harness_text_format(out, "<figure><img src=\"%s\" alt=\"", file);
    harness_html_text(out, caption);
    harness_text_add(out, "\"><figcaption>");
    harness_html_text(out, caption);
    harness_text_add(out, "</figcaption></figure>\n");
}

static void add_pictures(const struct report_entry *entry, struct harness_text *out)
{
    for (size_t i = 0; i < entry->picture_count; i++) {
        const struct report_picture *const picture = &entry->pictures[i];
        const struct oracle_surface *const surface = &picture->surface;
        harness_text_add(out, "<h2>");
        report_picture_title(picture, out);
        harness_text_format(out, ": %" PRIu64 " pixel%s differ%s, first x %" PRIu32 ", y %" PRIu32 "</h2>\n",
                            picture->differing, picture->differing == 1 ? "" : "s", picture->differing == 1 ? "s" : "",
                            picture->first_x, picture->first_y);
        if (picture->width != surface->width || picture->height != surface->height)
            harness_text_format(out, "<p class=\"soft\">The part of %" PRIu32 "x%" PRIu32 " around that pixel.</p>\n",
                                picture->width, picture->height);
        add_figure(out, picture->first, entry->location.first);
        add_figure(out, picture->second, entry->location.second);
        add_figure(out, picture->difference, "difference");
        harness_text_add(out, "<p class=\"soft\">White: differs in what is shown; red: only in alpha, stencil or low "
                              "bits of depth.</p>\n");
        add_figure(out, picture->zoom, "around the first differing pixel, both sides");
    }
}

static enum harness_status add_case(const struct report_entry *entry, const struct harness_case *test_case,
                                    struct harness_text *out, struct harness_error *error)
{
    harness_text_add(out, "<h2>The case</h2>\n<p><a href=\"case.pcase\">case.pcase</a>, to run with "
                          "<code>picafuzz diff ");
    harness_html_text(out, entry->options);
    harness_text_add(out, "case.pcase</code>.");
    if (entry->has_operation)
        harness_text_add(out, " The <a href=\"#guilty\">line</a> at which it shows is marked.");
    harness_text_add(out, "</p>\n<pre>");
    const enum harness_status status = report_add_listing(entry, test_case, out, error);
    harness_text_add(out, "</pre>\n");
    return status;
}

enum harness_status report_write_page(const struct harness_report *report, const struct report_entry *entry,
                                      const struct harness_case *test_case, struct harness_error *error)
{
    struct harness_text page, headline;
    char path[4096];
    harness_text_init(&page);
    harness_text_init(&headline);
    add_headline(entry, &headline);
    harness_html_begin(&page, harness_text_string(&headline), "../index.html");
    add_facts(entry, &page);
    add_place(entry, &page);
    add_pictures(entry, &page);
    add_rule(report, entry, &page);
    add_results(entry, &page);
    enum harness_status status = add_case(entry, test_case, &page, error);
    harness_html_end(&page);
    if (status == HARNESS_OK && (page.failed || headline.failed))
        status = harness_fail_memory(error);
    if (status == HARNESS_OK && report_path(report, entry->name, "index.html", path, sizeof path))
        status = harness_file_write(path, page.data, page.size, error);
    if (status == HARNESS_OK && report_path(report, entry->name, "case.pcase", path, sizeof path))
        status = harness_case_save_file(test_case, path, error);
    harness_text_free(&page);
    harness_text_free(&headline);
    return status;
}
