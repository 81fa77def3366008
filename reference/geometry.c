/*
 * The geometry stage (GSH): the optional shader between vertex shader and assembler.
 *
 * It collects the vectors of several vertex shader results, runs the geometry unit once, and lets that program emit
 * any number of triangles. Three modes say how input is collected: "point" fills the input registers after every NG
 * vectors; "variable" is for subdivision, where the index list itself holds counts in between the indices; "fixed" is
 * for particles and takes FN vertices. The last two put their vectors into the unit's uniforms instead of its input
 * registers. The configuration is latched at the start of a draw (GSH-05).
 *
 * Worked number: variable mode, 0x254 = 1, index list 3 7 8 9: the 3 is a count; vertices 7 and 8 are "main" (1 + 1)
 * and write all their vectors from c1 on, vertex 9 writes its first vector only, then the program runs.
 */
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

/* --------------------------------------------------------------------------------------------------- configuration */

/* GSH-01: register 0x229 turns the stage on; on the other side, 0x244 does. */
static bool is_turned_on(const struct ref_gpu *gpu)
{
    if (ref_takes(gpu, PICA_SIDE_GEOMETRY_ENABLE_MODE))
        return pica_vsh_com_mode_separate_geometry(gpu->regs[PICA_REG_VSH_COM_MODE]) != 0;
    return pica_geostage_config_mode(gpu->regs[PICA_REG_GEOSTAGE_CONFIG]) != PICA_GEOSTAGE_MODE_OFF;
}

/* GSH-01, GSH-02, GSH-05, GSH-06: latches everything, whatever the mode and also when not in use. */
void ref_geometry_configure(struct ref_gpu *gpu)
{
    struct pica_geometry_state *state = &gpu->geometry;
    const uint32_t misc = gpu->regs[PICA_REG_GSH_MISC0];
    const uint32_t vectors = gpu->regs[PICA_REG_VSH_OUTMAP_TOTAL1];
    const uint32_t inputs = gpu->regs[PICA_REG_GSH_INPUTBUFFER_CONFIG];

    state->in_use = is_turned_on(gpu);
    state->mode = (uint8_t)pica_gsh_misc0_mode(misc);
    state->vectors_per_vertex = (uint8_t)(pica_vsh_outmap_total_outputs_minus_1(vectors) + 1u);
    state->input_vectors = (uint8_t)(pica_shader_inputbuffer_config_inputs_minus_1(inputs) + 1u);
    state->fixed_vertices = (uint8_t)(pica_gsh_misc0_vertices_minus_1(misc) + 1u);
    state->fixed_first = (uint8_t)pica_gsh_misc0_first_uniform(misc);
    state->output_mask = (uint16_t)pica_shader_outmap_mask_outputs(gpu->regs[PICA_REG_GSH_OUTMAP_MASK]);
    state->want_count = 1;
    state->main_left = 0;
    state->left = 0;
    state->pointer = state->fixed_first;
    state->vertex_count = 0;
    state->buffer_length = 0;
    for (uint32_t i = 0; i < 16; i++)
        state->buffer[i] = (struct pica_vector){ { 0, 0, 0, 0 } };
}

/* GSH-07: registers that should agree with the latched mode. */
static bool is_misconfigured(const struct ref_gpu *gpu)
{
    const struct pica_geometry_state *state = &gpu->geometry;
    const uint32_t inputs = gpu->regs[PICA_REG_GSH_INPUTBUFFER_CONFIG];
    const uint32_t total1 = pica_vsh_outmap_total_outputs_minus_1(gpu->regs[PICA_REG_VSH_OUTMAP_TOTAL1]);
    const uint32_t total2 = pica_vsh_outmap_total_outputs_minus_1(gpu->regs[PICA_REG_VSH_OUTMAP_TOTAL2]);
    const uint32_t vectors = pica_gsh_misc0_vectors_minus_1(gpu->regs[PICA_REG_GSH_MISC0]) + 1u;
    const bool is_variable = state->mode == PICA_GSH_MODE_VARIABLE;
    return pica_shader_inputbuffer_config_unit_use(inputs) != 8u ||
           (pica_geostage_config_variable(gpu->regs[PICA_REG_GEOSTAGE_CONFIG]) != 0) != is_variable ||
           pica_shader_inputbuffer_config_not_point(inputs) != (state->mode != PICA_GSH_MODE_POINT ? 1u : 0u) ||
           total1 != total2 || (state->mode == PICA_GSH_MODE_FIXED && vectors != state->vectors_per_vertex);
}

/* GSH-10: mode 3 collects as mode 0 does (GSH-06). */
static bool is_point_mode(const struct pica_geometry_state *state)
{
    return state->mode == PICA_GSH_MODE_POINT || state->mode == PICA_GSH_MODE_RESERVED_3;
}

/* GSH-01, GSH-06, GSH-07, GSH-10: the draw-level events, only if the stage is in use. */
void ref_geometry_events(struct ref_gpu *gpu)
{
    const struct pica_geometry_state *state = &gpu->geometry;
    const enum pica_geostage_mode stage = pica_geostage_config_mode(gpu->regs[PICA_REG_GEOSTAGE_CONFIG]);
    if (!state->in_use)
        return;
    ref_event_if(gpu, stage == PICA_GEOSTAGE_MODE_RESERVED_1 || stage == PICA_GEOSTAGE_MODE_RESERVED_3,
                 PICA_EVENT_GEOSTAGE_13);
    ref_event_if(gpu, state->mode == PICA_GSH_MODE_RESERVED_3, PICA_EVENT_GS_MODE_3);
    ref_event_if(gpu, is_misconfigured(gpu), PICA_EVENT_GS_CONFIG);
    ref_event_if(gpu, is_point_mode(state) && state->input_vectors % state->vectors_per_vertex != 0,
                 PICA_EVENT_GS_POINT_UNEVEN);
}

/* ------------------------------------------------------------------------------------------------ collecting input */

/* GSH-12, REG-29: after each invocation b15 is true. The register word is not changed; on the other side, bit 15 is
 * set in it. */
static void run(struct ref_gpu *gpu)
{
    ref_run_geometry_shader(gpu);
    gpu->units[PICA_UNIT_GEOMETRY].booleans |= 0x8000u;
    if (ref_takes(gpu, PICA_SIDE_GEOMETRY_B15_SET))
        gpu->regs[PICA_REG_GSH_BOOLUNIFORM] |= 0x8000u;
}

/* GSH-11: input registers that no buffer entry goes to keep their value. */
static void load_inputs(struct ref_gpu *gpu)
{
    struct pica_geometry_state *state = &gpu->geometry;
    const uint32_t low = gpu->regs[PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW];
    const uint32_t high = gpu->regs[PICA_REG_GSH_ATTRIBUTES_PERMUTATION_HIGH];
    for (uint32_t j = 0; j < state->input_vectors; j++) {
        const uint32_t target =
            j < 8 ? pica_shader_permutation_low_input_at(low, j) : pica_shader_permutation_high_input_at(high, j - 8u);
        state->inputs[target] = state->buffer[j];
    }
}

/* What has been collected. */
static void record_collected(const struct ref_gpu *gpu, const char *rule)
{
    const struct pica_geometry_state *const state = &gpu->geometry;
    ref_trace_rule(gpu, rule, 0,
                   (const uint32_t[]){ state->pointer, state->main_left, state->left, state->vertex_count,
                                       state->buffer_length, state->want_count },
                   6);
}

static void record_inputs(const struct ref_gpu *gpu)
{
    for (uint32_t i = 0; i < 16; i++)
        ref_trace_rule(gpu, "GSH-11", i, gpu->geometry.inputs[i].bits, 4);
}

static void record_configuration(const struct ref_gpu *gpu)
{
    const struct pica_geometry_state *const state = &gpu->geometry;
    ref_trace_rule(gpu, "GSH-05", 0,
                   (const uint32_t[]){ state->in_use, state->mode, state->vectors_per_vertex, state->input_vectors,
                                       state->fixed_vertices, state->fixed_first, state->output_mask },
                   7);
}

/* GSH-10: the vectors of this vertex that come after the one that completes the input are dropped. */
static void collect_point(struct ref_gpu *gpu, const struct ref_outputs *outputs)
{
    struct pica_geometry_state *state = &gpu->geometry;
    for (uint32_t k = 0; k < state->vectors_per_vertex; k++) {
        state->buffer[state->buffer_length] = outputs->vectors[k];
        state->buffer_length = (uint8_t)(state->buffer_length + 1u);
        if (state->buffer_length >= state->input_vectors) {
            load_inputs(gpu);
            record_inputs(gpu);
            run(gpu);
            state->buffer_length = 0;
            return;
        }
    }
}

/* GSH-24: the next `count` c registers of the geometry unit; numbers from 96 on are dropped, but counted. */
static void write_uniforms(struct ref_gpu *gpu, const struct ref_outputs *outputs, uint32_t count)
{
    bool is_dropped = false;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t number = gpu->geometry.pointer++;
        if (number < PICA_FLOAT_UNIFORMS)
            gpu->units[PICA_UNIT_GEOMETRY].uniforms[number] = outputs->vectors[k];
        else
            is_dropped = true;
    }
    ref_event_if(gpu, is_dropped, PICA_EVENT_GS_UNIFORM_RANGE);
}

/* GSH-20: takes an index as a count if one is due. It has at most 16 bits, so it is exact in both profiles. */
bool ref_geometry_count(struct ref_gpu *gpu, uint32_t index)
{
    struct pica_geometry_state *state = &gpu->geometry;
    if (!state->in_use || state->mode != PICA_GSH_MODE_VARIABLE || !state->want_count)
        return false;
    const uint32_t bits = ref_bits((float)index);
    gpu->units[PICA_UNIT_GEOMETRY].uniforms[0] = (struct pica_vector){ { bits, bits, bits, bits } };
    if (index == 0) {
        ref_event(gpu, PICA_EVENT_GS_VAR_ZERO);
        return true;
    }
    state->pointer = 1;
    state->main_left = pica_gsh_misc1_main_minus_1(gpu->regs[PICA_REG_GSH_MISC1]) + 1u;
    state->left = index;
    state->want_count = 0;
    return true;
}

/* GSH-21, GSH-22, GSH-25. */
static void collect_variable(struct ref_gpu *gpu, const struct ref_outputs *outputs, bool element_draw)
{
    struct pica_geometry_state *state = &gpu->geometry;
    if (!element_draw) {
        ref_event(gpu, PICA_EVENT_GS_VAR_NO_INDEX);
        return;
    }
    write_uniforms(gpu, outputs, state->main_left > 0 ? state->vectors_per_vertex : 1u);
    if (state->main_left > 0)
        state->main_left -= 1u;
    state->left -= 1u;
    if (state->left == 0) {
        run(gpu);
        state->want_count = 1;
    }
}

/* GSH-23, GSH-25. */
static void collect_fixed(struct ref_gpu *gpu, const struct ref_outputs *outputs)
{
    struct pica_geometry_state *state = &gpu->geometry;
    write_uniforms(gpu, outputs, state->vectors_per_vertex);
    state->vertex_count += 1u;
    if (state->vertex_count >= state->fixed_vertices) {
        run(gpu);
        state->pointer = state->fixed_first;
        state->vertex_count = 0;
    }
}

/* GSH-02, GSH-06: one result of the vertex shader. */
void ref_geometry_vertex(struct ref_gpu *gpu, const struct ref_outputs *outputs, bool element_draw)
{
    if (gpu->is_watched)
        record_configuration(gpu);
    if (!gpu->geometry.in_use) {
        ref_submit_vertex(gpu, outputs);
        return;
    }
    ref_feature(gpu, PICA_FEATURE_GEOMETRY_COLLECTED + gpu->geometry.mode);
    switch ((enum pica_gsh_mode)gpu->geometry.mode) {
    case PICA_GSH_MODE_POINT: collect_point(gpu, outputs); break;
    case PICA_GSH_MODE_VARIABLE: collect_variable(gpu, outputs, element_draw); break;
    case PICA_GSH_MODE_FIXED: collect_fixed(gpu, outputs); break;
    case PICA_GSH_MODE_RESERVED_3: collect_point(gpu, outputs); break;
    }
    if (gpu->is_watched)
        record_collected(gpu, is_point_mode(&gpu->geometry)                  ? "GSH-10"
                              : gpu->geometry.mode == PICA_GSH_MODE_VARIABLE ? "GSH-21"
                                                                             : "GSH-23");
}

/* -------------------------------------------------------------------------------------------------------- emission */

/* GSH-30, GSH-31, SHD-71: stores the outputs of the current bank into a slot; what is left of the slot stays. */
static void store_slot(struct ref_gpu *gpu)
{
    struct pica_geometry_state *state = &gpu->geometry;
    struct ref_outputs outputs;
    ref_mask_outputs(state->outputs[state->bank], state->output_mask, &outputs);
    for (uint32_t k = 0; k < outputs.count; k++)
        state->slots[state->emit_vertex][k] = outputs.vectors[k];
}

/* GSH-30, GSH-35: the three slots become vertices like any others. */
static void submit_slots(struct ref_gpu *gpu)
{
    for (uint32_t slot = 0; slot < 3; slot++) {
        struct ref_outputs outputs = { .count = 16 };
        for (uint32_t k = 0; k < 16; k++)
            outputs.vectors[k] = gpu->geometry.slots[slot][k];
        ref_submit_vertex(gpu, &outputs);
    }
}

static void record_emission(struct ref_gpu *gpu)
{
    const struct pica_geometry_state *state = &gpu->geometry;
    ref_event_if(gpu, state->emit_vertex == 3, PICA_EVENT_EMIT_VTX3);
    ref_feature(gpu, PICA_FEATURE_EMITTED + state->emit_vertex);
    ref_feature_if(gpu, state->emit_primitive != 0, PICA_FEATURE_PRIMITIVE_EMITTED + state->emit_winding);
}

/* GSH-30, GSH-31, GSH-32: slot 3 is stored and never submitted. */
void ref_geometry_emit(struct ref_gpu *gpu)
{
    struct pica_geometry_state *state = &gpu->geometry;
    record_emission(gpu);
    store_slot(gpu);
    if (state->emit_primitive) {
        if (state->emit_winding)
            gpu->assembler.winding = 1;
        submit_slots(gpu);
    }
    state->bank = (uint8_t)(1u - state->bank);
}
