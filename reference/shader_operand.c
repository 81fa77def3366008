/*
 * Operands of the shader units (SHD-15, SHD-20 to SHD-24): from the bits of an instruction to the values it works on.
 *
 * An instruction names up to three source registers and a descriptor. One of its sources is "wide" (7 bits) and reaches
 * inputs v, temporaries r and uniforms c, the others are "narrow" (5 bits) and reach v and r only; the formats differ
 * in which one is wide. Only a wide source that is a c register can be indexed relatively. The descriptor has the write
 * mask, and for each source a swizzle and a negation; note that its highest bits belong to x.
 *
 * Worked number: 0x02225103 is ADD r1, c5, v2 with descriptor 3: destination 0x11, source 1 = 0x25, source 2 = 0x02.
 * Descriptor 0x0D86C36F is "all components, nothing swizzled, nothing negated".
 */
#include "reference/shader.h"

#include "reference/number.h"

/* -------------------------------------------------------------------------------------------------------- decoding */

/* SHD-21: a descriptor's bits as a set of components. */
static uint32_t dest_mask(uint32_t descriptor)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 4; i++)
        mask |= pica_shader_opdesc_dest_at(descriptor, i) << i;
    return mask;
}

/* SHD-21: which component source 1-3 takes for component i. */
static uint32_t selector(uint32_t descriptor, uint32_t source, uint32_t i)
{
    if (source == 1)
        return pica_shader_opdesc_src1_selector_at(descriptor, i);
    return source == 2 ? pica_shader_opdesc_src2_selector_at(descriptor, i)
                       : pica_shader_opdesc_src3_selector_at(descriptor, i);
}

/* Which components of source 1 and of source 2 an instruction uses under a mask; for events of class R only. */
static uint32_t components_of_a(enum pica_opcode opcode, uint32_t mask)
{
    if (opcode == PICA_OPCODE_DP3 || opcode == PICA_OPCODE_DPH || opcode == PICA_OPCODE_DPHI)
        return REF_MASK_XYZ;
    if (opcode == PICA_OPCODE_DP4)
        return REF_MASK_ALL;
    if (opcode == PICA_OPCODE_EX2 || opcode == PICA_OPCODE_LG2 || opcode == PICA_OPCODE_RCP ||
        opcode == PICA_OPCODE_RSQ)
        return REF_MASK_X;
    if (opcode == PICA_OPCODE_MOVA)
        return mask & (REF_MASK_X | REF_MASK_Y);
    if (opcode == PICA_OPCODE_LITP)
        return REF_MASK_X | REF_MASK_W | (mask & REF_MASK_Y);
    if (opcode == PICA_OPCODE_DST || opcode == PICA_OPCODE_DSTI)
        return mask & (REF_MASK_Y | REF_MASK_Z);
    return mask;
}

static uint32_t components_of_b(enum pica_opcode opcode, uint32_t mask)
{
    if (opcode == PICA_OPCODE_DP3)
        return REF_MASK_XYZ;
    if (opcode == PICA_OPCODE_DP4 || opcode == PICA_OPCODE_DPH || opcode == PICA_OPCODE_DPHI)
        return REF_MASK_ALL;
    if (opcode == PICA_OPCODE_DST || opcode == PICA_OPCODE_DSTI)
        return mask & (REF_MASK_Y | REF_MASK_W);
    return mask;
}

/* SHD-21: source 1-3 of an instruction that uses components `used` of the swizzled value. */
static void add_source(struct ref_instruction *instruction, uint32_t source, uint32_t number,
                       enum pica_shader_relative relative, uint32_t used)
{
    struct ref_source *out = &instruction->sources[source - 1u];
    out->number = (uint8_t)number;
    out->relative = relative;
    out->is_negated = pica_shader_opdesc_negate_at(instruction->descriptor, source - 1u) != 0;
    out->components = 0;
    for (uint32_t i = 0; i < 4; i++) {
        out->selector[i] = (uint8_t)selector(instruction->descriptor, source, i);
        if (used >> i & 1u)
            out->components = (uint8_t)(out->components | 1u << out->selector[i]);
    }
    instruction->source_count = source;
}

static void add_descriptor(struct ref_instruction *instruction, const struct pica_shader_unit *unit, uint32_t index)
{
    instruction->descriptor_index = index;
    instruction->descriptor = unit->opdesc[index];
}

static void add_dest(struct ref_instruction *instruction, uint32_t dest)
{
    instruction->dest = dest;
    instruction->mask = dest_mask(instruction->descriptor);
    for (uint32_t i = 0; i < 4; i++)
        instruction->kept[i] = instruction->mask >> i & 1u ? 0u : 0xFFFFFFFFu;
}

/* Formats 1 and 1u: source 1 is wide. Format 1u has no source 2. */
static void decode_format_1(const struct pica_shader_unit *unit, bool is_unary, struct ref_instruction *instruction)
{
    const uint32_t word = instruction->word;
    add_descriptor(instruction, unit, pica_shader_format_1_desc(word));
    add_dest(instruction, (uint32_t)pica_shader_format_1_dest(word));
    add_source(instruction, 1, (uint32_t)pica_shader_format_1_src1(word), pica_shader_format_1_index(word),
               components_of_a(instruction->opcode, instruction->mask));
    if (!is_unary)
        add_source(instruction, 2, (uint32_t)pica_shader_format_1_src2(word), PICA_SHADER_RELATIVE_NONE,
                   components_of_b(instruction->opcode, instruction->mask));
}

/* Format 1i: source 2 is wide. */
static void decode_format_1i(const struct pica_shader_unit *unit, struct ref_instruction *instruction)
{
    const uint32_t word = instruction->word;
    add_descriptor(instruction, unit, pica_shader_format_1i_desc(word));
    add_dest(instruction, (uint32_t)pica_shader_format_1i_dest(word));
    add_source(instruction, 1, (uint32_t)pica_shader_format_1i_src1(word), PICA_SHADER_RELATIVE_NONE,
               components_of_a(instruction->opcode, instruction->mask));
    add_source(instruction, 2, (uint32_t)pica_shader_format_1i_src2(word), pica_shader_format_1i_index(word),
               components_of_b(instruction->opcode, instruction->mask));
}

/* Format 1c (CMP): source 1 is wide; there is no destination, and the mask is ignored (SHD-31). */
static void decode_format_1c(const struct pica_shader_unit *unit, struct ref_instruction *instruction)
{
    const uint32_t word = instruction->word;
    add_descriptor(instruction, unit, pica_shader_format_1c_desc(word));
    add_source(instruction, 1, (uint32_t)pica_shader_format_1c_src1(word), pica_shader_format_1c_index(word),
               REF_MASK_X | REF_MASK_Y);
    add_source(instruction, 2, (uint32_t)pica_shader_format_1c_src2(word), PICA_SHADER_RELATIVE_NONE,
               REF_MASK_X | REF_MASK_Y);
}

/* Format 5 (MAD): source 2 is wide. */
static void decode_format_5(const struct pica_shader_unit *unit, struct ref_instruction *instruction)
{
    const uint32_t word = instruction->word;
    add_descriptor(instruction, unit, pica_shader_format_5_desc(word));
    add_dest(instruction, (uint32_t)pica_shader_format_5_dest(word));
    const uint32_t mask = instruction->mask;
    add_source(instruction, 1, (uint32_t)pica_shader_format_5_src1(word), PICA_SHADER_RELATIVE_NONE, mask);
    add_source(instruction, 2, (uint32_t)pica_shader_format_5_src2(word), pica_shader_format_5_index(word), mask);
    add_source(instruction, 3, (uint32_t)pica_shader_format_5_src3(word), PICA_SHADER_RELATIVE_NONE, mask);
}

/* Format 5i (MADI): source 3 is wide. */
static void decode_format_5i(const struct pica_shader_unit *unit, struct ref_instruction *instruction)
{
    const uint32_t word = instruction->word;
    add_descriptor(instruction, unit, pica_shader_format_5i_desc(word));
    add_dest(instruction, (uint32_t)pica_shader_format_5i_dest(word));
    const uint32_t mask = instruction->mask;
    add_source(instruction, 1, (uint32_t)pica_shader_format_5i_src1(word), PICA_SHADER_RELATIVE_NONE, mask);
    add_source(instruction, 2, (uint32_t)pica_shader_format_5i_src2(word), PICA_SHADER_RELATIVE_NONE, mask);
    add_source(instruction, 3, (uint32_t)pica_shader_format_5i_src3(word), pica_shader_format_5i_index(word), mask);
}

/* SHD-24, class R: whether the sources name two different inputs. */
static bool names_two_inputs(const struct ref_instruction *instruction)
{
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < instruction->source_count; i++)
        if (instruction->sources[i].number < 0x10)
            inputs |= 1u << instruction->sources[i].number;
    return (inputs & (inputs - 1u)) != 0;
}

/* SHD-22, SHD-47: whether vertices of one draw can take different conditions or addresses here. For features. */
static void note_what_may_vary(struct ref_instruction *instruction)
{
    const enum pica_opcode opcode = instruction->opcode;
    instruction->has_condition = opcode == PICA_OPCODE_BREAKC || opcode == PICA_OPCODE_CALLC ||
                                 opcode == PICA_OPCODE_IFC || opcode == PICA_OPCODE_JMPC;
    for (uint32_t i = 0; i < instruction->source_count; i++) {
        const struct ref_source *const source = &instruction->sources[i];
        if (source->number >= 0x20 &&
            (source->relative == PICA_SHADER_RELATIVE_A0_X || source->relative == PICA_SHADER_RELATIVE_A0_Y))
            instruction->relative = source->relative;
    }
    instruction->may_vary = instruction->has_condition || instruction->relative != PICA_SHADER_RELATIVE_NONE;
}

/* SHD-20. */
void ref_decode_instruction(const struct pica_shader_unit *unit, uint32_t word, struct ref_instruction *instruction)
{
    *instruction = (struct ref_instruction){ .word = word, .opcode = pica_opcode_of(word) };
    add_descriptor(instruction, unit, 0);
    switch (pica_opcode_info((uint32_t)instruction->opcode)->format) {
    case PICA_OPCODE_FORMAT_1: decode_format_1(unit, false, instruction); break;
    case PICA_OPCODE_FORMAT_1U: decode_format_1(unit, true, instruction); break;
    case PICA_OPCODE_FORMAT_1I: decode_format_1i(unit, instruction); break;
    case PICA_OPCODE_FORMAT_1C: decode_format_1c(unit, instruction); break;
    case PICA_OPCODE_FORMAT_5: decode_format_5(unit, instruction); break;
    case PICA_OPCODE_FORMAT_5I: decode_format_5i(unit, instruction); break;
    case PICA_OPCODE_FORMAT_NONE:
    case PICA_OPCODE_FORMAT_0:
    case PICA_OPCODE_FORMAT_2:
    case PICA_OPCODE_FORMAT_3:
    case PICA_OPCODE_FORMAT_4: break;
    }
    instruction->has_two_inputs = names_two_inputs(instruction);
    note_what_may_vary(instruction);
}

/* --------------------------------------------------------------------------------------------- reading and writing */

/* SHD-22: 0 unless the register holds a value from -128 to 127. */
uint32_t ref_relative_offset(const struct ref_shader *shader, enum pica_shader_relative relative)
{
    int32_t value = 0;
    switch (relative) {
    case PICA_SHADER_RELATIVE_NONE: break;
    case PICA_SHADER_RELATIVE_A0_X: value = shader->address[0]; break;
    case PICA_SHADER_RELATIVE_A0_Y: value = shader->address[1]; break;
    case PICA_SHADER_RELATIVE_AL: value = shader->loop_counter; break;
    }
    return value >= -128 && value <= 127 ? (uint32_t)value : 0u;
}

static const struct pica_vector ones = { { 0x3F800000u, 0x3F800000u, 0x3F800000u, 0x3F800000u } };

/* SHD-20, SHD-22: a source register before swizzle and negation. c numbers are taken modulo 128; c96-c127 are ones. */
static const struct pica_vector *source_register(const struct ref_shader *shader, uint32_t number,
                                                 enum pica_shader_relative relative)
{
    if (number < 0x10)
        return &shader->inputs[number];
    if (number < 0x20)
        return &shader->temporaries[number - 0x10u];
    const uint32_t index = (number - 0x20u + ref_relative_offset(shader, relative)) & 0x7Fu;
    return index < PICA_FLOAT_UNIFORMS ? &shader->unit->uniforms[index] : &ones;
}

/* SHD-10, class R: reads of temporaries that the vertex shader has not written. */
static void note_uninitialised(struct ref_shader *shader, const struct ref_source *source)
{
    if (shader->is_geometry || source->number < 0x10 || source->number >= 0x20)
        return;
    ref_event_if(shader->gpu, (source->components & ~shader->temporaries_written[source->number - 0x10u]) != 0,
                 PICA_EVENT_UNINIT_TEMP);
}

/* SHD-21: swizzle first, then negation of all four components. */
static void bend(const struct ref_source *source, const struct pica_vector *vector, struct ref_value *value)
{
    const uint32_t sign = source->is_negated ? 0x80000000u : 0u;
    for (uint32_t i = 0; i < 4; i++)
        value->at[i] = ref_float(vector->bits[source->selector[i]] ^ sign);
}

static void read_source(struct ref_shader *shader, const struct ref_source *source, struct ref_value *value)
{
    bend(source, source_register(shader, source->number, source->relative), value);
    note_uninitialised(shader, source);
}

void ref_record_operands(const struct ref_shader *shader, const struct ref_instruction *instruction)
{
    ref_record_rule(shader, "SHD-21", shader->pc * 4u + 3u, &instruction->mask, 1);
    for (uint32_t i = 0; i < instruction->source_count; i++) {
        const struct ref_source *const source = &instruction->sources[i];
        const struct pica_vector *const vector = source_register(shader, source->number, source->relative);
        const bool is_relative = source->number >= 0x20 && source->relative != PICA_SHADER_RELATIVE_NONE;
        struct ref_value value;
        uint32_t bits[4];
        bend(source, vector, &value);
        for (uint32_t k = 0; k < 4; k++)
            bits[k] = ref_canonical_bits(ref_bits(value.at[k]));
        ref_record_rule(shader, is_relative ? "SHD-22" : "SHD-20", shader->pc * 4u + i, vector->bits, 4);
        ref_record_rule(shader, "SHD-21", shader->pc * 4u + i, bits, 4);
    }
}

/* SHD-15, SHD-24. */
void ref_read_operands(struct ref_shader *shader, const struct ref_instruction *instruction,
                       struct ref_operands *operands)
{
    operands->instruction = instruction;
    if (instruction->source_count > 0)
        read_source(shader, &instruction->sources[0], &operands->a);
    if (instruction->source_count > 1)
        read_source(shader, &instruction->sources[1], &operands->b);
    if (instruction->source_count > 2)
        read_source(shader, &instruction->sources[2], &operands->c);
    ref_event_if(shader->gpu, instruction->has_two_inputs, PICA_EVENT_TWO_INPUTS);
}

/* SHD-20, SHD-23, SHD-24: components outside the mask keep their value. */
void ref_write_dest(struct ref_shader *shader, const struct ref_operands *operands, const struct ref_value *value)
{
    const struct ref_instruction *const instruction = operands->instruction;
    const uint32_t number = instruction->dest & 0xFu;
    const bool is_output = instruction->dest < 0x10;
    struct pica_vector *target = is_output ? &shader->outputs[number] : &shader->temporaries[number];
    uint8_t *written = is_output ? &shader->outputs_written[number] : &shader->temporaries_written[number];
    for (uint32_t i = 0; i < 4; i++)
        target->bits[i] = (target->bits[i] & instruction->kept[i]) | (ref_bits(value->at[i]) & ~instruction->kept[i]);
    ref_event_if(shader->gpu, is_output && (*written & instruction->mask) != 0, PICA_EVENT_OUTPUT_TWICE);
    *written = (uint8_t)(*written | instruction->mask);
}
