/*
 * Tracing (pica/backend.h): the values that one vertex or one pixel of a draw has in each stage, in the order of the
 * pipeline. The stages call ref_trace_*, which do nothing unless the traced subject is being processed; without a trace
 * this costs one well-predicted branch. Tracing changes no result. Steps are those of pica/trace.def.
 */
#ifndef REFERENCE_TRACE_H
#define REFERENCE_TRACE_H

#include "reference/gpu.h"
#include "reference/number.h"
#include "reference/visits.h"

#include "pica/stage_words.h"
#include "pica/trace.h"

/* A vertex of the running draw begins: `number` counts from 0 within the draw; an immediate vertex is number 0. */
void ref_trace_vertex_begin(struct ref_gpu *gpu, uint32_t number);

/* Whether the request is for the pixels at (x, y) of the running draw, RST-01 coordinates, or a history wants them. */
bool ref_trace_wants_pixel(struct ref_gpu *gpu, int32_t x, int32_t y);

/* A draw trigger or an immediate vertex ends. */
void ref_trace_draw_end(struct ref_gpu *gpu);

/* Sends 1 to 16 values to the sink. Floats are shown as a dump would (GEN-02). */
void ref_trace_report(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, const uint32_t *values,
                      uint32_t count);
void ref_trace_report_floats(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, const float *values,
                             uint32_t count);
void ref_trace_report_color(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, const uint8_t rgba[4]);
void ref_trace_report_rule(const struct ref_gpu *gpu, const struct pica_stage_word_info *word, const char *rule,
                           uint32_t index, enum pica_trace_type type, const uint32_t *values, uint32_t count);

/* A triangle visits a covered pixel; until ref_trace_pixel_end its steps are reported if it is the traced one. */
static inline void ref_trace_pixel_begin(struct ref_gpu *gpu, int32_t x, int32_t y)
{
    if (gpu->trace.sink != NULL)
        gpu->trace.is_active = ref_trace_wants_pixel(gpu, x, y);
}

/* The vertex is over. */
static inline void ref_trace_end(struct ref_gpu *gpu)
{
    gpu->trace.is_active = false;
}

/* The visit of the pixel is over. */
static inline void ref_trace_pixel_end(struct ref_gpu *gpu)
{
    if (gpu->trace.is_active && gpu->trace.history != NULL)
        ref_visit_end(gpu);
    gpu->trace.is_active = false;
}

/* `values` are integers or bits of floats, as the line of pica/trace.def says. */
static inline void ref_trace(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, const uint32_t *values,
                             uint32_t count)
{
    if (gpu->trace.is_active)
        ref_trace_report(gpu, id, index, values, count);
}

static inline void ref_trace_floats(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index,
                                    const float *values, uint32_t count)
{
    if (gpu->trace.is_active)
        ref_trace_report_floats(gpu, id, index, values, count);
}

/* Bytes R G B A. */
static inline void ref_trace_color(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index,
                                   const uint8_t rgba[4])
{
    if (gpu->trace.is_active)
        ref_trace_report_color(gpu, id, index, rgba);
}

/* Reports the result of a rule that leads to the next step, as a step named by the rule's id (pica/trace.def). */
static inline void ref_trace_rule(const struct ref_gpu *gpu, const char *rule, uint32_t index, const uint32_t *values,
                                  uint32_t count)
{
    if (gpu->trace.is_active)
        ref_trace_report_rule(gpu, pica_stage_word_of_rule(rule), rule, index, PICA_TRACE_UNSIGNED, values, count);
}

static inline void ref_trace_rule_floats(const struct ref_gpu *gpu, const char *rule, uint32_t index,
                                         const float *values, uint32_t count)
{
    uint32_t bits[16];
    if (!gpu->trace.is_active)
        return;
    for (uint32_t i = 0; i < count; i++)
        bits[i] = ref_bits(values[i]);
    ref_trace_report_rule(gpu, pica_stage_word_of_rule(rule), rule, index, PICA_TRACE_FLOAT, bits, count);
}

#endif
