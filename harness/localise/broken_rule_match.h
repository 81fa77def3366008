/* The conditions of broken_rule.def. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_MATCH_H
#define HARNESS_LOCALISE_BROKEN_RULE_MATCH_H

#include "pica/fields.h"
#include "pica/stages.h"

#include <stdbool.h>
#include <stdint.h>

/* The facts that conditions are evaluated against. All pointers are borrowed. */
struct broken_rule_facts {
    const uint32_t *registers; /* as the draw saw them, with usual values in fields that the difference does not need;
                                  NULL: no draw */
    const uint32_t *words;     /* pica_operation.words; NULL: the operation has none */
    uint32_t instance;         /* the number that # stands for in a condition */
    const char *opcode;        /* mnemonic of the instruction, and of the one before; "" if there is none */
    const char *previous;
    const char *command; /* name of the register whose change one side has missed, or that the CPU or a guilty command
                            without a draw writes; else "" */
};

/* The stage of a register by the first matching line of stages.def, or NULL. */
const struct pica_stage_info *broken_rule_stage_of(const char *register_name);

/* The stage of a field of register `id`. In the stages that make pixels it is that of the field's rule, since one
 * register may hold fields of several stages; elsewhere that of the register. NULL: none. */
const struct pica_stage_word_info *broken_rule_field_stage(uint32_t id, const struct pica_field_info *field);

/* Does the field decide whether other fields matter (USED_IF of stages.def)? */
bool broken_rule_is_gate(uint32_t id, const struct pica_field_info *field);

/* Do all conditions hold? */
bool broken_rule_holds(const char *conditions, const struct broken_rule_facts *facts);

/* For tests: does every condition match some field, and do that field's encodings include the values it names? */
bool broken_rule_is_sound(const char *conditions);

#endif
