/*
 * The command stream (spec 10): CPU accesses, the list decoder, the register file and every side effect of a register
 * write. Draws go on to vertex_batch.c.
 */
#include "fast/command.h"

#include "fast/gpu.h"
#include "fast/numbers.h"
#include "fast/pipeline.h"
#include "fast/primitive.h"
#include "fast/vertex_batch.h"
#include "pica/regs.h"

/* Where a register write comes from: some events exist for lists only. */
enum write_source {
    WRITE_BY_CPU,
    WRITE_BY_LIST
};

/* What the list decoder does after a register write. */
enum write_result {
    WRITE_DONE,
    WRITE_JUMPS,   /* SUB-04 */
    WRITE_FINISHES /* REG-13: the interrupt stops the list */
};

/* A running list (SUB-02). */
struct list {
    uint32_t address; /* A */
    uint32_t words;   /* S / 4 */
    uint32_t position;
};

/* The register numbers of one shader unit; everything else about the two units is alike (REG-28). */
struct unit_registers {
    uint32_t float_index;
    uint32_t code_index;
    uint32_t opdesc_index;
    uint32_t code_limit; /* REG-20: words from here on are dropped */
};

static const struct unit_registers UNIT_REGISTERS[2] = {
    { PICA_REG_VSH_FLOATUNIFORM_INDEX, PICA_REG_VSH_CODETRANSFER_INDEX, PICA_REG_VSH_OPDESCS_INDEX, 512u },
    { PICA_REG_GSH_FLOATUNIFORM_INDEX, PICA_REG_GSH_CODETRANSFER_INDEX, PICA_REG_GSH_OPDESCS_INDEX, PICA_CODE_WORDS },
};

/* ------------------------------------------------------------------------------------------------------- interrupts */

/*
 * EXT-CMD-10, EXT-CMD-13: interrupts are counters; EXT-CMD-12: fill units count theirs in transfer.c.
 *
 * REG-10, REG-12: does some byte of request word w equal its compare byte on an enabled line?
 */
static bool request_matches(const struct fast_gpu *gpu, uint32_t w)
{
    const uint32_t request = gpu->registers[PICA_REG_FINALIZE + w];
    const uint32_t compare = gpu->registers[PICA_REG_IRQ_COMPARE0 + w];
    for (uint32_t j = 0; j < 4u; j++) {
        const uint32_t line = 4u * w + j;
        const uint32_t disabled = gpu->registers[line < 32u ? PICA_REG_IRQ_MASK_LOW : PICA_REG_IRQ_MASK_HIGH];
        if (pica_irq_bytes_byte_at(request, j) == pica_irq_bytes_byte_at(compare, j) &&
            (disabled >> (line % 32u) & 1u) == 0u)
            return true;
    }
    return false;
}

bool fast_interrupt_pending(const struct fast_gpu *gpu)
{
    for (uint32_t w = 0; w < 16u; w++)
        if (request_matches(gpu, w))
            return true;
    return false;
}

/* REG-12, REG-14: request word w was written. Returns whether the interrupt was raised. EXT-CMD-10. */
static bool request_interrupt(struct fast_gpu *gpu, uint32_t w)
{
    if (request_matches(gpu, w)) {
        gpu->interrupts[5] += 1u;
        return true;
    }
    if (w == 0u)
        fast_event(gpu, PICA_EVENT_FINALIZE_MISMATCH);
    return false;
}

/* REG-15: what a CPU write to ids 0x000-0x03F does. */
static void write_interrupt_register(struct fast_gpu *gpu, uint32_t id, uint32_t value)
{
    if (id < PICA_REG_FINALIZE) {
        gpu->registers[PICA_REG_FINALIZE + id] = value;
    } else if (id < PICA_REG_IRQ_COMPARE0) {
        gpu->registers[id] = value;
        request_interrupt(gpu, id - PICA_REG_FINALIZE);
    } else if (id <= PICA_REG_IRQ_MASK_HIGH || id == PICA_REG_IRQ_AUTOSTOP) {
        gpu->registers[id] = value;
    }
}

/* ---------------------------------------------------------------------------------------------------- lookup tables */

static void store_table_word(struct fast_gpu *gpu, uint32_t *entry, uint32_t value, uint32_t table_bit)
{
    *entry = value;
    gpu->shading_dirty = true;
    gpu->dirty_tables |= 1u << table_bit;
    gpu->written_tables |= 1u << table_bit;
}

/* REG-20: index + 1 inside the low `width` bits of the index register. */
static void advance_index(uint32_t *index_register, uint32_t width)
{
    const uint32_t field = (1u << width) - 1u;
    *index_register = (*index_register & ~field) | ((*index_register + 1u) & field);
}

/* REG-30. */
static void write_lighting_lut(struct fast_gpu *gpu, uint32_t value)
{
    uint32_t *const index = &gpu->registers[PICA_REG_LIGHTING_LUT_INDEX];
    const uint32_t table = (uint32_t)pica_lighting_lut_index_table(*index);
    if (table < 24u)
        store_table_word(gpu, &gpu->tables.lighting[table][pica_lighting_lut_index_index(*index)], value,
                         FAST_TABLE_LIGHTING_0 + table);
    else
        fast_event(gpu, PICA_EVENT_LIGHTING_TABLE);
    advance_index(index, 8u);
}

/* REG-31. */
static void write_proctex_lut(struct fast_gpu *gpu, uint32_t value)
{
    uint32_t *const index = &gpu->registers[PICA_REG_PROCTEX_LUT];
    const uint32_t entry = pica_proctex_lut_index(*index);
    struct pica_tables *const tables = &gpu->tables;
    switch (pica_proctex_lut_table(*index)) {
    case PICA_PROCTEX_TABLE_NOISE:
        store_table_word(gpu, &tables->proctex_noise[entry % 128u], value, FAST_TABLE_NOISE);
        break;
    case PICA_PROCTEX_TABLE_RGB_MAP:
        store_table_word(gpu, &tables->proctex_color_map[entry % 128u], value, FAST_TABLE_COLOR_MAP);
        break;
    case PICA_PROCTEX_TABLE_ALPHA_MAP:
        store_table_word(gpu, &tables->proctex_alpha_map[entry % 128u], value, FAST_TABLE_ALPHA_MAP);
        break;
    case PICA_PROCTEX_TABLE_COLOR: store_table_word(gpu, &tables->proctex_color[entry], value, FAST_TABLE_COLOR); break;
    case PICA_PROCTEX_TABLE_COLOR_DIFFERENCE:
        store_table_word(gpu, &tables->proctex_difference[entry], value, FAST_TABLE_DIFFERENCE);
        break;
    case PICA_PROCTEX_TABLE_RESERVED_1:
    case PICA_PROCTEX_TABLE_RESERVED_6:
    case PICA_PROCTEX_TABLE_RESERVED_7:
    case PICA_PROCTEX_TABLE_RESERVED_8:
    case PICA_PROCTEX_TABLE_RESERVED_9:
    case PICA_PROCTEX_TABLE_RESERVED_10:
    case PICA_PROCTEX_TABLE_RESERVED_11:
    case PICA_PROCTEX_TABLE_RESERVED_12:
    case PICA_PROCTEX_TABLE_RESERVED_13:
    case PICA_PROCTEX_TABLE_RESERVED_14:
    case PICA_PROCTEX_TABLE_RESERVED_15: fast_event(gpu, PICA_EVENT_PROCTEX_TABLE); break;
    }
    advance_index(index, 8u);
}

/* REG-32: 16-bit index, taken modulo 128. */
static void write_fog_lut(struct fast_gpu *gpu, uint32_t value)
{
    uint32_t *const index = &gpu->registers[PICA_REG_FOG_LUT_INDEX];
    store_table_word(gpu, &gpu->tables.fog[pica_fog_lut_index_index(*index) % 128u], value, FAST_TABLE_FOG);
    advance_index(index, 16u);
}

/* REG-33: 16-bit index, taken modulo 16. */
static void write_gas_lut(struct fast_gpu *gpu, uint32_t value)
{
    uint32_t *const index = &gpu->registers[PICA_REG_GAS_LUT_INDEX];
    store_table_word(gpu, &gpu->tables.gas[pica_gas_lut_index_index(*index) % 16u], value, FAST_TABLE_GAS);
    advance_index(index, 16u);
}

/* ----------------------------------------------------------------------------------------------------- shader units */

/* REG-27: do VS writes reach the GS unit too? Tested at each write. */
static bool units_are_shared(const struct fast_gpu *gpu)
{
    return pica_vsh_com_mode_separate_geometry(gpu->registers[PICA_REG_VSH_COM_MODE]) == 0u &&
           pica_geostage_config_mode(gpu->registers[PICA_REG_GEOSTAGE_CONFIG]) == PICA_GEOSTAGE_MODE_OFF;
}

static void store_code(struct fast_shader_unit *unit, uint32_t index, uint32_t value)
{
    unit->code[index] = value;
    unit->program_dirty = true;
    if (index >= unit->code_end)
        unit->code_end = index + 1u;
}

/* REG-21, REG-24: every word on its own, also of a long run. */
static void write_code(struct fast_gpu *gpu, uint32_t u, uint32_t value)
{
    uint32_t *const index = &gpu->registers[UNIT_REGISTERS[u].code_index];
    if (*index >= UNIT_REGISTERS[u].code_limit) {
        fast_event(gpu, PICA_EVENT_CODE_INDEX_RANGE);
        return;
    }
    store_code(&gpu->units[u], *index, value);
    if (u == PICA_UNIT_VERTEX && units_are_shared(gpu))
        store_code(&gpu->units[PICA_UNIT_GEOMETRY], *index, value);
    *index += 1u;
}

static void store_opdesc(struct fast_shader_unit *unit, uint32_t index, uint32_t value)
{
    unit->opdesc[index] = value;
    if (index < 128u)
        unit->program_dirty = true;
}

/* REG-21: entries from 128 on are stored and never referenced. */
static void write_opdesc(struct fast_gpu *gpu, uint32_t u, uint32_t value)
{
    uint32_t *const index = &gpu->registers[UNIT_REGISTERS[u].opdesc_index];
    if (*index >= 128u)
        fast_event(gpu, PICA_EVENT_OPDESC_INDEX_RANGE);
    if (*index >= PICA_OPDESC_WORDS)
        return;
    store_opdesc(&gpu->units[u], *index, value);
    if (u == PICA_UNIT_VERTEX && units_are_shared(gpu))
        store_opdesc(&gpu->units[PICA_UNIT_GEOMETRY], *index, value);
    *index += 1u;
}

/* REG-23: three words of float24 values. */
static void vector_from_float24(const uint32_t queue[3], float vector[4])
{
    vector[0] = fast_float24(queue[2]);
    vector[1] = fast_float24(queue[1] << 8 | queue[2] >> 24);
    vector[2] = fast_float24(queue[0] << 16 | queue[1] >> 16);
    vector[3] = fast_float24(queue[0] >> 8);
}

/* REG-23, FLT-20: four f32 words, w first. */
static void vector_from_float32(const struct fast_gpu *gpu, const uint32_t queue[4], float vector[4])
{
    for (uint32_t i = 0; i < 4u; i++) {
        const uint32_t bits = queue[3u - i];
        vector[i] = fast_float(gpu->profile == PICA_PROFILE_F24 ? fast_round24_bits(bits) : bits);
    }
}

static void store_uniform(struct fast_shader_unit *unit, uint32_t index, const float vector[4])
{
    memcpy(unit->uniforms[index], vector, sizeof unit->uniforms[index]);
    unit->uniforms_dirty = true;
}

/* REG-22. */
static void write_uniform(struct fast_gpu *gpu, uint32_t u, uint32_t value)
{
    struct fast_shader_unit *const unit = &gpu->units[u];
    uint32_t *const index_register = &gpu->registers[UNIT_REGISTERS[u].float_index];
    const bool float32 = pica_shader_floatuniform_index_format(*index_register) == PICA_UNIFORM_FORMAT_FLOAT32;

    unit->queue[unit->queue_length] = value; /* the length is at most 3 here */
    unit->queue_length += 1u;
    if (unit->queue_length < (float32 ? 4u : 3u))
        return;
    unit->queue_length = 0u;

    const uint32_t index = pica_shader_floatuniform_index_index(*index_register);
    if (index >= PICA_FLOAT_UNIFORMS) {
        fast_event(gpu, PICA_EVENT_UNIFORM_INDEX_RANGE);
        return;
    }
    if (pica_shader_floatuniform_index_bit7(*index_register) != 0u)
        fast_event(gpu, PICA_EVENT_UNIFORM_INDEX_BIT7);
    float vector[4];
    if (float32)
        vector_from_float32(gpu, unit->queue, vector);
    else
        vector_from_float24(unit->queue, vector);
    store_uniform(unit, index, vector);
    if (u == PICA_UNIT_VERTEX && units_are_shared(gpu))
        store_uniform(&gpu->units[PICA_UNIT_GEOMETRY], index, vector);
    advance_index(index_register, 7u);
}

/* REG-22: the queue survives, which emulators disagree about. */
static void write_uniform_index(struct fast_gpu *gpu, uint32_t u)
{
    if (gpu->units[u].queue_length != 0u)
        fast_event(gpu, PICA_EVENT_UNIFORM_QUEUE_PARTIAL);
}

/* REG-26. */
static void write_booleans(struct fast_gpu *gpu, uint32_t u, uint32_t merged)
{
    const uint16_t booleans = (uint16_t)pica_shader_booluniform_values(merged);
    gpu->units[u].booleans = booleans;
    if (u == PICA_UNIT_VERTEX && units_are_shared(gpu))
        gpu->units[PICA_UNIT_GEOMETRY].booleans = booleans;
}

static void store_integer(struct fast_shader_unit *unit, uint32_t k, uint32_t merged)
{
    for (uint32_t i = 0; i < 4u; i++)
        unit->integers[k][i] = (uint8_t)pica_shader_intuniform_component_at(merged, i);
}

/* REG-26. */
static void write_integer(struct fast_gpu *gpu, uint32_t u, uint32_t k, uint32_t merged)
{
    store_integer(&gpu->units[u], k, merged);
    if (u == PICA_UNIT_VERTEX && units_are_shared(gpu))
        store_integer(&gpu->units[PICA_UNIT_GEOMETRY], k, merged);
}

/* REG-27: 0x28D takes the raw parameter, whatever the mask. */
static void write_vertex_output_mask(struct fast_gpu *gpu, uint32_t parameter)
{
    if (units_are_shared(gpu)) {
        uint32_t *const mask = &gpu->registers[PICA_REG_GSH_OUTMAP_MASK];
        *mask = (*mask & 0xffff0000u) | pica_shader_outmap_mask_outputs(parameter);
    }
}

/* ------------------------------------------------------------------------------------------------- fixed attributes */

/* REG-25, VTX-40. */
static void write_fixed_index(struct fast_gpu *gpu)
{
    gpu->fixed_queue_length = 0u;
    gpu->immediate_count = 0u;
    gpu->reset_armed = true;
}

/* VTX-41: one vector of an immediate vertex. */
static void push_immediate(struct fast_gpu *gpu, uint32_t id, const float vector[4])
{
    memcpy(gpu->immediate[gpu->immediate_count], vector, sizeof gpu->immediate[0]);
    if (gpu->immediate_count < pica_vsh_num_attr_attributes_minus_1(gpu->registers[PICA_REG_VSH_NUM_ATTR])) {
        gpu->immediate_count += 1u;
        return;
    }
    gpu->immediate_count = 0u;
    fast_immediate_vertex(gpu, id);
}

/* REG-25. */
static void write_fixed_data(struct fast_gpu *gpu, uint32_t id, uint32_t value)
{
    gpu->fixed_queue[gpu->fixed_queue_length] = value; /* the length is at most 2 here */
    gpu->fixed_queue_length += 1u;
    if (gpu->fixed_queue_length < 3u)
        return;
    gpu->fixed_queue_length = 0u;

    uint32_t *const index_register = &gpu->registers[PICA_REG_FIXEDATTRIB_INDEX];
    const uint32_t index = pica_fixedattrib_index_index(*index_register);
    if ((index >= 12u && index <= 14u) || pica_fixedattrib_index_high_bits(*index_register) != 0u)
        fast_event(gpu, PICA_EVENT_FIXATTR_INDEX);
    float vector[4];
    vector_from_float24(gpu->fixed_queue, vector);
    if (index == 15u) {
        push_immediate(gpu, id, vector);
        return;
    }
    memcpy(gpu->fixed[index], vector, sizeof gpu->fixed[index]);
    advance_index(index_register, 4u);
}

/* -------------------------------------------------------------------------------------------------- register writes */

/* REG-06: unused ids that restart primitives on a console, unreliably. */
static bool id_mirrors_restart(uint32_t id)
{
    return (id >= 0x070u && id <= 0x07fu) || (id >= 0x0feu && id <= 0x0ffu) || (id >= 0x127u && id <= 0x12fu) ||
           (id >= 0x1e0u && id <= 0x1ffu) || (id >= 0x240u && id <= 0x241u) || (id >= 0x246u && id <= 0x249u) ||
           (id >= 0x24bu && id <= 0x24fu) || (id >= 0x258u && id <= 0x25du) || (id >= 0x260u && id <= 0x27fu);
}

/* REG-44: ids that may be written while 0x253[0] = 1. */
static bool id_is_safe_while_drawing(uint32_t id)
{
    return (id >= 0x200u && id <= 0x254u) || (id >= 0x280u && id <= 0x2dfu) || id == PICA_REG_RESTART_PRIMITIVE;
}

/* CMD-05. */
static uint32_t expand_mask(uint32_t mask)
{
    return ((mask & 1u) != 0u ? 0x000000ffu : 0u) | ((mask & 2u) != 0u ? 0x0000ff00u : 0u) |
           ((mask & 4u) != 0u ? 0x00ff0000u : 0u) | ((mask & 8u) != 0u ? 0xff000000u : 0u);
}

/* CMD-06, REG-06, REG-43: events that depend on the id and the mask alone. */
static void record_write_events(struct fast_gpu *gpu, uint32_t id, uint32_t mask)
{
    const enum pica_reg_class class = pica_reg_info(id)->reg_class;
    if (mask != 0xfu && (class == PICA_REG_CLASS_PORT || class == PICA_REG_CLASS_TRIGGER))
        fast_event(gpu, PICA_EVENT_MASKED_PORT);
    if (id_mirrors_restart(id))
        fast_event(gpu, PICA_EVENT_MIRROR_RESTART);
    if (id >= 0x2b0u && id <= 0x2dfu &&
        pica_start_draw_func0_mode(gpu->registers[PICA_REG_START_DRAW_FUNC0]) == PICA_START_DRAW_MODE_DRAW)
        fast_event(gpu, PICA_EVENT_VSH_CONFIG_IN_DRAW_MODE);
}

/* REG-40. */
static void record_zero_trigger(struct fast_gpu *gpu, uint32_t parameter)
{
    if (parameter == 0u)
        fast_event(gpu, PICA_EVENT_TRIGGER_ZERO);
}

/* The ids 0x200-0x2FF: draws, fixed attributes, primitives, shader units. */
static enum write_result run_geometry_effect(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t merged,
                                             enum write_source source)
{
    if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS) {
        record_zero_trigger(gpu, parameter);
        fast_draw(gpu, id == PICA_REG_DRAWELEMENTS);
    } else if (id == PICA_REG_FIXEDATTRIB_INDEX) {
        write_fixed_index(gpu);
    } else if (id >= PICA_REG_FIXEDATTRIB_DATA0 && id <= PICA_REG_FIXEDATTRIB_DATA2) {
        write_fixed_data(gpu, id, parameter);
    } else if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        if (source == WRITE_BY_LIST) {
            record_zero_trigger(gpu, parameter); /* SUB-03 */
            return WRITE_JUMPS;
        }
    } else if (id == PICA_REG_PRIMITIVE_CONFIG) { /* REG-41 */
        fast_primitive_reset(gpu);
        fast_primitive_set_topology(gpu, (uint32_t)pica_primitive_config_topology(merged));
    } else if (id == PICA_REG_RESTART_PRIMITIVE) {
        record_zero_trigger(gpu, parameter);
        fast_primitive_reset(gpu);
    } else if (id == PICA_REG_VSH_OUTMAP_MASK) {
        write_vertex_output_mask(gpu, parameter);
    } else if (id >= PICA_REG_GSH_BOOLUNIFORM && id <= PICA_REG_VSH_OPDESCS_DATA7) {
        /* The VS block repeats the GS block 0x30 ids later. */
        const uint32_t u = id >= PICA_REG_VSH_BOOLUNIFORM ? PICA_UNIT_VERTEX : PICA_UNIT_GEOMETRY;
        const uint32_t local = u == PICA_UNIT_VERTEX ? id - (PICA_REG_VSH_BOOLUNIFORM - PICA_REG_GSH_BOOLUNIFORM) : id;
        if (local == PICA_REG_GSH_BOOLUNIFORM)
            write_booleans(gpu, u, merged);
        else if (local >= PICA_REG_GSH_INTUNIFORM_I0 && local <= PICA_REG_GSH_INTUNIFORM_I3)
            write_integer(gpu, u, local - PICA_REG_GSH_INTUNIFORM_I0, merged);
        else if (local == PICA_REG_GSH_FLOATUNIFORM_INDEX)
            write_uniform_index(gpu, u);
        else if (local >= PICA_REG_GSH_FLOATUNIFORM_DATA0 && local <= PICA_REG_GSH_FLOATUNIFORM_DATA7)
            write_uniform(gpu, u, parameter);
        else if (local >= PICA_REG_GSH_CODETRANSFER_DATA0 && local <= PICA_REG_GSH_CODETRANSFER_DATA7)
            write_code(gpu, u, parameter);
        else if (local >= PICA_REG_GSH_OPDESCS_DATA0 && local <= PICA_REG_GSH_OPDESCS_DATA7)
            write_opdesc(gpu, u, parameter);
    }
    return WRITE_DONE;
}

/*
 * The tables among ids 0x040-0x1FF. Inert ids (REG-42, FBF-20: 0x063, 0x110, 0x111; 0x231, 0x28F, 0x2BF) have only
 * storage. REG-44, REG-07: ids without effect on a result are storage like any other.
 */
static void run_table_effect(struct fast_gpu *gpu, uint32_t id, uint32_t parameter)
{
    if (id >= PICA_REG_LIGHTING_LUT_DATA0 && id <= PICA_REG_LIGHTING_LUT_DATA7)
        write_lighting_lut(gpu, parameter);
    else if (id >= PICA_REG_PROCTEX_LUT_DATA0 && id <= PICA_REG_PROCTEX_LUT_DATA7)
        write_proctex_lut(gpu, parameter);
    else if (id >= PICA_REG_FOG_LUT_DATA0 && id <= PICA_REG_FOG_LUT_DATA7)
        write_fog_lut(gpu, parameter);
    else if (id == PICA_REG_GAS_LUT_DATA)
        write_gas_lut(gpu, parameter);
}

/* REG-01, CMD-05..07: one write to an id of 0x010-0x01F or 0x040-0x2FF. */
static enum write_result write_register(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask,
                                        enum write_source source)
{
    record_write_events(gpu, id, mask);
    const uint32_t byte_mask = expand_mask(mask);
    const uint32_t old = gpu->registers[id];
    const uint32_t merged = (old & ~byte_mask) | (parameter & byte_mask);
    gpu->registers[id] = merged;

    if (id >= 0x200u)
        return run_geometry_effect(gpu, id, parameter, merged, source);
    if (id < 0x040u) {
        const bool raised = request_interrupt(gpu, id - PICA_REG_FINALIZE);
        const bool stops = pica_irq_autostop_enable(gpu->registers[PICA_REG_IRQ_AUTOSTOP]) != 0u;
        return raised && stops && source == WRITE_BY_LIST ? WRITE_FINISHES : WRITE_DONE; /* REG-13 */
    }
    if (merged != old) {
        gpu->raster_dirty = true;
        gpu->shading_dirty = true;
    }
    run_table_effect(gpu, id, parameter);
    return WRITE_DONE;
}

/* REG-05, REG-11, REG-44: what only a list meets before its write. */
static enum write_result write_from_list(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    if (pica_geostage_config2_drawing(gpu->registers[PICA_REG_GEOSTAGE_CONFIG2]) != 0u && !id_is_safe_while_drawing(id))
        fast_event(gpu, PICA_EVENT_WRITE_WHILE_DRAWING);
    if (id >= PICA_REGISTERS) {
        fast_event(gpu, PICA_EVENT_REG_ID_RANGE);
        return WRITE_DONE;
    }
    if (id < PICA_REG_FINALIZE || (id >= PICA_REG_IRQ_COMPARE0 && id < 0x040u)) {
        fast_event(gpu, PICA_EVENT_CPU_ONLY_REG);
        return WRITE_DONE;
    }
    return write_register(gpu, id, parameter, mask, WRITE_BY_LIST);
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* SUB-02, SUB-01: start of channel k's list. */
static void enter_list(struct fast_gpu *gpu, struct list *list, uint32_t k)
{
    const uint32_t size = gpu->registers[PICA_REG_CMDBUF_SIZE0 + k];
    const uint32_t address = gpu->registers[PICA_REG_CMDBUF_ADDR0 + k];
    if (pica_cmdbuf_size_unaligned(size) != 0u || pica_cmdbuf_addr_unaligned(address) != 0u)
        fast_event(gpu, PICA_EVENT_CMDBUF_UNALIGNED);
    if ((size >> 20 & 1u) != 0u || (address >> 28 & 1u) != 0u)
        fast_event(gpu, PICA_EVENT_CMDBUF_HIGH_BITS);
    list->address = pica_cmdbuf_addr_address(address) << 4;
    list->words = pica_cmdbuf_size_size(size) << 2;
    list->position = 0u;
}

/* CMD-08, MEM-03: one word of the list; past its end or outside memory, too. */
static uint32_t fetch_parameter(struct fast_gpu *gpu, const struct list *list)
{
    const uint32_t address = list->address + 4u * list->position;
    if (list->position >= list->words)
        fast_event(gpu, PICA_EVENT_PARAMS_PAST_END);
    const uint8_t *const bytes = fast_memory_span(gpu, address, 4u);
    if (bytes != NULL)
        return fast_load_le32(bytes);
    fast_event(gpu, PICA_EVENT_MEM_OOB);
    return fast_read32(gpu, address);
}

/* CMD-09, CMD-10, CMD-22: may another command be decoded? */
static bool next_command_exists(struct fast_gpu *gpu, const struct list *list)
{
    if (list->position >= list->words)
        return false;
    if (gpu->budget.commands >= gpu->limits.commands) {
        fast_event(gpu, PICA_EVENT_BUDGET_CMDS);
        return false;
    }
    if (!fast_memory_has(gpu, list->address + 4u * list->position, 8u)) { /* SUB-08 */
        fast_event(gpu, PICA_EVENT_CMDLIST_OOB);
        return false;
    }
    return true;
}

/*
 * CMD-01 to CMD-04, CMD-21, SUB-04, SUB-05: one command. A jump has already entered the new list. CMD-12: each write is
 * complete, draws included, before the next word is fetched. CMD-13: no value hangs anything.
 */
static enum write_result run_command(struct fast_gpu *gpu, struct list *list)
{
    const uint8_t *const bytes = fast_memory_span(gpu, list->address + 4u * list->position, 8u);
    uint32_t parameter = fast_load_le32(bytes);
    const uint32_t header = fast_load_le32(bytes + 4);
    const uint32_t extra = pica_command_header_extra_parameters(header);
    const uint32_t step = pica_command_header_consecutive(header);
    const uint32_t mask = pica_command_header_mask(header);
    uint32_t id = pica_command_header_id(header);

    gpu->budget.commands += 1u;
    gpu->list_address = list->address;
    gpu->list_word = list->position + 1u;
    list->position += 2u;
    for (uint32_t k = 0;; k++) {
        const enum write_result result = write_from_list(gpu, id, parameter, mask);
        if (result == WRITE_JUMPS) {
            if (k < extra)
                fast_event(gpu, PICA_EVENT_JUMP_MID_COMMAND);
            enter_list(gpu, list, id - PICA_REG_CMDBUF_JUMP0);
            return WRITE_JUMPS;
        }
        if (result == WRITE_FINISHES || k == extra) {
            list->position += list->position & 1u;
            return result;
        }
        id += step;
        parameter = fetch_parameter(gpu, list);
        list->position += 1u;
    }
}

/* CMD-20: a new submission has all its budgets. */
static void start_submission(struct fast_gpu *gpu)
{
    memset(&gpu->budget, 0, sizeof gpu->budget);
    gpu->list_address = 0u;
    gpu->list_word = 0u;
}

/* EXT-CMD-02..04, CMD-11, SUB-06, SUB-07: the CPU starts list k; jumps replace the list in this very loop. */
static void run_list(struct fast_gpu *gpu, uint32_t k)
{
    struct list list;
    bool finished = false;
    start_submission(gpu);
    enter_list(gpu, &list, k);
    while (!finished && next_command_exists(gpu, &list))
        finished = run_command(gpu, &list) == WRITE_FINISHES;
    if (!finished)
        fast_event(gpu, PICA_EVENT_NO_FINALIZE);
    gpu->registers[PICA_REG_CMDBUF_JUMP0 + k] = 0u;
    gpu->list_address = 0u;
    gpu->list_word = 0u;
}

/* ------------------------------------------------------------------------------------------------------- CPU writes */

/* EXT-CMD-01, EXT-CMD-02, EXT-CMD-05: a CPU write to internal id 0x000-0x3FF. */
static void write_internal(struct fast_gpu *gpu, uint32_t id, uint32_t value)
{
    if (id >= PICA_REGISTERS) {
        fast_event(gpu, PICA_EVENT_REG_ID_RANGE);
    } else if (id < 0x040u) {
        write_interrupt_register(gpu, id, value);
    } else {
        start_submission(gpu);
        write_register(gpu, id, value, 0xfu, WRITE_BY_CPU);
        if ((id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) && value != 0u)
            run_list(gpu, id - PICA_REG_CMDBUF_JUMP0);
    }
}

void fast_cpu_write(struct fast_gpu *gpu, uint32_t address, uint32_t value)
{
    const uint32_t word_address = address & ~3u;
    if (word_address - PICA_INTERNAL_ADDRESS < 0x1000u)
        write_internal(gpu, (word_address - PICA_INTERNAL_ADDRESS) / 4u, value);
    else if (word_address - PICA_EXTERNAL_ADDRESS < 0x1000u || word_address == PICA_LCD_FILL_TOP_ADDRESS ||
             word_address == PICA_LCD_FILL_BOTTOM_ADDRESS)
        fast_external_write(gpu, word_address, value);
}

void fast_registers_init(struct fast_gpu *gpu)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        gpu->reset_registers[id] = pica_reg_info(id)->reset;
}

void fast_registers_reset(struct fast_gpu *gpu)
{
    memcpy(gpu->registers, gpu->reset_registers, sizeof gpu->registers);
}
