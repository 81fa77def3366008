/* 70-gx-engines.md sections 0 and 1: external registers and the memory fill units. */
#include "tests/conformance/checks.h"

#include <string.h>

enum {
    FILL0 = 0x10400010,
    FILL1 = 0x10400020,
    VRAM = 0x18000000
};

/* The whole fill by four CPU writes; `start` and `end` are byte addresses. */
static void fill(struct machine *m, uint32_t unit, uint32_t start, uint32_t end, uint32_t value, uint32_t control)
{
    const uint32_t base = (uint32_t)FILL0 + 0x10u * unit;
    machine_cpu_write(m, base + 0x0u, start >> 3);
    machine_cpu_write(m, base + 0x4u, end >> 3);
    machine_cpu_write(m, base + 0x8u, value);
    machine_cpu_write(m, base + 0xCu, control);
}

/* ------------------------------------------------------------------------------------------------------- registers */

static const struct {
    uint32_t offset;
    uint32_t stored;
} stored_bits[] = {
    { 0x010, 0x1FFFFFFE }, { 0x014, 0x1FFFFFFE }, { 0x018, 0xFFFFFFFF }, { 0x01C, 0x001F0300 }, { 0x020, 0x1FFFFFFE },
    { 0x024, 0x1FFFFFFE }, { 0x028, 0xFFFFFFFF }, { 0x02C, 0x001F0300 }, { 0x034, 0x00000000 }, { 0xC00, 0x1FFFFFFE },
    { 0xC04, 0x1FFFFFFE }, { 0xC08, 0xFFF8FFF8 }, { 0xC0C, 0x0000FFF8 }, { 0xC10, 0x0301772F }, { 0xC14, 0x001FFFFF },
    { 0xC18, 0x00000000 }, /* bit 0 is written as 0, bit 8 can only be kept (PPF-20) */
    { 0xC1C, 0x00003FFF }, { 0xC20, 0xFFFFFFF0 }, { 0xC24, 0xFFFFFFFF }, { 0xC28, 0xFFFFFFFF }, { 0xC2C, 0x00000001 },
    { 0x45C, 0xFFFFFFFF }, { 0x468, 0xFFFFFFF0 }, { 0x46C, 0xFFFFFFF0 }, { 0x470, 0xFFFFFFFF }, { 0x478, 0x00000001 },
    { 0x480, 0xFFFFFFFF }, { 0x484, 0xFFFFFFFF }, { 0x490, 0xFFFFFFF0 }, { 0x494, 0xFFFFFFF0 }, { 0x498, 0xFFFFFFF0 },
    { 0x55C, 0xFFFFFFFF }, { 0x568, 0xFFFFFFF0 }, { 0x56C, 0xFFFFFFF0 }, { 0x570, 0xFFFFFFFF }, { 0x578, 0x00000001 },
    { 0x580, 0xFFFFFFFF }, { 0x584, 0xFFFFFFFF }, { 0x590, 0xFFFFFFF0 }, { 0x594, 0xFFFFFFF0 }, { 0x598, 0xFFFFFFF0 },
};

static uint32_t expected_stored(uint32_t offset)
{
    for (size_t i = 0; i < sizeof stored_bits / sizeof stored_bits[0]; i++)
        if (stored_bits[i].offset == offset)
            return stored_bits[i].stored;
    return 0xFFFFFFFFu;
}

EACH_MACHINE(fill, PSC_01_external_registers_reset_to_zero)
{
    for (uint32_t offset = 0; offset < 0x1000u; offset += 4u)
        EXPECT_READ(m, "PSC-01", 0x10400000u + offset, 0);
    EXPECT_READ(m, "PSC-13", 0x10202204u, 0);
    EXPECT_READ(m, "PSC-13", 0x10202A04u, 0);
}

EACH_MACHINE(fill, PSC_01_PSC_13_each_register_keeps_exactly_its_stored_bits)
{
    for (uint32_t offset = 0; offset < 0x1000u; offset += 4u) {
        const bool starts = offset == 0x01Cu || offset == 0x02Cu || offset == 0xC18u;
        machine_cpu_write(m, 0x10400000u + offset, starts ? 0xFFFFFFFEu : 0xFFFFFFFFu);
    }
    for (uint32_t offset = 0; offset < 0x1000u; offset += 4u)
        EXPECT_READ(m, "PSC-01", 0x10400000u + offset, expected_stored(offset));
    EXPECT_INTERRUPTS(m, "PSC-01", 0, 0, 0, 0, 0, 0);
}

EACH_MACHINE(fill, PSC_01_a_write_replaces_the_whole_word)
{
    machine_cpu_write(m, 0x10400018u, 0xA5A5A5A5u);
    machine_cpu_write(m, 0x10400018u, 0x5A5A0000u);
    EXPECT_READ(m, "PSC-01", 0x10400018u, 0x5A5A0000u);
    machine_cpu_write(m, 0x10400C10u, 0xFFFFFFFFu);
    machine_cpu_write(m, 0x10400C10u, 0x00005500u);
    EXPECT_READ(m, "PSC-01", 0x10400C10u, 0x00005500u);
}

EACH_MACHINE(fill, PSC_12_bits_0_and_1_of_the_address_are_ignored)
{
    for (uint32_t low = 0; low < 4u; low++) {
        machine_cpu_write(m, 0x10400018u + low, 0x11111111u * (low + 1u));
        EXPECT_READ(m, "PSC-12", 0x10400018u, 0x11111111u * (low + 1u));
    }
    EXPECT_READ(m, "PSC-12", 0x1040001Cu, 0);
    machine_cpu_write(m, 0x10401107u, 0x00123456u); /* id 0x041 */
    EXPECT_EQ(m, "PSC-12", machine_register(m, 0x041), 0x00123456u);
    machine_cpu_write(m, 0x10202207u, 0x01020304u);
    EXPECT_READ(m, "PSC-12", 0x10202204u, 0x01020304u);
}

EACH_MACHINE(fill, PSC_12_0x10401000_is_the_internal_block_up_to_id_0x3FF)
{
    machine_cpu_write(m, 0x10401BFCu, 0xCAFEBABEu); /* id 0x2FF */
    EXPECT_EQ(m, "PSC-12", machine_register(m, 0x2FF), 0xCAFEBABEu);
    EXPECT_NO_EVENT(m, "PSC-12", PICA_EVENT_REG_ID_RANGE);
    machine_cpu_write(m, 0x10401C00u, 1u); /* id 0x300: REG-05 */
    EXPECT_EVENT(m, "PSC-12", PICA_EVENT_REG_ID_RANGE);
}

EACH_MACHINE(fill, PSC_12_every_other_address_is_ignored)
{
    static const uint32_t nowhere[] = { 0x00000000, 0x10202200, 0x10202208, 0x10202A00, 0x10202A08, 0x103FFFFC,
                                        0x10402000, 0x18000000, 0x1EF00018, 0x20000000, 0xFFFFFFFC };
    const struct pica_state before = *machine_state(m);
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++)
        machine_cpu_write(m, nowhere[i], 0xFFFFFFFFu);
    const struct pica_state after = *machine_state(m);
    cr_expect_eq(memcmp(&before, &after, sizeof before), 0, "%s: PSC-12: a write to nowhere changed the state",
                 m->name);
    EXPECT_ALL_BYTES(m, "PSC-12", 0x18000000u, 4, 0);
    EXPECT_ALL_BYTES(m, "PSC-12", 0x20000000u, 4, 0);
    EXPECT_NO_EVENTS(m, "PSC-12");
}

EACH_MACHINE(fill, PSC_13_STATUS_is_computed_and_cannot_be_written)
{
    machine_cpu_write(m, 0x10400034u, 0xFFFFFFFFu);
    EXPECT_READ(m, "PSC-12", 0x10400034u, 0);
    fill(m, 0, VRAM, VRAM + 16, 0, 1);
    EXPECT_READ(m, "PSC-13", 0x10400034u, 1u << 26);
    machine_cpu_write(m, 0x10400034u, 0);
    EXPECT_READ(m, "PSC-12", 0x10400034u, 1u << 26);
    fill(m, 1, VRAM, VRAM + 16, 0, 1);
    EXPECT_READ(m, "PSC-13", 0x10400034u, 3u << 26);
    machine_cpu_write(m, 0x1040001Cu, 0);
    EXPECT_READ(m, "PSC-13", 0x10400034u, 1u << 27);
    machine_cpu_write(m, 0x10400C18u, 1);
    EXPECT_READ(m, "PSC-13", 0x10400034u, 1u << 27 | 1u << 30);
    machine_cpu_write(m, 0x10401040u, 0x12345678u); /* REG-12 */
    EXPECT_READ(m, "PSC-13", 0x10400034u, 1u << 27 | 1u << 30 | 1u << 31);
    machine_cpu_write(m, 0x10401000u, 0); /* REG-15 */
    machine_cpu_write(m, 0x10400C18u, 0);
    EXPECT_READ(m, "PSC-13", 0x10400034u, 1u << 27);
}

EACH_MACHINE(fill, PSC_02_other_registers_and_bits_29_to_31_record_nothing)
{
    static const uint32_t silent[] = { 0x10400018, 0x10400C08, 0x10400C0C, 0x10400C14, 0x10400C1C, 0x10400C20,
                                       0x10400C24, 0x10400C28, 0x10400C2C, 0x10400468, 0x10400490 };
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++)
        machine_cpu_write(m, silent[i], 1u);
    for (uint32_t address = 0x10400010u; address <= 0x10400C04u; address += 0xBF4u)
        machine_cpu_write(m, address, 0xFFFFFFFEu);
    EXPECT_NO_EVENT(m, "PSC-02", PICA_EVENT_ENGINE_ADDRESS_LOW_BITS);
}

EACH_MACHINE(fill, PSC_02_bit_0_of_an_engine_address_is_an_event_at_the_write)
{
    /* Start and end of both fill units, input and output of the transfer. */
    static const uint32_t addresses[] = { 0x10400010, 0x10400014, 0x10400020, 0x10400024, 0x10400C00, 0x10400C04 };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        machine_row(m, "address %08X", (unsigned)addresses[i]);
        machine_cpu_write(m, addresses[i], 1u);
        EXPECT_EVENT(m, "PSC-02, PPF-01", PICA_EVENT_ENGINE_ADDRESS_LOW_BITS);
    }
}

EACH_MACHINE(fill, PSC_02_start_and_end_are_multiples_of_16_below_4_GiB)
{
    machine_cpu_write(m, FILL0 + 0x0, 0xE3000001u); /* 0x18000008 without the bits that do not exist: 0x18000000 */
    machine_cpu_write(m, FILL0 + 0x4, 0xE3000005u); /* 0x18000028: 0x18000020 */
    machine_cpu_write(m, FILL0 + 0x8, 0x11111111u);
    machine_cpu_write(m, FILL0 + 0xC, 0x00000201u);
    EXPECT_READ(m, "PSC-02", FILL0 + 0x0, 0x03000000u);
    EXPECT_READ(m, "PSC-02", FILL0 + 0x4, 0x03000004u);
    EXPECT_ALL_BYTES(m, "PSC-02", VRAM, 0x20, 0x11);
    EXPECT_ALL_BYTES(m, "PSC-02", VRAM + 0x20, 0x10, 0);
}

/* ----------------------------------------------------------------------------------------------------------- fills */

EACH_MACHINE(fill, PSC_03_completion_clears_bit_0_sets_bit_1_and_keeps_the_rest)
{
    fill(m, 0, VRAM, VRAM + 16, 0, 0xFFFFFFFFu);
    EXPECT_READ(m, "PSC-03", 0x1040001Cu, 0x001F0302u);
    fill(m, 1, VRAM, VRAM + 16, 0, 0x00000001u); /* bit 1 is set although 0 was written */
    EXPECT_READ(m, "PSC-03", 0x1040002Cu, 0x00000002u);
    fill(m, 1, VRAM, VRAM + 16, 0, 0x00150101u);
    EXPECT_READ(m, "PSC-03", 0x1040002Cu, 0x00150102u);
    EXPECT_INTERRUPTS(m, "PSC-10", 1, 2, 0, 0, 0, 0);
}

EACH_MACHINE(fill, PSC_04_without_bit_0_nothing_starts_and_bit_1_can_only_be_cleared)
{
    static const struct {
        uint32_t finished, written, want;
    } cases[] = {
        { 0, 0x00000000, 0x00000000 }, { 0, 0x00000002, 0x00000000 }, { 0, 0xFFFFFFFE, 0x001F0300 },
        { 1, 0x00000002, 0x00000002 }, { 1, 0x00000000, 0x00000000 }, { 1, 0x001F0300, 0x001F0300 },
        { 1, 0x000A0202, 0x000A0202 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_cpu_write(m, 0x1040001Cu, 0);
        if (cases[i].finished != 0u)
            fill(m, 0, VRAM + 0x100, VRAM + 0x110, 0, 1);
        machine_cpu_write(m, 0x10400018u, 0xEEEEEEEEu);
        machine_cpu_write(m, 0x1040001Cu, cases[i].written);
        EXPECT_READ(m, "PSC-04", 0x1040001Cu, cases[i].want);
        EXPECT_ALL_BYTES(m, "PSC-04", VRAM + 0x100, 16, 0);
    }
    EXPECT_INTERRUPTS(m, "PSC-04", 4, 0, 0, 0, 0, 0);
}

EACH_MACHINE(fill, PSC_05_the_pattern_is_the_low_bytes_of_the_value)
{
    static const struct {
        uint32_t width, value;
        uint8_t want[16];
    } cases[] = {
        { 0,
          0x44332211,
          { 0x11, 0x22, 0x11, 0x22, 0x11, 0x22, 0x11, 0x22, 0x11, 0x22, 0x11, 0x22, 0x11, 0x22, 0x11, 0x22 } },
        { 1,
          0x44332211,
          { 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11 } },
        { 2,
          0x44332211,
          { 0x11, 0x22, 0x33, 0x44, 0x11, 0x22, 0x33, 0x44, 0x11, 0x22, 0x33, 0x44, 0x11, 0x22, 0x33, 0x44 } },
        { 3,
          0x44332211,
          { 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11 } },
        { 1,
          0x00FFFF00,
          { 0x00, 0xFF, 0xFF, 0x00, 0xFF, 0xFF, 0x00, 0xFF, 0xFF, 0x00, 0xFF, 0xFF, 0x00, 0xFF, 0xFF, 0x00 } },
        { 2,
          0x0000FFFF,
          { 0xFF, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fill(m, 0, VRAM, VRAM + 48, cases[i].value, cases[i].width << 8 | 1u);
        EXPECT_BYTES(m, "PSC-05", VRAM, cases[i].want, 16);
        EXPECT_ALL_BYTES(m, "PSC-06", VRAM + 48, 16, 0);
    }
    EXPECT_NO_EVENT(m, "PSC-07", PICA_EVENT_FILL_24_TAIL); /* 48 is a multiple of 3 */
}

EACH_MACHINE(fill, PSC_06_byte_i_is_pattern_byte_i_mod_length_and_the_end_is_exclusive)
{
    static const uint8_t want[16] = { 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33, 0x11,
                                      0x22, 0x33, 0x11, 0x22, 0x33, 0x11, 0x22, 0x33 };
    fill(m, 0, VRAM + 0x10, VRAM + 0x70, 0x00332211u, 0x101u); /* 96 bytes; byte 32 of the fill is p(32 mod 3) = p2 */
    EXPECT_ALL_BYTES(m, "PSC-06", VRAM, 16, 0);
    EXPECT_BYTES(m, "PSC-06", VRAM + 0x30, want, 16);
    EXPECT_ALL_BYTES(m, "PSC-06", VRAM + 0x70, 16, 0);
}

EACH_MACHINE(fill, PSC_07_the_last_24_bit_pattern_is_cut_at_the_end)
{
    static const uint8_t want[6] = { 0xBB, 0xCC, 0xAA, 0xBB, 0, 0 }; /* bytes 28 to 33: 28 mod 3 = 1, 32 mod 3 = 2 */
    fill(m, 0, VRAM, VRAM + 32, 0x00CCBBAAu, 0x301u);
    EXPECT_BYTES(m, "PSC-07", VRAM + 28, want, 6);
    EXPECT_EVENT(m, "PSC-07", PICA_EVENT_FILL_24_TAIL);
}

EACH_MACHINE(fill, PSC_07_only_24_bit_fills_have_a_tail)
{
    fill(m, 0, VRAM, VRAM + 32, 0xFFu, 0x001u);
    fill(m, 1, VRAM, VRAM + 32, 0xFFu, 0x201u);
    EXPECT_NO_EVENTS(m, "PSC-07");
}

EACH_MACHINE(fill, PSC_08_an_empty_fill_completes_and_writes_nothing)
{
    fill(m, 0, 0x10000000u, 0x10000000u, 0xFFu, 0x101u); /* outside memory: no mem-oob either */
    EXPECT_READ(m, "PSC-08", 0x1040001Cu, 0x00000102u);
    EXPECT_INTERRUPTS(m, "PSC-08", 1, 0, 0, 0, 0, 0);
    EXPECT_ONLY_EVENTS(m, "PSC-08", PICA_EVENT_FILL_EMPTY);
}

EACH_MACHINE(fill, PSC_08_an_inverted_fill_completes_and_writes_nothing)
{
    fill(m, 1, VRAM + 0x20, VRAM + 0x10, 0xFFFFFFFFu, 0x101u);
    EXPECT_ALL_BYTES(m, "PSC-08", VRAM, 0x40, 0);
    EXPECT_READ(m, "PSC-08", 0x1040002Cu, 0x00000102u);
    EXPECT_INTERRUPTS(m, "PSC-08", 0, 1, 0, 0, 0, 0);
    EXPECT_ONLY_EVENTS(m, "PSC-08", PICA_EVENT_FILL_INVERTED);
}

EACH_MACHINE(fill, PSC_10_start_zero_finishes_interrupts_and_is_an_event)
{
    fill(m, 0, 0, 0, 0xFFu, 0x001u);
    EXPECT_EVENT(m, "PSC-10", PICA_EVENT_FILL_START_ZERO);
    EXPECT_EVENT(m, "PSC-08", PICA_EVENT_FILL_EMPTY);
    EXPECT_NO_EVENT(m, "PSC-09", PICA_EVENT_MEM_OOB);
    EXPECT_INTERRUPTS(m, "PSC-10", 1, 0, 0, 0, 0, 0);
    EXPECT_READ(m, "PSC-10", 0x1040001Cu, 0x00000002u);
}

/* Two windows with a hole of 0x1000 bytes; 0x1000 = 4096 = 1 mod 3. */
static const struct pica_window holed[] = { { 0x18000000, 0x1000 }, { 0x18002000, 0x1000 } };

EACH_MACHINE_IN(fill, PSC_09_outside_bytes_are_skipped_and_the_pattern_goes_on, holed)
{
    static const uint8_t before[4] = { 0x11, 0x22, 0x33, 0x11 };
    static const uint8_t after[4] = { 0x33, 0x11, 0x22, 0x33 };
    fill(m, 0, 0x18000FF0u, 0x18002010u, 0x00332211u, 0x101u);
    EXPECT_BYTES(m, "PSC-09", 0x18000FF0u, before, 4);
    /* Byte 0x1010 of the fill: 4112 mod 3 = 2. */
    EXPECT_BYTES(m, "PSC-09", 0x18002000u, after, 4);
    EXPECT_ALL_BYTES(m, "PSC-09", 0x18002010u, 16, 0);
    EXPECT_EVENT(m, "PSC-09", PICA_EVENT_MEM_OOB);
}

EACH_MACHINE_IN(fill, PSC_09_a_fill_of_4_GiB_costs_only_the_windows, holed)
{
    fill(m, 0, 0, 0xFFFFFFF0u, 0x5A5A5A5Au, 0x201u);
    EXPECT_ALL_BYTES(m, "PSC-09", 0x18000000u, 0x1000, 0x5A);
    EXPECT_ALL_BYTES(m, "PSC-09", 0x18002000u, 0x1000, 0x5A);
    EXPECT_EVENT(m, "PSC-09", PICA_EVENT_MEM_OOB);
    EXPECT_EVENT(m, "PSC-10", PICA_EVENT_FILL_START_ZERO);
    EXPECT_NO_EVENT(m, "PSC-07", PICA_EVENT_FILL_24_TAIL);
}

/* As many windows as there can be (MEM-01), a page each. */
static const struct pica_window sixteen[] = {
    { 0x18000000, 0x1000 }, { 0x18002000, 0x1000 }, { 0x18004000, 0x1000 }, { 0x18006000, 0x1000 },
    { 0x18008000, 0x1000 }, { 0x1800A000, 0x1000 }, { 0x1800C000, 0x1000 }, { 0x1800E000, 0x1000 },
    { 0x18010000, 0x1000 }, { 0x18012000, 0x1000 }, { 0x18014000, 0x1000 }, { 0x18016000, 0x1000 },
    { 0x18018000, 0x1000 }, { 0x1801A000, 0x1000 }, { 0x1801C000, 0x1000 }, { 0x1801E000, 0x1000 },
};

EACH_MACHINE_IN(fill, PSC_09_a_fill_reaches_every_window, sixteen)
{
    fill(m, 0, 0x18000000u, 0x18020000u, 0x5A5A5A5Au, 0x201u);
    for (uint32_t i = 0; i < 16; i++) {
        machine_case(m, "window %u", (unsigned)i);
        EXPECT_ALL_BYTES(m, "PSC-09", 0x18000000u + 0x2000u * i, 0x1000, 0x5A);
    }
}

EACH_MACHINE_IN(fill, PSC_09_a_fill_of_exactly_a_window_is_no_event, holed)
{
    fill(m, 0, 0x18000000u, 0x18001000u, 0xFFu, 0x001u);
    EXPECT_NO_EVENTS(m, "PSC-09");
    fill(m, 0, 0x17FFFFF0u, 0x18000000u, 0xFFu, 0x001u);
    EXPECT_ONLY_EVENTS(m, "PSC-09", PICA_EVENT_MEM_OOB);
}

EACH_MACHINE(fill, PSC_11_the_units_are_independent_and_run_in_program_order)
{
    fill(m, 0, VRAM, VRAM + 0x20, 0x11111111u, 0x201u);
    fill(m, 1, VRAM + 0x10, VRAM + 0x30, 0x22222222u, 0x201u);
    EXPECT_ALL_BYTES(m, "PSC-11", VRAM, 0x10, 0x11);
    EXPECT_ALL_BYTES(m, "PSC-11", VRAM + 0x10, 0x20, 0x22);
    machine_cpu_write(m, 0x1040001Cu, 0x201u); /* unit 0 again, with its own registers */
    EXPECT_ALL_BYTES(m, "PSC-11", VRAM, 0x20, 0x11);
    EXPECT_ALL_BYTES(m, "PSC-11", VRAM + 0x20, 0x10, 0x22);
    EXPECT_INTERRUPTS(m, "PSC-11", 2, 1, 0, 0, 0, 0);
}

EACH_MACHINE(fill, PSC_03_the_fill_operation_is_the_four_CPU_writes)
{
    machine_fill(m, 1, VRAM, VRAM + 16, 0x7777u, 0x00010001u);
    EXPECT_ALL_BYTES(m, "PSC-03", VRAM, 16, 0x77);
    EXPECT_READ(m, "PSC-03", 0x10400020u, VRAM >> 3);
    EXPECT_READ(m, "PSC-03", 0x10400024u, (VRAM + 16u) >> 3);
    EXPECT_READ(m, "PSC-03", 0x10400028u, 0x7777u);
    EXPECT_READ(m, "PSC-03", 0x1040002Cu, 0x00010002u);
    EXPECT_READ(m, "PSC-03", 0x1040001Cu, 0);
}
