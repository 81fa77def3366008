/*
 * Tracing: answers "where do two backends begin to differ?" for one vertex.
 *
 * A request names a draw, counted from load as the observer of draws sees them, and a vertex of it. While that vertex
 * is processed, the stages report what they see: "fetch" the attributes, "shader" the result of each instruction and
 * the outputs, "output map" the slots of the final vertex (SHD-80). Both backends of this project use the same names,
 * so that the first difference of two traces names a stage and a value.
 *
 * Worked number: in `DRAWARRAYS` of 3 vertices from number 5, request vertex 1 and the first step is stage "fetch",
 * name "vertex number", value 6.
 */
#include "reference/trace.h"

#include "reference/numbers.h"

void ref_trace_vertex_begin(struct ref_gpu *gpu, uint32_t number)
{
    const struct ref_trace *trace = &gpu->trace;
    const bool is_wanted = trace->request.subject == PICA_TRACE_VERTICES ||
                           (trace->request.subject == PICA_TRACE_VERTEX && trace->request.x == number);
    gpu->trace.is_active = trace->sink != NULL && is_wanted && trace->request.draw == gpu->trace.draws;
}

void ref_trace_vertex_end(struct ref_gpu *gpu)
{
    gpu->trace.is_active = false;
}

void ref_trace_draw_end(struct ref_gpu *gpu)
{
    gpu->trace.draws += 1u;
}

void ref_trace_report(const struct ref_gpu *gpu, enum pica_trace_type type, const char *stage, const char *name,
                      uint32_t index, const uint32_t *values, uint32_t count)
{
    struct pica_trace_step step = { stage, name, index, type, count, { 0 } };
    for (uint32_t i = 0; i < count; i++)
        step.values[i] = type == PICA_TRACE_FLOAT ? ref_canonical_bits(values[i]) : values[i];
    gpu->trace.sink(gpu->trace.user, &step);
}
