/*
 * The parts of NEON: four registers make a vector of 16 lanes. Part of simd.h, which says what a part is.
 */
#ifndef FAST_SIMD_NEON_H
#define FAST_SIMD_NEON_H

#define FAST_ISA_SUFFIXED(name) name##_neon

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
static inline int32x4_t part_i32_floor(float32x4_t a) { return vcvtq_s32_f32(vrndmq_f32(a)); }
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

/* Operations on both 16-bit halves of each 32-bit lane at once. */
#define PART_U16X2(name, operation)                                                                       \
    static inline uint32x4_t name(uint32x4_t a, uint32x4_t b)                                             \
    {                                                                                                     \
        return vreinterpretq_u32_u16(operation(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b)));      \
    }
static inline uint16x8_t part_u16_adds_byte(uint16x8_t a, uint16x8_t b)
{
    return vreinterpretq_u16_u8(vqaddq_u8(vreinterpretq_u8_u16(a), vreinterpretq_u8_u16(b)));
}
PART_U16X2(part_u16x2_mul, vmulq_u16)
PART_U16X2(part_u16x2_add, vaddq_u16)
PART_U16X2(part_u16x2_sub, vsubq_u16)
PART_U16X2(part_u16x2_adds, vqaddq_u16)
PART_U16X2(part_u16x2_subs, vqsubq_u16)
PART_U16X2(part_u16x2_mulhi, part_u16_mulhi)
PART_U16X2(part_u16x2_min, vminq_u16)
PART_U16X2(part_u16x2_adds_bytes, part_u16_adds_byte)
static inline uint32x4_t part_u16x2_blend(uint32x4_t low, uint32x4_t high)
{
    return vbslq_u32(vdupq_n_u32(0x0000FFFFu), low, high);
}
static inline uint32x4_t part_u16x2_shr(uint32x4_t a, int n)
{
    return vandq_u32(part_u32_shr(a, n), vdupq_n_u32((0xFFFFu >> n) * 0x10001u));
}
static inline void parts_i16x2_dot(int32x4_t r[4], const uint32x4_t a[4], const uint32x4_t b[4])
{
    for (int i = 0; i < V_PARTS; i++) {
        const int16x8_t x = vreinterpretq_s16_u32(a[i]);
        const int16x8_t y = vreinterpretq_s16_u32(b[i]);
        r[i] = vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
    }
}

static inline void parts_u32_from_u16(uint32x4_t r[4], const uint16x8_t a[2])
{
    r[0] = vmovl_u16(vget_low_u16(a[0]));
    r[1] = vmovl_high_u16(a[0]);
    r[2] = vmovl_u16(vget_low_u16(a[1]));
    r[3] = vmovl_high_u16(a[1]);
}
static inline void parts_u16_from_u32(uint16x8_t r[2], const uint32x4_t a[4])
{
    r[0] = vmovn_high_u32(vmovn_u32(a[0]), a[1]);
    r[1] = vmovn_high_u32(vmovn_u32(a[2]), a[3]);
}

static inline uint32x4_t part_u32_load_le(const uint8_t *p) { return vreinterpretq_u32_u8(vld1q_u8(p)); }
static inline void part_u32_store_le(uint8_t *p, uint32x4_t a) { vst1q_u8(p, vreinterpretq_u8_u32(a)); }
static inline uint16x8_t part_u16_load_le(const uint8_t *p) { return vreinterpretq_u16_u8(vld1q_u8(p)); }
static inline void part_u16_store_le(uint8_t *p, uint16x8_t a) { vst1q_u8(p, vreinterpretq_u8_u16(a)); }
static inline void parts_u32_gather4_le(uint32x4_t *const r[4], const uint8_t *bytes, const uint32_t *offsets)
{
    for (int i = 0; i < V_PARTS; i++) {
        uint32x4_t z[4];
        for (int k = 0; k < 4; k++)
            z[k] = vreinterpretq_u32_u8(vld1q_u8(bytes + offsets[4 * i + k]));
        const uint32x4_t xy02 = vzip1q_u32(z[0], z[2]), zw02 = vzip2q_u32(z[0], z[2]);
        const uint32x4_t xy13 = vzip1q_u32(z[1], z[3]), zw13 = vzip2q_u32(z[1], z[3]);
        r[0][i] = vzip1q_u32(xy02, xy13);
        r[1][i] = vzip2q_u32(xy02, xy13);
        r[2][i] = vzip1q_u32(zw02, zw13);
        r[3][i] = vzip2q_u32(zw02, zw13);
    }
}

/* clang-format on */

#include "fast/simd/by_lane.h"
#include "fast/simd/little_endian.h"

#endif
