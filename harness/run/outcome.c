#include "harness/run/outcome.h"

#include <stddef.h>

/* The table of docs/verdicts.md. */
static const struct row {
    const char *name;
    enum harness_exit code;
    bool is_finding, compared;
} table[HARNESS_OUTCOMES] = {
    [HARNESS_AGREE] = { "agree", HARNESS_EXIT_OK, false, true },
    [HARNESS_TROUBLE] = { "trouble", HARNESS_EXIT_HOST, false, false },
    [HARNESS_DIVERGE] = { "diverge", HARNESS_EXIT_DIVERGED, true, true },
    [HARNESS_HANG] = { "hang", HARNESS_EXIT_CRASH, true, true },
    [HARNESS_CRASH] = { "crash", HARNESS_EXIT_CRASH, true, true },
    [HARNESS_TEST] = { "test", HARNESS_EXIT_DIVERGED, true, true },
    [HARNESS_NOT_TESTED] = { "not tested", HARNESS_EXIT_OK, false, false },
    [HARNESS_RELATION] = { "relation", HARNESS_EXIT_DIVERGED, true, true },
    [HARNESS_UNSTABLE] = { "unstable", HARNESS_EXIT_DIVERGED, false, true },
    [HARNESS_VACUOUS] = { "vacuous", HARNESS_EXIT_OK, false, false },
};

/* A number may come from a file. */
static const struct row *row_of(enum harness_outcome outcome)
{
    const size_t i = (size_t)outcome;
    return &table[i < HARNESS_OUTCOMES ? i : HARNESS_TROUBLE];
}

const char *harness_outcome_name(enum harness_outcome outcome)
{
    return row_of(outcome)->name;
}

enum harness_exit harness_outcome_exit(enum harness_outcome outcome)
{
    return row_of(outcome)->code;
}

enum harness_exit harness_exit_worse(enum harness_exit a, enum harness_exit b)
{
    static const int rank[] = { [HARNESS_EXIT_OK] = 0,
                                [HARNESS_EXIT_DIVERGED] = 1,
                                [HARNESS_EXIT_USAGE] = 2,
                                [HARNESS_EXIT_HOST] = 3,
                                [HARNESS_EXIT_CRASH] = 4 };
    return rank[a] >= rank[b] ? a : b;
}

bool harness_outcome_is_finding(enum harness_outcome outcome)
{
    return row_of(outcome)->is_finding;
}

bool harness_outcome_is_wrong(enum harness_outcome outcome)
{
    return harness_outcome_is_finding(outcome) || outcome == HARNESS_UNSTABLE;
}

bool harness_outcome_died(enum harness_outcome outcome)
{
    return outcome == HARNESS_CRASH || outcome == HARNESS_HANG;
}

bool harness_outcome_compared(enum harness_outcome outcome)
{
    return row_of(outcome)->compared;
}

const char *harness_operation_name(uint32_t kind)
{
    static const char *const names[] = { "load", "submit", "write", "fill", "transfer", "vblank" };
    return kind < sizeof names / sizeof names[0] ? names[kind] : NULL;
}
