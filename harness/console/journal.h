/*
 * The journal that a start leaves on the card, read on the PC, which may take back its last entry or close it: an
 * emulator, other than a console, can be seen to die (docs/formats/console-payload.md).
 */
#ifndef HARNESS_CONSOLE_JOURNAL_H
#define HARNESS_CONSOLE_JOURNAL_H

#include "harness/case/error.h"
#include "harness/console/view.h"

#include <stdbool.h>
#include <stddef.h>

struct console_journal_state {
    size_t entries;    /* whole ones; 0: there is no journal */
    bool is_other;     /* it is of another export */
    uint32_t starts;   /* of the program */
    uint32_t stage;    /* enum console_stage that it was in last; 0: none */
    uint32_t next_run; /* all before it are done */
    uint32_t results;  /* bytes of the results that count */
    bool is_over;      /* all runs are done */
    bool is_open;      /* its last START has no DONE: of */
    uint32_t open;     /* ... this run or self-test (struct console_journal.argument) */
    size_t open_entry; /* number of that entry */
};

enum {
    CONSOLE_JOURNAL_TEST = (int)0x80000000 /* bit of `open` for a self-test: its case, and the way from bit 24 on */
};

/* A missing file is an empty journal. Reads up to the first entry that is not whole. */
enum harness_status console_journal_read(const char *path, const struct console_view *view,
                                         struct console_journal_state *out, struct harness_error *error);

/* The case of `open`. */
uint32_t console_journal_case(const struct console_view *view, uint32_t open);

/* As if what is open had not been begun: the next start begins with it. */
enum harness_status console_journal_take_back(const char *path, const struct console_journal_state *state,
                                              struct harness_error *error);

/* As if the next start had found what is open, a run: CONSOLE_RUN_POWER, with `detail` (enum console_power). It goes on
 * behind that run, and does not run its case again. */
enum harness_status console_journal_close(const char *path, const char *results_path, const struct console_view *view,
                                          const struct console_journal_state *state, uint32_t detail,
                                          struct harness_error *error);

#endif
