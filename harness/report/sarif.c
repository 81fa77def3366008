#include "harness/report/sarif.h"

#include "harness/case/text.h"
#include "harness/triage/json_file.h"

#include <cjson/cJSON.h>
#include <string.h>

/* A path as a URI reference: bytes that mean something there, or are no ASCII, by their numbers. */
static cJSON *location_json(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    struct harness_text uri = { 0 };
    harness_text_add(&uri, path[0] == '/' ? "file://" : "");
    for (const char *c = path; *c != '\0'; c++)
        if (strchr(plain, *c) != NULL)
            harness_text_bytes(&uri, c, 1);
        else
            harness_text_format(&uri, "%%%02X", (unsigned)(unsigned char)*c);
    cJSON *const location = cJSON_CreateObject();
    cJSON *const physical = cJSON_AddObjectToObject(location, "physicalLocation");
    cJSON *const artifact = cJSON_AddObjectToObject(physical, "artifactLocation");
    cJSON_AddStringToObject(artifact, "uri", harness_text_string(&uri));
    cJSON *const region = cJSON_AddObjectToObject(physical, "region"); /* some viewers want a line */
    cJSON_AddNumberToObject(region, "startLine", 1);
    harness_text_free(&uri);
    return location;
}

static cJSON *result_json(const struct harness_sarif_result *result)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "ruleId", result->rule);
    cJSON_AddStringToObject(object, "level", result->accepted != NULL ? "note" : "error");
    cJSON *const message = cJSON_AddObjectToObject(object, "message");
    cJSON_AddStringToObject(message, "text", result->message);
    cJSON *const locations = cJSON_AddArrayToObject(object, "locations");
    cJSON_AddItemToArray(locations, location_json(result->path));
    if (result->accepted == NULL)
        return object;
    cJSON *const suppressions = cJSON_AddArrayToObject(object, "suppressions");
    cJSON *const suppression = cJSON_CreateObject();
    cJSON_AddStringToObject(suppression, "kind", "external");
    cJSON_AddStringToObject(suppression, "justification", result->accepted);
    cJSON_AddItemToArray(suppressions, suppression);
    return object;
}

static void add_rules(cJSON *driver, const struct harness_sarif_result *results, size_t count)
{
    cJSON *const rules = cJSON_AddArrayToObject(driver, "rules");
    for (size_t i = 0; i < count; i++) {
        size_t first = 0;
        while (strcmp(results[first].rule, results[i].rule) != 0)
            first++;
        if (first != i)
            continue;
        cJSON *const rule = cJSON_CreateObject();
        cJSON_AddStringToObject(rule, "id", results[i].rule);
        cJSON_AddItemToArray(rules, rule);
    }
}

enum harness_status harness_sarif_write(const char *path, const struct harness_sarif_result *results, size_t count,
                                        struct harness_error *error)
{
    cJSON *const root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    cJSON_AddStringToObject(root, "version", "2.1.0");
    cJSON *const run = cJSON_CreateObject();
    cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "runs"), run);
    cJSON *const driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
    cJSON_AddStringToObject(driver, "name", "picafuzz");
    add_rules(driver, results, count);
    cJSON *const list = cJSON_AddArrayToObject(run, "results");
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, result_json(&results[i]));
    return harness_json_write(path, root, error);
}
