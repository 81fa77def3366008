/* The page of one finding: its facts as JSON, which the kit of harness/pages shows. */
#include "harness/case/formats.h"
#include "harness/localise/location_json.h"
#include "harness/pages/pages.h"
#include "harness/report/report_parts.h"
#include "harness/report/rule_text.h"
#include "harness/pages/json.h"

#include <cjson/cJSON.h>
#include <string.h>

static const char *rule_of(const struct report_entry *entry)
{
    return entry->location.rule != NULL ? entry->location.rule : "";
}

/* What people need to know first. */
static void add_headline(const struct report_entry *entry, cJSON *page)
{
    struct harness_text text = { 0 };
    const struct harness_location *const location = &entry->location;
    if (!location->differs || location->stage == NULL)
        harness_text_format(&text, "%s: %s", entry->name,
                            strncmp(entry->verdict, "agree", 5) == 0 ? "the two agree" : entry->verdict);
    else
        harness_text_format(&text, "%s: %s differs%s%s%s", entry->name, location->stage,
                            rule_of(entry)[0] != '\0' ? " (" : "", rule_of(entry),
                            rule_of(entry)[0] != '\0' ? ")" : "");
    cJSON_AddStringToObject(page, "headline", harness_text_string(&text));
    harness_text_free(&text);
}

void report_add_place(const struct harness_location *location, cJSON *out)
{
    struct harness_text place = { 0 };
    harness_location_text(location, &place);
    if (place.size != 0)
        cJSON_AddStringToObject(out, "place", harness_text_string(&place));
    harness_text_free(&place);
}

static void add_rule(const struct harness_report *report, const char *id, const char *role, cJSON *rules)
{
    char file[256];
    struct harness_text text = { 0 };
    if (report->specification != NULL && harness_rule_text(report->specification, id, &text, file, sizeof file)) {
        cJSON *const rule = harness_json_row(rules);
        cJSON_AddStringToObject(rule, "id", id);
        cJSON_AddStringToObject(rule, "role", role);
        cJSON_AddStringToObject(rule, "file", file);
        cJSON_AddStringToObject(rule, "text", harness_text_string(&text));
    }
    harness_text_free(&text);
}

/* The rule that is probably broken, which a stage that was only inferred has, too; then the one of the value. */
static void add_rules(const struct harness_report *report, const struct report_entry *entry, cJSON *page)
{
    const char *const broken = entry->location.broken[0] != NULL ? entry->location.broken[0] : "";
    cJSON *const rules = cJSON_AddArrayToObject(page, "rules");
    add_rule(report, broken, "which is probably broken", rules);
    if (strcmp(broken, rule_of(entry)) != 0)
        add_rule(report, rule_of(entry), "of the value that differs", rules);
}

/* What shows it again, where this report was made: paths begin there. */
static void add_command(const struct report_entry *entry, cJSON *page)
{
    struct harness_text text = { 0 };
    harness_text_format(&text, "picafuzz diff %s", entry->options);
    harness_text_shell(&text, entry->path);
    cJSON_AddStringToObject(page, "command", harness_text_string(&text));
    harness_text_free(&text);
}

cJSON *report_entry_json(const struct report_entry *entry)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", entry->name);
    cJSON_AddStringToObject(object, "case", entry->path);
    cJSON_AddStringToObject(object, "verdict", entry->verdict);
    cJSON_AddStringToObject(object, "state", report_state(entry));
    cJSON_AddStringToObject(object, "bucket", entry->bucket);
    if (entry->accepted[0] != '\0')
        cJSON_AddStringToObject(object, "accepted", entry->accepted);
    cJSON_AddNumberToObject(object, "operations", entry->operations);
    cJSON_AddNumberToObject(object, "register_writes", entry->writes);
    cJSON_AddNumberToObject(object, "bytes", (double)entry->bytes);
    cJSON_AddStringToObject(object, "message", entry->message);
    if (entry->location.differs)
        cJSON_AddItemToObject(object, "location", harness_location_json(&entry->location));
    cJSON *const pictures = entry->pictures.count != 0 ? cJSON_AddArrayToObject(object, "pictures") : NULL;
    for (size_t i = 0; i < entry->pictures.count; i++)
        cJSON_AddItemToArray(pictures, report_picture_json(&entry->pictures.items[i], "first", "second"));
    return object;
}

enum harness_status report_write_index(const char *directory, const char *view, cJSON *object,
                                       struct harness_error *error)
{
    char json_path[4096], page_path[4096];
    struct harness_text text = { 0 };
    harness_json_text(object, &text);
    enum harness_status status = report_path(directory, "", "index.json", json_path, sizeof json_path, error);
    if (status == HARNESS_OK)
        status = report_path(directory, "", "index.html", page_path, sizeof page_path, error);
    if (status == HARNESS_OK)
        status = harness_page_write(page_path, view, &text, error);
    if (status == HARNESS_OK)
        status = harness_file_write_text(json_path, &text, error);
    harness_text_free(&text);
    return status;
}

enum harness_status report_write_page(const struct harness_report *report, const struct report_entry *entry,
                                      const struct harness_case *test_case, struct harness_error *error)
{
    char path[4096], case_path[4096];
    enum harness_status status = report_path(report->directory, entry->name, "index.html", path, sizeof path, error);
    if (status == HARNESS_OK)
        status = report_path(report->directory, entry->name, "case.pcase", case_path, sizeof case_path, error);
    if (status != HARNESS_OK)
        return status;
    cJSON *const page = report_entry_json(entry);
    add_headline(entry, page);
    cJSON_AddStringToObject(page, "key", entry->key);
    if (entry->failed && entry->first_seen[0] != '\0')
        cJSON_AddStringToObject(page, "first_seen", entry->first_seen);
    report_add_place(&entry->location, page);
    add_rules(report, entry, page);
    if (entry->memory != NULL)
        cJSON_AddItemReferenceToObject(page, "memory", entry->memory);
    add_command(entry, page);
    status = report_add_listing(entry, test_case, cJSON_AddArrayToObject(page, "listing"), error);
    if (status != HARNESS_OK) {
        cJSON_Delete(page);
        return status;
    }
    status = harness_json_page(path, "finding", page, error);
    return status == HARNESS_OK ? harness_case_save_file(test_case, case_path, error) : status;
}
