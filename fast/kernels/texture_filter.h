/*
 * The bilinear filter (MIP-12) on bytes in 16-bit parts of a lane. General: a channel at a time; quick: two. Only for
 * files compiled per instruction set.
 */
#ifndef FAST_KERNELS_TEXTURE_FILTER_H
#define FAST_KERNELS_TEXTURE_FILTER_H

#include "fast/simd/simd.h"

/* One row of MIP-12 for two channels at once, one in each half: at most 255 * 256. */
static inline v_u32 blend_row(v_u32 left, v_u32 right, v_u32 weight)
{
    const v_u32 rest = v_u32_sub(v_u32_splat(256u << 16 | 256u), weight);
    return v_u32_add(v_u16x2_mul(left, rest), v_u16x2_mul(right, weight));
}

/*
 * (top * (256 - ft) + bot * ft + 32768) >> 16, with top in the low and bot in the high half of `column` and the weights
 * alike. Signed halves: (top - 2^15) * (256 - ft) + (bot - 2^15) * ft is the sum less 2^23.
 */
static inline v_u16 blend_column(v_u32 column, v_u32 weights)
{
    const v_i32 sum = v_i16x2_dot(v_u32_xor(column, v_u32_splat(0x80008000u)), weights);
    return v_u16_from_i32(v_i32_shr(v_i32_add(sum, v_i32_splat((1 << 23) + 32768)), 16));
}

/* The weights of blend_column. */
static inline v_u32 column_weights(v_u32 weight)
{
    return v_u32_or(v_u32_sub(v_u32_splat(256), weight), v_u32_shl(weight, 16));
}

/*
 * (top * (256 - ft) + bottom * ft + 32768) >> 16 for two channels. As signed halves, rows are 2^15 less and 128 more,
 * which is no more than 2^15 - 1: then (top - 2^15 + 128) * (256 - ft) + (bottom - 2^15 + 128) * ft is the sum of the
 * rule less 2^23, and its high half the byte less 128.
 */
static inline v_u32 blend_rows(v_u32 top, v_u32 bottom, v_u32 weights)
{
    const v_u32 low = v_u32_splat(0x0000FFFFu);
    const v_u32 high = v_u32_splat(0xFFFF0000u);
    const v_u32 bias = v_u32_splat(0x80808080u);
    const v_u32 t = v_u16x2_add(top, bias);
    const v_u32 b = v_u16x2_add(bottom, bias);
    const v_i32 first = v_i16x2_dot(v_u32_or(v_u32_and(t, low), v_u32_shl(b, 16)), weights);
    const v_i32 second = v_i16x2_dot(v_u32_or(v_u32_shr(t, 16), v_u32_and(b, high)), weights);
    const v_u32 both = v_u32_or(v_u32_shr(v_u32_from_i32(first), 16), v_u32_and(v_u32_from_i32(second), high));
    return v_u16x2_add(both, v_u32_splat(0x00800080u));
}

#endif
