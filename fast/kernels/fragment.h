/* Step 2 of FBF-21, both ways: texture units, lighting, combiner. Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_FRAGMENT_H
#define FAST_KERNELS_FRAGMENT_H

#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"

/* Step 2 of FBF-21: texture units, lighting, combiner. Lanes that are not covered may get any value 0..255. */
void FAST_ISA(fast_shade_block)(const struct fast_shading_state *state, const struct fast_block *block,
                                struct fast_colors *out);

/*
 * Step 2 of FBF-21 for draws of FAST_QUICK_STAGES: sets `color` of all cells. Returns the cells (bit n: number n) whose
 * results are invalid: fast_shade_block has to shade these.
 */
uint32_t FAST_ISA(fast_stage_cells)(const struct fast_shading_state *state, struct fast_cell *cells, uint32_t count);

#endif
