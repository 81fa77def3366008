/*
 * The quick way of common draws (draw/quick.h): one cell per block, up to 16 cells at a time, stage by stage. Part of
 * kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_QUICK_H
#define FAST_KERNELS_BLOCK_QUICK_H

#include "fast/draw/quick.h"
#include "fast/kernels/block_setting.h"
#include "fast/kernels/depth_test.h"
#include "fast/kernels/fragment.h"
#include "fast/kernels/framebuffer.h"
#include "fast/kernels/interpolation.h"
#include "fast/kernels/raster.h"
#include "fast/kernels/texture.h"

/* --------------------------------------------------------------------------------------------- up to the depth test */

/* DPT-02: without a depth test every fragment passes. */
static inline enum pica_compare_func depth_function(const struct setting *setting)
{
    return setting->depth.test ? setting->depth.function : PICA_COMPARE_FUNC_ALWAYS;
}

/* Fills the next cell with a block; returns false if no fragment of it is left. */
static inline bool open_cell(const struct setting *setting, const struct fast_block_item *item, struct fast_cell *cell)
{
    v_mask alive = cover_cell(setting, item, cell);
    cell->triangle = item->triangle;
    if (setting->quick->depth) /* even if no lane is covered, because checking that first costs more than it saves */
        alive = test_and_write_depth(depth_function(setting), setting->depth.write, cell_depth(setting->raster, cell),
                                     item->depth, alive);
    cell->alive = alive;
    cell->bytes = item->color;
    cell->right = cell->down = 0u;
    cell->column = item->column;
    cell->row = item->row;
    return v_mask_any(alive);
}

/* ---------------------------------------------------------------------------------------------------------- shading */

static inline v_u32 modulate_u16x2(v_u32 a, v_u32 b)
{
    return v_u16x2_div255(v_u16x2_mul(a, b));
}

/* Any other shading, one block at a time. */
static inline void shade_cells(const struct setting *setting, struct fast_cell *cells, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        struct fast_cell *cell = &cells[n];
        struct fast_block block;
        struct fast_colors colors;
        block.alive = cell->alive;
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

/* Shades the cells stage by stage; those for which that is not exact are shaded one block at a time. */
static inline void stage_cells(const struct setting *setting, struct fast_cell *cells, uint32_t count)
{
    uint32_t unbounded = FAST_ISA(fast_stage_cells)(setting->shading, cells, count);
    for (uint32_t n = 0; unbounded != 0u; n++, unbounded >>= 1)
        if ((unbounded & 1u) != 0u)
            shade_cells(setting, &cells[n], 1);
}

/* -------------------------------------------------------------------------------------------------- blending, write */

/* Steps 9 and 10 of FBF-21. `windows`: the cell may be a window; otherwise its `right` and `down` need not be set. */
static inline void put_cell(const struct setting *setting, bool windows, const struct fast_cell *cell,
                            struct fast_pairs color)
{
    const v_u32 none = v_u32_splat(0);
    const bool window = windows && cell->right != 0u;
    const v_u32 stored =
        window ? v_u32_load_quads_le(cell->bytes, cell->right, cell->down) : v_u32_load_le(cell->bytes);
    if (setting->quick->blends) {
        const struct fast_pairs dest =
            setting->blend.reads_destination ? unpack_pairs(stored) : (struct fast_pairs){ none, none };
        color = blend_pairs(&setting->blend, setting->quick->splits_alpha, &color, &dest);
    }
    const v_u32 words = v_u32_select(cell->alive, pack_pairs(&color), stored);
    if (window)
        v_u32_store_quads_le(cell->bytes, cell->right, cell->down, words);
    else
        v_u32_store_le(cell->bytes, words);
}

/* ------------------------------------------------------------------------------------------------------- all stages */

/* TEV-09 */
static inline void put_modulated(const struct setting *setting, bool windows, const struct fast_cell *cell,
                                 struct fast_pairs color)
{
    put_cell(setting, windows, cell,
             (struct fast_pairs){ modulate_u16x2(color.even, cell->texel.even),
                                  modulate_u16x2(color.odd, cell->texel.odd) });
}

/* Shades and stores the cells, which have weights and q. */
static inline void shade_and_put(const struct setting *setting, bool windows, struct fast_cell *cells, uint32_t count)
{
    const struct fast_quick *quick = setting->quick;
    const struct fast_texture_unit *units = setting->shading->units; /* `unit` is set in two of the cases only */
    switch (quick->shading) {
    case FAST_QUICK_COLOR:
        for (uint32_t n = 0; n < count; n++)
            cells[n].color = cell_color(&cells[n]);
        break;
    case FAST_QUICK_TEXTURE:
        FAST_ISA(fast_sample_cells)(&units[quick->unit], cells, count);
        for (uint32_t n = 0; n < count; n++)
            put_cell(setting, windows, &cells[n], cells[n].texel);
        return;
    case FAST_QUICK_MODULATE:
        FAST_ISA(fast_sample_cells)(&units[quick->unit], cells, count);
        for (uint32_t n = 0; n < count; n++)
            put_modulated(setting, windows, &cells[n], cell_color(&cells[n]));
        return;
    case FAST_QUICK_STAGES: stage_cells(setting, cells, count); break;
    case FAST_QUICK_GENERAL: shade_cells(setting, cells, count); break;
    }
    for (uint32_t n = 0; n < count; n++)
        put_cell(setting, windows, &cells[n], cells[n].color);
}

static void draw_cells(const struct setting *setting, struct fast_cell *cells, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        cells[n].q = cell_q(&cells[n]);
    shade_and_put(setting, true, cells, count);
}

#endif
