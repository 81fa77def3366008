/*
 * The scenes once more, drawn by Mesa's software renderer llvmpipe through OpenGL ES 3 on the caller's thread: what
 * bench_scenes compares with. Where EGL and OpenGL ES are not installed, opening fails and says so.
 *
 * What is equal: size, format, vertices, indices, layers, textures, number of draws, depth test, blending, culling; the
 * same values go through vertex and fragment shaders of the same steps. What is not: llvmpipe computes in float where
 * the PICA200 has bytes (combiner, blending), rasterises by its own rules, and so its picture differs in some pixels.
 */
#ifndef BENCH_LLVMPIPE_H
#define BENCH_LLVMPIPE_H

#include "bench/scenes.h"

struct bench_llvmpipe;

/* Text for people; why[0] is '\0' after success. */
struct bench_llvmpipe_error {
    char why[512];
};

/* One at a time in a process, used from the thread that opened it; it sets variables of the environment that Mesa
 * reads. NULL if it cannot be had: the error says why. */
struct bench_llvmpipe *bench_llvmpipe_open(enum bench_scene scene, const struct bench_size *size,
                                           struct bench_llvmpipe_error *error);
void bench_llvmpipe_close(struct bench_llvmpipe *pipe); /* accepts NULL */

/* One submission of the scene, finished when this returns. */
void bench_llvmpipe_draw(struct bench_llvmpipe *pipe);

/* The colour buffer: width * height pixels r, g, b, a from the lower left one, rows upwards. */
void bench_llvmpipe_read(struct bench_llvmpipe *pipe, uint8_t *rgba);

#endif
