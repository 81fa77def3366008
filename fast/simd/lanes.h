/* The vocabulary, first part: vectors of 16 lanes, masks, arithmetic and conversions. Part of simd.h. */
#ifndef FAST_SIMD_LANES_H
#define FAST_SIMD_LANES_H

#include "fast/simd/parts.h"

/* The operations are a table, one line each. */
/* clang-format off */

typedef struct {
    part_f32 p[V_PARTS];
} v_f32;
typedef struct {
    part_i32 p[V_PARTS];
} v_i32;
typedef struct {
    part_u32 p[V_PARTS];
} v_u32;
typedef struct {
    part_mask p[V_PARTS];
} v_mask;
typedef struct {
    part_u16 p[V_PARTS16];
} v_u16;

#define V_LIFT1(R, name, A, operation)    \
    static inline R name(A a)             \
    {                                     \
        R r;                              \
        V_EACH(r.p[i] = operation(a.p[i])) \
        return r;                         \
    }
#define V_LIFT2(R, name, A, B, operation)          \
    static inline R name(A a, B b)                 \
    {                                              \
        R r;                                       \
        V_EACH(r.p[i] = operation(a.p[i], b.p[i])) \
        return r;                                  \
    }
#define V_LIFT3(R, name, A, B, C, operation)               \
    static inline R name(A a, B b, C c)                    \
    {                                                      \
        R r;                                               \
        V_EACH(r.p[i] = operation(a.p[i], b.p[i], c.p[i])) \
        return r;                                          \
    }
/* Shifts all lanes by the same number of bits. */
#define V_LIFT_SHIFT(R, name, operation)     \
    static inline R name(R a, int n)         \
    {                                        \
        R r;                                 \
        V_EACH(r.p[i] = operation(a.p[i], n)) \
        return r;                            \
    }
#define V_LIFT_U16(name, operation)                  \
    static inline v_u16 name(v_u16 a, v_u16 b)       \
    {                                                \
        v_u16 r;                                     \
        V_EACH16(r.p[i] = operation(a.p[i], b.p[i])) \
        return r;                                    \
    }
#define V_LIFT_SHIFT_U16(name, operation)       \
    static inline v_u16 name(v_u16 a, int n)    \
    {                                           \
        v_u16 r;                                \
        V_EACH16(r.p[i] = operation(a.p[i], n)) \
        return r;                               \
    }

/* ------------------------------------------------------------------------------------------------------------ masks */

static inline v_mask v_mask_from_bits(uint32_t bits)
{
    v_mask r;
    V_EACH(r.p[i] = part_mask_from_bits(bits, i))
    return r;
}

/* Bit n = lane n. */
static inline uint32_t v_mask_bits(v_mask a)
{
    uint32_t r = 0;
    V_EACH(r |= part_mask_bits(a.p[i]) << (i * V_PART_LANES))
    return r;
}

static inline v_mask v_mask_none(void) { return v_mask_from_bits(0); }
static inline v_mask v_mask_all_lanes(void) { return v_mask_from_bits(0xFFFFu); }
static inline bool v_mask_any(v_mask a) { return v_mask_bits(a) != 0; }

V_LIFT2(v_mask, v_mask_and, v_mask, v_mask, part_mask_and)
V_LIFT2(v_mask, v_mask_or, v_mask, v_mask, part_mask_or)
V_LIFT2(v_mask, v_mask_xor, v_mask, v_mask, part_mask_xor)
V_LIFT2(v_mask, v_mask_andnot, v_mask, v_mask, part_mask_andnot) /* a and not b */
static inline v_mask v_mask_not(v_mask a) { return v_mask_xor(a, v_mask_all_lanes()); }
/* All lanes true or all lanes false. */
static inline v_mask v_mask_if(bool condition) { return v_mask_from_bits(condition ? 0xFFFFu : 0u); }

/* -------------------------------------------------------------------------------------------------------------- f32 */

static inline v_f32 v_f32_splat(float a)
{
    v_f32 r;
    V_EACH(r.p[i] = part_f32_splat(a))
    return r;
}

/* No alignment needed. */
static inline v_f32 v_f32_load(const float *source)
{
    v_f32 r;
    V_EACH(r.p[i] = part_f32_load(source + i * V_PART_LANES))
    return r;
}

static inline void v_f32_store(float *target, v_f32 a)
{
    V_EACH(part_f32_store(target + i * V_PART_LANES, a.p[i]))
}

V_LIFT2(v_f32, v_f32_add, v_f32, v_f32, part_f32_add)
V_LIFT2(v_f32, v_f32_sub, v_f32, v_f32, part_f32_sub)
V_LIFT2(v_f32, v_f32_mul, v_f32, v_f32, part_f32_mul) /* the IEEE product */
V_LIFT2(v_f32, v_f32_div, v_f32, v_f32, part_f32_div)
V_LIFT1(v_f32, v_f32_sqrt, v_f32, part_f32_sqrt)
V_LIFT1(v_f32, v_f32_floor, v_f32, part_f32_floor) /* f32 to f32; NaN, infinities, -0 unchanged */
V_LIFT2(v_mask, v_f32_eq, v_f32, v_f32, part_f32_eq)
V_LIFT2(v_mask, v_f32_ne, v_f32, v_f32, part_f32_ne) /* true for NaN */
V_LIFT2(v_mask, v_f32_lt, v_f32, v_f32, part_f32_lt)
V_LIFT2(v_mask, v_f32_le, v_f32, v_f32, part_f32_le)
/* m without the lanes in which a or b is NaN; one instruction on AVX-512. */
V_LIFT3(v_mask, v_mask_and_ordered, v_mask, v_f32, v_f32, part_mask_and_ordered)
static inline v_mask v_f32_gt(v_f32 a, v_f32 b) { return v_f32_lt(b, a); }
static inline v_mask v_f32_ge(v_f32 a, v_f32 b) { return v_f32_le(b, a); }
static inline v_mask v_f32_is_nan(v_f32 a) { return v_f32_ne(a, a); }
V_LIFT3(v_f32, v_f32_select, v_mask, v_f32, v_f32, part_f32_select) /* mask ? a : b */

/* a < b ? a : b and a > b ? a : b, so b if the two are unordered or equal. */
V_LIFT2(v_f32, v_f32_lesser, v_f32, v_f32, part_f32_lesser)
V_LIFT2(v_f32, v_f32_greater, v_f32, v_f32, part_f32_greater)
/* TEX-02 MIN and MAX: a if the two are unordered or equal. */
static inline v_f32 v_f32_min(v_f32 a, v_f32 b) { return v_f32_lesser(b, a); }
static inline v_f32 v_f32_max(v_f32 a, v_f32 b) { return v_f32_greater(b, a); }
/* TEX-02 CLAMP, for lo <= hi: NaN stays NaN. */
static inline v_f32 v_f32_clamp(v_f32 a, v_f32 lo, v_f32 hi) { return v_f32_min(v_f32_max(a, lo), hi); }
/* GEN-06 SAT: NaN gives lo. */
static inline v_f32 v_f32_sat(v_f32 a, v_f32 lo, v_f32 hi) { return v_f32_lesser(v_f32_greater(a, lo), hi); }
/* GEN-06 clamp01: -0, negatives and NaN give +0. */
static inline v_f32 v_f32_clamp01(v_f32 a) { return v_f32_sat(a, v_f32_splat(0.0f), v_f32_splat(1.0f)); }

/* -------------------------------------------------------------------------------------------------------------- u32 */

static inline v_u32 v_u32_splat(uint32_t a)
{
    v_u32 r;
    V_EACH(r.p[i] = part_u32_splat(a))
    return r;
}

/* Arrays of host integers; no alignment needed. For guest bytes use v_u32_load_le. */
static inline v_u32 v_u32_load(const uint32_t *source)
{
    v_u32 r;
    V_EACH(r.p[i] = part_u32_load(source + i * V_PART_LANES))
    return r;
}

static inline void v_u32_store(uint32_t *target, v_u32 a)
{
    V_EACH(part_u32_store(target + i * V_PART_LANES, a.p[i]))
}

V_LIFT2(v_u32, v_u32_add, v_u32, v_u32, part_u32_add)
V_LIFT2(v_u32, v_u32_sub, v_u32, v_u32, part_u32_sub)
V_LIFT2(v_u32, v_u32_mul, v_u32, v_u32, part_u32_mul) /* low 32 bits */
V_LIFT2(v_u32, v_u32_and, v_u32, v_u32, part_u32_and)
V_LIFT2(v_u32, v_u32_or, v_u32, v_u32, part_u32_or)
V_LIFT2(v_u32, v_u32_xor, v_u32, v_u32, part_u32_xor)
V_LIFT2(v_u32, v_u32_andnot, v_u32, v_u32, part_u32_andnot) /* a and not b */
V_LIFT_SHIFT(v_u32, v_u32_shl, part_u32_shl)                /* 0 <= n <= 31 */
V_LIFT_SHIFT(v_u32, v_u32_shr, part_u32_shr)
V_LIFT2(v_mask, v_u32_eq, v_u32, v_u32, part_u32_eq)
V_LIFT2(v_mask, v_u32_lt, v_u32, v_u32, part_u32_lt)
static inline v_mask v_u32_gt(v_u32 a, v_u32 b) { return v_u32_lt(b, a); }
static inline v_mask v_u32_ne(v_u32 a, v_u32 b) { return v_mask_not(v_u32_eq(a, b)); }
static inline v_mask v_u32_le(v_u32 a, v_u32 b) { return v_mask_not(v_u32_lt(b, a)); }
static inline v_mask v_u32_ge(v_u32 a, v_u32 b) { return v_mask_not(v_u32_lt(a, b)); }
V_LIFT2(v_u32, v_u32_min, v_u32, v_u32, part_u32_min)
V_LIFT2(v_u32, v_u32_max, v_u32, v_u32, part_u32_max)
V_LIFT3(v_u32, v_u32_select, v_mask, v_u32, v_u32, part_u32_select) /* mask ? a : b */

/* -------------------------------------------------------------------------------------------------------------- i32 */

V_LIFT1(v_i32, v_i32_from_u32, v_u32, part_i32_from_u32) /* same bits */
V_LIFT1(v_u32, v_u32_from_i32, v_i32, part_u32_from_i32) /* same bits */

static inline v_i32 v_i32_splat(int32_t a) { return v_i32_from_u32(v_u32_splat((uint32_t)a)); }

static inline v_i32 v_i32_load(const int32_t *source)
{
    uint32_t bits[V_LANES];
    memcpy(bits, source, sizeof bits);
    return v_i32_from_u32(v_u32_load(bits));
}

static inline void v_i32_store(int32_t *target, v_i32 a)
{
    uint32_t bits[V_LANES];
    v_u32_store(bits, v_u32_from_i32(a));
    memcpy(target, bits, sizeof bits);
}

/* Wrapping arithmetic is the same for both signs. */
static inline v_i32 v_i32_add(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_add(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_sub(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_sub(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_mul(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_mul(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_and(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_and(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_or(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_or(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_shl(v_i32 a, int n) { return v_i32_from_u32(v_u32_shl(v_u32_from_i32(a), n)); }
V_LIFT_SHIFT(v_i32, v_i32_shr, part_i32_shr)            /* arithmetic, 0 <= n <= 31 */
static inline v_mask v_i32_eq(v_i32 a, v_i32 b) { return v_u32_eq(v_u32_from_i32(a), v_u32_from_i32(b)); }
V_LIFT2(v_mask, v_i32_lt, v_i32, v_i32, part_i32_lt)
static inline v_mask v_i32_gt(v_i32 a, v_i32 b) { return v_i32_lt(b, a); }
static inline v_mask v_i32_le(v_i32 a, v_i32 b) { return v_mask_not(v_i32_lt(b, a)); }
static inline v_mask v_i32_ge(v_i32 a, v_i32 b) { return v_mask_not(v_i32_lt(a, b)); }
V_LIFT2(v_i32, v_i32_min, v_i32, v_i32, part_i32_min)
V_LIFT2(v_i32, v_i32_max, v_i32, v_i32, part_i32_max)
static inline v_i32 v_i32_select(v_mask m, v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_select(m, v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_clamp(v_i32 a, v_i32 lo, v_i32 hi) { return v_i32_min(v_i32_max(a, lo), hi); }

/* ------------------------------------------------------------------------------------------------------ conversions */

V_LIFT1(v_f32, v_f32_from_i32, v_i32, part_f32_from_i32)           /* to nearest even */
V_LIFT1(v_f32, v_f32_from_bits, v_u32, part_f32_from_bits)         /* same bits */
V_LIFT1(v_u32, v_u32_from_f32_bits, v_f32, part_u32_from_f32_bits) /* same bits */

/*
 * Truncation toward zero, for -2^31 < a < 2^31. Other lanes give some value that may differ between instruction sets.
 */
V_LIFT1(v_i32, v_i32_trunc_in_range, v_f32, part_i32_trunc)
/* trunc(SAT(a, lo, hi)) for limits inside the s32 range: defined for every a; NaN gives lo. */
static inline v_i32 v_i32_trunc_sat(v_f32 a, float lo, float hi)
{
    return v_i32_trunc_in_range(v_f32_sat(a, v_f32_splat(lo), v_f32_splat(hi)));
}
/* FLOOR(a) for -2^31 < a < 2^31; other lanes as for v_i32_trunc_in_range. */
V_LIFT1(v_i32, v_i32_floor_in_range, v_f32, part_i32_floor)
/* FLOOR(SAT(a, lo, hi)), defined for every a. */
static inline v_i32 v_i32_floor_sat(v_f32 a, float lo, float hi)
{
    return v_i32_trunc_in_range(v_f32_floor(v_f32_sat(a, v_f32_splat(lo), v_f32_splat(hi))));
}
/* GEN-06 U8: 0..255, NaN gives 0. */
static inline v_i32 v_i32_u8(v_f32 a) { return v_i32_trunc_sat(a, 0.0f, 255.0f); }
/*
 * GEN-05 rha for 0 <= a < 2^22 (TEX-02 RHA); other lanes give any value. Adding the largest f32 below one half and
 * truncating gives the same result for each of these f32 values (checked one by one); adding one half itself would
 * round some of them up wrongly.
 */
static inline v_i32 v_i32_rha_positive(v_f32 a)
{
    return v_i32_trunc_in_range(v_f32_add(a, v_f32_splat(0x1.fffffep-2f)));
}

/*
 * ITP-13: rounds to nearest, halves down, for 0 <= a < 2^22; other lanes give any value. The product is the next f32
 * below a: of the values that rha rounds up, only the halves are then rounded down (each of these f32 values was
 * tried).
 */
static inline v_i32 v_i32_halves_down_positive(v_f32 a)
{
    return v_i32_rha_positive(v_f32_mul(a, v_f32_splat(0x1.fffffep-1f)));
}

/* origin + (x * across + y * along) in double precision, rounded once to f32. */
static inline v_f32 v_f32_affine(v_i32 x, v_i32 y, double origin, double across, double along)
{
    v_f32 r;
    parts_f32_affine(r.p, x.p, y.p, origin, across, along);
    return r;
}

/* Sign bit flipped (neg) or cleared (abs), also of NaN. */
static inline v_f32 v_f32_neg(v_f32 a)
{
    return v_f32_from_bits(v_u32_xor(v_u32_from_f32_bits(a), v_u32_splat(0x80000000u)));
}
static inline v_f32 v_f32_abs(v_f32 a)
{
    return v_f32_from_bits(v_u32_and(v_u32_from_f32_bits(a), v_u32_splat(0x7FFFFFFFu)));
}

/* GEN-03, ITP-02: the PICA product: the IEEE product, but +0 where that is NaN although neither operand is. */
static inline v_f32 v_f32_mul_pica(v_f32 a, v_f32 b)
{
    const v_f32 product = v_f32_mul(a, b);
    const v_mask operand_nan = v_mask_or(v_f32_is_nan(a), v_f32_is_nan(b));
    const v_mask made = v_mask_andnot(v_f32_is_nan(product), operand_nan);
    return v_f32_select(made, v_f32_splat(0.0f), product);
}

/* The value in the lowest lane of the mask; in lane 0 if the mask is empty. */
static inline int32_t v_i32_lowest(v_i32 a, v_mask m)
{
    int32_t values[V_LANES];
    const uint32_t bits = v_mask_bits(m);
    int lane = 0;
    v_i32_store(values, a);
    while (bits >> lane > 1u && (bits >> lane & 1u) == 0u)
        lane++;
    return values[lane];
}

/* clang-format on */

#endif
