/* What writer and reader of recorded results share (docs/formats/results.md). Private to harness/run. */
#ifndef HARNESS_RUN_RECORDING_FORMAT_H
#define HARNESS_RUN_RECORDING_FORMAT_H

#include "harness/run/blocks.h"
#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

static const char recording_magic[8] = { 'P', 'I', 'C', 'A', 'R', 'E', 'S', '1' };

enum {
    RECORDING_MAGIC = 8,         /* bytes */
    RECORDING_STEP = 20,         /* history, bytes of the rest before it was deflated; of NONE: history, why */
    RECORDING_CODE_SHIFT = 8,    /* of NONE: from this bit on how a crash ended */
    RECORDING_MOST_RAW = 1 << 28 /* bytes of a step, more is never written */
};

/* Kinds of blocks. */
enum recording_kind {
    RECORDING_HEAD = 0x44414548, /* "HEAD" as a little-endian word: once, first */
    RECORDING_CASE = 0x45534143, /* "CASE": the name of the case whose steps follow */
    RECORDING_DATA = 0x41544144, /* "DATA": what is there after one operation */
    RECORDING_NONE = 0x454E4F4E, /* "NONE": there is nothing after this operation, and why (version 2) */
    RECORDING_FACT = 0x54434146, /* "FACT": of the machine that it was recorded on (version 2) */
    RECORDING_DONE = 0x454E4F44, /* "DONE": the case is complete */
    RECORDING_LAST = 0x5453414C  /* "LAST": nothing follows */
};

/* Versions: 1; 2 where FACT or NONE may come; 3 of some pages; 4 with screens; 5 with both. */
enum {
    RECORDING_SOME_PAGES = 3,
    RECORDING_SCREENS = 4,
    RECORDING_BOTH = 5
};

/* Does a range hold a byte of the page at that address? */
static inline bool recording_range_meets(const struct pica_window *range, uint32_t page)
{
    return range->address < (uint64_t)page + PICA_PAGE_SIZE && page < (uint64_t)range->address + range->size;
}

#endif
