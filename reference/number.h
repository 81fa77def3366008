/*
 * The numbers of the machine. Registers pack small floats (FLT-10); shader values are binary32 patterns whose
 * arithmetic depends on the numeric profile of the case (FLT-03); the pixel pipeline turns floats into integers by a
 * few named roundings (GEN-05, GEN-06). Integers are those of GEN-04: uint32_t wraps, int32_t is two's complement, and
 * nothing relies on an overflow of the latter. Each operator here is one binary32 operation, rounded to nearest even
 * (GEN-01, FLT-01). NaNs carry no information: whatever bits they have, dumps show 0x7FC00000 (GEN-02, FLT-02; for
 * textures TEX-01, TEX-03).
 *
 * Worked number: raw float24 0x408000 has sign 0, exponent 0x40 = 64, mantissa 0x8000, so it is (1 + 0x8000 / 65536) *
 * 2^(64 - 63) = 3.0 = 0x40400000.
 */
#ifndef REFERENCE_NUMBER_H
#define REFERENCE_NUMBER_H

#include "pica/backend.h"
#include "pica/splits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const uint32_t REF_NAN_BITS = 0x7FC00000u; /* GEN-02 */

/* A float and its bits. */
static inline float ref_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t ref_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline bool ref_is_nan(float value)
{
    return value != value;
}

/* GEN-02, FLT-02: the bits a dump shows. */
static inline uint32_t ref_canonical_bits(uint32_t bits)
{
    return (bits & 0x7FFFFFFFu) > 0x7F800000u ? REF_NAN_BITS : bits;
}

/* GEN-01: negation flips the sign bit and abs clears it, also of zeros and NaNs. */
static inline float ref_negate(float value)
{
    return ref_float(ref_bits(value) ^ 0x80000000u);
}

static inline float ref_abs(float value)
{
    return ref_float(ref_bits(value) & 0x7FFFFFFFu);
}

/* GEN-03: the PICA product, `a . b`: zero times infinity is +0. */
static inline float ref_mul(float a, float b)
{
    const float product = a * b;
    return ref_is_nan(product) && !ref_is_nan(a) && !ref_is_nan(b) ? 0.0f : product;
}

/*
 * FLT-10: decodes a raw value; bits above the format's width are ignored. The result is exact. Nothing uses float31.
 * FLT-11, TEX-04: sources differ about subnormals; float16 and float20 are one choice, float24 is another.
 */
float ref_float16(const struct pica_choices *choices, uint32_t raw);
float ref_float20(const struct pica_choices *choices, uint32_t raw);
float ref_float24(const struct pica_choices *choices, uint32_t raw);

/*
 * GEN-05: float to integer; NaN gives 0; everything beyond [low, high] gives that end. |low|, |high| <= 2^30. Every
 * binary32 and every difference below is exact in binary64.
 */
static inline int32_t ref_trunc(float value, int32_t low, int32_t high)
{
    const double exact = (double)value;
    if (ref_is_nan(value))
        return 0;
    if (exact <= (double)low)
        return low;
    if (exact >= (double)high)
        return high;
    return (int32_t)exact;
}

static inline int32_t ref_floor(float value, int32_t low, int32_t high)
{
    const int32_t truncated = ref_trunc(value, low, high);
    return (double)truncated > (double)value && truncated > low ? truncated - 1 : truncated;
}

/* GEN-05: "rha", round half away from zero. */
static inline int32_t ref_round_half_away(float value, int32_t low, int32_t high)
{
    const int32_t truncated = ref_trunc(value, low, high);
    const double rest = (double)value - (double)truncated;
    if (rest >= 0.5 && truncated < high)
        return truncated + 1;
    if (rest <= -0.5 && truncated > low)
        return truncated - 1;
    return truncated;
}

/* GEN-06: NaN gives `low`, +0 and 0. */
static inline float ref_saturate(float value, float low, float high)
{
    const float raised = value > low ? value : low;
    return raised < high ? raised : high;
}

static inline float ref_clamp01(float value)
{
    return ref_saturate(value, 0.0f, 1.0f);
}

static inline uint8_t ref_u8(float value)
{
    return (uint8_t)ref_saturate(value, 0.0f, 255.0f);
}

/* ITP-13: limits a value to 0 .. 255 and rounds it to nearest, ties down; NaN gives 0. The subtraction is exact. */
static inline uint8_t ref_nearest_u8(float value)
{
    const float limited = ref_saturate(value, 0.0f, 255.0f);
    const int32_t whole = (int32_t)limited;
    return (uint8_t)(limited - (float)whole > 0.5f ? whole + 1 : whole);
}

/* Limits a value to 0 .. 255 and rounds it to nearest, ties up; NaN gives 0. The subtraction is exact. */
static inline uint8_t ref_rounded_u8(float value)
{
    const float limited = ref_saturate(value, 0.0f, 255.0f);
    const int32_t whole = (int32_t)limited;
    return (uint8_t)(limited - (float)whole >= 0.5f ? whole + 1 : whole);
}

/* TEX-02: MIN and MAX give their first operand if one of the two is NaN, CLAMP keeps a NaN (TEX-03, TEX-04). */
static inline float ref_min_first(float a, float b)
{
    return b < a ? b : a;
}

static inline float ref_max_first(float a, float b)
{
    return a < b ? b : a;
}

static inline float ref_clamp_nan(float value, float low, float high)
{
    if (value < low)
        return low;
    return high < value ? high : value;
}

/* MIP-05, PTX-23: g(p, q), the greater one; the second operand if one of the two is NaN. */
static inline float ref_greater(float p, float q)
{
    return p > q ? p : q;
}

/* FLT-20, steps 3 to 5: overflow to infinity; what float24 calls subnormal to +0. */
static inline float ref_limit24(uint32_t sign, uint32_t rounded)
{
    if (rounded >= 0x5F800000u)
        return ref_float(sign | 0x7F800000u);
    if (rounded < 0x20800000u)
        return 0.0f;
    return ref_float(sign | rounded);
}

/* FLT-20, FLT-21: nearest even at 16 mantissa bits. */
static inline float ref_round24(float value)
{
    const uint32_t bits = ref_bits(value);
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return ref_float(REF_NAN_BITS);
    return ref_limit24(bits & 0x80000000u, (magnitude + 0x3Fu + (magnitude >> 7 & 1u)) & 0xFFFFFF80u);
}

/* FLT-27: T24, which truncates instead of rounding. */
static inline float ref_truncate24(float value)
{
    const uint32_t bits = ref_bits(value);
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return ref_float(REF_NAN_BITS);
    return ref_limit24(bits & 0x80000000u, magnitude & 0xFFFFFF80u);
}

/* FLT-22: the flush of operands. */
static inline float ref_flush24(float value)
{
    return (ref_bits(value) & 0x7FFFFFFFu) < 0x20800000u ? 0.0f : value;
}

/* Flushes and rounds the value if the profile is f24, else returns it unchanged. */
static inline float ref_round_profile(enum pica_profile profile, float value)
{
    return profile == PICA_PROFILE_F24 ? ref_round24(value) : value;
}

static inline float ref_flush_profile(enum pica_profile profile, float value)
{
    return profile == PICA_PROFILE_F24 ? ref_flush24(value) : value;
}

/* FLT-27: the shader operations. Comparisons and negation are C's and ref_negate, in both profiles. */

/* FLT-24: 0 * infinity = 0, NaN * 0 = NaN. */
static inline float ref_op_mul(enum pica_profile profile, float a, float b)
{
    return ref_round_profile(profile, ref_mul(ref_flush_profile(profile, a), ref_flush_profile(profile, b)));
}

static inline float ref_op_add(enum pica_profile profile, float a, float b)
{
    return ref_round_profile(profile, ref_flush_profile(profile, a) + ref_flush_profile(profile, b));
}

float ref_op_floor(enum pica_profile profile, float a);
float ref_op_exp2(enum pica_profile profile, float a);
float ref_op_log2(enum pica_profile profile, float a);

/* `truncates`: the other side of the rounding of RCP and RSQ. */
float ref_op_reciprocal(enum pica_profile profile, float a, bool truncates);
float ref_op_reciprocal_root(enum pica_profile profile, float a, bool truncates);
static inline float ref_op_max(float a, float b)
{
    return a > b ? a : b;
}

static inline float ref_op_min(float a, float b)
{
    return a < b ? a : b;
}

#endif
