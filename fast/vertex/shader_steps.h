/*
 * The steps of a plan (shader_plan.h), operation by operation: where each value lies, and what is computed. Used by
 * shader_plan.c alone.
 */
#ifndef FAST_VERTEX_SHADER_STEPS_H
#define FAST_VERTEX_SHADER_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/vertex/shader_plan.h"

enum {
    FAST_PLACE_IS_SCALAR = 0x8000, /* a place that is not a row */
    FAST_BUILT_ROWS = FAST_FRAME_SPREADS
};

/* Where a value lies: a row, or FAST_PLACE_IS_SCALAR | number. There are no negative scalars here: negated ones have
 * numbers of their own. */
struct fast_operand {
    uint16_t place;
    bool negative;
};

/* A relatively addressed register in the rows from FAST_FRAME_LOADS on. */
struct fast_plan_load {
    bool valid;
    uint32_t address; /* 0 = a0.x, 1 = a0.y */
    uint32_t number;
    uint32_t last_use;
};

struct fast_plan_builder {
    struct fast_plan *plan; /* gets the spread scalars */
    uint32_t step_count;
    uint32_t scratch_count;
    bool failed; /* no room */
    uint16_t value[FAST_BUILT_ROWS];
    uint8_t users[FAST_BUILT_ROWS]; /* how many other rows have their value here */
    struct fast_plan_load loads[FAST_PLAN_LOADS];
    uint32_t clock;
    uint16_t relative; /* place of x of the relatively addressed register of this operation */
    struct fast_step steps[FAST_PLAN_STEPS];
};

/* Nothing is computed yet; SHD-10: r, o and a0 are 0. */
void fast_steps_begin(struct fast_plan_builder *builder, struct fast_plan *plan);

/* The steps of one operation of the recorded way. */
void fast_steps_add(struct fast_plan_builder *builder, const struct fast_recorded *recorded);

/* A row that shows the value at `place`: the place itself, or a scalar in every lane. */
uint32_t fast_steps_row(struct fast_plan_builder *builder, uint16_t place);

#endif
