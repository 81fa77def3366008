/*
 * The ports of the register file (spec 10, section 5): tables, code, uniforms and fixed attributes, each filled by
 * repeated writes to the same ids; and what the two shader units share.
 */
#include "fast/command/port.h"

#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/vertex/fetch.h"
#include "pica/regs.h"

/* The register numbers of one shader unit; apart from these the two units are the same (REG-28). */
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
/* ---------------------------------------------------------------------------------------------------- lookup tables */

static void store_table_word(struct fast_gpu *gpu, uint32_t *entry, uint32_t value, uint32_t table_bit)
{
    *entry = value;
    gpu->shading_dirty = true;
    gpu->dirty_tables |= 1u << table_bit;
    gpu->written_tables |= 1u << table_bit;
}

/* REG-20: adds 1 to the index in the low `width` bits of the index register. */
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

void fast_write_table(struct fast_gpu *gpu, uint32_t id, uint32_t parameter)
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

/* REG-21, REG-24: every word on its own, also of a long command. */
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
    if (index >= unit->opdesc_end)
        unit->opdesc_end = index + 1u;
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

/* REG-22: the queue of words keeps its contents. (Emulators disagree about this.) */
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

/* The ids of the VS block are those of the GS block plus 0x30. */
void fast_write_shader_unit(struct fast_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t merged)
{
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

/* REG-27: 0x28D takes the raw parameter, whatever the mask. */
void fast_write_output_mask(struct fast_gpu *gpu, uint32_t parameter)
{
    if (units_are_shared(gpu)) {
        uint32_t *const mask = &gpu->registers[PICA_REG_GSH_OUTMAP_MASK];
        *mask = (*mask & 0xffff0000u) | pica_shader_outmap_mask_outputs(parameter);
    }
}

/* ------------------------------------------------------------------------------------------------- fixed attributes */

/* REG-25, VTX-40. */
void fast_write_fixed_index(struct fast_gpu *gpu)
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
void fast_write_fixed_data(struct fast_gpu *gpu, uint32_t id, uint32_t value)
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
