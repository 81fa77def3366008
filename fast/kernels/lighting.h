/* Fragment lighting (LIT), both ways. Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_LIGHTING_H
#define FAST_KERNELS_LIGHTING_H

#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"

/*
 * Call only if lighting is enabled (50 section 1). Sets the results that are used; reads the units it needs (TEX-32).
 */
void FAST_ISA(fast_light_block)(const struct fast_lighting *lighting, const struct fast_block *block,
                                const v_u16 *const textures[4], struct fast_colors *primary,
                                struct fast_colors *secondary);

/*
 * Call only if lighting is enabled, may be bounded and reads no texture. Sets the results that are used. Returns the
 * cells (bit n: number n) that turn out not to be bounded (lighting_terms.h): their results are invalid.
 */
uint32_t FAST_ISA(fast_light_cells)(const struct fast_lighting *lighting, const struct fast_cell *cells, uint32_t count,
                                    struct fast_cell_colors *primary, struct fast_cell_colors *secondary);

/* The same for a d0 light whose look-up is by N.H (lighting_d0.h). */
uint32_t FAST_ISA(fast_light_d0_cells)(const struct fast_lighting *lighting, const struct fast_cell *cells,
                                       uint32_t count, struct fast_cell_colors *primary,
                                       struct fast_cell_colors *secondary);

#endif
