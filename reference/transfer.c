/*
 * Display transfer: turns a tiled picture into a linear one, as the screens want it, or back, or copies tiles, with
 * conversion of the format, halving in one or both directions, and a flip.
 *
 * For each pixel of the output it reads one source pixel, or two or four to average, converts and writes them before it
 * reads the next one, which decides what happens where source and destination overlap. Sizes are in pixels of the
 * source, those of the output follow from the scale. Some combinations of formats hang a console; here they convert,
 * and raise an event.
 *
 * Worked number: width 240, height 400, scale 2x1: the output has 120 x 400 pixels; red of its first one is the sum of
 * the reds of source pixels (0, 0) and (1, 0) divided by 2, truncated.
 */
#include "reference/engine.h"

#include "pica/extregs.h"
#include "reference/framebuffer.h"
#include "reference/gpu.h"

#include <string.h>

/* A display transfer, sizes in pixels. */
struct transfer {
    uint32_t in, out;               /* PPF-01 */
    uint32_t width, height;         /* PPF-04: W, H */
    uint32_t in_width;              /* PPF-04: IW */
    uint32_t in_pitch;              /* PPF-05: P */
    uint32_t out_width, out_height; /* PPF-06: Wo, Ho */
    uint32_t step_x, step_y;        /* PPF-13: sx, sy */
    bool flip, crop, block32;       /* PPF-03 */
    bool keep_tiled, to_tiled;      /* PPF-03 */
    bool in_tiled, out_tiled;       /* PPF-07 */
    bool is_displaced;              /* PPF-14 */
    enum pica_transfer_scale scale;
    enum pica_transfer_format in_raw, out_raw; /* as in FLAGS */
    enum pica_color_format in_format, out_format;
    struct ref_byte_range read, written;
};

/* PPF-10; PDC-04. */
enum pica_color_format ref_transfer_color_format(enum pica_transfer_format format)
{
    switch (format) {
    case PICA_TRANSFER_FORMAT_RGBA8: return PICA_COLOR_FORMAT_RGBA8;
    case PICA_TRANSFER_FORMAT_RGB8: return PICA_COLOR_FORMAT_RGB8;
    case PICA_TRANSFER_FORMAT_RGB565: return PICA_COLOR_FORMAT_RGB565;
    case PICA_TRANSFER_FORMAT_RGB5A1: return PICA_COLOR_FORMAT_RGB5A1;
    case PICA_TRANSFER_FORMAT_RGBA4:
    case PICA_TRANSFER_FORMAT_RGBA4_5:
    case PICA_TRANSFER_FORMAT_RGBA4_6:
    case PICA_TRANSFER_FORMAT_RGBA4_7:
    default: return PICA_COLOR_FORMAT_RGBA4; /* the field has three bits */
    }
}

/* PPF-04: a size in pixels; its 3 low bits do not exist, except on the other side. */
static uint32_t transfer_size(const struct ref_gpu *gpu, uint32_t bits)
{
    return ref_takes(gpu, PICA_SIDE_TRANSFER_SIZE_ALL_BITS) ? bits : bits - bits % 8u;
}

/* PPF-07: the layout of input and output; on the other side, with both layout bits set neither of them is tiled. */
static void load_layout(const struct ref_gpu *gpu, struct transfer *t)
{
    const bool neither = t->keep_tiled && t->to_tiled && ref_takes(gpu, PICA_SIDE_TILED_LINEAR_LINEAR);
    t->in_tiled = (t->keep_tiled || !t->to_tiled) && !neither;
    t->out_tiled = (t->keep_tiled || t->to_tiled) && !neither;
}

/* PPF-01, PPF-03 to PPF-07, PPF-10. */
static struct transfer load_transfer(const struct ref_gpu *gpu)
{
    const uint32_t dim = ref_external_word(gpu, PICA_EXTREG_XFER_DIM);
    const uint32_t flags = ref_external_word(gpu, PICA_EXTREG_XFER_FLAGS);
    struct transfer t;
    memset(&t, 0, sizeof t);
    t.in = ref_engine_address(gpu, PICA_EXTREG_XFER_IN);
    t.out = ref_engine_address(gpu, PICA_EXTREG_XFER_OUT);
    t.width = transfer_size(gpu, pica_xfer_dim_width(dim));
    t.height = transfer_size(gpu, pica_xfer_dim_height(dim));
    t.in_width = transfer_size(gpu, pica_xfer_indim_width(ref_external_word(gpu, PICA_EXTREG_XFER_INDIM)));
    t.flip = pica_xfer_flags_flip(flags) != 0;
    t.crop = pica_xfer_flags_crop(flags) != 0;
    t.block32 = pica_xfer_flags_block32(flags) != 0;
    t.keep_tiled = pica_xfer_flags_keep_tiled(flags) != 0;
    t.to_tiled = pica_xfer_flags_to_tiled(flags) != 0;
    load_layout(gpu, &t);
    t.scale = pica_xfer_flags_scale(flags);
    t.step_x = t.scale == PICA_TRANSFER_SCALE_2X1 || t.scale == PICA_TRANSFER_SCALE_2X2 ? 2 : 1;
    t.step_y = t.scale == PICA_TRANSFER_SCALE_2X2 ? 2 : 1;
    t.in_pitch = t.crop || ref_takes(gpu, PICA_SIDE_TRANSFER_PITCH_INPUT) ? t.in_width : t.width; /* PPF-05 */
    t.is_displaced = t.flip && t.crop && ref_takes(gpu, PICA_SIDE_FLIP_OFFSET_DISPLACED);
    t.out_width = t.width / t.step_x;
    t.out_height = t.height / t.step_y;
    t.in_raw = pica_xfer_flags_in_format(flags);
    t.out_raw = pica_xfer_flags_out_format(flags);
    t.in_format = ref_transfer_color_format(t.in_raw);
    t.out_format = ref_transfer_color_format(t.out_raw);
    return t;
}

/* PPF-08: pixel index. */
static uint32_t pixel_index(bool tiled, bool block32, uint32_t pitch, uint32_t x, uint32_t y)
{
    return tiled ? ref_tiled_index(x, y, pitch, block32) : y * pitch + x;
}

/* PPF-11, PPF-18: one source pixel, expanded. */
static void read_pixel(const struct ref_gpu *gpu, struct transfer *t, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint32_t bytes = ref_color_bytes(t->in_format);
    const uint32_t address = t->in + pixel_index(t->in_tiled, t->block32, t->in_pitch, x, y) * bytes;
    uint8_t stored[4] = { 0, 0, 0, 0 };
    ref_read_bytes(gpu, address, stored, bytes);
    ref_note_bytes(gpu, &t->read, address, bytes);
    ref_color_expand(
        t->in_format,
        (uint32_t)stored[0] | (uint32_t)stored[1] << 8 | (uint32_t)stored[2] << 16 | (uint32_t)stored[3] << 24, rgba);
}

/* PPF-09: the average of step_x times step_y source pixels, truncated. */
static void read_average(const struct ref_gpu *gpu, struct transfer *t, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    uint32_t sums[4] = { 0, 0, 0, 0 };
    for (uint32_t dy = 0; dy < t->step_y; dy++)
        for (uint32_t dx = 0; dx < t->step_x; dx++) {
            uint8_t pixel[4];
            read_pixel(gpu, t, x + dx, y + dy, pixel);
            for (int c = 0; c < 4; c++)
                sums[c] += pixel[c];
        }
    for (int c = 0; c < 4; c++)
        rgba[c] = (uint8_t)(sums[c] / (t->step_x * t->step_y));
}

/* PPF-14: how many bytes the output is displaced by. */
static uint32_t flip_displacement(const struct transfer *t)
{
    if (!t->is_displaced)
        return 0;
    return (t->in_width - t->width) * (t->height - 1u) * ref_color_bytes(t->out_format);
}

/* PPF-14: where a pixel of the output goes. */
static uint32_t output_address(const struct transfer *t, uint32_t x, uint32_t y)
{
    const uint32_t index = pixel_index(t->out_tiled, t->block32, t->out_width, x, y);
    return t->out + index * ref_color_bytes(t->out_format) + flip_displacement(t);
}

/* PPF-11, PPF-18: converts and writes one pixel. */
static void write_pixel(struct ref_gpu *gpu, struct transfer *t, uint32_t address, const uint8_t rgba[4])
{
    const uint32_t bytes = ref_color_bytes(t->out_format);
    uint8_t stored[4];
    ref_store_little_endian(stored, bytes, ref_color_pack(t->out_format, rgba));
    ref_write_bytes(gpu, address, stored, bytes);
    ref_note_bytes(gpu, &t->written, address, bytes);
}

/* ---------------------------------------------------------------------------------------------------------- events */

/* PPF-15, PSC-14: the first case that applies records its event, and nothing is copied. */
static bool transfer_is_possible(struct ref_gpu *gpu, const struct transfer *t)
{
    const uint64_t limit = gpu->limits.pixels < 0x400000u ? gpu->limits.pixels : 0x400000u;
    if (t->width == 0 || t->height == 0 || (t->crop && t->in_width == 0)) {
        ref_event(gpu, PICA_EVENT_XFER_ZERO_SIZE);
        return false;
    }
    if (t->scale == PICA_TRANSFER_SCALE_RESERVED_3) {
        ref_event(gpu, PICA_EVENT_XFER_SCALE_3);
        return false;
    }
    if ((uint64_t)t->width * t->height > limit) {
        ref_event(gpu, PICA_EVENT_XFER_TOO_LARGE);
        return false;
    }
    return ref_take_steps(gpu, (uint64_t)t->width * t->height);
}

/* PPF-04, PPF-09: transfers that other sides refuse. */
static bool is_refused(const struct ref_gpu *gpu, const struct transfer *t)
{
    const uint32_t in_height = pica_xfer_dim_height(ref_external_word(gpu, PICA_EXTREG_XFER_INDIM));
    return (in_height == 0 && ref_takes(gpu, PICA_SIDE_INPUT_HEIGHT_REFUSED)) ||
           (t->step_x == 2 && !t->in_tiled && ref_takes(gpu, PICA_SIDE_LINEAR_SCALING_NOTHING));
}

/* PPF-12: the console hangs unless the input is RGBA8, or both are RGB8, or both have 16 bits. */
static bool formats_hang(const struct transfer *t)
{
    const uint32_t in_bytes = ref_color_bytes(t->in_format);
    return in_bytes != 4u && in_bytes != ref_color_bytes(t->out_format);
}

/* PPF-08: a size that is not a multiple of 32 pixels. */
static bool block32_size_is_bad(const struct transfer *t)
{
    const bool bad_pitch = t->in_tiled && t->in_pitch % 32u != 0;
    return t->width % 32u != 0 || t->height % 32u != 0 || t->out_width % 32u != 0 || t->out_height % 32u != 0 ||
           bad_pitch;
}

/* Section 6 of file 70: PPF-07 to PPF-10, PPF-12, PPF-16. */
static void transfer_events(struct ref_gpu *gpu, const struct transfer *t)
{
    const bool reserved = t->in_raw >= PICA_TRANSFER_FORMAT_RGBA4_5 || t->out_raw >= PICA_TRANSFER_FORMAT_RGBA4_5;
    ref_event_if(gpu, t->keep_tiled && t->to_tiled, PICA_EVENT_XFER_LINEAR_LINEAR);
    ref_event_if(gpu, t->block32, PICA_EVENT_BLOCK32_LAYOUT);
    ref_event_if(gpu, t->block32 && block32_size_is_bad(t), PICA_EVENT_XFER_BLOCK32_SIZE);
    ref_event_if(gpu, t->step_x == 2 && !t->in_tiled, PICA_EVENT_XFER_SCALE_LINEAR);
    ref_event_if(gpu, reserved, PICA_EVENT_XFER_FORMAT_RESERVED);
    ref_event_if(gpu, formats_hang(t), PICA_EVENT_XFER_FORMAT_HANG);
    ref_event_if(gpu, t->out_tiled && t->out_width % 8u != 0, PICA_EVENT_XFER_UNALIGNED_TILED);
}

/* PPF-13, PPF-17: each pixel is written before the next one is read. */
void ref_run_transfer(struct ref_gpu *gpu)
{
    struct transfer t = load_transfer(gpu);
    if (!transfer_is_possible(gpu, &t) || is_refused(gpu, &t)) {
        ref_feature(gpu, PICA_FEATURE_TRANSFER_REFUSED);
        return;
    }
    transfer_events(gpu, &t);
    for (uint32_t y = 0; y < t.out_height; y++)
        for (uint32_t x = 0; x < t.out_width; x++) {
            const uint32_t address = output_address(&t, x, t.flip ? t.out_height - 1u - y : y);
            uint8_t rgba[4];
            read_average(gpu, &t, x * t.step_x, y * t.step_y, rgba);
            write_pixel(gpu, &t, address, rgba);
            ref_feature_if(gpu, ref_in_memory(gpu, address), PICA_FEATURE_TRANSFER_WROTE);
        }
    ref_byte_range_events(gpu, &t.read, &t.written);
}
