/* Vectors and look-ups of fragment lighting (50 section 1). Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_LIGHTING_MATH_H
#define FAST_KERNELS_LIGHTING_MATH_H

#include "fast/draw/shading_state.h"
#include "fast/simd/simd.h"

/* ---------------------------------------------------------------------------------------------------------- vectors */

struct vector {
    v_f32 x, y, z;
};

static inline struct vector splat(const float components[3])
{
    return (struct vector){ v_f32_splat(components[0]), v_f32_splat(components[1]), v_f32_splat(components[2]) };
}

static inline struct vector constant(float x, float y, float z)
{
    return (struct vector){ v_f32_splat(x), v_f32_splat(y), v_f32_splat(z) };
}

static inline struct vector add(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_add(a.x, b.x), v_f32_add(a.y, b.y), v_f32_add(a.z, b.z) };
}

static inline struct vector subtract(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_sub(a.x, b.x), v_f32_sub(a.y, b.y), v_f32_sub(a.z, b.z) };
}

static inline struct vector scale(struct vector a, v_f32 factor)
{
    return (struct vector){ v_f32_mul(a.x, factor), v_f32_mul(a.y, factor), v_f32_mul(a.z, factor) };
}

static inline struct vector multiply(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_mul(a.x, b.x), v_f32_mul(a.y, b.y), v_f32_mul(a.z, b.z) };
}

/* 50 section 1.3: dot, len, nrm, cross. */
static inline v_f32 dot(struct vector a, struct vector b)
{
    return v_f32_add(v_f32_add(v_f32_mul(a.x, b.x), v_f32_mul(a.y, b.y)), v_f32_mul(a.z, b.z));
}

static inline struct vector divide(struct vector a, v_f32 divisor)
{
    return (struct vector){ v_f32_div(a.x, divisor), v_f32_div(a.y, divisor), v_f32_div(a.z, divisor) };
}

static inline v_f32 length(struct vector a)
{
    return v_f32_sqrt(dot(a, a));
}

static inline struct vector normalize(struct vector a)
{
    return divide(a, length(a));
}

static inline struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_sub(v_f32_mul(a.y, b.z), v_f32_mul(a.z, b.y)),
                            v_f32_sub(v_f32_mul(a.z, b.x), v_f32_mul(a.x, b.z)),
                            v_f32_sub(v_f32_mul(a.x, b.y), v_f32_mul(a.y, b.x)) };
}

/* ------------------------------------------------------------------------------------------------------ quaternions */

struct quaternion {
    struct vector v;
    v_f32 w;
};

/* LIT-12. */
static inline struct vector rotate(const struct quaternion *q, struct vector v)
{
    const struct vector t = add(cross(q->v, v), scale(v, q->w));
    const struct vector turned = cross(q->v, t);
    const v_f32 two = v_f32_splat(2.0f);
    return add(v, (struct vector){ v_f32_mul(two, turned.x), v_f32_mul(two, turned.y), v_f32_mul(two, turned.z) });
}

/*
 * rot((0, 0, 1)) of finite quaternions, apart from signs of zeros: products with 0 are zeros, and products with 1 are
 * the other factor, so t = (y, -x, w). Negation and doubling are exact, and rounding does not depend on the sign.
 */
static inline struct vector rotate_z(const struct quaternion *q)
{
    const v_f32 x = q->v.x, y = q->v.y, z = q->v.z, w = q->w;
    const v_f32 turned_x = v_f32_add(v_f32_mul(y, w), v_f32_mul(z, x));
    const v_f32 turned_y = v_f32_sub(v_f32_mul(z, y), v_f32_mul(x, w));
    const v_f32 minus_turned_z = v_f32_add(v_f32_mul(x, x), v_f32_mul(y, y));
    return (struct vector){ v_f32_add(turned_x, turned_x), v_f32_add(turned_y, turned_y),
                            v_f32_sub(v_f32_splat(1.0f), v_f32_add(minus_turned_z, minus_turned_z)) };
}

/* --------------------------------------------------------------------------------------------------------- look-ups */

/* Position of a table entry, and d. */
struct place {
    _Alignas(64) uint32_t index[V_LANES]; /* words from the start of the table */
    v_f32 d;
};

/*
 * The index is inside the table whatever k is. With a NaN any k may be used, because d, and so the value, is NaN
 * anyway.
 */
static inline void find_place(v_f32 scaled, v_f32 k, struct place *place)
{
    const v_i32 index = v_i32_and(v_i32_trunc_in_range(k), v_i32_splat(255));
    v_u32_store(place->index, v_u32_from_i32(v_i32_shl(index, 1)));
    place->d = v_f32_sub(scaled, k);
}

/* LIT-18. */
static inline void place_signed(v_f32 x, struct place *place)
{
    const v_f32 scaled = v_f32_mul(x, v_f32_splat(128.0f));
    find_place(scaled, v_f32_sat(v_f32_floor(scaled), v_f32_splat(-128.0f), v_f32_splat(127.0f)), place);
}

/*
 * LIT-19 without its first step; LIT-25. After that first step nothing is below -0, so the lower limit of k has no
 * effect.
 */
static inline void place_unsigned(v_f32 x, struct place *place)
{
    const v_f32 scaled = v_f32_mul(x, v_f32_splat(256.0f));
    find_place(scaled, v_f32_lesser(v_f32_floor(scaled), v_f32_splat(255.0f)), place);
}

/* LIT-17 (examples: LIT-24). */
static inline v_f32 table_value(const struct fast_lut256 *table, const struct place *place)
{
    v_f32 value, slope;
    v_f32_load_pairs_at(&value, &slope, table->words, place->index);
    return v_f32_add(value, v_f32_mul(slope, place->d));
}

/* LIT-19, LIT-23, LIT-31: the absolute value for two-sided lights, else negative values become 0. */
static inline v_f32 fold_sides(const struct fast_light *light, v_f32 x)
{
    return light->two_sided ? v_f32_abs(x) : v_f32_max(x, v_f32_splat(0.0f));
}

/* ----------------------------------------------------------------------------------------------------------- result */

/*
 * LIT-38 (example: LIT-39): a clamped number times 255 needs no further limits, and the clamp may already turn a NaN
 * into 0.
 */
static inline v_i32 light_byte(v_f32 x)
{
    return v_i32_trunc_in_range(v_f32_mul(v_f32_clamp01(x), v_f32_splat(255.0f)));
}

#endif
