/*
 * The parts of the scalar set: one number is a register, 16 make a vector. Part of simd.h, which says what a part
 * is.
 */
#ifndef FAST_SIMD_SCALAR_H
#define FAST_SIMD_SCALAR_H

#define FAST_ISA_SUFFIXED(name) name##_scalar

#include "fast/simd/bits.h"

/* The operations are a table, one line each. */
/* clang-format off */

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
static inline int32_t part_i32_floor(float a) { return part_i32_trunc(floorf(a)); }
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

/* Operations on both 16-bit halves of a 32-bit lane at once. */
#define PART_U16X2(name, operation)                                                 \
    static inline uint32_t name(uint32_t a, uint32_t b)                             \
    {                                                                               \
        return operation((uint16_t)(a & 0xFFFFu), (uint16_t)(b & 0xFFFFu)) |        \
               (uint32_t)operation((uint16_t)(a >> 16), (uint16_t)(b >> 16)) << 16; \
    }
static inline uint16_t part_u16_adds_byte(uint16_t a, uint16_t b) { return (uint16_t)(a + b > 255 ? 255 : a + b); }
static inline uint32_t part_u16x2_mul(uint32_t a, uint32_t b)
{
    return ((a & 0xFFFFu) * (b & 0xFFFFu) & 0xFFFFu) | (a >> 16) * (b >> 16) << 16;
}
PART_U16X2(part_u16x2_add, part_u16_add)
PART_U16X2(part_u16x2_sub, part_u16_sub)
PART_U16X2(part_u16x2_adds, part_u16_adds)
PART_U16X2(part_u16x2_subs, part_u16_subs)
PART_U16X2(part_u16x2_mulhi, part_u16_mulhi)
PART_U16X2(part_u16x2_min, part_u16_min)
PART_U16X2(part_u16x2_adds_bytes, part_u16_adds_byte)
static inline uint32_t part_u16x2_blend(uint32_t low, uint32_t high)
{
    return (low & 0x0000FFFFu) | (high & 0xFFFF0000u);
}
static inline uint32_t part_u16x2_shr(uint32_t a, int n) { return a >> n & (0xFFFFu >> n) * 0x10001u; }
/*
 * The sum may wrap, so it is computed in u32. One loop per step, because compilers vectorise these better than one loop
 * that does everything.
 */
static inline void parts_i16x2_dot(int32_t *r, const uint32_t *a, const uint32_t *b)
{
    uint32_t low[V_LANES];
    uint32_t high[V_LANES];
    V_EACH(low[i] = (uint32_t)part_i32_shr(part_i32_from_u32(a[i] << 16), 16))
    V_EACH(low[i] *= (uint32_t)part_i32_shr(part_i32_from_u32(b[i] << 16), 16))
    V_EACH(high[i] = (uint32_t)part_i32_shr(part_i32_from_u32(a[i]), 16))
    V_EACH(high[i] *= (uint32_t)part_i32_shr(part_i32_from_u32(b[i]), 16))
    V_EACH(r[i] = part_i32_from_u32(low[i] + high[i]))
}

static inline void parts_u32_from_u16(uint32_t *r, const uint16_t *a)
{
    V_EACH(r[i] = a[i])
}
static inline void parts_u16_from_u32(uint16_t *r, const uint32_t *a)
{
    V_EACH(r[i] = (uint16_t)(a[i] & 0xFFFFu))
}

/* On little-endian hosts this makes a load or store of guest bytes a single one; the condition is a constant. */
static inline bool simd_host_is_little_endian(void)
{
    const uint32_t one = 1;
    uint8_t first;
    memcpy(&first, &one, sizeof first);
    return first == 1u;
}
static inline uint32_t simd_swap_bytes(uint32_t a)
{
    return a << 24 | (a & 0xFF00u) << 8 | (a >> 8 & 0xFF00u) | a >> 24;
}
static inline uint32_t part_u32_load_le(const uint8_t *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return simd_host_is_little_endian() ? word : simd_swap_bytes(word);
}
static inline void part_u32_store_le(uint8_t *p, uint32_t a)
{
    const uint32_t word = simd_host_is_little_endian() ? a : simd_swap_bytes(a);
    memcpy(p, &word, sizeof word);
}
static inline uint16_t part_u16_load_le(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline void part_u16_store_le(uint8_t *p, uint16_t a)
{
    p[0] = (uint8_t)(a & 0xFFu);
    p[1] = (uint8_t)(a >> 8);
}

/* clang-format on */

#include "fast/simd/by_lane.h"

static inline void parts_u32_gather4_le(uint32_t *const r[4], const uint8_t *bytes, const uint32_t *offsets)
{
    for (int k = 0; k < 4; k++)
        for (int lane = 0; lane < V_LANES; lane++)
            r[k][lane] = part_u32_gather_le(bytes + 4 * k, offsets + lane);
}

/* Floats of the host, which may be big-endian: so these are not loaded as guest bytes. */
static inline void parts_f32_gather4(float *const r[4], const float *table, const uint32_t *indices)
{
    for (int k = 0; k < 4; k++)
        for (int lane = 0; lane < V_LANES; lane++)
            r[k][lane] = table[indices[lane] + (uint32_t)k];
}

#endif
