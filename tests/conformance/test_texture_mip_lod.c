/* MIP-03 to MIP-09, TEX-09: derivatives and the level of detail, read with the level meter of fragment_probe.h. */
#include "tests/conformance/fragment_probe.h"

/* Dots with these derivatives of unit 0's S and T; lodc expected. */
struct lod_row {
    float u_x, u_y, v_x, v_y; /* of 64 texels: rho = 64 * the largest */
    int32_t bias;
    uint32_t lodc;
};

static void check_lods(struct machine *m, const char *rule, const struct lod_row *rows, size_t n,
                       const struct texture *meter)
{
    for (size_t i = 0; i < n; i++) {
        machine_row(m, "row %u", (unsigned)i);
        load_lod_meter(m, TEXTURE_ADDRESS);
        struct dots dots = { .count = 0 };
        dot_derivative(dots_add(&dots), 0, rows[i].u_x, rows[i].u_y, rows[i].v_x, rows[i].v_y);
        struct texture texture = *meter;
        texture.bias = rows[i].bias;
        texture_dots(m, &texture, &dots);
        EXPECT_EQ(m, rule, dot_pixel(m, 0), lod_meter_pixel(rows[i].lodc));
    }
}

/* ------------------------------------------------------------------------------------- log2 and bias (MIP-06, 07) */

EACH_MACHINE(texture, MIP_06_the_logarithm_is_linear_in_the_mantissa)
{
    static const struct lod_row rows[] = {
        { 1.0f / 64, 0, 0, 0, 0, 0 },
        { 1.5f / 64, 0, 0, 0, 0, 128 },
        { 2.0f / 64, 0, 0, 0, 0, 256 },
        { 3.0f / 64, 0, 0, 0, 0, 384 },
        { 5.5f / 64, 0, 0, 0, 0, 608 },
        { 0.75f / 64, 0, 0, 0, 0, 0 },
        { 0.75f / 64, 0, 0, 0, 256, 128 }, /* -128 + 256 */
        { 0.75f / 64, 0, 0, 0, 129, 1 },
        { 0.75f / 64, 0, 0, 0, 128, 0 },
        { 1.00390625f / 64, 0, 0, 0, 0, 1 }, /* 1 + 1/256 */
        { 64.0f / 64, 0, 0, 0, 0, 1536 },
        { 63.0f / 64, 0, 0, 0, 0, 1528 },  /* 63 = 32 * 1.96875: 5 * 256 + 248 */
        { 1000.0f, 0, 0, 0, 0, 1536 },     /* above the highest level */
        { 0, 0, 0, 0, 4095, 0 },           /* rho = 0: lod -32512 */
        { 3.0f / 64, 0, 0, 0, 0x80, 512 }, /* MIP-14 */
        { 3.0f / 64, 0, 0, 0, -256, 128 }, /* MIP-14: field 0x1F00 */
        { 3.0f / 64, 0, 0, 0, 0x0FFF, 1536 },
        { 64.0f / 64, 0, 0, 0, -4096, 0 },
        { 64.0f / 64, 0, 0, 0, -1535, 1 },
        { 1.0f / 64, 0, 0, 0, 4095, 1536 },
        { 1.0f / 64, 0, 0, 0, 1000, 1000 },
        { -3.0f / 64, 0, 0, 0, 0, 384 }, /* the absolute value */
    };
    const struct texture meter = lod_meter();
    check_lods(m, "MIP-06, MIP-07", rows, sizeof rows / sizeof rows[0], &meter);
}

EACH_MACHINE(texture, MIP_07_the_bias_has_13_bits_and_a_sign)
{
    /* 0x084: bias 0-12, max level 16-19, min level 24-27; the other bits mean nothing. lod 256 (rho 2). */
    static const struct {
        uint32_t word, lodc;
    } rows[] = {
        { 0x00060000, 256 }, { 0x00060080, 384 },  { 0x00061F80, 128 }, { 0x0006E000, 256 },  { 0xF0F6E000, 256 },
        { 0x00061FFF, 255 }, { 0x00060FFF, 1536 }, { 0x00061000, 0 },   { 0x00040400, 1024 }, { 0x04060000, 1024 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "0x084 = %08X", (unsigned)rows[i].word);
        load_lod_meter(m, TEXTURE_ADDRESS);
        struct dots dots = { .count = 0 };
        dot_derivative(dots_add(&dots), 0, 2.0f / 64, 0, 0, 0);
        struct list list = probe_list();
        const struct texture meter = lod_meter();
        texture_bind(&list, &meter);
        list_write(&list, PICA_REG_TEXUNIT0_LOD, rows[i].word);
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "MIP-07, MIP-09", dot_pixel(m, 0), lod_meter_pixel(rows[i].lodc));
    }
}

/* ----------------------------------------------------------------------------------------------- footprint (MIP-05) */

EACH_MACHINE(texture, MIP_05_the_footprint_is_the_greatest_derivative)
{
    /* The largest of four absolute values, not a length: (3, 3, 3, 3) is 3. */
    static const struct lod_row rows[] = {
        { 3.0f / 64, 0, 0, 0, 0, 384 },
        { 0, 3.0f / 64, 0, 0, 0, 384 },
        { 0, 0, 3.0f / 64, 0, 0, 384 },
        { 0, 0, 0, 3.0f / 64, 0, 384 },
        { 0, -3.0f / 64, 0, 0, 0, 384 },
        { 0, 0, -3.0f / 64, 0, 0, 384 },
        { 0, 0, 0, -3.0f / 64, 0, 384 },
        { 3.0f / 64, 3.0f / 64, 3.0f / 64, 3.0f / 64, 0, 384 },
        { 2.0f / 64, -3.0f / 64, 1.0f / 64, 2.5f / 64, 0, 384 },
        { 4.0f / 64, 3.0f / 64, 3.0f / 64, 3.0f / 64, 0, 512 },
    };
    const struct texture meter = lod_meter();
    check_lods(m, "MIP-05", rows, sizeof rows / sizeof rows[0], &meter);
}

EACH_MACHINE(texture, MIP_05_s_is_scaled_by_the_width_and_t_by_the_height)
{
    /* S counts width texels, T height texels. 16x64 and 64x16, I8: level l has the value 50 * l + 10. */
    static const struct {
        uint32_t width, height;
        float u_x, u_y, v_x, v_y;
        uint32_t level; /* mip nearest */
    } rows[] = {
        { 16, 64, 4.0f / 64, 0, 0, 0, 0 }, { 16, 64, 0, 4.0f / 64, 0, 0, 0 }, { 16, 64, 0, 0, 4.0f / 64, 0, 2 },
        { 16, 64, 0, 0, 0, 4.0f / 64, 2 }, { 64, 16, 4.0f / 64, 0, 0, 0, 2 }, { 64, 16, 0, 4.0f / 64, 0, 0, 2 },
        { 64, 16, 0, 0, 4.0f / 64, 0, 0 }, { 64, 16, 0, 0, 0, 4.0f / 64, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        load_pattern(m, TEXTURE_ADDRESS, 1024, 0, 10);
        load_pattern(m, TEXTURE_ADDRESS + 1024, 256, 0, 60);
        load_pattern(m, TEXTURE_ADDRESS + 1280, 64, 0, 110);
        struct dots dots = { .count = 0 };
        dot_derivative(dots_add(&dots), 0, rows[i].u_x, rows[i].u_y, rows[i].v_x, rows[i].v_y);
        texture_dots(
            m,
            &(struct texture){
                .format = PICA_TEXTURE_FORMAT_I8, .width = rows[i].width, .height = rows[i].height, .max_level = 2 },
            &dots);
        const uint32_t value = 50u * rows[i].level + 10u;
        EXPECT_DOT(m, "MIP-05", 0, value, value, value, 255);
    }
}

/* MIP-06: infinity is 32768 and NaN more, both above the highest level. */
EACH_MACHINE(texture, MIP_05_nan_goes_through_in_the_written_order_only)
{
    /*
     * An infinite coordinate at v[1] or v[2] leaves the fragment's value (weight 0 gives +0, GEN-03) but in MIP-03
     * inf * 0 is NaN: v[1] gives X_x = inf, X_y = NaN; v[2] gives X_x = NaN, X_y = inf. g gives its second operand for
     * NaN.
     */
    static const struct {
        uint32_t vertex;
        bool t;
        uint32_t lodc;
    } rows[] = {
        { 1, false, 256 },  /* g(inf, NaN) = NaN, g(NaN, 2) = 2 */
        { 2, false, 1536 }, /* g(NaN, inf) = inf */
        { 1, true, 1536 },  /* g(inf, NaN) = NaN, g(2, NaN) = NaN */
        { 2, true, 1536 },  /* g(NaN, inf) = inf */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "vertex %u, %s", (unsigned)rows[i].vertex, rows[i].t ? "t" : "s");
        load_lod_meter(m, TEXTURE_ADDRESS);
        struct dots dots = { .count = 0 };
        struct probe_vertex *const v = dots_add(&dots);
        dot_derivative(v, 0, rows[i].t ? 2.0f / 64 : 0, 0, rows[i].t ? 0 : 2.0f / 64, 0);
        v[rows[i].vertex].texcoord0[rows[i].t ? 1 : 0] = f32_from_bits(0x7F800000);
        const struct texture meter = lod_meter();
        texture_dots(m, &meter, &dots);
        EXPECT_EQ(m, "MIP-05, MIP-06", dot_pixel(m, 0), lod_meter_pixel(rows[i].lodc));
    }
}

/* ------------------------------------------------------------------------- perspective (MIP-03, 04, 15, TEX-09, 91) */

static const struct {
    uint32_t x, y;
    uint32_t lod_2d, lod_projection, lod_cube;
} perspective_rows[] = {
    { 0, 0, 837, 809, 553 }, /* MIP-15, TEX-91 */
    { 1, 0, 961, 809, 553 },  { 2, 0, 1097, 809, 553 },   { 0, 1, 939, 954, 698 },
    { 1, 1, 1094, 954, 698 }, { 0, 2, 1077, 1336, 1080 },
};

/* The triangle of the worked example of file 30: 4x4 pixels, w = 1, 2, 4; texcoord0 of TEX-91. */
static void perspective(struct machine *m, uint32_t type, bool reversed)
{
    machine_reset(m);
    load_lod_meter(m, TEXTURE_ADDRESS);
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(2, -2, -0.5f, 2),
                                 probe_vertex_at(-4, 4, -3, 4) };
    static const float coordinates[3][3] = { { 0, 0.5f, 1 }, { 1, 0.5f, 2 }, { 0, 0.75f, -0.5f } };
    for (uint32_t i = 0; i < 3u; i++) {
        v[i].texcoord0[0] = coordinates[i][0];
        v[i].texcoord0[1] = coordinates[i][1];
        v[i].texcoord0_w = coordinates[i][2];
    }
    if (reversed) { /* CUL-04 exchanges them again: A > 0 */
        const struct probe_vertex second = v[1];
        v[1] = v[2];
        v[2] = second;
    }
    struct list list = probe_list();
    list_write(&list, PICA_REG_VIEWPORT_WIDTH, float24(2.0));
    list_write(&list, PICA_REG_VIEWPORT_HEIGHT, float24(2.0));
    struct texture meter = lod_meter();
    meter.type = type;
    texture_bind(&list, &meter);
    for (uint32_t face = 1; face < 6u; face++)
        list_write(&list, PICA_REG_TEXUNIT0_ADDR1 + face, TEXTURE_ADDRESS >> 3);
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
    for (size_t i = 0; i < sizeof perspective_rows / sizeof perspective_rows[0]; i++) {
        const uint32_t lod = type == PICA_TEXTURE_TYPE_CUBE         ? perspective_rows[i].lod_cube
                             : type == PICA_TEXTURE_TYPE_PROJECTION ? perspective_rows[i].lod_projection
                                                                    : perspective_rows[i].lod_2d;
        machine_case(m, "type %u, pixel %u,%u", (unsigned)type, (unsigned)perspective_rows[i].x,
                     (unsigned)perspective_rows[i].y);
        EXPECT_EQ(m, "MIP-15, TEX-91, TEX-09", probe_pixel(m, perspective_rows[i].x, perspective_rows[i].y),
                  lod_meter_pixel(lod));
    }
}

EACH_MACHINE(texture, MIP_15_derivatives_come_from_the_planes_of_the_triangle)
{
    perspective(m, PICA_TEXTURE_TYPE_2D, false);
    perspective(m, PICA_TEXTURE_TYPE_2D, true);
}

EACH_MACHINE(texture, MIP_04_the_derivative_of_a_projection_follows_the_quotient)
{
    perspective(m, PICA_TEXTURE_TYPE_PROJECTION, false);
    perspective(m, PICA_TEXTURE_TYPE_PROJECTION, true);
}

EACH_MACHINE(texture, CUB_05_the_derivative_of_a_cube_map_on_its_face)
{
    perspective(m, PICA_TEXTURE_TYPE_CUBE, false);
    perspective(m, PICA_TEXTURE_TYPE_CUBE, true);
}

EACH_MACHINE(texture, MIP_03_neighbouring_fragments_do_not_matter)
{
    /* Two dots side by side with different u and no derivatives of their own: a quad difference would see a step. */
    load_lod_meter(m, TEXTURE_ADDRESS);
    struct dots dots = dots_at(0.0f, 0.0f);
    dots_add_texcoord(&dots, 0.75f, 0.25f);
    const struct texture meter = lod_meter();
    texture_dots(m, &meter, &dots);
    EXPECT_EQ(m, "MIP-03", dot_pixel(m, 0), lod_meter_pixel(0));
    EXPECT_EQ(m, "MIP-03", dot_pixel(m, 1), lod_meter_pixel(0));
}

EACH_MACHINE(texture, MIP_04_each_unit_uses_its_own_coordinates)
{
    /* Each unit takes the derivatives of its own coordinates; bit 13 of 0x080 gives unit 2 those of unit 1. */
    for (uint32_t unit = 0; unit < 4u; unit++)
        for (uint32_t which = 0; which < 3u; which++) {
            const bool shared = unit == 3u;
            const uint32_t coordinate = shared ? 1 : unit;
            machine_row(m, "unit %u%s, texcoord%u", (unsigned)(shared ? 2u : unit), shared ? " with bit 13" : "",
                        (unsigned)which);
            load_lod_meter(m, TEXTURE_ADDRESS);
            struct dots dots = { .count = 0 };
            dot_derivative(dots_add(&dots), which, 0, 0, 8.0f / 64, 0);
            struct texture meter = lod_meter();
            meter.unit = shared ? 2 : unit;
            struct list list = probe_list();
            texture_bind(&list, &meter);
            list_write(&list, PICA_REG_TEXUNIT_CONFIG, 1u << meter.unit | (shared ? 0x2000u : 0u));
            dots_draw(m, &list, &dots);
            EXPECT_EQ(m, "MIP-04, TEX-12", dot_pixel(m, 0), lod_meter_pixel(coordinate == which ? 768 : 0));
        }
}

/* ------------------------------------------------------------------------------- filter choice, levels (MIP-08..10) */

EACH_MACHINE(texture, MIP_08_the_filter_is_chosen_before_the_levels_are_clamped)
{
    /* I8 8x8: columns 0 and 200 alternate; S = 0.25 is the edge of texels 1 and 2: nearest 0, linear 100. */
    static const struct {
        float u_x; /* rho = 8 * u_x */
        int32_t bias;
        uint32_t mag, min, value;
    } rows[] = {
        { 0.125f, 0, 0, 1, 0 },    { 0.125f, 0, 1, 0, 100 }, /* lodb = 0: magnification */
        { 0.125f, 1, 0, 1, 100 },  { 0.125f, 1, 1, 0, 0 },   /* lodb = 1: minification, though max level is 0 */
        { 0.25f, 0, 0, 1, 100 },   { 0.25f, -256, 0, 1, 0 },    { 0.25f, -255, 0, 1, 100 },
        { 0.0f, 4095, 1, 0, 100 }, { 0.0625f, 257, 0, 1, 100 }, { 0.0625f, 256, 0, 1, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        for (uint32_t n = 0; n < 64u; n++)
            texel_put(m, TEXTURE_ADDRESS, n, 1, n % 2u * 200u); /* bit 0 of the Morton number is x0 */
        struct dots dots = { .count = 0 };
        struct probe_vertex *const v = dots_add(&dots);
        probe_texcoord(v, 3, 0.25f, 0.5f);
        dot_derivative(v, 0, rows[i].u_x, 0, 0, 0);
        texture_dots(m,
                     &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8,
                                        .width = 8,
                                        .height = 8,
                                        .mag = rows[i].mag,
                                        .min = rows[i].min,
                                        .bias = rows[i].bias },
                     &dots);
        EXPECT_DOT(m, "MIP-08", 0, rows[i].value, rows[i].value, rows[i].value, 255);
    }
}

EACH_MACHINE(texture, MIP_09_the_maximum_level_wins_over_the_minimum)
{
    static const struct {
        float rho;
        uint32_t min, max, lodc;
    } rows[] = {
        { 1, 0, 6, 0 },     { 1, 2, 6, 512 },    { 8, 2, 6, 768 },    { 8, 0, 2, 512 },
        { 8, 4, 2, 512 }, /* max wins */
        { 1, 15, 6, 1536 }, { 1, 15, 15, 1536 }, { 64, 0, 15, 1536 }, { 0.5f, 0, 6, 0 },
        { 64, 0, 0, 0 },    { 1, 3, 0, 0 },      { 6, 2, 3, 640 },    { 1, 8, 6, 1536 },
        { 64, 0, 8, 1536 }, { 8, 9, 10, 1536 },  { 16, 0, 9, 1024 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "row %u", (unsigned)i);
        load_lod_meter(m, TEXTURE_ADDRESS);
        struct dots dots = { .count = 0 };
        dot_derivative(dots_add(&dots), 0, rows[i].rho / 64.0f, 0, 0, 0);
        struct texture meter = lod_meter();
        meter.min_level = rows[i].min;
        meter.max_level = rows[i].max;
        texture_dots(m, &meter, &dots);
        EXPECT_EQ(m, "MIP-09, MIP-02", dot_pixel(m, 0), lod_meter_pixel(rows[i].lodc));
    }
}

EACH_MACHINE(texture, MIP_10_the_nearest_level_rounds_half_up)
{
    /* (lodc + 128) >> 8 */
    static const struct lod_row rows[] = {
        { 1.0f / 64, 0, 0, 0, 127, 0 },     { 1.0f / 64, 0, 0, 0, 128, 256 },   { 1.0f / 64, 0, 0, 0, 383, 256 },
        { 1.0f / 64, 0, 0, 0, 384, 512 },   { 1.0f / 64, 0, 0, 0, 1407, 1280 }, { 1.0f / 64, 0, 0, 0, 1408, 1536 },
        { 1.0f / 64, 0, 0, 0, 4095, 1536 }, { 3.0f / 64, 0, 0, 0, -256, 256 }, /* MIP-14: 128 -> level 1 */
    };
    struct texture meter = lod_meter();
    meter.mip = 0;
    check_lods(m, "MIP-10", rows, sizeof rows / sizeof rows[0], &meter);
}
