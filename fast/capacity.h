/*
 * How much the parts of the machine take before they empty themselves, and from how much work on they take the longer
 * way to a quicker result. None of it ever shows in a result (GEN-10). The usual values are so large that hardly a case
 * made by a fuzzer fills anything; pica_options.capacity lowers them all, the arrays behind them stay as they are.
 */
#ifndef FAST_CAPACITY_H
#define FAST_CAPACITY_H

#include <stdint.h>

struct fast_capacity {
    /* vertex/ */
    uint32_t group;             /* vertices or indices of a draw between two looks at the room that is left */
    uint32_t vertices;          /* of a chunk */
    uint32_t triangles;         /* of a chunk */
    uint32_t index_cache;       /* entries of the cache of shaded vertices; a power of two */
    uint32_t geometry_vertices; /* shaded at once for the geometry stage */
    uint32_t programs;          /* decoded ones that are kept, of each unit */
    uint32_t plan_vertices;     /* a draw of more may take a plan that is there, */
    uint32_t record_vertices;   /* and one of as many has one made */
    uint32_t slice_triangles;   /* of a slice, when a draw is cut for several threads */

    /* draw/ */
    uint32_t images;       /* kept from batch to batch */
    uint32_t whole_words;  /* an image of which no more are missing is decoded whole, */
    uint32_t pixel_words;  /* or of which that many for each pixel drawn */
    uint32_t sparse_words; /* an image of as many may have the sparse layout */

    /* tiles/ */
    uint32_t region_shift;     /* log2 of the edge of a bin */
    uint32_t binned_triangles; /* of all bins */
    uint32_t bin_chunks;       /* of all bins, before a triangle that may need one in each of them */
    uint32_t chunk_triangles;  /* in a link of a bin */
    uint32_t blocks;           /* that wait for the kernel, before a large triangle */
    uint32_t small_blocks;     /* the same, before a small one */
    uint32_t units_awake;      /* work that is worth a hand-over to workers that are awake (fast_workers_pay), */
    uint32_t units_asleep;     /* and to others */
};

/* `limit`: pica_options.capacity; 0: the usual values. */
struct fast_capacity fast_capacity_of(uint32_t limit);

#endif
