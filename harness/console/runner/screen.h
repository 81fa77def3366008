/* What a person sees: a few lines of text and a bar, in a frame buffer in linear memory. */
#ifndef HARNESS_CONSOLE_RUNNER_SCREEN_H
#define HARNESS_CONSOLE_RUNNER_SCREEN_H

#include "harness/console/runner/gpu.h"

enum {
    SCREEN_BYTES = 0x2F000 /* 400 columns of 240 pixels of 16 bits, in whole pages */
};

/* A frame buffer of either screen: `format` as gsp counts, `stride` bytes from column to column. */
struct screen_picture {
    uint32_t address, stride, format;
};

struct screen {
    const struct gpu *gpu;
    uint16_t *pixels;
    uint32_t bar;    /* columns of the bar that are drawn */
    bool is_covered; /* by another picture */
};

/* Shows `pixels` (SCREEN_BYTES of linear memory) on both screens, and switches their light on. Texts of at most 25
 * characters fit on the lower one, too. */
void screen_start(struct screen *screen, const struct gpu *gpu, uint16_t *pixels);
void screen_title(struct screen *screen, const char *name);
void screen_message(struct screen *screen, const char *first, const char *second); /* below the bar */
void screen_progress(struct screen *screen, uint32_t done, uint32_t all);
/* Another picture on the upper screen, so many vertical blanks long. */
void screen_show(struct screen *screen, const struct screen_picture *picture, uint32_t blanks);
void screen_stop(const struct screen *screen); /* black: its memory may be taken away */

#endif
