/* TEV-09, TEV-10, TEV-07: all pairs of bytes, in whole triangles: a is the column of a picture, b its row. */
#include "tests/conformance/fragment_probe.h"

#include <stdlib.h>

/*
 * Unit 0 is an I8 texture 256x8 whose column a is a, unit 1 one of 8x256 whose row coordinate b is b. Four pictures of
 * 128x128 pixels make the 65536 pairs: stage 0 computes `modes` of (texture 0, texture 1, constant c).
 */
enum {
    SIDE = 128
};
static const uint32_t DEPTH_OUT_OF_THE_WAY = 0x18020000u;
static const uint32_t UNIT1_ADDRESS = 0x20021000u;

static void load_ramps(struct machine *m)
{
    for (uint32_t row = 0; row < 8u; row++)
        for (uint32_t col = 0; col < 256u; col++)
            texel_put(m, TEXTURE_ADDRESS, texel_number(col, row, 256), 1, col);
    for (uint32_t row = 0; row < 256u; row++)
        for (uint32_t col = 0; col < 8u; col++)
            texel_put(m, UNIT1_ADDRESS, texel_number(col, row, 8), 1, 255u - row); /* t = 255 - row */
}

static void draw_pairs(struct machine *m, uint32_t modes, uint32_t operands, uint32_t c, uint32_t a0, uint32_t b0)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t i = 0; i < 4u; i++) {
        quad[i].texcoord0[0] = ((float)a0 + (i % 2u ? 128.0f : 0.0f)) / 256.0f;
        quad[i].texcoord1[1] = ((float)b0 + (i / 2u ? 128.0f : 0.0f)) / 256.0f;
    }
    struct list list = probe_list();
    probe_size(&list, SIDE, SIDE);
    list_write(&list, PICA_REG_DEPTHBUFFER_LOC, DEPTH_OUT_OF_THE_WAY >> 3);
    texture_bind(&list, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 256, .height = 8 });
    texture_bind(
        &list, &(struct texture){
                   .unit = 1, .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 256, .address = UNIT1_ADDRESS });
    list_write(&list, PICA_REG_TEXUNIT_CONFIG, 3);
    /* Alpha operands: R of the sources (2), because I8 has alpha 255. */
    const uint32_t words[5] = { 0x0E430E43, operands | 0x00222000u, modes, c * 0x01010101u, 0 };
    list_write_many(&list, PICA_REG_TEXENV0_SOURCE, true, words, 5);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
}

typedef uint32_t (*expected_byte)(uint32_t a, uint32_t b, uint32_t c);

static void check_pairs(struct machine *m, uint32_t mode, uint32_t c, expected_byte expected)
{
    uint8_t *const pixels = malloc(4u * SIDE * SIDE);
    cr_assert_not_null(pixels);
    const bool alpha_too = mode != 6u;
    for (uint32_t quarter = 0; quarter < 4u; quarter++) {
        const uint32_t a0 = quarter % 2u * SIDE, b0 = quarter / 2u * SIDE;
        draw_pairs(m, mode | (alpha_too ? mode << 16 : 0u), 0, c, a0, b0);
        machine_memory(m, COLOR_ADDRESS, pixels, 4u * SIDE * SIDE);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            const uint32_t x = i % SIDE, y = i / SIDE, e = expected(a0 + x, b0 + y, c);
            const uint8_t *const pixel = pixels + 4u * probe_index(x, y, SIDE); /* A B G R */
            if (pixel[3] == e && pixel[2] == e && pixel[1] == e && (!alpha_too || pixel[0] == e))
                continue;
            machine_case(m, "mode %u of %u, %u, %u: %u %u %u %u", (unsigned)mode, (unsigned)(a0 + x),
                         (unsigned)(b0 + y), (unsigned)c, (unsigned)pixel[3], (unsigned)pixel[2], (unsigned)pixel[1],
                         (unsigned)pixel[0]);
            EXPECT_EQ(m, "TEV-09, TEV-10", pixel[3], e);
            EXPECT(m, "TEV-09, TEV-10: all channels alike", false);
            free(pixels);
            return;
        }
    }
    free(pixels);
}

/* The formulas of TEV-09 as they stand there. */
static uint32_t modulate(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return a * b / 255u;
}

static uint32_t add(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return a + b > 255u ? 255u : a + b;
}

static uint32_t add_signed(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return a + b < 128u ? 0u : a + b > 383u ? 255u : a + b - 128u;
}

static uint32_t interpolate(uint32_t a, uint32_t b, uint32_t c)
{
    return (a * c + b * (255u - c)) / 255u;
}

static uint32_t subtract(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    return a > b ? a - b : 0u;
}

static uint32_t multiply_add(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t sum = (a * b + 255u * c) / 255u;
    return sum > 255u ? 255u : sum;
}

static uint32_t add_multiply(uint32_t a, uint32_t b, uint32_t c)
{
    return add(a, b, c) * c / 255u;
}

/* TEV-10: three times the same t. Of a byte a below 128, x = 2a - 255 is negative and N(x) = 254 - 2a. */
static uint32_t dot3(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    if ((a < 128u) != (b < 128u))
        return 0; /* each t is at most -1 */
    const uint32_t x = a < 128u ? 254u - 2u * a : 2u * a - 255u, y = b < 128u ? 254u - 2u * b : 2u * b - 255u;
    const uint32_t sum = 3u * ((x * y + 127u) / 255u);
    return sum > 255u ? 255u : sum;
}

EACH_MACHINE(combiner, TEV_09_TEV_10_all_pairs_of_two_operands)
{
    load_ramps(m);
    check_pairs(m, 1, 0, modulate);
    check_pairs(m, 2, 0, add);
    check_pairs(m, 3, 0, add_signed);
    check_pairs(m, 5, 0, subtract);
    check_pairs(m, 6, 0, dot3);
    check_pairs(m, 7, 0, dot3);
}

EACH_MACHINE(combiner, TEV_09_all_pairs_with_a_third_operand)
{
    static const uint32_t thirds[] = { 1, 77, 254 };
    load_ramps(m);
    for (size_t i = 0; i < sizeof thirds / sizeof thirds[0]; i++) {
        check_pairs(m, 4, thirds[i], interpolate);
        check_pairs(m, 8, thirds[i], multiply_add);
        check_pairs(m, 9, thirds[i], add_multiply);
    }
}
