/* The first bytes of memory in which the two differ, side by side. */
#include "harness/pages/json.h"
#include "harness/report/report_parts.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

enum {
    LINE = 16,        /* bytes */
    LINES_BEFORE = 2, /* before the first that differs */
    LINES = 8
};

/* The first byte that differs: false if all memory is the same. */
static bool find_first(const struct oracle_run *a, const struct oracle_run *b, uint32_t *window, uint32_t *offset)
{
    for (*window = 0; *window < a->window_count; ++*window)
        for (uint32_t at = 0; at < a->windows[*window].size; at += PICA_PAGE_SIZE) {
            const uint32_t page = at / PICA_PAGE_SIZE;
            if (!oracle_holds(a, *window, page) || !oracle_holds(b, *window, page) ||
                memcmp(a->memory[*window] + at, b->memory[*window] + at, PICA_PAGE_SIZE) == 0)
                continue;
            for (*offset = at; a->memory[*window][*offset] == b->memory[*window][*offset];)
                ++*offset;
            return true;
        }
    return false;
}

static void add_bytes(const uint8_t *bytes, const char *name, cJSON *line)
{
    char text[4];
    cJSON *const array = cJSON_AddArrayToObject(line, name);
    for (uint32_t i = 0; i < LINE; i++) {
        (void)snprintf(text, sizeof text, "%02X", bytes[i]);
        cJSON_AddItemToArray(array, cJSON_CreateString(text));
    }
}

void report_write_memory(struct report_entry *entry, const struct oracle_run *a, const struct oracle_run *b)
{
    uint32_t window = 0, offset = 0;
    if (!find_first(a, b, &window, &offset))
        return;
    const uint32_t line = offset / LINE * LINE;
    const uint32_t first = line > LINES_BEFORE * LINE ? line - LINES_BEFORE * LINE : 0;
    const char *const names[2] = { a->backend, b->backend };
    entry->memory = cJSON_CreateObject();
    cJSON_AddItemToObject(entry->memory, "names", cJSON_CreateStringArray(names, 2));
    cJSON *const lines = cJSON_AddArrayToObject(entry->memory, "lines");
    for (uint32_t at = first; at < first + LINES * LINE && at < a->windows[window].size; at += LINE) {
        cJSON *const object = harness_json_row(lines);
        harness_json_hex(object, "address", a->windows[window].address + at);
        add_bytes(a->memory[window] + at, "first", object);
        add_bytes(b->memory[window] + at, "second", object);
    }
}
