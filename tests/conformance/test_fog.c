/*
 * FOG-01 to FOG-07: fog. A dot's depth is exact (fragment_probe.h); the colour is (255, 200, 0, 77), the fog
 * (0, 50, 255). ci/expected recomputes the tables.
 */
#include "tests/conformance/fragment_probe.h"

enum {
    FOG_MODE = 5,
    FLIP = 0x10000
};

/* Entry i: value 2047 - 16 i, difference -16. */
static void list_fog_ramp(struct list *list)
{
    uint32_t words[128];
    for (uint32_t i = 0; i < 128u; i++)
        words[i] = (2047u - 16u * i) << 13 | 0x1FF0u;
    list_fog_table(list, words, 128);
}

static void list_fog(struct list *list, uint32_t mode_word)
{
    probe_pipeline(list);
    list_write(list, PICA_REG_TEXENV_UPDATE_BUFFER, mode_word);
    list_write(list, PICA_REG_FOG_COLOR, 0xAAFF3200);
}

static void add_dot(struct dots *dots, uint32_t depth_bits)
{
    struct probe_vertex *const v = dots_add(dots);
    probe_color(v, 3, 255, 200, 0, 77);
    dot_depth(v, f32_from_bits(depth_bits));
}

/* --------------------------------------------------------------------------------------------------- modes (FOG-01) */

EACH_MACHINE(fog, FOG_01_only_mode_5_is_fog)
{
    for (uint32_t mode = 0; mode < 8u; mode++) {
        machine_row(m, "mode %u", (unsigned)mode);
        struct dots dots = { .count = 0 };
        add_dot(&dots, 0x3F000000);
        struct list list = { .count = 0 };
        list_fog(&list, mode | 0xFFFE00F8u); /* bits of other fields, no flip */
        list_fog_ramp(&list);
        dots_draw(m, &list, &dots);
        if (mode == FOG_MODE)
            EXPECT_DOT(m, "FOG-01", 0, 127, 124, 127, 77);
        else
            EXPECT_DOT(m, "FOG-01", 0, 255, 200, 0, 77);
        if (mode == 0u || mode == FOG_MODE)
            EXPECT_NO_EVENTS(m, "FOG-01");
        else if (mode == 7u)
            EXPECT_ONLY_EVENTS(m, "GSF-01", PICA_EVENT_GAS_SHADING);
        else
            EXPECT_ONLY_EVENTS(m, "FOG-01", PICA_EVENT_FOG_MODE_RESERVED);
    }
}

/* -------------------------------------------------------------------------------------------------- tables (FOG-02) */

EACH_MACHINE(fog, FOG_02_the_table_wraps_at_128_and_the_index_counts_on)
{
    for (uint32_t port = 0; port < 8u; port++) {
        machine_row(m, "port %u", (unsigned)port);
        const uint32_t *const before = machine_state(m)->tables.fog;
        for (uint32_t i = 0; i < 128u; i++)
            EXPECT_EQ(m, "FOG-02", before[i], 0);
        struct list list = { .count = 0 };
        list_write(&list, 0x0E6, 0xABCD007E);
        const uint32_t words[4] = { 0x12345678, 0xFFFFFFFF, 0x9ABCDEF0, 1 };
        list_write_many(&list, 0x0E8 + port, false, words, 4);
        machine_submit(m, &list);
        const struct pica_state *const state = machine_state(m);
        EXPECT_EQ(m, "FOG-02", state->tables.fog[126], 0x12345678);
        EXPECT_EQ(m, "FOG-02", state->tables.fog[127], 0xFFFFFFFF);
        EXPECT_EQ(m, "FOG-02", state->tables.fog[0], 0x9ABCDEF0);
        EXPECT_EQ(m, "FOG-02", state->tables.fog[1], 1);
        EXPECT_EQ(m, "FOG-02", state->tables.fog[2], 0);
        EXPECT_EQ(m, "FOG-02", machine_register(m, 0x0E6), 0xABCD0082);
        EXPECT_NO_EVENTS(m, "FOG-02");
    }
}

EACH_MACHINE(fog, FOG_02_16_bits_of_the_index_count_whatever_the_mask)
{
    static const struct {
        uint32_t before, entry, after;
    } rows[] = {
        { 0x0000FFFF, 127, 0x00000000 }, { 0x1234FFFF, 127, 0x12340000 }, { 0x00000080, 0, 0x00000081 },
        { 0x000000FF, 127, 0x00000100 }, { 0xFFFF8005, 5, 0xFFFF8006 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t mask = 0; mask < 16u; mask += 5u) {
            machine_row(m, "index %08X, mask %X", (unsigned)rows[i].before, (unsigned)mask);
            struct list list = { .count = 0 };
            list_write(&list, 0x0E6, rows[i].before);
            list_write_masked(&list, 0x0EB, 0xCAFEF00D, mask);
            machine_submit(m, &list);
            EXPECT_EQ(m, "FOG-02, PTX-03", machine_state(m)->tables.fog[rows[i].entry], 0xCAFEF00D);
            EXPECT_EQ(m, "FOG-02", machine_register(m, 0x0E6), rows[i].after);
            cr_expect(machine_event_is(m, "PTX-03", PICA_EVENT_MASKED_PORT, mask != 15u), "%s", m->message);
        }
}

/* ---------------------------------------------------------------------------------------------- factor (FOG-03, 04) */

/* At index 64; colour 255 on fog 0 shows 255 k. */
static const struct {
    uint32_t word, depth_bits, red;
} entry_rows[] = {
    { 0x00FFE000, 0x3F010000, 255 }, { 0x00000000, 0x3F010000, 0 },   { 0x00FFEFFF, 0x3F010000, 255 },
    { 0x00001FFF, 0x3F010000, 0 },   { 0x00001000, 0x3F010000, 0 },   { 0x00000FFF, 0x3F010000, 255 },
    { 0x00000FFF, 0x3F008000, 127 }, { 0x00FA0100, 0x3F018000, 255 }, { 0xFF800000, 0x3F000000, 127 },
    { 0x00801F00, 0x3F004000, 123 }, { 0x007FFFFF, 0x3F010000, 127 },
};

EACH_MACHINE(fog, FOG_03_value_and_signed_difference_of_an_entry)
{
    for (size_t i = 0; i < sizeof entry_rows / sizeof entry_rows[0]; i++) {
        machine_row(m, "entry %08X, depth %08X", (unsigned)entry_rows[i].word, (unsigned)entry_rows[i].depth_bits);
        struct dots dots = { .count = 0 };
        add_dot(&dots, entry_rows[i].depth_bits);
        struct list list = { .count = 0 };
        list_fog(&list, FOG_MODE);
        list_write(&list, PICA_REG_FOG_LUT_INDEX, 64);
        list_write(&list, PICA_REG_FOG_LUT_DATA0, entry_rows[i].word);
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "FOG-03", dot_pixel(m, 0) >> 24, entry_rows[i].red);
    }
}

/* The ramp: r, g, b for depths, not flipped and flipped. */
static const struct {
    uint32_t depth_bits, flip;
    uint8_t rgb[3];
} depth_rows[] = {
    { 0x00000000, 0, { 255, 200, 0 } },   /* entry 0 */
    { 0x00000000, 1, { 0, 50, 255 } },    /* entry 127 */
    { 0x00000001, 0, { 255, 200, 0 } },   /* entry 0 */
    { 0x00000001, 1, { 0, 50, 255 } },    /* entry 127 */
    { 0x3A83126F, 0, { 254, 199, 0 } },   /* entry 0 */
    { 0x3A83126F, 1, { 0, 50, 254 } },    /* entry 127 */
    { 0x3B800000, 0, { 254, 199, 0 } },   /* entry 0 */
    { 0x3B800000, 1, { 0, 50, 254 } },    /* entry 127 */
    { 0x3C000000, 0, { 253, 198, 1 } },   /* entry 1 */
    { 0x3C000000, 1, { 1, 51, 253 } },    /* entry 127 */
    { 0x3BFFFFFF, 0, { 253, 198, 1 } },   /* entry 0 */
    { 0x3BFFFFFF, 1, { 1, 51, 253 } },    /* entry 127 */
    { 0x3DCCCCCD, 0, { 229, 184, 25 } },  /* entry 12 */
    { 0x3DCCCCCD, 1, { 25, 64, 229 } },   /* entry 115 */
    { 0x3E99999A, 0, { 178, 154, 76 } },  /* entry 38 */
    { 0x3E99999A, 1, { 76, 94, 178 } },   /* entry 89 */
    { 0x3F000000, 0, { 127, 124, 127 } }, /* entry 64 */
    { 0x3F000000, 1, { 127, 124, 127 } }, /* entry 64 */
    { 0x3F400000, 0, { 63, 87, 191 } },   /* entry 96 */
    { 0x3F400000, 1, { 191, 162, 63 } },  /* entry 32 */
    { 0x3F666666, 0, { 25, 64, 229 } },   /* entry 115 */
    { 0x3F666666, 1, { 229, 184, 25 } },  /* entry 12 */
    { 0x3F7D70A4, 0, { 2, 51, 252 } },    /* entry 126 */
    { 0x3F7D70A4, 1, { 252, 198, 2 } },   /* entry 1 */
    { 0x3F7E0000, 0, { 1, 51, 253 } },    /* entry 127 */
    { 0x3F7E0000, 1, { 253, 198, 1 } },   /* entry 1 */
    { 0x3F7FF972, 0, { 0, 50, 255 } },    /* entry 127 */
    { 0x3F7FF972, 1, { 254, 199, 0 } },   /* entry 0 */
    { 0x3F7FFFFF, 0, { 0, 50, 255 } },    /* entry 127 */
    { 0x3F7FFFFF, 1, { 254, 199, 0 } },   /* entry 0 */
    { 0x3F800000, 0, { 0, 50, 255 } },    /* entry 127 */
    { 0x3F800000, 1, { 255, 200, 0 } },   /* entry 0 */
};

/* FOG-04: entry 127 with f = 1 at the far end. FOG-05: each channel truncates; alpha stays. */
EACH_MACHINE(fog, FOG_04_FOG_05_the_factor_of_the_depth_mixes_the_colours)
{
    for (uint32_t flip = 0; flip < 2u; flip++) {
        machine_reset(m);
        struct dots dots = { .count = 0 };
        for (size_t i = flip; i < sizeof depth_rows / sizeof depth_rows[0]; i += 2u)
            add_dot(&dots, depth_rows[i].depth_bits);
        struct list list = { .count = 0 };
        list_fog(&list, FOG_MODE | (flip ? FLIP : 0u));
        list_fog_ramp(&list);
        dots_draw(m, &list, &dots);
        for (uint32_t i = 0; i < dots.count; i++) {
            const uint8_t *const rgb = depth_rows[2u * i + flip].rgb;
            machine_case(m, "depth %08X, flip %u", (unsigned)depth_rows[2u * i].depth_bits, (unsigned)flip);
            EXPECT_DOT(m, "FOG-04, FOG-05", i, rgb[0], rgb[1], rgb[2], 77);
        }
    }
}

/* Entry 127 alone is not zero: 1000 / 2047, difference 400 / 2047. Colour and fog as above. */
static const struct {
    uint32_t depth_bits, flip;
    uint8_t rgb[3];
} last_rows[] = {
    { 0x3F7DFFFF, 0, { 0, 50, 255 } },    /* entry 126 */
    { 0x3F7E0000, 0, { 124, 123, 130 } }, /* f = 0 */
    { 0x3F7F0000, 0, { 149, 137, 105 } }, /* f = 0.5 */
    { 0x3F800000, 0, { 174, 152, 80 } },  /* f = 1.0 */
    { 0x00000000, 1, { 174, 152, 80 } },
};

EACH_MACHINE(fog, FOG_04_the_last_entry_is_number_127)
{
    for (size_t i = 0; i < sizeof last_rows / sizeof last_rows[0]; i++) {
        machine_row(m, "depth %08X, flip %u", (unsigned)last_rows[i].depth_bits, (unsigned)last_rows[i].flip);
        struct dots dots = { .count = 0 };
        add_dot(&dots, last_rows[i].depth_bits);
        struct list list = { .count = 0 };
        list_fog(&list, FOG_MODE | (last_rows[i].flip ? FLIP : 0u));
        list_write(&list, PICA_REG_FOG_LUT_INDEX, 127);
        list_write(&list, PICA_REG_FOG_LUT_DATA0, 1000u << 13 | 400u);
        dots_draw(m, &list, &dots);
        const uint8_t *const rgb = last_rows[i].rgb;
        EXPECT_DOT(m, "FOG-04", 0, rgb[0], rgb[1], rgb[2], 77);
    }
}

/* Two products and their sum, three roundings: fog + k * (colour - fog) would be one more in every row. */
static const struct {
    uint32_t value;
    uint8_t color, fog, mixed;
} mix_rows[] = {
    { 712, 12, 150, 101 }, { 345, 41, 130, 114 }, { 1380, 8, 97, 36 },    { 387, 248, 248, 247 },
    { 1780, 58, 12, 51 },  { 874, 73, 251, 174 }, { 825, 125, 125, 124 }, { 640, 50, 50, 49 },
};

EACH_MACHINE(fog, FOG_05_the_mix_is_two_products_and_a_sum)
{
    for (size_t i = 0; i < sizeof mix_rows / sizeof mix_rows[0]; i++) {
        machine_row(m, "row %zu", i);
        struct dots dots = { .count = 0 };
        add_dot(&dots, 0);
        const uint32_t color = mix_rows[i].color, fog = mix_rows[i].fog, mixed = mix_rows[i].mixed;
        probe_color(dots.vertices, 3, color, color, color, 77);
        struct list list = { .count = 0 };
        list_fog(&list, FOG_MODE);
        list_write(&list, PICA_REG_FOG_COLOR, fog << 16 | fog << 8 | fog);
        list_write(&list, PICA_REG_FOG_LUT_INDEX, 0);
        list_write(&list, PICA_REG_FOG_LUT_DATA0, mix_rows[i].value << 13);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "FOG-05", 0, mixed, mixed, mixed, 77);
    }
}

EACH_MACHINE(fog, FOG_06_worked_examples)
{
    struct dots dots = { .count = 0 };
    add_dot(&dots, 0x3E99999A);
    struct list list = { .count = 0 };
    list_fog(&list, FOG_MODE | FLIP);
    list_write(&list, PICA_REG_FOG_LUT_INDEX, 89);
    list_write(&list, PICA_REG_FOG_LUT_DATA0, 0x7D1F38);
    dots_draw(m, &list, &dots);
    EXPECT_EQ(m, "FOG-06", dot_pixel(m, 0) >> 24, 109); /* 255 on fog 0 */
    struct list next = { .count = 0 };
    list_write(&next, PICA_REG_FOG_LUT_INDEX, 89);
    list_write(&next, PICA_REG_FOG_LUT_DATA0, 2047u << 13);
    dots_draw(m, &next, &dots);
    EXPECT_DOT(m, "FOG-06", 0, 255, 200, 0, 77); /* k = 1 keeps the colour */
}

EACH_MACHINE(fog, FOG_04_the_depth_is_that_of_the_fragment)
{
    /* ITP-15, 16: the fragment depth, here 0.5 in four ways, with the depth test and writes off or on. */
    static const struct {
        const char *label;
        float z, w;
        double scale, offset;
        uint32_t enable, mask;
    } rows[] = {
        { "z buffer", -0.5f, 1, -1, 0, 1, 0x1F00 },
        { "no depth write", -0.5f, 1, -1, 0, 1, 0x0F00 },
        { "offset", -0.25f, 1, -1, 0.25, 1, 0x0F00 },
        { "w buffer", -1.0f, 2, -0.5, 0, 0, 0x0F00 }, /* -0.5 * -0.5 * 2 */
        { "depth test", -0.5f, 1, -1, 0, 1, 0x1F11 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].label);
        struct dots dots = { .count = 0 };
        add_dot(&dots, 0x3F000000);
        for (uint32_t k = 0; k < 3u; k++) {
            dots.vertices[k].position[0] *= rows[i].w;
            dots.vertices[k].position[1] *= rows[i].w;
            dots.vertices[k].position[2] = rows[i].z;
            dots.vertices[k].position[3] = rows[i].w;
        }
        struct list list = { .count = 0 };
        list_fog(&list, FOG_MODE);
        list_fog_ramp(&list);
        list_write(&list, PICA_REG_DEPTHMAP_SCALE, float24(rows[i].scale));
        list_write(&list, PICA_REG_DEPTHMAP_OFFSET, float24(rows[i].offset));
        list_write(&list, PICA_REG_DEPTHMAP_ENABLE, rows[i].enable);
        list_write(&list, PICA_REG_DEPTH_COLOR_MASK, rows[i].mask);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "FOG-04", 0, 127, 124, 127, 77);
    }
}

/* -------------------------------------------------------------------------------------------- later stages (FOG-07) */

EACH_MACHINE(fog, FOG_07_fog_comes_before_blending_logic_and_masks)
{
    static const struct {
        const char *label;
        uint32_t operation, blend, logic, mask;
        uint32_t rgba; /* over (1, 2, 3, 4); the fogged colour is (127, 124, 127, 77) */
    } rows[] = {
        { "logic op copy", 0x00E40000, 0, 3, 0x1F00, 0x7F7C7F4D },
        { "logic op invert", 0x00E40000, 0, 5, 0x1F00, 0x808380B2 },
        { "blend one, one", 0x00E40100, 0x11110000, 0, 0x1F00, 0x807E8251 },
        { "red only", 0x00E40100, 0x01010000, 0, 0x1100, 0x7F020304 },
        { "alpha only", 0x00E40100, 0x01010000, 0, 0x1800, 0x0102034D },
        { "green and blue", 0x00E40100, 0x01010000, 0, 0x1600, 0x017C7F04 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].label);
        probe_clear_color(m, 1, 2, 3, 4);
        struct dots dots = { .count = 0 };
        add_dot(&dots, 0x3F000000);
        struct list list = { .count = 0 };
        list_fog(&list, FOG_MODE);
        list_fog_ramp(&list);
        list_write(&list, PICA_REG_COLOR_OPERATION, rows[i].operation);
        list_write(&list, PICA_REG_BLEND_FUNC, rows[i].blend);
        list_write(&list, PICA_REG_LOGIC_OP, rows[i].logic);
        list_write(&list, PICA_REG_DEPTH_COLOR_MASK, rows[i].mask);
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "FOG-07", dot_pixel(m, 0), rows[i].rgba);
    }
}
