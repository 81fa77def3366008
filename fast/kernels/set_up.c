/*
 * Vertices onto the screen and triangles into edge functions, 16 at a time, for what needs no second look: no clipping,
 * no events but those of the box, coordinates of 16 bits. Everything else is told apart here ("unfit") and done one by
 * one in triangle.c.
 */
#include "fast/tiles/raster_set_up.h"

#include "fast/draw/raster_state.h"
#include "fast/draw/shading_state.h"
#include "fast/kernels.h"
#include "fast/simd/simd.h"

/* --------------------------------------------------------------------------------------------------------- vertices */

static inline v_f32 slot(const float *block, uint32_t number)
{
    return v_f32_load(block + number * FAST_LANES);
}

/* CLP-05: NaN is outside. */
static inline v_mask is_inside(v_f32 distance)
{
    return v_f32_ge(distance, v_f32_splat(-1e-8f));
}

/*
 * CLP-01, CLP-04 without plane 7, which w > 0 implies. With w finite, what passes is finite too (CLP-02), so the
 * products of plane 8 are plain ones; a draw whose plane is not finite never gets here.
 */
static inline v_mask inside_volume(const struct fast_raster_state *state, v_f32 x, v_f32 y, v_f32 z, v_f32 w)
{
    v_mask inside = v_mask_and(is_inside(v_f32_sub(w, x)), is_inside(v_f32_add(w, x)));
    inside = v_mask_and(inside, v_mask_and(is_inside(v_f32_sub(w, y)), is_inside(v_f32_add(w, y))));
    inside = v_mask_and(inside, v_mask_and(is_inside(v_f32_neg(z)), is_inside(v_f32_add(w, z))));
    if (state->user_plane) {
        const float *plane = state->plane;
        const v_f32 two = v_f32_add(v_f32_mul(v_f32_splat(plane[0]), x), v_f32_mul(v_f32_splat(plane[1]), y));
        const v_f32 three = v_f32_add(two, v_f32_mul(v_f32_splat(plane[2]), z));
        inside = v_mask_and(inside, is_inside(v_f32_add(three, v_f32_mul(v_f32_splat(plane[3]), w))));
    }
    return inside;
}

/* Bits of |a|: they are in the order of the numbers, and NaN is greater than all. */
static inline v_u32 magnitude_bits(v_f32 a)
{
    return v_u32_and(v_u32_from_f32_bits(a), v_u32_splat(0x7fffffffu));
}

static inline v_u32 bit_if_outside(v_f32 distance, uint32_t bit)
{
    return v_u32_select(is_inside(distance), v_u32_splat(0), v_u32_splat(bit));
}

/* The place of a vertex that is not fit: of planes 0-5, in the order of CLP-04, those that it is outside of. */
static inline v_u32 unfit_place(v_f32 x, v_f32 y, v_f32 z, v_f32 w)
{
    const uint32_t first = FAST_PLACE_FIRST_PLANE;
    const v_u32 right = bit_if_outside(v_f32_sub(w, x), first), left = bit_if_outside(v_f32_add(w, x), first << 1);
    const v_u32 top = bit_if_outside(v_f32_sub(w, y), first << 2), bottom = bit_if_outside(v_f32_add(w, y), first << 3);
    const v_u32 near = bit_if_outside(v_f32_neg(z), first << 4), far = bit_if_outside(v_f32_add(w, z), first << 5);
    const v_u32 planes = v_u32_or(v_u32_or(v_u32_or(right, left), v_u32_or(top, bottom)), v_u32_or(near, far));
    const v_u32 size =
        v_u32_max(v_u32_max(magnitude_bits(x), magnitude_bits(y)), v_u32_max(magnitude_bits(z), magnitude_bits(w)));
    const v_mask finite = v_u32_lt(size, v_u32_splat(0x7f800000u)); /* CLP-02 */
    return v_u32_or(v_u32_select(finite, planes, v_u32_splat(0)), v_u32_splat(FAST_PLACE_UNFIT));
}

/* VPT-03, ITP-05: 1/16 pixels, for |units| <= 32767. */
static inline v_i32 snap(v_f32 units)
{
    const v_i32 magnitude = v_i32_rha_positive(v_f32_abs(units));
    return v_i32_select(v_f32_lt(units, v_f32_splat(0.0f)), v_i32_sub(v_i32_splat(0), magnitude), magnitude);
}

/* Slots that a draw may need, and what fast_triangle.bounded asks of them: bits & mask <= limit. */
struct slot_group {
    uint32_t need, slot, count, mask, limit;
};

static const struct slot_group slot_groups[7] = {
    { FAST_NEED_COLOR, FAST_SLOT_COLOR, 4, UINT32_MAX, 0x3f800000u },        /* 1, without -0 */
    { FAST_NEED_TEXCOORD0, FAST_SLOT_TEXCOORD0, 2, INT32_MAX, 0x44800000u }, /* 2^10 */
    { FAST_NEED_TEXCOORD1, FAST_SLOT_TEXCOORD1, 2, INT32_MAX, 0x44800000u },
    { FAST_NEED_TEXCOORD2, FAST_SLOT_TEXCOORD2, 2, INT32_MAX, 0x44800000u },
    { FAST_NEED_TEXCOORD0_W, FAST_SLOT_TEXCOORD0_W, 1, 0, 0 },
    { FAST_NEED_VIEW, FAST_SLOT_VIEW, 3, 0, 0 },
    { FAST_NEED_QUATERNION, FAST_SLOT_QUATERNION, 4, 0, 0 },
};

/* What is known of the attributes of 16 vertices. */
struct limits {
    v_u32 greatest; /* magnitude of a * r, as bits: so NaN is greater than all numbers */
    v_mask bounded;
};

/* VPT-01 for the slots of a group. */
static inline void scale_slots(const struct slot_group *group, const float *block, float *screen, struct limits *limits)
{
    const v_f32 r = slot(screen, FAST_SCREEN_INVERSE_W);
    for (uint32_t k = group->slot; k < group->slot + group->count; k++) {
        const v_f32 value = slot(block, k);
        const v_f32 scaled = v_f32_mul(value, r);
        const v_u32 looked_at = v_u32_and(v_u32_from_f32_bits(value), v_u32_splat(group->mask));
        v_f32_store(screen + k * FAST_LANES, scaled);
        limits->greatest = v_u32_max(limits->greatest, v_u32_from_f32_bits(v_f32_abs(scaled)));
        limits->bounded = v_mask_and(limits->bounded, v_u32_le(looked_at, v_u32_splat(group->limit)));
    }
}

/*
 * VPT-01 to VPT-03 of a block of the pool. All products are plain: positions are finite, r is neither 0 nor infinite
 * where the vertex is fit, and a draw whose viewport is not finite never gets here. An overflow of `units` is unfit.
 * The limits 2^-60 and 2^60 are those of fast_triangle.ieee; 1/w above 2^-60 also means 0 < w < infinity.
 */
static void project(const struct fast_raster_state *state, uint32_t needs, const float *block, float *screen,
                    uint32_t *place)
{
    const v_f32 x = slot(block, 0);
    const v_f32 y = slot(block, 1);
    const v_f32 z = slot(block, 2);
    const v_f32 w = slot(block, 3);
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 r = v_f32_div(one, w);
    const v_f32 right = v_f32_mul(v_f32_add(v_f32_mul(x, r), one), v_f32_splat(state->half_width));
    const v_f32 up = v_f32_mul(v_f32_add(v_f32_mul(y, r), one), v_f32_splat(state->half_height));
    const v_f32 x_units = v_f32_mul(v_f32_add(right, v_f32_splat(state->offset_x)), v_f32_splat(16.0f));
    const v_f32 y_units = v_f32_mul(v_f32_add(up, v_f32_splat(state->offset_y)), v_f32_splat(16.0f));
    v_f32_store(screen + FAST_SCREEN_Z * FAST_LANES, v_f32_mul(z, r));
    v_f32_store(screen + FAST_SCREEN_INVERSE_W * FAST_LANES, r);

    struct limits limits = { v_u32_splat(0), v_mask_all_lanes() };
    for (uint32_t i = 0; i < sizeof slot_groups / sizeof slot_groups[0]; i++)
        if ((needs & slot_groups[i].need) != 0u)
            scale_slots(&slot_groups[i], block, screen, &limits);

    v_mask fit = inside_volume(state, x, y, z, w);
    fit = v_mask_and(fit, v_mask_and(v_f32_ge(r, v_f32_splat(0x1p-60f)), v_f32_le(r, v_f32_splat(0x1p60f))));
    fit = v_mask_and(fit, v_u32_le(limits.greatest, v_u32_splat(0x5d800000u))); /* 2^60 */
    fit = v_mask_and(fit, v_f32_le(v_f32_abs(x_units), v_f32_splat(32767.0f)));
    fit = v_mask_and(fit, v_f32_le(v_f32_abs(y_units), v_f32_splat(16383.0f)));
    const v_u32 low = v_u32_and(v_u32_from_i32(snap(x_units)), v_u32_splat(0xFFFFu));
    const v_u32 high = v_u32_shl(v_u32_from_i32(snap(y_units)), FAST_PLACE_Y_SHIFT);
    const v_u32 unbounded = v_u32_select(limits.bounded, v_u32_splat(0), v_u32_splat(FAST_PLACE_UNBOUNDED));
    const v_u32 both = v_u32_or(v_u32_or(low, high), unbounded);
    v_u32_store(place, v_u32_select(fit, both, unfit_place(x, y, z, w)));
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/* One corner of 16 triangles, 1/16 pixel. */
struct corner {
    v_i32 x, y;
};

struct box {
    v_i32 left, bottom, right, top;
};

/* Everything about 16 triangles; see struct fast_triangle_batch. */
struct set_up {
    const struct fast_raster_state *state;
    struct corner corners[3];
    v_mask fit, kept;
    v_mask fit_once;  /* some corner is fit */
    v_u32 all_planes; /* bits that the places of all corners have */
    v_u32 unbounded;  /* FAST_PLACE_UNBOUNDED of any corner */
    v_i32 sum;        /* S */
    v_u32 rows[FAST_HEAD_WORDS];
};

/*
 * A vertex is named by its offset in the pool, block * FAST_BLOCK_FLOATS + lane = block * 3 * 128 + lane. So offset >>
 * 7 is 3 * block, and times 171, shifted by 9, it is block * 513 >> 9 = block for up to 511 blocks.
 */
static inline v_u32 load_place(const uint32_t *place, const uint32_t *corner)
{
    const v_u32 offset = v_u32_load(corner);
    const v_u32 block = v_u32_shr(v_u32_mul(v_u32_shr(offset, 7), v_u32_splat(171)), 9);
    const v_u32 number = v_u32_add(v_u32_shl(block, 4), v_u32_and(offset, v_u32_splat(15)));
    return v_u32_gather(v_u32_splat(0), v_mask_all_lanes(), place, v_i32_from_u32(number));
}

static inline v_i32 least(v_i32 a, v_i32 b, v_i32 c)
{
    return v_i32_min(a, v_i32_min(b, c));
}

static inline v_i32 most(v_i32 a, v_i32 b, v_i32 c)
{
    return v_i32_max(a, v_i32_max(b, c));
}

/* RST-05: the pixels whose centres lie in the bounding box. Triangles of 1024 pixels and more are unfit. */
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

/*
 * CUL-01 to CUL-04. Differences are below 2^14 where the triangle is fit, so areas are below 2^29; other lanes may
 * wrap.
 */
static inline v_mask cull(struct set_up *s)
{
    struct corner *c = s->corners;
    const v_i32 forward = v_i32_mul(v_i32_sub(c[1].x, c[0].x), v_i32_sub(c[2].y, c[0].y));
    const v_i32 backward = v_i32_mul(v_i32_sub(c[1].y, c[0].y), v_i32_sub(c[2].x, c[0].x));
    const v_i32 area = v_i32_sub(forward, backward);
    const v_mask positive = v_i32_gt(area, v_i32_splat(0));
    const v_mask turned = v_i32_lt(area, v_i32_splat(0));
    const struct corner second = c[1];
    s->kept = v_mask_or(v_mask_and(positive, v_mask_if(s->state->keeps_positive)),
                        v_mask_and(turned, v_mask_if(s->state->keeps_negative)));
    c[1] = (struct corner){ v_i32_select(turned, c[2].x, second.x), v_i32_select(turned, c[2].y, second.y) };
    c[2] = (struct corner){ v_i32_select(turned, second.x, c[2].x), v_i32_select(turned, second.y, c[2].y) };
    s->sum = v_i32_select(turned, v_i32_sub(v_i32_splat(0), area), area); /* and the biases, in find_edge */
    return turned;
}

/*
 * RST-01 to RST-03, FBF-06. Where the triangle is fit, |x| <= 32767, |y| <= 16383 and |dx|, |dy| <= 16383 (project,
 * find_box). So the two products are at most 16383 * 16391 and 16383 * 32775, and what the rows add 16 * 16383 * 1023:
 * together below 2^30. Other lanes may wrap.
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

/* A coordinate of the pixels of a small triangle's box, block by block. */
struct span {
    v_i32 low[3], high[3];
    v_mask exists[3];
};

static inline struct span split_span(v_i32 first, v_i32 last)
{
    struct span span;
    v_i32 start = v_i32_and(first, v_i32_splat(~3));
    for (int k = 0; k < 3; k++) {
        span.low[k] = v_i32_max(first, start);
        span.high[k] = v_i32_min(last, v_i32_add(start, v_i32_splat(3)));
        span.exists[k] = v_i32_le(span.low[k], span.high[k]);
        start = v_i32_add(start, v_i32_splat(4));
    }
    return span;
}

/* The greatest products of a step with the coordinates of each part of a span. */
static inline void greatest_products(const struct span *span, v_i32 step, v_i32 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = v_i32_max(v_i32_mul(step, span->low[k]), v_i32_mul(step, span->high[k]));
}

/* Triangles whose box lies in 3x3 blocks: in which of them is each edge passed by some pixel of the box (RST-04)? */
static inline void find_blocks(struct set_up *s, v_mask uncut, struct fast_triangle_batch *out)
{
    const v_i32 left = v_i32_from_u32(s->rows[FAST_HEAD_LEFT]);
    const v_i32 right = v_i32_from_u32(s->rows[FAST_HEAD_RIGHT]);
    const v_i32 first = v_i32_from_u32(s->rows[FAST_HEAD_FIRST_ROW]);
    const v_i32 last = v_i32_from_u32(s->rows[FAST_HEAD_LAST_ROW]);
    const v_mask narrow = v_i32_lt(v_i32_sub(v_i32_shr(right, 2), v_i32_shr(left, 2)), v_i32_splat(3));
    const v_mask low = v_i32_lt(v_i32_sub(v_i32_shr(last, 2), v_i32_shr(first, 2)), v_i32_splat(3));
    const v_mask small = v_mask_and(uncut, v_mask_and(narrow, low));
    out->small = v_mask_bits(small);
    if (!v_mask_any(small))
        return;
    const struct span columns = split_span(left, right);
    const struct span rows = split_span(first, last);
    v_i32 across[3][3];
    v_i32 along[3][3];
    for (int i = 0; i < 3; i++) {
        const v_i32 weight = v_i32_from_u32(s->rows[FAST_HEAD_WEIGHT + i]);
        greatest_products(&columns, v_i32_from_u32(s->rows[FAST_HEAD_STEP_X + i]), across[i]);
        greatest_products(&rows, v_i32_from_u32(s->rows[FAST_HEAD_STEP_ROW + i]), along[i]);
        for (int k = 0; k < 3; k++)
            along[i][k] = v_i32_add(along[i][k], weight);
    }
    v_u32 blocks = v_u32_splat(0);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            const v_i32 a = v_i32_add(across[0][column], along[0][row]);
            const v_i32 b = v_i32_add(across[1][column], along[1][row]);
            const v_i32 c = v_i32_add(across[2][column], along[2][row]);
            const v_mask exists = v_mask_and(columns.exists[column], rows.exists[row]);
            const v_mask hit = v_mask_and(exists, v_i32_ge(v_i32_or(v_i32_or(a, b), c), v_i32_splat(0)));
            const v_u32 bit = v_u32_splat(1u << (row * 3 + column));
            blocks = v_u32_or(blocks, v_u32_select(hit, bit, v_u32_splat(0)));
        }
    v_u32_store(out->blocks, blocks);
}

static inline void load_corners(struct set_up *s, const uint32_t *place, const uint32_t *const corner[3])
{
    for (uint32_t k = 0; k < 3u; k++) {
        const v_u32 word = load_place(place, corner[k]);
        const v_i32 both = v_i32_from_u32(word);
        const v_mask unfit = v_u32_eq(v_u32_and(word, v_u32_splat(0xFFFFu)), v_u32_splat(FAST_PLACE_UNFIT));
        s->corners[k] = (struct corner){ v_i32_shr(v_i32_shl(both, 16), 16), v_i32_shr(both, FAST_PLACE_Y_SHIFT) };
        s->unbounded = k == 0u ? word : v_u32_or(s->unbounded, word);
        s->fit = k == 0u ? v_mask_not(unfit) : v_mask_andnot(s->fit, unfit);
        s->fit_once = k == 0u ? s->fit : v_mask_or(s->fit_once, v_mask_not(unfit));
        s->all_planes = k == 0u ? word : v_u32_and(s->all_planes, word);
    }
}

/* CLP-09: the first plane that cuts sees the corners as they are; if it leaves none, there is nothing to draw. */
static inline v_mask vanishes(const struct set_up *s)
{
    const v_u32 planes = v_u32_splat((FAST_PLACE_FIRST_PLANE << 6) - FAST_PLACE_FIRST_PLANE);
    const v_u32 some = v_u32_and(s->unbounded, planes);
    const v_u32 first = v_u32_and(some, v_u32_sub(v_u32_splat(0), some));
    const v_mask all = v_u32_ne(v_u32_and(s->all_planes, first), v_u32_splat(0));
    return v_mask_andnot(all, s->fit_once);
}

/* Sections 3 and 4 of 30 for 16 triangles. */
static void set_up(const struct fast_raster_state *state, const uint32_t *place, const uint32_t *const corner[3],
                   struct fast_triangle_batch *out)
{
    const struct fast_box frame = { 0, 0, (int32_t)state->width - 1, (int32_t)state->height - 1 };
    struct set_up s = { .state = state };
    load_corners(&s, place, corner);
    const struct box whole = find_box(&s);
    const struct box cut = state->scissor_inside ? cut_box(&whole, &state->scissor) : whole;
    const struct box box = cut_box(&cut, &frame);
    const v_mask turned = cull(&s);
    for (uint32_t i = 0; i < 3u; i++)
        find_edge(&s, i);
    s.rows[FAST_HEAD_AREA] = v_u32_from_f32_bits(v_f32_from_i32(s.sum)); /* ITP-10 */
    put_box(&s, &box);
    s.rows[14] = s.rows[15] = v_u32_splat(0);
    v_u32_store_columns(&out->head[0][0], FAST_HEAD_WORDS, &s.rows[0]);
    v_u32_store_columns(&out->head[0][8], FAST_HEAD_WORDS, &s.rows[8]);

    const v_i32 one = v_i32_splat(1);
    const v_i32 width = v_i32_add(v_i32_sub(box.right, box.left), one);
    const v_i32 height = v_i32_add(v_i32_sub(box.top, box.bottom), one);
    const v_mask kept = v_mask_and(s.fit, s.kept);
    const v_mask counted = v_mask_and(kept, box_holds_pixels(&box));
    const v_mask leaves = v_mask_andnot(box_holds_pixels(&cut), boxes_same(&cut, &box));
    v_i32_store(out->pixels, v_i32_mul(width, height));
    out->unfit = v_mask_bits(v_mask_not(v_mask_or(s.fit, vanishes(&s))));
    out->kept = v_mask_bits(kept);
    out->outside = v_mask_bits(v_mask_and(kept, leaves));
    out->counted = v_mask_bits(counted);
    out->covers = v_mask_bits(v_mask_and(counted, v_i32_gt(s.sum, v_i32_splat(0))));
    out->turned = v_mask_bits(turned);
    out->bounded = v_mask_bits(v_u32_eq(v_u32_and(s.unbounded, v_u32_splat(FAST_PLACE_UNBOUNDED)), v_u32_splat(0)));
    const v_mask uncut = boxes_same(&whole, &box);
    out->uncut = v_mask_bits(uncut);
    find_blocks(&s, v_mask_and(uncut, counted), out);
}

void FAST_ISA(fast_fill_set_up)(struct fast_kernels *kernels);

void FAST_ISA(fast_fill_set_up)(struct fast_kernels *kernels)
{
    kernels->project = project;
    kernels->set_up = set_up;
}
