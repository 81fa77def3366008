/* Texel formats (40 sections 4 and 5): the bytes of one 8x8 tile -> words, ETC included. */
#include "fast/draw/texture_texels.h"

#include "pica/enums.h"

#include <stdbool.h>

/* TEX-22: MORTON, row by row. */
static const uint8_t morton[FAST_TILE_TEXELS] = {
    0,  1,  4,  5,  16, 17, 20, 21, /**/ 2,  3,  6,  7,  18, 19, 22, 23, /**/
    8,  9,  12, 13, 24, 25, 28, 29, /**/ 10, 11, 14, 15, 26, 27, 30, 31, /**/
    32, 33, 36, 37, 48, 49, 52, 53, /**/ 34, 35, 38, 39, 50, 51, 54, 55, /**/
    40, 41, 44, 45, 56, 57, 60, 61, /**/ 42, 43, 46, 47, 58, 59, 62, 63
};

static inline uint32_t texel(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    return red | (green << 8) | (blue << 16) | (alpha << 24);
}

/* TEX-23: e4, e5, e6, e1. */
static inline uint32_t expand4(uint32_t x)
{
    return x * 17;
}

static inline uint32_t expand5(uint32_t x)
{
    return (x << 3) | (x >> 2);
}

static inline uint32_t expand6(uint32_t x)
{
    return (x << 2) | (x >> 4);
}

static inline uint32_t expand1(uint32_t x)
{
    return x * 255;
}

static inline uint32_t read16(const uint8_t *bytes, uint32_t n)
{
    return (uint32_t)bytes[2 * n] | ((uint32_t)bytes[2 * n + 1] << 8);
}

/* TEX-24: the low nibble is the even texel. */
static inline uint32_t read4(const uint8_t *bytes, uint32_t n)
{
    return ((uint32_t)bytes[n >> 1] >> (4 * (n & 1))) & 15;
}

static uint64_t read64(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

/* TEX-23 (examples: TEX-25). n is the number of the texel inside the tile. */

static void decode_rgba8(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint8_t *t = b + 4 * (uint32_t)morton[i];
        out[i] = texel(t[3], t[2], t[1], t[0]);
    }
}

static void decode_rgb8(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint8_t *t = b + 3 * (uint32_t)morton[i];
        out[i] = texel(t[2], t[1], t[0], 255);
    }
}

static void decode_rgb5a1(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint32_t p = read16(b, morton[i]);
        out[i] = texel(expand5(p >> 11), expand5((p >> 6) & 31), expand5((p >> 1) & 31), expand1(p & 1));
    }
}

static void decode_rgb565(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint32_t p = read16(b, morton[i]);
        out[i] = texel(expand5(p >> 11), expand6((p >> 5) & 63), expand5(p & 31), 255);
    }
}

static void decode_rgba4(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint32_t p = read16(b, morton[i]);
        out[i] = texel(expand4(p >> 12), expand4((p >> 8) & 15), expand4((p >> 4) & 15), expand4(p & 15));
    }
}

static void decode_ia8(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint8_t *t = b + 2 * (uint32_t)morton[i];
        out[i] = texel(t[1], t[1], t[1], t[0]);
    }
}

static void decode_hilo8(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint8_t *t = b + 2 * (uint32_t)morton[i];
        out[i] = texel(t[1], t[0], 0, 255);
    }
}

static void decode_i8(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint32_t v = b[morton[i]];
        out[i] = texel(v, v, v, 255);
    }
}

static void decode_a8(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++)
        out[i] = texel(0, 0, 0, b[morton[i]]);
}

static void decode_ia4(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint32_t v = b[morton[i]];
        const uint32_t intensity = expand4(v >> 4);
        out[i] = texel(intensity, intensity, intensity, expand4(v & 15));
    }
}

static void decode_i4(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++) {
        const uint32_t v = expand4(read4(b, morton[i]));
        out[i] = texel(v, v, v, 255);
    }
}

static void decode_a4(const uint8_t *b, uint32_t out[FAST_TILE_TEXELS])
{
    for (uint32_t i = 0; i < FAST_TILE_TEXELS; i++)
        out[i] = texel(0, 0, 0, expand4(read4(b, morton[i])));
}

/* -------------------------------------------------------------------------------------------------------------- ETC */

/* ETC-03: the fields of the colour block. `shift` is the low bit of a channel's byte. */
static inline uint32_t etc_bits(uint64_t block, uint32_t low, uint32_t width)
{
    return (uint32_t)(block >> low) & ((1u << width) - 1);
}

/* ETC-04, ETC-05: base colours of one channel for both sub-blocks; overflow of the differential sum is modulo 256. */
static void etc_bases(uint64_t block, uint32_t shift, uint32_t base[2])
{
    const bool differential = etc_bits(block, 33, 1) != 0;
    if (!differential) {
        base[0] = expand4(etc_bits(block, shift + 4, 4));
        base[1] = expand4(etc_bits(block, shift, 4));
        return;
    }
    const uint32_t first = etc_bits(block, shift + 3, 5);
    const uint32_t delta = etc_bits(block, shift, 3);
    const uint32_t second = (first + delta - 2 * (delta & 4)) & 255; /* SX(3, delta) = delta - 8 if bit 2 is set */
    base[0] = expand5(first);
    base[1] = ((second << 3) | (second >> 2)) & 255;
}

/* ETC-06. */
static uint32_t etc_channel(uint32_t base, int32_t offset)
{
    const int32_t sum = (int32_t)base + offset;
    return sum < 0 ? 0 : sum > 255 ? 255 : (uint32_t)sum;
}

/* ETC-03, ETC-06: a 4x4 block; rows of `out` are 8 texels apart. */
static void etc_decode_block(uint64_t block, uint64_t alpha, uint32_t *out)
{
    static const uint8_t tables[8][2] = { { 2, 8 },   { 5, 17 },  { 9, 29 },   { 13, 42 },
                                          { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 } };
    const bool flip = etc_bits(block, 32, 1) != 0;
    const uint32_t table[2] = { etc_bits(block, 37, 3), etc_bits(block, 34, 3) };
    uint32_t red[2], green[2], blue[2];
    etc_bases(block, 56, red);
    etc_bases(block, 48, green);
    etc_bases(block, 40, blue);

    for (uint32_t x = 0; x < 4; x++)
        for (uint32_t y = 0; y < 4; y++) {
            const uint32_t i = 4 * x + y;
            const uint32_t half = flip ? y >> 1 : x >> 1;
            const int32_t magnitude = tables[table[half]][etc_bits(block, i, 1)];
            const int32_t offset = etc_bits(block, 16 + i, 1) != 0 ? -magnitude : magnitude;
            out[8 * y + x] = texel(etc_channel(red[half], offset), etc_channel(green[half], offset),
                                   etc_channel(blue[half], offset), expand4((uint32_t)(alpha >> (4 * i)) & 15));
        }
}

/* ETC-01, ETC-02 (examples: ETC-07, ETC-08, ETC-09). */
static void decode_etc(const uint8_t *b, bool has_alpha, uint32_t out[FAST_TILE_TEXELS])
{
    const uint32_t block_bytes = has_alpha ? 16 : 8;
    for (uint32_t block = 0; block < 4; block++) {
        const uint8_t *bytes = b + block * block_bytes;
        const uint64_t alpha = has_alpha ? read64(bytes) : UINT64_MAX;
        const uint64_t color = read64(has_alpha ? bytes + 8 : bytes);
        etc_decode_block(color, alpha, out + 32 * (block >> 1) + 4 * (block & 1));
    }
}

/* ------------------------------------------------------------------------------------------------------- any format */

uint32_t fast_texel_bits(uint32_t format)
{
    static const uint8_t bits[16] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8, 0, 0 };
    return bits[format & 15];
}

void fast_texels_decode_tile(uint32_t format, const uint8_t *bytes, uint32_t out[FAST_TILE_TEXELS])
{
    switch ((enum pica_texture_format)format) {
    case PICA_TEXTURE_FORMAT_RGBA8: decode_rgba8(bytes, out); return;
    case PICA_TEXTURE_FORMAT_RGB8: decode_rgb8(bytes, out); return;
    case PICA_TEXTURE_FORMAT_RGB5A1: decode_rgb5a1(bytes, out); return;
    case PICA_TEXTURE_FORMAT_RGB565: decode_rgb565(bytes, out); return;
    case PICA_TEXTURE_FORMAT_RGBA4: decode_rgba4(bytes, out); return;
    case PICA_TEXTURE_FORMAT_IA8: decode_ia8(bytes, out); return;
    case PICA_TEXTURE_FORMAT_HILO8: decode_hilo8(bytes, out); return;
    case PICA_TEXTURE_FORMAT_I8: decode_i8(bytes, out); return;
    case PICA_TEXTURE_FORMAT_A8: decode_a8(bytes, out); return;
    case PICA_TEXTURE_FORMAT_IA4: decode_ia4(bytes, out); return;
    case PICA_TEXTURE_FORMAT_I4: decode_i4(bytes, out); return;
    case PICA_TEXTURE_FORMAT_A4: decode_a4(bytes, out); return;
    case PICA_TEXTURE_FORMAT_ETC1: decode_etc(bytes, false, out); return;
    case PICA_TEXTURE_FORMAT_ETC1A4:
    case PICA_TEXTURE_FORMAT_RESERVED_14: /* TEX-16: units with a reserved format have no image */
    case PICA_TEXTURE_FORMAT_RESERVED_15:
    default: decode_etc(bytes, true, out); return;
    }
}
