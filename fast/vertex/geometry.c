/* The geometry stage (GSH). The geometry shader runs in lane 0 of the kernel that also runs vertex shaders. */
#include "fast/vertex/geometry.h"

#include <math.h>

#include "fast/gpu.h"
#include "fast/kernels.h"
#include "fast/number.h"
#include "fast/pipeline.h"
#include "fast/trace.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch.h"
#include "pica/regs.h"

/* GSH-01, GSH-05, GSH-06: latches the whole list of settings in every mode, also when the stage is not in use. */
void fast_geometry_configure(struct fast_gpu *gpu)
{
    struct fast_geometry *const geometry = gpu->geometry;
    const uint32_t *const registers = gpu->registers;
    const uint32_t misc = registers[PICA_REG_GSH_MISC0];
    memset(geometry->buffer, 0, sizeof geometry->buffer);
    geometry->buffer_length = 0u;
    geometry->in_use = pica_geostage_config_mode(registers[PICA_REG_GEOSTAGE_CONFIG]) != PICA_GEOSTAGE_MODE_OFF;
    geometry->mode = pica_gsh_misc0_mode(misc);
    geometry->vectors_per_vertex = pica_vsh_outmap_total_outputs_minus_1(registers[PICA_REG_VSH_OUTMAP_TOTAL1]) + 1u;
    geometry->input_vectors =
        pica_shader_inputbuffer_config_inputs_minus_1(registers[PICA_REG_GSH_INPUTBUFFER_CONFIG]) + 1u;
    geometry->fixed_vertices = pica_gsh_misc0_vertices_minus_1(misc) + 1u;
    geometry->fixed_first = pica_gsh_misc0_first_uniform(misc);
    geometry->output_mask = pica_shader_outmap_mask_outputs(registers[PICA_REG_GSH_OUTMAP_MASK]);
    geometry->want_count = true;
    geometry->pointer = geometry->fixed_first;
    geometry->vertex_count = 0u;
}

/* --------------------------------------------------------------------------------------------------------- uniforms */

/* Sets c[number] both in the unit's state and in the rows of the register file. */
static void set_uniform(struct fast_gpu *gpu, uint32_t number, const float vector[4])
{
    memcpy(gpu->units[PICA_UNIT_GEOMETRY].uniforms[number], vector, 4u * sizeof vector[0]);
    for (uint32_t i = 0; i < 4u; i++)
        gpu->geometry->file.row[FAST_ROW_UNIFORMS + number * 4u + i][0] = vector[i];
}

/* GSH-24: sets the next c register; writes to numbers from 96 on are dropped, as these do not exist. */
static void push_uniform(struct fast_gpu *gpu, const float vector[4])
{
    struct fast_geometry *const geometry = gpu->geometry;
    if (geometry->pointer < PICA_FLOAT_UNIFORMS)
        set_uniform(gpu, geometry->pointer, vector);
    else
        fast_event(gpu, PICA_EVENT_GS_UNIFORM_RANGE);
    geometry->pointer += 1u;
}

static void push_uniforms(struct fast_gpu *gpu, const float (*out)[4], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        push_uniform(gpu, out[i]);
}

static void refresh_uniforms(struct fast_gpu *gpu)
{
    struct fast_shader_unit *const unit = &gpu->units[PICA_UNIT_GEOMETRY];
    if (!unit->uniforms_dirty)
        return;
    for (uint32_t number = 0; number < PICA_FLOAT_UNIFORMS; number++)
        for (uint32_t i = 0; i < 4u; i++)
            gpu->geometry->file.row[FAST_ROW_UNIFORMS + number * 4u + i][0] = unit->uniforms[number][i];
    unit->uniforms_dirty = false;
}

/* ------------------------------------------------------------------------------------------------------- invocation */

/* SHD-12, GSH-12, REG-29. */
static void run_shader(struct fast_gpu *gpu)
{
    struct fast_geometry *const geometry = gpu->geometry;
    struct fast_shader_unit *const unit = &gpu->units[PICA_UNIT_GEOMETRY];
    struct fast_shader_run *const run = &geometry->run;
    refresh_uniforms(gpu);
    geometry->file_used = true;
    run->gpu = gpu;
    run->geometry = geometry;
    run->program = fast_program_get(&geometry->programs, unit);
    run->file = &geometry->file;
    run->uniforms = (const float(*)[4])unit->uniforms;
    run->unit = unit;
    run->entry = pica_shader_entrypoint_entry(gpu->registers[PICA_REG_GSH_ENTRYPOINT]);
    run->lanes = 1u;
    run->emits = 0u;
    run->block = NULL;
    run->map = NULL;
    if (run->entry >= PICA_CODE_WORDS)
        fast_event(gpu, PICA_EVENT_ENTRY_RANGE);
    if (gpu->tracer->in_geometry)
        gpu->tracer->kernels.shade(run);
    else
        gpu->kernels->shade(run);
    gpu->work.steps += run->executed[0];
    unit->booleans = (uint16_t)(unit->booleans | 0x8000u);
}

/* GSH-11, GSH-25: only point mode loads v. */
static void load_inputs(struct fast_gpu *gpu)
{
    struct fast_geometry *const geometry = gpu->geometry;
    for (uint32_t j = 0; j < geometry->input_vectors; j++) {
        const uint32_t target = fast_input_register(gpu, PICA_UNIT_GEOMETRY, j);
        for (uint32_t i = 0; i < 4u; i++)
            geometry->file.row[FAST_ROW_INPUTS + target * 4u + i][0] = geometry->buffer[j][i];
    }
}

/* ------------------------------------------------------------------------------------------------------- collection */

/* GSH-10. */
static void collect_point(struct fast_gpu *gpu, const float out[16][4])
{
    struct fast_geometry *const geometry = gpu->geometry;
    for (uint32_t i = 0; i < geometry->vectors_per_vertex; i++) {
        memcpy(geometry->buffer[geometry->buffer_length], out[i], sizeof geometry->buffer[0]);
        geometry->buffer_length += 1u;
        if (geometry->buffer_length >= geometry->input_vectors) {
            load_inputs(gpu);
            run_shader(gpu);
            geometry->buffer_length = 0u;
            return;
        }
    }
}

/* GSH-21, GSH-22. */
static void collect_variable(struct fast_gpu *gpu, const float out[16][4], bool counted)
{
    struct fast_geometry *const geometry = gpu->geometry;
    if (!counted) {
        fast_event(gpu, PICA_EVENT_GS_VAR_NO_INDEX);
        return;
    }
    if (geometry->main_left > 0u) {
        push_uniforms(gpu, out, geometry->vectors_per_vertex);
        geometry->main_left -= 1u;
    } else {
        push_uniform(gpu, out[0]);
    }
    geometry->left -= 1u;
    if (geometry->left == 0u) {
        run_shader(gpu);
        geometry->want_count = true;
    }
}

/* GSH-23. */
static void collect_fixed(struct fast_gpu *gpu, const float out[16][4])
{
    struct fast_geometry *const geometry = gpu->geometry;
    push_uniforms(gpu, out, geometry->vectors_per_vertex);
    geometry->vertex_count += 1u;
    if (geometry->vertex_count >= geometry->fixed_vertices) {
        run_shader(gpu);
        geometry->pointer = geometry->fixed_first;
        geometry->vertex_count = 0u;
    }
}

void fast_geometry_count(struct fast_gpu *gpu, uint32_t count)
{
    struct fast_geometry *const geometry = gpu->geometry;
    const float value = (float)count; /* exact: at most 65535 */
    const float vector[4] = { value, value, value, value };
    set_uniform(gpu, 0u, vector);
    if (count == 0u) {
        fast_event(gpu, PICA_EVENT_GS_VAR_ZERO);
        return;
    }
    geometry->pointer = 1u;
    geometry->main_left = pica_gsh_misc1_main_minus_1(gpu->registers[PICA_REG_GSH_MISC1]) + 1u;
    geometry->left = count;
    geometry->want_count = false;
}

void fast_geometry_vertex(struct fast_gpu *gpu, const float out[16][4], bool counted)
{
    switch ((enum pica_gsh_mode)gpu->geometry->mode) {
    case PICA_GSH_MODE_POINT:
    case PICA_GSH_MODE_RESERVED_3: collect_point(gpu, out); break;
    case PICA_GSH_MODE_VARIABLE: collect_variable(gpu, out, counted); break;
    case PICA_GSH_MODE_FIXED: collect_fixed(gpu, out); break;
    }
}

/* --------------------------------------------------------------------------------------------------------- emission */

/* SHD-80, SHD-81 for one vertex of an emission slot. GSH-35: it enters the assembler like any other vertex. */
static void submit_slot(struct fast_gpu *gpu, const float vectors[16][4])
{
    struct fast_primitives *const primitives = gpu->primitives;
    const uint32_t offset = fast_vertex_offset(primitives->vertex_count);
    primitives->vertex_count += 1u;
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++) {
        const uint32_t component = fast_slot_component(gpu, slot);
        float value = component == FAST_SLOT_UNMAPPED ? 1.0f : vectors[component / 4u][component % 4u];
        if (slot >= FAST_SLOT_COLOR && slot < FAST_SLOT_COLOR + 4u) {
            value = fabsf(value);
            value = value < 1.0f ? value : 1.0f;
        }
        primitives->floats[offset + slot * FAST_LANES] = value;
    }
    if (gpu->tracer->in_geometry)
        fast_trace_slots(gpu, offset);
    fast_primitive_submit(primitives, offset);
}

/* SHD-71, GSH-30: copies the enabled outputs of the current bank to the emission slot. */
static void store_slot(struct fast_geometry *geometry)
{
    uint32_t vector = 0u;
    for (uint32_t o = 0; o < 16u; o++) {
        if ((geometry->output_mask >> o & 1u) == 0u)
            continue;
        for (uint32_t i = 0; i < 4u; i++)
            geometry->slots[geometry->emit_vertex][vector][i] =
                geometry->file.row[FAST_ROW_OUTPUTS + geometry->run.bank * FAST_ROW_BANK + o * 4u + i][0];
        vector += 1u;
    }
}

/* GSH-30 to GSH-32, GSH-34, GSH-35. */
void fast_geometry_emit(struct fast_shader_run *run)
{
    struct fast_gpu *const gpu = run->gpu;
    struct fast_geometry *const geometry = run->geometry;
    if (run->emits >= gpu->limits.emits) {
        fast_event(gpu, PICA_EVENT_BUDGET_EMIT);
        return;
    }
    run->emits += 1u;
    gpu->work.steps += gpu->primitives->immediate ? FAST_STEPS_IMMEDIATE_EMIT : FAST_STEPS_EMIT;
    if (geometry->emit_vertex == 3u)
        fast_event(gpu, PICA_EVENT_EMIT_VTX3);
    store_slot(geometry);
    if (gpu->tracer->in_geometry)
        fast_trace_emission(gpu->tracer, run, geometry->emit_vertex);
    if (geometry->emit_primitive) {
        if (!fast_primitive_has_room(gpu->primitives, &gpu->capacity, 3u))
            fast_primitive_flush(gpu);
        if (geometry->emit_winding)
            gpu->primitives->winding = true;
        for (uint32_t v = 0; v < 3u; v++)
            submit_slot(gpu, (const float(*)[4])geometry->slots[v]);
    }
    run->bank ^= 1u;
}

void fast_geometry_set_emit(struct fast_shader_run *run, const struct fast_operation *operation)
{
    run->geometry->emit_vertex = operation->emit_vertex;
    run->geometry->emit_primitive = operation->emit_primitive;
    run->geometry->emit_winding = operation->emit_winding;
}
