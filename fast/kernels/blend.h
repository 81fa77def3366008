/*
 * Blending (BLD), step 9 of FBF-21.
 *
 * General: any equations and factors, one channel at a time, 16 bits per lane.
 * Quick: equation "add" only, with any factors, two channels at a time (struct fast_pairs); or "over", that is the
 * factors source alpha and 1 - source alpha, on words as they are stored.
 */
#ifndef FAST_KERNELS_BLEND_H
#define FAST_KERNELS_BLEND_H

#include "fast/draw/fragment_state.h"
#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"

/* -------------------------------------------------------------------------------------------------- the general way */

/* The operands of blending (BLD-01): S, D, K and all other values that a factor can have. */
struct blend_operands {
    struct fast_colors source, dest;
    v_u16 constant[4];
    v_u16 zero, saturate;
};

/* A factor of one channel: *vector ^ flip. */
struct blend_factor {
    const v_u16 *vector;
    v_u16 flip;
};

struct blend_factors {
    struct blend_factor source[4], dest[4];
    bool saturates; /* some factor is FAST_BLEND_SATURATE */
};

static inline struct blend_factor find_factor(const struct blend_operands *operands, struct fast_blend_factor factor,
                                              int channel)
{
    const v_u16 *vector = &operands->zero;
    switch (factor.operand) {
    case FAST_BLEND_ZERO: break;
    case FAST_BLEND_SOURCE_COLOR: vector = &operands->source.channel[channel]; break;
    case FAST_BLEND_SOURCE_ALPHA: vector = &operands->source.channel[3]; break;
    case FAST_BLEND_DEST_COLOR: vector = &operands->dest.channel[channel]; break;
    case FAST_BLEND_DEST_ALPHA: vector = &operands->dest.channel[3]; break;
    case FAST_BLEND_CONSTANT_COLOR: vector = &operands->constant[channel]; break;
    case FAST_BLEND_CONSTANT_ALPHA: vector = &operands->constant[3]; break;
    case FAST_BLEND_SATURATE: vector = &operands->saturate; break;
    }
    return (struct blend_factor){ vector, v_u16_splat(factor.flip) };
}

/* Sets what is the same for all blocks of a draw. */
static inline void prepare_blend(const struct fast_blend_state *state, struct blend_operands *operands,
                                 struct blend_factors *factors)
{
    operands->zero = v_u16_splat(0);
    operands->saturate = operands->zero;
    factors->saturates =
        state->rgb_source.operand == FAST_BLEND_SATURATE || state->rgb_dest.operand == FAST_BLEND_SATURATE;
    for (int k = 0; k < 4; k++) {
        operands->constant[k] = v_u16_splat(state->constant[k]);
        operands->dest.channel[k] = operands->zero; /* FBF-15, unless the destination is read */
        factors->source[k] = find_factor(operands, k == 3 ? state->alpha_source : state->rgb_source, k);
        factors->dest[k] = find_factor(operands, k == 3 ? state->alpha_dest : state->rgb_dest, k);
    }
}

static inline v_u16 times_factor(v_u16 value, const struct blend_factor *factor)
{
    return v_u16_mul(value, v_u16_xor(*factor->vector, factor->flip));
}

/*
 * BLD-02, BLD-03 for p, q <= 65025. The sum saturates at 65535, which changes nothing: from 255 * 256 on the limit of
 * 255 decides anyway. Differences below 0 give 0.
 */
static inline v_u16 blend_sum(v_u16 p, v_u16 q)
{
    return v_u16_min(v_u16_splat(255), v_u16_div255_floor(v_u16_adds(p, q)));
}

static inline v_u16 blend_equation(enum pica_blend_equation equation, v_u16 p, v_u16 q)
{
    switch (equation) {
    case PICA_BLEND_EQUATION_ADD:
    case PICA_BLEND_EQUATION_ADD_5:
    case PICA_BLEND_EQUATION_ADD_6:
    case PICA_BLEND_EQUATION_ADD_7: return blend_sum(p, q);
    case PICA_BLEND_EQUATION_SUBTRACT: return v_u16_div255_floor(v_u16_subs(p, q));
    case PICA_BLEND_EQUATION_REVERSE_SUBTRACT: return v_u16_div255_floor(v_u16_subs(q, p));
    case PICA_BLEND_EQUATION_MIN: return v_u16_div255_floor(v_u16_min(p, q));
    case PICA_BLEND_EQUATION_MAX:
    default: return v_u16_div255_floor(v_u16_max(p, q));
    }
}

/* Expects the source and the destination in the operands. */
static inline void blend(const struct fast_blend_state *state, const struct blend_factors *factors,
                         struct blend_operands *operands, struct fast_colors *out)
{
    v_u16 p[4];
    v_u16 q[4];
    if (factors->saturates)
        operands->saturate =
            v_u16_min(operands->source.channel[3], v_u16_xor(operands->dest.channel[3], v_u16_splat(255)));
    for (int k = 0; k < 4; k++) {
        p[k] = times_factor(operands->source.channel[k], &factors->source[k]);
        q[k] = times_factor(operands->dest.channel[k], &factors->dest[k]);
    }
    if (state->adds) {
        for (int k = 0; k < 4; k++)
            out->channel[k] = blend_sum(p[k], q[k]);
    } else {
        for (int k = 0; k < 3; k++)
            out->channel[k] = blend_equation(state->rgb_equation, p[k], q[k]);
        out->channel[3] = blend_equation(state->alpha_equation, p[3], q[3]);
    }
}

/* ---------------------------------------------------------------------------------------------------- the quick way */

static inline struct fast_pairs alpha_pairs(const struct fast_pairs *color)
{
    const v_u32 both = v_u32_or(v_u32_shr(color->odd, 16), v_u32_and(color->odd, v_u32_splat(0xFFFF0000u)));
    return (struct fast_pairs){ both, both };
}

/* min(S.a, 255 - D.a); not used for alpha. */
static inline struct fast_pairs saturate_pairs(const struct fast_pairs *source, const struct fast_pairs *dest)
{
    const v_u32 rest = v_u32_xor(alpha_pairs(dest).even, v_u32_splat(0x00FF00FFu));
    const v_u32 both = v_u16x2_min(alpha_pairs(source).even, rest);
    return (struct fast_pairs){ both, both };
}

static inline struct fast_pairs constant_pairs(uint32_t low_even, uint32_t high_even, uint32_t low_odd,
                                               uint32_t high_odd)
{
    return (struct fast_pairs){ v_u32_splat(low_even | high_even << 16), v_u32_splat(low_odd | high_odd << 16) };
}

/* BLD-01 */
static inline struct fast_pairs factor_pairs(const struct fast_blend_state *blend, struct fast_blend_factor factor,
                                             const struct fast_pairs *source, const struct fast_pairs *dest)
{
    const uint16_t *k = blend->constant;
    const v_u32 flip = v_u32_splat(factor.flip * 0x10001u);
    struct fast_pairs pairs = { v_u32_splat(0), v_u32_splat(0) };
    switch (factor.operand) {
    case FAST_BLEND_ZERO: break;
    case FAST_BLEND_SOURCE_COLOR: pairs = *source; break;
    case FAST_BLEND_SOURCE_ALPHA: pairs = alpha_pairs(source); break;
    case FAST_BLEND_DEST_COLOR: pairs = *dest; break;
    case FAST_BLEND_DEST_ALPHA: pairs = alpha_pairs(dest); break;
    case FAST_BLEND_CONSTANT_COLOR: pairs = constant_pairs(k[0], k[2], k[1], k[3]); break;
    case FAST_BLEND_CONSTANT_ALPHA: pairs = constant_pairs(k[3], k[3], k[3], k[3]); break;
    case FAST_BLEND_SATURATE: pairs = saturate_pairs(source, dest); break;
    }
    return (struct fast_pairs){ v_u32_xor(pairs.even, flip), v_u32_xor(pairs.odd, flip) };
}

/* Puts the factor of alpha into its place beside those of the other channels. */
static inline void split_alpha(struct fast_pairs *rgb, const struct fast_pairs *alpha)
{
    rgb->odd = v_u32_or(v_u32_and(rgb->odd, v_u32_splat(0xFFFFu)), v_u32_and(alpha->odd, v_u32_splat(0xFFFF0000u)));
}

/*
 * BLD-02, equation "add": the sum saturates at 65535, which changes nothing: from 255 * 256 on the limit of 255 decides
 * anyway.
 */
static inline v_u32 weighted(v_u32 source, v_u32 source_factor, v_u32 dest, v_u32 dest_factor)
{
    const v_u32 sum = v_u16x2_adds(v_u16x2_mul(source, source_factor), v_u16x2_mul(dest, dest_factor));
    return v_u16x2_min(v_u16x2_div255(sum), v_u32_splat(0x00FF00FFu));
}

static inline struct fast_pairs blend_pairs(const struct fast_blend_state *blend, bool splits_alpha,
                                            const struct fast_pairs *source, const struct fast_pairs *dest)
{
    struct fast_pairs by = factor_pairs(blend, blend->rgb_source, source, dest);
    struct fast_pairs over = factor_pairs(blend, blend->rgb_dest, source, dest);
    if (splits_alpha) {
        const struct fast_pairs alpha_by = factor_pairs(blend, blend->alpha_source, source, dest);
        const struct fast_pairs alpha_over = factor_pairs(blend, blend->alpha_dest, source, dest);
        split_alpha(&by, &alpha_by);
        split_alpha(&over, &alpha_over);
    }
    return (struct fast_pairs){ weighted(source->even, by.even, dest->even, over.even),
                                weighted(source->odd, by.odd, dest->odd, over.odd) };
}

/* ---------------------------------------------------------------------------------------------- the quick way, over */

/* BLD-02: are the factors source alpha and 1 - source alpha for all channels? Then the sum is at most 255 * 255. */
static inline bool blends_over(const struct fast_blend_state *blend)
{
    return blend->reads_destination && blend->rgb_source.operand == FAST_BLEND_SOURCE_ALPHA &&
           blend->rgb_source.flip == 0u && blend->rgb_dest.operand == FAST_BLEND_SOURCE_ALPHA &&
           blend->rgb_dest.flip == 255u;
}

/*
 * FBF-09: `low` holds a and g, the bytes 0 and 2 of a word; `high` holds b and r, the bytes 1 and 3. The product of a
 * half and 0x8081 has the half's quotient by 255 in its bits 23 to 30.
 */
static inline v_u32 blend_over(v_u32 low, v_u32 high, v_u32 stored)
{
    const v_u32 bytes = v_u32_splat(0x00FF00FFu);
    const v_u32 reciprocal = v_u32_splat(0x80818081u);
    const v_u32 by = v_u32_or(v_u32_shl(low, 16), v_u32_and(low, v_u32_splat(0xFFFFu)));
    const v_u32 over = v_u32_xor(by, bytes);
    const v_u32 low_sum = v_u16x2_add(v_u16x2_mul(low, by), v_u16x2_mul(v_u32_and(stored, bytes), over));
    const v_u32 high_sum = v_u16x2_add(v_u16x2_mul(high, by), v_u16x2_mul(v_u16x2_shr(stored, 8), over));
    const v_u32 low_bytes = v_u16x2_shr(v_u16x2_mulhi(low_sum, reciprocal), 7);
    const v_u32 doubled = v_u16x2_mulhi(high_sum, reciprocal);
    return v_u32_or(low_bytes, v_u32_andnot(v_u16x2_add(doubled, doubled), bytes));
}

#endif
