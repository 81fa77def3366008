/* What a backend computes in a draw around a shader (shader_case.h), as far as it shows it. */
#ifndef HARNESS_SHADER_SHADER_RUN_H
#define HARNESS_SHADER_SHADER_RUN_H

#include "harness/run/runner.h"
#include "harness/shader/shader_case.h"
#include "oracles/trace_equal.h"

enum {
    HARNESS_SHADER_FINALS = 2, /* vertices that stay in the assembler: those of the first two corners */
    HARNESS_SHADER_PIXELS = HARNESS_SHADER_SIDE * HARNESS_SHADER_SIDE
};

/* Start from zeroes. */
struct harness_shader_result {
    const char *refusal;                     /* it does not run the case; the runner's, until its next load */
    bool has_trace, has_finals, has_picture; /* what it shows */
    struct pica_trace_step *steps;           /* of all vertices of the draw */
    size_t step_count;
    bool failed; /* no memory for steps */
    struct pica_final_vertex finals[HARNESS_SHADER_FINALS];
    uint8_t picture[HARNESS_SHADER_PIXELS][4]; /* R G B A, rows from the top */
};

/* Runs the lowered case, which has one draw. */
enum harness_status harness_shader_run(struct harness_runner *runner, const struct harness_program *program,
                                       struct harness_shader_result *out, struct harness_error *error);
void harness_shader_result_free(struct harness_shader_result *result);

/* The steps of one vertex; none if it has no trace. */
struct oracle_trace harness_shader_vertex(const struct harness_shader_result *result, uint32_t vertex);

/* Has the draw changed the pixel? */
bool harness_shader_is_drawn(const uint8_t pixel[4]);

#endif
