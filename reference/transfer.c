/*
 * The engines beside the 3D core: two memory fill units, and the transfer engine that turns tiled pictures into linear
 * ones (or back) with conversion and scaling, or copies bytes line by line. The CPU drives them by 32-bit writes to
 * the external registers at 0x10400000; a write that starts an engine does all of its work at once.
 *
 * A fill repeats 2, 3 or 4 pattern bytes. A display transfer reads a source pixel, converts it and writes it before it
 * reads the next one, which decides what happens when source and destination overlap. Registers do not store all
 * bits; addresses are multiples of 16, sizes multiples of 8 pixels.
 *
 * Worked number: fill START 0x04000000 means address 0x04000000 * 8 = 0x20000000; with END 0x04000006, width 1 (24
 * bits) and VALUE 0x00FFFF00 the 48 bytes become 00 FF FF 00 FF FF ...
 */
#include "reference/transfer.h"

#include "pica/extregs.h"
#include "reference/framebuffer.h"
#include "reference/gpu.h"
#include "reference/pipeline.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- registers */

/* PSC-01: bits that do not keep a written value; none where the table names nothing. */
static const uint32_t lost_bits[PICA_EXTERNAL_WORDS] = {
#define EXTREG(offset, NAME, layout, reset, stored, rule) [(offset) / 4] = ~(uint32_t)(stored),
#include "pica/extregs.def"
};

static uint32_t stored_bits(uint32_t offset)
{
    return ~lost_bits[offset / 4u];
}

/* PSC-03, PPF-02: the bits that read back: status bits are added, the start bit always reads 0. */
static uint32_t readable_bits(uint32_t offset)
{
    switch (offset) {
    case PICA_EXTREG_FILL0_CTRL:
    case PICA_EXTREG_FILL1_CTRL: return pica_fill_ctrl_set_finished(stored_bits(offset), 1);
    case PICA_EXTREG_XFER_START: return pica_xfer_start_set_start(stored_bits(offset), 0);
    }
    return stored_bits(offset);
}

static uint32_t external_word(const struct ref_gpu *gpu, uint32_t offset)
{
    return gpu->external[offset / 4u] & readable_bits(offset);
}

/* PSC-02, PPF-01: 28 bits of 16 bytes; bits 0 and 29-31 of the register do not exist. */
static uint32_t engine_address(const struct ref_gpu *gpu, uint32_t offset)
{
    return pica_fill_address_address(external_word(gpu, offset)) << 4;
}

/* EXT-CMD-07: whether some line requests the interrupt. */
static bool p3d_is_requested(const struct ref_gpu *gpu)
{
    for (uint32_t word = 0; word < 16; word++)
        if (ref_request_matches(gpu, word))
            return true;
    return false;
}

/* EXT-CMD-07: mirrors the finished bits. */
static uint32_t status_word(const struct ref_gpu *gpu)
{
    uint32_t status = 0;
    status = pica_external_status_set_psc0_finished(
        status, pica_fill_ctrl_finished(external_word(gpu, PICA_EXTREG_FILL0_CTRL)));
    status = pica_external_status_set_psc1_finished(
        status, pica_fill_ctrl_finished(external_word(gpu, PICA_EXTREG_FILL1_CTRL)));
    status = pica_external_status_set_ppf_finished(
        status, pica_xfer_start_finished(external_word(gpu, PICA_EXTREG_XFER_START)));
    return pica_external_status_set_p3d(status, p3d_is_requested(gpu));
}

/* ----------------------------------------------------------------------------------------------------- memory fill */

/* PSC-05: bytes of the pattern. */
static uint32_t pattern_length(enum pica_fill_width width)
{
    switch (width) {
    case PICA_FILL_WIDTH_16: return 2;
    case PICA_FILL_WIDTH_24: return 3;
    case PICA_FILL_WIDTH_32: return 4;
    case PICA_FILL_WIDTH_24_3:
    default: return 3; /* the field has two bits */
    }
}

/* PSC-06, PSC-09: the part of [start, end) that lies in one window; the pattern counts from `start`. */
static void fill_window(struct ref_gpu *gpu, const struct ref_window *window, uint32_t start, uint32_t end,
                        const uint8_t *pattern, uint32_t length)
{
    enum {
        RUN = 768 /* a multiple of 2, 3 and 4 */
    };
    uint8_t bytes[RUN + 4];
    uint32_t from = start > window->address ? start : window->address;
    const uint32_t to = end < window->address + window->size ? end : window->address + window->size;
    for (uint32_t i = 0; i < sizeof bytes; i++)
        bytes[i] = pattern[i % length];
    while (from < to) {
        const uint32_t part = to - from < (uint32_t)RUN ? to - from : (uint32_t)RUN;
        ref_write_bytes(gpu, from, bytes + (from - start) % length, part);
        from += part;
    }
}

/* PSC-05, PSC-06, PSC-07, PSC-08, PSC-09: an empty or inverted range completes, without any later event.
 * Returns whether memory was written. */
static bool fill(struct ref_gpu *gpu, uint32_t start, uint32_t end, uint32_t value, enum pica_fill_width width)
{
    const uint32_t length = pattern_length(width);
    const uint8_t pattern[4] = { (uint8_t)(value & 0xFFu), (uint8_t)(value >> 8 & 0xFFu),
                                 (uint8_t)(value >> 16 & 0xFFu), (uint8_t)(value >> 24) };
    ref_event_if(gpu, start == 0, PICA_EVENT_FILL_START_ZERO);
    if (end <= start) {
        ref_event(gpu, end == start ? PICA_EVENT_FILL_EMPTY : PICA_EVENT_FILL_INVERTED);
        return false;
    }
    ref_event_if(gpu, (end - start) % length != 0, PICA_EVENT_FILL_24_TAIL); /* both are multiples of 16 */
    ref_event_if(gpu, !ref_range_in_memory(gpu, start, end - start), PICA_EVENT_MEM_OOB);
    bool wrote = false;
    for (uint32_t i = 0; i < gpu->window_count; i++) {
        fill_window(gpu, &gpu->windows[i], start, end, pattern, length);
        wrote = wrote || (start < gpu->windows[i].address + gpu->windows[i].size && end > gpu->windows[i].address);
    }
    return wrote;
}

/* PSC-03, PSC-04, PSC-10, EXT-CMD-12: a write to FILLn.CTRL. The units are independent (PSC-11). */
static void write_fill_ctrl(struct ref_gpu *gpu, uint32_t unit, uint32_t value)
{
    const uint32_t offset = pica_extreg_fill(unit, PICA_EXTREG_FILL0_CTRL);
    const uint32_t kept = value & stored_bits(offset);
    uint32_t finished = pica_fill_ctrl_finished(external_word(gpu, offset)) & pica_fill_ctrl_finished(value);
    if (pica_fill_ctrl_start(value)) {
        const bool wrote =
            fill(gpu, engine_address(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_START)),
                 engine_address(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_END)),
                 external_word(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_VALUE)), pica_fill_ctrl_width(value));
        ref_feature_if(gpu, wrote, PICA_FEATURE_FILL_WROTE + unit);
        ref_interrupt(gpu, unit);
        finished = 1;
    }
    gpu->external[offset / 4u] = pica_fill_ctrl_set_finished(kept, finished);
}

/* ------------------------------------------------------------------------------------------------- display transfer */

/* The lowest and highest address of the bytes that were read, or written (before section 3 of file 70). */
struct byte_range {
    bool any;
    uint32_t lowest, highest;
};

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
    enum pica_transfer_scale scale;
    enum pica_transfer_format in_raw, out_raw; /* as in FLAGS */
    enum pica_color_format in_format, out_format;
    struct byte_range read, written;
};

static bool ranges_meet(const struct byte_range *a, const struct byte_range *b)
{
    return a->any && b->any && a->lowest <= b->highest && b->lowest <= a->highest;
}

/* Adds `size` > 0 bytes from `address` on, modulo 2^32, to a range. */
static void note_bytes(struct byte_range *range, uint32_t address, uint32_t size)
{
    const uint32_t last = address + size - 1u;
    const uint32_t lowest = last < address ? 0u : address;
    const uint32_t highest = last < address ? UINT32_MAX : last;
    range->lowest = range->any && range->lowest < lowest ? range->lowest : lowest;
    range->highest = range->any && range->highest > highest ? range->highest : highest;
    range->any = true;
}

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

/* PPF-01, PPF-03 to PPF-07, PPF-10. */
static struct transfer load_transfer(const struct ref_gpu *gpu)
{
    const uint32_t dim = external_word(gpu, PICA_EXTREG_XFER_DIM);
    const uint32_t flags = external_word(gpu, PICA_EXTREG_XFER_FLAGS);
    struct transfer t;
    memset(&t, 0, sizeof t);
    t.in = engine_address(gpu, PICA_EXTREG_XFER_IN);
    t.out = engine_address(gpu, PICA_EXTREG_XFER_OUT);
    t.width = pica_xfer_dim_width(dim);
    t.height = pica_xfer_dim_height(dim);
    t.in_width = pica_xfer_indim_width(external_word(gpu, PICA_EXTREG_XFER_INDIM));
    t.flip = pica_xfer_flags_flip(flags) != 0;
    t.crop = pica_xfer_flags_crop(flags) != 0;
    t.block32 = pica_xfer_flags_block32(flags) != 0;
    t.keep_tiled = pica_xfer_flags_keep_tiled(flags) != 0;
    t.to_tiled = pica_xfer_flags_to_tiled(flags) != 0;
    t.in_tiled = t.keep_tiled || !t.to_tiled;
    t.out_tiled = t.keep_tiled || t.to_tiled;
    t.scale = pica_xfer_flags_scale(flags);
    t.step_x = t.scale == PICA_TRANSFER_SCALE_2X1 || t.scale == PICA_TRANSFER_SCALE_2X2 ? 2 : 1;
    t.step_y = t.scale == PICA_TRANSFER_SCALE_2X2 ? 2 : 1;
    t.in_pitch = t.crop ? t.in_width : t.width;
    t.out_width = t.width / t.step_x;
    t.out_height = t.height / t.step_y;
    t.in_raw = pica_xfer_flags_in_format(flags);
    t.out_raw = pica_xfer_flags_out_format(flags);
    t.in_format = ref_transfer_color_format(t.in_raw);
    t.out_format = ref_transfer_color_format(t.out_raw);
    return t;
}

/* PPF-15: the first case that applies records its event, and nothing is copied. */
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
    return true;
}

/* PPF-12: the console hangs unless the input is RGBA8, or both are RGB8, or both have 16 bits. */
static bool formats_hang(const struct transfer *t)
{
    const uint32_t in_bytes = ref_color_bytes(t->in_format);
    return in_bytes != 4u && in_bytes != ref_color_bytes(t->out_format);
}

/* PPF-08: a size that is no multiple of 32 pixels. */
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

/* PPF-08: pixel index. */
static uint32_t pixel_index(bool tiled, bool block32, uint32_t pitch, uint32_t x, uint32_t y)
{
    return tiled ? ref_tiled_index(x, y, pitch, block32) : y * pitch + x;
}

/* PPF-11, PPF-18: one source pixel, expanded. */
static void read_pixel(struct ref_gpu *gpu, struct transfer *t, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    const uint32_t bytes = ref_color_bytes(t->in_format);
    const uint32_t address = t->in + pixel_index(t->in_tiled, t->block32, t->in_pitch, x, y) * bytes;
    uint8_t stored[4] = { 0, 0, 0, 0 };
    ref_read_bytes(gpu, address, stored, bytes);
    ref_event_if(gpu, !ref_range_in_memory(gpu, address, bytes), PICA_EVENT_MEM_OOB);
    note_bytes(&t->read, address, bytes);
    ref_color_expand(
        t->in_format,
        (uint32_t)stored[0] | (uint32_t)stored[1] << 8 | (uint32_t)stored[2] << 16 | (uint32_t)stored[3] << 24, rgba);
}

/* PPF-09: the average of step_x times step_y source pixels, truncated. */
static void read_average(struct ref_gpu *gpu, struct transfer *t, uint32_t x, uint32_t y, uint8_t rgba[4])
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
    if (!t->flip || !t->crop)
        return 0;
    return (t->in_width - t->width) * (t->height - 1u) * ref_color_bytes(t->out_format);
}

/* PPF-11, PPF-14, PPF-18: converts and writes one pixel of the output. */
static void write_pixel(struct ref_gpu *gpu, struct transfer *t, uint32_t x, uint32_t y, const uint8_t rgba[4])
{
    const uint32_t bytes = ref_color_bytes(t->out_format);
    const uint32_t index = pixel_index(t->out_tiled, t->block32, t->out_width, x, y);
    const uint32_t address = t->out + index * bytes + flip_displacement(t);
    uint8_t stored[4];
    ref_store_little_endian(stored, bytes, ref_color_pack(t->out_format, rgba));
    ref_write_bytes(gpu, address, stored, bytes);
    ref_feature_if(gpu, ref_in_memory(gpu, address), PICA_FEATURE_TRANSFER_WROTE);
    ref_event_if(gpu, !ref_range_in_memory(gpu, address, bytes), PICA_EVENT_MEM_OOB);
    note_bytes(&t->written, address, bytes);
}

/* PPF-13, PPF-17: each pixel is written before the next one is read. */
static void run_transfer(struct ref_gpu *gpu)
{
    struct transfer t = load_transfer(gpu);
    if (!transfer_is_possible(gpu, &t)) {
        ref_feature(gpu, PICA_FEATURE_TRANSFER_REFUSED);
        return;
    }
    transfer_events(gpu, &t);
    for (uint32_t y = 0; y < t.out_height; y++)
        for (uint32_t x = 0; x < t.out_width; x++) {
            uint8_t rgba[4];
            read_average(gpu, &t, x * t.step_x, y * t.step_y, rgba);
            write_pixel(gpu, &t, x, t.flip ? t.out_height - 1u - y : y, rgba);
        }
    ref_event_if(gpu, ranges_meet(&t.read, &t.written), PICA_EVENT_XFER_OVERLAP);
}

/* ---------------------------------------------------------------------------------------------------- texture copy */

enum {
    COPY_BLOCK = 16 /* bytes */
};

/* Source or destination of a texture copy. */
struct copy_side {
    uint32_t position; /* address */
    uint32_t line;     /* blocks */
    uint32_t gap;      /* bytes; 0: contiguous, whatever the line (TXC-04) */
    uint32_t in_line;  /* blocks since the last gap */
    struct byte_range range;
};

/* TXC-02, TXC-03. */
static struct copy_side load_copy_side(const struct ref_gpu *gpu, uint32_t address_offset, uint32_t line_offset)
{
    const uint32_t word = external_word(gpu, line_offset);
    struct copy_side side;
    memset(&side, 0, sizeof side);
    side.position = engine_address(gpu, address_offset);
    side.line = pica_copy_line_length(word);
    side.gap = pica_copy_line_gap(word) * COPY_BLOCK;
    return side;
}

/* TXC-05: notes the block and goes to the next one. */
static void advance(struct copy_side *side)
{
    note_bytes(&side->range, side->position, COPY_BLOCK);
    side->position += COPY_BLOCK;
    side->in_line += 1u;
    if (side->gap != 0 && side->in_line == side->line) {
        side->position += side->gap;
        side->in_line = 0;
    }
}

/* TXC-06, TXC-07: the first case that applies records its event, and nothing is copied. */
static bool copy_is_possible(struct ref_gpu *gpu, uint32_t total, const struct copy_side *in,
                             const struct copy_side *out)
{
    const uint64_t budget = 4u * (uint64_t)gpu->limits.pixels;
    const uint64_t limit = budget < 0x02000000u ? budget : 0x02000000u;
    if (total == 0) {
        ref_event(gpu, PICA_EVENT_COPY_ZERO_SIZE);
        return false;
    }
    if ((in->gap != 0 && in->line == 0) || (out->gap != 0 && out->line == 0)) {
        ref_event(gpu, PICA_EVENT_COPY_ZERO_LINE);
        return false;
    }
    if (total > limit) {
        ref_event(gpu, PICA_EVENT_COPY_TOO_LARGE);
        return false;
    }
    return true;
}

/* TXC-01, TXC-05, TXC-08; bit 2 of FLAGS has no effect (TXC-10). */
static void run_copy(struct ref_gpu *gpu)
{
    struct copy_side in = load_copy_side(gpu, PICA_EXTREG_XFER_IN, PICA_EXTREG_COPY_IN);
    struct copy_side out = load_copy_side(gpu, PICA_EXTREG_XFER_OUT, PICA_EXTREG_COPY_OUT);
    const uint32_t total = pica_copy_size_size(external_word(gpu, PICA_EXTREG_COPY_SIZE)) * COPY_BLOCK;
    if (!copy_is_possible(gpu, total, &in, &out))
        return;
    for (uint32_t k = 0; k < total / COPY_BLOCK; k++) {
        uint8_t block[COPY_BLOCK];
        ref_event_if(gpu, !ref_in_memory(gpu, in.position) || !ref_in_memory(gpu, out.position), PICA_EVENT_MEM_OOB);
        ref_read_bytes(gpu, in.position, block, sizeof block);
        ref_feature_if(gpu, ref_in_memory(gpu, out.position), PICA_FEATURE_COPY_WROTE);
        ref_write_bytes(gpu, out.position, block, sizeof block);
        advance(&in);
        advance(&out);
    }
    ref_event_if(gpu, ranges_meet(&in.range, &out.range), PICA_EVENT_XFER_OVERLAP);
}

/* ----------------------------------------------------------------------------------------------------- CPU accesses */

/* PPF-02, PPF-19, PPF-20, TXC-09: a write to XFER.START. IRQPOS is not modelled. */
static void write_transfer_start(struct ref_gpu *gpu, uint32_t value)
{
    uint32_t finished =
        pica_xfer_start_finished(external_word(gpu, PICA_EXTREG_XFER_START)) & pica_xfer_start_finished(value);
    if (pica_xfer_start_start(value)) {
        if (pica_xfer_flags_copy(external_word(gpu, PICA_EXTREG_XFER_FLAGS)))
            run_copy(gpu);
        else
            run_transfer(gpu);
        ref_interrupt(gpu, 4);
        finished = 1;
    }
    gpu->external[PICA_EXTREG_XFER_START / 4u] = pica_xfer_start_set_finished(0, finished);
}

/* PSC-01: a register that only stores; PSC-02, PPF-01: bit 0 of an address is an event at once. */
static void store_external(struct ref_gpu *gpu, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case PICA_EXTREG_FILL0_START:
    case PICA_EXTREG_FILL0_END:
    case PICA_EXTREG_FILL1_START:
    case PICA_EXTREG_FILL1_END:
    case PICA_EXTREG_XFER_IN:
    case PICA_EXTREG_XFER_OUT:
        ref_event_if(gpu, pica_fill_address_unaligned(value), PICA_EVENT_ENGINE_ADDRESS_LOW_BITS);
    }
    gpu->external[offset / 4u] = value & stored_bits(offset);
}

static void write_external_offset(struct ref_gpu *gpu, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case PICA_EXTREG_FILL0_CTRL: write_fill_ctrl(gpu, 0, value); return;
    case PICA_EXTREG_FILL1_CTRL: write_fill_ctrl(gpu, 1, value); return;
    case PICA_EXTREG_XFER_START: write_transfer_start(gpu, value); return;
    case PICA_EXTREG_STATUS: return; /* PSC-12 */
    }
    store_external(gpu, offset, value);
}

/* PSC-12: total; bits 0-1 of the address are ignored, other addresses do nothing. */
void ref_external_write(struct ref_gpu *gpu, uint32_t address, uint32_t value)
{
    const uint32_t aligned = address - address % 4u;
    if (aligned - PICA_EXTERNAL_ADDRESS < 4u * PICA_EXTERNAL_WORDS)
        write_external_offset(gpu, aligned - PICA_EXTERNAL_ADDRESS, value);
    else if (aligned == PICA_LCD_FILL_TOP_ADDRESS)
        gpu->lcd_fill[0] = value;
    else if (aligned == PICA_LCD_FILL_BOTTOM_ADDRESS)
        gpu->lcd_fill[1] = value;
}

/* PSC-13. */
uint32_t ref_external_read(const struct ref_gpu *gpu, uint32_t offset)
{
    return offset == PICA_EXTREG_STATUS ? status_word(gpu) : external_word(gpu, offset);
}
