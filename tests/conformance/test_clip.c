/* 30-rasterizer.md section 1: clipping. Clip coordinates go in, covered pixels come out (probe of machine.h). */
#include "tests/conformance/triangle_probe.h"

static const uint32_t TOLERANCE = 0x322BCC77; /* f32(1e-8) */

static void set_color(struct probe_vertex *v, float r, float g, float b)
{
    v->color[0] = r;
    v->color[1] = g;
    v->color[2] = b;
}

/* The strip (-s,-s) (s,-s) (-s,s) (s,s) with z of the left and the right side, w = 1. */
static void wide_quad(struct probe_vertex out[4], float s, float z_left, float z_right)
{
    out[0] = probe_vertex_at(-s, -s, z_left, 1);
    out[1] = probe_vertex_at(s, -s, z_right, 1);
    out[2] = probe_vertex_at(-s, s, z_left, 1);
    out[3] = probe_vertex_at(s, s, z_right, 1);
}

/* Half size 2, offset 2: the view volume is pixels 2 to 5. */
#define INNER_VIEW VIEW(0x400000u, 0x400000u, 2, 2)

/* ------------------------------------------------------------------------------------------------------ the volume */

EACH_MACHINE(clip, CLP_01_x_and_y_are_kept_between_minus_w_and_w)
{
    struct probe_vertex v[4];
    wide_quad(v, 3, -0.5f, -0.5f);
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, INNER_VIEW);
    EXPECT_COVERED(m, "CLP-01, CLP-04", "........", "........", "..####..", "..####..", "..####..", "..####..",
                   "........", "........");
    EXPECT_NO_EVENTS(m, "CLP-01");
}

EACH_MACHINE(clip, CLP_01_z_is_kept_between_minus_w_and_0)
{
    struct probe_vertex v[4];
    wide_quad(v, 1, 0.5f, -1.5f); /* z = -0.5 - x: kept from x = -0.5 (z = 0) to x = 0.5 (z = -1) */
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
    EXPECT_COVERED(m, "CLP-01, CLP-04", "..####..", "..####..", "..####..", "..####..", "..####..", "..####..",
                   "..####..", "..####..");
    /* Pixel centres x = -0.375, -0.125, 0.125, 0.375: depth = 0.5 + x but for the biases of RST-03. */
    EXPECT_DEPTH(m, "CLP-01", 2, 3, 0x2002AA);
    EXPECT_DEPTH(m, "CLP-01", 3, 3, 0x6007FF);
    EXPECT_DEPTH(m, "CLP-01", 4, 3, 0xA006AA);
    EXPECT_DEPTH(m, "CLP-01", 5, 3, 0xE00955);
}

/* Every side alone: nothing is left, and nothing is recorded. */
EACH_MACHINE(clip, CLP_09_a_triangle_outside_one_plane_produces_nothing)
{
    static const float offsets[6][3] = { { 3, 0, 0 },  { -3, 0, 0 },   { 0, 3, 0 },
                                         { 0, -3, 0 }, { 0, 0, 1.0f }, { 0, 0, -1.0f } };
    for (size_t i = 0; i < 6; i++) {
        machine_row(m, "side %zu", i);
        struct probe_vertex v[4];
        probe_quad(v);
        for (size_t k = 0; k < 4; k++)
            for (size_t c = 0; c < 3; c++)
                v[k].position[c] += offsets[i][c];
        DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, { PICA_REG_EARLYDEPTH_TEST1, 1 });
        EXPECT_EMPTY(m, "CLP-09");
        EXPECT_NO_EVENTS(m, "CLP-09, GEN-09"); /* no drawing batch, so no early-depth either */
    }
}

EACH_MACHINE(clip, CLP_05_the_planes_themselves_are_inside)
{
    struct probe_vertex v[4];
    wide_quad(v, 1, 0, 0);
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
    EXPECT_FULL(m, "CLP-05");
    EXPECT_DEPTH(m, "CLP-05", 3, 3, 0);
    wide_quad(v, 1, -1, -1);
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
    EXPECT_FULL(m, "CLP-05");
    EXPECT_DEPTH(m, "CLP-05", 3, 3, 0xFFFFFF);
}

/* ------------------------------------------------------------------------------------------------------- tolerance */

EACH_MACHINE(clip, CLP_05_the_tolerance_is_exactly_f32_of_1e_minus_8)
{
    struct probe_vertex v[4];
    const float inside = f32_from_bits(TOLERANCE);
    wide_quad(v, 1, inside, inside);
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
    EXPECT_FULL(m, "CLP-05");
    machine_reset(m);
    const float beyond = f32_from_bits(TOLERANCE + 1u);
    wide_quad(v, 1, beyond, beyond);
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
    EXPECT_EMPTY(m, "CLP-05");
}

/* w = 2^-26 makes the tolerance visible: 2^-27 (7.5e-9) beyond a side is kept and lies at 1.5 w, 2^-26 is not. */
EACH_MACHINE(clip, CLP_05_VPT_07_the_tolerance_holds_for_the_sides_and_the_viewport_removes_nothing)
{
    static const struct {
        uint32_t axis;
        float direction;
        const char *kept[8];
    } cases[] = {
        { 0, 1, { "........", "........", "..#####.", "..#####.", "..#####.", "..#####.", "........", "........" } },
        { 0, -1, { "........", "........", ".#####..", ".#####..", ".#####..", ".#####..", "........", "........" } },
        { 1, 1, { "........", "..####..", "..####..", "..####..", "..####..", "..####..", "........", "........" } },
        { 1, -1, { "........", "........", "..####..", "..####..", "..####..", "..####..", "..####..", "........" } },
    };
    const float w = 0x1p-26f;
    for (size_t i = 0; i < 4; i++)
        for (uint32_t beyond = 0; beyond < 2; beyond++) {
            machine_row(m, "axis %u, direction %d, %s", (unsigned)cases[i].axis, (int)cases[i].direction,
                        beyond ? "beyond" : "kept");
            struct probe_vertex v[4];
            probe_quad(v);
            for (size_t k = 0; k < 4; k++) {
                for (size_t c = 0; c < 4; c++)
                    v[k].position[c] *= w;
                if (v[k].position[cases[i].axis] * cases[i].direction > 0)
                    v[k].position[cases[i].axis] += cases[i].direction * (beyond ? 0x1p-26f : 0x1p-27f);
            }
            DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, INNER_VIEW);
            if (beyond)
                EXPECT_COVERED(m, "CLP-05", "........", "........", "..####..", "..####..", "..####..", "..####..",
                               "........", "........");
            else
                cr_expect(covered_is(m, "CLP-05, VPT-07", cases[i].kept), "%s", m->message);
        }
}

EACH_MACHINE(clip, CLP_05_the_tolerance_holds_for_the_far_plane)
{
    const float w = 0x1p-20f;
    struct probe_vertex v[4];
    for (uint32_t beyond = 0; beyond < 2; beyond++) {
        machine_row(m, beyond ? "beyond" : "kept");
        probe_quad(v);
        for (size_t k = 0; k < 4; k++) {
            v[k].position[0] *= w;
            v[k].position[1] *= w;
            v[k].position[2] = -(w + (beyond ? 0x1p-26f : 0x1p-27f));
            v[k].position[3] = w;
        }
        DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
        if (beyond)
            EXPECT_EMPTY(m, "CLP-05");
        else
            EXPECT_FULL(m, "CLP-05");
    }
}

/* ----------------------------------------------------------------------------------------------------- new vertices */

/* CLP-07: triangle (0,0) (2,0) (0,0.75), attribute 0, 1, 0; after plane 1 the attribute is x / 2. */
EACH_MACHINE(clip, CLP_07_first_worked_example)
{
    static const struct expected_pixel want[] = {
        { 4, 4, 0x001000FF, 0x7FFFFF }, { 5, 4, 0x003000FF, 0x7FFFFF }, { 6, 4, 0x005000FF, 0x7FFFFF },
        { 7, 4, 0x007000FF, 0x7FFFFF }, { 4, 5, 0x001000FF, 0x7FFFFF }, { 5, 5, 0x003000FF, 0x7FFFFF },
        { 6, 5, 0x005000FF, 0x7FFFFF }, { 7, 5, 0x007000FF, 0x7FFFFF }, { 4, 6, 0x001000FF, 0x7FFFFF },
    };
    struct probe_vertex v[3] = { probe_vertex_at(0, 0, -0.5f, 1), probe_vertex_at(2, 0, -0.5f, 1),
                                 probe_vertex_at(0, 0.75f, -0.5f, 1) };
    set_color(&v[0], 0, 0, 0);
    set_color(&v[1], 0, 1, 0);
    set_color(&v[2], 0, 0, 0);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_PICTURE(m, "CLP-06, CLP-07, CLP-12", want);
}

/*
 * The fan (p0,p1,p2) (p0,p2,p3) of that example; boxes of 4x2 and 4x3 pixels (RST-08), so that a limit shows the order.
 */
EACH_MACHINE(clip, CLP_12_the_polygon_is_drawn_as_a_fan_from_its_first_vertex)
{
    struct probe_vertex v[3] = { probe_vertex_at(0, 0, -0.5f, 1), probe_vertex_at(2, 0, -0.5f, 1),
                                 probe_vertex_at(0, 0.75f, -0.5f, 1) };
    struct pica_limits limits = machine_default_limits();
    limits.pixels = 19;
    machine_load_limits(m, &limits);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_COVERED(m, "CLP-12, RST-08", "........", "........", "........", ".....###", "........", "........",
                   "........", "........");
    EXPECT_ONLY_EVENTS(m, "RST-08", PICA_EVENT_BUDGET_PIXELS);
    limits.pixels = 20;
    machine_load_limits(m, &limits);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_COVERED(m, "CLP-12, RST-08", "........", "....#...", "....####", "....####", "........", "........",
                   "........", "........");
    EXPECT_NO_EVENTS(m, "RST-08");
}

/* Plane 5 cuts B off; the new vertices have the bits of the worked example (one of them at z = +1.49e-8). */
EACH_MACHINE(clip, CLP_07_second_worked_example)
{
    static const struct expected_pixel want[] = {
        { 3, 3, 0x360000FF, 0x74DCAB }, { 4, 3, 0x5C0000FF, 0x485E37 }, { 3, 4, 0x560000FF, 0x5E9603 },
        { 4, 4, 0x7C0000FF, 0x3208B3 }, { 2, 5, 0x500000FF, 0x74DCAB }, { 3, 5, 0x760000FF, 0x484F5B },
        { 4, 5, 0x9C0000FF, 0x1BC20B },
    };
    struct probe_vertex v[3] = { probe_vertex_at(0, -0.5f, -0.5f, 1), probe_vertex_at(0.5f, 0.5f, 0.2f, 1),
                                 probe_vertex_at(-0.5f, 0.5f, -0.5f, 1) };
    set_color(&v[0], 0.1f, 0, 0);
    set_color(&v[1], 0.9f, 0, 0);
    set_color(&v[2], 0.3f, 0, 0);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_PICTURE(m, "CLP-06, CLP-07", want);
}

/* Different w, cut by five planes into a polygon of 7 corners; every bit by ci/expected. */
EACH_MACHINE(clip, CLP_06_CLP_11_a_triangle_cut_by_many_planes_in_order)
{
    static const struct expected_pixel want[] = {
        { 0, 0, 0xB33715FF, 0xB29777 }, { 1, 0, 0xA94412FF, 0xA498DA }, { 2, 0, 0x9E520FFF, 0x969A3C },
        { 3, 0, 0x92610CFF, 0x889B9E }, { 4, 0, 0x867009FF, 0x7A9D00 }, { 5, 0, 0x7A8005FF, 0x6CA4D0 },
        { 6, 0, 0x6D9102FF, 0x5EBE8F }, { 0, 1, 0xAF2F21FF, 0xBBC1E2 }, { 1, 1, 0xA43C1FFF, 0xADC345 },
        { 2, 1, 0x984B1CFF, 0x9FC4A8 }, { 3, 1, 0x8C5A19FF, 0x91C60A }, { 4, 1, 0x7F6A16FF, 0x83C76C },
        { 5, 1, 0x727A12FF, 0x75D90A }, { 6, 1, 0x648C0FFF, 0x67F2CA }, { 7, 1, 0x569E0BFF, 0x5A0E19 },
        { 0, 2, 0xAB262FFF, 0xC4E69B }, { 1, 2, 0x9F342CFF, 0xB6EDB0 }, { 2, 2, 0x93432AFF, 0xA8EF12 },
        { 3, 2, 0x865327FF, 0x9AF075 }, { 4, 2, 0x786324FF, 0x8CF385 }, { 5, 2, 0x6A7421FF, 0x7F0D44 },
        { 6, 2, 0x5B871DFF, 0x712704 }, { 7, 2, 0x4B9A1AFF, 0x632B99 }, { 0, 3, 0xA61C3EFF, 0xCE0E2E },
        { 1, 3, 0x992A3BFF, 0xC0181C }, { 2, 3, 0x8C3A39FF, 0xB2197E }, { 3, 3, 0x7E4A36FF, 0xA41AE0 },
        { 4, 3, 0x705C34FF, 0x9627BF }, { 5, 3, 0x616E31FF, 0x88417E }, { 6, 3, 0x50812EFF, 0x7A4BC7 },
        { 7, 3, 0x3F952BFF, 0x6C491A }, { 0, 4, 0xA0114EFF, 0xD735C1 }, { 1, 4, 0x93204CFF, 0xC94288 },
        { 2, 4, 0x85304AFF, 0xBB43E9 }, { 3, 4, 0x764148FF, 0xAD454C }, { 4, 4, 0x675345FF, 0x9F5BF9 },
        { 5, 4, 0x566643FF, 0x916BF6 }, { 6, 4, 0x457A40FF, 0x836948 }, { 7, 4, 0x32903DFF, 0x75669A },
        { 0, 5, 0x9A0461FF, 0xE05D54 }, { 1, 5, 0x8C145FFF, 0xD26941 }, { 2, 5, 0x7D255DFF, 0xC46E54 },
        { 3, 5, 0x6D375BFF, 0xB67674 }, { 4, 5, 0x5C4959FF, 0xA88C23 }, { 5, 5, 0x4A5E57FF, 0x9A8976 },
        { 6, 5, 0x377355FF, 0x8C86C8 }, { 7, 5, 0x238A53FF, 0x7E841C }, { 1, 6, 0x840774FF, 0xDB90D4 },
        { 2, 6, 0x741873FF, 0xCD98C0 }, { 3, 6, 0x622B72FF, 0xBFAAAE }, { 4, 6, 0x503F70FF, 0xB1A9A4 },
        { 5, 6, 0x3C546FFF, 0xA3A6F6 }, { 6, 6, 0x276A6DFF, 0x95A449 }, { 7, 6, 0x11836BFF, 0x87A19B },
        { 2, 7, 0x690A8BFF, 0xD6C32B }, { 3, 7, 0x571E8BFF, 0xC8C9D2 }, { 4, 7, 0x42328AFF, 0xBAC724 },
        { 5, 7, 0x2D498AFF, 0xACD35F }, { 6, 7, 0x156089FF, 0x9EE094 },
    };
    struct probe_vertex v[3] = { probe_vertex_at(-3, -2, -1, 1), probe_vertex_at(4, -1, -0.25f, 2),
                                 probe_vertex_at(0.5f, 5, -2.5f, 3) };
    set_color(&v[0], 1, 0, 0);
    set_color(&v[1], 0, 1, 0);
    set_color(&v[2], 0, 0, 1);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_PICTURE(m, "CLP-04, CLP-06, CLP-07, CLP-11, ITP-12, ITP-14", want);
    EXPECT_NO_EVENTS(m, "CLP-11");
}
