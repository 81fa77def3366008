/* 60-framebuffer.md section 4: the stencil test. */
#include "tests/conformance/compare_functions.h"
#include "tests/conformance/triangle_probe.h"

static uint32_t stencil_test(uint32_t function, uint32_t reference, uint32_t compare, uint32_t write)
{
    return compare << 24 | reference << 16 | write << 8 | function << 4 | 1u;
}

EACH_MACHINE(stencil_test, STC_03_the_masked_reference_is_on_the_left)
{
    static const struct {
        uint32_t reference, compare, old, relation; /* ref & cm against old & cm */
    } rows[] = {
        { 0x3C, 0xFF, 0xF0, 0 }, { 0x80, 0xFF, 0x80, 1 }, { 0xF0, 0xFF, 0x3C, 2 },
        { 0x80, 0xFF, 0x7F, 2 }, /* unsigned */
        { 0xFF, 0xFF, 0x00, 2 }, { 0x3C, 0x0F, 0xF0, 2 }, { 0x3C, 0xF0, 0xF0, 0 },
        { 0x3C, 0x00, 0xF0, 1 }, { 0x15, 0x0F, 0x25, 1 },
    };
    for (uint32_t function = 0; function < 8; function++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            machine_row(m, "function %u, row %zu", (unsigned)function, i);
            probe_clear_depth_stencil(m, 0x123456, rows[i].old);
            DRAW_COLOR(
                m, 0xFFFFFFFF,
                { PICA_REG_STENCIL_TEST, stencil_test(function, rows[i].reference, rows[i].compare, 0xFF) | 0x8Eu },
                { PICA_REG_STENCIL_OP, 0x001 }); /* fail: zero, pass: keep */
            const bool passes = compare_functions[function][rows[i].relation];
            EXPECT_EQ(m, "STC-03, FBF-23", probe_covered(m, 0), passes ? 64u : 0u);
            EXPECT_STENCIL(m, "STC-06", 3, 3, passes ? rows[i].old : 0u);
            EXPECT_DEPTH(m, "STC-06, DPT-04", 3, 3, passes ? 0x7FFFFFu : 0x123456u);
        }
}

EACH_MACHINE(stencil_test, STC_04_STC_06_every_operation_in_every_outcome)
{
    /* ref = 0xA5. Rows: old 00, 01, 7F, FE, FF. */
    static const uint8_t old[5] = { 0x00, 0x01, 0x7F, 0xFE, 0xFF };
    static const uint8_t want[8][5] = {
        { 0x00, 0x01, 0x7F, 0xFE, 0xFF }, /* keep */
        { 0x00, 0x00, 0x00, 0x00, 0x00 }, /* zero */
        { 0xA5, 0xA5, 0xA5, 0xA5, 0xA5 }, /* replace */
        { 0x01, 0x02, 0x80, 0xFF, 0xFF }, /* increment */
        { 0x00, 0x00, 0x7E, 0xFD, 0xFE }, /* decrement */
        { 0xFF, 0xFE, 0x80, 0x01, 0x00 }, /* invert */
        { 0x01, 0x02, 0x80, 0xFF, 0x00 }, /* increment with wrap */
        { 0xFF, 0x00, 0x7E, 0xFD, 0xFE }, /* decrement with wrap */
    };
    for (uint32_t operation = 0; operation < 8; operation++)
        for (uint32_t when = 0; when < 4; when++) /* stencil fails, depth fails, both pass, no depth test */
            for (size_t i = 0; i < 5; i++) {
                machine_row(m, "operation %u, case %u, old %02X", (unsigned)operation, (unsigned)when, old[i]);
                probe_clear_depth_stencil(m, 0x7FFFFF, old[i]);
                const uint32_t shift = when == 0u ? 0u : when == 1u ? 4u : 8u;
                const uint32_t depth = when == 1u ? 0x1F01u : when == 2u ? 0x1F21u : 0x1F00u; /* never, equal, off */
                DRAW_COLOR(m, 0xFFFFFFFF,
                           { PICA_REG_STENCIL_TEST, stencil_test(when == 0u ? 0u : 1u, 0xA5, 0x00, 0xFF) },
                           { PICA_REG_STENCIL_OP, 0xFFFFF888u | operation << shift }, /* the other two: keep */
                           { PICA_REG_DEPTH_COLOR_MASK, depth });
                EXPECT_STENCIL(m, "STC-04, STC-06", 3, 3, want[operation][i]);
                EXPECT_EQ(m, "STC-06", probe_covered(m, 0), when >= 2u ? 64u : 0u);
            }
}

EACH_MACHINE(stencil_test, STC_06_exactly_one_operation_runs)
{
    /* Fail zero (1), depth fail replace (2), pass invert (5), all set: only the one of the outcome runs. */
    static const struct {
        uint32_t function, depth, want;
    } cases[] = { { 0, 0x1F00, 0x00 }, { 1, 0x1F01, 0xA5 }, { 1, 0x1F11, 0xF0 }, { 1, 0x1F00, 0xF0 } };
    for (size_t i = 0; i < 4; i++) {
        machine_row(m, "row %zu", i);
        probe_clear_depth_stencil(m, 0, 0x0F);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_STENCIL_TEST, stencil_test(cases[i].function, 0xA5, 0xFF, 0xFF) },
                   { PICA_REG_STENCIL_OP, 0x521 }, { PICA_REG_DEPTH_COLOR_MASK, cases[i].depth });
        EXPECT_STENCIL(m, "STC-06", 3, 3, cases[i].want);
    }
}

EACH_MACHINE(stencil_test, STC_01_STC_05_only_bits_of_the_write_mask_change)
{
    static const struct {
        uint32_t old, reference, mask, operation, want;
    } cases[] = {
        { 0xF0, 0x3C, 0x0F, 2, 0xFC }, /* the example */
        { 0xFF, 0x00, 0xFF, 6, 0x00 }, { 0xFF, 0x00, 0xFF, 3, 0xFF }, { 0xFF, 0x00, 0x0F, 6, 0xF0 },
        { 0xAA, 0x00, 0x00, 5, 0xAA }, { 0xAA, 0x00, 0x3C, 5, 0x96 }, { 0xAA, 0x00, 0x3C, 1, 0x82 },
        { 0x0F, 0x00, 0xF0, 3, 0x1F }, /* 10 under the mask F0 on 0F: operation on the unmasked value */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        probe_clear_depth_stencil(m, 0, cases[i].old);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_STENCIL_TEST, stencil_test(6, cases[i].reference, 0xFF, cases[i].mask) },
                   { PICA_REG_STENCIL_OP, cases[i].operation }); /* greater: 3C > F0 fails, 0 > old fails */
        EXPECT_STENCIL(m, "STC-01, STC-05", 3, 3, cases[i].want);
    }
}

EACH_MACHINE(stencil_test, STC_05_without_READ_the_operation_sees_0_and_masked_bits_stay)
{
    /* Depth READ off: the operation sees 0, the bits outside the write mask keep the real stored value. */
    probe_clear_depth_stencil(m, 0x111111, 0xAA);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_READ, 0 },
               { PICA_REG_STENCIL_TEST, stencil_test(2, 0x00, 0xFF, 0x0F) }, { PICA_REG_STENCIL_OP, 0x300 });
    EXPECT_FULL(m, "STC-03, FBF-16"); /* 0 = 0 */
    EXPECT_STENCIL(m, "STC-05", 3, 3, 0xA1);
    machine_reset(m);
    probe_clear_depth_stencil(m, 0x111111, 0xAA);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_READ, 0 },
               { PICA_REG_STENCIL_TEST, stencil_test(1, 0x00, 0xFF, 0xFF) }, { PICA_REG_STENCIL_OP, 0x000 });
    EXPECT_STENCIL(m, "STC-04, STC-05", 3, 3, 0x00); /* keep stores the old value that it sees */
}

EACH_MACHINE(stencil_test, STC_05_stencil_needs_depth_WRITE_but_not_the_depth_write_bit)
{
    probe_clear_depth_stencil(m, 0x222222, 0x10);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTH_COLOR_MASK, 0x0F00 },
               { PICA_REG_STENCIL_TEST, stencil_test(1, 0, 0xFF, 0xFF) }, { PICA_REG_STENCIL_OP, 0x300 });
    EXPECT_EQ(m, "STC-05", probe_depth_stencil(m, 3, 3), 0x11222222u);
    machine_reset(m);
    probe_clear_depth_stencil(m, 0x222222, 0x10);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_WRITE, 0 },
               { PICA_REG_STENCIL_TEST, stencil_test(1, 0, 0xFF, 0xFF) }, { PICA_REG_STENCIL_OP, 0x300 });
    EXPECT_EQ(m, "STC-05", probe_depth_stencil(m, 3, 3), 0x10222222u);
}

EACH_MACHINE(stencil_test, STC_02_stencil_exists_only_in_D24S8_and_when_enabled)
{
    static const uint32_t formats[] = { 0, 1, 2 };
    for (size_t i = 0; i < 3; i++) {
        machine_row(m, "format %u", (unsigned)formats[i]);
        probe_clear_depth_stencil(m, 0, 0xAA);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_FORMAT, formats[i] }, { PICA_REG_DEPTH_COLOR_MASK, 0x0F00 },
                   { PICA_REG_STENCIL_TEST, stencil_test(0, 0, 0xFF, 0xFF) }, { PICA_REG_STENCIL_OP, 0x555 });
        EXPECT_FULL(m, "STC-02");
        for (uint32_t p = 0; p < 64; p++)
            EXPECT_EQ(m, "STC-02", machine_word(m, DEPTH_ADDRESS + 4u * p), 0xAA000000u);
    }
    machine_row(m, "disabled");
    probe_clear_depth_stencil(m, 0, 0xAA);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_STENCIL_TEST, stencil_test(0, 0, 0xFF, 0xFF) & ~1u },
               { PICA_REG_STENCIL_OP, 0x555 });
    EXPECT_FULL(m, "STC-02");
    EXPECT_STENCIL(m, "STC-02", 3, 3, 0xAA);
}
