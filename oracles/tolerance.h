/*
 * How far a renderer that is not bit-exact may be off. Differences within the tolerance are counted and reported, never
 * called equal. The caller ensures that nothing is tolerated between the project's own two backends.
 *
 * Pixels are compared in known pictures: colour and depth buffers of draws, outputs of transfers. Elsewhere any
 * differing byte is a difference.
 */
#ifndef ORACLES_TOLERANCE_H
#define ORACLES_TOLERANCE_H

#include "oracles/pixels.h"
#include "oracles/run.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ORACLE_TOLERANCE_REACH = 8 /* the largest `edge` and `filter` */
};

struct oracle_tolerance {
    uint32_t channels[4]; /* red, green, blue, alpha: largest allowed difference, in steps of 1/255 */
    uint32_t depth;       /* largest allowed difference, in steps of the buffer's format */
    uint32_t edge;        /* a pixel may match one of the other side at most this many pixels away: coverage along
                             edges */
    uint32_t filter;      /* a channel may lie within the range of the other side's pixels at most this many away */
    uint32_t ulps;        /* allowed for binary32 values: uniforms, fixed attributes, values of traces */
};

/* Nothing may be off. */
bool oracle_tolerance_is_none(const struct oracle_tolerance *tolerance);

/* Counts of the differences that were allowed. */
struct oracle_allowance {
    uint64_t pixels;        /* that differ within the tolerance */
    uint64_t edge_pixels;   /* of these, allowed by `edge` alone */
    uint64_t filter_pixels; /* of these, allowed by `filter` alone */
    uint32_t most;          /* largest difference of a channel that `channels` allowed */
    uint32_t most_depth;    /* steps */
    uint64_t values;        /* binary32 values within `ulps` */
};

void oracle_allowance_add(struct oracle_allowance *sum, const struct oracle_allowance *other);

/* "max 2 in 113 pixels, 4 more along edges"; "" if nothing was. */
void oracle_allowance_text(const struct oracle_allowance *allowance, char *out, size_t size);

/* Are two binary32 values, given as bits, at most `ulps` apart? Equal bits always are, and so are two NaNs. */
bool oracle_within_ulps(uint32_t a, uint32_t b, uint32_t ulps);

/* Buffers for the result of oracle_tolerate. `memory` holds all windows of the case, one after another. */
struct oracle_tolerated {
    struct pica_state state;
    uint8_t *memory;
    size_t size; /* bytes of it; if it is too small, nothing is allowed */
};

/*
 * Sets *out to `b` with all allowed differences replaced by what `a` has. Whatever the exact oracles find between `a`
 * and *out is beyond the tolerance. Registers, engines, interrupts, tables and events must be exact. So must screens,
 * but they are not compared if any pixels were allowed, since the pictures come from these pixels.
 */
void oracle_tolerate(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surfaces,
                     size_t count, const struct oracle_tolerance *tolerance, struct oracle_tolerated *space,
                     struct oracle_run *out, struct oracle_allowance *allowed);

#endif
