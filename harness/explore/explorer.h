/* What the files of this room share while a page is made: explore.c says in which order. */
#ifndef HARNESS_EXPLORE_EXPLORER_H
#define HARNESS_EXPLORE_EXPLORER_H

#include "harness/explore/explore.h"
#include "harness/explore/buffers.h"
#include "harness/explore/draws.h"
#include "harness/explore/resources.h"
#include "harness/explore/texts.h"
#include "harness/explore/tiles.h"
#include "harness/localise/localise.h"

#include <cjson/cJSON.h>

enum {
    EXPLORE_DIFFERING = 64 /* differing pixels that show each stage's value */
};

/* What the right side's run needs. Its buffers lack the moments at which both sides look the same. */
struct explore_right {
    struct harness_runner *runner;
    struct explore_buffers buffers;
    bool observes; /* its memory can be read after each draw */
    uint32_t draw; /* of the step that runs, from 0 */
};

struct explorer {
    const struct harness_explore_request *request;
    const struct harness_program *program;
    struct harness_runner *left;
    struct harness_draws draws;
    struct harness_surfaces surfaces;
    struct explore_buffers buffers;
    struct explore_texts texts;
    struct explore_resources resources;
    struct explore_tiles tiles;
    struct explore_right right;
    struct harness_location location; /* of the first difference */
    struct harness_explore_region differing_pixels[EXPLORE_DIFFERING];
    size_t differing_count;
    struct harness_text steps; /* of the fragment that runs */
    uint32_t vertex;           /* that runs, and not a fragment, if in_vertex */
    bool in_vertex;
    uint32_t draw; /* that runs, since load */
    uint32_t step;
    uint64_t *digests; /* of the left side's buffers, by moment */
    uint32_t moments;
    struct pica_state state;
    cJSON *draw_rows, *operation_rows, *differing;
    uint64_t bytes;
    enum harness_status status; /* of what an observer met */
    struct harness_error *error;
};

/* Index of a buffer; -1: none, or one that is not among them. */
int32_t explorer_surface(const struct explorer *explorer, bool has, const struct oracle_surface *wanted,
                         enum harness_surface_origin origin);

/* The last step of the program that comes from this operation of the case; program->count: none does. */
uint32_t explorer_step_of(const struct explorer *explorer, uint32_t operation);

/* Fills differing_pixels: pixels of the buffer where the two sides differ first, spread over all that differ after that
 * operation, the first one among them. */
enum harness_status explorer_find_differing(struct explorer *explorer);

/* The run of each side, and what it leaves in buffers, texts, resources and tiles. */
enum harness_status explorer_run_left(struct explorer *explorer);
enum harness_status explorer_run_right(struct explorer *explorer);

/* Writes data.js: an index of it all. */
enum harness_status explorer_write_main(struct explorer *explorer, const struct harness_text *tile_names);

/* Writes index.html, page.js, base.css and page.css, which are the same for every case; adds their bytes to *total. */
enum harness_status explore_write_page(const char *directory, uint64_t *total, struct harness_error *error);

#endif
