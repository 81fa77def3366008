/* All that became of one pixel of a case: fragments with their steps, and what each operation did to its bytes. */
#ifndef HARNESS_EXPLORE_PIXEL_HISTORY_H
#define HARNESS_EXPLORE_PIXEL_HISTORY_H

#include "harness/explore/draws.h"
#include "oracles/trace_equal.h"
#include "pica/visits.h"

#include <stddef.h>

/* The pixel of one colour or depth buffer, as any draw has it. */
struct harness_pixel_target {
    struct oracle_surface surface;
    bool is_depth;
    uint32_t address; /* of the pixel */
    uint8_t first[4]; /* before the first operation */
    uint8_t last[4];  /* after the last one */
};

/* How much a backend tells. */
enum harness_pixel_source {
    HARNESS_PIXEL_VISITS, /* fragments, what was stored before and after each, steps: `reference` in this process */
    HARNESS_PIXEL_TRACES, /* fragments and steps */
    HARNESS_PIXEL_MEMORY  /* the bytes after each operation */
};

struct harness_pixel_fragment {
    uint32_t draw;           /* since the start */
    uint32_t number;         /* of the draw's at this pixel */
    struct pica_visit visit; /* HARNESS_PIXEL_VISITS */
    size_t first_step, end_step;
};

/* What an operation did to a target. Those that name it, read it or change it are kept. */
struct harness_pixel_touch {
    uint32_t step; /* index in the program's operations */
    size_t target;
    bool reads, writes; /* as a fill, transfer, copy or load says */
    uint8_t before[4], after[4];
};

struct harness_pixel_history {
    uint32_t x, y; /* RST-01 */
    enum harness_pixel_source source;
    struct harness_draws draws;
    struct harness_pixel_target *targets;
    size_t target_count;
    struct harness_pixel_fragment *fragments; /* in order */
    size_t fragment_count;
    struct harness_pixel_touch *touches; /* in order */
    size_t touch_count;
    struct pica_trace_step *steps; /* names last as long as the runner's instance */
    size_t step_count;
    bool failed; /* no memory */
};

/* `choices`: what the machine takes. */
void harness_pixel_history_init(struct harness_pixel_history *history, uint32_t x, uint32_t y,
                                const struct pica_choices *choices);
void harness_pixel_history_free(struct harness_pixel_history *history);

/*
 * Runs the program on the runner: twice, or once more for each draw with that pixel where there are only traces. Where
 * the backend does not report its draws, those of `reference` are taken. PICA_NOT_SUPPORTED: harness_runner_refusal.
 */
enum pica_status harness_pixel_history_take(struct harness_pixel_history *history, struct harness_runner *runner,
                                            const struct harness_program *program);

/* The steps of a fragment. */
struct oracle_trace harness_pixel_steps(const struct harness_pixel_history *history,
                                        const struct harness_pixel_fragment *fragment);

#endif
