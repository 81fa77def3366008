/* 16 triangles on the screen for the kernel set_up: corners in 1/16 pixel, and the rules of spec 30 in plain C. */
#ifndef TESTS_KERNELS_SCREEN_TRIANGLES_H
#define TESTS_KERNELS_SCREEN_TRIANGLES_H

#include "fast/draw/fragment_state.h"
#include "fast/pipeline.h"
#include "fast/tiles/raster_set_up.h"
#include "tests/kernels/kernel_sets.h"

enum {
    SCREEN_BLOCKS = 3 /* of vertices: corner k of all triangles is in block k */
};

struct screen_triangles {
    int32_t x[FAST_LANES][3], y[FAST_LANES][3];
    _Alignas(64) uint32_t place[SCREEN_BLOCKS * FAST_LANES];
    _Alignas(64) uint32_t corner[3][FAST_LANES];
};

/* For what does not look at bins. */
static const struct fast_bin_layout screen_layout = { .region_shift = 6, .regions_per_row = 16 };

/* Places of vertices that are fit, from x and y. */
void screen_triangles_place(struct screen_triangles *triangles);

/* Corners up to `reach` away from a point on or near a screen of 1024 pixels; some triangles have hardly any area. */
void screen_triangles_random(struct screen_triangles *triangles, struct harness_random *random, int32_t reach);

void screen_triangles_set_up(const struct kernel_set *set, const struct fast_fragment_state *state,
                             const struct fast_bin_layout *layout, const struct screen_triangles *triangles,
                             struct fast_triangle_batch *out);

/* A of CUL-01. */
int64_t screen_triangle_area(const struct screen_triangles *triangles, uint32_t number);

#endif
