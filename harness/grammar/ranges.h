/*
 * Which memory draws and engines name: the table of ranges in use. It follows from registers alone, so that the
 * generator, the mutator and those who count (harness/coverage) have the same one: what a draw names, not what its
 * pixels happen to touch.
 */
#ifndef HARNESS_RANGES_H
#define HARNESS_RANGES_H

#include "pica/enums.h"

#include <stdbool.h>
#include <stdint.h>

/* What a range is read as; depth holds stencil, too. */
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
    uint32_t which; /* texture unit, array, level and face: of two ranges of one kind, are they the same one? */
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

/* What a draw with these registers (PICA_REGISTERS words) names. Arrays: their rows up to the number of vertices, 64 at
 * most, as indices are not looked at. */
void harness_ranges_of_draw(const uint32_t *registers, enum harness_draw_kind kind, struct harness_ranges *out);

/* A memory fill, by its words; false: it writes nothing. */
bool harness_range_of_fill(const uint32_t words[4], struct harness_range *out);

/* A display transfer or texture copy, by its nine words: what it reads and what it writes, gaps included. False: it
 * does nothing. */
bool harness_ranges_of_transfer(const uint32_t words[9], struct harness_range *in, struct harness_range *out);

/* Do two ranges meet? */
static inline bool harness_ranges_meet(uint32_t a, uint32_t a_bytes, uint32_t b, uint32_t b_bytes)
{
    return a < b ? b - a < a_bytes : a - b < b_bytes;
}

#endif
