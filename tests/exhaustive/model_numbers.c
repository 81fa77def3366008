#include "tests/exhaustive/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    NAN_BITS = 0x7FC00000,
    INFINITY_BITS = 0x7F800000
};

float model_float(uint32_t bits)
{
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t model_bits(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? (uint32_t)NAN_BITS : bits;
}

uint32_t model_decode(uint32_t raw, uint32_t exponent_bits, uint32_t mantissa_bits)
{
    const uint32_t m = raw & ((1u << mantissa_bits) - 1u);
    const uint32_t top = (1u << exponent_bits) - 1u;
    const uint32_t e = raw >> mantissa_bits & top;
    const float sign = (raw >> (mantissa_bits + exponent_bits) & 1u) != 0u ? -1.0f : 1.0f;
    const int bias = (1 << (exponent_bits - 1u)) - 1;
    const int places = (int)mantissa_bits;
    if (e == top)
        return m != 0u ? (uint32_t)NAN_BITS : model_bits(sign * INFINITY);
    if (e == 0u) /* m * 2^(1-B-M): exact */
        return model_bits(sign * (float)ldexp((double)m, 1 - bias - places));
    return model_bits(sign * (float)ldexp(1.0 + ldexp((double)m, -places), (int)e - bias));
}

uint32_t model_round24(uint32_t bits)
{
    const uint32_t sign = bits & 0x80000000u;
    const uint32_t a = bits & 0x7FFFFFFFu;
    if (a > INFINITY_BITS)
        return NAN_BITS;
    const uint32_t r = (a + 0x3Fu + (a >> 7 & 1u)) & 0xFFFFFF80u;
    if (r >= 0x5F800000u)
        return INFINITY_BITS | sign;
    if (r < 0x20800000u)
        return 0;
    return r | sign;
}

uint32_t model_flush24(uint32_t bits)
{
    return (bits & 0x7FFFFFFFu) < 0x20800000u ? 0u : bits;
}

static float reciprocal(float a)
{
    return a == 0.0f ? INFINITY : 1.0f / a;
}

static float reciprocal_root(float a)
{
    if (a == 0.0f)
        return INFINITY;
    if (a < 0.0f)
        return NAN;
    const float q = sqrtf(a);
    return 1.0f / q;
}

/*
 * FLT-30, FLT-31: the exact value correctly rounded. The host's long double functions are wrong by a few units of
 * their last place at most; where that could change the rounding, low and high differ.
 */
struct bounds {
    float low, high;
};

static struct bounds round_bounds(long double value)
{
    const long double error = fabsl(value) * LDBL_EPSILON * 8.0L;
    return (struct bounds){ (float)(value - error), (float)(value + error) };
}

static struct bounds exact(float value)
{
    return (struct bounds){ value, value };
}

static struct bounds power_of_two(float x)
{
    if (isnan(x))
        return exact(NAN);
    if (x >= 128.0f)
        return exact(INFINITY);
    if (x <= -150.0f)
        return exact(0.0f);
    if (x == floorf(x))
        return exact((float)ldexp(1.0, (int)x));
    if (fabsf(x) < 0x1p-30f) /* |2^x - 1| < 2^-30: far from the boundaries 1 + 2^-24 and 1 - 2^-25 */
        return exact(1.0f);
    return round_bounds(exp2l((long double)x));
}

static struct bounds logarithm(float x)
{
    if (isnan(x) || x < 0.0f)
        return exact(NAN);
    if (x == 0.0f)
        return exact(-INFINITY);
    if (isinf(x))
        return exact(INFINITY);
    int exponent = 0;
    if (frexp((double)x, &exponent) == 0.5) /* a power of two */
        return exact((float)(exponent - 1));
    return round_bounds(log2l((long double)x));
}

static struct bounds operate(enum model_operation operation, float a)
{
    switch (operation) {
    case MODEL_RCP: return exact(reciprocal(a));
    case MODEL_RSQ: return exact(reciprocal_root(a));
    case MODEL_EX2: return power_of_two(a);
    case MODEL_LG2: return logarithm(a);
    case MODEL_FLR: return exact(floorf(a));
    }
    return exact(NAN); /* not reached */
}

struct model_result model_operate(enum model_operation operation, bool f24, uint32_t bits)
{
    const struct bounds bounds = operate(operation, model_float(f24 ? model_flush24(bits) : bits));
    uint32_t low = model_bits(bounds.low);
    uint32_t high = model_bits(bounds.high);
    if (f24) {
        low = model_round24(low);
        high = model_round24(high);
    }
    return (struct model_result){ .bits = low, .ambiguous = low != high };
}
