/* What to call a difference when no traced value says it. */
#include "harness/findings/localise_parts.h"
#include "oracles/equal.h"
#include "pica/events.h"

#include <string.h>

/* The stage of pica/trace.def whose work the rules of an area describe. */
static const struct {
    const char *area, *stage;
} stages[] = {
    { "VTX-", "fetch" },
    { "SHD-", "shader" },
    { "GSH-", "geometry shader" },
    { "CLP-", "clip" },
    { "VPT-", "viewport" },
    { "CUL-", "coverage" },
    { "RST-", "coverage" },
    { "SCS-", "coverage" },
    { "ITP-", "interpolation" },
    { "TEX-", "texture" },
    { "ETC-", "texture" },
    { "WRP-", "texture" },
    { "MIP-", "texture" },
    { "CUB-", "texture" },
    { "SDW-", "texture" },
    { "PTX-", "procedural texture" },
    { "LIT-", "lighting" },
    { "TEV-", "combiner" },
    { "FOG-", "fog" },
    { "STC-", "stencil test" },
    { "DPT-", "depth test" },
    { "BLD-", "blend" },
    { "LOP-", "blend" },
};

static const char *stage_of_rule(const char *rule)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (strncmp(rule, stages[i].area, strlen(stages[i].area)) == 0)
            return stages[i].stage;
    return NULL;
}

void harness_localise_name(const struct harness_localise *search, struct harness_location *out)
{
    const struct oracle_run *const a = &search->runs[0], *const b = &search->runs[1];
    struct oracle_report report;
    out->stage = NULL;
    if (out->kind == PICA_OPERATION_MEMORY_FILL)
        out->stage = "memory fill";
    else if (out->kind == PICA_OPERATION_DISPLAY_TRANSFER)
        out->stage = (search->operation->words[4] & 8u) != 0 ? "texture copy" : "display transfer";
    else if (out->kind == PICA_OPERATION_VERTICAL_BLANK)
        out->stage = "vertical blank";
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
        /* Of the state that draws change, SHD-11 is what the geometry unit keeps; the vertex unit keeps nothing. */
        const char *const rule = oracle_state_rule(&search->runs[0], &search->runs[1]);
        const char *const stage = strcmp(rule, "SHD-11") == 0 ? "geometry shader" : stage_of_rule(rule);
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
