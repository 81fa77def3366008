/* Texture copies of the colour buffer: rectangles between surfaces of different widths, or bytes in a row. */
#include "harness/grammar/gen_parts.h"

/* What can be odd about a copy; the backends record an event for ODD_EMPTY and those after it. */
enum {
    ODD_SIZE = 1,  /* TXC-03: low bits */
    ODD_FLAGS = 2, /* TXC-01: everything but the copy bit is ignored */
    ODD_LINES = 4, /* lines of different length, the last one cut */
    ODD_EMPTY = 8, /* TXC-06: no bytes, or lines without length */
    ODD_ADDRESS = 16
};

struct side {
    uint32_t length; /* blocks of 16 bytes */
    uint32_t gap;
};

static uint32_t draw_gap(struct gen *gen)
{
    return gen_percent(gen, 60) ? gen_between(gen, 1, 8) : 0;
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

/* Whole lines, as many as fit into `room` blocks of the source with their gaps. */
static uint32_t draw_blocks(struct gen *gen, struct side in, uint32_t room)
{
    uint32_t lines = gen_between(gen, 1, room / in.length);
    while (lines > 1 && extent(in, lines * in.length) > room)
        lines /= 2u;
    return lines * in.length;
}

static uint32_t draw_flags(struct gen *gen, uint32_t odd)
{
    const uint32_t word = (odd & ODD_FLAGS) != 0 ? harness_layout_draw(&gen->random, PICA_LAYOUT_XFER_FLAGS, true) : 0;
    return pica_xfer_flags_set_copy(pica_xfer_flags_set_crop(word, gen_below(gen, 2)), 1); /* TXC-10 */
}

static void make_odd(struct gen *gen, uint32_t odd, uint32_t *words)
{
    if ((odd & ODD_SIZE) != 0)
        words[6] += gen_between(gen, 1, 15);
    if ((odd & ODD_EMPTY) != 0 && gen_percent(gen, 30))
        words[6] &= 15u;
    else if ((odd & ODD_EMPTY) != 0) {
        const uint32_t line = pica_copy_line_set_gap(0, gen_between(gen, 1, 8));
        words[7 + gen_below(gen, 2)] = line;
    }
    if ((odd & ODD_ADDRESS) != 0)
        gen_spoil_address(gen, words);
}

void gen_copy(struct gen *gen)
{
    const uint32_t odd = gen_odd_parts(gen, 3, 5);
    struct side in, out;
    in.length = gen_between(gen, 1, 8);
    in.gap = draw_gap(gen);
    out.length = (odd & ODD_LINES) != 0 ? gen_between(gen, 1, 8) : in.length;
    out.gap = draw_gap(gen);
    uint32_t blocks = draw_blocks(gen, in, gen->target.color_bytes / 16u);
    if ((odd & ODD_LINES) != 0 && blocks > 1)
        blocks -= gen_below(gen, in.length < blocks ? in.length : blocks);
    const uint32_t address = gen_allocate(gen, 16u * extent(out, blocks), 16);
    uint32_t words[9] = { gen->target.color_address >> 3, address >> 3 };
    words[4] = draw_flags(gen, odd);
    words[6] = 16u * blocks;
    words[7] = side_word(in);
    words[8] = side_word(out);
    make_odd(gen, odd, words);
    (void)harness_case_add_transfer(gen->out, words);
}
