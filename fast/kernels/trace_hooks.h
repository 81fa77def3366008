/*
 * What the kernels report about the traced lane (fast/trace.h). Every function is empty unless FAST_TRACING is set;
 * then it does nothing if the block has no traced pixel, or no longer has it (a test failed).
 */
#ifndef FAST_KERNELS_TRACE_HOOKS_H
#define FAST_KERNELS_TRACE_HOOKS_H

#include "fast/kernels/block.h"
#include "fast/trace.h"

static inline bool traces(const struct fast_block *block)
{
    return FAST_TRACING && block->tracer != NULL;
}

/* One lane of a vector, as bits. */
static inline uint32_t lane_of_u32(const struct fast_tracer *tracer, v_u32 vector)
{
    uint32_t values[V_LANES];
    v_u32_store(values, vector);
    return values[tracer->lane];
}

static inline uint32_t lane_of_i32(const struct fast_tracer *tracer, v_i32 vector)
{
    return lane_of_u32(tracer, v_u32_from_i32(vector));
}

static inline uint32_t lane_of_f32(const struct fast_tracer *tracer, v_f32 vector)
{
    return lane_of_u32(tracer, v_u32_from_f32_bits(vector));
}

static inline uint32_t lane_of_mask(const struct fast_tracer *tracer, v_mask mask)
{
    return v_mask_bits(mask) >> tracer->lane & 1u;
}

static inline void trace_f32(const struct fast_block *block, enum pica_trace_id id, uint32_t index,
                             const v_f32 *vectors, uint32_t count)
{
    uint32_t values[16];
    if (!traces(block))
        return;
    for (uint32_t i = 0; i < count; i++)
        values[i] = lane_of_f32(block->tracer, vectors[i]);
    fast_trace_step(block->tracer, id, index, values, count);
}

/* Bytes in 16-bit lanes: the four channels of a colour, or those of several in a row. */
static inline void trace_channels(const struct fast_block *block, enum pica_trace_id id, uint32_t index,
                                  const v_u16 *channels, uint32_t count)
{
    uint32_t values[16];
    if (!traces(block))
        return;
    for (uint32_t i = 0; i < count; i++)
        values[i] = lane_of_u32(block->tracer, v_u32_from_u16(channels[i]));
    fast_trace_step(block->tracer, id, index, values, count);
}

/* One to three integers. */
static inline void trace_i32(const struct fast_block *block, enum pica_trace_id id, uint32_t index,
                             const v_i32 *vectors, uint32_t count)
{
    uint32_t values[3];
    if (!traces(block))
        return;
    for (uint32_t i = 0; i < count; i++)
        values[i] = lane_of_i32(block->tracer, vectors[i]);
    fast_trace_step(block->tracer, id, index, values, count);
}

/* Words before and after, or any two values. */
static inline void trace_pair(const struct fast_block *block, enum pica_trace_id id, v_u32 first, v_u32 second)
{
    if (!traces(block))
        return;
    const uint32_t values[2] = { lane_of_u32(block->tracer, first), lane_of_u32(block->tracer, second) };
    fast_trace_step(block->tracer, id, 0u, values, 2u);
}

static inline void trace_u32(const struct fast_block *block, enum pica_trace_id id, v_u32 value)
{
    if (!traces(block))
        return;
    const uint32_t bits = lane_of_u32(block->tracer, value);
    fast_trace_step(block->tracer, id, 0u, &bits, 1u);
}

/* A test: first the values that it compared, then the outcome. */
static inline void trace_test(const struct fast_block *block, enum pica_trace_id id, const v_u32 *compared,
                              uint32_t count, v_mask passes)
{
    uint32_t values[3];
    if (!traces(block))
        return;
    for (uint32_t i = 0; i < count; i++)
        values[i] = lane_of_u32(block->tracer, compared[i]);
    values[count] = lane_of_mask(block->tracer, passes);
    fast_trace_step(block->tracer, id, 0u, values, count + 1u);
}

/* A fragment that failed a test has no further steps. */
static inline void end_trace_unless(struct fast_block *block, v_mask alive)
{
    if (traces(block) && lane_of_mask(block->tracer, alive) == 0u)
        block->tracer = NULL;
}

#endif
