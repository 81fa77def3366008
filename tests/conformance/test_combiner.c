/*
 * TEV-03 to TEV-10, TEV-13 to TEV-15: sources, operands and arithmetic of one combiner stage. Most tests use stage 1
 * with operand 0 = primary colour, 1 = constant of the stage, 2 = combiner buffer, which stage 1 reads as register 0FD
 * (TEV-12).
 */
#include "tests/conformance/fragment_probe.h"

/* Sources 0, 14, 13 in the three positions, for RGB and alpha. */
enum {
    SOURCES_ABC = 0x0DE00DE0
};

struct stage {
    uint32_t sources, operands, modes, scales;
};

static uint32_t combine_with(struct machine *m, const struct stage *stage, const uint32_t abc[3], uint32_t alpha_test)
{
    const uint32_t a = abc[0];
    struct dots dots = { .count = 0 };
    probe_color(dots_add(&dots), 3, a & 0xFFu, a >> 8 & 0xFFu, a >> 16 & 0xFFu, a >> 24);
    struct list list = probe_list();
    const uint32_t words[5] = { stage->sources, stage->operands, stage->modes, abc[1], stage->scales };
    list_write_many(&list, PICA_REG_TEXENV1_SOURCE, true, words, 5);
    list_write(&list, PICA_REG_TEXENV_BUFFER_COLOR, abc[2]);
    list_write(&list, PICA_REG_FRAGOP_ALPHA_TEST, alpha_test);
    dots_draw(m, &list, &dots);
    return dot_pixel(m, 0);
}

/* a (primary), b, c as R | G << 8 | B << 16 | A << 24. Returns r<<24 | g<<16 | b<<8 | a: the same with an alpha test
 * that all pass (>= 0), for which a backend may take another way. */
static uint32_t combine(struct machine *m, const struct stage *stage, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t abc[3] = { a, b, c };
    const uint32_t pixel = combine_with(m, stage, abc, 0);
    EXPECT_EQ(m, "TEV-09, ATS-01", combine_with(m, stage, abc, 0x71), pixel);
    return pixel;
}

/* ------------------------------------------------------------------------------------------ primary colour (TEV-03) */

EACH_MACHINE(combiner, TEV_03_the_primary_colour_is_rounded_to_bytes)
{
    /* c * 255, a half goes down (ITP-13); the interpolated value is that of v[0]. SHD-81 has limited it to [0, 1]. */
    static const struct {
        uint32_t bits;
        uint32_t byte;
    } rows[] = {
        { 0x00000000, 0 },   { 0x3F800000, 255 }, { 0x3F000000, 127 }, /* 127.5, as a console gave it (H03) */
        { 0x3F000001, 128 }, { 0x3B008081, 0 },                        /* 0.5 / 255: 0.5 */
        { 0x3B008082, 1 },   { 0x3F7F7F7E, 254 },                      /* 254.49998 */
        { 0x3F7F7F7F, 254 }, { 0x3C20A0A1, 2 },                        /* 2.5 / 255 = 0.009803922: 2.5 */
        { 0x3C20A0A2, 3 },   { 0x00000001, 0 },
    };
    struct dots dots = { .count = 0 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct probe_vertex *const v = dots_add(&dots);
        for (uint32_t k = 0; k < 12u; k++)
            v[k / 4u].color[k % 4u] = f32_from_bits(rows[i].bits);
    }
    struct list list = probe_list();
    dots_draw(m, &list, &dots);
    for (uint32_t i = 0; i < dots.count; i++) {
        machine_case(m, "%08X", (unsigned)rows[i].bits);
        EXPECT_DOT(m, "TEV-03", i, rows[i].byte, rows[i].byte, rows[i].byte, rows[i].byte);
    }
}

/* ------------------------------------------------------------------------------------------------- sources (TEV-05) */

/* Lighting is off here: sources 1 and 2 are 0 (LIT-02). The reserved sources 7-12 are 0 too. */
EACH_MACHINE(combiner, TEV_05_every_source)
{
    /* Primary 01020304; texture k 1k..; buffer 51525354; constant 61626364; previous (stage 0: its constant)
     * 71727374. */
    static const uint32_t expected[16] = {
        0x01020304, 0x00000000, 0x00000000, 0x10111213, 0x20212223, 0x30313233, 0x40414243, 0,
        0,          0,          0,          0,          0,          0x51525354, 0x61626364, 0x71727374,
    };
    for (uint32_t source = 0; source < 16u; source++)
        for (uint32_t alpha = 0; alpha < 2u; alpha++) {
            machine_row(m, "source %u of %s", (unsigned)source, alpha ? "alpha" : "rgb");
            static const uint32_t texels[3] = { 0x10111213, 0x20212223, 0x30313233 };
            struct list list = probe_list();
            for (uint32_t unit = 0; unit < 3u; unit++) {
                for (uint32_t n = 0; n < 64u; n++)
                    machine_load_word(m, TEXTURE_ADDRESS + 256u * unit + 4u * n, texels[unit]);
                texture_bind(&list,
                             &(struct texture){
                                 .unit = unit, .width = 8, .height = 8, .address = TEXTURE_ADDRESS + 256u * unit });
            }
            const uint32_t color = 0x43424140;
            list_proctex_table(&list, PICA_PROCTEX_TABLE_COLOR, &color, 1);
            proctex_bind(&list, &(struct proctex){ .width = 1 });
            list_write(&list, PICA_REG_TEXUNIT_CONFIG, 0x407);
            const uint32_t first[5] = { 0x000E000E, 0, 0, 0x74737271, 0 };
            list_write_many(&list, PICA_REG_TEXENV0_SOURCE, true, first, 5);
            const uint32_t second[5] = { alpha ? 0x0000000E | source << 16 : 0x000E0000 | source, 0, 0, 0x64636261, 0 };
            list_write_many(&list, PICA_REG_TEXENV1_SOURCE, true, second, 5);
            list_write(&list, PICA_REG_TEXENV_BUFFER_COLOR, 0x54535251);
            struct dots dots = { .count = 0 };
            probe_color(dots_add(&dots), 3, 1, 2, 3, 4);
            dots_draw(m, &list, &dots);
            const uint32_t mask = alpha ? 0x000000FFu : 0xFFFFFF00u;
            EXPECT_EQ(m, "TEV-05, TEX-10", dot_pixel(m, 0), (expected[source] & mask) | (0x61626364u & ~mask));
        }
}

/* ------------------------------------------------------------------------------------------- operands (TEV-07, 08) */

EACH_MACHINE(combiner, TEV_07_rgb_operands)
{
    /* Source (10, 20, 30, 40) = (0A, 14, 1E, 28) */
    static const uint32_t expected[16] = {
        0x0A141E, 0xF5EBE1, 0x282828, 0xD7D7D7, 0x0A0A0A, 0xF5F5F5, 0x000000, 0x000000,
        0x141414, 0xEBEBEB, 0x000000, 0x000000, 0x1E1E1E, 0xE1E1E1, 0x000000, 0x000000,
    };
    for (uint32_t position = 0; position < 3u; position++)
        for (uint32_t operand = 0; operand < 16u; operand++) {
            machine_row(m, "operand %u in position %u", (unsigned)operand, (unsigned)position);
            /* Position 0: replace. 1: add to 0. 2: add then multiply: min(255, 255 + 0) * c / 255. */
            struct stage stage = { .operands = operand << (4u * position) };
            stage.sources = position == 0u ? 0x000E000Eu : position == 1u ? 0x000E00E7u : 0x000E0E70u;
            stage.modes = position == 0u ? 0u : position == 1u ? 2u : 9u;
            const uint32_t got = position < 2u ? combine(m, &stage, 0xFFFFFFFF, 0x281E140A, 0)
                                               : combine(m, &stage, 0xFFFFFFFF, 0x281E140A, 0xFFFFFFFF);
            EXPECT_EQ(m, "TEV-07", got >> 8, position < 2u ? expected[operand] : expected[operand]);
        }
}

EACH_MACHINE(combiner, TEV_08_alpha_operands)
{
    static const uint32_t expected[8] = { 40, 215, 10, 245, 20, 235, 30, 225 };
    for (uint32_t position = 0; position < 3u; position++)
        for (uint32_t operand = 0; operand < 8u; operand++) {
            machine_row(m, "operand %u in position %u", (unsigned)operand, (unsigned)position);
            /* Fields at 12-14, 16-18, 20-22; the bits between are not part of them. */
            struct stage stage = { .operands = operand << (12u + 4u * position) | 0xFF888000u };
            stage.sources = position == 0u ? 0x000E0000u : position == 1u ? 0x00E70000u : 0x0E700000u;
            stage.modes = (position == 0u ? 0u : position == 1u ? 2u : 9u) << 16;
            stage.operands &= ~(0x7u << (12u + 4u * position)) | operand << (12u + 4u * position);
            EXPECT_EQ(m, "TEV-08", combine(m, &stage, 0xFFFFFFFF, 0x281E140A, 0xFFFFFFFF) & 0xFFu, expected[operand]);
        }
}

/* ---------------------------------------------------------------------------------------------- modes (TEV-09, 15) */

struct mode_row {
    uint32_t mode, a, b, c, result;
};

static const struct mode_row mode_rows[] = {
    { 0, 200, 100, 50, 200 },  { 0, 0, 255, 255, 0 },     { 1, 200, 100, 0, 78 },    { 1, 255, 255, 0, 255 },
    { 1, 254, 254, 0, 253 },   { 1, 255, 1, 0, 1 },       { 1, 254, 1, 0, 0 },       { 1, 127, 2, 0, 0 },
    { 1, 128, 2, 0, 1 },       { 1, 0, 255, 255, 0 },     { 2, 200, 100, 0, 255 },   { 2, 200, 55, 0, 255 },
    { 2, 200, 54, 0, 254 },    { 2, 0, 0, 255, 0 },       { 3, 10, 20, 0, 0 },       { 3, 128, 0, 0, 0 },
    { 3, 128, 1, 0, 1 },       { 3, 255, 128, 0, 255 },   { 3, 255, 127, 0, 254 },   { 3, 255, 255, 0, 255 },
    { 3, 64, 64, 0, 0 },       { 3, 127, 0, 0, 0 },       { 4, 200, 30, 77, 81 },    { 4, 200, 30, 0, 30 },
    { 4, 200, 30, 255, 200 },  { 4, 255, 0, 127, 127 },   { 4, 0, 255, 128, 127 },   { 4, 255, 255, 100, 255 },
    { 4, 1, 0, 254, 0 },       { 4, 0, 1, 1, 0 },         { 5, 200, 100, 0, 100 },   { 5, 100, 200, 0, 0 },
    { 5, 255, 0, 0, 255 },     { 5, 77, 77, 255, 0 },     { 8, 200, 100, 30, 108 },  { 8, 255, 255, 1, 255 },
    { 8, 200, 100, 177, 255 }, { 8, 200, 100, 176, 254 }, { 8, 1, 1, 0, 0 },         { 8, 0, 255, 77, 77 },
    { 9, 200, 100, 77, 77 },   { 9, 100, 100, 100, 78 },  { 9, 255, 255, 255, 255 }, { 9, 0, 0, 255, 0 },
    { 9, 100, 155, 128, 128 }, { 9, 100, 154, 128, 127 }, { 10, 255, 255, 255, 0 },  { 11, 255, 255, 255, 0 },
    { 12, 255, 255, 255, 0 },  { 13, 255, 255, 255, 0 },  { 14, 255, 255, 255, 0 },  { 15, 255, 255, 255, 0 },
};

EACH_MACHINE(combiner, TEV_09_integer_arithmetic_of_every_mode)
{
    for (size_t i = 0; i < sizeof mode_rows / sizeof mode_rows[0]; i++) {
        const struct mode_row *const row = &mode_rows[i];
        const struct stage stage = { SOURCES_ABC, 0, row->mode | row->mode << 16, 0 };
        machine_case(m, "mode %u of %u, %u, %u", (unsigned)row->mode, (unsigned)row->a, (unsigned)row->b,
                     (unsigned)row->c);
        EXPECT_EQ(m, "TEV-09, TEV-15",
                  combine(m, &stage, 0x01010101u * row->a, 0x01010101u * row->b, 0x01010101u * row->c),
                  0x01010101u * row->result);
    }
}

EACH_MACHINE(combiner, TEV_09_channels_and_alpha_are_combined_apart)
{
    /* Each channel by itself; RGB and alpha with different modes. */
    static const struct {
        uint32_t modes, a, b, c, result;
    } rows[] = {
        { 0x00010001, 0xFF0080C8, 0x80FF4064, 0, 0x4E200080 },          /* 200*100, 128*64, 0*255, 255*128 */
        { 0x00050002, 0x320080C8, 0x0AFF4064, 0, 0xFFC0FF28 },          /* rgb add, alpha subtract 50 - 10 */
        { 0x00020005, 0x320080C8, 0x0AFF4064, 0, 0x6440003C },          /* the other way round */
        { 0x00080004, 0x0A14C81E, 0x141EC832, 0x4D4DFF00, 0x32C81A4D }, /* c: 0, 255, 77, alpha 77 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage stage = { SOURCES_ABC, 0, rows[i].modes, 0 };
        machine_case(m, "row %u", (unsigned)i);
        EXPECT_EQ(m, "TEV-09", combine(m, &stage, rows[i].a, rows[i].b, rows[i].c), rows[i].result);
    }
}

EACH_MACHINE(combiner, TEV_09_modulate_truncates_for_every_byte)
{
    /* floor(a * b / 255) for all a against some b: 64 dots at a time. Expected by exact integers. */
    static const uint32_t factors[] = { 0, 1, 2, 100, 127, 128, 129, 200, 254, 255 };
    for (size_t k = 0; k < sizeof factors / sizeof factors[0]; k++)
        for (uint32_t start = 0; start < 256u; start += 64u) {
            struct dots dots = { .count = 0 };
            for (uint32_t i = 0; i < 64u; i++)
                probe_color(dots_add(&dots), 3, start + i, start + i, start + i, start + i);
            struct list list = probe_list();
            const uint32_t words[5] = { SOURCES_ABC, 0, 0x00010001, 0x01010101u * factors[k], 0 };
            list_write_many(&list, PICA_REG_TEXENV1_SOURCE, true, words, 5);
            dots_draw(m, &list, &dots);
            for (uint32_t i = 0; i < 64u; i++) {
                const uint32_t result = (start + i) * factors[k] / 255u;
                machine_case(m, "%u * %u", (unsigned)(start + i), (unsigned)factors[k]);
                EXPECT_DOT(m, "TEV-09", i, result, result, result, result);
            }
        }
}

/* --------------------------------------------------------------------------------------------------- dot3 (TEV-10) */

EACH_MACHINE(combiner, TEV_10_dot3_sums_three_rounded_products)
{
    static const struct {
        uint8_t a[3], b[3], result;
    } rows[] = {
        { { 200, 100, 50 }, { 180, 90, 30 }, 193 }, /* 60, 16, 117 */
        { { 128, 128, 255 }, { 128, 128, 255 }, 255 },
        { { 255, 128, 128 }, { 0, 128, 128 }, 0 },    /* -255, 0, 0 */
        { { 128, 0, 0 }, { 127, 0, 0 }, 255 },        /* -1, 253, 253 */
        { { 86, 86, 86 }, { 86, 86, 86 }, 78 },       /* 26 three times; a console gave 78 (H01) */
        { { 255, 255, 128 }, { 255, 64, 128 }, 128 }, /* 255, -127, 0: dot3-negation, 129 by the other side */
        { { 9, 128, 128 }, { 23, 128, 128 }, 193 },   /* 193, 0, 0: dot3-division, 192 by the other side */
        { { 128, 255, 128 }, { 128, 0, 128 }, 0 },
        { { 255, 255, 255 }, { 255, 255, 255 }, 255 },
        { { 0, 0, 0 }, { 255, 255, 255 }, 0 },
        { { 127, 127, 127 }, { 127, 127, 127 }, 0 },  /* 0 three times: N(-1) = 0 */
        { { 255, 128, 128 }, { 128, 128, 128 }, 1 },  /* 255 * 1: 1, 0, 0 */
        { { 255, 128, 128 }, { 127, 128, 128 }, 0 },  /* 255 * N(-1) = 0: NOT 0 = -1 */
        { { 255, 255, 128 }, { 128, 126, 128 }, 0 },  /* 1, -3, 0 */
        { { 255, 255, 255 }, { 255, 64, 128 }, 129 }, /* 255, -127, 1 */
        { { 131, 128, 128 }, { 137, 127, 128 }, 0 },  /* 1, -1, 0: a console gave 0 (H01) */
        { { 128, 127, 128 }, { 200, 200, 200 }, 1 },  /* 1, -1, 1: a console gave 1 (H01) */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage stage = { SOURCES_ABC, 0, 0x00000006, 0 };
        const uint32_t a = rows[i].a[0] | (uint32_t)rows[i].a[1] << 8 | (uint32_t)rows[i].a[2] << 16 | 0x77000000u;
        const uint32_t b = rows[i].b[0] | (uint32_t)rows[i].b[1] << 8 | (uint32_t)rows[i].b[2] << 16 | 0x11000000u;
        machine_case(m, "row %u", (unsigned)i);
        EXPECT_EQ(m, "TEV-10, TEV-15", combine(m, &stage, a, b, 0), rows[i].result * 0x01010100u | 0x77u);
    }
}

EACH_MACHINE(combiner, TEV_11_rgb_mode_7_writes_alpha_too)
{
    static const struct {
        uint32_t modes, sources, operands, scales, result;
    } rows[] = {
        { 0x00000007, SOURCES_ABC, 0, 0, 0xC1C1C1C1 },         /* alpha too: 193 */
        { 0x00050007, 0x0FFF0DE0, 0x00777000, 0, 0xC1C1C1C1 }, /* the alpha fields do not matter */
        { 0x000F0007, SOURCES_ABC, 0, 0, 0xC1C1C1C1 },
        { 0x00000007, SOURCES_ABC, 0, 0x00010000, 0xC1C1C1FF }, /* but the alpha scale does: TEV-13 */
        { 0x00000007, SOURCES_ABC, 0, 0x00000001, 0xFFFFFFC1 },
        { 0x00000006, SOURCES_ABC, 0, 0, 0xC1C1C140 }, /* mode 6 leaves alpha to its own mode */
        { 0x00060000, SOURCES_ABC, 0, 0, 0xC8643200 }, /* alpha modes 6, 7 alone: 0 */
        { 0x00070000, SOURCES_ABC, 0, 0, 0xC8643200 },
        { 0x00070006, SOURCES_ABC, 0, 0, 0xC1C1C100 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage stage = { rows[i].sources, rows[i].operands, rows[i].modes, rows[i].scales };
        machine_case(m, "row %u", (unsigned)i);
        EXPECT_EQ(m, "TEV-11", combine(m, &stage, 0x403264C8, 0x801E5AB4, 0), rows[i].result);
    }
}

/* -------------------------------------------------------------------------------------------------- scales (TEV-13) */

EACH_MACHINE(combiner, TEV_13_results_are_scaled_after_their_clamp_and_limited)
{
    static const struct {
        uint32_t scales, modes, a, b, result;
    } rows[] = {
        { 0x00000000, 0, 0x3F40807F, 0, 0x7F80403F },
        { 0x00010001, 0, 0x3F40807F, 0, 0xFEFF807E },
        { 0x00020002, 0, 0x3F40807F, 0, 0xFFFFFFFC },
        { 0x00030003, 0, 0x3F40807F, 0, 0x7F80403F }, /* 3 is x1 */
        { 0x00020001, 0, 0x3F40807F, 0, 0xFEFF80FC },
        { 0x00010002, 0, 0x3F40807F, 0, 0xFFFFFF7E },
        { 0xFFFCFFFC, 0, 0x3F40807F, 0, 0x7F80403F },                   /* only two bits each */
        { 0x00010001, 0x00050005, 0x0A0A0A0A, 0x14141414, 0x00000000 }, /* the mode clamps first: 2 * max(0, -10) */
        { 0x00010001, 0x00030003, 0x64646464, 0x32323232, 0x2C2C2C2C }, /* 2 * (150 - 128) */
        { 0x00020002, 0x00010001, 0xC8C8C8C8, 0x28282828, 0x7C7C7C7C }, /* 4 * (8000 / 255 = 31) */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage stage = { SOURCES_ABC, 0, rows[i].modes, rows[i].scales };
        machine_case(m, "row %u", (unsigned)i);
        EXPECT_EQ(m, "TEV-13", combine(m, &stage, rows[i].a, rows[i].b, 0), rows[i].result);
    }
}
