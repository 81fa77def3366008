/* From the bytes of arrays to the inputs of the vertex shader (VTX-03 to VTX-12). */
#ifndef FAST_VERTEX_FETCH_LOAD_H
#define FAST_VERTEX_FETCH_LOAD_H

#include "fast/vertex/fetch.h"

struct fast_gpu;

/*
 * One attribute of one vertex, relative to the first of the draw; its bytes may be outside memory (VTX-46, MEM-03).
 * Sets the elements that the array has, up to four; the others stay.
 */
void fast_load_attribute(struct fast_gpu *gpu, const struct fast_attribute_source *source, uint32_t vertex,
                         float vector[4]);

/* Every array attribute of `count` vertices into lanes 0 .. count - 1; all 16 numbers are those of vertices. */
void fast_load_vertices(struct fast_gpu *gpu, const uint32_t numbers[FAST_FILE_LANES], uint32_t count);

/* Loads these rows of v (bit i: row i), as far as arrays have them, of 1 to 4 blocks of vertices into the frame. All
 * vertices are in memory. */
void fast_load_frame(const struct fast_gpu *gpu, struct fast_gather *gather, uint64_t rows, const uint32_t *numbers,
                     uint32_t blocks);

#endif
