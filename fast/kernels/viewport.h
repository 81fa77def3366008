/* 16 vertices onto the screen (VPT-01 to VPT-03). Part of kernels/set_up.c. */
#ifndef FAST_KERNELS_VIEWPORT_H
#define FAST_KERNELS_VIEWPORT_H

#include "fast/draw/fragment_state.h"
#include "fast/draw/shading_state.h"
#include "fast/simd/simd.h"
#include "fast/tiles/raster_set_up.h"

/* One slot of a block of vertices. */
static inline v_f32 slot(const float *block, uint32_t number)
{
    return v_f32_load(block + number * FAST_LANES);
}

/* In 1/16 pixels, before they are rounded. */
struct screen_units {
    v_f32 x, y;
};

/* VPT-02 of x / w and y / w. */
static inline struct screen_units find_units(const struct fast_fragment_state *state, v_f32 x, v_f32 y)
{
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 sixteen = v_f32_splat(16.0f);
    const v_f32 right = v_f32_mul(v_f32_add(x, one), v_f32_splat(state->half_width));
    const v_f32 up = v_f32_mul(v_f32_add(y, one), v_f32_splat(state->half_height));
    return (struct screen_units){ v_f32_mul(v_f32_add(right, v_f32_splat(state->offset_x)), sixteen),
                                  v_f32_mul(v_f32_add(up, v_f32_splat(state->offset_y)), sixteen) };
}

/* VPT-03, ITP-05: 1/16 pixels, for |units| <= 32767. */
static inline v_i32 snap(v_f32 units)
{
    const v_i32 magnitude = v_i32_rha_positive(v_f32_abs(units));
    return v_i32_select(v_f32_lt(units, v_f32_splat(0.0f)), v_i32_sub(v_i32_splat(0), magnitude), magnitude);
}

/* Slots that a draw may need, and what fast_triangle.bounded requires of them: bits & mask <= limit. */
struct slot_range {
    uint32_t need, slot, count, mask, limit;
};

static const struct slot_range slot_ranges[7] = {
    { FAST_NEED_COLOR, FAST_SLOT_COLOR, 4, UINT32_MAX, 0x3f800000u },        /* 1, without -0 */
    { FAST_NEED_TEXCOORD0, FAST_SLOT_TEXCOORD0, 2, INT32_MAX, 0x44800000u }, /* 2^10 */
    { FAST_NEED_TEXCOORD1, FAST_SLOT_TEXCOORD1, 2, INT32_MAX, 0x44800000u },
    { FAST_NEED_TEXCOORD2, FAST_SLOT_TEXCOORD2, 2, INT32_MAX, 0x44800000u },
    { FAST_NEED_TEXCOORD0_W, FAST_SLOT_TEXCOORD0_W, 1, 0, 0 },
    { FAST_NEED_VIEW, FAST_SLOT_VIEW, 3, 0, 0 },
    { FAST_NEED_QUATERNION, FAST_SLOT_QUATERNION, 4, 0, 0 },
};

/* What is known about the attributes of 16 vertices. */
struct limits {
    v_u32 greatest; /* magnitude of a * r, as bits: so NaN is above all numbers */
    v_mask bounded;
};

/* VPT-01 for the slots of a range. */
static inline void scale_slots(const struct slot_range *range, const float *block, float *screen, struct limits *limits)
{
    const v_f32 r = slot(screen, FAST_SCREEN_INVERSE_W);
    for (uint32_t k = range->slot; k < range->slot + range->count; k++) {
        const v_f32 value = slot(block, k);
        const v_f32 scaled = v_f32_mul(value, r);
        const v_u32 looked_at = v_u32_and(v_u32_from_f32_bits(value), v_u32_splat(range->mask));
        v_f32_store(screen + k * FAST_LANES, scaled);
        limits->greatest = v_u32_max(limits->greatest, v_u32_from_f32_bits(v_f32_abs(scaled)));
        limits->bounded = v_mask_and(limits->bounded, v_u32_le(looked_at, v_u32_splat(range->limit)));
    }
}

#endif
