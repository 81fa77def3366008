/*
 * The parts of AVX2: two registers make a vector of 16 lanes. Part of simd.h, which says what a part is.
 */
#ifndef FAST_SIMD_AVX2_H
#define FAST_SIMD_AVX2_H

#define FAST_ISA_SUFFIXED(name) name##_avx2

#include "fast/simd/avx.h"

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
static inline __m256i part_i32_floor(__m256 a) { return _mm256_cvttps_epi32(_mm256_floor_ps(a)); }
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

/* Operations on both 16-bit halves of each 32-bit lane at once. */
static inline __m256i part_u16x2_mul(__m256i a, __m256i b) { return _mm256_mullo_epi16(a, b); }
static inline __m256i part_u16x2_add(__m256i a, __m256i b) { return _mm256_add_epi16(a, b); }
static inline __m256i part_u16x2_sub(__m256i a, __m256i b) { return _mm256_sub_epi16(a, b); }
static inline __m256i part_u16x2_adds(__m256i a, __m256i b) { return _mm256_adds_epu16(a, b); }
static inline __m256i part_u16x2_subs(__m256i a, __m256i b) { return _mm256_subs_epu16(a, b); }
static inline __m256i part_u16x2_mulhi(__m256i a, __m256i b) { return _mm256_mulhi_epu16(a, b); }
static inline __m256i part_u16x2_min(__m256i a, __m256i b) { return _mm256_min_epu16(a, b); }
static inline __m256i part_u16x2_adds_bytes(__m256i a, __m256i b) { return _mm256_adds_epu8(a, b); }
static inline __m256i part_u16x2_blend(__m256i low, __m256i high) { return _mm256_blend_epi16(low, high, 0xAA); }
static inline __m256i part_u16x2_shr(__m256i a, int n) { return _mm256_srl_epi16(a, _mm_cvtsi32_si128(n)); }
static inline void parts_i16x2_dot(__m256i r[2], const __m256i a[2], const __m256i b[2])
{
    V_EACH(r[i] = _mm256_madd_epi16(a[i], b[i]))
}
static inline bool parts_u16x2_any_lacks(const __m256i a[2], uint16_t bits)
{
    const __m256i wanted = _mm256_set1_epi16((short)bits);
    const __m256i least = _mm256_min_epu16(_mm256_and_si256(a[0], wanted), _mm256_and_si256(a[1], wanted));
    return _mm256_movemask_epi8(_mm256_cmpeq_epi16(least, _mm256_setzero_si256())) != 0;
}

static inline void parts_u32_from_u16(__m256i r[2], const __m256i a[1])
{
    r[0] = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(a[0]));
    r[1] = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(a[0], 1));
}
static inline void parts_u16_from_u32(__m256i r[1], const __m256i a[2])
{
    const __m256i low = _mm256_and_si256(a[0], _mm256_set1_epi32(0xFFFF));
    const __m256i high = _mm256_and_si256(a[1], _mm256_set1_epi32(0xFFFF));
    r[0] = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xD8);
}

static inline __m128 simd_quarter_affine(__m128i x, __m128i y, double origin, double across, double along)
{
    const __m256d sum = _mm256_add_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(x), _mm256_set1_pd(across)),
                                      _mm256_mul_pd(_mm256_cvtepi32_pd(y), _mm256_set1_pd(along)));
    return _mm256_cvtpd_ps(_mm256_add_pd(_mm256_set1_pd(origin), sum));
}
static inline void parts_f32_affine(__m256 r[2], const __m256i x[2], const __m256i y[2], double origin, double across,
                                    double along)
{
    for (int i = 0; i < V_PARTS; i++) {
        const __m128 low = simd_quarter_affine(_mm256_castsi256_si128(x[i]), _mm256_castsi256_si128(y[i]), origin,
                                               across, along);
        const __m128 high = simd_quarter_affine(_mm256_extracti128_si256(x[i], 1), _mm256_extracti128_si256(y[i], 1),
                                                origin, across, along);
        r[i] = _mm256_set_m128(high, low);
    }
}

/* Without optimisation gcc's gathers are macros that convert signs themselves. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

static inline __m256i part_u32_gather(__m256i other, __m256i m, const uint32_t *table, __m256i index)
{
    return _mm256_mask_i32gather_epi32(other, (const int *)table, index, m, 4);
}
static inline __m256 part_f32_gather(__m256 other, __m256i m, const float *table, __m256i index)
{
    return _mm256_mask_i32gather_ps(other, table, index, _mm256_castsi256_ps(m), 4);
}
static inline __m256 part_f32_lookup32(const float *table, __m256i index)
{
    return _mm256_i32gather_ps(table, index, 4);
}
static inline __m256i part_u32_gather_le(const uint8_t *bytes, const uint32_t *offsets)
{
    return _mm256_i32gather_epi32((const int *)(const void *)bytes, part_u32_load(offsets), 1);
}

#pragma GCC diagnostic pop

static inline void parts_u32_gather_pair(__m256i first[2], __m256i second[2], const uint32_t *table,
                                         const __m256i index[2])
{
    const __m256i all = _mm256_set1_epi32(-1);
    V_EACH(first[i] = part_u32_gather(_mm256_setzero_si256(), all, table, index[i]))
    V_EACH(second[i] = part_u32_gather(_mm256_setzero_si256(), all, table + 1, index[i]))
}
static inline void parts_u32_load_at(__m256i r[2], const uint32_t *table, const uint32_t *index)
{
    simd_load_16_at(&r[0], &r[1], table, index);
}
static inline void parts_u32_load_pairs_at(__m256i first[2], __m256i second[2], const uint32_t *table,
                                           const uint32_t *index)
{
    for (int i = 0; i < V_PARTS; i++) {
        const __m256 low = _mm256_castsi256_ps(simd_four_pairs(table, index + 8 * i));
        const __m256 high = _mm256_castsi256_ps(simd_four_pairs(table, index + 8 * i + 2));
        first[i] = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
        second[i] = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xDD));
    }
}
static inline void parts_u32_load_squares_at(__m256i *const first[2], __m256i *const second[2], const uint32_t *table,
                                             uint32_t pitch, const uint32_t *index)
{
    __m256 low[2][2];
    __m256 high[2][2];
    simd_load_squares_at(low, high, table, pitch, index);
    for (int row = 0; row < 2; row++)
        for (int i = 0; i < 2; i++) {
            first[row][i] = _mm256_castps_si256(_mm256_shuffle_ps(low[i][row], high[i][row], 0x88));
            second[row][i] = _mm256_castps_si256(_mm256_shuffle_ps(low[i][row], high[i][row], 0xDD));
        }
}

static inline void parts_u32_store_columns(uint32_t *out, size_t stride, const __m256i *const rows[8])
{
    __m256 low[8];
    __m256 high[8];
    for (int k = 0; k < 8; k++) {
        low[k] = _mm256_castsi256_ps(rows[k][0]);
        high[k] = _mm256_castsi256_ps(rows[k][1]);
    }
    simd_store_columns(out, stride, low);
    simd_store_columns(out + 8 * stride, stride, high);
}

static inline __m256i part_u32_load_le(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
static inline void part_u32_store_le(uint8_t *p, __m256i a) { _mm256_storeu_si256((__m256i *)(void *)p, a); }
static inline void parts_u32_load_quads_le(__m256i r[2], const uint8_t *p, size_t right, size_t down)
{
    for (int i = 0; i < V_PARTS; i++)
        r[i] = simd_load_two(p + (size_t)i * down, right);
}
static inline void parts_u32_store_quads_le(uint8_t *p, size_t right, size_t down, const __m256i a[2])
{
    for (int i = 0; i < V_PARTS; i++)
        simd_store_two(p + (size_t)i * down, right, a[i]);
}
static inline void parts_u32_gather4_le(__m256i *const r[4], const uint8_t *bytes, const uint32_t *offsets)
{
    for (int i = 0; i < V_PARTS; i++) {
        __m256i z[4]; /* z[k]: vertices k, 4 + k of this half */
        for (int k = 0; k < 4; k++) {
            const __m128i *low = (const __m128i *)(const void *)(bytes + offsets[8 * i + k]);
            const __m128i *high = (const __m128i *)(const void *)(bytes + offsets[8 * i + 4 + k]);
            z[k] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
        }
        const __m256i xy01 = _mm256_unpacklo_epi32(z[0], z[1]), zw01 = _mm256_unpackhi_epi32(z[0], z[1]);
        const __m256i xy23 = _mm256_unpacklo_epi32(z[2], z[3]), zw23 = _mm256_unpackhi_epi32(z[2], z[3]);
        r[0][i] = _mm256_unpacklo_epi64(xy01, xy23);
        r[1][i] = _mm256_unpackhi_epi64(xy01, xy23);
        r[2][i] = _mm256_unpacklo_epi64(zw01, zw23);
        r[3][i] = _mm256_unpackhi_epi64(zw01, zw23);
    }
}

/* clang-format on */

#include "fast/simd/little_endian.h"

#endif
