/*
 * The quick way: shorter code in kernels/block_quick.h for common draws, with the same results. A draw is common if it
 * has: the default fragment mode; RGBA8, all of whose bits are written; no depth test and write, or those of a z buffer
 * of D24S8 without stencil; no alpha test; no scissor of mode 1; no fog; equation "add" for blending, or the logic
 * operation "copy". All other draws take the general way of kernels/block.c.
 */
#ifndef FAST_DRAW_QUICK_H
#define FAST_DRAW_QUICK_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/draw/fragment_state.h"
#include "fast/draw/shading_state.h"

/* Where the colour of a fragment comes from. Textures: a common 2D unit of one level. */
enum fast_quick_shading {
    FAST_QUICK_COLOR,    /* the interpolated colour */
    FAST_QUICK_TEXTURE,  /* one unit */
    FAST_QUICK_MODULATE, /* one unit times the interpolated colour */
    FAST_QUICK_STAGES,   /* units as above, lighting without textures, any combiner */
    FAST_QUICK_GENERAL   /* fast_shade_block */
};

struct fast_quick {
    bool active; /* otherwise nothing below is set */
    bool depth;  /* the depth buffer is read: there is a depth test or write */
    enum fast_quick_shading shading;
    uint32_t unit;     /* TEXTURE, MODULATE: 0-2; otherwise unused */
    bool blends;       /* otherwise the colour is stored as it is */
    bool splits_alpha; /* blends: alpha has other factors than r, g, b */
};

void fast_quick_choose(const struct fast_fragment_state *raster, const struct fast_shading_state *shading,
                       struct fast_quick *quick);

#endif
