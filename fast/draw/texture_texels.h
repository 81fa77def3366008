/* Decoding of one 8x8 tile of texture memory, in any format (docs/spec 40 sections 4 and 5). */
#ifndef FAST_DRAW_TEXTURE_TEXELS_H
#define FAST_DRAW_TEXTURE_TEXELS_H

#include <stdint.h>

enum {
    FAST_TILE_TEXELS = 64,
    FAST_TILE_MAX_BYTES = 256
};

/* TEX-23: bits per texel, 0 for the reserved formats 14 and 15. */
uint32_t fast_texel_bits(uint32_t format);

/*
 * Decodes the tile whose bytes start at `bytes` (8 * fast_texel_bits(format) of them) to out[row * 8 + column], rows as
 * in memory, texels as words R | G << 8 | B << 16 | A << 24.
 */
void fast_texels_decode_tile(uint32_t format, const uint8_t *bytes, uint32_t out[FAST_TILE_TEXELS]);

#endif
