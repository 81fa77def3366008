/*
 * Blocks of small triangles on the quick way (draw/quick.h): most have a block or two, so nothing is prepared for a
 * triangle, and nothing is decided for it. One instance for each depth test. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_SMALL_TMPL_H
#define FAST_KERNELS_BLOCK_SMALL_TMPL_H

#include "fast/kernels/block_quick.h"

/* Cells that wait for shading. */
struct cell_queue {
    struct fast_cell *cells; /* FAST_CELLS */
    uint32_t open;
};

/* What is constant in an instance. */
struct small_kind {
    bool depth; /* the surface is read */
    enum pica_compare_func function;
};

/* Like open_cell. */
static inline bool open_small_cell(const struct setting *setting, const struct fast_block_item *item,
                                   struct small_kind kind, struct fast_cell *cell)
{
    cell->triangle = item->triangle;
    v_mask alive = cover_small_cell(setting, item, cell);
    if (kind.depth)
        alive = test_and_write_depth(kind.function, setting->depth.write, cell_depth(setting->raster, cell),
                                     item->depth, alive);
    cell->alive = alive;
    cell->bytes = item->color;
    cell->column = item->column;
    cell->row = item->row;
    return v_mask_any(alive);
}

/* The first items that are small; returns how many. */
static inline uint32_t queue_small_kind(const struct setting *setting, const struct fast_block_item *items,
                                        uint32_t count, struct small_kind kind, struct cell_queue *queue)
{
    uint32_t open = queue->open;
    uint32_t n = 0;
    for (; n < count && items[n].small; n++) {
        if (open == FAST_CELLS) {
            draw_cells(setting, queue->cells, open);
            open = 0;
        }
        open += open_small_cell(setting, &items[n], kind, &queue->cells[open]) ? 1u : 0u;
    }
    queue->open = open;
    return n;
}

static uint32_t queue_small(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                            struct cell_queue *queue)
{
    uint32_t queued = 0;
    if (!setting->quick->depth)
        return queue_small_kind(setting, items, count, (struct small_kind){ .depth = false }, queue);
    switch (depth_function(setting)) {
#define INSTANCE(NAME)                                                                                             \
    case PICA_COMPARE_FUNC_##NAME:                                                                                 \
        queued =                                                                                                   \
            queue_small_kind(setting, items, count, (struct small_kind){ true, PICA_COMPARE_FUNC_##NAME }, queue); \
        break;
        COMPARE_FUNCTIONS(INSTANCE)
#undef INSTANCE
    }
    return queued;
}

#endif
