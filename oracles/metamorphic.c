#include "oracles/metamorphic.h"

#include "oracles/equal.h"
#include "oracles/relate.h"
#include "pica/extregs.h"

#include <string.h>

struct room {
    const struct oracle_relation *relations;
    const size_t *count;
};

static const struct room rooms[] = {
    { oracle_command_relations, &oracle_command_relation_count },
    { oracle_draw_relations, &oracle_draw_relation_count },
    { oracle_vertex_relations, &oracle_vertex_relation_count },
    { oracle_pixel_relations, &oracle_pixel_relation_count },
    { oracle_shader_relations, &oracle_shader_relation_count },
    { oracle_engine_relations, &oracle_engine_relation_count },
};

size_t oracle_relation_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        count += *rooms[i].count;
    return count;
}

const struct oracle_relation *oracle_relation_at(size_t index)
{
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        if (index < *rooms[i].count)
            return &rooms[i].relations[index];
        index -= *rooms[i].count;
    }
    return NULL;
}

/* Is this rule of a relation marked [SPLIT]? tests/oracles compares the list with docs/spec. */
static bool is_split(const char *rule, size_t length)
{
    static const char *const rules[] = { "CUL-02", "PPF-01", "PPF-04", "PPF-07", "PSC-02", "REG-12",
                                         "REG-43", "SHD-10", "SUB-02", "SUB-03", "VPT-05", "VTX-22" };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strlen(rules[i]) == length && strncmp(rules[i], rule, length) == 0)
            return true;
    return false;
}

void oracle_relation_splits(const struct oracle_relation *relation, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const char *rule = relation->rules; *rule != '\0';) {
        const size_t length = strcspn(rule, " ");
        const size_t gap = used != 0;
        if (is_split(rule, length) && used + gap + length < size) {
            out[used] = ' ';
            memcpy(out + used + gap, rule, length);
            used += gap + length;
            out[used] = '\0';
        }
        rule += length + (rule[length] == ' ');
    }
}

bool oracle_relation_is_void(const struct oracle_relation *relation, const struct pica_events *base)
{
    for (uint32_t i = 0; i < relation->exclude.void_count; i++)
        if (pica_events_has(base, relation->exclude.voids[i]))
            return true;
    return pica_events_has(base, PICA_EVENT_BUDGET_WORK); /* base and variant differ in cost */
}

/* Copies the excluded parts of `from` to `into`. */
static void equalise_state(const struct oracle_exclusions *exclude, const struct pica_state *from,
                           struct pica_state *into)
{
    static const uint32_t external[] = { PICA_EXTREG_XFER_START / 4, PICA_EXTREG_STATUS / 4 };
    for (uint32_t i = 0; i < exclude->register_spans; i++)
        for (uint32_t id = exclude->registers[i].first; id <= exclude->registers[i].last; id++)
            into->registers[id] = from->registers[id];
    for (uint32_t i = 0; i < PICA_INTERRUPTS; i++)
        if ((exclude->interrupts >> i & 1u) != 0)
            into->interrupts[i] = from->interrupts[i];
    for (uint32_t i = 0; i < 2; i++)
        if ((exclude->external_words >> i & 1u) != 0)
            into->external[external[i]] = from->external[external[i]];
}

static struct pica_events without(const struct oracle_exclusions *exclude, const struct pica_events *events)
{
    struct pica_events out = *events;
    for (uint32_t i = 0; i < exclude->ignored_count; i++)
        out.words[(uint32_t)exclude->ignored[i] / 64] &= ~(UINT64_C(1) << ((uint32_t)exclude->ignored[i] % 64));
    return out;
}

void oracle_relation_judge(const struct oracle_relation *relation, const struct oracle_run *base,
                           const struct oracle_run *variant, struct pica_state *scratch, struct oracle_report *report)
{
    struct oracle_run a = *base, b = *variant;
    a.backend = "base";
    b.backend = "variant";
    a.events = without(&relation->exclude, &base->events);
    b.events = without(&relation->exclude, &variant->events);
    *scratch = *variant->state;
    equalise_state(&relation->exclude, base->state, scratch);
    b.state = scratch;
    memset(&b.zeros, 0, sizeof b.zeros);
    struct oracle_report equal;
    oracle_all_equal(&a, &b, false, &equal);
    memset(report, 0, sizeof *report);
    report->oracle = relation->name;
    report->verdict = equal.verdict;
    report->compared = equal.compared;
    report->differences = equal.differences;
    report->first = equal.first;
    if (equal.verdict >= ORACLE_DIVERGE)
        oracle_say(report, "relation %s: %s; nothing may change (%s)\n", relation->name, relation->what,
                   relation->rules);
    oracle_say(report, "%s", equal.message);
}
