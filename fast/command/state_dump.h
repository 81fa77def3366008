/* The machine as a dump: reset, import and export of everything but memory (REG-02 to REG-04, REG-45). */
#ifndef FAST_COMMAND_STATE_DUMP_H
#define FAST_COMMAND_STATE_DUMP_H

#include "pica/backend.h"

struct fast_gpu;

void fast_state_reset(struct fast_gpu *gpu);

/* Any bytes are accepted: members out of range are limited. */
void fast_state_import(struct fast_gpu *gpu, const struct pica_state *state);

/* REG-04, GEN-02: canonical; equal machines give equal bytes. */
void fast_state_export(const struct fast_gpu *gpu, struct pica_state *state);

#endif
