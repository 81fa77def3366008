/* For sets whose hosts are little-endian: floats of the host can be loaded as guest bytes. Part of simd.h. */
#ifndef FAST_SIMD_LITTLE_ENDIAN_H
#define FAST_SIMD_LITTLE_ENDIAN_H

/* clang-format off */

static inline void parts_f32_gather4(part_f32 *const r[4], const float *table, const uint32_t *indices)
{
    uint32_t offsets[V_LANES];
    part_u32 bits[4][V_PARTS];
    part_u32 *const loaded[4] = { bits[0], bits[1], bits[2], bits[3] };
    V_EACH(part_u32_store(offsets + i * V_PART_LANES, part_u32_shl(part_u32_load(indices + i * V_PART_LANES), 2)))
    parts_u32_gather4_le(loaded, (const uint8_t *)(const void *)table, offsets);
    for (int k = 0; k < 4; k++) {
        V_EACH(r[k][i] = part_f32_from_bits(bits[k][i]))
    }
}

/* clang-format on */

#endif
