/* The steps of a pixel's shading: textures, lighting, combiner, fog. */
#include "tests/conformance/lighting_probe.h"
#include "tests/reference/tracer.h"

static struct tracer tracer;

/* Draws the dots as draw 0 and traces the first. */
static void trace_dots(struct machine *m, struct list *list, struct dots *dots)
{
    tracer_pixel(&tracer, m, 0, 0, 0);
    dots_draw(m, list, dots);
    tracer_stop(&tracer);
    cr_expect(tracer_is_ordered(&tracer), "%s", m->message);
}

/*
 * I8, 8x8, byte n of the texture is n; (0.3, 0.7). U = floor(0.3 * 8 * 256) = 614, V = 1433. Nearest: column 2, t 5, so
 * row 2, texel 12. Linear: U' = 486, V' = 1305: columns 1 and 2, t 5 and 6, fs 230, ft 25, texels 9, 12, 3, 6: top
 * 2994, bottom 1458, (2994 * 231 + 1458 * 25 + 32768) >> 16 = 11. The dot is flat: rho = 0, lod -32512.
 */
EACH_TRACER(trace_shading, MIP_12_texels_by_tap)
{
    struct texture texture = { .unit = 1, .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 };
    load_pattern(m, TEXTURE_ADDRESS, 64, 1, 0);
    for (uint32_t filter = 0; filter < 2; filter++) {
        machine_reset(m);
        load_pattern(m, TEXTURE_ADDRESS, 64, 1, 0);
        struct dots dots = { .count = 0 };
        probe_texcoord(dots_add(&dots), 3, 0.3f, 0.7f);
        struct list list = probe_list();
        texture.mag = filter;
        texture_bind(&list, &texture);
        trace_dots(m, &list, &dots);
        EXPECT_STEP(&tracer, TEXCOORD, 1, f32_bits(0.3f), f32_bits(0.7f));
        EXPECT_STEP(&tracer, TEXTURE_COORDINATE, 1, f32_bits(0.3f), f32_bits(0.7f));
        EXPECT_STEP(&tracer, TEXTURE_LOD, 1, (uint32_t)-32512, 0);
        const uint32_t t = 16u * 4u; /* unit 1, level 0 */
        if (filter == 0) {
            EXPECT_STEP(&tracer, TEXTURE_TEXEL, t, 12, 12, 12, 255);
            EXPECT_STEP(&tracer, TEXTURE_COLOR, 1, 12, 12, 12, 255);
            continue;
        }
        EXPECT_STEP(&tracer, TEXTURE_TEXEL, t, 9, 9, 9, 255);
        EXPECT_STEP(&tracer, TEXTURE_TEXEL, t + 1u, 12, 12, 12, 255);
        EXPECT_STEP(&tracer, TEXTURE_TEXEL, t + 2u, 3, 3, 3, 255);
        EXPECT_STEP(&tracer, TEXTURE_TEXEL, t + 3u, 6, 6, 6, 255);
        EXPECT_STEP(&tracer, TEXTURE_COLOR, 1, 11, 11, 11, 255);
    }
    EXPECT_NO_STEP(&tracer, TEXTURE_SHADOW);
    EXPECT_NO_STEP(&tracer, TEXTURE_FACE);
    EXPECT_NO_STEP(&tracer, PRIMARY_COLOR);
}

/* Level of detail: u_x = 3/8 of 8 texels: rho 3, lod 384; bias -256: lodb 128; nearest mip: level 1. */
EACH_TRACER(trace_shading, MIP_09_level_of_detail)
{
    struct dots dots = dots_at(0.25f, 0.25f);
    dot_derivative(dots.vertices, 0, 0.375f, 0, 0, 0);
    struct list list = probe_list();
    const struct texture texture = {
        .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8, .mip = 1, .max_level = 3, .bias = -256
    };
    load_pattern(m, TEXTURE_ADDRESS, 128, 0, 9);
    texture_bind(&list, &texture);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, TEXTURE_LOD, 0, 128, 128);
    EXPECT_STEP(&tracer, TEXTURE_TEXEL, 0, 9, 9, 9, 255); /* level 0 */
    EXPECT_STEP(&tracer, TEXTURE_TEXEL, 4, 9, 9, 9, 255); /* level 1 */
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_TEXTURE_TEXEL), 2);
}

/* CUB-06: (0.5, -2, 1) is on -Y, S = 0.625, T = 0.25. SDW-10: zi = 7FFDFF. */
EACH_TRACER(trace_shading, CUB_06_SDW_10_faces_and_shadow_references)
{
    struct dots dots = dots_at3(0.5f, -2.0f, 1.0f);
    struct list list = probe_list();
    const struct texture cube = {
        .type = PICA_TEXTURE_TYPE_CUBE, .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8
    };
    texture_bind(&list, &cube);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, TEXCOORD, 0, 0x3F000000, 0xC0000000u, 0x3F800000);
    EXPECT_STEP(&tracer, TEXTURE_FACE, 0, 3);
    EXPECT_STEP(&tracer, TEXTURE_COORDINATE, 0, 0x3F200000, 0x3E800000);

    machine_reset(m);
    dots.count = 0;
    dots_add_texcoord3(&dots, 0.0f, 0.99f, 0.5f); /* texel 0 of memory */
    list.count = 0;
    probe_pipeline(&list);
    const struct texture shadow = {
        .type = PICA_TEXTURE_TYPE_SHADOW_2D, .format = PICA_TEXTURE_FORMAT_RGBA8, .width = 8, .height = 8
    };
    machine_load_word(m, TEXTURE_ADDRESS, 0xC0FFFD7Fu); /* bytes 7F FD FF C0 */
    texture_bind(&list, &shadow);
    list_write(&list, PICA_REG_TEXUNIT0_SHADOW, 0x201);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, TEXTURE_TEXEL, 0, 0xC0, 0xFF, 0xFD, 0x7F);
    EXPECT_STEP(&tracer, TEXTURE_SHADOW, 0, 0x7FFDFF);
    EXPECT_STEP(&tracer, TEXTURE_COLOR, 0, 0xC0, 0xC0, 0xC0, 0xC0);
    EXPECT_NO_STEP(&tracer, TEXTURE_LOD);
}

/* PTX-18: LUT(0.3) = 3E998333, LUT(0.25) = 3E7FCFFD on the ramp; functions u and v; alpha 0.25 * 255. */
EACH_TRACER(trace_shading, PTX_13_coordinates_maps_and_colour)
{
    struct dots dots = dots_at(0.3f, -0.25f);
    struct list list = probe_list();
    const struct proctex proctex = { .u_clamp = PICA_PROCTEX_CLAMP_EDGE,
                                     .v_clamp = PICA_PROCTEX_CLAMP_EDGE,
                                     .rgb_func = PICA_PROCTEX_FUNC_U,
                                     .alpha_func = PICA_PROCTEX_FUNC_V,
                                     .separate_alpha = 1,
                                     .width = 128 };
    proctex_bind(&list, &proctex);
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, PROCTEX_COORDINATE, 0, f32_bits(0.3f), 0x3E800000);
    EXPECT_STEP(&tracer, PROCTEX_LOOKUP, 0, 0x3E998333);
    EXPECT_STEP(&tracer, PROCTEX_LOOKUP, 1, 0x3E7FCFFD);
    EXPECT_STEP(&tracer, PROCTEX_COLOR, 0, 0, 38, 217, 63); /* x = 127 * 0.29983 = 38.08: entry 38 of the meter */
}

static void load_lit_40(struct list *list)
{
    for (uint32_t t = 0; t < 24; t++) {
        uint32_t words[256];
        for (uint32_t k = 0; k < 256; k++)
            words[k] = ((k * 16u + t) & 0xFFFu) | ((k * 3u + t) & 0x7FFu) << 12 | (k & 1u) << 23;
        list_lighting_table(list, t, words, 256);
    }
}

/* The registers of LIT-40. Textures of 8x8 RGBA8 texels, all alike. */
static void list_lit_40(struct list *list)
{
    static const struct register_write writes[] = {
        { PICA_REG_LIGHT2_SPECULAR0, 200u << 20 | 100u << 10 | 50u },
        { PICA_REG_LIGHT2_SPECULAR1, 40u << 20 | 80u << 10 | 120u },
        { PICA_REG_LIGHT2_DIFFUSE, 255u << 20 | 128u << 10 | 64u },
        { PICA_REG_LIGHT2_AMBIENT, 10u << 20 | 20u << 10 | 30u },
        { PICA_REG_LIGHT2_XY, 0x40003C00 },
        { PICA_REG_LIGHT2_Z, 0xB800 },
        { PICA_REG_LIGHT2_SPOTDIR_XY, 500u << 16 | (0x2000u - 1000u) },
        { PICA_REG_LIGHT2_SPOTDIR_Z, 1800 },
        { PICA_REG_LIGHT2_CONFIG, 0xC },
        { PICA_REG_LIGHT2_ATTENUATION_BIAS, 0x3B000 },
        { PICA_REG_LIGHT2_ATTENUATION_SCALE, 0x3C000 },
        { PICA_REG_LIGHTING_NUM_LIGHTS, 0 },
        { PICA_REG_LIGHTING_LIGHT_PERMUTATION, 2 },
        { PICA_REG_LIGHTING_CONFIG0, 0x8Cu | 1u | 3u << 16 | 1u << 19 | 1u << 27 | 1u << 28 | 1u << 24 },
        { PICA_REG_LIGHTING_CONFIG1, 0 },
        { PICA_REG_LIGHTING_ENABLE0, 1 },
        { PICA_REG_LIGHTING_ENABLE1, 0 },
        { PICA_REG_LIGHTING_LUTINPUT_ABS, 2u << 4 | 2u << 12 | 2u << 20 },
        { PICA_REG_LIGHTING_LUTINPUT_SELECT, 0x00532410 },
        { PICA_REG_LIGHTING_LUTINPUT_SCALE, 1u | 7u << 12 | 6u << 16 },
        { PICA_REG_LIGHTING_AMBIENT, 5u << 20 | 6u << 10 | 7u },
    };
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        list_write(list, writes[i].id, writes[i].value);
}

/* LIT-40, and what LIT-16 says about its normal: the numbers are recomputed by ci/expected. */
EACH_TRACER(trace_shading, LIT_40_every_table_of_a_light)
{
    for (uint32_t i = 0; i < 64; i++) {
        machine_load_word(m, TEXTURE_ADDRESS + 4u * i, 0xB45ADCFFu);
        machine_load_word(m, TEXTURE_ADDRESS + 0x1000u + 4u * i, 0xFF804020u);
    }
    struct list tables = { .count = 0 };
    load_lit_40(&tables);
    machine_submit(m, &tables);
    struct dots dots = { .count = 0 };
    struct probe_vertex *const v = dots_add(&dots);
    for (size_t i = 0; i < 3; i++) {
        const float quaternion[4] = { 0.1f, 0.2f, 0.3f, 0.9f }, view[3] = { 0.2f, -0.3f, 1.5f };
        memcpy(v[i].quaternion, quaternion, sizeof quaternion);
        memcpy(v[i].view, view, sizeof view);
    }
    struct list list = probe_list();
    struct texture texture = { .format = PICA_TEXTURE_FORMAT_RGBA8, .width = 8, .height = 8 };
    texture_bind(&list, &texture);
    texture.unit = 1;
    texture.address = TEXTURE_ADDRESS + 0x1000u;
    texture_bind(&list, &texture);
    list_write(&list, PICA_REG_TEXUNIT_CONFIG, 3);
    list_lit_40(&list);
    probe_source(&list, PICA_TEV_SOURCE_FRAGMENT_PRIMARY);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, TEXTURE_COLOR, 0, 180, 90, 220, 255);
    EXPECT_STEP(&tracer, QUATERNION, 0, f32_bits(0.1f), f32_bits(0.2f), f32_bits(0.3f), f32_bits(0.9f));
    EXPECT_STEP(&tracer, VIEW, 0, f32_bits(0.2f), f32_bits(-0.3f), f32_bits(1.5f));
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 0, 0x3FCD7B95);
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 1, 0x3F0E7FA1);
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 2, 0x3EBEA336);
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 3, 0x3E23D6AC);
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 4, 0x3E10183A);
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 5, 0x3F8B1F39);
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 6, 0x3F4DE44E);
    EXPECT_STEP(&tracer, LIGHT_LOOKUP, 7, 0x3E6B72FB);
    const struct pica_trace_step *const direction = tracer_find(&tracer, PICA_TRACE_ID_LIGHT_DIRECTION, 0, 0);
    cr_assert_not_null(direction);
    cr_expect_eq(direction->values[3], 0x4013C167); /* dist */
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_LIGHT_NORMAL), 1);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_LIGHT_TANGENT), 1);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_LIGHT_HALF), 1);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_LIGHT_TERMS), 1);
    EXPECT_STEP(&tracer, LIGHT_PRIMARY, 0, 19, 11, 10, 5);
    EXPECT_STEP(&tracer, LIGHT_SECONDARY, 0, 6, 2, 0, 5);
    EXPECT_STEP(&tracer, COMBINER_RESULT, 0, 19, 11, 10, 5);
}

/* LIT-16: without bump map the normal is 3EE25BA0, BD8158EC, 3F650D79 No table asks for Hn or Tg. */
EACH_TRACER(trace_shading, LIT_39_a_light_without_tables)
{
    struct dots dots = { .count = 0 };
    struct probe_vertex *const v = dots_add(&dots);
    for (size_t i = 0; i < 3; i++) {
        const float quaternion[4] = { 0.1f, 0.2f, 0.3f, 0.9f };
        memcpy(v[i].quaternion, quaternion, sizeof quaternion);
    }
    struct list list = probe_list();
    list_write(&list, PICA_REG_LIGHT0_CONFIG, 1);
    list_write(&list, PICA_REG_LIGHT0_XY, 0x40003C00);
    list_write(&list, PICA_REG_LIGHT0_Z, 0x4200);
    list_write(&list, PICA_REG_LIGHT0_DIFFUSE, 255u << 20 | 128u << 10);
    list_write(&list, PICA_REG_LIGHT0_AMBIENT, 16u << 20 | 16u << 10 | 16u);
    list_write(&list, PICA_REG_LIGHTING_CONFIG1, 0xFFFFFFFFu); /* no table at all */
    list_write(&list, PICA_REG_LIGHTING_LUTINPUT_SELECT, 4u << 8);
    list_write(&list, PICA_REG_LIGHTING_ENABLE0, 1);
    list_write(&list, PICA_REG_LIGHTING_ENABLE1, 0);
    probe_source(&list, PICA_TEV_SOURCE_FRAGMENT_PRIMARY);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, LIGHT_NORMAL, 0, 0x3EE25BA0, 0xBD8158ECu, 0x3F650D79);
    EXPECT_NO_STEP(&tracer, LIGHT_LOOKUP);
    EXPECT_NO_STEP(&tracer, LIGHT_TANGENT);
    EXPECT_NO_STEP(&tracer, LIGHT_HALF);
    EXPECT_STEP(&tracer, LIGHT_PRIMARY, 0, 220, 118, 16, 255); /* LIT-39 */
}

/* TEV-15: interpolate 200 and 30 by 77 is 81, twice that 162. TEV-17: alpha replaces, so only its operand 0 is read. */
EACH_TRACER(trace_shading, TEV_17_operands_that_are_not_read_are_0)
{
    struct dots dots = { .count = 0 };
    probe_color(dots_add(&dots), 3, 200, 30, 77, 9);
    struct list list = probe_list();
    list_write(&list, PICA_REG_TEXENV0_SOURCE, 0);
    list_write(&list, PICA_REG_TEXENV0_OPERAND, 0xC84); /* red, green, blue */
    list_write(&list, PICA_REG_TEXENV0_COMBINER, 4);
    list_write(&list, PICA_REG_TEXENV0_SCALE, 1);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, COMBINER_OPERANDS, 0, 200, 200, 200, 9, 30, 30, 30, 0, 77, 77, 77, 0);
    EXPECT_STEP(&tracer, COMBINER_OUTPUT, 0, 162, 162, 162, 9);
    EXPECT_STEP(&tracer, COMBINER_RESULT, 0, 162, 162, 162, 9);
}

/* FOG-06: entry 89 of the flipped table; colour 255 on fog 0 is 109. */
EACH_TRACER(trace_shading, FOG_06_the_colour_after_fog)
{
    struct dots dots = { .count = 0 };
    struct probe_vertex *const v = dots_add(&dots);
    probe_color(v, 3, 255, 255, 255, 7);
    dot_depth(v, 0.3f);
    uint32_t words[128] = { 0 };
    words[89] = 0x7D1F38;
    struct list list = probe_list();
    list_fog_table(&list, words, 128);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 0x10005);
    list_write(&list, PICA_REG_FOG_COLOR, 0);
    trace_dots(m, &list, &dots);
    EXPECT_STEP(&tracer, DEPTH_VALUE, 0, f32_bits(0.3f));
    EXPECT_STEP(&tracer, COMBINER_RESULT, 0, 255, 255, 255, 7);
    EXPECT_STEP(&tracer, FOG_COLOR, 0, 109, 109, 109, 7);
}
