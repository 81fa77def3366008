#include "harness/pages/json.h"

#include "harness/case/formats.h"
#include "harness/pages/pages.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

void harness_json_hex(struct cJSON *object, const char *name, uint32_t value)
{
    char text[12];
    (void)snprintf(text, sizeof text, "0x%08" PRIX32, value);
    cJSON_AddStringToObject(object, name, text);
}

struct cJSON *harness_json_row(struct cJSON *array)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddItemToArray(array, object);
    return object;
}

void harness_json_text(struct cJSON *object, struct harness_text *out)
{
    char *const printed = cJSON_Print(object);
    cJSON_Delete(object);
    out->failed = out->failed || printed == NULL;
    if (printed == NULL)
        return;
    harness_make_utf8(printed);
    harness_text_add(out, printed);
    harness_text_add(out, "\n");
    cJSON_free(printed);
}

enum harness_status harness_json_write(const char *path, struct cJSON *object, struct harness_error *error)
{
    struct harness_text text = { 0 };
    harness_json_text(object, &text);
    return harness_file_write_text(path, &text, error);
}

enum harness_status harness_json_page(const char *path, const char *view, struct cJSON *object,
                                      struct harness_error *error)
{
    struct harness_text text = { 0 };
    harness_json_text(object, &text);
    const enum harness_status status = harness_page_write(path, view, &text, error);
    harness_text_free(&text);
    return status;
}
