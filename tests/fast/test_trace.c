/* The trace of `fast` (pica/trace.def) on every instruction set of the host. Numbers are worked out by hand. */
#include "tests/conformance/fragment_probe.h"
#include "tests/fast/steps.h"

#include <string.h>

static const uint32_t ONE = 0x3F800000;
static const uint32_t HALF = 0x3F000000;
static const uint32_t MINUS_HALF = 0xBF000000;

/* The probe's quad in one colour, as the next draw; `list` holds the pipeline and what the test changed. */
static void draw_quad(struct machine *m, struct list *list)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 200, 100, 50, 128);
    probe_draw(m, list, quad, 4, PICA_TOPOLOGY_STRIP);
}

/* -------------------------------------------------------------------------------------------------------- a pixel */

/*
 * Pixel (1, 2) of the probe: corners (0,0) (128,0) (0,128) in 1/16 pixel, centre (24,40). E(v1,v2) = -128 * (40 - 0) -
 * 128 * (24 - 128) = 8192, less 1 for the bias; E(v2,v0) = 128 * 24; E(v0,v1) = 128 * 40.
 */
EACH_INSTRUCTION_SET(fast_trace, a_pixel_shows_every_stage_of_the_probe)
{
    struct steps steps;
    struct list list = probe_list();
    steps_pixel(m, &steps, 0, 1, 2);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, CLIP_POSITION, 0, 0, 0xBF800000, 0xBF800000, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, CLIP_POSITION, 1, 1, ONE, 0xBF800000, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, CLIP_POSITION, 2, 2, 0xBF800000, ONE, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, SCREEN_POSITION, 0, 0, 0, 0);
    EXPECT_STEP(m, &steps, SCREEN_POSITION, 1, 1, 128, 0);
    EXPECT_STEP(m, &steps, SCREEN_POSITION, 2, 2, 0, 128);
    EXPECT_STEP(m, &steps, SCREEN_DEPTH, 1, 1, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, WEIGHTS, 0, 0, 8191, 0, 3072, 0, 5120, 0);
    EXPECT_STEP(m, &steps, PRIMARY_COLOR, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, DEPTH_VALUE, 0, 0, HALF);
    EXPECT_STEP(m, &steps, COMBINER_OPERANDS, 0, 0, 200, 100, 50, 128, 0, 0, 0, 0, 0, 0, 0, 0);
    EXPECT_STEP(m, &steps, COMBINER_OUTPUT, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, COMBINER_RESULT, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, ALPHA_TEST, 0, 0, 1);
    EXPECT_STEP(m, &steps, DEPTH_WRITE, 0, 0, 0x7FFFFF);
    EXPECT_STEP(m, &steps, BLEND_RESULT, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, COLOR_WRITE, 0, 0, 0xC8643280);
    EXPECT_NUMBER(m, &steps, SCREEN_POSITION, 3);
    EXPECT(m, "trace.def", steps_in_order(&steps));
    EXPECT_PIXEL(m, "FBF-24", 1, 2, 200, 100, 50, 128);
}

/* FBF-06: the same pixel counts from the bottom in the trace wherever its row lies in memory. */
EACH_INSTRUCTION_SET(fast_trace, FBF_06_rows_count_from_the_bottom_of_the_screen)
{
    struct steps steps;
    struct list list = probe_list();
    list_write(&list, PICA_REG_FRAMEBUFFER_DIM, 1u << 24 | 7u << 12 | 8u);
    steps_pixel(m, &steps, 0, 1, 2);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, WEIGHTS, 0, 0, 8191, 0, 3072, 0, 5120, 0);
    EXPECT_STEP(m, &steps, COLOR_WRITE, 0, 0, 0xC8643280);
}

/* One visit for each triangle that covers the pixel, and none for a pixel that no triangle covers or that is cut. */
EACH_INSTRUCTION_SET(fast_trace, RST_04_each_triangle_that_covers_the_pixel_is_one_visit)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex twice[6];
    probe_quad(twice);
    memcpy(&twice[3], &twice[0], 3 * sizeof twice[0]);
    probe_pipeline(&list);
    steps_pixel(m, &steps, 0, 0, 0);
    probe_draw(m, &list, twice, 6, PICA_TOPOLOGY_LIST);
    EXPECT_NUMBER(m, &steps, WEIGHTS, 2);
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 2);
    EXPECT(m, "trace.def", steps_in_order(&steps));
    steps_pixel(m, &steps, 1, 7, 7);
    list.count = 0;
    probe_draw(m, &list, twice, 6, PICA_TOPOLOGY_LIST);
    EXPECT_EQ(m, "RST-04", steps.count, 0);
    list.count = 0;
    list_write(&list, PICA_REG_SCISSORTEST_MODE, 1);
    list_write(&list, PICA_REG_SCISSORTEST_POS, 0);
    list_write(&list, PICA_REG_SCISSORTEST_DIM, 0);
    steps_pixel(m, &steps, 2, 0, 0);
    probe_draw(m, &list, twice, 6, PICA_TOPOLOGY_LIST);
    EXPECT_EQ(m, "SCS-01", steps.count, 0);
}

/* Weights of a triangle of 2^31 units of area are 64-bit numbers (RST-03). */
EACH_INSTRUCTION_SET(fast_trace, RST_03_weights_have_64_bits)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex v[3];
    probe_pipeline(&list);
    list_write(&list, PICA_REG_VIEWPORT_WIDTH, float24(2048));
    list_write(&list, PICA_REG_VIEWPORT_HEIGHT, float24(2048));
    for (int i = 0; i < 3; i++)
        v[i] = probe_vertex_at(i == 1 ? 1.0f : -1.0f, i == 2 ? 1.0f : -1.0f, -0.5f, 1.0f);
    steps_pixel(m, &steps, 0, 0, 0);
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
    /* Side 65536: E(v1,v2) at (8,8) = -65536 * 8 - 65536 * (8 - 65536) = 65536 * 65520 = 2^32 - 2^20. */
    EXPECT_STEP(m, &steps, WEIGHTS, 0, 0, 0xFFEFFFFF, 0, 0x80000, 0, 0x80000, 0);
}

/* ----------------------------------------------------------------------------------------------------------- tests */

/* FBF-21: a fragment that fails a test ends there; the stencil byte is still written. */
EACH_INSTRUCTION_SET(fast_trace, FBF_21_a_failed_test_ends_the_steps)
{
    struct steps steps;
    struct list list = probe_list();
    list_write(&list, PICA_REG_FRAGOP_ALPHA_TEST, 200u << 8 | 6u << 4 | 1u); /* 128 > 200 */
    steps_pixel(m, &steps, 0, 3, 3);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, COMBINER_RESULT, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, ALPHA_TEST, 0, 0, 0);
    EXPECT_EQ(m, "ATS-01", steps.steps[steps.count - 1].values[0], 0);
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 0);

    machine_reset(m);
    probe_clear_depth_stencil(m, 0x123456, 0x20);
    list.count = 0;
    probe_pipeline(&list);
    list_write(&list, PICA_REG_DEPTH_COLOR_MASK, 0x1F41); /* depth test: less */
    list_write(&list, PICA_REG_STENCIL_TEST, 0xFF10FF11); /* always; reference 0x10 */
    list_write(&list, PICA_REG_STENCIL_OP, 0x031);        /* depth fails: increment */
    steps_pixel(m, &steps, 0, 3, 3);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, STENCIL_TEST, 0, 0, 0x20, 1);
    EXPECT_STEP(m, &steps, DEPTH_TEST, 0, 0, 0x7FFFFF, 0x123456, 0);
    EXPECT_STEP(m, &steps, STENCIL_WRITE, 0, 0, 0x21);
    EXPECT_NUMBER(m, &steps, DEPTH_WRITE, 0);
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 0);
    EXPECT(m, "trace.def", steps_in_order(&steps));

    machine_reset(m);
    probe_clear_depth_stencil(m, 0x123456, 0x20);
    list.count = 0;
    probe_pipeline(&list);
    list_write(&list, PICA_REG_DEPTH_COLOR_MASK, 0x1F41);
    list_write(&list, PICA_REG_STENCIL_TEST, 0xFF10FF21); /* equal */
    list_write(&list, PICA_REG_STENCIL_OP, 0x001);        /* stencil fails: zero */
    steps_pixel(m, &steps, 0, 3, 3);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, STENCIL_TEST, 0, 0, 0x20, 0);
    EXPECT_NUMBER(m, &steps, DEPTH_TEST, 0);
    EXPECT_STEP(m, &steps, STENCIL_WRITE, 0, 0, 0);
}

/* Blending 1/2 and 1/2: floor((200 * 128 + 100 * 127) / 255) = 150, .. with source alpha 128; fog before it. */
EACH_INSTRUCTION_SET(fast_trace, BLD_02_blending_shows_the_destination_and_the_result)
{
    struct steps steps;
    struct list list = probe_list();
    probe_clear_color(m, 100, 100, 100, 100);
    list_write(&list, PICA_REG_BLEND_FUNC, 0x76760000);
    steps_pixel(m, &steps, 0, 6, 1);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, BLEND_DEST, 0, 0, 100, 100, 100, 100);
    EXPECT_STEP(m, &steps, BLEND_RESULT, 0, 0, 150, 100, 74, 114);
    EXPECT_STEP(m, &steps, COLOR_WRITE, 0, 0, 0x96644A72);
    EXPECT_PIXEL(m, "BLD-02", 6, 1, 150, 100, 74, 114);
}

/* BLD-05, LOP-01: and of (200, 100, 50, 128) and (10, 20, 30, 255). */
EACH_INSTRUCTION_SET(fast_trace, LOP_01_a_logic_operation_has_steps_of_its_own)
{
    struct steps steps;
    struct list list = probe_list();
    probe_clear_color(m, 10, 20, 30, 255);
    list_write(&list, PICA_REG_COLOR_OPERATION, 0x00E40000);
    list_write(&list, PICA_REG_LOGIC_OP, 1);
    steps_pixel(m, &steps, 0, 6, 1);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, LOGIC_OP_DEST, 0, 0, 10, 20, 30, 255);
    EXPECT_STEP(m, &steps, LOGIC_OP_RESULT, 0, 0, 8, 4, 18, 128);
    EXPECT_STEP(m, &steps, COLOR_WRITE, 0, 0, 0x08041280);
    EXPECT_NUMBER(m, &steps, BLEND_DEST, 0);
    EXPECT_NUMBER(m, &steps, BLEND_RESULT, 0);
    EXPECT(m, "trace.def", steps_in_order(&steps));
    EXPECT_PIXEL(m, "LOP-01", 6, 1, 8, 4, 18, 128);
}

/* FOG-05 with a table of 0.5 everywhere and fog colour (0, 0, 0): half of the colour, alpha as it was. */
EACH_INSTRUCTION_SET(fast_trace, FOG_05_fog_is_a_step_of_its_own)
{
    struct steps steps;
    struct list list = { .count = 0 };
    uint32_t table[128];
    probe_pipeline(&list);
    for (int i = 0; i < 128; i++)
        table[i] = 1024u << 13;
    list_write(&list, PICA_REG_FOG_LUT_INDEX, 0);
    list_write_many(&list, PICA_REG_FOG_LUT_DATA0, false, table, 128);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 5);
    steps_pixel(m, &steps, 0, 6, 1);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, COMBINER_RESULT, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, FOG_COLOR, 0, 0, 100, 50, 25, 128);
    EXPECT(m, "trace.def", steps_in_order(&steps));
    EXPECT_PIXEL(m, "FOG-05", 6, 1, 100, 50, 25, 128);
}

/* A draw that writes nothing at all, or depth alone: all steps up to the colour are there, but no write. */
EACH_INSTRUCTION_SET(fast_trace, draws_that_write_nothing_show_their_fragments)
{
    struct steps steps;
    struct list list = probe_list();
    list_write(&list, PICA_REG_COLORBUFFER_WRITE, 0);
    steps_pixel(m, &steps, 0, 5, 5);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, COMBINER_RESULT, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, DEPTH_WRITE, 0, 0, 0x7FFFFF);
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 0);
    list.count = 0;
    list_write(&list, PICA_REG_DEPTHBUFFER_WRITE, 0);
    steps_pixel(m, &steps, 1, 5, 5);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, COMBINER_RESULT, 0, 0, 200, 100, 50, 128);
    EXPECT_STEP(m, &steps, ALPHA_TEST, 0, 0, 1);
    EXPECT_NUMBER(m, &steps, DEPTH_WRITE, 0);
    probe_clear_color(m, 1, 2, 3, 4);
    list.count = 0;
    list_write(&list, PICA_REG_COLORBUFFER_WRITE, 15);
    list_write(&list, PICA_REG_DEPTH_COLOR_MASK, 0); /* FBF-17: a write of no channel */
    steps_pixel(m, &steps, 2, 5, 5);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, COLOR_WRITE, 0, 0, 0x01020304);
    EXPECT_PIXEL(m, "FBF-17", 5, 5, 1, 2, 3, 4);
    EXPECT_DEPTH(m, "FBF-27", 5, 5, 0x7FFFFF);
}

/* Fragment modes 1, 2 and 3 (FBF-22): the colour is a step in all of them, the writes are their own. */
EACH_INSTRUCTION_SET(fast_trace, FBF_22_other_fragment_modes)
{
    struct steps steps;
    for (uint32_t mode = 1; mode <= 3; mode++) {
        struct list list = { .count = 0 };
        machine_reset(m);
        probe_clear_color(m, 0x12, 0x34, 0x00, 0xFF); /* 0x123400FF */
        probe_pipeline(&list);
        list_write(&list, PICA_REG_COLOR_OPERATION, 0x00E40100 | mode);
        list_write(&list, PICA_REG_FRAGOP_SHADOW, 0x00003C00);
        machine_case(m, "mode %u", (unsigned)mode);
        steps_pixel(m, &steps, 0, 4, 0);
        draw_quad(m, &list);
        EXPECT_STEP(m, &steps, DEPTH_VALUE, 0, 0, HALF);
        EXPECT_STEP(m, &steps, COMBINER_RESULT, 0, 0, 200, 100, 50, 128);
        EXPECT_NUMBER(m, &steps, ALPHA_TEST, 0);
        EXPECT_NUMBER(m, &steps, COLOR_WRITE, 0);
        EXPECT_NUMBER(m, &steps, GAS_WRITE, mode == 1u);
        EXPECT_NUMBER(m, &steps, SHADOW_WRITE, mode == 3u);
        /* GAS-01: 0x00FF has k = 0, so 0; 0x1234 has k = 0x12 and stays. */
        if (mode == 1u)
            EXPECT_STEP(m, &steps, GAS_WRITE, 0, 0, 0x123400FF, 0x12340000);
        /* SHW-02: d = 0x7FFFFF < zr = 0xFF0034; s = 100, sr = 0x12 <= s / 1.0: nothing changes. */
        if (mode == 3u)
            EXPECT_STEP(m, &steps, SHADOW_WRITE, 0, 0, 0x123400FF, 0x123400FF);
        EXPECT_EQ(m, "trace.def", probe_pixel(m, 4, 0), mode == 1u ? 0x12340000u : 0x123400FFu);
    }
}

/* SHW-03, GAS-01: with WRITE off nothing is written, nor by shadows with READ off; gas then sees 0. */
EACH_INSTRUCTION_SET(fast_trace, SHW_03_GAS_01_without_access_there_is_no_write)
{
    struct steps steps;
    for (uint32_t row = 0; row < 4; row++) {
        const uint32_t mode = row % 2u == 0u ? 1u : 3u;
        const bool reads = row / 2u != 0u;
        struct list list = { .count = 0 };
        machine_reset(m);
        probe_clear_color(m, 0x12, 0x34, 0x56, 0x78);
        probe_pipeline(&list);
        list_write(&list, PICA_REG_COLOR_OPERATION, 0x00E40100 | mode);
        list_write(&list, reads ? PICA_REG_COLORBUFFER_WRITE : PICA_REG_COLORBUFFER_READ, 0);
        machine_case(m, "row %u", (unsigned)row);
        steps_pixel(m, &steps, 0, 4, 0);
        draw_quad(m, &list);
        EXPECT_STEP(m, &steps, COMBINER_RESULT, 0, 0, 200, 100, 50, 128);
        EXPECT_NUMBER(m, &steps, GAS_WRITE, row == 0u);
        EXPECT_NUMBER(m, &steps, SHADOW_WRITE, 0);
        if (row == 0u)
            EXPECT_STEP(m, &steps, GAS_WRITE, 0, 0, 0, 0);
        EXPECT_EQ(m, "SHW-03", probe_pixel(m, 4, 0), row == 0u ? 0u : 0x12345678u);
    }
}

/* -------------------------------------------------------------------------------------------------------- textures */

/* An 8x8 I8 image whose texel (s, t) is s + 16 t, with a linear filter between texels 2 and 3 of rows 4 and 5. */
EACH_INSTRUCTION_SET(fast_trace, MIP_12_the_four_texels_of_a_linear_filter)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct dots dots = { .count = 0 };
    uint8_t image[64];
    for (uint32_t t = 0; t < 8; t++)
        for (uint32_t s = 0; s < 8; s++)
            image[probe_index(s, 7u - t, 8)] = (uint8_t)(s + 16u * t); /* TEX-21: the last row is t = 0 */
    machine_load(m, TEXTURE_ADDRESS, image, sizeof image);
    probe_texcoord(dots_add(&dots), 3, 0.375f, 0.625f); /* U = 3 * 256, V = 5 * 256: half way between texels */
    probe_pipeline(&list);
    texture_bind(&list, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8, .mag = 1 });
    steps_pixel(m, &steps, 0, 0, 0);
    dots_draw(m, &list, &dots);
    EXPECT_STEP(m, &steps, TEXCOORD, 0, 0, 0x3EC00000, 0x3F200000, ONE);
    EXPECT_STEP(m, &steps, TEXTURE_COORDINATE, 0, 0, 0x3EC00000, 0x3F200000);
    EXPECT_STEP(m, &steps, TEXTURE_TEXEL, 0, 0, 0x42, 0x42, 0x42, 255);
    EXPECT_STEP(m, &steps, TEXTURE_TEXEL, 1, 1, 0x43, 0x43, 0x43, 255);
    EXPECT_STEP(m, &steps, TEXTURE_TEXEL, 2, 2, 0x52, 0x52, 0x52, 255);
    EXPECT_STEP(m, &steps, TEXTURE_TEXEL, 3, 3, 0x53, 0x53, 0x53, 255);
    EXPECT_STEP(m, &steps, TEXTURE_COLOR, 0, 0, 0x4B, 0x4B, 0x4B, 255); /* (0x42+0x43+0x52+0x53)/4 = 74.5, up */
    EXPECT(m, "trace.def", steps_in_order(&steps));
}

/* ------------------------------------------------------------------------------------------------------- requests */

static void count_step(void *user, const struct pica_trace_step *step)
{
    uint32_t *const count = user;
    *count += step->count;
}

/* Draws count from load, empty ones too; a request ends with NULL and with load. */
EACH_INSTRUCTION_SET(fast_trace, draws_count_from_load_and_requests_end)
{
    struct steps steps;
    struct list list = { .count = 0 };
    void *snapshot = NULL;
    probe_pipeline(&list);
    list_draw(&list, 0);
    steps_pixel(m, &steps, 1, 0, 0);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-25", steps.count, 0);
    cr_assert_eq(m->backend->save(m->instance, &snapshot), PICA_OK);
    list.count = 0;
    draw_quad(m, &list);
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 1);
    list.count = 0;
    draw_quad(m, &list);
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 1);
    cr_assert_eq(m->backend->restore(m->instance, snapshot), PICA_OK);
    m->backend->discard(m->instance, snapshot);
    list.count = 0;
    draw_quad(m, &list); /* number 1 again */
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 2);

    steps_pixel(m, &steps, 2, 0, 0);
    cr_assert_eq(m->backend->trace(m->instance, NULL, NULL, NULL), PICA_OK);
    list.count = 0;
    draw_quad(m, &list);
    EXPECT_EQ(m, "trace", steps.count, 0);
    steps_pixel(m, &steps, 0, 0, 0); /* outlives a load, which counts draws from 0 again */
    machine_reset(m);
    list.count = 0;
    probe_pipeline(&list);
    draw_quad(m, &list);
    EXPECT_NUMBER(m, &steps, COLOR_WRITE, 1);

    uint32_t count = 0;
    const struct pica_trace_request wrong = { .draw = 0, .subject = (enum pica_trace_subject)7 };
    cr_expect_eq(m->backend->trace(m->instance, &wrong, count_step, &count), PICA_BAD_ARGUMENT);
    cr_expect_eq(m->backend->trace(m->instance, &wrong, NULL, NULL), PICA_OK);
}
