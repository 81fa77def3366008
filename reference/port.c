/*
 * The ports (REG-20): tables, shader code and uniforms are too large to be registers.
 *
 * Their words are pushed one after the other into one id, and an index register that counts up says where they go.
 * Eight ids in a row are the same port, so that a list may write eight words with one consecutive command. A port takes
 * the parameter as sent, whatever the byte mask; only booleans, integers and index registers look at the merged word
 * (CMD-07). While the geometry unit is not in use, it also gets what is pushed into the vertex unit (REG-27).
 *
 * Worked number: with 0x1C5 = 0x000003FE, four words to 0x1C8 become entries 254, 255, 0 and 1 of lighting table 3,
 * and 0x1C5 ends as 0x00000302.
 */
#include "reference/port.h"

#include "reference/gpu.h"
#include "reference/number.h"
#include "reference/pipeline.h"

/* A word of a lighting table, of code or of descriptors. */
static void store_word(struct ref_gpu *gpu, uint32_t *word, uint32_t value)
{
    *word = value;
    ref_note_word(gpu, word);
}

/* --------------------------------------------------------------------------------------------------- lookup tables */

/* REG-31: the table of a selector, NULL if there is none, and its length. */
static uint32_t *proctex_table(struct pica_tables *tables, enum pica_proctex_table selector, uint32_t *length)
{
    *length = 128;
    switch (selector) {
    case PICA_PROCTEX_TABLE_NOISE: return tables->proctex_noise;
    case PICA_PROCTEX_TABLE_RGB_MAP: return tables->proctex_color_map;
    case PICA_PROCTEX_TABLE_ALPHA_MAP: return tables->proctex_alpha_map;
    case PICA_PROCTEX_TABLE_COLOR: *length = 256; return tables->proctex_color;
    case PICA_PROCTEX_TABLE_COLOR_DIFFERENCE: *length = 256; return tables->proctex_difference;
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
    case PICA_PROCTEX_TABLE_RESERVED_15:
    default: return NULL; /* the field has four bits */
    }
}

/* REG-30, REG-31. */
void ref_port_proctex_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_PROCTEX_LUT];
    uint32_t length = 0;
    uint32_t *table = proctex_table(&gpu->tables, (enum pica_proctex_table)pica_proctex_lut_table(*index), &length);
    if (table != NULL)
        table[pica_proctex_lut_index(*index) % length] = parameter;
    else
        ref_event(gpu, PICA_EVENT_PROCTEX_TABLE);
    *index = pica_proctex_lut_set_index(*index, pica_proctex_lut_index(*index) + 1u);
    (void)id;
}

/* REG-30, REG-32: the index counts in 16 bits; on the other side, in 7. The table has 128 entries. */
void ref_port_fog_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_FOG_LUT_INDEX];
    const uint32_t bits = ref_takes(gpu, PICA_SIDE_FOG_INDEX_BITS_7) ? 0x7Fu : 0xFFFFu;
    gpu->tables.fog[pica_fog_lut_index_index(*index) % 128u] = parameter;
    *index = pica_fog_lut_index_set_index(*index, (pica_fog_lut_index_index(*index) + 1u) & bits);
    (void)id;
}

/* REG-30, REG-33. */
void ref_port_gas_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_GAS_LUT_INDEX];
    gpu->tables.gas[pica_gas_lut_index_index(*index) % 16u] = parameter;
    *index = pica_gas_lut_index_set_index(*index, pica_gas_lut_index_index(*index) + 1u);
    (void)id;
}

/* REG-30: 24 tables; the words of table numbers 24-31 are dropped, but counted. */
void ref_port_lighting_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_LIGHTING_LUT_INDEX];
    const uint32_t table = (uint32_t)pica_lighting_lut_index_table(*index);
    if (table < 24u)
        store_word(gpu, &gpu->tables.lighting[table][pica_lighting_lut_index_index(*index)], parameter);
    else
        ref_event(gpu, PICA_EVENT_LIGHTING_TABLE);
    *index = pica_lighting_lut_index_set_index(*index, pica_lighting_lut_index_index(*index) + 1u);
    (void)id;
}

/* ---------------------------------------------------------------------------------------------------- shader units */

/* The unit that an id from 0x280 to 0x2DF belongs to. */
static uint32_t unit_of(uint32_t id)
{
    return id >= PICA_REG_VSH_BOOLUNIFORM ? PICA_UNIT_VERTEX : PICA_UNIT_GEOMETRY;
}

/* REG-27, REG-28: whether writes to the vertex unit are copied to the geometry unit now. */
static bool is_shared(const struct ref_gpu *gpu, uint32_t unit)
{
    return unit == PICA_UNIT_VERTEX && !pica_vsh_com_mode_separate_geometry(gpu->regs[PICA_REG_VSH_COM_MODE]) &&
           pica_geostage_config_mode(gpu->regs[PICA_REG_GEOSTAGE_CONFIG]) == PICA_GEOSTAGE_MODE_OFF;
}

/* REG-26, REG-27, REG-29: b0-b15 come from the merged word. */
void ref_port_booleans(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    const uint16_t booleans = (uint16_t)pica_shader_booluniform_values(gpu->regs[id]);
    gpu->units[unit].booleans = booleans;
    if (is_shared(gpu, unit))
        gpu->units[PICA_UNIT_GEOMETRY].booleans = booleans;
    (void)parameter;
}

/* REG-26, REG-27: i0-i3 come from the merged word. */
void ref_port_integers(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    const uint32_t k = id - pica_reg_shader(unit, PICA_REG_VSH_INTUNIFORM_I0);
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t component = (uint8_t)pica_shader_intuniform_component_at(gpu->regs[id], i);
        gpu->units[unit].integers[k][i] = component;
        if (is_shared(gpu, unit))
            gpu->units[PICA_UNIT_GEOMETRY].integers[k][i] = component;
    }
    (void)parameter;
}

/* REG-27: the geometry unit's mask takes the raw parameter, whatever the write's byte mask. */
void ref_port_output_mask(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *mask = &gpu->regs[PICA_REG_GSH_OUTMAP_MASK];
    if (is_shared(gpu, unit_of(id)))
        *mask = ref_merge(*mask, parameter, 0x3u);
}

/* REG-21: the vertex unit has 512 words of code; on the other side 4096, as the geometry unit has. */
static uint32_t code_words(const struct ref_gpu *gpu, uint32_t unit)
{
    return unit == PICA_UNIT_VERTEX && ref_takes(gpu, PICA_SIDE_VERTEX_CODE_WORDS_512) ? 512u : 4096u;
}

void ref_port_clear_code(struct ref_gpu *gpu)
{
    const uint32_t words = code_words(gpu, PICA_UNIT_VERTEX);
    for (uint32_t i = words; i < PICA_CODE_WORDS; i++)
        gpu->units[PICA_UNIT_VERTEX].code[i] = 0;
}

/* REG-20, REG-21, REG-27. */
void ref_port_code(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    uint32_t *index = &gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX)];
    if (gpu->bulk.is_dropped)
        return;
    if (*index >= code_words(gpu, unit)) {
        ref_event(gpu, PICA_EVENT_CODE_INDEX_RANGE);
        return;
    }
    store_word(gpu, &gpu->units[unit].code[*index], parameter);
    if (is_shared(gpu, unit))
        store_word(gpu, &gpu->units[PICA_UNIT_GEOMETRY].code[*index], parameter);
    gpu->code_open[unit] = true;
    *index += 1u;
}

/* REG-42: remembered for an event, without effect otherwise. */
void ref_port_code_end(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    gpu->code_open[unit_of(id)] = false;
    (void)parameter;
}

/* REG-20, REG-21, REG-27: 4096 descriptors are kept, 128 can be used. */
void ref_port_descriptor(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    uint32_t *index = &gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX)];
    const uint32_t entry = ref_takes(gpu, PICA_SIDE_DESCRIPTOR_INDEX_WRAPS) ? *index % 128u : *index;
    ref_event_if(gpu, *index >= 128u, PICA_EVENT_OPDESC_INDEX_RANGE);
    if (entry >= PICA_OPDESC_WORDS || gpu->bulk.is_dropped)
        return;
    store_word(gpu, &gpu->units[unit].opdesc[entry], parameter);
    if (is_shared(gpu, unit))
        store_word(gpu, &gpu->units[PICA_UNIT_GEOMETRY].opdesc[entry], parameter);
    *index += 1u;
}

/* REG-22: a write to the index register keeps the queue; on the other side, it empties the queue. */
void ref_port_uniform_index(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, gpu->units[unit_of(id)].queue_length > 0, PICA_EVENT_UNIFORM_QUEUE_PARTIAL);
    if (ref_takes(gpu, PICA_SIDE_UNIFORM_QUEUE_CLEARED))
        gpu->units[unit_of(id)].queue_length = 0;
    (void)parameter;
}

/* REG-23, REG-25: four packed float24 values in three words. */
static struct pica_vector unpack_float24(const struct ref_gpu *gpu, const uint32_t queue[3])
{
    const struct pica_choices *const choices = &gpu->choices;
    const uint32_t x = queue[2];
    const uint32_t y = queue[1] << 8 | queue[2] >> 24;
    const uint32_t z = queue[0] << 16 | queue[1] >> 16;
    const uint32_t w = queue[0] >> 8;
    return (struct pica_vector){ { ref_bits(ref_float24(choices, x)), ref_bits(ref_float24(choices, y)),
                                   ref_bits(ref_float24(choices, z)), ref_bits(ref_float24(choices, w)) } };
}

/* REG-23: four binary32 values, w first; rounded in profile f24. */
static struct pica_vector unpack_float32(const struct ref_gpu *gpu, const uint32_t queue[4])
{
    struct pica_vector vector;
    for (uint32_t i = 0; i < 4; i++)
        vector.bits[i] = ref_bits(ref_round_profile(gpu->profile, ref_float(queue[3u - i])));
    return vector;
}

/* REG-22: the index has 7 bits; on the other side, 8. */
static uint32_t uniform_number(const struct ref_gpu *gpu, uint32_t index)
{
    const uint32_t number = pica_shader_floatuniform_index_index(index);
    const uint32_t bit7 = pica_shader_floatuniform_index_bit7(index);
    return ref_takes(gpu, PICA_SIDE_UNIFORM_INDEX_BITS_8) ? number | bit7 << 7 : number;
}

/* REG-22, REG-27: a complete vector goes to c[index]; beyond c95 it is dropped and the index stays. */
static void store_uniform(struct ref_gpu *gpu, uint32_t unit, uint32_t *index, const struct pica_vector *vector)
{
    const uint32_t number = uniform_number(gpu, *index);
    if (number >= PICA_FLOAT_UNIFORMS) {
        ref_event(gpu, PICA_EVENT_UNIFORM_INDEX_RANGE);
        gpu->bulk.is_dropped = gpu->bulk.is_running; /* REG-24 */
        return;
    }
    ref_event_if(gpu, pica_shader_floatuniform_index_bit7(*index), PICA_EVENT_UNIFORM_INDEX_BIT7);
    gpu->units[unit].uniforms[number] = *vector;
    if (is_shared(gpu, unit))
        gpu->units[PICA_UNIT_GEOMETRY].uniforms[number] = *vector;
    *index = pica_shader_floatuniform_index_set_index(*index, number + 1u);
}

/* REG-22, REG-24: word by word; the mode bit is looked at with each word. */
void ref_port_uniform(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    struct pica_shader_unit *state = &gpu->units[unit];
    uint32_t *index = &gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX)];
    const bool is_float32 = pica_shader_floatuniform_index_format(*index) == PICA_UNIFORM_FORMAT_FLOAT32;

    if (gpu->bulk.is_dropped)
        return;
    state->queue[state->queue_length] = parameter;
    state->queue_length = (uint16_t)(state->queue_length + 1u);
    if (state->queue_length < (is_float32 ? 4u : 3u))
        return;
    state->queue_length = 0;
    const struct pica_vector vector =
        is_float32 ? unpack_float32(gpu, state->queue) : unpack_float24(gpu, state->queue);
    store_uniform(gpu, unit, index, &vector);
}

/* REG-24: whether `count` words of code or descriptors would run over the end of their table. */
static bool crosses_limit(const struct ref_gpu *gpu, uint32_t id, uint32_t count)
{
    const uint32_t unit = unit_of(id);
    const uint32_t offset = id - pica_reg_shader(unit, PICA_REG_VSH_BOOLUNIFORM);
    const uint32_t code = PICA_REG_VSH_CODETRANSFER_DATA0 - PICA_REG_VSH_BOOLUNIFORM;
    const uint32_t descriptors = PICA_REG_VSH_OPDESCS_DATA0 - PICA_REG_VSH_BOOLUNIFORM;
    const uint64_t code_index = gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX)];
    const uint64_t descriptor_index = gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX)];
    if (offset - code < 8u)
        return code_index + count > code_words(gpu, unit);
    return offset - descriptors < 8u && descriptor_index + count > PICA_OPDESC_WORDS;
}

/* REG-24: on the other side, the extra parameters of a command are one upload, which is dropped as a whole. */
void ref_bulk_begin(struct ref_gpu *gpu, uint32_t id, uint32_t count)
{
    if (id < PICA_REG_GSH_BOOLUNIFORM || id > PICA_REG_UNUSED_2DF || ref_takes(gpu, PICA_SIDE_BULK_UPLOAD_WORDS))
        return;
    gpu->bulk.is_running = true;
    gpu->bulk.is_dropped = crosses_limit(gpu, id, count);
}

void ref_bulk_end(struct ref_gpu *gpu)
{
    gpu->bulk = (struct ref_bulk){ false, false };
}

/* ------------------------------------------------------------------------------------------------ fixed attributes */

/* REG-25, VTX-40: also arms the reset of the geometry stage; the assembler is left alone. */
void ref_port_fixed_index(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    gpu->fixed_queue_length = 0;
    gpu->immediate_count = 0;
    gpu->reset_armed = 1;
    (void)id;
    (void)parameter;
}

/* VTX-41: the last vector of a vertex, counted by 0x242, sets the vertex off. */
static void write_immediate(struct ref_gpu *gpu, uint32_t id, const struct pica_vector *vector)
{
    gpu->immediate[gpu->immediate_count] = *vector;
    if (gpu->immediate_count < pica_vsh_num_attr_attributes_minus_1(gpu->regs[PICA_REG_VSH_NUM_ATTR])) {
        gpu->immediate_count = (uint8_t)(gpu->immediate_count + 1u);
        return;
    }
    gpu->immediate_count = 0;
    ref_immediate_vertex(gpu, id);
}

/* REG-25. */
void ref_port_fixed(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_FIXEDATTRIB_INDEX];
    gpu->fixed_queue[gpu->fixed_queue_length] = parameter;
    gpu->fixed_queue_length = (uint8_t)(gpu->fixed_queue_length + 1u);
    if (gpu->fixed_queue_length < 3)
        return;
    gpu->fixed_queue_length = 0;

    const struct pica_vector vector = unpack_float24(gpu, gpu->fixed_queue);
    const uint32_t i = pica_fixedattrib_index_index(*index);
    ref_event_if(gpu, (i >= 12 && i <= 14) || pica_fixedattrib_index_high_bits(*index) != 0, PICA_EVENT_FIXATTR_INDEX);
    if (i == 15) {
        write_immediate(gpu, id, &vector);
        return;
    }
    gpu->fixed[i] = vector;
    *index = pica_fixedattrib_index_set_index(*index, i + 1u);
}
