/*
 * How much each part of the machine holds before it empties itself, and how much work is needed for the faster ways
 * that cost something to set up. None of this ever shows in a result (GEN-10). The usual values are so large that
 * hardly any case made by a fuzzer fills anything. pica_options.capacity lowers them all; the arrays keep their sizes.
 */
#ifndef FAST_CAPACITY_H
#define FAST_CAPACITY_H

#include <stdint.h>

struct fast_capacity {
    /* vertex/ */
    uint32_t group;             /* vertices or indices of a draw between two checks for room */
    uint32_t vertices;          /* of a chunk */
    uint32_t triangles;         /* of a chunk */
    uint32_t index_cache;       /* entries of the cache of shaded vertices; a power of two */
    uint32_t geometry_vertices; /* vertices shaded at once for the geometry stage */
    uint32_t programs;          /* decoded programs that are kept, per unit */
    uint32_t plan_vertices;     /* a draw of more vertices may use an existing plan, */
    uint32_t record_vertices;   /* and one of at least so many has a plan made */
    uint32_t slice_triangles;   /* of a slice, when a draw is cut for several threads */

    /* draw/ */
    uint32_t images;       /* images kept from batch to batch */
    uint32_t whole_words;  /* an image that lacks at most so many words is decoded completely, */
    uint32_t pixel_words;  /* or one that lacks at most so many for each pixel drawn */
    uint32_t sparse_words; /* an image of at least so many may be sparse */

    /* tiles/ */
    uint32_t region_shift;     /* log2 of the edge of a bin */
    uint32_t binned_triangles; /* triangles in all bins */
    uint32_t bin_chunks;       /* of all bins, before a triangle that may need one in each of them */
    uint32_t chunk_triangles;  /* in a link of a bin */
    uint32_t blocks;           /* blocks that may wait for the kernel before a large triangle */
    uint32_t small_blocks;     /* the same, before a small one */
    uint32_t units_awake;      /* work that pays for a hand-over if a worker is awake (fast_workers_pay), */
    uint32_t units_asleep;     /* and if all of them sleep */
};

/* `limit`: pica_options.capacity; 0 means the usual values. */
struct fast_capacity fast_capacity_of(uint32_t limit);

#endif
