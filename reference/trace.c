/*
 * Tracing: answers "where do two backends begin to differ?" for one vertex or one pixel.
 *
 * A request names a draw, counted from load as the observer of draws sees them, and a vertex or a pixel of it. While
 * that vertex is processed, or a triangle visits that pixel, the stages report what they see. What they report, what it
 * is called and in which order it comes is written in pica/trace.def, so that the first difference of two traces names
 * a stage and a value.
 *
 * Worked number: in `DRAWARRAYS` of 3 vertices from number 5, request vertex 1 and the first step is stage "fetch",
 * name "vertex number", value 6.
 */
#include "reference/trace.h"

#include "reference/number.h"

void ref_trace_vertex_begin(struct ref_gpu *gpu, uint32_t number)
{
    const struct ref_trace *trace = &gpu->trace;
    if (trace->history != NULL) {
        gpu->trace.is_active = ref_visits_want_vertex(gpu, number);
        return;
    }
    const bool is_wanted = trace->request.subject == PICA_TRACE_VERTICES ||
                           (trace->request.subject == PICA_TRACE_VERTEX && trace->request.x == number);
    gpu->trace.is_active = trace->sink != NULL && is_wanted && trace->request.draw == trace->draws;
}

bool ref_trace_wants_pixel(struct ref_gpu *gpu, int32_t x, int32_t y)
{
    const struct ref_trace *trace = &gpu->trace;
    if (trace->history != NULL)
        return ref_visit_begin(gpu, x, y);
    return trace->request.subject == PICA_TRACE_PIXEL && trace->request.draw == trace->draws &&
           trace->request.x == (uint32_t)x && trace->request.y == (uint32_t)y;
}

void ref_trace_draw_end(struct ref_gpu *gpu)
{
    gpu->trace.draws += 1u;
    gpu->trace.triangles = 0;
}

void ref_trace_report(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, const uint32_t *values,
                      uint32_t count)
{
    if (gpu->trace.history != NULL && !ref_visit_step(gpu, id, values, count))
        return;
    const struct pica_trace_info *info = pica_trace_info(id);
    struct pica_trace_step step = { info->stage, info->name, index, info->type, count, { 0 } };
    for (uint32_t i = 0; i < count; i++)
        step.values[i] = info->type == PICA_TRACE_FLOAT ? ref_canonical_bits(values[i]) : values[i];
    gpu->trace.sink(gpu->trace.user, &step);
}

void ref_trace_report_floats(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, const float *values,
                             uint32_t count)
{
    uint32_t bits[16];
    for (uint32_t i = 0; i < count; i++)
        bits[i] = ref_bits(values[i]);
    ref_trace_report(gpu, id, index, bits, count);
}

void ref_trace_report_color(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, const uint8_t rgba[4])
{
    const uint32_t channels[4] = { rgba[0], rgba[1], rgba[2], rgba[3] };
    ref_trace_report(gpu, id, index, channels, 4);
}

/* Observers of histories (visits.h) get only steps that have a line in pica/trace.def, so no results of rules. */
void ref_trace_report_rule(const struct ref_gpu *gpu, const struct pica_stage_word_info *word, const char *rule,
                           uint32_t index, enum pica_trace_type type, const uint32_t *values, uint32_t count)
{
    struct pica_trace_step step = { word->text, rule, index, type, count, { 0 } };
    if (gpu->trace.history != NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        step.values[i] = type == PICA_TRACE_FLOAT ? ref_canonical_bits(values[i]) : values[i];
    gpu->trace.sink(gpu->trace.user, &step);
}
