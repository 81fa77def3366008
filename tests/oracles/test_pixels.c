/* Where pixels lie and what their bytes mean: the worked examples of file 60. */
#include "oracles/pixels.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static struct oracle_surface surface(uint32_t width, uint32_t height, enum oracle_format format,
                                     enum oracle_layout layout)
{
    return (
        struct oracle_surface){ .width = width, .height = height, .pitch = width, .format = format, .layout = layout };
}

Test(pixels, FBF_07_tile_indices_of_the_worked_examples)
{
    const struct oracle_surface tiled = surface(240, 400, ORACLE_FORMAT_RGBA8, ORACLE_LAYOUT_TILED);
    cr_expect_eq(oracle_pixel_offset(&tiled, 8, 0), 4 * 64);
    cr_expect_eq(oracle_pixel_offset(&tiled, 3, 2), 4 * 13);
    cr_expect_eq(oracle_pixel_offset(&tiled, 13, 21), 4 * 3955);
    cr_expect_eq(oracle_pixel_offset(&tiled, 239, 399), 4 * 95999);
}

Test(pixels, FBF_08_block_indices_of_the_worked_examples)
{
    const struct oracle_surface blocks = surface(256, 64, ORACLE_FORMAT_RGBA8, ORACLE_LAYOUT_BLOCK32);
    cr_expect_eq(oracle_pixel_offset(&blocks, 8, 0), 4 * 64);
    cr_expect_eq(oracle_pixel_offset(&blocks, 0, 8), 4 * 128);
    cr_expect_eq(oracle_pixel_offset(&blocks, 31, 31), 4 * 1023);
    cr_expect_eq(oracle_pixel_offset(&blocks, 32, 0), 4 * 1024);
    cr_expect_eq(oracle_pixel_offset(&blocks, 45, 21), 4 * 1651);
}

/* W = 240, H = 400, pixel (13, 21) with y up: the viewer's row is 378 from the top. */
Test(pixels, FBF_06_row_order_follows_bit_24)
{
    uint32_t registers[PICA_REG_TOTAL] = { 0 };
    struct oracle_surface out;
    registers[PICA_REG_FRAMEBUFFER_DIM] = 240u | 399u << 12 | 1u << 24;
    cr_assert(oracle_color_surface(registers, NULL, &out));
    cr_expect_eq(oracle_pixel_offset(&out, 13, 378), 0x58364);
    registers[PICA_REG_FRAMEBUFFER_DIM] = 240u | 399u << 12;
    cr_assert(oracle_color_surface(registers, NULL, &out));
    cr_expect_eq(oracle_pixel_offset(&out, 13, 378), 0x3DCC);
}

Test(pixels, FBF_10_formats_expand_to_eight_bits)
{
    static const struct {
        enum oracle_format format;
        uint8_t bytes[4];
        uint32_t channel[4];
    } rows[] = {
        { ORACLE_FORMAT_RGBA8, { 1, 2, 3, 4 }, { 4, 3, 2, 1 } },
        { ORACLE_FORMAT_RGB8, { 1, 2, 3 }, { 3, 2, 1, 255 } },
        { ORACLE_FORMAT_RGB565, { 0x26, 0xCB }, { 206, 101, 49, 255 } },
        { ORACLE_FORMAT_RGB5A1, { 0x0D, 0xCB }, { 206, 99, 49, 255 } },
        { ORACLE_FORMAT_RGBA4, { 0x38, 0xC6 }, { 204, 102, 51, 136 } },
        { ORACLE_FORMAT_DEPTH16, { 0x34, 0x12 }, { 0x1234, 0, 0, 0 } },
        { ORACLE_FORMAT_DEPTH24, { 0x56, 0x34, 0x12 }, { 0x123456, 0, 0, 0 } },
        { ORACLE_FORMAT_DEPTH24_STENCIL8, { 0x56, 0x34, 0x12, 0xAA }, { 0x123456, 0, 0, 0xAA } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct oracle_pixel pixel = oracle_pixel_decode(rows[i].format, rows[i].bytes);
        for (int c = 0; c < 4; c++)
            cr_expect_eq(pixel.channel[c], rows[i].channel[c], "%s channel %d: %u", oracle_format_name(rows[i].format),
                         c, (unsigned)pixel.channel[c]);
    }
}

Test(pixels, PPF_06_transfer_output_has_the_scaled_size)
{
    const uint32_t words[9] = { 0x18000000u >> 3, 0x20000000u >> 3, 400u << 16 | 240u, 400u << 16 | 240u,
                                2u << 24 | 1u << 12 };
    struct oracle_surface out;
    cr_assert(oracle_transfer_surface(words, NULL, &out));
    cr_expect_eq(out.width, 120);
    cr_expect_eq(out.height, 200);
    cr_expect_eq(out.address, 0x20000000u);
    cr_expect_eq(out.format, ORACLE_FORMAT_RGB8);
    cr_expect_eq(out.layout, ORACLE_LAYOUT_LINEAR);
}

/* Flip with crop, IW 256, W 240, H 400, RGB8: the output moves by 0x4AD0 bytes. */
Test(pixels, PPF_14_flip_with_crop_displaces_the_output)
{
    const uint32_t words[9] = { 0x18000000u >> 3, 0x20000000u >> 3, 400u << 16 | 240u, 400u << 16 | 256u,
                                1u << 12 | 1u << 2 | 1u };
    struct oracle_surface out;
    cr_assert(oracle_transfer_surface(words, NULL, &out));
    cr_expect_eq(out.address, 0x20000000u + 0x4AD0u);
}

Test(pixels, PPF_15_refused_transfers_and_texture_copies_have_no_picture)
{
    struct oracle_surface out;
    const uint32_t empty[9] = { 0, 0, 240u };
    const uint32_t copy[9] = { 0, 0, 400u << 16 | 240u, 400u << 16 | 240u, 8u };
    const uint32_t scale3[9] = { 0, 0, 400u << 16 | 240u, 400u << 16 | 240u, 3u << 24 };
    cr_expect_not(oracle_transfer_surface(empty, NULL, &out));
    cr_expect_not(oracle_transfer_surface(copy, NULL, &out));
    cr_expect_not(oracle_transfer_surface(scale3, NULL, &out));
}

static struct pica_choices taking(enum pica_side side)
{
    struct pica_choices choices = { { 0 } };
    choices.sides[(uint32_t)side / PICA_MOST_SIDES] = (uint8_t)((uint32_t)side % PICA_MOST_SIDES);
    return choices;
}

static struct oracle_surface color_of(const uint32_t *registers, enum pica_side side)
{
    const struct pica_choices choices = taking(side);
    struct oracle_surface out;
    cr_assert(oracle_color_surface(registers, &choices, &out));
    return out;
}

/* docs/known-choices.md: 12 pixels wide, bit 24 off, low bits 5 of the address. */
Test(pixels, buffers_lie_where_a_machine_with_other_choices_has_them)
{
    uint32_t registers[PICA_REG_TOTAL] = { 0 };
    struct oracle_surface out;
    registers[PICA_REG_FRAMEBUFFER_DIM] = 12u | 15u << 12;
    registers[PICA_REG_COLORBUFFER_LOC] = registers[PICA_REG_DEPTHBUFFER_LOC] = 0x18000000u >> 3 | 5u;
    registers[PICA_REG_COLORBUFFER_FORMAT] = 3u << 16;
    cr_assert(oracle_color_surface(registers, NULL, &out));
    cr_expect(out.rows_reversed && out.pitch == 16 && out.address == 0x18000000u);
    cr_expect_not(color_of(registers, PICA_SIDE_ROW_ORDER_HIGHEST).rows_reversed);
    cr_expect_eq(color_of(registers, PICA_SIDE_ROW_PITCH_WIDTH).pitch, 12);
    cr_expect_eq(color_of(registers, PICA_SIDE_BUFFER_ADDRESS_UNITS_8).address, 0x18000028u);
    const struct pica_choices choices = taking(PICA_SIDE_BUFFER_ADDRESS_UNITS_8);
    cr_assert(oracle_depth_surface(registers, &choices, &out));
    cr_expect_eq(out.address, 0x18000028u);
    registers[PICA_REG_COLOR_OPERATION] = 1;
    cr_assert(oracle_color_surface(registers, NULL, &out));
    cr_expect_eq(out.format, ORACLE_FORMAT_RGBA8);
    cr_expect_eq(color_of(registers, PICA_SIDE_GAS_MODE_AS_0).format, ORACLE_FORMAT_RGB565);
    registers[PICA_REG_COLOR_OPERATION] = 2;
    cr_expect_not(oracle_color_surface(registers, NULL, &out));
    cr_expect_eq(color_of(registers, PICA_SIDE_FRAGMENT_MODE_2_AS_0).format, ORACLE_FORMAT_RGB565);
}

static bool transfer_to(const uint32_t words[9], enum pica_side side, struct oracle_surface *out)
{
    const struct pica_choices choices = taking(side);
    return oracle_transfer_surface(words, &choices, out);
}

/* 244x404 from 256 pixels wide, flipped and cropped, both layout bits, RGB8, to an odd multiple of 8 bytes. */
Test(pixels, transfers_go_where_a_machine_with_other_choices_puts_them)
{
    const uint32_t words[9] = { 0x18000000u >> 3, 0x20000008u >> 3, 404u << 16 | 244u, 256u,
                                1u << 12 | 1u << 5 | 1u << 2 | 1u << 1 | 1u };
    struct oracle_surface out;
    cr_assert(oracle_transfer_surface(words, NULL, &out));
    cr_expect(out.width == 240 && out.height == 400 && out.address == 0x20000000u + 0x4AD0u);
    cr_expect_eq(out.layout, ORACLE_LAYOUT_TILED);
    cr_assert(transfer_to(words, PICA_SIDE_TRANSFER_ADDRESS_UNITS_8, &out));
    cr_expect_eq(out.address, 0x20000008u + 0x4AD0u);
    cr_assert(transfer_to(words, PICA_SIDE_TRANSFER_SIZE_ALL_BITS, &out));
    cr_expect(out.width == 244 && out.height == 404);
    cr_expect_eq(out.address, 0x20000000u + 12u * 403u * 3u);
    cr_assert(transfer_to(words, PICA_SIDE_FLIP_OFFSET_NONE, &out));
    cr_expect_eq(out.address, 0x20000000u);
    cr_assert(transfer_to(words, PICA_SIDE_TILED_LINEAR_LINEAR, &out));
    cr_expect_eq(out.layout, ORACLE_LAYOUT_LINEAR);
    cr_expect_not(transfer_to(words, PICA_SIDE_INPUT_HEIGHT_REFUSED, &out));
    const uint32_t scaled[9] = { 0, 0, 400u << 16 | 240u, 400u << 16 | 240u, 1u << 24 | 1u << 1 };
    cr_expect(oracle_transfer_surface(scaled, NULL, &out));
    cr_expect_not(transfer_to(scaled, PICA_SIDE_LINEAR_SCALING_NOTHING, &out));
}
