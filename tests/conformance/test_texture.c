/*
 * TEX-08 to TEX-20: interface, unit configuration, early results. Read through dots (fragment_probe.h). TEX-90: the
 * knobs for comparisons with emulators are off by default; every expectation of these tests is without them.
 */
#include "tests/conformance/fragment_probe.h"

/* An 8x8 I8 image whose texel number n has the value 100 + n: (s, t) gives 100 + MORTON(s, 7 - t). */
static const struct texture numbered = {
    .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8, .wrap_s = 2, .wrap_t = 2
};

static void load_numbered(struct machine *m)
{
    load_pattern(m, TEXTURE_ADDRESS, 64, 1, 100);
}

/* Texel (0,0) of the row order TEX-21: t = 0 is the last row, MORTON(0,7) = 42. */
enum {
    AT_00 = 142, /* s = 0, t = 0 */
    AT_70 = 163, /* s = 7, t = 0 */
    AT_07 = 100, /* s = 0, t = 7 */
    AT_77 = 121  /* s = 7, t = 7 */
};

/* --------------------------------------------------------------------------------------------- coordinates (TEX-08) */

struct coordinate_row {
    float u, v;
    uint32_t repeat, edge; /* expected value under both wrap modes */
};

/*
 * TEX-02: SAT gives its lower end for NaN, here -2^30. TEX-01, TEX-05: the products round once, shifts are arithmetic.
 */
EACH_MACHINE(texture, TEX_08_coordinates_may_be_infinite_or_nan)
{
    const float inf = f32_from_bits(0x7F800000), nan = f32_from_bits(0x7FC00000);
    const struct coordinate_row rows[] = {
        { 0.0f, 0.0f, AT_00, AT_00 },    { nan, 0.0f, AT_00, AT_00 },    { 0.0f, nan, AT_00, AT_00 },
        { inf, 0.0f, AT_00, AT_70 },     { -inf, 0.0f, AT_00, AT_00 },   { 0.0f, inf, AT_00, AT_07 },
        { 0.0f, -inf, AT_00, AT_00 },    { inf, inf, AT_00, AT_77 },     { 1e30f, 1e30f, AT_00, AT_77 },
        { -1e30f, 1e30f, AT_00, AT_07 }, { 3.4e38f, nan, AT_00, AT_70 }, { 0.875f, -0.125f, AT_77, AT_70 },
    };
    for (uint32_t edge = 0; edge < 2u; edge++) {
        struct dots dots = { .count = 0 };
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            dots_add_texcoord(&dots, rows[i].u, rows[i].v);
        struct texture texture = numbered;
        texture.wrap_s = texture.wrap_t = edge ? 0u : 2u;
        machine_reset(m);
        load_numbered(m);
        texture_dots(m, &texture, &dots);
        for (uint32_t i = 0; i < dots.count; i++) {
            const uint32_t value = edge ? rows[i].edge : rows[i].repeat;
            machine_case(m, "row %u, wrap %u", (unsigned)i, (unsigned)texture.wrap_s);
            EXPECT_DOT(m, "TEX-08, TEX-28", i, value, value, value, 255);
        }
    }
}

/* ---------------------------------------------------------------------------------------- 0x080 (TEX-11 to TEX-14) */

EACH_MACHINE(texture, TEX_11_the_other_bits_of_080_change_nothing)
{
    /* All bits but 0-2, 8-10, 13; bit 16 is TEX-14. */
    static const uint32_t words[] = { 0x00000001, 0xFFFED8F9, 0x00010001, 0x00001801, 0xFFFFD8F9, 0x80000009 };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        machine_row(m, "0x080 = %08X", (unsigned)words[i]);
        load_numbered(m);
        struct dots dots = dots_at(0.0f, 0.9375f);
        struct list list = probe_list();
        texture_bind(&list, &numbered);
        list_write(&list, PICA_REG_TEXUNIT_CONFIG, words[i]);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "TEX-11", 0, AT_07, AT_07, AT_07, 255);
        EXPECT_EQ(m, "TEX-11", machine_register(m, PICA_REG_TEXUNIT_CONFIG), words[i]);
        EXPECT_NO_EVENTS(m, "TEX-11");
    }
}

EACH_MACHINE(texture, TEX_11_bits_0_to_2_enable_units_0_to_2)
{
    for (uint32_t unit = 0; unit < 3u; unit++)
        for (uint32_t enables = 0; enables < 8u; enables++) {
            machine_row(m, "unit %u, 0x080 = %u", (unsigned)unit, (unsigned)enables);
            load_numbered(m);
            struct dots dots = dots_one();
            struct list list = probe_list();
            for (uint32_t k = 0; k < 3u; k++) {
                struct texture texture = numbered;
                texture.unit = k;
                texture_bind(&list, &texture);
            }
            probe_source(&list, PICA_TEV_SOURCE_TEXTURE0 + unit);
            list_write(&list, PICA_REG_TEXUNIT_CONFIG, enables);
            dots_draw(m, &list, &dots);
            if (enables >> unit & 1u)
                EXPECT_DOT(m, "TEX-11", 0, AT_00, AT_00, AT_00, 255);
            else
                EXPECT_DOT(m, "TEX-16 row 1", 0, 0, 0, 0, 0);
        }
}

/* Unit 3 with pulse clamp: colour entry 0 if u <= 0.5, else entry 1 (PTX-11). */
static void bind_pulse(struct list *list, uint32_t config)
{
    const uint32_t map[128] = { [127] = 0xFFF };
    const uint32_t colors[2] = { 0x0D0C0B0A, 0x1D1C1B1A };
    list_proctex_table(list, PICA_PROCTEX_TABLE_RGB_MAP, map, 128);
    list_proctex_table(list, PICA_PROCTEX_TABLE_COLOR, colors, 2);
    list_write(list, PICA_REG_TEXUNIT3_PROCTEX0, 4u | 4u << 3);
    list_write(list, PICA_REG_TEXUNIT3_PROCTEX4, 2u << 11);
    list_write(list, PICA_REG_TEXUNIT_CONFIG, 1u << 10 | config);
    probe_source(list, PICA_TEV_SOURCE_TEXTURE3);
}

static struct probe_vertex *three_coordinates(struct dots *dots, float u0, float u1, float u2)
{
    struct probe_vertex *const v = dots_add(dots);
    for (uint32_t i = 0; i < 3u; i++) {
        v[i].texcoord0[0] = u0;
        v[i].texcoord1[0] = u1;
        v[i].texcoord2[0] = u2;
        v[i].texcoord0[1] = v[i].texcoord1[1] = v[i].texcoord2[1] = 0.0625f;
    }
    return v;
}

EACH_MACHINE(texture, TEX_12_bit_13_gives_unit_2_the_coordinates_of_unit_1)
{
    static const struct {
        uint32_t unit, config, value;
    } rows[] = {
        { 0, 0x0000, 143 },                     /* u0 = 1/8: MORTON(1,7) = 43 */
        { 0, 0x2000, 143 }, { 1, 0x0000, 146 }, /* u1 = 2/8: MORTON(2,7) = 46 */
        { 1, 0x2000, 146 }, { 2, 0x0000, 158 }, /* u2 = 4/8: MORTON(4,7) = 58 */
        { 2, 0x2000, 146 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "unit %u, 0x080 bits %04X", (unsigned)rows[i].unit, (unsigned)rows[i].config);
        load_numbered(m);
        struct dots dots = { .count = 0 };
        (void)three_coordinates(&dots, 0.125f, 0.25f, 0.5f);
        struct list list = probe_list();
        struct texture texture = numbered;
        texture.unit = rows[i].unit;
        texture_bind(&list, &texture);
        list_write(&list, PICA_REG_TEXUNIT_CONFIG, 1u << rows[i].unit | rows[i].config);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "TEX-12", 0, rows[i].value, rows[i].value, rows[i].value, 255);
        EXPECT_NO_EVENTS(m, "TEX-12");
    }
}

EACH_MACHINE(texture, TEX_13_bits_8_and_9_choose_the_coordinates_of_unit_3)
{
    /* u > 0.5 in exactly one texture coordinate k = 0, 1, 2; selector 3 is texcoord0. */
    for (uint32_t selector = 0; selector < 4u; selector++) {
        machine_reset(m);
        struct dots dots = { .count = 0 };
        for (uint32_t k = 0; k < 3u; k++)
            (void)three_coordinates(&dots, k == 0u ? 0.75f : 0.25f, k == 1u ? 0.75f : 0.25f, k == 2u ? 0.75f : 0.25f);
        struct list list = probe_list();
        bind_pulse(&list, selector << 8);
        dots_draw(m, &list, &dots);
        for (uint32_t k = 0; k < 3u; k++) {
            machine_case(m, "selector %u, texcoord%u", (unsigned)selector, (unsigned)k);
            if (k == selector % 3u)
                EXPECT_DOT(m, "TEX-13", k, 0x1A, 0x1B, 0x1C, 0x1D);
            else
                EXPECT_DOT(m, "TEX-13", k, 0x0A, 0x0B, 0x0C, 0x0D);
        }
        if (selector == 3u)
            EXPECT_ONLY_EVENTS(m, "TEX-13", PICA_EVENT_PROCTEX_COORD_3);
        else
            EXPECT_NO_EVENTS(m, "TEX-13");
    }
}

EACH_MACHINE(texture, TEX_14_changed_texels_are_seen_without_clearing_a_cache)
{
    load_numbered(m);
    struct dots dots = dots_one();
    texture_dots(m, &numbered, &dots);
    EXPECT_DOT(m, "TEX-14", 0, AT_00, AT_00, AT_00, 255);
    load_pattern(m, TEXTURE_ADDRESS, 64, 1, 7); /* texel 42 is now 49; bit 16 of 0x080 is not set in between */
    texture_dots(m, &numbered, &dots);
    EXPECT_DOT(m, "TEX-14", 0, 49, 49, 49, 255);
}

/* ---------------------------------------------------------------------------------------------- parameters (TEX-15) */

EACH_MACHINE(texture, TEX_15_hints_and_undocumented_bits_are_ignored)
{
    for (uint32_t unit = 0; unit < 3u; unit++) {
        /* Documented: 1, 2, 8-10, 12-14, 24 and, on unit 0, 28-30. */
        const uint32_t noise = unit == 0u ? 0x8EFF88F9u : 0xFEFF88F9u;
        machine_row(m, "unit %u", (unsigned)unit);
        load_numbered(m);
        struct dots dots = dots_at3(0.9375f, 0.9375f, 2.0f);
        struct list list = probe_list();
        struct texture texture = numbered;
        texture.unit = unit;
        texture_bind(&list, &texture);
        list_write(&list, pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM), texture_param(&texture) | noise);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "TEX-15", 0, AT_77, AT_77, AT_77, 255);
        EXPECT_NO_EVENTS(m, "TEX-15");
    }
}

EACH_MACHINE(texture, TEX_15_units_1_and_2_ignore_the_type)
{
    for (uint32_t unit = 1; unit < 3u; unit++)
        for (uint32_t type = 0; type < 8u; type++) {
            machine_row(m, "unit %u, type %u", (unsigned)unit, (unsigned)type);
            load_numbered(m);
            struct dots dots = dots_at3(0.9375f, 0.0625f, 4.0f);
            struct texture texture = numbered;
            texture.unit = unit;
            texture.type = type;
            texture_dots(m, &texture, &dots);
            EXPECT_DOT(m, "TEX-15", 0, AT_70, AT_70, AT_70, 255);
            EXPECT_NO_EVENTS(m, "TEX-15");
        }
}

EACH_MACHINE(texture, TEX_15_the_format_register_alone_decides_for_etc)
{
    for (uint32_t hint = 0; hint < 4u; hint++) {
        machine_row(m, "hint %u", (unsigned)hint);
        /* ETC-09: (2,255,2) where x < 2 */
        const uint32_t block[8] = { 0x00000000, 0x04FB0302, 0, 0x04FB0302, 0, 0x04FB0302, 0, 0x04FB0302 };
        machine_load_words(m, TEXTURE_ADDRESS, block, 8);
        struct dots dots = dots_one();
        struct list list = probe_list();
        struct texture texture = numbered;
        texture.format = PICA_TEXTURE_FORMAT_ETC1;
        texture_bind(&list, &texture);
        list_write(&list, PICA_REG_TEXUNIT0_PARAM, texture_param(&texture) | hint << 4);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "TEX-15", 0, 2, 255, 2, 255);
    }
}

/* ------------------------------------------------------------------------------------------- early results (TEX-16) */

struct early_row {
    const char *label;
    uint32_t unit, enabled, address_word, type, dim, format;
    uint32_t expected; /* rgba */
};

static const uint32_t ADDRESS_WORD = 0x20020000u >> 3; /* TEXTURE_ADDRESS */
static const uint32_t DIM_8X8 = 0x00080008u;

static const struct early_row early_rows[] = {
    { "live", 0, 1, ADDRESS_WORD, 0, DIM_8X8, 7, 0x64646464 },
    { "row 1: disabled", 0, 0, ADDRESS_WORD, 0, DIM_8X8, 7, 0x00000000 },
    { "row 1 before 2", 0, 0, 0, 0, DIM_8X8, 7, 0x00000000 },
    { "row 1 before 4", 1, 0, ADDRESS_WORD, 0, 0, 7, 0x00000000 },
    { "row 2: null", 0, 1, 0, 0, DIM_8X8, 7, 0x000000FF },
    { "row 2: null, unit 1", 1, 1, 0, 0, DIM_8X8, 7, 0x000000FF },
    { "row 2: null, unit 2", 2, 1, 0, 0, DIM_8X8, 7, 0x000000FF },
    { "row 2: only 28 bits count", 0, 1, 0xF0000000, 0, DIM_8X8, 7, 0x000000FF },
    { "row 2: null cube", 0, 1, 0, 1, DIM_8X8, 7, 0x000000FF },
    { "row 2: null shadow", 0, 1, 0, 2, DIM_8X8, 0, 0x000000FF },
    { "row 2: null shadow cube", 0, 1, 0, 4, DIM_8X8, 0, 0x000000FF },
    { "row 2 before 3", 0, 1, 0, 5, DIM_8X8, 7, 0x000000FF },
    { "row 2 before 5", 0, 1, 0, 0, DIM_8X8, 14, 0x000000FF },
    { "row 3: type 5", 0, 1, ADDRESS_WORD, 5, DIM_8X8, 7, 0x00000000 },
    { "row 3 before 4", 0, 1, ADDRESS_WORD, 5, 0x00080000, 7, 0x00000000 },
    { "row 3 only on unit 0", 1, 1, ADDRESS_WORD, 5, DIM_8X8, 7, 0x64646464 },
    { "row 4: height 0", 0, 1, ADDRESS_WORD, 0, 0x00080000, 7, 0x000000FF },
    { "row 4: width 0", 0, 1, ADDRESS_WORD, 0, 0x00000008, 7, 0x000000FF },
    { "row 4: both 0", 2, 1, ADDRESS_WORD, 0, 0, 7, 0x000000FF },
    { "row 4: only 11 bits count", 0, 1, ADDRESS_WORD, 0, 0xF800F800, 7, 0x000000FF },
    { "row 4 before 5", 0, 1, ADDRESS_WORD, 0, 0x00000008, 15, 0x000000FF },
    { "row 5: format 14", 0, 1, ADDRESS_WORD, 0, DIM_8X8, 14, 0x00000000 },
    { "row 5: format 15", 1, 1, ADDRESS_WORD, 0, DIM_8X8, 15, 0x00000000 },
    { "row 5: only 4 bits count", 0, 1, ADDRESS_WORD, 0, DIM_8X8, 0xFFFFFFF7, 0x64646464 },
};

EACH_MACHINE(texture, TEX_16_the_first_early_result_that_applies_decides)
{
    for (size_t i = 0; i < sizeof early_rows / sizeof early_rows[0]; i++) {
        const struct early_row *const row = &early_rows[i];
        machine_row(m, "%s", row->label);
        load_pattern(m, TEXTURE_ADDRESS, 256, 0, 0x64);
        struct dots dots = dots_at(2.0f, 2.0f); /* outside: a live unit gives the border colour */
        struct list list = probe_list();
        struct texture texture = numbered;
        texture.unit = row->unit;
        texture.type = row->type;
        texture.wrap_s = texture.wrap_t = PICA_TEXTURE_WRAP_CLAMP_TO_BORDER;
        texture.border = 0x64646464;
        texture_bind(&list, &texture);
        list_write(&list, row->unit == 0u ? PICA_REG_TEXUNIT0_ADDR1 : PICA_REG_TEXUNIT0_ADDR1 + 8u + 8u * row->unit,
                   row->address_word);
        list_write(&list, pica_reg_texunit(row->unit, PICA_REG_TEXUNIT0_DIM), row->dim);
        list_write(&list, pica_reg_texunit(row->unit, PICA_REG_TEXUNIT0_TYPE), row->format);
        list_write(&list, PICA_REG_TEXUNIT_CONFIG, row->enabled << row->unit);
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "TEX-16", dot_pixel(m, 0), row->expected);
    }
}

EACH_MACHINE(texture, TEX_17_types_6_and_7_are_2D)
{
    for (uint32_t type = 6; type < 8u; type++) {
        machine_row(m, "type %u", (unsigned)type);
        load_numbered(m);
        struct dots dots = dots_at3(0.9375f, 0.0625f, 4.0f); /* a projection would divide, a cube map choose face +Z */
        struct texture texture = numbered;
        texture.type = type;
        texture_dots(m, &texture, &dots);
        EXPECT_DOT(m, "TEX-17", 0, AT_70, AT_70, AT_70, 255);
        EXPECT_ONLY_EVENTS(m, "TEX-17", PICA_EVENT_TEX_TYPE_RESERVED);
    }
}

/* ------------------------------------------------------------------------------------ sizes, addresses (TEX-18, 19) */

EACH_MACHINE(texture, TEX_18_sizes_that_are_no_power_of_two_use_the_same_formulas)
{
    /* Byte o of memory is o; texel number by TEX-22 with tile pitch W >> 3, row = H - 1 - t. */
    static const struct {
        uint32_t width, height;
        uint32_t s, t, value;
    } rows[] = {
        { 12, 12, 0, 11, 0 },   { 12, 12, 8, 11, 64 }, /* col 8, row 0: tile 0 * 1 + 1 */
        { 12, 12, 0, 3, 64 },                          /* col 0, row 8: tile 1 * 1 + 0: the same byte */
        { 12, 12, 11, 0, 143 },                        /* col 11, row 11: tile 1 * 1 + 1, MORTON(3,3) = 15 */
        { 4, 4, 3, 0, 15 },                            /* MORTON(3,3) */
        { 1, 1, 0, 0, 0 },      { 4, 20, 1, 11, 1 },   /* pitch 0: row 8 is tile 0 again */
        { 20, 9, 17, 8, 129 },                         /* col 17, row 0: tile 2, MORTON(1,0) = 1 */
        { 20, 9, 3, 0, 133 },                          /* col 3, row 8: tile 1 * 2 + 0, MORTON(3,0) = 5 */
        { 9, 8, 8, 7, 64 },                            /* col 8, row 0: tile 1 */
        { 8, 9, 0, 0, 64 },                            /* row 8: tile 1 * 1 */
        { 3, 5, 2, 1, 14 },                            /* col 2, row 3: MORTON(2,3) = 14 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%ux%u, s %u, t %u", (unsigned)rows[i].width, (unsigned)rows[i].height, (unsigned)rows[i].s,
                    (unsigned)rows[i].t);
        load_pattern(m, TEXTURE_ADDRESS, 256, 1, 0);
        struct dots dots = dots_at(((float)rows[i].s + 0.5f) / (float)rows[i].width,
                                   ((float)rows[i].t + 0.5f) / (float)rows[i].height);
        struct texture texture = numbered;
        texture.width = rows[i].width;
        texture.height = rows[i].height;
        texture_dots(m, &texture, &dots);
        EXPECT_DOT(m, "TEX-18, TEX-22", 0, rows[i].value, rows[i].value, rows[i].value, 255);
        EXPECT_ONLY_EVENTS(m, "TEX-18", PICA_EVENT_TEX_DIM_ILLEGAL);
    }
}

EACH_MACHINE(texture, TEX_18_powers_of_two_from_8_to_1024_are_legal)
{
    for (uint32_t w = 8; w <= 1024u; w *= 2u)
        for (uint32_t h = 8; h <= 1024u; h *= 2u) {
            if (w * h > 0x20000u) /* what is left of the window, 4 bits a texel */
                continue;
            machine_row(m, "%ux%u", (unsigned)w, (unsigned)h);
            /* The last texel of the image: col w-1, row h-1 is number w*h - 1, an odd one: the high nibble. */
            const uint8_t byte = 0x30;
            machine_load(m, TEXTURE_ADDRESS + w * h / 2u - 1u, &byte, 1);
            struct dots dots = dots_at(((float)w - 0.5f) / (float)w, 0.0f);
            struct texture texture = numbered;
            texture.format = PICA_TEXTURE_FORMAT_I4;
            texture.width = w;
            texture.height = h;
            struct list list = probe_list();
            texture_bind(&list, &texture);
            probe_load_vertices(m, dots.vertices, 3);
            list_draw(&list, 3);
            machine_submit_at(m, &list, 0x18020000u); /* outside the texture */
            EXPECT_DOT(m, "TEX-18", 0, 51, 51, 51, 255);
            EXPECT_NO_EVENTS(m, "TEX-18");
        }
}

EACH_MACHINE(texture, TEX_19_the_address_is_28_bits_in_units_of_8_bytes)
{
    static const struct {
        uint32_t word, address;
    } rows[] = {
        { 0x20020000u >> 3, 0x20020000u },
        { 0xF0000000u | 0x20020000u >> 3, 0x20020000u },   /* bits 28-31 do not count */
        { (0x20020000u >> 3) + 1u, 0x20020008u },          /* units of 8 bytes */
        { 0x18020000u >> 3, 0x18020000u },                 /* VRAM */
        { (0x2003FFC0u >> 3) | 0x70000000u, 0x2003FFC0u }, /* the last 64 bytes of the window */
    };
    for (uint32_t unit = 0; unit < 3u; unit++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            machine_row(m, "unit %u, word %08X", (unsigned)unit, (unsigned)rows[i].word);
            load_pattern(m, rows[i].address, 64, 1, 100);
            struct dots dots = dots_at(0.0f, 0.9375f);
            struct list list = probe_list();
            struct texture texture = numbered;
            texture.unit = unit;
            texture_bind(&list, &texture);
            list_write(&list, unit == 0u ? 0x085u : unit == 1u ? 0x095u : 0x09Du, rows[i].word);
            dots_draw(m, &list, &dots);
            EXPECT_DOT(m, "TEX-19", 0, AT_07, AT_07, AT_07, 255);
            EXPECT_NO_EVENTS(m, "TEX-19");
        }
}

EACH_MACHINE(texture, TEX_20_results_depend_on_the_registers_at_the_start_of_the_batch)
{
    load_numbered(m);
    struct dots first = { .count = 0 }, second = { .count = 0 };
    dots_add_texcoord(&first, 0.0f, 0.0f);
    struct list list = probe_list();
    texture_bind(&list, &numbered);
    probe_load_vertices(m, first.vertices, 3);
    list_draw(&list, 3);
    list_write(&list, PICA_REG_TEXUNIT0_TYPE, PICA_TEXTURE_FORMAT_A8); /* after the batch */
    machine_submit(m, &list);
    EXPECT_DOT(m, "TEX-20", 0, AT_00, AT_00, AT_00, 255);
    (void)dots_add(&second);
    dots_add_texcoord(&second, 0.0f, 0.0f);
    struct list next = { .count = 0 };
    dots_draw(m, &next, &second);
    EXPECT_DOT(m, "TEX-20", 0, 0, 0, 0, AT_00);
    EXPECT_DOT(m, "TEX-20", 1, 0, 0, 0, AT_00);
}
