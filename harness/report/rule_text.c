#include "harness/report/rule_text.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t line_length(const char *line)
{
    const char *const end = strchr(line, '\n');
    return end != NULL ? (size_t)(end - line) + 1 : strlen(line);
}

/* A definition opens its line, perhaps after a list's dash or a table's bar: **BLD-02**. */
static const char *definition_in(const char *line)
{
    while (*line == ' ' || *line == '-' || *line == '|')
        line++;
    return strncmp(line, "**", 2) == 0 ? line + 2 : NULL;
}

static bool defines(const char *line, const char *id)
{
    const char *const name = definition_in(line);
    const size_t length = strlen(id);
    return name != NULL && strncmp(name, id, length) == 0 && strncmp(name + length, "**", 2) == 0;
}

/* A rule goes on over its own tables, which a blank line sets off, to the next rule, heading or rule-off. */
static bool ends_rule(const char *line)
{
    return definition_in(line) != NULL || line[0] == '#' || strncmp(line, "---", 3) == 0;
}

/* Appends the rule that begins at `line`: a table row alone, or all lines up to the end of the rule. */
static void quote(const char *line, struct harness_text *out)
{
    const bool is_row = line[0] == '|';
    size_t blank = 0;
    for (bool first = true; *line != '\0' && (first || !ends_rule(line)); line += line_length(line), first = false) {
        if (line_length(line) == 1 && line[0] == '\n') {
            blank++;
            continue;
        }
        /* after a blank line only indented lines, or a table, still belong to the rule */
        if (blank != 0 && line[0] != ' ' && line[0] != '|')
            return;
        for (; blank != 0; blank--)
            harness_text_add(out, "\n");
        harness_text_bytes(out, line, line_length(line));
        if (is_row)
            return;
    }
}

static bool quote_from(const char *path, const char *id, struct harness_text *out)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    bool found = false;
    if (harness_file_read(path, &bytes, &size, NULL) != HARNESS_OK)
        return false;
    for (const char *line = (const char *)bytes; !found && *line != '\0'; line += line_length(line)) {
        found = defines(line, id);
        if (found)
            quote(line, out);
    }
    free(bytes);
    return found;
}

static int is_page(const struct dirent *entry)
{
    return harness_has_extension(entry->d_name, ".md");
}

bool harness_rule_text(const char *directory, const char *id, struct harness_text *out, char *file, size_t size)
{
    struct dirent **entries = NULL;
    const int count = id[0] != '\0' ? scandir(directory, &entries, is_page, alphasort) : -1;
    bool found = false;
    for (int i = 0; i < count; i++) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        if (!found && length > 0 && (size_t)length < sizeof path)
            found = quote_from(path, id, out);
        if (found && file != NULL) {
            (void)snprintf(file, size, "%s", entries[i]->d_name);
            file = NULL;
        }
        free(entries[i]);
    }
    free(entries);
    return found;
}
