#include "oracles/equal.h"

#include "pica/events.h"

#include <string.h>

void oracle_events_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report)
{
    memset(report, 0, sizeof *report);
    report->oracle = "events_equal";
    struct oracle_scope scope;
    oracle_scope_of_runs(a, b, &scope);
    if ((scope.parts & PICA_PART_EVENTS) == 0)
        return;
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++) {
        const struct pica_event_info *info = pica_event_info((enum pica_event)event);
        if (info->event_class != PICA_EVENT_CLASS_M)
            continue;
        report->compared++;
        const bool in_a = pica_events_has(&a->events, info->event);
        if (in_a == pica_events_has(&b->events, info->event))
            continue;
        if (report->differences++ == 0) {
            report->first = event;
            oracle_key(report, "event %s %s", info->name, in_a ? a->backend : b->backend);
        }
        report->verdict = ORACLE_DIVERGE;
        oracle_say(report, "event %s (%s): recorded by %s only\n", info->name, info->rule,
                   in_a ? a->backend : b->backend);
    }
}

bool oracle_say_undefined(const struct oracle_run *run, struct oracle_report *report)
{
    const struct pica_events events = pica_events_without_hints(run->events);
    if (pica_events_empty(&events))
        return false;
    const char *separator = "undefined behaviour touched: ";
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++) {
        const struct pica_event_info *info = pica_event_info((enum pica_event)event);
        if (!pica_events_has(&events, info->event))
            continue;
        oracle_say(report, "%s%s (%s)", separator, info->name, info->rule);
        separator = ", ";
    }
    oracle_say(report, "\n");
    return true;
}

void oracle_excuse_undefined(const struct oracle_run *a, struct oracle_report *report)
{
    if (report->verdict == ORACLE_DIVERGE && oracle_say_undefined(a, report))
        report->verdict = ORACLE_DIVERGE_UNDEFINED;
}
