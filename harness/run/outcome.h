/*
 * What came of a case: all words for it, in one list (docs/verdicts.md says when each is said). Plain numbers: they lie
 * in the files of a hunt and in triage.json.
 */
#ifndef HARNESS_RUN_OUTCOME_H
#define HARNESS_RUN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

enum harness_outcome {
    HARNESS_AGREE = 0,
    HARNESS_TROUBLE = 1, /* no verdict: a backend failed without a fault of its own to show, or the host did */
    HARNESS_DIVERGE = 2,
    HARNESS_HANG = 3,
    HARNESS_CRASH = 4,
    HARNESS_TEST = 5,       /* the user's own test says that the case is interesting */
    HARNESS_NOT_TESTED = 6, /* a backend does not support the case, or a quirks file leaves it out */
    HARNESS_RELATION = 7,   /* a relation does not hold (harness/run/check.h) */
    HARNESS_UNSTABLE = 8,   /* there was something, and fresh processes do not all see it again */
    HARNESS_VACUOUS = 9     /* it agrees, and changed no byte of memory: that proves nothing */
};

enum {
    HARNESS_OUTCOMES = 10
};

/* What a program ends with. Of several the worst: CRASH over HOST over USAGE over DIVERGED over OK. */
enum harness_exit {
    HARNESS_EXIT_OK = 0,
    HARNESS_EXIT_DIVERGED = 1,
    HARNESS_EXIT_USAGE = 2, /* bad input, or nothing was compared */
    HARNESS_EXIT_CRASH = 3,
    HARNESS_EXIT_HOST = 4
};

/* "agree", "not tested", ...; static. */
const char *harness_outcome_name(enum harness_outcome outcome);

enum harness_exit harness_outcome_exit(enum harness_outcome outcome);
enum harness_exit harness_exit_worse(enum harness_exit a, enum harness_exit b);

/* Does it come back, and is it something wrong? */
bool harness_outcome_is_finding(enum harness_outcome outcome);

/* Was something wrong, whether it comes back or not? */
bool harness_outcome_is_wrong(enum harness_outcome outcome);

/* A crash or a hang. */
bool harness_outcome_died(enum harness_outcome outcome);

/* Were results held against each other, so that it says something? */
bool harness_outcome_compared(enum harness_outcome outcome);

/* Of enum pica_operation_kind: "load", "submit", "write", "fill", "transfer", "vblank"; NULL beyond them. Static. */
const char *harness_operation_name(uint32_t kind);

#endif
