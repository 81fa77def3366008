/* The pages that speak of all findings: HTML, JSON, JUnit XML. */
#include "harness/case/formats.h"
#include "harness/findings/html.h"
#include "harness/findings/location_json.h"
#include "harness/findings/report_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum harness_status write_file(const struct harness_report *report, const char *file,
                                      const struct harness_text *text, struct harness_error *error)
{
    char path[4096];
    if (text->failed)
        return harness_fail_memory(error);
    if (!report_path(report, "", file, path, sizeof path))
        return harness_fail(error, HARNESS_HOST, "%s: the path is too long", file);
    return harness_file_write(path, text->data, text->size, error);
}

/* Entries by bucket, largest bucket first, then by name: pointers into the report; the caller frees. */
struct ordered {
    const struct report_entry *entry;
    size_t in_bucket; /* entries of the same bucket */
};

static int by_bucket(const void *a, const void *b)
{
    const struct ordered *const x = a, *const y = b;
    if (x->entry->failed != y->entry->failed)
        return x->entry->failed ? -1 : 1;
    if (x->in_bucket != y->in_bucket)
        return x->in_bucket > y->in_bucket ? -1 : 1;
    const int bucket = strcmp(x->entry->bucket, y->entry->bucket);
    return bucket != 0 ? bucket : strcmp(x->entry->name, y->entry->name);
}

static struct ordered *order(const struct harness_report *report)
{
    struct ordered *const items = calloc(report->count + 1, sizeof *items);
    for (size_t i = 0; items != NULL && i < report->count; i++) {
        items[i].entry = &report->entries[i];
        for (size_t k = 0; k < report->count; k++)
            items[i].in_bucket += strcmp(report->entries[i].bucket, report->entries[k].bucket) == 0;
    }
    if (items != NULL)
        qsort(items, report->count, sizeof *items, by_bucket);
    return items;
}

static size_t count_buckets(const struct harness_report *report, const struct ordered *items)
{
    size_t buckets = 0;
    for (size_t i = 0; i < report->count; i++)
        buckets +=
            items[i].entry->failed && (i == 0 || strcmp(items[i].entry->bucket, items[i - 1].entry->bucket) != 0);
    return buckets;
}

static void add_row(const struct report_entry *entry, struct harness_text *out)
{
    const struct harness_location *const location = &entry->location;
    harness_text_format(out, "<tr><td><a href=\"%s/index.html\">", entry->name);
    harness_html_text(out, entry->name);
    harness_text_format(out, "</a></td><td class=\"%s\">", entry->failed ? "bad" : "fine");
    harness_html_text(out, entry->verdict);
    harness_text_add(out, "</td><td>");
    harness_html_text(out, location->stage != NULL ? location->stage : "");
    harness_text_add(out, "</td><td>");
    harness_html_text(out, location->rule != NULL ? location->rule : "");
    harness_text_format(out, "</td><td>%" PRIu32 "</td><td>%zu</td><td>", entry->writes, entry->bytes);
    harness_html_text(out, entry->first_seen != NULL ? entry->first_seen : "");
    harness_text_add(out, "</td></tr>\n");
}

static void add_bucket_head(const struct ordered *item, struct harness_text *out)
{
    harness_text_add(out, "<h2>");
    harness_html_text(out, item->entry->bucket);
    harness_text_format(out, " <span class=\"soft\">%zu case%s</span></h2>\n", item->in_bucket,
                        item->in_bucket == 1 ? "" : "s");
    harness_text_add(out, "<table><tr><th>finding</th><th>verdict</th><th>stage</th><th>rule</th><th>register "
                          "writes</th><th>bytes</th><th>first seen</th></tr>\n");
}

static enum harness_status write_html(const struct harness_report *report, const struct ordered *items,
                                      struct harness_error *error)
{
    struct harness_text page;
    harness_text_init(&page);
    harness_html_begin(&page, "picafuzz findings", NULL);
    harness_text_format(&page,
                        "<p>%zu case%s, %zu with a finding in %zu bucket%s. "
                        "<a href=\"index.json\">JSON</a>, <a href=\"junit.xml\">JUnit XML</a></p>\n",
                        report->count, report->count == 1 ? "" : "s", harness_report_failures(report),
                        count_buckets(report, items), count_buckets(report, items) == 1 ? "" : "s");
    for (size_t i = 0; i < report->count; i++) {
        const bool begins = i == 0 || strcmp(items[i].entry->bucket, items[i - 1].entry->bucket) != 0;
        if (begins)
            add_bucket_head(&items[i], &page);
        add_row(items[i].entry, &page);
        if (i + 1 == report->count || strcmp(items[i].entry->bucket, items[i + 1].entry->bucket) != 0)
            harness_text_add(&page, "</table>\n");
    }
    harness_html_end(&page);
    const enum harness_status status = write_file(report, "index.html", &page, error);
    harness_text_free(&page);
    return status;
}

static cJSON *entry_json(const struct report_entry *entry)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", entry->name);
    cJSON_AddStringToObject(object, "case", entry->path);
    cJSON_AddStringToObject(object, "verdict", entry->verdict);
    cJSON_AddStringToObject(object, "bucket", entry->bucket);
    if (entry->first_seen != NULL)
        cJSON_AddStringToObject(object, "first_seen", entry->first_seen);
    cJSON_AddNumberToObject(object, "operations", entry->operations);
    cJSON_AddNumberToObject(object, "register_writes", entry->writes);
    cJSON_AddNumberToObject(object, "bytes", (double)entry->bytes);
    cJSON_AddStringToObject(object, "message", entry->message);
    if (entry->location.differs)
        cJSON_AddItemToObject(object, "location", harness_location_json(&entry->location));
    return object;
}

static enum harness_status write_json(const struct harness_report *report, const struct ordered *items,
                                      struct harness_error *error)
{
    cJSON *const root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "picafuzz report 1");
    cJSON *const findings = cJSON_AddArrayToObject(root, "findings");
    for (size_t i = 0; i < report->count; i++)
        cJSON_AddItemToArray(findings, entry_json(items[i].entry));
    struct harness_text text;
    harness_text_init(&text);
    char *const printed = cJSON_Print(root);
    cJSON_Delete(root);
    if (printed == NULL)
        return harness_fail_memory(error);
    harness_text_add(&text, printed);
    harness_text_add(&text, "\n");
    cJSON_free(printed);
    const enum harness_status status = write_file(report, "index.json", &text, error);
    harness_text_free(&text);
    return status;
}

/* Each case is a test; one on which the two differ has failed. */
static enum harness_status write_junit(const struct harness_report *report, const struct ordered *items,
                                       struct harness_error *error)
{
    struct harness_text text, place;
    harness_text_init(&text);
    harness_text_init(&place);
    harness_text_format(&text,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<testsuites><testsuite name=\"picafuzz\" tests=\"%zu\" failures=\"%zu\">\n",
                        report->count, harness_report_failures(report));
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const entry = items[i].entry;
        harness_text_add(&text, "<testcase classname=\"");
        harness_html_text(&text, entry->bucket);
        harness_text_add(&text, "\" name=\"");
        harness_html_text(&text, entry->name);
        harness_text_add(&text, entry->failed ? "\"><failure message=\"" : "\"/>\n");
        if (!entry->failed)
            continue;
        harness_html_text(&text, entry->verdict);
        harness_text_add(&text, "\">");
        harness_text_clear(&place);
        harness_location_text(&entry->location, &place);
        harness_html_text(&text, place.size != 0 ? harness_text_string(&place) : entry->message);
        harness_text_add(&text, "</failure></testcase>\n");
    }
    harness_text_add(&text, "</testsuite></testsuites>\n");
    const enum harness_status status = write_file(report, "junit.xml", &text, error);
    harness_text_free(&text);
    harness_text_free(&place);
    return status;
}

enum harness_status harness_report_finish(struct harness_report *report, struct harness_error *error)
{
    struct ordered *const items = order(report);
    if (items == NULL)
        return harness_fail_memory(error);
    enum harness_status status = write_html(report, items, error);
    if (status == HARNESS_OK)
        status = write_json(report, items, error);
    if (status == HARNESS_OK)
        status = write_junit(report, items, error);
    free(items);
    return status;
}
