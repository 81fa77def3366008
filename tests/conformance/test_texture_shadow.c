/* SDW-01 to SDW-10: shadow textures. A texel is bytes depth high, middle, low, density; density comes out. */
#include "tests/conformance/fragment_probe.h"

static const struct texture shadow = {
    .type = PICA_TEXTURE_TYPE_SHADOW_2D, .format = PICA_TEXTURE_FORMAT_RGBA8, .width = 8, .height = 8
};

/* SDW-04: bytes in memory order are depth>>16, depth>>8, depth, density. */
static uint32_t shadow_word(uint32_t depth, uint32_t density)
{
    return depth >> 16 | (depth >> 8 & 0xFFu) << 8 | (depth & 0xFFu) << 16 | density << 24;
}

static void load_shadow(struct machine *m, uint32_t address, uint32_t depth, uint32_t density)
{
    for (uint32_t n = 0; n < 64u; n++)
        texel_put(m, address, n, 4, shadow_word(depth, density));
}

static void draw_shadow(struct machine *m, const struct texture *texture, struct dots *dots, uint32_t word)
{
    struct list list = probe_list();
    texture_bind(&list, texture);
    for (uint32_t face = 1; face < 6u; face++)
        list_write(&list, PICA_REG_TEXUNIT0_ADDR1 + face, TEXTURE_ADDRESS >> 3);
    list_write(&list, PICA_REG_TEXUNIT0_SHADOW, word);
    dots_draw(m, &list, dots);
}

/* ------------------------------------------------------------------------------------------ compare (SDW-03 to 05) */

struct compare_row {
    uint32_t w_bits; /* texcoord0 w */
    uint32_t word;   /* 0x08B; bit 0 = 1: no division */
    uint32_t depth;  /* stored */
    bool passes;
};

static const struct compare_row compare_rows[] = {
    { 0x3F000000, 0x00000201, 0x7FFDFF, true },  /* SDW-10: zi = 7FFFFF - 200 */
    { 0x3F000000, 0x00000201, 0x7FFDFE, false }, /* SDW-10 */
    { 0x3F000000, 0x00000001, 0x7FFFFF, true },
    { 0x3F000000, 0x00000001, 0x7FFFFE, false },
    { 0xBF000000, 0x00000001, 0x7FFFFF, true }, /* the magnitude of w */
    { 0xBF000000, 0x00000001, 0x7FFFFE, false },
    { 0x3F800000, 0x00000001, 0xFFFFFF, true },
    { 0x3F800000, 0x00000001, 0xFFFFFE, false },
    { 0x3F7FFFFF, 0x00000001, 0xFFFFFE, true }, /* (1 - 2^-24) * FFFFFF = 16777214.0 */
    { 0x3F7FFFFF, 0x00000001, 0xFFFFFD, false },
    { 0x40000000, 0x00000001, 0xFFFFFF, true }, /* saturates at 1 */
    { 0x40000000, 0x00000001, 0xFFFFFE, false },
    { 0x7F800000, 0x00000001, 0xFFFFFE, false },
    { 0x7F800000, 0x00000001, 0xFFFFFF, true },
    { 0x00000000, 0x00000001, 0x000000, true },
    { 0x00000001, 0x00000001, 0x000000, true },
    { 0x33800000, 0x00000001, 0x000000, true },  /* 2^-24: 0.99999994 truncates to 0 */
    { 0x33800001, 0x00000001, 0x000000, false }, /* just above: rounds to 1.0 */
    { 0x33800001, 0x00000001, 0x000001, true },
    { 0x7FC00000, 0x00000001, 0x000000, true }, /* NaN is 0 */
    { 0x00000000, 0x00000201, 0x000000, true }, /* zi = -0x200, compared as a signed number */
    { 0x3F800000, 0x00FFFFFF, 0x000001, true }, /* bias FFFFFE: zi = 1 */
    { 0x3F800000, 0x00FFFFFF, 0x000000, false },
    { 0x3F800000, 0xFF000001, 0xFFFFFE, false }, /* bits 24-31 do not count */
    { 0x3F800000, 0x00000003, 0xFFFFFD, true },  /* bit 1 is a bias of 2 */
    { 0x3F800000, 0x00000003, 0xFFFFFC, false },
};

EACH_MACHINE(texture, SDW_05_a_stored_depth_not_below_the_reference_gives_the_density)
{
    for (size_t i = 0; i < sizeof compare_rows / sizeof compare_rows[0]; i++) {
        const struct compare_row *const row = &compare_rows[i];
        machine_row(m, "w %08X, 0x08B %08X, stored %06X", (unsigned)row->w_bits, (unsigned)row->word,
                    (unsigned)row->depth);
        load_shadow(m, TEXTURE_ADDRESS, row->depth, 0xC0);
        struct dots dots = dots_at3(0.5f, 0.5f, f32_from_bits(row->w_bits));
        draw_shadow(m, &shadow, &dots, row->word);
        const uint32_t value = row->passes ? 0xC0 : 0;
        EXPECT_DOT(m, "SDW-03, SDW-05, SDW-08, SDW-10", 0, value, value, value, value);
        EXPECT_NO_EVENTS(m, "SDW-03");
    }
}

EACH_MACHINE(texture, SDW_04_the_depth_has_its_high_byte_first)
{
    /* Bytes 12 34 56 9A: depth 0x123456, density 0x9A. zi = 0x123456 by the bias: FFFFFF - EDCBA8 = 123457. */
    static const struct {
        uint8_t bytes[4];
        uint32_t value;
    } rows[] = {
        { { 0x12, 0x34, 0x58, 0x9A }, 0x9A }, { { 0x12, 0x34, 0x57, 0x9A }, 0x9A }, { { 0x12, 0x34, 0x56, 0x9A }, 0 },
        { { 0x12, 0x33, 0xFF, 0x9A }, 0 },    { { 0x12, 0x35, 0x00, 0x01 }, 0x01 }, { { 0x11, 0xFF, 0xFF, 0x9A }, 0 },
        { { 0x13, 0x00, 0x00, 0xFF }, 0xFF }, { { 0x13, 0x00, 0x00, 0x00 }, 0x00 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        for (uint32_t n = 0; n < 64u; n++)
            machine_load(m, TEXTURE_ADDRESS + 4u * n, rows[i].bytes, 4);
        struct dots dots = dots_at3(0.5f, 0.5f, 1.0f);
        draw_shadow(m, &shadow, &dots, 0x00EDCBA9);
        EXPECT_DOT(m, "SDW-04, SDW-08", 0, rows[i].value, rows[i].value, rows[i].value, rows[i].value);
    }
}

/* ----------------------------------------------------------------------------------------- coordinates (SDW-01, 02) */

EACH_MACHINE(texture, SDW_01_bit_0_turns_the_division_off)
{
    /* Density 10 * column + t; all depths FFFFFF. u = 0.75, v = 0.5. */
    static const struct {
        float w;
        uint32_t word, value;
    } rows[] = {
        { 1.0f, 0, 64 }, { 2.0f, 0, 32 }, { 2.0f, 1, 64 }, { 4.0f, 0, 11 },
        { 4.0f, 1, 64 }, { -1.0f, 0, 0 }, { 0.0f, 0, 77 }, { -0.0f, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "w %g, bit 0 = %u", (double)rows[i].w, (unsigned)rows[i].word);
        for (uint32_t col = 0; col < 8u; col++)
            for (uint32_t row = 0; row < 8u; row++)
                texel_put(m, TEXTURE_ADDRESS, texel_number(col, row, 8), 4,
                          shadow_word(0xFFFFFF, 10u * col + (7u - row)));
        struct dots dots = dots_at3(0.75f, 0.5f, rows[i].w);
        draw_shadow(m, &shadow, &dots, rows[i].word);
        EXPECT_DOT(m, "SDW-01", 0, rows[i].value, rows[i].value, rows[i].value, rows[i].value);
    }
}

EACH_MACHINE(texture, SDW_02_cube_shadows_compare_with_the_major_axis)
{
    /* Faces of 256 bytes, density 100 + face, depth 0x800000. z = |Z| of the face, not w. */
    static const struct {
        float u, v, w;
        uint32_t word, value;
    } rows[] = {
        { 0.5f, 0.25f, 0.125f, 0, 100 },
        { -0.5f, 0.25f, 0.125f, 0, 101 },
        { 0.25f, 0.5f, 0.125f, 0, 102 },
        { 0.25f, -0.5f, 0.125f, 0, 103 },
        { 0.25f, 0.125f, 0.5f, 0, 104 },
        { 0.25f, 0.125f, -0.5f, 0, 105 },
        { 0.5f, 0.25f, 0.125f, 1, 100 }, /* bit 0 is not used */
        { 0.75f, 0.25f, 0.125f, 0, 0 },
        { -0.75f, 0.25f, 0.125f, 0, 0 },
        { 0.25f, -0.75f, 0.125f, 0, 0 },
        { 0.25f, 0.125f, -0.75f, 0, 0 },
        { 0.25f, 0.125f, -0.75f, 0x00400000, 105 }, /* BFFFFF - 400000 = 7FFFFF */
        { 0.25f, 0.125f, -0.75f, 0x003FFFFE, 0 },   /* 800001 */
    };
    for (uint32_t face = 0; face < 6u; face++)
        load_shadow(m, TEXTURE_ADDRESS + 256u * face, 0x800000, 100 + face);
    struct texture texture = shadow;
    texture.type = PICA_TEXTURE_TYPE_SHADOW_CUBE;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "row %u", (unsigned)i);
        struct dots dots = dots_at3(rows[i].u, rows[i].v, rows[i].w);
        struct list list = probe_list();
        texture_bind(&list, &texture);
        for (uint32_t face = 1; face < 6u; face++)
            list_write(&list, PICA_REG_TEXUNIT0_ADDR1 + face, (TEXTURE_ADDRESS + 256u * face) >> 3);
        list_write(&list, PICA_REG_TEXUNIT0_SHADOW, rows[i].word);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "SDW-02", 0, rows[i].value, rows[i].value, rows[i].value, rows[i].value);
        EXPECT_NO_EVENTS(m, "SDW-02");
    }
}

/* -------------------------------------------------------------------------------------- filter, border (SDW-06, 07) */

EACH_MACHINE(texture, SDW_06_the_results_of_four_compares_are_blended)
{
    /* TEX-91: even columns 0x800000, odd ones 0x400000; density 16 * row + col + 100; zi = 0x600000; repeat. */
    for (uint32_t col = 0; col < 8u; col++)
        for (uint32_t row = 0; row < 8u; row++)
            texel_put(m, TEXTURE_ADDRESS, texel_number(col, row, 8), 4,
                      shadow_word(col % 2u ? 0x400000 : 0x800000, 16u * row + col + 100u));
    static const struct {
        float s, t;
        uint32_t mag, value;
    } rows[] = {
        { 0.3f, 0.6f, 0, 150 },     /* TEX-91 */
        { 0.3f, 0.6f, 1, 130 },     /* TEX-91 */
        { 0.25f, 0.5625f, 1, 75 },  /* halfway between columns 1 (fails: 0) and 2, row 3: 150 */
        { 0.1875f, 0.5625f, 0, 0 }, /* the centre of column 1 */
        { 0.1875f, 0.5625f, 1, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "row %u", (unsigned)i);
        struct dots dots = { .count = 0 };
        /* 0x600000 = FFFFFF - 9FFFFF; the bias is even: FFFFFF - 9FFFFE = 600001 separates the two depths as well */
        dots_add_texcoord3(&dots, rows[i].s, rows[i].t, 1.0f);
        struct texture texture = shadow;
        texture.wrap_s = texture.wrap_t = 2;
        texture.mag = rows[i].mag;
        texture.min = 1u - rows[i].mag;
        draw_shadow(m, &texture, &dots, 0x009FFFFF);
        EXPECT_DOT(m, "SDW-06, TEX-91", 0, rows[i].value, rows[i].value, rows[i].value, rows[i].value);
    }
}

EACH_MACHINE(texture, SDW_06_only_level_0_is_sampled)
{
    load_shadow(m, TEXTURE_ADDRESS, 0xFFFFFF, 60);
    load_pattern(m, TEXTURE_ADDRESS + 256, 256, 0, 0xFF);
    struct dots dots = { .count = 0 };
    struct probe_vertex *const v = dots_add(&dots);
    dot_derivative(v, 0, 4.0f, 4.0f, 4.0f, 4.0f);
    struct texture texture = shadow;
    texture.min_level = texture.max_level = 1;
    texture.bias = 4095;
    texture.mip = 1;
    draw_shadow(m, &texture, &dots, 1);
    EXPECT_DOT(m, "SDW-06, MIP-04", 0, 60, 60, 60, 60);
}

EACH_MACHINE(texture, SDW_07_a_border_texel_is_a_texel)
{
    /* Border register: R 0-7 density, G 8-15 low, B 16-23 middle, A 24-31 high byte of the depth. */
    static const struct {
        uint32_t border, wrap, mag;
        float s;
        uint32_t value;
    } rows[] = {
        { 0x800000C8, 1, 0, -0.0625f, 200 }, /* depth 0x800000 >= 0x7FFFFF */
        { 0x7FFFFFC8, 1, 0, -0.0625f, 200 }, { 0x7FFFFEC8, 1, 0, -0.0625f, 0 },
        { 0x7FFEFFC8, 1, 0, 1.0f, 0 },       { 0x800000C8, 0, 0, -0.0625f, 40 },
        { 0x800000C8, 2, 0, -0.0625f, 40 },  { 0x800000C8, 1, 1, 0.0f, 120 }, /* half 200, half 40 */
        { 0x000000C8, 1, 1, 0.0f, 20 },                                       /* half 0, half 40 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        load_shadow(m, TEXTURE_ADDRESS, 0xFFFFFF, 40);
        struct dots dots = dots_at3(rows[i].s, 0.5625f, 0.5f);
        struct texture texture = shadow;
        texture.border = rows[i].border;
        texture.wrap_s = rows[i].wrap;
        texture.mag = rows[i].mag;
        draw_shadow(m, &texture, &dots, 1);
        EXPECT_DOT(m, "SDW-07", 0, rows[i].value, rows[i].value, rows[i].value, rows[i].value);
    }
}

EACH_MACHINE(texture, SDW_09_other_formats_are_decoded_first)
{
    /* Depth = A:B:G of the decoded texel, density R; zi = FFFFFF - bias. */
    static const struct {
        uint32_t format, bytes, texel, bias, value;
    } rows[] = {
        { PICA_TEXTURE_FORMAT_RGB8, 3, 0x9A3412, 0x000000, 0 },    /* A 255, B 12, G 34: FF1234 */
        { PICA_TEXTURE_FORMAT_RGB8, 3, 0x9A3412, 0x00EDCC, 0x9A }, /* FF1233 */
        { PICA_TEXTURE_FORMAT_I8, 1, 0x5A, 0x00A5A6, 0x5A },       /* FF5A5A >= FF5A59 */
        { PICA_TEXTURE_FORMAT_I8, 1, 0x5A, 0x00A5A4, 0 },          /* FF5A5B */
        { PICA_TEXTURE_FORMAT_A8, 1, 0xFF, 0xFFFFFE, 0 },          /* R = 0 */
        { PICA_TEXTURE_FORMAT_RGBA4, 2, 0xF123, 0xCCDDEE, 255 },   /* A 33 B 22 G 11 = 332211 >= 332211 */
        { PICA_TEXTURE_FORMAT_RGBA4, 2, 0xF123, 0xCCDDEC, 0 },     /* 332213 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        for (uint32_t n = 0; n < 64u; n++)
            texel_put(m, TEXTURE_ADDRESS, n, rows[i].bytes, rows[i].texel);
        struct dots dots = dots_at3(0.5f, 0.5f, 1.0f);
        struct texture texture = shadow;
        texture.format = rows[i].format;
        draw_shadow(m, &texture, &dots, rows[i].bias | 1u);
        EXPECT_DOT(m, "SDW-09", 0, rows[i].value, rows[i].value, rows[i].value, rows[i].value);
        EXPECT_ONLY_EVENTS(m, "SDW-09", PICA_EVENT_TEX_SHADOW_FORMAT);
    }
}
