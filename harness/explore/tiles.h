/*
 * Histories of pixels, filed by tile of 32x32: a page that is asked for one pixel loads one small file. Coordinates are
 * those of RST-01 (y up), of whatever buffer.
 */
#ifndef HARNESS_EXPLORE_TILES_H
#define HARNESS_EXPLORE_TILES_H

#include "harness/explore/buffers.h"
#include "harness/explore/script.h"
#include "pica/visits.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    EXPLORE_TILE = 32,        /* pixels along a side */
    EXPLORE_TILE_COLUMNS = 64 /* what lies beyond 2048 pixels has no history */
};

struct explore_tile;

/* Begins with zeros, but for `most`. */
struct explore_tiles {
    struct explore_tile *tiles[EXPLORE_TILE_COLUMNS * EXPLORE_TILE_COLUMNS];
    uint64_t count; /* records */
    uint64_t most;  /* of them; what comes later is left out */
    bool is_cut;    /* something was */
    bool failed;    /* no memory */
};

void explore_tiles_free(struct explore_tiles *tiles);

/* A fragment; `steps`: its stages as text, or NULL. */
void explore_tiles_visit(struct explore_tiles *tiles, uint32_t moment, const struct pica_visit *visit,
                         const char *steps);

/* An operation other than a list changed a pixel; `height` of its surface. */
void explore_tiles_change(struct explore_tiles *tiles, uint32_t moment, const struct explore_change *change,
                          uint32_t height);

/* Writes all tiles; appends their names ("3-4", column and row) to `names`, with commas and quotes, as JSON. */
enum harness_status explore_tiles_write(const struct explore_tiles *tiles, const char *directory,
                                        struct harness_text *names, uint64_t *total, struct harness_error *error);

#endif
