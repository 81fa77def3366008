/*
 * Screenshots of an emulator that ran a program exported with --screens: which pictures (struct console_show) are on
 * them. A screenshot is a PNG file with the upper screen upright on it, at a whole scale, pixels unchanged; what else
 * is on it does not matter. The code on the screen says which picture it is and of which export, and its edges where
 * the screen lies.
 */
#ifndef HARNESS_CONSOLE_SCREENSHOTS_H
#define HARNESS_CONSOLE_SCREENSHOTS_H

#include "harness/case/error.h"
#include "harness/console/view.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    CONSOLE_SCREENSHOT_SCALES = 8,      /* pixels of a screenshot for one of the screen, at most */
    CONSOLE_SCREENSHOT_PIXELS = 1 << 26 /* of a screenshot at most */
};

struct console_screenshots;

/* `view` is borrowed for its life. On failure *out is NULL. */
enum harness_status console_screenshots_create(const struct console_view *view, struct console_screenshots **out,
                                               struct harness_error *error);
void console_screenshots_destroy(struct console_screenshots *screenshots); /* accepts NULL */

enum console_screenshot {
    CONSOLE_SCREENSHOT_TAKEN,   /* it has a picture */
    CONSOLE_SCREENSHOT_NOTHING, /* it has no code of this export: a menu, a picture between two, another program */
    CONSOLE_SCREENSHOT_BLURRED  /* it has a code, but its pixels are not those of the screen: scaled by a filter */
};

/* Takes the picture on one screenshot. HARNESS_BAD_INPUT: no PNG file, 16 bits a channel, too large. */
enum harness_status console_screenshots_add(struct console_screenshots *screenshots, const char *name,
                                            const uint8_t *png, size_t size, enum console_screenshot *out,
                                            struct harness_error *error);

/* Part `part` of what a case shows; NULL: there is none. */
struct console_picture {
    uint32_t case_index;
    struct console_show show;
    uint8_t *rgb;   /* red, green, blue of each pixel as they lie in its tiles (FBF-07); NULL: on no screenshot */
    bool is_double; /* two screenshots say different things of it */
};
const struct console_picture *console_screenshots_part(const struct console_screenshots *screenshots,
                                                       uint32_t case_index, uint32_t part);

/* Pictures that the export shows, and those of them that are on a screenshot. */
void console_screenshots_count(const struct console_screenshots *screenshots, uint32_t *shown, uint32_t *seen);

#endif
