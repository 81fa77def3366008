#include "harness/report/sarif.h"

#include "harness/case/text.h"
#include "harness/pages/json.h"

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
    cJSON *const suppression = harness_json_row(cJSON_AddArrayToObject(object, "suppressions"));
    cJSON_AddStringToObject(suppression, "kind", "external");
    cJSON_AddStringToObject(suppression, "justification", result->accepted);
    return object;
}

static void begin(struct harness_sarif *sarif)
{
    if (sarif->root != NULL)
        return;
    sarif->root = cJSON_CreateObject();
    cJSON_AddStringToObject(sarif->root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    cJSON_AddStringToObject(sarif->root, "version", "2.1.0");
    cJSON *const run = harness_json_row(cJSON_AddArrayToObject(sarif->root, "runs"));
    cJSON *const driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
    cJSON_AddStringToObject(driver, "name", "picafuzz");
    sarif->rules = cJSON_AddArrayToObject(driver, "rules");
    sarif->results = cJSON_AddArrayToObject(run, "results");
}

/* Each rule stands there once. */
static void add_rule(cJSON *rules, const char *id)
{
    for (const cJSON *known = rules != NULL ? rules->child : NULL; known != NULL; known = known->next)
        if (known->child != NULL && strcmp(known->child->valuestring, id) == 0)
            return;
    cJSON_AddStringToObject(harness_json_row(rules), "id", id);
}

void harness_sarif_add(struct harness_sarif *sarif, const struct harness_sarif_result *result)
{
    begin(sarif);
    add_rule(sarif->rules, result->rule);
    cJSON_AddItemToArray(sarif->results, result_json(result));
}

enum harness_status harness_sarif_write(struct harness_sarif *sarif, const char *path, struct harness_error *error)
{
    begin(sarif);
    const enum harness_status status = harness_json_write(path, sarif->root, error);
    *sarif = (struct harness_sarif){ NULL, NULL, NULL };
    return status;
}
