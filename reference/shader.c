/*
 * The shader units (SHD): one invocation of a vertex or geometry program.
 *
 * A program is an array of 32-bit instructions that work on vectors of four floats: inputs v, temporaries r, outputs o,
 * uniforms c. Operand descriptors, kept in a table of their own, hold write mask, swizzles and negations, so that
 * instructions need not. An instruction may index one c register relatively (a0.x, a0.y, aL). Operands are in
 * shader_operand.c, calls, branches and loops in shader_flow.c.
 *
 * Worked number: `add r0.xy, c1, v0` with c1 = (1, 2, 3, 4), v0 = (10, 10, 10, 10) makes r0.x 11 and r0.y 12; r0.z and
 * r0.w stay.
 */
#include "reference/shader.h"

#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

#include "pica/events.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------- decoded instructions */

struct ref_programs *ref_programs_create(void)
{
    return calloc(1, sizeof(struct ref_programs));
}

void ref_programs_destroy(struct ref_programs *programs)
{
    free(programs);
}

/* The instruction at the program counter, decoded now, or earlier in this case when its words were the same. */
static struct ref_instruction *instruction_at(const struct ref_shader *shader, uint32_t pc)
{
    const struct pica_shader_unit *unit = shader->unit;
    struct ref_instruction *instruction =
        &shader->gpu->programs->instructions[shader->is_geometry ? 1 : 0][pc % REF_DECODED_INSTRUCTIONS];
    if (instruction->load != shader->gpu->loads || instruction->word != unit->code[pc] ||
        instruction->descriptor != unit->opdesc[instruction->descriptor_index]) {
        ref_decode_instruction(unit, unit->code[pc], instruction);
        instruction->load = shader->gpu->loads;
    }
    return instruction;
}

/* ------------------------------------------------------------------------------------------------------ arithmetic */

/* The same value to every enabled component. */
static void store_all(struct ref_shader *shader, const struct ref_operands *operands, float scalar)
{
    ref_write_dest(shader, operands, &(struct ref_value){ { scalar, scalar, scalar, scalar } });
}

/* FLT-27: an operation on each component of two sources, of one source, and of three. */
static void each2(struct ref_shader *shader, const struct ref_operands *operands,
                  float (*operation)(enum pica_profile, float, float))
{
    struct ref_value result;
    for (uint32_t i = 0; i < 4; i++)
        result.at[i] = operation(shader->profile, operands->a.at[i], operands->b.at[i]);
    ref_write_dest(shader, operands, &result);
}

static void run_flr(struct ref_shader *shader, const struct ref_operands *operands)
{
    struct ref_value result;
    for (uint32_t i = 0; i < 4; i++)
        result.at[i] = ref_op_floor(shader->profile, operands->a.at[i]);
    ref_write_dest(shader, operands, &result);
}

/* MAD, MADI: a product and a sum, each rounded. */
static void run_mad(struct ref_shader *shader, const struct ref_operands *operands)
{
    struct ref_value result;
    for (uint32_t i = 0; i < 4; i++)
        result.at[i] = ref_op_add(shader->profile, ref_op_mul(shader->profile, operands->a.at[i], operands->b.at[i]),
                                  operands->c.at[i]);
    ref_write_dest(shader, operands, &result);
}

/* FLT-27: comparisons and selections do not flush or round in either profile. */
static float set_if_greater_equal(enum pica_profile profile, float a, float b)
{
    (void)profile;
    return a >= b ? 1.0f : 0.0f;
}

static float set_if_less(enum pica_profile profile, float a, float b)
{
    (void)profile;
    return a < b ? 1.0f : 0.0f;
}

static float maximum(enum pica_profile profile, float a, float b)
{
    (void)profile;
    return ref_op_max(a, b);
}

/* FLT-26, other side: the maximum of a number and -infinity is -infinity if -infinity is the second operand. */
static float maximum_or_infinity(enum pica_profile profile, float a, float b)
{
    const float minus_infinity = ref_float(0xFF800000u);
    (void)profile;
    return a > minus_infinity && b == minus_infinity ? b : ref_op_max(a, b);
}

static float minimum(enum pica_profile profile, float a, float b)
{
    (void)profile;
    return ref_op_min(a, b);
}

/* FLT-25, other side: RCP and RSQ of -0; f24 knows no -0 (FLT-22). */
static bool gives_minus_infinity(const struct ref_shader *shader, float a)
{
    return ref_takes(shader->gpu, PICA_SIDE_RCP_NEGATIVE_ZERO_MINUS) &&
           ref_bits(ref_flush_profile(shader->profile, a)) == 0x80000000u;
}

static float reciprocal(const struct ref_shader *shader, float a)
{
    const bool truncates = ref_takes(shader->gpu, PICA_SIDE_RECIPROCAL_ROUNDING_TRUNCATES);
    return gives_minus_infinity(shader, a) ? ref_float(0xFF800000u) : ref_op_reciprocal(shader->profile, a, truncates);
}

static float reciprocal_root(const struct ref_shader *shader, float a)
{
    const bool truncates = ref_takes(shader->gpu, PICA_SIDE_RECIPROCAL_ROUNDING_TRUNCATES);
    return gives_minus_infinity(shader, a) ? ref_float(0xFF800000u)
                                           : ref_op_reciprocal_root(shader->profile, a, truncates);
}

/* SHD-30: the sum starts at +0 and adds the products in the order x, y, z, w. On other sides it starts with the first
 * product, or adds pairs. */
static float dot(const struct ref_shader *shader, const float a[4], const float b[4], int count)
{
    const enum pica_profile profile = shader->profile;
    float p[4];
    for (int i = 0; i < count; i++)
        p[i] = ref_op_mul(profile, a[i], b[i]);
    if (count == 4 && ref_takes(shader->gpu, PICA_SIDE_DOT_ORDER_PAIRS))
        return ref_op_add(profile, ref_op_add(profile, p[0], p[1]), ref_op_add(profile, p[2], p[3]));

    float sum = ref_takes(shader->gpu, PICA_SIDE_DOT_ORDER_FROM_FIRST) ? p[0] : ref_op_add(profile, 0.0f, p[0]);
    for (int i = 1; i < count; i++)
        sum = ref_op_add(profile, sum, p[i]);
    return sum;
}

/* DPH, DPHI: a.w counts as 1. */
static float dot_homogeneous(const struct ref_shader *shader, const struct ref_operands *operands)
{
    const float a[4] = { operands->a.at[0], operands->a.at[1], operands->a.at[2], 1.0f };
    return dot(shader, a, operands->b.at, 4);
}

/* SHD-35. */
static void run_dst(struct ref_shader *shader, const struct ref_operands *operands)
{
    const float y = ref_op_mul(shader->profile, operands->a.at[1], operands->b.at[1]);
    ref_write_dest(shader, operands, &(struct ref_value){ { 1.0f, y, operands->a.at[2], operands->b.at[3] } });
}

/* SHD-33: cmp is set whatever the mask. */
static void run_litp(struct ref_shader *shader, const struct ref_operands *operands)
{
    const float k = 127.99609375f;
    const float *a = operands->a.at;
    const float y = ref_op_min(ref_op_max(a[1], -k), k);
    const struct ref_value result = { { ref_op_max(a[0], 0.0f), y, 0.0f, ref_op_max(a[3], 0.0f) } };
    shader->compare[0] = a[0] >= 0.0f;
    shader->compare[1] = a[3] >= 0.0f;
    ref_write_dest(shader, operands, &result);
}

/* SHD-31: `reserved` is what operators 6 and 7 give. */
static bool compare(enum pica_shader_compare operator, float a, float b, bool reserved)
{
    switch (operator) {
    case PICA_SHADER_COMPARE_EQ: return a == b;
    case PICA_SHADER_COMPARE_NE: return a != b;
    case PICA_SHADER_COMPARE_LT: return a < b;
    case PICA_SHADER_COMPARE_LE: return a <= b;
    case PICA_SHADER_COMPARE_GT: return a > b;
    case PICA_SHADER_COMPARE_GE: return a >= b;
    case PICA_SHADER_COMPARE_TRUE_6:
    case PICA_SHADER_COMPARE_TRUE_7:
    default: return reserved; /* the field has three bits */
    }
}

static void run_cmp(struct ref_shader *shader, uint32_t word, const struct ref_operands *operands)
{
    const float *a = operands->a.at;
    const float *b = operands->b.at;
    const bool keeps = ref_takes(shader->gpu, PICA_SIDE_COMPARE_RESERVED_UNCHANGED);
    shader->compare[0] = compare(pica_shader_format_1c_cmpx(word), a[0], b[0], keeps ? shader->compare[0] : true);
    shader->compare[1] = compare(pica_shader_format_1c_cmpy(word), a[1], b[1], keeps ? shader->compare[1] : true);
}

/* SHD-32: toward zero; NaN and what an s32 cannot hold give -2^31. */
static bool fits_address(float value)
{
    return value >= -2147483648.0f && value < 2147483648.0f;
}

static int32_t to_address(float value)
{
    return fits_address(value) ? (int32_t)value : INT32_MIN;
}

/* SHD-32: the dest field is ignored, its mask is not. */
static void run_mova(struct ref_shader *shader, const struct ref_operands *operands)
{
    const uint32_t mask = operands->instruction->mask;
    if (mask & REF_MASK_X)
        shader->address[0] = to_address(operands->a.at[0]);
    if (mask & REF_MASK_Y)
        shader->address[1] = to_address(operands->a.at[1]);
}

/* ------------------------------------------------------------------------------------------------ events of class R */

/* SHD-12: whether a fourth shader unit that is given vertices would compute something else. NaNs are alike. */
static bool uniforms_differ(const struct pica_vector *a, const struct pica_vector *b)
{
    bool differ = false;
    if (memcmp(a, b, PICA_FLOAT_UNIFORMS * sizeof *a) == 0)
        return false;
    for (uint32_t i = 0; i < PICA_FLOAT_UNIFORMS; i++)
        for (uint32_t k = 0; k < 4; k++)
            differ = differ || ref_canonical_bits(a[i].bits[k]) != ref_canonical_bits(b[i].bits[k]);
    return differ;
}

static bool integers_differ(const struct pica_shader_unit *a, const struct pica_shader_unit *b)
{
    bool differ = false;
    for (uint32_t i = 0; i < 4; i++)
        differ = differ || memcmp(a->integers[i], b->integers[i], 3) != 0;
    return differ;
}

static bool units_differ(const struct ref_gpu *gpu)
{
    const struct pica_shader_unit *const a = &gpu->units[PICA_UNIT_VERTEX];
    const struct pica_shader_unit *const b = &gpu->units[PICA_UNIT_GEOMETRY];
    const uint32_t *const regs = gpu->regs;
    return pica_shader_entrypoint_entry(regs[PICA_REG_VSH_ENTRYPOINT]) !=
               pica_shader_entrypoint_entry(regs[PICA_REG_GSH_ENTRYPOINT]) ||
           pica_shader_outmap_mask_outputs(regs[PICA_REG_VSH_OUTMAP_MASK]) !=
               pica_shader_outmap_mask_outputs(regs[PICA_REG_GSH_OUTMAP_MASK]) ||
           a->booleans != b->booleans || integers_differ(a, b) ||
           memcmp(a->code, b->code, 512 * sizeof a->code[0]) != 0 ||
           memcmp(a->opdesc, b->opdesc, 128 * sizeof a->opdesc[0]) != 0 || uniforms_differ(a->uniforms, b->uniforms);
}

/* SHD-12: a case needs the event only once, so the units are not compared again after it. */
void ref_shader_unit_events(struct ref_gpu *gpu)
{
    const bool is_known = pica_events_has(&gpu->events, PICA_EVENT_FOURTH_UNIT_DIFFERS);
    ref_event_if(gpu, !is_known && !gpu->geometry.in_use && units_differ(gpu), PICA_EVENT_FOURTH_UNIT_DIFFERS);
}

/* SHD-31. */
static void cmp_events(struct ref_shader *shader, uint32_t word)
{
    ref_event_if(shader->gpu,
                 pica_shader_format_1c_cmpx(word) >= PICA_SHADER_COMPARE_TRUE_6 ||
                     pica_shader_format_1c_cmpy(word) >= PICA_SHADER_COMPARE_TRUE_6,
                 PICA_EVENT_CMP_OP_67);
}

/* SHD-32. */
static void mova_events(struct ref_shader *shader, const struct ref_operands *operands)
{
    const uint32_t mask = operands->instruction->mask;
    ref_event_if(shader->gpu,
                 ((mask & REF_MASK_X) != 0 && !fits_address(operands->a.at[0])) ||
                     ((mask & REF_MASK_Y) != 0 && !fits_address(operands->a.at[1])),
                 PICA_EVENT_MOVA_RANGE);
}

/* -------------------------------------------------------------------------------------------------------- emission */

/* CMD-24: the triangles of an immediate vertex are batches of their own. */
static uint32_t steps_of_emit(const struct ref_gpu *gpu)
{
    return gpu->in_draw ? 64u : 1024u;
}

/* GSH-33, GSH-34. The emission itself is the geometry stage's. */
static void run_emit(struct ref_shader *shader)
{
    struct pica_geometry_state *state = &shader->gpu->geometry;
    if (!shader->is_geometry) {
        ref_event(shader->gpu, PICA_EVENT_EMIT_IN_VS);
        return;
    }
    if (shader->emitted >= shader->gpu->limits.emits) {
        ref_event(shader->gpu, PICA_EVENT_BUDGET_EMIT);
        return;
    }
    shader->emitted += 1u;
    shader->gpu->work.steps += steps_of_emit(shader->gpu);
    if (shader->gpu->trace.sink != NULL)
        ref_record_emission(shader);
    ref_geometry_emit(shader->gpu);
    shader->outputs = state->outputs[state->bank];
    memset(shader->outputs_written, 0, sizeof shader->outputs_written);
}

/* GSH-30, GSH-33. */
static void run_setemit(struct ref_shader *shader, uint32_t word)
{
    struct pica_geometry_state *state = &shader->gpu->geometry;
    if (!shader->is_geometry) {
        ref_event(shader->gpu, PICA_EVENT_EMIT_IN_VS);
        return;
    }
    state->emit_vertex = (uint8_t)pica_shader_format_4_vertex(word);
    state->emit_primitive = (uint8_t)pica_shader_format_4_primitive(word);
    state->emit_winding = (uint8_t)pica_shader_format_4_winding(word);
}

/* ------------------------------------------------------------------------------------------------------- execution */

/* The instruction table of spec 20 section 3, SHD-34. */
static void execute(struct ref_shader *shader, const struct ref_instruction *instruction)
{
    const enum pica_profile profile = shader->profile;
    const uint32_t word = instruction->word;
    struct ref_operands operands;
    ref_read_operands(shader, instruction, &operands);
    const float *a = operands.a.at;
    const float *b = operands.b.at;

    switch (instruction->opcode) {
    case PICA_OPCODE_ADD: each2(shader, &operands, ref_op_add); return;
    case PICA_OPCODE_DP3: store_all(shader, &operands, dot(shader, a, b, 3)); return;
    case PICA_OPCODE_DP4: store_all(shader, &operands, dot(shader, a, b, 4)); return;
    case PICA_OPCODE_DPH:
    case PICA_OPCODE_DPHI: store_all(shader, &operands, dot_homogeneous(shader, &operands)); return;
    case PICA_OPCODE_DST:
    case PICA_OPCODE_DSTI:
        if (ref_takes(shader->gpu, PICA_SIDE_DST_COMPUTES))
            run_dst(shader, &operands);
        return;
    case PICA_OPCODE_EX2: store_all(shader, &operands, ref_op_exp2(profile, a[0])); return;
    case PICA_OPCODE_LG2: store_all(shader, &operands, ref_op_log2(profile, a[0])); return;
    case PICA_OPCODE_LITP:
        if (ref_takes(shader->gpu, PICA_SIDE_LITP_COMPUTES))
            run_litp(shader, &operands);
        return;
    case PICA_OPCODE_MUL: each2(shader, &operands, ref_op_mul); return;
    case PICA_OPCODE_SGE:
    case PICA_OPCODE_SGEI: each2(shader, &operands, set_if_greater_equal); return;
    case PICA_OPCODE_SLT:
    case PICA_OPCODE_SLTI: each2(shader, &operands, set_if_less); return;
    case PICA_OPCODE_FLR: run_flr(shader, &operands); return;
    case PICA_OPCODE_MAX:
        each2(shader, &operands, ref_takes(shader->gpu, PICA_SIDE_MAX_INFINITY_MINUS) ? maximum_or_infinity : maximum);
        return;
    case PICA_OPCODE_MIN: each2(shader, &operands, minimum); return;
    case PICA_OPCODE_RCP: store_all(shader, &operands, reciprocal(shader, a[0])); return;
    case PICA_OPCODE_RSQ: store_all(shader, &operands, reciprocal_root(shader, a[0])); return;
    case PICA_OPCODE_MOVA:
        mova_events(shader, &operands);
        run_mova(shader, &operands);
        return;
    case PICA_OPCODE_MOV: ref_write_dest(shader, &operands, &operands.a); return;

    case PICA_OPCODE_BREAK: ref_run_break(shader); return;
    case PICA_OPCODE_NOP: return;
    case PICA_OPCODE_END: shader->is_ended = true; return;
    case PICA_OPCODE_BREAKC:
        if (ref_condition_holds(shader, word))
            ref_run_break(shader);
        return;
    case PICA_OPCODE_CALL: ref_run_call(shader, pica_shader_format_2_dst(word), pica_shader_format_2_num(word)); return;
    case PICA_OPCODE_CALLC:
        if (ref_condition_holds(shader, word))
            ref_run_call(shader, pica_shader_format_2_dst(word), pica_shader_format_2_num(word));
        return;
    case PICA_OPCODE_CALLU:
        if (ref_boolean_holds(shader, word))
            ref_run_call(shader, pica_shader_format_3_dst(word), pica_shader_format_3_num(word));
        return;
    case PICA_OPCODE_IFU:
        ref_run_if(shader, ref_boolean_holds(shader, word), pica_shader_format_3_dst(word),
                   pica_shader_format_3_num(word));
        return;
    case PICA_OPCODE_IFC:
        ref_run_if(shader, ref_condition_holds(shader, word), pica_shader_format_2_dst(word),
                   pica_shader_format_2_num(word));
        return;
    case PICA_OPCODE_LOOP: ref_run_loop(shader, word); return;
    case PICA_OPCODE_EMIT: run_emit(shader); return;
    case PICA_OPCODE_SETEMIT: run_setemit(shader, word); return;
    case PICA_OPCODE_JMPC:
        if (ref_condition_holds(shader, word))
            shader->jump = pica_shader_format_2_dst(word);
        return;
    case PICA_OPCODE_JMPU:
        if (ref_boolean_holds(shader, word) != ((pica_shader_format_3_num(word) & 1u) != 0))
            shader->jump = pica_shader_format_3_dst(word);
        return;

    case PICA_OPCODE_CMP:
    case PICA_OPCODE_CMP_2F:
        cmp_events(shader, word);
        run_cmp(shader, word, &operands);
        return;
    case PICA_OPCODE_MADI:
    case PICA_OPCODE_MADI_31:
    case PICA_OPCODE_MADI_32:
    case PICA_OPCODE_MADI_33:
    case PICA_OPCODE_MADI_34:
    case PICA_OPCODE_MADI_35:
    case PICA_OPCODE_MADI_36:
    case PICA_OPCODE_MADI_37:
    case PICA_OPCODE_MAD:
    case PICA_OPCODE_MAD_39:
    case PICA_OPCODE_MAD_3A:
    case PICA_OPCODE_MAD_3B:
    case PICA_OPCODE_MAD_3C:
    case PICA_OPCODE_MAD_3D:
    case PICA_OPCODE_MAD_3E:
    case PICA_OPCODE_MAD_3F: run_mad(shader, &operands); return;

    case PICA_OPCODE_UNASSIGNED_10:
    case PICA_OPCODE_UNASSIGNED_11:
    case PICA_OPCODE_UNASSIGNED_14:
    case PICA_OPCODE_UNASSIGNED_15:
    case PICA_OPCODE_UNASSIGNED_16:
    case PICA_OPCODE_UNASSIGNED_17:
    case PICA_OPCODE_UNASSIGNED_1C:
    case PICA_OPCODE_UNASSIGNED_1D:
    case PICA_OPCODE_UNASSIGNED_1E:
    case PICA_OPCODE_UNASSIGNED_1F: ref_event(shader->gpu, PICA_EVENT_OPCODE_UNASSIGNED); return;
    }
}

/* SHD-41: one instruction and the checks after it. */
static void step(struct ref_shader *shader, struct ref_instruction *instruction)
{
    const bool is_mova = instruction->opcode == PICA_OPCODE_MOVA;
    const uint32_t next = shader->pc + 1u;
    ref_event_if(shader->gpu, is_mova && shader->after_mova, PICA_EVENT_MOVA_PAIR);
    shader->after_mova = is_mova;
    shader->jump = next;
    shader->is_breaking = false;

    if (ref_is_instruction_news(shader->gpu, instruction))
        ref_record_instruction(shader, instruction);
    if (instruction->may_vary && shader->gpu->is_watched && !shader->is_geometry)
        ref_record_variation(shader, instruction);
    execute(shader, instruction);
    if (ref_are_results_news(shader->gpu, instruction))
        ref_record_results(shader, instruction);
    if (!shader->is_ended)
        ref_go_on(shader, next);
}

/* SHD-13, SHD-14: whether there is an instruction to fetch, in this order of tests; counts it. */
static bool can_fetch(struct ref_shader *shader)
{
    if (shader->pc >= 4095u) {
        ref_event(shader->gpu, PICA_EVENT_PC_RANGE);
        return false;
    }
    if (shader->executed >= shader->gpu->limits.instructions) {
        ref_event(shader->gpu, PICA_EVENT_BUDGET_INSTR);
        return false;
    }
    ref_event_if(shader->gpu, !shader->is_geometry && shader->pc >= 512u, PICA_EVENT_PC_RANGE);
    shader->executed += 1u;
    return true;
}

/* SHD-12, REG-42, CMD-24: from the entry point to the end. */
static void run(struct ref_shader *shader, uint32_t unit)
{
    struct ref_gpu *gpu = shader->gpu;
    shader->unit = &gpu->units[unit];
    shader->profile = gpu->profile;
    shader->is_geometry = unit == PICA_UNIT_GEOMETRY;
    shader->pc = pica_shader_entrypoint_entry(gpu->regs[pica_reg_shader(unit, PICA_REG_VSH_ENTRYPOINT)]);
    if (ref_takes(gpu, PICA_SIDE_ENTRY_BITS_MASKED))
        shader->pc &= shader->is_geometry ? 0xFFFu : 0x1FFu;
    ref_feature(gpu, PICA_FEATURE_SHADER_RAN + unit);
    ref_event_if(gpu, shader->pc >= (shader->is_geometry ? 4096u : 512u), PICA_EVENT_ENTRY_RANGE);
    ref_event_if(gpu, gpu->code_open[unit], PICA_EVENT_CODE_NOT_ENDED);
    while (!shader->is_ended && can_fetch(shader))
        step(shader, instruction_at(shader, shader->pc));
    gpu->work.steps += shader->executed;
}

/* SHD-70, SHD-71. */
void ref_mask_outputs(const struct pica_vector registers[16], uint32_t mask, struct ref_outputs *outputs)
{
    *outputs = (struct ref_outputs){ .count = 0 };
    for (uint32_t i = 0; i < 16; i++)
        if (mask >> i & 1u) {
            outputs->vectors[outputs->count] = registers[i];
            outputs->count += 1u;
        }
}

/* VTX-12: later attributes override earlier ones; the other inputs are (0, 0, 0, 0). VTX-45: `plain` is in order. */
static void load_inputs(const struct ref_gpu *gpu, const struct pica_vector attributes[16], bool plain,
                        struct pica_vector inputs[16])
{
    const uint32_t low = gpu->regs[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW];
    const uint32_t high = gpu->regs[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH];
    const uint32_t config = gpu->regs[PICA_REG_VSH_INPUTBUFFER_CONFIG];
    for (uint32_t j = 0; j <= pica_shader_inputbuffer_config_inputs_minus_1(config); j++) {
        const uint32_t target =
            j < 8 ? pica_shader_permutation_low_input_at(low, j) : pica_shader_permutation_high_input_at(high, j - 8u);
        inputs[plain ? j : target] = attributes[j];
    }
}

void ref_forget_vertex_registers(struct ref_gpu *gpu)
{
    if (ref_takes(gpu, PICA_SIDE_VERTEX_REGISTERS_KEPT))
        memset(&gpu->vertex_registers, 0, sizeof gpu->vertex_registers);
}

/* SHD-10, other side: r, o, a0, aL and cmp go from one invocation to the next. */
static void recall_registers(struct ref_shader *shader)
{
    const struct ref_vertex_registers *const kept = &shader->gpu->vertex_registers;
    memcpy(shader->temporaries, kept->temporaries, sizeof kept->temporaries);
    memcpy(shader->outputs, kept->outputs, sizeof kept->outputs);
    memcpy(shader->address, kept->address, sizeof kept->address);
    memcpy(shader->compare, kept->compare, sizeof kept->compare);
    shader->loop_counter = kept->loop_counter;
}

static void keep_registers(const struct ref_shader *shader)
{
    struct ref_vertex_registers *const kept = &shader->gpu->vertex_registers;
    memcpy(kept->temporaries, shader->temporaries, sizeof kept->temporaries);
    memcpy(kept->outputs, shader->outputs, sizeof kept->outputs);
    memcpy(kept->address, shader->address, sizeof kept->address);
    memcpy(kept->compare, shader->compare, sizeof kept->compare);
    kept->loop_counter = shader->loop_counter;
}

/* SHD-10, SHD-70: everything starts at 0, so vertices do not depend on each other; or it stays as it is. */
void ref_run_vertex_shader(struct ref_gpu *gpu, const struct pica_vector attributes[16], bool plain,
                           struct ref_outputs *outputs)
{
    struct pica_vector registers[3][16] = { { { { 0 } } } };
    struct ref_shader shader = {
        .gpu = gpu, .inputs = registers[0], .temporaries = registers[1], .outputs = registers[2]
    };
    const uint32_t mask = pica_shader_outmap_mask_outputs(gpu->regs[PICA_REG_VSH_OUTMAP_MASK]);
    const bool keeps = ref_takes(gpu, PICA_SIDE_VERTEX_REGISTERS_KEPT);
    load_inputs(gpu, attributes, plain, registers[0]);
    for (uint32_t i = 0; i < 16 && gpu->trace.is_active; i++)
        ref_trace_rule(gpu, "VTX-12", i, registers[0][i].bits, 4);
    if (keeps)
        recall_registers(&shader);
    run(&shader, PICA_UNIT_VERTEX);
    if (keeps)
        keep_registers(&shader);

    ref_mask_outputs(registers[2], mask, outputs);
    for (uint32_t i = 0, k = 0; i < 16; i++)
        if (mask >> i & 1u)
            outputs->written[k++] = shader.outputs_written[i];
    if (gpu->trace.sink != NULL)
        ref_record_outputs(&shader, mask);
}

/* SHD-11: everything but the stacks persists. */
void ref_run_geometry_shader(struct ref_gpu *gpu)
{
    struct pica_geometry_state *state = &gpu->geometry;
    struct ref_shader shader = { .gpu = gpu,
                                 .inputs = state->inputs,
                                 .temporaries = state->temporaries,
                                 .outputs = state->outputs[state->bank],
                                 .address = { state->address[0], state->address[1] },
                                 .loop_counter = state->loop_counter,
                                 .compare = { state->compare[0] != 0, state->compare[1] != 0 } };
    run(&shader, PICA_UNIT_GEOMETRY);
    for (uint32_t i = 0; i < 2; i++) {
        state->address[i] = shader.address[i];
        state->compare[i] = shader.compare[i];
    }
    state->loop_counter = shader.loop_counter;
}
