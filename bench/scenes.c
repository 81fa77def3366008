#include "bench/scenes.h"

#include "pica/regs.h"

#include <string.h>

enum {
    COLOR_ADDRESS = 0x18000000,
    DEPTH_ADDRESS = 0x18080000,
    VRAM_SIZE = 0x100000,
    LIST_ADDRESS = 0x20000000,
    VERTEX_ADDRESS = 0x20010000,
    TEXTURE_ADDRESS = 0x20040000,
    FCRAM_SIZE = 0x80000,
    TEXTURE_SIDE = 256,
    VERTEX_FLOATS = 17, /* position 4, texcoord 2, quaternion 4, view 3, colour 4 */
    VERTICES = 6 * BENCH_LAYERS
};

/* A case under construction; the first failed allocation stops everything after it. */
struct builder {
    struct harness_case *test_case;
    struct harness_list list;
    bool good;
};

static void put(struct builder *builder, uint16_t id, uint32_t value)
{
    builder->good = builder->good && harness_list_write(builder->test_case, &builder->list, id, value);
}

static void put_port(struct builder *builder, uint16_t id, const uint32_t *words, size_t count)
{
    builder->good = builder->good && harness_list_write_port(builder->test_case, &builder->list, id, words, count);
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* FLT-23 for numbers that float24 holds exactly. */
static uint32_t float24(float value)
{
    const uint32_t bits = float_bits(value);
    if (value == 0.0f)
        return 0;
    return (bits >> 31) << 23 | (((bits >> 23) & 0xFFu) - 64u) << 16 | ((bits & 0x7FFFFFu) >> 7);
}

const char *bench_scene_name(enum bench_scene scene)
{
    switch (scene) {
    case BENCH_VERTEX_COLOR: return "(a) vertex colours, depth test, blending";
    case BENCH_TEXTURE_NEAREST: return "(b) texture x colour, nearest";
    case BENCH_TEXTURE_BILINEAR: return "(b) texture x colour, bilinear";
    case BENCH_LIGHT: return "(c) texture, one light, six combiner stages";
    }
    return "?"; /* not reached */
}

/* -------------------------------------------------------------------------------------------------- memory contents */

static void put_vertex(uint8_t *out, float x, float y, float w, float layer)
{
    const float values[VERTEX_FLOATS] = {
        x * w,
        y * w,
        (-0.5f - 0.05f * layer) * w,
        w, /* position */
        (x + 1.0f) * 0.75f,
        (y + 1.0f) * 0.5f, /* texcoord 0 */
        0.2f * x,
        0.2f * y,
        0.1f * layer,
        0.9f, /* normal quaternion */
        -x,
        -y,
        2.0f, /* view */
        0.5f + 0.5f * x,
        0.5f + 0.5f * y,
        0.25f * layer,
        0.5f + 0.25f * x, /* colour */
    };
    for (int i = 0; i < VERTEX_FLOATS; i++) {
        const uint32_t bits = float_bits(values[i]);
        for (int k = 0; k < 4; k++)
            *out++ = (uint8_t)(bits >> (8 * k));
    }
}

/* Two triangles a layer; w differs from corner to corner, so that interpolation is perspective. */
static void add_vertices(struct builder *builder)
{
    static const float corners[6][3] = { { -1, -1, 1 }, { 1, -1, 1.5f }, { -1, 1, 2 },
                                         { -1, 1, 2 },  { 1, -1, 1.5f }, { 1, 1, 3 } };
    uint8_t bytes[VERTICES * VERTEX_FLOATS * 4];
    uint8_t *out = bytes;
    for (int layer = 0; layer < BENCH_LAYERS; layer++)
        for (int i = 0; i < 6; i++, out += VERTEX_FLOATS * 4)
            put_vertex(out, corners[i][0], corners[i][1], corners[i][2], (float)layer);
    struct harness_data data;
    builder->good = builder->good && harness_data_bytes(builder->test_case, &data, bytes, sizeof bytes) &&
                    harness_case_add_chunk(builder->test_case, VERTEX_ADDRESS, &data) != NULL;
}

static void add_texture(struct builder *builder)
{
    struct harness_data data;
    harness_data_pattern(&data, HARNESS_PATTERN_NOISE, 1, TEXTURE_SIDE * TEXTURE_SIDE * 4);
    builder->good = builder->good && harness_case_add_chunk(builder->test_case, TEXTURE_ADDRESS, &data) != NULL;
}

/* ------------------------------------------------------------------------------------------------------------ state */

static void put_target(struct builder *builder)
{
    put(builder, PICA_REG_VIEWPORT_WIDTH, float24(BENCH_WIDTH / 2.0f));
    put(builder, PICA_REG_VIEWPORT_HEIGHT, float24(BENCH_HEIGHT / 2.0f));
    put(builder, PICA_REG_DEPTHMAP_SCALE, float24(-1.0f));
    put(builder, PICA_REG_DEPTHMAP_OFFSET, 0);
    put(builder, PICA_REG_DEPTHMAP_ENABLE, 1);
    put(builder, PICA_REG_COLORBUFFER_READ, 0xF);
    put(builder, PICA_REG_COLORBUFFER_WRITE, 0xF);
    put(builder, PICA_REG_DEPTHBUFFER_READ, 3);
    put(builder, PICA_REG_DEPTHBUFFER_WRITE, 3);
    put(builder, PICA_REG_DEPTHBUFFER_FORMAT, PICA_DEPTH_FORMAT_D24S8);
    put(builder, PICA_REG_COLORBUFFER_FORMAT, pica_colorbuffer_format_set_pixel_size(0, 2));
    put(builder, PICA_REG_DEPTHBUFFER_LOC, DEPTH_ADDRESS >> 3);
    put(builder, PICA_REG_COLORBUFFER_LOC, COLOR_ADDRESS >> 3);
    put(builder, PICA_REG_FRAMEBUFFER_DIM, BENCH_WIDTH | (BENCH_HEIGHT - 1) << 12 | 1u << 24);
    put(builder, PICA_REG_RENDERBUF_DIM, BENCH_WIDTH | (BENCH_HEIGHT - 1) << 12 | 1u << 24);
}

/* Attribute k -> v[k] -> o[k]: position, texcoord 0, quaternion, view, colour. */
static void put_vertex_stage(struct builder *builder)
{
    static const uint32_t code[] = { 0x4C000000, 0x4C201000, 0x4C402000, 0x4C603000, 0x4C804000, 0x88000000 };
    static const uint32_t identity[] = { 0x0D86C36F };
    static const uint32_t outputs[] = { 0x03020100, 0x1F1F0D0C, 0x07060504, 0x1F141312, 0x0B0A0908 };
    put(builder, PICA_REG_VSH_CODETRANSFER_INDEX, 0);
    put_port(builder, PICA_REG_VSH_CODETRANSFER_DATA0, code, sizeof code / sizeof code[0]);
    put(builder, PICA_REG_VSH_CODETRANSFER_END, 1);
    put(builder, PICA_REG_VSH_OPDESCS_INDEX, 0);
    put_port(builder, PICA_REG_VSH_OPDESCS_DATA0, identity, 1);
    put(builder, PICA_REG_VSH_ENTRYPOINT, 0x7FFF0000);
    put(builder, PICA_REG_VSH_OUTMAP_MASK, 0x1F);
    put(builder, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000004);
    put(builder, PICA_REG_VSH_NUM_ATTR, 4);
    put(builder, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x43210);
    put(builder, PICA_REG_VSH_OUTMAP_TOTAL1, 4);
    put(builder, PICA_REG_VSH_OUTMAP_TOTAL2, 4);
    put(builder, PICA_REG_SH_OUTMAP_TOTAL, 5);
    for (uint16_t i = 0; i < 5; i++)
        put(builder, (uint16_t)(PICA_REG_SH_OUTMAP_O0 + i), outputs[i]);
    put(builder, PICA_REG_ATTRIBBUFFERS_LOC, VERTEX_ADDRESS >> 3);
    put(builder, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 0xFBF7F); /* f32: 4, 2, 4, 3, 4 of them */
    put(builder, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 4u << 28);
    put(builder, PICA_REG_ATTRIBBUFFER0_OFFSET, 0);
    put(builder, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0x43210);
    put(builder, PICA_REG_ATTRIBBUFFER0_CONFIG2, 5u << 28 | VERTEX_FLOATS * 4 << 16);
}

static void put_stage(struct builder *builder, uint32_t stage, uint32_t sources, uint32_t mode, uint32_t color)
{
    put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE), sources | sources << 16);
    put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_OPERAND), 0);
    put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER), mode | mode << 16);
    put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_COLOR), color);
    put(builder, (uint16_t)pica_reg_texenv(stage, PICA_REG_TEXENV0_SCALE), 0);
}

static uint32_t sources(enum pica_tev_source a, enum pica_tev_source b, enum pica_tev_source c)
{
    return (uint32_t)a | (uint32_t)b << 4 | (uint32_t)c << 8;
}

/* Stage 0 as given, the others pass the previous colour on. */
static void put_one_stage(struct builder *builder, uint32_t stage0_sources, enum pica_tev_mode mode)
{
    put_stage(builder, 0, stage0_sources, mode, 0);
    for (uint32_t stage = 1; stage < 6; stage++)
        put_stage(builder, stage, sources(PICA_TEV_SOURCE_PREVIOUS, 0, 0), PICA_TEV_MODE_REPLACE, 0);
}

static void put_six_stages(struct builder *builder)
{
    const enum pica_tev_source previous = PICA_TEV_SOURCE_PREVIOUS, constant = PICA_TEV_SOURCE_CONSTANT;
    const enum pica_tev_source texture = PICA_TEV_SOURCE_TEXTURE0;
    put_stage(builder, 0, sources(texture, PICA_TEV_SOURCE_FRAGMENT_PRIMARY, 0), PICA_TEV_MODE_MODULATE, 0);
    put_stage(builder, 1, sources(previous, PICA_TEV_SOURCE_FRAGMENT_SECONDARY, 0), PICA_TEV_MODE_ADD, 0);
    put_stage(builder, 2, sources(previous, constant, texture), PICA_TEV_MODE_INTERPOLATE, 0xFF4080C0);
    put_stage(builder, 3, sources(previous, constant, 0), PICA_TEV_MODE_ADD_SIGNED, 0x80907060);
    put_stage(builder, 4, sources(previous, constant, texture), PICA_TEV_MODE_MULTIPLY_ADD, 0xC0A0E0FF);
    put_stage(builder, 5, sources(previous, PICA_TEV_SOURCE_PRIMARY_COLOR, 0), PICA_TEV_MODE_MODULATE, 0);
}

static void put_texture(struct builder *builder, enum pica_texture_filter filter)
{
    uint32_t parameters = pica_texunit_param_set_mag_filter(0, filter);
    parameters = pica_texunit_param_set_min_filter(parameters, filter);
    parameters = pica_texunit_param_set_wrap_s(parameters, PICA_TEXTURE_WRAP_REPEAT);
    parameters = pica_texunit_param_set_wrap_t(parameters, PICA_TEXTURE_WRAP_REPEAT);
    put(builder, PICA_REG_TEXUNIT0_DIM, TEXTURE_SIDE << 16 | TEXTURE_SIDE);
    put(builder, PICA_REG_TEXUNIT0_PARAM, parameters);
    put(builder, PICA_REG_TEXUNIT0_LOD, 0);
    put(builder, PICA_REG_TEXUNIT0_ADDR1, TEXTURE_ADDRESS >> 3);
    put(builder, PICA_REG_TEXUNIT0_TYPE, PICA_TEXTURE_FORMAT_RGBA8);
    put(builder, PICA_REG_TEXUNIT_CONFIG, pica_texunit_config_set_unit0_enable(0, 1));
}

/* One positional light, specular through table D0 indexed by N.H, no attenuation and no spot. */
static void put_light(struct builder *builder)
{
    uint32_t table[256];
    for (uint32_t i = 0; i < 256; i++)
        table[i] = i * i * 4095 / 65025;
    put(builder, PICA_REG_LIGHTING_LUT_INDEX, 0);
    put_port(builder, PICA_REG_LIGHTING_LUT_DATA0, table, 256);
    put(builder, PICA_REG_LIGHTING_ENABLE0, 1);
    put(builder, PICA_REG_LIGHTING_ENABLE1, 0);
    put(builder, PICA_REG_LIGHTING_NUM_LIGHTS, 0);
    put(builder, PICA_REG_LIGHTING_LIGHT_PERMUTATION, 0);
    put(builder, PICA_REG_LIGHTING_CONFIG0, pica_lighting_config0_set_clamp_highlights(0, 1));
    put(builder, PICA_REG_LIGHTING_CONFIG1,
        pica_lighting_config1_set_spot_disable(pica_lighting_config1_set_attenuation_disable(0, 0xFF), 0xFF));
    put(builder, PICA_REG_LIGHTING_LUTINPUT_ABS, 0);
    put(builder, PICA_REG_LIGHTING_LUTINPUT_SELECT, 0);
    put(builder, PICA_REG_LIGHTING_LUTINPUT_SCALE, 0);
    put(builder, PICA_REG_LIGHTING_AMBIENT, 0x20 << 20 | 0x20 << 10 | 0x20);
    put(builder, PICA_REG_LIGHT0_SPECULAR0, 0xFF << 20 | 0xE0 << 10 | 0xC0);
    put(builder, PICA_REG_LIGHT0_SPECULAR1, 0);
    put(builder, PICA_REG_LIGHT0_DIFFUSE, 0xC0 << 20 | 0xD0 << 10 | 0xE0);
    put(builder, PICA_REG_LIGHT0_AMBIENT, 0x10 << 20 | 0x10 << 10 | 0x10);
    put(builder, PICA_REG_LIGHT0_XY, 0x38003C00); /* float16 1.0, 0.5 */
    put(builder, PICA_REG_LIGHT0_Z, 0x4000);      /* 2.0 */
    put(builder, PICA_REG_LIGHT0_CONFIG, 0);
}

static void put_scene(struct builder *builder, enum bench_scene scene)
{
    uint32_t mask = 0x1F00; /* all channels and depth are written */
    put(builder, PICA_REG_COLOR_OPERATION, 0x00E40000);
    put(builder, PICA_REG_LOGIC_OP, PICA_LOGIC_OP_COPY);
    put(builder, PICA_REG_LIGHTING_ENABLE0, 0);
    put(builder, PICA_REG_LIGHTING_ENABLE1, 1);
    switch (scene) {
    case BENCH_VERTEX_COLOR:
        put_one_stage(builder, sources(PICA_TEV_SOURCE_PRIMARY_COLOR, 0, 0), PICA_TEV_MODE_REPLACE);
        put(builder, PICA_REG_COLOR_OPERATION, 0x00E40100);
        put(builder, PICA_REG_BLEND_FUNC, 0x76760000); /* source alpha, one minus source alpha */
        mask |= 1u | PICA_COMPARE_FUNC_GREATER_EQUAL << 4;
        break;
    case BENCH_TEXTURE_NEAREST:
    case BENCH_TEXTURE_BILINEAR:
        put_one_stage(builder, sources(PICA_TEV_SOURCE_TEXTURE0, PICA_TEV_SOURCE_PRIMARY_COLOR, 0),
                      PICA_TEV_MODE_MODULATE);
        put_texture(builder, scene == BENCH_TEXTURE_NEAREST ? PICA_TEXTURE_FILTER_NEAREST : PICA_TEXTURE_FILTER_LINEAR);
        break;
    case BENCH_LIGHT:
        put_six_stages(builder);
        put_texture(builder, PICA_TEXTURE_FILTER_LINEAR);
        put_light(builder);
        break;
    }
    put(builder, PICA_REG_DEPTH_COLOR_MASK, mask);
}

bool bench_scene_build(struct harness_case *out, enum bench_scene scene)
{
    struct builder builder = { .test_case = out, .good = true };
    builder.good = harness_case_add_window(out, COLOR_ADDRESS, VRAM_SIZE) &&
                   harness_case_add_window(out, LIST_ADDRESS, FCRAM_SIZE);
    add_vertices(&builder);
    add_texture(&builder);
    put_target(&builder);
    put_vertex_stage(&builder);
    put_scene(&builder, scene);
    put(&builder, PICA_REG_PRIMITIVE_CONFIG, 4); /* triangle list; outputs - 1 below */
    put(&builder, PICA_REG_NUMVERTICES, VERTICES);
    put(&builder, PICA_REG_VERTEX_OFFSET, 0);
    put(&builder, PICA_REG_START_DRAW_FUNC0, 0);
    put(&builder, PICA_REG_DRAWARRAYS, 1);
    put(&builder, PICA_REG_FINALIZE, 0x12345678);
    struct harness_operation *const run = builder.good ? harness_case_add_run(out, LIST_ADDRESS) : NULL;
    if (run == NULL)
        return false;
    run->data.list = builder.list;
    return true;
}
