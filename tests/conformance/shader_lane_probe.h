/*
 * Many vertices through one vertex shader in one draw, each result visible bit by bit: the geometry stage collects them
 * in variable mode (GSH-20, GSH-21), so that o0 of vertex v is c[1 + v] of the geometry unit. Shows what a renderer
 * that runs vertices side by side could get wrong.
 */
#ifndef TESTS_CONFORMANCE_SHADER_LANE_PROBE_H
#define TESTS_CONFORMANCE_SHADER_LANE_PROBE_H

#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

enum {
    LANES = 95 /* most vertices of a run */
};

struct lane_run {
    const uint32_t *code; /* at 0 of the VS */
    uint32_t code_count;
    const uint32_t *descriptors; /* NULL: descriptor 0 = IDENTITY */
    uint32_t descriptor_count;
    uint32_t count;               /* vertices, 1-95 */
    uint32_t inputs[LANES][2][4]; /* v0 and v1 of each vertex, binary32 bits */
    const struct list *setup;     /* uniforms and registers of the VS */
};

/* v0 = (v, v, v, v), v1 = 0 for all 95 vertices. */
void lane_number(struct lane_run *run);

void lane_draw(struct machine *m, const struct lane_run *run);
/* o0 of vertex v of the last draw. */
struct pica_vector lane_output(struct machine *m, uint32_t v);

#endif
