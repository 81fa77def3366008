/* 70-gx-engines.md section 4: what a backend shows of the LCD controllers. The pictures: test_display_picture.c. */
#include "tests/conformance/checks.h"

enum {
    PDC0 = 0x10400400,
    PDC1 = 0x10400500
};

EACH_MACHINE(display, PDC_01_PDC_02_both_controllers_keep_their_stored_bits)
{
    static const struct {
        uint32_t offset, stored;
    } cases[] = {
        { 0x5C, 0xFFFFFFFF }, { 0x68, 0xFFFFFFF0 }, { 0x6C, 0xFFFFFFF0 }, { 0x70, 0xFFFFFFFF }, { 0x78, 0x00000001 },
        { 0x80, 0xFFFFFFFF }, { 0x84, 0xFFFFFFFF }, { 0x90, 0xFFFFFFF0 }, { 0x94, 0xFFFFFFF0 }, { 0x98, 0xFFFFFFF0 },
    };
    static const uint32_t patterns[] = { 0xFFFFFFFF, 0x5A5A5A5A, 0xA5A5A5A5, 0 };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 4; k++) {
            machine_case(m, "offset %02X, word %08X", (unsigned)cases[i].offset, (unsigned)patterns[k]);
            machine_cpu_write(m, PDC0 + cases[i].offset, patterns[k]);
            machine_cpu_write(m, PDC1 + cases[i].offset, ~patterns[k]);
            EXPECT_READ(m, "PDC-01, PDC-02", PDC0 + cases[i].offset, patterns[k] & cases[i].stored);
            EXPECT_READ(m, "PDC-01, PDC-02", PDC1 + cases[i].offset, ~patterns[k] & cases[i].stored);
        }
    EXPECT_NO_EVENTS(m, "PDC-06");
}

EACH_MACHINE(display, PDC_01_other_offsets_store_and_do_nothing)
{
    for (uint32_t offset = 0; offset < 0x200u; offset += 4u)
        machine_cpu_write(m, PDC0 + offset, 0x12345670u + 0x01000000u * (offset & 0xFu));
    static const uint32_t samples[] = { 0x00, 0x24, 0x54, 0x58, 0x60,  0x64,  0x74, 0x7C,
                                        0x88, 0x8C, 0x9C, 0xFC, 0x100, 0x174, 0x1FC };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        machine_case(m, "offset %03X", (unsigned)samples[i]);
        EXPECT_READ(m, "PDC-01", PDC0 + samples[i], 0x12345670u + 0x01000000u * (samples[i] & 0xFu));
    }
    EXPECT_NO_EVENTS(m, "PDC-01");
    EXPECT_INTERRUPTS(m, "PDC-01", 0, 0, 0, 0, 0, 0);
}

EACH_MACHINE(display, PDC_07_the_colour_fill_registers_store_all_bits)
{
    machine_cpu_write(m, 0x10202204u, 0xFFFFFFFFu);
    machine_cpu_write(m, 0x10202A04u, 0x01A0B0C0u);
    EXPECT_READ(m, "PDC-07, PSC-12", 0x10202204u, 0xFFFFFFFFu);
    EXPECT_READ(m, "PDC-07, PSC-12", 0x10202A04u, 0x01A0B0C0u);
    EXPECT_NO_EVENTS(m, "PDC-07");
}

EACH_MACHINE(display, PDC_08_vertical_blanks_come_from_the_harness_and_count)
{
    machine_vertical_blank(m, 0);
    EXPECT_INTERRUPTS(m, "PDC-08, EXT-CMD-11", 0, 0, 1, 0, 0, 0);
    machine_vertical_blank(m, 1);
    machine_vertical_blank(m, 1);
    EXPECT_INTERRUPTS(m, "PDC-08, EXT-CMD-11", 0, 0, 1, 2, 0, 0);
    EXPECT_READ(m, "EXT-CMD-07", 0x10400034u, 0); /* bits 28 and 29 stay 0 */
    EXPECT_NO_EVENTS(m, "PDC-06, PDC-08");
}

EACH_MACHINE(display, PDC_08_GPU_work_never_counts_a_vertical_blank)
{
    machine_fill(m, 0, 0x18000000, 0x18000010, 0, 1);
    machine_cpu_write(m, 0x10400C18u, 1);
    machine_list_write(m, PICA_REG_VIEWPORT_XY, 0);
    for (uint32_t offset = 0; offset < 0x200u; offset += 4u)
        machine_cpu_write(m, PDC0 + offset, 0xFFFFFFFFu);
    EXPECT_INTERRUPTS(m, "PDC-08, EXT-CMD-11", 1, 0, 0, 0, 1, 1);
}
