/* Scene (e): vertices through 25 instructions and END. Nearly all triangles lie outside the view. */
#include "bench/scene_parts.h"
#include "pica/regs.h"

#include <stdlib.h>

enum {
    VISIBLE = 256, /* every 256th triangle is in view, so that the shader's results are seen */
    BONES = 10,
    UNIFORMS = 20,
    FIRST_BONE = 20,
    MOST_BYTES = 44 /* of a vertex */
};

/* Model view, projection, a light with a highlight, the normal made a unit vector, texture matrix. */
static const struct bench_vertex_stage shading = {
    .shader = "dp4 r0.x, c4, v0\n"
              "dp4 r0.y, c5, v0\n"
              "dp4 r0.z, c6, v0\n"
              "dp4 r0.w, c7, v0\n"
              "dp4 o0.x, c0, r0\n"
              "dp4 o0.y, c1, r0\n"
              "dp4 o0.z, c2, r0\n"
              "dp4 o0.w, c3, r0\n"
              "dp3 r1.x, c8, v1\n"
              "dp3 r1.y, c9, v1\n"
              "dp3 r1.z, c10, v1\n"
              "dp3 r2.x, r1, r1\n"
              "rsq r2.x, r2.x\n"
              "mul r1.xyz, r1, r2.xxx\n"
              "dp3 r3.x, c11, r1\n"
              "max r3.x, c18.x, r3.x\n"
              "dp3 r3.y, c12, r1\n"
              "max r3.y, c18.x, r3.y\n"
              "mul r3.y, r3.y, r3.y\n"
              "mul r4, c13, r3.xxxx\n"
              "add r4, c14, r4\n"
              "mad r4, r3.yyyy, c15, r4\n"
              "mul o1, r4, v3\n"
              "dp4 o2.x, c16, v2\n"
              "dp4 o2.y, c17, v2\n"
              "end\n",
    .outputs = { 0x03020100, 0x0B0A0908, 0x1F1F0D0C },
    .output_count = 3,
    .attribute_count = 4,
    .formats = 0xD7BB, /* f32 3, f32 3, f32 2, u8 4 */
    .stride = 36,
};

/* Two bones a vertex, chosen by relative addressing, then projection and one light. */
static const struct bench_vertex_stage skinning = {
    .shader = "mova a0.xy, v3\n"
              "dp4 r0.x, c20[a0.x], v0\n"
              "dp4 r0.y, c21[a0.x], v0\n"
              "dp4 r0.z, c22[a0.x], v0\n"
              "dp4 r1.x, c20[a0.y], v0\n"
              "dp4 r1.y, c21[a0.y], v0\n"
              "dp4 r1.z, c22[a0.y], v0\n"
              "mul r0.xyz, r0, v4.xxx\n"
              "mad r0.xyz, r1, v4.yyy, r0\n"
              "mov r0.w, c18.w\n"
              "dp4 o0.x, c0, r0\n"
              "dp4 o0.y, c1, r0\n"
              "dp4 o0.z, c2, r0\n"
              "dp4 o0.w, c3, r0\n"
              "dp3 r2.x, c8, v1\n"
              "dp3 r2.y, c9, v1\n"
              "dp3 r2.z, c10, v1\n"
              "dp3 r3.x, r2, r2\n"
              "rsq r3.x, r3.x\n"
              "mul r2.xyz, r2, r3.xxx\n"
              "dp3 r3.x, c11, r2\n"
              "max r3.x, c18.x, r3.x\n"
              "mul r4, c19, r3.xxxx\n"
              "add o1, c14, r4\n"
              "mov o2.xy, v2\n"
              "end\n",
    .outputs = { 0x03020100, 0x0B0A0908, 0x1F1F0D0C },
    .output_count = 3,
    .attribute_count = 5,
    .formats = 0x757BB, /* f32 3, f32 3, f32 2, u8 2, f32 2 */
    .stride = 44,
};

/* c0-c19 of both shaders. */
static const float uniforms[UNIFORMS][4] = {
    { 1.0f, 0.0f, 0.0f, 0.0f },       { 0.0f, 1.0f, 0.0f, 0.0f },       { 0.0f, 0.0f, 0.5f, 0.0f },   /* projection */
    { 0.0f, 0.0f, -1.0f, 0.0f },      { 0.96f, 0.0f, 0.28f, 0.0f },     { 0.0f, 1.0f, 0.0f, 0.0f },   /* model view */
    { -0.28f, 0.0f, 0.96f, -2.0f },   { 0.0f, 0.0f, 0.0f, 1.0f },       { 0.96f, 0.0f, 0.28f, 0.0f }, /* normals */
    { 0.0f, 1.0f, 0.0f, 0.0f },       { -0.28f, 0.0f, 0.96f, 0.0f },    { 0.48f, 0.6f, 0.64f, 0.0f }, /* light */
    { 0.26f, 0.33f, 0.9f, 0.0f },     { 0.003f, 0.003f, 0.002f, 0.0f }, { 0.001f, 0.001f, 0.001f, 0.0039f },
    { 0.002f, 0.002f, 0.002f, 0.0f }, { 1.0f, 0.25f, 0.0f, 0.125f },    { -0.25f, 1.0f, 0.0f, 0.5f }, /* texture */
    { 0.0f, 0.0f, 0.0f, 1.0f },       { 0.9f, 0.8f, 0.7f, 1.0f },
};

static void put_bones(struct bench_builder *builder)
{
    float rows[3 * BONES][4];
    for (uint32_t i = 0; i < 3 * BONES; i++) {
        for (uint32_t k = 0; k < 3; k++)
            rows[i][k] = (i % 3 == k ? 1.0f : 0.0f) + (0.05f * bench_random(builder));
        rows[i][3] = (i % 3 == 2 ? -2.0f : 0.0f) + (0.02f * bench_random(builder));
    }
    bench_put_uniforms(builder, FIRST_BONE, (const float(*)[4])rows, 3 * BONES);
}

/* Position, normal, texcoord: what both shaders take first. */
static uint8_t *store_common(struct bench_builder *builder, uint8_t *out, uint32_t vertex)
{
    const float corner_x = vertex % 3 == 1 ? 0.04f : 0.0f, corner_y = vertex % 3 == 2 ? 0.05f : 0.0f;
    const float aside = vertex / 3 % VISIBLE == 0 ? 0.0f : 9.0f;
    out = bench_store_float(out, corner_x + aside + (0.005f * bench_random(builder)));
    out = bench_store_float(out, corner_y + (0.005f * bench_random(builder)));
    out = bench_store_float(out, 0.1f * bench_random(builder));
    for (int i = 0; i < 3; i++)
        out = bench_store_float(out, bench_random(builder) + (i == 2 ? 0.5f : -0.5f));
    for (int i = 0; i < 2; i++)
        out = bench_store_float(out, bench_random(builder));
    return out;
}

static uint8_t *store_color(struct bench_builder *builder, uint8_t *out)
{
    for (int i = 0; i < 4; i++)
        *out++ = (uint8_t)(bench_random(builder) * 256.0f);
    return out;
}

static uint8_t *store_bones(struct bench_builder *builder, uint8_t *out)
{
    const float weight = bench_random(builder);
    for (int i = 0; i < 2; i++)
        *out++ = (uint8_t)(3 * (uint32_t)(bench_random(builder) * (float)BONES));
    *out++ = 0;
    *out++ = 0;
    return bench_store_float(bench_store_float(out, weight), 1.0f - weight);
}

static void build(struct bench_builder *builder, const struct bench_size *size, const struct bench_vertex_stage *stage)
{
    uint8_t *const bytes = malloc((size_t)size->count * MOST_BYTES);
    uint8_t *out = bytes;
    if (bytes == NULL) {
        builder->good = false;
        return;
    }
    for (uint32_t i = 0; i < size->count; i++) {
        out = store_common(builder, out, i);
        out = stage == &skinning ? store_bones(builder, out) : store_color(builder, out);
    }
    bench_put_target(builder, size->width, size->height);
    bench_put_uniforms(builder, 0, uniforms, UNIFORMS);
    if (stage == &skinning)
        put_bones(builder);
    bench_put_vertex_color(builder);
    bench_put(builder, PICA_REG_COLOR_OPERATION, 0x00E40000);
    bench_put(builder, PICA_REG_LOGIC_OP, PICA_LOGIC_OP_COPY);
    bench_put(builder, PICA_REG_DEPTH_COLOR_MASK, 0x1F01 | PICA_COMPARE_FUNC_GREATER_EQUAL << 4);
    bench_put_vertex_stage(builder, stage, bench_add_bytes(builder, bytes, (uint32_t)(out - bytes)));
    free(bytes);
    builder->test_case->limits.vertices = size->count;
    bench_put_draw(builder, size->count);
}

void bench_build_shader(struct bench_builder *builder, const struct bench_size *size)
{
    build(builder, size, &shading);
}

void bench_build_skinning(struct bench_builder *builder, const struct bench_size *size)
{
    build(builder, size, &skinning);
}
