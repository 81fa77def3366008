/*
 * The viewport: from clip space to the grid of pixels.
 *
 * x, y and z are divided by w; x and y, then from -1 to 1, are scaled to half the size of the picture and moved to its
 * place, and snapped to 1/16 pixel. y keeps growing upwards. The attributes are divided by w as well: interpolation
 * later divides by the interpolated 1/w, and so they are perspective correct. Nothing is removed here: a viewport may
 * be larger than the framebuffer; scissor.c and raster.c remove what lies outside.
 *
 * Worked number: half width 4, offset 0, clip x = 1, w = 1: X = (1 * 1 + 1) * 4 + 0 = 8, so x_sub = 8 * 16 = 128.
 */
#include "reference/raster.h"

#include "reference/gpu.h"
#include "reference/number.h"

#include <math.h>

/* VPT-03: to 1/16 pixel units. The other side keeps 16 bits of a much larger range. */
static int32_t snap(const struct ref_viewport *viewport, float coordinate)
{
    if (viewport->wraps)
        return (int32_t)((uint32_t)ref_round_half_away(coordinate * 16.0f, -0x40000000, 0x40000000) & 0xFFFFu);
    return ref_round_half_away(coordinate * 16.0f, -262144, 262143);
}

/* VPT-01, VPT-02. y keeps growing upwards (VPT-06); nothing is removed here (VPT-07). */
struct ref_screen_vertex ref_to_screen(const struct ref_viewport *viewport, const struct ref_clip_vertex *vertex)
{
    struct ref_screen_vertex screen;
    const float r = 1.0f / vertex->position[3];
    const float x = ref_mul(vertex->position[0], r) + 1.0f;
    const float y = ref_mul(vertex->position[1], r) + 1.0f;
    screen.x_sub = snap(viewport, ref_mul(x, viewport->half_width) + viewport->x);
    screen.y_sub = snap(viewport, ref_mul(y, viewport->half_height) + viewport->y);
    screen.z = ref_mul(vertex->position[2], r);
    screen.r = r;
    screen.clip_position = vertex->position;
    for (int i = 0; i < REF_ATTRIBUTE_VALUES; i++)
        screen.attributes[i] = ref_mul(vertex->attributes[i], r);
    return screen;
}

/* VPT-02, VPT-04. */
struct ref_viewport ref_viewport_load(struct ref_gpu *gpu)
{
    struct ref_viewport viewport;
    viewport.half_width = ref_float24(&gpu->choices, pica_viewport_size_half_size(gpu->regs[PICA_REG_VIEWPORT_WIDTH]));
    viewport.half_height =
        ref_float24(&gpu->choices, pica_viewport_size_half_size(gpu->regs[PICA_REG_VIEWPORT_HEIGHT]));
    viewport.x = (float)pica_viewport_xy_x(gpu->regs[PICA_REG_VIEWPORT_XY]);
    viewport.y = (float)pica_viewport_xy_y(gpu->regs[PICA_REG_VIEWPORT_XY]);
    viewport.wraps = ref_takes(gpu, PICA_SIDE_SNAP_RANGE_UNSIGNED_16);
    ref_event_if(gpu, !isfinite(viewport.half_width) || !isfinite(viewport.half_height), PICA_EVENT_VIEWPORT_NONFINITE);
    return viewport;
}
