/* The helper itself: its encoders, and a probe that draws without an event. */
#include "tests/conformance/machine.h"

#include "pica/enums.h"

/* Rows of FLT-12 and FLT-23 that the encoders can make. */
Test(machine, FLT_12_encoders_give_the_raw_values_of_the_examples)
{
    cr_expect_eq(float24(1.0), 0x3F0000u);
    cr_expect_eq(float24(-1.0), 0xBF0000u);
    cr_expect_eq(float24(3.0), 0x408000u);
    cr_expect_eq(float24(0.5), 0x3E0000u);
    cr_expect_eq(float16(1.0), 0x3C00u);
    cr_expect_eq(float31(1.0), 0x1F800000u);
    uint32_t words[3] = { 0 };
    float24_words(0x3F0000, 0xBF0000, 0x3E0000, 0x408000, words);
    cr_expect_eq(words[0], 0x4080003Eu);
    cr_expect_eq(words[1], 0x0000BF00u);
    cr_expect_eq(words[2], 0x003F0000u);
}

EACH_MACHINE(machine, GEN_08_the_pixel_probe_draws_and_records_no_event)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 200, 100, 50, 128);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_EQ(m, "RST-02", probe_covered(m, 0), 64);
    for (uint32_t i = 0; i < 64; i++) {
        machine_case(m, "pixel %u", (unsigned)i);
        EXPECT_PIXEL(m, "ITP-13", i % 8, i / 8, 200, 100, 50, 128);
        EXPECT_DEPTH(m, "ITP-17", i % 8, i / 8, 0x7FFFFF);
        EXPECT_STENCIL(m, "FBF-32", i % 8, i / 8, 0);
    }
    EXPECT_NO_EVENTS(m, "GEN-08");
    EXPECT_EQ(m, "REG-12", machine_interrupts(m, 5), 1);
}
