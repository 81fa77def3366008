/* GSF-01 to GSF-06: gas shading, which stores its registers and changes no colour. */
#include "tests/conformance/fragment_probe.h"

EACH_MACHINE(gas, GSF_01_mode_7_keeps_the_combiner_output)
{
    /* A gas table and registers full of values, a fog table of zeros (factor 0): neither touches (200, 100, 50,
     * 128). */
    struct list list = probe_list();
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 0x1000F);
    list_write(&list, PICA_REG_FOG_COLOR, 0x00FFFFFF);
    list_write(&list, PICA_REG_GAS_LUT_INDEX, 0);
    for (uint32_t i = 0; i < 16u; i++)
        list_write(&list, PICA_REG_GAS_LUT_DATA, 0x11223344u + i);
    struct dots dots = { .count = 0 };
    probe_color(dots_add(&dots), 3, 200, 100, 50, 128);
    dots_draw(m, &list, &dots);
    EXPECT_DOT(m, "GSF-01, GSF-04", 0, 200, 100, 50, 128);
    EXPECT_DEPTH(m, "GSF-01", 0, 0, 0x7FFFFF);
    EXPECT_ONLY_EVENTS(m, "GSF-01", PICA_EVENT_GAS_SHADING);
}

EACH_MACHINE(gas, GSF_02_the_gas_registers_only_store_values)
{
    /* GSF-02, GSF-05, GSF-06: none of these changes a gas-shaded fragment. */
    static const uint32_t ids[] = { 0x0E4, 0x0E5, 0x120, 0x121, 0x122, 0x125, 0x126 };
    static const uint32_t values[] = { 0x00000000, 0xFFFFFFFF, 0x00003C00, 0x01FF7F80 };
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        machine_reset(m);
        struct list list = probe_list();
        list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, v % 2u ? 7 : 15);
        for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
            list_write(&list, ids[i], values[v]);
        struct dots dots = { .count = 0 };
        probe_color(dots_add(&dots), 3, 200, 100, 50, 128);
        dots_draw(m, &list, &dots);
        for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
            machine_case(m, "register %03X = %08X", (unsigned)ids[i], (unsigned)values[v]);
            EXPECT_EQ(m, "GSF-02, GSF-05", machine_register(m, ids[i]), values[v]);
        }
        EXPECT_DOT(m, "GSF-02", 0, 200, 100, 50, 128);
        EXPECT_ONLY_EVENTS(m, "GSF-02", PICA_EVENT_GAS_SHADING);
    }
}

EACH_MACHINE(gas, GSF_03_sixteen_words_by_an_index_of_16_bits)
{
    static const struct {
        uint32_t before, entry, after;
    } rows[] = {
        { 0x00000000, 0, 0x00000001 },  { 0x0000000F, 15, 0x00000010 }, { 0x00000010, 0, 0x00000011 },
        { 0x0000FFFF, 15, 0x00000000 }, { 0xABCDFFF8, 8, 0xABCDFFF9 },  { 0xABCDFFFF, 15, 0xABCD0000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t mask = 0; mask < 16u; mask += 3u) {
            machine_row(m, "index %08X, mask %X", (unsigned)rows[i].before, (unsigned)mask);
            struct list list = { .count = 0 };
            list_write(&list, 0x123, rows[i].before);
            list_write_masked(&list, 0x124, 0xCAFEF00D, mask);
            machine_submit(m, &list);
            const struct pica_state *const state = machine_state(m);
            for (uint32_t k = 0; k < 16u; k++)
                EXPECT_EQ(m, "GSF-03", state->tables.gas[k], k == rows[i].entry ? 0xCAFEF00Du : 0u);
            EXPECT_EQ(m, "GSF-03", machine_register(m, 0x123), rows[i].after);
            cr_expect(machine_event_is(m, "PTX-03", PICA_EVENT_MASKED_PORT, mask != 15u), "%s", m->message);
        }
}

EACH_MACHINE(gas, GSF_05_the_feedback_register_is_storage)
{
    /* GSF-05: 0x125 is written like any other and no draw changes it. */
    struct list list = probe_list();
    list_write(&list, 0x125, 0x3C00BEEF);
    list_write_masked(&list, 0x125, 0, 3);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 7);
    list_write(&list, PICA_REG_COLOR_OPERATION, 0x00E40001);
    struct dots dots = dots_one();
    dots_draw(m, &list, &dots);
    EXPECT_EQ(m, "GSF-05", machine_register(m, 0x125), 0x3C000000);
}
