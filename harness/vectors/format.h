/* What writer and reader of a pack share (docs/formats/vectors.md). Private to harness/vectors. */
#ifndef HARNESS_VECTORS_FORMAT_H
#define HARNESS_VECTORS_FORMAT_H

#include "harness/run/blocks.h"
#include "harness/run/surfaces.h"

#include <stdbool.h>
#include <stdint.h>

static const char vectors_magic[8] = { 'P', 'I', 'C', 'A', 'V', 'E', 'C', '1' };

enum {
    VECTORS_MAGIC = 8,          /* bytes */
    VECTORS_DIGEST = 12,        /* step and what, 2 bytes each; digest */
    VECTORS_SURFACE_WORDS = 8,  /* of a case's surface */
    VECTORS_MOST_TEXT = 1 << 26 /* bytes of a case's text */
};

enum vectors_kind {
    VECTORS_HEAD = 0x44414548, /* "HEAD" as a little-endian word: once, first */
    VECTORS_SIDE = 0x45444953, /* "SIDE": recorded results of one side of a known choice */
    VECTORS_CASE = 0x45534143, /* "CASE" */
    VECTORS_LAST = 0x5453414C  /* "LAST": nothing follows */
};

/* Surfaces beyond these sizes are not listed: they say where pixels are compared, and memory always is. */
static inline bool vectors_holds_surface(const uint32_t words[VECTORS_SURFACE_WORDS])
{
    return words[0] <= HARNESS_SURFACE_TRANSFER && words[5] <= ORACLE_FORMAT_DEPTH24_STENCIL8 &&
           words[6] <= ORACLE_LAYOUT_LINEAR && words[7] <= 1 && words[2] <= 4096 && words[3] <= 4096 &&
           words[4] <= 65536;
}

#endif
