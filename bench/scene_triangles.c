/* Scene (d): triangles of about four pixels, and the case of one triangle. */
#include "bench/scene_parts.h"
#include "pica/regs.h"

#include <math.h>
#include <stdlib.h>

enum {
    VERTEX_BYTES = 20, /* position f32 4, colour u8 4 */
    BAND = 16          /* squares a band of a mesh is wide: what a vertex cache of 32 entries likes */
};

/* A square of the mesh is 3.2 x 2.4 pixels, 7.68 in area. */
static const float square_width = 3.2f;
static const float square_height = 2.4f;

static const struct bench_vertex_stage vertex_stage = {
    .shader = "mov o0, v0\nmul o1, c0, v1\nend\n",
    .outputs = { 0x03020100, 0x0B0A0908 },
    .output_count = 2,
    .attribute_count = 2,
    .formats = 0xDF, /* f32 4, u8 4 */
    .stride = VERTEX_BYTES,
};

/* Vertices and indices while they are made. */
struct mesh {
    struct bench_builder *builder;
    const struct bench_size *size;
    uint8_t *bytes, *end;
};

static bool mesh_begin(struct mesh *mesh, struct bench_builder *builder, const struct bench_size *size, uint32_t bytes)
{
    *mesh = (struct mesh){ .builder = builder, .size = size, .bytes = malloc(bytes) };
    mesh->end = mesh->bytes;
    builder->good = builder->good && mesh->bytes != NULL;
    return builder->good;
}

/* Gives the contents to the case; their address. */
static uint32_t mesh_end(struct mesh *mesh)
{
    const uint32_t address = bench_add_bytes(mesh->builder, mesh->bytes, (uint32_t)(mesh->end - mesh->bytes));
    free(mesh->bytes);
    return address;
}

/* A vertex at pixel (x, y) with this depth, 0 .. 1, and any colour. */
static void add_vertex(struct mesh *mesh, float x, float y, float depth, float w)
{
    uint8_t *out = mesh->end;
    out = bench_store_float(out, (x * 2.0f / (float)mesh->size->width - 1.0f) * w);
    out = bench_store_float(out, (y * 2.0f / (float)mesh->size->height - 1.0f) * w);
    out = bench_store_float(out, -depth * w);
    out = bench_store_float(out, w);
    for (int i = 0; i < 4; i++)
        *out++ = (uint8_t)(bench_random(mesh->builder) * 256.0f);
    mesh->end = out;
}

static void put_state(struct bench_builder *builder, const struct bench_size *size, enum pica_cull_mode culling)
{
    static const float scale[1][4] = { { 1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f, 1.0f / 255.0f } };
    bench_put_target(builder, size->width, size->height);
    bench_put_uniforms(builder, 0, scale, 1);
    bench_put_vertex_color(builder);
    bench_put(builder, PICA_REG_FACECULLING_CONFIG, culling);
    bench_put(builder, PICA_REG_COLOR_OPERATION, 0x00E40000);
    bench_put(builder, PICA_REG_LOGIC_OP, PICA_LOGIC_OP_COPY);
    bench_put(builder, PICA_REG_DEPTH_COLOR_MASK, 0x1F01 | PICA_COMPARE_FUNC_GREATER_EQUAL << 4);
}

/* An equilateral triangle of area four, turned anyhow; half of them face away, and none is culled. */
static void add_random_triangle(struct mesh *mesh)
{
    const float radius = 1.7548f; /* sqrt(16 / (3 sqrt 3)) */
    const float x = bench_random(mesh->builder) * (float)mesh->size->width;
    const float y = bench_random(mesh->builder) * (float)mesh->size->height;
    const float depth = 0.1f + (0.8f * bench_random(mesh->builder));
    const float w = 1.0f + (2.0f * bench_random(mesh->builder));
    const float turn = bench_random(mesh->builder) * 6.2831853f;
    const float step = bench_random(mesh->builder) < 0.5f ? 2.0943951f : -2.0943951f;
    for (int i = 0; i < 3; i++) {
        const float angle = turn + (step * (float)i);
        add_vertex(mesh, x + (radius * cosf(angle)), y + (radius * sinf(angle)), depth, w + (0.1f * (float)i));
    }
}

void bench_build_random(struct bench_builder *builder, const struct bench_size *size)
{
    struct mesh mesh;
    if (!mesh_begin(&mesh, builder, size, size->count * 3 * VERTEX_BYTES))
        return;
    for (uint32_t i = 0; i < size->count; i++)
        add_random_triangle(&mesh);
    put_state(builder, size, PICA_CULL_MODE_NONE);
    bench_put_vertex_stage(builder, &vertex_stage, mesh_end(&mesh));
    builder->test_case->limits.vertices = size->count * 3;
    bench_put_draw(builder, size->count * 3);
}

/* ------------------------------------------------------------------------------------------------------------- mesh */

static uint32_t mesh_columns(const struct bench_size *size)
{
    return (uint32_t)((float)size->width / square_width + 0.5f);
}

static uint32_t mesh_rows(const struct bench_size *size)
{
    return (uint32_t)((float)size->height / square_height + 0.5f);
}

uint32_t bench_mesh_triangles(const struct bench_size *size)
{
    return 2 * mesh_columns(size) * mesh_rows(size);
}

/* One surface over the whole target, uneven in all directions. */
static uint32_t add_mesh_vertices(struct bench_builder *builder, const struct bench_size *size, uint32_t layer)
{
    const uint32_t columns = mesh_columns(size), rows = mesh_rows(size);
    struct mesh mesh;
    if (!mesh_begin(&mesh, builder, size, (columns + 1) * (rows + 1) * VERTEX_BYTES))
        return 0;
    for (uint32_t row = 0; row <= rows; row++)
        for (uint32_t column = 0; column <= columns; column++) {
            const float x = ((float)column + (0.4f * bench_random(builder)) - 0.2f) * square_width;
            const float y = ((float)row + (0.4f * bench_random(builder)) - 0.2f) * square_height;
            const float depth = 0.3f + (0.1f * (float)(layer % 4)) + (0.2f * bench_random(builder));
            add_vertex(&mesh, x, y, depth, 1.0f + ((float)row / (float)rows));
        }
    return mesh_end(&mesh);
}

static void add_index(struct mesh *mesh, uint32_t index)
{
    *mesh->end++ = (uint8_t)index;
    *mesh->end++ = (uint8_t)(index >> 8);
}

/* Counter-clockwise triangles, band by band, in a band row by row. */
static uint32_t add_mesh_indices(struct bench_builder *builder, const struct bench_size *size)
{
    const uint32_t columns = mesh_columns(size), rows = mesh_rows(size);
    struct mesh mesh;
    if (!mesh_begin(&mesh, builder, size, bench_mesh_triangles(size) * 3 * 2))
        return 0;
    for (uint32_t band = 0; band < columns; band += BAND)
        for (uint32_t row = 0; row < rows; row++)
            for (uint32_t column = band; column < columns && column < band + BAND; column++) {
                const uint32_t corner = row * (columns + 1) + column, above = corner + columns + 1;
                const uint32_t indices[6] = { corner, corner + 1, above, above, corner + 1, above + 1 };
                for (int i = 0; i < 6; i++)
                    add_index(&mesh, indices[i]);
            }
    return mesh_end(&mesh);
}

void bench_build_mesh(struct bench_builder *builder, const struct bench_size *size)
{
    const uint32_t vertices = bench_mesh_triangles(size) * 3;
    const uint32_t indices = add_mesh_indices(builder, size);
    put_state(builder, size, PICA_CULL_MODE_BACK);
    builder->test_case->limits.vertices = vertices * size->count;
    for (uint32_t layer = 0; layer < size->count; layer++) {
        const uint32_t address = add_mesh_vertices(builder, size, layer);
        if (layer == 0)
            bench_put_vertex_stage(builder, &vertex_stage, address);
        bench_put(builder, PICA_REG_ATTRIBBUFFER0_OFFSET, address - BENCH_DATA_ADDRESS);
        bench_put_indexed_draw(builder, indices, vertices);
    }
}

void bench_build_one_triangle(struct bench_builder *builder, const struct bench_size *size)
{
    const float width = (float)size->width, height = (float)size->height;
    struct mesh mesh;
    if (!mesh_begin(&mesh, builder, size, 3 * VERTEX_BYTES))
        return;
    add_vertex(&mesh, 0.1f * width, 0.1f * height, 0.5f, 1.0f);
    add_vertex(&mesh, 0.9f * width, 0.2f * height, 0.6f, 1.5f);
    add_vertex(&mesh, 0.4f * width, 0.9f * height, 0.7f, 2.0f);
    put_state(builder, size, PICA_CULL_MODE_BACK);
    bench_put_vertex_stage(builder, &vertex_stage, mesh_end(&mesh));
    bench_put_draw(builder, 3);
}
