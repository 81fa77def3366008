/* The pages about all findings: HTML, JSON, JUnit XML. */
#include "harness/case/formats.h"
#include "harness/localise/location_json.h"
#include "harness/report/html.h"
#include "harness/report/report_parts.h"
#include "harness/report/sarif.h"
#include "harness/triage/json_file.h"

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

/* Entries by bucket: findings before those that are accepted, these before cases that agree, then the largest bucket
 * first, then by name. */
struct ordered {
    const struct report_entry *entry;
    uint64_t found; /* findings that fell into its bucket, kept or not */
    size_t kept;    /* cases of the bucket in this report */
    const char *first_seen;
};

static bool same_bucket(const struct report_entry *a, const struct report_entry *b)
{
    return strcmp(a->bucket, b->bucket) == 0;
}

static size_t directory_length(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) : 0;
}

static bool same_directory(const struct report_entry *a, const struct report_entry *b)
{
    const size_t length = directory_length(a->path);
    return length == directory_length(b->path) && strncmp(a->path, b->path, length) == 0;
}

/* The counts that campaigns left in the directories of the bucket's cases, and one for each case without such a
 * count. */
static void count_bucket(const struct harness_report *report, struct ordered *item)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const other = &report->entries[i];
        bool counted = false;
        if (!same_bucket(item->entry, other))
            continue;
        item->kept++;
        if (item->first_seen[0] == '\0' ||
            (other->first_seen[0] != '\0' && strcmp(other->first_seen, item->first_seen) < 0))
            item->first_seen = other->first_seen;
        for (size_t k = 0; k < i && !counted; k++)
            counted = same_bucket(other, &report->entries[k]) && same_directory(other, &report->entries[k]);
        if (other->record.found == 0)
            item->found++;
        else if (!counted)
            item->found += other->record.found;
    }
    if (item->found < item->kept)
        item->found = item->kept;
}

static int rank(const struct report_entry *entry)
{
    if (report_is_failure(entry))
        return 0;
    return entry->failed ? 1 : 2;
}

/* The class of an entry on the pages. */
static const char *class_of(const struct report_entry *entry)
{
    static const char *const classes[] = { "bad", "known", "fine" };
    return classes[rank(entry)];
}

static int by_bucket(const void *a, const void *b)
{
    const struct ordered *const x = a, *const y = b;
    if (rank(x->entry) != rank(y->entry))
        return rank(x->entry) - rank(y->entry);
    if (x->found != y->found)
        return x->found > y->found ? -1 : 1;
    const int bucket = strcmp(x->entry->bucket, y->entry->bucket);
    return bucket != 0 ? bucket : strcmp(x->entry->name, y->entry->name);
}

static struct ordered *order(const struct harness_report *report)
{
    struct ordered *const items = calloc(report->count + 1, sizeof *items);
    for (size_t i = 0; items != NULL && i < report->count; i++) {
        items[i].entry = &report->entries[i];
        items[i].first_seen = report->entries[i].first_seen;
        count_bucket(report, &items[i]);
    }
    if (items != NULL)
        qsort(items, report->count, sizeof *items, by_bucket);
    return items;
}

static bool begins_bucket(const struct ordered *items, size_t i)
{
    return i == 0 || !same_bucket(items[i].entry, items[i - 1].entry) ||
           rank(items[i].entry) != rank(items[i - 1].entry);
}

static size_t count_buckets(const struct harness_report *report, const struct ordered *items)
{
    size_t buckets = 0;
    for (size_t i = 0; i < report->count; i++)
        buckets += report_is_failure(items[i].entry) && begins_bucket(items, i);
    return buckets;
}

static void add_rule(const struct report_entry *entry, struct harness_text *out)
{
    const struct pica_stage_word_info *const word = harness_location_word(&entry->location);
    if (word != NULL) {
        harness_html_text(out, word->areas);
        harness_text_add(out, entry->location.inferred ? " (inferred)" : "");
    }
    if (entry->location.rule == NULL || entry->location.rule[0] == '\0')
        return;
    harness_text_format(out, "<a href=\"%s/index.html#rule\">", entry->name);
    harness_html_text(out, entry->location.rule);
    harness_text_add(out, "</a>");
}

static void add_row(const struct report_entry *entry, struct harness_text *out)
{
    const struct harness_location *const location = &entry->location;
    harness_text_format(out, "<tr><td><a href=\"%s/index.html\">", entry->name);
    harness_html_text(out, entry->name);
    harness_text_format(out, "</a></td><td class=\"%s\">", class_of(entry));
    harness_html_text(out, entry->verdict);
    harness_text_add(out, entry->accepted[0] != '\0' ? ", " : "");
    harness_html_text(out, entry->accepted);
    harness_text_add(out, "</td><td>");
    harness_html_text(out, location->stage != NULL ? location->stage : "");
    harness_text_add(out, "</td><td>");
    add_rule(entry, out);
    harness_text_format(out, "</td><td class=\"number\">%" PRIu32 "</td><td class=\"number\">%" PRIu64 "</td></tr>\n",
                        entry->writes, entry->bytes);
}

static void add_bucket_head(const struct ordered *item, struct harness_text *out)
{
    harness_text_add(out, "<h2 id=\"");
    harness_html_text(out, item->entry->bucket);
    harness_text_add(out, "\">");
    harness_html_text(out, item->entry->bucket);
    harness_text_add(out, "</h2>\n<p>");
    harness_html_text(out, item->entry->key);
    harness_text_add(out, "</p>\n<table><tr><th>finding</th><th>verdict</th><th>stage</th><th>rule</th>"
                          "<th class=\"number\">register writes</th><th class=\"number\">bytes</th></tr>\n");
}

/* Both pictures and what differs, of the first case of the bucket that has some; they lead to its page. */
static void add_thumbnails(const struct harness_report *report, const struct ordered *items, size_t i,
                           struct harness_text *out)
{
    for (size_t k = i; k < report->count && same_bucket(items[i].entry, items[k].entry); k++) {
        const struct report_entry *const entry = items[k].entry;
        if (entry->picture_count == 0)
            continue;
        const struct report_picture *const picture = &entry->pictures[0];
        const char *const files[] = { picture->first, picture->second, picture->difference };
        const char *const texts[] = { "first", "second", "difference" };
        harness_text_add(out, "<a href=\"");
        harness_html_text(out, entry->name);
        harness_text_add(out, "/index.html\">");
        for (size_t file = 0; file < sizeof files / sizeof files[0]; file++) {
            harness_text_add(out, "<img class=\"thumbnail\" src=\"");
            harness_html_text(out, entry->name);
            harness_text_format(out, "/%s\" alt=\"%s\">", files[file], texts[file]);
        }
        harness_text_add(out, "</a>");
        return;
    }
}

/* One line a bucket, before all cases. */
static void add_overview(const struct harness_report *report, const struct ordered *items, struct harness_text *out)
{
    harness_text_add(out, "<table><tr><th>bucket</th><th class=\"number\">found</th><th class=\"number\">kept</th>"
                          "<th>first seen</th><th>stage</th><th>rule</th><th>pictures</th></tr>\n");
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const entry = items[i].entry;
        if (!begins_bucket(items, i))
            continue;
        harness_text_format(out, "<tr><td class=\"%s\"><a href=\"#", class_of(entry));
        harness_html_text(out, entry->bucket);
        harness_text_add(out, "\">");
        harness_html_text(out, entry->bucket);
        harness_text_add(out, "</a><br>");
        harness_html_text(out, entry->title);
        harness_text_format(out, "</td><td class=\"number\">%" PRIu64 "</td><td class=\"number\">%zu</td><td>",
                            items[i].found, items[i].kept);
        harness_html_text(out, entry->failed ? items[i].first_seen : "");
        harness_text_add(out, "</td><td>");
        harness_html_text(out, entry->location.stage != NULL ? entry->location.stage : "");
        harness_text_add(out, "</td><td>");
        add_rule(entry, out);
        harness_text_add(out, "</td><td>");
        add_thumbnails(report, items, i, out);
        harness_text_add(out, "</td></tr>\n");
    }
    harness_text_add(out, "</table>\n");
}

static enum harness_status write_html(const struct harness_report *report, const struct ordered *items,
                                      struct harness_error *error)
{
    struct harness_text page;
    harness_text_init(&page);
    harness_html_begin(&page, "picafuzz findings", NULL);
    harness_text_format(&page, "<p>%zu case%s, %zu with a finding in %zu bucket%s", report->count,
                        report->count == 1 ? "" : "s", harness_report_failures(report), count_buckets(report, items),
                        count_buckets(report, items) == 1 ? "" : "s");
    if (harness_report_accepted(report) != 0)
        harness_text_format(&page, ", %zu with one that is accepted", harness_report_accepted(report));
    if (harness_report_not_tested(report) != 0)
        harness_text_format(&page, ", %zu not tested", harness_report_not_tested(report));
    harness_text_add(&page, ". <a href=\"index.json\">JSON</a>, <a href=\"junit.xml\">JUnit XML</a></p>\n");
    add_overview(report, items, &page);
    for (size_t i = 0; i < report->count; i++) {
        if (begins_bucket(items, i))
            add_bucket_head(&items[i], &page);
        add_row(items[i].entry, &page);
        if (i + 1 == report->count || begins_bucket(items, i + 1))
            harness_text_add(&page, "</table>\n");
    }
    if (report->said.size != 0) { /* findings first */
        harness_text_add(&page, "<h2>The hunt</h2>\n<pre>");
        harness_html_text(&page, harness_text_string(&report->said));
        harness_text_add(&page, "</pre>\n");
    }
    harness_html_end(&page);
    const enum harness_status status = write_file(report, "index.html", &page, error);
    harness_text_free(&page);
    return status;
}

static cJSON *bucket_json(const struct ordered *item)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "bucket", item->entry->bucket);
    cJSON_AddStringToObject(object, "key", item->entry->key);
    cJSON_AddStringToObject(object, "title", item->entry->title);
    cJSON_AddNumberToObject(object, "found", (double)item->found);
    cJSON_AddNumberToObject(object, "kept", (double)item->kept);
    if (item->first_seen[0] != '\0')
        cJSON_AddStringToObject(object, "first_seen", item->first_seen);
    return object;
}

static cJSON *entry_json(const struct report_entry *entry)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", entry->name);
    cJSON_AddStringToObject(object, "case", entry->path);
    cJSON_AddStringToObject(object, "verdict", entry->verdict);
    cJSON_AddStringToObject(object, "bucket", entry->bucket);
    if (entry->accepted[0] != '\0')
        cJSON_AddStringToObject(object, "accepted", entry->accepted);
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
    cJSON_AddStringToObject(root, "format", "picafuzz report 2");
    if (report->said.size != 0)
        cJSON_AddStringToObject(root, "hunt", harness_text_string(&report->said));
    cJSON *const buckets = cJSON_AddArrayToObject(root, "buckets");
    for (size_t i = 0; i < report->count; i++)
        if (items[i].entry->failed && begins_bucket(items, i))
            cJSON_AddItemToArray(buckets, bucket_json(&items[i]));
    cJSON *const findings = cJSON_AddArrayToObject(root, "findings");
    for (size_t i = 0; i < report->count; i++)
        cJSON_AddItemToArray(findings, entry_json(items[i].entry));
    struct harness_text text;
    harness_text_init(&text);
    harness_json_text(root, &text);
    const enum harness_status status = write_file(report, "index.json", &text, error);
    harness_text_free(&text);
    return status;
}

/* The rest of a test, behind its name. */
static void add_outcome(const struct report_entry *entry, struct harness_text *out)
{
    struct harness_text place;
    if (!entry->failed) {
        harness_text_add(out, entry->not_tested ? "><skipped/></testcase>\n" : "/>\n");
        return;
    }
    harness_text_add(out, report_is_failure(entry) ? "><failure message=\"" : "><skipped message=\"");
    harness_html_text(out, report_is_failure(entry) ? entry->verdict : entry->accepted);
    harness_text_add(out, "\">");
    harness_text_init(&place);
    harness_location_text(&entry->location, &place);
    harness_html_text(out, place.size != 0 ? harness_text_string(&place) : entry->message);
    harness_text_free(&place);
    harness_text_add(out, report_is_failure(entry) ? "</failure></testcase>\n" : "</skipped></testcase>\n");
}

/* Each case is a test; one on which the two differ has failed, and what is accepted was skipped. */
static enum harness_status write_junit(const struct harness_report *report, const struct ordered *items,
                                       struct harness_error *error)
{
    struct harness_text text;
    harness_text_init(&text);
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
        harness_text_add(&text, "\"");
        add_outcome(entry, &text);
    }
    harness_text_add(&text, "</testsuite></testsuites>\n");
    const enum harness_status status = write_file(report, "junit.xml", &text, error);
    harness_text_free(&text);
    return status;
}

/* Findings alone, by bucket. */
static enum harness_status write_sarif(const struct harness_report *report, const struct ordered *items,
                                       struct harness_error *error)
{
    char path[4096];
    size_t count = 0;
    struct harness_sarif_result *const results = calloc(report->count + 1, sizeof *results);
    if (results == NULL)
        return harness_fail_memory(error);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const entry = items[i].entry;
        if (entry->failed)
            results[count++] =
                (struct harness_sarif_result){ .rule = entry->bucket,
                                               .message = entry->message,
                                               .path = entry->path,
                                               .accepted = entry->accepted[0] != '\0' ? entry->accepted : NULL };
    }
    const enum harness_status status =
        report_path(report, "", "findings.sarif", path, sizeof path)
            ? harness_sarif_write(path, results, count, error)
            : harness_fail(error, HARNESS_HOST, "%s: the path is too long", report->directory);
    free(results);
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
    if (status == HARNESS_OK)
        status = write_sarif(report, items, error);
    free(items);
    return status;
}
