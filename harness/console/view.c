#include "harness/console/view.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    MOST_TEXT = 1 << 28 /* bytes of a case's text */
};

static enum harness_status bad(const struct console_view *view, size_t offset, const char *what,
                               struct harness_error *error)
{
    return harness_fail(error, HARNESS_BAD_INPUT, "%s: payload offset %zu: %s", view->name, offset, what);
}

static bool fits(const struct console_view *view, uint32_t offset, uint64_t bytes)
{
    return offset >= sizeof view->head && offset <= view->size && bytes <= view->size - offset;
}

struct console_case console_view_case(const struct console_view *view, uint32_t index)
{
    struct console_case out;
    memcpy(&out, view->bytes + view->head.case_table + index * sizeof out, sizeof out);
    return out;
}

struct console_run console_view_run(const struct console_view *view, uint32_t index)
{
    struct console_run out;
    memcpy(&out, view->bytes + view->head.run_table + index * sizeof out, sizeof out);
    return out;
}

const char *console_view_case_name(const struct console_view *view, uint32_t index)
{
    return (const char *)view->bytes + console_view_case(view, index).name;
}

static enum harness_status check_head(const struct console_view *view, struct harness_error *error)
{
    const struct console_payload *const head = &view->head;
    if (head->magic != CONSOLE_PAYLOAD_MAGIC)
        return bad(view, 0, "no payload of picafuzz", error);
    if (head->version != CONSOLE_PAYLOAD_VERSION)
        return bad(view, 4, "another version: export again", error);
    if (head->bytes != view->size)
        return bad(view, 8, "the size is not that of the segment", error);
    if (crc32(0, view->bytes + 16, (uInt)(view->size - 16)) != head->crc)
        return bad(view, 12, "the CRC-32 does not match: the file is damaged", error);
    if (!fits(view, head->case_table, (uint64_t)head->case_count * sizeof(struct console_case)) ||
        !fits(view, head->run_table, (uint64_t)head->run_count * sizeof(struct console_run)) ||
        head->self_test_count > head->case_count)
        return bad(view, head->case_table, "a table goes beyond the end", error);
    return memchr(head->name, 0, sizeof head->name) != NULL ? HARNESS_OK : bad(view, 64, "the name has no end", error);
}

static enum harness_status check_tables(const struct console_view *view, struct harness_error *error)
{
    for (uint32_t i = 0; i < view->head.case_count; i++) {
        const struct console_case entry = console_view_case(view, i);
        const size_t at = view->head.case_table + i * sizeof entry;
        if (!fits(view, entry.commands, (uint64_t)entry.words * 4) || !fits(view, entry.source, entry.source_bytes) ||
            entry.source_raw > MOST_TEXT)
            return bad(view, at, "commands or text of a case go beyond the end", error);
        if (!fits(view, entry.name, 1) || memchr(view->bytes + entry.name, 0, view->size - entry.name) == NULL)
            return bad(view, at, "the name of a case has no end", error);
    }
    for (uint32_t i = 0; i < view->head.run_count; i++) {
        const struct console_run run = console_view_run(view, i);
        if (run.case_index >= view->head.case_count || run.pass > 1)
            return bad(view, view->head.run_table + i * sizeof run, "a run of no case", error);
    }
    return HARNESS_OK;
}

enum harness_status console_view_open(const char *name, const uint8_t *payload, size_t size, struct console_view *out,
                                      struct harness_error *error)
{
    *out = (struct console_view){ .name = name, .bytes = payload, .size = size };
    if (size < sizeof out->head)
        return bad(out, size, "the payload ends within its head", error);
    memcpy(&out->head, payload, sizeof out->head);
    const enum harness_status status = check_head(out, error);
    return status == HARNESS_OK ? check_tables(out, error) : status;
}

enum harness_status console_view_source(const struct console_view *view, uint32_t index, struct harness_text *out,
                                        struct harness_error *error)
{
    const struct console_case entry = console_view_case(view, index);
    uLongf size = entry.source_raw;
    uint8_t *const text = malloc((size_t)entry.source_raw + 1);
    if (text == NULL)
        return harness_fail_memory(error);
    const bool good =
        uncompress(text, &size, view->bytes + entry.source, entry.source_bytes) == Z_OK && size == entry.source_raw;
    if (good)
        harness_text_bytes(out, text, size);
    free(text);
    return good ? HARNESS_OK : bad(view, entry.source, "the text of a case does not unpack", error);
}
