/* Events that are decided once a draw or immediate vertex, from registers (20-geometry.md section 6). */
#include "fast/vertex/fetch_events.h"

#include "fast/gpu.h"
#include "fast/vertex/geometry.h"
#include "pica/regs.h"

static uint32_t count_bits(uint32_t value)
{
    uint32_t count = 0u;
    for (; value != 0u; value &= value - 1u)
        count += 1u;
    return count;
}

/* GSH-01, GSH-06, GSH-07, GSH-10: only if the stage is in use. */
static void record_geometry_events(struct fast_gpu *gpu)
{
    const struct fast_geometry *const geometry = gpu->geometry;
    const uint32_t *const registers = gpu->registers;
    const uint32_t stage = registers[PICA_REG_GEOSTAGE_CONFIG];
    const uint32_t inputs = registers[PICA_REG_GSH_INPUTBUFFER_CONFIG];
    const uint32_t vectors = pica_gsh_misc0_vectors_minus_1(registers[PICA_REG_GSH_MISC0]) + 1u;
    const uint32_t outputs1 = pica_vsh_outmap_total_outputs_minus_1(registers[PICA_REG_VSH_OUTMAP_TOTAL1]);
    const uint32_t outputs2 = pica_vsh_outmap_total_outputs_minus_1(registers[PICA_REG_VSH_OUTMAP_TOTAL2]);
    const bool is_variable = geometry->mode == PICA_GSH_MODE_VARIABLE;
    const bool is_fixed = geometry->mode == PICA_GSH_MODE_FIXED;
    if (!geometry->in_use)
        return;
    if ((pica_geostage_config_mode(stage) & 1u) != 0u)
        fast_event(gpu, PICA_EVENT_GEOSTAGE_13);
    if (geometry->mode == PICA_GSH_MODE_RESERVED_3)
        fast_event(gpu, PICA_EVENT_GS_MODE_3);
    if (pica_shader_inputbuffer_config_unit_use(inputs) != 8u ||
        (pica_geostage_config_variable(stage) != 0u) != is_variable ||
        pica_shader_inputbuffer_config_not_point(inputs) != (geometry->mode != PICA_GSH_MODE_POINT ? 1u : 0u) ||
        outputs1 != outputs2 || (is_fixed && vectors != geometry->vectors_per_vertex))
        fast_event(gpu, PICA_EVENT_GS_CONFIG);
    if (!is_variable && !is_fixed && geometry->input_vectors % geometry->vectors_per_vertex != 0u)
        fast_event(gpu, PICA_EVENT_GS_POINT_UNEVEN);
}

/* SHD-82. */
static void record_output_events(struct fast_gpu *gpu)
{
    const uint32_t total = pica_sh_outmap_total_total(gpu->registers[PICA_REG_SH_OUTMAP_TOTAL]);
    const uint32_t mask = gpu->geometry->in_use
                              ? gpu->geometry->output_mask
                              : pica_shader_outmap_mask_outputs(gpu->registers[PICA_REG_VSH_OUTMAP_MASK]);
    if (total == 0u || total > count_bits(mask))
        fast_event(gpu, PICA_EVENT_OUTMAP_TOTAL);
    for (uint32_t k = 0; k < total; k++)
        for (uint32_t i = 0; i < 4u; i++) {
            const uint32_t semantic = pica_sh_outmap_semantic_at(gpu->registers[PICA_REG_SH_OUTMAP_O0 + k], i);
            if (semantic == 0x11u || semantic == 0x15u || (semantic >= 0x18u && semantic <= 0x1eu))
                fast_event(gpu, PICA_EVENT_OUTMAP_SEMANTIC);
        }
}

/* What draws with 0x228 > 0 and immediate vertices have in common; REG-43. */
void fast_record_common_events(struct fast_gpu *gpu)
{
    record_geometry_events(gpu);
    record_output_events(gpu);
    if (pica_start_draw_func0_mode(gpu->registers[PICA_REG_START_DRAW_FUNC0]) == PICA_START_DRAW_MODE_CONFIGURE)
        fast_event(gpu, PICA_EVENT_DRAW_IN_CONFIG_MODE);
}

/* VTX-13. */
void fast_record_count_event(struct fast_gpu *gpu, uint32_t attributes)
{
    const uint32_t immediate = pica_vsh_num_attr_attributes_minus_1(gpu->registers[PICA_REG_VSH_NUM_ATTR]) + 1u;
    const uint32_t config = gpu->registers[PICA_REG_VSH_INPUTBUFFER_CONFIG];
    const uint32_t inputs = pica_shader_inputbuffer_config_inputs_minus_1(config) + 1u;
    if (attributes != inputs || attributes != immediate)
        fast_event(gpu, PICA_EVENT_ATTR_COUNT);
}
