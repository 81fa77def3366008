/*
 * Runs an exported .3dsx in an emulator that is started as a command, again and again until all its runs are done; each
 * start goes on behind the case in which the emulator died or stood still. Progress lies in journal and results, so
 * that after an interruption the same call goes on.
 *
 * A run in which the emulator dies is begun once more; if it dies there again that is a crash. An emulator that stands
 * still is killed: that is a hang, and the run is not repeated. No process that the emulator started lives on.
 */
#ifndef HARNESS_CONSOLE_EMULATE_H
#define HARNESS_CONSOLE_EMULATE_H

#include "harness/case/error.h"
#include "harness/console/view.h"

#include <stdbool.h>

enum console_emulate_kind {
    CONSOLE_EMULATE_START,   /* it is started */
    CONSOLE_EMULATE_RUN,     /* `done` of `total` runs are done */
    CONSOLE_EMULATE_AGAIN,   /* it died, and the same is tried once more */
    CONSOLE_EMULATE_CRASHED, /* it died there, twice */
    CONSOLE_EMULATE_HUNG     /* it stood still there */
};

struct console_emulate_note {
    enum console_emulate_kind kind;
    uint32_t done, total;
    const char *name;  /* AGAIN, CRASHED, HUNG: the case, or the self-test */
    bool is_self_test; /* then it is no verdict: what it tests does not come back */
    const char *how;   /* AGAIN, CRASHED: "Segmentation fault", "exit code 1" */
};

struct console_emulate {
    const struct console_view *view;
    const char *journal, *results; /* paths of what it leaves on its card */
    char *const *command;          /* ends with NULL */
    double limit;                  /* seconds without a change of those files after which it counts as hanging; three
                                      times as long until the first change */
    bool (*is_interrupted)(void);
    void (*observer)(void *user, const struct console_emulate_note *note);
    void *user;
};

enum {
    CONSOLE_EMULATE_WHY = 1024
};

struct console_emulated {
    bool is_over;                  /* all runs are done */
    uint32_t starts;               /* of this call */
    char why[CONSOLE_EMULATE_WHY]; /* not over, nor interrupted: why it was given up */
};

/* HARNESS_OK also if it was interrupted or given up. HARNESS_BAD_INPUT if the journal is of another export. */
enum harness_status console_emulate_run(const struct console_emulate *emulate, struct console_emulated *out,
                                        struct harness_error *error);

#endif
