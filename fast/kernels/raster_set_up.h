/*
 * Boxes and edge functions of 16 triangles (RST-01 to RST-05), and the 4x4 squares that small ones reach. Part of
 * kernels/set_up.c.
 */
#ifndef FAST_KERNELS_RASTER_SET_UP_H
#define FAST_KERNELS_RASTER_SET_UP_H

#include "fast/kernels/cull.h"
#include "fast/tiles/raster_set_up.h"

/* 16 triangles while they are set up; see struct fast_triangle_batch. */
struct set_up {
    const struct fast_fragment_state *state;
    struct corner corners[3];
    v_mask fit;
    v_mask fit_once; /* at least one corner is fit */
    v_u32 all_bits;  /* bits that are set in the words of all corners */
    v_u32 some_bits; /* bits that are set in the word of any corner */
    v_i32 sum;       /* S */
    v_u32 rows[FAST_HEAD_WORDS];
};

/* ------------------------------------------------------------------------------------------------------------ boxes */

/* Boxes of pixels, with inclusive bounds. */
struct box {
    v_i32 left, bottom, right, top;
};

static inline v_i32 least(v_i32 a, v_i32 b, v_i32 c)
{
    return v_i32_min(a, v_i32_min(b, c));
}

static inline v_i32 most(v_i32 a, v_i32 b, v_i32 c)
{
    return v_i32_max(a, v_i32_max(b, c));
}

/* RST-05: the pixels whose centres lie in the bounding box. Triangles 1024 or more pixels wide or high become unfit. */
static inline struct box find_box(struct set_up *s)
{
    const struct corner *c = s->corners;
    const v_i32 min_x = least(c[0].x, c[1].x, c[2].x);
    const v_i32 max_x = most(c[0].x, c[1].x, c[2].x);
    const v_i32 min_y = least(c[0].y, c[1].y, c[2].y);
    const v_i32 max_y = most(c[0].y, c[1].y, c[2].y);
    const v_i32 extent = v_i32_max(v_i32_sub(max_x, min_x), v_i32_sub(max_y, min_y));
    s->fit = v_mask_and(s->fit, v_i32_lt(extent, v_i32_splat(1 << 14)));
    const v_i32 seven = v_i32_splat(7);
    const v_i32 eight = v_i32_splat(8);
    return (struct box){ v_i32_shr(v_i32_add(min_x, seven), 4), v_i32_shr(v_i32_add(min_y, seven), 4),
                         v_i32_shr(v_i32_sub(max_x, eight), 4), v_i32_shr(v_i32_sub(max_y, eight), 4) };
}

static inline struct box cut_box(const struct box *box, const struct fast_box *by)
{
    return (struct box){ v_i32_max(box->left, v_i32_splat(by->left)), v_i32_max(box->bottom, v_i32_splat(by->bottom)),
                         v_i32_min(box->right, v_i32_splat(by->right)), v_i32_min(box->top, v_i32_splat(by->top)) };
}

static inline v_mask boxes_same(const struct box *a, const struct box *b)
{
    const v_mask columns = v_mask_and(v_i32_eq(a->left, b->left), v_i32_eq(a->right, b->right));
    const v_mask rows = v_mask_and(v_i32_eq(a->bottom, b->bottom), v_i32_eq(a->top, b->top));
    return v_mask_and(columns, rows);
}

static inline v_mask box_holds_pixels(const struct box *box)
{
    return v_mask_and(v_i32_le(box->left, box->right), v_i32_le(box->bottom, box->top));
}

/* ------------------------------------------------------------------------------------------------------------ edges */

/*
 * RST-01 to RST-03, FBF-06. Where the triangle is fit, |x| <= 32767, |y| <= 16383 and |dx|, |dy| <= 16383 (project,
 * find_box). So the two products are at most 16383 * 16391 and 16383 * 32775, and the rows add at most
 * 16 * 16383 * 1023: together below 2^30. Other lanes may wrap.
 */
static inline void find_edge(struct set_up *s, uint32_t i)
{
    const struct corner *a = &s->corners[(i + 1u) % 3u];
    const struct corner *b = &s->corners[(i + 2u) % 3u];
    const v_i32 zero = v_i32_splat(0);
    const v_i32 eight = v_i32_splat(8);
    const v_i32 dx = v_i32_sub(b->x, a->x);
    const v_i32 dy = v_i32_sub(b->y, a->y);
    const v_mask level = v_mask_and(v_i32_eq(dy, zero), v_i32_lt(dx, zero));
    const v_i32 bias = v_i32_select(v_mask_or(v_i32_gt(dy, zero), level), v_i32_splat(-1), zero);
    const v_i32 across = v_i32_sub(v_i32_mul(dx, v_i32_sub(eight, a->y)), v_i32_mul(dy, v_i32_sub(eight, a->x)));
    v_i32 weight = v_i32_add(across, bias);
    v_i32 step_row = v_i32_shl(dx, 4);
    s->sum = v_i32_add(s->sum, bias);
    if (s->state->bottom_row_last) {
        weight = v_i32_add(weight, v_i32_mul(step_row, v_i32_splat((int32_t)s->state->height - 1)));
        step_row = v_i32_sub(zero, step_row);
    }
    s->rows[FAST_HEAD_WEIGHT + i] = v_u32_from_i32(weight);
    s->rows[FAST_HEAD_STEP_X + i] = v_u32_from_i32(v_i32_shl(v_i32_sub(zero, dy), 4));
    s->rows[FAST_HEAD_STEP_ROW + i] = v_u32_from_i32(step_row);
}

static inline void put_box(struct set_up *s, const struct box *box)
{
    const v_i32 last = v_i32_splat((int32_t)s->state->height - 1);
    const bool turns = s->state->bottom_row_last;
    s->rows[FAST_HEAD_LEFT] = v_u32_from_i32(box->left);
    s->rows[FAST_HEAD_RIGHT] = v_u32_from_i32(box->right);
    s->rows[FAST_HEAD_FIRST_ROW] = v_u32_from_i32(turns ? v_i32_sub(last, box->top) : box->bottom);
    s->rows[FAST_HEAD_LAST_ROW] = v_u32_from_i32(turns ? v_i32_sub(last, box->bottom) : box->top);
}

/* ---------------------------------------------------------------------------------------------------- bins, squares */

/*
 * One coordinate of a small triangle's box, divided into up to three parts of 4 pixels, one per row or column of
 * squares.
 */
struct parts {
    v_i32 start; /* of the first square */
    v_mask few;  /* there are at most 3 */
    v_i32 low[3], high[3];
    v_mask exists[3];
};

/*
 * Where the squares begin. Blocks have fixed places. Windows begin at the first pixel or the one before it; or two
 * pixels earlier still, so that they do not leave the 8x8 tiles that the box meets, and with these the bin and the
 * surface.
 */
static inline struct parts split(v_i32 first, v_i32 last, v_mask windows)
{
    struct parts parts;
    const v_i32 even = v_i32_and(first, v_i32_splat(~1));
    const v_i32 block = v_i32_and(first, v_i32_splat(~3));
    const v_i32 aligned = v_i32_select(windows, even, block);
    const v_i32 size = v_i32_and(v_i32_add(v_i32_sub(last, aligned), v_i32_splat(4)), v_i32_splat(~3));
    const v_i32 end = v_i32_add(v_i32_or(last, v_i32_splat(7)), v_i32_splat(1));
    parts.start = v_i32_min(aligned, v_i32_sub(end, size));
    parts.few = v_i32_le(size, v_i32_splat(12));
    v_i32 start = parts.start;
    for (int k = 0; k < 3; k++) {
        parts.low[k] = v_i32_max(first, start);
        parts.high[k] = v_i32_min(last, v_i32_add(start, v_i32_splat(3)));
        parts.exists[k] = v_i32_le(parts.low[k], parts.high[k]);
        start = v_i32_add(start, v_i32_splat(4));
    }
    return parts;
}

/* For each part, the largest product of a step with a coordinate of the part. */
static inline void greatest_products(const struct parts *parts, int count, v_i32 step, v_i32 out[3])
{
    for (int k = 0; k < count; k++)
        out[k] = v_i32_max(v_i32_mul(step, parts->low[k]), v_i32_mul(step, parts->high[k]));
}

/*
 * The squares that have, for each edge by itself, a pixel of the box inside that edge (RST-04), as bits of an entry.
 * Only the first `count` columns and rows are looked at.
 */
static inline v_u32 find_squares(const struct set_up *s, const struct parts *columns, const struct parts *rows,
                                 int count)
{
    v_i32 across[3][3];
    v_i32 along[3][3];
    for (int i = 0; i < 3; i++) {
        const v_i32 weight = v_i32_from_u32(s->rows[FAST_HEAD_WEIGHT + i]);
        greatest_products(columns, count, v_i32_from_u32(s->rows[FAST_HEAD_STEP_X + i]), across[i]);
        greatest_products(rows, count, v_i32_from_u32(s->rows[FAST_HEAD_STEP_ROW + i]), along[i]);
        for (int k = 0; k < count; k++)
            along[i][k] = v_i32_add(along[i][k], weight);
    }
    v_u32 squares = v_u32_splat(0);
    for (int row = 0; row < count; row++)
        for (int column = 0; column < count; column++) {
            const v_i32 a = v_i32_add(across[0][column], along[0][row]);
            const v_i32 b = v_i32_add(across[1][column], along[1][row]);
            const v_i32 c = v_i32_add(across[2][column], along[2][row]);
            const v_mask exists = v_mask_and(columns->exists[column], rows->exists[row]);
            const v_mask hit = v_mask_and(exists, v_i32_ge(v_i32_or(v_i32_or(a, b), c), v_i32_splat(0)));
            const v_u32 bit = v_u32_splat(1u << (row * 3 + column));
            squares = v_u32_or(squares, v_u32_select(hit, bit, v_u32_splat(0)));
        }
    return squares;
}

/* A coordinate of the first square relative to its region, halved and shifted as in an entry. */
static inline v_u32 place_in_region(v_i32 start, uint32_t region_shift, int shift)
{
    const v_i32 place = v_i32_and(start, v_i32_splat((int32_t)((1u << region_shift) - 1u)));
    return v_u32_shl(v_u32_from_i32(place), shift - 1);
}

/*
 * Finds the region and the entry of each triangle. `whole`: the box is not cut; only such triangles can be small.
 * `bounded`: as in fast_triangle.
 */
static inline void find_entries(struct set_up *s, const struct fast_bin_layout *layout, v_mask whole, v_mask bounded,
                                struct fast_triangle_batch *out)
{
    const int shift = (int)layout->region_shift;
    const v_i32 left = v_i32_from_u32(s->rows[FAST_HEAD_LEFT]);
    const v_i32 right = v_i32_from_u32(s->rows[FAST_HEAD_RIGHT]);
    const v_i32 first = v_i32_from_u32(s->rows[FAST_HEAD_FIRST_ROW]);
    const v_i32 last = v_i32_from_u32(s->rows[FAST_HEAD_LAST_ROW]);
    const v_i32 column = v_i32_shr(left, shift);
    const v_i32 row = v_i32_shr(first, shift);
    const v_mask inside = v_mask_and(v_i32_eq(v_i32_shr(right, shift), column), v_i32_eq(v_i32_shr(last, shift), row));
    const v_mask windows = v_mask_and(v_mask_and(inside, bounded), v_mask_if(layout->windows));
    const struct parts columns = split(left, right, windows);
    const struct parts rows = split(first, last, windows);
    const v_mask small = v_mask_and(whole, v_mask_and(columns.few, rows.few));
    const v_u32 none = v_u32_splat(0);
    v_u32 squares = none;
    const v_mask three = v_mask_and(small, v_mask_or(columns.exists[2], rows.exists[2]));
    if (v_mask_any(three))
        squares = v_u32_select(small, find_squares(s, &columns, &rows, 3), none);
    else if (v_mask_any(small)) /* the usual case has a shortcut that takes half as long */
        squares = v_u32_select(small, find_squares(s, &columns, &rows, 2), none);
    const v_mask misses = v_mask_and(small, v_u32_eq(squares, none));
    const v_u32 place = v_u32_or(place_in_region(columns.start, layout->region_shift, FAST_ENTRY_COLUMN_SHIFT),
                                 place_in_region(rows.start, layout->region_shift, FAST_ENTRY_ROW_SHIFT));
    const v_u32 kind = v_u32_select(windows, v_u32_splat(FAST_ENTRY_WINDOWS), none);
    const v_u32 entry = v_u32_or(v_u32_or(place, kind), v_u32_shl(squares, FAST_ENTRY_SQUARES_SHIFT));
    out->small = v_mask_bits(small);
    out->misses = v_mask_bits(misses);
    out->astride = v_mask_bits(v_mask_not(inside));
    v_u32_store(out->entry, v_u32_select(small, v_u32_select(inside, entry, squares), none));
    v_u32_store(out->region,
                v_u32_from_i32(v_i32_add(v_i32_mul(row, v_i32_splat((int32_t)layout->regions_per_row)), column)));
}

#endif
