/*
 * What all buffers of a case held at each moment, as stored. Chunks of 32 moments; the first picture of a chunk
 * is whole, the others are the rectangle that changed.
 */
#ifndef HARNESS_EXPLORE_BUFFERS_H
#define HARNESS_EXPLORE_BUFFERS_H

#include "harness/explore/script.h"
#include "harness/run/runner.h"
#include "harness/run/surfaces.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    EXPLORE_CHUNK = 32 /* moments in a file */
};

/* A pixel that changed: viewer's coordinates (y = 0 on top); its bits as stored. */
struct explore_change {
    size_t surface;
    uint32_t x, y;
    uint32_t before, after;
};

struct explore_buffers {
    const struct harness_surfaces *surfaces;
    struct harness_runner *runner;
    uint32_t side; /* 0 left, 1 right */
    const char *directory;
    uint8_t *was[HARNESS_MAX_SURFACES]; /* at the moment before */
    uint8_t *now;                       /* room for the largest */
    struct harness_text chunk;
    uint32_t chunk_number; /* UINT32_MAX: none is open */
    bool is_behind;        /* the chunk lacks what changed: its next picture is whole */
    uint64_t total;        /* bytes written */
    size_t begin;          /* of the last moment in the chunk */
    uint64_t digest;       /* of all surfaces, after the last moment */
};

enum harness_status explore_buffers_open(struct explore_buffers *buffers, const struct harness_surfaces *surfaces,
                                         struct harness_runner *runner, uint32_t side, const char *directory,
                                         struct harness_error *error);

/* Takes what all surfaces hold now. Moments rise. `tell` (may be NULL) gets each pixel that has changed since the
 * moment before. HARNESS_HOST where the backend cannot be read. */
enum harness_status explore_buffers_take(struct explore_buffers *buffers, uint32_t moment,
                                         void (*tell)(void *user, const struct explore_change *change), void *user,
                                         struct harness_error *error);

/* Drops the moment that was taken last: its buffers look as on the other side. */
void explore_buffers_forget(struct explore_buffers *buffers);

/* A moment at which no buffer has changed since the one before: nothing is read. */
enum harness_status explore_buffers_skip(struct explore_buffers *buffers, uint32_t moment, struct harness_error *error);

/* Writes the chunk that is open, if one is. */
enum harness_status explore_buffers_end(struct explore_buffers *buffers, struct harness_error *error);
void explore_buffers_close(struct explore_buffers *buffers);

#endif
