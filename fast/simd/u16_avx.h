/*
 * 16-bit lanes of AVX2 and AVX-512 alike: 16 of them fill one register of 256 bits. Part of simd.h.
 */
#ifndef FAST_SIMD_U16_AVX_H
#define FAST_SIMD_U16_AVX_H

#include <immintrin.h>
#include <stdint.h>

/* The operations are a table, one line each. */
/* clang-format off */

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

/* clang-format on */

#endif
