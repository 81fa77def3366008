/* The first bytes of memory in which the two differ, side by side. */
#include "harness/report/html.h"
#include "harness/report/report_parts.h"

#include <inttypes.h>
#include <string.h>

enum {
    LINE = 16,        /* bytes */
    LINES_BEFORE = 2, /* before the first that differs */
    LINES = 8,
    NAME_WIDTH = 37 /* of the bytes of a line */
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

static void add_line(const uint8_t *bytes, const uint8_t *others, struct harness_text *out)
{
    for (uint32_t i = 0; i < LINE; i++) {
        const bool differs = bytes[i] != others[i];
        harness_text_format(out, "%s%s%02X%s", i % 4 == 0 ? " " : "", differs ? "<b class=\"bad\">" : "", bytes[i],
                            differs ? "</b>" : "");
    }
}

/* Above the bytes of each. A plug-in names itself as it likes. */
static void add_names(const char *first, const char *second, struct harness_text *out)
{
    harness_text_add(out, "            ");
    harness_html_text(out, first);
    for (size_t width = strlen(first); width < NAME_WIDTH; width++)
        harness_text_add(out, " ");
    harness_text_add(out, "    ");
    harness_html_text(out, second);
    harness_text_add(out, "\n");
}

void report_write_memory(struct report_entry *entry, const struct oracle_run *a, const struct oracle_run *b)
{
    uint32_t window = 0, offset = 0;
    struct harness_text *const out = &entry->memory;
    if (!find_first(a, b, &window, &offset))
        return;
    const uint32_t line = offset / LINE * LINE;
    const uint32_t first = line > LINES_BEFORE * LINE ? line - LINES_BEFORE * LINE : 0;
    add_names(a->backend, b->backend, out);
    for (uint32_t at = first; at < first + LINES * LINE && at < a->windows[window].size; at += LINE) {
        harness_text_format(out, "0x%08" PRIX32 " ", a->windows[window].address + at);
        add_line(a->memory[window] + at, b->memory[window] + at, out);
        harness_text_add(out, "    ");
        add_line(b->memory[window] + at, a->memory[window] + at, out);
        harness_text_add(out, "\n");
    }
}
