/* What to call a difference that no traced value shows. */
#include "harness/localise/localise_parts.h"
#include "oracles/equal.h"
#include "pica/enums.h"
#include "pica/events.h"
#include "pica/regs.h"
#include "pica/stage_words.h"
#include "pica/trace.h"

#include <string.h>

/* The stage of a draw that a rule describes, or NULL: what comes before the fetch is not part of a draw. */
static const char *stage_of_rule(const char *rule)
{
    const struct pica_stage_word_info *const word = pica_stage_word_of_rule(rule);
    return word != NULL && word >= pica_stage_word_info(PICA_STAGE_WORD_FETCH) ? word->text : NULL;
}

static const char *text_of(enum pica_stage_word word)
{
    return pica_stage_word_info(word)->text;
}

const struct pica_stage_word_info *harness_localise_word(const char *text)
{
    for (enum pica_stage_word word = PICA_STAGE_WORD_MEMORY; word <= PICA_STAGE_WORD_SHADOW; word++)
        if (strcmp(text_of(word), text) == 0)
            return pica_stage_word_info(word);
    return NULL;
}

bool harness_localise_is_between(const char *stage, enum pica_stage_word first, enum pica_stage_word last)
{
    for (enum pica_stage_word word = first; word <= last; word++)
        if (strcmp(stage, text_of(word)) == 0)
            return true;
    return false;
}

bool harness_localise_comes_from_vertices(const struct harness_location *location)
{
    return harness_localise_is_between(location->stage, PICA_STAGE_WORD_CLIP, PICA_STAGE_WORD_INTERPOLATION);
}

bool harness_localise_is_step(const struct pica_trace_step *step, enum pica_trace_id id)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    return step->stage != NULL && step->name != NULL && strcmp(step->stage, info->stage) == 0 &&
           strcmp(step->name, info->name) == 0;
}

static bool only_one_has(const struct harness_localise *search, enum pica_event event)
{
    return pica_events_has(&search->runs[0].events, event) != pica_events_has(&search->runs[1].events, event);
}

/* The class M event that only one side recorded, or NULL: of several the first that belongs to the stage, else the
 * first. */
static const struct pica_event_info *first_event(const struct harness_localise *search, const char *stage)
{
    struct oracle_report report;
    oracle_events_equal(&search->runs[0], &search->runs[1], &report);
    if (report.verdict != ORACLE_DIVERGE)
        return NULL;
    for (uint32_t event = report.first; event < PICA_EVENT_TOTAL; event++) {
        const struct pica_event_info *const info = pica_event_info((enum pica_event)event);
        const struct pica_stage_word_info *const word = pica_stage_word_of_rule(info->rule);
        if (info->event_class == PICA_EVENT_CLASS_M && word != NULL && strcmp(word->text, stage) == 0 &&
            only_one_has(search, info->event))
            return info;
    }
    return pica_event_info((enum pica_event)report.first);
}

/* Of the class M events that only one side recorded, the one whose stage of a draw comes first; NULL: there is none. */
static const struct pica_event_info *earliest_event(const struct harness_localise *search)
{
    const struct pica_event_info *earliest = NULL;
    const struct pica_stage_word_info *stage = NULL;
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++) {
        const struct pica_event_info *const info = pica_event_info((enum pica_event)event);
        const struct pica_stage_word_info *const word = pica_stage_word_of_rule(info->rule);
        if (info->event_class != PICA_EVENT_CLASS_M || stage_of_rule(info->rule) == NULL ||
            !only_one_has(search, info->event) || (stage != NULL && word >= stage))
            continue;
        earliest = info;
        stage = word;
    }
    return earliest;
}

/* The rule of the first part of the state that differs. SHD-11 has all that the geometry unit keeps: registers that
 * only one instruction writes are its own. */
static const char *precise_rule(const struct oracle_run *a, const struct oracle_run *b)
{
    const char *const rule = oracle_state_rule(a, b);
    const struct pica_geometry_state *const g = &a->state->geometry, *const h = &b->state->geometry;
    if (strcmp(rule, "SHD-11") != 0 || memcmp(g->temporaries, h->temporaries, sizeof g->temporaries) != 0 ||
        memcmp(g->inputs, h->inputs, sizeof g->inputs) != 0)
        return rule;
    return memcmp(g->address, h->address, sizeof g->address) != 0   ? "SHD-32"
           : g->loop_counter != h->loop_counter                     ? "SHD-44"
           : memcmp(g->compare, h->compare, sizeof g->compare) != 0 ? "SHD-31"
                                                                    : rule;
}

/* GSH-24: vertices that are collected as uniforms of the geometry unit, which the vertex unit does not get. */
static const char *rule_of_collecting(const struct pica_state *a, const struct pica_state *b)
{
    const struct pica_shader_unit *const x = a->units, *const y = b->units;
    const bool own = memcmp(x[PICA_UNIT_GEOMETRY].uniforms, y[PICA_UNIT_GEOMETRY].uniforms, sizeof x->uniforms) != 0 &&
                     memcmp(x[PICA_UNIT_VERTEX].uniforms, y[PICA_UNIT_VERTEX].uniforms, sizeof x->uniforms) == 0;
    return !own || a->geometry.in_use == 0 || b->geometry.in_use == 0 ? NULL
           : a->geometry.mode == PICA_GSH_MODE_VARIABLE               ? "GSH-20"
                                                                      : "GSH-23";
}

static const char *rule_of_registers(const struct pica_state *a, const struct pica_state *b)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        if (a->registers[id] != b->registers[id])
            return pica_reg_info(id)->rule;
    return NULL;
}

/* Does a part differ that did not before the command? */
static bool is_new(const struct harness_localise *search, enum harness_localise_part part)
{
    return (search->old_parts >> part & 1u) == 0 && harness_localise_differs(search, part);
}

static void name_stage(const struct harness_localise *search, struct harness_location *out)
{
    const struct oracle_run *const a = &search->runs[0], *const b = &search->runs[1];
    struct oracle_report report;
    out->stage = NULL;
    if (out->kind == PICA_OPERATION_MEMORY_FILL)
        out->stage = text_of(PICA_STAGE_WORD_FILL);
    else if (out->kind == PICA_OPERATION_DISPLAY_TRANSFER)
        out->stage = text_of((search->operation->words[4] & 8u) != 0 ? PICA_STAGE_WORD_COPY : PICA_STAGE_WORD_TRANSFER);
    else if (out->kind == PICA_OPERATION_VERTICAL_BLANK)
        out->stage = text_of(PICA_STAGE_WORD_DISPLAY);
    if (out->stage != NULL)
        return;
    if (is_new(search, HARNESS_LOCALISE_REGISTERS))
        out->stage = "registers";
    else if (is_new(search, HARNESS_LOCALISE_STATE))
        out->stage = "state";
    oracle_memory_equal(a, b, &report);
    if (out->stage == NULL)
        out->stage = report.verdict == ORACLE_DIVERGE ? "memory" : "events";
}

void harness_localise_name(struct harness_localise *search, struct harness_location *out)
{
    const struct oracle_run *const a = &search->runs[0], *const b = &search->runs[1];
    name_stage(search, out);
    const struct pica_event_info *const event = first_event(search, out->stage);
    search->event_rule = event != NULL ? event->rule : NULL;
    if (!out->has_command) /* later runs end by budgets that are ours */
        search->one_stops = only_one_has(search, PICA_EVENT_BUDGET_CMDS);
    if (search->one_stops)
        search->event_rule = pica_event_info(PICA_EVENT_BUDGET_CMDS)->rule;
    search->has_fog_slopes = a->state != NULL && harness_localise_has_slopes(&a->state->tables, PICA_STAGE_WORD_FOG);
    search->has_light_slopes =
        a->state != NULL && harness_localise_has_slopes(&a->state->tables, PICA_STAGE_WORD_LIGHTING);
    const bool has_state = a->state != NULL && b->state != NULL && is_new(search, HARNESS_LOCALISE_STATE);
    search->state_rule = has_state ? precise_rule(a, b) : "";
    search->collected_rule = has_state ? rule_of_collecting(a->state, b->state) : NULL;
    search->register_rule = a->state != NULL && b->state != NULL ? rule_of_registers(a->state, b->state) : NULL;
    search->only_inputs =
        has_state &&
        memcmp(a->state->geometry.inputs, b->state->geometry.inputs, sizeof a->state->geometry.inputs) != 0 &&
        memcmp(a->state->geometry.buffer, b->state->geometry.buffer, sizeof a->state->geometry.buffer) == 0;
}

void harness_localise_name_lost(const struct harness_localise *search, struct harness_location *out)
{
    const char *const rule = search->collected_rule != NULL ? search->collected_rule : search->state_rule;
    const struct pica_stage_word_info *const word = pica_stage_word_of_rule(rule);
    if (word == NULL || word >= pica_stage_word_info(PICA_STAGE_WORD_ASSEMBLY))
        return;
    const char *const stage = stage_of_rule(rule);
    out->stage = stage != NULL ? stage : "state";
    out->rule = rule;
    out->has_step = out->whole_part = false;
    harness_localise_note(out, "a %s is lost: the state that comes before it differs",
                          out->has_vertex ? "vertex" : "triangle");
}

void harness_localise_name_drawn(struct harness_localise *search, struct harness_location *out)
{
    if (strcmp(out->stage, "state") == 0) {
        /* Of the state that draws change, SHD-11 covers what the geometry unit keeps; the vertex unit keeps nothing. */
        const char *const rule = oracle_state_rule(&search->runs[0], &search->runs[1]);
        const char *const stage = strcmp(rule, "SHD-11") == 0 ? text_of(PICA_STAGE_WORD_GEOMETRY) : stage_of_rule(rule);
        const struct pica_event_info *const event = earliest_event(search);
        search->event_rule = stage == NULL && event != NULL ? event->rule : search->event_rule;
        out->stage = stage != NULL ? stage : event != NULL ? stage_of_rule(event->rule) : out->stage;
        out->rule = stage == NULL && event != NULL  ? event->rule
                    : search->state_rule[0] != '\0' ? search->state_rule
                                                    : rule;
    } else if (strcmp(out->stage, "events") == 0) {
        const struct pica_event_info *const event = first_event(search, out->stage);
        const char *const stage = event != NULL ? stage_of_rule(event->rule) : NULL;
        if (stage == NULL)
            return;
        out->stage = stage;
        out->rule = event->rule;
        search->event_only = true;
        harness_localise_note(out, "nothing differs but the event %s", event->name);
    }
}
