#include "harness/coverage/level.h"

#include "harness/case/formats.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static enum harness_status read_entry(const cJSON *entry, const char *path, struct harness_level *out,
                                      struct harness_error *error)
{
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++) {
        const char *const name = harness_area_name((enum harness_area)a);
        if (strcmp(entry->string, name) != 0)
            continue;
        if (!cJSON_IsNumber(entry) || !(entry->valuedouble >= 0.0) || entry->valuedouble > 100.0)
            return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s: expected a percentage", path, name);
        out->asked[a] = true;
        out->percent[a] = entry->valuedouble;
        return HARNESS_OK;
    }
    return harness_fail(error, HARNESS_BAD_INPUT, "%s: no area is called '%s'", path, entry->string);
}

enum harness_status harness_level_read(const char *path, struct harness_level *out, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status != HARNESS_OK)
        return status;
    cJSON *const object = cJSON_ParseWithLength((const char *)bytes, size);
    free(bytes);
    if (!cJSON_IsObject(object))
        status = harness_fail(error, HARNESS_BAD_INPUT, "%s: is no level: expected a JSON object", path);
    for (const cJSON *entry = status == HARNESS_OK ? object->child : NULL; entry != NULL && status == HARNESS_OK;
         entry = entry->next)
        status = read_entry(entry, path, out, error);
    if (status == HARNESS_OK && object->child == NULL)
        status = harness_fail(error, HARNESS_BAD_INPUT, "%s: asks for nothing: no area is named", path);
    cJSON_Delete(object);
    return status;
}
