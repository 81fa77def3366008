/* PTX-01 to PTX-05: uploading the tables of the procedural unit. */
#include "tests/conformance/fragment_probe.h"

/* The words of table `table`, or NULL. */
static const uint32_t *table_words(const struct pica_state *state, uint32_t table)
{
    switch (table) {
    case PICA_PROCTEX_TABLE_NOISE: return state->tables.proctex_noise;
    case PICA_PROCTEX_TABLE_RGB_MAP: return state->tables.proctex_color_map;
    case PICA_PROCTEX_TABLE_ALPHA_MAP: return state->tables.proctex_alpha_map;
    case PICA_PROCTEX_TABLE_COLOR: return state->tables.proctex_color;
    case PICA_PROCTEX_TABLE_COLOR_DIFFERENCE: return state->tables.proctex_difference;
    default: return NULL;
    }
}

static const struct {
    uint32_t table, size;
} tables[] = { { 0, 128 }, { 2, 128 }, { 3, 128 }, { 4, 256 }, { 5, 256 } };

enum {
    TABLES = sizeof tables / sizeof tables[0]
};

EACH_MACHINE(proctex, PTX_05_all_tables_are_zero_at_reset)
{
    for (size_t t = 0; t < TABLES; t++)
        for (uint32_t i = 0; i < tables[t].size; i++) {
            machine_case(m, "table %u, entry %u", (unsigned)tables[t].table, (unsigned)i);
            EXPECT_EQ(m, "PTX-05", table_words(machine_state(m), tables[t].table)[i], 0);
        }
}

EACH_MACHINE(proctex, PTX_01_each_word_goes_to_the_index_which_then_increments)
{
    for (size_t t = 0; t < TABLES; t++)
        for (uint32_t port = 0; port < 8u; port++) {
            machine_row(m, "table %u, port %u", (unsigned)tables[t].table, (unsigned)port);
            struct list list = { .count = 0 };
            const uint32_t other = 0xFFFFF000u & ~0xF00u; /* bits that belong to no field */
            list_write(&list, 0x0AF, other | tables[t].table << 8 | (tables[t].size - 2u));
            const uint32_t words[4] = { 0x12345678, 0xFFFFFFFF, 0x00000000, 0x9ABCDEF0 };
            list_write_many(&list, 0x0B0 + port, false, words, 4);
            machine_submit(m, &list);
            const uint32_t *const got = table_words(machine_state(m), tables[t].table);
            EXPECT_EQ(m, "PTX-01", got[tables[t].size - 2u], 0x12345678);
            EXPECT_EQ(m, "PTX-01", got[tables[t].size - 1u], 0xFFFFFFFF);
            EXPECT_EQ(m, "PTX-01", got[0], 0);
            EXPECT_EQ(m, "PTX-01", got[1], 0x9ABCDEF0);
            EXPECT_EQ(m, "PTX-01", got[2], 0);
            EXPECT_EQ(m, "PTX-01", machine_register(m, 0x0AF),
                      other | tables[t].table << 8 | (tables[t].size + 2u) % 256u);
            EXPECT_NO_EVENTS(m, "PTX-01");
        }
}

EACH_MACHINE(proctex, PTX_01_the_index_has_8_bits_also_for_tables_of_128)
{
    /* 256 words to a table of 128: the second half overwrites the first. */
    static const uint32_t small[3] = { 0, 2, 3 };
    for (size_t t = 0; t < 3u; t++) {
        machine_row(m, "table %u", (unsigned)small[t]);
        uint32_t words[256];
        for (uint32_t i = 0; i < 256u; i++)
            words[i] = 1000u + i;
        struct list list = { .count = 0 };
        list_write(&list, 0x0AF, small[t] << 8 | 3u);
        list_write_many(&list, 0x0B3, false, words, 256);
        machine_submit(m, &list);
        const uint32_t *const got = table_words(machine_state(m), small[t]);
        EXPECT_EQ(m, "PTX-01", got[3], 1128);
        EXPECT_EQ(m, "PTX-01", got[127], 1252);
        EXPECT_EQ(m, "PTX-01", got[0], 1253);
        EXPECT_EQ(m, "PTX-01", got[2], 1255);
        EXPECT_EQ(m, "PTX-01", machine_register(m, 0x0AF), small[t] << 8 | 3u);
    }
}

EACH_MACHINE(proctex, PTX_02_words_for_other_tables_are_dropped)
{
    for (uint32_t table = 0; table < 16u; table++) {
        machine_row(m, "table %u", (unsigned)table);
        struct list list = { .count = 0 };
        list_write(&list, 0x0AF, table << 8 | 0xFF);
        list_write(&list, 0x0B7, 0xDEADBEEF);
        machine_submit(m, &list);
        EXPECT_EQ(m, "PTX-02", machine_register(m, 0x0AF), table << 8);
        const struct pica_state *const state = machine_state(m);
        uint32_t stored = 0;
        for (size_t t = 0; t < TABLES; t++)
            for (uint32_t i = 0; i < tables[t].size; i++)
                stored += table_words(state, tables[t].table)[i] != 0u ? 1u : 0u;
        const bool reserved = table == 1u || table >= 6u;
        EXPECT_EQ(m, "PTX-02", stored, reserved ? 0 : 1);
        cr_expect(machine_event_is(m, "PTX-02", PICA_EVENT_PROCTEX_TABLE, reserved), "%s", m->message);
    }
}

EACH_MACHINE(proctex, PTX_03_the_byte_mask_does_not_matter)
{
    for (uint32_t mask = 0; mask < 16u; mask++) {
        machine_row(m, "mask %X", (unsigned)mask);
        struct list list = { .count = 0 };
        list_write(&list, 0x0AF, 4u << 8);
        list_write_masked(&list, 0x0B0, 0x11223344, mask);
        list_write_masked(&list, 0x0B5, 0x55667788, mask);
        machine_submit(m, &list);
        EXPECT_EQ(m, "PTX-03", machine_state(m)->tables.proctex_color[0], 0x11223344);
        EXPECT_EQ(m, "PTX-03", machine_state(m)->tables.proctex_color[1], 0x55667788);
        EXPECT_EQ(m, "PTX-03", machine_register(m, 0x0AF), 4u << 8 | 2u);
        cr_expect(machine_event_is(m, "PTX-03", PICA_EVENT_MASKED_PORT, mask != 15u), "%s", m->message);
    }
}

EACH_MACHINE(proctex, PTX_04_colours_are_bytes_and_differences_signed_bytes_doubled)
{
    /* Bytes R, G, B, A from bit 0; differences 60, 15, -128, -61 count twice. */
    struct dots dots = dots_one();
    for (uint32_t filter = 0; filter < 2u; filter++) {
        machine_row(m, "filter %u", (unsigned)filter);
        struct list list = probe_list();
        /* Map entry 0: 1365 / 4095 = 1/3; width 4: x = 1/3 * 3 = 1.0. Entry 1, f = 0; then width 3: x = 2/3. */
        const uint32_t map = 1365;
        const uint32_t colors[2] = { 0x40302010, 0xD0C0B0A0 };
        const uint32_t differences[2] = { 0xC3800F3C, 0x7F7F7F7F };
        list_proctex_table(&list, 2, &map, 1);
        list_proctex_table(&list, 4, colors, 2);
        list_proctex_table(&list, 5, differences, 2);
        proctex_bind(&list, &(struct proctex){ .filter = filter, .width = filter ? 3 : 4 });
        dots_draw(m, &list, &dots);
        if (filter)
            /* 16 + 2/3 * 120 = 96; 32 + 2/3 * 30 = 52; 48 - 2/3 * 256 < 0; 64 - 2/3 * 122 < 0 */
            EXPECT_DOT(m, "PTX-04", 0, 96, 52, 0, 0);
        else
            EXPECT_DOT(m, "PTX-04", 0, 0xA0, 0xB0, 0xC0, 0xD0);
    }
}
