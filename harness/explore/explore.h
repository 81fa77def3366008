/*
 * The inside of a case as a page: operations, commands and draws; all buffers after each of them; textures, registers,
 * shaders with values of vertices; and for every pixel the fragments that reached it. Static files without network:
 * index.html, page.js, base.css, page.css, data.js, buffers/, tiles/, texts/, images/ (README.md).
 */
#ifndef HARNESS_EXPLORE_EXPLORE_H
#define HARNESS_EXPLORE_EXPLORE_H

#include "harness/case/case.h"
#include "harness/run/runner.h"

#include <stdint.h>

enum {
    HARNESS_EXPLORE_REGIONS = 64
};

/* Pixels whose fragments show each stage's value; coordinates of RST-01 (y up). */
struct harness_explore_region {
    uint32_t x, y, width, height;
};

struct harness_explore_request {
    const char *title;     /* what is looked at */
    const char *directory; /* exists; files in it are replaced */
    struct harness_explore_region regions[HARNESS_EXPLORE_REGIONS];
    size_t region_count;
    uint32_t vertices;  /* of each draw, from its first one on: their values in the shader are kept */
    uint64_t fragments; /* records of pixels at most; what comes later is left out, and the page says so */
    void (*progress)(void *user, uint32_t done, uint32_t of); /* operations; may be NULL */
    void *user;
};

struct harness_explored {
    uint32_t draws, surfaces;
    uint64_t records, bytes; /* of pixels; of all files */
    bool is_cut;             /* there were more records */
    bool differs;            /* the two sides do */
    bool right_has_draws;    /* pictures of the right side are after each draw, not only after each operation */
};

/*
 * Runs the program on `left`, a `reference` in this process (harness_observe_visits), and on `right`, if it is not
 * NULL, and writes the page. Where the two differ the place is found (harness_localise) and marked.
 */
enum harness_status harness_explore(const struct harness_explore_request *request, struct harness_runner *left,
                                    struct harness_runner *right, const struct harness_program *program,
                                    struct harness_explored *out, struct harness_error *error);

#endif
