/*
 * The formats of pixels: between the bits that memory holds and four channels of 8 bits.
 *
 * Reading widens a channel of 4, 5 or 6 bits by repeating its upper bits, so that the largest value becomes 255;
 * alpha that a format lacks is 255. Writing cuts the lower bits off, without rounding or dithering. The same five
 * formats are those of the colour buffer, of the transfer engine and of the screens.
 *
 * Worked number: red 200 = 11001000b as 5 bits is 11001b = 25; read back it is 11001110b = 206.
 */
#include "reference/framebuffer.h"

#include "reference/gpu.h"

/* FBF-09; 4 for the reserved formats (FBF-19). */
uint32_t ref_color_bytes(enum pica_color_format format)
{
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8: return 4;
    case PICA_COLOR_FORMAT_RGB8: return 3;
    case PICA_COLOR_FORMAT_RGB5A1: return 2;
    case PICA_COLOR_FORMAT_RGB565: return 2;
    case PICA_COLOR_FORMAT_RGBA4: return 2;
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default: return 4; /* the field has three bits */
    }
}

/* FBF-14; 4 for the reserved format. */
uint32_t ref_depth_bytes(enum pica_depth_format format)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: return 2;
    case PICA_DEPTH_FORMAT_RESERVED_1: return 4;
    case PICA_DEPTH_FORMAT_D24: return 3;
    case PICA_DEPTH_FORMAT_D24S8:
    default: return 4; /* the field has two bits */
    }
}

/* FBF-10: 4, 5 or 6 bits, the lowest of `value`, to 8. */
static uint32_t expand4(uint32_t value)
{
    return (value & 15u) << 4 | (value & 15u);
}

static uint32_t expand5(uint32_t value)
{
    return (value & 31u) << 3 | (value & 31u) >> 2;
}

static uint32_t expand6(uint32_t value)
{
    return (value & 63u) << 2 | (value & 63u) >> 4;
}

/* FBF-09, FBF-10: missing alpha is 255. */
void ref_color_expand(enum pica_color_format format, uint32_t bits, uint8_t rgba[4])
{
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8:
        ref_set_color(rgba, bits >> 24, bits >> 16 & 255u, bits >> 8 & 255u, bits & 255u);
        return;
    case PICA_COLOR_FORMAT_RGB8: ref_set_color(rgba, bits >> 16 & 255u, bits >> 8 & 255u, bits & 255u, 255); return;
    case PICA_COLOR_FORMAT_RGB5A1:
        ref_set_color(rgba, expand5(bits >> 11), expand5(bits >> 6), expand5(bits >> 1), (bits & 1u) * 255u);
        return;
    case PICA_COLOR_FORMAT_RGB565:
        ref_set_color(rgba, expand5(bits >> 11), expand6(bits >> 5), expand5(bits), 255);
        return;
    case PICA_COLOR_FORMAT_RGBA4:
    case PICA_COLOR_FORMAT_RESERVED_5: /* FBF-12: never asked for, because nothing is written to them */
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default: ref_set_color(rgba, expand4(bits >> 12), expand4(bits >> 8), expand4(bits >> 4), expand4(bits)); return;
    }
}

/* FBF-09, FBF-11: truncation, no dithering; FBF-24: channels that the format lacks are dropped. */
uint32_t ref_color_pack(enum pica_color_format format, const uint8_t rgba[4])
{
    const uint32_t r = rgba[0], g = rgba[1], b = rgba[2], a = rgba[3];
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8: return r << 24 | g << 16 | b << 8 | a;
    case PICA_COLOR_FORMAT_RGB8: return r << 16 | g << 8 | b;
    case PICA_COLOR_FORMAT_RGB5A1: return r >> 3 << 11 | g >> 3 << 6 | b >> 3 << 1 | a >> 7;
    case PICA_COLOR_FORMAT_RGB565: return r >> 3 << 11 | g >> 2 << 5 | b >> 3;
    case PICA_COLOR_FORMAT_RGBA4: return r >> 4 << 12 | g >> 4 << 8 | b >> 4 << 4 | a >> 4;
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default: return 0; /* the field has three bits */
    }
}
