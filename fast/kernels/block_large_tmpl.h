/*
 * Large triangles whose colour is that of their vertices, on the quick way (draw/quick.h): colours from planes, what is
 * a number for each block computed for 16 blocks at once. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_LARGE_TMPL_H
#define FAST_KERNELS_BLOCK_LARGE_TMPL_H

#include "fast/kernels/interpolation_planes.h"
#include "fast/kernels/block_runs_tmpl.h"

/* BLD-02 with the factors source alpha and 1 - source alpha for all channels: the sum is at most 255 * 255. */
static inline bool blends_over(const struct setting *setting)
{
    const struct fast_blend_state *blend = &setting->blend;
    return setting->quick->blends && !setting->quick->splits_alpha && blend->reads_destination &&
           blend->rgb_source.operand == FAST_BLEND_SOURCE_ALPHA && blend->rgb_source.flip == 0u &&
           blend->rgb_dest.operand == FAST_BLEND_SOURCE_ALPHA && blend->rgb_dest.flip == 255u;
}

/*
 * FBF-09: `low` has a and g, the bytes 0 and 2 of a word, `high` b and r, the bytes 1 and 3. A half times 0x8081 has
 * the quotient by 255 in its bits 23 to 30.
 */
static inline v_u32 blend_over(v_u32 low, v_u32 high, v_u32 stored)
{
    const v_u32 bytes = v_u32_splat(0x00FF00FFu);
    const v_u32 reciprocal = v_u32_splat(0x80818081u);
    const v_u32 by = v_u32_or(v_u32_shl(low, 16), v_u32_and(low, v_u32_splat(0xFFFFu)));
    const v_u32 over = v_u32_xor(by, bytes);
    const v_u32 low_sum = v_u16x2_add(v_u16x2_mul(low, by), v_u16x2_mul(v_u32_and(stored, bytes), over));
    const v_u32 high_sum = v_u16x2_add(v_u16x2_mul(high, by), v_u16x2_mul(v_u16x2_shr(stored, 8), over));
    const v_u32 low_bytes = v_u16x2_shr(v_u16x2_mulhi(low_sum, reciprocal), 7);
    const v_u32 doubled = v_u16x2_mulhi(high_sum, reciprocal);
    return v_u32_or(low_bytes, v_u32_andnot(v_u16x2_add(doubled, doubled), bytes));
}

static inline void put_over(uint8_t *bytes, v_mask alive, v_u32 low, v_u32 high)
{
    const v_u32 stored = v_u32_load_le(bytes);
    v_u32_store_le(bytes, v_u32_select(alive, blend_over(low, high, stored), stored));
}

/* ITP-10, ITP-11 for open block `at`. */
static inline void fill_cell(const struct setting *setting, const struct group *group, uint32_t at,
                             struct fast_cell *cell)
{
    const uint32_t n = group->number[at];
    for (int i = 0; i < 3; i++)
        cell->weight[i] = v_f32_from_i32(group_weight(setting->step, group, n, i));
    cell->triangle = setting->triangle;
    cell->alive = group->alive[at];
    cell->bytes = group->color[n];
    cell->q = cell_q(cell);
}

static inline void put_exact(const struct setting *setting, const struct group *group, uint32_t at)
{
    struct fast_cell cell;
    fill_cell(setting, group, at, &cell);
    put_cell(setting, &cell, fast_cell_color(&cell));
}

/* What color_gouraud has one copy for each of. */
struct gouraud_kind {
    bool over, mixed;
};

struct gouraud_colors {
    const struct planes *planes;
    struct plane_bases bases;
    struct gouraud_kind kind;
};

/* Returns whether the block was drawn. */
static inline bool color_block(const struct setting *setting, const struct gouraud_colors *colors,
                               const struct group *group, uint32_t at)
{
    const struct gouraud_kind kind = colors->kind;
    v_u32 value[4];
    struct fast_cell cell;
    bool doubtful;
    const uint32_t n = group->number[at];
    if (kind.mixed) {
        fill_cell(setting, group, at, &cell);
        doubtful = mixed_color(colors->planes, &colors->bases, n, &cell, value);
    } else {
        doubtful = plane_color(colors->planes, &colors->bases, n, value);
    }
    const bool sure = !doubtful;
    cell.alive = sure ? group->alive[at] : v_mask_none();
    cell.bytes = group->color[n];
    if (kind.over)
        put_over(cell.bytes, cell.alive, join_upper_halves(value[3], value[1]), join_upper_halves(value[2], value[0]));
    else
        put_cell(setting, &cell,
                 (struct fast_pairs){ join_upper_halves(value[0], value[2]), join_upper_halves(value[1], value[3]) });
    return sure;
}

/* All open blocks; returns how many had to be done by the rules. */
static inline uint32_t color_gouraud(const struct setting *setting, const struct planes *planes,
                                     const struct group *group, struct gouraud_kind kind)
{
    uint8_t doubtful[FAST_CELLS];
    struct gouraud_colors colors;
    uint32_t count = 0;
    colors.planes = planes;
    colors.kind = kind;
    find_bases(planes, group->column, group->row, &colors.bases);
    for (uint32_t at = 0; at < group->open; at++) {
        const bool sure = color_block(setting, &colors, group, at);
        doubtful[count] = (uint8_t)at;
        count += sure ? 0u : 1u;
    }
    for (uint32_t k = 0; k < count; k++)
        put_exact(setting, group, doubtful[k]);
    return count;
}

static inline uint32_t color_any_gouraud(const struct setting *setting, const struct planes *planes,
                                         const struct group *group)
{
    const bool over = blends_over(setting);
    if (planes->exact != 0u)
        return over ? color_gouraud(setting, planes, group, (struct gouraud_kind){ .over = true, .mixed = true })
                    : color_gouraud(setting, planes, group, (struct gouraud_kind){ .over = false, .mixed = true });
    return over ? color_gouraud(setting, planes, group, (struct gouraud_kind){ .over = true, .mixed = false })
                : color_gouraud(setting, planes, group, (struct gouraud_kind){ .over = false, .mixed = false });
}

/* Planes of a triangle as long as they pay. */
struct gouraud_planes {
    struct planes planes;
    bool use;
};

static inline void draw_gouraud_group(const struct setting *setting, struct group *group, bool whole,
                                      struct gouraud_planes *planar)
{
    test_any_group(setting, group, whole, NULL);
    if (planar->use) {
        planar->use = color_any_gouraud(setting, &planar->planes, group) * 2u <= group->count;
    } else {
        for (uint32_t at = 0; at < group->open; at++)
            put_exact(setting, group, at);
    }
}

/* The items of the first one's triangle, single blocks before runs; returns how many. */
static uint32_t draw_large(const struct setting *setting, const struct fast_block_item *items, uint32_t count)
{
    const struct fast_triangle *triangle = items[0].triangle;
    struct gouraud_planes planar;
    struct group group = { .depth = find_depth(setting->raster, triangle) };
    uint32_t drawn = 0;
    planar.use = find_planes(triangle, &planar.planes);
    for (uint32_t blocks = 0; (blocks = gather_blocks(triangle, items + drawn, count - drawn, &group)) != 0u;) {
        draw_gouraud_group(setting, &group, false, &planar);
        drawn += blocks;
    }
    struct span_position at = { drawn, 0 };
    while (gather_tiles(triangle, items, count, &at, &group))
        draw_gouraud_group(setting, &group, true, &planar);
    return at.item;
}

#endif
