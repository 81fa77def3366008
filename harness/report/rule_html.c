#include "harness/report/rule_html.h"

#include "harness/report/html.h"

#include <stdbool.h>
#include <string.h>

enum block {
    BLOCK_NONE = 0,
    BLOCK_PARAGRAPH,
    BLOCK_TABLE
};

struct writer {
    struct harness_text *out;
    enum block block;
    bool bold, code; /* both end with their block */
};

static void set_bold(struct writer *writer, bool bold)
{
    if (writer->bold != bold)
        harness_text_add(writer->out, bold ? "<b>" : "</b>");
    writer->bold = bold;
}

static void set_code(struct writer *writer, bool code)
{
    if (writer->code != code)
        harness_text_add(writer->out, code ? "<code>" : "</code>");
    writer->code = code;
}

static void end_inline(struct writer *writer)
{
    set_code(writer, false);
    set_bold(writer, false);
}

static void enter(struct writer *writer, enum block block)
{
    static const char *const ends[] = { "", "</p>\n", "</table>\n" };
    static const char *const begins[] = { "", "<p>", "<table>\n" };
    end_inline(writer);
    harness_text_add(writer->out, ends[writer->block]);
    harness_text_add(writer->out, begins[block]);
    writer->block = block;
}

/* Up to `end`: text with its marks. */
static void add_inline(struct writer *writer, const char *text, const char *end)
{
    while (text < end) {
        if (*text == '`') {
            set_code(writer, !writer->code);
            text++;
        } else if (!writer->code && end - text >= 2 && strncmp(text, "**", 2) == 0) {
            set_bold(writer, !writer->bold);
            text += 2;
        } else {
            const bool escaped = *text == '\\' && end - text >= 2 && (text[1] == '|' || text[1] == '*');
            const char one[2] = { text[escaped ? 1 : 0], '\0' };
            harness_html_text(writer->out, one);
            text += escaped ? 2 : 1;
        }
    }
}

/* The bar that ends the cell, or the end of the line. Bars in `code` and after \ are text. */
static const char *end_of_cell(const char *text, const char *end)
{
    bool code = false;
    for (; text < end && (code || *text != '|'); text++) {
        if (*text == '\\' && text + 1 < end)
            text++;
        else if (*text == '`')
            code = !code;
    }
    return text;
}

static void add_row(struct writer *writer, const char *text, const char *end)
{
    if (writer->block != BLOCK_TABLE)
        enter(writer, BLOCK_TABLE);
    if (strncmp(text, "|-", 2) == 0 || strncmp(text, "| -", 3) == 0 || strncmp(text, "|:", 2) == 0)
        return; /* the line under the head */
    harness_text_add(writer->out, "<tr>");
    for (text++; text < end;) {
        const char *const bar = end_of_cell(text, end);
        harness_text_add(writer->out, "<td>");
        while (text < bar && *text == ' ')
            text++;
        add_inline(writer, text, bar);
        end_inline(writer);
        harness_text_add(writer->out, "</td>");
        text = bar + 1;
    }
    harness_text_add(writer->out, "</tr>\n");
}

static void add_line(struct writer *writer, const char *text, const char *end)
{
    while (text < end && *text == ' ')
        text++;
    if (text == end) {
        enter(writer, BLOCK_NONE);
    } else if (*text == '|') {
        add_row(writer, text, end);
    } else {
        const bool item = end - text >= 2 && strncmp(text, "- ", 2) == 0;
        if (writer->block != BLOCK_PARAGRAPH || item)
            enter(writer, BLOCK_PARAGRAPH);
        else
            harness_text_add(writer->out, "\n");
        add_inline(writer, item ? text + 2 : text, end);
    }
}

void harness_rule_html(const char *markdown, struct harness_text *out)
{
    struct writer writer = { .out = out };
    while (*markdown != '\0') {
        const size_t length = strcspn(markdown, "\n");
        add_line(&writer, markdown, markdown + length);
        markdown += length + (markdown[length] == '\n');
    }
    enter(&writer, BLOCK_NONE);
}
