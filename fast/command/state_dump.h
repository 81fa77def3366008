/* The machine as a dump: reset, import and export of everything but memory (REG-02 to REG-04, REG-45). */
#ifndef FAST_COMMAND_STATE_DUMP_H
#define FAST_COMMAND_STATE_DUMP_H

#include "pica/backend.h"
#include "pica/state.h"

struct fast_geometry;
struct fast_gpu;
struct fast_memory;
struct fast_primitives;
struct fast_shader_unit;

void fast_state_reset(struct fast_gpu *gpu);

/* Parts of it, which an import needs, too. The last one marks all that is derived from state as changed. */
void fast_geometry_clear(struct fast_geometry *geometry);
void fast_primitives_clear(struct fast_primitives *primitives);
void fast_tables_clear(struct fast_gpu *gpu);
void fast_unit_clear(struct fast_shader_unit *unit);
void fast_state_forget_derived(struct fast_gpu *gpu);

/* Makes all of a dump 0, of which these blocks are known to be. */
void fast_dump_clear(struct pica_state *state, struct pica_state_blocks *zeros);

/* Zeroes what was touched, so that the arena is all zero again: a case costs what it uses. */
void fast_memory_clear(struct fast_memory *memory);

/* Any bytes are accepted: members out of range are limited. */
void fast_state_import(struct fast_gpu *gpu, const struct pica_state *state);

/* REG-04, GEN-02: canonical; equal machines give equal bytes. `zeros`: the blocks of `state` that are known to hold
 * nothing but 0, before and after. */
void fast_state_export(const struct fast_gpu *gpu, struct pica_state *state, struct pica_state_blocks *zeros);

#endif
