/* One triangle ready to be drawn: clipped, snapped, oriented. The same for every instruction set. */
#ifndef FAST_TILES_TRIANGLE_H
#define FAST_TILES_TRIANGLE_H

#include <stdbool.h>
#include <stdint.h>

/* The interpolated attributes (ITP-12), those that most draws need first. */
enum fast_attribute {
    FAST_ATTRIBUTE_COLOR = 0,     /* r g b a */
    FAST_ATTRIBUTE_TEXCOORD0 = 4, /* u v */
    FAST_ATTRIBUTE_TEXCOORD1 = 6, /* u v */
    FAST_ATTRIBUTE_TEXCOORD2 = 8, /* u v */
    FAST_ATTRIBUTE_TEXCOORD0_W = 10,
    FAST_ATTRIBUTE_VIEW = 11,      /* x y z */
    FAST_ATTRIBUTE_QUATERNION = 14 /* x y z w */
};
enum {
    FAST_ATTRIBUTES = 18
};

/*
 * Pixels are counted as in memory: column ix and row of FBF-06, so that drawing needs no flip.
 *
 * Vertices in the order after CUL-04, so that A > 0. Edge i lies opposite of vertex i: (v1,v2), (v2,v0), (v0,v1).
 * The weight of RST-03 at (column, row) is weight[i] + column * step_x[i] + row * step_row[i], exactly if `narrow`,
 * else the same with wide_weight[i].
 *
 * The first words, up to area, are copied from a batch (raster_set_up.h: enum fast_head_word is their order). A
 * draw without textures and lights reads only the first two cache lines.
 */
struct fast_triangle {
    _Alignas(64) int32_t weight[3]; /* at (0, 0), bias included */
    int32_t step_x[3], step_row[3]; /* of the weight, per column / memory row */
    float area;                     /* Sf = f32(S) of ITP-10 */
    uint16_t left, first_row;       /* box of pixels to draw, inclusive: inside framebuffer and scissor (mode 3) */
    uint16_t right, last_row;
    bool ieee;          /* no product of the interpolation can overflow or be undefined: IEEE and PICA products agree */
    bool bounded;       /* ieee, and corners have colours of 0..1 and texture coordinates of at most 2^10 */
    bool narrow;        /* weight[i], and every weight of a covered pixel's 4x4 block, fit s32 */
    bool head_taken;    /* written by the thread that draws, when the triangle is in one bin alone */
    float inverse_w[3]; /* r_i of VPT-01 */
    bool values_taken;
    bool uncut; /* the box is the whole bounding box: covered pixels (RST-04) lie in it anyway */
    float z[3]; /* Z_i of VPT-02 */
    float attribute[FAST_ATTRIBUTES][3]; /* a_i * r_i, VPT-01; only those that the draw needs are set */
    float weight_dx[3], weight_dy[3];    /* BX_i, BY_i of TEX-09: one pixel to the right, one up the screen */
    int64_t wide_weight[3];              /* only if not narrow */
};

#endif
