/* What is the same for all blocks of a draw, or of one triangle. Part of kernels/block.c. */
#ifndef FAST_KERNELS_BLOCK_SETTING_H
#define FAST_KERNELS_BLOCK_SETTING_H

#include "fast/draw/fragment_state.h"
#include "fast/kernels.h"
#include "fast/kernels/blend.h"
#include "fast/kernels/block.h"

/*
 * State is copied here because, as far as the compiler knows, a store of pixels could change anything behind a pointer.
 */
struct setting {
    const struct fast_fragment_state *raster;
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
    struct blend_operands *operands;
    struct blend_factors factors;
};

#endif
