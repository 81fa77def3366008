/*
 * The vocabulary: lanes of a block, gathers, transposition and the bytes of the guest. Part of simd.h.
 */
#ifndef FAST_SIMD_MEMORY_H
#define FAST_SIMD_MEMORY_H

#include "fast/simd/lanes.h"

/* The operations are a table, one line each. */
/* clang-format off */

/* --------------------------------------------------------------------------------------------- lanes of a 4x4 block */

/* The pixel of the lane inside the block: Morton order, lane bits x0 y0 x1 y1 from the lowest. */
static inline v_i32 v_i32_lane_x(void)
{
    static const int32_t lanes[V_LANES] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};
    return v_i32_load(lanes);
}
static inline v_i32 v_i32_lane_y(void)
{
    static const int32_t lanes[V_LANES] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};
    return v_i32_load(lanes);
}

/* ---------------------------------------------------------------------------------------------------------- gathers */

/* Without optimisation gcc's gathers are macros, with conversions of their own. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* table[index] for lanes of the mask, else `other`; lanes outside the mask touch no memory. 0 <= index < 2^29. */
static inline v_u32 v_u32_gather(v_u32 other, v_mask m, const uint32_t *table, v_i32 index)
{
#if defined(FAST_ISA_AVX512)
    return (v_u32){{_mm512_mask_i32gather_epi32(other.p[0], m.p[0], index.p[0], table, 4)}};
#elif defined(FAST_ISA_AVX2)
    const int *base = (const int *)table;
    v_u32 r;
    V_EACH(r.p[i] = _mm256_mask_i32gather_epi32(other.p[i], base, index.p[i], m.p[i], 4))
    return r;
#else
    uint32_t values[V_LANES];
    int32_t indices[V_LANES];
    const uint32_t bits = v_mask_bits(m);
    v_u32_store(values, other);
    v_i32_store(indices, index);
    for (int lane = 0; lane < V_LANES; lane++)
        if (bits >> lane & 1u)
            values[lane] = table[indices[lane]];
    return v_u32_load(values);
#endif
}

static inline v_f32 v_f32_gather(v_f32 other, v_mask m, const float *table, v_i32 index)
{
#if defined(FAST_ISA_AVX512)
    return (v_f32){{_mm512_mask_i32gather_ps(other.p[0], m.p[0], index.p[0], table, 4)}};
#elif defined(FAST_ISA_AVX2)
    v_f32 r;
    V_EACH(r.p[i] = _mm256_mask_i32gather_ps(other.p[i], table, index.p[i], _mm256_castsi256_ps(m.p[i]), 4))
    return r;
#else
    float values[V_LANES];
    int32_t indices[V_LANES];
    const uint32_t bits = v_mask_bits(m);
    v_f32_store(values, other);
    v_i32_store(indices, index);
    for (int lane = 0; lane < V_LANES; lane++)
        if (bits >> lane & 1u)
            values[lane] = table[indices[lane]];
    return v_f32_load(values);
#endif
}

/* table[index] and table[index + 1] of all lanes: every lane must hold a valid index. */
static inline void v_u32_gather_pair(v_u32 *first, v_u32 *second, const uint32_t *table, v_i32 index)
{
#if defined(FAST_ISA_AVX512)
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    const __m512i low = _mm512_i32gather_epi64(_mm512_castsi512_si256(index.p[0]), table, 4);
    const __m512i high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(index.p[0], 1), table, 4);
    first->p[0] = _mm512_permutex2var_epi32(low, even, high);
    second->p[0] = _mm512_permutex2var_epi32(low, odd, high);
#else
    *first = v_u32_gather(v_u32_splat(0), v_mask_all_lanes(), table, index);
    *second = v_u32_gather(v_u32_splat(0), v_mask_all_lanes(), table + 1, index);
#endif
}

/*
 * table[index[lane]] of all lanes: indices in memory, aligned to 64 bytes and best written long before. On processors
 * with vectors single loads are quicker than a gather, which is a loop inside the processor.
 */
static inline v_u32 v_u32_load_at(const uint32_t *table, const uint32_t *index)
{
#if defined(FAST_ISA_AVX512) || defined(FAST_ISA_AVX2)
    __m128i quarter[4];
    for (int k = 0; k < 4; k++) {
        __m128i four = _mm_cvtsi32_si128((int)table[index[4 * k]]);
        four = _mm_insert_epi32(four, (int)table[index[4 * k + 1]], 1);
        four = _mm_insert_epi32(four, (int)table[index[4 * k + 2]], 2);
        quarter[k] = _mm_insert_epi32(four, (int)table[index[4 * k + 3]], 3);
    }
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(quarter[0]), quarter[1], 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(quarter[2]), quarter[3], 1);
#if defined(FAST_ISA_AVX512)
    return (v_u32){{_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)}};
#else
    return (v_u32){{low, high}};
#endif
#else
    uint32_t values[V_LANES];
    for (int lane = 0; lane < V_LANES; lane++)
        values[lane] = table[index[lane]];
    return v_u32_load(values);
#endif
}

#if defined(FAST_ISA_AVX512) || defined(FAST_ISA_AVX2)
/* table[index[k]] and table[index[k] + 1] of k = 0, 1: four words. */
static inline __m128i simd_two_pairs(const uint32_t *table, const uint32_t *index)
{
    const __m128i first = _mm_loadl_epi64((const __m128i *)(const void *)(table + index[0]));
    const __m64 *second = (const __m64 *)(const void *)(table + index[1]);
    return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(first), second));
}

/* The same of k = 0, 1, 4, 5: then one shuffle inside of 128-bit lanes parts first from second words, in order. */
static inline __m256i simd_four_pairs(const uint32_t *table, const uint32_t *index)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(simd_two_pairs(table, index)),
                                   simd_two_pairs(table, index + 4), 1);
}
#endif

/* The same for table[index] and table[index + 1]. */
static inline void v_u32_load_pairs_at(v_u32 *first, v_u32 *second, const uint32_t *table, const uint32_t *index)
{
#if defined(FAST_ISA_AVX512)
    const __m512 low = _mm512_castsi512_ps(_mm512_inserti64x4(
        _mm512_castsi256_si512(simd_four_pairs(table, index)), simd_four_pairs(table, index + 8), 1));
    const __m512 high = _mm512_castsi512_ps(_mm512_inserti64x4(
        _mm512_castsi256_si512(simd_four_pairs(table, index + 2)), simd_four_pairs(table, index + 10), 1));
    first->p[0] = _mm512_castps_si512(_mm512_shuffle_ps(low, high, 0x88));
    second->p[0] = _mm512_castps_si512(_mm512_shuffle_ps(low, high, 0xDD));
#elif defined(FAST_ISA_AVX2)
    for (int i = 0; i < V_PARTS; i++) {
        const __m256 low = _mm256_castsi256_ps(simd_four_pairs(table, index + 8 * i));
        const __m256 high = _mm256_castsi256_ps(simd_four_pairs(table, index + 8 * i + 2));
        first->p[i] = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
        second->p[i] = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xDD));
    }
#else
    *first = v_u32_load_at(table, index);
    *second = v_u32_load_at(table + 1, index);
#endif
}

/* The same as bits of f32. */
static inline void v_f32_load_pairs_at(v_f32 *first, v_f32 *second, const uint32_t *table, const uint32_t *index)
{
    v_u32 bits[2];
    v_u32_load_pairs_at(&bits[0], &bits[1], table, index);
    *first = v_f32_from_bits(bits[0]);
    *second = v_f32_from_bits(bits[1]);
}

/* The pairs of two rows, the second `pitch` words after the first: each index is loaded once. */
static inline void v_u32_load_squares_at(v_u32 first[2], v_u32 second[2], const uint32_t *table, uint32_t pitch,
                                         const uint32_t *index)
{
#if defined(FAST_ISA_AVX512) || defined(FAST_ISA_AVX2)
    __m256 low[2][2];
    __m256 high[2][2];
    for (int i = 0; i < 2; i++)
        for (int row = 0; row < 2; row++) {
            const uint32_t *const words = table + (row == 0 ? 0 : pitch);
            low[i][row] = _mm256_castsi256_ps(simd_four_pairs(words, index + 8 * i));
            high[i][row] = _mm256_castsi256_ps(simd_four_pairs(words, index + 8 * i + 2));
        }
    for (int row = 0; row < 2; row++) {
#if defined(FAST_ISA_AVX512)
        const __m512 lows = _mm512_insertf32x8(_mm512_castps256_ps512(low[0][row]), low[1][row], 1);
        const __m512 highs = _mm512_insertf32x8(_mm512_castps256_ps512(high[0][row]), high[1][row], 1);
        first[row].p[0] = _mm512_castps_si512(_mm512_shuffle_ps(lows, highs, 0x88));
        second[row].p[0] = _mm512_castps_si512(_mm512_shuffle_ps(lows, highs, 0xDD));
#else
        for (int i = 0; i < 2; i++) {
            first[row].p[i] = _mm256_castps_si256(_mm256_shuffle_ps(low[i][row], high[i][row], 0x88));
            second[row].p[i] = _mm256_castps_si256(_mm256_shuffle_ps(low[i][row], high[i][row], 0xDD));
        }
#endif
    }
#else
    for (uint32_t row = 0; row < 2u; row++)
        v_u32_load_pairs_at(&first[row], &second[row], table + row * pitch, index);
#endif
}

#pragma GCC diagnostic pop

/* --------------------------------------------------------------------------------------------------- transposition */

/* out[lane * stride + k] = rows[k] lane by lane, for k < 8: eight columns of 16 rows of an array. */
#if defined(FAST_ISA_AVX2) || defined(FAST_ISA_AVX512)
static inline void part_store_row(uint32_t *out, __m256 row)
{
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_castps_si256(row));
}

static inline void part_store_columns(uint32_t *out, size_t stride, const __m256 rows[8])
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
        part_store_row(out + k * stride, low);
        part_store_row(out + (k + 4) * stride, high);
    }
}
#endif

static inline void v_u32_store_columns(uint32_t *out, size_t stride, const v_u32 rows[8])
{
#if defined(FAST_ISA_AVX2) || defined(FAST_ISA_AVX512)
    __m256 low[8];
    __m256 high[8];
    for (int k = 0; k < 8; k++) {
#if defined(FAST_ISA_AVX512)
        low[k] = _mm256_castsi256_ps(_mm512_castsi512_si256(rows[k].p[0]));
        high[k] = _mm256_castsi256_ps(_mm512_extracti64x4_epi64(rows[k].p[0], 1));
#else
        low[k] = _mm256_castsi256_ps(rows[k].p[0]);
        high[k] = _mm256_castsi256_ps(rows[k].p[1]);
#endif
    }
    part_store_columns(out, stride, low);
    part_store_columns(out + 8 * stride, stride, high);
#else
    for (size_t k = 0; k < 8; k++) {
        uint32_t lanes[V_LANES];
        v_u32_store(lanes, rows[k]);
        for (size_t lane = 0; lane < V_LANES; lane++)
            out[lane * stride + k] = lanes[lane];
    }
#endif
}

/* --------------------------------------------------------------------------------------- guest bytes, little-endian */

static inline v_u32 v_u32_load_le(const uint8_t *bytes)
{
    v_u32 r;
#if defined(FAST_ISA_AVX512)
    r.p[0] = _mm512_loadu_si512(bytes);
#elif defined(FAST_ISA_AVX2)
    V_EACH(r.p[i] = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 32 * i)))
#elif defined(FAST_ISA_NEON)
    V_EACH(r.p[i] = vreinterpretq_u32_u8(vld1q_u8(bytes + 16 * i)))
#else
    V_EACH(const uint8_t *at = bytes + 4 * i;
           r.p[i] = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24)
#endif
    return r;
}

static inline void v_u32_store_le(uint8_t *bytes, v_u32 a)
{
#if defined(FAST_ISA_AVX512)
    _mm512_storeu_si512(bytes, a.p[0]);
#elif defined(FAST_ISA_AVX2)
    V_EACH(_mm256_storeu_si256((__m256i *)(void *)(bytes + 32 * i), a.p[i]))
#elif defined(FAST_ISA_NEON)
    V_EACH(vst1q_u8(bytes + 16 * i, vreinterpretq_u8_u32(a.p[i])))
#else
    V_EACH(uint8_t *at = bytes + 4 * i; at[0] = (uint8_t)(a.p[i] & 0xFFu); at[1] = (uint8_t)(a.p[i] >> 8 & 0xFFu);
           at[2] = (uint8_t)(a.p[i] >> 16 & 0xFFu); at[3] = (uint8_t)(a.p[i] >> 24))
#endif
}

static inline v_u16 v_u16_load_le(const uint8_t *bytes)
{
    v_u16 r;
#if defined(FAST_ISA_AVX512) || defined(FAST_ISA_AVX2)
    r.p[0] = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
#elif defined(FAST_ISA_NEON)
    V_EACH16(r.p[i] = vreinterpretq_u16_u8(vld1q_u8(bytes + 16 * i)))
#else
    V_EACH16(r.p[i] = (uint16_t)(bytes[2 * i] | bytes[2 * i + 1] << 8))
#endif
    return r;
}

static inline void v_u16_store_le(uint8_t *bytes, v_u16 a)
{
#if defined(FAST_ISA_AVX512) || defined(FAST_ISA_AVX2)
    _mm256_storeu_si256((__m256i *)(void *)bytes, a.p[0]);
#elif defined(FAST_ISA_NEON)
    V_EACH16(vst1q_u8(bytes + 16 * i, vreinterpretq_u8_u16(a.p[i])))
#else
    V_EACH16(bytes[2 * i] = (uint8_t)(a.p[i] & 0xFFu); bytes[2 * i + 1] = (uint8_t)(a.p[i] >> 8))
#endif
}

/* Lane i: the four bytes at bytes + offsets[i], little-endian. offsets < 2^31. */
static inline v_u32 v_u32_gather_le(const uint8_t *bytes, const uint32_t offsets[V_LANES])
{
#if defined(FAST_ISA_AVX512)
    return (v_u32){{_mm512_i32gather_epi32(_mm512_loadu_si512(offsets), bytes, 1)}};
#elif defined(FAST_ISA_AVX2)
    const int *base = (const int *)(const void *)bytes;
    v_u32 r;
    V_EACH(r.p[i] = _mm256_i32gather_epi32(base, part_u32_load(offsets + 8 * i), 1))
    return r;
#else
    uint32_t values[V_LANES];
    for (int lane = 0; lane < V_LANES; lane++) {
        const uint8_t *at = bytes + offsets[lane];
        values[lane] = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    return v_u32_load(values);
#endif
}

/* Lane i of r[k]: the four bytes at bytes + offsets[i] + 4 * k: 16 loads and a transposition. */
static inline void v_u32_gather4_le(v_u32 r[4], const uint8_t *bytes, const uint32_t offsets[V_LANES])
{
#if defined(FAST_ISA_AVX512)
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
    r[0].p[0] = _mm512_unpacklo_epi64(xy01, xy23);
    r[1].p[0] = _mm512_unpackhi_epi64(xy01, xy23);
    r[2].p[0] = _mm512_unpacklo_epi64(zw01, zw23);
    r[3].p[0] = _mm512_unpackhi_epi64(zw01, zw23);
#elif defined(FAST_ISA_AVX2)
    for (int i = 0; i < V_PARTS; i++) {
        __m256i z[4]; /* z[k]: vertices k, 4 + k of this half */
        for (int k = 0; k < 4; k++) {
            const __m128i *low = (const __m128i *)(const void *)(bytes + offsets[8 * i + k]);
            const __m128i *high = (const __m128i *)(const void *)(bytes + offsets[8 * i + 4 + k]);
            z[k] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
        }
        const __m256i xy01 = _mm256_unpacklo_epi32(z[0], z[1]), zw01 = _mm256_unpackhi_epi32(z[0], z[1]);
        const __m256i xy23 = _mm256_unpacklo_epi32(z[2], z[3]), zw23 = _mm256_unpackhi_epi32(z[2], z[3]);
        r[0].p[i] = _mm256_unpacklo_epi64(xy01, xy23);
        r[1].p[i] = _mm256_unpackhi_epi64(xy01, xy23);
        r[2].p[i] = _mm256_unpacklo_epi64(zw01, zw23);
        r[3].p[i] = _mm256_unpackhi_epi64(zw01, zw23);
    }
#elif defined(FAST_ISA_NEON)
    for (int i = 0; i < V_PARTS; i++) {
        uint32x4_t z[4];
        for (int k = 0; k < 4; k++)
            z[k] = vreinterpretq_u32_u8(vld1q_u8(bytes + offsets[4 * i + k]));
        const uint32x4_t xy02 = vzip1q_u32(z[0], z[2]), zw02 = vzip2q_u32(z[0], z[2]);
        const uint32x4_t xy13 = vzip1q_u32(z[1], z[3]), zw13 = vzip2q_u32(z[1], z[3]);
        r[0].p[i] = vzip1q_u32(xy02, xy13);
        r[1].p[i] = vzip2q_u32(xy02, xy13);
        r[2].p[i] = vzip1q_u32(zw02, zw13);
        r[3].p[i] = vzip2q_u32(zw02, zw13);
    }
#else
    for (int k = 0; k < 4; k++)
        r[k] = v_u32_gather_le(bytes + 4 * k, offsets);
#endif
}

/* The same for four consecutive floats of the host: lane i of r[k] is table[indices[i] + k]. */
static inline void v_f32_gather4(v_f32 r[4], const float *table, const uint32_t indices[V_LANES])
{
#if defined(FAST_ISA_SCALAR)
    for (int k = 0; k < 4; k++)
        for (int lane = 0; lane < V_LANES; lane++)
            r[k].p[lane] = table[indices[lane] + (uint32_t)k];
#else
    uint32_t offsets[V_LANES];
    v_u32 bits[4];
    v_u32_store(offsets, v_u32_shl(v_u32_load(indices), 2));
    v_u32_gather4_le(bits, (const uint8_t *)(const void *)table, offsets);
    for (int k = 0; k < 4; k++)
        r[k] = v_f32_from_bits(bits[k]);
#endif
}

/* 16 values of three bytes (48 bytes in all). */
static inline v_u32 v_u32_load24_le(const uint8_t *bytes)
{
    uint32_t values[V_LANES];
    for (int lane = 0; lane < V_LANES; lane++) {
        const uint8_t *at = bytes + 3 * lane;
        values[lane] = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    }
    return v_u32_load(values);
}

/* The low 24 bits of each lane. */
static inline void v_u32_store24_le(uint8_t *bytes, v_u32 a)
{
    uint32_t values[V_LANES];
    v_u32_store(values, a);
    for (int lane = 0; lane < V_LANES; lane++) {
        uint8_t *at = bytes + 3 * lane;
        at[0] = (uint8_t)(values[lane] & 0xFFu);
        at[1] = (uint8_t)(values[lane] >> 8 & 0xFFu);
        at[2] = (uint8_t)(values[lane] >> 16 & 0xFFu);
    }
}

/* clang-format on */

#endif
