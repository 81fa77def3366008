/*
 * From triangles to memory: bins, tiles, surfaces, workers. Private to this folder, except for what vertex/ uses of
 * bins.
 *
 * Flow: fast_batch_begin -> fast_bins_select (which triangles are left, while only the positions of vertices are known)
 * -> fast_bins_triangles (clip, project, cull, set up; in immediate mode through fast_batch_triangles) -> bins_add ->
 * [bins full, or end of the batch] bins_draw: each bin is a work item, and one thread draws all of its triangles in
 * submission order (RST-06).
 * For a large draw, threads set up slices, each into bins of its own (vertex/fetch_slices.h); then a work item is the
 * same bin of all slices, drawn in the order of the slices.
 */
#ifndef FAST_TILES_RENDERER_H
#define FAST_TILES_RENDERER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fast/draw/fragment_state.h"
#include "fast/gpu.h"
#include "fast/kernels.h"
#include "fast/tiles/triangle.h"

struct fast_triangles;
struct fast_workers;

enum {
    FAST_REGION_SHIFT = 6, /* a bin is a square of 64x64 pixels, or smaller: 32 KiB of colour and depth */
    FAST_REGION_SIZE = 1 << FAST_REGION_SHIFT,
    FAST_REGION_PLACES = FAST_REGION_SIZE / 2, /* even columns or rows of a bin */
    FAST_REGIONS = (2048 / FAST_REGION_SIZE) * (1024 / FAST_REGION_SIZE),
    FAST_REGION_BLOCKS = FAST_REGION_SIZE / 4 * (FAST_REGION_SIZE / 4),
    FAST_BINNED_TRIANGLES = 1024, /* triangles between two flushes */
    FAST_BIN_CHUNKS = 4096,       /* at least FAST_REGIONS */
    FAST_BIN_CHUNK_TRIANGLES = 62,
    FAST_BLOCK_ITEMS = 512, /* blocks of several triangles in one call of the kernel; at least FAST_REGION_BLOCKS */
    FAST_SMALL_BLOCKS = 9,  /* most blocks or windows of a small triangle */
    FAST_SURFACE_BYTES = 2048 * 1024 * 4, /* largest extent of a surface */
    FAST_SURFACE_SQUARES = 2048 * 1024 / 64
};

/* A link of the list that makes up a bin: entries in submission order. */
struct fast_bin_chunk {
    uint32_t next; /* FAST_BIN_CHUNKS = none */
    uint32_t count;
    uint32_t entries[FAST_BIN_CHUNK_TRIANGLES];
};

struct fast_bin {
    uint32_t first, last; /* chunk numbers; valid while the bin is listed in `active` */
    bool listed;
};

/*
 * All bins, the triangles in them, and what was counted and recorded while setting these up. The bins of the caller's
 * thread are drawn when they are full. The bins of a slice are filled by any thread, which may change nothing else:
 * they keep what is counted and recorded, and whether there was no room.
 */
struct fast_bins {
    _Alignas(64) struct fast_renderer *renderer; /* only read by slices; aligned: neighbours belong to other threads */
    struct fast_screen *screen; /* of the current chunk (raster_batch.c); a slice uses that of its thread */

    struct fast_triangle *triangles; /* FAST_BINNED_TRIANGLES */
    struct fast_bin_chunk *chunks;   /* FAST_BIN_CHUNKS */
    uint32_t triangle_count;
    uint32_t chunk_count;
    uint32_t active_count;
    uint64_t binned_pixels;        /* pixels of the boxes */
    uint32_t first_row, last_row;  /* memory rows touched by boxes; empty if last < first */
    bool drawing;                  /* FBF-33 */
    uint16_t active[FAST_REGIONS]; /* bins that hold something */
    struct fast_bin bins[FAST_REGIONS];

    bool of_slice;
    bool overflows;            /* of a slice: it does not hold all of the slice's triangles */
    uint64_t pixels;           /* of a slice: RST-08, pixels counted */
    struct pica_events events; /* of a slice: events recorded */
};

/*
 * Where the bytes of a surface are during a batch. A complete surface is one host range. Of an incomplete one only the
 * parts inside the windows exist, and it is accessed block by block (raster_tile.c).
 */
struct fast_surface_view {
    const struct fast_surface *surface;
    uint8_t *base; /* first byte of the extent; of an incomplete surface NULL unless it is a private copy */
    bool complete; /* the whole extent is in memory */
};

/* Private copies of the surfaces, and which squares of 8x8 pixels have been copied, numbered as in memory. */
struct fast_copies {
    uint8_t *color, *depth; /* FAST_SURFACE_BYTES each */
    uint32_t count;
    uint16_t squares[FAST_SURFACE_SQUARES];
    uint32_t taken[FAST_SURFACE_SQUARES / 32]; /* bit n: square n is among them */
};

struct fast_renderer {
    struct fast_gpu *gpu;
    const struct fast_kernels *kernels; /* kernels of the batch */
    struct fast_workers *workers;

    /* raster_bins.c */
    struct fast_bins own;                                /* of the caller's thread */
    uint32_t most_triangles, most_chunks, most_in_chunk; /* from struct fast_capacity; checked before each triangle */
    struct fast_bin_layout layout;                       /* of this batch */

    /*
     * What is being drawn: `set_count` sets of bins, one after the other, and the bins that hold something in any set.
     */
    const struct fast_bins *sets;
    uint32_t set_count;
    uint32_t active_count;
    uint16_t active[FAST_REGIONS];
    /*
     * Parts of the pixel index for the even columns and rows of a bin, to be added to the index of the bin's first
     * pixel. They just add up, because bins begin where all lower bits of the coordinates are 0.
     */
    uint32_t column_parts[FAST_REGION_PLACES], row_parts[FAST_REGION_PLACES];
    uint32_t homes[FAST_REGIONS]; /* for each bin: the thread that drew it last, whose cache has its pixels */

    /* The batch (framebuffer.c). */
    bool drawing; /* FBF-33 */
    bool private_copies;
    struct fast_surface_view color, depth;
    struct fast_block_job job;
    uint32_t first_row, last_row; /* memory rows that were drawn to; empty if last < first */
    struct fast_copies copies;    /* used if private_copies; otherwise, and between batches, nothing is copied */
};

/* raster_bins.c */
enum pica_status fast_bins_create(struct fast_bins *bins, struct fast_renderer *renderer, bool of_slice);
void fast_bins_destroy(struct fast_bins *bins); /* also accepts bins that are all 0 */
void fast_bins_begin(struct fast_renderer *renderer);
/*
 * Room for one triangle; draws the bins first if they are full. A slice whose bins are full is marked as overflowing,
 * and its bins start again empty.
 */
struct fast_triangle *fast_bins_next(struct fast_bins *bins);
/*
 * The triangle of fast_bins_next is complete: adds it. `blocks`: the 4x4 blocks that it may cover, as the squares of an
 * entry, counted from the block that holds the first pixel of its box; 0 = it is not small.
 */
void fast_bins_add(struct fast_bins *bins, uint32_t blocks);
/* The same for a triangle that lies in one bin and whose entry is known. */
void fast_bins_add_entry(struct fast_bins *bins, uint32_t region, uint32_t entry);
void fast_bins_clear(struct fast_bins *bins);
/* Draws and empties `count` sets of bins, in this order. */
void fast_bins_draw(struct fast_renderer *renderer, struct fast_bins *sets, uint32_t count);

/* The number of the lowest bit of a mask that is not 0. */
static inline uint32_t fast_lowest_bit(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}

/* Records an event of a triangle: in the machine, or in the slice. The functions below do the same with its budget. */
static inline void fast_bins_event(struct fast_bins *bins, enum pica_event event)
{
    fast_events_set(bins->of_slice ? &bins->events : &bins->renderer->gpu->events, event);
}

static inline bool fast_bins_admit(struct fast_bins *bins, uint64_t pixels)
{
    if (!bins->of_slice)
        return fast_triangle_admit(bins->renderer->gpu, pixels);
    bins->pixels += pixels;
    return true;
}

/*
 * raster_batch.c: sets up consecutive triangles and adds them to bins. `needed`: the result of fast_bins_select, or
 * NULL.
 */
void fast_bins_triangles(struct fast_bins *bins, const struct fast_triangles *triangles, const uint8_t *needed);

/*
 * Call before that, when only the positions of vertices are known: marks in `needed` the blocks with a vertex of a
 * triangle that may draw or record anything (and perhaps more blocks). Other triangles may be removed from `corner`,
 * which are the arrays that `triangles` names. Returns how many triangles are left.
 */
enum {
    FAST_BLOCK_DRAWN = 1 /* value of `needed`: the slots that the draw needs */
};
uint32_t fast_bins_select(struct fast_bins *bins, const struct fast_triangles *triangles, uint32_t *const corner[3],
                          uint8_t needed[FAST_POOL_BLOCKS]);

/* The slots, position excluded, that FAST_NEED_* bits stand for; bit n is slot n. */
uint32_t fast_needed_slots(uint32_t needs);

/* framebuffer_copies.c: call the first before triangles are drawn on private copies, the second after all are drawn. */
void fast_copies_take(struct fast_renderer *renderer);
void fast_copies_store(struct fast_renderer *renderer);

/* clip.c: draws one triangle, whatever it needs (single_triangle.h). */
void fast_triangle_draw(struct fast_bins *bins, const struct fast_triangles *triangles, uint32_t number);

/* raster_tile.c: finds the parts, once before bins are drawn. */
void fast_tile_parts(struct fast_renderer *renderer);
/* Draws bin number `region` of all sets; called from any thread. */
void fast_tile_draw(const struct fast_renderer *renderer, uint32_t region);

/* threads.c. */
enum {
    FAST_JOB_ITEMS = FAST_REGIONS
};
struct fast_job {
    void (*run)(void *context, uint32_t item, uint32_t thread); /* on any thread; 0 is the caller's */
    void *context;
    uint32_t items;  /* 1 .. FAST_JOB_ITEMS */
    uint32_t *homes; /* in: the thread that takes each item if it can; out: the one that took it */
};
enum pica_status fast_workers_create(uint32_t threads, const struct fast_capacity *capacity,
                                     struct fast_workers **workers);
void fast_workers_destroy(struct fast_workers *workers); /* accepts NULL */
/*
 * Is there enough work to hand over to workers? A unit is about the cost of one pixel whose colour comes from the
 * vertices alone.
 */
bool fast_workers_pay(const struct fast_workers *workers, uint64_t units);
/* Runs each item of the job once, on all threads; returns when all are done. */
void fast_workers_run(struct fast_workers *workers, const struct fast_job *job);

#endif
