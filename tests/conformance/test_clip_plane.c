/* 30-rasterizer.md section 1: the user clip plane; positions that are not finite, w that is not positive. */
#include "tests/conformance/triangle_probe.h"

static const uint32_t INFINITE = 0x7F800000;
static const uint32_t NOT_A_NUMBER = 0x7FC00000;

/* float24 */
static const uint32_t ONE = 0x3F0000, MINUS_ONE = 0xBF0000, HALF = 0x3E0000;

/* ------------------------------------------------------------------------------------------------------- user plane */

#define PLANE(c0, c1, c2, c3)                                                                                \
    { PICA_REG_FRAGOP_CLIP, 1 }, { PICA_REG_FRAGOP_CLIP_DATA0, c0 }, { PICA_REG_FRAGOP_CLIP_DATA0 + 1, c1 }, \
        { PICA_REG_FRAGOP_CLIP_DATA0 + 2, c2 },                                                              \
    {                                                                                                        \
        PICA_REG_FRAGOP_CLIP_DATA0 + 3, c3                                                                   \
    }

static const char *const right_half[8] = { "....####", "....####", "....####", "....####",
                                           "....####", "....####", "....####", "....####" };
static const char *const left_half[8] = { "####....", "####....", "####....", "####....",
                                          "####....", "####....", "####....", "####...." };
static const char *const upper_half[8] = { "########", "########", "########", "########",
                                           "........", "........", "........", "........" };

EACH_MACHINE(clip, CLP_08_the_side_with_d_not_negative_is_kept)
{
    struct probe_vertex v[4];
    probe_quad(v);
    for (size_t i = 0; i < 4; i++)
        v[i].position[2] = v[i].position[0] < 0 ? 0.0f : -1.0f; /* z = -(x + 1) / 2 */
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(ONE, 0, 0, 0));
    machine_case(m, "x");
    cr_expect(covered_is(m, "CLP-08", right_half), "%s", m->message);
    machine_row(m, "y");
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0, ONE, 0, 0));
    cr_expect(covered_is(m, "CLP-08", upper_half), "%s", m->message);
    machine_row(m, "z + w / 2");
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0, 0, ONE, HALF));
    cr_expect(covered_is(m, "CLP-08", left_half), "%s", m->message);
    machine_row(m, "w");
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0, 0, 0, ONE));
    EXPECT_FULL(m, "CLP-08");
    machine_row(m, "-w");
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0, 0, 0, MINUS_ONE));
    EXPECT_EMPTY(m, "CLP-08");
    machine_row(m, "0");
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0, 0, 0, 0)); /* d = 0 is inside */
    EXPECT_FULL(m, "CLP-08");
    EXPECT_NO_EVENTS(m, "CLP-08");
}

EACH_MACHINE(clip, CLP_08_ITP_04_bits_without_meaning_are_ignored)
{
    DRAW_QUAD(m, PLANE(0xFF000000u | ONE, 0, 0, 0x12000000u));
    cr_expect(covered_is(m, "CLP-08, ITP-04", right_half), "%s", m->message);
    machine_reset(m);
    DRAW_QUAD(m, PLANE(0, 0, 0, MINUS_ONE), { PICA_REG_FRAGOP_CLIP, 0xFFFFFFFEu });
    EXPECT_FULL(m, "CLP-08");
    machine_reset(m);
    DRAW_QUAD(m, PLANE(0, 0, 0, MINUS_ONE), { PICA_REG_FRAGOP_CLIP, 0xFFFFFFFFu });
    EXPECT_EMPTY(m, "CLP-08");
}

/* ITP-04: the float24 denormal 0x000001 is 2^-78, and exact: with x scaled by 2^78 it is a plane like any other. */
EACH_MACHINE(clip, ITP_04_denormal_coefficients_count)
{
    struct probe_vertex v[4];
    probe_quad(v);
    for (size_t k = 0; k < 4; k++)
        for (size_t c = 0; c < 4; c++)
            v[k].position[c] *= 0x1p60f;
    /* d = x * 2^-78 = +-2^-18, above the tolerance of 1e-8. */
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0x000001, 0, 0, 0));
    cr_expect(covered_is(m, "ITP-04", right_half), "%s", m->message);
    machine_reset(m);
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0x800001, 0, 0, 0));
    cr_expect(covered_is(m, "ITP-04", left_half), "%s", m->message);
}

/* c0 = infinity: x > 0 is +inf (inside), x < 0 is -inf (outside), x = 0 is 0 by the PICA product (inside). */
EACH_MACHINE(clip, CLP_08_ITP_02_infinite_coefficients_compute_as_written)
{
    struct probe_vertex v[4];
    for (size_t i = 0; i < 4; i++)
        v[i] = probe_vertex_at(i % 2u == 0u ? 0.0f : 1.0f, i < 2u ? -1.0f : 1.0f, -0.5f, 1);
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0x7F0000, 0, 0, 0));
    cr_expect(covered_is(m, "CLP-08, ITP-02", right_half), "%s", m->message);
    EXPECT_ONLY_EVENTS(m, "CLP-08", PICA_EVENT_CLIP_PLANE_NONFINITE);
    machine_reset(m);
    for (size_t i = 0; i < 4; i++)
        v[i].position[0] -= 1.0f;
    v[0].position[0] = v[2].position[0] = -0.5f;
    v[1].position[0] = v[3].position[0] = -0.25f;
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, PLANE(0x7F0000, 0, 0, 0));
    EXPECT_EMPTY(m, "CLP-08");
    EXPECT_ONLY_EVENTS(m, "CLP-08", PICA_EVENT_CLIP_PLANE_NONFINITE);
}

EACH_MACHINE(clip, CLP_05_CLP_08_a_NaN_distance_is_outside)
{
    for (uint32_t i = 0; i < 4; i++) {
        machine_row(m, "coefficient %u", (unsigned)i);
        DRAW_QUAD(m, PLANE(0, 0, 0, 0), { PICA_REG_FRAGOP_CLIP_DATA0 + i, 0x7F0001 });
        EXPECT_EMPTY(m, "CLP-05, CLP-08"); /* NaN is outside */
        EXPECT_ONLY_EVENTS(m, "CLP-08", PICA_EVENT_CLIP_PLANE_NONFINITE);
    }
}

EACH_MACHINE(clip, CLP_08_the_event_is_for_triangles_that_pass_CLP_02_while_the_plane_is_on)
{
    machine_case(m, "disabled");
    DRAW_QUAD(m, PLANE(0x7F0000, 0x7F0001, 0xFF0000, 0), { PICA_REG_FRAGOP_CLIP, 0 });
    EXPECT_FULL(m, "CLP-08");
    EXPECT_NO_EVENTS(m, "CLP-08");
    machine_row(m, "largest finite");
    DRAW_QUAD(m, PLANE(0, 0, 0, 0x7EFFFF));
    EXPECT_NO_EVENTS(m, "CLP-08");
    machine_row(m, "removed by another plane");
    struct probe_vertex v[3] = { probe_vertex_at(2, 0, -0.5f, 1), probe_vertex_at(3, 0, -0.5f, 1),
                                 probe_vertex_at(2, 1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, PLANE(0, 0, 0, 0xFF0000));
    EXPECT_ONLY_EVENTS(m, "CLP-08", PICA_EVENT_CLIP_PLANE_NONFINITE);
    machine_row(m, "non-finite position");
    v[0].position[1] = f32_from_bits(INFINITE);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, PLANE(0, 0, 0, 0xFF0000));
    EXPECT_ONLY_EVENTS(m, "CLP-02, CLP-08", PICA_EVENT_NONFINITE_POSITION);
}

/* -------------------------------------------------------------------------------------------- non-finite and w <= 0 */

EACH_MACHINE(clip, CLP_02_non_finite_positions_draw_nothing)
{
    const uint32_t values[3] = { NOT_A_NUMBER, INFINITE, INFINITE | 0x80000000u };
    for (uint32_t vertex = 0; vertex < 3; vertex++)
        for (uint32_t component = 0; component < 4; component++)
            for (uint32_t k = 0; k < 3; k++) {
                machine_row(m, "vertex %u, component %u, %08X", (unsigned)vertex, (unsigned)component,
                            (unsigned)values[k]);
                struct probe_vertex v[4];
                probe_quad(v);
                v[vertex].position[component] = f32_from_bits(values[k]);
                DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
                EXPECT_EMPTY(m, "CLP-02");
                EXPECT_ONLY_EVENTS(m, "CLP-02", PICA_EVENT_NONFINITE_POSITION);
            }
}

EACH_MACHINE(clip, CLP_02_only_the_triangle_with_the_vertex_is_dropped)
{
    struct probe_vertex v[4];
    probe_quad(v);
    v[0].position[2] = f32_from_bits(NOT_A_NUMBER); /* only of the strip's first triangle */
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
    EXPECT_COVERED(m, "CLP-02", "########", ".#######", "..######", "...#####", "....####", ".....###", "......##",
                   ".......#");
    EXPECT_ONLY_EVENTS(m, "CLP-02", PICA_EVENT_NONFINITE_POSITION);
}

EACH_MACHINE(clip, CLP_02_other_attributes_may_be_non_finite)
{
    struct probe_vertex v[4];
    probe_quad(v);
    for (size_t k = 0; k < 4; k++) {
        v[k].texcoord0[0] = f32_from_bits(INFINITE);
        v[k].texcoord1[1] = f32_from_bits(NOT_A_NUMBER);
        v[k].texcoord0_w = f32_from_bits(NOT_A_NUMBER);
        v[k].quaternion[0] = f32_from_bits(INFINITE);
        v[k].view[2] = f32_from_bits(INFINITE | 0x80000000u);
    }
    DRAW(m, v, 4, PICA_TOPOLOGY_STRIP, AS_IS);
    EXPECT_FULL(m, "CLP-02");
    EXPECT_EQ(m, "CLP-02", probe_pixel(m, 3, 3), 0xFFFFFFFFu);
    EXPECT_NO_EVENTS(m, "CLP-02");
}

EACH_MACHINE(clip, CLP_10_w_not_positive_or_without_a_finite_inverse_drops_the_polygon)
{
    static const struct {
        float w;
        bool dropped;
    } cases[] = {
        { 0.0f, true },      { -0.0f, true },      { -5e-9f, true },     { 0x1p-149f, true }, /* 1 / w is infinite */
        { 0x1p-129f, true }, { 0x1p-127f, false }, { 0x1p-126f, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "w = %a", (double)cases[i].w);
        struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, -1, -0.5f, 1),
                                     probe_vertex_at(0, 0, 0, cases[i].w) };
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
        if (cases[i].dropped) {
            EXPECT_EMPTY(m, "CLP-10");
            EXPECT_ONLY_EVENTS(m, "CLP-10", PICA_EVENT_W_NOT_POSITIVE);
        } else {
            EXPECT_NO_EVENTS(m, "CLP-10");
            EXPECT(m, "CLP-10", probe_depth(m, 3, 1) != 0u); /* the colour may be 0: 1 / w overflows in ITP-11 */
        }
    }
}

/* CLP-04: w of a vertex far behind the eye: it is outside planes 1 or 2 already, the triangle is cut and drawn. */
EACH_MACHINE(clip, CLP_04_a_vertex_behind_the_eye_is_cut_off)
{
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(1, -1, -0.5f, 1),
                                 probe_vertex_at(0, 0, 0, -1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    /* w = 1 - 2t, y = t - 1 along v0-v2: w + y >= 0 from t = 0 only: below the volume at once. */
    EXPECT_EMPTY(m, "CLP-04");
    EXPECT_NO_EVENT(m, "CLP-04, CLP-10", PICA_EVENT_W_NOT_POSITIVE);
}

/* Plane 1 meets -inf at v1: the edge into v2 gets t = NaN, and the new vertex is not finite. */
EACH_MACHINE(clip, CLP_10_positions_that_clipping_made_non_finite_drop_the_polygon)
{
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.5f, 1), probe_vertex_at(3e38f, -1, -0.5f, -3e38f),
                                 probe_vertex_at(-1, 1, -0.5f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
    EXPECT_EMPTY(m, "CLP-10");
    EXPECT_EVENT(m, "CLP-10", PICA_EVENT_NONFINITE_POSITION);
    EXPECT_NO_EVENT(m, "CLP-10", PICA_EVENT_OUTSIDE_FRAMEBUFFER);
}

EACH_MACHINE(clip, CLP_08_the_user_plane_comes_last)
{
    struct probe_vertex v[3] = { probe_vertex_at(-6, -3, 1, 1), probe_vertex_at(6, -3, -2.5f, 1),
                                 probe_vertex_at(0, 9, -0.25f, 1) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, PLANE(ONE, ONE, 0, ONE)); /* x + y >= -1 */
    EXPECT_COVERED(m, "CLP-08, CLP-11", "########", "########", "########", "########", "########", ".#######",
                   "..######", "...#####");
    EXPECT_NO_EVENTS(m, "CLP-11");
}
