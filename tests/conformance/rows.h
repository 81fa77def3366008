/*
 * Tables of numbers that ci/expected recomputes are text, tests/conformance/tables/NAME.txt. A line "[TEST]" begins the
 * table of a test; each line after it is a row of cells with '|' between them: what it is about, then hexadecimal
 * numbers ("A=B" are two of them). A cell "=" is that of the file's first row. '#' begins a line of comment.
 */
#ifndef TESTS_CONFORMANCE_ROWS_H
#define TESTS_CONFORMANCE_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct machine;

enum {
    ROW_CELLS = 4, /* besides the first */
    CELL_NUMBERS = 16
};

struct cell {
    uint32_t count;
    uint32_t numbers[CELL_NUMBERS];
};

struct row {
    char label[160]; /* the first cell */
    uint32_t count;  /* of cells besides it */
    struct cell cells[ROW_CELLS];
};

/* Calls `check` for each row of the running test; there is at least one. A file that is not as above fails the test. */
void each_row(struct machine *m, const char *name, void (*check)(struct machine *m, const struct row *row));

#endif
