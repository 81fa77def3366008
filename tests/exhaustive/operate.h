/*
 * 384 values through one shader operation in one draw, seen exactly. The values are the VS uniforms c0-c95; six
 * vertices
 * read 16 of them each through a0.x and write the results of all four components to o0-o15; the geometry stage in fixed
 * mode (GSH-23; 16 vectors a vertex) puts those into the GS uniforms c0-c95, which a state dump shows.
 */
#ifndef TESTS_EXHAUSTIVE_OPERATE_H
#define TESTS_EXHAUSTIVE_OPERATE_H

#include "tests/exhaustive/exhaustive.h"

enum {
    OPERATE_VALUES = 4 * PICA_FLOAT_UNIFORMS
};

/* Shaders, vertices and registers; `opcode` is of format 1u. */
void operate_prepare(struct machine *m, uint32_t opcode);
/* Uniforms as raw float24 values, or as binary32 bits; then the draw. In x, y, z, w order of c0, c1, .. */
void operate_run(struct machine *m, bool raw24, const uint32_t values[OPERATE_VALUES]);
/* Of the last run: what the uniforms hold and what the operation gave, from one state dump. */
void operate_results(struct machine *m, uint32_t inputs[OPERATE_VALUES], uint32_t outputs[OPERATE_VALUES]);

#endif
