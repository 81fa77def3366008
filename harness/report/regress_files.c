/* What changed between two builds as JSON, which the page shows, and as SARIF. */
#include "harness/localise/location_json.h"
#include "harness/report/regress_parts.h"
#include "harness/report/sarif.h"

#include <cjson/cJSON.h>

static const char *message_of(const struct regress_entry *entry)
{
    return entry->message != NULL ? entry->message : "";
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static cJSON *picture_json(const struct regress_entry *entry, const struct report_picture *picture)
{
    cJSON *const object = report_picture_json(picture, "before", "after");
    cJSON_AddBoolToObject(object, "at_end", entry->at_end);
    return object;
}

static cJSON *entry_json(const struct regress_entry *entry)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", entry->path);
    cJSON_AddStringToObject(object, "verdict", harness_outcome_name(entry->outcome));
    if (entry->accepted)
        cJSON_AddBoolToObject(object, "accepted", true);
    if (entry->outcome != HARNESS_AGREE)
        cJSON_AddStringToObject(object, "message", message_of(entry));
    if (entry->location.differs)
        cJSON_AddItemToObject(object, "location", harness_location_json(&entry->location));
    report_add_place(&entry->location, object);
    if (entry->pictures.count == 0)
        return object;
    cJSON *const pictures = cJSON_AddArrayToObject(object, "pictures");
    for (size_t i = 0; i < entry->pictures.count; i++)
        cJSON_AddItemToArray(pictures, picture_json(entry, &entry->pictures.items[i]));
    return object;
}

/* "12 cases: 11 agree, 1 diverge" */
static void add_totals(const struct harness_regress *regress, cJSON *root)
{
    struct harness_text totals = { 0 };
    harness_text_format(&totals, "%zu case%s:", regress->count, regress->count == 1 ? "" : "s");
    harness_regress_totals(regress, &totals);
    cJSON_AddStringToObject(root, "totals", harness_text_string(&totals));
    harness_text_free(&totals);
}

static enum harness_status write_json(const struct harness_regress *regress, struct harness_error *error)
{
    cJSON *const root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", "picafuzz regress 1");
    cJSON_AddStringToObject(root, "before", regress->names[0]);
    cJSON_AddStringToObject(root, "after", regress->names[1]);
    if (regress->compared[0] != '\0')
        cJSON_AddStringToObject(root, "compared", regress->compared);
    add_totals(regress, root);
    cJSON *const cases = cJSON_AddArrayToObject(root, "cases");
    for (size_t i = 0; i < regress->count; i++)
        cJSON_AddItemToArray(cases, entry_json(&regress->entries[i]));
    return report_write_index(regress->directory, "regress", root, error);
}

/* ------------------------------------------------------------------------------------------------------------ SARIF */

static enum harness_status write_sarif(const struct harness_regress *regress, struct harness_error *error)
{
    char path[4096];
    struct harness_sarif sarif = { NULL, NULL, NULL };
    const enum harness_status status = report_path(regress->directory, "", "findings.sarif", path, sizeof path, error);
    if (status != HARNESS_OK)
        return status;
    for (size_t i = 0; i < regress->count; i++) {
        const struct regress_entry *const entry = &regress->entries[i];
        if (harness_outcome_exit(entry->outcome) != HARNESS_EXIT_OK)
            harness_sarif_add(&sarif, &(struct harness_sarif_result){
                                          .rule = harness_outcome_name(entry->outcome),
                                          .message = message_of(entry),
                                          .path = entry->path,
                                          .accepted = entry->accepted ? "accepted by the baseline" : NULL });
    }
    return harness_sarif_write(&sarif, path, error);
}

enum harness_status harness_regress_finish(const struct harness_regress *regress, struct harness_error *error)
{
    const enum harness_status status = write_json(regress, error);
    return status == HARNESS_OK ? write_sarif(regress, error) : status;
}
