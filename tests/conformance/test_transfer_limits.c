/* 70-gx-engines.md section 2, display transfer: events of the layouts, refusals, memory outside the windows. */
#include "tests/conformance/transfer_probe.h"

/* ---------------------------------------------------------------------------------------------------- layout events */

EACH_MACHINE(transfer, PPF_07_PPF_08_PPF_09_events_of_the_layouts)
{
    static const struct {
        uint32_t width, height, pitch, flags;
        bool linear_linear, block32, block32_size, scale_linear;
    } cases[] = {
        { 32, 32, 32, 0, false, false, false, false },
        { 32, 32, 32, TO_TILED, false, false, false, false },
        { 32, 32, 32, KEEP_TILED, false, false, false, false },
        { 32, 32, 32, KEEP_TILED | TO_TILED, true, false, false, false },
        { 32, 32, 32, TO_TILED | BLOCK32, false, true, false, false },
        { 32, 32, 8, BLOCK32, false, true, false, false },                   /* pitch is the width */
        { 32, 32, 8, BLOCK32 | CROP, false, true, true, false },             /* tiled source, P = 8 */
        { 32, 32, 8, BLOCK32 | CROP | TO_TILED, false, true, false, false }, /* linear source */
        { 40, 32, 64, BLOCK32, false, true, true, false },                   /* W */
        { 32, 40, 64, BLOCK32, false, true, true, false },                   /* H */
        { 32, 64, 64, BLOCK32 | SCALE_2X1, false, true, true, false },       /* Wo = 16 */
        { 64, 32, 64, BLOCK32 | SCALE_2X1, false, true, false, false },
        { 64, 32, 64, BLOCK32 | SCALE_2X2, false, true, true, false }, /* Ho = 16 */
        { 64, 64, 64, BLOCK32 | SCALE_2X2, false, true, false, false },
        { 32, 32, 32, TO_TILED | SCALE_2X1, false, false, false, true },
        { 32, 32, 32, TO_TILED | SCALE_2X2, false, false, false, true },
        { 32, 32, 32, TO_TILED | KEEP_TILED | SCALE_2X2, true, false, false, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        transfer(m, cases[i].width, cases[i].height, cases[i].pitch, cases[i].flags);
        enum pica_event expected[4];
        size_t n = 0;
        if (cases[i].linear_linear)
            expected[n++] = PICA_EVENT_XFER_LINEAR_LINEAR;
        if (cases[i].block32)
            expected[n++] = PICA_EVENT_BLOCK32_LAYOUT;
        if (cases[i].block32_size)
            expected[n++] = PICA_EVENT_XFER_BLOCK32_SIZE;
        if (cases[i].scale_linear)
            expected[n++] = PICA_EVENT_XFER_SCALE_LINEAR;
        cr_expect(machine_has_only_events(m, "PPF-07, PPF-08, PPF-09", expected, n), "%s", m->message);
    }
}

EACH_MACHINE(transfer, PPF_08_block32_is_z_order_over_5_bits)
{
    load_numbers(m, IN, 64 * 64);
    transfer(m, 64, 64, 0, BLOCK32);
    /* M5 of (8,0), (0,8), (31,31) and the next blocks of a pitch of 64. */
    EXPECT_EQ(m, "PPF-08", machine_word(m, OUT + 4u * 8u), 64u + 1u);
    EXPECT_EQ(m, "PPF-08", machine_word(m, OUT + 4u * (8u * 64u)), 128u + 1u);
    EXPECT_EQ(m, "PPF-08", machine_word(m, OUT + 4u * (31u * 64u + 31u)), 1023u + 1u);
    EXPECT_EQ(m, "PPF-08", machine_word(m, OUT + 4u * 32u), 1024u + 1u);
    EXPECT_EQ(m, "PPF-08", machine_word(m, OUT + 4u * (32u * 64u)), 2048u + 1u);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

EACH_MACHINE(transfer, PPF_15_refused_transfers_complete_with_exactly_one_event)
{
    static const struct {
        uint32_t dim, indim, flags;
        enum pica_event event;
    } cases[] = {
        { 0x00080000, 8, 0, PICA_EVENT_XFER_ZERO_SIZE },
        { 0x00000008, 8, 0, PICA_EVENT_XFER_ZERO_SIZE },
        { 0x00080007, 8, 0, PICA_EVENT_XFER_ZERO_SIZE }, /* 7 is 0 */
        { 0x00080008, 7, CROP, PICA_EVENT_XFER_ZERO_SIZE },
        { 0x00080000, 8, SCALE_3, PICA_EVENT_XFER_ZERO_SIZE }, /* the first that applies */
        { 0x00080008, 8, SCALE_3, PICA_EVENT_XFER_SCALE_3 },
        { 0x00080008, 0, SCALE_3, PICA_EVENT_XFER_SCALE_3 },
        { 0xFFF8FFF8, 8, SCALE_3, PICA_EVENT_XFER_SCALE_3 },
        { 0x08000808, 8, 0, PICA_EVENT_XFER_TOO_LARGE }, /* 2048 * 2056 > 0x400000 */
        { 0xFFF8FFF8, 8, 0, PICA_EVENT_XFER_TOO_LARGE },
        /* None of the events that come with a transfer: reserved formats, block32, linear to linear. */
        { 0x00000008, 8, 0x7500 | BLOCK32 | KEEP_TILED | TO_TILED, PICA_EVENT_XFER_ZERO_SIZE },
        { 0x00080008, 8, 0x7500 | BLOCK32 | TO_TILED | SCALE_3, PICA_EVENT_XFER_SCALE_3 },
        { 0xFFF8FFF8, 8, 0x7500 | BLOCK32 | KEEP_TILED | TO_TILED, PICA_EVENT_XFER_TOO_LARGE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        load_numbers(m, IN, 64);
        machine_transfer(
            m, &(struct transfer){
                   .in = IN, .out = OUT, .dim = cases[i].dim, .indim = cases[i].indim, .flags = cases[i].flags });
        EXPECT_ALL_BYTES(m, "PPF-15", OUT, 256, 0);
        EXPECT_ONLY_EVENTS(m, "PPF-15", cases[i].event);
        EXPECT_READ(m, "PPF-15", 0x10400C18u, 0x100u);
        EXPECT_INTERRUPTS(m, "PPF-15, PPF-19", 0, 0, 0, 0, 1, 0);
    }
}

EACH_MACHINE(transfer, PPF_15_0x400000_pixels_are_not_too_large)
{
    /* 2048 * 2048 = 0x400000 pixels is allowed; it runs out of the windows. */
    transfer(m, 2048, 2048, 0, 0);
    EXPECT_ONLY_EVENTS(m, "PPF-15", PICA_EVENT_MEM_OOB, PICA_EVENT_XFER_OVERLAP);
}

EACH_MACHINE(transfer, PPF_15_LIM_PIXELS_bounds_the_size_of_one_transfer)
{
    struct pica_limits limits = machine_default_limits();
    limits.pixels = 127;
    machine_load_limits(m, &limits);
    load_numbers(m, IN, 128);
    transfer(m, 8, 8, 0, 0);
    transfer(m, 8, 8, 0, 0); /* the value, not what is left of it */
    EXPECT_NO_EVENTS(m, "PPF-15");
    EXPECT_EQ(m, "PPF-15", machine_word(m, OUT), 1);
    machine_fill(m, 0, OUT, OUT + 0x200, 0, 0x201);
    transfer(m, 16, 8, 0, SCALE_2X2); /* W * H before scaling */
    EXPECT_ONLY_EVENTS(m, "PPF-15", PICA_EVENT_XFER_TOO_LARGE);
    EXPECT_ALL_BYTES(m, "PPF-15", OUT, 0x200, 0);
    limits.pixels = 128;
    machine_load_limits(m, &limits);
    load_numbers(m, IN, 128);
    transfer(m, 16, 8, 0, 0);
    EXPECT_NO_EVENTS(m, "PPF-15");
    EXPECT_EQ(m, "PPF-15", machine_word(m, OUT), 1);
}

/* --------------------------------------------------------------------------------------------------- outside memory */

static const struct pica_window two[] = { { 0x18000000, 0x1000 }, { 0x18002000, 0x1000 } };

EACH_MACHINE_IN(transfer, PPF_18_outside_source_bytes_read_0, two)
{
    /* 8x8 RGBA8 is 256 bytes; the last 128 of the source (rows 4 to 7 of the tile) are outside. */
    load_numbers(m, 0x18000F80u, 32);
    for (uint32_t k = 0; k < 64; k++)
        machine_load_word(m, 0x18002000u + 4u * k, 0xEEEEEEEEu);
    machine_transfer(m, &(struct transfer){ .in = 0x18000F80, .out = 0x18002000, .dim = dim(8, 8) });
    EXPECT_WORDS(m, "PPF-18", 0x18002000u, 4, 1, 2, 5, 6);
    EXPECT_ALL_BYTES(m, "PPF-18", 0x18002080u, 128, 0);
    EXPECT_ONLY_EVENTS(m, "PPF-18", PICA_EVENT_MEM_OOB);
}

EACH_MACHINE_IN(transfer, PPF_18_outside_output_bytes_are_dropped, two)
{
    load_numbers(m, 0x18000000u, 64);
    machine_transfer(m, &(struct transfer){ .in = 0x18000000, .out = 0x18002F80, .dim = dim(8, 8) });
    EXPECT_WORDS(m, "PPF-18", 0x18002FFCu, 1, 32); /* (7, 3) */
    EXPECT_ALL_BYTES(m, "PPF-18", 0x18002000u, 0xF80, 0);
    EXPECT_ONLY_EVENTS(m, "PPF-18", PICA_EVENT_MEM_OOB);
}

EACH_MACHINE_IN(transfer, PPF_18_gaps_between_source_rows_do_not_count, two)
{
    /* A linear source of 8x8 pixels with pitch 64: the last pixel read ends at 7 * 256 + 32 = 0x720. */
    machine_transfer(
        m, &(struct transfer){
               .in = 0x180008E0, .out = 0x18002000, .dim = dim(8, 8), .indim = 64, .flags = CROP | TO_TILED });
    EXPECT_NO_EVENTS(m, "PPF-18");
    machine_transfer(
        m, &(struct transfer){
               .in = 0x180008F0, .out = 0x18002000, .dim = dim(8, 8), .indim = 64, .flags = CROP | TO_TILED });
    EXPECT_ONLY_EVENTS(m, "PPF-18", PICA_EVENT_MEM_OOB);
}

EACH_MACHINE_IN(transfer, PPF_18_every_byte_is_looked_up_by_itself, two)
{
    /* Rows of a linear source 0x1000 bytes apart: rows 0 and 2 are in memory, row 1 is not; rows 3 to 7 are not. */
    load_numbers(m, 0x18000000u, 64);
    load_numbers(m, 0x18002000u, 64);
    machine_transfer(
        m, &(struct transfer){
               .in = 0x18000000, .out = 0x18002800, .dim = dim(8, 8), .indim = 1024, .flags = CROP | TO_TILED });
    /* Tile words 0-3: (0,0) (1,0) (0,1) (1,1); words 8, 9: (0,2) (1,2). */
    EXPECT_WORDS(m, "PPF-18", 0x18002800u, 4, 1, 2, 0, 0);
    EXPECT_WORDS(m, "PPF-18", 0x18002820u, 4, 1, 2, 0, 0);
    EXPECT_ONLY_EVENTS(m, "PPF-18", PICA_EVENT_MEM_OOB, PICA_EVENT_XFER_OVERLAP);
}

EACH_MACHINE_IN(transfer, PPF_08_addresses_wrap_at_4_GiB, two)
{
    /* IN + 4 * (row * 0xFFF8) runs through the whole address space; only totality and the event are checked. */
    machine_transfer(
        m, &(struct transfer){
               .in = 0xFFFFFFF0, .out = 0xFFFFFFF0, .dim = dim(8, 64), .indim = 0xFFF8, .flags = CROP | TO_TILED });
    EXPECT_EVENT(m, "PPF-18", PICA_EVENT_MEM_OOB);
    EXPECT_READ(m, "PPF-18", 0x10400C18u, 0x100u);
}
