/*
 * Image texture units (TEX, WRP, MIP, CUB, SDW), both ways, and what the procedural unit shares with them. Only for
 * files compiled per instruction set.
 */
#ifndef FAST_KERNELS_TEXTURE_H
#define FAST_KERNELS_TEXTURE_H

#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"

/* Colour of image unit 0-2, whatever its kind (40 sections 3-9). */
void FAST_ISA(fast_sample_unit)(const struct fast_texture_unit *unit, const struct fast_block *block,
                                struct fast_colors *out);

/* Sets `texel` of all cells from a common 2D unit (draw/quick.c: is_common_unit). The triangles are bounded. */
void FAST_ISA(fast_sample_cells)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count);

/* The same into `out`, one colour a cell. Cells: only what sampling itself needs is set. */
void FAST_ISA(fast_sample_colors)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count,
                                  struct fast_pairs *out);

/* The values of a texture coordinate, 0-2 (TEX-08). Only coordinate 0 has a third component; w is not set otherwise. */
struct fast_coordinate {
    v_f32 u, v, w;
    uint32_t u_attribute, v_attribute; /* enum fast_attribute */
};

static inline struct fast_coordinate fast_block_coordinate(const struct fast_block *block, uint32_t number)
{
    struct fast_coordinate c;
    if (number == 0) {
        c.u = block->texcoord0[0];
        c.v = block->texcoord0[1];
        c.w = block->texcoord0[2];
        c.u_attribute = FAST_ATTRIBUTE_TEXCOORD0;
    } else {
        const v_f32 *pair = number == 1 ? block->texcoord1 : block->texcoord2;
        c.u = pair[0];
        c.v = pair[1];
        c.w = v_f32_splat(0.0f);
        c.u_attribute = number == 1 ? FAST_ATTRIBUTE_TEXCOORD1 : FAST_ATTRIBUTE_TEXCOORD2;
    }
    c.v_attribute = c.u_attribute + 1;
    return c;
}

/*
 * TEX-09, MIP-03: derivative of an attribute with value `value`; `weight` is the triangle's weight_dx or weight_dy. The
 * IEEE products of three scalars are the constants of the triangle.
 */
static inline v_f32 fast_derivative(const struct fast_block *block, uint32_t attribute, v_f32 value,
                                    const float weight[3])
{
    const float *a = block->triangle->attribute[attribute];
    const float *r = block->triangle->inverse_w;
    const float n = ((a[0] * weight[0]) + (a[1] * weight[1])) + (a[2] * weight[2]);
    const float d = ((r[0] * weight[0]) + (r[1] * weight[1])) + (r[2] * weight[2]);
    const v_f32 slope = v_f32_sub(v_f32_splat(n), v_f32_mul(value, v_f32_splat(d)));
    return v_f32_mul(slope, block->q);
}

/* MIP-06: log2 with 8 fraction bits. The mask removes the sign of a NaN. */
static inline v_i32 fast_lod(v_f32 rho)
{
    const v_u32 bits = v_u32_and(v_u32_from_f32_bits(rho), v_u32_splat(0x7FFFFFFFu));
    return v_i32_sub(v_i32_from_u32(v_u32_shr(bits, 15)), v_i32_splat(32512));
}

/* MIP-10, PTX-24: (p * (256 - f) + q * f + 128) >> 8 for bytes p, q and 0 <= f <= 255: at most 65408. */
static inline v_u16 fast_mip_blend(v_u16 p, v_u16 q, v_u16 f)
{
    const v_u16 rest = v_u16_sub(v_u16_splat(256), f);
    const v_u16 sum = v_u16_add(v_u16_mul(p, rest), v_u16_mul(q, f));
    return v_u16_shr(v_u16_add(sum, v_u16_splat(128)), 8);
}

#endif
