/* The vocabulary: lanes of a 4x4 block, gathers, transposition and guest bytes. Part of simd.h. */
#ifndef FAST_SIMD_MEMORY_H
#define FAST_SIMD_MEMORY_H

#include "fast/simd/lanes.h"

/* The operations are a table, one line each. */
/* clang-format off */

/* --------------------------------------------------------------------------------------------- lanes of a 4x4 block */

/* Position of each lane's pixel inside the block: Morton order, lane bits x0 y0 x1 y1 from the lowest. */
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

/*
 * table[index] in the lanes of the mask, `other` elsewhere; lanes outside the mask read no memory. 0 <= index < 2^29.
 */
static inline v_u32 v_u32_gather(v_u32 other, v_mask m, const uint32_t *table, v_i32 index)
{
    v_u32 r;
    V_EACH(r.p[i] = part_u32_gather(other.p[i], m.p[i], table, index.p[i]))
    return r;
}

static inline v_f32 v_f32_gather(v_f32 other, v_mask m, const float *table, v_i32 index)
{
    v_f32 r;
    V_EACH(r.p[i] = part_f32_gather(other.p[i], m.p[i], table, index.p[i]))
    return r;
}

/* table[index] and table[index + 1] in all lanes: every lane must hold a valid index. */
static inline void v_u32_gather_pair(v_u32 *first, v_u32 *second, const uint32_t *table, v_i32 index)
{
    parts_u32_gather_pair(first->p, second->p, table, index.p);
}

/* table[index] in all lanes, 0 <= index < 32: on AVX-512 the table fits two registers. */
static inline v_f32 v_f32_lookup32(const float table[32], v_i32 index)
{
    v_f32 r;
    V_EACH(r.p[i] = part_f32_lookup32(table, index.p[i]))
    return r;
}

/*
 * table[index[lane]] in all lanes, with the indices in memory, aligned to 64 bytes and preferably stored long before.
 * On processors with vectors, single loads are faster than a gather instruction, which is a loop inside the processor.
 */
static inline v_u32 v_u32_load_at(const uint32_t *table, const uint32_t *index)
{
    v_u32 r;
    parts_u32_load_at(r.p, table, index);
    return r;
}

/* The same for table[index] and table[index + 1]. */
static inline void v_u32_load_pairs_at(v_u32 *first, v_u32 *second, const uint32_t *table, const uint32_t *index)
{
    parts_u32_load_pairs_at(first->p, second->p, table, index);
}

/* The same, as bits of f32. */
static inline void v_f32_load_pairs_at(v_f32 *first, v_f32 *second, const uint32_t *table, const uint32_t *index)
{
    v_u32 bits[2];
    v_u32_load_pairs_at(&bits[0], &bits[1], table, index);
    *first = v_f32_from_bits(bits[0]);
    *second = v_f32_from_bits(bits[1]);
}

/* The pairs of two rows, the second row `pitch` words after the first: each index is loaded only once. */
static inline void v_u32_load_squares_at(v_u32 first[2], v_u32 second[2], const uint32_t *table, uint32_t pitch,
                                         const uint32_t *index)
{
    part_u32 *const firsts[2] = { first[0].p, first[1].p };
    part_u32 *const seconds[2] = { second[0].p, second[1].p };
    parts_u32_load_squares_at(firsts, seconds, table, pitch, index);
}

/* Begins to load the line of the cache that is `ahead` bytes after `place`; there need not be one. */
static inline void v_prefetch(const void *place, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)place + ahead), 1);
}

/* --------------------------------------------------------------------------------------------------- transposition */

/* out[lane * stride + k] = rows[k] in each lane, for k < 8: stores eight columns of an array of 16 rows. */
static inline void v_u32_store_columns(uint32_t *out, size_t stride, const v_u32 rows[8])
{
    const part_u32 *const parts[8] = { rows[0].p, rows[1].p, rows[2].p, rows[3].p,
                                       rows[4].p, rows[5].p, rows[6].p, rows[7].p };
    parts_u32_store_columns(out, stride, parts);
}

/* --------------------------------------------------------------------------------------- guest bytes, little-endian */

static inline v_u32 v_u32_load_le(const uint8_t *bytes)
{
    v_u32 r;
    V_EACH(r.p[i] = part_u32_load_le(bytes + 4 * V_PART_LANES * i))
    return r;
}

static inline void v_u32_store_le(uint8_t *bytes, v_u32 a)
{
    V_EACH(part_u32_store_le(bytes + 4 * V_PART_LANES * i, a.p[i]))
}

/*
 * Loads four squares of 2x2 pixels, 16 bytes each, in the order of the lanes: at `bytes`, `bytes + right`, `bytes +
 * down` and `bytes + right + down`.
 */
static inline v_u32 v_u32_load_quads_le(const uint8_t *bytes, size_t right, size_t down)
{
    v_u32 r;
    parts_u32_load_quads_le(r.p, bytes, right, down);
    return r;
}

static inline void v_u32_store_quads_le(uint8_t *bytes, size_t right, size_t down, v_u32 a)
{
    parts_u32_store_quads_le(bytes, right, down, a.p);
}

static inline v_u16 v_u16_load_le(const uint8_t *bytes)
{
    v_u16 r;
    V_EACH16(r.p[i] = part_u16_load_le(bytes + 2 * V_PART16_LANES * i))
    return r;
}

static inline void v_u16_store_le(uint8_t *bytes, v_u16 a)
{
    V_EACH16(part_u16_store_le(bytes + 2 * V_PART16_LANES * i, a.p[i]))
}

/* Lane i: the four bytes at bytes + offsets[i], little-endian. offsets < 2^31. */
static inline v_u32 v_u32_gather_le(const uint8_t *bytes, const uint32_t offsets[V_LANES])
{
    v_u32 r;
    V_EACH(r.p[i] = part_u32_gather_le(bytes, offsets + V_PART_LANES * i))
    return r;
}

/* Lane i of r[k]: the four bytes at bytes + offsets[i] + 4 * k. Done as 16 loads and a transposition. */
static inline void v_u32_gather4_le(v_u32 r[4], const uint8_t *bytes, const uint32_t offsets[V_LANES])
{
    part_u32 *const parts[4] = { r[0].p, r[1].p, r[2].p, r[3].p };
    parts_u32_gather4_le(parts, bytes, offsets);
}

/* The same for four consecutive floats of the host: lane i of r[k] is table[indices[i] + k]. */
static inline void v_f32_gather4(v_f32 r[4], const float *table, const uint32_t indices[V_LANES])
{
    part_f32 *const parts[4] = { r[0].p, r[1].p, r[2].p, r[3].p };
    parts_f32_gather4(parts, table, indices);
}

/* Loads 16 values of three bytes each (48 bytes in all). */
static inline v_u32 v_u32_load24_le(const uint8_t *bytes)
{
    uint32_t values[V_LANES];
    for (int lane = 0; lane < V_LANES; lane++) {
        const uint8_t *at = bytes + 3 * lane;
        values[lane] = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    }
    return v_u32_load(values);
}

/* Stores the low 24 bits of each lane (48 bytes in all). */
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
