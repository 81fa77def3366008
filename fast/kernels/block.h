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
    v_mask coverage;
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

/* Step 2 of FBF-21: texturing, lighting, combiner. Lanes that are not covered may come out as anything 0..255. */
void FAST_ISA(fast_shade_block)(const struct fast_shading_state *state, const struct fast_block *block,
                                struct fast_colors *out);

/* Step 4 of FBF-21: fog changes r, g, b in place. Called only if state->fog.enabled. */
void FAST_ISA(fast_fog_block)(const struct fast_shading_state *state, const struct fast_block *block,
                              struct fast_colors *colors);

#endif
