/* The bits of a float as an integer and back, and the number of lanes; for all sets of simd.h. */
#ifndef FAST_SIMD_BITS_H
#define FAST_SIMD_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The operations are a table, one line each. */
/* clang-format off */

enum { V_LANES = 16 };

static inline float simd_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int32_t simd_i32_from_bits(uint32_t bits)
{
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t simd_bits_from_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* clang-format on */

#endif
