/* The file of causes: docs/formats/peel.md. */
#include "harness/peel/peel.h"

#include "harness/case/formats.h"
#include "harness/case/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_SIZE = 512,
    FIELD_NAME = 96
};

static const char head[] = "picafuzz peel 1";

struct reader {
    const char *name;
    unsigned line;
    struct harness_peel *out;
    struct harness_error *error;
};

static enum harness_status fail(const struct reader *reader, const char *field, const char *what)
{
    return harness_fail(reader->error, HARNESS_BAD_INPUT, "%s:%u: %s: %s", reader->name, reader->line, field, what);
}

/* "blend_func.rgb_equation" */
static const struct pica_field_info *field_named(const char *name)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_fields(&count);
    for (size_t i = 0; i < count; i++) {
        char full[FIELD_NAME];
        (void)snprintf(full, sizeof full, "%s.%s", pica_layout_info(fields[i].layout)->name, fields[i].name);
        if (strcmp(full, name) == 0)
            return &fields[i];
    }
    return NULL;
}

static struct harness_peel_cause *last_cause(const struct reader *reader)
{
    return reader->out->count != 0 ? &reader->out->causes[reader->out->count - 1] : NULL;
}

/* "cause BUCKET differs", "cause BUCKET dies" */
static enum harness_status read_cause(struct reader *reader, const char *rest)
{
    char bucket[HARNESS_PEEL_NAME] = "", how[16] = "";
    int end = 0;
    if (sscanf(rest, "%95s %15s%n", bucket, how, &end) != 2 || rest[end] != '\0')
        return fail(reader, "cause", "a bucket and `differs` or `dies` are expected");
    if (strcmp(how, "differs") != 0 && strcmp(how, "dies") != 0)
        return fail(reader, "cause", "`differs` or `dies` is expected");
    if (reader->out->count == HARNESS_PEEL_MOST)
        return fail(reader, "cause", "more than 64");
    struct harness_peel_cause *const cause = &reader->out->causes[reader->out->count++];
    memset(cause, 0, sizeof *cause);
    memcpy(cause->bucket, bucket, sizeof bucket);
    cause->dies = strcmp(how, "dies") == 0;
    return HARNESS_OK;
}

/* "need blend_func.rgb_equation 0x18 0x0 usual 0": two words of values, bit v for value v */
static enum harness_status read_need(const struct reader *reader, struct harness_peel_cause *cause, const char *rest)
{
    char name[FIELD_NAME] = "";
    struct harness_peel_need need = { NULL, { 0, 0 }, 0 };
    int end = 0;
    if (sscanf(rest, "%95s %" SCNx64 " %" SCNx64 " usual %" SCNu32 "%n", name, &need.values[0], &need.values[1],
               &need.usual, &end) != 4 ||
        rest[end] != '\0')
        return fail(reader, "need", "a field, two words of values, `usual` and a value are expected");
    need.field = field_named(name);
    if (need.field == NULL || need.field->width > 7)
        return fail(reader, "need", "no such field, or one of more than 7 bits");
    if (need.usual >> need.field->width != 0 || (need.values[0] | need.values[1]) == 0 ||
        (need.values[need.usual / 64] >> (need.usual % 64) & 1u) != 0)
        return fail(reader, "need", "the usual value must be one of the field, and none of those that show the cause");
    if (cause->count == HARNESS_PEEL_MOST_NEEDS)
        return fail(reader, "need", "more than 16");
    cause->needs[cause->count++] = need;
    return HARNESS_OK;
}

static enum harness_status read_seen(const struct reader *reader, struct harness_peel_cause *cause, const char *rest)
{
    char *end = NULL;
    errno = 0;
    cause->seen = strtoull(rest, &end, 10);
    return rest[0] >= '0' && rest[0] <= '9' && *end == '\0' && errno == 0
               ? HARNESS_OK
               : fail(reader, "seen", "a number is expected");
}

static enum harness_status read_line(struct reader *reader, const char *line)
{
    struct harness_peel_cause *const cause = last_cause(reader);
    if (reader->line == 1)
        return strcmp(line, head) == 0 ? HARNESS_OK : fail(reader, "version", "`picafuzz peel 1` is expected");
    if (line[0] == '\0' || line[0] == '#')
        return HARNESS_OK;
    if (strncmp(line, "cause ", 6) == 0)
        return read_cause(reader, line + 6);
    if (cause == NULL)
        return fail(reader, "cause", "is expected first");
    if (strncmp(line, "need ", 5) == 0)
        return read_need(reader, cause, line + 5);
    if (strncmp(line, "seen ", 5) == 0)
        return read_seen(reader, cause, line + 5);
    if (strncmp(line, "sign ", 5) != 0)
        return fail(reader, "line", "cause, need, sign or seen is expected");
    if (strlen(line + 5) >= sizeof cause->sign)
        return fail(reader, "sign", "is too long");
    (void)snprintf(cause->sign, sizeof cause->sign, "%s", line + 5);
    return HARNESS_OK;
}

enum harness_status harness_peel_parse(const char *text, size_t size, const char *name, struct harness_peel *out,
                                       struct harness_error *error)
{
    struct reader reader = { .name = name, .out = out, .error = error };
    enum harness_status status = HARNESS_OK;
    memset(out, 0, sizeof *out);
    for (size_t at = 0; at < size && status == HARNESS_OK;) {
        char line[LINE_SIZE];
        const char *const end = memchr(text + at, '\n', size - at);
        const size_t length = end != NULL ? (size_t)(end - text) - at : size - at;
        reader.line++;
        if (length >= sizeof line || memchr(text + at, '\0', length) != NULL)
            return fail(&reader, "line", "is too long, or no text");
        memcpy(line, text + at, length);
        line[length] = '\0';
        status = read_line(&reader, line);
        at += length + 1;
    }
    return status == HARNESS_OK && reader.line == 0 ? fail(&reader, "version", "`picafuzz peel 1` is expected")
                                                    : status;
}

enum harness_status harness_peel_read(const char *path, struct harness_peel *out, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return HARNESS_OK;
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status == HARNESS_OK)
        status = harness_peel_parse((const char *)bytes, size, path, out, error);
    free(bytes);
    return status;
}

static void write_cause(struct harness_text *text, const struct harness_peel_cause *cause)
{
    harness_text_format(text, "cause %s %s\n", cause->bucket, cause->dies ? "dies" : "differs");
    for (uint32_t i = 0; i < cause->count; i++) {
        const struct harness_peel_need *const need = &cause->needs[i];
        harness_text_format(text, "need %s.%s 0x%" PRIx64 " 0x%" PRIx64 " usual %" PRIu32 "\n",
                            pica_layout_info(need->field->layout)->name, need->field->name, need->values[0],
                            need->values[1], need->usual);
    }
    if (cause->sign[0] != '\0')
        harness_text_format(text, "sign %s\n", cause->sign);
    harness_text_format(text, "seen %" PRIu64 "\n", cause->seen);
}

enum harness_status harness_peel_write(const char *path, const struct harness_peel *peel, struct harness_error *error)
{
    struct harness_text text = { 0 };
    harness_text_format(
        &text, "%s\n# What `picafuzz fuzz --peel` has found and avoids. Remove a cause to find it again.\n", head);
    for (uint32_t i = 0; i < peel->count; i++)
        write_cause(&text, &peel->causes[i]);
    const enum harness_status status =
        text.failed ? harness_fail_memory(error)
                    : harness_file_write(path, (const uint8_t *)harness_text_string(&text), text.size, error);
    harness_text_free(&text);
    return status;
}
