/* 60-framebuffer.md section 10: gas. */
#include "tests/conformance/triangle_probe.h"

enum {
    GAS = 0x00E40101 /* PICA_REG_COLOR_OPERATION */
};

EACH_MACHINE(gas, GAS_01_each_half_of_a_pixel_is_cleaned)
{
    static const struct {
        uint16_t half, want;
    } cases[] = {
        { 0x1234, 0x1234 }, { 0x7EFF, 0x7FFF }, { 0x0000, 0x0000 }, { 0x03FF, 0x0000 },
        { 0x0400, 0x0400 }, { 0x7CFF, 0x7CFF }, { 0x7D00, 0x7FFF }, { 0x7FFF, 0x7FFF },
        { 0x8000, 0x0000 }, { 0x83FF, 0x0000 }, { 0x8400, 0x8400 }, { 0xFCFF, 0xFCFF },
        { 0xFD00, 0x7FFF }, { 0xFFFF, 0x7FFF }, { 0x0001, 0x0000 }, { 0x5A5A, 0x5A5A },
    };
    for (size_t i = 0; i < 16; i++) /* low half case i, high half case 15 - i */
        machine_load_word(m, COLOR_ADDRESS + 4u * (uint32_t)i, (uint32_t)cases[15 - i].half << 16 | cases[i].half);
    DRAW_COLOR(m, 0x89ABCDEF, { PICA_REG_COLOR_OPERATION, GAS });
    for (uint32_t i = 0; i < 16; i++) {
        machine_case(m, "word %u", (unsigned)i);
        EXPECT_EQ(m, "GAS-01", machine_word(m, COLOR_ADDRESS + 4u * i),
                  (uint32_t)cases[15 - i].want << 16 | cases[i].want);
    }
    EXPECT_ONLY_EVENTS(m, "GAS-01", PICA_EVENT_GAS_MODE);
}

EACH_MACHINE(gas, GAS_01_no_tests_no_depth_4_bytes_in_every_format)
{
    for (uint32_t format = 0; format < 8; format++) {
        machine_row(m, "format %u", (unsigned)format);
        static const uint8_t before[4] = { 0x34, 0x12, 0xFF, 0x7E }, after[4] = { 0x34, 0x12, 0xFF, 0x7F };
        machine_load(m, COLOR_ADDRESS + 252u, before, 4); /* the last pixel of 4 bytes */
        probe_clear_depth_stencil(m, 0x123456, 0x78);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLOR_OPERATION, GAS }, { PICA_REG_COLORBUFFER_FORMAT, format << 16 },
                   { PICA_REG_FRAGOP_ALPHA_TEST, 1 }, { PICA_REG_STENCIL_TEST, 0xFFFFFF01u },
                   { PICA_REG_STENCIL_OP, 0x222 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1001 });
        EXPECT_BYTES(m, "GAS-01", COLOR_ADDRESS + 252u, after, 4);
        EXPECT_EQ(m, "GAS-01", probe_depth_stencil(m, 3, 3), 0x78123456u);
    }
}

EACH_MACHINE(gas, GAS_01_READ_and_WRITE)
{
    probe_clear_color(m, 0x12, 0x34, 0x56, 0x78);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLOR_OPERATION, GAS }, { PICA_REG_COLORBUFFER_WRITE, 0 },
               { PICA_REG_COLORBUFFER_READ, 0 });
    EXPECT_EQ(m, "GAS-01", probe_pixel(m, 3, 3), 0x12345678u);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLOR_OPERATION, GAS }, { PICA_REG_COLORBUFFER_READ, 0 });
    EXPECT_EQ(m, "GAS-01", probe_pixel(m, 3, 3), 0); /* halves are seen as 0 */
    EXPECT_ONLY_EVENTS(m, "GAS-01", PICA_EVENT_GAS_MODE);
}

EACH_MACHINE(gas, GAS_02_GAS_03_the_other_gas_registers_are_stored_only)
{
    probe_clear_color(m, 0x12, 0x34, 0x56, 0x78);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLOR_OPERATION, GAS }, { 0x120, 0xFFFFFFFF }, { 0x121, 0xFFFFFFFF },
               { 0x122, 0xFFFFFFFF }, { 0x123, 0xABCDFFFE }, { 0x124, 0x11111111 }, { 0x124, 0x22222222 },
               { 0x124, 0x33333333 }, { 0x125, 0x44444444 }, { 0x126, 0xFFFFFFFF });
    EXPECT_EQ(m, "GAS-02", probe_pixel(m, 3, 3), 0x12345678u);
    EXPECT_EQ(m, "GAS-02", machine_register(m, 0x120), 0xFFFFFFFFu);
    EXPECT_EQ(m, "GAS-02", machine_register(m, 0x121), 0xFFFFFFFFu);
    EXPECT_EQ(m, "GAS-02", machine_register(m, 0x122), 0xFFFFFFFFu);
    EXPECT_EQ(m, "GAS-02", machine_register(m, 0x123), 0xABCD0001u); /* FFFE, FFFF, 0000 */
    EXPECT_EQ(m, "GAS-02", machine_register(m, 0x124), 0x33333333u);
    EXPECT_EQ(m, "GAS-02", machine_register(m, 0x125), 0x44444444u); /* never updated */
    EXPECT_EQ(m, "GAS-03", machine_register(m, 0x126), 0xFFFFFFFFu);
    EXPECT_EQ(m, "GAS-02", machine_state(m)->tables.gas[14], 0x11111111u);
    EXPECT_EQ(m, "GAS-02", machine_state(m)->tables.gas[15], 0x22222222u);
    EXPECT_EQ(m, "GAS-02", machine_state(m)->tables.gas[0], 0x33333333u);
    EXPECT_ONLY_EVENTS(m, "GAS-02, GAS-03", PICA_EVENT_GAS_MODE);
}

EACH_MACHINE(gas, GAS_03_the_gas_depth_function_has_no_effect)
{
    for (uint32_t function = 0; function < 4; function++) {
        machine_row(m, "function %u", (unsigned)function);
        probe_clear_color(m, 0x7E, 0x00, 0x12, 0x34);
        probe_clear_depth_stencil(m, function % 2u ? 0xFFFFFF : 0, 0);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLOR_OPERATION, GAS }, { 0x126, function << 24 });
        EXPECT_EQ(m, "GAS-03", probe_pixel(m, 3, 3), 0x7FFF1234u);
    }
}
