/* ETC-01 to ETC-09: compressed blocks. An 8x8 image is one tile of four blocks; dot i is col i % 8, row 7 - i / 8. */
#include "tests/conformance/fragment_probe.h"

static const struct texture etc1 = { .format = PICA_TEXTURE_FORMAT_ETC1, .width = 8, .height = 8 };
static const struct texture etc1a4 = { .format = PICA_TEXTURE_FORMAT_ETC1A4, .width = 8, .height = 8 };

/* Dot of texel (x, y) of block 0: memory row y is t = 7 - y. */
static uint32_t dot_of(uint32_t col, uint32_t row)
{
    return (7u - row) * 8u + col;
}

static void load_block(struct machine *m, uint32_t address, uint64_t q)
{
    const uint32_t words[2] = { (uint32_t)q, (uint32_t)(q >> 32) };
    machine_load_words(m, address, words, 2);
}

static void draw_image(struct machine *m, const struct texture *texture)
{
    struct dots dots = dots_image();
    texture_dots(m, texture, &dots);
}

/* ------------------------------------------------------------------------------------------------ layout (ETC-01) */

EACH_MACHINE(texture, ETC_01_a_tile_holds_four_blocks_in_row_order)
{
    /* Block k of a 16x16 image: individual mode, base nibble k, table 0, column 0: 17 k + 2. */
    for (uint32_t alpha = 0; alpha < 2u; alpha++) {
        machine_reset(m);
        for (uint32_t k = 0; k < 16u; k++) {
            const uint32_t words[4] = { 0x11111111u * k, 0x11111111u * k, 0, 0x11u * k << 24 };
            machine_load_words(m, TEXTURE_ADDRESS + k * (alpha ? 16u : 8u), alpha ? words : words + 2, alpha ? 4 : 2);
        }
        /* Block numbers of the 4x4 grid of blocks, first memory row first. */
        static const uint8_t grid[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };
        struct dots dots = { .count = 0 };
        for (uint32_t i = 0; i < 16u; i++)
            for (uint32_t corner = 0; corner < 4u; corner++) {
                const uint32_t col = i % 4u * 4u + corner % 2u * 3u, row = i / 4u * 4u + corner / 2u * 3u;
                dots_add_texcoord(&dots, ((float)col + 0.5f) / 16.0f, (15.0f - (float)row + 0.5f) / 16.0f);
            }
        struct texture texture = alpha ? etc1a4 : etc1;
        texture.width = texture.height = 16;
        texture_dots(m, &texture, &dots);
        for (uint32_t i = 0; i < 64u; i++) {
            const uint32_t k = grid[i / 4u];
            machine_case(m, "%s, block at %u,%u", alpha ? "ETC1A4" : "ETC1", (unsigned)(i / 4u % 4u),
                         (unsigned)(i / 16u));
            EXPECT_DOT(m, "ETC-01", i, k == 15u ? 255u : 17u * k + 2u, 2, 2, alpha ? 17u * k : 255u);
        }
        EXPECT_NO_EVENTS(m, "ETC-01");
    }
}

/* ------------------------------------------------------------------------------------------------- alpha (ETC-02) */

EACH_MACHINE(texture, ETC_02_alpha_is_column_major_before_the_colours)
{
    load_block(m, TEXTURE_ADDRESS, 0xFEDCBA9876543210u); /* nibble i is i; i = 4 * x + y */
    load_block(m, TEXTURE_ADDRESS + 8, 0x0000000000000000u);
    draw_image(m, &etc1a4);
    static const uint8_t expected[4][4] = {
        { 0, 68, 136, 204 }, { 17, 85, 153, 221 }, { 34, 102, 170, 238 }, { 51, 119, 187, 255 }
    };
    for (uint32_t y = 0; y < 4u; y++)
        for (uint32_t x = 0; x < 4u; x++) {
            machine_case(m, "x %u, y %u", (unsigned)x, (unsigned)y);
            EXPECT_DOT(m, "ETC-02", dot_of(x, y), 2, 2, 2, expected[y][x]);
        }
}

/* ------------------------------------------------------------------------------------- the blocks of the examples */

struct block_example {
    const char *rule;
    uint64_t q;
    uint32_t rows; /* bit y: row y is listed */
    uint8_t rgb[4][4][3];
};

static const struct block_example examples[] = {
    { "ETC-07",
      0xA84F109280010F31u,
      0xF,
      { { { 113, 14, 0 }, { 233, 134, 76 }, { 233, 126, 76 }, { 191, 84, 34 } },
        { { 191, 92, 34 }, { 233, 134, 76 }, { 233, 126, 76 }, { 191, 84, 34 } },
        { { 191, 92, 34 }, { 191, 92, 34 }, { 233, 126, 76 }, { 191, 84, 34 } },
        { { 191, 92, 34 }, { 191, 92, 34 }, { 233, 126, 76 }, { 155, 48, 0 } } } },
    { "ETC-08",
      0xA84F109D80010F31u,
      0xF,
      { { { 110, 8, 0 }, { 230, 128, 77 }, { 230, 128, 77 }, { 188, 86, 35 } },
        { { 188, 86, 35 }, { 230, 128, 77 }, { 230, 128, 77 }, { 188, 86, 35 } },
        { { 183, 255, 47 }, { 183, 255, 47 }, { 255, 255, 183 }, { 183, 255, 47 } },
        { { 183, 255, 47 }, { 183, 255, 47 }, { 255, 255, 183 }, { 89, 208, 0 } } } },
    { "ETC-09",
      0x04FB030200000000u,
      0xF,
      { { { 2, 255, 2 }, { 2, 255, 2 }, { 255, 26, 26 }, { 255, 26, 26 } },
        { { 2, 255, 2 }, { 2, 255, 2 }, { 255, 26, 26 }, { 255, 26, 26 } },
        { { 2, 255, 2 }, { 2, 255, 2 }, { 255, 26, 26 }, { 255, 26, 26 } },
        { { 2, 255, 2 }, { 2, 255, 2 }, { 255, 26, 26 }, { 255, 26, 26 } } } },
};

EACH_MACHINE(texture, ETC_03_flip_mode_tables_and_texel_bits_of_the_worked_blocks)
{
    for (size_t e = 0; e < sizeof examples / sizeof examples[0]; e++) {
        machine_reset(m);
        for (uint32_t block = 0; block < 4u; block++)
            load_block(m, TEXTURE_ADDRESS + 8u * block, examples[e].q);
        draw_image(m, &etc1);
        for (uint32_t i = 0; i < 64u; i++) {
            const uint32_t col = i % 8u, row = 7u - i / 8u;
            const uint8_t *const rgb = examples[e].rgb[row % 4u][col % 4u];
            machine_case(m, "%s, col %u, row %u", examples[e].rule, (unsigned)col, (unsigned)row);
            EXPECT_DOT(m, "ETC-03, ETC-07, ETC-08, ETC-09", i, rgb[0], rgb[1], rgb[2], 255);
        }
    }
}

/* ------------------------------------------------------------------------------------------- base colours (ETC-04) */

struct base_row {
    uint32_t mode;  /* 0 individual, 1 differential */
    uint32_t byte;  /* the colour byte */
    uint32_t first; /* sub-block 1 and 2 with + 2 (table 0, column 0) */
    uint32_t second;
    bool overflows;
};

static const struct base_row base_rows[] = {
    { 0, 0x00, 2, 2, false },     { 0, 0x1F, 19, 255, false }, { 0, 0xF1, 255, 19, false },
    { 0, 0x7A, 121, 172, false }, { 1, 0x00, 2, 2, false }, /* base 0, delta 0 */
    { 1, 0x80, 134, 134, false },                           /* base 16: 132 */
    { 1, 0x81, 134, 142, false },                           /* 17: 140 */
    { 1, 0x83, 134, 158, false },                           /* 19: 156 */
    { 1, 0x84, 134, 101, false },                           /* 12: 99 */
    { 1, 0x87, 134, 125, false },                           /* 15: 123 */
    { 1, 0xF8, 255, 255, false },                           /* 31 */
    { 1, 0xE3, 233, 255, false },                           /* 28 + 3 = 31 */
    { 1, 0x1D, 26, 2, false },                              /* 3 - 3 = 0 */
    { 1, 0x07, 2, 255, true },                              /* 0 - 1 = -1: 255 */
    { 1, 0x1C, 26, 255, true },                             /* 3 - 4 = -1 */
    { 1, 0x04, 2, 255, true },                              /* -4 */
    { 1, 0xF9, 255, 10, true },                             /* 32: 8 */
    { 1, 0xEB, 241, 10, true },                             /* 29 + 3 = 32 */
    { 1, 0xF3, 249, 10, true },                             /* 30 + 3 = 33: 8 */
    { 1, 0xFB, 255, 26, true },                             /* 34: 24 */
};

EACH_MACHINE(texture, ETC_04_ETC_05_base_colours_and_overflowing_sums)
{
    for (size_t i = 0; i < sizeof base_rows / sizeof base_rows[0]; i++)
        for (uint32_t channel = 0; channel < 3u; channel++) {
            const struct base_row *const row = &base_rows[i];
            machine_row(m, "mode %u, byte %02X, channel %u", (unsigned)row->mode, (unsigned)row->byte,
                        (unsigned)channel);
            const uint32_t words[2] = { 0, row->mode << 1 | row->byte << (24u - 8u * channel) };
            machine_load_words(m, TEXTURE_ADDRESS, words, 2);
            struct dots dots = dots_at(1.5f / 8.0f, 7.5f / 8.0f); /* x = 1: sub-block 1 */
            texture_dots(m, &etc1, &dots);
            const uint32_t shift = 24u - 8u * channel;
            EXPECT_EQ(m, "ETC-04", dot_pixel(m, 0) >> shift & 0xFFu, row->first);
            EXPECT_NO_EVENT(m, "ETC-05", PICA_EVENT_ETC_DIFF_OVERFLOW);
            dots_add_texcoord(&dots, 2.5f / 8.0f, 7.5f / 8.0f); /* x = 2: sub-block 2 */
            texture_dots(m, &etc1, &dots);
            EXPECT_EQ(m, "ETC-04, ETC-05", dot_pixel(m, 1) >> shift & 0xFFu, row->second);
            EXPECT_EQ(m, "ETC-04", dot_pixel(m, 1) & 0xFFu, 255);
            cr_expect(machine_event_is(m, "ETC-05", PICA_EVENT_ETC_DIFF_OVERFLOW, row->overflows), "%s", m->message);
        }
}

/* --------------------------------------------------------------------------------------------- modifiers (ETC-06) */

EACH_MACHINE(texture, ETC_06_the_same_offset_for_all_channels_clamped)
{
    /* Base 136; x = 0 (sub-block 1) and x = 2 (sub-block 2), y = 0..3: +column 0, +column 1, -column 0, -column 1. */
    static const uint8_t expected[8][4] = {
        { 138, 144, 134, 128 }, { 141, 153, 131, 119 }, { 145, 165, 127, 107 }, { 149, 178, 123, 94 },
        { 154, 196, 118, 76 },  { 160, 216, 112, 56 },  { 169, 242, 103, 30 },  { 183, 255, 89, 0 },
    };
    for (uint32_t table = 0; table < 8u; table++) {
        machine_reset(m);
        const uint32_t words[2] = { 0x0C0C0A0A, 0x88888800u | table << 5 | (7u - table) << 2 };
        machine_load_words(m, TEXTURE_ADDRESS, words, 2);
        draw_image(m, &etc1);
        for (uint32_t y = 0; y < 4u; y++) {
            const uint32_t first = expected[table][y], second = expected[7u - table][y];
            machine_case(m, "table %u, y %u", (unsigned)table, (unsigned)y);
            EXPECT_DOT(m, "ETC-06", dot_of(0, y), first, first, first, 255);
            EXPECT_DOT(m, "ETC-06", dot_of(2, y), second, second, second, 255);
        }
    }
}

EACH_MACHINE(texture, ETC_03_flip_puts_the_sub_blocks_above_each_other)
{
    /* flip = 1, individual, sub-block 1 (top) nibble 1, sub-block 2 nibble 2, table 0: 19 and 36. */
    load_block(m, TEXTURE_ADDRESS, 0x1212120100000000u);
    draw_image(m, &etc1);
    for (uint32_t y = 0; y < 4u; y++)
        for (uint32_t x = 0; x < 4u; x++) {
            const uint32_t value = y < 2u ? 19 : 36;
            machine_case(m, "x %u, y %u", (unsigned)x, (unsigned)y);
            EXPECT_DOT(m, "ETC-03", dot_of(x, y), value, value, value, 255);
        }
}

EACH_MACHINE(texture, ETC_05_the_event_needs_a_fetched_texel_of_sub_block_2)
{
    /* Block 0 overflows in sub-block 2 (x >= 2; red 0 - 4), blocks 1-3 do not. */
    static const struct {
        const char *label;
        float s, t; /* texels of 8 */
        uint32_t mag, source, format;
        bool fires;
    } rows[] = {
        { "sub-block 2", 2.5f, 7.5f, 0, 3, 12, true },
        { "sub-block 1", 1.5f, 7.5f, 0, 3, 12, false },
        { "block 1", 6.5f, 7.5f, 0, 3, 12, false },
        { "linear: one of four texels", 1.75f, 7.0f, 1, 3, 12, true },
        { "linear: none of them", 0.75f, 7.0f, 1, 3, 12, false },
        { "unit not used", 2.5f, 7.5f, 0, 0, 12, false },
        { "ETC1A4", 2.5f, 7.5f, 0, 3, 13, true },
        { "ETC1A4, sub-block 1", 1.5f, 7.5f, 0, 3, 13, false },
        { "border instead", -1.5f, 7.5f, 0, 3, 12, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].label);
        load_block(m, TEXTURE_ADDRESS + (rows[i].format == 13u ? 8u : 0u), 0x0400000200000000u);
        struct dots dots = dots_at(rows[i].s / 8.0f, rows[i].t / 8.0f);
        struct list list = probe_list();
        struct texture texture = etc1;
        texture.format = rows[i].format;
        texture.mag = rows[i].mag;
        texture.wrap_s = PICA_TEXTURE_WRAP_CLAMP_TO_BORDER;
        texture_bind(&list, &texture);
        probe_source(&list, rows[i].source);
        dots_draw(m, &list, &dots);
        cr_expect(machine_event_is(m, "ETC-05", PICA_EVENT_ETC_DIFF_OVERFLOW, rows[i].fires), "%s", m->message);
    }
}

EACH_MACHINE(texture, ETC_01_levels_below_8_read_a_whole_block)
{
    /* 16x16: levels at 0, 128, 160, 168 (ETC1) and 0, 256, 320, 336 (ETC1A4); a block of nibble 3: 53. */
    static const struct {
        uint32_t format, level, base;
    } rows[] = { { 12, 1, 128 }, { 12, 2, 160 }, { 12, 3, 168 }, { 13, 1, 256 }, { 13, 2, 320 }, { 13, 3, 336 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t filter = 0; filter < 2u; filter++) {
            machine_row(m, "format %u, level %u, filter %u", (unsigned)rows[i].format, (unsigned)rows[i].level,
                        (unsigned)filter);
            load_pattern(m, TEXTURE_ADDRESS, 512, 0, 0xFF);
            const uint32_t address = TEXTURE_ADDRESS + rows[i].base;
            for (uint32_t block = 0; block < 4u; block++)
                if (rows[i].format == 13u) {
                    load_block(m, address + 16u * block, 0x4444444444444444u);
                    load_block(m, address + 16u * block + 8u, 0x3333330000000000u);
                } else {
                    load_block(m, address + 8u * block, 0x3333330000000000u);
                }
            struct dots dots = dots_at(0.5f, 0.5f);
            struct texture texture = etc1;
            texture.format = rows[i].format;
            texture.width = texture.height = 16;
            texture.min_level = texture.max_level = rows[i].level;
            texture.mag = filter;
            texture_dots(m, &texture, &dots);
            EXPECT_DOT(m, "ETC-01, MIP-01", 0, 53, 53, 53, rows[i].format == 13u ? 68 : 255);
        }
}
