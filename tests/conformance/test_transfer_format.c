/* 70-gx-engines.md section 2, display transfer: pixel formats and their conversion (PPF-10 to PPF-12). */
#include "tests/conformance/checks.h"
#include "tests/conformance/layout.h"

enum {
    IN = 0x18000000,
    OUT = 0x18020000
};

static const uint32_t bytes_of[8] = { 4, 3, 2, 2, 2, 2, 2, 2 };

static void convert(struct machine *m, uint32_t in, uint32_t out, uint32_t flags)
{
    machine_transfer(
        m, &(struct transfer){ .in = IN, .out = OUT, .dim = 8u << 16 | 8u, .flags = flags | in << 8 | out << 12 });
}

/* The first pixel of the output. */
static uint32_t converted(struct machine *m, uint32_t in, uint32_t out, uint32_t value)
{
    machine_load_word(m, IN, value);
    convert(m, in, out, 0);
    return machine_word(m, OUT) & (0xFFFFFFFFu >> (32u - 8u * bytes_of[out]));
}

enum {
    RGBA8,
    RGB8,
    RGB565,
    RGB5A1,
    RGBA4
};

EACH_MACHINE(transfer, PPF_11_conversions_expand_and_truncate)
{
    static const struct {
        uint32_t in, value, out, want;
    } cases[] = {
        /* The console's. */
        { RGBA8, 0x0000007F, RGB5A1, 0x0000 },
        { RGBA8, 0x00000080, RGB5A1, 0x0001 },
        { RGBA8, 0x00FF0000, RGB5A1, 0x07C0 },
        { RGBA8, 0x00000064, RGBA4, 0x0006 },
        { RGBA8, 0x000000FE, RGBA4, 0x000F },
        { RGB5A1, 0x07C0, RGB565, 0x07E0 },
        { RGBA4, 0x0008, RGB5A1, 0x0001 },
        { RGBA4, 0x0007, RGB5A1, 0x0000 },
        /* Colour (200,100,50,128) of FBF, by FBF-11. */
        { RGBA8, 0xC8643280, RGBA8, 0xC8643280 },
        { RGBA8, 0xC8643280, RGB8, 0xC86432 },
        { RGBA8, 0xC8643280, RGB565, 0xCB26 },
        { RGBA8, 0xC8643280, RGB5A1, 0xCB0D },
        { RGBA8, 0xC8643280, RGBA4, 0xC638 },
        /* Truncation just below and at a step of each channel. */
        { RGBA8, 0x07000000, RGB565, 0x0000 },
        { RGBA8, 0x08000000, RGB565, 0x0800 },
        { RGBA8, 0x00030000, RGB565, 0x0000 },
        { RGBA8, 0x00040000, RGB565, 0x0020 },
        { RGBA8, 0x00000700, RGB565, 0x0000 },
        { RGBA8, 0x00000800, RGB565, 0x0001 },
        { RGBA8, 0x0F0F0F0F, RGBA4, 0x0000 },
        { RGBA8, 0x10101010, RGBA4, 0x1111 },
        { RGBA8, 0x0707077F, RGB5A1, 0x0000 },
        { RGBA8, 0x08080880, RGB5A1, 0x0843 },
        { RGBA8, 0xFFFFFFFF, RGB5A1, 0xFFFF },
        /* RGB8 keeps its bytes. */
        { RGB8, 0x00123456, RGB8, 0x123456 },
        /* 16 bits to 16 bits. 5 bits 17: 17 << 3 | 17 >> 2 = 140: 6 bits 35, 4 bits 8. 6 bits 33: 134: 5 bits 16. */
        { RGB565, 17u << 11 | 33u << 5 | 17u, RGB565, 17u << 11 | 33u << 5 | 17u },
        { RGB565, 17u << 11 | 33u << 5 | 17u, RGB5A1, 17u << 11 | 16u << 6 | 17u << 1 | 1u },
        { RGB565, 17u << 11 | 33u << 5 | 17u, RGBA4, 0x888F },
        { RGB5A1, 17u << 11 | 17u << 6 | 17u << 1, RGB565, 17u << 11 | 35u << 5 | 17u },
        { RGB5A1, 17u << 11 | 17u << 6 | 17u << 1, RGB5A1, 17u << 11 | 17u << 6 | 17u << 1 },
        { RGB5A1, 17u << 11 | 17u << 6 | 17u << 1, RGBA4, 0x8880 },
        { RGB5A1, 0x0001, RGBA4, 0x000F },
        /* 4 bits 9: 0x99 = 153: 5 bits 19, 6 bits 38. */
        { RGBA4, 0x9999, RGB565, 19u << 11 | 38u << 5 | 19u },
        { RGBA4, 0x9999, RGB5A1, 19u << 11 | 19u << 6 | 19u << 1 | 1u },
        { RGBA4, 0x9999, RGBA4, 0x9999 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "format %u to %u, %08X", (unsigned)cases[i].in, (unsigned)cases[i].out,
                    (unsigned)cases[i].value);
        EXPECT_EQ(m, "PPF-10, PPF-11", converted(m, cases[i].in, cases[i].out, cases[i].value), cases[i].want);
        EXPECT_NO_EVENTS(m, "PPF-12");
    }
}

EACH_MACHINE(transfer, PPF_11_missing_alpha_reads_as_255)
{
    static const struct {
        uint32_t in, value, out, want;
    } cases[] = {
        { RGB8, 0x00112233, RGBA8, 0x112233FF }, { RGB8, 0x00112233, RGB5A1, 0x110D },
        { RGB565, 0x0000, RGB5A1, 0x0001 },      { RGB565, 0x0000, RGBA4, 0x000F },
        { RGB565, 0x0000, RGBA8, 0x000000FF },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_case(m, "row %zu", i);
        EXPECT_EQ(m, "PPF-11", converted(m, cases[i].in, cases[i].out, cases[i].value), cases[i].want);
    }
}

/* PPF-12: what a console survives. */
static bool console_hangs(uint32_t in, uint32_t out)
{
    return !(in == RGBA8 || (in == RGB8 && out == RGB8) || (in >= 2u && out >= 2u));
}

EACH_MACHINE(transfer, PPF_10_PPF_12_all_64_pairs_convert_and_the_ones_that_hang_a_console_are_events)
{
    /* (170, 85, 170, 255) is 8 bits AA 55 AA FF = 5 bits 21, 10 = 6 bits 42, 21 = 4 bits A, 5, A, F in every format. */
    static const uint32_t code[8] = {
        0xAA55AAFF, 0xAA55AA, 21u << 11 | 21u << 5 | 21u, 21u << 11 | 10u << 6 | 21u << 1 | 1u, 0xA5AF, 0xA5AF,
        0xA5AF,     0xA5AF
    };
    /* Expanded: 5 bits 21: 173, 10: 82; 6 bits 21: 85; 4 bits: AA, 55. Reduced from there. */
    static const uint8_t expanded[8][4] = { { 0xAA, 0x55, 0xAA, 0xFF }, { 0xAA, 0x55, 0xAA, 0xFF },
                                            { 173, 85, 173, 0xFF },     { 173, 82, 173, 0xFF },
                                            { 0xAA, 0x55, 0xAA, 0xFF }, { 0xAA, 0x55, 0xAA, 0xFF },
                                            { 0xAA, 0x55, 0xAA, 0xFF }, { 0xAA, 0x55, 0xAA, 0xFF } };
    for (uint32_t in = 0; in < 8; in++)
        for (uint32_t out = 0; out < 8; out++) {
            machine_row(m, "format %u to %u", (unsigned)in, (unsigned)out);
            const uint8_t *const c = expanded[in];
            const uint32_t r = c[0], g = c[1], b = c[2], a = c[3];
            uint32_t want = (r >> 4) << 12 | (g >> 4) << 8 | (b >> 4) << 4 | a >> 4;
            if (out == RGBA8)
                want = r << 24 | g << 16 | b << 8 | a;
            if (out == RGB8)
                want = r << 16 | g << 8 | b;
            if (out == RGB565)
                want = (r >> 3) << 11 | (g >> 2) << 5 | b >> 3;
            if (out == RGB5A1)
                want = (r >> 3) << 11 | (g >> 3) << 6 | (b >> 3) << 1 | a >> 7;
            EXPECT_EQ(m, "PPF-10, PPF-12", converted(m, in, out, code[in]), want);
            enum pica_event expected[2];
            size_t n = 0;
            if (in > 4u || out > 4u)
                expected[n++] = PICA_EVENT_XFER_FORMAT_RESERVED;
            if (console_hangs(in, out))
                expected[n++] = PICA_EVENT_XFER_FORMAT_HANG;
            cr_expect(machine_has_only_events(m, "PPF-10, PPF-12", expected, n), "%s", m->message);
        }
}

/* PPF-10: bytes of a pixel lie as in FBF-09, addresses go by bytes per pixel. */
EACH_MACHINE(transfer, PPF_10_pixels_lie_in_memory_as_in_a_framebuffer)
{
    static const uint8_t rgb8[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    machine_load(m, IN, rgb8, sizeof rgb8);
    convert(m, RGB8, RGB8, 0);
    static const uint8_t want_rgb8[9] = { 1, 2, 3, 4, 5, 6, 0, 0, 0 }; /* (0,0) (1,0), then pixel 4 of the tile */
    EXPECT_BYTES(m, "PPF-10", OUT, want_rgb8, 9);
    static const uint8_t want_row1[6] = { 7, 8, 9, 10, 11, 12 };
    EXPECT_BYTES(m, "PPF-10", OUT + 24, want_row1, 6);

    static const uint8_t rgba8[8] = { 0xA0, 0xB0, 0xC0, 0xD0, 0x10, 0x20, 0x30, 0x40 };
    machine_load(m, IN, rgba8, sizeof rgba8);
    convert(m, RGBA8, RGB8, 0);
    static const uint8_t want_from_rgba8[6] = { 0xB0, 0xC0, 0xD0, 0x20, 0x30, 0x40 };
    EXPECT_BYTES(m, "PPF-10", OUT, want_from_rgba8, 6);
    convert(m, RGBA8, RGBA4, 0);
    static const uint8_t want_rgba4[4] = { 0xBA, 0xDC, 0x21, 0x43 }; /* u16 DCBA, 4321 */
    EXPECT_BYTES(m, "PPF-10", OUT, want_rgba4, 4);
}

EACH_MACHINE(transfer, PPF_09_other_formats_are_expanded_before_the_average)
{
    static const struct {
        uint32_t format, first, second, third, fourth, want2, want4;
    } cases[] = {
        /* 5 bits 1 and 2: 8 and 16: 12 >> 3 = 1. 6 bits 1 and 2: 4 and 8: 6 >> 2 = 1. With two zeros: 6 and 3: 0. */
        { RGB565, 0x0821, 0x1042, 0, 0, 0x0821, 0 },
        /* Not the average of the codes: 5 bits 15 and 16: 123 and 132: 127 >> 3 = 15; 6 bits 31 and 32: 125, 130. */
        { RGB565, 0x7BEF, 0x8410, 0x8410, 0x8410, 0x7BEF, 0x8410 },
        /* 1 bit: 255 and 0: 127 >> 7 = 0; three of four: 191 >> 7 = 1. */
        { RGB5A1, 1, 0, 1, 1, 0, 1 },
        { RGB5A1, 1, 1, 0, 0, 1, 0 },
        { RGB5A1, 1, 1, 1, 0, 1, 1 },
        /* 4 bits: F and 0: 255 / 2 = 127 >> 4 = 7; F F F 0: 765 / 4 = 191 >> 4 = B. */
        { RGBA4, 0xFF0F, 0x0F00, 0xFFFF, 0x000F, 0x7F07, 0x7B3B },
        /* 24 bits. */
        { RGB8, 0x010203, 0x020304, 0, 0, 0x010203, 0x000101 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_case(m, "row %zu", i);
        const uint32_t pixels[4] = { cases[i].first, cases[i].second, cases[i].third, cases[i].fourth };
        const uint32_t size = bytes_of[cases[i].format];
        for (uint32_t k = 0; k < 4; k++) {
            const uint8_t bytes[3] = { (uint8_t)pixels[k], (uint8_t)(pixels[k] >> 8), (uint8_t)(pixels[k] >> 16) };
            machine_load(m, IN + k * size, bytes, size);
        }
        const uint32_t mask = size == 3u ? 0xFFFFFFu : 0xFFFFu;
        convert(m, cases[i].format, cases[i].format, 1u << 24);
        EXPECT_EQ(m, "PPF-09", machine_word(m, OUT) & mask, cases[i].want2);
        convert(m, cases[i].format, cases[i].format, 2u << 24);
        EXPECT_EQ(m, "PPF-09", machine_word(m, OUT) & mask, cases[i].want4);
    }
}

/* PPF-03: the bits of FLAGS that mean nothing do not matter: 4, 6, 7, 11, 15, 17-23, 26-31 are not even stored. */
EACH_MACHINE(transfer, PPF_03_other_flags_have_no_effect)
{
    machine_load_word(m, IN, 0xC8643280u);
    convert(m, RGBA8, RGB565, 0xFCFE88D0u);
    EXPECT_EQ(m, "PPF-03", machine_word(m, OUT), 0xCB26u);
    EXPECT_READ(m, "PPF-03", 0x10400C10u, 0x00002000u);
    EXPECT_NO_EVENTS(m, "PPF-03");
}

/* The whole 8x8 tile in each format: linear to tiled and back gives the same bytes. */
EACH_MACHINE(transfer, PPF_11_the_same_format_keeps_every_bit)
{
    for (uint32_t format = 0; format < 5; format++) {
        machine_row(m, "format %u", (unsigned)format);
        const uint32_t size = bytes_of[format];
        uint8_t linear[256], tiled[256];
        for (uint32_t k = 0; k < 64u * size; k++)
            linear[k] = (uint8_t)(k * 7u + 3u);
        for (uint32_t y = 0; y < 8; y++)
            for (uint32_t x = 0; x < 8; x++)
                for (uint32_t b = 0; b < size; b++)
                    tiled[tiled8(x, y, 8) * size + b] = linear[(y * 8u + x) * size + b];
        machine_load(m, IN, linear, 64u * size);
        convert(m, format, format, 2u);
        EXPECT_BYTES(m, "PPF-08, PPF-11", OUT, tiled, 64u * size);
        machine_load(m, IN, tiled, 64u * size);
        convert(m, format, format, 0);
        EXPECT_BYTES(m, "PPF-08, PPF-11", OUT, linear, 64u * size);
    }
}
