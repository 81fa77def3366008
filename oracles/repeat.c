#include "oracles/repeat.h"

#include "oracles/equal.h"

#include <string.h>

static void judge(const struct oracle_run *a, const struct oracle_run *b, const char *names[2], const char *headline,
                  struct oracle_report *report)
{
    struct oracle_run first = *a, second = *b;
    struct oracle_report equal;
    first.backend = names[0];
    second.backend = names[1];
    oracle_all_equal(&first, &second, false, &equal);
    const char *const oracle = report->oracle;
    *report = equal;
    report->oracle = oracle;
    report->message[0] = '\0';
    if (equal.verdict >= ORACLE_DIVERGE)
        oracle_say(report, "%s\n", headline);
    oracle_say(report, "%s", equal.message);
}

void oracle_deterministic(const struct oracle_run *first, const struct oracle_run *again, const char *what,
                          struct oracle_report *report)
{
    const char *names[2] = { "first run", what };
    report->oracle = "deterministic";
    judge(first, again, names, "the same case gave another result when it ran again (GEN-10)", report);
}

void oracle_invariant(const struct oracle_run *plain, const struct oracle_run *other, const char *what,
                      struct oracle_report *report)
{
    const char *names[2] = { "plain run", what };
    report->oracle = "invariant";
    judge(plain, other, names, "threads, instruction sets or capacity changed the result (GEN-10)", report);
}
