/*
 * Shadow mode (SHW) in place of steps 3 to 10 of FBF-21: a pixel of the colour surface is a depth of 24 bits, high
 * byte first, and an intensity.
 */
#ifndef FAST_KERNELS_SHADOW_H
#define FAST_KERNELS_SHADOW_H

#include "fast/draw/fragment_state.h"
#include "fast/kernels/trace_hooks.h"

/* Bytes 0, 1, 2 of a word in reverse order; byte 3 is dropped (SHW-01: depth is big-endian). */
static inline v_u32 reverse24(v_u32 word)
{
    const v_u32 byte = v_u32_splat(255);
    const v_u32 first = v_u32_shl(v_u32_and(word, byte), 16);
    const v_u32 second = v_u32_and(word, v_u32_splat(0xFF00));
    return v_u32_or(v_u32_or(first, second), v_u32_and(v_u32_shr(word, 16), byte));
}

/*
 * SHW-01, SHW-02, SHW-04. The state is only drawn with if READ and WRITE are on (SHW-03). `green` is that of the
 * combiner, `pixels` those of the colour surface.
 */
static inline void write_shadow(const struct fast_fragment_state *raster, const struct fast_block *block, v_u16 green,
                                v_mask alive, uint8_t *pixels)
{
    const v_u32 stored = v_u32_load_le(pixels);
    const v_u32 zr = reverse24(stored);
    const v_u32 sr = v_u32_shr(stored, 24);
    const v_u32 s = v_u32_from_u16(green);
    const v_i32 d = v_i32_trunc_in_range(v_f32_mul(block->depth, v_f32_splat(16777215.0f)));
    const v_mask closer = v_mask_and(alive, v_u32_lt(v_u32_from_i32(d), zr));
    const v_mask opaque = v_mask_and(closer, v_u32_eq(s, v_u32_splat(0)));

    const v_f32 x = v_f32_div(v_f32_from_i32(d), v_f32_from_i32(v_i32_from_u32(zr)));
    const v_f32 slope = v_f32_mul_pica(v_f32_splat(raster->shadow_linear), x);
    const v_f32 divisor = v_f32_add(v_f32_splat(raster->shadow_constant), slope);
    const v_f32 v = v_f32_div(v_f32_from_i32(v_i32_from_u32(s)), divisor);
    const v_u32 s1 = v_u32_from_i32(v_i32_u8(v));
    const v_mask darker = v_mask_andnot(v_mask_and(closer, v_u32_lt(s1, sr)), opaque);

    const v_u32 new_depth = v_u32_or(v_u32_and(stored, v_u32_splat(0xFF000000u)), reverse24(v_u32_from_i32(d)));
    const v_u32 new_intensity = v_u32_or(v_u32_and(stored, v_u32_splat(0x00FFFFFFu)), v_u32_shl(s1, 24));
    const v_u32 words = v_u32_select(opaque, new_depth, v_u32_select(darker, new_intensity, stored));
    trace_pair(block, PICA_TRACE_ID_SHADOW_WRITE, stored, words);
    v_u32_store_le(pixels, words);
}

#endif
