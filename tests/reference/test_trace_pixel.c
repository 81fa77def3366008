/* The steps of a pixel outside of shading: set-up, weights, tests, blending, writes. */
#include "tests/conformance/fragment_probe.h"
#include "tests/conformance/triangle_probe.h"
#include "tests/reference/tracer.h"

static struct tracer tracer;

enum {
    ONE = 0x3F800000,
    HALF = 0x3F000000
};
static const uint32_t MINUS_ONE = 0xBF800000u, MINUS_HALF = 0xBF000000u;

static void draw_strip(struct machine *m, const struct setting *settings, size_t n)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 200, 100, 50, 128);
    struct list list = probe_list();
    for (size_t i = 0; i < n; i++)
        list_write(&list, settings[i].id, settings[i].value);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
}

/*
 * Pixel (2, 3) of the strip's first triangle: corners (0,0) (128,0) (0,128), centre (40,56). E(v1,v2) = -128 * 56 - 128
 * * (40 - 128) = 4096, minus 1 for a right edge; E(v2,v0) = 128 * 40 = 5120; E(v0,v1) = 128 * 56 = 7168.
 */
EACH_TRACER(trace_pixel, from_its_corners_to_its_colour)
{
    probe_clear_color(m, 0, 0, 0, 0);
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, NULL, 0);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, CLIP_POSITION, 1, ONE, MINUS_ONE, MINUS_HALF, ONE);
    EXPECT_STEP(&tracer, SCREEN_POSITION, 0, 0, 0);
    EXPECT_STEP(&tracer, SCREEN_POSITION, 1, 128, 0);
    EXPECT_STEP(&tracer, SCREEN_POSITION, 2, 0, 128);
    EXPECT_STEP(&tracer, SCREEN_DEPTH, 2, MINUS_HALF, ONE);
    EXPECT_STEP(&tracer, WEIGHTS, 0, 4095, 0, 5120, 0, 7168, 0);
    EXPECT_STEP(&tracer, PRIMARY_COLOR, 0, 200, 100, 50, 128);
    EXPECT_STEP(&tracer, DEPTH_VALUE, 0, HALF);
    EXPECT_STEP(&tracer, COMBINER_OPERANDS, 0, 200, 100, 50, 128, 0, 0, 0, 0, 0, 0, 0, 0);
    for (uint32_t s = 0; s < 6; s++)
        EXPECT_STEP(&tracer, COMBINER_OUTPUT, s, 200, 100, 50, 128);
    EXPECT_STEP(&tracer, COMBINER_RESULT, 0, 200, 100, 50, 128);
    EXPECT_STEP(&tracer, ALPHA_TEST, 0, 1);
    EXPECT_STEP(&tracer, DEPTH_TEST, 0, 0x7FFFFF, 0, 1);
    EXPECT_STEP(&tracer, DEPTH_WRITE, 0, 0x7FFFFF);
    EXPECT_STEP(&tracer, BLEND_DEST, 0, 0, 0, 0, 0);
    EXPECT_STEP(&tracer, BLEND_RESULT, 0, 200, 100, 50, 128);
    EXPECT_STEP(&tracer, COLOR_WRITE, 0, 0xC8643280u);
    EXPECT_NO_STEP(&tracer, TEXTURE_COLOR);
    EXPECT_NO_STEP(&tracer, TEXCOORD);
    EXPECT_NO_STEP(&tracer, STENCIL_TEST);
    EXPECT_NO_STEP(&tracer, FOG_COLOR);
    EXPECT_NO_STEP(&tracer, VERTEX_NUMBER);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_WEIGHTS), 1);
    cr_expect(tracer_is_ordered(&tracer), "%s", m->message);
}

/* CUL-04: corners 1 and 2 of a clockwise triangle are exchanged; VPT-03: coordinates are signed. */
EACH_TRACER(trace_pixel, CUL_04_VPT_03_corners_are_counter_clockwise_and_signed)
{
    const struct probe_vertex v[3] = { snapped(0, 0), snapped(0, 128), snapped(128, 0) };
    static const struct setting settings[] = { VIEW(0x410000u, 0x410000u, -4, -2) };
    struct list list = probe_list();
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        list_write(&list, settings[i].id, settings[i].value);
    tracer_pixel(&tracer, m, 0, 0, 0);
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, SCREEN_POSITION, 0, (uint32_t)-64, (uint32_t)-32);
    EXPECT_STEP(&tracer, SCREEN_POSITION, 1, 64, (uint32_t)-32);
    EXPECT_STEP(&tracer, SCREEN_POSITION, 2, (uint32_t)-64, 96);
}

/* Two triangles that cover the pixel: two visits; the other pixels and draws of the list have no steps. */
EACH_TRACER(trace_pixel, RST_06_each_triangle_is_a_visit)
{
    struct probe_vertex v[6];
    for (size_t i = 0; i < 6; i++)
        v[i] = i % 3 == 0 ? snapped(0, 0) : i % 3 == 1 ? snapped(128, 0) : snapped(0, 128);
    probe_color(v, 3, 1, 2, 3, 4);
    probe_color(v + 3, 3, 5, 6, 7, 8);
    struct list list = probe_list();
    tracer_pixel(&tracer, m, 1, 1, 1);
    probe_draw(m, &list, v, 6, PICA_TOPOLOGY_LIST);
    cr_expect_eq(tracer.count, 0, "the first draw is not asked for");
    list.count = 0;
    probe_draw(m, &list, v, 6, PICA_TOPOLOGY_LIST);
    const uint32_t steps = tracer.count;
    list.count = 0;
    probe_draw(m, &list, v, 6, PICA_TOPOLOGY_LIST);
    cr_expect_eq(tracer.count, steps, "nor is the third");
    tracer_stop(&tracer);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_COLOR_WRITE), 2);
    const struct pica_trace_step *const dest = tracer_find(&tracer, PICA_TRACE_ID_BLEND_DEST, 0, 1);
    const struct pica_trace_step *const written = tracer_find(&tracer, PICA_TRACE_ID_COLOR_WRITE, 0, 1);
    cr_assert(dest != NULL && written != NULL);
    cr_expect_eq(dest->values[0], 1);
    cr_expect_eq(written->values[0], 0x05060708u);
}

/* SCS-01: a pixel that the scissor removes has no steps. */
EACH_TRACER(trace_pixel, SCS_01_pixels_that_the_scissor_removes_have_no_steps)
{
    static const struct setting settings[] = { { PICA_REG_SCISSORTEST_MODE, 1 },
                                               { PICA_REG_SCISSORTEST_POS, 0 },
                                               { PICA_REG_SCISSORTEST_DIM, 3u << 16 | 3u } };
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, settings, 3);
    cr_expect_eq(tracer.count, 0);
    tracer_pixel(&tracer, m, 1, 2, 4);
    draw_strip(m, settings, 3);
    tracer_stop(&tracer);
    cr_expect_gt(tracer.count, 0);
}

/* STC-05's example: old F0, reference 3C, function >, write mask 0F: the test fails, and replace stores FC. */
EACH_TRACER(trace_pixel, STC_05_a_failed_stencil_test_ends_with_its_byte)
{
    static const struct setting settings[] = { { PICA_REG_STENCIL_TEST, 0xFF3C0F61u }, { PICA_REG_STENCIL_OP, 2 } };
    probe_clear_depth_stencil(m, 0x123456, 0xF0);
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, settings, 2);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, STENCIL_TEST, 0, 0xF0, 0);
    EXPECT_STEP(&tracer, STENCIL_WRITE, 0, 0xFC);
    EXPECT_NO_STEP(&tracer, DEPTH_TEST);
    EXPECT_NO_STEP(&tracer, COLOR_WRITE);
    cr_expect(tracer_is_ordered(&tracer), "%s", m->message);
}

EACH_TRACER(trace_pixel, FBF_21_a_failed_test_ends_the_visit)
{
    static const struct setting alpha[] = { { PICA_REG_FRAGOP_ALPHA_TEST, 0x8041 } }; /* 128 < 128 */
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, alpha, 1);
    EXPECT_STEP(&tracer, ALPHA_TEST, 0, 0);
    EXPECT_NO_STEP(&tracer, DEPTH_TEST);

    static const struct setting depth[] = { { PICA_REG_DEPTH_COLOR_MASK, 0x1F41 } }; /* 7FFFFF < 7FFFFE */
    machine_reset(m);
    probe_clear_depth_stencil(m, 0x7FFFFE, 0);
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, depth, 1);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, DEPTH_TEST, 0, 0x7FFFFF, 0x7FFFFE, 0);
    EXPECT_NO_STEP(&tracer, DEPTH_WRITE);
    EXPECT_NO_STEP(&tracer, COLOR_WRITE);
}

/* BLD-02: source alpha over (10, 20, 30, 255); the alpha channel is masked and keeps its bits. */
EACH_TRACER(trace_pixel, BLD_02_what_is_blended_and_what_a_mask_keeps)
{
    static const struct setting settings[] = { { PICA_REG_BLEND_FUNC, 0x76760000u },
                                               { PICA_REG_DEPTH_COLOR_MASK, 0x1700 } };
    probe_clear_color(m, 10, 20, 30, 255);
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, settings, 2);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, BLEND_DEST, 0, 10, 20, 30, 255);
    EXPECT_STEP(&tracer, BLEND_RESULT, 0, 105, 60, 40, 191);
    EXPECT_NO_STEP(&tracer, LOGIC_OP_DEST);
    EXPECT_NO_STEP(&tracer, LOGIC_OP_RESULT);
    EXPECT_STEP(&tracer, COLOR_WRITE, 0, 0x693C28FFu);
}

/* BLD-05, LOP-01: and of (200, 100, 50, 128) and (10, 20, 30, 255). The history of the pixel does not say "blend". */
EACH_TRACER(trace_pixel, LOP_01_a_logic_operation_in_place_of_blending)
{
    static const struct setting settings[] = { { PICA_REG_COLOR_OPERATION, 0x00E40000 }, { PICA_REG_LOGIC_OP, 1 } };
    probe_clear_color(m, 10, 20, 30, 255);
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, settings, 2);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, LOGIC_OP_DEST, 0, 10, 20, 30, 255);
    EXPECT_STEP(&tracer, LOGIC_OP_RESULT, 0, 8, 4, 18, 128);
    EXPECT_STEP(&tracer, COLOR_WRITE, 0, 0x08041280u);
    EXPECT_NO_STEP(&tracer, BLEND_DEST);
    EXPECT_NO_STEP(&tracer, BLEND_RESULT);
    cr_expect(tracer_is_ordered(&tracer), "%s", m->message);
}

/* SHW-02, GAS-01: words before and afterwards; mode 2 writes nothing but has a colour. */
EACH_TRACER(trace_pixel, the_other_fragment_modes)
{
    static const struct setting shadow[] = { { PICA_REG_COLOR_OPERATION, 0x00E40103 },
                                             { PICA_REG_FRAGOP_SHADOW, 0xBC003E00u } };
    for (uint32_t i = 0; i < 64; i++)
        machine_load_word(m, COLOR_ADDRESS + 4u * i, 0xFF0000FFu); /* zr FF0000, sr FF */
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, shadow, 2);
    const struct pica_trace_step *const step = tracer_find(&tracer, PICA_TRACE_ID_SHADOW_WRITE, 0, 0);
    cr_assert_not_null(step);
    cr_expect_eq(step->values[0], 0xFF0000FFu);
    /* s = 100, x = 7FFFFF / FF0000 = 0.50196..., v = 100 / (1.5 - x) = 100.19 */
    cr_expect_eq(step->values[1], 0x640000FFu);
    EXPECT_NO_STEP(&tracer, ALPHA_TEST);

    static const struct setting gas[] = { { PICA_REG_COLOR_OPERATION, 0x00E40101 } };
    machine_reset(m);
    for (uint32_t i = 0; i < 64; i++)
        machine_load_word(m, COLOR_ADDRESS + 4u * i, 0x7EFF1234);
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, gas, 1);
    EXPECT_STEP(&tracer, GAS_WRITE, 0, 0x7EFF1234, 0x7FFF1234);

    static const struct setting nothing[] = { { PICA_REG_COLOR_OPERATION, 0x00E40102 } };
    machine_reset(m);
    tracer_pixel(&tracer, m, 0, 2, 3);
    draw_strip(m, nothing, 1);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, COMBINER_RESULT, 0, 200, 100, 50, 128);
    EXPECT_NO_STEP(&tracer, COLOR_WRITE);
    EXPECT_NO_STEP(&tracer, DEPTH_TEST);
}
