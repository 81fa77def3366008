/*
 * PTX-07, PTX-08, PTX-11 to PTX-14, PTX-04, PTX-06, PTX-25: coordinates, functions and maps of the procedural unit.
 * ci/expected recomputes the tables.
 */
#include "tests/conformance/fragment_probe.h"

/* All of these read c through the meter of fragment_probe.h: x = c * 254. */
static void draw_proctex(struct machine *m, const struct proctex *proctex, struct dots *dots)
{
    struct list list = probe_list();
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    proctex_bind(&list, proctex);
    dots_draw(m, &list, dots);
}

/* ----------------------------------------------------------------------------------------- clamp modes (PTX-07, 11) */

struct clamp_row {
    uint32_t c_bits;
    uint32_t rgba[8]; /* modes 0-7 */
};

static const struct clamp_row clamp_rows[] = {
    { 0x00000000,
      { 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } }, /* 0.0 */
    { 0x3E800000,
      { 0x733FC045, 0x733FC045, 0x733FC045, 0x733FC045, 0x0000FF80, 0x733FC045, 0x733FC045, 0x733FC045 } }, /* 0.25 */
    { 0x3F000000,
      { 0xF67E8103, 0xF67E8103, 0xF67E8103, 0xF67E8103, 0x0000FF80, 0xF67E8103, 0xF67E8103, 0xF67E8103 } }, /* 0.5 */
    { 0x3F000001,
      { 0xF67E8103, 0xF67E8103, 0xF67E8103, 0xF67E8103, 0x00FE0180, 0xF67E8103, 0xF67E8103,
        0xF67E8103 } }, /* 0.5000000596046448 */
    { 0x3F400000,
      { 0x7BBE4141, 0x7BBE4141, 0x7BBE4141, 0x7BBE4141, 0x00FE0180, 0x7BBE4141, 0x7BBE4141, 0x7BBE4141 } }, /* 0.75 */
    { 0x3F800000,
      { 0x00FE0180, 0x00FE0180, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* 1.0 */
    { 0x3F800001,
      { 0x0000FF80, 0x00FE0180, 0x0000FF7F, 0xFDFD0200, 0x00FE0180, 0x00FE0180, 0x00FE0180,
        0x00FE0180 } }, /* 1.0000001192092896 */
    { 0x3FA00000,
      { 0x0000FF80, 0x00FE0180, 0x733FC045, 0x7BBE4141, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* 1.25 */
    { 0x3FC00000,
      { 0x0000FF80, 0x00FE0180, 0xF67E8103, 0xF67E8103, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* 1.5 */
    { 0x40000000,
      { 0x0000FF80, 0x00FE0180, 0x0000FF80, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* 2.0 */
    { 0x40200000,
      { 0x0000FF80, 0x00FE0180, 0xF67E8103, 0xF67E8103, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* 2.5 */
    { 0x40500000,
      { 0x0000FF80, 0x00FE0180, 0x733FC045, 0x7BBE4141, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* 3.25 */
    { 0xBE800000,
      { 0x733FC045, 0x733FC045, 0x733FC045, 0x733FC045, 0x0000FF80, 0x733FC045, 0x733FC045, 0x733FC045 } }, /* -0.25 */
    { 0xBF800000,
      { 0x00FE0180, 0x00FE0180, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* -1.0 */
    { 0xC0300000,
      { 0x0000FF80, 0x00FE0180, 0x7BBE4141, 0x7BBE4141, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* -2.75 */
    { 0x447A2800,
      { 0x0000FF80, 0x00FE0180, 0xB89E6122, 0xB89E6122, 0x00FE0180, 0x00FE0180, 0x00FE0180,
        0x00FE0180 } }, /* 1000.625 */
    { 0x4B000000,
      { 0x0000FF80, 0x00FE0180, 0x0000FF80, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180,
        0x00FE0180 } }, /* 8388608.0 */
    { 0x4AFFFFFF,
      { 0x0000FF80, 0x00FE0180, 0xF67E8103, 0xF67E8103, 0x00FE0180, 0x00FE0180, 0x00FE0180,
        0x00FE0180 } }, /* 8388607.5 */
    { 0x4E6E6B28,
      { 0x0000FF80, 0x00FE0180, 0x0000FF80, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180,
        0x00FE0180 } }, /* 1000000000.0 */
    { 0x7F800000,
      { 0x0000FF80, 0x00FE0180, 0x0000FF80, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* inf */
    { 0xFF800000,
      { 0x0000FF80, 0x00FE0180, 0x0000FF80, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180 } }, /* -inf */
    { 0x7FC00000,
      { 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } }, /* nan */
};

static void clamp_modes(struct machine *m, bool vertical)
{
    for (uint32_t mode = 0; mode < 8u; mode++) {
        machine_reset(m);
        struct dots dots = { .count = 0 };
        for (size_t i = 0; i < sizeof clamp_rows / sizeof clamp_rows[0]; i++) {
            const float c = f32_from_bits(clamp_rows[i].c_bits);
            dots_add_texcoord(&dots, vertical ? 0.125f : c, vertical ? c : 0.125f);
        }
        draw_proctex(m,
                     &(struct proctex){ .u_clamp = vertical ? 1 : mode,
                                        .v_clamp = vertical ? mode : 1,
                                        .rgb_func = vertical ? PICA_PROCTEX_FUNC_V : PICA_PROCTEX_FUNC_U,
                                        .filter = 1,
                                        .width = 255 },
                     &dots);
        for (uint32_t i = 0; i < dots.count; i++) {
            machine_case(m, "mode %u of %c, %08X", (unsigned)mode, vertical ? 'v' : 'u',
                         (unsigned)clamp_rows[i].c_bits);
            EXPECT_EQ(m, "PTX-07, PTX-11", dot_pixel(m, i), clamp_rows[i].rgba[mode]);
        }
    }
}

EACH_MACHINE(proctex, PTX_11_clamp_modes_of_u)
{
    clamp_modes(m, false);
}

EACH_MACHINE(proctex, PTX_11_clamp_modes_of_v)
{
    clamp_modes(m, true);
}

EACH_MACHINE(proctex, PTX_07_coordinates_above_2_to_23_saturate_and_are_recorded)
{
    static const struct {
        uint32_t u_bits, v_bits;
        bool fires;
    } rows[] = {
        { 0x3F000000, 0x3F000000, false }, { 0x4B000000, 0x00000000, false }, { 0x4B000001, 0x00000000, true },
        { 0xCB000001, 0x00000000, true },  { 0x00000000, 0x4B000001, true },  { 0x00000000, 0xCB000000, false },
        { 0x7F800000, 0x00000000, true },  { 0x00000000, 0xFF800000, true },  { 0x7FC00000, 0x00000000, true },
        { 0x00000000, 0x7FC00000, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t unused = 0; unused < 2u; unused++) {
            machine_row(m, "u %08X, v %08X%s", (unsigned)rows[i].u_bits, (unsigned)rows[i].v_bits,
                        unused ? ", not used" : "");
            struct dots dots = dots_at(f32_from_bits(rows[i].u_bits), f32_from_bits(rows[i].v_bits));
            struct list list = probe_list();
            proctex_bind(&list, &(struct proctex){ .width = 128 });
            if (unused)
                probe_source(&list, PICA_TEV_SOURCE_PRIMARY_COLOR);
            dots_draw(m, &list, &dots);
            cr_expect(machine_event_is(m, "PTX-07", PICA_EVENT_PROCTEX_RANGE, rows[i].fires && !unused), "%s",
                      m->message);
        }
}

/* ------------------------------------------------------------------------------------------------- shifts (PTX-08) */

enum {
    SHIFT_COLUMNS = 12
};

/* The other coordinate; -2.5 counts as 2.5 and NaN as 0 (PTX-07). */
static const uint32_t shift_from[SHIFT_COLUMNS] = { 0x00000000, 0x3F7D70A4, 0x3F800000, 0x3FC00000,
                                                    0x40000000, 0x40300000, 0x40400000, 0x40600000,
                                                    0x40800000, 0x40A80000, 0xC0200000, 0x7FC00000 };

/* Shift and clamp mode of the shifted direction, whose coordinate is 0.3. */
static const struct {
    uint32_t shift, clamp;
    uint32_t rgba[SHIFT_COLUMNS];
} shift_rows[] = {
    { 0,
      2,
      { 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B,
        0x274CB36B, 0x274CB36B, 0x274CB36B } },
    { 1,
      2,
      { 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x274CB36B,
        0x274CB36B, 0x2FCB3467, 0x274CB36B } },
    { 2,
      2,
      { 0x274CB36B, 0x274CB36B, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x274CB36B, 0x274CB36B, 0x274CB36B,
        0x2FCB3467, 0x2FCB3467, 0x274CB36B } },
    { 3,
      2,
      { 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B,
        0x274CB36B, 0x274CB36B, 0x274CB36B } },
    { 1,
      3,
      { 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0xC6B14E1B, 0xC6B14E1B, 0xC6B14E1B, 0xC6B14E1B, 0x274CB36B,
        0x274CB36B, 0xC6B14E1B, 0x274CB36B } },
    { 2,
      3,
      { 0x274CB36B, 0x274CB36B, 0xC6B14E1B, 0xC6B14E1B, 0xC6B14E1B, 0xC6B14E1B, 0x274CB36B, 0x274CB36B, 0x274CB36B,
        0xC6B14E1B, 0xC6B14E1B, 0x274CB36B } },
    { 1,
      0,
      { 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x274CB36B,
        0x274CB36B, 0x2FCB3467, 0x274CB36B } },
    { 2,
      1,
      { 0x274CB36B, 0x274CB36B, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x274CB36B, 0x274CB36B, 0x274CB36B,
        0x2FCB3467, 0x2FCB3467, 0x274CB36B } },
    { 1,
      4,
      { 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x0000FF80,
        0x0000FF80, 0x00FE0180, 0x0000FF80 } },
    { 2,
      4,
      { 0x0000FF80, 0x0000FF80, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x0000FF80, 0x0000FF80, 0x0000FF80,
        0x00FE0180, 0x00FE0180, 0x0000FF80 } },
    { 1,
      5,
      { 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x2FCB3467, 0x274CB36B,
        0x274CB36B, 0x2FCB3467, 0x274CB36B } },
    { 3,
      3,
      { 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B, 0x274CB36B,
        0x274CB36B, 0x274CB36B, 0x274CB36B } },
};

EACH_MACHINE(proctex, PTX_08_shifts_depend_on_the_other_coordinate_and_the_clamp_mode)
{
    for (size_t i = 0; i < sizeof shift_rows / sizeof shift_rows[0]; i++)
        for (uint32_t vertical = 0; vertical < 2u; vertical++) {
            machine_reset(m);
            struct dots dots = { .count = 0 };
            for (size_t k = 0; k < SHIFT_COLUMNS; k++) {
                const float other = f32_from_bits(shift_from[k]);
                dots_add_texcoord(&dots, vertical ? other : 0.3f, vertical ? 0.3f : other);
            }
            const uint32_t shift = shift_rows[i].shift, clamp = shift_rows[i].clamp;
            draw_proctex(m,
                         &(struct proctex){ .u_clamp = vertical ? 2 : clamp,
                                            .v_clamp = vertical ? clamp : 2,
                                            .u_shift = vertical ? 0 : shift,
                                            .v_shift = vertical ? shift : 0,
                                            .rgb_func = vertical ? PICA_PROCTEX_FUNC_V : PICA_PROCTEX_FUNC_U,
                                            .filter = 1,
                                            .width = 255 },
                         &dots);
            for (uint32_t k = 0; k < SHIFT_COLUMNS; k++) {
                machine_case(m, "%c, shift %u, clamp %u, other %08X", vertical ? 'v' : 'u', (unsigned)shift,
                             (unsigned)clamp, (unsigned)shift_from[k]);
                EXPECT_EQ(m, "PTX-08, PTX-10", dot_pixel(m, k), shift_rows[i].rgba[k]);
            }
        }
}

/* ------------------------------------------------------------------------------------------- functions (PTX-12..14) */

static const struct {
    uint32_t u_bits, v_bits;
    uint32_t rgba[16]; /* functions 0-15 */
} function_rows[] = {
    { 0x3E800000,
      0x3F400000,
      { 0x733FC045, 0xCF0FF017, 0x7BBE4141, 0xD78E7113, 0xF67E8103, 0x544FB055, 0xC9C8371A, 0x733FC045, 0x7BBE4141,
        0xDFA35C0F, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
    { 0x3F4CCCCD,
      0x3ECCCCCD,
      { 0x2FCB3467, 0x88A25D3B, 0x8E659A37, 0x9528D734, 0x5F98674F, 0x8E659A37, 0x2DE31C69, 0x8E659A37, 0x2FCB3467,
        0xC5BD421C, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
    { 0x3F800000,
      0x3F800000,
      { 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180, 0x00FE0180,
        0x00FE0180, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
    { 0x00000000,
      0x00000000,
      { 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80,
        0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
    { 0x3F800000,
      0x00000000,
      { 0x00FE0180, 0x00FE0180, 0x0000FF80, 0x0000FF80, 0xF67E8103, 0xF67E8103, 0x00FE0180, 0x0000FF80, 0x00FE0180,
        0x7BBE4141, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
    { 0x3F19999A,
      0x3F4CCCCD,
      { 0x5F98674F, 0x655BA44C, 0x2FCB3467, 0x88A25D3B, 0xC6B14E1B, 0xF67E8103, 0x00FE0180, 0x5F98674F, 0x2FCB3467,
        0xE2D7280D, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
    { 0x3F35C28F,
      0x3F333333,
      { 0x51B44B56, 0x02807F7E, 0xC6B14E1B, 0x6C7C8349, 0x0DB34C79, 0x377E8163, 0x3FFD0260, 0xC6B14E1B, 0x51B44B56,
        0x26D8276C, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
    { 0x3A83126F,
      0x3B03126F,
      { 0x3E00FF60, 0x0000FF7F, 0x7D00FF40, 0x0000FF7F, 0x5D00FF50, 0x0000FF7F, 0x8B00FF39, 0x3E00FF60, 0x7D00FF40,
        0x7400FF45, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80, 0x0000FF80 } },
};

EACH_MACHINE(proctex, PTX_12_functions_of_u_and_v)
{
    for (uint32_t function = 0; function < 16u; function++) {
        machine_reset(m);
        struct dots dots = { .count = 0 };
        for (size_t i = 0; i < sizeof function_rows / sizeof function_rows[0]; i++)
            dots_add_texcoord(&dots, f32_from_bits(function_rows[i].u_bits), f32_from_bits(function_rows[i].v_bits));
        draw_proctex(
            m, &(struct proctex){ .u_clamp = 1, .v_clamp = 1, .rgb_func = function, .filter = 1, .width = 255 }, &dots);
        for (uint32_t i = 0; i < dots.count; i++) {
            machine_case(m, "function %u of %08X, %08X", (unsigned)function, (unsigned)function_rows[i].u_bits,
                         (unsigned)function_rows[i].v_bits);
            EXPECT_EQ(m, "PTX-12, PTX-13", dot_pixel(m, i), function_rows[i].rgba[function]);
        }
        if (function >= 10u)
            EXPECT_ONLY_EVENTS(m, "PTX-12", PICA_EVENT_PROCTEX_FUNC_RESERVED);
        else
            EXPECT_NO_EVENTS(m, "PTX-12");
    }
}

/* RGB function, alpha function; filter 0 and 1. */
static const struct {
    uint32_t u_bits, v_bits, rgb_func, alpha_func, nearest, linear;
} alpha_rows[] = {
    { 0x3E800000, 0x3F400000, 0, 2, 0x003FC0BF, 0x733FC0BF },  { 0x3E800000, 0x3F400000, 2, 0, 0x00BE413F, 0x7BBE413F },
    { 0x3F4CCCCD, 0x3ECCCCCD, 4, 1, 0x009867A3, 0x5F9867A3 },  { 0x3F4CCCCD, 0x3ECCCCCD, 7, 8, 0x006699CB, 0x8E659ACB },
    { 0x3F800000, 0x00000000, 0, 3, 0x00FE0100, 0x00FE0100 },  { 0x3F19999A, 0x3F4CCCCD, 5, 6, 0x007F80FF, 0xF67E81FF },
    { 0x3E99999A, 0x3E99999A, 9, 15, 0x005CA300, 0xEF5BA400 },
};

EACH_MACHINE(proctex, PTX_14_separate_alpha_bypasses_the_colour_table)
{
    for (size_t i = 0; i < sizeof alpha_rows / sizeof alpha_rows[0]; i++)
        for (uint32_t filter = 0; filter < 2u; filter++) {
            machine_row(m, "row %u, filter %u", (unsigned)i, (unsigned)filter);
            struct dots dots = dots_at(f32_from_bits(alpha_rows[i].u_bits), f32_from_bits(alpha_rows[i].v_bits));
            draw_proctex(m,
                         &(struct proctex){ .u_clamp = 1,
                                            .v_clamp = 1,
                                            .rgb_func = alpha_rows[i].rgb_func,
                                            .alpha_func = alpha_rows[i].alpha_func,
                                            .separate_alpha = 1,
                                            .filter = filter,
                                            .width = 255 },
                         &dots);
            EXPECT_EQ(m, "PTX-14", dot_pixel(m, 0), filter ? alpha_rows[i].linear : alpha_rows[i].nearest);
        }
}

EACH_MACHINE(proctex, PTX_14_separate_alpha_has_its_own_map)
{
    /* The alpha map differs from the RGB map: entry 0 is 0x800 = 2048 / 4095, times 255: 127.53. */
    struct dots dots = dots_at(0.0f, 0.5f);
    struct list list = probe_list();
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    const uint32_t entry = 0x800;
    list_proctex_table(&list, PICA_PROCTEX_TABLE_ALPHA_MAP, &entry, 1);
    proctex_bind(&list, &(struct proctex){ .separate_alpha = 1, .filter = 1, .width = 255 });
    dots_draw(m, &list, &dots);
    EXPECT_DOT(m, "PTX-14", 0, 0, 0, 255, 127);
}

/* ----------------------------------------------------------------------------------------- map entries (PTX-04, 06) */

/* Entry 0 alone is not zero; value bits 0-11, difference 12-23 signed; u in [0, 1/128). */
static const struct {
    uint32_t entry, u_bits, rgba;
} entry_rows[] = {
    { 0x00000800, 0x00000000, 0x077F807C }, { 0x00000FFF, 0x00000000, 0x00FE0180 },
    { 0x007FF000, 0x3B800000, 0x7B3FC041 }, { 0x00800FFF, 0x3B800000, 0x7BBE4141 },
    { 0x00FFF800, 0x3B800000, 0x007F8080 }, { 0x00400C00, 0x3BC00000, 0x2EEE1168 },
    { 0x00C00400, 0x3BC00000, 0xDF0FF00F }, { 0x00000800, 0x3B800000, 0x077F807C },
    { 0xFF7FF800, 0x3B000000, 0xC49E611D }, { 0x007FFFFF, 0x3B800000, 0x00FE0180 }, /* 1 + 0.25: 1 */
    { 0x00800000, 0x3B800000, 0x0000FF80 },                                         /* 0 - 0.25: 0 */
};

static void check_entry(struct machine *m, uint32_t index, uint32_t entry, uint32_t u_bits, uint32_t rgba)
{
    machine_row(m, "entry %u = %08X, u %08X", (unsigned)index, (unsigned)entry, (unsigned)u_bits);
    struct dots dots = dots_at(f32_from_bits(u_bits), 0.0f);
    struct list list = probe_list();
    list_proctex_meter(&list);
    const uint32_t map[128] = { [0] = 0 };
    list_proctex_table(&list, PICA_PROCTEX_TABLE_RGB_MAP, map, 128);
    list_write(&list, PICA_REG_PROCTEX_LUT, PICA_PROCTEX_TABLE_RGB_MAP << 8 | index);
    list_write(&list, PICA_REG_PROCTEX_LUT_DATA0, entry);
    proctex_bind(&list, &(struct proctex){ .u_clamp = 1, .v_clamp = 1, .filter = 1, .width = 255 });
    dots_draw(m, &list, &dots);
    EXPECT_EQ(m, "PTX-04, PTX-06", dot_pixel(m, 0), rgba);
}

EACH_MACHINE(proctex, PTX_06_a_lookup_adds_a_part_of_the_difference_and_saturates)
{
    for (size_t i = 0; i < sizeof entry_rows / sizeof entry_rows[0]; i++)
        check_entry(m, 0, entry_rows[i].entry, entry_rows[i].u_bits, entry_rows[i].rgba);
    /* c = 1 is entry 127 with f = 1.0: value and difference added. */
    check_entry(m, 127, 0x001F00, 0x3F800000, 0x3EEE1160);
    check_entry(m, 127, 0x001F00, 0x3F7E0000, 0x2EEE1168);
    check_entry(m, 127, 0x001F00, 0x3F7F0000, 0x36EE1164);
    check_entry(m, 127, 0x7FF000, 0x3F800000, 0xF67E8103);
    check_entry(m, 127, 0x7FF000, 0x3F7E0000, 0x0000FF80);
    check_entry(m, 127, 0x7FF000, 0x3F7F0000, 0x7B3FC041);
}

/* ----------------------------------------------------------------------------------------------------- off (PTX-25) */

EACH_MACHINE(proctex, PTX_25_disabled_gives_0)
{
    struct dots dots = dots_at(0.75f, 0.75f);
    struct list list = probe_list();
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    proctex_bind(&list, &(struct proctex){ .filter = 1, .width = 255 });
    list_write(&list, PICA_REG_TEXUNIT_CONFIG, 0xFFFFFBF8); /* all bits but 0-2 and 10 */
    dots_draw(m, &list, &dots);
    EXPECT_DOT(m, "PTX-25", 0, 0, 0, 0, 0);
    EXPECT_EVENT(m, "PTX-25", PICA_EVENT_TEX_DISABLED_READ);
}
