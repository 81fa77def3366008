/* Which vertices a draw needs (VTX-21 to VTX-24): from values of i through the index cache into a vertex pool. */
#ifndef FAST_VERTEX_FETCH_GATHER_H
#define FAST_VERTEX_FETCH_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/vertex/fetch.h"

/* The index list of an element draw (VTX-21). */
struct fast_index_list {
    uint32_t address;
    uint32_t width;       /* bytes */
    const uint8_t *bytes; /* NULL if a part is outside memory */
};

/* What a draw works on. The number of a vertex is `first` plus its relative number, modulo 2^32. */
struct fast_draw_range {
    bool elements;
    uint32_t wanted; /* values of i */
    uint32_t count;  /* how many of those LIM_VERTS allows */
    uint32_t next;   /* first value that is not processed yet */
    uint32_t end;    /* end of the running segment */
    uint32_t first;
    uint32_t last_relative; /* largest relative number that can occur */
    bool one_thread;        /* the rest is not drawn in slices (fetch_slices.h) */
    struct fast_index_list indices;
};

/* VTX-21, VTX-22. */
uint32_t fast_read_index(struct fast_gpu *gpu, const struct fast_index_list *list, uint32_t i);

/* Call before the first value of a chunk. */
void fast_gather_begin(struct fast_gather *gather);

/* Forgets which blocks are half done: the vertices of these blocks become invalid. */
void fast_gather_forget(struct fast_gather *gather);

/*
 * Gives each of `count` values of i, from `first` on, a vertex of the pool. `count` is at most FAST_FETCH_GROUP, and
 * the pool must have room. The vertices are shaded now or later, at the latest by fast_gather_shade.
 */
void fast_gather_values(struct fast_gpu *gpu, struct fast_gather *gather, const struct fast_draw_range *draw,
                        uint32_t first, uint32_t count, uint32_t *offsets);

/* Shades the vertices that wait in the newest block of the pool; for some only the positions may be computed. */
void fast_gather_shade(struct fast_gpu *gpu, struct fast_gather *gather);

enum {
    FAST_BLOCK_KEPT =
        2 /* value of `needed`, like FAST_BLOCK_DRAWN (tiles/renderer.h): the assembler keeps a vertex of it */
};

/*
 * Computes the rest of the needed blocks that only have positions: `slots` (bit n: slot n), or all slots in blocks
 * whose vertices the assembler keeps. The vertices of blocks that are not needed become invalid. False, for a slice
 * only: a vertex needs the interpreter.
 */
bool fast_gather_complete(struct fast_gpu *gpu, struct fast_gather *gather, const uint8_t needed[FAST_POOL_BLOCKS],
                          uint32_t slots);

#endif
