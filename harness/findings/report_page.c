/* The page of one finding. */
#include "harness/case/formats.h"
#include "harness/findings/html.h"
#include "harness/findings/report_parts.h"
#include "harness/findings/rule_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES_AROUND = 150 /* shown before and after the guilty line; the whole case lies beside the page */
};

/* A comment put before the guilty line of a copy of the case; the listing shows a highlighted line instead. */
static const char guilty_mark[] = "picafuzz report: guilty";

static void add_fact(struct harness_text *out, const char *name, const char *value)
{
    harness_text_format(out, "<tr><th>%s</th><td>", name);
    harness_html_text(out, value);
    harness_text_add(out, "</td></tr>\n");
}

static void add_facts(const struct report_entry *entry, struct harness_text *out)
{
    struct harness_text value;
    harness_text_init(&value);
    harness_text_add(out, "<table>\n");
    harness_text_format(out, "<tr><th>verdict</th><td class=\"%s\">", entry->failed ? "bad" : "fine");
    harness_html_text(out, entry->verdict);
    harness_text_add(out, "</td></tr>\n");
    add_fact(out, "bucket", entry->bucket);
    add_fact(out, "", entry->key);
    if (entry->first_seen[0] != '\0')
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
    if (entry->location.rule != NULL && entry->location.rule[0] != '\0')
        add_fact(out, "rule", entry->location.rule);
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
    }
    if (entry->message[0] != '\0') {
        harness_text_format(out, "<h2>%s</h2>\n<pre>",
                            entry->location.differs ? "After that operation" : "What happened");
        harness_html_text(out, entry->message);
        harness_text_add(out, "</pre>\n");
    }
    harness_text_free(&place);
}

static void add_rule(const struct harness_report *report, const struct report_entry *entry, struct harness_text *out)
{
    char file[256];
    struct harness_text rule;
    harness_text_init(&rule);
    if (report->specification != NULL && entry->location.rule != NULL &&
        harness_rule_text(report->specification, entry->location.rule, &rule, file, sizeof file)) {
        harness_text_format(out, "<h2 id=\"rule\">Rule %s</h2>\n<pre>", entry->location.rule);
        harness_html_text(out, harness_text_string(&rule));
        harness_text_add(out, "</pre>\n<p class=\"soft\">from ");
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
        harness_text_format(out,
                            "<h2>%s at 0x%08" PRIX32 ", %" PRIu32 "x%" PRIu32 " %s: %" PRIu64
                            " pixels differ, first x %" PRIu32 ", y %" PRIu32 "</h2>\n",
                            picture->origin, surface->address, surface->width, surface->height,
                            oracle_format_name(surface->format), picture->differing, picture->first_x,
                            picture->first_y);
        if (picture->width != surface->width || picture->height != surface->height)
            harness_text_format(out, "<p class=\"soft\">The part of %" PRIu32 "x%" PRIu32 " around that pixel.</p>\n",
                                picture->width, picture->height);
        add_figure(out, picture->first, entry->location.first);
        add_figure(out, picture->second, entry->location.second);
        add_figure(out, picture->difference, "difference (white; red: only in alpha, stencil or low depth bits)");
        harness_text_add(out, "<br>\n");
        add_figure(out, picture->zoom, "around the first differing pixel, both sides");
    }
}

/* ----------------------------------------------------------------------------------------------------------- listing */

/* Puts the mark before the guilty command, or the guilty operation where the command is not known. */
static void mark_guilty(struct harness_case *test_case, const struct report_entry *entry)
{
    if (!entry->has_operation || entry->operation >= test_case->operation_count)
        return;
    const struct harness_location *const location = &entry->location;
    struct harness_operation *const operation = &test_case->operations[entry->operation];
    const struct harness_list *const list = &operation->data.list;
    const bool in_list = operation->kind == HARNESS_RUN && location->has_command &&
                         location->command_word != UINT32_MAX && location->command <= list->count &&
                         harness_list_header_word(list, location->command - 1) == location->command_word;
    if (in_list)
        list->commands[location->command - 1].comment = guilty_mark;
    else
        operation->comment = guilty_mark;
}

static size_t line_length(const char *line)
{
    const char *const end = strchr(line, '\n');
    return end != NULL ? (size_t)(end - line) + 1 : strlen(line);
}

static bool is_mark(const char *line, size_t length)
{
    for (size_t i = 0; i + strlen(guilty_mark) <= length; i++)
        if (memcmp(line + i, guilty_mark, strlen(guilty_mark)) == 0)
            return true;
    return false;
}

/* Number of the line with the mark, or 0. */
static size_t find_mark(const char *text)
{
    size_t number = 0;
    for (const char *line = text; *line != '\0'; line += line_length(line), number++)
        if (is_mark(line, line_length(line)))
            return number;
    return 0;
}

static void add_lines(const char *text, struct harness_text *out)
{
    const size_t guilty = find_mark(text);
    const size_t first = guilty > LINES_AROUND ? guilty - LINES_AROUND : 0;
    size_t number = 0;
    bool marked = false;
    for (const char *line = text; *line != '\0'; line += line_length(line), number++) {
        char copy[4096];
        const size_t length = line_length(line) < sizeof copy ? line_length(line) : sizeof copy - 1;
        memcpy(copy, line, length);
        copy[length] = '\0';
        if (number < first || number > guilty + LINES_AROUND) {
            if (number == guilty + LINES_AROUND + 1)
                harness_text_add(out, "...\n");
            continue;
        }
        if (is_mark(line, line_length(line))) {
            marked = true;
            continue;
        }
        harness_text_add(out, number == first && first != 0 ? "...\n" : "");
        harness_text_add(out, marked ? "<mark>" : "");
        harness_html_text(out, copy);
        harness_text_add(out, marked ? "</mark>" : "");
        marked = false;
    }
}

static enum harness_status add_listing(const struct report_entry *entry, const struct harness_case *test_case,
                                       struct harness_text *out, struct harness_error *error)
{
    struct harness_text listing;
    struct harness_case *const copy = harness_case_clone(test_case);
    if (copy == NULL)
        return harness_fail_memory(error);
    harness_text_init(&listing);
    mark_guilty(copy, entry);
    const enum harness_status status = harness_pcase_write(copy, &listing, error);
    harness_text_add(out, "<h2>The case</h2>\n<p><a href=\"case.pcase\">case.pcase</a>, to run with "
                          "<code>picafuzz diff case.pcase</code>. The line that makes the two differ is marked.</p>\n"
                          "<pre>");
    if (status == HARNESS_OK)
        add_lines(harness_text_string(&listing), out);
    harness_text_add(out, "</pre>\n");
    harness_text_free(&listing);
    harness_case_destroy(copy);
    return status;
}

enum harness_status report_write_page(const struct harness_report *report, const struct report_entry *entry,
                                      const struct harness_case *test_case, struct harness_error *error)
{
    struct harness_text page;
    char path[4096];
    harness_text_init(&page);
    harness_html_begin(&page, entry->name, "../index.html");
    add_facts(entry, &page);
    add_place(entry, &page);
    add_rule(report, entry, &page);
    add_pictures(entry, &page);
    enum harness_status status = add_listing(entry, test_case, &page, error);
    harness_html_end(&page);
    if (status == HARNESS_OK && page.failed)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK && report_path(report, entry->name, "index.html", path, sizeof path))
        status = harness_file_write(path, page.data, page.size, error);
    if (status == HARNESS_OK && report_path(report, entry->name, "case.pcase", path, sizeof path))
        status = harness_case_save_file(test_case, path, error);
    harness_text_free(&page);
    return status;
}
