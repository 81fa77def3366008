/* Texture copy (70 section 3): lines with gaps, 16 bytes at a time. All work is done at once, on the caller's
 * thread. */
#include "fast/command/engine.h"
#include "pica/extregs.h"

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

/* The longest extent without a gap, a change of memory, or a wrap of the address, on one side. */
static uint32_t side_extent(const struct fast_gpu *gpu, const struct copy_side *side, uint32_t bytes, uint8_t **host)
{
    bool inside;
    const uint32_t limit = bytes < side->left ? bytes : side->left;
    const uint32_t extent = (uint32_t)fast_memory_extent(gpu, side->position, limit, &inside);
    *host = inside ? fast_memory_bytes(gpu, side->position, extent) : NULL;
    return extent;
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
        const uint32_t in_extent = side_extent(gpu, &in, total, &source);
        const uint32_t extent = side_extent(gpu, &out, in_extent, &target);
        fast_event_if(gpu, source == NULL || target == NULL, PICA_EVENT_MEM_OOB);
        if (target != NULL) {
            if (source != NULL)
                copy_blocks(target, source, extent);
            else
                memset(target, 0, extent);
            fast_memory_written(gpu, out.position, extent);
        }
        advance(&in, extent);
        advance(&out, extent);
        total -= extent;
    }
}

/* TXC-01 to TXC-03, TXC-06, TXC-07, TXC-09, PSC-14; TXC-10: the crop bit has no effect. */
void fast_texture_copy(struct fast_gpu *gpu)
{
    const uint32_t total = pica_copy_size_size(fast_external(gpu, PICA_EXTREG_COPY_SIZE)) << 4;
    const struct copy_side in =
        decode_copy_side(fast_external(gpu, PICA_EXTREG_XFER_IN), fast_external(gpu, PICA_EXTREG_COPY_IN));
    const struct copy_side out =
        decode_copy_side(fast_external(gpu, PICA_EXTREG_XFER_OUT), fast_external(gpu, PICA_EXTREG_COPY_OUT));
    const uint64_t most = 4u * (uint64_t)gpu->limits.pixels;
    if (total == 0u)
        fast_event(gpu, PICA_EVENT_COPY_ZERO_SIZE);
    else if ((in.gap != 0u && in.line == 0u) || (out.gap != 0u && out.line == 0u))
        fast_event(gpu, PICA_EVENT_COPY_ZERO_LINE);
    else if (total > (most < 0x02000000u ? most : 0x02000000u))
        fast_event(gpu, PICA_EVENT_COPY_TOO_LARGE);
    else if (fast_engine_admit(gpu, total / 16u))
        copy_lines(gpu, in, out, total);
}
