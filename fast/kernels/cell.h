/*
 * Blocks and windows on the quick way (fast/draw/quick.h), several at a time: each stage runs over all of them before
 * the next one starts. So the chains of dependent operations of different blocks overlap, and indices of texels are
 * stored long before they are loaded again. Only for files compiled per instruction set.
 */
#ifndef FAST_KERNELS_CELL_H
#define FAST_KERNELS_CELL_H

#include "fast/draw/shading_state.h"
#include "fast/simd/simd.h"
#include "fast/tiles/triangle.h"

enum {
    FAST_CELLS = 16
};

/* Four channels of 0..255 in 16-bit halves: r and b in the low and high halves of `even`, g and a in those of `odd`. */
struct fast_pairs {
    v_u32 even, odd;
};

/* A block or window some of whose lanes passed the tests. Lanes as in struct fast_block. */
struct fast_cell {
    v_f32 weight[3];                      /* B_i */
    v_f32 q;                              /* 1 / D */
    struct fast_pairs color;              /* interpolated, then the result of shading */
    struct fast_pairs texel;              /* of the unit, filtered */
    _Alignas(64) uint32_t index[V_LANES]; /* of texels */
    v_u32 fraction;                       /* between texels: of s in the low halves, of t in the high ones */
    v_mask alive;
    const struct fast_triangle *triangle;
    uint8_t *bytes;       /* of the 16 pixels of the colour surface */
    uint32_t right, down; /* of a window (fast/kernels.h); else 0 */
    uint32_t column, row;
};

/* A colour of every cell. */
struct fast_cell_colors {
    struct fast_pairs of[FAST_CELLS];
};

static inline v_u32 fast_u16x2(v_u32 low, v_u32 high)
{
    return v_u32_or(low, v_u32_shl(high, 16));
}

#endif
