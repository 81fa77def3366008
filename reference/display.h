/* LCD scan-out: the picture that a screen would show now (PDC-08). */
#ifndef REFERENCE_DISPLAY_H
#define REFERENCE_DISPLAY_H

#include <stddef.h>
#include <stdint.h>

struct ref_gpu;

enum ref_screen {
    REF_SCREEN_TOP,
    REF_SCREEN_BOTTOM
};

enum ref_eye {
    REF_EYE_LEFT,
    REF_EYE_RIGHT /* the second picture of the top screen (PDC-05) */
};

enum {
    REF_SCREEN_LINES = 240,
    REF_SCREEN_TOP_COLUMNS = 400,
    REF_SCREEN_BOTTOM_COLUMNS = 320
};

/* PDC-01: 400 or 320. */
uint32_t ref_screen_columns(enum ref_screen screen);

/*
 * PDC-03: writes the whole picture, line by line from the top, each line from the left, 3 bytes r, g, b a pixel. The
 * bottom screen has one picture: `eye` is ignored.
 */
void ref_scan_out(const struct ref_gpu *gpu, enum ref_screen screen, enum ref_eye eye, uint8_t *rgb);

#endif
