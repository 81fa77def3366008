/* Scenes (a) to (c): layers of two triangles that cover the target, with perspective. */
#include "bench/scene_parts.h"
#include "pica/regs.h"

#include <stdlib.h>

enum {
    VERTEX_FLOATS = 17, /* position 4, texcoord 2, quaternion 4, view 3, colour 4 */
    VERTEX_BYTES = VERTEX_FLOATS * 4,
    LAYER_VERTICES = 6
};

static const struct bench_vertex_stage vertex_stage = {
    .shader = "mov o0, v0\nmov o1, v1\nmov o2, v2\nmov o3, v3\nmov o4, v4\nend\n",
    .outputs = { 0x03020100, 0x1F1F0D0C, 0x07060504, 0x1F141312, 0x0B0A0908 },
    .output_count = 5,
    .attribute_count = 5,
    .formats = 0xFBF7F, /* f32: 4, 2, 4, 3, 4 of them */
    .stride = VERTEX_BYTES,
};

static void put_vertex(uint8_t *out, float x, float y, float w, float layer)
{
    const float values[VERTEX_FLOATS] = {
        x * w,
        y * w,
        -0.5f * w,
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
    for (int i = 0; i < VERTEX_FLOATS; i++)
        out = bench_store_float(out, values[i]);
}

/* Two triangles a layer; w differs from corner to corner, so that interpolation is perspective. */
static uint32_t add_vertices(struct bench_builder *builder, uint32_t layers)
{
    static const float corners[LAYER_VERTICES][3] = { { -1, -1, 1 }, { 1, -1, 1.5f }, { -1, 1, 2 },
                                                      { -1, 1, 2 },  { 1, -1, 1.5f }, { 1, 1, 3 } };
    const uint32_t size = layers * LAYER_VERTICES * VERTEX_BYTES;
    uint8_t *const bytes = malloc(size);
    uint8_t *out = bytes;
    if (bytes == NULL) {
        builder->good = false;
        return 0;
    }
    for (uint32_t layer = 0; layer < layers; layer++)
        for (int i = 0; i < LAYER_VERTICES; i++, out += VERTEX_BYTES)
            put_vertex(out, corners[i][0], corners[i][1], corners[i][2], (float)layer);
    const uint32_t address = bench_add_bytes(builder, bytes, size);
    free(bytes);
    return address;
}

static uint32_t sources(enum pica_tev_source a, enum pica_tev_source b, enum pica_tev_source c)
{
    return (uint32_t)a | (uint32_t)b << 4 | (uint32_t)c << 8;
}

static void put_six_stages(struct bench_builder *builder)
{
    const enum pica_tev_source previous = PICA_TEV_SOURCE_PREVIOUS, constant = PICA_TEV_SOURCE_CONSTANT;
    const enum pica_tev_source texture = PICA_TEV_SOURCE_TEXTURE0;
    bench_put_stage(builder, 0, sources(texture, PICA_TEV_SOURCE_FRAGMENT_PRIMARY, 0), PICA_TEV_MODE_MODULATE, 0);
    bench_put_stage(builder, 1, sources(previous, PICA_TEV_SOURCE_FRAGMENT_SECONDARY, 0), PICA_TEV_MODE_ADD, 0);
    bench_put_stage(builder, 2, sources(previous, constant, texture), PICA_TEV_MODE_INTERPOLATE, 0xFF4080C0);
    bench_put_stage(builder, 3, sources(previous, constant, 0), PICA_TEV_MODE_ADD_SIGNED, 0x80907060);
    bench_put_stage(builder, 4, sources(previous, constant, texture), PICA_TEV_MODE_MULTIPLY_ADD, 0xC0A0E0FF);
    bench_put_stage(builder, 5, sources(previous, PICA_TEV_SOURCE_PRIMARY_COLOR, 0), PICA_TEV_MODE_MODULATE, 0);
}

static void put_texture(struct bench_builder *builder, enum pica_texture_filter filter)
{
    const uint32_t texture = bench_add_noise(builder, BENCH_TEXTURE_SIDE * BENCH_TEXTURE_SIDE * 4);
    uint32_t parameters = pica_texunit_param_set_mag_filter(0, filter);
    parameters = pica_texunit_param_set_min_filter(parameters, filter);
    parameters = pica_texunit_param_set_wrap_s(parameters, PICA_TEXTURE_WRAP_REPEAT);
    parameters = pica_texunit_param_set_wrap_t(parameters, PICA_TEXTURE_WRAP_REPEAT);
    bench_put(builder, PICA_REG_TEXUNIT0_DIM, BENCH_TEXTURE_SIDE << 16 | BENCH_TEXTURE_SIDE);
    bench_put(builder, PICA_REG_TEXUNIT0_PARAM, parameters);
    bench_put(builder, PICA_REG_TEXUNIT0_LOD, 0);
    bench_put(builder, PICA_REG_TEXUNIT0_ADDR1, texture >> 3);
    bench_put(builder, PICA_REG_TEXUNIT0_TYPE, PICA_TEXTURE_FORMAT_RGBA8);
    bench_put(builder, PICA_REG_TEXUNIT_CONFIG, pica_texunit_config_set_unit0_enable(0, 1));
}

/* LIT-17: squares, each with the difference to the next one, as programs store them. */
static void make_table(uint32_t table[256])
{
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t value = i * i * 4095 / 65025;
        const uint32_t next = i < 255 ? (i + 1) * (i + 1) * 4095 / 65025 : value;
        table[i] = value | (next - value) << 12;
    }
}

/* One positional light, specular through table D0 indexed by N.H, no attenuation and no spot. */
static void put_light(struct bench_builder *builder)
{
    uint32_t table[256];
    make_table(table);
    bench_put(builder, PICA_REG_LIGHTING_LUT_INDEX, 0);
    bench_put_port(builder, PICA_REG_LIGHTING_LUT_DATA0, table, 256);
    bench_put(builder, PICA_REG_LIGHTING_ENABLE0, 1);
    bench_put(builder, PICA_REG_LIGHTING_ENABLE1, 0);
    bench_put(builder, PICA_REG_LIGHTING_NUM_LIGHTS, 0);
    bench_put(builder, PICA_REG_LIGHTING_LIGHT_PERMUTATION, 0);
    bench_put(builder, PICA_REG_LIGHTING_CONFIG0, pica_lighting_config0_set_clamp_highlights(0, 1));
    bench_put(builder, PICA_REG_LIGHTING_CONFIG1,
              pica_lighting_config1_set_spot_disable(pica_lighting_config1_set_attenuation_disable(0, 0xFF), 0xFF));
    bench_put(builder, PICA_REG_LIGHTING_LUTINPUT_ABS, 0);
    bench_put(builder, PICA_REG_LIGHTING_LUTINPUT_SELECT, 0);
    bench_put(builder, PICA_REG_LIGHTING_LUTINPUT_SCALE, 0);
    bench_put(builder, PICA_REG_LIGHTING_AMBIENT, 0x20 << 20 | 0x20 << 10 | 0x20);
    bench_put(builder, PICA_REG_LIGHT0_SPECULAR0, 0xFF << 20 | 0xE0 << 10 | 0xC0);
    bench_put(builder, PICA_REG_LIGHT0_SPECULAR1, 0);
    bench_put(builder, PICA_REG_LIGHT0_DIFFUSE, 0xC0 << 20 | 0xD0 << 10 | 0xE0);
    bench_put(builder, PICA_REG_LIGHT0_AMBIENT, 0x10 << 20 | 0x10 << 10 | 0x10);
    bench_put(builder, PICA_REG_LIGHT0_XY, 0x38003C00); /* float16 1.0, 0.5 */
    bench_put(builder, PICA_REG_LIGHT0_Z, 0x4000);      /* 2.0 */
    bench_put(builder, PICA_REG_LIGHT0_CONFIG, 0);
}

/* The stages that fragments go through. */
static void put_fragments(struct bench_builder *builder, enum bench_scene scene)
{
    uint32_t mask = 0x1F00; /* all channels and depth are written */
    bench_put(builder, PICA_REG_COLOR_OPERATION, 0x00E40000);
    bench_put(builder, PICA_REG_LOGIC_OP, PICA_LOGIC_OP_COPY);
    bench_put(builder, PICA_REG_LIGHTING_ENABLE0, 0);
    bench_put(builder, PICA_REG_LIGHTING_ENABLE1, 1);
    if (scene == BENCH_VERTEX_COLOR || scene == BENCH_SMALL) {
        bench_put_vertex_color(builder);
        bench_put(builder, PICA_REG_COLOR_OPERATION, 0x00E40100);
        bench_put(builder, PICA_REG_BLEND_FUNC, 0x76760000); /* source alpha, one minus source alpha */
        mask |= 1u | PICA_COMPARE_FUNC_GREATER_EQUAL << 4;
    } else if (scene == BENCH_TEXTURE_NEAREST || scene == BENCH_TEXTURE_BILINEAR) {
        bench_put_one_stage(builder, sources(PICA_TEV_SOURCE_TEXTURE0, PICA_TEV_SOURCE_PRIMARY_COLOR, 0),
                            PICA_TEV_MODE_MODULATE);
        put_texture(builder, scene == BENCH_TEXTURE_NEAREST ? PICA_TEXTURE_FILTER_NEAREST : PICA_TEXTURE_FILTER_LINEAR);
    } else {
        put_six_stages(builder);
        put_texture(builder, PICA_TEXTURE_FILTER_LINEAR);
        put_light(builder);
    }
    bench_put(builder, PICA_REG_DEPTH_COLOR_MASK, mask);
}

void bench_build_layers(struct bench_builder *builder, enum bench_scene scene, const struct bench_size *size)
{
    bench_put_target(builder, size->width, size->height);
    bench_put_vertex_stage(builder, &vertex_stage, add_vertices(builder, size->count));
    put_fragments(builder, scene);
    bench_put_draw(builder, size->count * LAYER_VERTICES);
}
