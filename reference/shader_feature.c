/*
 * What the observer of features (pica/features.def) is told about an executed instruction: its opcode, where each
 * source comes from and how it is changed on the way, and where the result goes.
 *
 * Worked number: `mad r1.xy, v0, -c5[a0.x], r2` (opcode 0x38) counts, of the line of 0x38: source 1 is v; source 2 is
 * c[a0.x] and negated; source 3 is r; destination r; mask 1 + 2.
 */
#include "reference/shader.h"

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

void ref_note_instruction(const struct ref_gpu *gpu, uint32_t unit, struct ref_instruction *instruction)
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
