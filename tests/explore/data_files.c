#include "tests/explore/data_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
    MOST = 1 << 27
};

static void path_of(const char *directory, const char *name, char out[4096])
{
    (void)snprintf(out, 4096, "%s/%s.js", directory, name);
}

bool data_file_exists(const char *directory, const char *name)
{
    char path[4096];
    path_of(directory, name, path);
    return access(path, R_OK) == 0;
}

static uint32_t digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *const at = memchr(digits, c, sizeof digits - 1);
    cr_assert(at != NULL || c == '=', "a base64 digit is '%c'", c);
    return at != NULL ? (uint32_t)(at - digits) : 0;
}

static size_t decode(const char *text, size_t length, uint8_t *out)
{
    size_t size = 0;
    cr_assert_eq(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        const uint32_t group =
            digit(text[i]) << 18 | digit(text[i + 1]) << 12 | digit(text[i + 2]) << 6 | digit(text[i + 3]);
        out[size++] = (uint8_t)(group >> 16);
        out[size++] = (uint8_t)(group >> 8);
        out[size++] = (uint8_t)group;
    }
    return size;
}

struct bytes data_file(const char *directory, const char *name)
{
    char path[4096], head[128];
    path_of(directory, name, path);
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    char *const text = malloc(MOST);
    const size_t size = fread(text, 1, MOST, file);
    fclose(file);
    (void)snprintf(head, sizeof head, "explore.take(\"%s\",\"", name);
    const size_t begin = strlen(head);
    cr_assert(size > begin + 4 && memcmp(text, head, begin) == 0 && memcmp(text + size - 4, "\");\n", 4) == 0, "%s",
              path);
    uint8_t *const packed = malloc(size);
    const size_t packed_size = decode(text + begin, size - begin - 4, packed);
    free(text);
    uLongf length = MOST;
    struct bytes bytes = { malloc(MOST), 0, 0 };
    cr_assert_eq(uncompress(bytes.data, &length, packed, packed_size), Z_OK, "%s", path);
    free(packed);
    bytes.size = length;
    bytes.data[length] = 0;
    return bytes;
}

cJSON *data_json(const char *directory, const char *name)
{
    struct bytes bytes = data_file(directory, name);
    cJSON *const json = cJSON_Parse((const char *)bytes.data);
    cr_assert_not_null(json, "%s", name);
    free(bytes.data);
    return json;
}

uint32_t take8(struct bytes *bytes)
{
    cr_assert_lt(bytes->at, bytes->size);
    return bytes->data[bytes->at++];
}

uint32_t take16(struct bytes *bytes)
{
    const uint32_t low = take8(bytes);
    return low | take8(bytes) << 8;
}

uint32_t take32(struct bytes *bytes)
{
    const uint32_t low = take16(bytes);
    return low | take16(bytes) << 16;
}
