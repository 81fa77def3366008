/* Registers -> canonical draw state, once per change: the only way of raw registers to the fragment side of a draw. */
#include "fast/draw/draw_state.h"

#include "fast/gpu.h"
#include "fast/pipeline.h"

void fast_draw_state_update(struct fast_gpu *gpu)
{
    if (gpu->raster_dirty)
        fast_fragment_state_decode(gpu, &gpu->draw->raster);
    if (gpu->shading_dirty)
        fast_shading_state_decode(gpu, &gpu->draw->shading);
    if (gpu->raster_dirty || gpu->shading_dirty)
        fast_quick_choose(&gpu->draw->raster, &gpu->draw->shading, &gpu->draw->quick);
    gpu->raster_dirty = false;
    gpu->shading_dirty = false;
    gpu->draw->decoded = true;
}
