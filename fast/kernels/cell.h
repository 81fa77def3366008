/*
 * Blocks on the quick way (fast/draw/quick.h), several at a time: each stage runs over all of them before the next one
 * starts. So the chains of dependent operations of different blocks overlap, and indices of texels are in memory long
 * before they are loaded from there. Only for files compiled per instruction set.
 */
#ifndef FAST_KERNELS_CELL_H
#define FAST_KERNELS_CELL_H

#include "fast/draw/shading_state.h"
#include "fast/simd/simd.h"
#include "fast/tiles/triangle.h"

enum {
    FAST_CELLS = 16
};

/* Four channels of 0..255 in 16-bit halves: r and b in the low and high halves of `even`, g and a in those of `odd`. */
struct fast_pairs {
    v_u32 even, odd;
};

/* A block some of whose lanes passed the tests. Lanes as in struct fast_block. */
struct fast_cell {
    v_f32 weight[3];                      /* B_i */
    v_f32 q;                              /* 1 / D */
    struct fast_pairs color;              /* interpolated, then the result of shading */
    struct fast_pairs texel;              /* of the unit, filtered */
    _Alignas(64) uint32_t index[V_LANES]; /* of texels */
    v_u32 fraction;                       /* between texels: of s in the low halves, of t in the high ones */
    v_mask alive;
    const struct fast_triangle *triangle;
    uint8_t *bytes; /* of the 16 pixels of the colour surface */
    uint32_t column, row;
};

/* ITP-12 for triangles with IEEE products. */
static inline v_f32 fast_cell_sum(const struct fast_cell *cell, const float values[3])
{
    const v_f32 first = v_f32_mul(v_f32_splat(values[0]), cell->weight[0]);
    const v_f32 second = v_f32_mul(v_f32_splat(values[1]), cell->weight[1]);
    const v_f32 third = v_f32_mul(v_f32_splat(values[2]), cell->weight[2]);
    return v_f32_add(v_f32_add(first, second), third);
}

static inline v_f32 fast_cell_attribute(const struct fast_cell *cell, uint32_t attribute)
{
    return v_f32_mul(fast_cell_sum(cell, cell->triangle->attribute[attribute]), cell->q);
}

static inline v_u32 fast_u16x2(v_u32 low, v_u32 high)
{
    return v_u32_or(low, v_u32_shl(high, 16));
}

static inline v_u32 fast_cell_channel(const struct fast_cell *cell, uint32_t channel)
{
    const v_f32 value = fast_cell_attribute(cell, FAST_ATTRIBUTE_COLOR + channel);
    return v_u32_from_i32(v_i32_rha_positive(v_f32_mul(value, v_f32_splat(255.0f))));
}

/*
 * ITP-13. Bounded triangles have colours of 0..1 at their corners; in a covered lane no weight is negative and D is
 * positive, so the result is no less than 0, and more than 1 by rounding errors only, which do not reach 255.5 / 255.
 * So the limits of the rule are not needed.
 */
static inline struct fast_pairs fast_cell_color(const struct fast_cell *cell)
{
    return (struct fast_pairs){ fast_u16x2(fast_cell_channel(cell, 0), fast_cell_channel(cell, 2)),
                                fast_u16x2(fast_cell_channel(cell, 1), fast_cell_channel(cell, 3)) };
}

/* Sets `texel` of all cells from a plain 2D unit (quick.c: is_common_unit). The triangles are bounded. */
void FAST_ISA(fast_sample_cells)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count);

/* The same into `out`, one colour a cell. Cells: only what sampling itself needs is set. */
void FAST_ISA(fast_sample_colors)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count,
                                  struct fast_pairs *out);

#endif
