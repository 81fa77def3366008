/*
 * The parts of NEON: four registers make a vector of 16 lanes. Part of simd.h, which says what a part is.
 */
#ifndef FAST_SIMD_NEON_H
#define FAST_SIMD_NEON_H

#include "fast/simd/bits.h"

#include <arm_neon.h>

/* The operations are a table, one line each. */
/* clang-format off */

#define V_EACH(statement) \
    {                     \
        enum { i = 0 };   \
        statement;        \
    }                     \
    {                     \
        enum { i = 1 };   \
        statement;        \
    }                     \
    {                     \
        enum { i = 2 };   \
        statement;        \
    }                     \
    {                     \
        enum { i = 3 };   \
        statement;        \
    }
#define V_EACH16(statement) \
    {                       \
        enum { i = 0 };     \
        statement;          \
    }                       \
    {                       \
        enum { i = 1 };     \
        statement;          \
    }

typedef float32x4_t part_f32;
typedef int32x4_t part_i32;
typedef uint32x4_t part_u32;
typedef uint32x4_t part_mask; /* lanes of 0 or all ones */
typedef uint16x8_t part_u16;
enum { V_PARTS = 4, V_PART_LANES = 4, V_PARTS16 = 2, V_PART16_LANES = 8 };

static inline float32x4_t part_f32_splat(float a) { return vdupq_n_f32(a); }
static inline float32x4_t part_f32_load(const float *p) { return vld1q_f32(p); }
static inline void part_f32_store(float *p, float32x4_t a) { vst1q_f32(p, a); }
static inline float32x4_t part_f32_add(float32x4_t a, float32x4_t b) { return vaddq_f32(a, b); }
static inline float32x4_t part_f32_sub(float32x4_t a, float32x4_t b) { return vsubq_f32(a, b); }
static inline float32x4_t part_f32_mul(float32x4_t a, float32x4_t b) { return vmulq_f32(a, b); }
static inline float32x4_t part_f32_div(float32x4_t a, float32x4_t b) { return vdivq_f32(a, b); }
static inline float32x4_t part_f32_sqrt(float32x4_t a) { return vsqrtq_f32(a); }
static inline float32x4_t part_f32_floor(float32x4_t a) { return vrndmq_f32(a); }
static inline float32x4_t part_f32_lesser(float32x4_t a, float32x4_t b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
static inline float32x4_t part_f32_greater(float32x4_t a, float32x4_t b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
static inline uint32x4_t part_f32_eq(float32x4_t a, float32x4_t b) { return vceqq_f32(a, b); }
static inline uint32x4_t part_f32_ne(float32x4_t a, float32x4_t b) { return vmvnq_u32(vceqq_f32(a, b)); }
static inline uint32x4_t part_f32_lt(float32x4_t a, float32x4_t b) { return vcltq_f32(a, b); }
static inline uint32x4_t part_f32_le(float32x4_t a, float32x4_t b) { return vcleq_f32(a, b); }
static inline uint32x4_t part_mask_and_ordered(uint32x4_t m, float32x4_t a, float32x4_t b)
{
    return vandq_u32(m, vandq_u32(vceqq_f32(a, a), vceqq_f32(b, b)));
}
static inline float32x4_t part_f32_select(uint32x4_t m, float32x4_t a, float32x4_t b) { return vbslq_f32(m, a, b); }
static inline float32x4_t part_f32_from_i32(int32x4_t a) { return vcvtq_f32_s32(a); }
static inline float32x4_t part_f32_from_bits(uint32x4_t a) { return vreinterpretq_f32_u32(a); }
static inline uint32x4_t part_u32_from_f32_bits(float32x4_t a) { return vreinterpretq_u32_f32(a); }
static inline int32x4_t part_i32_trunc(float32x4_t a) { return vcvtq_s32_f32(a); }
static inline int32x4_t part_i32_from_u32(uint32x4_t a) { return vreinterpretq_s32_u32(a); }
static inline uint32x4_t part_u32_from_i32(int32x4_t a) { return vreinterpretq_u32_s32(a); }

static inline uint32x4_t part_u32_splat(uint32_t a) { return vdupq_n_u32(a); }
static inline uint32x4_t part_u32_load(const uint32_t *p) { return vld1q_u32(p); }
static inline void part_u32_store(uint32_t *p, uint32x4_t a) { vst1q_u32(p, a); }
static inline uint32x4_t part_u32_add(uint32x4_t a, uint32x4_t b) { return vaddq_u32(a, b); }
static inline uint32x4_t part_u32_sub(uint32x4_t a, uint32x4_t b) { return vsubq_u32(a, b); }
static inline uint32x4_t part_u32_mul(uint32x4_t a, uint32x4_t b) { return vmulq_u32(a, b); }
static inline uint32x4_t part_u32_and(uint32x4_t a, uint32x4_t b) { return vandq_u32(a, b); }
static inline uint32x4_t part_u32_or(uint32x4_t a, uint32x4_t b) { return vorrq_u32(a, b); }
static inline uint32x4_t part_u32_xor(uint32x4_t a, uint32x4_t b) { return veorq_u32(a, b); }
static inline uint32x4_t part_u32_andnot(uint32x4_t a, uint32x4_t b) { return vbicq_u32(a, b); }
static inline uint32x4_t part_u32_shl(uint32x4_t a, int n) { return vshlq_u32(a, vdupq_n_s32(n)); }
static inline uint32x4_t part_u32_shr(uint32x4_t a, int n) { return vshlq_u32(a, vdupq_n_s32(-n)); }
static inline int32x4_t part_i32_shr(int32x4_t a, int n) { return vshlq_s32(a, vdupq_n_s32(-n)); }
static inline uint32x4_t part_u32_eq(uint32x4_t a, uint32x4_t b) { return vceqq_u32(a, b); }
static inline uint32x4_t part_i32_lt(int32x4_t a, int32x4_t b) { return vcltq_s32(a, b); }
static inline uint32x4_t part_u32_lt(uint32x4_t a, uint32x4_t b) { return vcltq_u32(a, b); }
static inline uint32x4_t part_u32_min(uint32x4_t a, uint32x4_t b) { return vminq_u32(a, b); }
static inline uint32x4_t part_u32_max(uint32x4_t a, uint32x4_t b) { return vmaxq_u32(a, b); }
static inline int32x4_t part_i32_min(int32x4_t a, int32x4_t b) { return vminq_s32(a, b); }
static inline int32x4_t part_i32_max(int32x4_t a, int32x4_t b) { return vmaxq_s32(a, b); }
static inline uint32x4_t part_u32_select(uint32x4_t m, uint32x4_t a, uint32x4_t b) { return vbslq_u32(m, a, b); }

static inline uint32x4_t part_mask_and(uint32x4_t a, uint32x4_t b) { return vandq_u32(a, b); }
static inline uint32x4_t part_mask_or(uint32x4_t a, uint32x4_t b) { return vorrq_u32(a, b); }
static inline uint32x4_t part_mask_xor(uint32x4_t a, uint32x4_t b) { return veorq_u32(a, b); }
static inline uint32x4_t part_mask_andnot(uint32x4_t a, uint32x4_t b) { return vbicq_u32(a, b); }
static inline uint32x4_t part_mask_lane_bits(void)
{
    static const uint32_t lanes[4] = {1, 2, 4, 8};
    return vld1q_u32(lanes);
}
static inline uint32x4_t part_mask_from_bits(uint32_t bits, int part)
{
    return vtstq_u32(vdupq_n_u32(bits >> (4 * part) & 0xFu), part_mask_lane_bits());
}
static inline uint32_t part_mask_bits(uint32x4_t m) { return vaddvq_u32(vandq_u32(m, part_mask_lane_bits())); }

static inline uint16x8_t part_u16_splat(uint16_t a) { return vdupq_n_u16(a); }
static inline uint16x8_t part_u16_add(uint16x8_t a, uint16x8_t b) { return vaddq_u16(a, b); }
static inline uint16x8_t part_u16_sub(uint16x8_t a, uint16x8_t b) { return vsubq_u16(a, b); }
static inline uint16x8_t part_u16_adds(uint16x8_t a, uint16x8_t b) { return vqaddq_u16(a, b); }
static inline uint16x8_t part_u16_subs(uint16x8_t a, uint16x8_t b) { return vqsubq_u16(a, b); }
static inline uint16x8_t part_u16_mul(uint16x8_t a, uint16x8_t b) { return vmulq_u16(a, b); }
static inline uint16x8_t part_u16_mulhi(uint16x8_t a, uint16x8_t b)
{
    const uint32x4_t low = vmull_u16(vget_low_u16(a), vget_low_u16(b));
    const uint32x4_t high = vmull_high_u16(a, b);
    return vshrn_high_n_u32(vshrn_n_u32(low, 16), high, 16);
}
static inline uint16x8_t part_u16_min(uint16x8_t a, uint16x8_t b) { return vminq_u16(a, b); }
static inline uint16x8_t part_u16_max(uint16x8_t a, uint16x8_t b) { return vmaxq_u16(a, b); }
static inline uint16x8_t part_u16_and(uint16x8_t a, uint16x8_t b) { return vandq_u16(a, b); }
static inline uint16x8_t part_u16_or(uint16x8_t a, uint16x8_t b) { return vorrq_u16(a, b); }
static inline uint16x8_t part_u16_xor(uint16x8_t a, uint16x8_t b) { return veorq_u16(a, b); }
static inline uint16x8_t part_u16_andnot(uint16x8_t a, uint16x8_t b) { return vbicq_u16(a, b); }
static inline uint16x8_t part_u16_shl(uint16x8_t a, int n) { return vshlq_u16(a, vdupq_n_s16((int16_t)n)); }
static inline uint16x8_t part_u16_shr(uint16x8_t a, int n) { return vshlq_u16(a, vdupq_n_s16((int16_t)-n)); }

/* clang-format on */

#endif
