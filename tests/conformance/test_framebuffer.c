/*
 * 60-framebuffer.md section 2: where pixels lie. Formats: test_framebuffer_format.c; access and masks:
 * test_framebuffer_access.c.
 */
#include "tests/conformance/layout.h"
#include "tests/conformance/triangle_probe.h"

static uint32_t dim(uint32_t width, uint32_t height, uint32_t flip)
{
    return flip << 24 | (height - 1u) << 12 | width;
}

static const struct pica_window large[] = { { 0x18000000, 0x00200000 }, { 0x20000000, 0x00040000 } };

static const uint32_t COLOR = 0x18000000, DEPTH = 0x18100000;

#define BUFFERS                                     \
    { PICA_REG_COLORBUFFER_LOC, 0x18000000u >> 3 }, \
    {                                               \
        PICA_REG_DEPTHBUFFER_LOC, 0x18100000u >> 3  \
    }

/* Exactly one pixel of `bytes` bytes was written, at this offset. */
static void expect_single(struct machine *m, const char *rule, uint32_t address, uint32_t offset, uint32_t bytes)
{
    uint8_t memory[64];
    machine_memory(m, address + offset - 16u * (offset >= 16u), memory, sizeof memory);
    for (uint32_t i = 0; i < sizeof memory; i++) {
        const uint32_t first = offset >= 16u ? 16u : 0u;
        const bool inside = i >= first && i < first + bytes;
        cr_expect((memory[i] != 0u) == inside, "[%s] %s: %s: byte %u around offset 0x%X is %02X", m->name, rule, m->row,
                  (unsigned)i, (unsigned)offset, (unsigned)memory[i]);
    }
}

/* ------------------------------------------------------------------------------------------------ worked examples */

EACH_MACHINE_IN(framebuffer, FBF_05_FBF_06_FBF_07_FBF_08_FBF_09_worked_examples, large)
{
    static const struct {
        uint32_t width, height, flip, block32, x, y, format, size, offset, bytes;
    } cases[] = {
        { 240, 400, 1, 0, 13, 21, 0, 2, 0x58364, 4 }, /* row 378, RGBA8 */
        { 240, 400, 1, 0, 13, 21, 1, 1, 0x4228B, 3 },
        { 240, 400, 1, 0, 13, 21, 3, 0, 0x2C1B2, 2 },
        { 240, 400, 1, 0, 13, 21, 2, 0, 0x2C1B2, 2 },
        { 240, 400, 1, 0, 13, 21, 4, 0, 0x2C1B2, 2 },
        { 240, 400, 0, 0, 13, 21, 0, 2, 0x3DCC, 4 },
        { 240, 400, 0, 0, 8, 0, 0, 2, 64 * 4, 4 },
        { 240, 400, 0, 0, 3, 2, 0, 2, 13 * 4, 4 },
        { 240, 400, 0, 0, 13, 21, 0, 2, 3955 * 4, 4 },
        { 240, 400, 0, 0, 239, 399, 0, 2, 95999 * 4, 4 },
        { 240, 400, 1, 0, 239, 0, 0, 2, 95999 * 4, 4 },
        { 256, 256, 0, 1, 8, 0, 0, 2, 64 * 4, 4 },
        { 256, 256, 0, 1, 0, 8, 0, 2, 128 * 4, 4 },
        { 256, 256, 0, 1, 31, 31, 0, 2, 1023 * 4, 4 },
        { 256, 256, 0, 1, 32, 0, 0, 2, 1024 * 4, 4 },
        { 256, 256, 0, 1, 45, 21, 0, 2, 1651 * 4, 4 },
        { 256, 256, 0, 0xFFFFFFFF, 45, 21, 3, 0, 1651 * 2, 2 },
        { 256, 256, 0, 0xFFFFFFFE, 8, 0, 0, 2, 64 * 4, 4 },
        { 256, 256, 0, 0xFFFFFFFE, 0, 8, 0, 2, 2048 * 4, 4 },
        /* FBF-05: 12 columns have a pitch of 16, 40 with BLOCK32 one of 64. */
        { 12, 16, 0, 0, 0, 8, 0, 2, 128 * 4, 4 },
        { 1, 16, 0, 0, 0, 8, 0, 2, 64 * 4, 4 },
        { 40, 64, 0, 1, 0, 32, 0, 2, 2048 * 4, 4 },
        /* FBF-06: H counts, not Ht. */
        { 8, 13, 1, 0, 0, 12, 0, 2, 0, 4 },
        { 8, 13, 1, 0, 0, 0, 0, 2, (64 + 32) * 4, 4 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        DRAW_POINT(m, cases[i].x, cases[i].y, 0xFFFFFFFF, BUFFERS,
                   { PICA_REG_FRAMEBUFFER_DIM, dim(cases[i].width, cases[i].height, cases[i].flip) },
                   { PICA_REG_FRAMEBUFFER_BLOCK32, cases[i].block32 },
                   { PICA_REG_COLORBUFFER_FORMAT, cases[i].format << 16 | cases[i].size });
        expect_single(m, "FBF-05 to FBF-09", COLOR, cases[i].offset, cases[i].bytes);
    }
}

EACH_MACHINE_IN(framebuffer, FBF_08_FBF_14_the_depth_buffer_has_the_same_layout, large)
{
    static const struct {
        uint32_t width, height, flip, block32, x, y, format, index, bytes;
    } cases[] = {
        { 240, 400, 1, 0, 13, 21, 0, 0x58364 / 4, 2 },
        { 240, 400, 1, 0, 13, 21, 2, 0x58364 / 4, 3 },
        { 240, 400, 1, 0, 13, 21, 3, 0x58364 / 4, 4 },
        { 256, 256, 0, 1, 45, 21, 3, 1651, 4 },
        { 12, 16, 0, 0, 0, 8, 0, 128, 2 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        DRAW_POINT(m, cases[i].x, cases[i].y, 0xFFFFFFFF, BUFFERS,
                   { PICA_REG_FRAMEBUFFER_DIM, dim(cases[i].width, cases[i].height, cases[i].flip) },
                   { PICA_REG_FRAMEBUFFER_BLOCK32, cases[i].block32 }, { PICA_REG_DEPTHBUFFER_FORMAT, cases[i].format },
                   { PICA_REG_DEPTHMAP_SCALE, 0 }, { PICA_REG_DEPTHMAP_OFFSET, 0x3F0000 },
                   { PICA_REG_STENCIL_TEST, 0x00FFFF11 }, { PICA_REG_STENCIL_OP, 0x200 });
        expect_single(m, "FBF-07, FBF-08, FBF-14", DEPTH, cases[i].index * cases[i].bytes, cases[i].bytes);
    }
}

/* Every pixel of 24x16, one point each, in a colour that names it. */
EACH_MACHINE(framebuffer, FBF_07_every_pixel_of_six_tiles)
{
    for (uint32_t flip = 0; flip < 2; flip++) {
        machine_row(m, "flip %u", (unsigned)flip);
        struct list list = probe_list();
        const struct setting settings[] = { POINT_VIEW, { PICA_REG_FRAMEBUFFER_DIM, dim(24, 16, flip) } };
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            list_write(&list, settings[i].id, settings[i].value);
        struct probe_vertex v[3 * 24 * 16];
        for (uint32_t i = 0; i < 24 * 16; i++) {
            point_at(v + 3 * i, i % 24u, i / 24u);
            probe_color(v + 3 * i, 3, i % 24u, i / 24u, 0, 255);
        }
        probe_draw(m, &list, v, 3 * 24 * 16, PICA_TOPOLOGY_LIST);
        uint32_t want[24 * 16];
        for (uint32_t y = 0; y < 16; y++)
            for (uint32_t x = 0; x < 24; x++)
                want[tiled8(x, flip ? 15u - y : y, 24)] = x << 24 | y << 16 | 0xFFu;
        cr_expect(words_are(m, "FBF-06, FBF-07", COLOR_ADDRESS, want, 24 * 16), "%s", m->message);
        EXPECT_NO_EVENTS(m, "FBF-07");
    }
}

EACH_MACHINE(framebuffer, FBF_08_blocks_of_32x32_in_z_order)
{
    /* 64x64: three rows of points in each 32x32 block are enough to name every bit of the coordinates. */
    static const uint32_t rows[] = { 0, 1, 2, 4, 8, 16, 31, 32, 55, 63 };
    struct list list = probe_list();
    const struct setting settings[] = { POINT_VIEW,
                                        { PICA_REG_FRAMEBUFFER_DIM, dim(64, 64, 0) },
                                        { PICA_REG_FRAMEBUFFER_BLOCK32, 1 } };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        list_write(&list, settings[i].id, settings[i].value);
    struct probe_vertex v[3 * 640];
    uint32_t want[64 * 64] = { 0 };
    for (uint32_t i = 0; i < 640; i++) {
        const uint32_t x = i % 64u, y = rows[i / 64u];
        point_at(v + 3 * i, x, y);
        probe_color(v + 3 * i, 3, x, y, 0, 255);
        want[tiled32(x, y, 64)] = x << 24 | y << 16 | 0xFFu;
    }
    probe_draw(m, &list, v, 3 * 640, PICA_TOPOLOGY_LIST);
    cr_expect(words_are(m, "FBF-08", COLOR_ADDRESS, want, 64 * 64), "%s", m->message);
    EXPECT_ONLY_EVENTS(m, "FBF-08", PICA_EVENT_BLOCK32_LAYOUT);
}

/* ------------------------------------------------------------------------------------------------- register fields */

EACH_MACHINE(framebuffer, FBF_02_addresses_are_multiples_of_64)
{
    static const struct {
        uint32_t color, depth;
        bool event;
    } cases[] = {
        { 0x03000020, 0x03002000, false }, /* 0x18000100 */
        { 0x03000021, 0x03002000, true },  { 0x03000027, 0x03002000, true }, { 0x03000020, 0x03002007, true },
        { 0xF3000020, 0xF3002000, false }, /* bits 28-31 are not part of the address */
        { 0xF3000027, 0xF3002007, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLORBUFFER_LOC, cases[i].color },
                   { PICA_REG_DEPTHBUFFER_LOC, cases[i].depth });
        EXPECT_ALL_BYTES(m, "FBF-02", 0x18000000u, 0x100, 0);
        EXPECT_ALL_BYTES(m, "FBF-02", 0x18000100u, 0x100, 0xFF);
        EXPECT_ALL_BYTES(m, "FBF-02", 0x18000200u, 0x100, 0);
        EXPECT_EQ(m, "FBF-02", machine_word(m, 0x18010000u), 0x007FFFFF);
        EXPECT_EQ(m, "FBF-02", machine_word(m, 0x180100FCu), 0x007FFFFF);
        EXPECT_ALL_BYTES(m, "FBF-02", 0x18010100u, 0x100, 0);
        EXPECT_EQ(m, "FBF-02", machine_event(m, PICA_EVENT_FB_ADDRESS_LOW_BITS), cases[i].event);
    }
}

EACH_MACHINE_IN(framebuffer, FBF_04_width_and_height_fields, large)
{
    /* Bits that are not listed: 11, 22, 23, 25-31. */
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_FRAMEBUFFER_DIM, 0xFEC00800u | 7u << 12 | 8u });
    EXPECT_FULL(m, "FBF-04");
    EXPECT_ALL_BYTES(m, "FBF-04", COLOR_ADDRESS + 0x100u, 0x100, 0);
    EXPECT_NO_EVENTS(m, "FBF-04");
    machine_reset(m);
    /* The largest size: 2047 x 1024; pixel (511, 511) is index 504 * 2048 + 504 * 8 + 63. */
    DRAW_POINT(m, 511, 511, 0xFFFFFFFF, BUFFERS, { PICA_REG_FRAMEBUFFER_DIM, 0x3FFu << 12 | 0x7FFu },
               { PICA_REG_COLORBUFFER_LOC, (0x18000000u - 4u * 504u * 2048u) >> 3 });
    EXPECT_EQ(m, "FBF-04, FBF-05", machine_word(m, 0x18000000u + 4u * (504u * 8u + 63u)), 0xFFFFFFFFu);
    EXPECT_ONLY_EVENTS(m, "FBF-05", PICA_EVENT_FB_WIDTH_UNALIGNED, PICA_EVENT_FB_UNMAPPED,
                       PICA_EVENT_COLOR_DEPTH_OVERLAP);
    machine_reset(m);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_FRAMEBUFFER_DIM, 8 }); /* H = 0 + 1 */
    EXPECT_COVERED(m, "FBF-04", "........", "........", "........", "........", "........", "........", "........",
                   "########");
}

/* --------------------------------------------------------------------------------------------------- outside memory */

static const struct pica_window small[] = { { 0x18000000, 0x1000 }, { 0x20000000, 0x00040000 } };

EACH_MACHINE_IN(framebuffer, FBF_01_the_part_of_a_surface_inside_memory_is_drawn, small)
{
    machine_load_word(m, 0x18000F80u, 0x01010101u);
    DRAW_COLOR(m, 0x10101010, { PICA_REG_COLORBUFFER_LOC, 0x18000F80u >> 3 },
               { PICA_REG_DEPTHBUFFER_LOC, 0x18000000u >> 3 }, { PICA_REG_BLEND_FUNC, 0x11110000u });
    EXPECT_EQ(m, "FBF-01", machine_word(m, 0x18000F80u), 0x11111111u);
    EXPECT_ALL_BYTES(m, "FBF-01", 0x18000F84u, 0x7C, 0x10);
    EXPECT_ONLY_EVENTS(m, "FBF-01", PICA_EVENT_FB_UNMAPPED);
}

/* Two points on one pixel with the depth test "greater": the second sees 0, not what the first wrote. */
EACH_MACHINE_IN(framebuffer, FBF_01_outside_bytes_stay_0_within_a_batch, small)
{
    struct probe_vertex v[6];
    point_at(v, 3, 3);
    point_at(v + 3, 3, 3);
    probe_color(v, 3, 1, 1, 1, 1);
    probe_color(v + 3, 3, 2, 2, 2, 2);
    for (size_t i = 3; i < 6; i++)
        v[i].position[2] = -0.25f;
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, POINT_VIEW, { PICA_REG_DEPTHBUFFER_LOC, 0x18800000u >> 3 },
         { PICA_REG_COLORBUFFER_LOC, 0x18000000u >> 3 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1F61 });
    EXPECT_PIXEL(m, "FBF-01", 3, 3, 2, 2, 2, 2);
    EXPECT_ONLY_EVENTS(m, "FBF-01", PICA_EVENT_FB_UNMAPPED);
    machine_reset(m);
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, POINT_VIEW, { PICA_REG_DEPTHBUFFER_LOC, 0x18000800u >> 3 },
         { PICA_REG_COLORBUFFER_LOC, 0x18000000u >> 3 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1F61 });
    EXPECT_PIXEL(m, "FBF-01", 3, 3, 1, 1, 1, 1); /* inside memory it sees the first one's depth */
}

/* The same for a colour pixel that straddles the end of memory: RGB8, 0x18000FC0 + 21 * 3 = 0x18000FFF. */
EACH_MACHINE_IN(framebuffer, FBF_01_every_byte_of_a_pixel_is_looked_up_by_itself, small)
{
    struct probe_vertex v[6];
    point_at(v, 7, 0); /* tile index 21 */
    point_at(v + 3, 7, 0);
    probe_color(v, 6, 1, 1, 1, 255);
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, POINT_VIEW, { PICA_REG_COLORBUFFER_LOC, 0x18000FC0u >> 3 },
         { PICA_REG_COLORBUFFER_FORMAT, 0x00010001u }, { PICA_REG_BLEND_FUNC, 0x11110000u },
         { PICA_REG_DEPTHBUFFER_LOC, 0x18000000u >> 3 });
    EXPECT_EQ(m, "FBF-01", machine_byte(m, 0x18000FFFu), 2); /* blue: 0 + 1 + 1 */
    EXPECT_EQ(m, "FBF-01", machine_byte(m, 0x18000FFEu), 0);
}

EACH_MACHINE_IN(framebuffer, FBF_01_FBF_02_any_address_is_total, small)
{
    static const uint32_t locations[] = { 0, 0x0FFFFFFF, 0x03000000 - 0x18, 0x04FFFFF8 };
    for (size_t i = 0; i < sizeof locations / sizeof locations[0]; i++) {
        machine_row(m, "%08X", (unsigned)locations[i]);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLORBUFFER_LOC, locations[i] },
                   { PICA_REG_DEPTHBUFFER_LOC, locations[i] }, { PICA_REG_FRAMEBUFFER_DIM, 0x3FF7FFu });
        EXPECT_EVENT(m, "FBF-01", PICA_EVENT_FB_UNMAPPED);
        EXPECT_NO_EVENT(m, "FBF-01", PICA_EVENT_MEM_OOB);
    }
}
