/* PTX-19 to PTX-24, PTX-26: colour table, filters and levels of the procedural unit. */
#include "tests/conformance/fragment_probe.h"

/* c = 0 for u = 0; c = 1 for u >= 1 (edge clamp, ramp map, function u). */
static void draw_levels(struct machine *m, const struct proctex *proctex, struct dots *dots)
{
    struct list list = probe_list();
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    struct proctex p = *proctex;
    p.u_clamp = p.v_clamp = 1;
    proctex_bind(&list, &p);
    dots_draw(m, &list, dots);
}

/* ------------------------------------------------------------------------------------- offsets, widths (PTX-19, 20) */

/* Level l by min LOD = max LOD = l and bias 0; nearest: G = offset + width at l - 1 for c = 1, modulo 256. */
static const struct {
    uint32_t level, max_lod, width;
    uint32_t at_0, at_1;
} level_rows[] = {
    { 0, 0, 128, 0x10, 0x8F },                                                         /* 0x10 + 127 */
    { 1, 1, 128, 0x20, 0x5F },                                                         /* 0x20 + 63 */
    { 2, 2, 128, 0x31, 0x50 },   { 3, 3, 128, 0x42, 0x51 }, { 4, 4, 128, 0xF0, 0xF7 }, /* 0xF0 + 7 */
    { 5, 5, 128, 0xF8, 0xFB },   { 6, 6, 128, 0xFC, 0xFD }, { 7, 7, 128, 0xFE, 0xFE },
    { 15, 15, 128, 0xFE, 0xFE }, /* min(max LOD, 7) */
    { 8, 15, 128, 0xFE, 0xFE },  { 9, 9, 128, 0xFE, 0xFE }, { 5, 8, 128, 0xF8, 0xFB },
    { 15, 3, 128, 0x42, 0x51 },  { 2, 0, 128, 0x10, 0x8F }, { 0, 0, 1, 0x10, 0x10 },
    { 0, 0, 0, 0x10, 0x10 },                                                          /* PTX-20: width 0 */
    { 0, 0, 2, 0x10, 0x11 },     { 1, 1, 1, 0x20, 0x20 },   { 3, 3, 12, 0x42, 0x42 }, /* 12 >> 3 = 1 */
    { 2, 2, 12, 0x31, 0x33 },    { 0, 0, 255, 0x10, 0x0E },                           /* 0x10E */
    { 4, 4, 255, 0xF0, 0xFE },   { 7, 7, 255, 0xFE, 0xFE },
};

EACH_MACHINE(proctex, PTX_19_levels_have_offsets_and_halved_widths)
{
    for (size_t i = 0; i < sizeof level_rows / sizeof level_rows[0]; i++) {
        machine_row(m, "level %u, width %u", (unsigned)level_rows[i].level, (unsigned)level_rows[i].width);
        struct dots dots = dots_at(0.0f, 0.0f);
        dots_add_texcoord(&dots, 1.0f, 0.0f);
        draw_levels(m,
                    &(struct proctex){ .filter = PICA_PROCTEX_FILTER_NEAREST_MIP_NEAREST,
                                       .min_lod = level_rows[i].level,
                                       .max_lod = level_rows[i].max_lod,
                                       .width = level_rows[i].width,
                                       .offsets = 0x42312010 },
                    &dots);
        EXPECT_DOT(m, "PTX-19, PTX-20", 0, 0, level_rows[i].at_0, 255u - level_rows[i].at_0, 128);
        EXPECT_DOT(m, "PTX-19, PTX-20", 1, 0, level_rows[i].at_1, 255u - level_rows[i].at_1, 128);
    }
}

EACH_MACHINE(proctex, PTX_19_register_0AE_does_not_count)
{
    for (uint32_t i = 0; i < 3u; i++) {
        static const uint32_t words[3] = { 0, 0xFEFCF8F0, 0x01020304 };
        machine_row(m, "0x0AE = %08X", (unsigned)words[i]);
        struct dots dots = dots_one();
        struct list list = probe_list();
        list_proctex_meter(&list);
        proctex_bind(&list, &(struct proctex){ .filter = 2, .min_lod = 5, .max_lod = 5, .width = 128 });
        list_write(&list, PICA_REG_UNUSED_0AE, words[i]);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "PTX-19", 0, 0, 0xF8, 7, 128);
        cr_expect(machine_event_is(m, "PTX-19", PICA_EVENT_PROCTEX_OFFSET_HIGH, i == 2u), "%s", m->message);
    }
}

/* ---------------------------------------------------------------------------------------- colour table (PTX-21, 26) */

EACH_MACHINE(proctex, PTX_26_linear_and_nearest_give_76)
{
    /* color[k].R = 2k, difference 1; the map has one segment 0 .. 1 so that c of u = 0.3 is close to PTX-26's. */
    struct dots dots = dots_at(0.3f, 0.0f);
    for (uint32_t filter = 0; filter < 2u; filter++) {
        machine_case(m, "filter %u", (unsigned)filter);
        struct list list = probe_list();
        list_proctex_ramps(&list);
        uint32_t colors[128], differences[128];
        for (uint32_t k = 0; k < 128u; k++) {
            colors[k] = 2u * k;
            differences[k] = 1;
        }
        list_proctex_table(&list, PICA_PROCTEX_TABLE_COLOR, colors, 128);
        list_proctex_table(&list, PICA_PROCTEX_TABLE_COLOR_DIFFERENCE, differences, 128);
        proctex_bind(&list, &(struct proctex){ .u_clamp = 1, .filter = filter, .width = 128 });
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "PTX-26", 0, 76, 0, 0, 0);
    }
}

/* c = 1 / 2 by a map entry 0x800 / 0xFFF is not exact: 2048 / 4095 = 0.500122. x = offset + c * (width - 1). */
static const struct {
    uint32_t filter, width, offset;
    uint32_t value;             /* of map entry 0; u = 0 */
    uint32_t color, difference; /* of every entry: R; G stays the number of the entry */
    uint32_t r, g;
} table_rows[] = {
    { 0, 2, 10, 2048, 7, 0, 7, 11 },                                              /* x = 10.500122: half up */
    { 0, 2, 10, 2047, 7, 0, 7, 10 },                                              /* 10.49988 */
    { 0, 2, 10, 4095, 7, 0, 7, 11 },       { 0, 2, 255, 4095, 7, 0, 7, 0 },       /* 256 & 255 */
    { 0, 255, 255, 4095, 7, 0, 7, 253 },                                          /* 509 & 255 */
    { 1, 255, 255, 4095, 7, 0, 7, 253 },   { 1, 2, 10, 2048, 100, 10, 110, 10 },  /* 100 + 0.500122 * 20 */
    { 1, 2, 10, 2047, 100, 10, 109, 10 },                                         /* 109.9976 */
    { 1, 2, 10, 4095, 100, 10, 100, 11 },                                         /* f = 0 at the next entry */
    { 1, 2, 10, 2048, 100, 127, 227, 10 },                                        /* + 127.03 */
    { 1, 2, 10, 2048, 200, 127, 255, 10 },                                        /* saturates */
    { 1, 2, 10, 2048, 100, 0x80, 0, 10 },                                         /* - 128.03 */
    { 1, 2, 10, 2048, 100, 0xFF, 98, 10 },                                        /* -2 * 0.500122: 98.9998 */
    { 1, 2, 10, 2048, 0, 0xFF, 0, 10 },    { 0, 2, 10, 2048, 100, 127, 100, 11 }, /* nearest: no difference */
};

EACH_MACHINE(proctex, PTX_21_colours_wrap_at_256_and_saturate)
{
    for (size_t i = 0; i < sizeof table_rows / sizeof table_rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        struct dots dots = dots_one();
        struct list list = probe_list();
        uint32_t colors[256], differences[256];
        for (uint32_t k = 0; k < 256u; k++) {
            colors[k] = table_rows[i].color | k << 8;
            differences[k] = table_rows[i].difference;
        }
        const uint32_t entry = table_rows[i].value;
        list_proctex_table(&list, PICA_PROCTEX_TABLE_RGB_MAP, &entry, 1);
        list_proctex_table(&list, PICA_PROCTEX_TABLE_COLOR, colors, 256);
        list_proctex_table(&list, PICA_PROCTEX_TABLE_COLOR_DIFFERENCE, differences, 256);
        proctex_bind(&list, &(struct proctex){ .filter = table_rows[i].filter,
                                               .width = table_rows[i].width,
                                               .offsets = table_rows[i].offset });
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "PTX-21", 0, table_rows[i].r, table_rows[i].g, 0, 0);
    }
}

/* ------------------------------------------------------------------------------------- filters and LOD (PTX-22..24) */

EACH_MACHINE(proctex, PTX_22_TEX_91_all_filters_of_the_worked_pixel)
{
    /* TEX-91: the triangle of file 30, width 128, bias 0.5, function v; colour entry k = k in all channels. */
    static const uint32_t expected[8] = { 65, 64, 232, 231, 237, 236, 237, 236 }; /* 6, 7 as 4, 5 */
    for (uint32_t filter = 0; filter < 8u; filter++) {
        machine_row(m, "filter %u", (unsigned)filter);
        struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(2, -2, -0.5f, 2),
                                     probe_vertex_at(-4, 4, -3, 4) };
        static const float u[3] = { 0, 1, 0 }, w[3] = { 0.5f, 0.5f, 0.75f };
        for (uint32_t i = 0; i < 3u; i++) {
            v[i].texcoord0[0] = u[i];
            v[i].texcoord0[1] = w[i];
        }
        struct list list = probe_list();
        list_write(&list, PICA_REG_VIEWPORT_WIDTH, float24(2.0));
        list_write(&list, PICA_REG_VIEWPORT_HEIGHT, float24(2.0));
        list_proctex_ramps(&list);
        uint32_t colors[256];
        for (uint32_t k = 0; k < 256u; k++)
            colors[k] = 0x01010101u * k;
        list_proctex_table(&list, PICA_PROCTEX_TABLE_COLOR, colors, 256);
        proctex_bind(&list, &(struct proctex){ .u_clamp = 1,
                                               .v_clamp = 1,
                                               .rgb_func = PICA_PROCTEX_FUNC_V,
                                               .bias = 0x3800,
                                               .filter = filter,
                                               .max_lod = 7,
                                               .width = 128,
                                               .offsets = 0xE0C08000 });
        probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
        const uint32_t k = expected[filter];
        EXPECT_PIXEL(m, "TEX-91, PTX-22", 0, 0, k, k, k, k);
    }
}

/* Offsets 0-3 = 1, 2, 3, 4; the colour of level l is (255 if l is odd, ., ., 30 * l); mip linear shows lodc. */
static void list_level_colors(struct list *list)
{
    static const uint8_t offsets[8] = { 1, 2, 3, 4, 0xF0, 0xF8, 0xFC, 0xFE };
    uint32_t colors[256] = { 0 };
    for (uint32_t level = 0; level < 8u; level++)
        colors[offsets[level]] = (level % 2u ? 255u : 0u) | 30u * level << 24;
    list_proctex_table(list, PICA_PROCTEX_TABLE_COLOR, colors, 256);
}

static uint32_t level_pixel(uint32_t lodc)
{
    const uint32_t l0 = lodc >> 8, f = lodc & 255u, l1 = l0 < 7u ? l0 + 1u : 7u;
    const uint32_t r = ((l0 % 2u ? 255u : 0u) * (256u - f) + (l1 % 2u ? 255u : 0u) * f + 128u) >> 8;
    const uint32_t a = (30u * l0 * (256u - f) + 30u * l1 * f + 128u) >> 8;
    return r << 24 | a;
}

struct lod_row {
    float u_x, u_y, v_x, v_y;
    uint32_t bias; /* float16 */
    uint32_t width, min_lod, max_lod, lodc;
};

/* L = |width * bias| * (max |u| + max |v|). */
static const struct lod_row lod_rows[] = {
    { 0.03125f, 0, 0, 0, 0x3C00, 128, 0, 7, 512 }, /* 128 / 32 = 4 */
    { 0, 0.03125f, 0, 0, 0x3C00, 128, 0, 7, 512 },
    { 0, 0, -0.03125f, 0, 0x3C00, 128, 0, 7, 512 },
    { 0, 0, 0, -0.03125f, 0x3C00, 128, 0, 7, 512 },
    { 0.03125f, -0.03125f, 0, 0, 0x3C00, 128, 0, 7, 512 },
    { 0.03125f, 0, 0.03125f, 0, 0x3C00, 128, 0, 7, 768 },               /* the sum of the directions: 8 */
    { 0.03125f, 0, 0, 0.015625f, 0x3C00, 128, 0, 7, 640 },              /* 6 */
    { 0.03125f, 0.0625f, 0.015625f, 0.03125f, 0x3C00, 128, 0, 7, 896 }, /* 128 * (1/16 + 1/32) = 12 */
    { 0.03125f, 0, 0, 0, 0xBC00, 128, 0, 7, 512 },                      /* |bias| */
    { 0.03125f, 0, 0, 0, 0x4000, 128, 0, 7, 768 },
    { 0.03125f, 0, 0, 0, 0x3800, 128, 0, 7, 256 },
    { 0.03125f, 0, 0, 0, 0x3C00, 64, 0, 7, 256 },
    { 0.03125f, 0, 0, 0, 0x3C00, 16, 0, 7, 0 }, /* 0.5: -256 */
    { 0.03125f, 0, 0, 0, 0x0000, 128, 0, 7, 0 },
    { 0.03125f, 0, 0, 0, 0x8000, 128, 0, 7, 0 },
    { 1000.0f, 0, 0, 0, 0x0000, 128, 2, 7, 512 }, /* lod 0, min LOD 2 */
    { 1000.0f, 0, 0, 0, 0x3C00, 128, 0, 7, 1792 },
    { 1000.0f, 0, 0, 0, 0x3C00, 128, 0, 15, 1792 },
    { 0.03125f, 0, 0, 0, 0x3C00, 128, 3, 7, 768 },
    { 0.03125f, 0, 0, 0, 0x3C00, 128, 0, 1, 256 },
    { 0.03125f, 0, 0, 0, 0x3C00, 128, 5, 1, 256 }, /* max LOD wins */
    { 0, 0, 0, 0, 0x3C00, 128, 0, 7, 0 },
    { 0.03125f, 0, 0, 0, 0x7C00, 128, 0, 7, 1792 }, /* infinite */
    { 0.03125f, 0, 0, 0, 0x7E00, 128, 0, 7, 1792 }, /* NaN bias: above every level */
    { 0, 0, 0, 0, 0x7C00, 128, 0, 7, 1792 },        /* inf * 0 is NaN */
    { 0, 0, 0, 0, 0xFC00, 128, 0, 7, 1792 },
    { 0.03125f, 0, 0, 0, 0x3C00, 0, 0, 7, 0 }, /* width 0: L = 0 */
    /* TEX-04: 0x4248 = 3.140625, 0xB800 = -0.5, 0x0001 = 2^-24, 0x03FF = 1023 * 2^-24, 0x7BFF = 65504 */
    { 0.0078125f, 0, 0, 0, 0x4248, 128, 0, 7, 402 },
    { 0.03125f, 0, 0, 0, 0xB800, 128, 0, 7, 256 },
    { 262144.0f, 0, 0, 0, 0x0001, 128, 0, 7, 256 },
    { 256.0f, 0, 0, 0, 0x03FF, 128, 0, 7, 255 },
    { 1.52587890625e-5f, 0, 0, 0, 0x7BFF, 128, 0, 7, 1791 },
    { 0.03125f, 0, 0, 0, 0x0001, 255, 0, 7, 0 },
    { 0.046875f, 0, 0, 0, 0x3C00, 128, 0, 7, 640 },
};

EACH_MACHINE(proctex, PTX_23_the_level_follows_the_sum_of_both_directions)
{
    for (size_t i = 0; i < sizeof lod_rows / sizeof lod_rows[0]; i++) {
        const struct lod_row *const row = &lod_rows[i];
        machine_row(m, "row %u", (unsigned)i);
        struct dots dots = { .count = 0 };
        dot_derivative(dots_add(&dots), 0, row->u_x, row->u_y, row->v_x, row->v_y);
        struct list list = probe_list();
        list_level_colors(&list); /* the map stays zero: c = 0 */
        proctex_bind(&list, &(struct proctex){ .filter = PICA_PROCTEX_FILTER_NEAREST_MIP_LINEAR,
                                               .bias = row->bias,
                                               .width = row->width,
                                               .min_lod = row->min_lod,
                                               .max_lod = row->max_lod,
                                               .offsets = 0x04030201 });
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "PTX-23, PTX-24, TEX-04", dot_pixel(m, 0), level_pixel(row->lodc));
    }
}

EACH_MACHINE(proctex, PTX_23_infinite_and_nan_derivatives_give_the_highest_level)
{
    /* Like test_texture_mip_lod.c: infinite at v[1]: X_x = inf, X_y = NaN, g = NaN; at v[2]: NaN, inf, g = inf. */
    for (uint32_t vertex = 1; vertex < 3u; vertex++)
        for (uint32_t k = 0; k < 2u; k++) {
            machine_row(m, "vertex %u, %c", (unsigned)vertex, k ? 'v' : 'u');
            struct dots dots = { .count = 0 };
            dots_add(&dots)[vertex].texcoord0[k] = f32_from_bits(0x7F800000);
            struct list list = probe_list();
            list_level_colors(&list);
            proctex_bind(&list, &(struct proctex){
                                    .filter = 4, .bias = 0x3C00, .width = 128, .max_lod = 7, .offsets = 0x04030201 });
            dots_draw(m, &list, &dots);
            EXPECT_EQ(m, "PTX-23", dot_pixel(m, 0), level_pixel(1792));
        }
}

EACH_MACHINE(proctex, PTX_23_a_bias_of_0_gives_level_0_also_with_infinite_derivatives)
{
    /* 128 * 0 * infinity would be NaN and so the highest level. */
    for (uint32_t vertex = 1; vertex < 3u; vertex++)
        for (uint32_t negative = 0; negative < 2u; negative++) {
            machine_row(m, "vertex %u, bias %s0", (unsigned)vertex, negative ? "-" : "");
            struct dots dots = { .count = 0 };
            dots_add(&dots)[vertex].texcoord0[0] = f32_from_bits(0x7F800000);
            struct list list = probe_list();
            list_level_colors(&list);
            proctex_bind(
                &list,
                &(struct proctex){
                    .filter = 4, .bias = negative ? 0x8000 : 0, .width = 128, .max_lod = 7, .offsets = 0x04030201 });
            dots_draw(m, &list, &dots);
            EXPECT_EQ(m, "PTX-23", dot_pixel(m, 0), level_pixel(0));
        }
}

EACH_MACHINE(proctex, PTX_22_mip_modes_none_nearest_linear)
{
    /* lodc = 128 * rho steps: 383 and 384 round to levels 1 and 2; mode 0 stays at level 0. */
    static const struct {
        float u_x; /* L = 128 * u_x */
        uint32_t filter, lodc;
    } rows[] = {
        { 0.01953125f, 2, 256 },    /* 2.5: lod 320 -> level 1 */
        { 0.0234375f, 2, 512 },     /* 3: lod 384 -> level 2 */
        { 0.02340698242f, 2, 256 }, /* 2.99609: lod 383 */
        { 0.0234375f, 0, 0 },       { 0.0234375f, 1, 0 },   { 0.0234375f, 3, 512 },
        { 0.0234375f, 4, 384 },     { 0.0234375f, 5, 384 }, { 0.0234375f, 6, 384 }, /* 6, 7 as 4, 5 */
        { 0.0234375f, 7, 384 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u, filter %u", (unsigned)i, (unsigned)rows[i].filter);
        struct dots dots = { .count = 0 };
        dot_derivative(dots_add(&dots), 0, rows[i].u_x, 0, 0, 0);
        struct list list = probe_list();
        list_level_colors(&list);
        proctex_bind(&list,
                     &(struct proctex){
                         .filter = rows[i].filter, .bias = 0x3C00, .width = 128, .max_lod = 7, .offsets = 0x04030201 });
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "PTX-22, PTX-24", dot_pixel(m, 0), level_pixel(rows[i].lodc));
        if (rows[i].filter >= 6u)
            EXPECT_ONLY_EVENTS(m, "PTX-22", PICA_EVENT_PROCTEX_FILTER_RESERVED);
        else
            EXPECT_NO_EVENTS(m, "PTX-22");
    }
}

EACH_MACHINE(proctex, PTX_23_the_derivatives_are_those_of_the_selected_coordinate)
{
    /* PTX-23 looks at the incoming u, v of the selected texture coordinate. */
    for (uint32_t which = 0; which < 3u; which++)
        for (uint32_t selector = 0; selector < 4u; selector++) {
            machine_row(m, "texcoord%u, selector %u", (unsigned)which, (unsigned)selector);
            struct dots dots = { .count = 0 };
            dot_derivative(dots_add(&dots), which, 0.03125f, 0, 0, 0);
            struct list list = probe_list();
            list_level_colors(&list);
            proctex_bind(&list, &(struct proctex){
                                    .filter = 4, .bias = 0x3C00, .width = 128, .max_lod = 7, .offsets = 0x04030201 });
            list_write(&list, PICA_REG_TEXUNIT_CONFIG, 1u << 10 | selector << 8);
            dots_draw(m, &list, &dots);
            EXPECT_EQ(m, "PTX-23, TEX-13", dot_pixel(m, 0), level_pixel(selector % 3u == which ? 512 : 0));
        }
}
