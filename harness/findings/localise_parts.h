/* What the files of the localiser share. Nobody else includes this. */
#ifndef HARNESS_FINDINGS_LOCALISE_PARTS_H
#define HARNESS_FINDINGS_LOCALISE_PARTS_H

#include "harness/findings/localise.h"
#include "harness/run/checkpoint.h"
#include "pica/regs.h"

/* Steps copied out of a trace. */
struct harness_recorded {
    struct pica_trace_step *steps;
    size_t count, capacity;
    bool failed; /* no memory for all of them */
};

struct harness_localise {
    struct harness_runner *runners[2];
    struct oracle_run runs[2]; /* as of the last collect */
    struct harness_checkpoint *checkpoint;
    const struct pica_operation *operation; /* the guilty one */
    struct harness_recorded recorded[2];
};

void harness_localise_note(struct harness_location *location, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* On both sides. */
enum harness_status harness_localise_load(struct harness_localise *search, const struct pica_setup *setup,
                                          struct harness_error *error);
enum harness_status harness_localise_step(struct harness_localise *search, const struct pica_operation *operation,
                                          struct harness_error *error);
enum harness_status harness_localise_collect(struct harness_localise *search, struct harness_error *error);

/* From the checkpoint, the guilty operation with a budget of so many commands; collects. */
enum harness_status harness_localise_run_commands(struct harness_localise *search, uint32_t commands, bool *differ,
                                                  struct harness_error *error);

/* From the command on: draw, pixel, triangle, vertex, stage. The runs hold the state after the command. */
enum harness_status harness_localise_draw(struct harness_localise *search, struct harness_location *out,
                                          struct harness_error *error);

#endif
