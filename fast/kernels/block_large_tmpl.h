/*
 * Large triangles whose colour is that of their vertices, on the quick way (draw/quick.h): colours from planes, for 16
 * blocks at once. One instance for each kind of blending and planes. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_LARGE_TMPL_H
#define FAST_KERNELS_BLOCK_LARGE_TMPL_H

#include "fast/kernels/block_spans_tmpl.h"

static inline void put_over(uint8_t *bytes, v_mask alive, v_u32 low, v_u32 high)
{
    const v_u32 stored = v_u32_load_le(bytes);
    v_u32_store_le(bytes, v_u32_select(alive, blend_over(low, high, stored), stored));
}

/* ITP-10, ITP-11 for the open block number `at`. */
static inline void fill_cell(const struct setting *setting, const struct blocks *blocks, uint32_t at,
                             struct fast_cell *cell)
{
    const uint32_t n = blocks->number[at];
    for (int i = 0; i < 3; i++)
        cell->weight[i] = v_f32_from_i32(lane_weights(setting->step, blocks, n, i));
    cell->triangle = setting->triangle;
    cell->alive = blocks->alive[at];
    cell->bytes = blocks->color[n];
    cell->q = cell_q(cell);
}

/* Computes and stores one block by the rules, without planes. */
static inline void put_exact(const struct setting *setting, const struct blocks *blocks, uint32_t at)
{
    struct fast_cell cell;
    fill_cell(setting, blocks, at, &cell);
    put_cell(setting, false, &cell, cell_color(&cell));
}

/* Constants of an instance. */
struct color_kind {
    bool over;  /* blends over the stored colour */
    bool mixed; /* some channels are computed by the rules (interpolation_planes.h: exact) */
};

struct plane_colors {
    const struct planes *planes;
    struct plane_bases bases;
    struct color_kind kind;
};

/* Draws one block from planes; returns false if it must be computed by the rules instead. */
static inline bool color_block(const struct setting *setting, const struct plane_colors *colors,
                               const struct blocks *blocks, uint32_t at)
{
    const struct color_kind kind = colors->kind;
    v_u32 value[4];
    struct fast_cell cell;
    bool doubtful;
    const uint32_t n = blocks->number[at];
    if (kind.mixed) {
        fill_cell(setting, blocks, at, &cell);
        doubtful = mixed_color(colors->planes, &colors->bases, n, colors->planes->exact, &cell, value);
    } else {
        doubtful = plane_color(colors->planes, &colors->bases, n, value);
    }
    cell.alive = doubtful ? v_mask_none() : blocks->alive[at];
    cell.bytes = blocks->color[n];
    if (kind.over)
        put_over(cell.bytes, cell.alive, join_upper_halves(value[3], value[1]), join_upper_halves(value[2], value[0]));
    else
        put_cell(setting, false, &cell, plane_pairs(value));
    return !doubtful;
}

/* Draws all open blocks; returns how many had to be computed by the rules. */
static inline uint32_t color_blocks_kind(const struct setting *setting, const struct planes *planes,
                                         const struct blocks *blocks, struct color_kind kind)
{
    uint8_t doubtful[FAST_CELLS];
    struct plane_colors colors;
    uint32_t count = 0;
    colors.planes = planes;
    colors.kind = kind;
    find_bases(planes, kind.mixed ? COLOR_PLANES : PLANES, blocks->column, blocks->row, &colors.bases);
    for (uint32_t at = 0; at < blocks->open; at++) {
        const bool drawn = color_block(setting, &colors, blocks, at);
        doubtful[count] = (uint8_t)at;
        count += drawn ? 0u : 1u;
    }
    for (uint32_t k = 0; k < count; k++)
        put_exact(setting, blocks, doubtful[k]);
    return count;
}

static inline uint32_t color_blocks(const struct setting *setting, const struct planes *planes,
                                    const struct blocks *blocks)
{
    const struct fast_quick *quick = setting->quick;
    const bool over = quick->blends && !quick->splits_alpha && blends_over(&setting->blend);
    if (planes->exact != 0u)
        return over ? color_blocks_kind(setting, planes, blocks, (struct color_kind){ .over = true, .mixed = true })
                    : color_blocks_kind(setting, planes, blocks, (struct color_kind){ .over = false, .mixed = true });
    return over ? color_blocks_kind(setting, planes, blocks, (struct color_kind){ .over = true, .mixed = false })
                : color_blocks_kind(setting, planes, blocks, (struct color_kind){ .over = false, .mixed = false });
}

static inline void draw_blocks_by_trial(const struct setting *setting, struct blocks *blocks, bool whole,
                                        struct trial *trial)
{
    test_blocks(setting, blocks, (struct blocks_kind){ .whole = whole, .keeps = false }, NULL);
    if (trial->pays) {
        trial->pays = color_blocks(setting, &trial->planes, blocks) * 2u <= blocks->count;
    } else {
        for (uint32_t at = 0; at < blocks->open; at++)
            put_exact(setting, blocks, at);
    }
}

/* Draws the items of the first item's triangle, single blocks before spans; returns how many items it took. */
static uint32_t draw_large(const struct setting *setting, const struct fast_block_item *items, uint32_t count)
{
    const struct fast_triangle *triangle = items[0].triangle;
    struct trial trial;
    struct blocks blocks = { .depths = find_corner_depths(setting->raster, triangle) };
    uint32_t drawn = 0;
    trial.pays = find_planes(triangle, &trial.planes);
    for (uint32_t n = 0; (n = gather_blocks(triangle, items + drawn, count - drawn, &blocks)) != 0u;) {
        draw_blocks_by_trial(setting, &blocks, false, &trial);
        drawn += n;
    }
    struct span_position at = { drawn, 0 };
    while (gather_tiles(triangle, items, count, &at, &blocks))
        draw_blocks_by_trial(setting, &blocks, true, &trial);
    return at.item;
}

#endif
