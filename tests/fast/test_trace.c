/* The trace of `fast` (pica/trace.def) on every instruction set of the host. Expected numbers are worked out by hand. */
#include "tests/conformance/fragment_probe.h"
#include "tests/conformance/gs_probe.h"
#include "tests/conformance/shader_probe.h"
#include "tests/fast/steps.h"

#include <string.h>

static const uint32_t ONE = 0x3F800000;
static const uint32_t TWO = 0x40000000;
static const uint32_t HALF = 0x3F000000;
static const uint32_t MINUS_HALF = 0xBF000000;
static const uint32_t END = 0x88000000;

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
static void plain_pixel(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    probe_pipeline(&list);
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

Test(fast_trace, a_pixel_shows_every_stage_of_the_probe)
{
    each_instruction_set(plain_pixel);
}

/* FBF-06: the same pixel counts from the bottom in the trace wherever its row lies in memory. */
static void flipped_pixel(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    probe_pipeline(&list);
    list_write(&list, PICA_REG_FRAMEBUFFER_DIM, 1u << 24 | 7u << 12 | 8u);
    steps_pixel(m, &steps, 0, 1, 2);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, WEIGHTS, 0, 0, 8191, 0, 3072, 0, 5120, 0);
    EXPECT_STEP(m, &steps, COLOR_WRITE, 0, 0, 0xC8643280);
}

Test(fast_trace, FBF_06_rows_count_from_the_bottom_of_the_screen)
{
    each_instruction_set(flipped_pixel);
}

/* One visit for each triangle that covers the pixel, and none for a pixel that no triangle covers or that is cut. */
static void visits(struct machine *m)
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

Test(fast_trace, RST_04_each_triangle_that_covers_the_pixel_is_one_visit)
{
    each_instruction_set(visits);
}

/* Weights of a triangle of 2^31 units of area are 64-bit numbers (RST-03). */
static void wide_weights(struct machine *m)
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

Test(fast_trace, RST_03_weights_have_64_bits)
{
    each_instruction_set(wide_weights);
}

/* ----------------------------------------------------------------------------------------------------------- tests */

/* FBF-21: what fails a test ends there; the stencil byte is still written. */
static void failed_tests(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    probe_pipeline(&list);
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

Test(fast_trace, FBF_21_a_failed_test_ends_the_steps)
{
    each_instruction_set(failed_tests);
}

/* Blending 1/2 and 1/2: floor((200 * 128 + 100 * 127) / 255) = 150, .. with source alpha 128; fog before it. */
static void blended(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    probe_pipeline(&list);
    probe_clear_color(m, 100, 100, 100, 100);
    list_write(&list, PICA_REG_BLEND_FUNC, 0x76760000);
    steps_pixel(m, &steps, 0, 6, 1);
    draw_quad(m, &list);
    EXPECT_STEP(m, &steps, BLEND_DEST, 0, 0, 100, 100, 100, 100);
    EXPECT_STEP(m, &steps, BLEND_RESULT, 0, 0, 150, 100, 74, 114);
    EXPECT_STEP(m, &steps, COLOR_WRITE, 0, 0, 0x96644A72);
    EXPECT_PIXEL(m, "BLD-02", 6, 1, 150, 100, 74, 114);
}

Test(fast_trace, BLD_02_blending_shows_the_destination_and_the_result)
{
    each_instruction_set(blended);
}

/* FOG-05 with a table of 0.5 everywhere and fog colour (0, 0, 0): half of the colour, alpha as it was. */
static void fogged(struct machine *m)
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

Test(fast_trace, FOG_05_fog_is_a_step_of_its_own)
{
    each_instruction_set(fogged);
}

/* A draw that writes nothing at all, or depth alone: all that would lead to the colour is there, no write. */
static void idle_draws(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    probe_pipeline(&list);
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

Test(fast_trace, draws_that_write_nothing_show_their_fragments)
{
    each_instruction_set(idle_draws);
}

/* Fragment modes 1, 2 and 3 (FBF-22): the colour is a step in all of them, the writes are their own. */
static void other_modes(struct machine *m)
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

Test(fast_trace, FBF_22_other_fragment_modes)
{
    each_instruction_set(other_modes);
}

/* SHW-03, GAS-01: with WRITE off nothing is written, nor by shadows with READ off; gas then sees 0. */
static void modes_without_access(struct machine *m)
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

Test(fast_trace, SHW_03_GAS_01_without_access_there_is_no_write)
{
    each_instruction_set(modes_without_access);
}

/* -------------------------------------------------------------------------------------------------------- textures */

/* An 8x8 I8 image whose texel (s, t) is s + 16 t, with a linear filter between texels 2 and 3 of rows 4 and 5. */
static void textured(struct machine *m)
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

Test(fast_trace, MIP_12_the_four_texels_of_a_linear_filter)
{
    each_instruction_set(textured);
}

/* -------------------------------------------------------------------------------------------------------- vertices */

/* Element draw of three vertices 2, 0, 2: the third is the first again (VTX-24), and has the same steps. */
static void vertices(struct machine *m)
{
    static const uint8_t indices[4] = { 2, 0, 2, 0 };
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex v[4];
    probe_quad(v);
    v[2].color[0] = 2.0f;
    probe_load_vertices(m, v, 4);
    machine_load(m, INDEX_ADDRESS, indices, sizeof indices);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, INDEX_ADDRESS - VERTEX_ADDRESS);
    list_write(&list, PICA_REG_NUMVERTICES, 3);
    list_write(&list, PICA_REG_DRAWELEMENTS, 1);
    steps_vertices(m, &steps, 0);
    machine_submit(m, &list);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 3);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 2);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 1, 0, 0);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 2, 0, 2);
    EXPECT_NUMBER(m, &steps, VERTEX_ATTRIBUTE, 48);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, 0xBF800000, ONE, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 2, 2, TWO, ONE, ONE, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 6, 6, 0, 0, 0, ONE); /* VTX-11 */
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 16, 0, 0xBF800000, 0xBF800000, MINUS_HALF, ONE);
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 21); /* six MOVs and END, three times */
    EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, 1, 1, 0x4C201000);
    EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, 6, 6, END);
    EXPECT_STEP(m, &steps, SHADER_RESULT, 2, 2, TWO, ONE, ONE, ONE);
    EXPECT_NUMBER(m, &steps, OUTPUT_REGISTER, 18);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 2, 2, TWO, ONE, ONE, ONE);
    EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 72);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 8, 8, ONE);       /* SHD-81: at most 1 */
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 0x11, 0x11, ONE); /* nobody writes it */
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 24 + 1, 1, 0xBF800000);
    EXPECT(m, "trace.def", steps_in_order(&steps));

    steps_vertex(m, &steps, 1, 2);
    list.count = 0;
    list_write(&list, PICA_REG_DRAWELEMENTS, 1);
    machine_submit(m, &list);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 2);
    EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 24);
}

Test(fast_trace, VTX_24_a_vertex_that_is_used_again_has_its_steps_again)
{
    each_instruction_set(vertices);
}

/* VTX-12: two entries for one register; the one that loses is still reported. */
static void overridden_attribute(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 255, 0, 255, 0);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543022); /* entries 0 and 1 to v2, 2 to v0 */
    steps_vertex(m, &steps, 0, 1);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, ONE, 0xBF800000, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 1, 1, 0, 0, 0, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 2, 2, ONE, 0, ONE, 0);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 0, 0, ONE, 0, ONE, 0);
}

Test(fast_trace, VTX_12_attributes_are_those_before_the_permutation)
{
    each_instruction_set(overridden_attribute);
}

/* Vertices that part at a condition: each shows the way it went, with its own address and compare registers. */
static void divergent_shader(struct machine *m)
{
    const uint32_t descriptors[2] = { IDENTITY, descriptor("x", "xyzw", "xyzw", "xyzw") };
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    const uint32_t code[6] = { op_cmp(2, 5, SRC_V, SRC_V + 3, 0), /* cmp.x = v0.x < v3.x */
                               op1(PICA_OPCODE_MOVA, 0, SRC_V, 0, 1),
                               op_condition(PICA_OPCODE_JMPC, 1, 1, 2, 4, 0),
                               op1(PICA_OPCODE_MOV, DST_O, SRC_V + 1, 0, 0),
                               op1(PICA_OPCODE_ADD, DST_R, SRC_V, SRC_V, 1),
                               END };
    probe_quad(quad);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    list_code(&list, PICA_UNIT_VERTEX, 0, code, 6);
    list_opdescs(&list, PICA_UNIT_VERTEX, 0, descriptors, 2);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    quad[1].texcoord0[0] = -3.0f;
    steps_vertices(m, &steps, 0);
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_STRIP);
    /* Vertex 0: -1 < 0 jumps over word 3. Vertex 1: 1 < -3 does not. */
    static const uint32_t way[11] = { 0, 1, 2, 4, 5, 0, 1, 2, 3, 4, 5 };
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 11);
    for (size_t i = 0; i < 11; i++)
        EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, i, way[i], code[way[i]]);
    EXPECT_STEP(m, &steps, SHADER_COMPARE, 0, 0, 1, 0);
    EXPECT_STEP(m, &steps, SHADER_COMPARE, 1, 0, 0, 0);
    EXPECT_STEP(m, &steps, SHADER_ADDRESS, 0, 1, UINT32_MAX, 0);
    EXPECT_STEP(m, &steps, SHADER_ADDRESS, 1, 1, 1, 0);
    EXPECT_STEP(m, &steps, SHADER_RESULT, 0, 4, 0xC0000000, 0, 0, 0); /* SHD-10: the rest is 0 */
    EXPECT_STEP(m, &steps, SHADER_RESULT, 2, 4, TWO, 0, 0, 0);
    EXPECT(m, "trace.def", steps_in_order(&steps));
}

Test(fast_trace, SHD_41_vertices_of_one_batch_show_their_own_ways)
{
    each_instruction_set(divergent_shader);
}

/* SHD-13, SHD-14: zero words beyond the code are ADD o0, v0, v0 until the budget ends. */
static void zero_words(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    struct pica_limits limits = machine_default_limits();
    const uint32_t nop = op0(PICA_OPCODE_NOP);
    limits.instructions = 5;
    machine_load_limits(m, &limits);
    probe_quad(quad);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    list_code(&list, PICA_UNIT_VERTEX, 100, &nop, 1);
    list_write(&list, PICA_REG_VSH_ENTRYPOINT, 100);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    steps_vertex(m, &steps, 0, 0);
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_STRIP);
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 5);
    EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, 0, 100, nop);
    for (uint32_t i = 1; i < 5; i++) {
        EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, i, 100 + i, 0);
        EXPECT_STEP(m, &steps, SHADER_RESULT, i - 1, 100 + i, 0xC0000000, 0xC0000000, 0xBF800000, TWO);
    }
}

Test(fast_trace, SHD_13_zero_words_are_instructions)
{
    each_instruction_set(zero_words);
}

/* GEN-02: a NaN of any kind is 7FC00000. */
static void nans(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    probe_quad(quad);
    const uint32_t nan = 0xFFC12345;
    memcpy(&quad[0].color[1], &nan, sizeof nan);
    probe_pipeline(&list);
    steps_vertex(m, &steps, 0, 0);
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_STRIP);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 2, 2, ONE, 0x7FC00000, ONE, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 2, 2, ONE, 0x7FC00000, ONE, ONE);
}

Test(fast_trace, GEN_02_every_NaN_is_the_same)
{
    each_instruction_set(nans);
}

/* -------------------------------------------------------------------------------------------------- geometry, etc. */

/* Each vertex is an invocation of MOV o0, v0; SETEMIT 2, primitive; EMIT; END: slots 0 and 1 are empty. */
static void geometry(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    const uint32_t code[4] = { op1(PICA_OPCODE_MOV, DST_O, SRC_V, 0, 0), op_setemit(2, 1, 0), op0(PICA_OPCODE_EMIT),
                               END };
    gs_pipeline(m, &list, code, 4);
    steps_vertices(m, &steps, 0);
    gs_draw(m, &list, 2);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 2);
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 6);
    EXPECT_NUMBER(m, &steps, GEOMETRY_INSTRUCTION, 8);
    for (uint32_t i = 0; i < 4; i++)
        EXPECT_STEP(m, &steps, GEOMETRY_INSTRUCTION, i, i, code[i]);
    EXPECT_STEP(m, &steps, GEOMETRY_RESULT, 0, 0, ONE, 0, 0, ONE);
    EXPECT_STEP(m, &steps, GEOMETRY_RESULT, 1, 0, TWO, 0, 0, ONE);
    EXPECT_STEP(m, &steps, GEOMETRY_EMIT, 0, 2, ONE, 0, 0, ONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    EXPECT_NUMBER(m, &steps, GEOMETRY_EMIT, 2);
    EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 2 * 3 * 24);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 0, 0, 0);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 48, 0, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 72 + 48, 0, TWO);
    EXPECT(m, "trace.def", steps_in_order(&steps));

    steps_vertex(m, &steps, 1, 1);
    gs_draw_again(m, 2);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 1);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
    EXPECT_NUMBER(m, &steps, GEOMETRY_EMIT, 1);
    gs_draw_again(m, 2); /* not traced */
    EXPECT_NUMBER(m, &steps, GEOMETRY_EMIT, 1);
}

Test(fast_trace, SHD_11_the_geometry_shader_belongs_to_the_vertex_that_completes_its_input)
{
    each_instruction_set(geometry);
}

/* VTX-42: an immediate vertex is a draw of its own; its number is 0. */
static void immediate(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    probe_pipeline(&list);
    list_write(&list, PICA_REG_VSH_NUM_ATTR, 0);
    list_write(&list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
    list_fixed_attribute(&list, 15, float24(1), float24(2), float24(0.5), float24(1));
    list_fixed_attribute(&list, 15, float24(2), float24(0), float24(0), float24(1));
    steps_vertices(m, &steps, 1);
    machine_submit(m, &list);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 0);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, TWO, 0, 0, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 0, 0, TWO, 0, 0, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 0, 0, TWO);
    steps_vertex(m, &steps, 2, 1); /* there is no vertex 1 */
    list.count = 0;
    list_fixed_attribute(&list, 15, float24(2), float24(0), float24(0), float24(1));
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", steps.count, 0);
}

Test(fast_trace, VTX_42_immediate_vertices)
{
    each_instruction_set(immediate);
}

/* ------------------------------------------------------------------------------------------------------- requests */

/* Draws count from load, empty ones too; a request ends with NULL and with load. */
static void requests(struct machine *m)
{
    struct steps steps;
    struct list list = { .count = 0 };
    void *snapshot = NULL;
    probe_pipeline(&list);
    list_write(&list, PICA_REG_NUMVERTICES, 0);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
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
    steps_pixel(m, &steps, 0, 0, 0);
    machine_reset(m);
    list.count = 0;
    probe_pipeline(&list);
    draw_quad(m, &list);
    EXPECT_EQ(m, "trace", steps.count, 0);

    const struct pica_trace_request wrong = { .draw = 0, .subject = (enum pica_trace_subject)7 };
    cr_expect_eq(m->backend->trace(m->instance, &wrong, NULL, NULL), PICA_BAD_ARGUMENT);
}

Test(fast_trace, draws_count_from_load_and_requests_end)
{
    each_instruction_set(requests);
}
