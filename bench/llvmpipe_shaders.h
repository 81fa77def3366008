/* GLSL of bench/llvmpipe.c: what the vertex shaders, the light and the combiner of the scenes do. */
#ifndef BENCH_LLVMPIPE_SHADERS_H
#define BENCH_LLVMPIPE_SHADERS_H

#include "bench/scenes.h"

/* Static. Attribute k is at location k. Uniforms: c (vectors, c0 first), texture0, table. */
const char *bench_vertex_glsl(enum bench_scene scene);
const char *bench_fragment_glsl(enum bench_scene scene);

#endif
