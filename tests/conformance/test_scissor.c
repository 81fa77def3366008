/* 30-rasterizer.md section 5: the scissor test. */
#include "tests/conformance/triangle_probe.h"

#define SCISSOR(mode, x1, y1, x2, y2)                                                     \
    { PICA_REG_SCISSORTEST_MODE, mode }, { PICA_REG_SCISSORTEST_POS, (y1) << 16 | (x1) }, \
    {                                                                                     \
        PICA_REG_SCISSORTEST_DIM, (y2) << 16 | (x2)                                       \
    }

static const char *const full[8] = { "########", "########", "########", "########",
                                     "########", "########", "########", "########" };
static const char *const box[8] = { "........", "........", "........", ".####...",
                                    ".####...", ".####...", "........", "........" }; /* x 1-4, y 2-4 */
static const char *const around_box[8] = { "########", "########", "########", "#....###",
                                           "#....###", "#....###", "########", "########" };

EACH_MACHINE(scissor, SCS_01_SCS_02_modes_with_an_inclusive_absolute_box)
{
    const char *const *const want[4] = { full, around_box, full, box };
    for (uint32_t mode = 0; mode < 4; mode++)
        for (uint32_t other_bits = 0; other_bits < 2; other_bits++) {
            machine_row(m, "mode %u", (unsigned)mode);
            DRAW_QUAD(m, SCISSOR(mode | (other_bits ? 0xFFFFFFFCu : 0u), 1u, 2u, 4u, 4u));
            cr_expect(covered_is(m, "SCS-01, SCS-02", want[mode]), "%s", m->message);
            EXPECT_NO_EVENTS(m, "SCS-01");
        }
}

EACH_MACHINE(scissor, SCS_02_boxes_and_empty_boxes_in_both_modes)
{
    static const struct {
        uint32_t x1, y1, x2, y2;
        const char *inside[8];
    } cases[] = {
        { 0,
          0,
          0,
          0,
          { "........", "........", "........", "........", "........", "........", "........", "#......." } },
        { 7,
          7,
          7,
          7,
          { ".......#", "........", "........", "........", "........", "........", "........", "........" } },
        { 0,
          0,
          1023,
          1023,
          { "########", "########", "########", "########", "########", "########", "########", "########" } },
        { 3,
          0,
          3,
          1023,
          { "...#....", "...#....", "...#....", "...#....", "...#....", "...#....", "...#....", "...#...." } },
        { 4,
          2,
          3,
          5,
          { "........", "........", "........", "........", "........", "........", "........", "........" } },
        { 2,
          4,
          5,
          3,
          { "........", "........", "........", "........", "........", "........", "........", "........" } },
        { 8,
          0,
          1023,
          7,
          { "........", "........", "........", "........", "........", "........", "........", "........" } },
        { 1023,
          0,
          0,
          7,
          { "........", "........", "........", "........", "........", "........", "........", "........" } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *outside[8];
        char turned[8][9];
        for (size_t y = 0; y < 8; y++) {
            for (size_t x = 0; x < 8; x++)
                turned[y][x] = cases[i].inside[y][x] == '#' ? '.' : '#';
            turned[y][8] = '\0';
            outside[y] = turned[y];
        }
        machine_row(m, "row %zu, mode 3", i);
        DRAW_QUAD(m, SCISSOR(3u, cases[i].x1, cases[i].y1, cases[i].x2, cases[i].y2));
        cr_expect(covered_is(m, "SCS-02", cases[i].inside), "%s", m->message);
        machine_row(m, "row %zu, mode 1", i);
        DRAW_QUAD(m, SCISSOR(1u, cases[i].x1, cases[i].y1, cases[i].x2, cases[i].y2));
        cr_expect(covered_is(m, "SCS-02", outside), "%s", m->message);
    }
}

EACH_MACHINE(scissor, SCS_03_only_10_bits_of_each_field_count)
{
    DRAW_QUAD(m, { PICA_REG_SCISSORTEST_MODE, 3 }, { PICA_REG_SCISSORTEST_POS, 0xFC02FC01u },
              { PICA_REG_SCISSORTEST_DIM, 0xFC04FC04u });
    cr_expect(covered_is(m, "SCS-03", box), "%s", m->message);
}

EACH_MACHINE(scissor, SCS_04_the_box_is_in_screen_coordinates)
{
    /* Memory rows turned over (FBF-06): the box moves with the picture. Rows of probe_pixel are memory rows. */
    DRAW_QUAD(m, SCISSOR(3u, 1u, 2u, 4u, 4u), { PICA_REG_FRAMEBUFFER_DIM, 1u << 24 | 7u << 12 | 8u });
    EXPECT_COVERED(m, "SCS-04, FBF-06", "........", "........", ".####...", ".####...", ".####...", "........",
                   "........", "........");
}

EACH_MACHINE(scissor, SCS_01_a_scissored_fragment_touches_no_buffer)
{
    DRAW_QUAD(m, SCISSOR(3u, 1u, 2u, 4u, 4u), { PICA_REG_STENCIL_TEST, 0xFF00FF01u }, { PICA_REG_STENCIL_OP, 0x003 });
    EXPECT_STENCIL(m, "SCS-01, FBF-21", 0, 0, 0); /* function never: the fail operation counts */
    EXPECT_STENCIL(m, "SCS-01, FBF-21", 1, 2, 1);
    EXPECT_DEPTH(m, "SCS-01, FBF-21", 0, 0, 0);
}
