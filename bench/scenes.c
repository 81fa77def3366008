#include "bench/scene_parts.h"

static const struct bench_plan plans[BENCH_SCENES] = {
    [BENCH_VERTEX_COLOR] = { "a", "vertex colours, depth test, blending", BENCH_PIXELS, { 400, 240, 4 } },
    [BENCH_TEXTURE_NEAREST] = { "b-nearest", "texture x colour, nearest", BENCH_PIXELS, { 400, 240, 4 } },
    [BENCH_TEXTURE_BILINEAR] = { "b-bilinear", "texture x colour, bilinear", BENCH_PIXELS, { 400, 240, 4 } },
    [BENCH_LIGHT] = { "c", "texture, one light, six combiner stages", BENCH_PIXELS, { 400, 240, 4 } },
    [BENCH_RANDOM] = { "d-random", "100 000 triangles of 4 pixels anywhere", BENCH_TRIANGLES, { 400, 240, 100000 } },
    [BENCH_MESH] = { "d-mesh", "100 000 triangles of 4 pixels in meshes", BENCH_TRIANGLES, { 400, 240, 4 } },
    [BENCH_SHADER] = { "e", "vertices, 25 instructions: transform, light", BENCH_VERTICES, { 400, 240, 30000 } },
    [BENCH_SKINNING] = { "e-skinning",
                         "vertices, 25 instructions: two bones, light",
                         BENCH_VERTICES,
                         { 400, 240, 30000 } },
    [BENCH_SMALL] = { "small-a", "(a), few pixels", BENCH_PIXELS, { 64, 64, 1 } },
    [BENCH_SMALL_LIGHT] = { "small-c", "(c), few pixels", BENCH_PIXELS, { 64, 64, 1 } },
    [BENCH_EMPTY] = { "empty", "a case without an operation", BENCH_CASES, { 16, 16, 1 } },
    [BENCH_ONE_TRIANGLE] = { "triangle", "a case of one triangle on 16x16", BENCH_CASES, { 16, 16, 1 } },
    [BENCH_ONE_VERTEX] = { "vertex", "a case of one vertex, 25 instructions", BENCH_CASES, { 16, 16, 1 } },
};

const struct bench_plan *bench_scene_plan(enum bench_scene scene)
{
    return &plans[scene];
}

uint64_t bench_scene_work(enum bench_scene scene, const struct bench_size *size)
{
    switch (plans[scene].unit) {
    case BENCH_PIXELS: return (uint64_t)size->count * size->width * size->height;
    case BENCH_TRIANGLES: return scene == BENCH_MESH ? (uint64_t)size->count * bench_mesh_triangles(size) : size->count;
    case BENCH_VERTICES: return size->count;
    case BENCH_CASES: return 1;
    }
    return 0; /* not reached */
}

bool bench_scene_build(struct harness_case *out, enum bench_scene scene, const struct bench_size *size)
{
    struct bench_builder builder;
    bench_builder_init(&builder, out);
    out->work = HARNESS_MAX_BUDGET; /* a frame's, not a case's */
    switch (scene) {
    case BENCH_VERTEX_COLOR:
    case BENCH_TEXTURE_NEAREST:
    case BENCH_TEXTURE_BILINEAR:
    case BENCH_LIGHT:
    case BENCH_SMALL:
    case BENCH_SMALL_LIGHT: bench_build_layers(&builder, scene, size); break;
    case BENCH_RANDOM: bench_build_random(&builder, size); break;
    case BENCH_MESH: bench_build_mesh(&builder, size); break;
    case BENCH_SHADER:
    case BENCH_ONE_VERTEX: bench_build_shader(&builder, size); break;
    case BENCH_SKINNING: bench_build_skinning(&builder, size); break;
    case BENCH_ONE_TRIANGLE: bench_build_one_triangle(&builder, size); break;
    case BENCH_EMPTY: return harness_case_add_window(out, BENCH_COLOR_ADDRESS, PICA_PAGE_SIZE);
    }
    return bench_builder_finish(&builder);
}
