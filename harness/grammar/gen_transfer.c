/* Display transfers of the colour buffer. */
#include "harness/case/pixel_size.h"
#include "harness/grammar/gen_parts.h"

/* What can be odd about a transfer; the backends record an event for ODD_FORMAT and those after it. */
enum {
    ODD_SIZE = 1,         /* PPF-04: low bits of the output's size */
    ODD_INPUT_WIDTH = 2,  /* low bits, or PPF-05: another width though nothing is cropped */
    ODD_INPUT_HEIGHT = 4, /* PPF-04: none, or less than the output's */
    ODD_UNKNOWN = 8,      /* UNK14; bits of FLAGS that do not exist */
    ODD_FORMAT = 16,
    ODD_FLAGS = 32,
    ODD_NOTHING = 64, /* PPF-15 */
    ODD_ADDRESS = 128
};

struct transfer {
    uint32_t width; /* before scaling */
    uint32_t height;
    uint32_t pitch; /* of the source, pixels */
    uint32_t flags;
    uint32_t source;
    uint32_t out_bytes; /* a pixel */
    uint32_t odd;
};

/* The framebuffer counts RGB5A1 and RGB565 the other way round. */
static enum pica_transfer_format target_format(const struct gen *gen)
{
    switch (gen->target.color_format) {
    case PICA_COLOR_FORMAT_RGBA8: return PICA_TRANSFER_FORMAT_RGBA8;
    case PICA_COLOR_FORMAT_RGB8: return PICA_TRANSFER_FORMAT_RGB8;
    case PICA_COLOR_FORMAT_RGB5A1: return PICA_TRANSFER_FORMAT_RGB5A1;
    case PICA_COLOR_FORMAT_RGB565: return PICA_TRANSFER_FORMAT_RGB565;
    case PICA_COLOR_FORMAT_RGBA4:
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7: return PICA_TRANSFER_FORMAT_RGBA4;
    }
    return PICA_TRANSFER_FORMAT_RGBA4; /* not reached: the field has three bits */
}

/* PPF-12: the combinations that do not hang a console. */
static enum pica_transfer_format draw_output(struct gen *gen, enum pica_transfer_format in, uint32_t odd)
{
    if ((odd & ODD_FORMAT) != 0)
        return (enum pica_transfer_format)gen_below(gen, 8);
    if (in == PICA_TRANSFER_FORMAT_RGBA8)
        return (enum pica_transfer_format)gen_below(gen, 5);
    return in == PICA_TRANSFER_FORMAT_RGB8 ? in : (enum pica_transfer_format)gen_between(gen, 2, 4);
}

static void draw_transfer(struct gen *gen, struct transfer *transfer)
{
    const enum pica_transfer_format in = target_format(gen);
    const enum pica_transfer_format out = draw_output(gen, in, transfer->odd);
    const uint32_t layout = gen_below(gen, 3);
    transfer->pitch = gen->target.width;
    transfer->height = gen_percent(gen, 70) ? gen->target.rows : 8u * gen_between(gen, 1, gen->target.rows / 8u);
    transfer->width = 8u * gen_between(gen, 1, transfer->pitch / 8u);
    const bool crop = transfer->width != transfer->pitch || gen_percent(gen, 50);
    uint32_t flags = pica_xfer_flags_set_in_format(0, in);
    flags = pica_xfer_flags_set_out_format(flags, out);
    flags = pica_xfer_flags_set_to_tiled(flags, layout == 1 ? 1 : 0);
    flags = pica_xfer_flags_set_keep_tiled(flags, layout == 2 ? 1 : 0);
    flags = pica_xfer_flags_set_crop(flags, crop ? 1 : 0);
    flags = pica_xfer_flags_set_flip(flags, gen_below(gen, 2));
    if (layout == 0 || (layout == 2 && transfer->width % 16u == 0)) /* PPF-09, PPF-16 */
        flags = pica_xfer_flags_set_scale(flags, gen_percent(gen, 40) ? gen_between(gen, 1, 2) : 0);
    if ((transfer->odd & ODD_FLAGS) != 0)
        flags = harness_layout_change(&gen->random, PICA_LAYOUT_XFER_FLAGS, flags);
    transfer->flags = flags;
    transfer->source = gen->target.color_address;
    transfer->out_bytes = harness_transfer_bytes(out);
}

/* PPF-14: flip with crop moves the output. */
static uint32_t output_size(const struct transfer *transfer)
{
    const uint32_t moved = (transfer->pitch - transfer->width) * (transfer->height - 1u) * transfer->out_bytes;
    return transfer->width * transfer->height * transfer->out_bytes + moved;
}

/* Changes the words of a plain transfer as transfer->odd says. */
static void make_odd(struct gen *gen, const struct transfer *transfer, uint32_t *words)
{
    if ((transfer->odd & ODD_SIZE) != 0) {
        const uint32_t rest = gen_between(gen, 1, 7);
        words[2] |= rest << (gen_percent(gen, 50) ? 16 : 0);
    }
    if ((transfer->odd & ODD_INPUT_WIDTH) != 0 && gen_percent(gen, 50))
        words[3] |= gen_between(gen, 1, 7);
    else if ((transfer->odd & ODD_INPUT_WIDTH) != 0 && !pica_xfer_flags_crop(transfer->flags))
        words[3] += 8u * gen_between(gen, 1, 8);
    if ((transfer->odd & ODD_INPUT_HEIGHT) != 0)
        words[3] = pica_xfer_dim_set_height(words[3], gen_below(gen, transfer->height));
    if ((transfer->odd & ODD_UNKNOWN) != 0 && !gen->exportable && gen_percent(gen, 50)) /* gsp does not pass it on */
        words[5] = harness_random_number(&gen->random, 32);
    else if ((transfer->odd & ODD_UNKNOWN) != 0)
        words[4] |= 1u << (17u + gen_below(gen, 7));
    if ((transfer->odd & ODD_NOTHING) != 0)
        words[2] &= gen_percent(gen, 50) ? 0xFFFFu : 0xFFFF0000u;
    if ((transfer->odd & ODD_ADDRESS) != 0)
        gen_spoil_address(gen, words);
}

void gen_transfer(struct gen *gen)
{
    struct transfer transfer = { .odd = gen_odd_parts(gen, 4, 8) };
    draw_transfer(gen, &transfer);
    const uint32_t out = gen_allocate(gen, output_size(&transfer), 16);
    uint32_t words[9] = { transfer.source >> 3, out >> 3 };
    words[2] = pica_xfer_dim_set_height(pica_xfer_dim_set_width(0, transfer.width), transfer.height);
    words[3] = pica_xfer_dim_set_height(0, gen->target.rows); /* programs give it, no console has it (PPF-04) */
    words[3] = pica_xfer_indim_set_width(words[3], transfer.pitch);
    words[4] = transfer.flags;
    make_odd(gen, &transfer, words);
    (void)harness_case_add_transfer(gen->out, words);
}
