/*
 * The parts of AVX-512: one register is a vector of 16 lanes, a mask is 16 bits. Part of simd.h, which says what a
 * part is.
 */
#ifndef FAST_SIMD_AVX512_H
#define FAST_SIMD_AVX512_H

#define FAST_ISA_SUFFIXED(name) name##_avx512

#include "fast/simd/avx.h"

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
static inline __m512i part_i32_floor(__m512 a)
{
    return _mm512_cvt_roundps_epi32(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
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

/* Operations on both 16-bit halves of each 32-bit lane at once. */
static inline __m512i part_u16x2_mul(__m512i a, __m512i b) { return _mm512_mullo_epi16(a, b); }
static inline __m512i part_u16x2_add(__m512i a, __m512i b) { return _mm512_add_epi16(a, b); }
static inline __m512i part_u16x2_sub(__m512i a, __m512i b) { return _mm512_sub_epi16(a, b); }
static inline __m512i part_u16x2_adds(__m512i a, __m512i b) { return _mm512_adds_epu16(a, b); }
static inline __m512i part_u16x2_subs(__m512i a, __m512i b) { return _mm512_subs_epu16(a, b); }
static inline __m512i part_u16x2_mulhi(__m512i a, __m512i b) { return _mm512_mulhi_epu16(a, b); }
static inline __m512i part_u16x2_min(__m512i a, __m512i b) { return _mm512_min_epu16(a, b); }
static inline __m512i part_u16x2_adds_bytes(__m512i a, __m512i b) { return _mm512_adds_epu8(a, b); }
static inline __m512i part_u16x2_blend(__m512i low, __m512i high)
{
    return _mm512_mask_blend_epi16(0xAAAAAAAAu, low, high);
}
static inline __m512i part_u16x2_shr(__m512i a, int n) { return _mm512_srl_epi16(a, _mm_cvtsi32_si128(n)); }
static inline void parts_i16x2_dot(__m512i r[1], const __m512i a[1], const __m512i b[1])
{
    r[0] = _mm512_madd_epi16(a[0], b[0]);
}
static inline bool parts_u16x2_any_lacks(const __m512i a[1], uint16_t bits)
{
    return _mm512_testn_epi16_mask(a[0], _mm512_set1_epi16((short)bits)) != 0;
}

static inline void parts_u32_from_u16(__m512i r[1], const __m256i a[1]) { r[0] = _mm512_cvtepu16_epi32(a[0]); }
static inline void parts_u16_from_u32(__m256i r[1], const __m512i a[1]) { r[0] = _mm512_cvtepi32_epi16(a[0]); }

static inline __m256 simd_half_affine(__m256i x, __m256i y, double origin, double across, double along)
{
    const __m512d sum = _mm512_add_pd(_mm512_mul_pd(_mm512_cvtepi32_pd(x), _mm512_set1_pd(across)),
                                      _mm512_mul_pd(_mm512_cvtepi32_pd(y), _mm512_set1_pd(along)));
    return _mm512_cvtpd_ps(_mm512_add_pd(_mm512_set1_pd(origin), sum));
}
static inline void parts_f32_affine(__m512 r[1], const __m512i x[1], const __m512i y[1], double origin, double across,
                                    double along)
{
    const __m256 low =
        simd_half_affine(_mm512_castsi512_si256(x[0]), _mm512_castsi512_si256(y[0]), origin, across, along);
    const __m256 high = simd_half_affine(_mm512_extracti64x4_epi64(x[0], 1), _mm512_extracti64x4_epi64(y[0], 1),
                                         origin, across, along);
    r[0] = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
}

/* Without optimisation gcc's gathers are macros that convert signs themselves. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

static inline __m512i part_u32_gather(__m512i other, __mmask16 m, const uint32_t *table, __m512i index)
{
    return _mm512_mask_i32gather_epi32(other, m, index, table, 4);
}
static inline __m512 part_f32_gather(__m512 other, __mmask16 m, const float *table, __m512i index)
{
    return _mm512_mask_i32gather_ps(other, m, index, table, 4);
}
static inline __m512i part_u32_gather_le(const uint8_t *bytes, const uint32_t *offsets)
{
    return _mm512_i32gather_epi32(_mm512_loadu_si512(offsets), bytes, 1);
}
static inline void parts_u32_gather_pair(__m512i first[1], __m512i second[1], const uint32_t *table,
                                         const __m512i index[1])
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    const __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256(index[0]), table, 4);
    const __m512i high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(index[0], 1), table, 4);
    first[0] = _mm512_permutex2var_epi32(low, even, high);
    second[0] = _mm512_permutex2var_epi32(low, odd, high);
}

#pragma GCC diagnostic pop

static inline __m512 part_f32_lookup32(const float *table, __m512i index)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(table), index, _mm512_loadu_ps(table + 16));
}
static inline void parts_u32_load_at(__m512i r[1], const uint32_t *table, const uint32_t *index)
{
    __m256i low;
    __m256i high;
    simd_load_16_at(&low, &high, table, index);
    r[0] = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
static inline void parts_u32_load_pairs_at(__m512i first[1], __m512i second[1], const uint32_t *table,
                                           const uint32_t *index)
{
    const __m512 low = _mm512_castsi512_ps(_mm512_inserti64x4(
        _mm512_castsi256_si512(simd_four_pairs(table, index)), simd_four_pairs(table, index + 8), 1));
    const __m512 high = _mm512_castsi512_ps(_mm512_inserti64x4(
        _mm512_castsi256_si512(simd_four_pairs(table, index + 2)), simd_four_pairs(table, index + 10), 1));
    first[0] = _mm512_castps_si512(_mm512_shuffle_ps(low, high, 0x88));
    second[0] = _mm512_castps_si512(_mm512_shuffle_ps(low, high, 0xDD));
}
static inline void parts_u32_load_squares_at(__m512i *const first[2], __m512i *const second[2], const uint32_t *table,
                                             uint32_t pitch, const uint32_t *index)
{
    __m256 low[2][2];
    __m256 high[2][2];
    simd_load_squares_at(low, high, table, pitch, index);
    for (int row = 0; row < 2; row++) {
        const __m512 lows = _mm512_insertf32x8(_mm512_castps256_ps512(low[0][row]), low[1][row], 1);
        const __m512 highs = _mm512_insertf32x8(_mm512_castps256_ps512(high[0][row]), high[1][row], 1);
        first[row][0] = _mm512_castps_si512(_mm512_shuffle_ps(lows, highs, 0x88));
        second[row][0] = _mm512_castps_si512(_mm512_shuffle_ps(lows, highs, 0xDD));
    }
}

static inline void parts_u32_store_columns(uint32_t *out, size_t stride, const __m512i *const rows[8])
{
    __m256 low[8];
    __m256 high[8];
    for (int k = 0; k < 8; k++) {
        low[k] = _mm256_castsi256_ps(_mm512_castsi512_si256(rows[k][0]));
        high[k] = _mm256_castsi256_ps(_mm512_extracti64x4_epi64(rows[k][0], 1));
    }
    simd_store_columns(out, stride, low);
    simd_store_columns(out + 8 * stride, stride, high);
}

static inline __m512i part_u32_load_le(const uint8_t *p) { return _mm512_loadu_si512(p); }
static inline void part_u32_store_le(uint8_t *p, __m512i a) { _mm512_storeu_si512(p, a); }
static inline void parts_u32_load_quads_le(__m512i r[1], const uint8_t *p, size_t right, size_t down)
{
    r[0] = _mm512_inserti64x4(_mm512_castsi256_si512(simd_load_two(p, right)), simd_load_two(p + down, right), 1);
}
static inline void parts_u32_store_quads_le(uint8_t *p, size_t right, size_t down, const __m512i a[1])
{
    simd_store_two(p, right, _mm512_castsi512_si256(a[0]));
    simd_store_two(p + down, right, _mm512_extracti64x4_epi64(a[0], 1));
}
static inline void parts_u32_gather4_le(__m512i *const r[4], const uint8_t *bytes, const uint32_t *offsets)
{
    __m512i z[4]; /* z[k]: vertices k, 4 + k, 8 + k, 12 + k */
    for (int k = 0; k < 4; k++) {
        const __m128i *at[4];
        for (int j = 0; j < 4; j++)
            at[j] = (const __m128i *)(const void *)(bytes + offsets[4 * j + k]);
        z[k] = _mm512_castsi128_si512(_mm_loadu_si128(at[0]));
        z[k] = _mm512_inserti32x4(z[k], _mm_loadu_si128(at[1]), 1);
        z[k] = _mm512_inserti32x4(z[k], _mm_loadu_si128(at[2]), 2);
        z[k] = _mm512_inserti32x4(z[k], _mm_loadu_si128(at[3]), 3);
    }
    const __m512i xy01 = _mm512_unpacklo_epi32(z[0], z[1]), zw01 = _mm512_unpackhi_epi32(z[0], z[1]);
    const __m512i xy23 = _mm512_unpacklo_epi32(z[2], z[3]), zw23 = _mm512_unpackhi_epi32(z[2], z[3]);
    r[0][0] = _mm512_unpacklo_epi64(xy01, xy23);
    r[1][0] = _mm512_unpackhi_epi64(xy01, xy23);
    r[2][0] = _mm512_unpacklo_epi64(zw01, zw23);
    r[3][0] = _mm512_unpackhi_epi64(zw01, zw23);
}

/* clang-format on */

#include "fast/simd/little_endian.h"

#endif
