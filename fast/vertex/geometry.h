/* The geometry stage (GSH): collector, geometry shader unit, emission. One vertex at a time; correctness first. */
#ifndef FAST_VERTEX_GEOMETRY_H
#define FAST_VERTEX_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "pica/backend.h"

#include "fast/vertex/shader_program.h"

struct fast_gpu;

struct fast_geometry {
    /* SHD-11: what persists lies in lane 0 of `file` (v, r, both banks of o) and in `run` (a0, aL, cmp, bank). */
    struct fast_register_file file;
    bool file_used; /* v, r, o may hold other numbers than 0 */
    struct fast_shader_run run;
    struct fast_program_cache programs;

    float slots[4][16][4]; /* GSH-30, GSH-32 */
    uint8_t emit_vertex;
    bool emit_primitive, emit_winding;

    /* Latched by GSH-05. */
    bool in_use;
    uint32_t mode;               /* enum pica_gsh_mode */
    uint32_t vectors_per_vertex; /* NV */
    uint32_t input_vectors;      /* NG */
    uint32_t fixed_vertices;     /* FN */
    uint32_t fixed_first;        /* FS */
    uint32_t output_mask;

    /* The collector. */
    float buffer[16][4];
    uint32_t buffer_length;
    bool want_count;
    uint32_t main_left, left;
    uint32_t pointer;
    uint32_t vertex_count;
};

/* GSH-05. */
void fast_geometry_configure(struct fast_gpu *gpu);

/* GSH-20: an index that is a count. */
void fast_geometry_count(struct fast_gpu *gpu, uint32_t count);

/* One VS result, out[0..15]; `counted`: of an element draw (GSH-22). */
void fast_geometry_vertex(struct fast_gpu *gpu, const float out[16][4], bool counted);

#endif
