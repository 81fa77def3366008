/* Between the files that build scenes. */
#ifndef BENCH_SCENE_PARTS_H
#define BENCH_SCENE_PARTS_H

#include "bench/builder.h"
#include "bench/scenes.h"

/* (a) to (c): full-screen layers. */
void bench_build_layers(struct bench_builder *builder, enum bench_scene scene, const struct bench_size *size);

/* (d) and BENCH_ONE_TRIANGLE: small triangles. */
void bench_build_random(struct bench_builder *builder, const struct bench_size *size);
void bench_build_mesh(struct bench_builder *builder, const struct bench_size *size);
void bench_build_one_triangle(struct bench_builder *builder, const struct bench_size *size);
uint32_t bench_mesh_triangles(const struct bench_size *size); /* of one layer */

/* (e): vertices. */
void bench_build_shader(struct bench_builder *builder, const struct bench_size *size);
void bench_build_skinning(struct bench_builder *builder, const struct bench_size *size);

#endif
