/* The canonical draw state: what a batch needs of the registers, decoded once and kept until a register changes. */
#ifndef FAST_DRAW_DRAW_STATE_H
#define FAST_DRAW_DRAW_STATE_H

#include "fast/draw/quick.h"
#include "fast/draw/fragment_state.h"
#include "fast/draw/shading_state.h"

struct fast_gpu;

struct fast_draw_state {
    struct fast_fragment_state raster;
    struct fast_shading_state shading;
    struct fast_quick quick; /* whether both are common */
    bool decoded;            /* since the last load or restore: otherwise the rest is of an earlier case */
};

/* Before fast_batch_begin: decodes what is dirty. */
void fast_draw_state_update(struct fast_gpu *gpu);

#endif
