/* Gas mode (GAS) in place of steps 3 to 10 of FBF-21: each pixel is two 16-bit values. */
#ifndef FAST_KERNELS_GAS_H
#define FAST_KERNELS_GAS_H

#include "fast/draw/fragment_state.h"
#include "fast/kernels/trace_hooks.h"

/* GAS-01: the colour of the fragment plays no part. */
static inline v_u32 gas_value(v_u32 value)
{
    const v_u32 k = v_u32_and(v_u32_shr(value, 8), v_u32_splat(0x7F));
    const v_u32 high = v_u32_select(v_u32_ge(k, v_u32_splat(0x7D)), v_u32_splat(0x7FFF), value);
    return v_u32_select(v_u32_le(k, v_u32_splat(0x03)), v_u32_splat(0), high);
}

/* `pixels`: of the colour surface. */
static inline void write_gas(const struct fast_fragment_state *raster, const struct fast_block *block, v_mask alive,
                             uint8_t *pixels)
{
    const v_u32 stored = v_u32_load_le(pixels);
    const v_u32 seen = raster->shadow_read ? stored : v_u32_splat(0);
    const v_u32 low = gas_value(v_u32_and(seen, v_u32_splat(0xFFFF)));
    const v_u32 high = gas_value(v_u32_shr(seen, 16));
    const v_u32 words = v_u32_or(v_u32_shl(high, 16), low);
    trace_pair(block, PICA_TRACE_ID_GAS_WRITE, seen, words);
    v_u32_store_le(pixels, v_u32_select(alive, words, stored));
}

#endif
