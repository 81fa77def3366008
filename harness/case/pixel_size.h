/* How large the pixels of each format are in memory. */
#ifndef HARNESS_PIXEL_SIZE_H
#define HARNESS_PIXEL_SIZE_H

#include "pica/enums.h"

#include <stdint.h>

/* TEX-23: bits of a texel. The two formats that do not exist count as the largest. */
static inline uint32_t harness_texel_bits(uint32_t format)
{
    static const uint8_t bits[16] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8, 32, 32 };
    return bits[format & 15u];
}

/* FBF-09: bytes of a pixel of the colour buffer, also for reserved formats, in which nothing is stored (FBF-12). */
static inline uint32_t harness_color_bytes(uint32_t format)
{
    static const uint8_t bytes[8] = { 4, 3, 2, 2, 2, 4, 4, 4 };
    return bytes[format & 7u];
}

/* FBF-14: bytes of a pixel of the depth buffer. */
static inline uint32_t harness_depth_bytes(uint32_t format)
{
    return format == PICA_DEPTH_FORMAT_D16 ? 2 : format == PICA_DEPTH_FORMAT_D24 ? 3 : 4;
}

/* PPF-10: bytes of a pixel on either side of a display transfer. */
static inline uint32_t harness_transfer_bytes(uint32_t format)
{
    return format == PICA_TRANSFER_FORMAT_RGBA8 ? 4 : format == PICA_TRANSFER_FORMAT_RGB8 ? 3 : 2;
}

#endif
