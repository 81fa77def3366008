/* Display transfer (70 section 2). All work is done at once, on the caller's thread. */
#include "fast/command/engine.h"
#include "pica/extregs.h"

/* One side of a transfer. */
struct side {
    uint32_t base; /* base address after all additions, modulo 2^32 */
    uint32_t pitch;
    uint32_t tile_shift; /* 0: linear; 3 or 5: tiled */
    uint32_t bytes;
    enum pica_transfer_format format;
    uint8_t *host; /* host pointer if all bytes that can be touched are in memory and do not wrap; else NULL */
};

struct transfer {
    struct side in, out;
    uint32_t width, height;         /* W, H */
    uint32_t out_width, out_height; /* Wo, Ho */
    uint32_t scale_x, scale_y;      /* 1 or 2 */
    bool flip;
    bool outside; /* a byte was outside memory */
};

/* Spreads the bits of a coordinate below 32 to the even bit positions. */
static uint32_t spread(uint32_t value)
{
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < 5u; bit++)
        result |= (value >> bit & 1u) << (2u * bit);
    return result;
}

/* PPF-08: the pixel index is the sum of a part that depends on the row and a part that depends on the column. */
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
            fast_transfer_reduce(transfer->out.format, rgba, bytes);
        }
        write_pixel(gpu, transfer, out_row + column_part(&transfer->out, x), bytes);
    }
}

/* Upper bound for the bytes, counted from the base, that a side can touch. */
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

/*
 * PPF-13, PPF-17, PPF-18: pixels are copied in the order of the rule, so overlapping sides need no special treatment.
 */
static void run_transfer(struct fast_gpu *gpu, struct transfer *transfer)
{
    const uint64_t out_bytes = side_bytes(&transfer->out, transfer->out_width, transfer->out_height);
    transfer->in.host = side_host(gpu, &transfer->in, side_bytes(&transfer->in, transfer->width, transfer->height));
    transfer->out.host = side_host(gpu, &transfer->out, out_bytes);
    for (uint32_t y = 0; y < transfer->out_height; y++)
        transfer_row(gpu, transfer, y);
    if (transfer->out.host != NULL)
        fast_memory_written(gpu, transfer->out.base, out_bytes);
    fast_event_if(gpu, transfer->outside, PICA_EVENT_MEM_OOB);
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
    const uint32_t flags = fast_external(gpu, PICA_EXTREG_XFER_FLAGS);
    const uint32_t in_width = size_in_tiles(pica_xfer_indim_width(fast_external(gpu, PICA_EXTREG_XFER_INDIM)));
    const bool to_tiled = pica_xfer_flags_to_tiled(flags) != 0u;
    const bool keep_tiled = pica_xfer_flags_keep_tiled(flags) != 0u;
    const bool crop = pica_xfer_flags_crop(flags) != 0u;
    const uint32_t tile_shift = pica_xfer_flags_block32(flags) != 0u ? 5u : 3u;
    const enum pica_transfer_scale scale = pica_xfer_flags_scale(flags);
    struct transfer transfer = { .flip = pica_xfer_flags_flip(flags) != 0u };

    transfer.width = size_in_tiles(pica_xfer_dim_width(fast_external(gpu, PICA_EXTREG_XFER_DIM)));
    transfer.height = size_in_tiles(pica_xfer_dim_height(fast_external(gpu, PICA_EXTREG_XFER_DIM)));
    transfer.scale_x = scale == PICA_TRANSFER_SCALE_2X1 || scale == PICA_TRANSFER_SCALE_2X2 ? 2u : 1u;
    transfer.scale_y = scale == PICA_TRANSFER_SCALE_2X2 ? 2u : 1u;
    transfer.out_width = transfer.width / transfer.scale_x;
    transfer.out_height = transfer.height / transfer.scale_y;

    transfer.in.base = pica_xfer_address_address(fast_external(gpu, PICA_EXTREG_XFER_IN)) << 4;
    transfer.in.pitch = crop ? in_width : transfer.width;
    transfer.in.tile_shift = keep_tiled || !to_tiled ? tile_shift : 0u;
    transfer.in.format = fast_transfer_format(pica_xfer_flags_in_format(flags));
    transfer.in.bytes = fast_transfer_bytes(transfer.in.format);

    transfer.out.base = pica_xfer_address_address(fast_external(gpu, PICA_EXTREG_XFER_OUT)) << 4;
    transfer.out.pitch = transfer.out_width;
    transfer.out.tile_shift = keep_tiled || to_tiled ? tile_shift : 0u;
    transfer.out.format = fast_transfer_format(pica_xfer_flags_out_format(flags));
    transfer.out.bytes = fast_transfer_bytes(transfer.out.format);
    if (transfer.flip && crop && transfer.height != 0u)
        transfer.out.base += (in_width - transfer.width) * (transfer.height - 1u) * transfer.out.bytes;
    return transfer;
}

/* PPF-15, PSC-14: if false, nothing is copied, and one event says why. */
static bool transfer_is_possible(struct fast_gpu *gpu, const struct transfer *transfer)
{
    const uint32_t flags = fast_external(gpu, PICA_EXTREG_XFER_FLAGS);
    const uint32_t in_width = size_in_tiles(pica_xfer_indim_width(fast_external(gpu, PICA_EXTREG_XFER_INDIM)));
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
    fast_event_if(gpu, pixels > limit, PICA_EVENT_XFER_TOO_LARGE);
    return pixels <= limit && fast_engine_admit(gpu, pixels);
}

/* PPF-07 to PPF-12, PPF-16: these events are independent of each other. PPF-17: xfer-overlap is class R. */
static void record_transfer_events(struct fast_gpu *gpu, const struct transfer *transfer)
{
    const uint32_t flags = fast_external(gpu, PICA_EXTREG_XFER_FLAGS);
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
    fast_event_if(gpu, pica_xfer_flags_keep_tiled(flags) != 0u && pica_xfer_flags_to_tiled(flags) != 0u,
                  PICA_EVENT_XFER_LINEAR_LINEAR);
    fast_event_if(gpu, block32, PICA_EVENT_BLOCK32_LAYOUT);
    fast_event_if(gpu, block32 && sizes % 32u != 0u, PICA_EVENT_XFER_BLOCK32_SIZE);
    fast_event_if(gpu, transfer->scale_x != 1u && !in_tiled, PICA_EVENT_XFER_SCALE_LINEAR);
    fast_event_if(gpu,
                  pica_xfer_flags_in_format(flags) > PICA_TRANSFER_FORMAT_RGBA4 ||
                      pica_xfer_flags_out_format(flags) > PICA_TRANSFER_FORMAT_RGBA4,
                  PICA_EVENT_XFER_FORMAT_RESERVED);
    fast_event_if(gpu, !works, PICA_EVENT_XFER_FORMAT_HANG);
    fast_event_if(gpu, out_tiled && transfer->out_width % 8u != 0u, PICA_EVENT_XFER_UNALIGNED_TILED);
}

static void display_transfer(struct fast_gpu *gpu)
{
    struct transfer transfer = decode_transfer(gpu);
    if (!transfer_is_possible(gpu, &transfer))
        return;
    record_transfer_events(gpu, &transfer);
    run_transfer(gpu, &transfer);
}

/* PPF-19, TXC-09: every completion counts, also if nothing was copied. */
void fast_transfer(struct fast_gpu *gpu)
{
    gpu->interrupts[FAST_INTERRUPT_PPF] += 1u;
    if (pica_xfer_flags_copy(fast_external(gpu, PICA_EXTREG_XFER_FLAGS)) != 0u)
        fast_texture_copy(gpu);
    else
        display_transfer(gpu);
}
