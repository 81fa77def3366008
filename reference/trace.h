/*
 * Tracing (pica/backend.h): the values that one vertex of one draw has in each stage, in the order of the pipeline.
 * The stages call ref_trace_*; nothing happens unless the traced vertex is being processed. Tracing changes no result.
 */
#ifndef REFERENCE_TRACE_H
#define REFERENCE_TRACE_H

#include "reference/gpu.h"

/* A vertex of the running draw begins: `number` counts from 0 within the draw; an immediate vertex is number 0. */
void ref_trace_vertex_begin(struct ref_gpu *gpu, uint32_t number);
void ref_trace_vertex_end(struct ref_gpu *gpu);

/* A draw trigger or an immediate vertex ends. */
void ref_trace_draw_end(struct ref_gpu *gpu);

/* Sends up to 16 values to the sink. */
void ref_trace_report(const struct ref_gpu *gpu, enum pica_trace_type type, const char *stage, const char *name,
                      uint32_t index, const uint32_t *values, uint32_t count);

/* Numbers, or binary32 bits (shown as a dump would, GEN-02), of the traced vertex. */
static inline void ref_trace_unsigned(const struct ref_gpu *gpu, const char *stage, const char *name, uint32_t index,
                                      const uint32_t *values, uint32_t count)
{
    if (gpu->trace.is_active)
        ref_trace_report(gpu, PICA_TRACE_UNSIGNED, stage, name, index, values, count);
}

static inline void ref_trace_floats(const struct ref_gpu *gpu, const char *stage, const char *name, uint32_t index,
                                    const uint32_t *bits, uint32_t count)
{
    if (gpu->trace.is_active)
        ref_trace_report(gpu, PICA_TRACE_FLOAT, stage, name, index, bits, count);
}

#endif
