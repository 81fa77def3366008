#include "oracles/equal.h"

#include "oracles/screens.h"
#include "pica/events.h"

#include <string.h>

void oracle_scope_of_runs(const struct oracle_run *a, const struct oracle_run *b, struct oracle_scope *out)
{
    oracle_scope_all(out);
    if (a->scope != NULL)
        oracle_scope_meet(out, a->scope);
    if (b->scope != NULL)
        oracle_scope_meet(out, b->scope);
}

/* oracle_same for runs whose scope is not everything; slower. */
static bool same_in_scope(const struct oracle_run *a, const struct oracle_run *b)
{
    struct oracle_report report;
    oracle_registers_equal(a, b, &report);
    if (report.differences != 0)
        return false;
    oracle_state_equal(a, b, &report);
    if (report.differences != 0)
        return false;
    oracle_events_equal(a, b, &report);
    return report.differences == 0;
}

static bool same_state(const struct oracle_run *a, const struct oracle_run *b)
{
    const uint8_t *const in_a = (const uint8_t *)a->state, *const in_b = (const uint8_t *)b->state;
    for (uint32_t block = 0; block < PICA_STATE_BLOCKS; block++) {
        const size_t offset = (size_t)block * PICA_STATE_BLOCK;
        const bool are_zeros = pica_state_blocks_have(&a->zeros, block) && pica_state_blocks_have(&b->zeros, block);
        if (!are_zeros && memcmp(in_a + offset, in_b + offset, pica_state_block_bytes(block)) != 0)
            return false;
    }
    return true;
}

bool oracle_same(const struct oracle_run *a, const struct oracle_run *b)
{
    if (!same_state(a, b) || !pica_events_equal_class_m(&a->events, &b->events)) {
        if ((a->scope == NULL && b->scope == NULL) || !same_in_scope(a, b))
            return false;
    }
    struct oracle_report memory;
    oracle_memory_equal(a, b, &memory);
    return memory.differences == 0 && oracle_screens_same(a, b);
}

static void join(struct oracle_report *into, const struct oracle_report *part)
{
    if (part->verdict > into->verdict) {
        into->verdict = part->verdict;
        into->oracle = part->oracle;
        into->first = part->first;
    }
    if (into->key[0] == '\0')
        oracle_key(into, "%s", part->key);
    into->compared += part->compared;
    into->differences += part->differences;
    oracle_say(into, "%s", part->message);
}

void oracle_all_equal(const struct oracle_run *a, const struct oracle_run *b, bool slow, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    report->oracle = "all_equal";
    struct oracle_report part, shown;
    oracle_screens_equal(a, b, &shown);
    oracle_registers_equal(a, b, &part);
    join(report, &part);
    oracle_state_equal(a, b, &part);
    join(report, &part);
    if (slow)
        oracle_memory_equal_slow(a, b, &part);
    else
        oracle_memory_equal(a, b, &part);
    if (part.verdict != ORACLE_VACUOUS || shown.compared == 0)
        join(report, &part);
    const uint64_t bytes = part.compared;
    oracle_events_equal(a, b, &part);
    join(report, &part);
    join(report, &shown);
    report->compared = bytes; /* bytes of memory: the number that users expect */
}
