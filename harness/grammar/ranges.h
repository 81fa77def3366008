/*
 * Which ranges of memory draws and engines name. They follow from registers alone, so that the generator, the mutator
 * and harness/coverage agree about them: what a draw names, not what its pixels happen to touch.
 */
#ifndef HARNESS_RANGES_H
#define HARNESS_RANGES_H

#include "pica/enums.h"

#include <stdbool.h>
#include <stdint.h>

/* What a range is used as; the depth buffer includes stencil. */
enum harness_range_kind {
    HARNESS_RANGE_TEXTURE = 0, /* level 0 of an image, or of a face */
    HARNESS_RANGE_LEVEL = 1,   /* one of the smaller levels */
    HARNESS_RANGE_ARRAY = 2,
    HARNESS_RANGE_INDICES = 3,
    HARNESS_RANGE_LIST = 4, /* of commands, and so the source of tables, uniforms, code */
    HARNESS_RANGE_COLOR = 5,
    HARNESS_RANGE_DEPTH = 6,
    HARNESS_RANGE_SOURCE = 7 /* of a display transfer or texture copy */
};

/* What writes one. */
enum harness_writer {
    HARNESS_WRITER_LOAD = 0, /* the CPU */
    HARNESS_WRITER_FILL = 1,
    HARNESS_WRITER_TRANSFER = 2,
    HARNESS_WRITER_COPY = 3,
    HARNESS_WRITER_DRAW = 4
};

enum {
    HARNESS_RANGE_KINDS = 8,
    HARNESS_WRITERS = 5,
    HARNESS_MOST_LEVELS = 11, /* of an image: width and height have 11 bits each (MIP-02) */
    /* Of a draw: images of 3 units and of 5 more faces, 12 arrays, indices, 2 buffers. */
    HARNESS_MOST_RANGES = (3 + 5) * HARNESS_MOST_LEVELS + 12 + 1 + 2
};

struct harness_range {
    enum harness_range_kind kind;
    uint32_t address;
    uint32_t bytes; /* at least 1 */
    uint32_t unit;  /* bytes of the smallest part that is read as one: a tile, a row of an array, an index */
    uint32_t which; /* tells two ranges of one kind apart: an array, or unit << 8 | face << 4 | level of a texture */
};

struct harness_ranges {
    struct harness_range items[HARNESS_MOST_RANGES];
    uint32_t count;
};

/* "texture", "memory fill", ...; static. */
const char *harness_range_kind_name(enum harness_range_kind kind);
const char *harness_writer_name(enum harness_writer writer);

enum harness_draw_kind {
    HARNESS_DRAW_ARRAYS,
    HARNESS_DRAW_ELEMENTS,
    HARNESS_DRAW_IMMEDIATE
};

/* The ranges that a draw with these registers (PICA_REGISTERS words) names. Indices are not read: of an array these are
 * as many rows as there are vertices, 64 at most. */
void harness_ranges_of_draw(const uint32_t *registers, enum harness_draw_kind kind, struct harness_ranges *out);

/* What a memory fill with these words writes; false if nothing. */
bool harness_range_of_fill(const uint32_t words[4], struct harness_range *out);

/* What a display transfer or texture copy with these words reads and writes, gaps included; false if nothing. */
bool harness_ranges_of_transfer(const uint32_t words[9], struct harness_range *in, struct harness_range *out);

/* Do two ranges overlap? */
static inline bool harness_ranges_meet(uint32_t a, uint32_t a_bytes, uint32_t b, uint32_t b_bytes)
{
    return a < b ? b - a < a_bytes : a - b < b_bytes;
}

#endif
