/*
 * The output map (SHD-80 to SHD-82): gives each component of the shader's output vectors a meaning.
 *
 * A final vertex has 24 slots: position, quaternion, colour, texture coordinates, view. For each output vector a
 * register names the slot of its four components; what no component names is 1.0. Colours lose their sign and are
 * limited to 1. Whether the outputs are those of the vertex shader or of the geometry shader makes no difference here.
 * The output mask (SHD-70, shader.c) has already chosen which of their registers are outputs.
 *
 * Worked number: the word 0x03020100 for output 0 puts its x, y, z, w into slots 0 to 3, the position. A colour of
 * -0.25 becomes 0.25, one of 7 becomes 1.
 */
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

enum {
    SLOTS = 24,
    SLOT_COLOR = 8
};

static uint32_t outputs_in_use(const struct ref_gpu *gpu)
{
    return pica_sh_outmap_total_total(gpu->regs[PICA_REG_SH_OUTMAP_TOTAL]);
}

static enum pica_outmap_semantic semantic_at(const struct ref_gpu *gpu, uint32_t output, uint32_t component)
{
    return (enum pica_outmap_semantic)pica_sh_outmap_semantic_at(gpu->regs[PICA_REG_SH_OUTMAP_O0 + output], component);
}

/* SHD-82: the meanings that have no slot; 0x1F means "unused" and is fine. */
static bool is_odd_semantic(enum pica_outmap_semantic semantic)
{
    return semantic == PICA_OUTMAP_SEMANTIC_UNUSED_11 || semantic == PICA_OUTMAP_SEMANTIC_UNUSED_15 ||
           (semantic >= PICA_OUTMAP_SEMANTIC_RESERVED_18 && semantic <= PICA_OUTMAP_SEMANTIC_RESERVED_1E);
}

static uint32_t count_bits(uint32_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1u)
        count++;
    return count;
}

/* SHD-70, SHD-71: the mask of the last shader stage. */
static uint32_t last_output_mask(const struct ref_gpu *gpu)
{
    return gpu->geometry.in_use ? gpu->geometry.output_mask
                                : pica_shader_outmap_mask_outputs(gpu->regs[PICA_REG_VSH_OUTMAP_MASK]);
}

/* SHD-82. */
void ref_output_map_events(struct ref_gpu *gpu)
{
    const uint32_t total = outputs_in_use(gpu);
    ref_event_if(gpu, total == 0 || total > count_bits(last_output_mask(gpu)), PICA_EVENT_OUTMAP_TOTAL);
    for (uint32_t k = 0; k < total; k++)
        for (uint32_t component = 0; component < 4; component++)
            ref_event_if(gpu, is_odd_semantic(semantic_at(gpu, k, component)), PICA_EVENT_OUTMAP_SEMANTIC);
}

/* SHD-10, class R: whether the last stage's map or the geometry stage uses a component. */
static bool is_component_used(const struct ref_gpu *gpu, uint32_t k, uint32_t component)
{
    if (gpu->geometry.in_use)
        return true;
    return k < outputs_in_use(gpu) && (uint32_t)semantic_at(gpu, k, component) < SLOTS;
}

void ref_output_events(struct ref_gpu *gpu, const struct ref_outputs *outputs)
{
    for (uint32_t k = 0; k < outputs->count; k++)
        for (uint32_t component = 0; component < 4; component++)
            ref_event_if(gpu, (outputs->written[k] >> component & 1u) == 0 && is_component_used(gpu, k, component),
                         PICA_EVENT_UNINIT_OUTPUT);
}

/* SHD-81. */
static uint32_t clamp_color(uint32_t bits)
{
    const float color = ref_abs(ref_float(bits));
    return ref_bits(color < 1.0f ? color : 1.0f);
}

/* SHD-80: later components override earlier ones. */
static void place_outputs(const struct ref_gpu *gpu, const struct ref_outputs *outputs,
                          struct pica_final_vertex *vertex)
{
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        vertex->slots[slot] = 0x3F800000u; /* 1.0 */
    for (uint32_t k = 0; k < outputs_in_use(gpu); k++)
        for (uint32_t component = 0; component < 4; component++) {
            const uint32_t slot = (uint32_t)semantic_at(gpu, k, component);
            if (slot < SLOTS)
                vertex->slots[slot] = outputs->vectors[k].bits[component];
        }
}

/* SHD-80, SHD-81 */
static void map_outputs(const struct ref_gpu *gpu, const struct ref_outputs *outputs, struct pica_final_vertex *vertex)
{
    place_outputs(gpu, outputs, vertex);
    for (uint32_t i = 0; i < 4; i++)
        vertex->slots[SLOT_COLOR + i] = clamp_color(vertex->slots[SLOT_COLOR + i]);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_rule(const struct ref_gpu *gpu, const char *rule, uint32_t index, const uint32_t *values,
                        uint32_t count)
{
    ref_trace_report_rule(gpu, pica_stage_word_info(PICA_STAGE_WORD_OUTPUT_MAP), rule, index, PICA_TRACE_UNSIGNED,
                          values, count);
}

/* The vectors that are mapped; which slots they go to; the colour after its limits. */
static void record_rules(const struct ref_gpu *gpu, const struct ref_outputs *outputs,
                         const struct pica_final_vertex *vertex)
{
    struct pica_final_vertex plain;
    for (uint32_t k = 0; k < outputs->count; k++)
        record_rule(gpu, gpu->geometry.in_use ? "SHD-71" : "SHD-70", k, outputs->vectors[k].bits, 4);
    place_outputs(gpu, outputs, &plain);
    record_rule(gpu, "SHD-80", 0, plain.slots, 12);
    record_rule(gpu, "SHD-80", 1, plain.slots + 12, 12);
    record_rule(gpu, "SHD-81", 0, vertex->slots + SLOT_COLOR, 4);
}

static void record(const struct ref_gpu *gpu, const struct ref_outputs *outputs, const struct pica_final_vertex *vertex)
{
    if (gpu->trace.is_active)
        record_rules(gpu, outputs, vertex);
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        ref_trace(gpu, PICA_TRACE_ID_OUTPUT_SLOT, slot, &vertex->slots[slot], 1);
}

void ref_map_outputs(const struct ref_gpu *gpu, const struct ref_outputs *outputs, struct pica_final_vertex *vertex)
{
    map_outputs(gpu, outputs, vertex);
    if (gpu->is_watched)
        record(gpu, outputs, vertex);
}
