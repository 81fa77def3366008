/*
 * Culling: removes triangles that are seen from the wrong side, and those without an area.
 *
 * The sign of the area of the snapped corners says which way round they are: positive is counter-clockwise on a screen
 * whose y grows upwards, and that is the front. A register removes fronts, backs, or neither. Kept triangles with a
 * negative area have two corners exchanged, so that the rasteriser sees positive ones only. Where the picture lies in
 * memory, upside down or not, has no influence (CUL-05).
 *
 * Worked number: corners (0,0) (8,0) (0,8) pixels = (0,0) (128,0) (0,128): A = 128 * 128 - 0 * 0 = 16384, a front.
 */
#include "reference/raster.h"

#include "reference/gpu.h"
#include "reference/trace.h"

/* CUL-01: the signed double area. It looks at the snapped positions only, not at FBF-06 (CUL-05). */
static int64_t double_area(const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
                           const struct ref_screen_vertex *v2)
{
    const int64_t x1 = (int64_t)v1->x_sub - v0->x_sub, y1 = (int64_t)v1->y_sub - v0->y_sub;
    const int64_t x2 = (int64_t)v2->x_sub - v0->x_sub, y2 = (int64_t)v2->y_sub - v0->y_sub;
    return (x1 * y2) - (y1 * x2);
}

/* CUL-02: about modes 0 and 3 sources differ whether they draw both orientations or act like mode 2. A machine that
 * ignores the register draws both orientations. */
static enum pica_cull_mode effective_mode(const struct ref_gpu *gpu, enum pica_cull_mode mode)
{
    if (ref_takes(gpu, PICA_SIDE_CULL_REGISTER_IGNORED))
        return PICA_CULL_MODE_NONE;
    if (mode == PICA_CULL_MODE_NONE && ref_takes(gpu, PICA_SIDE_CULL_MODE_0_AS_2))
        return PICA_CULL_MODE_BACK;
    if (mode == PICA_CULL_MODE_NONE_3 && ref_takes(gpu, PICA_SIDE_CULL_MODE_3_AS_2))
        return PICA_CULL_MODE_BACK;
    return mode;
}

/* CUL-02, CUL-03: a triangle without an area is drawn at most in the modes that draw both orientations. */
static bool is_kept(const struct ref_gpu *gpu, enum pica_cull_mode mode, int64_t area)
{
    const bool draws_lines = ref_takes(gpu, PICA_SIDE_ZERO_AREA_DRAWN);
    switch (effective_mode(gpu, mode)) {
    case PICA_CULL_MODE_NONE: return area != 0 || draws_lines;
    case PICA_CULL_MODE_FRONT: return area < 0;
    case PICA_CULL_MODE_BACK: return area > 0;
    case PICA_CULL_MODE_NONE_3:
    default: return area != 0 || draws_lines; /* the field has two bits */
    }
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record(const struct ref_gpu *gpu, enum pica_cull_mode mode, int64_t area, bool kept)
{
    ref_trace_rule(gpu, "CUL-01", 0, (const uint32_t[]){ (uint32_t)area, (uint32_t)(area >> 32) }, 2);
    ref_trace_rule(gpu, "CUL-02", 0, (const uint32_t[]){ kept }, 1);
    const uint32_t front = kept ? PICA_FEATURE_FRONT_KEPT : PICA_FEATURE_FRONT_REMOVED;
    const uint32_t back = kept ? PICA_FEATURE_BACK_KEPT : PICA_FEATURE_BACK_REMOVED;
    ref_feature(gpu, area == 0 ? PICA_FEATURE_TRIANGLE_DEGENERATE : (area > 0 ? front : back) + (uint32_t)mode);
}

/* CUL-04: exchanges two corners if the area is negative. */
bool ref_cull(const struct ref_gpu *gpu, const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
              const struct ref_screen_vertex *v2, struct ref_triangle *triangle)
{
    const enum pica_cull_mode mode = pica_faceculling_config_mode(gpu->regs[PICA_REG_FACECULLING_CONFIG]);
    const int64_t area = double_area(v0, v1, v2);
    const bool kept = is_kept(gpu, mode, area);
    if (gpu->is_watched)
        record(gpu, mode, area, kept);
    triangle->v[0] = v0;
    triangle->v[1] = area < 0 ? v2 : v1;
    triangle->v[2] = area < 0 ? v1 : v2;
    triangle->has_area = area != 0;
    return kept;
}
