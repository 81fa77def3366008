/*
 * The primitive assembler (PRM), its vertex pool, and the hand-over of finished triangles to the renderer: in chunks of
 * a draw, or one triangle at a time in immediate mode (FBF-18).
 */
#ifndef FAST_VERTEX_ASSEMBLY_H
#define FAST_VERTEX_ASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/capacity.h"
#include "fast/pipeline.h"

struct fast_bins;
struct fast_gather;
struct fast_gpu;

enum {
    /* Between chunks, block 0 holds B[0] and B[1] in lanes 0 and 1; the other blocks are filled from number 1 on. */
    FAST_POOL_BLOCKS = 129,
    FAST_POOL_VERTICES = FAST_POOL_BLOCKS * FAST_LANES,
    FAST_POOL_FLOATS = FAST_POOL_BLOCKS * FAST_BLOCK_FLOATS
};

/* Vertices are named as in struct fast_triangles: by the offset of their slot 0 in `floats`. */
struct fast_primitives {
    _Alignas(64) float floats[FAST_POOL_FLOATS];
    _Alignas(64) uint32_t corner[3][FAST_CHUNK_TRIANGLES];
    _Alignas(64) uint32_t flips[FAST_CHUNK_TRIANGLES];
    uint32_t triangle_count;
    uint32_t vertex_count; /* pool vertices in use, block 0 included; also the number of the next one */

    /* PRM: state that persists between draws. */
    uint32_t topology; /* 0-3 */
    uint32_t count;    /* n, 0-2 */
    bool ready;
    bool winding;
    uint32_t buffer[2]; /* B[0], B[1]; offsets 0 and 1 between chunks */

    /* The running draw. */
    bool immediate;     /* every triangle is a batch of its own */
    bool batch_is_open; /* fast_batch_begin was called */
    struct fast_batch_reads reads;
};

/* PRM-01, PRM-02. */
void fast_primitive_reset(struct fast_gpu *gpu);
void fast_primitive_set_topology(struct fast_gpu *gpu, uint32_t topology);

/* Call before and after everything that submits vertices. */
void fast_primitive_begin_draw(struct fast_gpu *gpu, bool immediate);
void fast_primitive_end_draw(struct fast_gpu *gpu);

/*
 * Can `vertices` more vertices, and as many triangles, be taken? If not, flush first: then there is room for a group,
 * and for what one emission submits, whatever the capacity.
 */
static inline bool fast_primitive_has_room(const struct fast_primitives *primitives,
                                           const struct fast_capacity *capacity, uint32_t vertices)
{
    return primitives->vertex_count + vertices <= FAST_LANES + capacity->vertices &&
           primitives->triangle_count + vertices <= capacity->triangles;
}

static inline uint32_t fast_vertex_offset(uint32_t vertex)
{
    return vertex / FAST_LANES * FAST_BLOCK_FLOATS + vertex % FAST_LANES;
}

/* The inverse of fast_vertex_offset. */
static inline uint32_t fast_vertex_number(uint32_t offset)
{
    return offset / FAST_BLOCK_FLOATS * FAST_LANES + offset % FAST_BLOCK_FLOATS;
}

/*
 * PRM-03, PRM-04: submits one vertex of the pool to the assembler. Its slots may be filled in later, but before the
 * next flush. In immediate mode the caller must flush after each vertex.
 */
void fast_primitive_submit(struct fast_primitives *primitives, uint32_t offset);

/* Submits several vertices, in order. */
void fast_primitive_submit_all(struct fast_primitives *primitives, const uint32_t *offsets, uint32_t count);

/*
 * Puts the collected triangles into bins; if there are any, the batch must be open. `gather` completes the vertices
 * that they and the assembler's buffer name. False, for a slice only: a vertex needs the interpreter.
 */
bool fast_primitive_draw(struct fast_gpu *gpu, struct fast_primitives *primitives, struct fast_gather *gather,
                         struct fast_bins *bins);

/* Opens the batch of the running draw if it is not open yet. Call it only if the batch will have a triangle. */
void fast_primitive_open_batch(struct fast_gpu *gpu);

/*
 * Draws the collected triangles and empties the pool, except for B[0] and B[1]. Vertex offsets given out before become
 * invalid.
 */
void fast_primitive_flush(struct fast_gpu *gpu);

#endif
