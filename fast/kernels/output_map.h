/*
 * The output map: which output registers are which parts of a vertex (SHD-80, SHD-81). This is the one of the
 * interpreter; that of a plan is in shader_plan.c, which looks for NaN at the same time.
 */
#ifndef FAST_KERNELS_OUTPUT_MAP_H
#define FAST_KERNELS_OUTPUT_MAP_H

#include "fast/pipeline.h"
#include "fast/simd/simd.h"
#include "fast/vertex/shader_program.h"

static inline bool is_color_slot(uint32_t slot)
{
    return slot >= FAST_SLOT_COLOR && slot < FAST_SLOT_COLOR + 4u;
}

/* SHD-81: NaN gives 1.0. */
static inline v_f32 limit_color(v_f32 color)
{
    return v_f32_lesser(v_f32_abs(color), v_f32_splat(1.0f));
}

/* SHD-80. */
static inline void map_outputs(const struct fast_shader_run *run)
{
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++) {
        v_f32 value = v_f32_load(run->file->row[run->map[slot]]);
        if (is_color_slot(slot))
            value = limit_color(value);
        v_f32_store(run->block + (size_t)slot * FAST_FILE_LANES, value);
    }
}

#endif
