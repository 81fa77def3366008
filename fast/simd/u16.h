/*
 * The vocabulary: both 16-bit halves of 32-bit lanes at once, and vectors of 16 lanes of 16 bits. Part of simd.h.
 */
#ifndef FAST_SIMD_U16_H
#define FAST_SIMD_U16_H

#include "fast/simd/lanes.h"

/* The operations are a table, one line each. */
/* clang-format off */

/* --------------------------------------------------------------------------------------- 16-bit halves of u32 lanes */

/* Low 16 bits of the products of both halves. */
static inline v_u32 v_u16x2_mul(v_u32 a, v_u32 b)
{
    v_u32 r;
#if defined(FAST_ISA_AVX512)
    r.p[0] = _mm512_mullo_epi16(a.p[0], b.p[0]);
#elif defined(FAST_ISA_AVX2)
    V_EACH(r.p[i] = _mm256_mullo_epi16(a.p[i], b.p[i]))
#elif defined(FAST_ISA_NEON)
    V_EACH(r.p[i] = vreinterpretq_u32_u16(vmulq_u16(vreinterpretq_u16_u32(a.p[i]), vreinterpretq_u16_u32(b.p[i]))))
#else
    V_EACH(r.p[i] = ((a.p[i] & 0xFFFFu) * (b.p[i] & 0xFFFFu) & 0xFFFFu) | (a.p[i] >> 16) * (b.p[i] >> 16) << 16)
#endif
    return r;
}

/* Each half by itself: sum, difference, sum limited to 65535, high 16 bits of the product, lesser, shift right. */
#if defined(FAST_ISA_AVX512)
#define V_LIFT_U16X2(name, avx512, avx2, neon, scalar) \
    static inline v_u32 name(v_u32 a, v_u32 b)                     \
    {                                                              \
        return (v_u32){{avx512(a.p[0], b.p[0])}};                  \
    }
#elif defined(FAST_ISA_AVX2)
#define V_LIFT_U16X2(name, avx512, avx2, neon, scalar) \
    static inline v_u32 name(v_u32 a, v_u32 b)                     \
    {                                                              \
        v_u32 r;                                                   \
        V_EACH(r.p[i] = avx2(a.p[i], b.p[i]))                      \
        return r;                                                  \
    }
#elif defined(FAST_ISA_NEON)
#define V_LIFT_U16X2(name, avx512, avx2, neon, scalar) \
    static inline v_u32 name(v_u32 a, v_u32 b)                                                                     \
    {                                                                                                              \
        v_u32 r;                                                                                                   \
        V_EACH(r.p[i] = vreinterpretq_u32_u16(neon(vreinterpretq_u16_u32(a.p[i]), vreinterpretq_u16_u32(b.p[i])))) \
        return r;                                                                                                  \
    }
#else
#define V_LIFT_U16X2(name, avx512, avx2, neon, scalar) \
    static inline v_u32 name(v_u32 a, v_u32 b)                                                                   \
    {                                                                                                            \
        v_u32 r;                                                                                                 \
        V_EACH(r.p[i] = scalar((uint16_t)(a.p[i] & 0xFFFFu), (uint16_t)(b.p[i] & 0xFFFFu)) |                      \
                        (uint32_t)scalar((uint16_t)(a.p[i] >> 16), (uint16_t)(b.p[i] >> 16)) << 16)               \
        return r;                                                                                                \
    }
#endif
V_LIFT_U16X2(v_u16x2_add, _mm512_add_epi16, _mm256_add_epi16, vaddq_u16, part_u16_add)
V_LIFT_U16X2(v_u16x2_sub, _mm512_sub_epi16, _mm256_sub_epi16, vsubq_u16, part_u16_sub)
V_LIFT_U16X2(v_u16x2_adds, _mm512_adds_epu16, _mm256_adds_epu16, vqaddq_u16, part_u16_adds)
V_LIFT_U16X2(v_u16x2_subs, _mm512_subs_epu16, _mm256_subs_epu16, vqsubq_u16, part_u16_subs) /* not below 0 */
V_LIFT_U16X2(v_u16x2_mulhi, _mm512_mulhi_epu16, _mm256_mulhi_epu16, part_u16_mulhi, part_u16_mulhi)
V_LIFT_U16X2(v_u16x2_min, _mm512_min_epu16, _mm256_min_epu16, vminq_u16, part_u16_min)

/* Halves that hold bytes: the sum, at most 255. */
#if defined(FAST_ISA_NEON)
static inline uint16x8_t simd_adds_bytes(uint16x8_t a, uint16x8_t b)
{
    return vreinterpretq_u16_u8(vqaddq_u8(vreinterpretq_u8_u16(a), vreinterpretq_u8_u16(b)));
}
#elif defined(FAST_ISA_SCALAR)
static inline uint16_t simd_adds_bytes(uint16_t a, uint16_t b) { return (uint16_t)(a + b > 255 ? 255 : a + b); }
#endif
V_LIFT_U16X2(v_u16x2_adds_bytes, _mm512_adds_epu8, _mm256_adds_epu8, simd_adds_bytes, simd_adds_bytes)

/* The low half of `low`, the high half of `high`. */
static inline v_u32 v_u16x2_blend(v_u32 low, v_u32 high)
{
    v_u32 r;
#if defined(FAST_ISA_AVX512)
    r.p[0] = _mm512_mask_blend_epi16(0xAAAAAAAAu, low.p[0], high.p[0]);
#elif defined(FAST_ISA_AVX2)
    V_EACH(r.p[i] = _mm256_blend_epi16(low.p[i], high.p[i], 0xAA))
#elif defined(FAST_ISA_NEON)
    V_EACH(r.p[i] = vbslq_u32(vdupq_n_u32(0x0000FFFFu), low.p[i], high.p[i]))
#else
    V_EACH(r.p[i] = (low.p[i] & 0x0000FFFFu) | (high.p[i] & 0xFFFF0000u))
#endif
    return r;
}

/* Is there a half that has none of these bits? */
static inline bool v_u16x2_any_lacks(v_u32 a, uint16_t bits)
{
#if defined(FAST_ISA_AVX512)
    return _mm512_testn_epi16_mask(a.p[0], _mm512_set1_epi16((short)bits)) != 0;
#elif defined(FAST_ISA_AVX2)
    const __m256i wanted = _mm256_set1_epi16((short)bits);
    const __m256i least = _mm256_min_epu16(_mm256_and_si256(a.p[0], wanted), _mm256_and_si256(a.p[1], wanted));
    return _mm256_movemask_epi8(_mm256_cmpeq_epi16(least, _mm256_setzero_si256())) != 0;
#else
    uint32_t lacks = 0;
    uint32_t lanes[V_LANES];
    v_u32_store(lanes, a);
    for (int lane = 0; lane < V_LANES; lane++)
        lacks |= (lanes[lane] & bits) == 0 || (lanes[lane] >> 16 & bits) == 0 ? 1u : 0u;
    return lacks != 0;
#endif
}

static inline v_u32 v_u16x2_shr(v_u32 a, int n)
{
    v_u32 r;
#if defined(FAST_ISA_AVX512)
    r.p[0] = _mm512_srl_epi16(a.p[0], _mm_cvtsi32_si128(n));
#elif defined(FAST_ISA_AVX2)
    V_EACH(r.p[i] = _mm256_srl_epi16(a.p[i], _mm_cvtsi32_si128(n)))
#else
    V_EACH(r.p[i] = part_u32_and(part_u32_shr(a.p[i], n), part_u32_splat((0xFFFFu >> n) * 0x10001u)))
#endif
    return r;
}

/* floor(a / 255), exact for all 65536 values of a half. */
static inline v_u32 v_u16x2_div255(v_u32 a)
{
    return v_u16x2_shr(v_u16x2_mulhi(a, v_u32_splat(0x80818081u)), 7);
}

static inline v_u32 v_u32_rotate_left(v_u32 a, int n) { return v_u32_or(v_u32_shl(a, n), v_u32_shr(a, 32 - n)); }

/* Sum of the products of both halves, taken as two's complement. */
static inline v_i32 v_i16x2_dot(v_u32 a, v_u32 b)
{
    v_i32 r;
#if defined(FAST_ISA_AVX512)
    r.p[0] = _mm512_madd_epi16(a.p[0], b.p[0]);
#elif defined(FAST_ISA_AVX2)
    V_EACH(r.p[i] = _mm256_madd_epi16(a.p[i], b.p[i]))
#elif defined(FAST_ISA_NEON)
    V_EACH(const int16x8_t x = vreinterpretq_s16_u32(a.p[i]); const int16x8_t y = vreinterpretq_s16_u32(b.p[i]);
           r.p[i] = vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y)))
#else
    const v_i32 low = v_i32_mul(v_i32_shr(v_i32_shl(v_i32_from_u32(a), 16), 16),
                                v_i32_shr(v_i32_shl(v_i32_from_u32(b), 16), 16));
    const v_i32 high = v_i32_mul(v_i32_shr(v_i32_from_u32(a), 16), v_i32_shr(v_i32_from_u32(b), 16));
    r = v_i32_add(low, high);
#endif
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
#if defined(FAST_ISA_AVX512)
    return (v_u32){{_mm512_cvtepu16_epi32(a.p[0])}};
#elif defined(FAST_ISA_AVX2)
    return (v_u32){{_mm256_cvtepu16_epi32(_mm256_castsi256_si128(a.p[0])),
                    _mm256_cvtepu16_epi32(_mm256_extracti128_si256(a.p[0], 1))}};
#elif defined(FAST_ISA_NEON)
    return (v_u32){{vmovl_u16(vget_low_u16(a.p[0])), vmovl_high_u16(a.p[0]), vmovl_u16(vget_low_u16(a.p[1])),
                    vmovl_high_u16(a.p[1])}};
#else
    v_u32 r;
    V_EACH(r.p[i] = a.p[i])
    return r;
#endif
}

/* The low 16 bits. */
static inline v_u16 v_u16_from_u32(v_u32 a)
{
#if defined(FAST_ISA_AVX512)
    return (v_u16){{_mm512_cvtepi32_epi16(a.p[0])}};
#elif defined(FAST_ISA_AVX2)
    const __m256i low = _mm256_and_si256(a.p[0], _mm256_set1_epi32(0xFFFF));
    const __m256i high = _mm256_and_si256(a.p[1], _mm256_set1_epi32(0xFFFF));
    return (v_u16){{_mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xD8)}};
#elif defined(FAST_ISA_NEON)
    return (v_u16){{vmovn_high_u32(vmovn_u32(a.p[0]), a.p[1]), vmovn_high_u32(vmovn_u32(a.p[2]), a.p[3])}};
#else
    v_u16 r;
    V_EACH(r.p[i] = (uint16_t)(a.p[i] & 0xFFFFu))
    return r;
#endif
}

static inline v_u16 v_u16_from_i32(v_i32 a) { return v_u16_from_u32(v_u32_from_i32(a)); }
static inline v_i32 v_i32_from_u16(v_u16 a) { return v_i32_from_u32(v_u32_from_u16(a)); }

/* clang-format on */

#endif
