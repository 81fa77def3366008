/* 70-gx-engines.md section 2, display transfer: registers, sizes, layouts, order. See test_transfer_*.c too. */
#include "tests/conformance/layout.h"
#include "tests/conformance/transfer_probe.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------- registers */

EACH_MACHINE(transfer, PPF_02_PPF_19_completion_sets_bit_8_and_counts_one_interrupt)
{
    machine_cpu_write(m, 0x10400C18u, 0xFFFFFEFFu); /* bit 8 is set whatever was written there */
    EXPECT_READ(m, "PPF-02", 0x10400C18u, 0x100u);
    EXPECT_INTERRUPTS(m, "PPF-19", 0, 0, 0, 0, 1, 0);
    machine_cpu_write(m, 0x10400C18u, 1u);
    EXPECT_READ(m, "PPF-02", 0x10400C18u, 0x100u);
    EXPECT_INTERRUPTS(m, "PPF-19", 0, 0, 0, 0, 2, 0);
}

EACH_MACHINE(transfer, PPF_20_without_bit_0_nothing_starts_and_bit_8_can_only_be_cleared)
{
    machine_cpu_write(m, 0x10400C18u, 0xFFFFFFFEu); /* bit 8 cannot be set by a write */
    EXPECT_READ(m, "PPF-20", 0x10400C18u, 0);
    machine_cpu_write(m, 0x10400C18u, 1u);
    machine_cpu_write(m, 0x10400C18u, 0x100u);
    EXPECT_READ(m, "PPF-20", 0x10400C18u, 0x100u);
    machine_cpu_write(m, 0x10400C18u, 0xFFFFFEFEu);
    EXPECT_READ(m, "PPF-20", 0x10400C18u, 0);
    EXPECT_INTERRUPTS(m, "PPF-20", 0, 0, 0, 0, 1, 0);
}

EACH_MACHINE(transfer, PPF_01_the_transfer_operation_is_the_ten_CPU_writes)
{
    machine_transfer(m, &(struct transfer){ .in = IN,
                                            .out = OUT,
                                            .dim = dim(16, 8),
                                            .indim = 24,
                                            .flags = 0x00001000,
                                            .unknown14 = 0x12345,
                                            .copy_size = 0x70,
                                            .copy_in = 0x11112222,
                                            .copy_out = 0x33334444 });
    static const uint32_t want[] = { 0x03000000, 0x03004000, 0x00080010, 0x00000018, 0x00001000, 0x00012345,
                                     0x00000100, 0x00000000, 0x00000070, 0x11112222, 0x33334444, 0x00000000 };
    for (uint32_t i = 0; i < 12; i++)
        EXPECT_READ(m, "PPF-01", 0x10400C00u + 4u * i, want[i]);
}

EACH_MACHINE(transfer, PPF_01_addresses_are_multiples_of_16_below_4_GiB)
{
    load_numbers(m, IN, 64);
    machine_cpu_write(m, 0x10400C00u, 0xE3000001u); /* 0x18000008 -> 0x18000000 */
    machine_cpu_write(m, 0x10400C04u, 0x23004001u); /* 0x18020008 -> 0x18020000 */
    machine_cpu_write(m, 0x10400C08u, dim(8, 8));
    machine_cpu_write(m, 0x10400C18u, 1u);
    EXPECT_WORDS(m, "PPF-01", OUT, 4, 1, 2, 5, 6);
    EXPECT_EVENT(m, "PPF-01", PICA_EVENT_ENGINE_ADDRESS_LOW_BITS);
}

EACH_MACHINE(transfer, PPF_19_IRQPOS_UNK14_UNK2C_copy_registers_and_input_height_do_nothing)
{
    load_numbers(m, IN, 64);
    machine_cpu_write(m, 0x10400C1Cu, 0x3FFFu);
    machine_cpu_write(m, 0x10400C2Cu, 1u);
    machine_transfer(m, &(struct transfer){ .in = IN,
                                            .out = OUT,
                                            .dim = dim(8, 8),
                                            .indim = 0xFFFF0008,
                                            .unknown14 = 0xFFFFFFFF,
                                            .copy_size = 0xFFFFFFFF,
                                            .copy_in = 0xFFFFFFFF,
                                            .copy_out = 0xFFFFFFFF });
    EXPECT_WORDS(m, "PPF-04", OUT, 8, 1, 2, 5, 6, 17, 18, 21, 22);
    EXPECT_INTERRUPTS(m, "PPF-19", 0, 0, 0, 0, 1, 0);
    EXPECT_NO_EVENTS(m, "PPF-19");
}

EACH_MACHINE(transfer, PPF_04_the_3_low_bits_of_sizes_are_dropped)
{
    load_numbers(m, IN, 256);
    transfer(m, 15, 15, 23, CROP); /* 8x8 of a source with pitch 16 */
    EXPECT_WORDS(m, "PPF-04", OUT, 10, 1, 2, 5, 6, 17, 18, 21, 22, 3, 4);
    EXPECT_EQ(m, "PPF-04", machine_word(m, OUT + 63 * 4), 64);
    EXPECT_EQ(m, "PPF-04", machine_word(m, OUT + 64 * 4), 0);
    EXPECT_NO_EVENTS(m, "PPF-04");
}

/* --------------------------------------------------------------------------------------------------- geometry table */

static const struct geometry {
    uint32_t width, height, pitch, flags;
} geometries[] = {
    { 8, 8, 8, 0 },
    { 24, 16, 64, 0 }, /* PPF-05: pitch 64 is not looked at */
    { 24, 16, 64, CROP },
    { 24, 16, 16, CROP }, /* a pitch below the width */
    { 16, 24, 16, FLIP },
    { 16, 24, 16, FLIP | CROP }, /* IW = W: displaced by 0 */
    { 24, 16, 32, FLIP | TO_TILED },
    { 24, 16, 32, TO_TILED | CROP },
    { 24, 16, 0, KEEP_TILED },
    { 24, 16, 32, KEEP_TILED | CROP },
    { 24, 16, 0, KEEP_TILED | FLIP },
    { 24, 16, 32, KEEP_TILED | TO_TILED | CROP },
    { 64, 32, 64, BLOCK32 },
    { 64, 64, 64, BLOCK32 | TO_TILED },
    { 32, 64, 96, BLOCK32 | KEEP_TILED | CROP },
    { 40, 24, 48, BLOCK32 | CROP },
};

static uint32_t source_index(const struct geometry *g, uint32_t x, uint32_t y)
{
    const uint32_t pitch = g->flags & CROP ? g->pitch : g->width;
    if ((g->flags & TO_TILED) && !(g->flags & KEEP_TILED))
        return y * pitch + x;
    return g->flags & BLOCK32 ? tiled32(x, y, pitch) : tiled8(x, y, pitch);
}

static uint32_t output_index(const struct geometry *g, uint32_t x, uint32_t y)
{
    const uint32_t row = g->flags & FLIP ? g->height - 1u - y : y;
    if (!(g->flags & (TO_TILED | KEEP_TILED)))
        return row * g->width + x;
    return g->flags & BLOCK32 ? tiled32(x, row, g->width) : tiled8(x, row, g->width);
}

EACH_MACHINE(transfer, PPF_05_PPF_07_PPF_08_PPF_13_every_pixel_goes_where_layout_pitch_and_flip_say)
{
    for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++) {
        const struct geometry *const g = &geometries[i];
        machine_row(m, "%ux%u pitch %u flags %05X", (unsigned)g->width, (unsigned)g->height, (unsigned)g->pitch,
                    (unsigned)g->flags);
        load_numbers(m, IN, 0x2000);
        transfer(m, g->width, g->height, g->pitch, g->flags);
        uint32_t want[64 * 64] = { 0 };
        for (uint32_t y = 0; y < g->height; y++)
            for (uint32_t x = 0; x < g->width; x++)
                want[output_index(g, x, y)] = source_index(g, x, y) + 1u;
        cr_expect(words_are(m, "PPF-05, PPF-07, PPF-08, PPF-13", OUT, want, 64 * 64), "%s", m->message);
    }
}

/* The worked examples: indices of single pixels. */
static const struct pica_window large[] = { { 0x18000000, 0x00400000 } };

EACH_MACHINE_IN(transfer, PPF_05_without_crop_the_source_pitch_is_the_output_width, large)
{
    /* 240x400 RGBA8 to RGB8, INDIM 512x400, crop = 0: the last output pixel is source pixel 95999 (pitch 240). */
    machine_load_word(m, 0x18000000u + 4u * 95999u, 0x11223344u);
    machine_transfer(
        m, &(struct transfer){
               .in = 0x18000000, .out = 0x18200000, .dim = dim(240, 400), .indim = dim(512, 400), .flags = 1u << 12 });
    static const uint8_t pixel[4] = { 0x33, 0x22, 0x11, 0 };
    EXPECT_BYTES(m, "PPF-05", 0x18200000u + 3u * 95999u, pixel, 4);
}

EACH_MACHINE_IN(transfer, PPF_05_pixel_0_8_is_index_1920_with_pitch_240_and_4096_with_pitch_512, large)
{
    machine_load_word(m, 0x18000000u + 4u * 1920u, 0x0000001Au);
    machine_load_word(m, 0x18000000u + 4u * 4096u, 0x0000002Bu);
    struct transfer t = { .in = 0x18000000, .out = 0x18200000, .dim = dim(240, 16), .indim = 512 };
    machine_transfer(m, &t);
    EXPECT_EQ(m, "PPF-05", machine_word(m, 0x18200000u + 4u * 240u * 8u), 0x1A);
    t.flags = CROP;
    machine_transfer(m, &t);
    EXPECT_EQ(m, "PPF-05", machine_word(m, 0x18200000u + 4u * 240u * 8u), 0x2B);
}

EACH_MACHINE_IN(transfer, PPF_14_flip_with_crop_displaces_the_output, large)
{
    /* IW 256, W 240, H 400, RGB8: 16 * 399 * 3 = 0x4AD0. Screen row 399 of column 0 is the first output pixel. */
    for (uint32_t i = 0; i < 256u * 400u; i += 64u) {
        uint32_t words[64];
        for (uint32_t k = 0; k < 64u; k++)
            words[k] = (i + k) << 8;
        machine_load_words(m, 0x18000000u + 4u * i, words, 64);
    }
    machine_transfer(
        m,
        &(struct transfer){
            .in = 0x18000000, .out = 0x18200000, .dim = dim(240, 400), .indim = 256, .flags = FLIP | CROP | 1u << 12 });
    EXPECT_ALL_BYTES(m, "PPF-14", 0x18200000u, 0x4AD0, 0);
    /* (0, 399) of pitch 256: 392 * 256 + M(0, 7) = 100352 + 42 = 0x01882A; bytes B G R of 0x01882A00. */
    static const uint8_t first[3] = { 0x2A, 0x88, 0x01 };
    EXPECT_BYTES(m, "PPF-14", 0x18204AD0u, first, 3);
    /* (239, 0): 29 * 64 + M(7, 0) = 1856 + 21 = 0x000755; the last output pixel. */
    static const uint8_t last[4] = { 0x55, 0x07, 0x00, 0x00 };
    EXPECT_BYTES(m, "PPF-14", 0x18204AD0u + 3u * 95999u, last, 4);
}

EACH_MACHINE(transfer, PPF_14_the_displacement_counts_pixels_of_the_output_format_before_scaling)
{
    static const struct {
        uint32_t width, height, pitch, flags;
        int32_t bytes; /* (IW - W) * (H - 1) * bytes of an output pixel */
    } cases[] = {
        { 8, 16, 16, FLIP | CROP, 8 * 15 * 4 },
        { 16, 8, 8, FLIP | CROP, -8 * 7 * 4 },
        { 8, 16, 24, FLIP | CROP | KEEP_TILED, 16 * 15 * 4 },
        { 8, 8, 16, FLIP | CROP | TO_TILED, 8 * 7 * 4 },
        { 16, 16, 24, FLIP | CROP | SCALE_2X2, 8 * 15 * 4 }, /* W and H before scaling */
        { 8, 16, 16, CROP, 0 },
        { 8, 16, 16, FLIP, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        uint32_t ones[64];
        memset(ones, 0xFF, sizeof ones);
        for (uint32_t k = 0; k < 16; k++)
            machine_load_words(m, IN + 256u * k, ones, 64);
        transfer(m, cases[i].width, cases[i].height, cases[i].pitch, cases[i].flags);
        const uint32_t pixels = cases[i].width * cases[i].height / (cases[i].flags & SCALE_2X2 ? 4u : 1u);
        const uint32_t first = OUT + (uint32_t)cases[i].bytes;
        EXPECT_ALL_BYTES(m, "PPF-14", first - 64u, 64, 0x00);
        EXPECT_ALL_BYTES(m, "PPF-14", first, 4u * pixels, 0xFF);
        EXPECT_ALL_BYTES(m, "PPF-14", first + 4u * pixels, 64, 0x00);
    }
}

/* ------------------------------------------------------------------------------------------------ order and overlap */

/* 8x8 RGBA8, tiled to linear, over itself or over a part of itself: PPF-13 pixel by pixel. */
EACH_MACHINE(transfer, PPF_17_overlapping_transfers_go_pixel_by_pixel)
{
    static const struct {
        uint32_t in, out, flags;
    } cases[] = {
        { 0, 0, 0 }, { 0, 4, 0 }, { 4, 0, 0 }, { 0, 0, TO_TILED }, { 0, 32, TO_TILED }, { 32, 0, FLIP }, { 0, 60, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "in +%u, out +%u words, flags %X", (unsigned)cases[i].in, (unsigned)cases[i].out,
                    (unsigned)cases[i].flags);
        uint32_t words[128];
        for (uint32_t k = 0; k < 128; k++)
            words[k] = k + 1u;
        machine_load_words(m, IN, words, 128);
        for (uint32_t y = 0; y < 8; y++)
            for (uint32_t x = 0; x < 8; x++) {
                const uint32_t row = cases[i].flags & FLIP ? 7u - y : y;
                const uint32_t from = cases[i].flags & TO_TILED ? y * 8u + x : tiled8(x, y, 8);
                const uint32_t to = cases[i].flags & TO_TILED ? tiled8(x, row, 8) : row * 8u + x;
                words[cases[i].out + to] = words[cases[i].in + from];
            }
        machine_transfer(m, &(struct transfer){ .in = IN + 4u * cases[i].in,
                                                .out = IN + 4u * cases[i].out,
                                                .dim = dim(8, 8),
                                                .flags = cases[i].flags });
        cr_expect(words_are(m, "PPF-13, PPF-17", IN, words, 128), "%s", m->message);
        EXPECT_EVENT(m, "PPF-17", PICA_EVENT_XFER_OVERLAP);
    }
}

EACH_MACHINE(transfer, PPF_17_ranges_that_only_touch_do_not_overlap)
{
    load_numbers(m, IN, 128);
    machine_transfer(m, &(struct transfer){ .in = IN, .out = IN + 256, .dim = dim(8, 8) });
    machine_transfer(m, &(struct transfer){ .in = IN + 256, .out = IN, .dim = dim(8, 8) });
    EXPECT_NO_EVENTS(m, "PPF-17");
    machine_transfer(m, &(struct transfer){ .in = IN, .out = IN + 240, .dim = dim(8, 8) });
    EXPECT_ONLY_EVENTS(m, "PPF-17", PICA_EVENT_XFER_OVERLAP);
}

/* Wo = 4: rows 8-15 begin at 8 * 4 = 32, on top of rows 4-7 (32 + M). */
EACH_MACHINE(transfer, PPF_16_overlapping_output_tiles_keep_the_last_write)
{
    static const uint32_t four[4][4] = { { 0, 1, 4, 5 }, { 2, 3, 6, 7 }, { 8, 9, 12, 13 }, { 10, 11, 14, 15 } };
    uint32_t source[8 * 16];
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 8; x++)
            source[tiled8(x, y, 8)] = (y + 1u) * 0x01010100u + (x / 2u);
    machine_load_words(m, IN, source, 8 * 16);
    transfer(m, 8, 16, 0, KEEP_TILED | SCALE_2X1);
    uint32_t want[96] = { 0 };
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 4; x++)
            want[y / 8u * 32u + (y % 8u >= 4u ? 32u : 0u) + four[y % 4u][x]] = (y + 1u) * 0x01010100u + x;
    cr_expect(words_are(m, "PPF-16", OUT, want, 96), "%s", m->message);
    EXPECT_EQ(m, "PPF-16", machine_word(m, OUT + 32u * 4u), 0x09090900u); /* row 8, not row 4 */
    EXPECT_ONLY_EVENTS(m, "PPF-16", PICA_EVENT_XFER_UNALIGNED_TILED);
}

EACH_MACHINE(transfer, PPF_16_linear_output_and_multiples_of_8_are_no_event)
{
    transfer(m, 8, 16, 0, SCALE_2X1);
    EXPECT_NO_EVENTS(m, "PPF-16");
    transfer(m, 16, 16, 0, SCALE_2X1 | KEEP_TILED);
    EXPECT_NO_EVENTS(m, "PPF-16");
}

/* ---------------------------------------------------------------------------------------------------------- scaling */

EACH_MACHINE(transfer, PPF_06_scaling_halves_width_height_and_pitch)
{
    static const struct {
        uint32_t width, height, flags, pixels, pitch;
    } cases[] = {
        { 16, 8, 0, 128, 16 },
        { 16, 8, SCALE_2X1, 64, 8 },
        { 16, 8, SCALE_2X2, 32, 8 },
        { 8, 8, SCALE_2X2, 16, 4 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        uint32_t source[128];
        for (uint32_t y = 0; y < 8; y++)
            for (uint32_t x = 0; x < cases[i].width; x++)
                source[tiled8(x, y, cases[i].width)] = (y + 1u) << 24;
        machine_load_words(m, IN, source, cases[i].width * 8u);
        transfer(m, cases[i].width, cases[i].height, 0, cases[i].flags);
        EXPECT_EQ(m, "PPF-06", machine_word(m, OUT + 4u * (cases[i].pitch - 1u)) >> 28, 0);
        EXPECT(m, "PPF-06", machine_word(m, OUT + 4u * (cases[i].pixels - 1u)) != 0u);
        EXPECT_ALL_BYTES(m, "PPF-06", OUT + 4u * cases[i].pixels, 64, 0);
        /* The second output row: source row 1, or rows 2 and 3 (average of 3 and 4, truncated). */
        const uint32_t second = cases[i].flags & SCALE_2X2 ? 0x03000000u : 0x02000000u;
        EXPECT_EQ(m, "PPF-06", machine_word(m, OUT + 4u * cases[i].pitch), second);
    }
}

EACH_MACHINE(transfer, PPF_09_averages_of_the_console_test)
{
    machine_load_words(m, IN, (const uint32_t[2]){ 0xFFFF0000, 0xFF0000FF }, 2);
    transfer(m, 0x80, 0x80, 0, SCALE_2X1);
    EXPECT_WORDS(m, "PPF-09", OUT, 2, 0xFF7F007F, 0);
    transfer(m, 0x80, 0x80, 0, SCALE_2X2);
    EXPECT_WORDS(m, "PPF-09", OUT, 2, 0x7F3F003F, 0);
    EXPECT_NO_EVENTS(m, "PPF-09");
}

EACH_MACHINE(transfer, PPF_09_PPF_13_scaling_reads_the_two_or_four_pixels_from_2xo_2yo_on)
{
    uint32_t source[64] = { 0 };
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 8; x++)
            source[tiled8(x, y, 8)] = (16u * y + 2u * x) << 24 | (x == 3u && y == 5u ? 0x00FFFFFFu : 0u);
    machine_load_words(m, IN, source, 64);
    transfer(m, 8, 8, 0, SCALE_2X1);
    /* (2k, y) and (2k + 1, y): (16y + 4k + 16y + 4k + 2) / 2 = 16y + 4k + 1 */
    EXPECT_WORDS(m, "PPF-09", OUT, 5, 0x01000000, 0x05000000, 0x09000000, 0x0D000000, 0x11000000);
    EXPECT_EQ(m, "PPF-09", machine_word(m, OUT + 4u * (5u * 4u + 1u)), 0x557F7F7Fu);
    transfer(m, 8, 8, 0, SCALE_2X2);
    /* and the row below: (4 * (32r + 4k) + 2 + 16 + 18) / 4 = 32r + 4k + 9 */
    EXPECT_WORDS(m, "PPF-09", OUT, 5, 0x09000000, 0x0D000000, 0x11000000, 0x15000000, 0x29000000);
    EXPECT_EQ(m, "PPF-09", machine_word(m, OUT + 4u * (2u * 4u + 1u)), 0x4D3F3F3Fu);
}

EACH_MACHINE(transfer, PPF_09_averages_truncate)
{
    static const struct {
        uint32_t bytes[4], want2, want4;
    } cases[] = {
        { { 1, 2, 0, 0 }, 1, 0 },
        { { 1, 0, 1, 1 }, 0, 0 },
        { { 1, 1, 1, 1 }, 1, 1 },
        { { 2, 1, 2, 2 }, 1, 1 },
        { { 255, 254, 255, 255 }, 254, 254 },
        { { 255, 255, 255, 255 }, 255, 255 },
        { { 255, 0, 255, 0 }, 127, 127 },
        { { 3, 4, 4, 4 }, 3, 3 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        uint32_t words[4];
        for (uint32_t k = 0; k < 4; k++) /* a different channel each row */
            words[k] = cases[i].bytes[k] << (8u * (i % 4u));
        machine_load_words(m, IN, words, 4); /* (0,0) (1,0) (0,1) (1,1) */
        transfer(m, 8, 8, 0, SCALE_2X1);
        EXPECT_EQ(m, "PPF-09", machine_word(m, OUT), cases[i].want2 << (8u * (i % 4u)));
        transfer(m, 8, 8, 0, SCALE_2X2);
        EXPECT_EQ(m, "PPF-09", machine_word(m, OUT), cases[i].want4 << (8u * (i % 4u)));
    }
}

EACH_MACHINE(transfer, PPF_09_a_linear_source_is_scaled_by_coordinates)
{
    uint32_t source[16 * 8] = { 0 };
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 16; x++)
            source[y * 16u + x] = (16u * y + x) << 24;
    machine_load_words(m, IN, source, 16 * 8);
    transfer(m, 16, 8, 0, SCALE_2X2 | TO_TILED);
    /* Output (1, 2): source (2..3, 4..5): (66 + 67 + 82 + 83) / 4 = 74; tile index M(1, 2) = 9. */
    EXPECT_EQ(m, "PPF-09", machine_word(m, OUT + 4u * 9u), 74u << 24);
    EXPECT_ONLY_EVENTS(m, "PPF-09", PICA_EVENT_XFER_SCALE_LINEAR);
}
