/*
 * The moments of a run at which its state is kept: before everything, after each draw, and after each operation. The
 * first run of a case counts them, so that each has its number from then on, on both sides.
 */
#ifndef HARNESS_EXPLORE_MOMENTS_H
#define HARNESS_EXPLORE_MOMENTS_H

#include "harness/explore/draws.h"

/* Of the draw with this index. */
uint32_t explore_moment_of_draw(const struct harness_draws *draws, uint32_t draw);

/* After a step of the program. */
uint32_t explore_moment_of_step(const struct harness_draws *draws, uint32_t step);

/* Index of the first draw of a step, or of the next one that draws. */
uint32_t explore_first_draw(const struct harness_draws *draws, uint32_t step);

#endif
