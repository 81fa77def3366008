/*
 * Draw triggers and immediate vertices (VTX): vertices are loaded 16 at a time into the lanes of a register file,
 * shaded (kernels/shader.c) and handed to the primitive assembler or the geometry stage. fetch_gather.h finds which
 * vertices are needed; fetch_slices.h draws a large draw on several threads.
 */
#ifndef FAST_VERTEX_FETCH_H
#define FAST_VERTEX_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/pipeline.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/shader_plan.h"
#include "fast/vertex/shader_program.h"

struct fast_gpu;

enum {
    FAST_ATTRIBUTE_SLOTS = 16,
    FAST_SLOT_UNMAPPED = 255,
    FAST_INDEX_CACHE = 4096, /* entries; a power of two */
    FAST_FETCH_GROUP = 256,  /* indices between two checks for room in the pool */
    FAST_NO_REGISTER = 255
};

/* VTX-02..09: how one attribute of the running draw is loaded from its array. */
struct fast_attribute_source {
    uint8_t type;         /* enum pica_attribute_type */
    uint8_t elements;     /* n, 1-4 */
    uint8_t element_size; /* es, bytes */
    uint8_t target;       /* v register, or FAST_NO_REGISTER */
    uint8_t attribute;    /* its number */
    uint32_t stride;
    uint32_t address;     /* of the draw's first vertex number, modulo 2^32 */
    const uint8_t *bytes; /* host pointer to it if every vertex of the draw is in memory; else NULL */
};

/* What the kernel load_vertices reads and where it writes. Vertex i of the call goes to lane i % 16 of block i / 16. */
struct fast_vertex_fetch {
    const struct fast_attribute_source *sources; /* those without `bytes` or target are left out */
    uint32_t source_count;
    uint32_t blocks;                               /* 1-4 */
    bool f24;                                      /* FLT-03 */
    uint64_t rows_wanted;                          /* bit i: row i of v is needed */
    float *rows;                                   /* v0.x of the first block; the next block follows it */
    uint32_t distance;                             /* floats between two rows */
    const uint32_t *offsets[FAST_ATTRIBUTE_SLOTS]; /* by source: bytes from `bytes` to each vertex */
};

/* A vertex shaded earlier in this chunk: tag = generation << 16 | index. */
struct fast_index_cache_entry {
    uint32_t tag;
    uint32_t offset; /* in the vertex pool */
};

/*
 * Vertices on their way to the shader and into a pool: those of the caller's thread, or those of a slice. A slice may
 * change nothing else, so it shades only by the plan of the draw, and reports if a vertex needs the interpreter.
 */
struct fast_gather {
    struct fast_primitives *primitives; /* to whose pool the vertices go */
    bool of_slice;
    bool fails; /* of a slice: a vertex needs the interpreter, so the slice's vertices are invalid */

    /*
     * For each vertex of the pool: its number relative to the draw's first. The newest ones may still wait for the
     * shader.
     */
    uint32_t numbers[FAST_POOL_VERTICES];
    uint32_t pending_count;
    uint32_t offsets[FAST_ATTRIBUTE_SLOTS][FAST_PLAN_VERTICES]; /* of the vertices being loaded, by source */

    /* Blocks of the pool for which only the first part of `plan` has run. */
    const struct fast_plan *plan;
    bool any_half;
    bool half[FAST_POOL_BLOCKS];

    /* CMD-24, if instructions are counted per vertex: how many values of i each vertex of the chunk stands for. */
    bool counts;
    uint32_t uses[FAST_POOL_VERTICES];

    /* VTX-24. */
    uint32_t cache_generation; /* 1 .. 65535; entries of other generations are invalid */
    struct fast_index_cache_entry cache[FAST_INDEX_CACHE];

    struct fast_plan_frame frame;
};

struct fast_vertices {
    struct fast_register_file file;
    struct fast_shader_run run;
    struct fast_program_cache programs;
    uint64_t spread_serial; /* serial of the program whose uniforms are in the file's rows; 0: none */

    /* The running draw. */
    struct fast_attribute_source sources[FAST_ATTRIBUTE_SLOTS];
    uint32_t source_count;
    uint32_t first_number;                     /* vertex numbers below are relative to this one */
    uint32_t output_row[16];                   /* row of out[k] (SHD-70) */
    uint32_t output_count;                     /* enabled outputs */
    uint8_t slot_component[FAST_VERTEX_SLOTS]; /* SHD-80: k * 4 + component, or FAST_SLOT_UNMAPPED */
    uint16_t map[FAST_VERTEX_SLOTS];           /* the same as rows of `file` */

    struct fast_gather gather; /* that of the caller's thread */
    uint32_t pending_limit;    /* vertices that are shaded at once: 16, or 64 with a plan */

    /* shader.c. */
    const struct fast_plan *plan; /* of the running draw; NULL = the interpreter */
    bool records;                 /* the next batch is recorded for a plan */
    bool scalars_dirty;           /* c0-c95 changed since they were copied to the frame */
    struct fast_recording recording;
    struct fast_plan plans[FAST_PROGRAM_SLOTS]; /* each of the program in the same slot of `programs` */

    /*
     * CMD-24, SHD-14: instructions executed for each vertex of the chunk, by number in the pool; or, in a draw that has
     * had a plan from the beginning, for every vertex.
     */
    uint32_t executed[FAST_POOL_VERTICES];
    uint32_t executed_each;
};

/* VTX-20: runs the draw when 0x22E (arrays) or 0x22F (`elements`) was written. */
void fast_draw(struct fast_gpu *gpu, bool elements);

/* VTX-42: processes the complete vertex in imm[]; `id` is the port whose write completed it. */
void fast_immediate_vertex(struct fast_gpu *gpu, uint32_t id);

/* VTX-08, VTX-11, VTX-12: the v register that shows entry j < 16 of the buffer, or FAST_NO_REGISTER. */
uint32_t fast_vertex_target(const struct fast_gpu *gpu, uint32_t j);

/* VTX-12, GSH-11: perm(j), j < 16, of a unit's input permutation. */
uint32_t fast_input_register(const struct fast_gpu *gpu, uint32_t unit, uint32_t j);

/* SHD-80: the output component that a slot shows in the running draw. */
uint32_t fast_slot_component(const struct fast_gpu *gpu, uint32_t slot);

#endif
