/* The quick way of common draws (fast/draw/quick.h), stage by stage over several blocks. Part of kernels/block.c. */
#ifndef FAST_KERNELS_BLOCK_QUICK_H
#define FAST_KERNELS_BLOCK_QUICK_H

#include "fast/draw/quick.h"
#include "fast/kernels/interpolation.h"
#include "fast/kernels/block_setting.h"
#include "fast/kernels/cell.h"
#include "fast/kernels/fragment_quick.h"

/* ----------------------------------------------------------------------------------------------- coverage and depth */

/* RST-04 */
static inline v_mask cover_weights(const struct setting *setting, const struct fast_block_item *item,
                                   const v_i32 weights[3])
{
    const struct fast_triangle *triangle = item->triangle;
    if (item->inside && item->whole)
        return v_mask_all_lanes();
    const v_i32 together = v_i32_or(v_i32_or(weights[0], weights[1]), weights[2]);
    const v_mask covered = v_i32_ge(together, v_i32_splat(0));
    if (item->whole)
        return covered;
    return v_mask_and(
        covered, lanes_in_box(setting, item, triangle->left, triangle->first_row, triangle->right, triangle->last_row));
}

/* RST-03, ITP-10; weights of narrow triangles fit 32 bits, so they may be computed in 32. */
static inline v_mask cover_cell(const struct setting *setting, const struct fast_block_item *item,
                                struct fast_cell *cell)
{
    const struct fast_triangle *triangle = item->triangle;
    v_i32 weights[3];
    for (int i = 0; i < 3; i++) {
        const uint32_t first = (uint32_t)triangle->weight[i] + item->column * (uint32_t)triangle->step_x[i] +
                               item->row * (uint32_t)triangle->step_row[i];
        weights[i] = v_i32_add(v_i32_from_u32(v_u32_splat(first)), setting->step[i]);
        cell->weight[i] = v_f32_from_i32(weights[i]);
    }
    return cover_weights(setting, item, weights);
}

/* ITP-14 to ITP-17 with a z buffer: 24 bits. */
static inline v_u32 cell_depth(const struct fast_raster_state *raster, const struct fast_cell *cell)
{
    const v_f32 z = v_f32_div(fast_cell_sum(cell, cell->triangle->z), v_f32_splat(cell->triangle->area));
    const v_f32 scaled = v_f32_add(v_f32_mul(z, v_f32_splat(raster->depth_scale)), v_f32_splat(raster->depth_offset));
    const v_f32 depth = v_f32_mul(v_f32_clamp01(scaled), v_f32_splat(16777215.0f));
    return v_u32_from_i32(v_i32_trunc_in_range(depth));
}

/* Steps 7 and 8 of FBF-21 on D24S8; DPT-01 to DPT-04. */
static inline v_mask test_cell_depth(const struct setting *setting, const struct fast_block_item *item,
                                     const struct fast_cell *cell, v_mask alive)
{
    const v_u32 depth_bits = v_u32_splat(0x00FFFFFFu);
    const v_u32 stored = v_u32_load_le(item->depth);
    const v_u32 value = cell_depth(setting->raster, cell);
    if (setting->depth.test)
        alive = v_mask_and(alive, compare(setting->depth.function, value, v_u32_and(stored, depth_bits)));
    if (setting->depth.write)
        v_u32_store_le(item->depth, v_u32_select(alive, v_u32_or(value, v_u32_andnot(stored, depth_bits)), stored));
    return alive;
}

/* Fills the next cell with a block; returns false if no fragment of it is left. */
static inline bool open_cell(const struct setting *setting, const struct fast_block_item *item, struct fast_cell *cell)
{
    v_mask alive = cover_cell(setting, item, cell);
    cell->triangle = item->triangle;
    if (setting->quick->depth) /* also if no lane is covered: to look first costs more than it saves */
        alive = test_cell_depth(setting, item, cell, alive);
    cell->alive = alive;
    cell->bytes = item->color;
    cell->column = item->column;
    cell->row = item->row;
    return v_mask_any(alive);
}

/* ---------------------------------------------------------------------------------------------------------- shading */

/* ITP-11 */
static inline v_f32 cell_q(const struct fast_cell *cell)
{
    return v_f32_div(v_f32_splat(1.0f), fast_cell_sum(cell, cell->triangle->inverse_w));
}

static inline v_u32 modulate_u16x2(v_u32 a, v_u32 b)
{
    return v_u16x2_div255(v_u16x2_mul(a, b));
}

/* Any other shading, block by block. */
static inline void shade_cells(const struct setting *setting, struct fast_cell *cells, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        struct fast_cell *cell = &cells[n];
        struct fast_block block;
        struct fast_colors colors;
        block.coverage = cell->alive;
        block.column = cell->column;
        block.row = cell->row;
        block.q = cell->q;
        block.triangle = cell->triangle;
        for (int i = 0; i < 3; i++)
            block.weight[i] = cell->weight[i];
        interpolate_attributes(true, setting->needs, &block);
        FAST_ISA(fast_shade_block)(setting->shading, &block, &colors);
        cell->color.even = fast_u16x2(v_u32_from_u16(colors.channel[0]), v_u32_from_u16(colors.channel[2]));
        cell->color.odd = fast_u16x2(v_u32_from_u16(colors.channel[1]), v_u32_from_u16(colors.channel[3]));
    }
}

/* Stage by stage; cells that this is not right for, block by block. */
static inline void stage_cells(const struct setting *setting, struct fast_cell *cells, uint32_t count)
{
    uint32_t unbounded = FAST_ISA(fast_stage_cells)(setting->shading, cells, count);
    for (uint32_t n = 0; unbounded != 0u; n++, unbounded >>= 1)
        if ((unbounded & 1u) != 0u)
            shade_cells(setting, &cells[n], 1);
}

/* --------------------------------------------------------------------------------------------------------- blending */

/* FBF-09: the word of RGBA8 is R << 24 | G << 16 | B << 8 | A. */
static inline struct fast_pairs unpack_pairs(v_u32 word)
{
    const v_u32 bytes = v_u32_splat(0x00FF00FFu);
    return (struct fast_pairs){ v_u32_and(v_u32_rotate_left(word, 8), bytes),
                                v_u32_and(v_u32_rotate_left(word, 16), bytes) };
}

static inline v_u32 pack_pairs(const struct fast_pairs *pairs)
{
    return v_u32_or(v_u32_rotate_left(pairs->even, 24), v_u32_rotate_left(pairs->odd, 16));
}

static inline struct fast_pairs alpha_pairs(const struct fast_pairs *color)
{
    const v_u32 both = v_u32_or(v_u32_shr(color->odd, 16), v_u32_and(color->odd, v_u32_splat(0xFFFF0000u)));
    return (struct fast_pairs){ both, both };
}

/* min(S.a, 255 - D.a); for alpha nobody looks at it. */
static inline struct fast_pairs saturate_pairs(const struct fast_pairs *source, const struct fast_pairs *dest)
{
    const v_u32 rest = v_u32_xor(alpha_pairs(dest).even, v_u32_splat(0x00FF00FFu));
    const v_u32 both = v_u16x2_min(alpha_pairs(source).even, rest);
    return (struct fast_pairs){ both, both };
}

static inline struct fast_pairs constant_pairs(uint32_t low_even, uint32_t high_even, uint32_t low_odd,
                                               uint32_t high_odd)
{
    return (struct fast_pairs){ v_u32_splat(low_even | high_even << 16), v_u32_splat(low_odd | high_odd << 16) };
}

/* BLD-01 */
static inline struct fast_pairs factor_pairs(const struct fast_blend_state *blend, struct fast_blend_factor factor,
                                             const struct fast_pairs *source, const struct fast_pairs *dest)
{
    const uint16_t *k = blend->constant;
    const v_u32 flip = v_u32_splat(factor.flip * 0x10001u);
    struct fast_pairs pairs = { v_u32_splat(0), v_u32_splat(0) };
    switch (factor.operand) {
    case FAST_BLEND_ZERO: break;
    case FAST_BLEND_SOURCE_COLOR: pairs = *source; break;
    case FAST_BLEND_SOURCE_ALPHA: pairs = alpha_pairs(source); break;
    case FAST_BLEND_DEST_COLOR: pairs = *dest; break;
    case FAST_BLEND_DEST_ALPHA: pairs = alpha_pairs(dest); break;
    case FAST_BLEND_CONSTANT_COLOR: pairs = constant_pairs(k[0], k[2], k[1], k[3]); break;
    case FAST_BLEND_CONSTANT_ALPHA: pairs = constant_pairs(k[3], k[3], k[3], k[3]); break;
    case FAST_BLEND_SATURATE: pairs = saturate_pairs(source, dest); break;
    }
    return (struct fast_pairs){ v_u32_xor(pairs.even, flip), v_u32_xor(pairs.odd, flip) };
}

/* The factor of alpha takes its place among those of the other channels. */
static inline void split_alpha(struct fast_pairs *rgb, const struct fast_pairs *alpha)
{
    rgb->odd = v_u32_or(v_u32_and(rgb->odd, v_u32_splat(0xFFFFu)), v_u32_and(alpha->odd, v_u32_splat(0xFFFF0000u)));
}

/* BLD-02, equation "add": the sum is saturated at 65535; beyond 255 * 256 the limit of 255 decides anyway. */
static inline v_u32 weighted(v_u32 source, v_u32 source_factor, v_u32 dest, v_u32 dest_factor)
{
    const v_u32 sum = v_u16x2_adds(v_u16x2_mul(source, source_factor), v_u16x2_mul(dest, dest_factor));
    return v_u16x2_min(v_u16x2_div255(sum), v_u32_splat(0x00FF00FFu));
}

static inline struct fast_pairs blend_pairs(const struct setting *setting, const struct fast_pairs *source,
                                            const struct fast_pairs *dest)
{
    const struct fast_blend_state *blend = &setting->blend;
    struct fast_pairs by = factor_pairs(blend, blend->rgb_source, source, dest);
    struct fast_pairs over = factor_pairs(blend, blend->rgb_dest, source, dest);
    if (setting->quick->splits_alpha) {
        const struct fast_pairs alpha_by = factor_pairs(blend, blend->alpha_source, source, dest);
        const struct fast_pairs alpha_over = factor_pairs(blend, blend->alpha_dest, source, dest);
        split_alpha(&by, &alpha_by);
        split_alpha(&over, &alpha_over);
    }
    return (struct fast_pairs){ weighted(source->even, by.even, dest->even, over.even),
                                weighted(source->odd, by.odd, dest->odd, over.odd) };
}

/* Steps 9 and 10 of FBF-21. */
static inline void put_cell(const struct setting *setting, const struct fast_cell *cell, struct fast_pairs color)
{
    const v_u32 none = v_u32_splat(0);
    const v_u32 stored = v_u32_load_le(cell->bytes);
    if (setting->quick->blends) {
        const struct fast_pairs dest =
            setting->blend.reads_destination ? unpack_pairs(stored) : (struct fast_pairs){ none, none };
        color = blend_pairs(setting, &color, &dest);
    }
    v_u32_store_le(cell->bytes, v_u32_select(cell->alive, pack_pairs(&color), stored));
}

/* ------------------------------------------------------------------------------------------------------- all stages */

/* TEV-09 */
static inline void draw_modulated(const struct setting *setting, const struct fast_cell *cells, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct fast_pairs color = fast_cell_color(&cells[n]);
        put_cell(setting, &cells[n],
                 (struct fast_pairs){ modulate_u16x2(color.even, cells[n].texel.even),
                                      modulate_u16x2(color.odd, cells[n].texel.odd) });
    }
}

/* The cells have weights and q. */
static void shade_and_put(const struct setting *setting, struct fast_cell *cells, uint32_t count)
{
    const struct fast_quick *quick = setting->quick;
    const struct fast_texture_unit *units = setting->shading->units; /* the number is set for two cases only */
    switch (quick->shading) {
    case FAST_QUICK_COLOR:
        for (uint32_t n = 0; n < count; n++)
            cells[n].color = fast_cell_color(&cells[n]);
        break;
    case FAST_QUICK_TEXTURE:
        FAST_ISA(fast_sample_cells)(&units[quick->unit], cells, count);
        for (uint32_t n = 0; n < count; n++)
            put_cell(setting, &cells[n], cells[n].texel);
        return;
    case FAST_QUICK_MODULATE:
        FAST_ISA(fast_sample_cells)(&units[quick->unit], cells, count);
        draw_modulated(setting, cells, count);
        return;
    case FAST_QUICK_STAGES: stage_cells(setting, cells, count); break;
    case FAST_QUICK_GENERAL: shade_cells(setting, cells, count); break;
    }
    for (uint32_t n = 0; n < count; n++)
        put_cell(setting, &cells[n], cells[n].color);
}

static void draw_cells(const struct setting *setting, struct fast_cell *cells, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        cells[n].q = cell_q(&cells[n]);
    shade_and_put(setting, cells, count);
}

#endif
