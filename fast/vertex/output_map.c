/* The output map (SHD-70 to SHD-80): which row of the register file each slot of a vertex comes from. */
#include "fast/vertex/output_map.h"

#include <string.h>

#include "fast/gpu.h"
#include "fast/vertex/fetch.h"
#include "pica/regs.h"

/* SHD-80: which output component each slot shows. Later writes override. */
void fast_decode_output_map(struct fast_gpu *gpu)
{
    struct fast_vertices *const vertices = gpu->vertices;
    const uint32_t total = pica_sh_outmap_total_total(gpu->registers[PICA_REG_SH_OUTMAP_TOTAL]);
    memset(vertices->slot_component, FAST_SLOT_UNMAPPED, sizeof vertices->slot_component);
    for (uint32_t k = 0; k < total; k++)
        for (uint32_t i = 0; i < 4u; i++) {
            const uint32_t semantic = pica_sh_outmap_semantic_at(gpu->registers[PICA_REG_SH_OUTMAP_O0 + k], i);
            if (semantic < FAST_VERTEX_SLOTS)
                vertices->slot_component[semantic] = (uint8_t)(k * 4u + i);
        }
}

/* SHD-70: rows of the enabled outputs in order; unused vectors are 0. */
void fast_decode_outputs(struct fast_gpu *gpu)
{
    struct fast_vertices *const vertices = gpu->vertices;
    const uint32_t mask = pica_shader_outmap_mask_outputs(gpu->registers[PICA_REG_VSH_OUTMAP_MASK]);
    vertices->output_count = 0u;
    for (uint32_t o = 0; o < 16u; o++)
        if ((mask >> o & 1u) != 0u)
            vertices->output_row[vertices->output_count++] = FAST_ROW_OUTPUTS + o * 4u;
    for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++) {
        const uint32_t component = vertices->slot_component[slot];
        uint32_t row = FAST_ROW_ONE;
        if (component != FAST_SLOT_UNMAPPED)
            row = component / 4u < vertices->output_count ? vertices->output_row[component / 4u] + component % 4u
                                                          : (uint32_t)FAST_ROW_ZERO;
        vertices->map[slot] = (uint16_t)row;
    }
}
