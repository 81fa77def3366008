#include "tests/pica/spec_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {
    "00-overview.md",         "10-command-stream.md", "20-geometry.md",   "30-rasterizer.md",      "40-textures.md",
    "50-fragment-shading.md", "60-framebuffer.md",    "70-gx-engines.md", "90-capture-formats.md",
};

/* The whole file, terminated; the caller frees it. */
static char *read_file(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/docs/spec/%s", PICAFUZZ_SOURCE_DIR, name);
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    const size_t capacity = 1u << 20;
    char *const text = malloc(capacity);
    if (text != NULL)
        text[fread(text, 1, capacity - 1, file)] = '\0';
    fclose(file);
    return text;
}

static bool is_name_char(char c)
{
    return islower((unsigned char)c) || isdigit((unsigned char)c) || c == '-';
}

static void add_event(struct spec_events *out, const char *name, size_t length, char class_letter, const char *file)
{
    if (out->count == SPEC_MAX_NAMES || length == 0 || length >= SPEC_NAME_SIZE)
        return;
    struct spec_event *const event = &out->items[out->count++];
    memcpy(event->name, name, length);
    event->name[length] = '\0';
    event->class_letter = class_letter;
    event->file = file;
}

/* `UB: name`, possibly with a line break after the colon. 00-overview.md uses the word "name" as a placeholder. */
static void collect_mentions(struct spec_events *out, const char *text, const char *file)
{
    for (const char *at = strstr(text, "`UB:"); at != NULL; at = strstr(at + 1, "`UB:")) {
        const char *name = at + 4;
        while (isspace((unsigned char)*name))
            name++;
        size_t length = 0;
        while (is_name_char(name[length]))
            length++;
        if (!(length == 4 && strncmp(name, "name", 4) == 0))
            add_event(out, name, length, ' ', file);
    }
}

/* Splits "| a | b |" into trimmed, terminated cells. */
static size_t split_row(char *line, char *cells[], size_t most)
{
    size_t count = 0;
    char *bar = strchr(line, '|');
    while (bar != NULL && count < most) {
        char *const next = strchr(bar + 1, '|');
        if (next == NULL)
            break;
        char *begin = bar + 1;
        char *end = next;
        while (begin < end && *begin == ' ')
            begin++;
        while (end > begin && end[-1] == ' ')
            end--;
        *end = '\0';
        cells[count++] = begin;
        bar = next;
    }
    return count;
}

static bool equal_ignoring_case(const char *a, const char *b)
{
    while (*a != '\0' && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* "a, b, c" of one class. */
static void add_names(struct spec_events *out, const char *cell, char class_letter, const char *file)
{
    while (*cell != '\0') {
        size_t length = 0;
        while (is_name_char(cell[length]))
            length++;
        add_event(out, cell, length, class_letter, file);
        cell += length;
        while (*cell == ',' || *cell == ' ')
            cell++;
    }
}

/* One row under `header`. Without a class column the class is M unless some cell says "class R". */
static void collect_row(struct spec_events *out, char *header[], char *cells[], size_t count, const char *file)
{
    bool says_r = false;
    for (size_t c = 0; c < count; c++)
        says_r = says_r || strstr(cells[c], "class R") != NULL;
    for (size_t c = 0; c < count; c++) {
        if (!equal_ignoring_case(header[c], "name"))
            continue;
        const bool has_class = c + 1 < count && equal_ignoring_case(header[c + 1], "cl");
        add_names(out, cells[c], has_class ? cells[c + 1][0] : (says_r ? 'R' : 'M'), file);
    }
}

/* The tables under a heading "... UB events of this file" or "... UB names of this file". */
static void collect_tables(struct spec_events *out, char *text, const char *file)
{
    char header_line[1024] = "";
    char *header[8];
    size_t columns = 0;
    bool inside = false;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] == '#') {
            inside = strstr(line, "UB events of") != NULL || strstr(line, "UB names of") != NULL;
            columns = 0;
        }
        if (!inside || line[0] != '|' || strncmp(line, "|-", 2) == 0 || strncmp(line, "| -", 3) == 0)
            continue;
        char *cells[8];
        if (columns == 0) {
            snprintf(header_line, sizeof header_line, "%s", line);
            columns = split_row(header_line, header, 8);
        } else if (split_row(line, cells, 8) >= columns) {
            collect_row(out, header, cells, columns, file);
        }
    }
}

bool spec_read_events(struct spec_events *out)
{
    out->count = 0;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        char *const text = read_file(files[f]);
        if (text == NULL)
            return false;
        collect_mentions(out, text, files[f]);
        collect_tables(out, text, files[f]);
        free(text);
    }
    return true;
}

/* AREA-NN at `text`: its length, or 0. */
static size_t rule_length(const char *text)
{
    size_t length = 0;
    while (isupper((unsigned char)text[length]) || (length > 0 && text[length] == '-'))
        length++;
    if (length < 3 || text[length - 1] != '-')
        return 0;
    const size_t digits = length;
    while (isdigit((unsigned char)text[length]))
        length++;
    return length == digits + 2 ? length : 0;
}

bool spec_read_rules(struct spec_rules *out)
{
    static const char *const openings[] = { "**", "- **", "| " };
    out->count = 0;
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        char *const text = read_file(files[f]);
        if (text == NULL)
            return false;
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
            for (size_t o = 0; o < sizeof openings / sizeof openings[0]; o++) {
                const size_t skip = strlen(openings[o]);
                const size_t length = strncmp(line, openings[o], skip) == 0 ? rule_length(line + skip) : 0;
                if (length == 0 || length >= sizeof out->ids[0] || out->count == SPEC_MAX_NAMES)
                    continue;
                memcpy(out->ids[out->count], line + skip, length);
                out->ids[out->count++][length] = '\0';
            }
        free(text);
    }
    return true;
}
