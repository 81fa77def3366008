#include "harness/localise/broken_rule.h"

#include "harness/case/usual.h"
#include "harness/localise/broken_rule_match.h"
#include "harness/localise/broken_rule_outcome.h"
#include "pica/fields.h"
#include "pica/enums.h"
#include "pica/memory.h"
#include "pica/opcodes.h"
#include "pica/regs.h"
#include "pica/stages.h"
#include "pica/trace.h"

#include <stdio.h>
#include <string.h>

enum {
    WORD_PROGRAM = -2,
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

static bool is_stage(int word, const char *stage)
{
    return word == WORD_ANY ||
           (word == WORD_PROGRAM ? is_stage(PICA_STAGE_WORD_SHADER, stage) || is_stage(PICA_STAGE_WORD_GEOMETRY, stage)
                                 : strcmp(pica_stage_word_info((enum pica_stage_word)word)->text, stage) == 0);
}

/* ------------------------------------------------------------------------------------------------------------ facts */

uint32_t broken_rule_instance(const struct harness_location *location)
{
    const struct pica_trace_step *const step = location->has_first ? &location->step_first : &location->step_second;
    if (!location->has_step)
        return 0;
    if (harness_localise_is_step(step, PICA_TRACE_ID_TEXTURE_TEXEL))
        return step->index / 64u;
    return harness_localise_is_step(step, PICA_TRACE_ID_LIGHT_LOOKUP) ? step->index / 8u : step->index;
}

/* The register that the guilty command, which draws nothing, or the CPU writes; PICA_REGISTERS: none. */
static uint32_t register_of(const struct harness_location *location)
{
    if (location->has_draw || location->has_step)
        return PICA_REGISTERS;
    if (location->kind == PICA_OPERATION_SUBMIT_LIST && location->has_command && location->command_word != UINT32_MAX)
        return pica_command_header_id(location->header);
    if (location->kind == PICA_OPERATION_WRITE_REGISTER && location->write_address >= PICA_INTERNAL_ADDRESS)
        return (location->write_address - PICA_INTERNAL_ADDRESS) / 4u;
    return PICA_REGISTERS;
}

static void take_facts(const struct harness_localise *search, const struct harness_location *location,
                       struct broken_rule_facts *out, char opcode[32])
{
    const struct pica_opcode_info *const previous =
        location->has_previous ? pica_opcode_info(location->previous_opcode) : NULL;
    const uint32_t id = register_of(location);
    *out =
        (struct broken_rule_facts){ .registers = location->has_draw ? search->needed : NULL,
                                    .instance = broken_rule_instance(location),
                                    .words = harness_localise_takes_words(location->kind) ? search->needed_words : NULL,
                                    .opcode = opcode,
                                    .previous = previous != NULL ? previous->mnemonic : "",
                                    .command = location->changed != NULL ? location->changed
                                               : id < PICA_REGISTERS     ? pica_reg_info(id)->name
                                                                         : "" };
    (void)snprintf(opcode, 32, "%.*s", (int)strcspn(location->instruction, " "), location->instruction);
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
    const char *const name = location->has_step ? location->value : "";
    return is_stage(lines[line].stage, location->stage) &&
           (strcmp(lines[line].value, "*") == 0 || strcmp(lines[line].value, name) == 0);
}

/* A register outside of the unit does not hold what the CPU wrote. */
static void add_external(struct harness_location *out)
{
    if (out->kind == PICA_OPERATION_WRITE_REGISTER && out->write_address < PICA_INTERNAL_ADDRESS &&
        strcmp(out->stage, "registers") == 0)
        add(out, "PSC-12");
}

/* Of the register that the guilty command, or the CPU, writes. */
static const char *rule_of_register(const struct harness_location *location)
{
    const uint32_t id = register_of(location);
    return id < PICA_REGISTERS ? pica_reg_info(id)->rule : "";
}

/* Pixels that an engine converts are those of framebuffers. */
static bool is_converted(const struct harness_location *location)
{
    const struct pica_stage_word_info *const framebuffer = pica_stage_word_info(PICA_STAGE_WORD_FRAMEBUFFER);
    return location->kind == PICA_OPERATION_DISPLAY_TRANSFER && location->broken[0] != NULL &&
           pica_stage_word_of_rule(location->broken[0]) == framebuffer;
}

/*
 * Of a triangle that one side does not draw the rule says in which stage it is lost. A draw that is done late shows its
 * fault by a command that draws nothing (PRM-09): in the stage whose register that writes.
 */
static void correct_stage(const struct harness_localise *search, struct harness_location *out)
{
    const bool late = broken_rule_outcome_is(OUTCOME_LATE_DRAW, search, out, 0);
    const bool untraced = broken_rule_outcome_is(OUTCOME_UNTRACED, search, out, 0);
    if (!late && !is_converted(out) && ((!out->whole_part && !untraced) || out->broken[0] == NULL))
        return;
    const struct pica_stage_word_info *const word =
        pica_stage_word_of_rule(late ? rule_of_register(out) : out->broken[0]);
    if (word != NULL && word >= pica_stage_word_info(PICA_STAGE_WORD_CLIP))
        out->stage = word->text;
}

/* The event that only one side records, where no traced value says more: one of the stage, or nothing else differs. */
static void add_event(const struct harness_localise *search, struct harness_location *out)
{
    const struct pica_stage_word_info *const word =
        search->event_rule != NULL ? pica_stage_word_of_rule(search->event_rule) : NULL;
    const bool is_own = !out->has_step && (search->one_stops || (word != NULL && strcmp(word->text, out->stage) == 0));
    if (is_own || search->event_only || strcmp(out->stage, "events") == 0)
        add(out, search->event_rule);
}

/* An encoding that is none of its own. */
static bool is_reserved(const char *value)
{
    return strncmp(value, "reserved", strlen("reserved")) == 0;
}

/* Which of the fields that have another value than programs usually send. */
enum fields {
    FIELDS_RESERVED, /* with an encoding that is none of its own */
    FIELDS_NEEDED,   /* that decide how a pixel is made */
    FIELDS_SWITCHES, /* that decide whether others matter, and nothing else does of their rule */
    FIELDS_ALL       /* encodings */
};

/* Sizes, places and colours are seldom to blame. */
static bool is_telling(const struct pica_field_info *field)
{
    return field->type == PICA_FIELD_FLAG || field->type == PICA_FIELD_UNSIGNED || field->type == PICA_FIELD_SIGNED ||
           field->type == PICA_FIELD_FIXED_SIGNED || field->type == PICA_FIELD_FIXED_UNSIGNED ||
           harness_usual_is_named(field);
}

/* Other fields do not matter without it, and it has one bit, or is off as a rule. */
static bool is_switch(uint32_t id, const struct pica_field_info *field)
{
    const struct pica_enum_value *const off = pica_enum_value_by_text(field->enumeration, "off");
    const uint32_t usual = harness_usual_value(field, pica_field_get(field, pica_reg_info(id)->reset));
    return broken_rule_is_gate(id, field) && (field->width == 1 || (off != NULL && off->value == usual));
}

/* NULL: the field does not count. */
static const char *rule_of_field(const struct pica_field_info *field, uint32_t value, enum fields which)
{
    size_t count = 0;
    const struct pica_enum_value *const named = pica_enum_values(field->enumeration, &count);
    for (size_t k = 0; k < count && field->type == PICA_FIELD_ENUM; k++)
        if (named[k].value == value)
            return which == FIELDS_RESERVED && !is_reserved(named[k].text) ? NULL : named[k].rule;
    return (which == FIELDS_NEEDED || which == FIELDS_SWITCHES) && is_telling(field) ? field->rule : NULL;
}

enum {
    MOST_RULES = 64 /* of the fields of a stage */
};

/* Rules, and how many fields speak for each, in the order of registers. */
struct votes {
    const char *rules[MOST_RULES];
    uint32_t counts[MOST_RULES];
    bool switches[MOST_RULES]; /* no other fields */
    size_t count;
};

static void vote(struct votes *votes, const char *rule, bool is_own_switch)
{
    size_t i = 0;
    while (rule != NULL && i < votes->count && strcmp(votes->rules[i], rule) != 0)
        i++;
    if (rule == NULL || rule[0] == '\0' || i == MOST_RULES)
        return;
    votes->rules[i] = rule;
    votes->switches[i] = votes->counts[i]++ == 0 ? is_own_switch : votes->switches[i] && is_own_switch;
    votes->count += i == votes->count;
}

/* Of equal parts, the units of textures and the stages of the combiners, only the one that differs counts. */
static bool is_other_part(const struct harness_location *location, const char *register_name)
{
    const char *const digits = register_name + strcspn(register_name, "0123456789");
    const bool has_parts = location->has_step && (is_stage(PICA_STAGE_WORD_TEXTURE, location->stage) ||
                                                  is_stage(PICA_STAGE_WORD_COMBINER, location->stage));
    return has_parts && *digits != '\0' && (uint32_t)(*digits - '0') != broken_rule_instance(location);
}

static void vote_fields(const struct harness_localise *search, const struct harness_location *location, uint32_t id,
                        enum fields which, struct votes *votes)
{
    const char *const stage = location->stage;
    const struct pica_stage_word_info *const first = pica_stage_word_info(
        which == FIELDS_ALL || which == FIELDS_RESERVED ? PICA_STAGE_WORD_FETCH : PICA_STAGE_WORD_CLIP);
    const struct pica_reg_info *const info = pica_reg_info(id);
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(info->layout, &count);
    for (size_t i = 0; i < count && !is_other_part(location, info->name); i++) {
        const uint32_t value = pica_field_get(&fields[i], search->needed[id]);
        const struct pica_stage_word_info *const word = broken_rule_field_stage(id, &fields[i]);
        if (word != NULL && word >= first && strcmp(word->text, stage) == 0 &&
            value != harness_usual_value(&fields[i], pica_field_get(&fields[i], info->reset)))
            vote(votes, rule_of_field(&fields[i], value, which), is_switch(id, &fields[i]));
    }
}

/* The stage's fields that have another value than programs usually send, by their rules: that of most fields first. */
static void add_fields(const struct harness_localise *search, enum fields which, struct harness_location *out)
{
    struct votes votes = { .count = 0 };
    for (uint32_t id = 0; id < PICA_REGISTERS && out->has_draw; id++)
        vote_fields(search, out, id, which, &votes);
    for (uint32_t most = UINT8_MAX; most > 0; most--)
        for (size_t i = 0; i < votes.count; i++)
            if (votes.counts[i] == most && (which == FIELDS_NEEDED     ? !votes.switches[i]
                                            : which == FIELDS_SWITCHES ? votes.switches[i]
                                                                       : true))
                add(out, votes.rules[i]);
}

/* Memory that a draw leaves otherwise although all traced values agree, and experiments say nothing: what is left is
 * which pixels are drawn, or where, or when they are stored. */
static void name_untraced(const struct harness_localise *search, struct harness_location *out)
{
    const bool is_raster =
        search->one_draws && !search->differs_traced && !broken_rule_outcome_is(OUTCOME_SURFACES_MEET, search, out, 0);
    if (broken_rule_outcome_is(OUTCOME_UNTRACED, search, out, 0) &&
        strcmp(out->stage, pica_stage_word_info(PICA_STAGE_WORD_MEMORY)->text) == 0)
        out->stage = pica_stage_word_info(is_raster ? PICA_STAGE_WORD_RASTER : PICA_STAGE_WORD_FRAMEBUFFER)->text;
}

/* The lines that fit. What experiments have left comes before the first one that asks for nothing but a stage. */
static void add_lines(const struct harness_localise *search, const struct broken_rule_facts *facts,
                      struct harness_location *out)
{
    bool left = out->has_draw;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (!speaks_of(i, out) || !broken_rule_outcome_is(lines[i].outcome, search, out, facts->instance) ||
            !broken_rule_holds(lines[i].conditions, facts))
            continue;
        if (left && lines[i].outcome == OUTCOME_ANY && lines[i].conditions[0] == '\0') {
            add_fields(search, FIELDS_NEEDED, out);
            left = false;
        }
        add(out, lines[i].rule);
    }
    if (left)
        add_fields(search, FIELDS_NEEDED, out);
}

void harness_localise_rule(const struct harness_localise *search, struct harness_location *out)
{
    struct broken_rule_facts facts;
    char opcode[32];
    if (!out->differs || out->stage == NULL)
        return;
    if (out->display_register != NULL) {
        add(out, out->rule);
        return;
    }
    name_untraced(search, out);
    take_facts(search, out, &facts, opcode);
    add_external(out);
    add_event(search, out);
    const bool is_begun = !broken_rule_outcome_is(OUTCOME_NOT_BEGUN, search, out, 0);
    const bool is_missing = search->given_rule == NULL && out->has_first != out->has_second; /* not by its own rule */
    if (search->by_rules && !is_missing && !out->keeps_more && !broken_rule_outcome_is(OUTCOME_SPECIAL, search, out, 0))
        add(out, search->given_rule != NULL ? search->given_rule : is_begun ? out->rule : NULL);
    if (search->is_tried)
        add_fields(search, FIELDS_RESERVED, out);
    add_lines(search, &facts, out);
    if (search->is_tried)
        add_fields(search, FIELDS_SWITCHES, out);
    add(out, out->rule);
    if (strcmp(out->stage, "state") == 0)
        add(out, search->state_rule);
    add(out, rule_of_register(out));
    if (strcmp(out->stage, "registers") == 0)
        add(out, search->register_rule);
    add_fields(search, FIELDS_ALL, out);
    correct_stage(search, out);
}
