/* The scenes that speed is measured on, as cases. All draw into an RGBA8 + D24S8 target. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include "harness/case/case.h"

enum bench_scene {
    BENCH_VERTEX_COLOR,     /* (a) vertex colours, depth test, blending */
    BENCH_TEXTURE_NEAREST,  /* (b) 256x256 RGBA8 texture times colour, nearest */
    BENCH_TEXTURE_BILINEAR, /* (b) the same, bilinear */
    BENCH_LIGHT,            /* (c) bilinear texture, one fragment light with a table, six combiner stages */
    BENCH_RANDOM,           /* (d) triangles of four pixels anywhere, each with vertices of its own */
    BENCH_MESH,             /* (d) the same number in indexed meshes that share their vertices */
    BENCH_SHADER,           /* (e) vertices through 25 instructions: transform and lighting; hardly a pixel */
    BENCH_SKINNING,         /* (e) 25 instructions with relative addressing: two bones a vertex */
    BENCH_SMALL,            /* (a) with one layer of 64x64 pixels: do workers pay? */
    BENCH_SMALL_LIGHT,      /* (c) the same */
    BENCH_EMPTY,            /* a case without an operation */
    BENCH_ONE_TRIANGLE,     /* one triangle on 16x16 pixels */
    BENCH_ONE_VERTEX        /* one vertex through the 25 instructions of (e) */
};

enum {
    BENCH_SCENES = 13,
    BENCH_TEXTURE_SIDE = 256
};

enum bench_unit {
    BENCH_PIXELS,
    BENCH_TRIANGLES,
    BENCH_VERTICES,
    BENCH_CASES /* loading included: what a fuzzer pays */
};

/* How large a scene is. */
struct bench_size {
    uint32_t width, height; /* of the target, 8-1016, multiples of 8, both buffers within 6 MiB */
    uint32_t count;         /* layers of (a) to (c) and of the mesh, triangles of BENCH_RANDOM, vertices of (e) */
};

struct bench_plan {
    const char *name;    /* for --scene: "a", "b-nearest" ... */
    const char *summary; /* one line for people */
    enum bench_unit unit;
    struct bench_size size; /* at which it is measured */
};

/* Static. */
const struct bench_plan *bench_scene_plan(enum bench_scene scene);

/* What one submission does, in the unit of the plan. */
uint64_t bench_scene_work(enum bench_scene scene, const struct bench_size *size);

/* Fills an empty case. Its last operation submits the list that draws everything, and may be repeated. False without
 * memory. */
bool bench_scene_build(struct harness_case *out, enum bench_scene scene, const struct bench_size *size);

#endif
