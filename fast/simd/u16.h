/*
 * The vocabulary: operations on both 16-bit halves of 32-bit lanes at once, and vectors of 16 lanes of 16 bits. Part of
 * simd.h.
 */
#ifndef FAST_SIMD_U16_H
#define FAST_SIMD_U16_H

#include "fast/simd/lanes.h"

/* The operations are a table, one line each. */
/* clang-format off */

/* --------------------------------------------------------------------------------------- 16-bit halves of u32 lanes */

V_LIFT2(v_u32, v_u16x2_add, v_u32, v_u32, part_u16x2_add)
V_LIFT2(v_u32, v_u16x2_sub, v_u32, v_u32, part_u16x2_sub)
V_LIFT2(v_u32, v_u16x2_adds, v_u32, v_u32, part_u16x2_adds)   /* min(a + b, 65535) */
V_LIFT2(v_u32, v_u16x2_subs, v_u32, v_u32, part_u16x2_subs)   /* max(a - b, 0) */
V_LIFT2(v_u32, v_u16x2_mul, v_u32, v_u32, part_u16x2_mul)     /* low 16 bits */
V_LIFT2(v_u32, v_u16x2_mulhi, v_u32, v_u32, part_u16x2_mulhi) /* high 16 bits of the unsigned product */
V_LIFT2(v_u32, v_u16x2_min, v_u32, v_u32, part_u16x2_min)
V_LIFT2(v_u32, v_u16x2_adds_bytes, v_u32, v_u32, part_u16x2_adds_bytes) /* halves that hold bytes: at most 255 */
V_LIFT2(v_u32, v_u16x2_blend, v_u32, v_u32, part_u16x2_blend) /* the low half of a, the high half of b */
V_LIFT_SHIFT(v_u32, v_u16x2_shr, part_u16x2_shr)

/* Is there a half in which all of these bits are 0? */
static inline bool v_u16x2_any_lacks(v_u32 a, uint16_t bits) { return parts_u16x2_any_lacks(a.p, bits); }

/* floor(a / 255), exact for all 65536 values of a half. */
static inline v_u32 v_u16x2_div255(v_u32 a)
{
    return v_u16x2_shr(v_u16x2_mulhi(a, v_u32_splat(0x80818081u)), 7);
}

static inline v_u32 v_u32_rotate_left(v_u32 a, int n) { return v_u32_or(v_u32_shl(a, n), v_u32_shr(a, 32 - n)); }

/* Sum of the products of the two halves, taken as signed numbers. */
static inline v_i32 v_i16x2_dot(v_u32 a, v_u32 b)
{
    v_i32 r;
    parts_i16x2_dot(r.p, a.p, b.p);
    return r;
}

/* -------------------------------------------------------------------------------------------------------------- u16 */

static inline v_u16 v_u16_splat(uint16_t a)
{
    v_u16 r;
    V_EACH16(r.p[i] = part_u16_splat(a))
    return r;
}

V_LIFT_U16(v_u16_add, part_u16_add)
V_LIFT_U16(v_u16_sub, part_u16_sub)
V_LIFT_U16(v_u16_adds, part_u16_adds)   /* min(a + b, 65535) */
V_LIFT_U16(v_u16_subs, part_u16_subs)   /* max(a - b, 0) */
V_LIFT_U16(v_u16_mul, part_u16_mul)     /* low 16 bits */
V_LIFT_U16(v_u16_mulhi, part_u16_mulhi) /* high 16 bits of the unsigned product */
V_LIFT_U16(v_u16_min, part_u16_min)
V_LIFT_U16(v_u16_max, part_u16_max)
V_LIFT_U16(v_u16_and, part_u16_and)
V_LIFT_U16(v_u16_or, part_u16_or)
V_LIFT_U16(v_u16_xor, part_u16_xor)
V_LIFT_U16(v_u16_andnot, part_u16_andnot)         /* a and not b */
V_LIFT_SHIFT_U16(v_u16_shl, part_u16_shl) /* 0 <= n <= 15 */
V_LIFT_SHIFT_U16(v_u16_shr, part_u16_shr)

/* floor(a / 255), exact for all 65536 values. */
static inline v_u16 v_u16_div255_floor(v_u16 a) { return v_u16_shr(v_u16_mulhi(a, v_u16_splat(0x8081)), 7); }

static inline v_u32 v_u32_from_u16(v_u16 a)
{
    v_u32 r;
    parts_u32_from_u16(r.p, a.p);
    return r;
}

/* The low 16 bits. */
static inline v_u16 v_u16_from_u32(v_u32 a)
{
    v_u16 r;
    parts_u16_from_u32(r.p, a.p);
    return r;
}

static inline v_u16 v_u16_from_i32(v_i32 a) { return v_u16_from_u32(v_u32_from_i32(a)); }
static inline v_i32 v_i32_from_u16(v_u16 a) { return v_i32_from_u32(v_u32_from_u16(a)); }

/* clang-format on */

#endif
