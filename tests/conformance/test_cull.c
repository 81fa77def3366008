/* 30-rasterizer.md section 3: culling. */
#include "tests/conformance/triangle_probe.h"

EACH_MACHINE(cull, CUL_01_CUL_02_modes_keep_the_orientations_of_the_table)
{
    static const bool drawn[4][2] = { { true, true }, { false, true }, { true, false }, { true, true } };
    for (uint32_t mode = 0; mode < 4; mode++)
        for (uint32_t clockwise = 0; clockwise < 2; clockwise++)
            for (uint32_t other_bits = 0; other_bits < 2; other_bits++) {
                machine_row(m, "mode %u, %s", (unsigned)mode, clockwise ? "A < 0" : "A > 0");
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

EACH_MACHINE(cull, CUL_02_FBF_33_a_batch_of_culled_triangles_draws_nothing_and_records_nothing)
{
    struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 1 }, { PICA_REG_EARLYDEPTH_TEST1, 1 },
         { PICA_REG_FRAMEBUFFER_DIM, 1 });
    EXPECT_EMPTY(m, "CUL-02");
    EXPECT_NO_EVENTS(m, "CUL-02, GEN-09, FBF-33, RST-05");
}

EACH_MACHINE(cull, CUL_03_no_area_draws_nothing_in_every_mode)
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
            machine_row(m, "row %zu, mode %u", i, (unsigned)mode);
            const int32_t *const c = corners[i];
            struct probe_vertex v[3] = { snapped(c[0], c[1]), snapped(c[2], c[3]), snapped(c[4], c[5]) };
            DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, mode }, { PICA_REG_EARLYDEPTH_TEST1, 1 });
            EXPECT_EMPTY(m, "CUL-03");
            EXPECT_NO_EVENTS(m, "CUL-03, FBF-33");
        }
}

EACH_MACHINE(cull, CUL_01_the_area_is_computed_after_snapping)
{
    /* 0.4 / 16 pixels high: a triangle before snapping, none after it. */
    struct probe_vertex v[3] = { snapped(0, 8), snapped(128, 8), snapped(0, 8) };
    v[2].position[1] += 0.4f / 64.0f;
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_EARLYDEPTH_TEST1, 1 });
    EXPECT_EMPTY(m, "CUL-01");
    EXPECT_NO_EVENTS(m, "CUL-01, FBF-33");
}

/* A clockwise triangle in which the order of the sums shows in the low bits of depth (ci/expected). */
EACH_MACHINE(cull, CUL_04_a_clockwise_triangle_exchanges_its_second_and_third_corner)
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

EACH_MACHINE(cull, CUL_01_the_sign_is_taken_after_clipping)
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

EACH_MACHINE(cull, CUL_05_the_y_direction_of_memory_does_not_turn_triangles)
{
    struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    const uint32_t flipped = 1u << 24 | 7u << 12 | 8u;
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 2 }, { PICA_REG_FRAMEBUFFER_DIM, flipped });
    /* Memory rows are turned over: the picture by probe_pixel is upside down, but drawn. */
    EXPECT_COVERED(m, "CUL-05, FBF-06", "#######.", "######..", "#####...", "####....", "###.....", "##......",
                   "#.......", "........");
    machine_reset(m);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 1 }, { PICA_REG_FRAMEBUFFER_DIM, flipped });
    EXPECT_EMPTY(m, "CUL-05");
}
