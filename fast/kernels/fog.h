/* Fog (FOG). Draws that have it take the general way. Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_FOG_H
#define FAST_KERNELS_FOG_H

#include "fast/kernels/block.h"

/* Step 4 of FBF-21: fog changes r, g, b in place. Called only if state->fog.enabled. */
void FAST_ISA(fast_fog_block)(const struct fast_shading_state *state, const struct fast_block *block,
                              struct fast_colors *colors);

#endif
