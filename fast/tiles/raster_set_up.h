/*
 * Setting up 16 triangles at a time: the data that kernels/set_up.c hands to raster_batch.c. The kernels only compute;
 * events, budget and bins are handled in raster_batch.c.
 */
#ifndef FAST_TILES_RASTER_SET_UP_H
#define FAST_TILES_RASTER_SET_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/vertex/assembly.h"

struct fast_fragment_state;

/*
 * The vertices of the pool on the screen (VPT-01 to VPT-03), as far as they can be computed without looking at the
 * triangle: vertices inside all planes, with 1/w and attributes neither tiny nor huge (fast_triangle.ieee), not far off
 * the screen. `floats` is laid out like the pool, by slot: FAST_SCREEN_Z, FAST_SCREEN_INVERSE_W, and a * r of each
 * attribute that the draw needs; other slots are not set. Attributes are computed last, and only for blocks with a
 * vertex of a triangle that is left; until then a vertex's place does not depend on them.
 */
enum {
    FAST_PLACE_UNFIT = 0x8000, /* bit of a place: this vertex, and every triangle that has it, must be set up singly */
    FAST_PLACE_UNBOUNDED = 0x10000, /* bit of a place: the vertex does not meet fast_triangle.bounded */
    FAST_PLACE_Y_SHIFT = 17,
    FAST_PLACE_FIRST_PLANE = 0x10000, /* in the place of an unfit vertex: bits of the planes that it is outside of */
    FAST_SCREEN_Z = FAST_SLOT_POSITION + 2,
    FAST_SCREEN_INVERSE_W = FAST_SLOT_POSITION + 3
};
struct fast_screen {
    _Alignas(64) float floats[FAST_POOL_FLOATS];
    _Alignas(64) uint32_t place[FAST_POOL_BLOCKS * FAST_LANES]; /* x and y in 1/16 pixel: 16 and 15 bits */
};

/*
 * Words of struct fast_triangle that are computed for 16 triangles at once; the words before the box are its first
 * ones.
 */
enum fast_head_word {
    FAST_HEAD_WEIGHT = 0,
    FAST_HEAD_STEP_X = 3,
    FAST_HEAD_STEP_ROW = 6,
    FAST_HEAD_AREA = 9,
    FAST_HEAD_LEFT = 10,
    FAST_HEAD_FIRST_ROW = 11,
    FAST_HEAD_RIGHT = 12,
    FAST_HEAD_LAST_ROW = 13
};
enum {
    FAST_HEAD_WORDS = 16
};

/*
 * An entry of a bin: the number of a triangle. If the triangle is small, also which 4x4 squares of the region it may
 * cover, so that the triangle itself is not read before it is drawn, and whether it is in no other bin.
 */
enum {
    FAST_ENTRY_TRIANGLE = 0x7FF,   /* mask */
    FAST_ENTRY_COLUMN_SHIFT = 11,  /* column of the first square in the region, halved: 0-31 */
    FAST_ENTRY_ROW_SHIFT = 16,     /* the same for its row */
    FAST_ENTRY_SQUARES_SHIFT = 21, /* bit 3 * row + column: the square 4 * row rows and 4 * column columns further */
    FAST_ENTRY_SQUARES = 0x1FF,    /* mask, after the shift; 0: the triangle is not small */
    FAST_ENTRY_WINDOWS = 1 << 30   /* the squares are windows; otherwise blocks */
};
static const uint32_t fast_entry_alone = (uint32_t)1 << 31; /* a triangle of a slice that is in one bin only */

/* Where triangles go (renderer.h); constant during a batch. */
struct fast_bin_layout {
    uint32_t region_shift; /* log2 of the edge of a bin, at most FAST_REGION_SHIFT */
    uint32_t regions_per_row;
    bool windows; /* small triangles that are bounded may be drawn in windows (fast/kernels.h) */
};

/* 16 triangles; bit n of a mask is triangle n. */
struct fast_triangle_batch {
    _Alignas(64) uint32_t head[FAST_LANES][FAST_HEAD_WORDS]; /* as bits */
    _Alignas(64) int32_t pixels[FAST_LANES];                 /* RST-08: of the box inside the framebuffer */
    uint32_t unfit;                                          /* has an unfit vertex, and does not vanish at once */
    uint32_t kept;                                           /* CUL-02: reaches section 4 */
    uint32_t outside;                         /* kept, and the box extends beyond the framebuffer (RST-05) */
    uint32_t counted;                         /* kept, and pixels > 0 */
    uint32_t covers;                          /* counted, and S > 0 (RST-04) */
    uint32_t turned;                          /* CUL-04: vertices 1 and 2 are exchanged */
    uint32_t uncut, bounded;                  /* as in fast_triangle */
    uint32_t small;                           /* uncut, and lies in 3x3 blocks or windows at most */
    uint32_t misses;                          /* small, and covers no pixel */
    uint32_t astride;                         /* lies in more than one bin */
    _Alignas(64) uint32_t entry[FAST_LANES];  /* of a bin, without the number; if astride, the blocks */
    _Alignas(64) uint32_t region[FAST_LANES]; /* the bin that holds the first pixel of the box */
};

/* Which of 16 triangles may still show or record anything; bit n of a mask is triangle n. */
struct fast_selection {
    uint32_t left;
    uint32_t empty; /* not left, but reaches section 4 (CUL-02) */
};

typedef void fast_project_function(const struct fast_fragment_state *state, const float *block, float *screen,
                                   uint32_t *place);
typedef void fast_select_function(const struct fast_fragment_state *state, const uint32_t *place,
                                  const uint32_t *const corner[3], struct fast_selection *out);
typedef void fast_scale_function(uint32_t needs, const float *block, float *screen, uint32_t *place);
typedef void fast_set_up_function(const struct fast_fragment_state *state, const struct fast_bin_layout *layout,
                                  const uint32_t *place, const uint32_t *const corner[3],
                                  struct fast_triangle_batch *out);

#endif
