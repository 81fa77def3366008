/* The vertex shader over the vertices of a draw: by the interpreter, or by a plan (shader_plan.h). */
#ifndef FAST_VERTEX_SHADER_H
#define FAST_VERTEX_SHADER_H

#include <stdbool.h>
#include <stdint.h>

struct fast_gpu;
struct fast_gather;
struct fast_kernels;
struct fast_plan_frame;

/* Sets everything about the shader that is the same for all vertices of a draw. Call after fast_decode_output_map. */
void fast_prepare_shader(struct fast_gpu *gpu);

/*
 * SHD-10, SHD-12: runs 1 to 16 invocations of the prepared shader on the inputs in the file; the results stay in the
 * file. `block`: block of the vertex pool that receives the final vertices; NULL = none.
 */
void fast_vertices_run(struct fast_gpu *gpu, const struct fast_kernels *kernels, uint32_t count, float *block);

/* Loads and shades `count` (1 to 16) vertices. Lanes from `count` on repeat the first vertex. */
void fast_shade_block(struct fast_gpu *gpu, uint32_t numbers[16], uint32_t count, float *block);

/*
 * Prepares the shading of a straight draw (one without geometry stage) of `count` vertices or indices, whose sources
 * are all found: finds the plan of the shader, or decides that the first batch is recorded for one. Sets
 * vertices->pending_limit.
 */
void fast_begin_shading(struct fast_gpu *gpu, uint32_t count);

/* Shades the pending vertices of a straight draw, at least one; their numbers in the pool begin with `first`. */
void fast_shade_pending(struct fast_gpu *gpu, uint32_t first);

/* Copies what the plan of the running draw reads, except for what comes from arrays, to the frame of a slice. */
void fast_prepare_frame(const struct fast_gpu *gpu, struct fast_plan_frame *frame);

/*
 * Shades the pending vertices by the plan of the running draw, on any thread: perhaps only the first part of the plan,
 * see gather->half. False: a vertex needs the interpreter.
 */
bool fast_shade_by_plan(const struct fast_gpu *gpu, struct fast_gather *gather, uint32_t first);

/*
 * Computes the rest of 1 to 4 blocks that have only the first part, at least these slots of it. False, for a slice
 * only: a vertex needs the interpreter.
 */
bool fast_shade_rest(struct fast_gpu *gpu, struct fast_gather *gather, const uint32_t *blocks, uint32_t count,
                     uint32_t slots);

#endif
