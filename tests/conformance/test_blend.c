/* 60-framebuffer.md section 6: blending. */
#include "tests/conformance/triangle_probe.h"

static uint32_t blend_func(uint32_t rgb_equation, uint32_t a_equation, uint32_t rgb_source, uint32_t rgb_dest,
                           uint32_t a_source, uint32_t a_dest)
{
    return a_dest << 28 | a_source << 24 | rgb_dest << 20 | rgb_source << 16 | a_equation << 8 | rgb_equation;
}

static uint32_t blended(struct machine *m, uint32_t source, uint32_t dest, uint32_t func, uint32_t constant)
{
    probe_clear_color(m, dest >> 24, dest >> 16 & 0xFFu, dest >> 8 & 0xFFu, dest & 0xFFu);
    DRAW_COLOR(m, source, { PICA_REG_BLEND_FUNC, func }, { PICA_REG_BLEND_COLOR, constant },
               { PICA_REG_LOGIC_OP, 5 }); /* BLD-05: not looked at */
    return probe_pixel(m, 3, 3);
}

/* -------------------------------------------------------------------------------------------------------- examples */

EACH_MACHINE(blend, BLD_02_BLD_03_worked_examples)
{
    const uint32_t s = 0xC8643280, d = 0x0A141EFF; /* (200,100,50,128), (10,20,30,255) */
    static const struct {
        uint32_t func, want;
    } cases[] = {
        { 0x76760000, 0x693C28BF }, /* S.a, 255 - S.a, add: (105,60,40,191) */
        { 0x11110000, 0xD27850FF }, /* one, one, add: (210,120,80,255) */
        { 0x11110101, 0xBE501400 }, /* subtract: (190,80,20,0) */
        { 0x11110202, 0x0000007F }, /* reverse subtract: (0,0,0,127) */
        { 0x76760303, 0x04090E40 }, /* min: (4,9,14,64) */
        { 0x76760404, 0x6432197F }, /* max: (100,50,25,127) */
        { 0x76760505, 0x693C28BF }, /* 5 to 7 as add (BLD-03) */
        { 0x76760606, 0x693C28BF }, { 0x76760707, 0x693C28BF },
        { 0x7676F8F8, 0x693C28BF }, /* bits 3-7 and 11-15 do not count */
        { 0x11110201, 0xBE50147F }, /* subtract for rgb, reverse subtract for a */
        { 0x76110000, 0xD27850BF }, /* factors of rgb and a apart */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "BLEND_FUNC %08X", (unsigned)cases[i].func);
        EXPECT_EQ(m, "BLD-01, BLD-02, BLD-03", blended(m, s, d, cases[i].func, 0), cases[i].want);
        EXPECT_NO_EVENTS(m, "BLD-04");
    }
}

/* --------------------------------------------------------------------------------------------------------- factors */

/* S = (200,100,50,128), D = (251,133,67,60), K = (7,77,177,222): S * factor / 255 and D * factor / 255. */
static const struct {
    uint32_t source, dest;
} products[16] = {
    { 0x00000000, 0x00000000 }, /* 0: factor 0, 0, 0, 0 */
    { 0xC8643280, 0xFB85433C }, /* 1: factor 255, 255, 255, 255 */
    { 0x9C270940, 0xC4340D1E }, /* 2: factor 200, 100, 50, 128 */
    { 0x2B3C283F, 0x3650351D }, /* 3: factor 55, 155, 205, 127 */
    { 0xC4340D1E, 0xF745110E }, /* 4: factor 251, 133, 67, 60 */
    { 0x032F2461, 0x033F312D }, /* 5: factor 4, 122, 188, 195 */
    { 0x64321940, 0x7D42211E }, /* 6: factor 128, 128, 128, 128 */
    { 0x6331183F, 0x7D42211D }, /* 7: factor 127, 127, 127, 127 */
    { 0x2F170B1E, 0x3B1F0F0E }, /* 8: factor 60, 60, 60, 60 */
    { 0x984C2661, 0xBF65332D }, /* 9: factor 195, 195, 195, 195 */
    { 0x051E226F, 0x06282E34 }, /* 10: factor 7, 77, 177, 222 */
    { 0xC2450F10, 0xF45C1407 }, /* 11: factor 248, 178, 78, 33 */
    { 0xAE572B6F, 0xDA733A34 }, /* 12: factor 222, 222, 222, 222 */
    { 0x190C0610, 0x20110807 }, /* 13: factor 33, 33, 33, 33 */
    { 0x64321980, 0x7D42213C }, /* 14: factor 128, 128, 128, 255 */
    { 0x9C270940, 0xC4340D1E }, /* 15: factor 200, 100, 50, 128 */
};

EACH_MACHINE(blend, BLD_01_BLD_04_every_factor_of_source_and_destination)
{
    const uint32_t s = 0xC8643280, d = 0xFB85433C, k = 222u << 24 | 177u << 16 | 77u << 8 | 7u;
    for (uint32_t factor = 0; factor < 16; factor++) {
        machine_case(m, "factor %u", (unsigned)factor);
        EXPECT_EQ(m, "BLD-01, BLD-04", blended(m, s, d, blend_func(0, 0, factor, 0, factor, 0), k),
                  products[factor].source);
        EXPECT_EQ(m, "BLD-01, BLD-04", blended(m, s, d, blend_func(0, 0, 0, factor, 0, factor), k),
                  products[factor].dest);
    }
    EXPECT_ONLY_EVENTS(m, "BLD-04", PICA_EVENT_BLEND_FACTOR_15);
}

EACH_MACHINE(blend, BLD_01_source_alpha_saturate)
{
    /* Factor 14: min(S.a, 255 - D.a) for rgb, 255 for a. */
    static const struct {
        uint32_t source_alpha, dest_alpha, factor;
    } cases[] = {
        { 128, 255, 0 }, { 128, 127, 128 }, { 128, 126, 128 }, { 128, 128, 127 }, { 0, 0, 0 }, { 255, 0, 255 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_case(m, "row %zu", i);
        EXPECT_EQ(
            m, "BLD-01",
            blended(m, 0xFFFFFF00u | cases[i].source_alpha, cases[i].dest_alpha, blend_func(0, 0, 14, 0, 14, 0), 0),
            cases[i].factor * 0x01010100u | cases[i].source_alpha);
    }
}

/* ------------------------------------------------------------------------------------------------------ arithmetic */

EACH_MACHINE(blend, BLD_02_one_truncating_division_after_the_sum)
{
    /* Factors S.c and D.c (2, 4): p = S * S, q = D * D; constant colour and one: p = S * K. */
    static const struct {
        uint32_t s, d, equation, source, dest, k, want;
    } cases[] = {
        /* One division after the sum: 1 * 128 + 1 * 127 = 255 -> 1, although 128 / 255 = 0. */
        { 1, 1, 0, 10, 11, 128, 1 },      { 1, 1, 0, 10, 10, 127, 0 }, /* 254 / 255 */
        { 255, 255, 0, 1, 1, 0, 255 },                                 /* limited */
        { 254, 2, 0, 1, 1, 0, 255 },      { 128, 127, 0, 1, 1, 0, 255 }, { 128, 126, 0, 1, 1, 0, 254 },
        { 100, 99, 1, 1, 1, 0, 1 },       { 99, 100, 1, 1, 1, 0, 0 }, /* limited */
        { 1, 1, 1, 10, 11, 130, 0 },                                  /* (130 - 125) / 255 */
        { 1, 1, 1, 10, 11, 0, 0 },                                    /* (0 - 255) / 255 = -1: 0 */
        { 1, 2, 1, 10, 11, 200, 0 },                                  /* 200 - 110 = 90 -> 0 */
        { 3, 2, 2, 11, 10, 200, 0 },                                  /* 2 * 200 - 3 * 55 = 235 -> 0 */
        { 3, 3, 2, 11, 10, 200, 1 },                                  /* 600 - 165 = 435 -> 1 */
        { 200, 100, 3, 10, 11, 100, 60 },                             /* min(20000, 15500) / 255 = 60 */
        { 200, 100, 4, 10, 11, 100, 78 },                             /* max(20000, 15500) / 255 = 78 */
        { 255, 0, 3, 1, 1, 0, 0 },        { 255, 0, 4, 1, 1, 0, 255 },   { 16, 16, 3, 2, 4, 0, 1 }, /* 256 / 255 */
        { 15, 15, 4, 2, 4, 0, 0 },                                                                  /* 225 / 255 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_case(m, "row %zu", i);
        const uint32_t e = cases[i].equation, s = cases[i].source, d = cases[i].dest;
        EXPECT_EQ(m, "BLD-02",
                  blended(m, cases[i].s * 0x01010101u, cases[i].d * 0x01010101u, blend_func(e, e, s, d, s, d),
                          cases[i].k * 0x01010101u),
                  cases[i].want * 0x01010101u);
    }
}

/* BLD-02 by its text, for sweeps. */
static uint32_t equation(uint32_t number, uint32_t p, uint32_t q)
{
    const int32_t difference = (int32_t)p - (int32_t)q;
    switch (number) {
    case 1: return difference > 0 ? (uint32_t)difference / 255u : 0u;
    case 2: return difference < 0 ? (uint32_t)-difference / 255u : 0u;
    case 3: return (p < q ? p : q) / 255u;
    case 4: return (p > q ? p : q) / 255u;
    default: return (p + q) / 255u < 255u ? (p + q) / 255u : 255u;
    }
}

/* 64 destinations and a source in all equations with factors constant and one minus constant: 4 channels at once. */
EACH_MACHINE(blend, BLD_02_BLD_03_sweep_over_all_equations)
{
    for (uint32_t number = 0; number < 8; number++)
        for (uint32_t step = 0; step < 8; step++) {
            machine_case(m, "equation %u, step %u", (unsigned)number, (unsigned)step);
            const uint32_t s[4] = { step * 36u, 255u - step * 31u, 17u + step * 5u, 255u };
            const uint32_t k[4] = { 255u - step * 3u, step * 33u, 128u + step, 64u - step };
            uint32_t dest[64];
            for (uint32_t i = 0; i < 64; i++)
                dest[i] = (i * 4u + 3u) << 24 | (255u - i * 3u) << 16 | (i * 37u & 0xFFu) << 8 | (i * 101u & 0xFFu);
            machine_load_words(m, COLOR_ADDRESS, dest, 64);
            DRAW_COLOR(m, s[0] << 24 | s[1] << 16 | s[2] << 8 | s[3],
                       { PICA_REG_BLEND_FUNC, blend_func(number, number, 10, 11, 10, 11) },
                       { PICA_REG_BLEND_COLOR, k[3] << 24 | k[2] << 16 | k[1] << 8 | k[0] });
            uint32_t want[64];
            for (uint32_t i = 0; i < 64; i++) {
                want[i] = 0;
                for (uint32_t c = 0; c < 4; c++) {
                    const uint32_t d = dest[i] >> (24u - 8u * c) & 0xFFu;
                    want[i] |= equation(number, s[c] * k[c], d * (255u - k[c])) << (24u - 8u * c);
                }
            }
            cr_expect(words_are(m, "BLD-02, BLD-03", COLOR_ADDRESS, want, 64), "%s", m->message);
        }
}

/* The destination in a 16-bit format: expanded, blended, truncated. */
EACH_MACHINE(blend, BLD_01_destination_and_result_go_through_the_format)
{
    /* RGB565 CB26 = (206,101,49,255); S = (100,50,200,128), factors S.a and 255 - S.a:
     * (100*128 + 206*127) / 255 = 152, (50*128 + 101*127) / 255 = 75, (200*128 + 49*127) / 255 = 124. */
    machine_load_word(m, COLOR_ADDRESS, 0xCB26);
    DRAW_COLOR(m, 0x6432C880, { PICA_REG_COLORBUFFER_FORMAT, 0x00030000 }, { PICA_REG_BLEND_FUNC, 0x76760000 });
    EXPECT_EQ(m, "BLD-02, FBF-10, FBF-11", machine_word(m, COLOR_ADDRESS) & 0xFFFFu, 19u << 11 | 18u << 5 | 15u);
}

EACH_MACHINE(blend, BLD_05_blending_and_logic_op_ignore_each_other)
{
    for (uint32_t operation = 0; operation < 16; operation++) {
        machine_case(m, "logic op %u", (unsigned)operation);
        DRAW_COLOR(m, 0x11223344, { PICA_REG_LOGIC_OP, operation });
        EXPECT_EQ(m, "BLD-05", probe_pixel(m, 3, 3), 0x11223344u);
        DRAW_COLOR(m, 0x55667788, { PICA_REG_LOGIC_OP, 3 }, { PICA_REG_COLOR_OPERATION, 0x00E40000 },
                   { PICA_REG_BLEND_FUNC, operation << 28 | operation << 16 | operation % 8u },
                   { PICA_REG_BLEND_COLOR, 0x12345678 });
        EXPECT_EQ(m, "BLD-05", probe_pixel(m, 3, 3), 0x55667788u);
    }
    EXPECT_NO_EVENTS(m, "BLD-05");
}
