/* The colour surface: formats, blending, logic operations, writes. Part of kernels/block.c. */
#ifndef FAST_KERNELS_BLEND_H
#define FAST_KERNELS_BLEND_H

#include "fast/kernels/block_setting.h"

/* ----------------------------------------------------------------------------------------------------------- colour */

/* FBF-09: stored pixels as words. */
static inline v_u32 load_color(uint32_t bytes_per_pixel, const uint8_t *bytes)
{
    switch (bytes_per_pixel) {
    case 2: return v_u32_from_u16(v_u16_load_le(bytes));
    case 3: return v_u32_load24_le(bytes);
    default: return v_u32_load_le(bytes);
    }
}

static inline void store_color(uint32_t bytes_per_pixel, uint8_t *bytes, v_u32 words)
{
    switch (bytes_per_pixel) {
    case 2: v_u16_store_le(bytes, v_u16_from_u32(words)); break;
    case 3: v_u32_store24_le(bytes, words); break;
    default: v_u32_store_le(bytes, words); break;
    }
}

/* FBF-10: n bits at `low` of a 16-bit pixel, expanded to 8. */
static inline v_u16 field16(v_u16 pixel, int low, uint16_t mask)
{
    return v_u16_and(v_u16_shr(pixel, low), v_u16_splat(mask));
}

static inline v_u16 expand4(v_u16 value)
{
    return v_u16_or(v_u16_shl(value, 4), value);
}

static inline v_u16 expand5(v_u16 value)
{
    return v_u16_or(v_u16_shl(value, 3), v_u16_shr(value, 2));
}

static inline v_u16 expand6(v_u16 value)
{
    return v_u16_or(v_u16_shl(value, 2), v_u16_shr(value, 4));
}

/* FBF-10, FBF-12: missing alpha is 255; reserved formats never get here. */
static inline void unpack_color(enum pica_color_format format, v_u32 words, struct fast_colors *out)
{
    const v_u16 low = v_u16_from_u32(words);
    const v_u16 high = v_u16_from_u32(v_u32_shr(words, 16));
    const v_u16 byte = v_u16_splat(255);
    v_u16 *channel = out->channel;
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8:
        channel[0] = v_u16_shr(high, 8);
        channel[1] = v_u16_and(high, byte);
        channel[2] = v_u16_shr(low, 8);
        channel[3] = v_u16_and(low, byte);
        break;
    case PICA_COLOR_FORMAT_RGB8:
        channel[0] = high;
        channel[1] = v_u16_shr(low, 8);
        channel[2] = v_u16_and(low, byte);
        channel[3] = byte;
        break;
    case PICA_COLOR_FORMAT_RGB5A1:
        channel[0] = expand5(field16(low, 11, 31));
        channel[1] = expand5(field16(low, 6, 31));
        channel[2] = expand5(field16(low, 1, 31));
        channel[3] = v_u16_mul(field16(low, 0, 1), byte);
        break;
    case PICA_COLOR_FORMAT_RGB565:
        channel[0] = expand5(field16(low, 11, 31));
        channel[1] = expand6(field16(low, 5, 63));
        channel[2] = expand5(field16(low, 0, 31));
        channel[3] = byte;
        break;
    case PICA_COLOR_FORMAT_RGBA4:
    case PICA_COLOR_FORMAT_RESERVED_5: /* FBF-12: nothing is written to reserved formats */
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default:
        channel[0] = expand4(field16(low, 12, 15));
        channel[1] = expand4(field16(low, 8, 15));
        channel[2] = expand4(field16(low, 4, 15));
        channel[3] = expand4(field16(low, 0, 15));
        break;
    }
}

/* One channel of a 16-bit pixel: reduced by truncation (FBF-11) and moved to its place. */
static inline v_u16 place(v_u16 channel, int bits, int low)
{
    return v_u16_shl(v_u16_shr(channel, 8 - bits), low);
}

static inline v_u16 or4(v_u16 a, v_u16 b, v_u16 c, v_u16 d)
{
    return v_u16_or(v_u16_or(a, b), v_u16_or(c, d));
}

/* FBF-09, FBF-11 */
static inline v_u32 pack_color(enum pica_color_format format, const struct fast_colors *colors)
{
    const v_u16 *channel = colors->channel;
    v_u16 low = v_u16_splat(0);
    v_u16 high = v_u16_splat(0);
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8:
        high = v_u16_or(v_u16_shl(channel[0], 8), channel[1]);
        low = v_u16_or(v_u16_shl(channel[2], 8), channel[3]);
        break;
    case PICA_COLOR_FORMAT_RGB8:
        high = channel[0];
        low = v_u16_or(v_u16_shl(channel[1], 8), channel[2]);
        break;
    case PICA_COLOR_FORMAT_RGB5A1:
        low = or4(place(channel[0], 5, 11), place(channel[1], 5, 6), place(channel[2], 5, 1), place(channel[3], 1, 0));
        return v_u32_from_u16(low);
    case PICA_COLOR_FORMAT_RGB565:
        low = or4(place(channel[0], 5, 11), place(channel[1], 6, 5), place(channel[2], 5, 0), v_u16_splat(0));
        return v_u32_from_u16(low);
    case PICA_COLOR_FORMAT_RGBA4:
    case PICA_COLOR_FORMAT_RESERVED_5: /* FBF-12: nothing is written to reserved formats */
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default:
        low = or4(place(channel[0], 4, 12), place(channel[1], 4, 8), place(channel[2], 4, 4), place(channel[3], 4, 0));
        return v_u32_from_u16(low);
    }
    return v_u32_or(v_u32_shl(v_u32_from_u16(high), 16), v_u32_from_u16(low));
}

static inline struct factor find_factor(const struct operands *operands, struct fast_blend_factor factor, int channel)
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
    return (struct factor){ vector, v_u16_splat(factor.flip) };
}

/* Once for all blocks of a call: which vectors the factors are. */
static inline void prepare_blend(struct setting *setting, struct operands *operands)
{
    const struct fast_blend_state *state = &setting->blend;
    setting->operands = operands;
    operands->zero = v_u16_splat(0);
    operands->saturate = operands->zero;
    setting->saturates =
        state->rgb_source.operand == FAST_BLEND_SATURATE || state->rgb_dest.operand == FAST_BLEND_SATURATE;
    for (int k = 0; k < 4; k++) {
        operands->constant[k] = v_u16_splat(state->constant[k]);
        operands->dest.channel[k] = operands->zero; /* FBF-15, unless the destination is read */
        setting->source_factor[k] = find_factor(operands, k == 3 ? state->alpha_source : state->rgb_source, k);
        setting->dest_factor[k] = find_factor(operands, k == 3 ? state->alpha_dest : state->rgb_dest, k);
    }
}

static inline v_u16 times_factor(v_u16 value, const struct factor *factor)
{
    return v_u16_mul(value, v_u16_xor(*factor->vector, factor->flip));
}

/*
 * BLD-02, BLD-03 on p, q <= 65025. The sum is saturated at 65535: beyond 255 * 256 the limit of 255 decides anyway.
 * Differences below 0 give 0.
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

static inline void blend(const struct setting *setting, struct fast_colors *out)
{
    const struct fast_blend_state *state = &setting->blend;
    struct operands *operands = setting->operands;
    v_u16 p[4];
    v_u16 q[4];
    if (setting->saturates)
        operands->saturate =
            v_u16_min(operands->source.channel[3], v_u16_xor(operands->dest.channel[3], v_u16_splat(255)));
    for (int k = 0; k < 4; k++) {
        p[k] = times_factor(operands->source.channel[k], &setting->source_factor[k]);
        q[k] = times_factor(operands->dest.channel[k], &setting->dest_factor[k]);
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

/* LOP-01 on 8-bit values in 16-bit lanes. */
static inline v_u16 logic_operation(enum pica_logic_op operation, v_u16 s, v_u16 d)
{
    const v_u16 byte = v_u16_splat(255);
    switch (operation) {
    case PICA_LOGIC_OP_CLEAR: return v_u16_splat(0);
    case PICA_LOGIC_OP_AND: return v_u16_and(s, d);
    case PICA_LOGIC_OP_AND_REVERSE: return v_u16_andnot(s, d);
    case PICA_LOGIC_OP_SET: return byte;
    case PICA_LOGIC_OP_COPY_INVERTED: return v_u16_xor(s, byte);
    case PICA_LOGIC_OP_NOOP: return d;
    case PICA_LOGIC_OP_INVERT: return v_u16_xor(d, byte);
    case PICA_LOGIC_OP_NAND: return v_u16_xor(v_u16_and(s, d), byte);
    case PICA_LOGIC_OP_OR: return v_u16_or(s, d);
    case PICA_LOGIC_OP_NOR: return v_u16_xor(v_u16_or(s, d), byte);
    case PICA_LOGIC_OP_XOR: return v_u16_xor(s, d);
    case PICA_LOGIC_OP_EQUIVALENT: return v_u16_xor(v_u16_xor(s, d), byte);
    case PICA_LOGIC_OP_AND_INVERTED: return v_u16_andnot(d, s);
    case PICA_LOGIC_OP_OR_REVERSE: return v_u16_or(s, v_u16_xor(d, byte));
    case PICA_LOGIC_OP_OR_INVERTED:
    case PICA_LOGIC_OP_COPY: /* needs no operation: write_color */
    default: return v_u16_or(v_u16_xor(s, byte), d);
    }
}

/* Steps 9 and 10 of FBF-21; FBF-15, FBF-17, FBF-24, BLD-05. The source colour is operands->source. */
static inline void write_color(const struct setting *setting, const struct fast_block_item *item,
                               const struct fast_block *block, v_mask passes)
{
    const struct fast_color_state *color = &setting->color;
    const struct fast_blend_state *state = &setting->blend;
    struct operands *operands = setting->operands;
    const v_u32 stored = load_color(setting->color_bytes, item->color);
    struct fast_colors blended;
    const struct fast_colors *result = &operands->source;
    if (state->reads_destination)
        unpack_color(color->format, stored, &operands->dest);
    if (state->enabled) {
        blend(setting, &blended);
        result = &blended;
    } else if (state->logic_op != PICA_LOGIC_OP_COPY) {
        for (int k = 0; k < 4; k++)
            blended.channel[k] =
                logic_operation(state->logic_op, operands->source.channel[k], operands->dest.channel[k]);
        result = &blended;
    }
    if (state->reads_destination || !color->read)
        trace_channels(block, PICA_TRACE_ID_BLEND_DEST, 0u, operands->dest.channel, 4u);
    trace_channels(block, PICA_TRACE_ID_BLEND_RESULT, 0u, result->channel, 4u);
    v_u32 words = pack_color(color->format, result);
    if (color->keeps_bits) {
        const v_u32 bits = v_u32_splat(color->bits);
        words = v_u32_or(v_u32_and(words, bits), v_u32_andnot(stored, bits));
    }
    trace_u32(block, PICA_TRACE_ID_COLOR_WRITE, words);
    store_color(setting->color_bytes, item->color, v_u32_select(passes, words, stored));
}

#endif
