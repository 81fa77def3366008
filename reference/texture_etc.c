/*
 * ETC1, a block compression: 4x4 texels share 8 bytes. Each half of a block (left and right, or top and bottom) has one
 * base colour and one table of two brightness offsets; each texel chooses one of the two and a sign, and the offset is
 * added to red, green and blue alike. The PICA200 stores the 64 bits as one little-endian number (most documents of
 * ETC1 show them big-endian) and four blocks make one 8x8 tile. ETC1A4 puts 4 bits of alpha a texel in front.
 *
 * Worked number: q = 0xA84F109280010F31 has bit 33 set (differential) and the red byte 0xA8: base 21, delta 0. So both
 * halves have red (21 << 3) | (21 >> 2) = 173. Texel (0, 0) has column bit 1 and sign bit 1: offset -60 of table 4, so
 * its red is 113. The whole block: ETC-07; with bit 33 clear: ETC-08; with overflow: ETC-09.
 */
#include "reference/texture.h"

enum {
    ETC1_COLUMNS = 0, /* ETC-03: position of each part in the 64 bits */
    ETC1_SIGNS = 16,
    ETC1_FLIP = 32,
    ETC1_DIFFERENTIAL = 33,
    ETC1_TABLE2 = 34,
    ETC1_TABLE1 = 37,
    ETC1_BLUE = 40 /* then green and red, 8 bits each */
};

static uint32_t bits_of(uint64_t block, uint32_t low, uint32_t width)
{
    return (uint32_t)(block >> low) & ((1u << width) - 1u);
}

/* ETC-04, ETC-05: base colour of one channel from its byte. Sets *overflow if the sum leaves 0..31. */
static uint32_t base_color(uint32_t byte, bool differential, bool second, bool *overflow)
{
    if (!differential)
        return (second ? byte & 15u : byte >> 4) * 17u;
    uint32_t value = byte >> 3;
    if (second) {
        const uint32_t delta = byte & 7u;
        value = (value + (delta >= 4u ? delta - 8u : delta)) & 255u;
        if (value > 31u)
            *overflow = true;
    }
    return ((value << 3) | (value >> 2)) & 255u;
}

bool ref_etc1_color(uint64_t block, uint32_t x, uint32_t y, uint8_t rgb[3])
{
    /* ETC-06 */
    static const uint8_t offsets[8][2] = { { 2, 8 },   { 5, 17 },  { 9, 29 },   { 13, 42 },
                                           { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 } };
    const uint32_t texel = (4u * x) + y;
    const bool flip = bits_of(block, ETC1_FLIP, 1) != 0;
    const bool second = (flip ? y : x) >= 2u;
    const bool differential = bits_of(block, ETC1_DIFFERENTIAL, 1) != 0;
    const uint32_t table = bits_of(block, second ? ETC1_TABLE2 : ETC1_TABLE1, 3);
    const int32_t offset = offsets[table][bits_of(block, ETC1_COLUMNS + texel, 1)];
    const bool negative = bits_of(block, ETC1_SIGNS + texel, 1) != 0;

    bool overflow = false;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t byte = bits_of(block, ETC1_BLUE + (8u * (2u - i)), 8);
        const int32_t base = (int32_t)base_color(byte, differential, second, &overflow);
        const int32_t value = negative ? base - offset : base + offset;
        rgb[i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    return overflow;
}

uint8_t ref_etc1_alpha(uint64_t block, uint32_t x, uint32_t y)
{
    return (uint8_t)(bits_of(block, 4u * ((4u * x) + y), 4) * 17u);
}
