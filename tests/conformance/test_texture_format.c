/* TEX-21 to TEX-25: texel layout and formats. */
#include "tests/conformance/fragment_probe.h"

/* ---------------------------------------------------------------------------------------------- layout (TEX-21, 22) */

/* The examples (1,0) -> 1, (0,1) -> 2, (5,2) -> 25, (3,5) -> 39, (7,7) -> 63 are rows of the table. */
EACH_MACHINE(texture, TEX_22_texels_of_a_tile_are_in_morton_order_and_the_last_row_is_t_0)
{
    /* Row t = 0 first: the last memory row. x0 y0 x1 y1 x2 y2 from bit 0. */
    static const uint8_t numbers[64] = {
        42, 43, 46, 47, 58, 59, 62, 63, 40, 41, 44, 45, 56, 57, 60, 61, 34, 35, 38, 39, 50, 51,
        54, 55, 32, 33, 36, 37, 48, 49, 52, 53, 10, 11, 14, 15, 26, 27, 30, 31, 8,  9,  12, 13,
        24, 25, 28, 29, 2,  3,  6,  7,  18, 19, 22, 23, 0,  1,  4,  5,  16, 17, 20, 21,
    };
    load_pattern(m, TEXTURE_ADDRESS, 64, 1, 0);
    struct dots dots = dots_image();
    texture_dots(m, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 }, &dots);
    for (uint32_t i = 0; i < 64u; i++) {
        machine_case(m, "s %u, t %u", (unsigned)(i % 8u), (unsigned)(i / 8u));
        EXPECT_DOT(m, "TEX-21, TEX-22", i, numbers[i], numbers[i], numbers[i], 255);
    }
    EXPECT_NO_EVENTS(m, "TEX-22");
}

EACH_MACHINE(texture, TEX_22_tiles_are_in_row_major_order_from_the_first_memory_row)
{
    static const struct {
        uint32_t width, height, s, t, number;
    } rows[] = {
        { 16, 16, 13, 6, 211 }, /* row 9: tile 1*2 + 1, MORTON(5,1) = 19 */
        { 16, 16, 0, 0, 170 },  /* row 15: tile 2, MORTON(0,7) = 42 */
        { 16, 16, 15, 15, 85 }, /* row 0: tile 1, MORTON(7,0) = 21 */
        { 32, 8, 31, 7, 213 },  /* tile 3, 21 */
        { 32, 8, 24, 7, 192 },    { 8, 32, 0, 31, 0 },    { 8, 32, 0, 7, 192 }, /* row 24: tile 3 */
        { 8, 32, 7, 0, 255 },     { 64, 16, 61, 7, 977 }, /* row 8: tile 8 + 7, MORTON(5,0) = 17 */
        { 128, 8, 127, 0, 1023 }, { 8, 128, 5, 1, 1017 }, /* row 126: tile 15, MORTON(5,6) = 57 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%ux%u: s %u, t %u", (unsigned)rows[i].width, (unsigned)rows[i].height, (unsigned)rows[i].s,
                    (unsigned)rows[i].t);
        texel_put(m, TEXTURE_ADDRESS, rows[i].number, 1, 0xC9);
        struct dots dots = dots_at(((float)rows[i].s + 0.5f) / (float)rows[i].width,
                                   ((float)rows[i].t + 0.5f) / (float)rows[i].height);
        struct texture texture = { .format = PICA_TEXTURE_FORMAT_I8 };
        texture.width = rows[i].width;
        texture.height = rows[i].height;
        texture_dots(m, &texture, &dots);
        EXPECT_DOT(m, "TEX-22", 0, 0xC9, 0xC9, 0xC9, 255);
    }
}

/* ------------------------------------------------------------------------------------------------- formats (TEX-23) */

enum {
    IA8 = PICA_TEXTURE_FORMAT_IA8,
    HILO8 = PICA_TEXTURE_FORMAT_HILO8
};

struct format_row {
    uint32_t format, bits; /* bits per texel */
    uint32_t value;        /* little-endian */
    uint32_t expected;     /* rgba */
};

/* TEX-25 and boundaries. */
static const struct format_row format_rows[] = {
    { 0, 32, 0x44332211, 0x44332211 }, { 0, 32, 0x00000000, 0x00000000 }, { 0, 32, 0xFF000080, 0xFF000080 },
    { 1, 24, 0x332211, 0x332211FF },   { 1, 24, 0x000000, 0x000000FF },   { 1, 24, 0xFF8001, 0xFF8001FF },
    { 2, 16, 0x8421, 0x848484FF },     { 2, 16, 0x0000, 0x00000000 },     { 2, 16, 0xFFFF, 0xFFFFFFFF },
    { 2, 16, 0xF800, 0xFF000000 },     { 2, 16, 0x07C0, 0x00FF0000 },     { 2, 16, 0x003E, 0x0000FF00 },
    { 2, 16, 0x0001, 0x000000FF },     { 3, 16, 0x8421, 0x848608FF },     { 3, 16, 0xF800, 0xFF0000FF },
    { 3, 16, 0x07E0, 0x00FF00FF },     { 3, 16, 0x001F, 0x0000FFFF },     { 3, 16, 0x0000, 0x000000FF },
    { 4, 16, 0x8421, 0x88442211 },     { 4, 16, 0xF05A, 0xFF0055AA },     { 4, 16, 0x0000, 0x00000000 },
    { IA8, 16, 0xC835, 0xC8C8C835 },   { IA8, 16, 0x00FF, 0x000000FF },   { IA8, 16, 0xFF00, 0xFFFFFF00 },
    { HILO8, 16, 0xC835, 0xC83500FF }, { HILO8, 16, 0x00FF, 0x00FF00FF }, { HILO8, 16, 0xFF00, 0xFF0000FF },
    { 7, 8, 0x5A, 0x5A5A5AFF },        { 7, 8, 0x00, 0x000000FF },        { 7, 8, 0xFF, 0xFFFFFFFF },
    { 8, 8, 0x5A, 0x0000005A },        { 8, 8, 0x00, 0x00000000 },        { 8, 8, 0xFF, 0x000000FF },
    { 9, 8, 0x5A, 0x555555AA },        { 9, 8, 0xF0, 0xFFFFFF00 },        { 9, 8, 0x0F, 0x000000FF },
};

EACH_MACHINE(texture, TEX_23_texels_become_four_bytes_by_their_format)
{
    for (size_t i = 0; i < sizeof format_rows / sizeof format_rows[0]; i++) {
        const struct format_row *const row = &format_rows[i];
        machine_row(m, "format %u, texel %08X", (unsigned)row->format, (unsigned)row->value);
        load_pattern(m, TEXTURE_ADDRESS, 1024, 0, 0x77);
        /* 16x16: s 13, t 6 is texel 211 */
        texel_put(m, TEXTURE_ADDRESS, 211, row->bits / 8u, row->value);
        struct dots dots = dots_at(13.5f / 16.0f, 6.5f / 16.0f);
        texture_dots(m, &(struct texture){ .format = row->format, .width = 16, .height = 16 }, &dots);
        EXPECT_EQ(m, "TEX-23, TEX-25", dot_pixel(m, 0), row->expected);
        EXPECT_NO_EVENTS(m, "TEX-23");
    }
}

static const uint8_t e5[32] = { 0,   8,   16,  24,  33,  41,  49,  57,  66,  74,  82,  90,  99,  107, 115, 123,
                                132, 140, 148, 156, 165, 173, 181, 189, 198, 206, 214, 222, 231, 239, 247, 255 };
static const uint8_t e6[64] = { 0,   4,   8,   12,  16,  20,  24,  28,  32,  36,  40,  44,  48,  52,  56,  60,
                                65,  69,  73,  77,  81,  85,  89,  93,  97,  101, 105, 109, 113, 117, 121, 125,
                                130, 134, 138, 142, 146, 150, 154, 158, 162, 166, 170, 174, 178, 182, 186, 190,
                                195, 199, 203, 207, 211, 215, 219, 223, 227, 231, 235, 239, 243, 247, 251, 255 };
static const uint8_t e4[16] = { 0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255 };

/* 64 texels whose value is k << shift, k = texel number modulo 2^bits; the channel shows the expansion. */
struct channel {
    uint32_t format, shift, bits, byte; /* byte of the pixel word that the channel is in: 3 = r .. 0 = a */
    const uint8_t *expansion;
};

static const struct channel channels[] = {
    { 2, 11, 5, 3, e5 }, { 2, 6, 5, 2, e5 },  { 2, 1, 5, 1, e5 }, { 3, 11, 5, 3, e5 }, { 3, 5, 6, 2, e6 },
    { 3, 0, 5, 1, e5 },  { 4, 12, 4, 3, e4 }, { 4, 8, 4, 2, e4 }, { 4, 4, 4, 1, e4 },  { 4, 0, 4, 0, e4 },
};

EACH_MACHINE(texture, TEX_23_short_channels_expand_by_bit_replication)
{
    for (size_t c = 0; c < sizeof channels / sizeof channels[0]; c++) {
        const struct channel *const channel = &channels[c];
        machine_reset(m);
        for (uint32_t n = 0; n < 64u; n++)
            texel_put(m, TEXTURE_ADDRESS, n, 2, n % (1u << channel->bits) << channel->shift);
        struct dots dots = dots_image();
        texture_dots(m, &(struct texture){ .format = channel->format, .width = 8, .height = 8 }, &dots);
        for (uint32_t i = 0; i < 64u; i++) {
            const uint32_t k = texel_number(i % 8u, 7u - i / 8u, 8) % (1u << channel->bits);
            machine_case(m, "format %u, channel at bit %u, value %u", (unsigned)channel->format,
                         (unsigned)channel->shift, (unsigned)k);
            EXPECT_EQ(m, "TEX-23", dot_pixel(m, i) >> (8u * channel->byte) & 0xFFu, channel->expansion[k]);
        }
    }
}

EACH_MACHINE(texture, TEX_24_an_even_texel_is_the_low_nibble)
{
    /* Byte 0x5A at an even texel: low nibble A first (TEX-24, TEX-25). Texel 211 is odd: byte 105, high nibble. */
    static const struct {
        uint32_t format, s, t, byte_at, byte, expected;
    } rows[] = {
        { 10, 0, 15, 0, 0x5A, 0xAAAAAAFF },   { 10, 1, 15, 0, 0x5A, 0x555555FF },
        { 11, 0, 15, 0, 0x5A, 0x000000AA },   { 11, 1, 15, 0, 0x5A, 0x00000055 },
        { 10, 13, 6, 105, 0x5A, 0x555555FF }, { 11, 13, 6, 105, 0x3C, 0x00000033 },
        { 10, 12, 6, 105, 0x3C, 0xCCCCCCFF }, { 10, 0, 15, 0, 0x0F, 0xFFFFFFFF },
        { 10, 1, 15, 0, 0x0F, 0x000000FF },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "format %u, s %u, t %u", (unsigned)rows[i].format, (unsigned)rows[i].s, (unsigned)rows[i].t);
        const uint8_t byte = (uint8_t)rows[i].byte;
        machine_load(m, TEXTURE_ADDRESS + rows[i].byte_at, &byte, 1);
        struct dots dots = dots_at(((float)rows[i].s + 0.5f) / 16.0f, ((float)rows[i].t + 0.5f) / 16.0f);
        texture_dots(m, &(struct texture){ .format = rows[i].format, .width = 16, .height = 16 }, &dots);
        EXPECT_EQ(m, "TEX-24, TEX-25", dot_pixel(m, 0), rows[i].expected);
        EXPECT_NO_EVENTS(m, "TEX-24");
    }
}

EACH_MACHINE(texture, TEX_23_four_bit_formats_multiply_by_17)
{
    for (uint32_t format = 10; format < 12u; format++) {
        machine_reset(m);
        for (uint32_t n = 0; n < 32u; n++) {
            const uint8_t byte = (uint8_t)(n % 16u * 16u + (15u - n % 16u)); /* texel 2n: 15 - n, texel 2n + 1: n */
            machine_load(m, TEXTURE_ADDRESS + n, &byte, 1);
        }
        struct dots dots = dots_image();
        texture_dots(m, &(struct texture){ .format = format, .width = 8, .height = 8 }, &dots);
        for (uint32_t i = 0; i < 64u; i++) {
            const uint32_t n = texel_number(i % 8u, 7u - i / 8u, 8);
            const uint32_t value = e4[n % 2u == 0u ? 15u - n / 2u % 16u : n / 2u % 16u];
            machine_case(m, "format %u, texel %u", (unsigned)format, (unsigned)n);
            if (format == 10u)
                EXPECT_DOT(m, "TEX-23", i, value, value, value, 255);
            else
                EXPECT_DOT(m, "TEX-23", i, 0, 0, 0, value);
        }
    }
}

/* TEX-10: the combiner sees these bytes, not floats: replace passes each of the 256 unchanged. */
EACH_MACHINE(texture, TEX_10_the_combiner_gets_the_bytes_of_the_texel)
{
    for (uint32_t quarter = 0; quarter < 4u; quarter++) {
        machine_reset(m);
        load_pattern(m, TEXTURE_ADDRESS, 64, 1, 64u * quarter);
        struct dots dots = dots_image();
        texture_dots(m, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 }, &dots);
        for (uint32_t i = 0; i < 64u; i++) {
            const uint32_t value = 64u * quarter + texel_number(i % 8u, 7u - i / 8u, 8);
            EXPECT_DOT(m, "TEX-10", i, value, value, value, 255);
        }
    }
}
