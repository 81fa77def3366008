/*
 * Blocks of small triangles on the quick way (draw/quick.h): most have a block or two, so nothing is prepared for a
 * triangle, and nothing asks about it. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_SMALL_TMPL_H
#define FAST_KERNELS_BLOCK_SMALL_TMPL_H

#include "fast/kernels/block_quick.h"

/* Cells that wait for shading. */
struct cell_queue {
    struct fast_cell *cells; /* FAST_CELLS */
    uint32_t open;
};

/* A constant where it is handed on. */
struct small_test {
    bool depth; /* the surface is read */
    enum pica_compare_func function;
};

/* RST-03, in 32 bits: the weights of narrow triangles fit them. */
static inline v_i32 small_weight(const struct fast_triangle *triangle, int edge, v_i32 x, v_i32 row)
{
    const v_i32 across = v_i32_mul(x, v_i32_splat(triangle->step_x[edge]));
    const v_i32 along = v_i32_mul(row, v_i32_splat(triangle->step_row[edge]));
    return v_i32_add(v_i32_add(across, along), v_i32_splat(triangle->weight[edge]));
}

/* RST-04, depth; as open_cell. */
static inline bool open_small(const struct setting *setting, const struct fast_block_item *item, struct small_test test,
                              struct fast_cell *cell)
{
    const struct fast_triangle *triangle = item->triangle;
    const v_i32 x = v_i32_add(setting->lane_x, v_i32_splat(item->column));
    const v_i32 row = v_i32_add(setting->lane_row, v_i32_splat(item->row));
    v_i32 together = v_i32_splat(0);
    cell->triangle = triangle;
    for (int i = 0; i < 3; i++) {
        const v_i32 weight = small_weight(triangle, i, x, row);
        together = v_i32_or(together, weight);
        cell->weight[i] = v_f32_from_i32(weight);
    }
    v_mask alive = v_i32_ge(together, v_i32_splat(0));
    if (test.depth) {
        const v_u32 depth_bits = v_u32_splat(0x00FFFFFFu);
        const v_u32 stored = v_u32_load_le(item->depth);
        const v_u32 value = cell_depth(setting->raster, cell);
        alive = v_mask_and(alive, compare(test.function, value, v_u32_and(stored, depth_bits)));
        if (setting->depth.write)
            v_u32_store_le(item->depth, v_u32_select(alive, v_u32_or(value, v_u32_andnot(stored, depth_bits)), stored));
    }
    cell->alive = alive;
    cell->bytes = item->color;
    cell->column = item->column;
    cell->row = item->row;
    return v_mask_any(alive);
}

/* The first items that are small; returns how many. */
static inline uint32_t queue_small(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                                   struct small_test test, struct cell_queue *queue)
{
    uint32_t open = queue->open;
    uint32_t n = 0;
    for (; n < count && items[n].small; n++) {
        if (open == FAST_CELLS) {
            draw_cells(setting, queue->cells, open);
            open = 0;
        }
        open += open_small(setting, &items[n], test, &queue->cells[open]) ? 1u : 0u;
    }
    queue->open = open;
    return n;
}

static uint32_t queue_any_small(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                                struct cell_queue *queue)
{
    struct small_test test = { .depth = true };
    if (!setting->quick->depth)
        return queue_small(setting, items, count, (struct small_test){ .depth = false }, queue);
    switch (setting->depth.test ? setting->depth.function : PICA_COMPARE_FUNC_ALWAYS) {
    case PICA_COMPARE_FUNC_NEVER:
        test.function = PICA_COMPARE_FUNC_NEVER;
        return queue_small(setting, items, count, test, queue);
    case PICA_COMPARE_FUNC_ALWAYS:
        test.function = PICA_COMPARE_FUNC_ALWAYS;
        return queue_small(setting, items, count, test, queue);
    case PICA_COMPARE_FUNC_EQUAL:
        test.function = PICA_COMPARE_FUNC_EQUAL;
        return queue_small(setting, items, count, test, queue);
    case PICA_COMPARE_FUNC_NOT_EQUAL:
        test.function = PICA_COMPARE_FUNC_NOT_EQUAL;
        return queue_small(setting, items, count, test, queue);
    case PICA_COMPARE_FUNC_LESS:
        test.function = PICA_COMPARE_FUNC_LESS;
        return queue_small(setting, items, count, test, queue);
    case PICA_COMPARE_FUNC_LESS_EQUAL:
        test.function = PICA_COMPARE_FUNC_LESS_EQUAL;
        return queue_small(setting, items, count, test, queue);
    case PICA_COMPARE_FUNC_GREATER:
        test.function = PICA_COMPARE_FUNC_GREATER;
        return queue_small(setting, items, count, test, queue);
    case PICA_COMPARE_FUNC_GREATER_EQUAL:
    default: test.function = PICA_COMPARE_FUNC_GREATER_EQUAL; return queue_small(setting, items, count, test, queue);
    }
}

#endif
