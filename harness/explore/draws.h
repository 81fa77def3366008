/* What a case draws and where, found by one run: operations, draws, and the buffers of each. */
#ifndef HARNESS_EXPLORE_DRAWS_H
#define HARNESS_EXPLORE_DRAWS_H

#include "harness/case/case.h"
#include "harness/run/runner.h"
#include "oracles/pixels.h"

#include <stdbool.h>
#include <stdint.h>

struct harness_drawn {
    uint32_t step;         /* index in the program's operations */
    uint32_t number;       /* of the operation's draws, from 0 */
    uint32_t trigger;      /* register id */
    uint32_t list_address; /* 0: a CPU write */
    uint32_t list_word;
    uint32_t pixels; /* UINT32_MAX: not counted */
    bool has_color, has_depth;
    struct oracle_surface color, depth;
};

struct harness_draws {
    struct harness_drawn *items; /* in order, by the number that a trace request has */
    uint32_t count;
    bool failed; /* no memory */
    struct pica_choices choices;
    uint32_t step; /* that runs */
};

void harness_draws_init(struct harness_draws *draws, const struct pica_choices *choices);
void harness_draws_free(struct harness_draws *draws);

/* Loads and runs the whole program. PICA_NOT_SUPPORTED also where the backend does not report its draws. */
enum pica_status harness_draws_find(struct harness_draws *draws, struct harness_runner *runner,
                                    const struct harness_program *program);

/* Where the pixel (x, y), RST-01, of a buffer is; false: outside of it. */
bool harness_pixel_address(const struct oracle_surface *surface, uint32_t x, uint32_t y, uint32_t *address);

/*
 * The moments of a run at which its state is kept: before everything, after each draw, and after each operation. They
 * are numbered by this first run of the case, so that both sides have the same numbers.
 */

/* The moment after the draw with this index. */
uint32_t explore_moment_of_draw(const struct harness_draws *draws, uint32_t draw);

/* The moment after a step of the program. */
uint32_t explore_moment_of_step(const struct harness_draws *draws, uint32_t step);

/* Index of the first draw of a step, or where it has none, of the first draw after it. */
uint32_t explore_first_draw(const struct harness_draws *draws, uint32_t step);

#endif
