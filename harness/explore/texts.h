/*
 * What the page says of each moment in words: the commands since the one before, the registers that changed, the values
 * of the first vertices. Chunks of 32 moments, as buffers have them.
 */
#ifndef HARNESS_EXPLORE_TEXTS_H
#define HARNESS_EXPLORE_TEXTS_H

#include "harness/explore/script.h"
#include "harness/run/runner.h"

#include <cjson/cJSON.h>
#include <stdint.h>

struct explore_texts {
    const char *directory;
    struct harness_runner *runner;
    uint32_t registers[PICA_REGISTERS]; /* at the moment before */
    cJSON *chunk;                       /* NULL: none is open */
    uint32_t chunk_number;
    uint32_t list, size;          /* of the list that runs, and its bytes, if it is the operation's own */
    uint32_t position;            /* words of it that were shown */
    struct harness_text vertices; /* lines of the draw that runs */
    uint64_t total;
};

void explore_texts_open(struct explore_texts *texts, struct harness_runner *runner, const char *directory);
void explore_texts_close(struct explore_texts *texts);

/* An operation begins; `address` and `size` of its list, or 0. */
void explore_texts_list(struct explore_texts *texts, uint32_t address, uint32_t size);

/* A step of a vertex of the draw that runs. */
void explore_texts_vertex(struct explore_texts *texts, uint32_t vertex, const struct pica_trace_step *step);

/* The state of a moment. `draw`: the one that has just been reported, or NULL at an operation's end. */
enum harness_status explore_texts_take(struct explore_texts *texts, uint32_t moment, const uint32_t *registers,
                                       const struct pica_draw *draw, struct harness_error *error);

/* Writes the chunk that is open, if one is. */
enum harness_status explore_texts_end(struct explore_texts *texts, struct harness_error *error);

#endif
