/*
 * The register file (REG): what a write to each of the 0x300 internal registers does.
 *
 * Most registers are plain configuration: the word is kept (bytes chosen by a mask) and read when something uses it.
 * Some are ports: tables, shader code and uniforms are too large to be registers, so their words are pushed one after
 * the other into one id, and an index register that counts up says where they go (REG-20). Eight ids in a row are the
 * same port, so that a list may write eight words with one consecutive command. Some are triggers: a draw, a jump, an
 * interrupt. A port takes the parameter as sent, whatever the mask; everything else looks at the merged word (CMD-07).
 *
 * Worked number: with 0x1C5 = 0x000003FE, four words to 0x1C8 become entries 254, 255, 0 and 1 of lighting table 3,
 * and 0x1C5 ends as 0x00000302.
 */
#include "reference/number.h"
#include "reference/pipeline.h"

/* CMD-05, REG-01: bit i of the mask lets byte i through. */
static uint32_t merge(uint32_t old, uint32_t parameter, uint32_t mask)
{
    uint32_t bytes = 0;
    if (mask == 0xFu)
        return parameter;
    for (uint32_t i = 0; i < 4; i++)
        if (mask >> i & 1u)
            bytes |= 0xFFu << (8u * i);
    return (old & ~bytes) | (parameter & bytes);
}

static bool is_between(uint32_t id, uint32_t first, uint32_t last)
{
    return id >= first && id <= last;
}

/* ----------------------------------------------------------------------------------------------------- interrupts */

/* REG-10: whether line 4 * word + byte is enabled and its request byte equals its compare byte. */
static bool line_matches(const struct ref_gpu *gpu, uint32_t word, uint32_t byte)
{
    const uint32_t line = 4u * word + byte;
    const uint32_t disabled = gpu->regs[line < 32u ? PICA_REG_IRQ_MASK_LOW : PICA_REG_IRQ_MASK_HIGH];
    const uint32_t request = pica_irq_bytes_byte_at(gpu->regs[PICA_REG_FINALIZE + word], byte);
    const uint32_t compare = pica_irq_bytes_byte_at(gpu->regs[PICA_REG_IRQ_COMPARE0 + word], byte);
    return (disabled >> (line % 32u) & 1u) == 0 && request == compare;
}

bool ref_request_matches(const struct ref_gpu *gpu, uint32_t word)
{
    for (uint32_t byte = 0; byte < 4; byte++)
        if (line_matches(gpu, word, byte))
            return true;
    return false;
}

/* REG-12, REG-14: after the update of request word `word`; true if it raised the P3D interrupt. */
static bool request_interrupt(struct ref_gpu *gpu, uint32_t word)
{
    const bool matches = ref_request_matches(gpu, word);
    ref_feature(gpu, (matches ? PICA_FEATURE_INTERRUPT_RAISED : PICA_FEATURE_INTERRUPT_MISSED) + word);
    if (matches) {
        ref_interrupt(gpu, 5);
        return true;
    }
    ref_event_if(gpu, word == 0, PICA_EVENT_FINALIZE_MISMATCH);
    return false;
}

/* REG-11, REG-12, REG-13: a list may only write the request words 0x010-0x01F. */
static void list_write_interrupt(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    if (!is_between(id, PICA_REG_FINALIZE, PICA_REG_IRQ_REQUEST15)) {
        ref_event(gpu, PICA_EVENT_CPU_ONLY_REG);
        return;
    }
    gpu->regs[id] = merge(gpu->regs[id], parameter, mask);
    if (request_interrupt(gpu, id - PICA_REG_FINALIZE))
        gpu->list_stopped = pica_irq_autostop_enable(gpu->regs[PICA_REG_IRQ_AUTOSTOP]) != 0;
}

/* REG-15: words 0x000-0x00F, 0x032, 0x033 and 0x035-0x03F stay 0. */
static void cpu_write_interrupt(struct ref_gpu *gpu, uint32_t id, uint32_t value)
{
    if (is_between(id, PICA_REG_IRQ_ACK0, PICA_REG_IRQ_ACK15)) {
        gpu->regs[PICA_REG_FINALIZE + (id - PICA_REG_IRQ_ACK0)] = value;
    } else if (is_between(id, PICA_REG_FINALIZE, PICA_REG_IRQ_REQUEST15)) {
        gpu->regs[id] = value;
        (void)request_interrupt(gpu, id - PICA_REG_FINALIZE);
    } else if (is_between(id, PICA_REG_IRQ_COMPARE0, PICA_REG_IRQ_MASK_HIGH) || id == PICA_REG_IRQ_AUTOSTOP) {
        gpu->regs[id] = value;
    }
}

/* REG-15, REG-45: also after a state was put in place. */
void ref_clear_fixed_words(struct ref_gpu *gpu)
{
    for (uint32_t id = PICA_REG_IRQ_ACK0; id <= PICA_REG_UNUSED_03F; id++) {
        const bool is_writable =
            is_between(id, PICA_REG_FINALIZE, PICA_REG_IRQ_MASK_HIGH) || id == PICA_REG_IRQ_AUTOSTOP;
        if (!is_writable)
            gpu->regs[id] = 0;
    }
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
static void write_proctex_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
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

/* REG-30, REG-32: the index counts in 16 bits, the table has 128 entries. */
static void write_fog_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_FOG_LUT_INDEX];
    gpu->tables.fog[pica_fog_lut_index_index(*index) % 128u] = parameter;
    *index = pica_fog_lut_index_set_index(*index, pica_fog_lut_index_index(*index) + 1u);
    (void)id;
}

/* REG-30, REG-33. */
static void write_gas_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_GAS_LUT_INDEX];
    gpu->tables.gas[pica_gas_lut_index_index(*index) % 16u] = parameter;
    *index = pica_gas_lut_index_set_index(*index, pica_gas_lut_index_index(*index) + 1u);
    (void)id;
}

/* REG-30: 24 tables; the words of table numbers 24-31 are dropped, but counted. */
static void write_lighting_lut(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_LIGHTING_LUT_INDEX];
    const uint32_t table = (uint32_t)pica_lighting_lut_index_table(*index);
    if (table < 24u)
        gpu->tables.lighting[table][pica_lighting_lut_index_index(*index)] = parameter;
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
static void write_booleans(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    const uint16_t booleans = (uint16_t)pica_shader_booluniform_values(gpu->regs[id]);
    gpu->units[unit].booleans = booleans;
    if (is_shared(gpu, unit))
        gpu->units[PICA_UNIT_GEOMETRY].booleans = booleans;
    (void)parameter;
}

/* REG-26, REG-27: i0-i3 come from the merged word. */
static void write_integers(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
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
static void write_output_mask(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *mask = &gpu->regs[PICA_REG_GSH_OUTMAP_MASK];
    if (is_shared(gpu, unit_of(id)))
        *mask = merge(*mask, parameter, 0x3u);
}

/* REG-20, REG-21, REG-27: 512 words of code for the vertex unit, 4096 for the geometry unit. */
static void write_code(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    const uint32_t limit = unit == PICA_UNIT_VERTEX ? 512u : 4096u;
    uint32_t *index = &gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX)];
    if (*index >= limit) {
        ref_event(gpu, PICA_EVENT_CODE_INDEX_RANGE);
        return;
    }
    gpu->units[unit].code[*index] = parameter;
    if (is_shared(gpu, unit))
        gpu->units[PICA_UNIT_GEOMETRY].code[*index] = parameter;
    gpu->code_open[unit] = true;
    *index += 1u;
}

/* REG-42: remembered for an event, without effect otherwise. */
static void end_code(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    gpu->code_open[unit_of(id)] = false;
    (void)parameter;
}

/* REG-20, REG-21, REG-27: 4096 descriptors are kept, 128 can be used. */
static void write_descriptor(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    uint32_t *index = &gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX)];
    ref_event_if(gpu, *index >= 128u, PICA_EVENT_OPDESC_INDEX_RANGE);
    if (*index >= PICA_OPDESC_WORDS)
        return;
    gpu->units[unit].opdesc[*index] = parameter;
    if (is_shared(gpu, unit))
        gpu->units[PICA_UNIT_GEOMETRY].opdesc[*index] = parameter;
    *index += 1u;
}

/* REG-22: the queue survives a write to the index register. */
static void write_uniform_index(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, gpu->units[unit_of(id)].queue_length > 0, PICA_EVENT_UNIFORM_QUEUE_PARTIAL);
    (void)parameter;
}

/* REG-23, REG-25: four packed float24 values in three words. */
static struct pica_vector unpack_float24(const uint32_t queue[3])
{
    const uint32_t x = queue[2];
    const uint32_t y = queue[1] << 8 | queue[2] >> 24;
    const uint32_t z = queue[0] << 16 | queue[1] >> 16;
    const uint32_t w = queue[0] >> 8;
    return (struct pica_vector){ { ref_bits(ref_float24(x)), ref_bits(ref_float24(y)), ref_bits(ref_float24(z)),
                                   ref_bits(ref_float24(w)) } };
}

/* REG-23: four binary32 values, w first; rounded in profile f24. */
static struct pica_vector unpack_float32(const struct ref_gpu *gpu, const uint32_t queue[4])
{
    struct pica_vector vector;
    for (uint32_t i = 0; i < 4; i++)
        vector.bits[i] = ref_bits(ref_round_profile(gpu->profile, ref_float(queue[3u - i])));
    return vector;
}

/* REG-22, REG-27: a complete vector goes to c[index]; beyond c95 it is dropped and the index stays. */
static void store_uniform(struct ref_gpu *gpu, uint32_t unit, uint32_t *index, const struct pica_vector *vector)
{
    const uint32_t number = pica_shader_floatuniform_index_index(*index);
    if (number >= PICA_FLOAT_UNIFORMS) {
        ref_event(gpu, PICA_EVENT_UNIFORM_INDEX_RANGE);
        return;
    }
    ref_event_if(gpu, pica_shader_floatuniform_index_bit7(*index), PICA_EVENT_UNIFORM_INDEX_BIT7);
    gpu->units[unit].uniforms[number] = *vector;
    if (is_shared(gpu, unit))
        gpu->units[PICA_UNIT_GEOMETRY].uniforms[number] = *vector;
    *index = pica_shader_floatuniform_index_set_index(*index, number + 1u);
}

/* REG-22, REG-24: word by word; the mode bit is looked at with each word. */
static void write_uniform(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    const uint32_t unit = unit_of(id);
    struct pica_shader_unit *state = &gpu->units[unit];
    uint32_t *index = &gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX)];
    const bool is_float32 = pica_shader_floatuniform_index_format(*index) == PICA_UNIFORM_FORMAT_FLOAT32;

    state->queue[state->queue_length] = parameter;
    state->queue_length = (uint16_t)(state->queue_length + 1u);
    if (state->queue_length < (is_float32 ? 4u : 3u))
        return;
    state->queue_length = 0;
    const struct pica_vector vector = is_float32 ? unpack_float32(gpu, state->queue) : unpack_float24(state->queue);
    store_uniform(gpu, unit, index, &vector);
}

/* ----------------------------------------------------------------------------------------------- fixed attributes */

/* REG-25, VTX-40: also arms the reset of the geometry stage; the assembler is left alone. */
static void write_fixed_index(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
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
static void write_fixed(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    uint32_t *index = &gpu->regs[PICA_REG_FIXEDATTRIB_INDEX];
    gpu->fixed_queue[gpu->fixed_queue_length] = parameter;
    gpu->fixed_queue_length = (uint8_t)(gpu->fixed_queue_length + 1u);
    if (gpu->fixed_queue_length < 3)
        return;
    gpu->fixed_queue_length = 0;

    const struct pica_vector vector = unpack_float24(gpu->fixed_queue);
    const uint32_t i = pica_fixedattrib_index_index(*index);
    ref_event_if(gpu, is_between(i, 12, 14) || pica_fixedattrib_index_high_bits(*index) != 0, PICA_EVENT_FIXATTR_INDEX);
    if (i == 15) {
        write_immediate(gpu, id, &vector);
        return;
    }
    gpu->fixed[i] = vector;
    *index = pica_fixedattrib_index_set_index(*index, i + 1u);
}

/* -------------------------------------------------------------------------------------------------------- triggers */

/* REG-40: any value draws. */
static void write_draw(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, parameter == 0, PICA_EVENT_TRIGGER_ZERO);
    ref_draw(gpu, id);
}

/* REG-41, PRM-02: any write to the topology register restarts. */
static void write_topology(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_assembler_reset(gpu);
    gpu->assembler.topology = (uint8_t)pica_primitive_config_topology(gpu->regs[id]);
    (void)parameter;
}

/* REG-40, PRM-01. */
static void write_restart(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, parameter == 0, PICA_EVENT_TRIGGER_ZERO);
    ref_assembler_reset(gpu);
    (void)id;
}

/* SUB-03: list.c makes the jump; only lists get here. */
static void write_jump(struct ref_gpu *gpu, uint32_t id, uint32_t parameter)
{
    ref_event_if(gpu, parameter == 0, PICA_EVENT_TRIGGER_ZERO);
    gpu->list_jumped = true;
    gpu->jump_channel = id - PICA_REG_CMDBUF_JUMP0;
}

/*
 * The registers whose write does something, in the order of their ids. All others only keep their word: configuration
 * is looked at when it is used, and REG-42 (0x063, 0x110, 0x111, 0x231) and REG-44 list those that nothing looks at.
 */
static const struct effect {
    uint32_t first, last;
    void (*act)(struct ref_gpu *gpu, uint32_t id, uint32_t parameter);
} effects[] = {
    { PICA_REG_PROCTEX_LUT_DATA0, PICA_REG_PROCTEX_LUT_DATA7, write_proctex_lut },
    { PICA_REG_FOG_LUT_DATA0, PICA_REG_FOG_LUT_DATA7, write_fog_lut },
    { PICA_REG_GAS_LUT_DATA, PICA_REG_GAS_LUT_DATA, write_gas_lut },
    { PICA_REG_LIGHTING_LUT_DATA0, PICA_REG_LIGHTING_LUT_DATA7, write_lighting_lut },
    { PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS, write_draw },
    { PICA_REG_FIXEDATTRIB_INDEX, PICA_REG_FIXEDATTRIB_INDEX, write_fixed_index },
    { PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA2, write_fixed },
    { PICA_REG_CMDBUF_JUMP0, PICA_REG_CMDBUF_JUMP1, write_jump },
    { PICA_REG_PRIMITIVE_CONFIG, PICA_REG_PRIMITIVE_CONFIG, write_topology },
    { PICA_REG_RESTART_PRIMITIVE, PICA_REG_RESTART_PRIMITIVE, write_restart },
    { PICA_REG_GSH_BOOLUNIFORM, PICA_REG_GSH_BOOLUNIFORM, write_booleans },
    { PICA_REG_GSH_INTUNIFORM_I0, PICA_REG_GSH_INTUNIFORM_I3, write_integers },
    { PICA_REG_GSH_CODETRANSFER_END, PICA_REG_GSH_CODETRANSFER_END, end_code },
    { PICA_REG_GSH_FLOATUNIFORM_INDEX, PICA_REG_GSH_FLOATUNIFORM_INDEX, write_uniform_index },
    { PICA_REG_GSH_FLOATUNIFORM_DATA0, PICA_REG_GSH_FLOATUNIFORM_DATA7, write_uniform },
    { PICA_REG_GSH_CODETRANSFER_DATA0, PICA_REG_GSH_CODETRANSFER_DATA7, write_code },
    { PICA_REG_GSH_OPDESCS_DATA0, PICA_REG_GSH_OPDESCS_DATA7, write_descriptor },
    { PICA_REG_VSH_BOOLUNIFORM, PICA_REG_VSH_BOOLUNIFORM, write_booleans },
    { PICA_REG_VSH_INTUNIFORM_I0, PICA_REG_VSH_INTUNIFORM_I3, write_integers },
    { PICA_REG_VSH_OUTMAP_MASK, PICA_REG_VSH_OUTMAP_MASK, write_output_mask },
    { PICA_REG_VSH_CODETRANSFER_END, PICA_REG_VSH_CODETRANSFER_END, end_code },
    { PICA_REG_VSH_FLOATUNIFORM_INDEX, PICA_REG_VSH_FLOATUNIFORM_INDEX, write_uniform_index },
    { PICA_REG_VSH_FLOATUNIFORM_DATA0, PICA_REG_VSH_FLOATUNIFORM_DATA7, write_uniform },
    { PICA_REG_VSH_CODETRANSFER_DATA0, PICA_REG_VSH_CODETRANSFER_DATA7, write_code },
    { PICA_REG_VSH_OPDESCS_DATA0, PICA_REG_VSH_OPDESCS_DATA7, write_descriptor },
};

/* By halving: `low` to `high` - 1 are the lines that can still be it. */
static const struct effect *find_effect(uint32_t id)
{
    size_t low = 0, high = sizeof effects / sizeof effects[0];
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (is_between(id, effects[middle].first, effects[middle].last))
            return &effects[middle];
        if (id < effects[middle].first)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- writes */

/* REG-06: unused ids that may restart primitives on a console. */
static const struct {
    uint32_t first, last;
} mirrors[] = { { 0x070, 0x07F }, { 0x0FE, 0x0FF }, { 0x127, 0x12F }, { 0x1E0, 0x1FF }, { 0x240, 0x241 },
                { 0x246, 0x249 }, { 0x24B, 0x24F }, { 0x258, 0x25D }, { 0x260, 0x27F } };

static bool is_mirror(uint32_t id)
{
    for (size_t i = 0; i < sizeof mirrors / sizeof mirrors[0] && mirrors[i].first <= id; i++)
        if (is_between(id, mirrors[i].first, mirrors[i].last))
            return true;
    return false;
}

/* REG-43: 0x245 is looked at by events only. */
static bool is_vertex_unit_id(uint32_t id)
{
    return is_between(id, PICA_REG_VSH_BOOLUNIFORM, PICA_REG_UNUSED_2DF);
}

/*
 * CMD-06, CMD-07, REG-01, REG-06, REG-43: a write to an id from 0x040 to 0x2FF, by a list or by the CPU. Most are
 * configuration, which only keeps its word.
 */
static void write_register(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    const enum pica_reg_class kind = pica_reg_info(id)->reg_class;
    ref_event_if(gpu, kind == PICA_REG_CLASS_STORAGE && is_mirror(id), PICA_EVENT_MIRROR_RESTART);
    ref_event_if(gpu,
                 is_vertex_unit_id(id) &&
                     pica_start_draw_func0_mode(gpu->regs[PICA_REG_START_DRAW_FUNC0]) == PICA_START_DRAW_MODE_DRAW,
                 PICA_EVENT_VSH_CONFIG_IN_DRAW_MODE);

    gpu->regs[id] = merge(gpu->regs[id], parameter, mask);
    if (kind == PICA_REG_CLASS_CONFIG || kind == PICA_REG_CLASS_STORAGE)
        return;
    const struct effect *const effect = find_effect(id);
    if (effect != NULL)
        effect->act(gpu, id, parameter);
}

/* CMD-06: exactly class F or T. */
static bool is_masked_port(uint32_t id, uint32_t mask)
{
    if (mask == 0xFu)
        return false;
    const enum pica_reg_class kind = pica_reg_info(id)->reg_class;
    return kind == PICA_REG_CLASS_PORT || kind == PICA_REG_CLASS_TRIGGER;
}

/* REG-44: 0x253[0] = 1 means "drawing", for an event only. */
static bool is_write_while_drawing(const struct ref_gpu *gpu, uint32_t id)
{
    if (!pica_geostage_config2_drawing(gpu->regs[PICA_REG_GEOSTAGE_CONFIG2]))
        return false;
    return !is_between(id, PICA_REG_ATTRIBBUFFERS_LOC, PICA_REG_GSH_MISC1) &&
           !is_between(id, PICA_REG_GSH_BOOLUNIFORM, PICA_REG_UNUSED_2DF) && id != PICA_REG_RESTART_PRIMITIVE;
}

/* REG-05: ids from 0x300 on take their parameter and do nothing. */
void ref_list_register_write(struct ref_gpu *gpu, uint32_t id, uint32_t parameter, uint32_t mask)
{
    ref_event_if(gpu, is_write_while_drawing(gpu, id), PICA_EVENT_WRITE_WHILE_DRAWING);
    if (id >= PICA_REGISTERS) {
        ref_event(gpu, PICA_EVENT_REG_ID_RANGE);
        return;
    }
    ref_feature(gpu, PICA_FEATURE_REGISTER_WRITTEN + id);
    ref_event_if(gpu, is_masked_port(id, mask), PICA_EVENT_MASKED_PORT);
    if (id <= PICA_REG_UNUSED_03F)
        list_write_interrupt(gpu, id, parameter, mask);
    else
        write_register(gpu, id, parameter, mask);
}

/* EXT-CMD-05: like a list write with all bytes, but for the interrupt registers (REG-15). */
void ref_cpu_register_write(struct ref_gpu *gpu, uint32_t id, uint32_t value)
{
    if (id < PICA_REGISTERS)
        ref_feature(gpu, PICA_FEATURE_REGISTER_WRITTEN + id);
    if (id >= PICA_REGISTERS)
        ref_event(gpu, PICA_EVENT_REG_ID_RANGE);
    else if (id <= PICA_REG_UNUSED_03F)
        cpu_write_interrupt(gpu, id, value);
    else
        write_register(gpu, id, value, 0xFu);
}
