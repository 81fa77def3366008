/*
 * The framebuffer: two surfaces in guest memory, the colour buffer C and the depth buffer Z, stored in 8x8 tiles.
 *
 * Inside a tile pixels are in Morton order, the bits of column and row alternate; the highest row of the screen comes
 * first unless a bit says otherwise. Each buffer has a READ and a WRITE switch: with READ off, tests and blending see
 * 0. Each colour channel has a switch, too; the bits of a channel that is off stay as they are. Files beside this one
 * have the pixel formats, the private copies that a batch works on, and the batch itself.
 *
 * Worked number: W = 240, pixel (13, 21), bit 24 of the dimensions 0: tile (1, 2), so 16 * 240 + 8 * 8 = 3904 pixels
 * come before it, and inside it column 5 = 101b, row 5 = 101b give 110011b = 51: pixel 3955, RGBA8 byte 0x3DCC.
 */
#include "reference/framebuffer.h"

#include "reference/gpu.h"
#include "reference/trace.h"

/* ------------------------------------------------------------------------------------------------------ addressing */

/* Bit i of a number of five bits goes to bit 2 i. */
static const uint16_t spread[32] = { 0x000, 0x001, 0x004, 0x005, 0x010, 0x011, 0x014, 0x015, 0x040, 0x041, 0x044,
                                     0x045, 0x050, 0x051, 0x054, 0x055, 0x100, 0x101, 0x104, 0x105, 0x110, 0x111,
                                     0x114, 0x115, 0x140, 0x141, 0x144, 0x145, 0x150, 0x151, 0x154, 0x155 };

/* FBF-07: tiles of 8x8 in Morton order; FBF-08: blocks of 32x32 instead. */
uint32_t ref_tiled_index(uint32_t x, uint32_t y, uint32_t pitch, bool block32)
{
    const uint32_t bits = block32 ? 5u : 3u;
    const uint32_t size = 1u << bits;
    const uint32_t inner_x = x % size;
    const uint32_t inner_y = y % size;
    const uint32_t morton = spread[inner_x] | (uint32_t)spread[inner_y] << 1;
    return (y - inner_y) * pitch + (x - inner_x) * size + morton;
}

/* FBF-06: the highest screen row comes first in memory unless bit 24 of FRAMEBUFFER_DIM is 0. */
uint32_t ref_pixel_index(const struct ref_batch *batch, uint32_t x, uint32_t y)
{
    const uint32_t row = batch->top_row_first ? batch->height - 1u - y : y;
    return ref_tiled_index(x, row, batch->pitch, batch->block32);
}

/* ---------------------------------------------------------------------------------------------------------- pixels */

/* FBF-17: the stored bits of the channels that may be written, for the word of DEPTH_COLOR_MASK. */
uint32_t ref_writable_bits(enum pica_color_format format, uint32_t word)
{
    const uint8_t channels[4] = {
        pica_depth_color_mask_red_write(word) ? 255 : 0,
        pica_depth_color_mask_green_write(word) ? 255 : 0,
        pica_depth_color_mask_blue_write(word) ? 255 : 0,
        pica_depth_color_mask_alpha_write(word) ? 255 : 0,
    };
    return ref_color_pack(format, channels);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_color(const struct ref_gpu *gpu, const uint8_t color[4], uint32_t bits)
{
    const struct ref_batch *const batch = gpu->batch;
    ref_trace_rule(gpu, "FBF-17", 0, &batch->writable_bits, 1);
    ref_trace_rule(gpu, "FBF-11", 0, (const uint32_t[]){ ref_color_pack(batch->color_format, color) }, 1);
    ref_feature(gpu, PICA_FEATURE_COLOR_WRITTEN + (uint32_t)gpu->batch->color_format);
    ref_trace(gpu, PICA_TRACE_ID_COLOR_WRITE, 0, &bits, 1);
}

/* FBF-24: channels that may not be written keep their bits, even with READ off (FBF-29). */
void ref_color_pixel_write(struct ref_gpu *gpu, const struct ref_color_pixel *pixel, const uint8_t color[4])
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t mask = batch->writable_bits;
    const uint32_t bits = (pixel->bits & ~mask) | (ref_color_pack(batch->color_format, color) & mask);
    ref_surface_write(gpu, &batch->color, pixel->offset, batch->color_bytes, bits);
    if (gpu->is_watched)
        record_color(gpu, color, bits);
}
