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

/* What a draw works on: vertex numbers are `first` + a relative number, modulo 2^32. */
struct fast_draw_range {
    bool elements;
    uint32_t wanted; /* values of i */
    uint32_t count;  /* of those, as LIM_VERTS allows */
    uint32_t next;   /* the first one that is not processed yet */
    uint32_t end;    /* of the running segment */
    uint32_t first;
    uint32_t last_relative; /* largest relative number that can occur */
    bool one_thread;        /* no more slices (fetch_slices.h) */
    struct fast_index_list indices;
};

/* VTX-21, VTX-22. */
uint32_t fast_read_index(struct fast_gpu *gpu, const struct fast_index_list *list, uint32_t i);

/* Before the first value of a chunk. */
void fast_gather_begin(struct fast_gather *gather);

/* No block is half done any more: their vertices are void. */
void fast_gather_forget(struct fast_gather *gather);

/*
 * Places in the pool for the vertices of `count` values of i, at most FAST_FETCH_GROUP, from `first` on; the pool has
 * room. They are shaded now or later, at the latest by fast_gather_shade.
 */
void fast_gather_values(struct fast_gpu *gpu, struct fast_gather *gather, const struct fast_draw_range *draw,
                        uint32_t first, uint32_t count, uint32_t *offsets);

/* Shades the vertices that wait in the newest block of the pool; some may get their positions alone. */
void fast_gather_shade(struct fast_gpu *gpu, struct fast_gather *gather);

enum {
    FAST_BLOCK_KEPT =
        2 /* of `needed`, beside FAST_BLOCK_DRAWN (tiles/renderer.h): the assembler keeps a vertex of it */
};

/*
 * The rest of the blocks that have only positions and are needed: `slots` (bit n: slot n), or all slots where vertices
 * are kept. Those that are not needed are void. False: it is a slice, and a vertex needs the interpreter.
 */
bool fast_gather_complete(struct fast_gpu *gpu, struct fast_gather *gather, const uint8_t needed[FAST_POOL_BLOCKS],
                          uint32_t slots);

#endif
