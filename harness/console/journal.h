/*
 * The journal that the program leaves on the card (docs/formats/console-payload.md), read on the PC. Since an emulator,
 * other than a console, can be seen to die, the PC may also take back the journal's last entry, or close it.
 */
#ifndef HARNESS_CONSOLE_JOURNAL_H
#define HARNESS_CONSOLE_JOURNAL_H

#include "harness/case/error.h"
#include "harness/console/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct console_journal_state {
    size_t entries;    /* that count; 0: there is no journal */
    bool is_behind;    /* more follow, whose results were not written: it is not known what the program was doing */
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

/* Makes the journal if it is missing, and locks it against other processes that call this, until *lock is closed here
 * and in all processes that were started since. */
enum harness_status console_journal_hold(const char *path, int *lock, struct harness_error *error);

/* Empties both: all is begun anew. */
enum harness_status console_journal_forget(const char *path, const char *results_path, struct harness_error *error);

/* A missing file is an empty journal. Entries count up to the first that is not whole, or whose results are not all
 * there: an emulator that was killed may have kept their last bytes. HARNESS_BAD_INPUT if it is of another export. */
enum harness_status console_journal_read(const char *path, const char *results_path, const struct console_view *view,
                                         struct console_journal_state *out, struct harness_error *error);

/* Bytes of a file; 0 if there is none. */
off_t console_file_size(const char *path);

/* The case of `open`. */
uint32_t console_journal_case(const struct console_view *view, uint32_t open);

/* Leaves so many entries: without `open_entry` and what follows it, as if what is open had not been begun. */
enum harness_status console_journal_cut(const char *path, size_t entries, struct harness_error *error);

/* Closes the run that is open as the program itself would at its next start: CONSOLE_RUN_POWER, with `detail` (enum
 * console_power). The next start then goes on behind that run, and does not run its case again. */
enum harness_status console_journal_close(const char *path, const char *results_path, const struct console_view *view,
                                          const struct console_journal_state *state, uint32_t detail,
                                          struct harness_error *error);

#endif
