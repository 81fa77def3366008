/* Fills, display transfers, texture copies, vertical blanks and CPU writes before, between and after the lists. */
#include "harness/grammar/gen_parts.h"
#include "pica/extregs.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------------ fill */

static uint32_t fill_ctrl(uint32_t width)
{
    return pica_fill_ctrl_set_width(pica_fill_ctrl_set_start(0, 1), width);
}

static void add_fill(struct gen *gen)
{
    const bool depth = gen_percent(gen, 40);
    const uint32_t address = depth ? gen->target.depth_address : gen->target.color_address;
    const uint32_t bytes = depth ? gen->target.depth_bytes : gen->target.color_bytes;
    uint32_t size = gen_percent(gen, 60) ? bytes : 16u * gen_between(gen, 1, bytes / 16u);
    const uint32_t start = gen_percent(gen, 60) ? 0 : 16u * gen_below(gen, (bytes - size) / 16u + 1u);
    uint32_t width = gen_below(gen, 4);
    if (!gen_wild(gen, 30) && size % 3u != 0 && (width & 1u) != 0)
        width = PICA_FILL_WIDTH_32; /* PSC-07 */
    if (gen_wild(gen, 5))
        size = 0;
    const uint32_t words[4] = { (address + start) >> 3, (address + start + size) >> 3,
                                gen_percent(gen, 30) ? gen_below(gen, 256) * 0x01010101u : gen_below(gen, UINT32_MAX),
                                fill_ctrl(width) };
    (void)harness_case_add_fill(gen->out, gen_below(gen, 2), words);
}

/* -------------------------------------------------------------------------------------------------------- transfer */

struct transfer {
    uint32_t width; /* before scaling */
    uint32_t height;
    uint32_t pitch; /* of the source, pixels */
    uint32_t flags;
    uint32_t source;
    uint32_t out_bytes; /* a pixel */
};

static uint32_t transfer_bytes(enum pica_transfer_format format)
{
    return format == PICA_TRANSFER_FORMAT_RGBA8 ? 4u : format == PICA_TRANSFER_FORMAT_RGB8 ? 3u : 2u;
}

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
static enum pica_transfer_format draw_output(struct gen *gen, enum pica_transfer_format in)
{
    if (gen_wild(gen, 20))
        return (enum pica_transfer_format)gen_below(gen, 8);
    if (in == PICA_TRANSFER_FORMAT_RGBA8)
        return (enum pica_transfer_format)gen_below(gen, 5);
    return in == PICA_TRANSFER_FORMAT_RGB8 ? in : (enum pica_transfer_format)gen_between(gen, 2, 4);
}

static void draw_transfer(struct gen *gen, struct transfer *transfer)
{
    const enum pica_transfer_format in = target_format(gen);
    const enum pica_transfer_format out = draw_output(gen, in);
    const uint32_t layout = gen_below(gen, 3);
    transfer->pitch = gen->target.width;
    transfer->height = gen->target.rows;
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
    if (gen_wild(gen, 15))
        flags = harness_layout_change(&gen->random, PICA_LAYOUT_XFER_FLAGS, flags);
    transfer->flags = flags;
    transfer->source = gen->target.color_address;
    transfer->out_bytes = transfer_bytes(out);
}

/* PPF-14: flip with crop moves the output. */
static uint32_t output_size(const struct transfer *transfer)
{
    const uint32_t moved = (transfer->pitch - transfer->width) * (transfer->height - 1u) * transfer->out_bytes;
    return transfer->width * transfer->height * transfer->out_bytes + moved;
}

static void add_transfer(struct gen *gen)
{
    struct transfer transfer;
    draw_transfer(gen, &transfer);
    const uint32_t out = gen_allocate(gen, output_size(&transfer), 16);
    uint32_t words[9] = { transfer.source >> 3, out >> 3, gen_below(gen, 8) };
    words[2] = pica_xfer_dim_set_height(pica_xfer_dim_set_width(words[2], transfer.width), transfer.height);
    words[3] = gen_below(gen, 16) << 16; /* no input height exists (PPF-04) */
    words[3] = pica_xfer_indim_set_width(words[3], transfer.pitch + gen_below(gen, 8));
    words[4] = transfer.flags;
    words[5] = gen_percent(gen, 90) ? 0 : gen_below(gen, UINT32_MAX);
    (void)harness_case_add_transfer(gen->out, words);
}

/* ------------------------------------------------------------------------------------------------------------ copy */

struct side {
    uint32_t length; /* blocks of 16 bytes */
    uint32_t gap;
};

static struct side draw_side(struct gen *gen)
{
    const uint32_t length = gen_between(gen, 1, 8);
    return (struct side){ length, gen_percent(gen, 60) ? gen_between(gen, 1, 8) : 0 };
}

/* Blocks from the first to behind the last. */
static uint32_t extent(struct side side, uint32_t blocks)
{
    return blocks + side.gap * ((blocks + side.length - 1u) / side.length);
}

static uint32_t side_word(struct side side)
{
    return pica_copy_line_set_gap(pica_copy_line_set_length(0, side.length), side.gap);
}

static void add_copy(struct gen *gen)
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

/* ------------------------------------------------------------------------------------------------------ CPU writes */

/* External registers that start nothing. */
static void write_external(struct gen *gen)
{
    size_t count;
    const struct pica_extreg_info *const infos = pica_extregs(&count);
    const struct pica_extreg_info *const info = &infos[gen_below(gen, (uint32_t)count)];
    const bool starts = info->address == PICA_EXTREG_FILL0_CTRL || info->address == PICA_EXTREG_FILL1_CTRL ||
                        info->address == PICA_EXTREG_XFER_START;
    if (starts && gen->defined)
        return;
    uint32_t value = harness_layout_draw(&gen->random, info->layout, gen->defined);
    if (info->layout == PICA_LAYOUT_FILL_ADDRESS || info->layout == PICA_LAYOUT_XFER_ADDRESS)
        value &= gen_wild(gen, 30) ? UINT32_MAX : ~1u; /* PSC-02 */
    if (info->layout == PICA_LAYOUT_PDC_ADDRESS)
        value = gen->target.color_address;
    (void)harness_case_add_write(gen->out, PICA_EXTERNAL_ADDRESS + info->address, value);
}

static void write_interrupt(struct gen *gen)
{
    uint32_t id = gen_below(gen, 0x40);
    uint32_t value = harness_random_number(&gen->random, 32);
    if (gen->defined && (id == PICA_REG_FINALIZE || id == PICA_REG_IRQ_COMPARE0 || id == PICA_REG_IRQ_MASK_LOW ||
                         id == PICA_REG_IRQ_AUTOSTOP))
        value = id == PICA_REG_IRQ_MASK_LOW ? 0xFFFFFFF0u : id == PICA_REG_IRQ_AUTOSTOP ? 1u : 0x12345678u;
    (void)harness_case_add_write(gen->out, PICA_INTERNAL_ADDRESS + 4u * id, value);
}

static void write_lcd(struct gen *gen)
{
    size_t count;
    const struct pica_extreg_info *const infos = pica_lcdregs(&count);
    const struct pica_extreg_info *const info = &infos[gen_below(gen, (uint32_t)count)];
    (void)harness_case_add_write(gen->out, info->address, harness_layout_draw(&gen->random, info->layout, false));
}

/* PSC-12: every other address is ignored. */
static void write_nowhere(struct gen *gen)
{
    const uint32_t address = gen_below(gen, UINT32_MAX) & 0x0FFFFFFCu;
    (void)harness_case_add_write(gen->out, address, gen_below(gen, UINT32_MAX));
}

void gen_engine_operations(struct gen *gen, uint32_t count)
{
    static const uint32_t weights[] = { 30, 30, 15, 10, 15, 8, 5, 2 };
    for (uint32_t i = 0; i < count; i++)
        switch (harness_random_weighted(&gen->random, weights, 8)) {
        case 0: add_fill(gen); break;
        case 1: add_transfer(gen); break;
        case 2: add_copy(gen); break;
        case 3: (void)harness_case_add_vblank(gen->out, gen_below(gen, 2)); break;
        case 4: write_external(gen); break;
        case 5: write_interrupt(gen); break;
        case 6: write_lcd(gen); break;
        default: write_nowhere(gen); break;
        }
}
