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

#include "reference/numbers.h"

#include "pica/opcodes.h"

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

/* SHD-22: 0 unless the register holds a value from -128 to 127. */
static uint32_t relative_offset(const struct ref_shader *shader, enum pica_shader_relative relative)
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
static struct pica_vector source_register(const struct ref_shader *shader, uint32_t number,
                                          enum pica_shader_relative relative)
{
    if (number < 0x10)
        return shader->inputs[number];
    if (number < 0x20)
        return shader->temporaries[number - 0x10u];
    const uint32_t index = (number - 0x20u + relative_offset(shader, relative)) & 0x7Fu;
    return index < PICA_FLOAT_UNIFORMS ? shader->unit->uniforms[index] : ones;
}

/* SHD-10, SHD-24, class R: notes that components `used` of a swizzled source were read. */
static void note_source(struct ref_shader *shader, uint32_t number, uint32_t descriptor, uint32_t source, uint32_t used)
{
    if (number < 0x10)
        shader->inputs_read |= 1u << number;
    if (shader->is_geometry || number < 0x10 || number >= 0x20)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t component = selector(descriptor, source, i);
        const bool was_written = (shader->temporaries_written[number - 0x10u] >> component & 1u) != 0;
        ref_event_if(shader->gpu, (used >> i & 1u) != 0 && !was_written, PICA_EVENT_UNINIT_TEMP);
    }
}

/* SHD-21: swizzle first, then negation of all four components. */
static struct ref_value read_source(struct ref_shader *shader, uint32_t number, enum pica_shader_relative relative,
                                    uint32_t descriptor, uint32_t source, uint32_t used)
{
    const struct pica_vector vector = source_register(shader, number, relative);
    struct ref_value value;
    for (uint32_t i = 0; i < 4; i++) {
        const float component = ref_float(vector.bits[selector(descriptor, source, i)]);
        value.at[i] = pica_shader_opdesc_negate_at(descriptor, source - 1u) ? ref_negate(component) : component;
    }
    note_source(shader, number, descriptor, source, used);
    return value;
}

/* SHD-20, SHD-23, SHD-24: components outside the mask keep their value. */
void ref_write_dest(struct ref_shader *shader, const struct ref_operands *operands, const struct ref_value *value)
{
    const uint32_t number = operands->dest & 0xFu;
    const bool is_output = operands->dest < 0x10;
    struct pica_vector *target = is_output ? &shader->outputs[number] : &shader->temporaries[number];
    uint8_t *written = is_output ? &shader->outputs_written[number] : &shader->temporaries_written[number];
    for (uint32_t i = 0; i < 4; i++)
        if (operands->mask >> i & 1u)
            target->bits[i] = ref_bits(value->at[i]);
    ref_event_if(shader->gpu, is_output && (*written & operands->mask) != 0, PICA_EVENT_OUTPUT_TWICE);
    *written = (uint8_t)(*written | operands->mask);
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

/* Formats 1 and 1u: source 1 is wide. Format 1u has no source 2. */
static void read_format_1(struct ref_shader *shader, uint32_t word, bool is_unary, struct ref_operands *operands)
{
    const enum pica_opcode opcode = pica_opcode_of(word);
    const uint32_t descriptor = shader->unit->opdesc[pica_shader_format_1_desc(word)];
    operands->dest = (uint32_t)pica_shader_format_1_dest(word);
    operands->mask = dest_mask(descriptor);
    operands->a = read_source(shader, (uint32_t)pica_shader_format_1_src1(word), pica_shader_format_1_index(word),
                              descriptor, 1, components_of_a(opcode, operands->mask));
    if (!is_unary)
        operands->b = read_source(shader, (uint32_t)pica_shader_format_1_src2(word), PICA_SHADER_RELATIVE_NONE,
                                  descriptor, 2, components_of_b(opcode, operands->mask));
}

/* Format 1i: source 2 is wide. */
static void read_format_1i(struct ref_shader *shader, uint32_t word, struct ref_operands *operands)
{
    const enum pica_opcode opcode = pica_opcode_of(word);
    const uint32_t descriptor = shader->unit->opdesc[pica_shader_format_1i_desc(word)];
    operands->dest = (uint32_t)pica_shader_format_1i_dest(word);
    operands->mask = dest_mask(descriptor);
    operands->a = read_source(shader, (uint32_t)pica_shader_format_1i_src1(word), PICA_SHADER_RELATIVE_NONE, descriptor,
                              1, components_of_a(opcode, operands->mask));
    operands->b = read_source(shader, (uint32_t)pica_shader_format_1i_src2(word), pica_shader_format_1i_index(word),
                              descriptor, 2, components_of_b(opcode, operands->mask));
}

/* Format 1c (CMP): source 1 is wide; there is no destination, and the mask is ignored (SHD-31). */
static void read_format_1c(struct ref_shader *shader, uint32_t word, struct ref_operands *operands)
{
    const uint32_t descriptor = shader->unit->opdesc[pica_shader_format_1c_desc(word)];
    operands->a = read_source(shader, (uint32_t)pica_shader_format_1c_src1(word), pica_shader_format_1c_index(word),
                              descriptor, 1, REF_MASK_X | REF_MASK_Y);
    operands->b = read_source(shader, (uint32_t)pica_shader_format_1c_src2(word), PICA_SHADER_RELATIVE_NONE, descriptor,
                              2, REF_MASK_X | REF_MASK_Y);
}

/* Format 5 (MAD): source 2 is wide. */
static void read_format_5(struct ref_shader *shader, uint32_t word, struct ref_operands *operands)
{
    const uint32_t descriptor = shader->unit->opdesc[pica_shader_format_5_desc(word)];
    const uint32_t mask = dest_mask(descriptor);
    operands->dest = (uint32_t)pica_shader_format_5_dest(word);
    operands->mask = mask;
    operands->a =
        read_source(shader, (uint32_t)pica_shader_format_5_src1(word), PICA_SHADER_RELATIVE_NONE, descriptor, 1, mask);
    operands->b = read_source(shader, (uint32_t)pica_shader_format_5_src2(word), pica_shader_format_5_index(word),
                              descriptor, 2, mask);
    operands->c =
        read_source(shader, (uint32_t)pica_shader_format_5_src3(word), PICA_SHADER_RELATIVE_NONE, descriptor, 3, mask);
}

/* Format 5i (MADI): source 3 is wide. */
static void read_format_5i(struct ref_shader *shader, uint32_t word, struct ref_operands *operands)
{
    const uint32_t descriptor = shader->unit->opdesc[pica_shader_format_5i_desc(word)];
    const uint32_t mask = dest_mask(descriptor);
    operands->dest = (uint32_t)pica_shader_format_5i_dest(word);
    operands->mask = mask;
    operands->a =
        read_source(shader, (uint32_t)pica_shader_format_5i_src1(word), PICA_SHADER_RELATIVE_NONE, descriptor, 1, mask);
    operands->b =
        read_source(shader, (uint32_t)pica_shader_format_5i_src2(word), PICA_SHADER_RELATIVE_NONE, descriptor, 2, mask);
    operands->c = read_source(shader, (uint32_t)pica_shader_format_5i_src3(word), pica_shader_format_5i_index(word),
                              descriptor, 3, mask);
}

/* SHD-15, SHD-20. */
void ref_read_operands(struct ref_shader *shader, uint32_t word, struct ref_operands *operands)
{
    *operands = (struct ref_operands){ .dest = 0 };
    shader->inputs_read = 0;
    switch (pica_opcode_info((uint32_t)pica_opcode_of(word))->format) {
    case PICA_OPCODE_FORMAT_1: read_format_1(shader, word, false, operands); break;
    case PICA_OPCODE_FORMAT_1U: read_format_1(shader, word, true, operands); break;
    case PICA_OPCODE_FORMAT_1I: read_format_1i(shader, word, operands); break;
    case PICA_OPCODE_FORMAT_1C: read_format_1c(shader, word, operands); break;
    case PICA_OPCODE_FORMAT_5: read_format_5(shader, word, operands); break;
    case PICA_OPCODE_FORMAT_5I: read_format_5i(shader, word, operands); break;
    case PICA_OPCODE_FORMAT_NONE:
    case PICA_OPCODE_FORMAT_0:
    case PICA_OPCODE_FORMAT_2:
    case PICA_OPCODE_FORMAT_3:
    case PICA_OPCODE_FORMAT_4: break;
    }
    ref_event_if(shader->gpu, (shader->inputs_read & (shader->inputs_read - 1u)) != 0, PICA_EVENT_TWO_INPUTS);
}
