/* Building blocks of shader programs: instructions, operand descriptors, uploads. */
#include "harness/case/shader_fields.h"
#include "harness/grammar/gen_parts.h"

void gen_emit(struct gen_code *code, uint32_t word)
{
    if (code->count < GEN_MAX_CODE)
        code->words[code->count++] = word;
}

/* ----------------------------------------------------------------------------------------------------- descriptors */

/* SHD-21 */
static uint32_t descriptor_of(uint32_t mask, const struct gen_source sources[3])
{
    uint32_t word = mask;
    for (uint32_t s = 0; s < 3; s++) {
        const uint32_t low = harness_opdesc_source_low(s + 1u);
        word = pica_bits_replaced(word, low, 1, sources[s].negate ? 1u : 0u);
        word = pica_bits_replaced(word, low + 1u, 8, sources[s].selectors);
    }
    return word;
}

/* Index of the descriptor, added if it is new and there is room below `limit`; else any other. */
static uint32_t find_descriptor(struct gen_code *code, uint32_t word, uint32_t limit)
{
    const uint32_t most = code->descriptor_count < limit ? code->descriptor_count : limit;
    for (uint32_t i = 0; i < most; i++)
        if (code->descriptors[i] == word)
            return i;
    if (code->descriptor_count >= limit || code->descriptor_count + code->reserved >= GEN_DESCRIPTORS)
        return most == 0 ? 0 : word % most;
    code->descriptors[code->descriptor_count] = word;
    return code->descriptor_count++;
}

/* ---------------------------------------------------------------------------------------------------- instructions */

static uint32_t encode_1(enum pica_opcode opcode, uint32_t dest, const struct gen_source s[3], uint32_t descriptor)
{
    uint32_t word = pica_shader_format_1_set_opcode(0, opcode);
    word = pica_shader_format_1_set_dest(word, dest);
    word = pica_shader_format_1_set_index(word, s[0].relative);
    word = pica_shader_format_1_set_src1(word, s[0].number);
    word = pica_shader_format_1_set_src2(word, s[1].number);
    return pica_shader_format_1_set_desc(word, descriptor);
}

static uint32_t encode_1i(enum pica_opcode opcode, uint32_t dest, const struct gen_source s[3], uint32_t descriptor)
{
    uint32_t word = pica_shader_format_1i_set_opcode(0, opcode);
    word = pica_shader_format_1i_set_dest(word, dest);
    word = pica_shader_format_1i_set_index(word, s[1].relative);
    word = pica_shader_format_1i_set_src1(word, s[0].number);
    word = pica_shader_format_1i_set_src2(word, s[1].number);
    return pica_shader_format_1i_set_desc(word, descriptor);
}

/* `dest` holds the two operators: cmpx in bits 2:0, cmpy in 5:3. */
static uint32_t encode_1c(uint32_t dest, const struct gen_source s[3], uint32_t descriptor)
{
    uint32_t word = pica_shader_format_1c_set_opcode(0, PICA_OPCODE_CMP >> 1);
    word = pica_shader_format_1c_set_cmpx(word, dest);
    word = pica_shader_format_1c_set_cmpy(word, dest >> 3);
    word = pica_shader_format_1c_set_index(word, s[0].relative);
    word = pica_shader_format_1c_set_src1(word, s[0].number);
    word = pica_shader_format_1c_set_src2(word, s[1].number);
    return pica_shader_format_1c_set_desc(word, descriptor);
}

static uint32_t encode_5(uint32_t dest, const struct gen_source s[3], uint32_t descriptor)
{
    uint32_t word = pica_shader_format_5_set_opcode(0, PICA_OPCODE_MAD >> 3);
    word = pica_shader_format_5_set_dest(word, dest);
    word = pica_shader_format_5_set_index(word, s[1].relative);
    word = pica_shader_format_5_set_src1(word, s[0].number);
    word = pica_shader_format_5_set_src2(word, s[1].number);
    word = pica_shader_format_5_set_src3(word, s[2].number);
    return pica_shader_format_5_set_desc(word, descriptor);
}

static uint32_t encode_5i(uint32_t dest, const struct gen_source s[3], uint32_t descriptor)
{
    uint32_t word = pica_shader_format_5i_set_opcode(0, PICA_OPCODE_MADI >> 3);
    word = pica_shader_format_5i_set_dest(word, dest);
    word = pica_shader_format_5i_set_index(word, s[2].relative);
    word = pica_shader_format_5i_set_src1(word, s[0].number);
    word = pica_shader_format_5i_set_src2(word, s[1].number);
    word = pica_shader_format_5i_set_src3(word, s[2].number);
    return pica_shader_format_5i_set_desc(word, descriptor);
}

void gen_alu(struct gen_code *code, enum pica_opcode opcode, uint32_t dest, uint32_t mask,
             const struct gen_source sources[3])
{
    const enum pica_opcode_format format = pica_opcode_info(opcode)->format;
    const bool narrow = format == PICA_OPCODE_FORMAT_5 || format == PICA_OPCODE_FORMAT_5I;
    const uint32_t limit = narrow ? GEN_NARROW_DESCRIPTORS : GEN_DESCRIPTORS;
    const uint32_t descriptor = find_descriptor(code, descriptor_of(mask, sources), limit);
    switch (format) {
    case PICA_OPCODE_FORMAT_1:
    case PICA_OPCODE_FORMAT_1U: gen_emit(code, encode_1(opcode, dest, sources, descriptor)); return;
    case PICA_OPCODE_FORMAT_1I: gen_emit(code, encode_1i(opcode, dest, sources, descriptor)); return;
    case PICA_OPCODE_FORMAT_1C: gen_emit(code, encode_1c(dest, sources, descriptor)); return;
    case PICA_OPCODE_FORMAT_5: gen_emit(code, encode_5(dest, sources, descriptor)); return;
    case PICA_OPCODE_FORMAT_5I: gen_emit(code, encode_5i(dest, sources, descriptor)); return;
    case PICA_OPCODE_FORMAT_NONE:
    case PICA_OPCODE_FORMAT_0:
    case PICA_OPCODE_FORMAT_2:
    case PICA_OPCODE_FORMAT_3:
    case PICA_OPCODE_FORMAT_4: gen_emit(code, pica_shader_format_0_set_opcode(0, opcode)); return;
    }
}

void gen_mov(struct gen_code *code, uint32_t dest, uint32_t mask, struct gen_source source)
{
    const struct gen_source sources[3] = { source, { .selectors = GEN_XYZW }, { .selectors = GEN_XYZW } };
    gen_alu(code, PICA_OPCODE_MOV, dest, mask, sources);
}

void gen_two(struct gen_code *code, enum pica_opcode opcode, uint32_t dest, uint32_t mask, struct gen_source wide,
             struct gen_source narrow)
{
    const struct gen_source sources[3] = { wide, narrow, { .selectors = GEN_XYZW } };
    gen_alu(code, opcode, dest, mask, sources);
}

/* `condition_bits` = condition, refy, refx as they lie in bits 25:22. */
void gen_flow_condition(struct gen_code *code, enum pica_opcode opcode, uint32_t condition_bits, uint32_t target,
                        uint32_t count)
{
    uint32_t word = pica_shader_format_2_set_opcode(0, opcode);
    word = pica_shader_format_2_set_condition(word, condition_bits);
    word = pica_shader_format_2_set_refy(word, condition_bits >> 2);
    word = pica_shader_format_2_set_refx(word, condition_bits >> 3);
    word = pica_shader_format_2_set_dst(word, target);
    gen_emit(code, pica_shader_format_2_set_num(word, count));
}

void gen_flow_uniform(struct gen_code *code, enum pica_opcode opcode, uint32_t uniform, uint32_t target, uint32_t count)
{
    uint32_t word = pica_shader_format_3_set_opcode(0, opcode);
    word = pica_shader_format_3_set_uniform(word, uniform);
    word = pica_shader_format_3_set_dst(word, target);
    gen_emit(code, pica_shader_format_3_set_num(word, count));
}

/* --------------------------------------------------------------------------------------------------------- uploads */

void gen_upload_code(struct gen *gen, const struct gen_code *code, uint32_t unit)
{
    const uint32_t index = pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX);
    const uint32_t port = pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_DATA0);
    const bool in_parts = code->count > 4 && gen_percent(gen, 15);
    const uint32_t first = in_parts ? gen_between(gen, 1, code->count - 1u) : code->count;
    gen_upload(gen, index, code->base, port + gen_below(gen, 8), code->words, first);
    if (first < code->count)
        gen_write_port(gen, port + gen_below(gen, 8), code->words + first, code->count - first);
    gen_note_program(gen, index, code->base, code->words, code->count);
    const uint32_t descriptors = pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX);
    gen_upload(gen, descriptors, 0, pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA0), code->descriptors,
               code->descriptor_count);
    gen_note_program(gen, descriptors, 0, code->descriptors, code->descriptor_count);
    if (!gen_wild(gen, 3)) /* REG-42 */
        gen_write(gen, pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_END), 1);
}

/* REG-23, float32 mode: w first. */
static uint32_t put_float32(const float vector[4], uint32_t *words)
{
    for (uint32_t i = 0; i < 4; i++)
        words[i] = harness_f32_bits(vector[3 - i]);
    return 4;
}

/* REG-23, float24 mode. */
static uint32_t put_float24(const float vector[4], uint32_t *words)
{
    uint32_t raw[4];
    for (uint32_t i = 0; i < 4; i++)
        raw[i] = gen_float24(vector[i]);
    harness_float24_pack(raw, words);
    return 3;
}

void gen_upload_uniforms(struct gen *gen, uint32_t unit, uint32_t first, const float (*vectors)[4], uint32_t count)
{
    uint32_t words[4 * PICA_FLOAT_UNIFORMS];
    uint32_t used = 0;
    const bool float32 = gen_percent(gen, 50);
    for (uint32_t i = 0; i < count && i < PICA_FLOAT_UNIFORMS; i++)
        used += float32 ? put_float32(vectors[i], words + used) : put_float24(vectors[i], words + used);
    uint32_t index = pica_shader_floatuniform_index_set_index(0, first);
    index = pica_shader_floatuniform_index_set_format(index, float32 ? PICA_UNIFORM_FORMAT_FLOAT32
                                                                     : PICA_UNIFORM_FORMAT_FLOAT24);
    const uint32_t alias = gen_percent(gen, 30) ? gen_below(gen, 8) : 0;
    gen_upload(gen, pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX), index,
               pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_DATA0) + alias, words, used);
}
