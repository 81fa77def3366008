#include "harness/explore/script.h"

#include "harness/case/formats.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

void explore_put16(struct harness_text *out, uint32_t value)
{
    const uint8_t bytes[2] = { (uint8_t)value, (uint8_t)(value >> 8) };
    harness_text_bytes(out, bytes, sizeof bytes);
}

/* RFC 4648, section 4. */
static void add_base64(struct harness_text *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0u) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0u);
        const char four[4] = { digits[group >> 18], digits[group >> 12 & 63u],
                               left > 1 ? digits[group >> 6 & 63u] : '=', left > 2 ? digits[group & 63u] : '=' };
        harness_text_bytes(out, four, sizeof four);
    }
}

static enum harness_status add_compressed(struct harness_text *out, const struct harness_text *bytes,
                                          struct harness_error *error)
{
    uLongf size = compressBound(bytes->size);
    uint8_t *const room = malloc(size);
    if (room == NULL ||
        compress2(room, &size, (const Bytef *)harness_text_string(bytes), bytes->size, Z_DEFAULT_COMPRESSION) != Z_OK) {
        free(room);
        return harness_fail_memory(error);
    }
    add_base64(out, room, size);
    free(room);
    return HARNESS_OK;
}

enum harness_status explore_write_script(const char *directory, const char *name, const struct harness_text *bytes,
                                         uint64_t *total, struct harness_error *error)
{
    char path[4096];
    struct harness_text text = { 0 };
    harness_text_format(&text, "explore.take(\"%s\",\"", name);
    enum harness_status status = bytes->failed ? harness_fail_memory(error) : add_compressed(&text, bytes, error);
    harness_text_add(&text, "\");\n");
    if (status == HARNESS_OK && text.failed)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK && snprintf(path, sizeof path, "%s/%s.js", directory, name) >= (int)sizeof path)
        status = harness_fail(error, HARNESS_HOST, "%s: the path is too long", directory);
    if (status == HARNESS_OK)
        status = harness_file_write_lazily(path, text.data, text.size, error);
    if (status == HARNESS_OK)
        *total += text.size;
    harness_text_free(&text);
    return status;
}

enum harness_status explore_write_json(const char *directory, const char *name, cJSON *object, uint64_t *total,
                                       struct harness_error *error)
{
    struct harness_text text = { 0 };
    char *const json = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    harness_text_add(&text, json != NULL ? json : "");
    text.failed = text.failed || json == NULL;
    cJSON_free(json);
    const enum harness_status status = explore_write_script(directory, name, &text, total, error);
    harness_text_free(&text);
    return status;
}
