/* 30-rasterizer.md section 7: early depth. */
#include "tests/conformance/triangle_probe.h"

EACH_MACHINE(depth_test, EDT_01_the_registers_are_stored_and_have_no_effect)
{
    for (uint32_t function = 0; function < 4; function++)
        for (uint32_t data = 0; data < 2; data++) {
            machine_row(m, "function %u, data %u", (unsigned)function, (unsigned)data);
            DRAW_QUAD(m, { PICA_REG_EARLYDEPTH_FUNC, 0xFFFFFFFCu | function },
                      { PICA_REG_EARLYDEPTH_TEST1, 0xFFFFFFFFu }, { PICA_REG_EARLYDEPTH_DATA, data ? 0xFFFFFFFFu : 0 },
                      { PICA_REG_EARLYDEPTH_CLEAR, 0xFFFFFFFFu }, { PICA_REG_EARLYDEPTH_TEST2, 0xFFFFFFFFu });
            EXPECT_FULL(m, "EDT-01");
            for (uint32_t i = 0; i < 64; i++)
                EXPECT_DEPTH(m, "EDT-01", i % 8, i / 8, 0x7FFFFF);
            EXPECT_EQ(m, "EDT-01", machine_register(m, 0x061), 0xFFFFFFFCu | function);
            EXPECT_EQ(m, "EDT-01", machine_register(m, 0x062), 0xFFFFFFFFu);
            EXPECT_EQ(m, "EDT-01", machine_register(m, 0x063), 0xFFFFFFFFu);
            EXPECT_EQ(m, "EDT-01", machine_register(m, 0x06A), data ? 0xFFFFFFFFu : 0u);
            EXPECT_EQ(m, "EDT-01", machine_register(m, 0x118), 0xFFFFFFFFu);
            EXPECT_ONLY_EVENTS(m, "EDT-02", PICA_EVENT_EARLY_DEPTH);
        }
}

EACH_MACHINE(depth_test, EDT_02_the_event_is_for_bit_0_of_either_register)
{
    static const struct {
        uint32_t test1, test2;
        bool event;
    } cases[] = { { 0, 0, false }, { 1, 0, true }, { 0, 1, true }, { 1, 1, true }, { 0xFFFFFFFE, 0xFFFFFFFE, false } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        DRAW_QUAD(m, { PICA_REG_EARLYDEPTH_TEST1, cases[i].test1 }, { PICA_REG_EARLYDEPTH_TEST2, cases[i].test2 });
        EXPECT_EQ(m, "EDT-02", machine_event(m, PICA_EVENT_EARLY_DEPTH), cases[i].event);
    }
}
