/* Memory fill, display transfer, texture copy (70, sections 1 to 3). All work is done at once, by the caller. */
#include "fast/command/transfer.h"

#include "fast/gpu.h"
#include "pica/extregs.h"

/* Indices of the interrupt counters (EXT-CMD-10). */
enum {
    INTERRUPT_PSC0 = 0,
    INTERRUPT_PPF = 4
};

static uint32_t external(const struct fast_gpu *gpu, uint32_t offset)
{
    return gpu->external[offset / 4u];
}

static void event_if(struct fast_gpu *gpu, bool condition, enum pica_event event)
{
    if (condition)
        fast_event(gpu, event);
}

/* ------------------------------------------------------------------------------------------------------ memory fill */

/* PSC-05: the number of pattern bytes. */
static uint32_t fill_bytes(enum pica_fill_width width)
{
    switch (width) {
    case PICA_FILL_WIDTH_16: return 2u;
    case PICA_FILL_WIDTH_24:
    case PICA_FILL_WIDTH_24_3: return 3u;
    case PICA_FILL_WIDTH_32:
    default: return 4u;
    }
}

enum {
    PATTERN_BYTES = 48
}; /* a multiple of 2, 3 and 4 */

static void fill_run(uint8_t *bytes, uint64_t size, const uint8_t *pattern, uint64_t phase)
{
    uint64_t at = 0;
    uint64_t skip = phase % PATTERN_BYTES;
    while (at < size) {
        uint64_t length = PATTERN_BYTES - skip;
        if (length > size - at)
            length = size - at;
        memcpy(bytes + at, pattern + skip, (size_t)length);
        at += length;
        skip = 0;
    }
}

/* PSC-06, PSC-09. */
static void fill_range(struct fast_gpu *gpu, uint32_t start, uint32_t size, const uint8_t *pattern)
{
    for (uint64_t at = 0; at < size;) {
        bool inside;
        const uint32_t address = start + (uint32_t)at;
        const uint64_t run = fast_memory_extent(gpu, address, size - at, &inside);
        if (inside) {
            fill_run(fast_memory_bytes(gpu, address, run), run, pattern, at);
            fast_memory_written(gpu, address, run);
        } else {
            fast_event(gpu, PICA_EVENT_MEM_OOB);
        }
        at += run;
    }
}

/* PSC-02, PSC-05, PSC-07, PSC-08, PSC-10. */
void fast_memory_fill(struct fast_gpu *gpu, uint32_t unit)
{
    const uint32_t start = pica_fill_address_address(external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_START)))
                           << 4;
    const uint32_t end = pica_fill_address_address(external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_END))) << 4;
    const uint32_t value = external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_VALUE));
    const uint32_t ctrl = external(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_CTRL));
    const uint32_t length = fill_bytes(pica_fill_ctrl_width(ctrl));
    uint8_t pattern[PATTERN_BYTES];
    for (uint32_t i = 0; i < PATTERN_BYTES; i++)
        pattern[i] = (uint8_t)(value >> (8u * (i % length)) & 0xffu);

    gpu->interrupts[INTERRUPT_PSC0 + unit] += 1u;
    event_if(gpu, start == 0u, PICA_EVENT_FILL_START_ZERO);
    event_if(gpu, end == start, PICA_EVENT_FILL_EMPTY);
    event_if(gpu, end < start, PICA_EVENT_FILL_INVERTED);
    if (end <= start)
        return;
    event_if(gpu, length == 3u && (end - start) % 3u != 0u, PICA_EVENT_FILL_24_TAIL);
    fill_range(gpu, start, end - start, pattern);
}

/* ---------------------------------------------------------------------------------------------------------- formats */

/* PPF-10: 5-7 act as 4. */
static enum pica_transfer_format canonical_format(uint32_t format)
{
    return format > PICA_TRANSFER_FORMAT_RGBA4 ? PICA_TRANSFER_FORMAT_RGBA4 : (enum pica_transfer_format)format;
}

uint32_t fast_transfer_bytes(uint32_t format)
{
    const enum pica_transfer_format canonical = canonical_format(format);
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
    switch (canonical_format(format)) {
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
static void reduce(enum pica_transfer_format format, const uint8_t rgba[4], uint8_t *bytes)
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

/* ------------------------------------------------------------------------------------------------- display transfer */

/* One side of a transfer. */
struct side {
    uint32_t base; /* all additions done, modulo 2^32 */
    uint32_t pitch;
    uint32_t tile_shift; /* 0 linear, 3 or 5 tiled */
    uint32_t bytes;
    enum pica_transfer_format format;
    uint8_t *host; /* all bytes that can be touched, if they are in memory and do not wrap; else NULL */
};

struct transfer {
    struct side in, out;
    uint32_t width, height;         /* W, H */
    uint32_t out_width, out_height; /* Wo, Ho */
    uint32_t scale_x, scale_y;      /* 1 or 2 */
    bool flip;
    bool outside; /* a byte was outside memory */
};

/* Bits of a coordinate below 32, spread to the even places. */
static uint32_t spread(uint32_t value)
{
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < 5u; bit++)
        result |= (value >> bit & 1u) << (2u * bit);
    return result;
}

/* PPF-08: the pixel index is the sum of a part of the row and a part of the column. */
static uint32_t row_part(const struct side *side, uint32_t y)
{
    const uint32_t low = (1u << side->tile_shift) - 1u;
    return (y & ~low) * side->pitch + 2u * spread(y & low);
}

static uint32_t column_part(const struct side *side, uint32_t x)
{
    const uint32_t low = (1u << side->tile_shift) - 1u;
    return ((x & ~low) << side->tile_shift) + spread(x & low);
}

static void read_pixel(const struct fast_gpu *gpu, struct transfer *transfer, uint32_t index, uint8_t *bytes)
{
    const struct side *side = &transfer->in;
    const uint32_t offset = index * side->bytes;
    if (side->host != NULL) {
        memcpy(bytes, side->host + offset, side->bytes);
        return;
    }
    for (uint32_t i = 0; i < side->bytes; i++) {
        const uint32_t address = side->base + offset + i;
        bytes[i] = fast_read8(gpu, address);
        transfer->outside = transfer->outside || !fast_memory_has(gpu, address, 1u);
    }
}

static void write_pixel(struct fast_gpu *gpu, struct transfer *transfer, uint32_t index, const uint8_t *bytes)
{
    const struct side *side = &transfer->out;
    const uint32_t offset = index * side->bytes;
    if (side->host != NULL) {
        memcpy(side->host + offset, bytes, side->bytes);
        return;
    }
    for (uint32_t i = 0; i < side->bytes; i++) {
        const uint32_t address = side->base + offset + i;
        fast_write8(gpu, address, bytes[i]);
        transfer->outside = transfer->outside || !fast_memory_has(gpu, address, 1u);
    }
}

/* PPF-09: the average of 1, 2 or 4 pixels. */
static void average(const struct fast_gpu *gpu, struct transfer *transfer, uint32_t x, uint32_t y, uint8_t rgba[4])
{
    uint32_t sum[4] = { 0, 0, 0, 0 };
    for (uint32_t dy = 0; dy < transfer->scale_y; dy++)
        for (uint32_t dx = 0; dx < transfer->scale_x; dx++) {
            uint8_t bytes[4];
            uint8_t pixel[4];
            read_pixel(gpu, transfer, row_part(&transfer->in, y + dy) + column_part(&transfer->in, x + dx), bytes);
            fast_transfer_expand(transfer->in.format, bytes, pixel);
            for (uint32_t k = 0; k < 4u; k++)
                sum[k] += pixel[k];
        }
    for (uint32_t k = 0; k < 4u; k++)
        rgba[k] = (uint8_t)(sum[k] / (transfer->scale_x * transfer->scale_y));
}

/* PPF-11, PPF-13 for one row. Equal formats without scaling keep their bytes (FBF-11). */
static void transfer_row(struct fast_gpu *gpu, struct transfer *transfer, uint32_t y)
{
    const bool copies =
        transfer->scale_x == 1u && transfer->scale_y == 1u && transfer->in.format == transfer->out.format;
    const uint32_t out_row = row_part(&transfer->out, transfer->flip ? transfer->out_height - 1u - y : y);
    const uint32_t in_row = row_part(&transfer->in, y * transfer->scale_y);
    for (uint32_t x = 0; x < transfer->out_width; x++) {
        uint8_t bytes[4];
        if (copies) {
            read_pixel(gpu, transfer, in_row + column_part(&transfer->in, x), bytes);
        } else {
            uint8_t rgba[4];
            average(gpu, transfer, x * transfer->scale_x, y * transfer->scale_y, rgba);
            reduce(transfer->out.format, rgba, bytes);
        }
        write_pixel(gpu, transfer, out_row + column_part(&transfer->out, x), bytes);
    }
}

/* Bytes from the base that a side can touch, as an upper bound. */
static uint64_t side_bytes(const struct side *side, uint32_t width, uint32_t height)
{
    const uint32_t low = (1u << side->tile_shift) - 1u;
    const uint64_t row = (uint64_t)((height - 1u) & ~low) * side->pitch;
    const uint64_t column = (uint64_t)((width - 1u) & ~low) << side->tile_shift;
    const uint64_t tile = (uint64_t)1 << (2u * side->tile_shift);
    return (row + column + tile) * side->bytes;
}

static uint8_t *side_host(const struct fast_gpu *gpu, const struct side *side, uint64_t size)
{
    return side->base + size <= (uint64_t)1 << 32 ? fast_memory_bytes(gpu, side->base, size) : NULL;
}

/* PPF-13, PPF-17, PPF-18: in the order of the rule, so overlaps need no care. */
static void run_transfer(struct fast_gpu *gpu, struct transfer *transfer)
{
    const uint64_t out_bytes = side_bytes(&transfer->out, transfer->out_width, transfer->out_height);
    transfer->in.host = side_host(gpu, &transfer->in, side_bytes(&transfer->in, transfer->width, transfer->height));
    transfer->out.host = side_host(gpu, &transfer->out, out_bytes);
    for (uint32_t y = 0; y < transfer->out_height; y++)
        transfer_row(gpu, transfer, y);
    if (transfer->out.host != NULL)
        fast_memory_written(gpu, transfer->out.base, out_bytes);
    event_if(gpu, transfer->outside, PICA_EVENT_MEM_OOB);
}

static bool is_16_bit(enum pica_transfer_format format)
{
    return fast_transfer_bytes(format) == 2u;
}

/* PPF-04: the three low bits are dropped. */
static uint32_t size_in_tiles(uint32_t pixels)
{
    return pixels & ~7u;
}

/* PPF-03, PPF-05 (source pitch), PPF-06 (output size), PPF-07, PPF-08, PPF-10, PPF-14 (displacement). */
static struct transfer decode_transfer(const struct fast_gpu *gpu)
{
    const uint32_t flags = external(gpu, PICA_EXTREG_XFER_FLAGS);
    const uint32_t in_width = size_in_tiles(pica_xfer_indim_width(external(gpu, PICA_EXTREG_XFER_INDIM)));
    const bool to_tiled = pica_xfer_flags_to_tiled(flags) != 0u;
    const bool keep_tiled = pica_xfer_flags_keep_tiled(flags) != 0u;
    const bool crop = pica_xfer_flags_crop(flags) != 0u;
    const uint32_t tile_shift = pica_xfer_flags_block32(flags) != 0u ? 5u : 3u;
    const enum pica_transfer_scale scale = pica_xfer_flags_scale(flags);
    struct transfer transfer = { .flip = pica_xfer_flags_flip(flags) != 0u };

    transfer.width = size_in_tiles(pica_xfer_dim_width(external(gpu, PICA_EXTREG_XFER_DIM)));
    transfer.height = size_in_tiles(pica_xfer_dim_height(external(gpu, PICA_EXTREG_XFER_DIM)));
    transfer.scale_x = scale == PICA_TRANSFER_SCALE_2X1 || scale == PICA_TRANSFER_SCALE_2X2 ? 2u : 1u;
    transfer.scale_y = scale == PICA_TRANSFER_SCALE_2X2 ? 2u : 1u;
    transfer.out_width = transfer.width / transfer.scale_x;
    transfer.out_height = transfer.height / transfer.scale_y;

    transfer.in.base = pica_xfer_address_address(external(gpu, PICA_EXTREG_XFER_IN)) << 4;
    transfer.in.pitch = crop ? in_width : transfer.width;
    transfer.in.tile_shift = keep_tiled || !to_tiled ? tile_shift : 0u;
    transfer.in.format = canonical_format(pica_xfer_flags_in_format(flags));
    transfer.in.bytes = fast_transfer_bytes(transfer.in.format);

    transfer.out.base = pica_xfer_address_address(external(gpu, PICA_EXTREG_XFER_OUT)) << 4;
    transfer.out.pitch = transfer.out_width;
    transfer.out.tile_shift = keep_tiled || to_tiled ? tile_shift : 0u;
    transfer.out.format = canonical_format(pica_xfer_flags_out_format(flags));
    transfer.out.bytes = fast_transfer_bytes(transfer.out.format);
    if (transfer.flip && crop && transfer.height != 0u)
        transfer.out.base += (in_width - transfer.width) * (transfer.height - 1u) * transfer.out.bytes;
    return transfer;
}

/* PPF-15: false = nothing is copied, and one event says why. */
static bool transfer_is_possible(struct fast_gpu *gpu, const struct transfer *transfer)
{
    const uint32_t flags = external(gpu, PICA_EXTREG_XFER_FLAGS);
    const uint32_t in_width = size_in_tiles(pica_xfer_indim_width(external(gpu, PICA_EXTREG_XFER_INDIM)));
    const uint64_t pixels = (uint64_t)transfer->width * transfer->height;
    const uint64_t limit = gpu->limits.pixels < 0x400000u ? gpu->limits.pixels : 0x400000u;
    if (pixels == 0u || (pica_xfer_flags_crop(flags) != 0u && in_width == 0u)) {
        fast_event(gpu, PICA_EVENT_XFER_ZERO_SIZE);
        return false;
    }
    if (pica_xfer_flags_scale(flags) == PICA_TRANSFER_SCALE_RESERVED_3) {
        fast_event(gpu, PICA_EVENT_XFER_SCALE_3);
        return false;
    }
    event_if(gpu, pixels > limit, PICA_EVENT_XFER_TOO_LARGE);
    return pixels <= limit;
}

/* PPF-07 to PPF-12, PPF-16: each on its own. PPF-17: xfer-overlap is class R. */
static void record_transfer_events(struct fast_gpu *gpu, const struct transfer *transfer)
{
    const uint32_t flags = external(gpu, PICA_EXTREG_XFER_FLAGS);
    const bool block32 = pica_xfer_flags_block32(flags) != 0u;
    const bool in_tiled = transfer->in.tile_shift != 0u;
    const bool out_tiled = transfer->out.tile_shift != 0u;
    const uint32_t sizes = transfer->width | transfer->height | transfer->out_width | transfer->out_height |
                           (in_tiled ? transfer->in.pitch : 0u);
    const enum pica_transfer_format in = transfer->in.format;
    const enum pica_transfer_format out = transfer->out.format;
    const bool works = in == PICA_TRANSFER_FORMAT_RGBA8 ||
                       (in == PICA_TRANSFER_FORMAT_RGB8 && out == PICA_TRANSFER_FORMAT_RGB8) ||
                       (is_16_bit(in) && is_16_bit(out));
    event_if(gpu, pica_xfer_flags_keep_tiled(flags) != 0u && pica_xfer_flags_to_tiled(flags) != 0u,
             PICA_EVENT_XFER_LINEAR_LINEAR);
    event_if(gpu, block32, PICA_EVENT_BLOCK32_LAYOUT);
    event_if(gpu, block32 && sizes % 32u != 0u, PICA_EVENT_XFER_BLOCK32_SIZE);
    event_if(gpu, transfer->scale_x != 1u && !in_tiled, PICA_EVENT_XFER_SCALE_LINEAR);
    event_if(gpu,
             pica_xfer_flags_in_format(flags) > PICA_TRANSFER_FORMAT_RGBA4 ||
                 pica_xfer_flags_out_format(flags) > PICA_TRANSFER_FORMAT_RGBA4,
             PICA_EVENT_XFER_FORMAT_RESERVED);
    event_if(gpu, !works, PICA_EVENT_XFER_FORMAT_HANG);
    event_if(gpu, out_tiled && transfer->out_width % 8u != 0u, PICA_EVENT_XFER_UNALIGNED_TILED);
}

static void display_transfer(struct fast_gpu *gpu)
{
    struct transfer transfer = decode_transfer(gpu);
    if (!transfer_is_possible(gpu, &transfer))
        return;
    record_transfer_events(gpu, &transfer);
    run_transfer(gpu, &transfer);
}

/* ----------------------------------------------------------------------------------------------------- texture copy */

/* TXC-02 to TXC-05: one side of a copy. */
struct copy_side {
    uint32_t position;
    uint32_t line; /* bytes of a line */
    uint32_t gap;  /* bytes; 0 = contiguous (TXC-04) */
    uint32_t left; /* bytes to the end of the line */
};

static struct copy_side decode_copy_side(uint32_t address, uint32_t word)
{
    struct copy_side side = { .position = pica_xfer_address_address(address) << 4 };
    side.line = pica_copy_line_length(word) << 4;
    side.gap = pica_copy_line_gap(word) << 4;
    side.left = side.gap != 0u ? side.line : UINT32_MAX;
    return side;
}

static void advance(struct copy_side *side, uint32_t bytes)
{
    side->position += bytes;
    if (side->gap == 0u)
        return;
    side->left -= bytes;
    if (side->left == 0u) {
        side->position += side->gap;
        side->left = side->line;
    }
}

/* The longest run without a gap, a change of memory, or a wrap of the address, on one side. */
static uint32_t side_run(const struct fast_gpu *gpu, const struct copy_side *side, uint32_t bytes, uint8_t **host)
{
    bool inside;
    const uint32_t limit = bytes < side->left ? bytes : side->left;
    const uint32_t run = (uint32_t)fast_memory_extent(gpu, side->position, limit, &inside);
    *host = inside ? fast_memory_bytes(gpu, side->position, run) : NULL;
    return run;
}

/* TXC-08: block by block, so an overlap repeats what the rule repeats. */
static void copy_blocks(uint8_t *out, const uint8_t *in, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += 16u) {
        uint8_t block[16];
        memcpy(block, in + at, sizeof block);
        memcpy(out + at, block, sizeof block);
    }
}

/* TXC-05, TXC-08. */
static void copy_lines(struct fast_gpu *gpu, struct copy_side in, struct copy_side out, uint32_t total)
{
    while (total != 0u) {
        uint8_t *source;
        uint8_t *target;
        const uint32_t in_run = side_run(gpu, &in, total, &source);
        const uint32_t run = side_run(gpu, &out, in_run, &target);
        event_if(gpu, source == NULL || target == NULL, PICA_EVENT_MEM_OOB);
        if (target != NULL) {
            if (source != NULL)
                copy_blocks(target, source, run);
            else
                memset(target, 0, run);
            fast_memory_written(gpu, out.position, run);
        }
        advance(&in, run);
        advance(&out, run);
        total -= run;
    }
}

/* TXC-01 to TXC-03, TXC-06, TXC-07, TXC-09; TXC-10: the crop bit has no effect. */
static void texture_copy(struct fast_gpu *gpu)
{
    const uint32_t total = pica_copy_size_size(external(gpu, PICA_EXTREG_COPY_SIZE)) << 4;
    const struct copy_side in =
        decode_copy_side(external(gpu, PICA_EXTREG_XFER_IN), external(gpu, PICA_EXTREG_COPY_IN));
    const struct copy_side out =
        decode_copy_side(external(gpu, PICA_EXTREG_XFER_OUT), external(gpu, PICA_EXTREG_COPY_OUT));
    const uint64_t most = 4u * (uint64_t)gpu->limits.pixels;
    if (total == 0u)
        fast_event(gpu, PICA_EVENT_COPY_ZERO_SIZE);
    else if ((in.gap != 0u && in.line == 0u) || (out.gap != 0u && out.line == 0u))
        fast_event(gpu, PICA_EVENT_COPY_ZERO_LINE);
    else if (total > (most < 0x02000000u ? most : 0x02000000u))
        fast_event(gpu, PICA_EVENT_COPY_TOO_LARGE);
    else
        copy_lines(gpu, in, out, total);
}

/* PPF-19, TXC-09: every completion counts, also the ones that copied nothing. */
void fast_transfer(struct fast_gpu *gpu)
{
    gpu->interrupts[INTERRUPT_PPF] += 1u;
    if (pica_xfer_flags_copy(external(gpu, PICA_EXTREG_XFER_FLAGS)) != 0u)
        texture_copy(gpu);
    else
        display_transfer(gpu);
}
