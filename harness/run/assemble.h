/* A case out of what a debugger shows of an emulator: a command list, dumped memory, dumped registers. */
#ifndef HARNESS_RUN_ASSEMBLE_H
#define HARNESS_RUN_ASSEMBLE_H

#include "harness/case/formats.h"

/* A part of the state (pica/state.def), as a file of docs/formats/registers.md. */
struct harness_dumped_part {
    uint32_t part;
    const char *name; /* of the file, for messages */
    const uint8_t *bytes;
    size_t size;
};

struct harness_dumped {
    const char *name;                /* what messages call it */
    const struct pica_chunk *memory; /* inside VRAM and FCRAM; where two overlap they are the same */
    uint32_t memory_count;
    const struct harness_dumped_part *parts; /* each once */
    uint32_t part_count;
    uint32_t list_address, list_size; /* the list lies in `memory` */
};

/*
 * Of the memory the case gets the pages that the list reads or draws to when the reference runs it. `warnings` (may be
 * NULL) names the pages that it reads and nobody gave a byte of: zeros there.
 */
enum harness_status harness_assemble(struct harness_case *out, const struct harness_dumped *dumped,
                                     struct harness_text *warnings, struct harness_error *error);

#endif
