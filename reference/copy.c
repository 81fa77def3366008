/*
 * Texture copy: copies bytes as they are, line by line, with a gap after each line of source and destination; so a
 * rectangle of tiles can be cut out of a larger picture, or put into one.
 *
 * It is the transfer engine in another mode: same addresses, same start bit, same interrupt. Everything is in blocks of
 * 16 bytes, each written before the next one is read. A line of length 0 with a gap is refused; a gap of 0 means that
 * all is contiguous, whatever the line.
 *
 * Worked number: 96 bytes, source line 2 blocks and gap 1 block: blocks 0 1, 3 4, 6 7 of the source.
 */
#include "reference/engine.h"

#include "pica/extregs.h"
#include "reference/gpu.h"

#include <string.h>

enum {
    COPY_BLOCK = 16 /* bytes */
};

/* Source or destination of a texture copy. */
struct copy_side {
    uint32_t position; /* address */
    uint32_t line;     /* blocks */
    uint32_t gap;      /* bytes; 0: contiguous, whatever the line (TXC-04) */
    uint32_t in_line;  /* blocks since the last gap */
    struct ref_byte_range range;
};

/* TXC-02, TXC-03. */
static struct copy_side load_copy_side(const struct ref_gpu *gpu, uint32_t address_offset, uint32_t line_offset)
{
    const uint32_t word = ref_external_word(gpu, line_offset);
    struct copy_side side;
    memset(&side, 0, sizeof side);
    side.position = ref_engine_address(gpu, address_offset);
    side.line = pica_copy_line_length(word);
    side.gap = pica_copy_line_gap(word) * COPY_BLOCK;
    return side;
}

/* TXC-05: goes to the next block. */
static void advance(struct copy_side *side)
{
    side->position += COPY_BLOCK;
    side->in_line += 1u;
    if (side->gap != 0 && side->in_line == side->line) {
        side->position += side->gap;
        side->in_line = 0;
    }
}

/* TXC-08: a block may be outside of memory; then it reads as zeros, or is not written. */
static void copy_block(struct ref_gpu *gpu, uint32_t from, uint32_t to)
{
    uint8_t block[COPY_BLOCK];
    ref_read_bytes(gpu, from, block, sizeof block);
    ref_write_bytes(gpu, to, block, sizeof block);
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* Blocks are multiples of 16 bytes from a multiple of 16 on, so all of one is in memory, or nothing of it. */
static void record_block(const struct ref_gpu *gpu, struct copy_side *in, struct copy_side *out)
{
    ref_note_bytes(gpu, &in->range, in->position, COPY_BLOCK);
    ref_note_bytes(gpu, &out->range, out->position, COPY_BLOCK);
    ref_feature_if(gpu, ref_in_memory(gpu, out->position), PICA_FEATURE_COPY_WROTE);
}

/* TXC-06, TXC-07, PSC-14: the first case that applies records its event, and nothing is copied. */
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
    return ref_take_steps(gpu, total / COPY_BLOCK);
}

/* TXC-01, TXC-05, TXC-08; bit 2 of FLAGS has no effect (TXC-10). */
void ref_run_copy(struct ref_gpu *gpu)
{
    struct copy_side in = load_copy_side(gpu, PICA_EXTREG_XFER_IN, PICA_EXTREG_COPY_IN);
    struct copy_side out = load_copy_side(gpu, PICA_EXTREG_XFER_OUT, PICA_EXTREG_COPY_OUT);
    const uint32_t total = pica_copy_size_size(ref_external_word(gpu, PICA_EXTREG_COPY_SIZE)) * COPY_BLOCK;
    if (!copy_is_possible(gpu, total, &in, &out))
        return;
    for (uint32_t k = 0; k < total / COPY_BLOCK; k++) {
        copy_block(gpu, in.position, out.position);
        record_block(gpu, &in, &out);
        advance(&in);
        advance(&out);
    }
    ref_byte_range_events(gpu, &in.range, &out.range);
}
