/* 60-framebuffer.md section 3: the alpha test. */
#include "tests/conformance/compare_functions.h"
#include "tests/conformance/triangle_probe.h"

EACH_MACHINE(alpha_test, ATS_01_FBF_23_alpha_is_compared_with_the_reference)
{
    static const struct {
        uint32_t alpha, reference, relation; /* 0 less, 1 equal, 2 greater */
    } pairs[] = { { 127, 128, 0 }, { 128, 128, 1 }, { 129, 128, 2 }, { 0, 255, 0 },
                  { 255, 0, 2 },   { 0, 0, 1 },     { 255, 255, 1 } };
    for (uint32_t function = 0; function < 8; function++)
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
            for (uint32_t enabled = 0; enabled < 2; enabled++) {
                machine_row(m, "function %u, alpha %u, reference %u, %s", (unsigned)function, (unsigned)pairs[i].alpha,
                            (unsigned)pairs[i].reference, enabled ? "enabled" : "disabled");
                /* Bits 1-3, 7 and 16-31 are not listed. */
                DRAW_COLOR(
                    m, 0xFFFFFF00u | pairs[i].alpha,
                    { PICA_REG_FRAGOP_ALPHA_TEST, 0xFFFF008Eu | pairs[i].reference << 8 | function << 4 | enabled });
                EXPECT_EQ(m, "ATS-01, FBF-23", probe_covered(m, 0),
                          !enabled || compare_functions[function][pairs[i].relation] ? 64u : 0u);
            }
}

EACH_MACHINE(alpha_test, ATS_01_the_alpha_is_that_of_the_combiners)
{
    /* The combiner's alpha, not the vertex colour's: source constant (14) of stage 0. */
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_TEXENV0_SOURCE, 0x000E000E }, { PICA_REG_TEXENV0_COLOR, 0x10332211 },
               { PICA_REG_FRAGOP_ALPHA_TEST, 0x1021 });
    EXPECT_PIXEL(m, "ATS-01", 3, 3, 0x11, 0x22, 0x33, 0x10);
}
