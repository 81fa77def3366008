/* From a triangle to fragments: coverage, interpolation. Part of kernels/block.c. */
#ifndef FAST_KERNELS_INTERPOLATION_H
#define FAST_KERNELS_INTERPOLATION_H

#include "fast/kernels/block_setting.h"

/* --------------------------------------------------------------------------------------------------------- coverage */

/* Lanes inside a box of columns and memory rows. */
static inline v_mask lanes_in_box(const struct setting *setting, const struct fast_block_item *item, int32_t left,
                                  int32_t first_row, int32_t right, int32_t last_row)
{
    const v_i32 x = v_i32_add(setting->lane_x, v_i32_splat(item->column));
    const v_i32 row = v_i32_add(setting->lane_row, v_i32_splat(item->row));
    const v_mask columns = v_mask_and(v_i32_ge(x, v_i32_splat(left)), v_i32_le(x, v_i32_splat(right)));
    const v_mask rows = v_mask_and(v_i32_ge(row, v_i32_splat(first_row)), v_i32_le(row, v_i32_splat(last_row)));
    return v_mask_and(columns, rows);
}

static inline int64_t block_weight(const struct fast_triangle *triangle, const struct fast_block_item *item, int edge)
{
    const int64_t first = triangle->narrow ? triangle->weight[edge] : triangle->wide_weight[edge];
    return first + (int64_t)item->column * triangle->step_x[edge] + (int64_t)item->row * triangle->step_row[edge];
}

/* The lane of the traced pixel, if the block has it. */
static inline void find_traced_lane(const struct setting *setting, const struct fast_block_item *item,
                                    struct fast_block *block)
{
    if (!FAST_TRACING)
        return;
    const uint32_t column = setting->tracer->column - item->column;
    const uint32_t row = setting->tracer->row - item->row;
    block->tracer = column < 4u && row < 4u ? setting->tracer : NULL;
    if (block->tracer != NULL)
        block->tracer->lane = (column & 1u) | (row & 1u) << 1 | (column & 2u) << 1 | (row & 2u) << 2;
}

/* RST-03, RST-04, ITP-10 with weights that fit 32 bits. */
static inline v_mask cover_narrow(const struct setting *setting, const struct fast_block_item *item,
                                  struct fast_block *block)
{
    v_i32 weights[3];
    for (int i = 0; i < 3; i++) {
        weights[i] = v_i32_add(v_i32_splat((int32_t)block_weight(setting->triangle, item, i)), setting->step[i]);
        block->weight[i] = v_f32_from_i32(weights[i]);
        if (traces(block))
            block->tracer->weights[i] = simd_i32_from_bits(lane_of_i32(block->tracer, weights[i]));
    }
    if (item->inside)
        return v_mask_all_lanes();
    return v_i32_ge(v_i32_or(v_i32_or(weights[0], weights[1]), weights[2]), v_i32_splat(0));
}

/* The same with weights of up to 40 bits, for triangles beyond 2^30 units of area: rare, lane by lane. */
static inline v_mask cover_wide(const struct setting *setting, const struct fast_block_item *item,
                                struct fast_block *block)
{
    uint32_t covered = 0xFFFFu;
    int32_t steps[V_LANES];
    float values[V_LANES];
    for (int i = 0; i < 3; i++) {
        const int64_t base = block_weight(setting->triangle, item, i);
        v_i32_store(steps, setting->step[i]);
        for (uint32_t lane = 0; lane < V_LANES; lane++) {
            const int64_t weight = base + steps[lane];
            values[lane] = (float)weight;
            if (weight < 0)
                covered &= ~(1u << lane);
            if (traces(block) && block->tracer->lane == lane)
                block->tracer->weights[i] = weight;
        }
        block->weight[i] = v_f32_load(values);
    }
    return v_mask_from_bits(covered);
}

/* Step 1 of FBF-21: edges, framebuffer and scissor (SCS-01: mode 3 is in the triangle's box already). */
static inline v_mask cover(const struct setting *setting, const struct fast_block_item *item, struct fast_block *block)
{
    const struct fast_triangle *triangle = setting->triangle;
    const struct fast_raster_state *raster = setting->raster;
    v_mask mask = triangle->narrow ? cover_narrow(setting, item, block) : cover_wide(setting, item, block);
    if (!item->whole)
        mask = v_mask_and(mask, lanes_in_box(setting, item, triangle->left, triangle->first_row, triangle->right,
                                             triangle->last_row));
    if (raster->scissor_outside) {
        const struct fast_box *box = &raster->scissor_memory;
        mask = v_mask_andnot(mask, lanes_in_box(setting, item, box->left, box->bottom, box->right, box->top));
    }
    return mask;
}

/* ---------------------------------------------------------------------------------------------------- interpolation */

/* ITP-02, GEN-03. */
static inline v_f32 product(bool ieee, v_f32 a, v_f32 b)
{
    return ieee ? v_f32_mul(a, b) : v_f32_mul_pica(a, b);
}

static inline v_f32 weighted_sum(bool ieee, const float values[3], const v_f32 weights[3])
{
    const v_f32 first = product(ieee, v_f32_splat(values[0]), weights[0]);
    const v_f32 second = product(ieee, v_f32_splat(values[1]), weights[1]);
    const v_f32 third = product(ieee, v_f32_splat(values[2]), weights[2]);
    return v_f32_add(v_f32_add(first, second), third);
}

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
        block->color[k] = v_u16_from_i32(v_i32_rha_positive(limited));
    }
}

/* ITP-11 */
static inline void interpolate_q(bool ieee, struct fast_block *block)
{
    block->q = v_f32_div(v_f32_splat(1.0f), weighted_sum(ieee, block->triangle->inverse_w, block->weight));
}

/* ITP-14, ITP-15, ITP-16, ITP-06: IEEE products; clamp01 hides NaN. */
static inline void interpolate_depth(const struct setting *setting, struct fast_block *block)
{
    const struct fast_raster_state *raster = setting->raster;
    const v_f32 area = v_f32_splat(block->triangle->area);
    const v_f32 z = v_f32_div(weighted_sum(true, block->triangle->z, block->weight), area);
    v_f32 depth = v_f32_add(v_f32_mul(z, v_f32_splat(raster->depth_scale)), v_f32_splat(raster->depth_offset));
    if (!raster->z_buffer)
        depth = v_f32_mul(depth, v_f32_mul(block->q, area));
    block->depth = v_f32_clamp01(depth);
}

/* ITP-12 for what the shading reads. */
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

/* What was interpolated, in the order of pica/trace.def. */
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

/* Step 2 of FBF-21 for the lanes that are left. */
static inline void shade(const struct setting *setting, struct fast_block *block, v_mask alive,
                         struct fast_colors *colors)
{
    block->coverage = alive;
    if (setting->triangle->ieee)
        interpolate_attributes(true, setting->needs, block);
    else
        interpolate_attributes(false, setting->needs, block);
    trace_interpolation(setting->needs, block);
    FAST_ISA(fast_shade_block)(setting->shading, block, colors);
}

/* Values that depth and attributes share; depth only where something looks at it. */
static inline void prepare(const struct setting *setting, struct fast_block *block)
{
    if (setting->triangle->ieee)
        interpolate_q(true, block);
    else
        interpolate_q(false, block);
    if (setting->interpolates_depth)
        interpolate_depth(setting, block);
}

#endif
