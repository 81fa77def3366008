/* Lighting and the combiner on the quick way (cell.h), for draws of FAST_QUICK_STAGES. */
#ifndef FAST_KERNELS_FRAGMENT_QUICK_H
#define FAST_KERNELS_FRAGMENT_QUICK_H

#include "fast/kernels/cell.h"

/* A colour of every cell. */
struct fast_cell_colors {
    struct fast_pairs of[FAST_CELLS];
};

/*
 * Lighting, which is enabled, may be bounded and reads no texture. Sets the results that somebody looks at. Returns the
 * cells (bit n: number n) that prove not to be bounded (lighting_terms.h): their results are nothing.
 */
uint32_t FAST_ISA(fast_light_cells)(const struct fast_lighting *lighting, const struct fast_cell *cells, uint32_t count,
                                    struct fast_cell_colors *primary, struct fast_cell_colors *secondary);

/* The same for a d0 light whose look-up is by N.H (lighting_d0.h). */
uint32_t FAST_ISA(fast_light_d0_cells)(const struct fast_lighting *lighting, const struct fast_cell *cells,
                                       uint32_t count, struct fast_cell_colors *primary,
                                       struct fast_cell_colors *secondary);

/* The combiner stages; `sources` by id (TEV-05), NULL where the decoded stages read nothing. Sets `color` of the
 * cells. */
void FAST_ISA(fast_combine_cells)(const struct fast_combiner *combiner,
                                  const struct fast_cell_colors *const sources[16], struct fast_cell *cells,
                                  uint32_t count);

/*
 * Step 2 of FBF-21 for draws of FAST_QUICK_STAGES: sets `color` of all cells. Returns the cells (bit n: number n) whose
 * result is nothing: they have to be shaded in another way.
 */
uint32_t FAST_ISA(fast_stage_cells)(const struct fast_shading_state *state, struct fast_cell *cells, uint32_t count);

#endif
