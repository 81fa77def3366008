/*
 * What a console left in NAME.results (docs/formats/console-payload.md). Reading stops at the first record that is cut
 * or damaged, as a power cut leaves it; all before it count.
 */
#ifndef HARNESS_CONSOLE_RESULTS_H
#define HARNESS_CONSOLE_RESULTS_H

#include "harness/case/error.h"
#include "harness/case/text.h"
#include "harness/console/payload.h"
#include "harness/console/view.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the records of one run lie: [first, end) in the array below. */
struct console_run_records {
    bool is_over; /* it has a RUN record */
    struct console_run_result result;
    size_t first, end;
};

struct console_record_place {
    uint32_t kind, bytes;
    const uint8_t *payload;
};

struct console_results {
    const char *name;
    struct console_about about; /* the first */
    uint32_t starts;            /* ABOUT records */
    bool is_complete;           /* END was there */
    bool is_cut;                /* bytes behind the last whole record */
    size_t whole;               /* bytes of whole records */
    struct console_record_place *records;
    size_t record_count;
    struct console_run_records *runs; /* one for each of the payload's runs */
    uint32_t run_count;
    struct console_run_result *tests; /* self-test i by way w at w * test_count + i, the latest */
    bool *tested;
    uint32_t test_count;
    struct console_way_choice choice; /* the last */
    bool has_choice;
    uint32_t missing; /* capabilities that did not come back in any of its starts */
};

/*
 * `bytes` are borrowed for the life of *out. HARNESS_BAD_INPUT, with the offset, if there is no whole record, if they
 * are of another export than `view`, or if a record with a right CRC-32 holds nonsense.
 */
enum harness_status console_results_parse(const char *name, const uint8_t *bytes, size_t size,
                                          const struct console_view *view, struct console_results *out,
                                          struct harness_error *error);
void console_results_free(struct console_results *results);

/* The STEP record of a run; false if it did not come so far. */
bool console_results_step(const struct console_results *results, uint32_t run, uint32_t step,
                          struct console_step_result *out);

/* The next page of a step from record *at on (begin with the run's `first`): its address, and its bytes; NULL: no more.
 */
const uint8_t *console_results_page(const struct console_results *results, uint32_t run, uint32_t step, size_t *at,
                                    uint32_t *address);

/* "New 3DS", ...: by what the hardware says. Static. */
const char *console_model(const struct console_about *about);

/* "ok", "hang", ...; static. */
const char *console_run_status_name(uint32_t status);

/* "texture copy", ...: how bytes came from VRAM; static. */
const char *console_way_name(uint32_t way);

/* Appends "loaded bytes, fills, ...": capabilities, or'ed. */
void console_capabilities_say(uint32_t capabilities, struct harness_text *out);

#endif
