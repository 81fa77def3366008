/* 60-framebuffer.md section 5: the depth test. */
#include "tests/conformance/compare_functions.h"
#include "tests/conformance/triangle_probe.h"

EACH_MACHINE(depth_test, DPT_01_DPT_02_DPT_04_depth_is_compared_with_the_stored_depth)
{
    /* Fragment depth 7FFFFF (24 bits) and 7FFF (16 bits). */
    static const uint32_t stored24[3] = { 0x800000, 0x7FFFFF, 0x7FFFFE };
    static const uint32_t stored16[3] = { 0x8000, 0x7FFF, 0x7FFE };
    for (uint32_t format = 0; format < 4; format++)
        for (uint32_t function = 0; function < 8; function++)
            for (uint32_t relation = 0; relation < 3; relation++) {
                if (format == 1u)
                    continue;
                machine_row(m, "format %u, function %u, relation %u", (unsigned)format, (unsigned)function,
                            (unsigned)relation);
                const uint32_t stored = format == 0u ? stored16[relation] : stored24[relation];
                const uint32_t bytes = format == 0u ? 2u : format == 2u ? 3u : 4u;
                for (uint32_t p = 0; p < 64; p++)
                    machine_load(m, DEPTH_ADDRESS + p * bytes,
                                 (const uint8_t[3]){ (uint8_t)stored, (uint8_t)(stored >> 8), (uint8_t)(stored >> 16) },
                                 bytes == 2u ? 2u : 3u);
                DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_FORMAT, format },
                           { PICA_REG_DEPTH_COLOR_MASK, 0x1F01u | function << 4 });
                const bool passes = compare_functions[function][relation];
                EXPECT_EQ(m, "DPT-01, DPT-02, FBF-23", probe_covered(m, 0), passes ? 64u : 0u);
                const uint32_t mask = format == 0u ? 0xFFFFu : 0xFFFFFFu;
                const uint32_t fragment = format == 0u ? 0x7FFFu : 0x7FFFFFu;
                EXPECT_EQ(m, "DPT-03, DPT-04", machine_word(m, DEPTH_ADDRESS + 9u * bytes) & mask,
                          passes ? fragment : stored);
            }
}

EACH_MACHINE(depth_test, DPT_03_depth_is_written_also_without_a_test)
{
    static const struct {
        uint32_t mask, write;
        uint32_t want;
    } cases[] = {
        { 0x1F00, 3, 0x7FFFFF }, /* test off: always passes, and writes */
        { 0x1F40, 3, 0x7FFFFF }, /* test off: the function does not count */
        { 0x0F00, 3, 0x123456 }, /* write bit off */
        { 0x0F11, 3, 0x123456 },
        { 0x1F11, 3, 0x7FFFFF },
        { 0x1F00, 0, 0x123456 },
        { 0x1F11, 0, 0x123456 },
        { 0x1000, 3, 0x7FFFFF },              /* no colour channel needed */
        { 0xFFFFEF8E | 0x1000, 3, 0x7FFFFF }, /* bits that are not listed */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        probe_clear_depth_stencil(m, 0x123456, 0x77);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTH_COLOR_MASK, cases[i].mask },
                   { PICA_REG_DEPTHBUFFER_WRITE, cases[i].write });
        EXPECT_EQ(m, "DPT-03", probe_depth_stencil(m, 3, 3), 0x77000000u | cases[i].want);
    }
}
