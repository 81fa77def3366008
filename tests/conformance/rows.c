#define _POSIX_C_SOURCE 200809L
#include "tests/conformance/rows.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_cell(struct cell *cell, char *text, const struct cell *of_first_row)
{
    if (text[strspn(text, " ")] == '=') {
        *cell = *of_first_row;
        return;
    }
    char *save, *end;
    for (char *word = strtok_r(text, " =", &save); word != NULL; word = strtok_r(NULL, " =", &save)) {
        cr_assert(cell->count < CELL_NUMBERS, "more than CELL_NUMBERS in a cell");
        cell->numbers[cell->count++] = (uint32_t)strtoul(word, &end, 16);
        cr_assert(*end == '\0', "'%s' is no number", word);
    }
}

static void read_row(struct row *row, char *line, const struct row *first)
{
    char *save;
    *row = (struct row){ .count = 0 };
    (void)snprintf(row->label, sizeof row->label, "%s", strtok_r(line, "|", &save));
    for (size_t n = strlen(row->label); n > 0 && row->label[n - 1] == ' '; n--)
        row->label[n - 1] = '\0';
    for (char *text; (text = strtok_r(NULL, "|", &save)) != NULL; row->count++) {
        cr_assert(row->count < ROW_CELLS, "more than ROW_CELLS in a row: %s", row->label);
        read_cell(&row->cells[row->count], text, &first->cells[row->count]);
    }
}

void each_row(struct machine *m, const char *name, void (*check)(struct machine *m, const struct row *row))
{
    char path[1024], line[1024], wanted[160];
    struct row row, first = { .count = 0 };
    bool ours = false;
    unsigned rows = 0;
    (void)snprintf(wanted, sizeof wanted, "[%s]", criterion_current_test->name);
    (void)snprintf(path, sizeof path, PICAFUZZ_SOURCE_DIR "/tests/conformance/tables/%s.txt", name);
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '[') {
            ours = strcmp(line, wanted) == 0;
        } else if (line[0] != '\0' && line[0] != '#' && (ours || first.count == 0)) {
            read_row(&row, line, &first);
            if (first.count == 0)
                first = row;
            if (ours) {
                check(m, &row);
                rows++;
            }
        }
    }
    (void)fclose(file);
    cr_assert(rows > 0, "%s has no row below %s", path, wanted);
}
