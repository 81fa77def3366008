/* The vertex shader over the vertices of a draw: by the interpreter, or by a plan (shader_plan.h). */
#ifndef FAST_VERTEX_SHADER_H
#define FAST_VERTEX_SHADER_H

#include <stdbool.h>
#include <stdint.h>

struct fast_gpu;
struct fast_gather;
struct fast_kernels;
struct fast_plan_frame;

/* Everything about the shader that is the same for all vertices of a draw. After fast_decode_output_map. */
void fast_prepare_shader(struct fast_gpu *gpu);

/*
 * SHD-10, SHD-12: 1 to 16 invocations of the prepared shader from the inputs in the file; the results stay in the file.
 * `block`: of the vertex pool, for the final vertices; NULL = nowhere.
 */
void fast_vertices_run(struct fast_gpu *gpu, const struct fast_kernels *kernels, uint32_t count, float *block);

/* Loads and shades the vertices `numbers`, 1 to 16. Lanes beyond `count` repeat the first vertex. */
void fast_shade_block(struct fast_gpu *gpu, uint32_t numbers[16], uint32_t count, float *block);

/*
 * Prepares the shading of a straight draw of `count` vertices or indices, with all sources found: finds the plan of the
 * shader, or has the first batch recorded for one. Sets vertices->pending_limit.
 */
void fast_begin_shading(struct fast_gpu *gpu, uint32_t count);

/* Shades the pending vertices of a straight draw, at least one, whose numbers in the pool begin with `first`. */
void fast_shade_pending(struct fast_gpu *gpu, uint32_t first);

/* What the plan of the running draw reads, and is not in arrays, into the frame of a slice. */
void fast_prepare_frame(const struct fast_gpu *gpu, struct fast_plan_frame *frame);

/*
 * The pending vertices by the plan of the running draw, on any thread: perhaps the first part alone, see gather->half.
 * False: one needs the interpreter.
 */
bool fast_shade_by_plan(const struct fast_gpu *gpu, struct fast_gather *gather, uint32_t first);

/*
 * The rest of 1 to 4 blocks that have the first part; at least these slots of it. False: it is a slice, and one of the
 * vertices needs the interpreter.
 */
bool fast_shade_rest(struct fast_gpu *gpu, struct fast_gather *gather, const uint32_t *blocks, uint32_t count,
                     uint32_t slots);

#endif
