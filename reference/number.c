/*
 * The numbers of the machine: decoding of packed floats, roundings, and the arithmetic of the shader units.
 *
 * There are two numeric profiles (FLT-03). In f32 a shader value is a binary32 and the operations are the plain ones,
 * except that 0 * infinity is 0 and that 2^x and log2 x are correctly rounded. In f24 the same operations run between
 * a flush of the operands and a rounding of the result to the console's 24-bit format (FLT-20, FLT-22); the double
 * rounding is intended. Encoding to float24 (FLT-23) is for tools: nothing in here needs it.
 *
 * Worked number: in f24, 1/3 = 0x3EAAAAAB gives (0x3EAAAAAB + 0x3F + 1) & ~0x7F = 0x3EAAAA80 (FLT-21).
 */
#include "reference/number.h"

#include <math.h>

/* 2^exponent as binary32, for exponents of normal numbers. */
static float power_of_two(int exponent)
{
    return ref_float((uint32_t)(exponent + 127) << 23);
}

/* How other sides decode floats (FLT-11, TEX-04); with all members false it is as in FLT-10. */
struct reading {
    bool subnormals_as_normals, subnormals_as_zero, infinities_as_normals;
};

/* FLT-10, FLT-11, FLT-12: a float of `e_bits` exponent and `m_bits` mantissa bits; subnormals are kept, exactly. */
static float decode(uint32_t raw, unsigned e_bits, unsigned m_bits, const struct reading *reading)
{
    const uint32_t sign = (raw >> (e_bits + m_bits) & 1u) << 31;
    const uint32_t e_max = (1u << e_bits) - 1u;
    const uint32_t exponent = raw >> m_bits & e_max;
    const uint32_t mantissa = raw & ((1u << m_bits) - 1u);
    const uint32_t bias = e_max >> 1;

    if (exponent == 0 && (mantissa == 0 || reading->subnormals_as_zero))
        return ref_float(sign);
    if (exponent == 0 && !reading->subnormals_as_normals) {
        const float value = (float)mantissa * power_of_two(1 - (int)bias - (int)m_bits);
        return ref_float(sign | ref_bits(value));
    }
    if (exponent == e_max && !reading->infinities_as_normals)
        return ref_float(mantissa == 0 ? sign | 0x7F800000u : REF_NAN_BITS);
    return ref_float(sign | (exponent + 127u - bias) << 23 | mantissa << (23u - m_bits));
}

/* TEX-04. */
static struct reading short_reading(const struct pica_choices *choices)
{
    return (struct reading){
        .subnormals_as_normals = pica_takes(choices, PICA_SIDE_FLOAT16_SUBNORMALS_AS_NORMAL),
        .subnormals_as_zero = pica_takes(choices, PICA_SIDE_FLOAT16_SUBNORMALS_ZERO),
    };
}

float ref_float16(const struct pica_choices *choices, uint32_t raw)
{
    const struct reading reading = short_reading(choices);
    return decode(raw, 5, 10, &reading);
}

float ref_float20(const struct pica_choices *choices, uint32_t raw)
{
    const struct reading reading = short_reading(choices);
    return decode(raw, 7, 12, &reading);
}

/* FLT-11. */
float ref_float24(const struct pica_choices *choices, uint32_t raw)
{
    const struct reading reading = {
        .subnormals_as_normals = pica_takes(choices, PICA_SIDE_FLOAT24_SUBNORMALS_AS_NORMAL),
        .subnormals_as_zero = pica_takes(choices, PICA_SIDE_FLOAT24_SUBNORMALS_ZERO),
        .infinities_as_normals = pica_takes(choices, PICA_SIDE_FLOAT24_INFINITIES_AS_NORMAL),
    };
    return decode(raw, 7, 16, &reading);
}

/* FLT-27: zeros, infinities and NaN come back unchanged, as floorf does. */
float ref_op_floor(enum pica_profile profile, float a)
{
    return ref_round_profile(profile, floorf(ref_flush_profile(profile, a)));
}

static bool is_finite(float value)
{
    return (ref_bits(value) & 0x7FFFFFFFu) < 0x7F800000u;
}

/* FLT-27, other side: 1 / d rounded toward zero. If d * nearest, which is exact in binary64, is above 1, then `nearest`
 * was rounded away from zero, and its neighbour toward zero is the result. */
static float truncated_quotient(float d, float nearest)
{
    const bool is_beyond = is_finite(d) && is_finite(nearest) && fabs((double)nearest * (double)d) > 1.0;
    return is_beyond ? ref_float(ref_bits(nearest) - 1u) : nearest;
}

/* FLT-27: 1 / d of something that is not 0. */
static float quotient(enum pica_profile profile, float d, bool truncates)
{
    const float nearest = 1.0f / d;
    if (!truncates)
        return ref_round_profile(profile, nearest);
    const float truncated = truncated_quotient(d, nearest);
    return profile == PICA_PROFILE_F24 ? ref_truncate24(truncated) : truncated;
}

/* FLT-27, FLT-25: both zeros give +infinity. */
float ref_op_reciprocal(enum pica_profile profile, float a, bool truncates)
{
    const float operand = ref_flush_profile(profile, a);
    return operand == 0.0f ? INFINITY : quotient(profile, operand, truncates);
}

/* FLT-27, FLT-25: a square root rounded to binary32, then a division; negative operands give NaN. */
float ref_op_reciprocal_root(enum pica_profile profile, float a, bool truncates)
{
    const float operand = ref_flush_profile(profile, a);
    if (operand == 0.0f)
        return INFINITY;
    if (operand < 0.0f)
        return ref_float(REF_NAN_BITS);
    return quotient(profile, sqrtf(operand), truncates);
}

/* FLT-30: c0 to c14. */
static const double exp2_coefficients[15] = {
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

/* 2^exponent as binary64, for exponents of normal numbers. */
static double power_of_two64(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* FLT-30: the correctly rounded 2^x, by a polynomial in binary64 that is right for all but two inputs. */
static float exp2_f32(float x)
{
    if (ref_is_nan(x))
        return x;
    if (x >= 128.0f)
        return INFINITY;
    if (x <= -150.0f)
        return 0.0f;
    if (ref_bits(x) == 0x3B429D37u)
        return ref_float(0x3F804385u);
    if (ref_bits(x) == 0xBCF3A937u)
        return ref_float(0x3F7AC6B1u);

    const double n = floor((double)x + 0.5);
    const double r = (double)x - n;
    double p = exp2_coefficients[14];
    for (int k = 13; k >= 0; k--)
        p = (p * r) + exp2_coefficients[k];
    return (float)(p * power_of_two64((int)n));
}

/* FLT-31: the correctly rounded log2 x of a positive finite x, by the series of the inverse hyperbolic tangent. */
static float log2_positive(float x)
{
    const double wide = (double)x;
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    double m = wide * power_of_two64(-exponent);
    if (m >= 0x1.6a09e667f3bcdp+0) {
        m = m * 0.5;
        exponent = exponent + 1;
    }

    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 1.0 / 27.0;
    for (int d = 25; d >= 1; d -= 2)
        p = (p * z) + (1.0 / (double)d);
    const double t = (p * s) * 0x1.71547652b82fep+1;
    return (float)((double)exponent + t);
}

/* FLT-31. */
static float log2_f32(float x)
{
    if (ref_is_nan(x))
        return x;
    if (x == 0.0f)
        return -INFINITY;
    if (x < 0.0f)
        return ref_float(REF_NAN_BITS);
    return x == INFINITY ? x : log2_positive(x);
}

float ref_op_exp2(enum pica_profile profile, float a)
{
    return ref_round_profile(profile, exp2_f32(ref_flush_profile(profile, a)));
}

float ref_op_log2(enum pica_profile profile, float a)
{
    return ref_round_profile(profile, log2_f32(ref_flush_profile(profile, a)));
}
