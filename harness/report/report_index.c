/* The pages about all findings: HTML, JSON, JUnit XML. */
#include "harness/case/formats.h"
#include "harness/pages/pages.h"
#include "harness/report/report_parts.h"
#include "harness/report/sarif.h"
#include "harness/pages/json.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds up the counts that hunts left in the directories of the bucket's cases, and 1 for each case without one. */
static void count_bucket(const struct harness_report *report, struct ordered *item)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const other = &report->entries[i];
        bool counted = false;
        if (!same_bucket(item->entry, other) || report_rank(item->entry) != report_rank(other))
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

static int by_bucket(const void *a, const void *b)
{
    const struct ordered *const x = a, *const y = b;
    if (report_rank(x->entry) != report_rank(y->entry))
        return report_rank(x->entry) - report_rank(y->entry);
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
           report_rank(items[i].entry) != report_rank(items[i - 1].entry);
}

static cJSON *bucket_json(const struct ordered *item)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "bucket", item->entry->bucket);
    cJSON_AddStringToObject(object, "key", item->entry->key);
    cJSON_AddStringToObject(object, "title", item->entry->title);
    cJSON_AddStringToObject(object, "state", report_state(item->entry));
    cJSON_AddNumberToObject(object, "found", (double)item->found);
    cJSON_AddNumberToObject(object, "kept", (double)item->kept);
    if (item->first_seen[0] != '\0')
        cJSON_AddStringToObject(object, "first_seen", item->first_seen);
    return object;
}

static void add_finding(const struct report_entry *entry, cJSON *findings)
{
    char page[REPORT_NAME + 16];
    cJSON *const object = report_entry_json(entry);
    (void)snprintf(page, sizeof page, "%s/index.html", entry->name);
    cJSON_AddStringToObject(object, "page", page);
    cJSON_AddItemToArray(findings, object);
}

static enum harness_status write_json(const struct harness_report *report, const struct ordered *items,
                                      struct harness_error *error)
{
    cJSON *const root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "picafuzz report 3");
    if (report->hunts != NULL)
        cJSON_AddItemReferenceToObject(root, "hunts", report->hunts);
    cJSON *const buckets = cJSON_AddArrayToObject(root, "buckets");
    for (size_t i = 0; i < report->count; i++)
        if (items[i].entry->failed && begins_bucket(items, i))
            cJSON_AddItemToArray(buckets, bucket_json(&items[i]));
    cJSON *const findings = cJSON_AddArrayToObject(root, "findings");
    for (size_t i = 0; i < report->count; i++)
        add_finding(items[i].entry, findings);
    return report_write_index(report->directory, "findings", root, error);
}

/* The rest of a <testcase>, behind its name. */
static void add_outcome(const struct report_entry *entry, struct harness_text *out)
{
    struct harness_text place = { 0 };
    if (!entry->failed) {
        harness_text_add(out, entry->not_tested ? "><skipped/></testcase>\n" : "/>\n");
        return;
    }
    harness_text_add(out, report_is_failure(entry) ? "><failure message=\"" : "><skipped message=\"");
    harness_xml_text(out, report_is_failure(entry) ? entry->verdict : entry->accepted);
    harness_text_add(out, "\">");
    harness_location_text(&entry->location, &place);
    harness_xml_text(out, place.size != 0 ? harness_text_string(&place) : entry->message);
    harness_text_free(&place);
    harness_text_add(out, report_is_failure(entry) ? "</failure></testcase>\n" : "</skipped></testcase>\n");
}

/* Each case is a test; one on which the two differ has failed, and what is accepted was skipped. */
static enum harness_status write_junit(const struct harness_report *report, const struct ordered *items,
                                       struct harness_error *error)
{
    char path[4096];
    struct harness_text text = { 0 };
    harness_text_format(&text,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<testsuites><testsuite name=\"picafuzz\" tests=\"%zu\" failures=\"%zu\">\n",
                        report->count, harness_report_totals(report).failures);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const entry = items[i].entry;
        harness_text_add(&text, "<testcase classname=\"");
        harness_xml_text(&text, entry->bucket);
        harness_text_add(&text, "\" name=\"");
        harness_xml_text(&text, entry->name);
        harness_text_add(&text, "\"");
        add_outcome(entry, &text);
    }
    harness_text_add(&text, "</testsuite></testsuites>\n");
    const enum harness_status status = report_path(report->directory, "", "junit.xml", path, sizeof path, error);
    if (status == HARNESS_OK)
        return harness_file_write_text(path, &text, error);
    harness_text_free(&text);
    return status;
}

/* Findings alone, by bucket. */
static enum harness_status write_sarif(const struct harness_report *report, const struct ordered *items,
                                       struct harness_error *error)
{
    char path[4096];
    struct harness_sarif sarif = { NULL, NULL, NULL };
    const enum harness_status status = report_path(report->directory, "", "findings.sarif", path, sizeof path, error);
    if (status != HARNESS_OK)
        return status;
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const entry = items[i].entry;
        if (entry->failed)
            harness_sarif_add(&sarif, &(struct harness_sarif_result){
                                          .rule = entry->bucket,
                                          .message = entry->message,
                                          .path = entry->path,
                                          .accepted = entry->accepted[0] != '\0' ? entry->accepted : NULL });
    }
    return harness_sarif_write(&sarif, path, error);
}

enum harness_status harness_report_finish(struct harness_report *report, struct harness_error *error)
{
    struct ordered *const items = order(report);
    if (items == NULL)
        return harness_fail_memory(error);
    enum harness_status status = write_json(report, items, error);
    if (status == HARNESS_OK)
        status = write_junit(report, items, error);
    if (status == HARNESS_OK)
        status = write_sarif(report, items, error);
    free(items);
    return status;
}
