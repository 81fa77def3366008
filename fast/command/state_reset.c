/*
 * The state that a new case starts from: registers after a reset, and memory of zeros. Only what the last case used is
 * cleared.
 */
#include "fast/command/state_dump.h"

#include "fast/command/state.h"
#include "fast/gpu.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch.h"
#include "fast/vertex/geometry.h"

void fast_memory_clear(struct fast_memory *memory)
{
    for (uint32_t word = 0; word < FAST_PAGE_WORDS; word++) {
        if (memory->touched[word] == 0u)
            continue;
        for (uint32_t bit = 0; bit < 64u; bit++)
            if ((memory->touched[word] >> bit & 1u) != 0u)
                memset(memory->arena + (size_t)(word * 64u + bit) * PICA_PAGE_SIZE, 0, PICA_PAGE_SIZE);
        memory->touched[word] = 0u;
    }
}

void fast_state_forget_derived(struct fast_gpu *gpu)
{
    gpu->raster_dirty = true;
    gpu->shading_dirty = true;
    gpu->dirty_tables = UINT32_MAX;
    for (uint32_t u = 0; u < 2u; u++) {
        gpu->units[u].program_dirty = true;
        gpu->units[u].uniforms_dirty = true;
    }
    gpu->vertices->spread_serial = 0u;
    memset(&gpu->budget, 0, sizeof gpu->budget);
    gpu->list_address = 0u;
    gpu->list_word = 0u;
}

void fast_geometry_clear(struct fast_geometry *geometry)
{
    if (geometry->file_used) {
        memset(geometry->file.row[FAST_ROW_INPUTS], 0, 32u * 4u * sizeof geometry->file.row[0]); /* v and r */
        memset(geometry->file.row[FAST_ROW_OUTPUTS], 0, 2u * FAST_ROW_BANK * sizeof geometry->file.row[0]);
    }
    geometry->file_used = false;
    memset(&geometry->run, 0, sizeof geometry->run);
    memset(geometry->slots, 0, sizeof geometry->slots);
    memset(geometry->buffer, 0, sizeof geometry->buffer);
    geometry->emit_vertex = 0u;
    geometry->emit_primitive = false;
    geometry->emit_winding = false;
    geometry->in_use = false;
    geometry->mode = 0u;
    geometry->vectors_per_vertex = 0u;
    geometry->input_vectors = 0u;
    geometry->fixed_vertices = 0u;
    geometry->fixed_first = 0u;
    geometry->output_mask = 0u;
    geometry->buffer_length = 0u;
    geometry->want_count = false;
    geometry->main_left = 0u;
    geometry->left = 0u;
    geometry->pointer = 0u;
    geometry->vertex_count = 0u;
}

/* Tables that were never written are still 0 and are skipped: most cases write few tables and little code. */
void fast_tables_clear(struct fast_gpu *gpu)
{
    const uint32_t lighting = (1u << FAST_TABLE_FOG) - 1u;
    if ((gpu->written_tables & ~lighting) != 0u)
        memset(&gpu->tables, 0, sizeof gpu->tables);
    for (uint32_t table = 0; table < FAST_TABLE_FOG; table++)
        if ((gpu->written_tables >> table & 1u) != 0u)
            memset(gpu->tables.lighting[table], 0, sizeof gpu->tables.lighting[table]);
    gpu->written_tables = 0u;
}

void fast_unit_clear(struct fast_shader_unit *unit)
{
    const size_t rest = offsetof(struct fast_shader_unit, uniforms);
    memset(unit->code, 0, unit->code_end * sizeof unit->code[0]);
    memset(unit->opdesc, 0, unit->opdesc_end * sizeof unit->opdesc[0]);
    memset((uint8_t *)unit + rest, 0, sizeof *unit - rest);
}

void fast_primitives_clear(struct fast_primitives *primitives)
{
    memset(primitives->floats, 0, FAST_BLOCK_FLOATS * sizeof primitives->floats[0]);
    primitives->topology = 0u;
    primitives->count = 0u;
    primitives->ready = false;
    primitives->winding = false;
    primitives->buffer[0] = 0u;
    primitives->buffer[1] = 1u;
}

/* REG-02, REG-04. */
void fast_state_reset(struct fast_gpu *gpu)
{
    fast_registers_reset(gpu);
    memset(gpu->external, 0, sizeof gpu->external);
    memset(gpu->lcd_fill, 0, sizeof gpu->lcd_fill);
    memset(gpu->interrupts, 0, sizeof gpu->interrupts);
    fast_tables_clear(gpu);
    fast_unit_clear(&gpu->units[PICA_UNIT_VERTEX]);
    fast_unit_clear(&gpu->units[PICA_UNIT_GEOMETRY]);
    memset(gpu->fixed, 0, sizeof gpu->fixed);
    memset(gpu->immediate, 0, sizeof gpu->immediate);
    memset(gpu->fixed_queue, 0, sizeof gpu->fixed_queue);
    gpu->fixed_queue_length = 0u;
    gpu->immediate_count = 0u;
    gpu->reset_armed = false;
    fast_geometry_clear(gpu->geometry);
    fast_primitives_clear(gpu->primitives);
    fast_state_forget_derived(gpu);
}

void fast_dump_clear(struct pica_state *state, struct pica_state_blocks *zeros)
{
    for (uint32_t block = 0; block < PICA_STATE_BLOCKS; block++) {
        if (pica_state_blocks_have(zeros, block))
            continue;
        memset((uint8_t *)state + (size_t)block * PICA_STATE_BLOCK, 0, pica_state_block_bytes(block));
        pica_state_blocks_add(zeros, block);
    }
}
