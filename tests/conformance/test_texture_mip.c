/* MIP-01, MIP-02, MIP-10 to MIP-13, MIP-16: where levels lie, filtering. */
#include "tests/conformance/fragment_probe.h"

/* ---------------------------------------------------------------------------------------------- levels (MIP-01, 02) */

struct level_row {
    uint32_t format, width, height, level;
    uint32_t base; /* of that level */
    uint32_t word; /* at the base; texel (col 0, row 0) of it is expected */
    uint32_t expected;
};

/* Sizes in bytes of the levels before: ((W>>k) * (H>>k) * bpp) >> 3 each. */
static const struct level_row level_rows[] = {
    { 0, 16, 8, 1, 512, 0x44332211, 0x44332211 }, /* 16*8*4 */
    { 0, 16, 8, 2, 640, 0x44332211, 0x44332211 }, /* + 8*4*4 */
    { 0, 16, 8, 3, 672, 0x44332211, 0x44332211 }, /* + 4*2*4 */
    { 1, 16, 8, 1, 384, 0x44332211, 0x332211FF }, /* 16*8*3 */
    { 1, 16, 8, 2, 480, 0x44332211, 0x332211FF }, { 3, 16, 8, 2, 320, 0x8421, 0x848608FF },
    { 7, 16, 8, 1, 128, 0x5A, 0x5A5A5AFF },       { 7, 16, 8, 3, 168, 0x5A, 0x5A5A5AFF },
    { 10, 16, 8, 1, 64, 0x5A, 0xAAAAAAFF },       { 10, 16, 8, 2, 80, 0x5A, 0xAAAAAAFF },
    { 10, 16, 8, 3, 84, 0x5A, 0xAAAAAAFF },       { 12, 16, 8, 1, 64, 0, 0x020202FF },
    { 7, 64, 64, 6, 5460, 0x5A, 0x5A5A5AFF }, /* 4096+1024+256+64+16+4 */
    { 10, 20, 12, 1, 120, 0x5A, 0xAAAAAAFF }, /* 20*12/2 */
    { 10, 20, 12, 2, 150, 0x5A, 0xAAAAAAFF }, /* + 10*6/2 */
    { 10, 20, 12, 3, 157, 0x5A, 0xAAAAAAFF }, /* + 5*3*4 >> 3 = 7, rounded down */
    { 10, 9, 9, 1, 40, 0x5A, 0xAAAAAAFF },    /* 324 >> 3 */
    { 10, 9, 9, 2, 48, 0x5A, 0xAAAAAAFF },        { 10, 9, 9, 3, 50, 0x5A, 0xAAAAAAFF },
    { 7, 1024, 8, 3, 10752, 0x5A, 0x5A5A5AFF }, /* 8192 + 2048 + 512 */
};

EACH_MACHINE(texture, MIP_01_levels_follow_each_other)
{
    for (size_t i = 0; i < sizeof level_rows / sizeof level_rows[0]; i++) {
        const struct level_row *const row = &level_rows[i];
        machine_row(m, "format %u, %ux%u, level %u", (unsigned)row->format, (unsigned)row->width, (unsigned)row->height,
                    (unsigned)row->level);
        load_pattern(m, TEXTURE_ADDRESS, 0x3000, 0, 0xEE);
        machine_load_word(m, TEXTURE_ADDRESS + row->base, row->word);
        if (row->format == 12u)
            machine_load_word(m, TEXTURE_ADDRESS + row->base + 4u, 0);
        struct dots dots = dots_at(0.0f, 0.999f);
        texture_dots(m,
                     &(struct texture){ .format = row->format,
                                        .width = row->width,
                                        .height = row->height,
                                        .min_level = row->level, /* MIP-09 */
                                        .max_level = row->level },
                     &dots);
        EXPECT_EQ(m, "MIP-01", dot_pixel(m, 0), row->expected);
    }
}

EACH_MACHINE(texture, MIP_02_the_smaller_side_limits_the_levels)
{
    /* I8, level k of one value 10 + k each; min level 15 asks for the highest. Lmax <= floor(log2(min(W, H))). */
    static const struct {
        uint32_t width, height, max, level;
    } rows[] = {
        { 16, 16, 15, 4 }, { 64, 8, 15, 3 }, { 8, 64, 15, 3 }, { 8, 8, 2, 2 }, { 8, 8, 3, 3 }, { 8, 8, 4, 3 },
        { 15, 31, 15, 3 }, { 12, 5, 15, 2 }, { 1, 8, 15, 0 },  { 8, 1, 7, 0 }, { 3, 3, 9, 1 }, { 128, 2, 15, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%ux%u, max level %u", (unsigned)rows[i].width, (unsigned)rows[i].height, (unsigned)rows[i].max);
        uint32_t address = TEXTURE_ADDRESS;
        for (uint32_t k = 0; k <= rows[i].level; k++) {
            const uint32_t size = (rows[i].width >> k) * (rows[i].height >> k);
            load_pattern(m, address, k == rows[i].level ? 1024 : size, 0, 10 + k);
            address += size;
        }
        struct dots dots = dots_at(0.0f, 0.999f);
        texture_dots(m,
                     &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8,
                                        .width = rows[i].width,
                                        .height = rows[i].height,
                                        .min_level = 15,
                                        .max_level = rows[i].max },
                     &dots);
        const uint32_t value = 10u + rows[i].level;
        EXPECT_DOT(m, "MIP-02", 0, value, value, value, 255);
    }
}

/* ----------------------------------------------------------------------------------------- bilinear (MIP-11 to 13) */

EACH_MACHINE(texture, MIP_12_four_texels_are_blended_with_one_rounding)
{
    /* Texels c00 (2,2), c10 (3,2), c01 (2,3), c11 (3,3) of an I8 8x8; S = (640 + fs) / 2048. */
    static const struct {
        uint8_t c[4], fs, ft, value;
    } rows[] = {
        { { 0, 255, 0, 255 }, 128, 0, 128 }, /* MIP-13 */
        { { 10, 20, 30, 40 }, 64, 192, 28 }, /* MIP-13 */
        { { 255, 255, 255, 255 }, 77, 200, 255 },
        { { 0, 255, 255, 0 }, 128, 128, 128 },
        { { 0, 255, 0, 0 }, 255, 0, 254 },
        { { 0, 255, 0, 0 }, 255, 255, 1 },
        { { 0, 0, 0, 255 }, 255, 255, 253 },
        { { 255, 0, 0, 0 }, 1, 1, 253 },
        { { 0, 1, 0, 0 }, 128, 0, 1 },
        { { 0, 1, 0, 0 }, 127, 0, 0 },
        { { 0, 0, 1, 1 }, 0, 128, 1 },
        { { 0, 0, 1, 1 }, 0, 127, 0 },
        { { 254, 255, 254, 255 }, 128, 0, 255 },
        { { 13, 250, 77, 180 }, 200, 33, 193 },
        { { 7, 8, 9, 10 }, 0, 0, 7 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        for (uint32_t k = 0; k < 4u; k++)
            texel_put(m, TEXTURE_ADDRESS, texel_number(2u + k % 2u, 5u - k / 2u, 8), 1, rows[i].c[k]);
        struct dots dots = dots_at((640.0f + (float)rows[i].fs) / 2048.0f, (640.0f + (float)rows[i].ft) / 2048.0f);
        texture_dots(m, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8, .mag = 1 },
                     &dots);
        EXPECT_DOT(m, "MIP-12, MIP-13", 0, rows[i].value, rows[i].value, rows[i].value, 255);
    }
}

EACH_MACHINE(texture, MIP_12_weights_have_8_bits_and_start_at_the_texel_centre)
{
    /* I8 16x8: column 5 is 255, all others 0: the value is the weight of column 5. */
    static const struct {
        uint32_t s_bits, value;
    } rows[] = {
        { 0x3E99999A, 76 },  /* 0.3: U' 1100, i0 4, fs 76: 75.7 */
        { 0x3EB00000, 255 }, /* 5.5/16: its centre */
        { 0x3EA00000, 128 }, /* 5/16: fs 128: 127.5 */
        { 0x3EC00000, 128 }, /* 6/16 */
        { 0x3EB80000, 191 }, /* 5.75/16: fs 64 of columns 5, 6: 191.25 */
        { 0x3EAFFFFF, 254 }, /* just below the centre: U' 1279: fs 255 of columns 4, 5: 254.0 */
        { 0x3E900000, 0 },   /* 4.5/16 */
    };
    for (uint32_t row = 0; row < 8u; row++)
        texel_put(m, TEXTURE_ADDRESS, texel_number(5, row, 16), 1, 255);
    struct dots dots = { .count = 0 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        dots_add_texcoord(&dots, f32_from_bits(rows[i].s_bits), 0.4375f);
    texture_dots(m, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 16, .height = 8, .mag = 1 }, &dots);
    for (uint32_t i = 0; i < dots.count; i++) {
        machine_case(m, "S %08X", (unsigned)rows[i].s_bits);
        EXPECT_DOT(m, "MIP-13", i, rows[i].value, rows[i].value, rows[i].value, 255);
    }
}

EACH_MACHINE(texture, MIP_12_acts_on_each_channel)
{
    /* RGBA8, left half (0, 64, 128, 255), right half (255, 128, 0, 1); S = 0.5 is halfway. */
    for (uint32_t col = 0; col < 8u; col++)
        for (uint32_t row = 0; row < 8u; row++)
            texel_put(m, TEXTURE_ADDRESS, texel_number(col, row, 8), 4, col < 4u ? 0x004080FFu : 0xFF800001u);
    struct dots dots = dots_at(0.5f, 0.5f);
    texture_dots(m, &(struct texture){ .width = 8, .height = 8, .mag = 1 }, &dots);
    EXPECT_DOT(m, "MIP-12", 0, 128, 96, 64, 128);
}

EACH_MACHINE(texture, MIP_12_each_texel_goes_through_the_wrap_mode)
{
    /* I8 8x8, columns 0, 10, .. 70; S = 0 and S = 1 blend what the wrap mode puts beyond the edge. */
    static const struct {
        uint32_t wrap;
        float s;
        uint32_t value;
    } rows[] = {
        { 0, 0.0f, 0 },  { 0, 1.0f, 70 }, { 2, 0.0f, 35 }, { 2, 1.0f, 35 }, { 3, 0.0f, 0 },
        { 3, 1.0f, 70 }, { 3, 2.0f, 0 },  { 4, 0.0f, 35 }, { 4, 1.0f, 70 }, { 2, -0.0625f, 70 },
        { 1, 0.0f, 50 }, { 1, 1.0f, 85 }, { 5, 0.0f, 35 }, { 5, 1.0f, 85 }, /* border 100 */
        { 6, 1.0f, 35 }, { 7, 0.0f, 35 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "mode %u, S %g", (unsigned)rows[i].wrap, (double)rows[i].s);
        for (uint32_t col = 0; col < 8u; col++)
            for (uint32_t row = 0; row < 8u; row++)
                texel_put(m, TEXTURE_ADDRESS, texel_number(col, row, 8), 1, 10u * col);
        struct dots dots = dots_at(rows[i].s, 0.5625f);
        texture_dots(m,
                     &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8,
                                        .width = 8,
                                        .height = 8,
                                        .mag = 1,
                                        .wrap_s = rows[i].wrap,
                                        .border = 0xFF646464 },
                     &dots);
        EXPECT_DOT(m, "MIP-12, WRP-09", 0, rows[i].value, rows[i].value, rows[i].value, 255);
    }
}

/* ----------------------------------------------------------------------------------- both filters together (MIP-16) */

/* I8 16x16, byte o is (o * 37 + 11) & 255, repeat: nearest and linear at levels 0-4. */
static const struct {
    float s, t;
    uint8_t nearest[5], linear[5];
} sample_rows[] = {
    { 0.97f, 0.02f, { 230, 38, 118, 10, 47 }, { 202, 29, 97, 138, 47 } }, /* MIP-16 */
    { 0.3f, 0.6f, { 35, 17, 186, 155, 47 }, { 49, 78, 171, 173, 47 } },
    { 0.03125f, 0.5f, { 29, 125, 149, 155, 47 }, { 84, 150, 105, 152, 47 } },
    { -0.2f, 1.3f, { 141, 217, 44, 10, 47 }, { 130, 202, 55, 47, 47 } },
    { 0.5f, 0.5f, { 93, 205, 41, 192, 47 }, { 121, 153, 97, 147, 47 } },
};

enum {
    SAMPLE_ROWS = sizeof sample_rows / sizeof sample_rows[0]
};

static const struct texture sample_texture = {
    .format = PICA_TEXTURE_FORMAT_I8, .width = 16, .height = 16, .wrap_s = 2, .wrap_t = 2
};

EACH_MACHINE(texture, MIP_11_MIP_16_nearest_and_linear_at_every_level)
{
    for (uint32_t level = 0; level < 5u; level++)
        for (uint32_t filter = 0; filter < 2u; filter++) {
            machine_reset(m);
            load_pattern(m, TEXTURE_ADDRESS, 341, 37, 11);
            struct dots dots = { .count = 0 };
            for (size_t i = 0; i < SAMPLE_ROWS; i++)
                dots_add_texcoord(&dots, sample_rows[i].s, sample_rows[i].t);
            struct texture texture = sample_texture;
            texture.min_level = texture.max_level = level;
            texture.mag = filter;
            texture_dots(m, &texture, &dots);
            for (uint32_t i = 0; i < SAMPLE_ROWS; i++) {
                machine_case(m, "row %u, level %u, filter %u", (unsigned)i, (unsigned)level, (unsigned)filter);
                const uint32_t value = filter ? sample_rows[i].linear[level] : sample_rows[i].nearest[level];
                EXPECT_DOT(m, "MIP-11, MIP-16", i, value, value, value, 255);
            }
        }
}

/* Between levels 0 and 1: { f, nearest, linear } of rows 0-4. */
static const struct {
    uint32_t f;
    uint8_t nearest[SAMPLE_ROWS], linear[SAMPLE_ROWS];
} mix_rows[] = {
    { 1, { 229, 35, 29, 141, 93 }, { 201, 49, 84, 130, 121 } },
    { 96, { 158, 28, 65, 170, 135 }, { 137, 60, 109, 157, 133 } }, /* MIP-16: 137 */
    { 128, { 134, 26, 77, 179, 149 }, { 116, 64, 117, 166, 137 } },
    { 255, { 39, 17, 125, 217, 205 }, { 30, 78, 150, 202, 153 } },
};

EACH_MACHINE(texture, MIP_10_the_linear_mipmap_filter_blends_two_levels)
{
    for (size_t k = 0; k < sizeof mix_rows / sizeof mix_rows[0]; k++)
        for (uint32_t filter = 0; filter < 2u; filter++) {
            machine_reset(m);
            load_pattern(m, TEXTURE_ADDRESS, 341, 37, 11);
            struct dots dots = { .count = 0 };
            for (size_t i = 0; i < SAMPLE_ROWS; i++) {
                struct probe_vertex *const v = dots_add(&dots);
                probe_texcoord(v, 3, sample_rows[i].s, sample_rows[i].t);
                /* lod 0 by the derivative of t, which adds 1/16 without rounding away: rho = 16 * 1/16 */
                v[1].texcoord0[1] = sample_rows[i].t + 1.0f / 256.0f;
            }
            struct texture texture = sample_texture;
            texture.max_level = 4;
            texture.min = filter;
            texture.mag = 1u - filter;
            texture.mip = 1;
            texture.bias = (int32_t)mix_rows[k].f;
            texture_dots(m, &texture, &dots);
            for (uint32_t i = 0; i < SAMPLE_ROWS; i++) {
                machine_case(m, "row %u, f %u, filter %u", (unsigned)i, (unsigned)mix_rows[k].f, (unsigned)filter);
                const uint32_t value = filter ? mix_rows[k].linear[i] : mix_rows[k].nearest[i];
                EXPECT_DOT(m, "MIP-10, MIP-16", i, value, value, value, 255);
            }
        }
}
