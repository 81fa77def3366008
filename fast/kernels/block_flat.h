/*
 * Large triangles whose colour is that of their vertices, on the quick way (fast/quick.h): colours from planes, what is
 * a number for each block computed for 16 blocks at once. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_FLAT_H
#define FAST_KERNELS_BLOCK_FLAT_H

#include "fast/kernels/block_planes.h"
#include "fast/kernels/block_quick.h"

/* ITP-14 to ITP-17, as far as they are the same for all blocks of a triangle. */
struct flat_depth {
    float z[3];
    bool direct; /* the quotient is the depth already */
};

/* Blocks of one triangle. */
struct flat_cells {
    struct flat_depth depth;
    const struct fast_block_item *items;
    uint32_t count;
    _Alignas(64) uint32_t column[FAST_CELLS], row[FAST_CELLS];
    _Alignas(64) uint32_t weight[3][FAST_CELLS]; /* of lane 0 */
    uint32_t open;                               /* how many have a lane that passed the tests */
    uint8_t number[FAST_CELLS];                  /* of those */
    v_mask alive[FAST_CELLS];
};

/* RST-03 for lane 0; the weights of narrow triangles fit 32 bits, so they may be computed in 32. */
static inline void find_weights(const struct fast_triangle *triangle, struct flat_cells *cells)
{
    for (uint32_t n = 0; n < FAST_CELLS; n++) {
        const struct fast_block_item *item = &cells->items[n < cells->count ? n : 0u];
        cells->column[n] = item->column;
        cells->row[n] = item->row;
    }
    for (int i = 0; i < 3; i++) {
        const v_u32 x = v_u32_mul(v_u32_load(cells->column), v_u32_splat((uint32_t)triangle->step_x[i]));
        const v_u32 y = v_u32_mul(v_u32_load(cells->row), v_u32_splat((uint32_t)triangle->step_row[i]));
        v_u32_store(cells->weight[i], v_u32_add(v_u32_add(x, y), v_u32_splat((uint32_t)triangle->weight[i])));
    }
}

static inline v_i32 flat_weight(const struct setting *setting, const struct flat_cells *cells, uint32_t n, int edge)
{
    return v_i32_add(setting->step[edge], v_i32_from_u32(v_u32_splat(cells->weight[edge][n])));
}

/*
 * With scale 1 or -1 and offset 0, depth = zw * scale is had from corners times scale: signs change no rounding. If
 * these are in 0 .. 1 - 2^-20, seven roundings of positive values leave the depth of covered lanes in 0 .. 1:
 * no limits.
 */
static inline struct flat_depth find_depth(const struct fast_raster_state *raster, const struct fast_triangle *triangle)
{
    struct flat_depth depth = { .direct = (raster->depth_scale == 1.0f || raster->depth_scale == -1.0f) &&
                                          raster->depth_offset == 0.0f };
    for (int i = 0; i < 3; i++) {
        depth.z[i] = triangle->z[i] * raster->depth_scale;
        depth.direct = depth.direct && depth.z[i] >= 0.0f && depth.z[i] <= 1.0f - 0x1p-20f;
    }
    for (int i = 0; i < 3 && !depth.direct; i++)
        depth.z[i] = triangle->z[i];
    return depth;
}

static inline v_u32 flat_depth_value(const struct setting *setting, const struct flat_depth *flat,
                                     const v_f32 weights[3])
{
    const struct fast_raster_state *raster = setting->raster;
    v_f32 depth = v_f32_div(weighted_sum(true, flat->z, weights), v_f32_splat(setting->triangle->area));
    if (!flat->direct)
        depth = v_f32_clamp01(
            v_f32_add(v_f32_mul(depth, v_f32_splat(raster->depth_scale)), v_f32_splat(raster->depth_offset)));
    return v_u32_from_i32(v_i32_trunc_in_range(v_f32_mul(depth, v_f32_splat(16777215.0f))));
}

/* Coverage and depth; `function` is a constant where this is inlined. */
static inline void test_flat(const struct setting *setting, struct flat_cells *cells, bool depth,
                             enum pica_compare_func function)
{
    const v_u32 depth_bits = v_u32_splat(0x00FFFFFFu);
    const struct flat_depth flat = cells->depth;
    uint32_t open = 0;
    for (uint32_t n = 0; n < cells->count; n++) {
        const struct fast_block_item *item = &cells->items[n];
        v_i32 weights[3];
        v_f32 floats[3];
        for (int i = 0; i < 3; i++) {
            weights[i] = flat_weight(setting, cells, n, i);
            floats[i] = v_f32_from_i32(weights[i]);
        }
        v_mask alive = cover_weights(setting, item, weights);
        if (depth) {
            const v_u32 stored = v_u32_load_le(item->depth);
            const v_u32 value = flat_depth_value(setting, &flat, floats);
            alive = v_mask_and(alive, compare(function, value, v_u32_and(stored, depth_bits)));
            if (setting->depth.write)
                v_u32_store_le(item->depth,
                               v_u32_select(alive, v_u32_or(value, v_u32_andnot(stored, depth_bits)), stored));
        }
        cells->alive[open] = alive;
        cells->number[open] = (uint8_t)n;
        open += v_mask_any(alive) ? 1u : 0u;
    }
    cells->open = open;
}

static inline void test_any_flat(const struct setting *setting, struct flat_cells *cells)
{
    if (!setting->quick->depth) {
        test_flat(setting, cells, false, PICA_COMPARE_FUNC_ALWAYS);
        return;
    }
    switch (setting->depth.test ? setting->depth.function : PICA_COMPARE_FUNC_ALWAYS) {
    case PICA_COMPARE_FUNC_NEVER: cells->open = 0; break;
    case PICA_COMPARE_FUNC_ALWAYS: test_flat(setting, cells, true, PICA_COMPARE_FUNC_ALWAYS); break;
    case PICA_COMPARE_FUNC_EQUAL: test_flat(setting, cells, true, PICA_COMPARE_FUNC_EQUAL); break;
    case PICA_COMPARE_FUNC_NOT_EQUAL: test_flat(setting, cells, true, PICA_COMPARE_FUNC_NOT_EQUAL); break;
    case PICA_COMPARE_FUNC_LESS: test_flat(setting, cells, true, PICA_COMPARE_FUNC_LESS); break;
    case PICA_COMPARE_FUNC_LESS_EQUAL: test_flat(setting, cells, true, PICA_COMPARE_FUNC_LESS_EQUAL); break;
    case PICA_COMPARE_FUNC_GREATER: test_flat(setting, cells, true, PICA_COMPARE_FUNC_GREATER); break;
    case PICA_COMPARE_FUNC_GREATER_EQUAL: test_flat(setting, cells, true, PICA_COMPARE_FUNC_GREATER_EQUAL); break;
    }
}

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
    const v_u32 low_sum = v_u32_add_halves(v_u32_mul_halves(low, by), v_u32_mul_halves(v_u32_and(stored, bytes), over));
    const v_u32 high_sum =
        v_u32_add_halves(v_u32_mul_halves(high, by), v_u32_mul_halves(v_u32_shr_halves(stored, 8), over));
    const v_u32 low_bytes = v_u32_shr_halves(v_u32_mulhi_halves(low_sum, reciprocal), 7);
    const v_u32 doubled = v_u32_mulhi_halves(high_sum, reciprocal);
    return v_u32_or(low_bytes, v_u32_andnot(v_u32_add_halves(doubled, doubled), bytes));
}

static inline void put_over(uint8_t *bytes, v_mask alive, v_u32 low, v_u32 high)
{
    const v_u32 stored = v_u32_load_le(bytes);
    v_u32_store_le(bytes, v_u32_select(alive, blend_over(low, high, stored), stored));
}

/* ITP-10, ITP-11 for open block `at`. */
static inline void fill_cell(const struct setting *setting, const struct flat_cells *cells, uint32_t at,
                             struct fast_cell *cell)
{
    const uint32_t n = cells->number[at];
    for (int i = 0; i < 3; i++)
        cell->weight[i] = v_f32_from_i32(flat_weight(setting, cells, n, i));
    cell->triangle = setting->triangle;
    cell->alive = cells->alive[at];
    cell->bytes = cells->items[n].color;
    cell->q = cell_q(cell);
}

static inline void put_exact(const struct setting *setting, const struct flat_cells *cells, uint32_t at)
{
    struct fast_cell cell;
    fill_cell(setting, cells, at, &cell);
    put_cell(setting, &cell, fast_cell_color(&cell));
}

/* What color_flat has one copy for each of. */
struct flat_kind {
    bool over, mixed;
};

/* Returns whether the block was drawn. */
static inline bool color_block(const struct setting *setting, const struct planes *planes,
                               const struct plane_bases *bases, const struct flat_cells *cells, uint32_t at,
                               struct flat_kind kind)
{
    v_u32 value[4];
    struct fast_cell cell;
    bool doubtful;
    const uint32_t n = cells->number[at];
    if (kind.mixed) {
        fill_cell(setting, cells, at, &cell);
        doubtful = mixed_color(planes, bases, n, &cell, value);
    } else {
        doubtful = plane_color(planes, bases, n, value);
    }
    const bool sure = !doubtful;
    cell.alive = sure ? cells->alive[at] : v_mask_none();
    cell.bytes = cells->items[n].color;
    if (kind.over)
        put_over(cell.bytes, cell.alive, join_upper_halves(value[3], value[1]), join_upper_halves(value[2], value[0]));
    else
        put_cell(setting, &cell,
                 (struct fast_pairs){ join_upper_halves(value[0], value[2]), join_upper_halves(value[1], value[3]) });
    return sure;
}

/* All open blocks; returns how many had to be done by the rules. */
static inline uint32_t color_flat(const struct setting *setting, const struct planes *planes,
                                  const struct flat_cells *cells, struct flat_kind kind)
{
    uint8_t doubtful[FAST_CELLS];
    struct plane_bases bases;
    uint32_t count = 0;
    find_bases(planes, cells->column, cells->row, &bases);
    for (uint32_t at = 0; at < cells->open; at++) {
        const bool sure = color_block(setting, planes, &bases, cells, at, kind);
        doubtful[count] = (uint8_t)at;
        count += sure ? 0u : 1u;
    }
    for (uint32_t k = 0; k < count; k++)
        put_exact(setting, cells, doubtful[k]);
    return count;
}

static inline uint32_t color_any_flat(const struct setting *setting, const struct planes *planes,
                                      const struct flat_cells *cells)
{
    const bool over = blends_over(setting);
    if (planes->exact != 0u)
        return over ? color_flat(setting, planes, cells, (struct flat_kind){ .over = true, .mixed = true })
                    : color_flat(setting, planes, cells, (struct flat_kind){ .over = false, .mixed = true });
    return over ? color_flat(setting, planes, cells, (struct flat_kind){ .over = true, .mixed = false })
                : color_flat(setting, planes, cells, (struct flat_kind){ .over = false, .mixed = false });
}

/* The blocks of the first item's triangle; returns how many. */
static uint32_t draw_large(const struct setting *setting, const struct fast_block_item *items, uint32_t count)
{
    struct planes planes;
    struct flat_cells cells;
    const struct fast_triangle *triangle = items[0].triangle;
    bool planar = find_planes(triangle, &planes);
    uint32_t drawn = 0;
    cells.depth = find_depth(setting->raster, triangle);
    while (drawn < count && items[drawn].triangle == triangle) {
        cells.items = items + drawn;
        cells.count = 0;
        while (cells.count < FAST_CELLS && drawn < count && items[drawn].triangle == triangle) {
            cells.count++;
            drawn++;
        }
        find_weights(triangle, &cells);
        test_any_flat(setting, &cells);
        if (planar) {
            planar = color_any_flat(setting, &planes, &cells) * 2u <= cells.count;
        } else {
            for (uint32_t at = 0; at < cells.open; at++)
                put_exact(setting, &cells, at);
        }
    }
    return drawn;
}

#endif
