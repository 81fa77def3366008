/* Pixels of display transfers and of the display: formats of memory <-> r g b a. */
#include "fast/command/engine.h"
#include "fast/gpu.h"

/* PPF-10: 5-7 act as 4. */
enum pica_transfer_format fast_transfer_format(uint32_t format)
{
    return format > PICA_TRANSFER_FORMAT_RGBA4 ? PICA_TRANSFER_FORMAT_RGBA4 : (enum pica_transfer_format)format;
}

uint32_t fast_transfer_bytes(uint32_t format)
{
    const enum pica_transfer_format canonical = fast_transfer_format(format);
    if (canonical == PICA_TRANSFER_FORMAT_RGBA8)
        return 4u;
    return canonical == PICA_TRANSFER_FORMAT_RGB8 ? 3u : 2u;
}

static uint8_t expand4(uint32_t value)
{
    return (uint8_t)((value & 15u) * 17u);
}

static uint8_t expand5(uint32_t value)
{
    const uint32_t low = value & 31u;
    return (uint8_t)(low << 3 | low >> 2);
}

static uint8_t expand6(uint32_t value)
{
    const uint32_t low = value & 63u;
    return (uint8_t)(low << 2 | low >> 4);
}

/* FBF-09, FBF-10, PPF-11: missing alpha reads as 255. */
void fast_transfer_expand(uint32_t format, const uint8_t *bytes, uint8_t rgba[4])
{
    uint32_t pixel;
    rgba[3] = 255;
    switch (fast_transfer_format(format)) {
    case PICA_TRANSFER_FORMAT_RGBA8:
        rgba[0] = bytes[3];
        rgba[1] = bytes[2];
        rgba[2] = bytes[1];
        rgba[3] = bytes[0];
        break;
    case PICA_TRANSFER_FORMAT_RGB8:
        rgba[0] = bytes[2];
        rgba[1] = bytes[1];
        rgba[2] = bytes[0];
        break;
    case PICA_TRANSFER_FORMAT_RGB565:
        pixel = fast_load_le16(bytes);
        rgba[0] = expand5(pixel >> 11);
        rgba[1] = expand6(pixel >> 5);
        rgba[2] = expand5(pixel);
        break;
    case PICA_TRANSFER_FORMAT_RGB5A1:
        pixel = fast_load_le16(bytes);
        rgba[0] = expand5(pixel >> 11);
        rgba[1] = expand5(pixel >> 6);
        rgba[2] = expand5(pixel >> 1);
        rgba[3] = (uint8_t)((pixel & 1u) * 255u);
        break;
    case PICA_TRANSFER_FORMAT_RGBA4:
    case PICA_TRANSFER_FORMAT_RGBA4_5:
    case PICA_TRANSFER_FORMAT_RGBA4_6:
    case PICA_TRANSFER_FORMAT_RGBA4_7:
        pixel = fast_load_le16(bytes);
        rgba[0] = expand4(pixel >> 12);
        rgba[1] = expand4(pixel >> 8);
        rgba[2] = expand4(pixel >> 4);
        rgba[3] = expand4(pixel);
        break;
    }
}

/* FBF-11, PPF-11: truncation. */
void fast_transfer_reduce(enum pica_transfer_format format, const uint8_t rgba[4], uint8_t *bytes)
{
    const uint32_t r = rgba[0];
    const uint32_t g = rgba[1];
    const uint32_t b = rgba[2];
    const uint32_t a = rgba[3];
    switch (format) {
    case PICA_TRANSFER_FORMAT_RGBA8: fast_store_le32(bytes, r << 24 | g << 16 | b << 8 | a); break;
    case PICA_TRANSFER_FORMAT_RGB8:
        fast_store_le16(bytes, g << 8 | b);
        bytes[2] = rgba[0];
        break;
    case PICA_TRANSFER_FORMAT_RGB565: fast_store_le16(bytes, (r >> 3) << 11 | (g >> 2) << 5 | b >> 3); break;
    case PICA_TRANSFER_FORMAT_RGB5A1:
        fast_store_le16(bytes, (r >> 3) << 11 | (g >> 3) << 6 | (b >> 3) << 1 | a >> 7);
        break;
    case PICA_TRANSFER_FORMAT_RGBA4:
    case PICA_TRANSFER_FORMAT_RGBA4_5:
    case PICA_TRANSFER_FORMAT_RGBA4_6:
    case PICA_TRANSFER_FORMAT_RGBA4_7:
        fast_store_le16(bytes, (r >> 4) << 12 | (g >> 4) << 8 | (b >> 4) << 4 | a >> 4);
        break;
    }
}
