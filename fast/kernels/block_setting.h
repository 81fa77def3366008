/* What is the same for all blocks of a draw or a triangle. Part of kernels/block.c. */
#ifndef FAST_KERNELS_BLOCK_SETTING_H
#define FAST_KERNELS_BLOCK_SETTING_H

#include "fast/draw/raster_state.h"
#include "fast/kernels.h"
#include "fast/kernels/block.h"
#include "fast/kernels/trace_hooks.h"

/* Where blending finds its operands (BLD-01): S, D, K and what else a factor can be. */
struct operands {
    struct fast_colors source, dest;
    v_u16 constant[4];
    v_u16 zero, saturate;
};

/* A factor of one channel: *vector ^ flip. */
struct factor {
    const v_u16 *vector;
    v_u16 flip;
};

/*
 * What is the same for all blocks of a draw, and of one triangle. State is copied here because stores of pixels could
 * change anything that a pointer leads to, as far as the compiler knows.
 */
struct setting {
    const struct fast_raster_state *raster;
    const struct fast_shading_state *shading;
    const struct fast_quick *quick;
    const struct fast_triangle *triangle;
    uint32_t needs;
    bool interpolates_depth, needs_depth, fog;
    bool alpha_test;
    bool depth_accessed, depth_written;
    bool color_written; /* always, unless the draw is traced */
    struct fast_tracer *tracer;
    struct fast_depth_state depth;
    struct fast_stencil_state stencil;
    struct fast_color_state color;
    struct fast_blend_state blend;
    uint32_t color_bytes;
    v_i32 lane_x, lane_row;
    v_i32 step[3]; /* weight of each lane, relative to lane 0 */
    struct operands *operands;
    struct factor source_factor[4], dest_factor[4];
    bool saturates; /* some factor is FAST_BLEND_SATURATE */
};

/* FBF-23 */
static inline v_mask compare(enum pica_compare_func function, v_u32 a, v_u32 b)
{
    switch (function) {
    case PICA_COMPARE_FUNC_NEVER: return v_mask_none();
    case PICA_COMPARE_FUNC_ALWAYS: return v_mask_all_lanes();
    case PICA_COMPARE_FUNC_EQUAL: return v_u32_eq(a, b);
    case PICA_COMPARE_FUNC_NOT_EQUAL: return v_u32_ne(a, b);
    case PICA_COMPARE_FUNC_LESS: return v_u32_lt(a, b);
    case PICA_COMPARE_FUNC_LESS_EQUAL: return v_u32_le(a, b);
    case PICA_COMPARE_FUNC_GREATER: return v_u32_gt(a, b);
    case PICA_COMPARE_FUNC_GREATER_EQUAL:
    default: return v_u32_ge(a, b);
    }
}

#endif
