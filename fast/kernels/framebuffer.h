/*
 * Pixels of the two surfaces: loads and stores of 16 consecutive pixels (FBF-07, FBF-09, FBF-14), and conversion of
 * colours from and to their formats (FBF-10, FBF-11). The quick way has only RGBA8 and D24S8, and loads their words
 * unchanged.
 */
#ifndef FAST_KERNELS_FRAMEBUFFER_H
#define FAST_KERNELS_FRAMEBUFFER_H

#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"
#include "pica/enums.h"

/* ----------------------------------------------------------------------------------------------------------- colour */

/* FBF-09: loads 16 stored pixels as words. */
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

/* FBF-10, FBF-12: alpha that the format lacks is 255; reserved formats never get here. */
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

/* One channel of a 16-bit pixel: reduced by truncation (FBF-11) and shifted to its position. */
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

/* ------------------------------------------------------------------------------------------------ depth and stencil */

/* The words of the depth surface: depth in the low bits, the stencil byte of D24S8 above (FBF-14). */
static inline v_u32 load_depth(enum pica_depth_format format, const uint8_t *bytes)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: return v_u32_from_u16(v_u16_load_le(bytes));
    case PICA_DEPTH_FORMAT_D24: return v_u32_load24_le(bytes);
    case PICA_DEPTH_FORMAT_D24S8:
    case PICA_DEPTH_FORMAT_RESERVED_1: /* never read */
    default: return v_u32_load_le(bytes);
    }
}

static inline void store_depth(enum pica_depth_format format, uint8_t *bytes, v_u32 words)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: v_u16_store_le(bytes, v_u16_from_u32(words)); break;
    case PICA_DEPTH_FORMAT_D24: v_u32_store24_le(bytes, words); break;
    case PICA_DEPTH_FORMAT_D24S8:
    case PICA_DEPTH_FORMAT_RESERVED_1: /* never written */
    default: v_u32_store_le(bytes, words); break;
    }
}

/* ---------------------------------------------------------------------------------------------------- the quick way */

/* FBF-09: the word of RGBA8 is R << 24 | G << 16 | B << 8 | A. */
static inline struct fast_pairs unpack_pairs(v_u32 word)
{
    const v_u32 bytes = v_u32_splat(0x00FF00FFu);
    return (struct fast_pairs){ v_u32_and(v_u32_rotate_left(word, 8), bytes),
                                v_u32_and(v_u32_rotate_left(word, 16), bytes) };
}

static inline v_u32 pack_pairs(const struct fast_pairs *pairs)
{
    return v_u32_or(v_u32_rotate_left(pairs->even, 24), v_u32_rotate_left(pairs->odd, 16));
}

#endif
