/* 60-framebuffer.md: colour and depth formats, reading and writing them (FBF-09 to FBF-14, FBF-32, FBF-24). */
#include "tests/conformance/triangle_probe.h"

enum {
    RGBA8,
    RGB8,
    RGB5A1,
    RGB565,
    RGBA4
};

static const uint32_t pixel_size[8] = { 2, 1, 0, 0, 0, 2, 2, 2 }; /* FBF-13 */
static const uint32_t bytes_of[8] = { 4, 3, 2, 2, 2, 4, 4, 4 };

#define FORMAT(format)                                                             \
    {                                                                              \
        PICA_REG_COLORBUFFER_FORMAT, (uint32_t)(format) << 16 | pixel_size[format] \
    }

/* Pixel (0, 0). */
static uint32_t first_pixel(struct machine *m, uint32_t format)
{
    return machine_word(m, COLOR_ADDRESS) & (0xFFFFFFFFu >> (32u - 8u * bytes_of[format]));
}

/* --------------------------------------------------------------------------------------------------------- writing */

EACH_MACHINE(framebuffer, FBF_09_FBF_11_colours_are_truncated_into_the_format)
{
    static const struct {
        uint32_t rgba, format, want;
    } cases[] = {
        { 0xC8643280, RGBA8, 0xC8643280 }, { 0xC8643280, RGB8, 0xC86432 }, { 0xC8643280, RGB565, 0xCB26 },
        { 0xC8643280, RGB5A1, 0xCB0D },    { 0xC8643280, RGBA4, 0xC638 },  { 0x0703077F, RGB565, 0x0000 },
        { 0x08040880, RGB565, 0x0821 },    { 0x0707077F, RGB5A1, 0x0000 }, { 0x08080880, RGB5A1, 0x0843 },
        { 0x0F0F0F0F, RGBA4, 0x0000 },     { 0x10101010, RGBA4, 0x1111 },  { 0xFFFFFFFF, RGB565, 0xFFFF },
        { 0xFFFFFFFF, RGB5A1, 0xFFFF },    { 0xFFFFFFFF, RGBA4, 0xFFFF },  { 0xF7FBF77F, RGB565, 0xF7DE },
        { 0xF7F7F77F, RGB5A1, 0xF7BC },    { 0xEFEFEFEF, RGBA4, 0xEEEE },  { 0x12345678, RGBA8, 0x12345678 },
        { 0x12345678, RGB8, 0x123456 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "%08X in format %u", (unsigned)cases[i].rgba, (unsigned)cases[i].format);
        DRAW_COLOR(m, cases[i].rgba, FORMAT(cases[i].format));
        EXPECT_EQ(m, "FBF-09, FBF-11, FBF-24", first_pixel(m, cases[i].format), cases[i].want);
        EXPECT_NO_EVENTS(m, "FBF-13");
    }
}

EACH_MACHINE(framebuffer, FBF_09_bytes_of_a_pixel)
{
    static const struct {
        uint32_t format;
        uint8_t bytes[6];
        uint32_t n;
    } cases[] = {
        { RGBA8, { 0x78, 0x56, 0x34, 0x12, 0x78, 0x56 }, 6 }, /* A B G R */
        { RGB8, { 0x56, 0x34, 0x12, 0x56, 0x34, 0x12 }, 6 },  /* B G R */
        { RGBA4, { 0x57, 0x13, 0x57, 0x13 }, 4 },             /* u16 R G B A = 1357 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "format %u", (unsigned)cases[i].format);
        DRAW_COLOR(m, 0x12345678, FORMAT(cases[i].format));
        EXPECT_BYTES(m, "FBF-09", COLOR_ADDRESS, cases[i].bytes, cases[i].n);
        EXPECT_ALL_BYTES(m, "FBF-09", COLOR_ADDRESS + 64u * bytes_of[cases[i].format], 64, 0);
    }
}

/* --------------------------------------------------------------------------------------------------------- reading */

/*
 * FBF-10. Destination values of n bits in pixels 0, 1, ..; adding S (one, one) and truncating to n bits gives
 * (expanded + S) >> (8 - n), limited to 255 before: S = 1 to 8 or 16 shows every low bit of the expansion.
 */
static void expansion(struct machine *m, uint32_t format, uint32_t shift, uint32_t bits, const uint8_t *expanded)
{
    const uint32_t values = 1u << bits;
    for (uint32_t s = 0; s <= 1u << (8u - bits); s++) {
        machine_row(m, "format %u, bits %u:%u, S %u", (unsigned)format, (unsigned)(shift + bits - 1u), (unsigned)shift,
                    (unsigned)s);
        for (uint32_t v = 0; v < values; v++) {
            const uint32_t word = v << shift;
            machine_load(m, COLOR_ADDRESS + 2u * v, (const uint8_t[2]){ (uint8_t)word, (uint8_t)(word >> 8) }, 2);
        }
        DRAW_COLOR(m, s << 24 | s << 16 | s << 8 | s, FORMAT(format), { PICA_REG_BLEND_FUNC, 0x11110000u });
        for (uint32_t v = 0; v < values; v++) {
            const uint32_t sum = expanded[v] + s;
            const uint32_t want = (sum > 255u ? 255u : sum) >> (8u - bits);
            const uint32_t got = machine_word(m, COLOR_ADDRESS + 2u * v) >> shift & (values - 1u);
            if (got != want) {
                EXPECT_EQ(m, "FBF-10", got, want);
                return;
            }
        }
    }
}

static const uint8_t four_bits[16] = { 0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255 };
static const uint8_t five_bits[32] = { 0,   8,   16,  24,  33,  41,  49,  57,  66,  74,  82,  90,  99,  107, 115, 123,
                                       132, 140, 148, 156, 165, 173, 181, 189, 198, 206, 214, 222, 231, 239, 247, 255 };
static const uint8_t six_bits[64] = { 0,   4,   8,   12,  16,  20,  24,  28,  32,  36,  40,  44,  48,  52,  56,  60,
                                      65,  69,  73,  77,  81,  85,  89,  93,  97,  101, 105, 109, 113, 117, 121, 125,
                                      130, 134, 138, 142, 146, 150, 154, 158, 162, 166, 170, 174, 178, 182, 186, 190,
                                      195, 199, 203, 207, 211, 215, 219, 223, 227, 231, 235, 239, 243, 247, 251, 255 };
static const uint8_t one_bit[2] = { 0, 255 };

EACH_MACHINE(framebuffer, FBF_10_every_value_of_1_4_5_and_6_bits_expands)
{
    expansion(m, RGB565, 0, 5, five_bits);
    expansion(m, RGB565, 5, 6, six_bits);
    expansion(m, RGB565, 11, 5, five_bits);
    expansion(m, RGB5A1, 0, 1, one_bit);
    expansion(m, RGB5A1, 1, 5, five_bits);
    expansion(m, RGB5A1, 6, 5, five_bits);
    expansion(m, RGB5A1, 11, 5, five_bits);
    for (uint32_t shift = 0; shift < 16u; shift += 4u)
        expansion(m, RGBA4, shift, 4, four_bits);
}

EACH_MACHINE(framebuffer, FBF_10_FBF_11_expansion_followed_by_reduction_keeps_the_bits)
{
    /* CB26 in RGB565 reads 206, 101, 49, 255: factor 8 (D.a) of 255 keeps S; D alone through factor one. */
    machine_load_word(m, COLOR_ADDRESS, 0xCB26u);
    DRAW_COLOR(m, 0x00000000, FORMAT(RGB565), { PICA_REG_LOGIC_OP, 6 }, { PICA_REG_COLOR_OPERATION, 0x00E40000 });
    EXPECT_EQ(m, "FBF-11", machine_word(m, COLOR_ADDRESS) & 0xFFFFu, 0xCB26u); /* read and written back: the same */
    machine_reset(m);
    machine_load_word(m, COLOR_ADDRESS, 0xCB26u);
    /* 206 + 2 = 208 = 26 << 3, 101 + 3 = 104 = 26 << 2, 49 + 7 = 56 = 7 << 3 */
    DRAW_COLOR(m, 0x02030700, FORMAT(RGB565), { PICA_REG_BLEND_FUNC, 0x11110000u });
    EXPECT_EQ(m, "FBF-10", machine_word(m, COLOR_ADDRESS) & 0xFFFFu, 26u << 11 | 26u << 5 | 7u);
    machine_reset(m);
    machine_load_word(m, COLOR_ADDRESS, 0xCB26u);
    DRAW_COLOR(m, 0x01020600, FORMAT(RGB565), { PICA_REG_BLEND_FUNC, 0x11110000u });
    EXPECT_EQ(m, "FBF-10", machine_word(m, COLOR_ADDRESS) & 0xFFFFu, 0xCB26u); /* one less each */
}

EACH_MACHINE(framebuffer, FBF_10_missing_alpha_reads_as_255)
{
    /* Source factor D.a: 255 where the format has no alpha. */
    static const uint32_t formats[] = { RGB8, RGB565 };
    for (size_t i = 0; i < 2; i++) {
        machine_reset(m);
        DRAW_COLOR(m, 0xFFFFFFFF, FORMAT(formats[i]), { PICA_REG_BLEND_FUNC, 0x08080000u });
        EXPECT_EQ(m, "FBF-10", first_pixel(m, formats[i]), formats[i] == RGB8 ? 0xFFFFFFu : 0xFFFFu);
    }
    machine_reset(m);
    DRAW_COLOR(m, 0xFFFFFFFF, FORMAT(RGBA8), { PICA_REG_BLEND_FUNC, 0x08080000u });
    EXPECT_EQ(m, "FBF-10", first_pixel(m, RGBA8), 0); /* an alpha of 0 that is there */
}

/* ------------------------------------------------------------------------------------------------ reserved and size */

EACH_MACHINE(framebuffer, FBF_12_colour_formats_5_to_7_write_nothing)
{
    for (uint32_t format = 5; format < 8; format++)
        for (uint32_t size = 0; size < 4; size++) {
            machine_row(m, "format %u, size %u", (unsigned)format, (unsigned)size);
            machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x200, 0x5A5A5A5A, 0x201);
            DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLORBUFFER_FORMAT, format << 16 | size });
            EXPECT_ALL_BYTES(m, "FBF-12", COLOR_ADDRESS, 0x200, 0x5A);
            EXPECT_DEPTH(m, "FBF-12", 3, 3, 0x7FFFFF); /* depth is written as usual */
            EXPECT_ONLY_EVENTS(m, "FBF-12, FBF-13", PICA_EVENT_COLOR_FORMAT_RESERVED);
        }
}

EACH_MACHINE(framebuffer, FBF_13_the_pixel_size_field_is_ignored)
{
    static const uint32_t want[5] = { 0xC8643280, 0xC86432, 0xCB0D, 0xCB26, 0xC638 };
    for (uint32_t format = 0; format < 5; format++)
        for (uint32_t size = 0; size < 4; size++) {
            machine_row(m, "format %u, size %u", (unsigned)format, (unsigned)size);
            /* Bits 2-15 and 19-31 are not listed. */
            DRAW_COLOR(m, 0xC8643280, { PICA_REG_COLORBUFFER_FORMAT, 0xFFF8FFFCu | format << 16 | size });
            EXPECT_EQ(m, "FBF-13", first_pixel(m, format), want[format]);
            EXPECT_EQ(m, "FBF-13", machine_event(m, PICA_EVENT_COLOR_SIZE_MISMATCH), size != pixel_size[format]);
        }
}

/* ------------------------------------------------------------------------------------------------------------ depth */

EACH_MACHINE(framebuffer, FBF_14_FBF_32_bytes_of_a_depth_pixel)
{
    /* Depth 0.3: 4CCC, 4CCCCC up to the biases; through the offset 0.5 - 2^-12 (float24): 7FF0, 7FEFFF. */
    static const struct {
        uint32_t format;
        uint8_t bytes[8];
    } cases[] = {
        { 0, { 0xEF, 0x7F, 0xEF, 0x7F, 0xEF, 0x7F, 0xEF, 0x7F } },
        { 2, { 0xFF, 0xEF, 0x7F, 0xFF, 0xEF, 0x7F, 0xFF, 0xEF } },
        { 3, { 0xFF, 0xEF, 0x7F, 0xA5, 0xFF, 0xEF, 0x7F, 0xA5 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "format %u", (unsigned)cases[i].format);
        machine_fill(m, 0, DEPTH_ADDRESS, DEPTH_ADDRESS + 0x200, 0xA5A5A5A5, 0x201);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_FORMAT, 0xFFFFFFFCu | cases[i].format },
                   { PICA_REG_DEPTHMAP_SCALE, 0 }, { PICA_REG_DEPTHMAP_OFFSET, float24(0.499755859375) });
        EXPECT_BYTES(m, "FBF-14, FBF-32", DEPTH_ADDRESS, cases[i].bytes, 8);
        const uint32_t size = cases[i].format == 0u ? 128u : cases[i].format == 2u ? 192u : 256u;
        EXPECT_ALL_BYTES(m, "FBF-14", DEPTH_ADDRESS + size, 64, 0xA5);
        EXPECT_NO_EVENTS(m, "FBF-14");
    }
}

EACH_MACHINE(framebuffer, FBF_32_a_stencil_write_touches_byte_3_alone)
{
    probe_clear_depth_stencil(m, 0x123456, 0x0F);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTH_COLOR_MASK, 0x0F00 }, { PICA_REG_STENCIL_TEST, 0xFFA5FF11u },
               { PICA_REG_STENCIL_OP, 0x200 });
    EXPECT_EQ(m, "FBF-32", probe_depth_stencil(m, 3, 3), 0xA5123456u);
}

EACH_MACHINE(framebuffer, FBF_14_depth_format_1_reads_0_and_writes_nothing)
{
    machine_fill(m, 0, DEPTH_ADDRESS, DEPTH_ADDRESS + 0x200, 0x5A5A5A5A, 0x201);
    /* Depth test "equal" with a fragment depth of 0: passes, because reads give 0. Stencil is not there. */
    DRAW_DEPTH(m, 0xFFFFFFFF, 0.0f, { PICA_REG_DEPTHBUFFER_FORMAT, 1 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1F21 },
               { PICA_REG_STENCIL_TEST, 0xFFFFFF01u }, { PICA_REG_STENCIL_OP, 0x111 });
    EXPECT_FULL(m, "FBF-14, DPT-01, STC-02");
    EXPECT_ALL_BYTES(m, "FBF-14", DEPTH_ADDRESS, 0x200, 0x5A);
    EXPECT_ONLY_EVENTS(m, "FBF-14", PICA_EVENT_DEPTH_FORMAT_1);
    machine_reset(m);
    DRAW_DEPTH(m, 0xFFFFFFFF, -0.5f, { PICA_REG_DEPTHBUFFER_FORMAT, 1 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1F21 });
    EXPECT_EMPTY(m, "FBF-14, ITP-17"); /* 24 bits: 7FFFFF is not 0 */
}

/* 24-bit neighbours: a depth write must not spill over. */
EACH_MACHINE(framebuffer, FBF_09_FBF_14_a_24_bit_pixel_leaves_its_neighbours_alone)
{
    machine_fill(m, 0, DEPTH_ADDRESS, DEPTH_ADDRESS + 0x100, 0xFFFFFFFF, 0x201);
    DRAW_POINT(m, 1, 1, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_FORMAT, 2 }, { PICA_REG_DEPTHMAP_SCALE, 0 });
    static const uint8_t want[9] = { 0xFF, 0xFF, 0xFF, 0, 0, 0, 0xFF, 0xFF, 0xFF };
    EXPECT_BYTES(m, "FBF-14", DEPTH_ADDRESS + 3u * 2u, want, 9);
    machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x100, 0xFFFFFFFF, 0x201);
    DRAW_POINT(m, 1, 1, 0x00000000, FORMAT(RGB8));
    EXPECT_BYTES(m, "FBF-09", COLOR_ADDRESS + 3u * 2u, want, 9);
}
