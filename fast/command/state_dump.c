/* Import and export of the machine's state. */
#include "fast/command/state_dump.h"

#include "fast/command/state.h"
#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/pipeline.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch.h"
#include "fast/vertex/geometry.h"
#include "pica/regs.h"

enum {
    STATUS_WORD = 0x34 / 4 /* EXT-CMD-07: computed */
};

/* ----------------------------------------------------------------------------------------------------------- import */

static uint32_t at_most(uint32_t value, uint32_t limit)
{
    return value < limit ? value : limit;
}

static uint32_t one_to_16(uint32_t value)
{
    return value < 1u ? 1u : at_most(value, 16u);
}

static void import_vector(float vector[4], const struct pica_vector *from)
{
    for (uint32_t i = 0; i < 4u; i++)
        vector[i] = fast_float(from->bits[i]);
}

/* Writes a vector to lane 0 of four rows. */
static void import_register(struct fast_register_file *file, uint32_t first_row, const struct pica_vector *from)
{
    for (uint32_t i = 0; i < 4u; i++)
        file->row[first_row + i][0] = fast_float(from->bits[i]);
}

enum {
    RUN_WORDS = 256 /* a lighting table has as many */
};

static bool is_zero(const uint32_t run[RUN_WORDS])
{
    static const uint32_t zeros[RUN_WORDS];
    return memcmp(run, zeros, sizeof zeros) == 0;
}

/* Of many words most are 0. Copies the others into an array of zeros; returns how many words it copied. */
static uint32_t import_words(uint32_t *to, const uint32_t *from, uint32_t count)
{
    while (count >= RUN_WORDS && is_zero(from + count - RUN_WORDS))
        count -= RUN_WORDS;
    while (count > 0u && from[count - 1u] == 0u)
        count--;
    memcpy(to, from, count * sizeof *to);
    return count;
}

static void import_tables(struct fast_gpu *gpu, const struct pica_tables *from)
{
    const size_t others = offsetof(struct pica_tables, fog);
    fast_tables_clear(gpu);
    gpu->written_tables = UINT32_MAX << FAST_TABLE_FOG;
    memcpy((uint8_t *)&gpu->tables + others, (const uint8_t *)from + others, sizeof *from - others);
    for (uint32_t table = 0; table < FAST_TABLE_FOG; table++)
        if (!is_zero(from->lighting[table])) {
            memcpy(gpu->tables.lighting[table], from->lighting[table], sizeof from->lighting[table]);
            gpu->written_tables |= 1u << table;
        }
}

static void import_unit(struct fast_shader_unit *unit, const struct pica_shader_unit *from, uint32_t code_words)
{
    fast_unit_clear(unit);
    unit->code_end = import_words(unit->code, from->code, code_words);
    unit->opdesc_end = import_words(unit->opdesc, from->opdesc, PICA_OPDESC_WORDS);
    memcpy(unit->integers, from->integers, sizeof unit->integers);
    unit->booleans = from->booleans;
    unit->queue_length = at_most(from->queue_length, 3u);
    memcpy(unit->queue, from->queue, sizeof unit->queue);
    for (uint32_t i = 0; i < PICA_FLOAT_UNIFORMS; i++)
        import_vector(unit->uniforms[i], &from->uniforms[i]);
}

static void import_geometry(struct fast_geometry *geometry, const struct pica_geometry_state *from)
{
    fast_geometry_clear(geometry);
    geometry->file_used = true;
    for (uint32_t i = 0; i < 16u; i++) {
        import_register(&geometry->file, FAST_ROW_TEMPORARIES + i * 4u, &from->temporaries[i]);
        import_register(&geometry->file, FAST_ROW_INPUTS + i * 4u, &from->inputs[i]);
        import_vector(geometry->buffer[i], &from->buffer[i]);
        for (uint32_t bank = 0; bank < 2u; bank++)
            import_register(&geometry->file, FAST_ROW_OUTPUTS + bank * FAST_ROW_BANK + i * 4u, &from->outputs[bank][i]);
        for (uint32_t slot = 0; slot < 4u; slot++)
            import_vector(geometry->slots[slot][i], &from->slots[slot][i]);
    }
    for (uint32_t k = 0; k < 2u; k++) {
        geometry->run.address[k][0] = from->address[k];
        geometry->run.compare[k] = from->compare[k] != 0u ? 1u : 0u;
    }
    geometry->run.loop_counter = from->loop_counter;
    geometry->run.bank = from->bank & 1u;
    geometry->emit_vertex = from->emit_vertex & 3u;
    geometry->emit_primitive = from->emit_primitive != 0u;
    geometry->emit_winding = from->emit_winding != 0u;
    geometry->in_use = from->in_use != 0u;
    geometry->mode = from->mode & 3u;
    geometry->vectors_per_vertex = at_most(from->vectors_per_vertex, 16u);
    geometry->input_vectors = at_most(from->input_vectors, 16u);
    geometry->fixed_vertices = at_most(from->fixed_vertices, 16u);
    if (geometry->in_use) { /* a configuration never latches 0 in these */
        geometry->vectors_per_vertex = one_to_16(geometry->vectors_per_vertex);
        geometry->input_vectors = one_to_16(geometry->input_vectors);
        geometry->fixed_vertices = one_to_16(geometry->fixed_vertices);
    }
    geometry->fixed_first = from->fixed_first;
    geometry->output_mask = from->output_mask;
    geometry->want_count = from->want_count != 0u;
    geometry->buffer_length = at_most(from->buffer_length, 15u);
    geometry->pointer = from->pointer;
    geometry->vertex_count = from->vertex_count;
}

static void import_primitives(struct fast_primitives *primitives, const struct pica_assembler_state *from)
{
    fast_primitives_clear(primitives);
    for (uint32_t k = 0; k < 2u; k++)
        for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
            primitives->floats[k + slot * FAST_LANES] = fast_float(from->buffer[k].slots[slot]);
    primitives->topology = from->topology & 3u;
    primitives->count = at_most(from->count, 2u);
    primitives->ready = from->ready != 0u;
    primitives->winding = from->winding != 0u;
}

/* REG-15: clears the words that always read 0. */
static void clear_zero_registers(struct fast_gpu *gpu)
{
    for (uint32_t id = 0; id < 0x040u; id++)
        if (id < PICA_REG_FINALIZE || (id > PICA_REG_IRQ_MASK_HIGH && id != PICA_REG_IRQ_AUTOSTOP))
            gpu->registers[id] = 0u;
}

/* REG-45: sets the state without causing any trigger, interrupt, event or auto-increment. */
void fast_state_import(struct fast_gpu *gpu, const struct pica_state *state)
{
    memcpy(gpu->registers, state->registers, sizeof gpu->registers);
    clear_zero_registers(gpu);
    memcpy(gpu->external, state->external, sizeof gpu->external);
    gpu->external[STATUS_WORD] = 0u;
    memcpy(gpu->lcd_fill, state->lcd_fill, sizeof gpu->lcd_fill);
    memcpy(gpu->interrupts, state->interrupts, sizeof gpu->interrupts);
    import_tables(gpu, &state->tables);
    import_unit(&gpu->units[PICA_UNIT_VERTEX], &state->units[PICA_UNIT_VERTEX], 512u); /* REG-21 */
    import_unit(&gpu->units[PICA_UNIT_GEOMETRY], &state->units[PICA_UNIT_GEOMETRY], PICA_CODE_WORDS);
    for (uint32_t i = 0; i < 16u; i++) {
        import_vector(gpu->fixed[i], &state->fixed[i]);
        import_vector(gpu->immediate[i], &state->immediate[i]);
    }
    memcpy(gpu->fixed_queue, state->fixed_queue, sizeof gpu->fixed_queue);
    gpu->fixed_queue_length = at_most(state->fixed_queue_length, 2u);
    gpu->immediate_count = at_most(state->immediate_count, 15u);
    gpu->reset_armed = state->reset_armed != 0u;
    import_geometry(gpu->geometry, &state->geometry);
    import_primitives(gpu->primitives, &state->assembler);
    fast_state_forget_derived(gpu);
}

/* ----------------------------------------------------------------------------------------------------------- export */

/* GEN-02, FLT-02. */
static void export_vector(struct pica_vector *to, const float vector[4])
{
    for (uint32_t i = 0; i < 4u; i++)
        to->bits[i] = fast_canonical_bits(fast_bits(vector[i]));
}

static void export_register(struct pica_vector *to, const struct fast_register_file *file, uint32_t first_row)
{
    for (uint32_t i = 0; i < 4u; i++)
        to->bits[i] = fast_canonical_bits(fast_bits(file->row[first_row + i][0]));
}

/* A dump that is being filled. */
struct dump {
    struct pica_state *state;
    struct pica_state_blocks *zeros;
};

/* Takes the blocks that hold these bytes of the dump off its blocks of zeros. */
static void note(const struct dump *dump, const void *first, size_t size)
{
    const size_t offset = (size_t)((const uint8_t *)first - (const uint8_t *)dump->state);
    for (size_t at = offset / PICA_STATE_BLOCK * PICA_STATE_BLOCK; at < offset + size; at += PICA_STATE_BLOCK)
        pica_state_blocks_remove(dump->zeros, (uint32_t)(at / PICA_STATE_BLOCK));
}

static void export_words(const struct dump *dump, uint32_t *to, const uint32_t *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
    note(dump, to, count * sizeof *to);
}

static void export_tables(const struct dump *dump, const struct fast_gpu *gpu)
{
    struct pica_tables *const to = &dump->state->tables;
    const size_t others = offsetof(struct pica_tables, fog);
    memcpy((uint8_t *)to + others, (const uint8_t *)&gpu->tables + others, sizeof *to - others);
    note(dump, to->fog, sizeof *to - others);
    for (uint32_t table = 0; table < FAST_TABLE_FOG; table++)
        if ((gpu->written_tables >> table & 1u) != 0u)
            export_words(dump, to->lighting[table], gpu->tables.lighting[table], RUN_WORDS);
}

static void export_unit(const struct dump *dump, struct pica_shader_unit *to, const struct fast_shader_unit *unit)
{
    export_words(dump, to->code, unit->code, unit->code_end);
    export_words(dump, to->opdesc, unit->opdesc, unit->opdesc_end);
    note(dump, to->uniforms, sizeof *to - offsetof(struct pica_shader_unit, uniforms));
    for (uint32_t i = 0; i < PICA_FLOAT_UNIFORMS; i++)
        export_vector(&to->uniforms[i], unit->uniforms[i]);
    memcpy(to->integers, unit->integers, sizeof to->integers);
    to->booleans = unit->booleans;
    to->queue_length = (uint16_t)unit->queue_length;
    for (uint32_t i = 0; i < unit->queue_length; i++)
        to->queue[i] = unit->queue[i];
}

static void export_geometry(struct pica_geometry_state *to, const struct fast_geometry *geometry)
{
    for (uint32_t i = 0; i < 16u; i++) {
        export_register(&to->temporaries[i], &geometry->file, FAST_ROW_TEMPORARIES + i * 4u);
        export_register(&to->inputs[i], &geometry->file, FAST_ROW_INPUTS + i * 4u);
        for (uint32_t bank = 0; bank < 2u; bank++)
            export_register(&to->outputs[bank][i], &geometry->file, FAST_ROW_OUTPUTS + bank * FAST_ROW_BANK + i * 4u);
        for (uint32_t slot = 0; slot < 4u; slot++)
            export_vector(&to->slots[slot][i], geometry->slots[slot][i]);
    }
    for (uint32_t i = 0; i < geometry->buffer_length; i++)
        export_vector(&to->buffer[i], geometry->buffer[i]);
    for (uint32_t k = 0; k < 2u; k++) {
        to->address[k] = geometry->run.address[k][0];
        to->compare[k] = (uint8_t)(geometry->run.compare[k] & 1u);
    }
    to->loop_counter = geometry->run.loop_counter;
    to->bank = (uint8_t)geometry->run.bank;
    to->emit_vertex = geometry->emit_vertex;
    to->emit_primitive = geometry->emit_primitive ? 1u : 0u;
    to->emit_winding = geometry->emit_winding ? 1u : 0u;
    to->in_use = geometry->in_use ? 1u : 0u;
    to->mode = (uint8_t)geometry->mode;
    to->vectors_per_vertex = (uint8_t)geometry->vectors_per_vertex;
    to->input_vectors = (uint8_t)geometry->input_vectors;
    to->fixed_vertices = (uint8_t)geometry->fixed_vertices;
    to->fixed_first = (uint8_t)geometry->fixed_first;
    to->output_mask = (uint16_t)geometry->output_mask;
    to->want_count = geometry->want_count ? 1u : 0u;
    to->buffer_length = (uint8_t)geometry->buffer_length;
    to->pointer = geometry->pointer;
    to->vertex_count = geometry->vertex_count;
}

static void export_primitives(struct pica_assembler_state *to, const struct fast_primitives *primitives)
{
    for (uint32_t k = 0; k < 2u; k++)
        if (k < primitives->count || primitives->ready)
            for (uint32_t slot = 0; slot < FAST_VERTEX_SLOTS; slot++)
                to->buffer[k].slots[slot] =
                    fast_canonical_bits(fast_bits(primitives->floats[primitives->buffer[k] + slot * FAST_LANES]));
    to->topology = (uint8_t)primitives->topology;
    to->count = (uint8_t)primitives->count;
    to->ready = primitives->ready ? 1u : 0u;
    to->winding = primitives->winding ? 1u : 0u;
}

/* REG-03, EXT-CMD-06: registers as a CPU reads them; REG-04: everything else. */
void fast_state_export(const struct fast_gpu *gpu, struct pica_state *state, struct pica_state_blocks *zeros)
{
    const struct dump dump = { state, zeros };
    fast_dump_clear(state, zeros);
    memcpy(state->registers, gpu->registers, sizeof state->registers);
    memcpy(state->external, gpu->external, sizeof state->external);
    state->external[STATUS_WORD] = fast_external_status(gpu);
    memcpy(state->lcd_fill, gpu->lcd_fill, sizeof state->lcd_fill);
    memcpy(state->interrupts, gpu->interrupts, sizeof state->interrupts);
    note(&dump, state, offsetof(struct pica_state, tables));
    export_tables(&dump, gpu);
    export_unit(&dump, &state->units[PICA_UNIT_VERTEX], &gpu->units[PICA_UNIT_VERTEX]);
    export_unit(&dump, &state->units[PICA_UNIT_GEOMETRY], &gpu->units[PICA_UNIT_GEOMETRY]);
    note(&dump, state->fixed, sizeof *state - offsetof(struct pica_state, fixed));
    for (uint32_t i = 0; i < 16u; i++) {
        export_vector(&state->fixed[i], gpu->fixed[i]);
        export_vector(&state->immediate[i], gpu->immediate[i]);
    }
    for (uint32_t i = 0; i < gpu->fixed_queue_length; i++)
        state->fixed_queue[i] = gpu->fixed_queue[i];
    state->fixed_queue_length = (uint8_t)gpu->fixed_queue_length;
    state->immediate_count = (uint8_t)gpu->immediate_count;
    state->reset_armed = gpu->reset_armed ? 1u : 0u;
    export_geometry(&state->geometry, gpu->geometry);
    export_primitives(&state->assembler, gpu->primitives);
}
