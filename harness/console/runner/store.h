/* The two files: the journal, which says how far we came, and the results (docs/formats/console-payload.md). */
#ifndef HARNESS_CONSOLE_RUNNER_STORE_H
#define HARNESS_CONSOLE_RUNNER_STORE_H

#include "harness/console/payload.h"
#include "harness/console/runner/files.h"

enum {
    STORE_BUFFER_BYTES = 0x10000, /* the card likes large blocks */
    STORE_MOST_CASES = 0x10000,
    STORE_SELF_TEST = (int)0x80000000, /* `run` of a self-test is this plus its case and the way */
    STORE_WAY_SHIFT = 24
};

struct store {
    const struct console_payload *payload;
    uint32_t journal; /* files */
    uint32_t results;
    uint32_t journal_bytes;
    uint32_t results_bytes; /* on the card */
    uint32_t buffered;      /* bytes behind them in `buffer` */
    uint32_t sequence;      /* of the next record */
    int32_t error;          /* first that a card gave: from then on nothing is written */

    /* What an earlier start left. */
    uint32_t starts;
    uint32_t next_run;
    uint32_t open_run; /* begun, never done; only if is_open */
    bool is_open;
    bool is_over;       /* nothing is left to do */
    uint32_t dead_ways; /* bit i: the console was switched off, or the emulator died, when way i was first tried */
    uint32_t hung[STORE_MOST_CASES / 32];

    uint8_t buffer[STORE_BUFFER_BYTES];
};

/* Opens both files, begun anew if they are another export's, and reads what there is. */
int32_t store_open(struct store *store, const struct files *files, const struct console_payload *payload);
void store_close(struct store *store);

/* CON-35: is there room for all results? Negative: no, or there is no card. Leaves the results' size what it is. */
int32_t store_reserve(struct store *store);

/* A journal entry; all records before it are on the card then. */
void store_journal(struct store *store, uint32_t kind, uint32_t argument);

/* A record of two parts; the second may be empty. */
void store_record(struct store *store, uint32_t kind, const void *head, uint32_t head_bytes, const void *tail,
                  uint32_t tail_bytes);

void store_set_hung(struct store *store, uint32_t case_index);

/* A self-test that needed the power button: not run again; or the way is not taken again, if that was tested. */
void store_test_died(struct store *store, uint32_t case_index, uint32_t way);
bool store_is_hung(const struct store *store, uint32_t case_index);

#endif
