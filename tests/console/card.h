/* An SD card in a directory of its own, and what the program left on it. */
#ifndef TESTS_CONSOLE_CARD_H
#define TESTS_CONSOLE_CARD_H

#include "harness/console/payload.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CARD_RUNS = 256
};

struct card {
    char directory[64];
};

/* What stands in the results, as far as they are whole. */
struct card_results {
    uint32_t records;
    size_t whole_bytes; /* of the file's `bytes` */
    size_t bytes;
    uint32_t abouts;
    struct console_about about; /* the last */
    uint32_t pages;
    uint32_t first_page_word; /* of the last page */
    uint32_t tests;
    struct console_run_result test[CARD_RUNS]; /* in their order */
    uint32_t runs;
    struct console_run_result run[CARD_RUNS];
    uint32_t crc[CARD_RUNS];          /* of the last step of each of `run` */
    uint32_t registers[32];           /* of the last block */
    struct console_way_choice choice; /* the last */
    bool is_over;                     /* END */
};

void card_insert(struct card *card); /* an empty one */
void card_remove(struct card *card);
void card_results(const struct card *card, struct card_results *results);

/* How often the journal, of the export `name`, has an entry; UINT32_MAX: any argument. */
uint32_t card_journal_count(const struct card *card, uint32_t kind, uint32_t argument);

/* "0:ok/0 1:hang/0 ...": case, status and pass of each RUN record. */
const char *card_summary(const struct card_results *results, char *out, size_t size);

#endif
