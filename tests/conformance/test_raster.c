/* 30-rasterizer.md section 4: covered pixels, fill rule, bounds, order and the pixel budget. */
#include "tests/conformance/triangle_probe.h"

static void draw_triangle(struct machine *m, const int32_t corners[6])
{
    struct probe_vertex v[3] = { snapped(corners[0], corners[1]), snapped(corners[2], corners[3]),
                                 snapped(corners[4], corners[5]) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
}

/* -------------------------------------------------------------------------------------------------- covered pixels */

EACH_MACHINE(raster, RST_02_the_two_halves_of_the_square_share_no_pixel_and_miss_none)
{
    draw_triangle(m, (const int32_t[6]){ 0, 0, 128, 0, 0, 128 });
    EXPECT_COVERED(m, "RST-01, RST-02", "........", "#.......", "##......", "###.....", "####....", "#####...",
                   "######..", "#######.");
    machine_reset(m);
    draw_triangle(m, (const int32_t[6]){ 128, 128, 0, 128, 128, 0 });
    EXPECT_COVERED(m, "RST-01, RST-02", "########", ".#######", "..######", "...#####", "....####", ".....###",
                   "......##", ".......#");
}

EACH_MACHINE(raster, RST_02_left_and_bottom_borders_are_in_right_and_top_ones_are_out)
{
    struct probe_vertex v[6] = { snapped(24, 24), snapped(88, 24), snapped(24, 88),
                                 snapped(88, 88), snapped(24, 88), snapped(88, 24) };
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_COVERED(m, "RST-02", "........", "........", "........", ".####...", ".####...", ".####...", ".####...",
                   "........");
}

/* Small triangles around the centre (40, 40) of pixel (2, 2): which edges and corners contain it. */
EACH_MACHINE(raster, RST_02_RST_03_a_centre_on_an_edge_belongs_to_the_triangle_right_of_or_above_it)
{
    static const struct {
        int32_t corners[6];
        bool covered;
    } cases[] = {
        { { 40, 36, 48, 36, 40, 44 }, true },  /* on the left edge */
        { { 32, 36, 40, 36, 40, 44 }, false }, /* on the right edge */
        { { 36, 40, 44, 40, 40, 47 }, true },  /* on the lowest horizontal edge */
        { { 36, 40, 40, 33, 44, 40 }, false }, /* on the highest horizontal edge */
        { { 40, 40, 47, 40, 40, 47 }, true },  /* corner: lower left */
        { { 33, 40, 40, 40, 33, 47 }, false }, /* corner: lower right, between bottom and right edge */
        { { 33, 33, 47, 33, 40, 40 }, false }, /* corner: top */
        { { 40, 40, 47, 47, 33, 47 }, false }, /* corner: bottom, the right edge begins there */
        { { 40, 40, 47, 33, 47, 47 }, true },  /* corner: left of two left edges */
        { { 33, 33, 47, 47, 33, 47 }, false }, /* on a right edge of slope 1 */
        { { 33, 33, 47, 33, 47, 47 }, true },  /* on a left edge of slope 1 */
        { { 33, 47, 47, 33, 47, 47 }, true },  /* on a left edge of slope -1 */
        { { 33, 47, 33, 33, 47, 33 }, false }, /* on a right edge of slope -1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t turned = 0; turned < 2; turned++) { /* clockwise: CUL-04 gives the same triangle */
            machine_row(m, "row %zu%s", i, turned ? ", turned" : "");
            const int32_t *const c = cases[i].corners;
            const int32_t other[6] = { c[0], c[1], c[4], c[5], c[2], c[3] };
            draw_triangle(m, turned ? other : c);
            EXPECT_EQ(m, "RST-02, RST-03, RST-04", probe_pixel(m, 2, 2) != 0u, cases[i].covered);
            EXPECT_EQ(m, "RST-04", probe_covered(m, 0), cases[i].covered);
        }
}

/*
 * The third corner of a sliver lies less than 1/16 pixel (horizontally) beside the edge that a centre is exactly on:
 * only an exact comparison tells on which side. The centre belongs to the neighbour across that edge.
 */
EACH_MACHINE(raster, RST_02_the_side_of_an_edge_is_exact_also_for_slivers)
{
    static const struct {
        int32_t sliver[6];    /* the edge is corners 0 and 1; the centre is on it */
        int32_t neighbour[2]; /* the third corner on its other side */
        uint32_t x, y;
    } cases[] = {
        { { 23, 39, 27, 107, 25, 78 }, { 60, 70 }, 1, 3 }, /* (24, 56); the line is at 25.29 where y = 78 */
        { { 28, 13, 84, 67, 59, 43 }, { 84, 20 }, 3, 2 },  /* (56, 40); at 59.11 where y = 43 */
        { { 18, 29, 28, 74, 25, 63 }, { 58, 29 }, 1, 3 },  /* (24, 56); at 25.56 where y = 63 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int32_t *const c = cases[i].sliver;
        machine_row(m, "row %zu, sliver", i);
        draw_triangle(m, c);
        EXPECT_EMPTY(m, "RST-02");
        const int32_t other[6] = { c[0], c[1], c[2], c[3], cases[i].neighbour[0], cases[i].neighbour[1] };
        machine_row(m, "row %zu, neighbour", i);
        draw_triangle(m, other);
        EXPECT(m, "RST-02", probe_pixel(m, cases[i].x, cases[i].y) != 0u);
    }
}

/* Fans around a corner in the middle of the target: every pixel is drawn exactly once. */
EACH_MACHINE(raster, RST_02_triangles_around_a_corner_leave_no_gap_and_no_overlap)
{
    static const int32_t rim[8][2] = { { 0, 0 },     { 70, 0 },   { 128, 0 }, { 128, 51 },
                                       { 128, 128 }, { 33, 128 }, { 0, 128 }, { 0, 77 } };
    static const int32_t centres[][2] = { { 64, 64 }, { 40, 40 }, { 41, 87 }, { 8, 120 }, { 127, 1 } };
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; i++) {
        machine_row(m, "centre (%d, %d)", (int)centres[i][0], (int)centres[i][1]);
        struct probe_vertex v[10];
        v[0] = snapped(centres[i][0], centres[i][1]);
        for (size_t k = 0; k < 9; k++)
            v[1 + k] = snapped(rim[k % 8][0], rim[k % 8][1]);
        probe_color(v, 10, 16, 16, 16, 16);
        DRAW(m, v, 10, PICA_TOPOLOGY_FAN, { PICA_REG_BLEND_FUNC, 0x11110000u }); /* one, one: sums */
        for (uint32_t p = 0; p < 64; p++)
            EXPECT_PIXEL(m, "RST-02", p % 8, p / 8, 16, 16, 16, 16);
    }
}

EACH_MACHINE(raster, RST_04_a_pixel_with_S_0_is_not_covered)
{
    draw_triangle(m, (const int32_t[6]){ 40, 40, 41, 40, 40, 41 }); /* A = 1: weights 0, 0, 0 */
    EXPECT_EMPTY(m, "RST-04");
    machine_reset(m);
    draw_triangle(m, (const int32_t[6]){ 40, 40, 42, 40, 40, 41 }); /* A = 2: weights 1, 0, 0 */
    EXPECT_COVERED(m, "RST-04", "........", "........", "........", "........", "........", "..#.....", "........",
                   "........");
    EXPECT_PIXEL(m, "RST-04", 2, 2, 255, 255, 255, 255);
    EXPECT_NO_EVENTS(m, "RST-04");
}

/* E of about 2^37: needs 64 bits (RST-01). Corners at the ends of the range of VPT-03. */
EACH_MACHINE(raster, RST_01_edge_functions_are_exact_at_the_largest_coordinates)
{
    /* Half sizes 16384 about pixel 0..: x from -16384 to 16383.9 pixels; the diagonal passes through (0, 0). */
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, 1, -0.5f, 1),
                                 probe_vertex_at(-1, 1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x4E0000u, 0x4E0000u, 0, 0)); /* 32768: 0 to 262143 after saturation */
    EXPECT_COVERED(m, "RST-01", "#######.", "######..", "#####...", "####....", "###.....", "##......", "#.......",
                   "........");
    EXPECT_ONLY_EVENTS(m, "RST-05", PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    machine_reset(m);
    struct probe_vertex w[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, -1, -0.5f, 1),
                                 probe_vertex_at(-1, 1, -0.5f, 1) };
    DRAW(m, w, 3, PICA_TOPOLOGY_LIST, VIEW(0x4E0000u, 0x4E0000u, 0, 0));
    EXPECT_FULL(m, "RST-01");
}

/* ---------------------------------------------------------------------------------------------------------- bounds */

EACH_MACHINE(raster, RST_05_pixels_outside_the_framebuffer_do_not_exist)
{
    /* A viewport of 32x32 pixels around an 8x8 buffer: the 64 pixels that exist, and not a byte beside them. */
    machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x1000, 0x11111111, 0x201);
    DRAW_QUAD(m, WIDE_VIEW, { PICA_REG_COLORBUFFER_LOC, (COLOR_ADDRESS + 0x800u) >> 3 });
    EXPECT_ALL_BYTES(m, "RST-05", COLOR_ADDRESS, 0x800, 0x11);
    EXPECT_ALL_BYTES(m, "RST-05", COLOR_ADDRESS + 0x800u, 0x100, 0xFF);
    EXPECT_ALL_BYTES(m, "RST-05", COLOR_ADDRESS + 0x900u, 0x700, 0x11);
    EXPECT_ONLY_EVENTS(m, "RST-05", PICA_EVENT_OUTSIDE_FRAMEBUFFER);
}

EACH_MACHINE(raster, RST_05_the_event_looks_at_the_box_cut_by_the_scissor_of_mode_3)
{
    static const struct {
        int32_t corners[6];
        uint32_t mode, pos, dim; /* scissor */
        bool event;
    } cases[] = {
        { { 0, 0, 128, 0, 0, 128 }, 0, 0, 0, false },
        { { -7, 0, 135, 0, 0, 128 }, 0, 0, 0, false }, /* ceil(-15 / 16) = 0, floor(127 / 16) = 7 */
        { { -8, 0, 128, 0, 0, 128 }, 0, 0, 0, true },  /* pixel -1 */
        { { 0, 0, 136, 0, 0, 128 }, 0, 0, 0, true },   /* pixel 8 */
        { { 0, -8, 128, 0, 0, 128 }, 0, 0, 0, true },  /* row -1 */
        { { 0, 0, 128, 0, 0, 136 }, 0, 0, 0, true },   /* row 8 */
        { { 0, -7, 128, 0, 0, 135 }, 0, 0, 0, false },
        { { 137, 0, 151, 0, 137, 128 }, 0, 0, 0, false }, /* right of all centres of column 8: ceil 9 > floor 8 */
        { { 137, 0, 152, 0, 137, 128 }, 0, 0, 0, true },  /* column 9 */
        { { 200, 200, 300, 200, 200, 300 }, 0, 0, 0, true },
        { { 0, 0, 136, 0, 0, 128 }, 3, 0, 0x00070007, false }, /* cut by the scissor box */
        { { 0, 0, 136, 0, 0, 128 }, 3, 0, 0x00070008, true },
        { { -8, -8, 136, 0, 0, 136 }, 3, 0x00050005, 0x00070007, false },
        { { 0, 0, 136, 0, 0, 128 }, 1, 0, 0x00070007, true }, /* only mode 3 cuts */
        { { 0, 0, 136, 0, 0, 128 }, 2, 0, 0x00070007, true },
        { { 200, 200, 300, 200, 200, 300 }, 3, 0, 0x00070007, false },          /* nothing left */
        { { 200, 200, 300, 200, 200, 300 }, 3, 0x00090009, 0x00080008, false }, /* empty box */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        const int32_t *const c = cases[i].corners;
        struct probe_vertex v[3] = { snapped_wide(c[0], c[1]), snapped_wide(c[2], c[3]), snapped_wide(c[4], c[5]) };
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, WIDE_VIEW, { PICA_REG_SCISSORTEST_MODE, cases[i].mode },
             { PICA_REG_SCISSORTEST_POS, cases[i].pos }, { PICA_REG_SCISSORTEST_DIM, cases[i].dim });
        EXPECT_EQ(m, "RST-05", machine_event(m, PICA_EVENT_OUTSIDE_FRAMEBUFFER), cases[i].event);
    }
}

EACH_MACHINE(raster, RST_05_with_a_width_of_0_nothing_is_drawn)
{
    DRAW_QUAD(m, { PICA_REG_FRAMEBUFFER_DIM, 7u << 12 }, { PICA_REG_EARLYDEPTH_TEST1, 1 });
    EXPECT_EMPTY(m, "RST-05");
    EXPECT_ALL_BYTES(m, "RST-05", DEPTH_ADDRESS, 0x100, 0);
    EXPECT_ONLY_EVENTS(m, "RST-05, FBF-33", PICA_EVENT_OUTSIDE_FRAMEBUFFER, PICA_EVENT_EARLY_DEPTH);
}

/* ----------------------------------------------------------------------------------------------------------- order */

EACH_MACHINE(raster, RST_06_fragments_of_one_pixel_are_applied_in_the_order_of_triangles)
{
    struct probe_vertex v[9];
    for (size_t i = 0; i < 3; i++) {
        v[3 * i] = snapped(0, 0);
        v[3 * i + 1] = snapped(128, 0);
        v[3 * i + 2] = snapped(0, 128);
    }
    probe_color(v, 3, 100, 100, 100, 255);
    probe_color(v + 3, 3, 10, 10, 10, 255);
    probe_color(v + 6, 3, 200, 0, 50, 255);
    /* Reverse subtract, one, one: D := max(0, D - S): 200 - 100 = 100, 90, 0 / 90 / 40. */
    probe_clear_color(m, 200, 200, 200, 255);
    DRAW(m, v, 9, PICA_TOPOLOGY_LIST, { PICA_REG_BLEND_FUNC, 0x11110002u });
    EXPECT_PIXEL(m, "RST-06", 0, 0, 0, 90, 40, 255);
    /* Subtract: D := max(0, S - D): 100 - 200 = 0, 10, 190 / 0 / 40. */
    probe_clear_color(m, 200, 200, 200, 255);
    DRAW(m, v, 9, PICA_TOPOLOGY_LIST, { PICA_REG_BLEND_FUNC, 0x11110001u });
    EXPECT_PIXEL(m, "RST-06", 0, 0, 190, 0, 40, 255);
}

EACH_MACHINE(raster, RST_06_each_fragment_is_finished_before_the_next)
{
    /* Three layers, nearer and farther: the depth test (less) of each sees what the ones before wrote. */
    struct probe_vertex v[9];
    static const float depths[3] = { -0.5f, -0.75f, -0.25f };
    for (size_t i = 0; i < 3; i++) {
        v[3 * i] = snapped(0, 0);
        v[3 * i + 1] = snapped(128, 0);
        v[3 * i + 2] = snapped(0, 128);
        for (size_t k = 0; k < 3; k++)
            v[3 * i + k].position[2] = depths[i];
        probe_color(v + 3 * i, 3, 50u * (uint32_t)i + 50u, 0, 0, 255);
    }
    probe_clear_depth_stencil(m, 0xFFFFFF, 5);
    DRAW(m, v, 9, PICA_TOPOLOGY_LIST, { PICA_REG_DEPTH_COLOR_MASK, 0x1F41 }, { PICA_REG_STENCIL_TEST, 0xFF00FF11u },
         { PICA_REG_STENCIL_OP, 0x340 }); /* pass: increment; depth fail: decrement */
    EXPECT_PIXEL(m, "RST-06", 1, 1, 150, 0, 0, 255);
    EXPECT_DEPTH(m, "RST-06", 1, 1, 0x3FFFFF);
    EXPECT_STENCIL(m, "RST-06", 1, 1, 6); /* +1, -1, +1 */
}

EACH_MACHINE(raster, RST_07_flat_shading_and_pixel_skipping_have_no_effect)
{
    struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    probe_color(v, 1, 255, 0, 0, 255);
    probe_color(v + 1, 1, 0, 255, 0, 255);
    probe_color(v + 2, 1, 0, 0, 255, 255);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    uint32_t want[64];
    for (uint32_t i = 0; i < 64; i++)
        want[i] = machine_word(m, COLOR_ADDRESS + 4u * i);
    static const struct {
        uint32_t id, value;
        bool flat, skip;
    } cases[] = {
        { 0x058, 0x00000001, true, false }, { 0x058, 0xFFFFFFFE, false, false }, { 0x060, 0x00000100, false, true },
        { 0x060, 0x00000200, false, true }, { 0x060, 0x00000300, false, true },  { 0x060, 0xFFFFFCFF, false, false },
        { 0x058, 0xFFFFFFFF, true, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "%03X = %08X", (unsigned)cases[i].id, (unsigned)cases[i].value);
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { cases[i].id, cases[i].value });
        cr_expect(words_are(m, "RST-07", COLOR_ADDRESS, want, 64), "%s", m->message);
        EXPECT_EQ(m, "RST-07", machine_register(m, cases[i].id), cases[i].value);
        EXPECT_EQ(m, "RST-07", machine_event(m, PICA_EVENT_REG_0058), cases[i].flat);
        EXPECT_EQ(m, "RST-07", machine_event(m, PICA_EVENT_REG_0060), cases[i].skip);
    }
}

/* ---------------------------------------------------------------------------------------------------------- budget */

static void load_pixel_limit(struct machine *m, uint32_t pixels)
{
    LOAD_LIMIT(m, pixels, pixels);
}

/* Two triangles with boxes of 2x2 and 3x1 pixels, then a quad (two boxes of 8x8). */
EACH_MACHINE(raster, RST_08_whole_boxes_count_and_a_sum_equal_to_the_limit_is_drawn)
{
    static const struct {
        uint32_t limit;
        bool first, second, event;
    } cases[] = {
        { 3, false, false, true },
        { 4, true, false, true },
        { 6, true, false, true },
        { 7, true, true, false },
    };
    struct probe_vertex v[6] = { snapped(0, 0),   snapped(32, 0),   snapped(0, 32),
                                 snapped(64, 64), snapped(112, 64), snapped(64, 80) };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        load_pixel_limit(m, cases[i].limit);
        machine_case(m, "limit %u", (unsigned)cases[i].limit);
        DRAW(m, v, 6, PICA_TOPOLOGY_LIST, AS_IS);
        EXPECT_EQ(m, "RST-08", probe_pixel(m, 0, 0) != 0u, cases[i].first);
        EXPECT_EQ(m, "RST-08", probe_pixel(m, 4, 4) != 0u, cases[i].second);
        EXPECT_EQ(m, "RST-08", machine_event(m, PICA_EVENT_BUDGET_PIXELS), cases[i].event);
    }
}

EACH_MACHINE(raster, RST_08_after_the_budget_nothing_is_drawn_until_the_next_submission)
{
    /* 64 + 1: the quad's second triangle exceeds 65; the 1-pixel triangle after it is not drawn, in no later draw. */
    load_pixel_limit(m, 65);
    struct probe_vertex v[7];
    probe_quad(v);
    struct probe_vertex small[3] = { snapped(120, 120), snapped(128, 120), snapped(120, 128) };
    struct list list = probe_list();
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    list_draw(&list, 4);
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_LIST << 8);
    list_write(&list, PICA_REG_VERTEX_OFFSET, 4);
    list_draw(&list, 3);
    for (size_t i = 0; i < 3; i++)
        v[4 + i] = small[i];
    probe_load_vertices(m, v, 7);
    machine_submit(m, &list);
    EXPECT_EQ(m, "RST-08", probe_pixel(m, 0, 0) != 0u, true);
    EXPECT_EQ(m, "RST-08", probe_pixel(m, 7, 7), 0);
    EXPECT_ONLY_EVENTS(m, "RST-08", PICA_EVENT_BUDGET_PIXELS);
    /* A new submission starts at 0 (EXT-CMD-04). */
    DRAW(m, small, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_EQ(m, "RST-08, CMD-20", probe_pixel(m, 7, 7) != 0u, true);
}

EACH_MACHINE(raster, RST_08_n_is_the_box_cut_by_framebuffer_and_scissor)
{
    static const struct {
        int32_t corners[6];
        uint32_t culling, dim, mode, pos, scissor_dim;
        uint32_t n;
    } cases[] = {
        { { 0, 0, 128, 0, 0, 128 }, 0, 0x7008, 0, 0, 0, 64 },
        { { 0, 0, 128, 0, 0, 128 }, 0, 0x3008, 0, 0, 0, 32 },                   /* cut by H = 4 */
        { { 0, 0, 128, 0, 0, 128 }, 0, 0x7003, 0, 0, 0, 24 },                   /* cut by W = 3 */
        { { 0, 0, 128, 0, 0, 128 }, 0, 0x7008, 3, 0x00010002, 0x00040007, 24 }, /* 6 x 4 */
        { { 0, 0, 128, 0, 0, 128 }, 0, 0x7008, 1, 0x00010002, 0x00040007, 64 }, /* mode 1 does not cut */
        { { -100, -100, 300, -100, -100, 300 }, 0, 0x7008, 0, 0, 0, 64 },
        { { 24, 24, 24, 40, 56, 24 }, 0, 0x7008, 0, 0, 0, 6 }, /* 1..3 x 1..2, clockwise */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t enough = 0; enough < 2; enough++) {
            load_pixel_limit(m, cases[i].n - 1u + enough);
            machine_case(m, "row %zu, limit n%s", i, enough ? "" : " - 1");
            const int32_t *const c = cases[i].corners;
            struct probe_vertex v[3] = { snapped_wide(c[0], c[1]), snapped_wide(c[2], c[3]), snapped_wide(c[4], c[5]) };
            DRAW(m, v, 3, PICA_TOPOLOGY_LIST, WIDE_VIEW, { PICA_REG_FRAMEBUFFER_DIM, cases[i].dim },
                 { PICA_REG_SCISSORTEST_MODE, cases[i].mode }, { PICA_REG_SCISSORTEST_POS, cases[i].pos },
                 { PICA_REG_SCISSORTEST_DIM, cases[i].scissor_dim });
            EXPECT_EQ(m, "RST-08", machine_event(m, PICA_EVENT_BUDGET_PIXELS), !enough);
            EXPECT_EQ(m, "RST-08", probe_covered(m, 0) != 0u, enough);
        }
}

EACH_MACHINE(raster, RST_08_empty_boxes_culled_and_arealess_triangles_cost_nothing)
{
    /* An empty box, a culled and an arealess triangle cost nothing. */
    load_pixel_limit(m, 64);
    struct probe_vertex v[12] = { snapped(9, 9), snapped(23, 9),  snapped(9, 23),  /* no centre: ceil 1 > floor 0 */
                                  snapped(0, 0), snapped(0, 128), snapped(128, 0), /* culled */
                                  snapped(0, 0), snapped(64, 64), snapped(128, 128),
                                  snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    DRAW(m, v, 12, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 2 });
    EXPECT_EQ(m, "RST-08", probe_covered(m, 0), 28);
    EXPECT_NO_EVENTS(m, "RST-08");
}

EACH_MACHINE(raster, RST_08_the_other_events_do_not_look_at_the_budget)
{
    load_pixel_limit(m, 1);
    struct probe_vertex v[6] = { snapped(0, 0), snapped(128, 0), snapped(0, 128),
                                 snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    v[3].position[2] = f32_from_bits(0x7FC00000);
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, { PICA_REG_FRAMEBUFFER_DIM, 0x7004 }, { PICA_REG_EARLYDEPTH_TEST1, 1 });
    EXPECT_EMPTY(m, "RST-08");
    EXPECT_ONLY_EVENTS(m, "RST-08, GEN-09", PICA_EVENT_BUDGET_PIXELS, PICA_EVENT_OUTSIDE_FRAMEBUFFER,
                       PICA_EVENT_EARLY_DEPTH, PICA_EVENT_FB_WIDTH_UNALIGNED, PICA_EVENT_NONFINITE_POSITION);
}

EACH_MACHINE(raster, RST_08_the_sum_runs_over_all_batches_of_a_submission)
{
    /* LIM_PIXELS 64 + 4: one draw of 64, one of 4, one of 1, each in its own DRAWARRAYS of the same list. */
    load_pixel_limit(m, 68);
    struct probe_vertex v[9] = { snapped(0, 0),    snapped(128, 0),  snapped(0, 128),
                                 snapped(96, 96),  snapped(128, 96), snapped(96, 128),
                                 snapped(112, 64), snapped(128, 64), snapped(112, 80) };
    struct list list = probe_list();
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_LIST << 8);
    list_write(&list, PICA_REG_NUMVERTICES, 3);
    for (uint32_t i = 0; i < 3; i++) {
        list_write(&list, PICA_REG_VERTEX_OFFSET, 3 * i);
        list_write(&list, PICA_REG_DRAWARRAYS, 1);
    }
    probe_load_vertices(m, v, 9);
    machine_submit(m, &list);
    EXPECT_EQ(m, "RST-08", probe_pixel(m, 6, 6) != 0u, true);
    EXPECT_EQ(m, "RST-08", probe_pixel(m, 7, 4) != 0u, false);
    EXPECT_EVENT(m, "RST-08", PICA_EVENT_BUDGET_PIXELS);
}
