/*
 * The scissor test (SCS), part of step 1 of FBF-21. Mode 3 is done before: it cuts the box of the triangle (set_up.c,
 * tiles/raster_set_up.c). Draws with mode 1 take the general way.
 */
#ifndef FAST_KERNELS_SCISSOR_H
#define FAST_KERNELS_SCISSOR_H

#include "fast/kernels/raster.h"

/* SCS-01, mode 1: only what lies outside of the box is drawn. */
static inline v_mask test_scissor(const struct setting *setting, const struct fast_block_item *item, v_mask covered)
{
    if (!setting->raster->scissor_outside)
        return covered;
    return v_mask_andnot(covered, lanes_in_box(setting, item, &setting->raster->scissor_memory));
}

#endif
