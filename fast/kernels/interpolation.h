/*
 * From weights to depth and attributes (ITP-10 to ITP-17). `ieee` is the member of the triangle (tiles/triangle.h);
 * every caller passes it as a constant.
 *
 * General: struct fast_block. Quick: struct fast_cell, whose triangles are bounded, so all products are IEEE products.
 */
#ifndef FAST_KERNELS_INTERPOLATION_H
#define FAST_KERNELS_INTERPOLATION_H

#include "fast/draw/fragment_state.h"
#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"
#include "fast/kernels/trace_hooks.h"

/* ITP-02, GEN-03. */
static inline v_f32 product(bool ieee, v_f32 a, v_f32 b)
{
    return ieee ? v_f32_mul(a, b) : v_f32_mul_pica(a, b);
}

static inline v_f32 ieee_sum(const float values[3], const v_f32 weights[3])
{
    const v_f32 first = v_f32_mul(v_f32_splat(values[0]), weights[0]);
    const v_f32 second = v_f32_mul(v_f32_splat(values[1]), weights[1]);
    const v_f32 third = v_f32_mul(v_f32_splat(values[2]), weights[2]);
    return v_f32_add(v_f32_add(first, second), third);
}

static inline v_f32 weighted_sum(bool ieee, const float values[3], const v_f32 weights[3])
{
    if (ieee)
        return ieee_sum(values, weights);
    const v_f32 first = v_f32_mul_pica(v_f32_splat(values[0]), weights[0]);
    const v_f32 second = v_f32_mul_pica(v_f32_splat(values[1]), weights[1]);
    const v_f32 third = v_f32_mul_pica(v_f32_splat(values[2]), weights[2]);
    return v_f32_add(v_f32_add(first, second), third);
}

/* -------------------------------------------------------------------------------------------------- the general way */

/* ITP-12 */
static inline void interpolate(bool ieee, const struct fast_block *block, enum fast_attribute attribute, int count,
                               v_f32 *out)
{
    for (int k = 0; k < count; k++)
        out[k] =
            product(ieee, weighted_sum(ieee, block->triangle->attribute[(int)attribute + k], block->weight), block->q);
}

/* ITP-13 */
static inline void interpolate_color(bool ieee, struct fast_block *block)
{
    v_f32 values[4];
    interpolate(ieee, block, FAST_ATTRIBUTE_COLOR, 4, values);
    for (int k = 0; k < 4; k++) {
        const v_f32 scaled = v_f32_mul(values[k], v_f32_splat(255.0f));
        const v_f32 limited = v_f32_sat(scaled, v_f32_splat(0.0f), v_f32_splat(255.0f));
        block->color[k] = v_u16_from_i32(v_i32_halves_down_positive(limited));
    }
}

/* ITP-11 */
static inline void interpolate_q(bool ieee, struct fast_block *block)
{
    block->q = v_f32_div(v_f32_splat(1.0f), weighted_sum(ieee, block->triangle->inverse_w, block->weight));
}

/* ITP-14, ITP-15, ITP-16, with IEEE products; ITP-06: clamp01 turns a NaN into +0. */
static inline void interpolate_depth(const struct fast_fragment_state *raster, struct fast_block *block)
{
    const v_f32 area = v_f32_splat(block->triangle->area);
    const v_f32 z = v_f32_div(ieee_sum(block->triangle->z, block->weight), area);
    v_f32 depth = v_f32_add(v_f32_mul(z, v_f32_splat(raster->depth_scale)), v_f32_splat(raster->depth_offset));
    if (!raster->z_buffer)
        depth = v_f32_mul(depth, v_f32_mul(block->q, area));
    block->depth = v_f32_clamp01(depth);
}

/* ITP-12 for the attributes that shading reads. */
static inline void interpolate_attributes(bool ieee, uint32_t needs, struct fast_block *block)
{
    if ((needs & FAST_NEED_QUATERNION) != 0u)
        interpolate(ieee, block, FAST_ATTRIBUTE_QUATERNION, 4, block->quaternion);
    if ((needs & FAST_NEED_COLOR) != 0u)
        interpolate_color(ieee, block);
    if ((needs & FAST_NEED_TEXCOORD0) != 0u)
        interpolate(ieee, block, FAST_ATTRIBUTE_TEXCOORD0, 2, block->texcoord0);
    if ((needs & FAST_NEED_TEXCOORD0_W) != 0u)
        interpolate(ieee, block, FAST_ATTRIBUTE_TEXCOORD0_W, 1, &block->texcoord0[2]);
    if ((needs & FAST_NEED_TEXCOORD1) != 0u)
        interpolate(ieee, block, FAST_ATTRIBUTE_TEXCOORD1, 2, block->texcoord1);
    if ((needs & FAST_NEED_TEXCOORD2) != 0u)
        interpolate(ieee, block, FAST_ATTRIBUTE_TEXCOORD2, 2, block->texcoord2);
    if ((needs & FAST_NEED_VIEW) != 0u)
        interpolate(ieee, block, FAST_ATTRIBUTE_VIEW, 3, block->view);
}

/* Reports what was interpolated, in the order of pica/trace.def. */
static inline void trace_interpolation(uint32_t needs, const struct fast_block *block)
{
    if ((needs & FAST_NEED_COLOR) != 0u)
        trace_channels(block, PICA_TRACE_ID_PRIMARY_COLOR, 0u, block->color, 4u);
    if ((needs & FAST_NEED_TEXCOORD0) != 0u)
        trace_f32(block, PICA_TRACE_ID_TEXCOORD, 0u, block->texcoord0, 3u);
    if ((needs & FAST_NEED_TEXCOORD1) != 0u)
        trace_f32(block, PICA_TRACE_ID_TEXCOORD, 1u, block->texcoord1, 2u);
    if ((needs & FAST_NEED_TEXCOORD2) != 0u)
        trace_f32(block, PICA_TRACE_ID_TEXCOORD, 2u, block->texcoord2, 2u);
    if ((needs & FAST_NEED_QUATERNION) != 0u)
        trace_f32(block, PICA_TRACE_ID_QUATERNION, 0u, block->quaternion, 4u);
    if ((needs & FAST_NEED_VIEW) != 0u)
        trace_f32(block, PICA_TRACE_ID_VIEW, 0u, block->view, 3u);
    trace_f32(block, PICA_TRACE_ID_DEPTH_VALUE, 0u, &block->depth, 1u);
}

/* ---------------------------------------------------------------------------------------- the quick way: attributes */

static inline v_f32 cell_sum(const struct fast_cell *cell, const float values[3])
{
    return ieee_sum(values, cell->weight);
}

/* ITP-12 */
static inline v_f32 cell_attribute(const struct fast_cell *cell, uint32_t attribute)
{
    return v_f32_mul(cell_sum(cell, cell->triangle->attribute[attribute]), cell->q);
}

static inline v_u32 cell_channel(const struct fast_cell *cell, uint32_t channel)
{
    const v_f32 value = cell_attribute(cell, FAST_ATTRIBUTE_COLOR + channel);
    return v_u32_from_i32(v_i32_halves_down_positive(v_f32_mul(value, v_f32_splat(255.0f))));
}

/*
 * ITP-13. Bounded triangles have colours of 0..1 at their corners; in a covered lane no weight is negative and D is
 * positive. So the result is not below 0, and above 1 only by rounding errors, which do not reach 255.5 / 255. So the
 * limits of the rule have no effect and are left out.
 */
static inline struct fast_pairs cell_color(const struct fast_cell *cell)
{
    return (struct fast_pairs){ fast_u16x2(cell_channel(cell, 0), cell_channel(cell, 2)),
                                fast_u16x2(cell_channel(cell, 1), cell_channel(cell, 3)) };
}

/* ITP-11 */
static inline v_f32 cell_q(const struct fast_cell *cell)
{
    return v_f32_div(v_f32_splat(1.0f), cell_sum(cell, cell->triangle->inverse_w));
}

/* --------------------------------------------------------------------------------------------- the quick way: depth */

/* Z of the corners, in the form from which the depth is computed. */
struct corner_depths {
    float z[3];
    bool direct; /* the quotient of ITP-14 is the depth already */
};

/*
 * With scale 1 or -1 and offset 0, the depth is zw * scale, and the corners may be multiplied by the scale instead: a
 * sign changes no rounding. If these products are in 0 .. 1 - 2^-20, seven roundings of positive values leave the depth
 * of covered lanes in 0 .. 1, so the limits of ITP-16 change nothing.
 */
static inline struct corner_depths find_corner_depths(const struct fast_fragment_state *raster,
                                                      const struct fast_triangle *triangle)
{
    struct corner_depths depth = { .direct = (raster->depth_scale == 1.0f || raster->depth_scale == -1.0f) &&
                                             raster->depth_offset == 0.0f };
    for (int i = 0; i < 3; i++) {
        depth.z[i] = triangle->z[i] * raster->depth_scale;
        depth.direct = depth.direct && depth.z[i] >= 0.0f && depth.z[i] <= 1.0f - 0x1p-20f;
    }
    for (int i = 0; i < 3 && !depth.direct; i++)
        depth.z[i] = triangle->z[i];
    return depth;
}

/* ITP-14 to ITP-17 with a z buffer: what is the same for all blocks of a triangle. */
struct depth_terms {
    float z[3], area;
    float scale, offset;
    bool direct;
};

static inline struct depth_terms find_depth_terms(const struct fast_fragment_state *raster,
                                                  const struct fast_triangle *triangle,
                                                  const struct corner_depths *corners)
{
    return (struct depth_terms){ { corners->z[0], corners->z[1], corners->z[2] },
                                 triangle->area,
                                 raster->depth_scale,
                                 raster->depth_offset,
                                 corners->direct };
}

/* 24 bits */
static inline v_u32 depth_value(const struct depth_terms *terms, const v_f32 weights[3])
{
    v_f32 depth = v_f32_div(ieee_sum(terms->z, weights), v_f32_splat(terms->area));
    if (!terms->direct) {
        const v_f32 scaled = v_f32_mul(depth, v_f32_splat(terms->scale));
        depth = v_f32_clamp01(v_f32_add(scaled, v_f32_splat(terms->offset)));
    }
    return v_u32_from_i32(v_i32_trunc_in_range(v_f32_mul(depth, v_f32_splat(16777215.0f))));
}

/* The depth of one block by itself; the corners are not checked. */
static inline v_u32 cell_depth(const struct fast_fragment_state *raster, const struct fast_cell *cell)
{
    const float *const z = cell->triangle->z;
    const struct corner_depths corners = { { z[0], z[1], z[2] }, false };
    const struct depth_terms terms = find_depth_terms(raster, cell->triangle, &corners);
    return depth_value(&terms, cell->weight);
}

#endif
