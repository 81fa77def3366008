/*
 * Operations that go lane by lane through memory, for the sets that have no instruction for them. Part of simd.h. `r`
 * and `a` are the V_PARTS parts of a vector.
 */
#ifndef FAST_SIMD_BY_LANE_H
#define FAST_SIMD_BY_LANE_H

/* clang-format off */

static inline void parts_f32_affine(part_f32 *r, const part_i32 *x, const part_i32 *y, double origin, double across,
                                    double along)
{
    uint32_t columns[V_LANES];
    uint32_t rows[V_LANES];
    float sums[V_LANES];
    V_EACH(part_u32_store(columns + i * V_PART_LANES, part_u32_from_i32(x[i])))
    V_EACH(part_u32_store(rows + i * V_PART_LANES, part_u32_from_i32(y[i])))
    for (int lane = 0; lane < V_LANES; lane++)
        sums[lane] = (float)(origin + (simd_i32_from_bits(columns[lane]) * across +
                                       simd_i32_from_bits(rows[lane]) * along));
    V_EACH(r[i] = part_f32_load(sums + i * V_PART_LANES))
}

static inline bool parts_u16x2_any_lacks(const part_u32 *a, uint16_t bits)
{
    uint32_t lacks = 0;
    uint32_t lanes[V_LANES];
    V_EACH(part_u32_store(lanes + i * V_PART_LANES, a[i]))
    for (int lane = 0; lane < V_LANES; lane++)
        lacks |= (lanes[lane] & bits) == 0 || (lanes[lane] >> 16 & bits) == 0 ? 1u : 0u;
    return lacks != 0;
}

static inline part_u32 part_u32_gather(part_u32 other, part_mask m, const uint32_t *table, part_i32 index)
{
    uint32_t values[V_PART_LANES];
    uint32_t indices[V_PART_LANES];
    const uint32_t bits = part_mask_bits(m);
    part_u32_store(values, other);
    part_u32_store(indices, part_u32_from_i32(index));
    for (int lane = 0; lane < V_PART_LANES; lane++)
        if (bits >> lane & 1u)
            values[lane] = table[indices[lane]];
    return part_u32_load(values);
}

static inline part_f32 part_f32_gather(part_f32 other, part_mask m, const float *table, part_i32 index)
{
    float values[V_PART_LANES];
    uint32_t indices[V_PART_LANES];
    const uint32_t bits = part_mask_bits(m);
    part_f32_store(values, other);
    part_u32_store(indices, part_u32_from_i32(index));
    for (int lane = 0; lane < V_PART_LANES; lane++)
        if (bits >> lane & 1u)
            values[lane] = table[indices[lane]];
    return part_f32_load(values);
}

static inline part_f32 part_f32_lookup32(const float *table, part_i32 index)
{
    float values[V_PART_LANES];
    uint32_t indices[V_PART_LANES];
    part_u32_store(indices, part_u32_from_i32(index));
    for (int lane = 0; lane < V_PART_LANES; lane++)
        values[lane] = table[indices[lane]];
    return part_f32_load(values);
}

static inline part_u32 part_u32_gather_le(const uint8_t *bytes, const uint32_t *offsets)
{
    uint32_t values[V_PART_LANES];
    for (int lane = 0; lane < V_PART_LANES; lane++) {
        const uint8_t *at = bytes + offsets[lane];
        values[lane] = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    return part_u32_load(values);
}

/* Byte offset of part i in four squares of 2x2 words: a part is one whole square, or one word of a square. */
static inline size_t simd_quad_offset(int i, size_t right, size_t down)
{
    const int lane = i * V_PART_LANES;
    return ((lane & 4) != 0 ? right : 0) + ((lane & 8) != 0 ? down : 0) + 4 * (size_t)(lane & 3);
}

static inline void parts_u32_load_quads_le(part_u32 *r, const uint8_t *bytes, size_t right, size_t down)
{
    V_EACH(r[i] = part_u32_load_le(bytes + simd_quad_offset(i, right, down)))
}

static inline void parts_u32_store_quads_le(uint8_t *bytes, size_t right, size_t down, const part_u32 *a)
{
    V_EACH(part_u32_store_le(bytes + simd_quad_offset(i, right, down), a[i]))
}

static inline void parts_u32_load_at(part_u32 *r, const uint32_t *table, const uint32_t *index)
{
    uint32_t values[V_LANES];
    for (int lane = 0; lane < V_LANES; lane++)
        values[lane] = table[index[lane]];
    V_EACH(r[i] = part_u32_load(values + i * V_PART_LANES))
}

static inline void parts_u32_load_pairs_at(part_u32 *first, part_u32 *second, const uint32_t *table,
                                           const uint32_t *index)
{
    parts_u32_load_at(first, table, index);
    parts_u32_load_at(second, table + 1, index);
}

static inline void parts_u32_gather_pair(part_u32 *first, part_u32 *second, const uint32_t *table,
                                         const part_i32 *index)
{
    uint32_t indices[V_LANES];
    V_EACH(part_u32_store(indices + i * V_PART_LANES, part_u32_from_i32(index[i])))
    parts_u32_load_pairs_at(first, second, table, indices);
}

static inline void parts_u32_load_squares_at(part_u32 *const first[2], part_u32 *const second[2],
                                             const uint32_t *table, uint32_t pitch, const uint32_t *index)
{
    for (uint32_t row = 0; row < 2u; row++)
        parts_u32_load_pairs_at(first[row], second[row], table + row * pitch, index);
}

static inline void parts_u32_store_columns(uint32_t *out, size_t stride, const part_u32 *const rows[8])
{
    for (size_t k = 0; k < 8; k++) {
        uint32_t lanes[V_LANES];
        V_EACH(part_u32_store(lanes + i * V_PART_LANES, rows[k][i]))
        for (size_t lane = 0; lane < V_LANES; lane++)
            out[lane * stride + k] = lanes[lane];
    }
}

/* clang-format on */

#endif
