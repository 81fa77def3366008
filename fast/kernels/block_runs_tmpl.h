/*
 * Blocks of one large triangle on the quick way (draw/quick.h), 16 at a time: where they are, coverage and depth. What
 * is a number for each block is computed for all of them at once; what is the same for all stays in registers. Part of
 * kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_RUNS_TMPL_H
#define FAST_KERNELS_BLOCK_RUNS_TMPL_H

#include "fast/kernels/block_quick.h"

#include <assert.h>

enum {
    TILE_BLOCKS = 4,
    BLOCK_BYTES = 64,           /* of both surfaces: RGBA8, D24S8 */
    GROUP_ROOM = 2 * FAST_CELLS /* add_tiles writes 16 behind the last one */
};

/* ITP-14 to ITP-17, as far as they are the same for all blocks of a triangle. */
struct group_depth {
    float z[3];
    bool direct; /* the quotient is the depth already */
};

/* Blocks of one triangle. Past the last one there may be any. */
struct group {
    struct group_depth depth;
    uint32_t count;
    _Alignas(64) uint32_t column[GROUP_ROOM], row[GROUP_ROOM];
    _Alignas(64) uint32_t weight[3][FAST_CELLS]; /* of lane 0 */
    uint8_t *color[FAST_CELLS], *stored_depth[FAST_CELLS];
    const struct fast_block_item *items; /* not of runs */
    uint32_t open;                       /* how many have a lane that passed the tests */
    uint8_t number[FAST_CELLS];          /* of those */
    v_mask alive[FAST_CELLS];
};

/* --------------------------------------------------------------------------------------------------- where they are */

/* RST-03 for lane 0; the weights of narrow triangles fit 32 bits, so they may be computed in 32. */
static inline void find_weights(const struct fast_triangle *triangle, struct group *group)
{
    const v_u32 column = v_u32_load(group->column);
    const v_u32 row = v_u32_load(group->row);
    for (int i = 0; i < 3; i++) {
        const v_u32 x = v_u32_mul(column, v_u32_splat((uint32_t)triangle->step_x[i]));
        const v_u32 y = v_u32_mul(row, v_u32_splat((uint32_t)triangle->step_row[i]));
        v_u32_store(group->weight[i], v_u32_add(v_u32_add(x, y), v_u32_splat((uint32_t)triangle->weight[i])));
    }
}

/* Up to 16 items that are single blocks of this triangle; returns how many. */
static inline uint32_t gather_blocks(const struct fast_triangle *triangle, const struct fast_block_item *items,
                                     uint32_t count, struct group *group)
{
    uint32_t n = 0;
    v_u32_store(group->column, v_u32_splat(0));
    v_u32_store(group->row, v_u32_splat(0));
    for (; n < FAST_CELLS && n < count && items[n].triangle == triangle && items[n].tiles == 0u; n++) {
        group->column[n] = items[n].column;
        group->row[n] = items[n].row;
        group->color[n] = items[n].color;
        group->stored_depth[n] = items[n].depth;
    }
    group->items = items;
    group->count = n;
    find_weights(triangle, group);
    return n;
}

/* Where the next tile of some runs is. */
struct span_position {
    uint32_t item, tile;
};

/* Adds 1 to 4 tiles of a run. Columns and rows of four are written in any case: that is quicker than to count. */
static inline void add_tiles(struct group *group, const struct fast_block_item *item, uint32_t tile, uint32_t tiles)
{
    static const uint32_t columns[FAST_CELLS] = { 0, 4, 0, 4, 8, 12, 8, 12, 16, 20, 16, 20, 24, 28, 24, 28 };
    static const uint32_t rows[FAST_CELLS] = { 0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4, 4 };
    const size_t offset = (size_t)tile * TILE_BLOCKS * BLOCK_BYTES;
    const uint32_t first = group->count;
    v_u32_store(group->column + first, v_u32_add(v_u32_load(columns), v_u32_splat(item->column + 8u * tile)));
    v_u32_store(group->row + first, v_u32_add(v_u32_load(rows), v_u32_splat(item->row)));
    for (uint32_t k = 0; k < TILE_BLOCKS * tiles; k++)
        group->color[first + k] = item->color + offset + (size_t)k * BLOCK_BYTES;
    for (uint32_t k = 0; k < TILE_BLOCKS * tiles && item->depth != NULL; k++)
        group->stored_depth[first + k] = item->depth + offset + (size_t)k * BLOCK_BYTES;
    group->count = first + TILE_BLOCKS * tiles;
}

/* Up to four tiles of runs of this triangle; false if there is none left. */
static inline bool gather_tiles(const struct fast_triangle *triangle, const struct fast_block_item *items,
                                uint32_t count, struct span_position *at, struct group *group)
{
    group->count = 0;
    while (group->count < FAST_CELLS && at->item < count && items[at->item].triangle == triangle) {
        const struct fast_block_item *item = &items[at->item];
        assert(item->tiles != 0u);
        const uint32_t room = (FAST_CELLS - group->count) / TILE_BLOCKS;
        const uint32_t left = item->tiles - at->tile;
        add_tiles(group, item, at->tile, left < room ? left : room);
        *at = left <= room ? (struct span_position){ at->item + 1u, 0 }
                           : (struct span_position){ at->item, at->tile + room };
    }
    if (group->count == 0u)
        return false;
    find_weights(triangle, group);
    return true;
}

static inline v_i32 group_weight(const v_i32 step[3], const struct group *group, uint32_t n, int edge)
{
    return v_i32_add(step[edge], v_i32_from_u32(v_u32_splat(group->weight[edge][n])));
}

/* ----------------------------------------------------------------------------------------------- coverage and depth */

/*
 * With scale 1 or -1 and offset 0, depth = zw * scale is had from corners times scale: signs change no rounding. If
 * these are in 0 .. 1 - 2^-20, seven roundings of positive values leave the depth of covered lanes in 0 .. 1:
 * no limits.
 */
static inline struct group_depth find_depth(const struct fast_raster_state *raster,
                                            const struct fast_triangle *triangle)
{
    struct group_depth depth = { .direct = (raster->depth_scale == 1.0f || raster->depth_scale == -1.0f) &&
                                           raster->depth_offset == 0.0f };
    for (int i = 0; i < 3; i++) {
        depth.z[i] = triangle->z[i] * raster->depth_scale;
        depth.direct = depth.direct && depth.z[i] >= 0.0f && depth.z[i] <= 1.0f - 0x1p-20f;
    }
    for (int i = 0; i < 3 && !depth.direct; i++)
        depth.z[i] = triangle->z[i];
    return depth;
}

/* What the tests of a group are; constants where they are inlined. */
struct group_test {
    bool whole; /* all blocks are of runs */
    bool depth; /* the surface is read */
    bool keeps; /* the open blocks go into cells, ready for shading */
    enum pica_compare_func function;
};

/* What is the same for all blocks, out of the way of stores of pixels, which may change all that is in memory. */
struct group_constants {
    v_i32 step[3];
    v_f32 z[3], area, r[3];
    v_f32 scale, offset;
    bool direct, writes;
};

static inline struct group_constants find_constants(const struct setting *setting, const struct group *group)
{
    const struct fast_triangle *triangle = setting->triangle;
    struct group_constants constants = { .direct = group->depth.direct, .writes = setting->depth.write };
    for (int i = 0; i < 3; i++) {
        constants.step[i] = setting->step[i];
        constants.z[i] = v_f32_splat(group->depth.z[i]);
        constants.r[i] = v_f32_splat(triangle->inverse_w[i]);
    }
    constants.area = v_f32_splat(triangle->area);
    constants.scale = v_f32_splat(setting->raster->depth_scale);
    constants.offset = v_f32_splat(setting->raster->depth_offset);
    return constants;
}

static inline v_f32 sum_of_three(const v_f32 values[3], const v_f32 weights[3])
{
    const v_f32 two = v_f32_add(v_f32_mul(values[0], weights[0]), v_f32_mul(values[1], weights[1]));
    return v_f32_add(two, v_f32_mul(values[2], weights[2]));
}

static inline v_u32 group_depth_value(const struct group_constants *constants, const v_f32 weights[3])
{
    v_f32 depth = v_f32_div(sum_of_three(constants->z, weights), constants->area);
    if (!constants->direct)
        depth = v_f32_clamp01(v_f32_add(v_f32_mul(depth, constants->scale), constants->offset));
    return v_u32_from_i32(v_i32_trunc_in_range(v_f32_mul(depth, v_f32_splat(16777215.0f))));
}

/* DPT-01 to DPT-04 */
static inline v_mask test_group_depth(const struct group_constants *constants, enum pica_compare_func function,
                                      const v_f32 weights[3], uint8_t *bytes, v_mask alive)
{
    const v_u32 depth_bits = v_u32_splat(0x00FFFFFFu);
    const v_u32 stored = v_u32_load_le(bytes);
    const v_u32 value = group_depth_value(constants, weights);
    alive = v_mask_and(alive, compare(function, value, v_u32_and(stored, depth_bits)));
    if (constants->writes)
        v_u32_store_le(bytes, v_u32_select(alive, v_u32_or(value, v_u32_andnot(stored, depth_bits)), stored));
    return alive;
}

/* ITP-10, ITP-11 */
static inline void keep_cell(const struct group_constants *constants, const struct group *group, uint32_t n,
                             const v_f32 weights[3], struct fast_cell *cell)
{
    for (int i = 0; i < 3; i++)
        cell->weight[i] = weights[i];
    cell->q = v_f32_div(v_f32_splat(1.0f), sum_of_three(constants->r, weights));
    cell->bytes = group->color[n];
    cell->column = group->column[n];
    cell->row = group->row[n];
}

/* RST-04, depth. With `keeps`, the open blocks are the first cells. */
static inline void test_group(const struct setting *setting, struct group *group, struct group_test test,
                              struct fast_cell *cells)
{
    const struct group_constants constants = find_constants(setting, group);
    const uint32_t count = group->count;
    uint32_t open = 0;
    for (uint32_t n = count; n-- > 0u;) {
        v_i32 weights[3];
        v_f32 floats[3];
        v_mask alive = v_mask_all_lanes();
        for (int i = 0; i < 3; i++) {
            weights[i] = group_weight(constants.step, group, n, i);
            floats[i] = v_f32_from_i32(weights[i]);
        }
        if (!test.whole)
            alive = cover_weights(setting, &group->items[n], weights);
        if (test.depth)
            alive = test_group_depth(&constants, test.function, floats, group->stored_depth[n], alive);
        if (test.keeps) {
            keep_cell(&constants, group, n, floats, &cells[open]);
            cells[open].triangle = setting->triangle;
            cells[open].alive = alive;
        } else {
            group->alive[open] = alive;
            group->number[open] = (uint8_t)n;
        }
        open += v_mask_any(alive) ? 1u : 0u; /* no branch: it would be a guess */
    }
    group->open = open;
}

static inline void test_any_group(const struct setting *setting, struct group *group, bool whole,
                                  struct fast_cell *cells)
{
    struct group_test test = { .whole = whole, .keeps = cells != NULL };
    if (!setting->quick->depth) {
        test_group(setting, group, test, cells);
        return;
    }
    test.depth = true;
    switch (setting->depth.test ? setting->depth.function : PICA_COMPARE_FUNC_ALWAYS) {
    case PICA_COMPARE_FUNC_NEVER: group->open = 0; break;
    case PICA_COMPARE_FUNC_ALWAYS:
        test.function = PICA_COMPARE_FUNC_ALWAYS;
        test_group(setting, group, test, cells);
        break;
    case PICA_COMPARE_FUNC_EQUAL:
        test.function = PICA_COMPARE_FUNC_EQUAL;
        test_group(setting, group, test, cells);
        break;
    case PICA_COMPARE_FUNC_NOT_EQUAL:
        test.function = PICA_COMPARE_FUNC_NOT_EQUAL;
        test_group(setting, group, test, cells);
        break;
    case PICA_COMPARE_FUNC_LESS:
        test.function = PICA_COMPARE_FUNC_LESS;
        test_group(setting, group, test, cells);
        break;
    case PICA_COMPARE_FUNC_LESS_EQUAL:
        test.function = PICA_COMPARE_FUNC_LESS_EQUAL;
        test_group(setting, group, test, cells);
        break;
    case PICA_COMPARE_FUNC_GREATER:
        test.function = PICA_COMPARE_FUNC_GREATER;
        test_group(setting, group, test, cells);
        break;
    case PICA_COMPARE_FUNC_GREATER_EQUAL:
        test.function = PICA_COMPARE_FUNC_GREATER_EQUAL;
        test_group(setting, group, test, cells);
        break;
    }
}

/* ---------------------------------------------------------------------------------------------- any shading of runs */

/* The runs of the first item's triangle, which is the setting's; returns how many. Overwrites the cells. */
static uint32_t draw_spans(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                           struct fast_cell *cells)
{
    struct group group = { .depth = find_depth(setting->raster, setting->triangle) };
    struct span_position at = { 0, 0 };
    while (gather_tiles(setting->triangle, items, count, &at, &group)) {
        test_any_group(setting, &group, true, cells);
        shade_and_put(setting, cells, group.open);
    }
    return at.item;
}

#endif
