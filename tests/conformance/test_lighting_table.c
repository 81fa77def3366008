/* LIT-05, LIT-17 to LIT-19, LIT-24, LIT-25: tables of lighting, their entries and indices with exact inputs. */
#include "tests/conformance/lighting_probe.h"

/* -------------------------------------------------------------------------------------------------- upload (LIT-05) */

EACH_MACHINE(lighting, LIT_05_words_go_to_the_table_and_the_index_wraps)
{
    for (uint32_t table = 0; table < 32u; table++) {
        machine_row(m, "table %u", (unsigned)table);
        struct list list = { .count = 0 };
        const uint32_t other = 0xFFFFE000; /* bits of no field */
        list_write(&list, 0x1C5, other | table << 8 | 254u);
        const uint32_t words[3] = { 0x12345678, 0xFFFFFFFF, 0x9ABCDEF0 };
        list_write_many(&list, 0x1C8 + table % 8u, false, words, 3);
        machine_submit(m, &list);
        const struct pica_state *const state = machine_state(m);
        uint32_t stored = 0;
        for (uint32_t t = 0; t < 24u; t++)
            for (uint32_t k = 0; k < 256u; k++)
                stored += state->tables.lighting[t][k] != 0u ? 1u : 0u;
        EXPECT_EQ(m, "LIT-05", stored, table < 24u ? 3 : 0);
        if (table < 24u) {
            EXPECT_EQ(m, "LIT-05", state->tables.lighting[table][254], 0x12345678);
            EXPECT_EQ(m, "LIT-05", state->tables.lighting[table][255], 0xFFFFFFFF);
            EXPECT_EQ(m, "LIT-05", state->tables.lighting[table][0], 0x9ABCDEF0);
        }
        EXPECT_EQ(m, "LIT-05", machine_register(m, 0x1C5), other | table << 8 | 1u); /* no carry into the table */
        cr_expect(machine_event_is(m, "LIT-05", PICA_EVENT_LIGHTING_TABLE, table >= 24u), "%s", m->message);
    }
}

EACH_MACHINE(lighting, PTX_03_the_byte_mask_does_not_matter_for_lighting_either)
{
    for (uint32_t mask = 0; mask < 16u; mask++) {
        machine_row(m, "mask %X", (unsigned)mask);
        struct list list = { .count = 0 };
        list_write(&list, 0x1C5, 0x300);
        list_write_masked(&list, 0x1CC, 0x11223344, mask);
        machine_submit(m, &list);
        EXPECT_EQ(m, "LIT-05, PTX-03", machine_state(m)->tables.lighting[3][0], 0x11223344);
        cr_expect(machine_event_is(m, "PTX-03", PICA_EVENT_MASKED_PORT, mask != 15u), "%s", m->message);
    }
}

EACH_MACHINE(lighting, LIT_05_tables_2_and_7_are_never_read)
{
    /* Tables 2 and 7 are stored and never read: filled, they change nothing in the studio. */
    for (uint32_t filled = 0; filled < 2u; filled++) {
        machine_row(m, "filled %u", (unsigned)filled);
        studio_load(m);
        struct list tables = { .count = 0 };
        list_studio_tables(&tables);
        uint32_t words[256];
        for (uint32_t k = 0; k < 256u; k++)
            words[k] = filled * (0x7FF000u + k);
        list_lighting_table(&tables, 2, words, 256);
        list_lighting_table(&tables, 7, words, 256);
        machine_submit(m, &tables);
        struct dots dots = { .count = 0 };
        studio_dots(&dots);
        struct list list = { .count = 0 };
        list_studio(&list, PICA_TEV_SOURCE_FRAGMENT_SECONDARY);
        list_write(&list, PICA_REG_LIGHTING_CONFIG0, STUDIO_CONFIG0);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "LIT-05, LIT-22", 0, 66, 53, 61, 170);
    }
}

/*
 * One directional light (0, 0, 1), quaternion (0, 0, 0, 1), view (0, 0, 1); everything disabled but what is asked for.
 */
static void list_simple(struct list *list, uint32_t source, uint32_t disabled)
{
    probe_pipeline(list);
    list_write(list, PICA_REG_LIGHTING_ENABLE0, 1);
    list_write(list, PICA_REG_LIGHTING_ENABLE1, 0);
    list_write(list, PICA_REG_LIGHTING_CONFIG0, 0x80);
    list_write(list, PICA_REG_LIGHTING_CONFIG1, disabled);
    list_write(list, PICA_REG_LIGHT0_CONFIG, 1);
    list_write(list, PICA_REG_LIGHT0_Z, 0x3C00);
    probe_source(list, source);
}

/* --------------------------------------------------------------------------------------------- entries (LIT-17, 24) */

/* Distance attenuation with scale 0: x is the bias exactly. All entries equal; white ambient light shows 255 da. */
static const struct {
    uint32_t entry, bias, byte;
} entry_rows[] = {
    { 0x00100800, 0x3D020, 143 }, /* LIT-24: 0x3F100A01 */
    { 0x00900800, 0x3D020, 111 }, /* LIT-24: 0x3EE00C02 */
    { 0x00FFFFFF, 0x3F000, 0 },   /* LIT-24: 0 */
    { 0x00000800, 0x3D020, 127 }, /* no difference */
    { 0x007FF000, 0x3D020, 127 }, /* magnitude 2047: 0.5 */
    { 0x007FF000, 0x3F000, 255 }, /* 1.0 */
    { 0x00FFF800, 0x3D010, 63 },  /* negative */
    { 0x007FF800, 0x3D030, 255 }, /* above 1 */
    { 0xFF100800, 0x3D020, 143 }, /* bits 24-31 do not count */
    { 0x00800FFF, 0x3D020, 255 }, /* minus 0 */
    { 0x00001FFF, 0x3D020, 255 }, /* 1 / 2047 */
    { 0x00000001, 0x3D020, 0 },   /* 1 / 4095 */
    { 0x00400400, 0x3D020, 127 }, { 0x00C00C00, 0x3D020, 127 },
};

EACH_MACHINE(lighting, LIT_17_LIT_24_value_and_signed_magnitude_of_an_entry)
{
    struct dots dots = dots_one();
    for (size_t i = 0; i < sizeof entry_rows / sizeof entry_rows[0]; i++) {
        machine_case(m, "entry %08X, bias %05X", (unsigned)entry_rows[i].entry, (unsigned)entry_rows[i].bias);
        struct list list = { .count = 0 };
        list_simple(&list, PICA_TEV_SOURCE_FRAGMENT_PRIMARY, 0x00FFFFFF);
        uint32_t words[256];
        for (uint32_t k = 0; k < 256u; k++)
            words[k] = entry_rows[i].entry;
        list_lighting_table(&list, 16, words, 256);
        list_write(&list, PICA_REG_LIGHT0_AMBIENT, 255u << 20 | 255u << 10 | 255u);
        list_write(&list, PICA_REG_LIGHT0_ATTENUATION_BIAS, entry_rows[i].bias);
        list_write(&list, PICA_REG_LIGHT0_ATTENUATION_SCALE, 0);
        dots_draw(m, &list, &dots);
        const uint32_t byte = entry_rows[i].byte;
        EXPECT_DOT(m, "LIT-17, LIT-24, LIT-25", 0, byte, byte, byte, 255);
    }
}

EACH_MACHINE(lighting, LIT_25_attenuation_takes_256_steps_of_0_to_1)
{
    /* Entry k alone is 1.0: x = k / 256 finds it, the numbers around do not. */
    static const struct {
        uint32_t bias, scale, k; /* dist = 1 */
    } rows[] = {
        { 0x00000, 0, 0 },         { 0x37000, 0, 1 },         { 0x36FFF, 0, 0 },         { 0x3E000, 0, 128 },
        { 0x3DFFF, 0, 127 },       { 0x3EFE0, 0, 255 },       { 0x3EFDF, 0, 254 },       { 0x3F000, 0, 255 },
        { 0x41000, 0, 255 },       { 0xBF000, 0, 0 },         { 0xBE800, 0x3F000, 64 },  /* 1.0 - 0.75 (TEX-04) */
        { 0, 0x3E800, 192 },       { 0xBE000, 0x3F800, 255 }, { 0xBF000, 0x3F800, 128 }, /* 1.5 - 0.5, 1.5 - 1 */
        { 0x00FFF, 0x3E000, 128 }, { 0x80001, 0x3E000, 128 },                            /* denormals are far below */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t other = 0; other < 2u; other++) {
            machine_row(m, "bias %05X, scale %05X%s", (unsigned)rows[i].bias, (unsigned)rows[i].scale,
                        other ? ", next entry" : "");
            struct dots dots = dots_one();
            struct list list = { .count = 0 };
            list_simple(&list, PICA_TEV_SOURCE_FRAGMENT_PRIMARY, 0x00FFFFFF);
            list_write(&list, PICA_REG_LIGHTING_LUT_INDEX, 16u << 8 | (rows[i].k + other) % 256u);
            list_write(&list, PICA_REG_LIGHTING_LUT_DATA0, 0xFFF);
            list_write(&list, PICA_REG_LIGHT0_AMBIENT, 255u << 20);
            list_write(&list, PICA_REG_LIGHT0_ATTENUATION_BIAS, rows[i].bias);
            list_write(&list, PICA_REG_LIGHT0_ATTENUATION_SCALE, rows[i].scale);
            dots_draw(m, &list, &dots);
            EXPECT_DOT(m, "LIT-25, LIT-19, TEX-04", 0, other ? 0 : 255, 0, 0, 255);
        }
}

/* --------------------------------------------------------------------------------------------- indices (LIT-18, 19) */

/*
 * Input 4 is dot(Ld, spot) = z / 2047 here. D0: entry k is 16 k, magnitude 4, negative for odd k; white specular 0
 * shows 255 d0. Columns: unsigned; unsigned, two-sided; signed; signed, two-sided.
 */
static const struct {
    int32_t z;
    uint8_t bytes[4];
} index_rows[] = {
    { -4096, { 0, 125, 63, 63 } },
    { -3000, { 0, 194, 97, 97 } },
    { -2048, { 0, 253, 127, 127 } },
    { -2047, { 0, 253, 127, 127 } },
    { -2046, { 0, 253, 127, 127 } },
    { -1500, { 0, 186, 161, 161 } },
    { -1024, { 0, 127, 189, 189 } },
    { -1023, { 0, 126, 191, 191 } },
    { -17, { 0, 2, 253, 253 } },
    { -16, { 0, 1, 253, 253 } },
    { -15, { 0, 0, 254, 254 } },
    { -8, { 0, 0, 253, 253 } },
    { -1, { 0, 0, 253, 253 } },
    { 0, { 0, 0, 0, 0 } },
    { 1, { 0, 0, 0, 0 } },
    { 7, { 0, 0, 0, 0 } },
    { 8, { 0, 0, 0, 0 } },
    { 15, { 0, 0, 0, 0 } },
    { 16, { 1, 1, 0, 0 } },
    { 17, { 2, 2, 0, 0 } },
    { 100, { 12, 12, 6, 6 } },
    { 1023, { 126, 126, 62, 62 } },
    { 1024, { 127, 127, 63, 63 } },
    { 1500, { 186, 186, 92, 92 } },
    { 2038, { 253, 253, 126, 126 } },
    { 2039, { 253, 253, 126, 126 } },
    { 2040, { 254, 254, 126, 126 } },
    { 2046, { 253, 253, 126, 126 } },
    { 2047, { 253, 253, 126, 126 } },
    { 2048, { 253, 253, 126, 126 } },
    { 2200, { 244, 244, 121, 121 } },
    { 3000, { 194, 194, 96, 96 } },
    { 4095, { 125, 125, 62, 62 } },
};

/* Beyond 1 in magnitude the end entries extrapolate: the difference to the index is not limited. */
EACH_MACHINE(lighting, LIT_18_LIT_19_indices_of_exact_inputs)
{
    struct list tables = { .count = 0 };
    uint32_t words[256];
    for (uint32_t k = 0; k < 256u; k++)
        words[k] = 16u * k | 4u << 12 | k % 2u << 23;
    list_lighting_table(&tables, 0, words, 256);
    machine_submit(m, &tables);
    struct dots dots = dots_one();
    for (size_t i = 0; i < sizeof index_rows / sizeof index_rows[0]; i++)
        for (uint32_t column = 0; column < 4u; column++) {
            machine_case(m, "z %d, %s%s", (int)index_rows[i].z, column / 2u ? "signed" : "unsigned",
                         column % 2u ? ", two-sided" : "");
            struct list list = { .count = 0 };
            list_simple(&list, PICA_TEV_SOURCE_FRAGMENT_SECONDARY, 0xFF7AFFFF & ~0x10000u);
            list_write(&list, PICA_REG_LIGHT0_CONFIG, 1u | column % 2u << 1);
            list_write(&list, PICA_REG_LIGHT0_SPECULAR0, 255u << 20);
            list_write(&list, PICA_REG_LIGHT0_SPOTDIR_Z, (uint32_t)index_rows[i].z & 0x1FFFu);
            list_write(&list, PICA_REG_LIGHTING_LUTINPUT_SELECT, 4);
            list_write(&list, PICA_REG_LIGHTING_LUTINPUT_ABS, column / 2u << 1);
            dots_draw(m, &list, &dots);
            EXPECT_DOT(m, "LIT-18, LIT-19", 0, index_rows[i].bytes[column], 0, 0, 255);
        }
}
