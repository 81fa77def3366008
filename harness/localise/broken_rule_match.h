/* The conditions of broken_rule.def. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_MATCH_H
#define HARNESS_LOCALISE_BROKEN_RULE_MATCH_H

#include "pica/fields.h"
#include "pica/stages.h"

#include <stdbool.h>
#include <stdint.h>

/* What conditions speak of. */
struct broken_rule_facts {
    const uint32_t *registers; /* as the draw saw them, with what it does not need as usual; NULL: no draw */
    const uint32_t *words;     /* of the operation (pica_operation.words); NULL: it has none */
    uint32_t instance;         /* what # stands for */
    const char *opcode;        /* mnemonics, "" if there is none */
    const char *previous;
    const char *command; /* name of the register that one side has not seen change, or that the guilty command, which
                            draws nothing, or the CPU writes; else "" */
};

/* The stage of a register (stages.def: the first line that fits decides), or NULL. */
const struct pica_stage_info *broken_rule_stage_of(const char *register_name);

/* The stage of a field of register `id`: of what pixels are made by, that of the field's rule, for registers hold the
 * fields of several; else that of the register. NULL: none. */
const struct pica_stage_word_info *broken_rule_field_stage(uint32_t id, const struct pica_field_info *field);

/* Does the field decide whether others matter at all (USED_IF of stages.def)? */
bool broken_rule_is_gate(uint32_t id, const struct pica_field_info *field);

/* Does it matter what the field of register `id` holds, with these registers (USED_IF of stages.def)? */
bool broken_rule_is_used(const uint32_t *registers, uint32_t id, const struct pica_field_info *field);

/* Do all conditions hold? */
bool broken_rule_holds(const char *conditions, const struct broken_rule_facts *facts);

/* Do they make sense: does some field fit, and has it every value? For tests. */
bool broken_rule_is_sound(const char *conditions);

#endif
