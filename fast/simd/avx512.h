/*
 * The parts of AVX-512: one register is a vector of 16 lanes, a mask is 16 bits. Part of simd.h, which says what a
 * part is.
 */
#ifndef FAST_SIMD_AVX512_H
#define FAST_SIMD_AVX512_H

#include "fast/simd/bits.h"

#include <immintrin.h>

/* The operations are a table, one line each. */
/* clang-format off */

#define V_EACH(statement) \
    {                     \
        enum { i = 0 };   \
        statement;        \
    }
#define V_EACH16(statement) V_EACH(statement)

typedef __m512 part_f32;
typedef __m512i part_i32;
typedef __m512i part_u32;
typedef __mmask16 part_mask;
typedef __m256i part_u16;
enum { V_PARTS = 1, V_PART_LANES = 16, V_PARTS16 = 1, V_PART16_LANES = 16 };

static inline __m512 part_f32_splat(float a) { return _mm512_set1_ps(a); }
static inline __m512 part_f32_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void part_f32_store(float *p, __m512 a) { _mm512_storeu_ps(p, a); }
static inline __m512 part_f32_add(__m512 a, __m512 b) { return _mm512_add_ps(a, b); }
static inline __m512 part_f32_sub(__m512 a, __m512 b) { return _mm512_sub_ps(a, b); }
static inline __m512 part_f32_mul(__m512 a, __m512 b) { return _mm512_mul_ps(a, b); }
static inline __m512 part_f32_div(__m512 a, __m512 b) { return _mm512_div_ps(a, b); }
static inline __m512 part_f32_sqrt(__m512 a) { return _mm512_sqrt_ps(a); }
static inline __m512 part_f32_floor(__m512 a) { return _mm512_floor_ps(a); }
static inline __m512 part_f32_lesser(__m512 a, __m512 b) { return _mm512_min_ps(a, b); }
static inline __m512 part_f32_greater(__m512 a, __m512 b) { return _mm512_max_ps(a, b); }
static inline __mmask16 part_f32_eq(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline __mmask16 part_f32_ne(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ); }
static inline __mmask16 part_f32_lt(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline __mmask16 part_f32_le(__m512 a, __m512 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
static inline __mmask16 part_mask_and_ordered(__mmask16 m, __m512 a, __m512 b)
{
    return _mm512_mask_cmp_ps_mask(m, a, b, _CMP_ORD_Q);
}
static inline __m512 part_f32_select(__mmask16 m, __m512 a, __m512 b) { return _mm512_mask_blend_ps(m, b, a); }
static inline __m512 part_f32_from_i32(__m512i a) { return _mm512_cvtepi32_ps(a); }
static inline __m512 part_f32_from_bits(__m512i a) { return _mm512_castsi512_ps(a); }
static inline __m512i part_u32_from_f32_bits(__m512 a) { return _mm512_castps_si512(a); }
static inline __m512i part_i32_trunc(__m512 a) { return _mm512_cvttps_epi32(a); }
static inline __m512i part_i32_from_u32(__m512i a) { return a; }
static inline __m512i part_u32_from_i32(__m512i a) { return a; }

static inline __m512i part_u32_splat(uint32_t a) { return _mm512_set1_epi32((int)a); }
static inline __m512i part_u32_load(const uint32_t *p) { return _mm512_loadu_si512(p); }
static inline void part_u32_store(uint32_t *p, __m512i a) { _mm512_storeu_si512(p, a); }
static inline __m512i part_u32_add(__m512i a, __m512i b) { return _mm512_add_epi32(a, b); }
static inline __m512i part_u32_sub(__m512i a, __m512i b) { return _mm512_sub_epi32(a, b); }
static inline __m512i part_u32_mul(__m512i a, __m512i b) { return _mm512_mullo_epi32(a, b); }
static inline __m512i part_u32_and(__m512i a, __m512i b) { return _mm512_and_si512(a, b); }
static inline __m512i part_u32_or(__m512i a, __m512i b) { return _mm512_or_si512(a, b); }
static inline __m512i part_u32_xor(__m512i a, __m512i b) { return _mm512_xor_si512(a, b); }
static inline __m512i part_u32_andnot(__m512i a, __m512i b) { return _mm512_andnot_si512(b, a); }
static inline __m512i part_u32_shl(__m512i a, int n) { return _mm512_sll_epi32(a, _mm_cvtsi32_si128(n)); }
static inline __m512i part_u32_shr(__m512i a, int n) { return _mm512_srl_epi32(a, _mm_cvtsi32_si128(n)); }
static inline __m512i part_i32_shr(__m512i a, int n) { return _mm512_sra_epi32(a, _mm_cvtsi32_si128(n)); }
static inline __mmask16 part_u32_eq(__m512i a, __m512i b) { return _mm512_cmpeq_epi32_mask(a, b); }
static inline __mmask16 part_i32_lt(__m512i a, __m512i b) { return _mm512_cmplt_epi32_mask(a, b); }
static inline __mmask16 part_u32_lt(__m512i a, __m512i b) { return _mm512_cmplt_epu32_mask(a, b); }
static inline __m512i part_u32_min(__m512i a, __m512i b) { return _mm512_min_epu32(a, b); }
static inline __m512i part_u32_max(__m512i a, __m512i b) { return _mm512_max_epu32(a, b); }
static inline __m512i part_i32_min(__m512i a, __m512i b) { return _mm512_min_epi32(a, b); }
static inline __m512i part_i32_max(__m512i a, __m512i b) { return _mm512_max_epi32(a, b); }
static inline __m512i part_u32_select(__mmask16 m, __m512i a, __m512i b) { return _mm512_mask_blend_epi32(m, b, a); }

static inline __mmask16 part_mask_and(__mmask16 a, __mmask16 b) { return (__mmask16)(a & b); }
static inline __mmask16 part_mask_or(__mmask16 a, __mmask16 b) { return (__mmask16)(a | b); }
static inline __mmask16 part_mask_xor(__mmask16 a, __mmask16 b) { return (__mmask16)(a ^ b); }
static inline __mmask16 part_mask_andnot(__mmask16 a, __mmask16 b) { return (__mmask16)(a & ~(uint32_t)b); }
static inline __mmask16 part_mask_from_bits(uint32_t bits, int part)
{
    (void)part;
    return (__mmask16)(bits & 0xFFFFu);
}
static inline uint32_t part_mask_bits(__mmask16 m) { return m; }

/* clang-format on */

#endif
