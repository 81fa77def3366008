/* The alpha test (ATS), step 3 of FBF-21. Draws that have one take the general way. */
#ifndef FAST_KERNELS_ALPHA_TEST_H
#define FAST_KERNELS_ALPHA_TEST_H

#include "fast/draw/fragment_state.h"
#include "fast/kernels/block.h"
#include "fast/kernels/compare.h"

/* ATS-01 */
static inline v_mask test_alpha(const struct fast_fragment_state *raster, const struct fast_colors *colors,
                                v_mask alive)
{
    const v_u32 alpha = v_u32_from_u16(colors->channel[3]);
    return v_mask_and(alive, compare(raster->alpha_function, alpha, v_u32_splat(raster->alpha_reference)));
}

#endif
