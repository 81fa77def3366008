/* The 16 fragments of one 4x4 block, on their way through a kernel. Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_BLOCK_H
#define FAST_KERNELS_BLOCK_H

#include "fast/draw/shading_state.h"
#include "fast/simd/simd.h"
#include "fast/tiles/triangle.h"

struct fast_tracer;

/*
 * What interpolation delivers (ITP-10..16). Lanes in Morton order (v_i32_lane_x, v_i32_lane_y); lanes that are not
 * covered may hold any value, NaN included. Attributes that fast_shading_state.needs does not name are not set.
 */
struct fast_block {
    v_mask alive;         /* lanes that are covered and passed the tests so far */
    uint32_t column, row; /* of lane 0 in memory (FBF-06 is done before the blocks: nothing here knows screen y) */
    v_f32 weight[3];      /* B_i */
    v_f32 q;              /* 1 / D */
    v_f32 depth;          /* ITP-16, 0..1 */
    v_f32 texcoord0[3];   /* u v w */
    v_f32 texcoord1[2];
    v_f32 texcoord2[2];
    v_f32 quaternion[4]; /* x y z w */
    v_f32 view[3];
    v_u16 color[4]; /* ITP-13: r g b a, 0..255 */
    const struct fast_triangle *triangle;
    struct fast_tracer *tracer; /* kernels with FAST_TRACING only: NULL unless the block has the traced pixel */
};

/* Colours r g b a, 0..255 per lane. */
struct fast_colors {
    v_u16 channel[4];
};

/* The same colour in all lanes, from a texel word R | G << 8 | B << 16 | A << 24. */
static inline struct fast_colors fast_colors_splat(uint32_t texel)
{
    return (struct fast_colors){ { v_u16_splat((uint16_t)(texel & 255)), v_u16_splat((uint16_t)(texel >> 8 & 255)),
                                   v_u16_splat((uint16_t)(texel >> 16 & 255)), v_u16_splat((uint16_t)(texel >> 24)) } };
}

#endif
