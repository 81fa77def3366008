/* Surfaces of guest memory as PNG files. */
#ifndef HARNESS_RUN_PICTURES_H
#define HARNESS_RUN_PICTURES_H

#include "harness/case/error.h"
#include "oracles/pixels.h"
#include "oracles/run.h"

enum {
    HARNESS_PICTURE_MAX_SIDE = 4096,
    HARNESS_PICTURE_DIGEST = 33 /* 32 hexadecimal digits */
};

/*
 * Writes one surface of a run as an 8-bit RGB PNG (alpha is not shown: guest programs leave anything there). A depth
 * surface becomes grey, near = black; bytes outside the windows are 0. The file appears whole or not at all.
 * HARNESS_BAD_INPUT if it is empty or has a side over HARNESS_PICTURE_MAX_SIDE.
 */
enum harness_status harness_picture_write(const struct oracle_run *run, const struct oracle_surface *surface,
                                          const char *path, struct harness_error *error);

/* A rectangle of a surface, in the viewer's coordinates: y = 0 is the top row. */
struct harness_region {
    uint32_t x, y, width, height;
};

/* Fills 3 * width * height bytes r, g, b of a region that lies within the surface, lines from the top. */
void harness_picture_region(const struct oracle_run *run, const struct oracle_surface *surface,
                            const struct harness_region *region, uint8_t *rgb);

/* The same for pixels that are r, g, b bytes already, lines from the top. */
enum harness_status harness_picture_write_rgb(const uint8_t *rgb, uint32_t width, uint32_t height, const char *path,
                                              struct harness_error *error);

/* The name of such a picture by its contents: size and pixels (XXH3, 128 bits). */
void harness_picture_digest(const uint8_t *rgb, uint32_t width, uint32_t height, char out[HARNESS_PICTURE_DIGEST]);

#endif
