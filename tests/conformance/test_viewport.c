/* 30-rasterizer.md section 2: the viewport. Snapped corners show in the covered pixels and in the box of RST-05. */
#include "tests/conformance/triangle_probe.h"

/* float24 */
static const uint32_t INFINITE = 0x7F0000, MINUS_INFINITE = 0xFF0000, NOT_A_NUMBER = 0x7F0001;
static const uint32_t ONE = 0x3F0000, TWO = 0x400000, FOUR = 0x410000;

EACH_MACHINE(viewport, VPT_02_the_offsets_are_signed_10_bit_numbers)
{
    static const struct {
        uint32_t xy;
        const char *want[8];
    } cases[] = {
        /* half size 1: pixels ox, ox + 1 and oy, oy + 1 */
        { 0x00000000,
          { "........", "........", "........", "........", "........", "........", "##......", "##......" } },
        { 0x00030002,
          { "........", "........", "........", "..##....", "..##....", "........", "........", "........" } },
        { 0x000003FF,
          { "........", "........", "........", "........", "........", "........", "#.......", "#......." } },
        { 0x03FF0007,
          { "........", "........", "........", "........", "........", "........", "........", ".......#" } },
        { 0xFC03FC02,
          { "........", "........", "........", "..##....", "..##....", "........", "........", "........" } },
        { 0x00000200,
          { "........", "........", "........", "........", "........", "........", "........", "........" } },
        { 0x000001FF,
          { "........", "........", "........", "........", "........", "........", "........", "........" } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "VIEWPORT_XY %08X", (unsigned)cases[i].xy);
        DRAW_QUAD(m, VIEW(ONE, ONE, 0, 0), { PICA_REG_VIEWPORT_XY, cases[i].xy });
        cr_expect(covered_is(m, "VPT-02", cases[i].want), "%s", m->message);
    }
}

EACH_MACHINE(viewport, VPT_02_the_lowest_offset_is_minus_512)
{
    /* -512 + 2 * 256 = 0 and 511 are reached: half size 256 from -512 ends at 0, from -508 at pixel 3. */
    DRAW_QUAD(m, VIEW(0x470000u, FOUR, -512, 0));
    EXPECT_EMPTY(m, "VPT-02");
    machine_reset(m);
    DRAW_QUAD(m, VIEW(0x470000u, FOUR, -508, 0));
    EXPECT_COVERED(m, "VPT-02", "####....", "####....", "####....", "####....", "####....", "####....", "####....",
                   "####....");
}

EACH_MACHINE(viewport, VPT_06_screen_y_grows_upwards)
{
    /* hw = hh = 4: (1, -1) is X = 8, Y = 0: the lower right corner; with (-1,-1) and (1,1) the lower right half. */
    struct probe_vertex v[3] = { probe_vertex_at(1, -1, -0.5f, 1), probe_vertex_at(1, 1, -0.5f, 1),
                                 probe_vertex_at(-1, -1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_COVERED(m, "VPT-02, VPT-06", ".......#", "......##", ".....###", "....####", "...#####", "..######",
                   ".#######", "########");
}

EACH_MACHINE(viewport, VPT_01_positions_are_divided_by_w)
{
    /* w = 2 and w = 0.5: the same screen positions as w = 1 (VPT-01, VPT-02: x . (1 / w)). */
    struct probe_vertex v[3] = { probe_vertex_at(2, -2, -1, 2), probe_vertex_at(0.5f, 0.5f, -0.25f, 0.5f),
                                 probe_vertex_at(-4, -4, -2, 4) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_COVERED(m, "VPT-01", ".......#", "......##", ".....###", "....####", "...#####", "..######", ".#######",
                   "########");
    EXPECT_DEPTH(m, "VPT-02", 7, 0, 0x7FFFFF);
}

/*
 * VPT-03: a triangle whose least X is x / 32 pixels. RST-05's box begins at ceil((minx - 8) / 16): it reaches pixel -1
 * (an event) if minx <= -8. A centre of 8 on the left edge is covered (RST-02).
 */
EACH_MACHINE(viewport, VPT_03_ITP_05_snapping_rounds_halves_away_from_zero)
{
    static const struct {
        float x_sub; /* X * 16 before rounding */
        bool reaches_minus_1;
        bool covers_0;
    } cases[] = {
        { -8.0f, true, true },     { -7.5f, true, true },  { -7.46875f, false, true }, { -7.0f, false, true },
        { -0.5f, false, true },    { 0.0f, false, true },  { 7.5f, false, true },      { 8.0f, false, true },
        { 8.46875f, false, true }, { 8.5f, false, false }, { 9.0f, false, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "X * 16 = %g", (double)cases[i].x_sub);
        /* WIDE_VIEW: X * 16 = (x + 1) * 256 - 192 */
        const float x = (cases[i].x_sub + 192.0f) / 256.0f - 1.0f;
        struct probe_vertex v[4] = { snapped_wide(0, 0), snapped_wide(64, 0), snapped_wide(0, 64),
                                     snapped_wide(64, 64) };
        v[0].position[0] = v[2].position[0] = x;
        DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, WIDE_VIEW);
        EXPECT_EQ(m, "VPT-03, RST-05", machine_event(m, PICA_EVENT_OUTSIDE_FRAMEBUFFER), cases[i].reaches_minus_1);
        EXPECT_EQ(m, "VPT-03, RST-02", probe_pixel(m, 0, 1) != 0u, cases[i].covers_0);
    }
}

/* The same for Y and for the upper end: floor((maxx - 8) / 16) reaches pixel 8 if maxx >= 136. */
EACH_MACHINE(viewport, VPT_03_both_axes_snap_alike)
{
    static const struct {
        float sub;
        bool reaches_8;
    } cases[] = { { 128.0f, false }, { 135.0f, false }, { 135.46875f, false }, { 135.5f, true }, { 136.0f, true } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t axis = 0; axis < 2; axis++) {
            machine_row(m, "axis %u * 16 = %g", (unsigned)axis, (double)cases[i].sub);
            struct probe_vertex v[3] = { snapped_wide(64, 64), snapped_wide(80, 64), snapped_wide(64, 80) };
            v[1u + axis].position[axis] = (cases[i].sub + 192.0f) / 256.0f - 1.0f;
            DRAW(m, v, 3, PICA_TOPOLOGY_LIST, WIDE_VIEW);
            EXPECT_EQ(m, "VPT-03, RST-05", machine_event(m, PICA_EVENT_OUTSIDE_FRAMEBUFFER), cases[i].reaches_8);
        }
}

/* Corners (0,0), (2^21, 2^22) and (0, 2^22): saturated to 262143 the diagonal has slope 1, not 2. */
EACH_MACHINE(viewport, VPT_03_coordinates_saturate_at_18_bits)
{
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, 1, -0.5f, 1),
                                 probe_vertex_at(-1, 1, -0.5f, 1) };
    machine_case(m, "above");
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x4F0000u, 0x500000u, 0, 0));
    EXPECT_COVERED(m, "VPT-03", "#######.", "######..", "#####...", "####....", "###.....", "##......", "#.......",
                   "........");
    machine_row(m, "below");
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0xCF0000u, 0xD00000u, 8, 8));
    EXPECT_COVERED(m, "VPT-03", ".......#", "......##", ".....###", "....####", "...#####", "..######", ".#######",
                   "########");
    machine_row(m, "not saturated: slope 2");
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x480000u, 0x490000u, 0, 0));
    EXPECT_COVERED(m, "VPT-03", "####....", "###.....", "###.....", "##......", "##......", "#.......", "#.......",
                   "........");
}

/* The left corners have (x . r) + 1 = 0: 0 . infinity = 0 (ITP-02). The right ones go to the end of the range. */
EACH_MACHINE(viewport, VPT_04_ITP_02_an_infinite_half_size_is_computed_as_written)
{
    DRAW_QUAD(m, VIEW(INFINITE, TWO, 0, 0));
    EXPECT_COVERED(m, "VPT-04, ITP-02", "........", "........", "........", "........", "########", "########",
                   "########", "########");
    EXPECT_ONLY_EVENTS(m, "VPT-04", PICA_EVENT_VIEWPORT_NONFINITE, PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    machine_reset(m);
    DRAW_QUAD(m, VIEW(INFINITE, TWO, 3, 1));
    EXPECT_COVERED(m, "VPT-04, ITP-02", "........", "........", "........", "...#####", "...#####", "...#####",
                   "...#####", "........");
    machine_reset(m);
    DRAW_QUAD(m, VIEW(MINUS_INFINITE, TWO, 5, 0));
    EXPECT_COVERED(m, "VPT-04, ITP-02", "........", "........", "........", "........", "#####...", "#####...",
                   "#####...", "#####...");
}

EACH_MACHINE(viewport, VPT_04_a_NaN_half_size_puts_every_corner_at_0)
{
    DRAW_QUAD(m, VIEW(NOT_A_NUMBER, FOUR, 0, 0)); /* every xs is 0: no area */
    EXPECT_EMPTY(m, "VPT-03, VPT-04, ITP-03");
    EXPECT_ONLY_EVENTS(m, "VPT-04", PICA_EVENT_VIEWPORT_NONFINITE);
    machine_reset(m);
    DRAW_QUAD(m, VIEW(FOUR, 0xFFFFFFFFu, 0, 0));
    EXPECT_EMPTY(m, "VPT-03, VPT-04, ITP-03");
    EXPECT_ONLY_EVENTS(m, "VPT-04", PICA_EVENT_VIEWPORT_NONFINITE);
}

EACH_MACHINE(viewport, VPT_04_the_event_needs_a_polygon_that_passes_CLP_10)
{
    struct probe_vertex v[3] = { probe_vertex_at(2, 0, -0.5f, 1), probe_vertex_at(3, 0, -0.5f, 1),
                                 probe_vertex_at(2, 1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(INFINITE, NOT_A_NUMBER, 0, 0));
    EXPECT_NO_EVENTS(m, "VPT-04");
    machine_reset(m);
    struct probe_vertex w[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, -1, -0.5f, 1),
                                 probe_vertex_at(0, 0, 0, 0) };
    DRAW(m, w, 3, PICA_TOPOLOGY_LIST, VIEW(INFINITE, FOUR, 0, 0));
    EXPECT_ONLY_EVENTS(m, "VPT-04, CLP-10", PICA_EVENT_W_NOT_POSITIVE);
}

EACH_MACHINE(viewport, VPT_05_FBF_03_INVW_INVH_and_RENDERBUF_DIM_are_stored_and_ignored)
{
    DRAW_QUAD(m, { PICA_REG_VIEWPORT_INVW, 0xFFFFFFFFu }, { PICA_REG_VIEWPORT_INVH, 0 },
              { PICA_REG_RENDERBUF_DIM, 0x01001002u }, { PICA_REG_VIEWPORT_WIDTH, 0xAB000000u | FOUR });
    EXPECT_FULL(m, "VPT-05, FBF-03, ITP-04");
    for (uint32_t i = 0; i < 64; i++)
        EXPECT_PIXEL(m, "VPT-05, FBF-03", i % 8, i / 8, 255, 255, 255, 255);
    EXPECT_EQ(m, "VPT-05", machine_register(m, PICA_REG_VIEWPORT_INVW), 0xFFFFFFFFu);
    EXPECT_EQ(m, "FBF-03", machine_register(m, PICA_REG_RENDERBUF_DIM), 0x01001002u);
    EXPECT_NO_EVENTS(m, "VPT-05, FBF-03");
}

EACH_MACHINE(viewport, VPT_02_CUL_01_a_negative_half_size_mirrors_and_turns_the_orientation)
{
    /* hw = -4, ox = 8: X = 8 - 4 * (x + 1), mirrored; the triangle turns clockwise. */
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, -1, -0.5f, 1),
                                 probe_vertex_at(-1, 1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x800000u | FOUR, FOUR, 8, 0), { PICA_REG_FACECULLING_CONFIG, 1 });
    EXPECT_COVERED(m, "VPT-02, CUL-01", ".......#", "......##", ".....###", "....####", "...#####", "..######",
                   ".#######", "########");
    machine_reset(m);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x800000u | FOUR, FOUR, 8, 0), { PICA_REG_FACECULLING_CONFIG, 2 });
    EXPECT_EMPTY(m, "CUL-01");
}
