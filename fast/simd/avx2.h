/*
 * The parts of AVX2: two registers make a vector of 16 lanes. Part of simd.h, which says what a part is.
 */
#ifndef FAST_SIMD_AVX2_H
#define FAST_SIMD_AVX2_H

#include "fast/simd/bits.h"

#include <immintrin.h>

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
    }
#define V_EACH16(statement) \
    {                       \
        enum { i = 0 };     \
        statement;          \
    }

typedef __m256 part_f32;
typedef __m256i part_i32;
typedef __m256i part_u32;
typedef __m256i part_mask; /* 32-bit lanes of 0 or all ones */
typedef __m256i part_u16;
enum { V_PARTS = 2, V_PART_LANES = 8, V_PARTS16 = 1, V_PART16_LANES = 16 };

static inline __m256 part_f32_splat(float a) { return _mm256_set1_ps(a); }
static inline __m256 part_f32_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void part_f32_store(float *p, __m256 a) { _mm256_storeu_ps(p, a); }
static inline __m256 part_f32_add(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
static inline __m256 part_f32_sub(__m256 a, __m256 b) { return _mm256_sub_ps(a, b); }
static inline __m256 part_f32_mul(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
static inline __m256 part_f32_div(__m256 a, __m256 b) { return _mm256_div_ps(a, b); }
static inline __m256 part_f32_sqrt(__m256 a) { return _mm256_sqrt_ps(a); }
static inline __m256 part_f32_floor(__m256 a) { return _mm256_floor_ps(a); }
static inline __m256 part_f32_lesser(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
static inline __m256 part_f32_greater(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
static inline __m256i part_f32_eq(__m256 a, __m256 b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_EQ_OQ)); }
static inline __m256i part_f32_ne(__m256 a, __m256 b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_NEQ_UQ)); }
static inline __m256i part_f32_lt(__m256 a, __m256 b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LT_OQ)); }
static inline __m256i part_f32_le(__m256 a, __m256 b) { return _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_LE_OQ)); }
static inline __m256i part_mask_and_ordered(__m256i m, __m256 a, __m256 b)
{
    return _mm256_and_si256(m, _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_ORD_Q)));
}
static inline __m256 part_f32_select(__m256i m, __m256 a, __m256 b)
{
    return _mm256_blendv_ps(b, a, _mm256_castsi256_ps(m));
}
static inline __m256 part_f32_from_i32(__m256i a) { return _mm256_cvtepi32_ps(a); }
static inline __m256 part_f32_from_bits(__m256i a) { return _mm256_castsi256_ps(a); }
static inline __m256i part_u32_from_f32_bits(__m256 a) { return _mm256_castps_si256(a); }
static inline __m256i part_i32_trunc(__m256 a) { return _mm256_cvttps_epi32(a); }
static inline __m256i part_i32_from_u32(__m256i a) { return a; }
static inline __m256i part_u32_from_i32(__m256i a) { return a; }

static inline __m256i part_u32_splat(uint32_t a) { return _mm256_set1_epi32((int)a); }
static inline __m256i part_u32_load(const uint32_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
static inline void part_u32_store(uint32_t *p, __m256i a) { _mm256_storeu_si256((__m256i *)(void *)p, a); }
static inline __m256i part_u32_add(__m256i a, __m256i b) { return _mm256_add_epi32(a, b); }
static inline __m256i part_u32_sub(__m256i a, __m256i b) { return _mm256_sub_epi32(a, b); }
static inline __m256i part_u32_mul(__m256i a, __m256i b) { return _mm256_mullo_epi32(a, b); }
static inline __m256i part_u32_and(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
static inline __m256i part_u32_or(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
static inline __m256i part_u32_xor(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
static inline __m256i part_u32_andnot(__m256i a, __m256i b) { return _mm256_andnot_si256(b, a); }
static inline __m256i part_u32_shl(__m256i a, int n) { return _mm256_sll_epi32(a, _mm_cvtsi32_si128(n)); }
static inline __m256i part_u32_shr(__m256i a, int n) { return _mm256_srl_epi32(a, _mm_cvtsi32_si128(n)); }
static inline __m256i part_i32_shr(__m256i a, int n) { return _mm256_sra_epi32(a, _mm_cvtsi32_si128(n)); }
static inline __m256i part_u32_eq(__m256i a, __m256i b) { return _mm256_cmpeq_epi32(a, b); }
static inline __m256i part_i32_lt(__m256i a, __m256i b) { return _mm256_cmpgt_epi32(b, a); }
static inline __m256i part_u32_lt(__m256i a, __m256i b)
{
    const __m256i sign = _mm256_set1_epi32(INT32_MIN);
    return _mm256_cmpgt_epi32(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign));
}
static inline __m256i part_u32_min(__m256i a, __m256i b) { return _mm256_min_epu32(a, b); }
static inline __m256i part_u32_max(__m256i a, __m256i b) { return _mm256_max_epu32(a, b); }
static inline __m256i part_i32_min(__m256i a, __m256i b) { return _mm256_min_epi32(a, b); }
static inline __m256i part_i32_max(__m256i a, __m256i b) { return _mm256_max_epi32(a, b); }
static inline __m256i part_u32_select(__m256i m, __m256i a, __m256i b) { return _mm256_blendv_epi8(b, a, m); }

static inline __m256i part_mask_and(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
static inline __m256i part_mask_or(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
static inline __m256i part_mask_xor(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
static inline __m256i part_mask_andnot(__m256i a, __m256i b) { return _mm256_andnot_si256(b, a); }
static inline __m256i part_mask_from_bits(uint32_t bits, int part)
{
    const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i all = _mm256_set1_epi32((int)(bits >> (8 * part) & 0xFFu));
    return _mm256_cmpeq_epi32(_mm256_and_si256(all, lane), lane);
}
static inline uint32_t part_mask_bits(__m256i m) { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(m)); }

/* clang-format on */

#endif
