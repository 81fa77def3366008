/* 70-gx-engines.md section 3: texture copy. */
#include "tests/conformance/checks.h"

enum {
    IN = 0x18000000,
    OUT = 0x18020000,
    COPY = 1 << 3
};

static void copy(struct machine *m, uint32_t size, uint32_t in_line, uint32_t out_line)
{
    machine_transfer(
        m, &(struct transfer){
               .in = IN, .out = OUT, .flags = COPY, .copy_size = size, .copy_in = in_line, .copy_out = out_line });
}

/* Block k of 16 bytes is filled with k + 1. */
static void load_blocks(struct machine *m, uint32_t address, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t word = (k + 1u) * 0x01010101u;
        machine_load_words(m, address + 16u * k, (const uint32_t[4]){ word, word, word, word }, 4);
    }
}

/* The output as block numbers, 0 = not written. */
static bool blocks_are(struct machine *m, const char *rule, uint32_t address, const uint8_t *want, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!all_bytes_are(m, rule, address + 16u * (uint32_t)k, 16, want[k]))
            return false;
    return true;
}

#define EXPECT_BLOCKS(m, rule, address, n, ...) \
    cr_expect(blocks_are(m, rule, address, (const uint8_t[n]){ __VA_ARGS__ }, n), "%s", (m)->message)

EACH_MACHINE(copy, TXC_03_TXC_05_worked_example)
{
    load_blocks(m, IN, 8);
    copy(m, 64, 0x00010002, 0x00020001);
    EXPECT_BLOCKS(m, "TXC-05", OUT, 12, 1, 0, 0, 2, 0, 0, 4, 0, 0, 5, 0, 0);
    EXPECT_NO_EVENTS(m, "TXC-05");
    machine_reset(m);
    load_blocks(m, IN, 8);
    copy(m, 79, 0x00010002, 0x00020001);
    EXPECT_BLOCKS(m, "TXC-03", OUT, 16, 1, 0, 0, 2, 0, 0, 4, 0, 0, 5, 0, 0, 0, 0, 0, 0);
}

EACH_MACHINE(copy, TXC_03_TXC_04_TXC_05_lines_and_gaps_count_16_bytes_on_each_side_alone)
{
    static const struct {
        uint32_t blocks, in_line, out_line;
        uint8_t want[16];
    } cases[] = {
        { 4, 0x00000000, 0x00000000, { 1, 2, 3, 4 } },          /* TXC-04: gap 0, length 0 */
        { 4, 0x00000002, 0x0000FFFF, { 1, 2, 3, 4 } },          /* TXC-04: gap 0, any length */
        { 4, 0x00000002, 0x00010001, { 1, 0, 2, 0, 3, 0, 4 } }, /* one side only */
        { 4, 0x00030001, 0x00000000, { 1, 5, 9, 13 } },
        { 5, 0x00020003, 0x00010002, { 1, 2, 0, 3, 6, 0, 7 } }, /* lines of different length */
        { 3, 0x00010002, 0x00010002, { 1, 2, 0, 4 } },          /* ends inside a line */
        { 1, 0x00010001, 0x00010001, { 1 } },                   /* no gap needed after the last */
        { 6, 0x00010004, 0x00010003, { 1, 2, 3, 0, 4, 6, 7 } },
        { 4, 0x0001FFFF, 0x0001FFFF, { 1, 2, 3, 4 } }, /* a line longer than the copy */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        load_blocks(m, IN, 32);
        copy(m, 16u * cases[i].blocks, cases[i].in_line, cases[i].out_line);
        cr_expect(blocks_are(m, "TXC-03, TXC-04, TXC-05", OUT, cases[i].want, 16), "%s", m->message);
        EXPECT_NO_EVENTS(m, "TXC-04");
    }
}

EACH_MACHINE(copy, TXC_03_gaps_have_16_bits_of_16_byte_units)
{
    load_blocks(m, IN, 4);
    copy(m, 32, 0, 0x0FFF0001); /* 1 block, gap 0xFFF blocks: second at 0x10000 */
    EXPECT_BLOCKS(m, "TXC-03", OUT, 1, 1);
    EXPECT_BLOCKS(m, "TXC-03", OUT + 0x10000, 1, 2);
}

EACH_MACHINE(copy, TXC_01_TXC_10_other_registers_and_the_crop_flag_have_no_effect)
{
    static const uint32_t flags[] = { COPY, COPY | 4u, 0x0301772Fu, COPY | 0x03000000u, COPY | 0x00017700u };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        for (uint32_t sizes = 0; sizes < 2; sizes++) {
            machine_row(m, "flags %08X, sizes %u", (unsigned)flags[i], (unsigned)sizes);
            load_blocks(m, IN, 8);
            machine_transfer(m, &(struct transfer){ .in = IN,
                                                    .out = OUT,
                                                    .dim = sizes == 0u ? 0u : 0xFFF8FFF8u,
                                                    .indim = sizes == 0u ? 0u : 0xFFF8u,
                                                    .flags = flags[i],
                                                    .unknown14 = sizes == 0u ? 0u : 0x1FFFFFu,
                                                    .copy_size = 64,
                                                    .copy_in = 0x00010002,
                                                    .copy_out = 0 });
            EXPECT_BLOCKS(m, "TXC-01, TXC-10, PPF-03", OUT, 5, 1, 2, 4, 5, 0);
            EXPECT_NO_EVENTS(m, "TXC-01, TXC-10, PPF-15");
        }
}

EACH_MACHINE(copy, TXC_02_a_source_8_bytes_off_starts_at_the_lower_multiple_of_16)
{
    load_blocks(m, IN, 4);
    machine_transfer(m, &(struct transfer){ .in = IN + 24, .out = OUT + 8, .flags = COPY, .copy_size = 16 });
    EXPECT_BLOCKS(m, "TXC-02", OUT, 2, 2, 0);
    EXPECT_ONLY_EVENTS(m, "TXC-02", PICA_EVENT_ENGINE_ADDRESS_LOW_BITS);
}

EACH_MACHINE(copy, TXC_06_TXC_07_refused_copies_complete_with_exactly_one_event)
{
    static const struct {
        uint32_t size, in_line, out_line;
        enum pica_event event;
    } cases[] = {
        { 0, 0, 0, PICA_EVENT_COPY_ZERO_SIZE },
        { 15, 0, 0, PICA_EVENT_COPY_ZERO_SIZE },
        { 0, 0x00010000, 0x00010000, PICA_EVENT_COPY_ZERO_SIZE }, /* size first */
        { 16, 0x00010000, 0, PICA_EVENT_COPY_ZERO_LINE },
        { 16, 0, 0x00010000, PICA_EVENT_COPY_ZERO_LINE },
        { 0xFFFFFFFF, 0xFFFF0000, 0, PICA_EVENT_COPY_ZERO_LINE }, /* then the line */
        { 0x02000010, 0, 0, PICA_EVENT_COPY_TOO_LARGE },
        { 0xFFFFFFFF, 0x00010001, 0x00010001, PICA_EVENT_COPY_TOO_LARGE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        load_blocks(m, IN, 8);
        copy(m, cases[i].size, cases[i].in_line, cases[i].out_line);
        EXPECT_ALL_BYTES(m, "TXC-06, TXC-07", OUT, 64, 0);
        EXPECT_ONLY_EVENTS(m, "TXC-06, TXC-07", cases[i].event);
        EXPECT_READ(m, "TXC-06, TXC-09", 0x10400C18u, 0x100u);
        EXPECT_INTERRUPTS(m, "TXC-06, TXC-09", 0, 0, 0, 0, 1, 0);
    }
}

EACH_MACHINE(copy, TXC_09_completion_is_that_of_a_transfer)
{
    copy(m, 16, 0, 0);
    EXPECT_READ(m, "TXC-09", 0x10400C18u, 0x100u);
    EXPECT_INTERRUPTS(m, "TXC-09", 0, 0, 0, 0, 1, 0);
}

EACH_MACHINE(copy, TXC_07_four_times_LIM_PIXELS_bytes_are_the_most)
{
    LOAD_LIMIT(m, pixels, 8); /* 32 bytes */
    load_blocks(m, IN, 4);
    copy(m, 47, 0, 0);
    EXPECT_BLOCKS(m, "TXC-07", OUT, 3, 1, 2, 0);
    EXPECT_NO_EVENTS(m, "TXC-07");
    copy(m, 48, 0, 0);
    EXPECT_BLOCKS(m, "TXC-07", OUT, 3, 1, 2, 0);
    EXPECT_ONLY_EVENTS(m, "TXC-07", PICA_EVENT_COPY_TOO_LARGE);
}

EACH_MACHINE(copy, TXC_07_0x02000000_bytes_are_not_too_large)
{
    LOAD_LIMIT(m, pixels, 0x10000000); /* 4 * LIM_PIXELS needs more than 32 bits less one */
    load_blocks(m, IN, 4);
    machine_transfer(m, &(struct transfer){ .in = IN, .out = 0x1C000000, .flags = COPY, .copy_size = 0x02000000 });
    EXPECT_ONLY_EVENTS(m, "TXC-07", PICA_EVENT_MEM_OOB);
}

EACH_MACHINE(copy, TXC_08_overlapping_copies_go_block_by_block)
{
    load_blocks(m, IN, 8);
    machine_transfer(m, &(struct transfer){ .in = IN, .out = IN + 32, .flags = COPY, .copy_size = 96 });
    EXPECT_BLOCKS(m, "TXC-08", IN, 9, 1, 2, 1, 2, 1, 2, 1, 2, 0); /* forward, block by block */
    EXPECT_EVENT(m, "TXC-08", PICA_EVENT_XFER_OVERLAP);
    machine_reset(m);
    load_blocks(m, IN, 8);
    machine_transfer(m, &(struct transfer){ .in = IN + 32, .out = IN, .flags = COPY, .copy_size = 96 });
    EXPECT_BLOCKS(m, "TXC-08", IN, 9, 3, 4, 5, 6, 7, 8, 7, 8, 0);
    EXPECT_EVENT(m, "TXC-08", PICA_EVENT_XFER_OVERLAP);
    machine_reset(m);
    load_blocks(m, IN, 8);
    machine_transfer(m, &(struct transfer){ .in = IN, .out = IN, .flags = COPY, .copy_size = 128 });
    EXPECT_BLOCKS(m, "TXC-08", IN, 9, 1, 2, 3, 4, 5, 6, 7, 8, 0);
    EXPECT_EVENT(m, "TXC-08", PICA_EVENT_XFER_OVERLAP);
}

EACH_MACHINE(copy, TXC_08_ranges_go_from_the_lowest_to_the_highest_byte)
{
    /* Input blocks 0, 2, 4; output blocks 1, 3, 5: no shared byte, but the ranges from lowest to highest meet. */
    load_blocks(m, IN, 6);
    machine_transfer(
        m,
        &(struct transfer){
            .in = IN, .out = IN + 16, .flags = COPY, .copy_size = 48, .copy_in = 0x00010001, .copy_out = 0x00010001 });
    EXPECT_BLOCKS(m, "TXC-08", IN, 7, 1, 1, 3, 3, 5, 5, 0);
    EXPECT_ONLY_EVENTS(m, "TXC-08", PICA_EVENT_XFER_OVERLAP);
}

EACH_MACHINE(copy, TXC_08_ranges_that_only_touch_do_not_meet)
{
    load_blocks(m, IN, 2);
    machine_transfer(m, &(struct transfer){ .in = IN, .out = IN + 32, .flags = COPY, .copy_size = 32 });
    EXPECT_BLOCKS(m, "TXC-08", IN, 5, 1, 2, 1, 2, 0);
    /* The gap after the last line is not part of the range. */
    machine_transfer(
        m, &(struct transfer){ .in = IN, .out = IN + 32, .flags = COPY, .copy_size = 32, .copy_in = 0x00100002 });
    EXPECT_NO_EVENTS(m, "TXC-08");
}

static const struct pica_window two[] = { { 0x18000000, 0x1000 }, { 0x18002000, 0x1000 } };

EACH_MACHINE_IN(copy, TXC_08_outside_blocks_read_0_or_are_dropped, two)
{
    load_blocks(m, 0x18000FE0u, 2);
    for (uint32_t k = 0; k < 4; k++)
        machine_load_words(m, 0x18002FC0u + 16u * k, (const uint32_t[4]){ ~0u, ~0u, ~0u, ~0u }, 4);
    machine_transfer(m, &(struct transfer){ .in = 0x18000FE0, .out = 0x18002FD0, .flags = COPY, .copy_size = 64 });
    EXPECT_BLOCKS(m, "TXC-08", 0x18002FC0u, 4, 0xFF, 1, 2, 0); /* the fourth block is dropped */
    EXPECT_ONLY_EVENTS(m, "TXC-08", PICA_EVENT_MEM_OOB);
}

EACH_MACHINE_IN(copy, TXC_08_gaps_are_never_outside, two)
{
    /* Line of 0x100 blocks = the first window, gap of 0x100 blocks = the hole: nothing outside is touched. */
    for (uint32_t address = 0x18000000u; address < 0x18001000u; address += 16u)
        load_blocks(m, address, 1);
    load_blocks(m, 0x18002000u, 1);
    machine_transfer(m, &(struct transfer){ .in = 0x18000000,
                                            .out = 0x18002010,
                                            .flags = COPY,
                                            .copy_size = 0x1010,
                                            .copy_in = 0x01000100,
                                            .copy_out = 0xF0100001 });
    EXPECT_EVENT(m, "TXC-08", PICA_EVENT_MEM_OOB); /* the output runs away */
    machine_reset(m);
    load_blocks(m, 0x18000FF0u, 1);
    load_blocks(m, 0x18002000u, 1);
    machine_transfer(m,
                     &(struct transfer){
                         .in = 0x18000FF0, .out = 0x18002100, .flags = COPY, .copy_size = 32, .copy_in = 0x01000001 });
    EXPECT_BLOCKS(m, "TXC-08", 0x18002100u, 3, 1, 1, 0);
    EXPECT_NO_EVENTS(m, "TXC-08");
}

static const struct pica_window vram_only[] = { { 0x18000000, 0x1000 } };

EACH_MACHINE_IN(copy, TXC_08_positions_wrap_at_4_GiB, vram_only)
{
    /* in = 0xFFFFFFF0: a line of one block and a gap of 0xFFFF blocks: 0xFFFFFFF0, 0x000FFFE0 + ..; dropped, total. */
    machine_transfer(
        m, &(struct transfer){
               .in = 0xFFFFFFF0, .out = 0x18000000, .flags = COPY, .copy_size = 0x200, .copy_in = 0xFFFF0001 });
    EXPECT_EVENT(m, "TXC-08", PICA_EVENT_MEM_OOB);
    /* 0x18000000 - 16 = 0x17FFFFF0; with 0xFFFFFFF0 + 16 the position is 0 again: no block of memory is read. */
    EXPECT_ALL_BYTES(m, "TXC-08", 0x18000000u, 0x200, 0);
}
