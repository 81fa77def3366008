/*
 * Windows of small triangles on the quick way (draw/quick.h). Most of these triangles have only one window, so nothing
 * is prepared or decided per triangle. One instance for each depth test. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_BLOCK_SMALL_TMPL_H
#define FAST_KERNELS_BLOCK_SMALL_TMPL_H

#include "fast/kernels/block_quick.h"

/* Cells that wait for shading. */
struct cell_queue {
    struct fast_cell *cells; /* FAST_CELLS */
    uint32_t open;
};

/* Constants of an instance. */
struct window_kind {
    bool depth; /* the surface is read */
    enum pica_compare_func function;
};

enum {
    AHEAD = 8 /* windows */
};

/*
 * Neighbours in a bin lie anywhere in both surfaces, which only the second cache has, and so do their triangles in
 * memory. This asks for the two lines that are read of a triangle (tiles/triangle.h), and for the depths of the first
 * and the last of a window's four squares: most windows have no other lines.
 */
static inline void ask_for_window(const struct fast_block_item *item, struct window_kind kind)
{
    v_prefetch(item->triangle, 0);
    v_prefetch(item->triangle, 64);
    if (kind.depth) {
        v_prefetch(item->depth, 0);
        v_prefetch(item->depth, item->right + item->down);
    }
}

/* Like open_cell, for a window. Its colours are read when the queue is full. */
static inline bool open_window(const struct setting *setting, const struct fast_block_item *item,
                               struct window_kind kind, struct fast_cell *cell)
{
    cell->triangle = item->triangle;
    v_prefetch(item->color, 0);
    v_prefetch(item->color, item->right + item->down);
    v_mask alive = cover_window(setting, item, cell);
    if (kind.depth) {
        const v_u32 words = v_u32_load_quads_le(item->depth, item->right, item->down);
        const v_u32 value = cell_depth(setting->raster, cell);
        alive = test_depth(kind.function, value, words, alive);
        if (setting->depth.write)
            v_u32_store_quads_le(item->depth, item->right, item->down, depth_words(value, words, alive));
    }
    cell->alive = alive;
    cell->bytes = item->color;
    cell->right = item->right;
    cell->down = item->down;
    cell->column = item->column;
    cell->row = item->row;
    return v_mask_any(alive);
}

/* Queues the leading items that are windows; returns how many. */
static inline uint32_t queue_windows_kind(const struct setting *setting, const struct fast_block_item *items,
                                          uint32_t count, struct window_kind kind, struct cell_queue *queue)
{
    uint32_t open = queue->open;
    uint32_t n = 0;
    for (; n < count && items[n].window; n++) {
        if (open == FAST_CELLS) {
            draw_cells(setting, queue->cells, open);
            open = 0;
        }
        if (n + AHEAD < count)
            ask_for_window(&items[n + AHEAD], kind);
        open += open_window(setting, &items[n], kind, &queue->cells[open]) ? 1u : 0u;
    }
    queue->open = open;
    return n;
}

static uint32_t queue_windows(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                              struct cell_queue *queue)
{
    uint32_t queued = 0;
    if (!setting->quick->depth)
        return queue_windows_kind(setting, items, count, (struct window_kind){ .depth = false }, queue);
    switch (depth_function(setting)) {
#define INSTANCE(NAME)                                                                                                \
    case PICA_COMPARE_FUNC_##NAME:                                                                                    \
        queued =                                                                                                      \
            queue_windows_kind(setting, items, count, (struct window_kind){ true, PICA_COMPARE_FUNC_##NAME }, queue); \
        break;
        COMPARE_FUNCTIONS(INSTANCE)
#undef INSTANCE
    }
    return queued;
}

#endif
