/*
 * What AVX2 and AVX-512 have in common. Part of simd.h. 16 lanes of 16 bits fill one 256-bit register, and words loaded
 * from scattered addresses are combined in such registers.
 */
#ifndef FAST_SIMD_AVX_H
#define FAST_SIMD_AVX_H

#include "fast/simd/bits.h"

#include <immintrin.h>

/* The operations are a table, one line each. */
/* clang-format off */

typedef __m256i part_u16;

static inline __m256i part_u16_splat(uint16_t a) { return _mm256_set1_epi16((short)a); }
static inline __m256i part_u16_add(__m256i a, __m256i b) { return _mm256_add_epi16(a, b); }
static inline __m256i part_u16_sub(__m256i a, __m256i b) { return _mm256_sub_epi16(a, b); }
static inline __m256i part_u16_adds(__m256i a, __m256i b) { return _mm256_adds_epu16(a, b); }
static inline __m256i part_u16_subs(__m256i a, __m256i b) { return _mm256_subs_epu16(a, b); }
static inline __m256i part_u16_mul(__m256i a, __m256i b) { return _mm256_mullo_epi16(a, b); }
static inline __m256i part_u16_mulhi(__m256i a, __m256i b) { return _mm256_mulhi_epu16(a, b); }
static inline __m256i part_u16_min(__m256i a, __m256i b) { return _mm256_min_epu16(a, b); }
static inline __m256i part_u16_max(__m256i a, __m256i b) { return _mm256_max_epu16(a, b); }
static inline __m256i part_u16_and(__m256i a, __m256i b) { return _mm256_and_si256(a, b); }
static inline __m256i part_u16_or(__m256i a, __m256i b) { return _mm256_or_si256(a, b); }
static inline __m256i part_u16_xor(__m256i a, __m256i b) { return _mm256_xor_si256(a, b); }
static inline __m256i part_u16_andnot(__m256i a, __m256i b) { return _mm256_andnot_si256(b, a); }
static inline __m256i part_u16_shl(__m256i a, int n) { return _mm256_sll_epi16(a, _mm_cvtsi32_si128(n)); }
static inline __m256i part_u16_shr(__m256i a, int n) { return _mm256_srl_epi16(a, _mm_cvtsi32_si128(n)); }

static inline __m256i part_u16_load_le(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
static inline void part_u16_store_le(uint8_t *p, __m256i a) { _mm256_storeu_si256((__m256i *)(void *)p, a); }

/* 16 bytes at `p`, and 16 at `p + right`. */
static inline __m256i simd_load_two(const uint8_t *p, size_t right)
{
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low),
                                   _mm_loadu_si128((const __m128i *)(const void *)(p + right)), 1);
}
static inline void simd_store_two(uint8_t *p, size_t right, __m256i a)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(a));
    _mm_storeu_si128((__m128i *)(void *)(p + right), _mm256_extracti128_si256(a, 1));
}

/* table[index[lane]] of 16 lanes. */
static inline void simd_load_16_at(__m256i *low, __m256i *high, const uint32_t *table, const uint32_t *index)
{
    __m128i quarter[4];
    for (int k = 0; k < 4; k++) {
        __m128i four = _mm_cvtsi32_si128((int)table[index[4 * k]]);
        four = _mm_insert_epi32(four, (int)table[index[4 * k + 1]], 1);
        four = _mm_insert_epi32(four, (int)table[index[4 * k + 2]], 2);
        quarter[k] = _mm_insert_epi32(four, (int)table[index[4 * k + 3]], 3);
    }
    *low = _mm256_inserti128_si256(_mm256_castsi128_si256(quarter[0]), quarter[1], 1);
    *high = _mm256_inserti128_si256(_mm256_castsi128_si256(quarter[2]), quarter[3], 1);
}

/* table[index[k]] and table[index[k] + 1] for k = 0, 1: four words. */
static inline __m128i simd_two_pairs(const uint32_t *table, const uint32_t *index)
{
    const __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)(table + index[0]));
    const __m64 *second = (const __m64 *)(const void *)(table + index[1]);
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(first), second));
}

/*
 * The same for k = 0, 1, 4, 5; then one shuffle inside 128-bit lanes separates the first words from the second ones and
 * keeps their order.
 */
static inline __m256i simd_four_pairs(const uint32_t *table, const uint32_t *index)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(simd_two_pairs(table, index)),
                                   simd_two_pairs(table, index + 4), 1);
}

/*
 * The pairs of two rows, first and second words not separated yet: low[half][row] has lanes 0, 1, 4, 5 of that half,
 * high[half][row] lanes 2, 3, 6, 7.
 */
static inline void simd_load_squares_at(__m256 low[2][2], __m256 high[2][2], const uint32_t *table, uint32_t pitch,
                                        const uint32_t *index)
{
    for (int i = 0; i < 2; i++)
        for (int row = 0; row < 2; row++) {
            const uint32_t *const words = table + (row == 0 ? 0 : pitch);
            low[i][row] = _mm256_castsi256_ps(simd_four_pairs(words, index + 8 * i));
            high[i][row] = _mm256_castsi256_ps(simd_four_pairs(words, index + 8 * i + 2));
        }
}

static inline void simd_store_row(uint32_t *out, __m256 row)
{
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_castps_si256(row));
}

/* out[lane * stride + k] = rows[k], for eight lanes. */
static inline void simd_store_columns(uint32_t *out, size_t stride, const __m256 rows[8])
{
    __m256 pairs[8];
    __m256 fours[8];
    for (int k = 0; k < 4; k++) {
        pairs[2 * k] = _mm256_unpacklo_ps(rows[2 * k], rows[2 * k + 1]);
        pairs[2 * k + 1] = _mm256_unpackhi_ps(rows[2 * k], rows[2 * k + 1]);
    }
    for (int k = 0; k < 2; k++) {
        fours[4 * k] = _mm256_shuffle_ps(pairs[4 * k], pairs[4 * k + 2], 0x44);
        fours[4 * k + 1] = _mm256_shuffle_ps(pairs[4 * k], pairs[4 * k + 2], 0xEE);
        fours[4 * k + 2] = _mm256_shuffle_ps(pairs[4 * k + 1], pairs[4 * k + 3], 0x44);
        fours[4 * k + 3] = _mm256_shuffle_ps(pairs[4 * k + 1], pairs[4 * k + 3], 0xEE);
    }
    for (size_t k = 0; k < 4; k++) {
        const __m256 low = _mm256_permute2f128_ps(fours[k], fours[k + 4], 0x20);
        const __m256 high = _mm256_permute2f128_ps(fours[k], fours[k + 4], 0x31);
        simd_store_row(out + k * stride, low);
        simd_store_row(out + (k + 4) * stride, high);
    }
}

/* clang-format on */

#endif
