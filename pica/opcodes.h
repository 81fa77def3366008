/* The shader instructions of opcodes.def. Their bit fields are the layouts shader_format_* and shader_opdesc. */
#ifndef PICA_OPCODES_H
#define PICA_OPCODES_H

#include <stdint.h>

#include "pica/enums.h"
#include "pica/fields.h"

/* Instruction bits 31:26. All 64 values have an enumerator: CMP_2F, MADI_31.., MAD_39.. repeat CMP, MADI and MAD. */
enum pica_opcode {
#define OPCODE(value, NAME, FIRST, mnemonic, FORMAT, dest, source1, source2, source3, rule) PICA_OPCODE_##NAME = value,
#include "pica/opcodes.def"
};

enum {
    PICA_OPCODE_TOTAL = 64
};

enum pica_opcode_format {
#define OPCODE_FORMAT(FORMAT, layout, text, rule) PICA_OPCODE_FORMAT_##FORMAT,
#include "pica/opcodes.def"
};

enum pica_operand_kind {
#define OPERAND_KIND(KIND, text, rule) PICA_OPERAND_##KIND,
#include "pica/opcodes.def"
};

struct pica_opcode_format_info {
    const char *text; /* "1i" */
    enum pica_layout layout;
    const char *rule;
};

struct pica_opcode_info {
    enum pica_opcode opcode;
    enum pica_opcode first; /* lowest opcode with the same meaning */
    const char *mnemonic;   /* "madi"; repeated by the opcodes that repeat the instruction */
    enum pica_opcode_format format;
    enum pica_operand_kind dest;
    enum pica_operand_kind sources[3];
    const char *rule;
};

/* NULL for values of 64 and above. */
const struct pica_opcode_info *pica_opcode_info(uint32_t opcode);

/* The lowest opcode with that mnemonic, or NULL. */
const struct pica_opcode_info *pica_opcode_by_mnemonic(const char *mnemonic);

/* NULL for numbers that name no format. */
const struct pica_opcode_format_info *pica_opcode_format_info(enum pica_opcode_format format);

/* "wide"; NULL for numbers that name no kind. */
const char *pica_operand_kind_text(enum pica_operand_kind kind);

static inline enum pica_opcode pica_opcode_of(uint32_t instruction)
{
    return (enum pica_opcode)pica_shader_instruction_opcode(instruction);
}

#endif
