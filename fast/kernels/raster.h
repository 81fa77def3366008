/*
 * Which lanes of a block a triangle covers (RST-03 to RST-05), and their weights (ITP-10). Part of kernels/block.c.
 *
 * General: one block, weights of up to 40 bits.
 * Quick: triangles that are `narrow`: the weights of covered pixels fit 32 bits, so they may be computed in 32 bits.
 */
#ifndef FAST_KERNELS_RASTER_H
#define FAST_KERNELS_RASTER_H

#include "fast/kernels/block_setting.h"
#include "fast/kernels/cell.h"
#include "fast/kernels/trace_hooks.h"

/* Lanes inside a box of columns and memory rows (bottom and top are the first and the last row). */
static inline v_mask lanes_in_box(const struct setting *setting, const struct fast_block_item *item,
                                  const struct fast_box *box)
{
    const v_i32 x = v_i32_add(setting->lane_x, v_i32_splat(item->column));
    const v_i32 row = v_i32_add(setting->lane_row, v_i32_splat(item->row));
    const v_mask columns = v_mask_and(v_i32_ge(x, v_i32_splat(box->left)), v_i32_le(x, v_i32_splat(box->right)));
    const v_mask rows = v_mask_and(v_i32_ge(row, v_i32_splat(box->bottom)), v_i32_le(row, v_i32_splat(box->top)));
    return v_mask_and(columns, rows);
}

/* RST-05; the box lies inside the framebuffer and inside a scissor box of mode 3 (SCS-01). */
static inline v_mask lanes_in_triangle_box(const struct setting *setting, const struct fast_block_item *item)
{
    const struct fast_triangle *triangle = item->triangle;
    const struct fast_box box = { triangle->left, triangle->first_row, triangle->right, triangle->last_row };
    return lanes_in_box(setting, item, &box);
}

/* -------------------------------------------------------------------------------------------------- the general way */

static inline int64_t block_weight(const struct fast_triangle *triangle, const struct fast_block_item *item, int edge)
{
    const int64_t first = triangle->narrow ? triangle->weight[edge] : triangle->wide_weight[edge];
    return first + (int64_t)item->column * triangle->step_x[edge] + (int64_t)item->row * triangle->step_row[edge];
}

/* RST-03, RST-04, ITP-10 with weights that fit 32 bits. */
static inline v_mask cover_narrow(const struct setting *setting, const struct fast_block_item *item,
                                  struct fast_block *block)
{
    v_i32 weights[3];
    for (int i = 0; i < 3; i++) {
        weights[i] = v_i32_add(v_i32_splat((int32_t)block_weight(setting->triangle, item, i)), setting->step[i]);
        block->weight[i] = v_f32_from_i32(weights[i]);
        if (traces(block))
            block->tracer->weights[i] = simd_i32_from_bits(lane_of_i32(block->tracer, weights[i]));
    }
    if (item->inside)
        return v_mask_all_lanes();
    return v_i32_ge(v_i32_or(v_i32_or(weights[0], weights[1]), weights[2]), v_i32_splat(0));
}

/*
 * The same with weights of up to 40 bits, for triangles of more than 2^30 units of area. These are rare, so it works
 * lane by lane.
 */
static inline v_mask cover_wide(const struct setting *setting, const struct fast_block_item *item,
                                struct fast_block *block)
{
    uint32_t covered = 0xFFFFu;
    int32_t steps[V_LANES];
    float values[V_LANES];
    for (int i = 0; i < 3; i++) {
        const int64_t base = block_weight(setting->triangle, item, i);
        v_i32_store(steps, setting->step[i]);
        for (uint32_t lane = 0; lane < V_LANES; lane++) {
            const int64_t weight = base + steps[lane];
            values[lane] = (float)weight;
            if (weight < 0)
                covered &= ~(1u << lane);
            if (traces(block) && block->tracer->lane == lane)
                block->tracer->weights[i] = weight;
        }
        block->weight[i] = v_f32_load(values);
    }
    return v_mask_from_bits(covered);
}

static inline v_mask cover_block(const struct setting *setting, const struct fast_block_item *item,
                                 struct fast_block *block)
{
    const v_mask covered =
        setting->triangle->narrow ? cover_narrow(setting, item, block) : cover_wide(setting, item, block);
    return item->whole ? covered : v_mask_and(covered, lanes_in_triangle_box(setting, item));
}

/* -------------------------------------------------------------------------------------------- the quick way: a cell */

/* RST-04, RST-05 */
static inline v_mask cover_weights(const struct setting *setting, const struct fast_block_item *item,
                                   const v_i32 weights[3])
{
    if (item->inside && item->whole)
        return v_mask_all_lanes();
    const v_i32 together = v_i32_or(v_i32_or(weights[0], weights[1]), weights[2]);
    const v_mask covered = v_i32_ge(together, v_i32_splat(0));
    return item->whole ? covered : v_mask_and(covered, lanes_in_triangle_box(setting, item));
}

/* RST-03, ITP-10 */
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

/*
 * The same for a window, which is always `whole`. Most small triangles have only one, so nothing is prepared per
 * triangle.
 */
static inline v_mask cover_window(const struct setting *setting, const struct fast_block_item *item,
                                  struct fast_cell *cell)
{
    const struct fast_triangle *triangle = item->triangle;
    const v_i32 x = v_i32_add(setting->lane_x, v_i32_splat(item->column));
    const v_i32 row = v_i32_add(setting->lane_row, v_i32_splat(item->row));
    v_i32 together = v_i32_splat(0);
    for (int i = 0; i < 3; i++) {
        const v_i32 across = v_i32_mul(x, v_i32_splat(triangle->step_x[i]));
        const v_i32 along = v_i32_mul(row, v_i32_splat(triangle->step_row[i]));
        const v_i32 weight = v_i32_add(v_i32_add(across, along), v_i32_splat(triangle->weight[i]));
        together = v_i32_or(together, weight);
        cell->weight[i] = v_f32_from_i32(weight);
    }
    return v_i32_ge(together, v_i32_splat(0));
}

/* ------------------------------------------------------------------------- the quick way: many blocks of a triangle */

/* RST-03: the weights in lane 0 of 16 blocks; `weight` is indexed [edge][block]. */
static inline void find_first_weights(const struct fast_triangle *triangle, const uint32_t *column, const uint32_t *row,
                                      uint32_t (*weight)[FAST_CELLS])
{
    const v_u32 columns = v_u32_load(column);
    const v_u32 rows = v_u32_load(row);
    for (int i = 0; i < 3; i++) {
        const v_u32 x = v_u32_mul(columns, v_u32_splat((uint32_t)triangle->step_x[i]));
        const v_u32 y = v_u32_mul(rows, v_u32_splat((uint32_t)triangle->step_row[i]));
        v_u32_store(weight[i], v_u32_add(v_u32_add(x, y), v_u32_splat((uint32_t)triangle->weight[i])));
    }
}

#endif
