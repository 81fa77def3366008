/*
 * Arithmetic of the shader units on 16 lanes, in both profiles (FLT-20 to FLT-31). Part of kernels/shader.c,
 * shader_plan.c and fetch.c.
 */
#ifndef FAST_KERNELS_NUMBER_H
#define FAST_KERNELS_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "fast/simd/simd.h"

/* FLT-22: F. */
static inline v_f32 flush_input(v_f32 a)
{
    const v_u32 bits = v_u32_from_f32_bits(a);
    const v_mask small = v_u32_lt(v_u32_and(bits, v_u32_splat(0x7fffffffu)), v_u32_splat(0x20800000u));
    return v_f32_select(small, v_f32_splat(0.0f), a);
}

/* FLT-20: R24. */
static inline v_f32 round24(v_f32 a)
{
    const v_u32 bits = v_u32_from_f32_bits(a);
    const v_u32 magnitude = v_u32_and(bits, v_u32_splat(0x7fffffffu));
    const v_u32 sign = v_u32_and(bits, v_u32_splat(0x80000000u));
    const v_u32 half = v_u32_add(v_u32_splat(0x3fu), v_u32_and(v_u32_shr(magnitude, 7), v_u32_splat(1u)));
    v_u32 rounded = v_u32_and(v_u32_add(magnitude, half), v_u32_splat(0xffffff80u));
    const v_mask overflows = v_u32_ge(rounded, v_u32_splat(0x5f800000u));
    const v_mask vanishes = v_u32_lt(rounded, v_u32_splat(0x20800000u));
    rounded = v_u32_select(overflows, v_u32_splat(0x7f800000u), rounded);
    rounded = v_u32_select(vanishes, v_u32_splat(0u), v_u32_or(rounded, sign));
    rounded = v_u32_select(v_u32_gt(magnitude, v_u32_splat(0x7f800000u)), v_u32_splat(0x7fc00000u), rounded);
    return v_f32_from_bits(rounded);
}

static inline v_f32 operand(v_f32 a, bool f24)
{
    return f24 ? flush_input(a) : a;
}

static inline v_f32 result(v_f32 a, bool f24)
{
    return f24 ? round24(a) : a;
}

/* FLT-24, FLT-27, GEN-03. A product is so rarely NaN that the repair is behind a branch. */
static inline v_f32 multiply(v_f32 a, v_f32 b, bool f24)
{
    const v_f32 x = operand(a, f24);
    const v_f32 y = operand(b, f24);
    v_f32 product = v_f32_mul(x, y);
    const v_mask nan = v_f32_is_nan(product);
    if (v_mask_any(nan)) {
        const v_mask operand_nan = v_mask_or(v_f32_is_nan(x), v_f32_is_nan(y));
        product = v_f32_select(v_mask_andnot(nan, operand_nan), v_f32_splat(0.0f), product);
    }
    return result(product, f24);
}

static inline v_f32 add(v_f32 a, v_f32 b, bool f24)
{
    return result(v_f32_add(operand(a, f24), operand(b, f24)), f24);
}

/* FLT-25: also of -0. */
static inline v_f32 reciprocal(v_f32 a, bool f24)
{
    const v_f32 x = operand(a, f24);
    const v_mask zero = v_f32_eq(x, v_f32_splat(0.0f));
    const v_f32 quotient = v_f32_div(v_f32_splat(1.0f), x);
    return result(v_f32_select(zero, v_f32_splat(INFINITY), quotient), f24);
}

static inline v_f32 reciprocal_root(v_f32 a, bool f24)
{
    const v_f32 x = operand(a, f24);
    const v_mask zero = v_f32_eq(x, v_f32_splat(0.0f));
    const v_f32 quotient = v_f32_div(v_f32_splat(1.0f), v_f32_sqrt(x)); /* NaN for x < 0 */
    return result(v_f32_select(zero, v_f32_splat(INFINITY), quotient), f24);
}

/* FLT-30, for one lane. */
static inline float exponential(float x)
{
    static const double c[15] = {
        0x1p+0,
        0x1.62e42fefa39efp-1,
        0x1.ebfbdff82c58fp-3,
        0x1.c6b08d704a0cp-5,
        0x1.3b2ab6fba4e77p-7,
        0x1.5d87fe78a6731p-10,
        0x1.430912f86c787p-13,
        0x1.ffcbfc588b0c7p-17,
        0x1.62c0223a5c824p-20,
        0x1.b5253d395e7c4p-24,
        0x1.e4cf5158b8ecap-28,
        0x1.e8cac7351bb25p-32,
        0x1.c3bd650fc2986p-36,
        0x1.816193166d0f9p-40,
        0x1.314964d5878a9p-44,
    };
    const uint32_t bits = simd_bits_from_f32(x);
    if (x != x)
        return x;
    if (x >= 128.0f)
        return INFINITY;
    if (x <= -150.0f)
        return 0.0f;
    if (bits == 0x3b429d37u)
        return simd_f32_from_bits(0x3f804385u);
    if (bits == 0xbcf3a937u)
        return simd_f32_from_bits(0x3f7ac6b1u);
    const double exact = (double)x;
    const double n = floor(exact + 0.5);
    const double r = exact - n;
    double p = c[14];
    for (int k = 13; k >= 0; k--)
        p = (p * r) + c[k];
    const uint64_t scale_bits = (uint64_t)(1023 + (int64_t)n) << 52; /* 2^n, n = -150 .. 128 */
    double scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    return (float)(p * scale);
}

/* FLT-31, for one lane. */
static inline float logarithm(float x)
{
    if (x != x || x == INFINITY)
        return x;
    if (x == 0.0f)
        return -INFINITY;
    if (x < 0.0f)
        return simd_f32_from_bits(0x7fc00000u);
    const double exact = (double)x;
    uint64_t bits;
    memcpy(&bits, &exact, sizeof bits);
    int32_t e = (int32_t)(bits >> 52) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m >= 0x1.6a09e667f3bcdp+0) {
        m = m * 0.5;
        e = e + 1;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 1.0 / 27.0;
    for (int d = 25; d >= 1; d -= 2)
        p = (p * z) + (1.0 / (double)d);
    const double t = (p * s) * 0x1.71547652b82fep+1;
    return (float)((double)e + t);
}

/* SHD-32: truncation; a NaN or a value that does not fit gives -2^31. */
static inline v_i32 address_from(v_f32 value)
{
    const v_mask fits =
        v_mask_and(v_f32_gt(value, v_f32_splat(-2147483648.0f)), v_f32_lt(value, v_f32_splat(2147483648.0f)));
    const v_i32 whole = v_i32_trunc_in_range(v_f32_select(fits, value, v_f32_splat(0.0f)));
    return v_i32_select(fits, whole, v_i32_splat(INT32_MIN));
}

/* SHD-22: an address out of [-128, 127] counts as 0. */
static inline v_i32 relative_offset(v_i32 address)
{
    const v_mask ignored = v_mask_or(v_i32_gt(address, v_i32_splat(127)), v_i32_lt(address, v_i32_splat(-128)));
    return v_i32_select(ignored, v_i32_splat(0), address);
}

static inline v_f32 each_lane(v_f32 a, float (*function)(float))
{
    float values[V_LANES];
    v_f32_store(values, a);
    for (int i = 0; i < V_LANES; i++)
        values[i] = function(values[i]);
    return v_f32_load(values);
}

#endif
