/*
 * Blocks of one large triangle on the quick way (draw/quick.h), 16 at a time: where they are, raster and depth test.
 * Values that are one number per block are computed for all 16 blocks at once; values that are the same for all blocks
 * stay in registers. One instance for each depth test and use. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_SPANS_TMPL_H
#define FAST_KERNELS_BLOCK_SPANS_TMPL_H

#include "fast/kernels/block_quick.h"
#include "fast/kernels/interpolation_planes.h"

#include <assert.h>

enum {
    TILE_BLOCKS = 4,
    BLOCK_BYTES = 64,             /* of both surfaces: RGBA8, D24S8 */
    BLOCKS_ROOM = 2 * FAST_CELLS, /* add_tiles writes 16 past the last one */
    PLANES_LEAST_TILES = 8        /* tiles in the items of one call from which on planes pay */
};

/* Blocks of one triangle. Entries past the last one may hold anything. */
struct blocks {
    struct corner_depths depths;
    uint32_t count;
    _Alignas(64) uint32_t column[BLOCKS_ROOM], row[BLOCKS_ROOM];
    _Alignas(64) uint32_t weight[3][FAST_CELLS]; /* of lane 0 */
    uint8_t *color[FAST_CELLS], *stored_depth[FAST_CELLS];
    const struct fast_block_item *items; /* single blocks only */
    uint32_t open;                       /* how many have a lane that passed the tests */
    uint8_t number[FAST_CELLS];          /* their indices */
    v_mask alive[FAST_CELLS];
};

/* --------------------------------------------------------------------------------------------------- where they are */

/* Collects up to 16 items that are single blocks of this triangle; returns how many. */
static inline uint32_t gather_blocks(const struct fast_triangle *triangle, const struct fast_block_item *items,
                                     uint32_t count, struct blocks *blocks)
{
    uint32_t n = 0;
    v_u32_store(blocks->column, v_u32_splat(0));
    v_u32_store(blocks->row, v_u32_splat(0));
    for (; n < FAST_CELLS && n < count && items[n].triangle == triangle && items[n].tiles == 0u; n++) {
        blocks->column[n] = items[n].column;
        blocks->row[n] = items[n].row;
        blocks->color[n] = items[n].color;
        blocks->stored_depth[n] = items[n].depth;
    }
    blocks->items = items;
    blocks->count = n;
    find_first_weights(triangle, blocks->column, blocks->row, blocks->weight);
    return n;
}

/* Position of the next tile in a list of spans. */
struct span_position {
    uint32_t item, tile;
};

/* Adds 1 to 4 tiles of a span. Columns and rows are always written for four tiles: that is faster than counting. */
static inline void add_tiles(struct blocks *blocks, const struct fast_block_item *item, uint32_t tile, uint32_t tiles)
{
    static const uint32_t columns[FAST_CELLS] = { 0, 4, 0, 4, 8, 12, 8, 12, 16, 20, 16, 20, 24, 28, 24, 28 };
    static const uint32_t rows[FAST_CELLS] = { 0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4, 4 };
    const size_t offset = (size_t)tile * TILE_BLOCKS * BLOCK_BYTES;
    const uint32_t first = blocks->count;
    v_u32_store(blocks->column + first, v_u32_add(v_u32_load(columns), v_u32_splat(item->column + 8u * tile)));
    v_u32_store(blocks->row + first, v_u32_add(v_u32_load(rows), v_u32_splat(item->row)));
    for (uint32_t k = 0; k < TILE_BLOCKS * tiles; k++)
        blocks->color[first + k] = item->color + offset + (size_t)k * BLOCK_BYTES;
    for (uint32_t k = 0; k < TILE_BLOCKS * tiles && item->depth != NULL; k++)
        blocks->stored_depth[first + k] = item->depth + offset + (size_t)k * BLOCK_BYTES;
    blocks->count = first + TILE_BLOCKS * tiles;
}

/* Collects up to four tiles from spans of this triangle; false if there are none left. */
static inline bool gather_tiles(const struct fast_triangle *triangle, const struct fast_block_item *items,
                                uint32_t count, struct span_position *at, struct blocks *blocks)
{
    blocks->count = 0;
    while (blocks->count < FAST_CELLS && at->item < count && items[at->item].triangle == triangle) {
        const struct fast_block_item *item = &items[at->item];
        assert(item->tiles != 0u);
        const uint32_t room = (FAST_CELLS - blocks->count) / TILE_BLOCKS;
        const uint32_t left = item->tiles - at->tile;
        add_tiles(blocks, item, at->tile, left < room ? left : room);
        *at = left <= room ? (struct span_position){ at->item + 1u, 0 }
                           : (struct span_position){ at->item, at->tile + room };
    }
    if (blocks->count == 0u)
        return false;
    find_first_weights(triangle, blocks->column, blocks->row, blocks->weight);
    return true;
}

static inline v_i32 lane_weights(const v_i32 step[3], const struct blocks *blocks, uint32_t n, int edge)
{
    return v_i32_add(step[edge], v_i32_from_u32(v_u32_splat(blocks->weight[edge][n])));
}

/* --------------------------------------------------------------------------------------------- up to the depth test */

/* Constants of an instance. */
struct blocks_kind {
    bool whole; /* all blocks belong to spans */
    bool depth; /* the surface is read */
    bool keeps; /* the open blocks are stored as cells, ready for shading */
    enum pica_compare_func function;
};

/*
 * What is the same for all blocks. A copy, because the compiler must assume that a store of pixels changes any memory.
 */
struct blocks_constants {
    v_i32 step[3];
    float r[3];
    struct depth_terms depth;
    bool writes;
};

static inline struct blocks_constants find_constants(const struct setting *setting, const struct blocks *blocks)
{
    const struct fast_triangle *triangle = setting->triangle;
    struct blocks_constants constants = { .writes = setting->depth.write };
    for (int i = 0; i < 3; i++) {
        constants.step[i] = setting->step[i];
        constants.r[i] = triangle->inverse_w[i];
    }
    constants.depth = find_depth_terms(setting->raster, triangle, &blocks->depths);
    return constants;
}

/* ITP-10, ITP-11 */
static inline void keep_cell(const struct blocks_constants *constants, const struct blocks *blocks, uint32_t n,
                             const v_f32 weights[3], struct fast_cell *cell)
{
    for (int i = 0; i < 3; i++)
        cell->weight[i] = weights[i];
    cell->q = v_f32_div(v_f32_splat(1.0f), ieee_sum(constants->r, weights));
    cell->bytes = blocks->color[n];
    cell->column = blocks->column[n];
    cell->row = blocks->row[n];
}

/*
 * RST-04 and the depth test. With `keeps`, the open blocks become the first cells. The second cache has both surfaces
 * of a bin, so each line would be waited for: the colours that are written after shading are asked for here, and the
 * depths of the 16 blocks after these (most spans go on), because a loop that runs backwards is not guessed.
 */
static inline void test_blocks_kind(const struct setting *setting, struct blocks *blocks, struct blocks_kind kind,
                                    struct fast_cell *cells)
{
    const struct blocks_constants constants = find_constants(setting, blocks);
    const uint32_t count = blocks->count;
    uint32_t open = 0;
    for (uint32_t n = count; n-- > 0u;) {
        v_i32 weights[3];
        v_f32 floats[3];
        v_mask alive = v_mask_all_lanes();
        if (kind.keeps)
            v_prefetch(blocks->color[n], 0);
        if (kind.depth && kind.whole)
            v_prefetch(blocks->stored_depth[n], FAST_CELLS * BLOCK_BYTES);
        for (int i = 0; i < 3; i++) {
            weights[i] = lane_weights(constants.step, blocks, n, i);
            floats[i] = v_f32_from_i32(weights[i]);
        }
        if (!kind.whole)
            alive = cover_weights(setting, &blocks->items[n], weights);
        if (kind.depth)
            alive = test_and_write_depth(kind.function, constants.writes, depth_value(&constants.depth, floats),
                                         blocks->stored_depth[n], alive);
        if (kind.keeps) {
            keep_cell(&constants, blocks, n, floats, &cells[open]);
            cells[open].triangle = setting->triangle;
            cells[open].alive = alive;
        } else {
            blocks->alive[open] = alive;
        }
        blocks->number[open] = (uint8_t)n;
        open += v_mask_any(alive) ? 1u : 0u; /* without a branch, which would be unpredictable */
    }
    blocks->open = open;
}

/* Selects the instance. The caller passes what it knows of the kind as constants; `cells` is used with `keeps` only. */
static inline void test_blocks(const struct setting *setting, struct blocks *blocks, struct blocks_kind kind,
                               struct fast_cell *cells)
{
    if (!setting->quick->depth) {
        test_blocks_kind(setting, blocks, kind, cells);
        return;
    }
    kind.depth = true;
    switch (depth_function(setting)) {
#define INSTANCE(NAME)                                  \
    case PICA_COMPARE_FUNC_##NAME:                      \
        kind.function = PICA_COMPARE_FUNC_##NAME;       \
        test_blocks_kind(setting, blocks, kind, cells); \
        break;
        COMPARE_FUNCTIONS(INSTANCE)
#undef INSTANCE
    }
}

/* ---------------------------------------------------------------------------------------------------------- shading */

/* Planes of a triangle, and whether they still pay: they do not where most blocks have to be computed by the rules. */
struct trial {
    struct planes planes;
    bool pays;
};

/* Do these items of the triangle have enough tiles for planes to save more than finding them costs? */
static inline bool has_many_tiles(const struct fast_triangle *triangle, const struct fast_block_item *items,
                                  uint32_t count)
{
    uint32_t tiles = 0;
    for (uint32_t n = 0; n < count && items[n].triangle == triangle && tiles < PLANES_LEAST_TILES; n++)
        tiles += items[n].tiles;
    return tiles >= PLANES_LEAST_TILES;
}

/* TEV-09 for the open blocks, which are the first cells. Returns how many had to be computed by the rules. */
static inline uint32_t modulate_blocks_kind(const struct setting *setting, const struct planes *planes,
                                            const struct blocks *blocks, uint32_t exact, const struct fast_cell *cells)
{
    struct plane_bases bases;
    uint32_t count = 0;
    find_bases(planes, COLOR_PLANES, blocks->column, blocks->row, &bases);
    for (uint32_t at = 0; at < blocks->open; at++) {
        v_u32 value[4];
        const bool doubtful = mixed_color(planes, &bases, blocks->number[at], exact, &cells[at], value);
        put_modulated(setting, false, &cells[at], doubtful ? cell_color(&cells[at]) : plane_pairs(value));
        count += doubtful ? 1u : 0u;
    }
    return count;
}

/* FAST_QUICK_MODULATE. The usual triangle, all of whose channels have planes, has an instance of its own. */
static inline uint32_t modulate_blocks(const struct setting *setting, const struct planes *planes,
                                       const struct blocks *blocks, struct fast_cell *cells)
{
    FAST_ISA(fast_sample_cells)(&setting->shading->units[setting->quick->unit], cells, blocks->open);
    if (planes->exact == 0u)
        return modulate_blocks_kind(setting, planes, blocks, 0u, cells);
    return modulate_blocks_kind(setting, planes, blocks, planes->exact, cells);
}

/*
 * Draws the spans of the first item's triangle, which is the setting's; returns how many items it took. Overwrites the
 * cells.
 */
static uint32_t draw_spans(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                           struct fast_cell *cells)
{
    const struct fast_triangle *triangle = setting->triangle;
    struct trial trial;
    struct blocks blocks = { .depths = find_corner_depths(setting->raster, triangle) };
    struct span_position at = { 0, 0 };
    trial.pays = setting->quick->shading == FAST_QUICK_MODULATE && has_many_tiles(triangle, items, count) &&
                 find_planes(triangle, &trial.planes);
    while (gather_tiles(triangle, items, count, &at, &blocks)) {
        test_blocks(setting, &blocks, (struct blocks_kind){ .whole = true, .keeps = true }, cells);
        if (trial.pays)
            trial.pays = modulate_blocks(setting, &trial.planes, &blocks, cells) * 2u <= blocks.count;
        else
            shade_and_put(setting, false, cells, blocks.open);
    }
    return at.item;
}

#endif
