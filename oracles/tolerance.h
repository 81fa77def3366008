/*
 * How far a renderer that is not exact may be off. What is inside is counted, never called equal; between our own two
 * nothing is tolerated (who calls sees to that).
 *
 * Pixels are judged where pictures are known: the colour and depth buffers of draws, outputs of transfers. Bytes that
 * differ elsewhere are differences.
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
    uint32_t channels[4]; /* red, green, blue, alpha: most that a channel may be off, in steps of 1/255 */
    uint32_t depth;       /* steps of the buffer's format */
    uint32_t edge;        /* a pixel may be like one at most so many away of the other side: coverage along edges */
    uint32_t filter; /* a channel may lie between the least and the most of the other side's so many pixels around it */
    uint32_t ulps;   /* of binary32 values: uniforms, fixed attributes, values of traces */
};

/* Nothing may be off. */
bool oracle_tolerance_is_none(const struct oracle_tolerance *tolerance);

/* What was allowed. */
struct oracle_allowance {
    uint64_t pixels;        /* that differ and are within */
    uint64_t edge_pixels;   /* of them by `edge` alone */
    uint64_t filter_pixels; /* of them by `filter` alone */
    uint32_t most;          /* largest difference of a channel that `channels` allowed */
    uint32_t most_depth;    /* steps */
    uint64_t values;        /* binary32 values within `ulps` */
};

void oracle_allowance_add(struct oracle_allowance *sum, const struct oracle_allowance *other);

/* "max 2 in 113 pixels, 4 more along edges"; "" if nothing was. */
void oracle_allowance_text(const struct oracle_allowance *allowance, char *out, size_t size);

/* Bits of two binary32 values: at most `ulps` apart? Equal bits always are; a NaN is like another one. */
bool oracle_within_ulps(uint32_t a, uint32_t b, uint32_t ulps);

/* Room for what `oracle_tolerate` gives back; all windows of the case, one after another, in `memory`. */
struct oracle_tolerated {
    struct pica_state state;
    uint8_t *memory;
    size_t size; /* bytes of it; if it is too small, nothing is allowed */
};

/*
 * *out becomes what `b` would be without what is allowed: there it has what `a` has. Compare `a` with it by the exact
 * oracles, and what they find is beyond the tolerance. Registers, engines, interrupts, tables and events stay exact; so
 * do screens, but where pixels were allowed: what a screen shows comes of them, and is not compared.
 */
void oracle_tolerate(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surfaces,
                     size_t count, const struct oracle_tolerance *tolerance, struct oracle_tolerated *space,
                     struct oracle_run *out, struct oracle_allowance *allowed);

#endif
