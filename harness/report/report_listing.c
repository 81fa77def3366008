/* The listing of a case on its page: the guilty line marked, long data shortened. */
#include "harness/case/formats.h"
#include "harness/pages/json.h"
#include "harness/report/report_parts.h"
#include "harness/trial/fatal.h"

#include <cjson/cJSON.h>
#include <string.h>

enum {
    LINES_AROUND = 120, /* shown before and after the guilty line; the whole case lies beside the page */
    DATA_SHOWN = 4      /* first lines of a block of plain data that are shown */
};

/* A comment put before the guilty line of a copy of the case; the listing shows a highlighted line instead. */
static const char guilty_mark[] = "picafuzz report: guilty";

/* ------------------------------------------------------------------------------------------------------ the mark */

/* The place of the comment to which the mark is added: at the guilty command, or at the guilty operation where the
 * command is not known; NULL: nothing is guilty. */
static const char **guilty_comment(struct harness_case *test_case, const struct report_entry *entry)
{
    const struct harness_location *const location = &entry->location;
    if (!entry->has_operation || entry->operation >= test_case->operation_count)
        return NULL;
    struct harness_operation *const operation = &test_case->operations[entry->operation];
    struct harness_list *const list = &operation->data.list;
    const bool in_list = operation->kind == HARNESS_RUN && location->has_command &&
                         location->command_word != UINT32_MAX && location->command != 0 &&
                         location->command <= list->count &&
                         harness_list_header_word(list, location->command - 1) == location->command_word;
    if (harness_fatal_place(operation, entry->command) != NULL)
        return &harness_list_edit(list, entry->command - 1)->comment;
    return in_list ? &harness_list_edit(list, location->command - 1)->comment : &operation->comment;
}

static size_t line_length(const char *line)
{
    const char *const end = strchr(line, '\n');
    return end != NULL ? (size_t)(end - line) + 1 : strlen(line);
}

static bool is_mark(const char *line, size_t length)
{
    for (size_t i = 0; i + strlen(guilty_mark) <= length; i++)
        if (memcmp(line + i, guilty_mark, strlen(guilty_mark)) == 0)
            return true;
    return false;
}

/* Number of the line with the mark, or 0. */
static size_t find_mark(const char *text)
{
    size_t number = 0;
    for (const char *line = text; *line != '\0'; line += line_length(line), number++)
        if (is_mark(line, line_length(line)))
            return number;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------ shortening */

/* A line of numbers alone, in hex or as a table has them. */
static bool is_data(const char *line, size_t length)
{
    bool digit = false;
    for (size_t i = 0; i < length; i++) {
        const char c = line[i];
        const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        if (!hex && strchr(" .-+xn\n", c) == NULL)
            return false;
        digit = digit || hex;
    }
    return digit;
}

/* Keeps the first lines of each block of data. */
static void shorten(const char *text, struct harness_text *out)
{
    size_t data = 0;
    for (const char *line = text; *line != '\0'; line += line_length(line)) {
        const bool is = is_data(line, line_length(line));
        if (!is && data > DATA_SHOWN)
            harness_text_format(out, "    ... %zu more lines of data\n", data - DATA_SHOWN);
        data = is ? data + 1 : 0;
        if (data <= DATA_SHOWN)
            harness_text_bytes(out, line, line_length(line));
    }
}

/* --------------------------------------------------------------------------------------------------------- listing */

static bool is_comment(const char *line)
{
    return line[strspn(line, " ")] == '#';
}

static void add_line(const char *line, size_t length, bool guilty, cJSON *out)
{
    char copy[4096];
    length = length < sizeof copy ? length : sizeof copy - 1;
    memcpy(copy, line, length);
    copy[length != 0 && copy[length - 1] == '\n' ? length - 1 : length] = '\0';
    cJSON *const object = harness_json_row(out);
    cJSON_AddStringToObject(object, "text", copy);
    if (guilty)
        cJSON_AddBoolToObject(object, "guilty", true);
}

static void add_lines(const char *text, cJSON *out)
{
    const size_t mark = find_mark(text);
    const size_t first = mark > LINES_AROUND ? mark - LINES_AROUND : 0;
    size_t number = 0;
    bool pending = false; /* the mark was seen, but not yet the line that it is for */
    if (first != 0)
        add_line("...", 3, false, out);
    for (const char *line = text; *line != '\0'; line += line_length(line), number++) {
        if (number < first)
            continue;
        if (number > mark + LINES_AROUND) {
            add_line("...", 3, false, out);
            return;
        }
        if (is_mark(line, line_length(line))) {
            pending = true;
            continue;
        }
        const bool guilty = pending && !is_comment(line);
        add_line(line, line_length(line), guilty, out);
        pending = pending && !guilty;
    }
}

enum harness_status report_add_listing(const struct report_entry *entry, const struct harness_case *test_case,
                                       cJSON *out, struct harness_error *error)
{
    struct harness_text listing = { 0 }, shown = { 0 }, comment = { 0 };
    struct harness_case *const copy = harness_case_clone(test_case);
    if (copy == NULL)
        return harness_fail_memory(error);
    const char **const guilty = guilty_comment(copy, entry);
    if (guilty != NULL) {
        harness_text_format(&comment, "%s%s%s", guilty_mark, *guilty != NULL ? "\n" : "",
                            *guilty != NULL ? *guilty : "");
        *guilty = harness_text_string(&comment);
    }
    const enum harness_status status = harness_pcase_write(copy, &listing, error);
    if (status == HARNESS_OK)
        shorten(harness_text_string(&listing), &shown);
    if (status == HARNESS_OK)
        add_lines(harness_text_string(&shown), out);
    harness_text_free(&listing);
    harness_text_free(&shown);
    harness_text_free(&comment);
    harness_case_destroy(copy);
    return status;
}
