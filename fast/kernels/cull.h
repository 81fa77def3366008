/* Which of 16 triangles are culled by their facing, and which are reversed (CUL). Part of kernels/set_up.c. */
#ifndef FAST_KERNELS_CULL_H
#define FAST_KERNELS_CULL_H

#include "fast/draw/fragment_state.h"
#include "fast/simd/simd.h"

/* One corner of 16 triangles, 1/16 pixel. */
struct corner {
    v_i32 x, y;
};

struct facing {
    v_mask kept;   /* CUL-02 */
    v_mask turned; /* CUL-04: corners 1 and 2 were exchanged */
    v_i32 area;    /* |A| */
};

/*
 * CUL-01 to CUL-04. Differences are below 2^14 where the triangle is fit, so areas are below 2^29; other lanes may
 * wrap.
 */
static inline struct facing cull(const struct fast_fragment_state *state, struct corner c[3])
{
    const v_i32 forward = v_i32_mul(v_i32_sub(c[1].x, c[0].x), v_i32_sub(c[2].y, c[0].y));
    const v_i32 backward = v_i32_mul(v_i32_sub(c[1].y, c[0].y), v_i32_sub(c[2].x, c[0].x));
    const v_i32 area = v_i32_sub(forward, backward);
    const v_mask positive = v_i32_gt(area, v_i32_splat(0));
    const v_mask turned = v_i32_lt(area, v_i32_splat(0));
    const struct corner second = c[1];
    const v_mask kept = v_mask_or(v_mask_and(positive, v_mask_if(state->keeps_positive)),
                                  v_mask_and(turned, v_mask_if(state->keeps_negative)));
    c[1] = (struct corner){ v_i32_select(turned, c[2].x, second.x), v_i32_select(turned, c[2].y, second.y) };
    c[2] = (struct corner){ v_i32_select(turned, second.x, c[2].x), v_i32_select(turned, second.y, c[2].y) };
    return (struct facing){ kept, turned, v_i32_select(turned, v_i32_sub(v_i32_splat(0), area), area) };
}

#endif
