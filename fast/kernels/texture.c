/*
 * Image texture units: coordinates, level of detail, wrapping, filtering, shadow comparison (40 sections 6 to 9).
 *
 * TEX-01, TEX-03, TEX-05: the operations of simd.h are those of TEX-02. TEX-90: no comparison knobs are offered here.
 * Worked examples of whole samples: MIP-16, TEX-91.
 */
#include "fast/kernels/texture.h"

#include "fast/draw/texture_lanes.h"
#include "fast/kernels/texture_filter.h"
#include "fast/kernels/trace_hooks.h"

#include "pica/enums.h"

/* ------------------------------------------------------------------------------------------------------ coordinates */

/* CUB-01 (examples: CUB-06): the major axis of each lane. */
struct cube_axes {
    v_mask is_x, is_y; /* neither: z */
    v_mask positive;   /* the outcome of the table's sign test */
};

/* The coordinates on the chosen face, named as in the table. */
struct cube_vector {
    v_f32 x, y, z;
};

static struct cube_axes cube_choose(v_f32 u, v_f32 v, v_f32 w)
{
    const v_f32 au = v_f32_abs(u), av = v_f32_abs(v), aw = v_f32_abs(w);
    const v_f32 zero = v_f32_splat(0.0f);
    struct cube_axes axes;
    axes.is_x = v_mask_and(v_f32_gt(au, av), v_f32_gt(au, aw));
    axes.is_y = v_mask_andnot(v_f32_gt(av, aw), axes.is_x);
    axes.positive = v_f32_gt(v_f32_select(axes.is_x, u, v_f32_select(axes.is_y, v, w)), zero);
    return axes;
}

/* CUB-01, the columns X, Y, Z; also for derivatives (CUB-05). */
static struct cube_vector cube_select(struct cube_axes axes, v_f32 u, v_f32 v, v_f32 w)
{
    const v_f32 signed_v = v_f32_select(axes.positive, v_f32_neg(v), v);
    const v_f32 signed_u = v_f32_select(axes.positive, u, v_f32_neg(u));
    struct cube_vector c;
    c.x = v_f32_select(axes.is_x, v_f32_neg(w), v_f32_select(axes.is_y, signed_u, u));
    c.y = v_f32_select(axes.is_y, w, signed_v);
    c.z = v_f32_select(axes.is_x, u, v_f32_select(axes.is_y, v, w));
    return c;
}

/* The faces in the order of their addresses (CUB-03). */
static v_i32 cube_face(struct cube_axes axes)
{
    const v_i32 first =
        v_i32_select(axes.is_x, v_i32_splat(0), v_i32_select(axes.is_y, v_i32_splat(2), v_i32_splat(4)));
    return v_i32_add(first, v_i32_select(axes.positive, v_i32_splat(0), v_i32_splat(1)));
}

/* What the unit samples in each lane. */
struct place {
    const struct fast_block *block;
    v_f32 s, t;
    v_f32 reference; /* shadow kinds: z of SDW-01, SDW-02 */
    v_i32 face;
    struct cube_axes axes;     /* cube kinds */
    struct cube_vector vector; /* cube kinds */
};

/* CUB-02. */
static v_f32 cube_coordinate(v_f32 along, v_f32 z)
{
    const v_f32 half = v_f32_splat(0.5f);
    return v_f32_add(v_f32_mul(v_f32_div(along, z), half), half);
}

static void place_cube(struct place *place, const struct fast_coordinate *c)
{
    place->axes = cube_choose(c->u, c->v, c->w);
    place->vector = cube_select(place->axes, c->u, c->v, c->w);
    place->face = cube_face(place->axes);
    place->s = cube_coordinate(place->vector.x, place->vector.z);
    place->t = cube_coordinate(place->vector.y, place->vector.z);
    place->reference = v_f32_abs(place->vector.z);
}

/* TEX-26, SDW-01, SDW-02. */
static struct place find_place(const struct fast_texture_unit *unit, const struct fast_block *block,
                               const struct fast_coordinate *c)
{
    struct place place;
    memset(&place, 0, sizeof place);
    place.block = block;
    place.s = c->u;
    place.t = c->v;
    place.face = v_i32_splat(0);
    const bool divides =
        unit->kind == FAST_UNIT_PROJECTION || (unit->kind == FAST_UNIT_SHADOW_2D && unit->shadow_divides);
    if (divides) {
        place.s = v_f32_div(c->u, c->w);
        place.t = v_f32_div(c->v, c->w);
    }
    if (unit->kind == FAST_UNIT_SHADOW_2D)
        place.reference = v_f32_abs(c->w);
    if (unit->kind == FAST_UNIT_CUBE || unit->kind == FAST_UNIT_SHADOW_CUBE)
        place_cube(&place, c);
    trace_f32(block, PICA_TRACE_ID_TEXTURE_COORDINATE, unit->number, (const v_f32[2]){ place.s, place.t }, 2u);
    if (unit->kind == FAST_UNIT_CUBE || unit->kind == FAST_UNIT_SHADOW_CUBE)
        trace_i32(block, PICA_TRACE_ID_TEXTURE_FACE, unit->number, &place.face, 1u);
    return place;
}

/* -------------------------------------------------------------------------------------------------- level of detail */

/* Derivatives of S and T along x or along y. */
struct slopes {
    v_f32 s, t;
};

/* CUB-05. */
static v_f32 cube_slope(v_f32 along, v_f32 z, v_f32 along_slope, v_f32 z_slope)
{
    const v_f32 rest = v_f32_sub(along_slope, v_f32_mul(v_f32_div(along, z), z_slope));
    return v_f32_mul(v_f32_div(rest, z), v_f32_splat(0.5f));
}

/* MIP-04, CUB-05; `weight` as in fast_derivative. */
static struct slopes find_slopes(const struct fast_texture_unit *unit, const struct fast_coordinate *c,
                                 const struct place *place, const float weight[3])
{
    const struct fast_block *block = place->block;
    const v_f32 u = fast_derivative(block, c->u_attribute, c->u, weight);
    const v_f32 v = fast_derivative(block, c->v_attribute, c->v, weight);
    if (unit->kind == FAST_UNIT_2D)
        return (struct slopes){ u, v };
    const v_f32 w = fast_derivative(block, FAST_ATTRIBUTE_TEXCOORD0_W, c->w, weight);
    if (unit->kind == FAST_UNIT_PROJECTION)
        return (struct slopes){ v_f32_div(v_f32_sub(u, v_f32_mul(place->s, w)), c->w),
                                v_f32_div(v_f32_sub(v, v_f32_mul(place->t, w)), c->w) };
    const struct cube_vector slope = cube_select(place->axes, u, v, w);
    return (struct slopes){ cube_slope(place->vector.x, place->vector.z, slope.x, slope.z),
                            cube_slope(place->vector.y, place->vector.z, slope.y, slope.z) };
}

/* MIP-05, MIP-06, MIP-07: lodb (examples: MIP-14, MIP-15). */
static v_i32 find_lod(const struct fast_texture_unit *unit, const struct fast_coordinate *c, const struct place *place)
{
    const struct slopes dx = find_slopes(unit, c, place, place->block->triangle->weight_dx);
    const struct slopes dy = find_slopes(unit, c, place, place->block->triangle->weight_dy);
    const v_f32 width = v_f32_splat(unit->width_f32[0]);
    const v_f32 height = v_f32_splat(unit->height_f32[0]);
    const v_f32 across = v_f32_greater(v_f32_abs(v_f32_mul(dx.s, width)), v_f32_abs(v_f32_mul(dy.s, width)));
    const v_f32 upward = v_f32_greater(v_f32_abs(v_f32_mul(dx.t, height)), v_f32_abs(v_f32_mul(dy.t, height)));
    return v_i32_add(fast_lod(v_f32_greater(across, upward)), v_i32_splat(unit->lod_bias));
}

/* ----------------------------------------------------------------------------------------------------------- texels */

/* Position and size of each lane's mipmap level. */
struct level {
    v_i32 base, pitch, width, height;
    v_i32 wrap_width, wrap_height;
    v_f32 width_f32, height_f32;
};

static v_i32 gather_i32(const uint32_t *table, v_i32 index)
{
    return v_i32_from_u32(v_u32_gather(v_u32_splat(0), v_mask_all_lanes(), table, index));
}

static v_f32 gather_f32(const float *table, v_i32 index)
{
    return v_f32_gather(v_f32_splat(0.0f), v_mask_all_lanes(), table, index);
}

static v_i32 splat_u32(uint32_t a)
{
    return v_i32_from_u32(v_u32_splat(a));
}

/*
 * The same level number in all lanes; the faces may differ. CUB-04: each lane stays on its face, which wraps like a 2D
 * texture.
 */
static struct level uniform_level(const struct fast_texture_unit *unit, uint32_t number, v_i32 face)
{
    struct level level;
    level.base = splat_u32(unit->base[0][number]);
    if (unit->kind == FAST_UNIT_CUBE || unit->kind == FAST_UNIT_SHADOW_CUBE)
        level.base = gather_i32(&unit->base[0][number], v_i32_mul(face, v_i32_splat(FAST_TEXTURE_LEVELS)));
    level.pitch = splat_u32(unit->pitch[number]);
    level.width = splat_u32(unit->width[number]);
    level.height = splat_u32(unit->height[number]);
    level.wrap_width = splat_u32(unit->wrap_width[number]);
    level.wrap_height = splat_u32(unit->wrap_height[number]);
    level.width_f32 = v_f32_splat(unit->width_f32[number]);
    level.height_f32 = v_f32_splat(unit->height_f32[number]);
    return level;
}

static struct level varying_level(const struct fast_texture_unit *unit, v_i32 number, v_i32 face)
{
    struct level level;
    level.base = gather_i32(&unit->base[0][0], v_i32_add(v_i32_mul(face, v_i32_splat(FAST_TEXTURE_LEVELS)), number));
    level.pitch = gather_i32(unit->pitch, number);
    level.width = gather_i32(unit->width, number);
    level.height = gather_i32(unit->height, number);
    level.wrap_width = gather_i32(unit->wrap_width, number);
    level.wrap_height = gather_i32(unit->wrap_height, number);
    level.width_f32 = gather_f32(unit->width_f32, number);
    level.height_f32 = gather_f32(unit->height_f32, number);
    return level;
}

/*
 * The level of each lane; faster if all fragments have the same. Only covered lanes count: the others may use any
 * level.
 */
static struct level level_of_lanes(const struct fast_texture_unit *unit, const struct fast_block *block, v_i32 number,
                                   v_i32 face)
{
    const int32_t first = v_i32_lowest(number, block->alive);
    const v_mask differs = v_mask_andnot(block->alive, v_i32_eq(number, v_i32_splat(first)));
    if (v_mask_any(differs))
        return varying_level(unit, number, face);
    return uniform_level(unit, (uint32_t)first, face);
}

/* TEX-27, TEX-28 (examples: TEX-29): U or V, the coordinate with 8 fraction bits. */
static v_i32 fixed_coordinate(v_f32 coordinate, v_f32 size)
{
    const v_f32 scaled = v_f32_mul(v_f32_mul(coordinate, size), v_f32_splat(256.0f));
    return v_i32_floor_sat(scaled, -1073741824.0f, 1073741824.0f);
}

/*
 * WRP-02, WRP-08: (u32)i mod n, where `remainder` is 2^32 mod n. |i| <= 2^22 + 1 and n < 2^12, so both and the product
 * below are exact in f32; the rounded quotient is off by at most one after the floor.
 */
static v_i32 modulo(v_i32 i, v_i32 n, v_i32 remainder, bool power_of_two)
{
    if (power_of_two)
        return v_i32_and(i, v_i32_sub(n, v_i32_splat(1)));
    const v_i32 zero = v_i32_splat(0);
    const v_f32 quotient = v_f32_floor(v_f32_div(v_f32_from_i32(i), v_f32_from_i32(n)));
    v_i32 rest = v_i32_sub(i, v_i32_mul(v_i32_trunc_in_range(quotient), n));
    rest = v_i32_add(rest, v_i32_select(v_i32_lt(rest, zero), n, zero));
    rest = v_i32_sub(rest, v_i32_select(v_i32_lt(rest, n), zero, n));
    rest = v_i32_add(rest, v_i32_select(v_i32_lt(i, zero), remainder, zero));
    return v_i32_sub(rest, v_i32_select(v_i32_lt(rest, n), zero, n));
}

/* One direction of a level. */
struct extent {
    v_i32 size, remainder;
    bool power_of_two;
};

/* WRP-03. */
static v_i32 wrap_mirrored(v_i32 i, const struct extent *extent)
{
    const v_i32 twice = v_i32_add(extent->size, extent->size);
    const v_i32 m = modulo(i, twice, extent->remainder, extent->power_of_two);
    return v_i32_min(m, v_i32_sub(v_i32_sub(twice, v_i32_splat(1)), m));
}

static v_i32 wrap_repeat(v_i32 i, const struct extent *extent)
{
    return modulo(i, extent->size, extent->remainder, extent->power_of_two);
}

/*
 * WRP-00, WRP-01, WRP-02, WRP-03, WRP-04, WRP-05, WRP-06 (examples: WRP-10). The result is in 0 .. N-1 in every lane;
 * lanes on the border are added to *border.
 */
static v_i32 wrap(v_i32 i, uint32_t mode, const struct extent *extent, v_mask *border)
{
    const v_i32 zero = v_i32_splat(0);
    const v_i32 last = v_i32_sub(extent->size, v_i32_splat(1));
    const v_i32 clamped = v_i32_clamp(i, zero, last);
    const v_mask below = v_i32_lt(i, zero);
    const v_mask above = v_i32_gt(i, last);
    switch ((enum pica_texture_wrap)mode) {
    case PICA_TEXTURE_WRAP_CLAMP_TO_EDGE: return clamped;
    case PICA_TEXTURE_WRAP_CLAMP_TO_BORDER: *border = v_mask_or(*border, v_mask_or(below, above)); return clamped;
    case PICA_TEXTURE_WRAP_REPEAT: return wrap_repeat(i, extent);
    case PICA_TEXTURE_WRAP_MIRRORED_REPEAT: return wrap_mirrored(i, extent);
    case PICA_TEXTURE_WRAP_REPEAT_EDGE: return v_i32_select(below, wrap_repeat(i, extent), clamped);
    case PICA_TEXTURE_WRAP_REPEAT_BORDER:
        *border = v_mask_or(*border, above);
        return v_i32_select(below, wrap_repeat(i, extent), clamped);
    case PICA_TEXTURE_WRAP_REPEAT_6: return wrap_repeat(i, extent);
    case PICA_TEXTURE_WRAP_REPEAT_7:
    default: return wrap_repeat(i, extent);
    }
}

/* A wrapped column or row coordinate, and whether it is on the border. */
struct axis {
    v_i32 index;
    v_mask border;
};

static struct axis wrap_s(const struct fast_texture_unit *unit, const struct level *level, v_i32 i)
{
    const struct extent extent = { level->width, level->wrap_width, unit->power_of_two };
    struct axis axis = { .border = v_mask_none() };
    axis.index = wrap(i, unit->wrap_s, &extent, &axis.border);
    return axis;
}

static struct axis wrap_t(const struct fast_texture_unit *unit, const struct level *level, v_i32 j)
{
    const struct extent extent = { level->height, level->wrap_height, unit->power_of_two };
    struct axis axis = { .border = v_mask_none() };
    axis.index = wrap(j, unit->wrap_t, &extent, &axis.border);
    return axis;
}

/* Word index of a texel (the layouts of struct fast_texture_unit; TEX-21, TEX-22). */
static v_i32 texel_index(const struct fast_texture_unit *unit, const struct level *level, v_i32 s, v_i32 t)
{
    if (!unit->sparse)
        return v_i32_add(level->base, v_i32_add(v_i32_mul(t, level->pitch), s));
    const v_i32 seven = v_i32_splat(7);
    const v_i32 row = v_i32_sub(v_i32_sub(level->height, v_i32_splat(1)), t);
    const v_i32 tile = v_i32_add(v_i32_mul(v_i32_shr(row, 3), level->pitch), v_i32_shr(s, 3));
    const v_i32 start = gather_i32(unit->arena, v_i32_add(level->base, tile));
    return v_i32_add(start, v_i32_add(v_i32_shl(v_i32_and(row, seven), 3), v_i32_and(s, seven)));
}

/* Where not all texels are decoded: call before texel_index and before the texel is read. */
static void need_texels(const struct fast_texture_unit *unit, const struct place *place, const struct level *level,
                        v_i32 s, v_i32 t)
{
    struct fast_texel_lanes lanes = { .read = v_mask_bits(place->block->alive) };
    v_i32_store(lanes.base, level->base);
    v_i32_store(lanes.s, s);
    v_i32_store(lanes.t, t);
    fast_texels_needed(unit, &lanes);
}

/* WRP-09: a border texel has the border colour. Its index is that of some texel, so reading there does no harm. */
static v_u32 with_border(const struct fast_texture_unit *unit, const struct axis *s, const struct axis *t, v_u32 texel)
{
    if (!unit->has_border)
        return texel;
    return v_u32_select(v_mask_or(s->border, t->border), v_u32_splat(unit->border), texel);
}

/* Notes which level the traced lane samples next. */
static void trace_level(const struct place *place, v_i32 number)
{
    if (traces(place->block))
        place->block->tracer->level = lane_of_i32(place->block->tracer, number);
}

/* Reports tap 0-3 of MIP-12, or tap 0 of MIP-11. */
static void trace_texel(const struct fast_texture_unit *unit, const struct place *place, uint32_t tap, v_u32 texel)
{
    struct fast_colors colors;
    if (!traces(place->block))
        return;
    for (int c = 0; c < 4; c++)
        colors.channel[c] = v_u16_from_u32(v_u32_and(v_u32_shr(texel, 8 * c), v_u32_splat(255)));
    trace_channels(place->block, PICA_TRACE_ID_TEXTURE_TEXEL,
                   (unit->number * 16u + place->block->tracer->level) * 4u + tap, colors.channel, 4u);
}

/* MIP-11. */
static v_u32 fetch_nearest(const struct fast_texture_unit *unit, const struct level *level, const struct place *place)
{
    const struct axis s = wrap_s(unit, level, v_i32_shr(fixed_coordinate(place->s, level->width_f32), 8));
    const struct axis t = wrap_t(unit, level, v_i32_shr(fixed_coordinate(place->t, level->height_f32), 8));
    if (unit->lazy)
        need_texels(unit, place, level, s.index, t.index);
    const v_i32 index = texel_index(unit, level, s.index, t.index);
    const v_u32 raw = v_u32_gather(v_u32_splat(0), v_mask_all_lanes(), unit->arena, index);
    const v_u32 texel = with_border(unit, &s, &t, raw);
    trace_texel(unit, place, 0u, texel);
    return texel;
}

/*
 * Two texels of one row, at s[0] and s[1]. In most lanes they are neighbours in the arena (which has one word more
 * after its last one); `apart` is the lanes in which they are not.
 */
static void fetch_pair(const struct fast_texture_unit *unit, const struct level *level, const struct axis s[2],
                       v_mask apart, const struct axis *t, v_u32 out[2])
{
    v_u32_gather_pair(&out[0], &out[1], unit->arena, texel_index(unit, level, s[0].index, t->index));
    if (v_mask_any(apart))
        out[1] = v_u32_gather(out[1], apart, unit->arena, texel_index(unit, level, s[1].index, t->index));
    out[0] = with_border(unit, &s[0], t, out[0]);
    out[1] = with_border(unit, &s[1], t, out[1]);
}

/* MIP-12: the four texels and the weights. */
struct footprint {
    v_u32 texel[2][2]; /* [j][i] */
    v_u32 s, t;        /* fs, ft */
};

/*
 * The footprint of MIP-12 in the lanes of `linear`. The other lanes get the nearest texel of MIP-11 in texel[0][0] and
 * weights 0, with which the blend gives exactly that texel.
 */
static void fetch_linear(const struct fast_texture_unit *unit, const struct level *level, const struct place *place,
                         v_mask linear, struct footprint *out)
{
    const v_i32 one = v_i32_splat(1);
    const v_i32 shift = v_i32_select(linear, v_i32_splat(128), v_i32_splat(0));
    const v_i32 mask = v_i32_select(linear, v_i32_splat(255), v_i32_splat(0));
    const v_i32 u = v_i32_sub(fixed_coordinate(place->s, level->width_f32), shift);
    const v_i32 v = v_i32_sub(fixed_coordinate(place->t, level->height_f32), shift);
    const v_i32 i = v_i32_shr(u, 8);
    const v_i32 j = v_i32_shr(v, 8);
    const struct axis s[2] = { wrap_s(unit, level, i), wrap_s(unit, level, v_i32_add(i, one)) };
    const struct axis t[2] = { wrap_t(unit, level, j), wrap_t(unit, level, v_i32_add(j, one)) };
    out->s = v_u32_from_i32(v_i32_and(u, mask));
    out->t = v_u32_from_i32(v_i32_and(v, mask));
    const v_mask neighbours = v_i32_eq(s[1].index, v_i32_add(s[0].index, one));
    const v_mask apart = unit->sparse ? v_mask_all_lanes() : v_mask_not(neighbours);
    for (uint32_t tap = 0; unit->lazy && tap < 4u; tap++)
        need_texels(unit, place, level, s[tap & 1u].index, t[tap >> 1].index);
    fetch_pair(unit, level, s, apart, &t[0], out->texel[0]);
    fetch_pair(unit, level, s, apart, &t[1], out->texel[1]);
    for (uint32_t tap = 0; traces(place->block) && tap < 4u; tap++)
        if (tap == 0u || lane_of_mask(place->block->tracer, linear) != 0u)
            trace_texel(unit, place, tap, out->texel[tap >> 1][tap & 1u]);
}

/* --------------------------------------------------------------------------------------------------------- blending */

static v_u32 byte_of(v_u32 word, int number)
{
    return v_u32_and(v_u32_shr(word, 8 * number), v_u32_splat(255));
}

static void unpack(v_u32 texel, struct fast_colors *out)
{
    for (int c = 0; c < 4; c++)
        out->channel[c] = v_u16_from_u32(byte_of(texel, c));
}

/* Two 16-bit halves with the same value. */
static v_u32 both_halves(v_u32 a)
{
    return v_u32_or(a, v_u32_shl(a, 16));
}

/* MIP-12 (example: MIP-13). Channels c and c + 2 are computed together, one in each half. */
static void blend_texels(const struct footprint *f, struct fast_colors *out)
{
    const v_u32 pair = v_u32_splat(0x00FF00FFu);
    const v_u32 low = v_u32_splat(0x0000FFFFu);
    const v_u32 high = v_u32_splat(0xFFFF0000u);
    const v_u32 across = both_halves(f->s);
    const v_u32 upward = column_weights(f->t);
    for (int c = 0; c < 2; c++) {
        v_u32 row[2];
        for (int j = 0; j < 2; j++)
            row[j] = blend_row(v_u32_and(v_u32_shr(f->texel[j][0], 8 * c), pair),
                               v_u32_and(v_u32_shr(f->texel[j][1], 8 * c), pair), across);
        out->channel[c] = blend_column(v_u32_or(v_u32_and(row[0], low), v_u32_shl(row[1], 16)), upward);
        out->channel[c + 2] = blend_column(v_u32_or(v_u32_shr(row[0], 16), v_u32_and(row[1], high)), upward);
    }
}

/* ----------------------------------------------------------------------------------------------------------- shadow */

/* SDW-04, SDW-05, SDW-09: the stored depth is bytes A, B, G of the texel, the density is R. */
static v_u32 compare(v_u32 texel, v_i32 reference)
{
    const v_i32 depth = v_i32_from_u32(v_u32_shr(texel, 8));
    const v_mask passes = v_i32_ge(depth, reference);
    return v_u32_select(passes, v_u32_and(texel, v_u32_splat(255)), v_u32_splat(0));
}

/*
 * SDW-03 to SDW-08 (example: SDW-10). SDW-07: coordinates outside of the texture have been wrapped like those of other
 * textures.
 */
static void sample_shadow(const struct fast_texture_unit *unit, const struct place *place, struct fast_colors *out)
{
    const struct level level = uniform_level(unit, 0, place->face);
    const v_f32 z = v_f32_mul(v_f32_clamp01(place->reference), v_f32_splat(16777215.0f));
    const v_i32 reference = v_i32_sub(v_i32_trunc_in_range(z), v_i32_splat(unit->shadow_bias));
    v_u16 sample;
    trace_level(place, v_i32_splat(0));
    if (unit->linear_magnify) {
        struct footprint f;
        fetch_linear(unit, &level, place, v_mask_all_lanes(), &f);
        const v_u32 top = blend_row(compare(f.texel[0][0], reference), compare(f.texel[0][1], reference), f.s);
        const v_u32 bottom = blend_row(compare(f.texel[1][0], reference), compare(f.texel[1][1], reference), f.s);
        const v_u32 column = v_u32_or(v_u32_and(top, v_u32_splat(0xFFFFu)), v_u32_shl(bottom, 16));
        sample = blend_column(column, column_weights(f.t));
    } else {
        sample = v_u16_from_u32(compare(fetch_nearest(unit, &level, place), reference));
    }
    trace_i32(place->block, PICA_TRACE_ID_TEXTURE_SHADOW, unit->number, &reference, 1u);
    for (int c = 0; c < 4; c++)
        out->channel[c] = sample;
}

/* ---------------------------------------------------------------------------------------------------------- colours */

/* Which lanes filter linearly. */
struct filter {
    v_mask linear;
    bool any_linear;
};

static void sample_level(const struct fast_texture_unit *unit, const struct level *level, const struct place *place,
                         const struct filter *filter, struct fast_colors *out)
{
    if (!filter->any_linear) {
        unpack(fetch_nearest(unit, level, place), out);
        return;
    }
    struct footprint f;
    fetch_linear(unit, level, place, filter->linear, &f);
    blend_texels(&f, out);
}

/* MIP-08: lodb > 0 takes the minification filter. */
static struct filter choose_filter(const struct fast_texture_unit *unit, v_i32 lod)
{
    const v_mask minify = v_i32_gt(lod, v_i32_splat(0));
    struct filter filter;
    filter.linear = v_mask_or(v_mask_and(minify, v_mask_if(unit->linear_minify)),
                              v_mask_andnot(v_mask_if(unit->linear_magnify), minify));
    filter.any_linear = v_mask_any(filter.linear);
    return filter;
}

/* One level and one filter for all lanes. */
static void sample_one_level(const struct fast_texture_unit *unit, const struct place *place, struct fast_colors *out)
{
    const struct filter filter = { v_mask_if(unit->linear_magnify), unit->linear_magnify };
    const struct level level = uniform_level(unit, (uint32_t)unit->lod_max / 256, place->face);
    trace_level(place, v_i32_splat(unit->lod_max / 256));
    sample_level(unit, &level, place, &filter, out);
}

/* MIP-08, MIP-09, MIP-10. lod_min <= lod_max and both are >= 0, so the three steps of MIP-09 are one clamp. */
static void sample_mipmapped(const struct fast_texture_unit *unit, const struct place *place, v_i32 lod,
                             struct fast_colors *out)
{
    const struct fast_block *block = place->block;
    const struct filter filter = choose_filter(unit, lod);
    const v_i32 clamped = v_i32_clamp(lod, v_i32_splat(unit->lod_min), v_i32_splat(unit->lod_max));
    trace_i32(block, PICA_TRACE_ID_TEXTURE_LOD, unit->number, (const v_i32[2]){ lod, clamped }, 2u);
    if (!unit->linear_mip) {
        const v_i32 number = v_i32_shr(v_i32_add(clamped, v_i32_splat(128)), 8);
        const struct level level = level_of_lanes(unit, block, number, place->face);
        trace_level(place, number);
        sample_level(unit, &level, place, &filter, out);
        return;
    }
    const v_i32 first = v_i32_shr(clamped, 8);
    const v_i32 second = v_i32_min(v_i32_add(first, v_i32_splat(1)), v_i32_splat(unit->lod_max / 256));
    const v_u16 fraction = v_u16_from_i32(v_i32_and(clamped, v_i32_splat(255)));
    const struct level near = level_of_lanes(unit, block, first, place->face);
    const struct level far = level_of_lanes(unit, block, second, place->face);
    struct fast_colors p, q;
    trace_level(place, first);
    sample_level(unit, &near, place, &filter, &p);
    trace_level(place, second);
    sample_level(unit, &far, place, &filter, &q);
    for (int c = 0; c < 4; c++)
        out->channel[c] = fast_mip_blend(p.channel[c], q.channel[c], fraction);
}

static void sample_live_unit(const struct fast_texture_unit *unit, const struct fast_block *block,
                             struct fast_colors *out)
{
    const struct fast_coordinate c = fast_block_coordinate(block, unit->coordinate);
    const struct place place = find_place(unit, block, &c);
    if (unit->kind == FAST_UNIT_SHADOW_2D || unit->kind == FAST_UNIT_SHADOW_CUBE)
        sample_shadow(unit, &place, out);
    else if (unit->needs_lod)
        sample_mipmapped(unit, &place, find_lod(unit, &c, &place), out);
    else
        sample_one_level(unit, &place, out);
}

/* TEX-10, TEX-16: the early results are constants. */
void FAST_ISA(fast_sample_unit)(const struct fast_texture_unit *unit, const struct fast_block *block,
                                struct fast_colors *out)
{
    if (unit->kind == FAST_UNIT_CONSTANT)
        *out = fast_colors_splat(unit->constant);
    else
        sample_live_unit(unit, block, out);
    trace_channels(block, PICA_TRACE_ID_TEXTURE_COLOR, unit->number, out->channel, 4u);
}
