/*
 * Tracing (pica_backend.trace, steps: pica/trace.def): what the kernels computed about one pixel or vertex.
 *
 * Nothing is computed a second time in another way: while a draw is traced, the kernels that run are compiled from the
 * same sources with FAST_TRACING (simd.h), work on the same blocks and batches, and report the lane of the traced pixel
 * or vertex. The kernels that run without tracing contain none of this; other code checks `traces_pixel` or
 * `traces_vertices` once per triangle, chunk of vertices or draw.
 *
 * A pixel: the draw runs on the caller's thread. Results that a state would leave out because they are not used (such
 * as colours in a draw that writes only depth) are computed and reported; nothing more is written (fast_trace_raster).
 * Vertices: the batch of 16 in which the vertex was shaded is shaded again and the result dropped (shader_trace.c).
 */
#ifndef FAST_TRACE_H
#define FAST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fast/draw/fragment_state.h"
#include "fast/kernels.h"
#include "fast/pipeline.h"
#include "fast/tiles/renderer.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/shader_program.h"
#include "pica/trace.h"

enum {
    /* Most vertices of a draw between two flushes: three for each triangle of a chunk, and those that complete none. */
    FAST_TRACE_VERTICES = 3 * FAST_CHUNK_TRIANGLES + FAST_LANES
};

/* CLP-07, VPT-02, VPT-03 of one corner, in the order after CUL-04. */
struct fast_trace_corner {
    float position[4];
    float z, inverse_w;
    int32_t x, y; /* 1/16 pixel */
};

struct fast_tracer {
    bool armed;
    struct pica_trace_request request;
    pica_trace_sink sink;
    void *user;
    uint32_t draw;               /* number of the running draw, or else the next, since load */
    struct fast_kernels kernels; /* the kernels that report */

    /* The traced lane of the block or batch that a kernel works on. */
    uint32_t lane;

    /* The traced pixel, and where it is in memory (FBF-06). */
    uint32_t column, row;
    struct fast_fragment_state raster;                          /* of the batch */
    struct fast_trace_corner corners[FAST_BINNED_TRIANGLES][3]; /* by number of the triangle in the bins */
    const struct fast_triangle *triangles;                      /* triangle number 0 of the bins */
    int64_t weights[3];                                         /* RST-03 */
    uint32_t level;                                             /* mipmap level of the texture being sampled */

    /* Traced vertices. */
    bool in_geometry; /* the geometry shader runs for the traced vertex */
    uint32_t first;   /* number in the draw of the vertex that offsets[0] belongs to */
    uint32_t count;
    uint32_t offsets[FAST_TRACE_VERTICES];               /* in the vertex pool */
    uint32_t batches[FAST_POOL_BLOCKS][FAST_FILE_LANES]; /* relative vertex numbers shaded into each block */
    uint32_t numbers_in_draw[FAST_FILE_LANES];           /* of vertices that wait for the geometry stage */
};

/* ------------------------------------------------------------------------------------------------------- trace.c */

/* Call before and after a draw, also one that does nothing: counts it and decides whether it is traced. */
void fast_trace_begin_draw(struct fast_gpu *gpu);
void fast_trace_end_draw(struct fast_gpu *gpu);

/*
 * Reports one step to the trace's receiver. `values`: 1 to 16, floats as bits. A NaN becomes the canonical one
 * (GEN-02).
 */
void fast_trace_step(const struct fast_tracer *tracer, enum pica_trace_id id, uint32_t index, const uint32_t *values,
                     uint32_t count);

/*
 * The state of a batch with a traced pixel: it reads whatever its tests and writes could depend on, but writes only
 * what it would write without tracing.
 */
void fast_trace_raster(const struct fast_gpu *gpu, struct fast_tracer *tracer);

/* Reports corners and weights of a triangle with which the kernel covers the traced pixel. */
void fast_trace_visit(const struct fast_tracer *tracer, const struct fast_triangle *triangle);

/* Report a vertex that the geometry shader emits, and the final vertex at `offset` of the pool. */
void fast_trace_emission(const struct fast_tracer *tracer, const struct fast_shader_run *run, uint32_t slot);
void fast_trace_slots(const struct fast_gpu *gpu, uint32_t offset);

/* ------------------------------------------------------------------------------------------------ shader_trace.c */

/* Call after a batch of vertices was shaded into block number `block` of the pool. */
void fast_trace_batch(struct fast_gpu *gpu, uint32_t block);

/* Notes that the next `count` vertices of the draw, from number `first` on, are at these offsets of the pool. */
void fast_trace_note(struct fast_gpu *gpu, uint32_t first, const uint32_t *offsets, uint32_t count);

/* Reports those of the noted vertices that are asked for. Call before the pool is emptied. */
void fast_trace_noted(struct fast_gpu *gpu);

/*
 * Reports a vertex that waits for the geometry stage (lane `lane` of `count`), or an immediate vertex. Returns whether
 * it is traced; then the caller must set tracer->in_geometry while the geometry stage works on it.
 */
bool fast_trace_pending(struct fast_gpu *gpu, uint32_t lane, uint32_t count);
bool fast_trace_immediate(struct fast_gpu *gpu);

#endif
