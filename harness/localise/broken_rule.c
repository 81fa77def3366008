#include "harness/localise/broken_rule.h"

#include "harness/localise/broken_rule_match.h"
#include "harness/localise/broken_rule_outcome.h"
#include "pica/fields.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"
#include "pica/trace.h"

#include <stdio.h>
#include <string.h>

enum {
    WORD_ANY = -1
#define STAGE_WORD(ID, slug, text, page, section, areas, places) , WORD_##ID = PICA_STAGE_WORD_##ID
#include "pica/stage_words.def"
};

static const struct {
    int stage;
    const char *value;
    enum broken_rule_outcome outcome;
    const char *conditions, *rule;
} lines[] = {
#define BROKEN(stage, value, outcome, conditions, rule) { WORD_##stage, value, OUTCOME_##outcome, conditions, rule },
#include "harness/localise/broken_rule.def"
};

/* NULL: any */
static const char *stage_text(int word)
{
    return word == WORD_ANY ? NULL : pica_stage_word_info((enum pica_stage_word)word)->text;
}

/* ------------------------------------------------------------------------------------------------------------ facts */

static bool is_step(const struct pica_trace_step *step, enum pica_trace_id id)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    return strcmp(step->stage, info->stage) == 0 && strcmp(step->name, info->name) == 0;
}

/* The unit, light or stage that a step belongs to (trace.def). */
static uint32_t instance_of(const struct pica_trace_step *step)
{
    if (is_step(step, PICA_TRACE_ID_TEXTURE_TEXEL))
        return step->index / 64u;
    return is_step(step, PICA_TRACE_ID_LIGHT_LOOKUP) ? step->index / 8u : step->index;
}

static bool takes_words(enum pica_operation_kind kind)
{
    return kind == PICA_OPERATION_DISPLAY_TRANSFER || kind == PICA_OPERATION_MEMORY_FILL;
}

static void take_facts(const struct harness_localise *search, const struct harness_location *location,
                       struct broken_rule_facts *out, char opcode[32])
{
    const struct pica_opcode_info *const previous =
        location->has_previous ? pica_opcode_info(location->previous_opcode) : NULL;
    *out = (struct broken_rule_facts){ .registers = location->has_draw ? search->registers : NULL,
                                       .words = takes_words(location->kind) ? search->operation->words : NULL,
                                       .opcode = opcode,
                                       .previous = previous != NULL ? previous->mnemonic : "" };
    (void)snprintf(opcode, 32, "%.*s", (int)strcspn(location->instruction, " "), location->instruction);
    if (location->has_step)
        out->instance = instance_of(location->has_first ? &location->step_first : &location->step_second);
}

/* -------------------------------------------------------------------------------------------------------- together */

static void add(struct harness_location *out, const char *rule)
{
    if (rule == NULL || rule[0] == '\0')
        return;
    for (uint32_t i = 0; i < HARNESS_LOCATION_RULES; i++) {
        if (out->broken[i] == NULL)
            out->broken[i] = rule;
        if (strcmp(out->broken[i], rule) == 0)
            return;
    }
}

static bool speaks_of(size_t line, const struct harness_location *location)
{
    const char *const stage = stage_text(lines[line].stage);
    const char *const name = !location->has_step   ? ""
                             : location->has_first ? location->step_first.name
                                                   : location->step_second.name;
    return (stage == NULL || strcmp(stage, location->stage) == 0) &&
           (strcmp(lines[line].value, "*") == 0 || strcmp(lines[line].value, name) == 0);
}

/* Of the register that the guilty command, or the CPU, writes. */
static const char *rule_of_register(const struct harness_location *location)
{
    uint32_t id = PICA_REGISTERS;
    if (location->has_draw || location->has_step)
        return "";
    if (location->kind == PICA_OPERATION_SUBMIT_LIST && location->has_command && location->command_word != UINT32_MAX)
        id = pica_command_header_id(location->header);
    else if (location->kind == PICA_OPERATION_WRITE_REGISTER && location->write_address >= PICA_INTERNAL_ADDRESS)
        id = (location->write_address - PICA_INTERNAL_ADDRESS) / 4u;
    return id < PICA_REGISTERS ? pica_reg_info(id)->rule : "";
}

/*
 * Of a triangle that one side does not draw the rule says in which stage it is lost. A draw that is done late shows its
 * fault by a command that draws nothing (PRM-09): in the stage whose register that writes.
 */
static void correct_stage(const struct harness_localise *search, struct harness_location *out)
{
    const bool late = broken_rule_outcome_is(OUTCOME_LATE_DRAW, search, out, 0);
    if (!late && (!out->whole_part || out->broken[0] == NULL))
        return;
    const struct pica_stage_word_info *const word =
        pica_stage_word_of_rule(late ? rule_of_register(out) : out->broken[0]);
    if (word != NULL && word >= pica_stage_word_info(PICA_STAGE_WORD_CLIP))
        out->stage = word->text;
}

void harness_localise_rule(const struct harness_localise *search, struct harness_location *out)
{
    struct broken_rule_facts facts;
    char opcode[32];
    if (!out->differs || out->stage == NULL)
        return;
    take_facts(search, out, &facts, opcode);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (speaks_of(i, out) && broken_rule_outcome_is(lines[i].outcome, search, out, facts.instance) &&
            broken_rule_holds(lines[i].conditions, &facts))
            add(out, lines[i].rule);
    add(out, out->rule);
    add(out, rule_of_register(out));
    correct_stage(search, out);
}
