/*
 * Memory that is read, written and read again, where caches and batches go wrong: follows a run draw by draw and
 * operation by operation, and reports for each range that is read who wrote it last, and whether it had been read
 * before that.
 *
 * Ranges are those that registers name (harness/grammar/ranges.h), so a draw counts as a write of its whole buffers.
 */
#ifndef HARNESS_COVERAGE_REREADS_H
#define HARNESS_COVERAGE_REREADS_H

#include "harness/grammar/ranges.h"
#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

/* How much of the range the last write covers. */
enum harness_reread_part {
    HARNESS_PART_ALL = 0,
    HARNESS_PART_FIRST = 1, /* from its first byte on, but not all */
    HARNESS_PART_LAST = 2,
    HARNESS_PART_INSIDE = 3
};

enum {
    HARNESS_REREAD_PARTS = 4,
    HARNESS_REREAD_READS = 128, /* the latest reads and writes are remembered; one draw has fewer */
    HARNESS_REREAD_WRITES = 64
};

/* A read of something that was written during the run. */
struct harness_reread {
    enum harness_range_kind reader;
    enum harness_writer writer; /* the last one */
    bool before;                /* it was read before that write, too, */
    bool first;                 /* and not since */
    enum harness_reread_part part;
};

typedef void (*harness_reread_observer)(void *user, const struct harness_reread *reread, bool effect);

struct harness_rereads {
    struct record {
        struct harness_range range;
        enum harness_writer writer;
        uint32_t first, last; /* when, as `now` counts */
    } reads[HARNESS_REREAD_READS], writes[HARNESS_REREAD_WRITES];
    uint32_t read_count, write_count;
    uint32_t now;
    uint32_t operation; /* when the current operation began */
    harness_reread_observer observer;
    void *user;
};

void harness_rereads_begin(struct harness_rereads *rereads, harness_reread_observer observer, void *user);

/* To be called after each draw, and after each operation and so after its draws. `effect`: the draw changed pixels. */
void harness_rereads_draw(struct harness_rereads *rereads, const struct pica_draw *draw, bool effect);
void harness_rereads_operation(struct harness_rereads *rereads, const struct pica_operation *operation);

#endif
