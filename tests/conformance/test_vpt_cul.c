/* 30-rasterizer.md sections 2 and 3: viewport and culling. Snapped corners show in coverage and in the box of
 * RST-05. */
#include "tests/conformance/raster.h"

/* float24 */
static const uint32_t INFINITE = 0x7F0000, MINUS_INFINITE = 0xFF0000, NOT_A_NUMBER = 0x7F0001;
static const uint32_t ONE = 0x3F0000, TWO = 0x400000, FOUR = 0x410000;

/* -------------------------------------------------------------------------------------------------------- viewport */

static void offsets(struct machine *m)
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
        machine_reset(m);
        machine_case(m, "VIEWPORT_XY %08X", (unsigned)cases[i].xy);
        DRAW_QUAD(m, VIEW(ONE, ONE, 0, 0), { PICA_REG_VIEWPORT_XY, cases[i].xy });
        cr_expect(coverage_is(m, "VPT-02", cases[i].want), "%s", m->message);
    }
}

Test(vpt, VPT_02_the_offsets_are_signed_10_bit_numbers)
{
    machine_each(offsets);
}

static void far_offsets(struct machine *m)
{
    /* -512 + 2 * 256 = 0 and 511 are reached: half size 256 from -512 ends at 0, from -508 at pixel 3. */
    DRAW_QUAD(m, VIEW(0x470000u, FOUR, -512, 0));
    EXPECT_EMPTY(m, "VPT-02");
    machine_reset(m);
    DRAW_QUAD(m, VIEW(0x470000u, FOUR, -508, 0));
    EXPECT_COVERAGE(m, "VPT-02", "####....", "####....", "####....", "####....", "####....", "####....", "####....",
                    "####....");
}

Test(vpt, VPT_02_the_lowest_offset_is_minus_512)
{
    machine_each(far_offsets);
}

static void example_corner(struct machine *m)
{
    /* hw = hh = 4: (1, -1) is X = 8, Y = 0: the lower right corner; with (-1,-1) and (1,1) the lower right half. */
    struct probe_vertex v[3] = { probe_vertex_at(1, -1, -0.5f, 1), probe_vertex_at(1, 1, -0.5f, 1),
                                 probe_vertex_at(-1, -1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_COVERAGE(m, "VPT-02, VPT-06", ".......#", "......##", ".....###", "....####", "...#####", "..######",
                    ".#######", "########");
}

Test(vpt, VPT_06_screen_y_grows_upwards)
{
    machine_each(example_corner);
}

static void one_perspective(struct machine *m)
{
    /* w = 2 and w = 0.5: the same screen positions as w = 1 (VPT-01, VPT-02: x . (1 / w)). */
    struct probe_vertex v[3] = { probe_vertex_at(2, -2, -1, 2), probe_vertex_at(0.5f, 0.5f, -0.25f, 0.5f),
                                 probe_vertex_at(-4, -4, -2, 4) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_COVERAGE(m, "VPT-01", ".......#", "......##", ".....###", "....####", "...#####", "..######", ".#######",
                    "########");
    EXPECT_DEPTH(m, "VPT-02", 7, 0, 0x7FFFFF);
}

Test(vpt, VPT_01_positions_are_divided_by_w)
{
    machine_each(one_perspective);
}

/*
 * VPT-03: a triangle whose least X is x / 32 pixels. RST-05's box begins at ceil((minx - 8) / 16): it reaches pixel -1
 * (an event) if minx <= -8. A centre of 8 on the left edge is covered (RST-02).
 */
static void rounding(struct machine *m)
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
        machine_reset(m);
        machine_case(m, "X * 16 = %g", (double)cases[i].x_sub);
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

Test(vpt, VPT_03_ITP_05_snapping_rounds_halves_away_from_zero)
{
    machine_each(rounding);
}

/* The same for Y and for the upper end: floor((maxx - 8) / 16) reaches pixel 8 if maxx >= 136. */
static void rounding_at_the_far_end(struct machine *m)
{
    static const struct {
        float sub;
        bool reaches_8;
    } cases[] = { { 128.0f, false }, { 135.0f, false }, { 135.46875f, false }, { 135.5f, true }, { 136.0f, true } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t axis = 0; axis < 2; axis++) {
            machine_reset(m);
            machine_case(m, "axis %u * 16 = %g", (unsigned)axis, (double)cases[i].sub);
            struct probe_vertex v[3] = { snapped_wide(64, 64), snapped_wide(80, 64), snapped_wide(64, 80) };
            v[1u + axis].position[axis] = (cases[i].sub + 192.0f) / 256.0f - 1.0f;
            DRAW(m, v, 3, PICA_TOPOLOGY_LIST, WIDE_VIEW);
            EXPECT_EQ(m, "VPT-03, RST-05", machine_event(m, PICA_EVENT_OUTSIDE_FRAMEBUFFER), cases[i].reaches_8);
        }
}

Test(vpt, VPT_03_both_axes_snap_alike)
{
    machine_each(rounding_at_the_far_end);
}

/* Corners (0,0), (2^21, 2^22) and (0, 2^22): saturated to 262143 the diagonal has slope 1, not 2. */
static void saturation(struct machine *m)
{
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, 1, -0.5f, 1),
                                 probe_vertex_at(-1, 1, -0.5f, 1) };
    machine_case(m, "above");
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x4F0000u, 0x500000u, 0, 0));
    EXPECT_COVERAGE(m, "VPT-03", "#######.", "######..", "#####...", "####....", "###.....", "##......", "#.......",
                    "........");
    machine_reset(m);
    machine_case(m, "below");
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0xCF0000u, 0xD00000u, 8, 8));
    EXPECT_COVERAGE(m, "VPT-03", ".......#", "......##", ".....###", "....####", "...#####", "..######", ".#######",
                    "########");
    machine_reset(m);
    machine_case(m, "not saturated: slope 2");
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x480000u, 0x490000u, 0, 0));
    EXPECT_COVERAGE(m, "VPT-03", "####....", "###.....", "###.....", "##......", "##......", "#.......", "#.......",
                    "........");
}

Test(vpt, VPT_03_coordinates_saturate_at_18_bits)
{
    machine_each(saturation);
}

/* The left corners have (x . r) + 1 = 0: 0 . infinity = 0 (ITP-02). The right ones go to the end of the range. */
static void infinite_viewport(struct machine *m)
{
    DRAW_QUAD(m, VIEW(INFINITE, TWO, 0, 0));
    EXPECT_COVERAGE(m, "VPT-04, ITP-02", "........", "........", "........", "........", "########", "########",
                    "########", "########");
    EXPECT_ONLY_EVENTS(m, "VPT-04", PICA_EVENT_VIEWPORT_NONFINITE, PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    machine_reset(m);
    DRAW_QUAD(m, VIEW(INFINITE, TWO, 3, 1));
    EXPECT_COVERAGE(m, "VPT-04, ITP-02", "........", "........", "........", "...#####", "...#####", "...#####",
                    "...#####", "........");
    machine_reset(m);
    DRAW_QUAD(m, VIEW(MINUS_INFINITE, TWO, 5, 0));
    EXPECT_COVERAGE(m, "VPT-04, ITP-02", "........", "........", "........", "........", "#####...", "#####...",
                    "#####...", "#####...");
}

Test(vpt, VPT_04_ITP_02_an_infinite_half_size_is_computed_as_written)
{
    machine_each(infinite_viewport);
}

static void nan_viewport(struct machine *m)
{
    DRAW_QUAD(m, VIEW(NOT_A_NUMBER, FOUR, 0, 0)); /* every xs is 0: no area */
    EXPECT_EMPTY(m, "VPT-03, VPT-04, ITP-03");
    EXPECT_ONLY_EVENTS(m, "VPT-04", PICA_EVENT_VIEWPORT_NONFINITE);
    machine_reset(m);
    DRAW_QUAD(m, VIEW(FOUR, 0xFFFFFFFFu, 0, 0));
    EXPECT_EMPTY(m, "VPT-03, VPT-04, ITP-03");
    EXPECT_ONLY_EVENTS(m, "VPT-04", PICA_EVENT_VIEWPORT_NONFINITE);
}

Test(vpt, VPT_04_a_NaN_half_size_puts_every_corner_at_0)
{
    machine_each(nan_viewport);
}

static void no_polygon_no_event(struct machine *m)
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

Test(vpt, VPT_04_the_event_needs_a_polygon_that_passes_CLP_10)
{
    machine_each(no_polygon_no_event);
}

static void unused_registers(struct machine *m)
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

Test(vpt, VPT_05_FBF_03_INVW_INVH_and_RENDERBUF_DIM_are_stored_and_ignored)
{
    machine_each(unused_registers);
}

static void negative_half_size(struct machine *m)
{
    /* hw = -4, ox = 8: X = 8 - 4 * (x + 1), mirrored; the triangle turns clockwise. */
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, -1, -0.5f, 1),
                                 probe_vertex_at(-1, 1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x800000u | FOUR, FOUR, 8, 0), { PICA_REG_FACECULLING_CONFIG, 1 });
    EXPECT_COVERAGE(m, "VPT-02, CUL-01", ".......#", "......##", ".....###", "....####", "...#####", "..######",
                    ".#######", "########");
    machine_reset(m);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x800000u | FOUR, FOUR, 8, 0), { PICA_REG_FACECULLING_CONFIG, 2 });
    EXPECT_EMPTY(m, "CUL-01");
}

Test(vpt, VPT_02_CUL_01_a_negative_half_size_mirrors_and_turns_the_orientation)
{
    machine_each(negative_half_size);
}

/* --------------------------------------------------------------------------------------------------------- culling */

static void modes(struct machine *m)
{
    static const bool drawn[4][2] = { { true, true }, { false, true }, { true, false }, { true, true } };
    for (uint32_t mode = 0; mode < 4; mode++)
        for (uint32_t clockwise = 0; clockwise < 2; clockwise++)
            for (uint32_t other_bits = 0; other_bits < 2; other_bits++) {
                machine_reset(m);
                machine_case(m, "mode %u, %s", (unsigned)mode, clockwise ? "A < 0" : "A > 0");
                struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(0, 128) };
                if (clockwise) {
                    v[1] = snapped(0, 128);
                    v[2] = snapped(128, 0);
                }
                DRAW(m, v, 3, PICA_TOPOLOGY_LIST,
                     { PICA_REG_FACECULLING_CONFIG, mode | (other_bits ? 0xFFFFFFFCu : 0u) });
                EXPECT_EQ(m, "CUL-02", probe_pixel(m, 1, 1) != 0u, drawn[mode][clockwise]);
                EXPECT_NO_EVENTS(m, "CUL-02");
            }
}

Test(cul, CUL_01_CUL_02_modes_keep_the_orientations_of_the_table)
{
    machine_each(modes);
}

static void culled_triangles_are_no_batch(struct machine *m)
{
    struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 1 }, { PICA_REG_EARLYDEPTH_TEST1, 1 },
         { PICA_REG_FRAMEBUFFER_DIM, 1 });
    EXPECT_EMPTY(m, "CUL-02");
    EXPECT_NO_EVENTS(m, "CUL-02, GEN-09, FBF-33, RST-05");
}

Test(cul, CUL_02_FBF_33_a_batch_of_culled_triangles_draws_nothing_and_records_nothing)
{
    machine_each(culled_triangles_are_no_batch);
}

static void no_area(struct machine *m)
{
    static const int32_t corners[][6] = {
        { 8, 8, 8, 8, 8, 8 },       /* a point on a centre */
        { 8, 8, 120, 8, 24, 8 },    /* horizontal through centres */
        { 8, 8, 8, 120, 8, 24 },    /* vertical */
        { 0, 0, 128, 128, 64, 64 }, /* diagonal through centres */
        { 0, 0, 128, 128, 0, 0 },   /* two corners alike */
    };
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++)
        for (uint32_t mode = 0; mode < 4; mode++) {
            machine_reset(m);
            machine_case(m, "row %zu, mode %u", i, (unsigned)mode);
            const int32_t *const c = corners[i];
            struct probe_vertex v[3] = { snapped(c[0], c[1]), snapped(c[2], c[3]), snapped(c[4], c[5]) };
            DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, mode }, { PICA_REG_EARLYDEPTH_TEST1, 1 });
            EXPECT_EMPTY(m, "CUL-03");
            EXPECT_NO_EVENTS(m, "CUL-03, FBF-33");
        }
}

Test(cul, CUL_03_no_area_draws_nothing_in_every_mode)
{
    machine_each(no_area);
}

static void area_is_that_of_snapped_corners(struct machine *m)
{
    /* 0.4 / 16 pixels high: a triangle before snapping, none after it. */
    struct probe_vertex v[3] = { snapped(0, 8), snapped(128, 8), snapped(0, 8) };
    v[2].position[1] += 0.4f / 64.0f;
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_EARLYDEPTH_TEST1, 1 });
    EXPECT_EMPTY(m, "CUL-01");
    EXPECT_NO_EVENTS(m, "CUL-01, FBF-33");
}

Test(cul, CUL_01_the_area_is_computed_after_snapping)
{
    machine_each(area_is_that_of_snapped_corners);
}

/* A clockwise triangle in which the order of the sums shows in the low bits of depth (script). */
static void exchanged_corners(struct machine *m)
{
    static const struct expected_pixel want[] = {
        { 1, 1, 0xE16286FF, 0xD1793D }, { 1, 2, 0xCB6677FF, 0xD56E35 }, { 1, 3, 0xB36B66FF, 0xD9632D },
        { 2, 3, 0xAE767BFF, 0xD1337F }, { 1, 4, 0x987053FF, 0xDD5825 }, { 2, 4, 0x8D7D66FF, 0xD52877 },
        { 1, 5, 0x7A763DFF, 0xE14D1F }, { 2, 5, 0x68854DFF, 0xD91D70 }, { 3, 5, 0x4B9C66FF, 0xD0EDC2 },
        { 1, 6, 0x587D25FF, 0xE54216 }, { 2, 6, 0x3C8F31FF, 0xDD1269 },
    };
    struct probe_vertex v[3] = { probe_vertex_at(0.1875f, 1.359375f, -2.3910000324249268f, 3),
                                 probe_vertex_at(-0.84375f, -0.96875f, -0.824999988079071f, 1),
                                 probe_vertex_at(-1.171875f, 1.2890625f, -1.3949999809265137f, 1.5f) };
    static const float colors[3][3] = { { 0.06862978637218475f, 0.7460756301879883f, 0.46910232305526733f },
                                        { 0.9670496582984924f, 0.34505945444107056f, 0.5310489535331726f },
                                        { 0.2733598053455353f, 0.48154982924461365f, 0.03447174280881882f } };
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < 3; c++)
            v[i].color[c] = colors[i][c];
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_PICTURE(m, "CUL-04, ITP-14", want);
}

Test(cul, CUL_04_a_clockwise_triangle_exchanges_its_second_and_third_corner)
{
    machine_each(exchanged_corners);
}

static void fan_triangles_are_culled_alone(struct machine *m)
{
    /* A clipped clockwise triangle: all of its fan turns clockwise. */
    struct probe_vertex v[3] = { probe_vertex_at(-3, -3, -0.5f, 1), probe_vertex_at(-3, 9, -0.5f, 1),
                                 probe_vertex_at(9, -3, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 1 });
    EXPECT_FULL(m, "CUL-01, CUL-02");
    machine_reset(m);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 2 });
    EXPECT_EMPTY(m, "CUL-01, CUL-02");
}

Test(cul, CUL_01_the_sign_is_taken_after_clipping)
{
    machine_each(fan_triangles_are_culled_alone);
}

static void flipped_memory(struct machine *m)
{
    struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    const uint32_t flipped = 1u << 24 | 7u << 12 | 8u;
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 2 }, { PICA_REG_FRAMEBUFFER_DIM, flipped });
    /* Memory rows are turned over: the picture by probe_pixel is upside down, but drawn. */
    EXPECT_COVERAGE(m, "CUL-05, FBF-06", "#######.", "######..", "#####...", "####....", "###.....", "##......",
                    "#.......", "........");
    machine_reset(m);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 1 }, { PICA_REG_FRAMEBUFFER_DIM, flipped });
    EXPECT_EMPTY(m, "CUL-05");
}

Test(cul, CUL_05_the_y_direction_of_memory_does_not_turn_triangles)
{
    machine_each(flipped_memory);
}
