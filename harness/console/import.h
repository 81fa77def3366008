/*
 * Results of a console as recorded results (harness/run/recording.h): a backend for diff, triage and report.
 *
 * Only memory is compared, since nothing else comes back. An operation that hung, gave two results, was not held, or
 * whose results do not come back is recorded as absent, so that it never diverges. Where an emulator crashed or hung,
 * that is recorded, and is the verdict of the case. Of a case that was seen on the screen (shown.h) only the pages of
 * its colour buffer are recorded, and only after its last operation.
 */
#ifndef HARNESS_CONSOLE_IMPORT_H
#define HARNESS_CONSOLE_IMPORT_H

#include "harness/console/results.h"
#include "harness/console/screenshots.h"
#include "harness/console/view.h"

#include <stddef.h>

enum console_outcome {
    CONSOLE_OUTCOME_OK = 0,       /* run twice, the same both times */
    CONSOLE_OUTCOME_ONCE = 1,     /* run once only */
    CONSOLE_OUTCOME_UNSTABLE = 2, /* two results */
    CONSOLE_OUTCOME_HANG = 3,     /* of an emulator it is its verdict, as a crash; a console may well hang */
    CONSOLE_OUTCOME_NOT_HELD = 4, /* interrupted, skipped, refused, failed */
    CONSOLE_OUTCOME_NOT_RUN = 5,
    CONSOLE_OUTCOME_NOT_TESTED = 6, /* it ran, and what it changes does not come back */
    CONSOLE_OUTCOME_CRASH = 7,      /* an emulator ended in it */
    CONSOLE_OUTCOME_SHOWN = 8,      /* nothing of it comes back, but its colours were seen on the screen */
    CONSOLE_OUTCOMES = 9
};

/* "ok", "ok, run once", ...; static. */
const char *console_outcome_name(enum console_outcome outcome);

/* Of so many cases of each outcome, those that came to a result. */
uint32_t console_outcome_results(const uint32_t outcomes[CONSOLE_OUTCOMES]);

struct console_imported {
    const char *name; /* of the case; in the payload */
    enum console_outcome outcome;
    uint32_t operation; /* at which it hung, was unstable, stopped; of the case as it is lowered */
    uint32_t status;    /* NOT_HELD, HANG: enum console_run_status */
    uint32_t code;      /* CRASH: signal, or 256 + exit code */
    bool is_verdict;    /* HANG: that of an emulator */
    uint32_t missing;   /* NOT_TESTED: what it needs and does not come back; 0: a page of it did not */
    bool is_partial;    /* compared without its depth, which does not come back: no table judges it */
};
typedef void (*console_import_observer)(void *user, const struct console_imported *imported);

/*
 * Writes recorded results to `path`. Several results of one export are merged: what two consoles do not agree about is
 * unstable. `program` ("picafuzz 0.1.0") and `date` go into the head, and `machine`, its name (NULL: by what it says of
 * itself).
 */
struct console_import {
    const struct console_view *view;
    const struct console_results *results; /* count of them */
    size_t count;
    const char *path, *program, *date, *machine;
    bool is_emulator;                              /* a hang is a verdict: only a console may rightly hang */
    const struct console_screenshots *screenshots; /* where cases that do not come back are looked for; NULL: nowhere */
    console_import_observer observer;
    void *user;
};
enum harness_status console_import_write(const struct console_import *import, struct harness_error *error);

#endif
