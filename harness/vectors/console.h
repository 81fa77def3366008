/*
 * What a console left of a case, as lines of its head state it (corpus/hardware):
 *
 *     under: reciprocal-rounding=truncates
 *     expect console: 0x18000000 = 0x000000FF, 0x18000004 = 0x000000FF
 *
 * The first line is there if the machine of the specification leaves something else: sides of open choices that fit.
 * Nothing else of the case is known. Private to harness/vectors.
 */
#ifndef HARNESS_VECTORS_CONSOLE_H
#define HARNESS_VECTORS_CONSOLE_H

#include "harness/fingerprint/places.h"

enum {
    VECTORS_MOST_LINES = 8
};

struct vectors_console {
    struct harness_places places[VECTORS_MOST_LINES];
    struct harness_words words[VECTORS_MOST_LINES];
    uint32_t count;  /* of lines: 0 if nobody ran it on a console */
    char under[128]; /* or "" */
};

/* HARNESS_BAD_INPUT: a line that is not so written, or too many. */
enum harness_status vectors_console_read(const struct harness_case *test_case, struct vectors_console *out,
                                         struct harness_error *error);

/* Does the backend leave it? False also if it does not run the case. */
bool vectors_console_is_left(const struct vectors_console *console, const struct harness_program *program,
                             struct harness_runner *runner);

#endif
