/*
 * What the observers are told about an invocation of a shader unit. Features (pica/features.def): the opcode of an
 * executed instruction, where each source comes from and how it is changed on the way, where the result goes. Traces
 * (pica/trace.def): the instruction, then what it wrote. shader_flow.c itself tells how calls, branches and loops went.
 *
 * Worked number: `mad r1.xy, v0, -c5[a0.x], r2` (opcode 0x38) counts, of the line of 0x38: source 1 is v; source 2 is
 * c[a0.x] and negated; source 3 is r; destination r; mask 1 + 2.
 */
#include "reference/shader.h"

#include "reference/trace.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- features */

/* SHD-20, SHD-22: enum pica_operand_feature of a register. */
static uint32_t kind_of(const struct ref_source *source)
{
    if (source->number < 0x10)
        return PICA_OPERAND_FEATURE_V;
    if (source->number < 0x20)
        return PICA_OPERAND_FEATURE_R;
    return PICA_OPERAND_FEATURE_C + (uint32_t)source->relative;
}

static bool is_swizzled(const struct ref_source *source)
{
    for (uint32_t i = 0; i < 4; i++)
        if (source->selector[i] != i)
            return true;
    return false;
}

/* SHD-20, SHD-31: what the result of an instruction goes to; `line` is the opcode's first counter. */
static void note_dest(const struct ref_gpu *gpu, const struct ref_instruction *instruction, uint32_t line)
{
    const enum pica_operand_kind dest = pica_opcode_info((uint32_t)instruction->opcode)->dest;
    if (dest == PICA_OPERAND_REGISTER || dest == PICA_OPERAND_ADDRESS)
        ref_feature(gpu, line + PICA_OPERAND_FEATURE_MASK + instruction->mask);
    if (dest == PICA_OPERAND_REGISTER)
        ref_feature(gpu, line + (instruction->dest < 0x10 ? PICA_OPERAND_FEATURE_DEST_O : PICA_OPERAND_FEATURE_DEST_R));
    if (dest != PICA_OPERAND_COMPARE)
        return;
    ref_feature(gpu, line + PICA_OPERAND_FEATURE_COMPARE_X + (uint32_t)pica_shader_format_1c_cmpx(instruction->word));
    ref_feature(gpu, line + PICA_OPERAND_FEATURE_COMPARE_Y + (uint32_t)pica_shader_format_1c_cmpy(instruction->word));
}

/* Counted once for each draw. */
static void note_instruction(const struct ref_gpu *gpu, uint32_t unit, struct ref_instruction *instruction)
{
    if (gpu->features == NULL || instruction->noted == gpu->features_stamp)
        return;
    instruction->noted = gpu->features_stamp;
    const uint32_t first = (uint32_t)pica_opcode_info((uint32_t)instruction->opcode)->first;
    const uint32_t line = PICA_FEATURE_OPERAND_USED + 64u * first;
    ref_feature(gpu, PICA_FEATURE_OPCODE_RUN + 64u * unit + (uint32_t)instruction->opcode);
    for (uint32_t i = 0; i < instruction->source_count; i++) {
        const struct ref_source *const source = &instruction->sources[i];
        const uint32_t base = line + PICA_OPERAND_FEATURE_SOURCE * i;
        ref_feature(gpu, base + kind_of(source));
        ref_feature_if(gpu, is_swizzled(source), base + PICA_OPERAND_FEATURE_SWIZZLED);
        ref_feature_if(gpu, source->is_negated, base + PICA_OPERAND_FEATURE_NEGATED);
    }
    note_dest(gpu, instruction, line);
}

/* Counts instructions that do something different for different vertices of one draw, which is what an implementation
 * with a vertex per vector lane has to get right. The first value of the draw is kept, and later ones are compared. */
static void note_variation(const struct ref_gpu *gpu, struct ref_instruction *instruction, uint32_t value,
                           uint32_t feature)
{
    if (instruction->done == gpu->features_stamp) {
        ref_feature_if(gpu, instruction->did != value, feature);
        return;
    }
    instruction->done = gpu->features_stamp;
    instruction->did = value;
}

/* SHD-22, SHD-47. Inside a loop the values may also differ between iterations for the same vertex. aL is left out: it
 * comes from uniforms and the iteration. */
void ref_record_variation(const struct ref_shader *shader, struct ref_instruction *instruction)
{
    if (instruction->has_condition)
        note_variation(shader->gpu, instruction, ref_condition_of(shader, instruction->word),
                       PICA_FEATURE_CONDITION_VARIED + (uint32_t)pica_shader_format_2_condition(instruction->word));
    else
        note_variation(shader->gpu, instruction, ref_relative_offset(shader, instruction->relative),
                       PICA_FEATURE_ADDRESS_VARIED + (uint32_t)instruction->relative - 1u);
}

/* SHD-49: the number of iterations that are left when a loop ends, noted for the LOOP instruction before its body. A
 * nested loop starts with its full count each time, so its value varies only if it is left early. */
void ref_record_rounds(const struct ref_shader *shader, const struct ref_loop_entry *loop)
{
    struct ref_instruction *const instruction =
        &shader->gpu->programs->instructions[PICA_UNIT_VERTEX][(loop->entry - 1u) % REF_DECODED_INSTRUCTIONS];
    if (!shader->is_geometry && instruction->opcode == PICA_OPCODE_LOOP)
        note_variation(shader->gpu, instruction, loop->count, PICA_FEATURE_LOOP_VARIED);
}

/* SHD-31: both comparisons of CMP. */
static void note_comparison(const struct ref_shader *shader, uint32_t word)
{
    const uint32_t x = shader->compare[0] ? PICA_FEATURE_COMPARE_TRUE : PICA_FEATURE_COMPARE_FALSE;
    const uint32_t y = shader->compare[1] ? PICA_FEATURE_COMPARE_TRUE : PICA_FEATURE_COMPARE_FALSE;
    ref_feature(shader->gpu, x + (uint32_t)pica_shader_format_1c_cmpx(word));
    ref_feature(shader->gpu, y + (uint32_t)pica_shader_format_1c_cmpy(word));
}

/* ---------------------------------------------------------------------------------------------------------- traces */

void ref_record_rule(const struct ref_shader *shader, const char *rule, uint32_t index, const uint32_t *values,
                     uint32_t count)
{
    const enum pica_stage_word word = shader->is_geometry ? PICA_STAGE_WORD_GEOMETRY : PICA_STAGE_WORD_SHADER;
    if (shader->gpu->trace.is_active)
        ref_trace_report_rule(shader->gpu, pica_stage_word_info(word), rule, index, PICA_TRACE_UNSIGNED, values, count);
}

static void trace_dest(const struct ref_shader *shader, const struct ref_instruction *instruction)
{
    const uint32_t number = instruction->dest & 0xFu;
    const struct pica_vector *dest = instruction->dest < 0x10 ? &shader->outputs[number] : &shader->temporaries[number];
    ref_trace(shader->gpu, shader->is_geometry ? PICA_TRACE_ID_GEOMETRY_RESULT : PICA_TRACE_ID_SHADER_RESULT,
              shader->pc, dest->bits, 4);
}

static void trace_address(const struct ref_shader *shader)
{
    const uint32_t address[2] = { (uint32_t)shader->address[0], (uint32_t)shader->address[1] };
    ref_record_rule(shader, "SHD-32", shader->pc, address, 2);
    if (!shader->is_geometry)
        ref_trace(shader->gpu, PICA_TRACE_ID_SHADER_ADDRESS, shader->pc, address, 2);
}

static void trace_compare(const struct ref_shader *shader)
{
    const uint32_t flags[2] = { shader->compare[0], shader->compare[1] };
    ref_record_rule(shader, "SHD-31", shader->pc, flags, 2);
    if (!shader->is_geometry)
        ref_trace(shader->gpu, PICA_TRACE_ID_SHADER_COMPARE, shader->pc, flags, 2);
}

/* ------------------------------------------------------------------------------------------------------------ both */

void ref_record_instruction(const struct ref_shader *shader, struct ref_instruction *instruction)
{
    note_instruction(shader->gpu, shader->is_geometry ? PICA_UNIT_GEOMETRY : PICA_UNIT_VERTEX, instruction);
    ref_trace(shader->gpu, shader->is_geometry ? PICA_TRACE_ID_GEOMETRY_INSTRUCTION : PICA_TRACE_ID_SHADER_INSTRUCTION,
              shader->pc, &instruction->word, 1);
    if (shader->gpu->trace.is_active)
        ref_record_operands(shader, instruction);
}

void ref_record_results(const struct ref_shader *shader, const struct ref_instruction *instruction)
{
    const enum pica_operand_kind dest = pica_opcode_info((uint32_t)instruction->opcode)->dest;
    if (dest == PICA_OPERAND_REGISTER)
        trace_dest(shader, instruction);
    if (dest == PICA_OPERAND_ADDRESS)
        trace_address(shader);
    if (dest == PICA_OPERAND_COMPARE)
        note_comparison(shader, instruction->word);
    if (dest == PICA_OPERAND_COMPARE || instruction->opcode == PICA_OPCODE_LITP)
        trace_compare(shader);
}

/* The first four output registers. */
void ref_record_emission(const struct ref_shader *shader)
{
    uint32_t values[16];
    memcpy(values, shader->outputs, sizeof values);
    ref_trace(shader->gpu, PICA_TRACE_ID_GEOMETRY_EMIT, shader->gpu->geometry.emit_vertex, values, 16);
}

void ref_record_outputs(const struct ref_shader *shader, uint32_t mask)
{
    for (uint32_t i = 0; i < 16; i++)
        if (mask >> i & 1u)
            ref_trace(shader->gpu, PICA_TRACE_ID_OUTPUT_REGISTER, i, shader->outputs[i].bits, 4);
}
