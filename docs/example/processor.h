/*
 * A command processor around `reference`, for plug-ins that stand for emulators: it decodes lists as the specification
 * has it (CMD, SUB), keeps a copy of the registers, and hands the GPU one parameter after the other, in blocks of
 * one-word commands. Before a draw the plug-in may give it other registers than the case wrote, which come back after
 * it. Ids 0x238-0x23D are known here only: the GPU's own hold what the blocks need.
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

    /* What a draw by register `id` gets to see: `bent` is a copy of the registers. A status that is not PICA_OK is the
     * operation's. */
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

/* PICA_NOT_SUPPORTED if the case has all windows that there may be. */
enum pica_status processor_load(struct processor *processor, const struct pica_setup *setup);

/* Any operation. */
enum pica_status processor_run(struct processor *processor, const struct pica_operation *operation);

/* The GPU's, but for the registers that are kept here. */
enum pica_status processor_read_state(struct processor *processor, struct pica_state *out);

#endif
