/* TEX-26 to TEX-29 and WRP-00 to WRP-10: from coordinates to texels. */
#include "tests/conformance/fragment_probe.h"

/* HILO8: R = column, G = memory row (TEX-23), for images up to 16x16. Border (17, 34, 51, 68). */
static const struct texture grid = {
    .format = PICA_TEXTURE_FORMAT_HILO8, .width = 8, .height = 8, .border = 0x44332211
};

static void load_grid(struct machine *m, uint32_t width, uint32_t height)
{
    for (uint32_t row = 0; row < height; row++)
        for (uint32_t col = 0; col < width; col++)
            texel_put(m, TEXTURE_ADDRESS, texel_number(col, row, width), 2, col << 8 | row);
}

enum {
    BORDER = 99
};

/* --------------------------------------------------------------------------------------------------- the wrap modes */

enum {
    WRAP_INDICES = 16
};

static const int32_t wrap_indices[WRAP_INDICES] = { -4096, -17, -16, -9, -8, -2, -1, 0, 3, 7, 8, 9, 15, 16, 17, 4097 };
static const uint8_t wrapped[8][WRAP_INDICES] = {
    { 0, 0, 0, 0, 0, 0, 0, 0, 3, 7, 7, 7, 7, 7, 7, 7 },                                                /* WRP-00 */
    { BORDER, BORDER, BORDER, BORDER, BORDER, BORDER, BORDER, 0, 3, 7, BORDER, BORDER, BORDER, BORDER, /* WRP-01 */
      BORDER, BORDER },
    { 0, 7, 0, 7, 0, 6, 7, 0, 3, 7, 0, 1, 7, 0, 1, 1 },                               /* WRP-02 */
    { 0, 0, 0, 7, 7, 1, 0, 0, 3, 7, 7, 6, 0, 0, 1, 1 },                               /* WRP-03 */
    { 0, 7, 0, 7, 0, 6, 7, 0, 3, 7, 7, 7, 7, 7, 7, 7 },                               /* WRP-04 */
    { 0, 7, 0, 7, 0, 6, 7, 0, 3, 7, BORDER, BORDER, BORDER, BORDER, BORDER, BORDER }, /* WRP-05 */
    { 0, 7, 0, 7, 0, 6, 7, 0, 3, 7, 0, 1, 7, 0, 1, 1 },                               /* WRP-06 */
    { 0, 7, 0, 7, 0, 6, 7, 0, 3, 7, 0, 1, 7, 0, 1, 1 },                               /* WRP-06 */
};
static const char *const wrap_rules[8] = { "WRP-00", "WRP-01", "WRP-02", "WRP-03",
                                           "WRP-04", "WRP-05", "WRP-06", "WRP-06" };

static void check_wrapped(struct machine *m, const char *rule, uint32_t dot, uint32_t col, uint32_t t)
{
    if (col == BORDER || t == BORDER)
        EXPECT_DOT(m, rule, dot, 17, 34, 51, 68);
    else
        EXPECT_DOT(m, rule, dot, col, 7u - t, 0, 255);
}

/* The other direction stays at index 2 with a mode of its own: the fields must not be exchanged. */
static void wrap_modes(struct machine *m, bool vertical)
{
    for (uint32_t mode = 0; mode < 8u; mode++)
        for (uint32_t other = 0; other < 4u; other++) {
            machine_reset(m);
            load_grid(m, 8, 8);
            struct dots dots = { .count = 0 };
            for (uint32_t i = 0; i < WRAP_INDICES; i++) {
                const float c = ((float)wrap_indices[i] + 0.5f) / 8.0f;
                dots_add_texcoord(&dots, vertical ? 2.5f / 8.0f : c, vertical ? c : 2.5f / 8.0f);
            }
            struct texture texture = grid;
            texture.wrap_s = vertical ? other : mode;
            texture.wrap_t = vertical ? mode : other;
            texture_dots(m, &texture, &dots);
            for (uint32_t i = 0; i < WRAP_INDICES; i++) {
                machine_case(m, "mode %u in %c, index %d", (unsigned)mode, vertical ? 't' : 's', (int)wrap_indices[i]);
                check_wrapped(m, wrap_rules[mode], i, vertical ? 2 : wrapped[mode][i], vertical ? wrapped[mode][i] : 2);
            }
            if (mode >= 4u)
                EXPECT_ONLY_EVENTS(m, "WRP-07", PICA_EVENT_WRAP_4_7);
            else
                EXPECT_NO_EVENTS(m, "WRP-07");
        }
}

/* WRP-10: the examples are columns of the table. */
EACH_MACHINE(texture, WRP_00_to_WRP_06_in_s)
{
    wrap_modes(m, false);
}

EACH_MACHINE(texture, WRP_00_to_WRP_06_in_t)
{
    wrap_modes(m, true);
}

EACH_MACHINE(texture, WRP_08_the_remainder_is_that_of_the_32_bit_pattern)
{
    /* 2^32 mod 12 = 4, mod 24 = 16; mod 3 = 1, mod 6 = 4. */
    static const struct {
        uint32_t size, mode;
        int32_t index;
        uint32_t expected;
    } rows[] = {
        { 12, 2, -1, 3 },  { 12, 2, -5, 11 }, { 12, 2, -13, 3 }, { 12, 2, 12, 0 },      { 12, 2, 25, 1 },
        { 12, 3, -1, 8 },  { 12, 3, -5, 11 }, { 12, 3, -13, 3 }, { 12, 3, 12, 11 },     { 12, 3, 24, 0 },
        { 12, 4, -1, 3 },  { 12, 4, 12, 11 }, { 12, 5, -5, 11 }, { 12, 5, 12, BORDER }, { 12, 6, -1, 3 },
        { 12, 7, -13, 3 }, { 12, 0, -13, 0 }, { 12, 0, 13, 11 }, { 12, 1, -1, BORDER }, { 12, 1, 11, 11 },
        { 3, 2, -1, 0 },   { 3, 2, -2, 2 },   { 3, 2, -4, 0 },   { 3, 3, -1, 2 },       { 3, 3, -2, 2 },
        { 3, 3, -4, 0 },   { 1, 2, -7, 0 },   { 1, 3, 5, 0 },    { 1, 1, 1, BORDER },   { 1, 4, 3, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "size %u, mode %u, index %d", (unsigned)rows[i].size, (unsigned)rows[i].mode,
                    (int)rows[i].index);
        /* One row of tiles 8 high, TEX-22 with pitch size >> 3. */
        for (uint32_t col = 0; col < rows[i].size; col++)
            texel_put(m, TEXTURE_ADDRESS, texel_number(col, 7, rows[i].size), 2, col << 8);
        struct dots dots = dots_at(((float)rows[i].index + 0.5f) / (float)rows[i].size, 0.0f);
        struct texture texture = grid;
        texture.width = rows[i].size;
        texture.wrap_s = rows[i].mode;
        texture_dots(m, &texture, &dots);
        if (rows[i].expected == BORDER)
            EXPECT_DOT(m, "WRP-08", 0, 17, 34, 51, 68);
        else
            EXPECT_DOT(m, "WRP-08", 0, rows[i].expected, 0, 0, 255);
        EXPECT_EVENT(m, "WRP-08", PICA_EVENT_TEX_DIM_ILLEGAL);
    }
}

EACH_MACHINE(texture, WRP_09_each_of_the_four_texels_is_border_or_not)
{
    /* I8, all texels 200; border (17, 34, 51, 68). Linear: half the weight outside at S = 0 and S = 1. */
    static const struct {
        float s, t;
        uint32_t rgba;
    } rows[] = {
        { 0.0f, 0.5625f, 0x6D757EA2 }, /* (17+200)/2 = 108.5 -> 109, 117, 125.5 -> 126, (68+255)/2 = 161.5 -> 162 */
        { 1.0f, 0.5625f, 0x6D757EA2 },     { 0.5625f, 0.0f, 0x6D757EA2 },    { 0.5625f, 1.0f, 0x6D757EA2 },
        { 0.0625f, 0.0625f, 0xC8C8C8FF }, /* the centre of texel 0: weight 0 outside */
        { 0.0f, 0.0f, 0x3F4C5873 },       /* a quarter: (51+200)/4 = 62.75, 75.5 -> 76, 88.25, (204+255)/4 = 114.75 */
        { -0.0625f, 0.5625f, 0x11223344 }, { 1.0625f, 0.5625f, 0x11223344 }, { 0.5f, 0.5f, 0xC8C8C8FF },
    };
    load_pattern(m, TEXTURE_ADDRESS, 64, 0, 200);
    struct dots dots = { .count = 0 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        dots_add_texcoord(&dots, rows[i].s, rows[i].t);
    struct texture texture = grid;
    texture.format = PICA_TEXTURE_FORMAT_I8;
    texture.wrap_s = texture.wrap_t = PICA_TEXTURE_WRAP_CLAMP_TO_BORDER;
    texture.mag = 1;
    texture_dots(m, &texture, &dots);
    for (uint32_t i = 0; i < dots.count; i++) {
        machine_case(m, "row %u", (unsigned)i);
        EXPECT_EQ(m, "WRP-09", dot_pixel(m, i), rows[i].rgba);
    }
}

/* -------------------------------------------------------------------------------------- projection (TEX-26, TEX-03) */

EACH_MACHINE(texture, TEX_26_projection_divides_by_the_third_coordinate)
{
    const float inf = f32_from_bits(0x7F800000), nan = f32_from_bits(0x7FC00000);
    /* Clamp to edge, 8x8: column = floor(8 * u / w). */
    const struct {
        float u, v, w;
        uint32_t col, t;
    } rows[] = {
        { 0.75f, 0.25f, 2.0f, 3, 1 },    { 0.75f, 0.25f, 1.0f, 6, 2 },  { 3.5f, 1.5f, 4.0f, 7, 3 },
        { -0.75f, -0.25f, -2.0f, 3, 1 }, { 0.75f, 0.25f, -2.0f, 0, 0 }, { 1.0f, 1.0f, 0.0f, 7, 7 },
        { 1.0f, 1.0f, -0.0f, 0, 0 },     { -1.0f, 1.0f, -0.0f, 7, 0 },  { -1.0f, 1.0f, 0.0f, 0, 7 },
        { 0.0f, 1.0f, 0.0f, 0, 7 },      { 1.0f, 0.0f, inf, 0, 0 },     { inf, 1.0f, inf, 0, 0 },
        { inf, -inf, 2.0f, 7, 0 },       { 1.0f, 1.0f, nan, 0, 0 },     { 0.125f, 3.0f, 0.25f, 4, 7 },
        { 1.0f, 2.0f, 3.0f, 2, 5 },
    };
    load_grid(m, 8, 8);
    struct dots dots = { .count = 0 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        dots_add_texcoord3(&dots, rows[i].u, rows[i].v, rows[i].w);
    struct texture texture = grid;
    texture.type = PICA_TEXTURE_TYPE_PROJECTION;
    texture_dots(m, &texture, &dots);
    for (uint32_t i = 0; i < dots.count; i++) {
        machine_case(m, "(%g, %g) / %g", (double)rows[i].u, (double)rows[i].v, (double)rows[i].w);
        check_wrapped(m, "TEX-26, TEX-03", i, rows[i].col, rows[i].t);
    }
}

EACH_MACHINE(texture, TEX_26_the_third_coordinate_does_not_matter_in_2D)
{
    load_grid(m, 8, 8);
    struct dots dots = dots_at3(0.75f, 0.25f, 2.0f);
    texture_dots(m, &grid, &dots);
    check_wrapped(m, "TEX-26", 0, 6, 2);
}

/* --------------------------------------------------------------------------------------------- floor (TEX-27, 29) */

struct floor_row {
    uint32_t size;
    uint32_t s_bits;
    uint32_t col; /* repeat */
};

/* The denormals also need TEX-01: nothing is flushed to zero. */
EACH_MACHINE(texture, TEX_27_coordinates_round_toward_minus_infinity)
{
    static const struct floor_row rows[] = {
        { 16, 0x3E99999A, 4 },                        /* TEX-29: 0.3: U 1228 */
        { 16, 0xBC23D70A, 15 },                       /* -0.01: U -41, i -1 */
        { 8, 0x3F800000, 0 },                         /* 1.0: U 2048, i 8 */
        { 8, 0x3F7FFFFF, 7 },                         /* just below: U 2047 */
        { 8, 0x3DFFFFFF, 0 },                         /* just below 1/8: 255.99998 */
        { 8, 0x3E000000, 1 },   { 8, 0x80000000, 0 }, /* -0 */
        { 8, 0x80000001, 7 },                         /* the smallest negative number: U -1 */
        { 8, 0x00000001, 0 },   { 8, 0xBE000000, 7 }, /* -1/8: U -256, i -1 */
        { 8, 0xBE000001, 6 },   { 8, 0xBF800000, 0 }, /* -1: i -8 */
        { 12, 0x3ED55555, 5 },                        /* S * 12 rounds up to 5 before the factor 256 */
        { 12, 0x3ED55554, 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "S %08X, size %u", (unsigned)rows[i].s_bits, (unsigned)rows[i].size);
        load_grid(m, rows[i].size, 8);
        struct dots dots = dots_at(f32_from_bits(rows[i].s_bits), 0.0f);
        struct texture texture = grid;
        texture.width = rows[i].size;
        texture.wrap_s = PICA_TEXTURE_WRAP_REPEAT;
        texture_dots(m, &texture, &dots);
        EXPECT_DOT(m, "TEX-27, TEX-29", 0, rows[i].col, 7, 0, 255);
    }
}

/* -------------------------------------------------------------------------------------------------- range (TEX-28) */

struct range_row {
    uint32_t s_bits, t_bits;
    bool fires;
};

/* 8x8: S * 8 * 256 reaches 2^30 at S = 2^19 = 0x49000000. */
static const struct range_row range_rows[] = {
    { 0x3F000000, 0x3F000000, false }, { 0x49000000, 0x00000000, true },  { 0x48FFFFFF, 0x00000000, false },
    { 0xC9000000, 0x00000000, true },  { 0xC8FFFFFF, 0x00000000, false }, { 0x00000000, 0x49000000, true },
    { 0x00000000, 0x48FFFFFF, false }, { 0x00000000, 0xC9000000, true },  { 0x7F800000, 0x00000000, true },
    { 0xFF800000, 0x00000000, true },  { 0x7FC00000, 0x00000000, true },  { 0x00000000, 0xFFC00000, true },
};

EACH_MACHINE(texture, TEX_28_coordinates_out_of_range_are_recorded_when_the_unit_is_used)
{
    for (size_t i = 0; i < sizeof range_rows / sizeof range_rows[0]; i++)
        for (uint32_t unused = 0; unused < 2u; unused++) {
            machine_row(m, "S %08X, T %08X%s", (unsigned)range_rows[i].s_bits, (unsigned)range_rows[i].t_bits,
                        unused ? ", unit not used" : "");
            load_grid(m, 8, 8);
            struct dots dots = dots_at(f32_from_bits(range_rows[i].s_bits), f32_from_bits(range_rows[i].t_bits));
            struct list list = probe_list();
            texture_bind(&list, &grid);
            if (unused)
                probe_source(&list, PICA_TEV_SOURCE_PRIMARY_COLOR);
            dots_draw(m, &list, &dots);
            cr_expect(machine_event_is(m, "TEX-28", PICA_EVENT_TEXCOORD_RANGE, range_rows[i].fires && !unused), "%s",
                      m->message);
        }
}

EACH_MACHINE(texture, TEX_28_the_range_is_that_of_the_sampled_levels)
{
    /* 64x64, S = 2^k: S * W * 256 reaches 2^30 for 64, 32, 16, 8 texels at k = 16, 17, 18, 19. */
    static const struct {
        const char *label;
        float s;
        uint32_t type, level, mip;
        uint32_t max_level;
        bool fires;
    } rows[] = {
        { "level 0", 65536.0f, 0, 0, 0, 0, true },         { "level 0, below", 65535.996f, 0, 0, 0, 0, false },
        { "level 3 alone", 131072.0f, 0, 3, 0, 3, false }, { "level 3", 524288.0f, 0, 3, 0, 3, true },
        { "levels 2 and 3", 262144.0f, 0, 2, 1, 3, true }, { "level 3, mip linear", 262144.0f, 0, 3, 1, 3, false },
        { "disabled type", 65536.0f, 5, 0, 0, 0, false },  { "projection by w = 1", 65536.0f, 3, 0, 0, 0, true },
        { "cube: S = 0", 65536.0f, 1, 0, 0, 0, false },    { "shadow by w = 1", 65536.0f, 2, 0, 0, 0, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].label);
        struct dots dots = dots_at3(rows[i].s, 0.0f, 1.0f);
        struct texture texture = { .type = rows[i].type, .width = 64, .height = 64 };
        texture.min_level = rows[i].level;
        texture.max_level = rows[i].max_level;
        texture.mip = rows[i].mip;
        texture_dots(m, &texture, &dots);
        cr_expect(machine_event_is(m, "TEX-28", PICA_EVENT_TEXCOORD_RANGE, rows[i].fires), "%s", m->message);
    }
}

EACH_MACHINE(texture, TEX_28_the_range_is_that_of_S_and_T)
{
    /* Projection and cube coordinates may be NaN or infinite though u, v, w are not. */
    static const struct {
        float u, v, w;
        uint32_t type;
        bool fires;
    } rows[] = {
        { 0, 0, 0, 3, true },     { 1, 1, 0, 3, true },  { 0, 0, 1, 3, false }, { 0, 0, 0, 1, true },
        { 1, 0, 0, 1, false },    { 0, 0, 0, 2, true },  { 0, 0, 0, 4, true },  { 0, 0, -1, 4, false },
        { 1, 1, 1e-8f, 3, true }, { 0, 0, 0, 0, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "(%g, %g, %g), type %u", (double)rows[i].u, (double)rows[i].v, (double)rows[i].w,
                    (unsigned)rows[i].type);
        struct dots dots = dots_at3(rows[i].u, rows[i].v, rows[i].w);
        texture_dots(m, &(struct texture){ .type = rows[i].type, .width = 64, .height = 64 }, &dots);
        cr_expect(machine_event_is(m, "TEX-28", PICA_EVENT_TEXCOORD_RANGE, rows[i].fires), "%s", m->message);
    }
}
