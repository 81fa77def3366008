/*
 * Follows a list through its jumps, as it lies in memory, and finds out what must be known before a console runs it:
 * where it ends, whether it jumps, whether its draws are flushed.
 */
#ifndef HARNESS_CONSOLE_WALK_H
#define HARNESS_CONSOLE_WALK_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the draws of the list were, in their order: of pica_draw. */
struct console_draw_place {
    uint32_t list_address, list_word;
};

struct console_walk {
    /* What the walk is given. */
    const struct pica_window *windows;
    const uint8_t *const *bytes; /* of each window */
    uint32_t window_count;
    const struct console_draw_place *draws;
    size_t draw_count;
    uint32_t cmdbuf[4]; /* words 0x238-0x23B before it starts */
    /* What it finds. */
    bool jumps;
    bool finalizes;            /* by a command of its own: else the walk lost its way */
    bool unflushed;            /* a draw that no flush came after */
    bool flush_without_draw;   /* HNG-01 */
    bool upper_half;           /* HNG-07 */
    bool masked_finalize;      /* FINALIZE is written under a mask: which bytes it keeps is not known on a console */
    bool unaligned;            /* CON-42: a size that is no multiple of 16 */
    uint32_t finalize_address; /* of that command's first word */
    uint32_t finalize_value;   /* and that word */
};

/* HNG-07: does this write, of the bytes of the mask, leave another upper half than 0x7FFF where that may hang? */
bool console_upper_half(uint32_t id, uint32_t value, uint32_t byte_mask);

void console_walk_list(struct console_walk *walk, uint32_t address, uint32_t size);

#endif
