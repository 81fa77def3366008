/* What backends computed with a shader, on its way to text or JSON: shader_values.c, shader_values_json.c. */
#ifndef HARNESS_CLI_SHADER_VIEW_H
#define HARNESS_CLI_SHADER_VIEW_H

#include "harness/cli/shader_values.h"
#include "harness/shader/shader_text.h"

enum {
    CLI_SHADER_SLOTS = 24,
    CLI_SHADER_MIDDLE = HARNESS_SHADER_SIDE / 2 * HARNESS_SHADER_SIDE + HARNESS_SHADER_SIDE / 2 /* a pixel */
};

struct cli_shader_view {
    const struct cli_shader_question *question;
    const struct harness_shader_program *program;
    struct harness_shader_result results[HARNESS_MOST_BACKENDS];
    const char *names[HARNESS_MOST_BACKENDS];
    size_t count;
    size_t base; /* the first that shows most: the others are compared with it */
    const char *labels[HARNESS_MAX_CODE + 1];
    bool differs;
    bool is_geometry; /* the program; the vertex program before it is not shown */
    /* Of the vertex that is printed. */
    bool vertex_differs;
    const struct pica_trace_step *instruction; /* not printed yet: what the steps that follow belong to */
};

/* An instruction, an output, of the program's unit. */
bool cli_shader_is_instruction(const struct pica_trace_step *step);
bool cli_shader_is_output(const struct cli_shader_view *view, const struct pica_trace_step *step);

/* Of the vertex program before a geometry program. */
bool cli_shader_is_hidden(const struct cli_shader_view *view, const struct pica_trace_step *step);

bool cli_shader_is_step(const struct pica_trace_step *step, enum pica_trace_id id);

/* Of the four outputs that an emission tells, those up to the last that is one. */
uint32_t cli_shader_emitted(const struct cli_shader_view *view);

/* Is an output sent to the slot? */
bool cli_shader_is_mapped(const struct cli_shader_view *view, uint32_t slot);
const char *cli_shader_slot_name(uint32_t slot);

/* What the left column calls a step. */
void cli_shader_add_label(const struct cli_shader_view *view, const struct pica_trace_step *step,
                          struct harness_text *out);

/* The slots of one of the first vertices; false: it does not show them. */
bool cli_shader_take_slots(const struct cli_shader_view *view, size_t backend, uint32_t vertex,
                           uint32_t out[CLI_SHADER_SLOTS]);

/* How many pixels were drawn; *is_even: all 64 have one colour. */
uint32_t cli_shader_count_drawn(const struct harness_shader_result *result, bool *is_even);

/* One JSON object; bit n of `vertices`: corner n is in it. */
void cli_shader_put_json(const struct cli_shader_view *view, uint32_t vertices);

/* What the draw gives to the program, as text. */
void cli_shader_put_head(const struct cli_shader_view *view);

#endif
