/* What to call a difference that no traced value shows. */
#include "harness/localise/localise_parts.h"
#include "oracles/equal.h"
#include "pica/events.h"
#include "pica/stage_words.h"

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

void harness_localise_name(const struct harness_localise *search, struct harness_location *out)
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
    oracle_registers_equal(a, b, &report);
    out->stage = report.verdict == ORACLE_DIVERGE ? "registers" : NULL;
    oracle_state_equal(a, b, &report);
    if (out->stage == NULL && report.verdict == ORACLE_DIVERGE)
        out->stage = "state";
    oracle_memory_equal(a, b, &report);
    if (out->stage == NULL)
        out->stage = report.verdict == ORACLE_DIVERGE ? "memory" : "events";
}

/* The first class M event that only one side recorded, or NULL. */
static const struct pica_event_info *first_event(const struct harness_localise *search)
{
    struct oracle_report report;
    oracle_events_equal(&search->runs[0], &search->runs[1], &report);
    return report.verdict == ORACLE_DIVERGE ? pica_event_info((enum pica_event)report.first) : NULL;
}

void harness_localise_name_drawn(const struct harness_localise *search, struct harness_location *out)
{
    if (strcmp(out->stage, "state") == 0) {
        /* Of the state that draws change, SHD-11 covers what the geometry unit keeps; the vertex unit keeps nothing. */
        const char *const rule = oracle_state_rule(&search->runs[0], &search->runs[1]);
        const char *const stage = strcmp(rule, "SHD-11") == 0 ? text_of(PICA_STAGE_WORD_GEOMETRY) : stage_of_rule(rule);
        out->stage = stage != NULL ? stage : out->stage;
        out->rule = rule;
    } else if (strcmp(out->stage, "events") == 0) {
        const struct pica_event_info *const event = first_event(search);
        const char *const stage = event != NULL ? stage_of_rule(event->rule) : NULL;
        if (stage == NULL)
            return;
        out->stage = stage;
        out->rule = event->rule;
        harness_localise_note(out, "nothing differs but the event %s", event->name);
    }
}
