/* A recording in memory. Private to harness/run. */
#ifndef HARNESS_RUN_RECORDING_PARTS_H
#define HARNESS_RUN_RECORDING_PARTS_H

#include "harness/run/history.h"
#include "harness/run/kind.h"
#include "harness/run/plug_in.h"
#include "harness/run/recording.h"

/* What is there after one operation, as changes against the step before. */
struct recording_step {
    struct harness_history history;
    uint32_t raw;                 /* bytes when unpacked */
    const uint8_t *deflated;      /* in the file */
    uint32_t size;                /* bytes */
    size_t offset;                /* of its block in the file */
    enum harness_absence absence; /* not NONE: there is nothing, and why */
    uint32_t code;                /* CRASH: signal, or 256 + exit code */
};

struct harness_recording {
    struct harness_special special; /* first, so that its address is that of the recording */
    struct harness_declaration declaration;
    char name[HARNESS_RECORDING_TEXT + 16], summary[3 * HARNESS_RECORDING_TEXT + 64];
    struct harness_recording_head head;
    uint8_t *file;                  /* owned; NULL if the bytes are the caller's */
    size_t cases_begun, cases_done; /* one that is not done died on the way */
    bool has_facts;
    struct recording_step *steps; /* by history */
    size_t step_count;
};

/* NULL: not recorded. */
const struct recording_step *recording_find(const struct harness_recording *recording,
                                            const struct harness_history *history);

/* Fills backend and declaration from the head. */
void recording_make_backend(struct harness_recording *recording);

#endif
