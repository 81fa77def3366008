/*
 * Numbers of the guest (GEN-01 to GEN-06, FLT-01, FLT-10 to FLT-27): decoding, rounding, the PICA product. Scalar;
 * kernels have their own. FLT-12, FLT-21: examples of the two functions below. FLT-23: encoding is for tools, not done
 * here.
 */
#ifndef FAST_NUMBER_H
#define FAST_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The one place where bits and floats are exchanged. */
static inline float fast_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t fast_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* GEN-02: what a dump shows of carried bits. */
static inline uint32_t fast_canonical_bits(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : bits;
}

/*
 * FLT-10, FLT-11: a raw value of 1 sign, `exponent_bits` and `mantissa_bits`; higher bits are ignored. Every subnormal
 * of the four formats is a normal f32. Bits of the f32.
 */
static inline uint32_t fast_decode_float(uint32_t raw, uint32_t exponent_bits, uint32_t mantissa_bits)
{
    const uint32_t bias = (1u << (exponent_bits - 1u)) - 1u;
    const uint32_t exponent_all_ones = (1u << exponent_bits) - 1u;
    const uint32_t sign = (raw >> (exponent_bits + mantissa_bits) & 1u) << 31;
    uint32_t exponent = raw >> mantissa_bits & exponent_all_ones;
    uint32_t mantissa = (raw & ((1u << mantissa_bits) - 1u)) << (23u - mantissa_bits);

    if (exponent == exponent_all_ones)
        return mantissa == 0u ? (sign | 0x7f800000u) : 0x7fc00000u;
    if (exponent == 0u) {
        if (mantissa == 0u)
            return sign;
        exponent = 1u;
        while ((mantissa & 0x00800000u) == 0u) { /* at most 23 steps: the mantissa is not 0 */
            mantissa <<= 1;
            exponent -= 1u; /* wraps; 127 - bias makes it positive again */
        }
        mantissa &= 0x007fffffu;
    }
    return sign | ((exponent + 127u - bias) << 23) | mantissa;
}

static inline float fast_float16(uint32_t raw)
{
    return fast_float(fast_decode_float(raw, 5u, 10u));
}

static inline float fast_float20(uint32_t raw)
{
    return fast_float(fast_decode_float(raw, 7u, 12u));
}

static inline float fast_float24(uint32_t raw)
{
    return fast_float(fast_decode_float(raw, 7u, 16u));
}

static inline bool fast_is_nan(float value)
{
    return value != value;
}

static inline bool fast_is_finite(float value)
{
    return (fast_bits(value) & 0x7f800000u) != 0x7f800000u;
}

/* GEN-03, the product written `a . b`: zero times infinity is +0. */
static inline float fast_pica_product(float a, float b)
{
    const float product = a * b;
    if (fast_is_nan(product) && !fast_is_nan(a) && !fast_is_nan(b))
        return 0.0f;
    return product;
}

/* FLT-20: rounding to the 24-bit format of the console, on f32 bits. */
static inline uint32_t fast_round24_bits(uint32_t bits)
{
    const uint32_t sign = bits & 0x80000000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return 0x7fc00000u;
    const uint32_t rounded = (magnitude + 0x3fu + (magnitude >> 7 & 1u)) & 0xffffff80u;
    if (rounded >= 0x5f800000u)
        return sign | 0x7f800000u;
    if (rounded < 0x20800000u)
        return 0u;
    return sign | rounded;
}

#endif
