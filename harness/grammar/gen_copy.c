/* Texture copies of the colour buffer. */
#include "harness/grammar/gen_parts.h"

struct side {
    uint32_t length; /* blocks of 16 bytes */
    uint32_t gap;
};

static struct side draw_side(struct gen *gen)
{
    const uint32_t length = gen_between(gen, 1, 8);
    return (struct side){ length, gen_percent(gen, 60) ? gen_between(gen, 1, 8) : 0 };
}

/* Blocks from the first to past the last. */
static uint32_t extent(struct side side, uint32_t blocks)
{
    return blocks + side.gap * ((blocks + side.length - 1u) / side.length);
}

static uint32_t side_word(struct side side)
{
    return pica_copy_line_set_gap(pica_copy_line_set_length(0, side.length), side.gap);
}

void gen_copy(struct gen *gen)
{
    const struct side in = draw_side(gen);
    const struct side out = draw_side(gen);
    const uint32_t room = gen->target.color_bytes / 16u;
    uint32_t blocks = gen_between(gen, 1, room);
    while (blocks > 1 && extent(in, blocks) > room)
        blocks /= 2u;
    const uint32_t flags = pica_xfer_flags_set_copy(harness_layout_draw(&gen->random, PICA_LAYOUT_XFER_FLAGS, true), 1);
    const uint32_t address = gen_allocate(gen, 16u * extent(out, blocks), 16);
    const uint32_t words[9] = { gen->target.color_address >> 3,
                                address >> 3,
                                0,
                                0,
                                flags,
                                0,
                                16u * blocks + gen_below(gen, 16),
                                side_word(in),
                                side_word(out) };
    (void)harness_case_add_transfer(gen->out, words);
}
