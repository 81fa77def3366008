/*
 * The table of kernels of an instance. Each kernels/NAME.c is compiled once per instruction set and fills its members
 * with fast_fill_NAME_<set>; fast_kernels_select (cpu.c) goes from the scalar set to the best one that is allowed.
 */
#ifndef FAST_KERNELS_H
#define FAST_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/tiles/raster_set_up.h"
#include "fast/vertex/shader_program.h"

struct fast_quick;
struct fast_fragment_state;
struct fast_shading_state;
struct fast_tracer;
struct fast_plan_run;
struct fast_vertex_fetch;
struct fast_triangle;

/*
 * Pixels of a triangle that are drawn together. A block: 4x4 pixels, 16 consecutive ones of both surfaces. A span: 8x8
 * tiles side by side, each of four such blocks, all of them `inside` and `whole`. Spans follow the single blocks of
 * their triangle; there are some only if the quick way is active, the triangle is bounded and narrow and nothing is
 * traced. A window: 4x4 pixels at an even column and row, that is, four squares of 2x2 pixels. Small triangles need
 * fewer windows than blocks.
 */
struct fast_block_item {
    const struct fast_triangle *triangle;
    uint8_t *color; /* bytes of the 16 pixels; NULL if the surface is not accessed */
    uint8_t *depth;
    uint16_t column; /* of lane 0; multiples of 4, of a window of 2 */
    uint16_t row;    /* memory row of lane 0 */
    bool inside;     /* all 16 weights of all three edges are >= 0 */
    bool whole;      /* no covered pixel of the block is outside of the triangle's box */
    bool window;     /* `whole`, of a triangle that is bounded and narrow, on the quick way */
    uint8_t tiles;   /* of a span, following each other in memory; 0 = a single block */
    /* Of a window: bytes from its left half to its right half, and from its upper half to its lower half. */
    uint32_t right, down;
};

struct fast_block_job {
    const struct fast_fragment_state *raster;
    const struct fast_shading_state *shading;
    uint32_t needs;                 /* FAST_NEED_*: 0 if no colour matters */
    const struct fast_quick *quick; /* the shorter way, if it is active */
    struct fast_tracer *tracer;     /* of a traced draw, else NULL: for kernels that report (trace.h) */
};

struct fast_kernels {
    /* kernels/shader.c */
    fast_shade_function *shade;

    /* kernels/set_up.c: a block of positions onto the screen; which of 16 triangles are left; a block of attributes; 16
     * triangles of such vertices. */
    fast_project_function *project;
    fast_select_function *select;
    fast_scale_function *scale;
    fast_set_up_function *set_up;

    /*
     * kernels/shader_plan.c: a part of a plan on some blocks. False: a vertex may need the repair of GEN-03, the
     * results are void.
     */
    bool (*run_plan)(const struct fast_plan_run *run);

    /* kernels/fetch.c: array attributes of blocks of 16 vertices as rows; the least and the greatest of `count` > 0
     * indices of `width` bytes, 1 or 2. */
    void (*load_vertices)(const struct fast_vertex_fetch *fetch);
    void (*find_index_range)(const uint8_t *bytes, uint32_t width, uint32_t count, uint32_t range[2]);

    /* kernels/block.c: draws blocks in their order; those of one triangle follow each other (RST-06). */
    void (*draw_blocks)(const struct fast_block_job *job, const struct fast_block_item *items, uint32_t count);
};

#endif
