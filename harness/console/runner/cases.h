/* Executes the commands of a case, and records what they read. */
#ifndef HARNESS_CONSOLE_RUNNER_CASES_H
#define HARNESS_CONSOLE_RUNNER_CASES_H

#include "harness/console/runner/gpu.h"
#include "harness/console/runner/screen.h"
#include "harness/console/runner/store.h"

struct cases {
    const struct console_payload *payload;
    const struct gpu *gpu;
    struct store *store;
    struct console_linear linear; /* the block that linear offsets count from */
    uint32_t way;                 /* enum console_way: how bytes go to VRAM, and come from there */
    struct screen *screen;
    uint32_t shown; /* where in linear memory pictures are made that a SHOW shows: CASES_SHOW_BYTES */
};

enum {
    CASES_SHOW_BYTES = (CONSOLE_SHOW_BYTES + CONSOLE_SHOW_CODE_ROWS * CONSOLE_SHOW_TILES * 256 + CONSOLE_PAGE - 1) &
                       ~(CONSOLE_PAGE - 1) /* and the code, in whole pages */
};

/* The payload's tables lie inside it. */
bool cases_check(const struct console_payload *payload);

const struct console_case *cases_at(const struct console_payload *payload, uint32_t index);
const struct console_run *cases_run_at(const struct console_payload *payload, uint32_t index);

/* Runs a case to its end or to what ends it; result->run, case_index and pass are the caller's, the rest is set here.
 * A self-test has a `run` of STORE_SELF_TEST or more; its pages are recorded whatever its pass. */
void cases_execute(const struct cases *cases, struct console_run_result *result);

#endif
