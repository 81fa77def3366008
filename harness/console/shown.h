/*
 * The memory that a case left, by what screenshots show of it: red, green and blue of its colour buffer. All else,
 * alpha included, is filled in as `reference` leaves it, so that it never differs.
 */
#ifndef HARNESS_CONSOLE_SHOWN_H
#define HARNESS_CONSOLE_SHOWN_H

#include "harness/case/case.h"
#include "harness/console/screenshots.h"

#include <stdbool.h>
#include <stdint.h>

enum console_shown_kind {
    CONSOLE_SHOWN_NOTHING,  /* it shows nothing, or not all of it is on screenshots */
    CONSOLE_SHOWN_UNSTABLE, /* two screenshots say different things */
    CONSOLE_SHOWN_ALPHA,    /* a side of a known choice has other alpha, and a screen shows none */
    CONSOLE_SHOWN_COLORS
};

struct console_shown {
    enum console_shown_kind kind;
    uint8_t *image;           /* COLORS: of all windows (harness/run/image.h); the caller frees it */
    struct pica_window range; /* of it, what is from the screen: addresses of the case */
    bool is_drawn;            /* a pixel that `reference` draws is shown as it draws it */
};

/* `program`: the case; `moved`: what ran in its place, or NULL. HARNESS_HOST without memory. */
enum harness_status console_shown_take(const struct console_screenshots *screenshots, uint32_t case_index,
                                       const char *name, const struct harness_program *program,
                                       const struct harness_program *moved, struct console_shown *out,
                                       struct harness_error *error);

#endif
