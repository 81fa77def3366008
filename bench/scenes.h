/* The scenes that speed is measured on, as cases. Each draws full-screen layers into a 400x240 RGBA8 + D24S8 target. */
#ifndef BENCH_SCENES_H
#define BENCH_SCENES_H

#include "harness/case/case.h"

enum bench_scene {
    BENCH_VERTEX_COLOR,     /* (a) vertex colours, depth test, blending */
    BENCH_TEXTURE_NEAREST,  /* (b) 256x256 RGBA8 texture times colour, nearest */
    BENCH_TEXTURE_BILINEAR, /* (b) the same, bilinear */
    BENCH_LIGHT             /* (c) bilinear texture, one fragment light with a table, six combiner stages */
};

enum {
    BENCH_SCENES = 4,
    BENCH_WIDTH = 400,
    BENCH_HEIGHT = 240,
    BENCH_LAYERS = 4
};

/* "a vertex colours" ... Static. */
const char *bench_scene_name(enum bench_scene scene);

/* Fills an empty case: its last operation submits the list that draws BENCH_LAYERS * WIDTH * HEIGHT pixels, and may be
 * repeated. False without memory. */
bool bench_scene_build(struct harness_case *out, enum bench_scene scene);

#endif
