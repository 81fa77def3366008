/*
 * A command processor around `reference`, for example plug-ins that stand for emulators. It decodes lists according to
 * the specification (CMD, SUB), keeps a copy of the registers, and passes one parameter after the other to the GPU, in
 * blocks of one-word commands. The plug-in may change registers for a draw; they are restored after it. The case's
 * values of ids 0x238-0x23D are kept only here, because the GPU's own registers are used to run the blocks.
 */
#ifndef EXAMPLE_PROCESSOR_H
#define EXAMPLE_PROCESSOR_H

#include "pica/backend.h"

#include <stdbool.h>

enum {
    PROCESSOR_BLOCK_WORDS = 1024 /* a page */
};

struct processor {
    void *core; /* of ref_backend() */
    void *user;

    /* Called before a draw by register `id`: may change `bent`, a copy of the registers, for this draw. A status other
     * than PICA_OK becomes that of the operation. */
    enum pica_status (*before_draw)(void *user, uint32_t id, uint32_t *bent);
    enum pica_status (*after_draw)(void *user); /* or NULL */

    struct pica_window windows[PICA_MAX_WINDOWS]; /* those of the case, then one page for blocks of commands */
    uint32_t window_count;                        /* of the case */
    uint32_t command_limit;
    uint32_t registers[PICA_REGISTERS];    /* as the case wrote them */
    uint32_t written[PICA_REGISTERS / 32]; /* since load: bit id % 32 of word id / 32 */
    uint32_t interrupts;                   /* P3D, as last seen */
    uint32_t block[PROCESSOR_BLOCK_WORDS];
    uint32_t block_words;
    enum pica_status status; /* of the calls of an operation: the first that was not PICA_OK */
    struct pica_state state; /* scratch */
};

/* PICA_NOT_SUPPORTED if the case has the greatest number of windows, which leaves none for the blocks. */
enum pica_status processor_load(struct processor *processor, const struct pica_setup *setup);

/* Any operation. */
enum pica_status processor_run(struct processor *processor, const struct pica_operation *operation);

/* The state of the GPU, with the registers as they are kept here. */
enum pica_status processor_read_state(struct processor *processor, struct pica_state *out);

#endif
