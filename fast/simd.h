/*
 * The vector vocabulary of the kernels. Every vector has 16 lanes on every instruction set, so a kernel has no lane
 * loops and no tails: it handles the 16 pixels of a 4x4 block. Intrinsics live in this file and nowhere else.
 *
 * A file that includes this header is compiled once per instruction set, with one of the macros FAST_ISA_SCALAR,
 * FAST_ISA_AVX2, FAST_ISA_AVX512, FAST_ISA_NEON defined by the build; FAST_ISA(name) is then the name with a suffix.
 *
 * Reading order: the vocabulary is in the second half. The first half defines, per instruction set, one register
 * ("part") and the operations on it; V_LIFT1..3 turn such an operation into one on 16 lanes.
 *
 * Arithmetic. GEN-01, ITP-01: each f32 operation is one IEEE operation, nothing is fused, subnormals are kept. A NaN
 * result has any sign and payload (GEN-02). Integer operations wrap. Lanes that are switched off may hold anything: no
 * operation has undefined behaviour for any input.
 */
#ifndef FAST_SIMD_H
#define FAST_SIMD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(FAST_ISA_SCALAR)
#define FAST_ISA_PLAIN(name) name##_scalar
#elif defined(FAST_ISA_AVX2)
#include <immintrin.h>
#define FAST_ISA_PLAIN(name) name##_avx2
#elif defined(FAST_ISA_AVX512)
#include <immintrin.h>
#define FAST_ISA_PLAIN(name) name##_avx512
#elif defined(FAST_ISA_NEON)
#include <arm_neon.h>
#define FAST_ISA_PLAIN(name) name##_neon
#else
#error "define one of FAST_ISA_SCALAR, FAST_ISA_AVX2, FAST_ISA_AVX512, FAST_ISA_NEON"
#endif

/* Every set once more with FAST_TRACED, for traced draws (fast/trace.h): hooks ask for the constant FAST_TRACING. */
#if defined(FAST_TRACED)
#define FAST_ISA_TRACED(name)   name##_traced
#define FAST_ISA_EXPANDED(name) FAST_ISA_TRACED(name)
#define FAST_ISA(name)          FAST_ISA_EXPANDED(FAST_ISA_PLAIN(name))
enum {
    FAST_TRACING = 1
};
#else
#define FAST_ISA(name) FAST_ISA_PLAIN(name)
enum {
    FAST_TRACING = 0
};
#endif

/* The operations below are a table, one line each. */
/* clang-format off */

enum { V_LANES = 16 };

static inline float simd_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int32_t simd_i32_from_bits(uint32_t bits)
{
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t simd_bits_from_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ============================================================================================= parts: scalar ====== */
#if defined(FAST_ISA_SCALAR)

#define V_EACH(statement)                \
    for (int i = 0; i < V_LANES; i++) { \
        statement;                       \
    }
#define V_EACH16(statement) V_EACH(statement)

typedef float part_f32;
typedef int32_t part_i32;
typedef uint32_t part_u32;
typedef uint32_t part_mask; /* 0 or all ones */
typedef uint16_t part_u16;
enum { V_PARTS = 16, V_PART_LANES = 1, V_PARTS16 = 16, V_PART16_LANES = 1 };

static inline uint32_t part_mask_if(bool condition)
{
    return condition ? UINT32_MAX : 0u;
}

static inline float part_f32_splat(float a) { return a; }
static inline float part_f32_load(const float *p) { return *p; }
static inline void part_f32_store(float *p, float a) { *p = a; }
static inline float part_f32_add(float a, float b) { return a + b; }
static inline float part_f32_sub(float a, float b) { return a - b; }
static inline float part_f32_mul(float a, float b) { return a * b; }
static inline float part_f32_div(float a, float b) { return a / b; }
static inline float part_f32_sqrt(float a) { return sqrtf(a); }
static inline float part_f32_floor(float a) { return floorf(a); }
static inline float part_f32_lesser(float a, float b) { return a < b ? a : b; }
static inline float part_f32_greater(float a, float b) { return a > b ? a : b; }
static inline uint32_t part_f32_eq(float a, float b) { return part_mask_if(a == b); }
static inline uint32_t part_f32_ne(float a, float b) { return part_mask_if(a != b); }
static inline uint32_t part_f32_lt(float a, float b) { return part_mask_if(a < b); }
static inline uint32_t part_f32_le(float a, float b) { return part_mask_if(a <= b); }
static inline uint32_t part_mask_and_ordered(uint32_t m, float a, float b)
{
    return part_mask_if(m != 0 && a == a && b == b);
}
static inline float part_f32_select(uint32_t m, float a, float b) { return m ? a : b; }
static inline float part_f32_from_i32(int32_t a) { return (float)a; }
static inline float part_f32_from_bits(uint32_t a) { return simd_f32_from_bits(a); }
static inline uint32_t part_u32_from_f32_bits(float a) { return simd_bits_from_f32(a); }
static inline int32_t part_i32_trunc(float a)
{
    return a > -2147483648.0f && a < 2147483648.0f ? (int32_t)a : INT32_MIN;
}
static inline int32_t part_i32_from_u32(uint32_t a)
{
    int32_t r;
    memcpy(&r, &a, sizeof r);
    return r;
}
static inline uint32_t part_u32_from_i32(int32_t a) { return (uint32_t)a; }

static inline uint32_t part_u32_splat(uint32_t a) { return a; }
static inline uint32_t part_u32_load(const uint32_t *p) { return *p; }
static inline void part_u32_store(uint32_t *p, uint32_t a) { *p = a; }
static inline uint32_t part_u32_add(uint32_t a, uint32_t b) { return a + b; }
static inline uint32_t part_u32_sub(uint32_t a, uint32_t b) { return a - b; }
static inline uint32_t part_u32_mul(uint32_t a, uint32_t b) { return a * b; }
static inline uint32_t part_u32_and(uint32_t a, uint32_t b) { return a & b; }
static inline uint32_t part_u32_or(uint32_t a, uint32_t b) { return a | b; }
static inline uint32_t part_u32_xor(uint32_t a, uint32_t b) { return a ^ b; }
static inline uint32_t part_u32_andnot(uint32_t a, uint32_t b) { return a & ~b; }
static inline uint32_t part_u32_shl(uint32_t a, int n) { return a << n; }
static inline uint32_t part_u32_shr(uint32_t a, int n) { return a >> n; }
static inline int32_t part_i32_shr(int32_t a, int n)
{
    return part_i32_from_u32(a < 0 ? ~(~(uint32_t)a >> n) : (uint32_t)a >> n);
}
static inline uint32_t part_u32_eq(uint32_t a, uint32_t b) { return part_mask_if(a == b); }
static inline uint32_t part_u32_lt(uint32_t a, uint32_t b) { return part_mask_if(a < b); }
static inline uint32_t part_i32_lt(int32_t a, int32_t b) { return part_mask_if(a < b); }
static inline uint32_t part_u32_min(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t part_u32_max(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline int32_t part_i32_min(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t part_i32_max(int32_t a, int32_t b) { return a > b ? a : b; }
static inline uint32_t part_u32_select(uint32_t m, uint32_t a, uint32_t b) { return m ? a : b; }

static inline uint32_t part_mask_and(uint32_t a, uint32_t b) { return a & b; }
static inline uint32_t part_mask_or(uint32_t a, uint32_t b) { return a | b; }
static inline uint32_t part_mask_xor(uint32_t a, uint32_t b) { return a ^ b; }
static inline uint32_t part_mask_andnot(uint32_t a, uint32_t b) { return a & ~b; }
static inline uint32_t part_mask_from_bits(uint32_t bits, int part) { return part_mask_if((bits >> part & 1u) != 0); }
static inline uint32_t part_mask_bits(uint32_t m) { return m & 1u; }

static inline uint16_t part_u16_splat(uint16_t a) { return a; }
static inline uint16_t part_u16_add(uint16_t a, uint16_t b) { return (uint16_t)(a + b); }
static inline uint16_t part_u16_sub(uint16_t a, uint16_t b) { return (uint16_t)(a - b); }
static inline uint16_t part_u16_adds(uint16_t a, uint16_t b) { return (uint16_t)(a + b > 0xFFFF ? 0xFFFF : a + b); }
static inline uint16_t part_u16_subs(uint16_t a, uint16_t b) { return (uint16_t)(a < b ? 0 : a - b); }
static inline uint16_t part_u16_mul(uint16_t a, uint16_t b) { return (uint16_t)((uint32_t)a * b); }
static inline uint16_t part_u16_mulhi(uint16_t a, uint16_t b) { return (uint16_t)((uint32_t)a * b >> 16); }
static inline uint16_t part_u16_min(uint16_t a, uint16_t b) { return a < b ? a : b; }
static inline uint16_t part_u16_max(uint16_t a, uint16_t b) { return a > b ? a : b; }
static inline uint16_t part_u16_and(uint16_t a, uint16_t b) { return a & b; }
static inline uint16_t part_u16_or(uint16_t a, uint16_t b) { return a | b; }
static inline uint16_t part_u16_xor(uint16_t a, uint16_t b) { return a ^ b; }
static inline uint16_t part_u16_andnot(uint16_t a, uint16_t b) { return (uint16_t)(a & ~b); }
static inline uint16_t part_u16_shl(uint16_t a, int n) { return (uint16_t)((uint32_t)a << n); }
static inline uint16_t part_u16_shr(uint16_t a, int n) { return (uint16_t)(a >> n); }

/* ============================================================================================= parts: AVX2 ======== */
#elif defined(FAST_ISA_AVX2)

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

/* ============================================================================================= parts: AVX-512 ===== */
#elif defined(FAST_ISA_AVX512)

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

/* ============================================================================================= parts: NEON ======== */
#elif defined(FAST_ISA_NEON)

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

#endif

/* 16-bit lanes: AVX2 and AVX-512 share one 256-bit register. */
#if defined(FAST_ISA_AVX2) || defined(FAST_ISA_AVX512)

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

#endif

/* ==================================================================================================================
 * The vocabulary
 */

typedef struct {
    part_f32 p[V_PARTS];
} v_f32;
typedef struct {
    part_i32 p[V_PARTS];
} v_i32;
typedef struct {
    part_u32 p[V_PARTS];
} v_u32;
typedef struct {
    part_mask p[V_PARTS];
} v_mask;
typedef struct {
    part_u16 p[V_PARTS16];
} v_u16;

#define V_LIFT1(R, name, A, operation)    \
    static inline R name(A a)             \
    {                                     \
        R r;                              \
        V_EACH(r.p[i] = operation(a.p[i])) \
        return r;                         \
    }
#define V_LIFT2(R, name, A, B, operation)          \
    static inline R name(A a, B b)                 \
    {                                              \
        R r;                                       \
        V_EACH(r.p[i] = operation(a.p[i], b.p[i])) \
        return r;                                  \
    }
#define V_LIFT3(R, name, A, B, C, operation)               \
    static inline R name(A a, B b, C c)                    \
    {                                                      \
        R r;                                               \
        V_EACH(r.p[i] = operation(a.p[i], b.p[i], c.p[i])) \
        return r;                                          \
    }
/* Shifts by one amount for all lanes. */
#define V_LIFT_SHIFT(R, name, operation)     \
    static inline R name(R a, int n)         \
    {                                        \
        R r;                                 \
        V_EACH(r.p[i] = operation(a.p[i], n)) \
        return r;                            \
    }
#define V_LIFT_U16(name, operation)                  \
    static inline v_u16 name(v_u16 a, v_u16 b)       \
    {                                                \
        v_u16 r;                                     \
        V_EACH16(r.p[i] = operation(a.p[i], b.p[i])) \
        return r;                                    \
    }
#define V_LIFT_SHIFT_U16(name, operation)       \
    static inline v_u16 name(v_u16 a, int n)    \
    {                                           \
        v_u16 r;                                \
        V_EACH16(r.p[i] = operation(a.p[i], n)) \
        return r;                               \
    }

/* ------------------------------------------------------------------------------------------------------------ masks */

static inline v_mask v_mask_from_bits(uint32_t bits)
{
    v_mask r;
    V_EACH(r.p[i] = part_mask_from_bits(bits, i))
    return r;
}

/* Bit n = lane n. */
static inline uint32_t v_mask_bits(v_mask a)
{
    uint32_t r = 0;
    V_EACH(r |= part_mask_bits(a.p[i]) << (i * V_PART_LANES))
    return r;
}

static inline v_mask v_mask_none(void) { return v_mask_from_bits(0); }
static inline v_mask v_mask_all_lanes(void) { return v_mask_from_bits(0xFFFFu); }
static inline bool v_mask_any(v_mask a) { return v_mask_bits(a) != 0; }

V_LIFT2(v_mask, v_mask_and, v_mask, v_mask, part_mask_and)
V_LIFT2(v_mask, v_mask_or, v_mask, v_mask, part_mask_or)
V_LIFT2(v_mask, v_mask_xor, v_mask, v_mask, part_mask_xor)
V_LIFT2(v_mask, v_mask_andnot, v_mask, v_mask, part_mask_andnot) /* a and not b */
static inline v_mask v_mask_not(v_mask a) { return v_mask_xor(a, v_mask_all_lanes()); }
/* The same answer for all lanes. */
static inline v_mask v_mask_if(bool condition) { return v_mask_from_bits(condition ? 0xFFFFu : 0u); }

/* -------------------------------------------------------------------------------------------------------------- f32 */

static inline v_f32 v_f32_splat(float a)
{
    v_f32 r;
    V_EACH(r.p[i] = part_f32_splat(a))
    return r;
}

/* No alignment needed. */
static inline v_f32 v_f32_load(const float *source)
{
    v_f32 r;
    V_EACH(r.p[i] = part_f32_load(source + i * V_PART_LANES))
    return r;
}

static inline void v_f32_store(float *target, v_f32 a)
{
    V_EACH(part_f32_store(target + i * V_PART_LANES, a.p[i]))
}

V_LIFT2(v_f32, v_f32_add, v_f32, v_f32, part_f32_add)
V_LIFT2(v_f32, v_f32_sub, v_f32, v_f32, part_f32_sub)
V_LIFT2(v_f32, v_f32_mul, v_f32, v_f32, part_f32_mul) /* the plain IEEE product */
V_LIFT2(v_f32, v_f32_div, v_f32, v_f32, part_f32_div)
V_LIFT1(v_f32, v_f32_sqrt, v_f32, part_f32_sqrt)
V_LIFT1(v_f32, v_f32_floor, v_f32, part_f32_floor) /* f32 to f32; NaN, infinities, -0 unchanged */
V_LIFT2(v_mask, v_f32_eq, v_f32, v_f32, part_f32_eq)
V_LIFT2(v_mask, v_f32_ne, v_f32, v_f32, part_f32_ne) /* true for NaN */
V_LIFT2(v_mask, v_f32_lt, v_f32, v_f32, part_f32_lt)
V_LIFT2(v_mask, v_f32_le, v_f32, v_f32, part_f32_le)
/* m without the lanes where a or b is NaN: on AVX-512 one instruction. */
V_LIFT3(v_mask, v_mask_and_ordered, v_mask, v_f32, v_f32, part_mask_and_ordered)
static inline v_mask v_f32_gt(v_f32 a, v_f32 b) { return v_f32_lt(b, a); }
static inline v_mask v_f32_ge(v_f32 a, v_f32 b) { return v_f32_le(b, a); }
static inline v_mask v_f32_is_nan(v_f32 a) { return v_f32_ne(a, a); }
V_LIFT3(v_f32, v_f32_select, v_mask, v_f32, v_f32, part_f32_select) /* mask ? a : b */

/* a < b ? a : b and a > b ? a : b: an unordered or equal pair gives b. */
V_LIFT2(v_f32, v_f32_lesser, v_f32, v_f32, part_f32_lesser)
V_LIFT2(v_f32, v_f32_greater, v_f32, v_f32, part_f32_greater)
/* TEX-02 MIN and MAX: an unordered or equal pair gives a. */
static inline v_f32 v_f32_min(v_f32 a, v_f32 b) { return v_f32_lesser(b, a); }
static inline v_f32 v_f32_max(v_f32 a, v_f32 b) { return v_f32_greater(b, a); }
/* TEX-02 CLAMP, for lo <= hi: NaN stays NaN. */
static inline v_f32 v_f32_clamp(v_f32 a, v_f32 lo, v_f32 hi) { return v_f32_min(v_f32_max(a, lo), hi); }
/* GEN-06 SAT: NaN gives lo. */
static inline v_f32 v_f32_sat(v_f32 a, v_f32 lo, v_f32 hi) { return v_f32_lesser(v_f32_greater(a, lo), hi); }
/* GEN-06 clamp01: -0, negatives and NaN give +0. */
static inline v_f32 v_f32_clamp01(v_f32 a) { return v_f32_sat(a, v_f32_splat(0.0f), v_f32_splat(1.0f)); }

/* -------------------------------------------------------------------------------------------------------------- u32 */

static inline v_u32 v_u32_splat(uint32_t a)
{
    v_u32 r;
    V_EACH(r.p[i] = part_u32_splat(a))
    return r;
}

/* Arrays of host integers; no alignment needed. For guest bytes use v_u32_load_le. */
static inline v_u32 v_u32_load(const uint32_t *source)
{
    v_u32 r;
    V_EACH(r.p[i] = part_u32_load(source + i * V_PART_LANES))
    return r;
}

static inline void v_u32_store(uint32_t *target, v_u32 a)
{
    V_EACH(part_u32_store(target + i * V_PART_LANES, a.p[i]))
}

V_LIFT2(v_u32, v_u32_add, v_u32, v_u32, part_u32_add)
V_LIFT2(v_u32, v_u32_sub, v_u32, v_u32, part_u32_sub)
V_LIFT2(v_u32, v_u32_mul, v_u32, v_u32, part_u32_mul) /* low 32 bits */
V_LIFT2(v_u32, v_u32_and, v_u32, v_u32, part_u32_and)
V_LIFT2(v_u32, v_u32_or, v_u32, v_u32, part_u32_or)
V_LIFT2(v_u32, v_u32_xor, v_u32, v_u32, part_u32_xor)
V_LIFT2(v_u32, v_u32_andnot, v_u32, v_u32, part_u32_andnot) /* a and not b */
V_LIFT_SHIFT(v_u32, v_u32_shl, part_u32_shl)                /* 0 <= n <= 31 */
V_LIFT_SHIFT(v_u32, v_u32_shr, part_u32_shr)
V_LIFT2(v_mask, v_u32_eq, v_u32, v_u32, part_u32_eq)
V_LIFT2(v_mask, v_u32_lt, v_u32, v_u32, part_u32_lt)
static inline v_mask v_u32_gt(v_u32 a, v_u32 b) { return v_u32_lt(b, a); }
static inline v_mask v_u32_ne(v_u32 a, v_u32 b) { return v_mask_not(v_u32_eq(a, b)); }
static inline v_mask v_u32_le(v_u32 a, v_u32 b) { return v_mask_not(v_u32_lt(b, a)); }
static inline v_mask v_u32_ge(v_u32 a, v_u32 b) { return v_mask_not(v_u32_lt(a, b)); }
V_LIFT2(v_u32, v_u32_min, v_u32, v_u32, part_u32_min)
V_LIFT2(v_u32, v_u32_max, v_u32, v_u32, part_u32_max)
V_LIFT3(v_u32, v_u32_select, v_mask, v_u32, v_u32, part_u32_select) /* mask ? a : b */

/* -------------------------------------------------------------------------------------------------------------- i32 */

V_LIFT1(v_i32, v_i32_from_u32, v_u32, part_i32_from_u32) /* same bits */
V_LIFT1(v_u32, v_u32_from_i32, v_i32, part_u32_from_i32) /* same bits */

static inline v_i32 v_i32_splat(int32_t a) { return v_i32_from_u32(v_u32_splat((uint32_t)a)); }

static inline v_i32 v_i32_load(const int32_t *source)
{
    uint32_t bits[V_LANES];
    memcpy(bits, source, sizeof bits);
    return v_i32_from_u32(v_u32_load(bits));
}

static inline void v_i32_store(int32_t *target, v_i32 a)
{
    uint32_t bits[V_LANES];
    v_u32_store(bits, v_u32_from_i32(a));
    memcpy(target, bits, sizeof bits);
}

/* Wrapping arithmetic is the same for both signs. */
static inline v_i32 v_i32_add(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_add(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_sub(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_sub(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_mul(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_mul(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_and(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_and(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_or(v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_or(v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_shl(v_i32 a, int n) { return v_i32_from_u32(v_u32_shl(v_u32_from_i32(a), n)); }
V_LIFT_SHIFT(v_i32, v_i32_shr, part_i32_shr)            /* arithmetic, 0 <= n <= 31 */
static inline v_mask v_i32_eq(v_i32 a, v_i32 b) { return v_u32_eq(v_u32_from_i32(a), v_u32_from_i32(b)); }
V_LIFT2(v_mask, v_i32_lt, v_i32, v_i32, part_i32_lt)
static inline v_mask v_i32_gt(v_i32 a, v_i32 b) { return v_i32_lt(b, a); }
static inline v_mask v_i32_le(v_i32 a, v_i32 b) { return v_mask_not(v_i32_lt(b, a)); }
static inline v_mask v_i32_ge(v_i32 a, v_i32 b) { return v_mask_not(v_i32_lt(a, b)); }
V_LIFT2(v_i32, v_i32_min, v_i32, v_i32, part_i32_min)
V_LIFT2(v_i32, v_i32_max, v_i32, v_i32, part_i32_max)
static inline v_i32 v_i32_select(v_mask m, v_i32 a, v_i32 b)
{
    return v_i32_from_u32(v_u32_select(m, v_u32_from_i32(a), v_u32_from_i32(b)));
}
static inline v_i32 v_i32_clamp(v_i32 a, v_i32 lo, v_i32 hi) { return v_i32_min(v_i32_max(a, lo), hi); }

/* ------------------------------------------------------------------------------------------------------ conversions */

V_LIFT1(v_f32, v_f32_from_i32, v_i32, part_f32_from_i32)           /* to nearest even */
V_LIFT1(v_f32, v_f32_from_bits, v_u32, part_f32_from_bits)         /* same bits */
V_LIFT1(v_u32, v_u32_from_f32_bits, v_f32, part_u32_from_f32_bits) /* same bits */

/* Toward zero, for -2^31 < a < 2^31. Any other lane gives some value that may differ between instruction sets. */
V_LIFT1(v_i32, v_i32_trunc_in_range, v_f32, part_i32_trunc)
/* trunc(SAT(a, lo, hi)) for limits inside the s32 range: total, NaN gives lo. */
static inline v_i32 v_i32_trunc_sat(v_f32 a, float lo, float hi)
{
    return v_i32_trunc_in_range(v_f32_sat(a, v_f32_splat(lo), v_f32_splat(hi)));
}
/* FLOOR(a) for -2^31 < a < 2^31, other lanes as above. */
static inline v_i32 v_i32_floor_in_range(v_f32 a)
{
#if defined(FAST_ISA_AVX512)
    return (v_i32){{_mm512_cvt_roundps_epi32(a.p[0], _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)}};
#else
    return v_i32_trunc_in_range(v_f32_floor(a));
#endif
}
/* FLOOR(SAT(a, lo, hi)), total. */
static inline v_i32 v_i32_floor_sat(v_f32 a, float lo, float hi)
{
    return v_i32_trunc_in_range(v_f32_floor(v_f32_sat(a, v_f32_splat(lo), v_f32_splat(hi))));
}
/* GEN-06 U8: 0..255, NaN gives 0. */
static inline v_i32 v_i32_u8(v_f32 a) { return v_i32_trunc_sat(a, 0.0f, 255.0f); }
/*
 * GEN-05 rha for 0 <= a < 2^22 (TEX-02 RHA); other lanes give any value. Adding the number just below one half and
 * truncating is the same for each of these f32 values (checked one by one): adding one half itself rounds some up.
 */
static inline v_i32 v_i32_rha_positive(v_f32 a)
{
    return v_i32_trunc_in_range(v_f32_add(a, v_f32_splat(0x1.fffffep-2f)));
}

#if defined(FAST_ISA_AVX512)
static inline __m256 simd_half_affine(__m256i x, __m256i y, double origin, double across, double along)
{
    const __m512d sum = _mm512_add_pd(_mm512_mul_pd(_mm512_cvtepi32_pd(x), _mm512_set1_pd(across)),
                                      _mm512_mul_pd(_mm512_cvtepi32_pd(y), _mm512_set1_pd(along)));
    return _mm512_cvtpd_ps(_mm512_add_pd(_mm512_set1_pd(origin), sum));
}
#elif defined(FAST_ISA_AVX2)
static inline __m128 simd_quarter_affine(__m128i x, __m128i y, double origin, double across, double along)
{
    const __m256d sum = _mm256_add_pd(_mm256_mul_pd(_mm256_cvtepi32_pd(x), _mm256_set1_pd(across)),
                                      _mm256_mul_pd(_mm256_cvtepi32_pd(y), _mm256_set1_pd(along)));
    return _mm256_cvtpd_ps(_mm256_add_pd(_mm256_set1_pd(origin), sum));
}
#endif

/* origin + (x * across + y * along) in doubles, rounded once. */
static inline v_f32 v_f32_affine(v_i32 x, v_i32 y, double origin, double across, double along)
{
    v_f32 r;
#if defined(FAST_ISA_AVX512)
    const __m256 low = simd_half_affine(_mm512_castsi512_si256(x.p[0]), _mm512_castsi512_si256(y.p[0]), origin, across,
                                        along);
    const __m256 high = simd_half_affine(_mm512_extracti64x4_epi64(x.p[0], 1), _mm512_extracti64x4_epi64(y.p[0], 1),
                                         origin, across, along);
    r.p[0] = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#elif defined(FAST_ISA_AVX2)
    V_EACH(const __m128 low = simd_quarter_affine(_mm256_castsi256_si128(x.p[i]), _mm256_castsi256_si128(y.p[i]),
                                                  origin, across, along);
           const __m128 high = simd_quarter_affine(_mm256_extracti128_si256(x.p[i], 1),
                                                   _mm256_extracti128_si256(y.p[i], 1), origin, across, along);
           r.p[i] = _mm256_set_m128(high, low))
#else
    int32_t columns[V_LANES];
    int32_t rows[V_LANES];
    float sums[V_LANES];
    v_i32_store(columns, x);
    v_i32_store(rows, y);
    for (int lane = 0; lane < V_LANES; lane++)
        sums[lane] = (float)(origin + (columns[lane] * across + rows[lane] * along));
    r = v_f32_load(sums);
#endif
    return r;
}

/* Sign bit flipped / cleared, also of NaN. */
static inline v_f32 v_f32_neg(v_f32 a)
{
    return v_f32_from_bits(v_u32_xor(v_u32_from_f32_bits(a), v_u32_splat(0x80000000u)));
}
static inline v_f32 v_f32_abs(v_f32 a)
{
    return v_f32_from_bits(v_u32_and(v_u32_from_f32_bits(a), v_u32_splat(0x7FFFFFFFu)));
}

/* GEN-03, ITP-02: the PICA product: +0 where the plain product is NaN although neither operand is. */
static inline v_f32 v_f32_mul_pica(v_f32 a, v_f32 b)
{
    const v_f32 product = v_f32_mul(a, b);
    const v_mask operand_nan = v_mask_or(v_f32_is_nan(a), v_f32_is_nan(b));
    const v_mask made = v_mask_andnot(v_f32_is_nan(product), operand_nan);
    return v_f32_select(made, v_f32_splat(0.0f), product);
}

/* --------------------------------------------------------------------------------------- 16-bit halves of u32 lanes */

/* Low 16 bits of the products of both halves. */
static inline v_u32 v_u32_mul_halves(v_u32 a, v_u32 b)
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

/* Each half by itself: sum, sum limited to 65535, high 16 bits of the unsigned product, lesser, shift right. */
#if defined(FAST_ISA_AVX512)
#define V_HALVES(name, avx512, avx2, neon, plain)                  \
    static inline v_u32 name(v_u32 a, v_u32 b)                     \
    {                                                              \
        return (v_u32){{avx512(a.p[0], b.p[0])}};                  \
    }
#elif defined(FAST_ISA_AVX2)
#define V_HALVES(name, avx512, avx2, neon, plain)                  \
    static inline v_u32 name(v_u32 a, v_u32 b)                     \
    {                                                              \
        v_u32 r;                                                   \
        V_EACH(r.p[i] = avx2(a.p[i], b.p[i]))                      \
        return r;                                                  \
    }
#elif defined(FAST_ISA_NEON)
#define V_HALVES(name, avx512, avx2, neon, plain)                                                                  \
    static inline v_u32 name(v_u32 a, v_u32 b)                                                                     \
    {                                                                                                              \
        v_u32 r;                                                                                                   \
        V_EACH(r.p[i] = vreinterpretq_u32_u16(neon(vreinterpretq_u16_u32(a.p[i]), vreinterpretq_u16_u32(b.p[i])))) \
        return r;                                                                                                  \
    }
#else
#define V_HALVES(name, avx512, avx2, neon, plain)                                                                \
    static inline v_u32 name(v_u32 a, v_u32 b)                                                                   \
    {                                                                                                            \
        v_u32 r;                                                                                                 \
        V_EACH(r.p[i] = plain((uint16_t)(a.p[i] & 0xFFFFu), (uint16_t)(b.p[i] & 0xFFFFu)) |                      \
                        (uint32_t)plain((uint16_t)(a.p[i] >> 16), (uint16_t)(b.p[i] >> 16)) << 16)               \
        return r;                                                                                                \
    }
#endif
V_HALVES(v_u32_add_halves, _mm512_add_epi16, _mm256_add_epi16, vaddq_u16, part_u16_add)
V_HALVES(v_u32_adds_halves, _mm512_adds_epu16, _mm256_adds_epu16, vqaddq_u16, part_u16_adds)
V_HALVES(v_u32_subs_halves, _mm512_subs_epu16, _mm256_subs_epu16, vqsubq_u16, part_u16_subs) /* not below 0 */
V_HALVES(v_u32_mulhi_halves, _mm512_mulhi_epu16, _mm256_mulhi_epu16, part_u16_mulhi, part_u16_mulhi)
V_HALVES(v_u32_min_halves, _mm512_min_epu16, _mm256_min_epu16, vminq_u16, part_u16_min)

/* The low half of `low`, the high half of `high`. */
static inline v_u32 v_u32_blend_halves(v_u32 low, v_u32 high)
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
static inline bool v_u32_any_half_lacks(v_u32 a, uint16_t bits)
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

static inline v_u32 v_u32_shr_halves(v_u32 a, int n)
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
static inline v_u32 v_u32_div255_halves(v_u32 a)
{
    return v_u32_shr_halves(v_u32_mulhi_halves(a, v_u32_splat(0x80818081u)), 7);
}

static inline v_u32 v_u32_rotate_left(v_u32 a, int n) { return v_u32_or(v_u32_shl(a, n), v_u32_shr(a, 32 - n)); }

/* Sum of the products of both halves, taken as two's complement. */
static inline v_i32 v_i32_dot_halves(v_u32 a, v_u32 b)
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

/* The value in the lowest lane of the mask; in lane 0 if the mask is empty. */
static inline int32_t v_i32_lowest(v_i32 a, v_mask m)
{
    int32_t values[V_LANES];
    const uint32_t bits = v_mask_bits(m);
    int lane = 0;
    v_i32_store(values, a);
    while (bits >> lane > 1u && (bits >> lane & 1u) == 0u)
        lane++;
    return values[lane];
}

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
