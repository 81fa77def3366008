/*
 * The scissor test: draws only inside of a rectangle, or only outside of it.
 *
 * The rectangle is two corners in pixels, both inclusive, in the coordinates of the screen with y upwards. It is step 1
 * of a fragment (FBF-21), before anything about it is computed. With mode "inside" the rasteriser does not even visit
 * the pixels beyond it, which matters to the budget of pixels alone (RST-05, RST-08).
 *
 * Worked number: corners (8, 8) and (15, 15), mode inside: pixel (15, 8) passes, (16, 8) does not; 64 pixels can pass.
 */
#include "reference/raster.h"

#include "reference/gpu.h"

static bool is_in_box(const struct ref_box *box, int32_t x, int32_t y)
{
    return box->x_first <= x && x <= box->x_last && box->y_first <= y && y <= box->y_last;
}

/* SCS-01. */
static bool passes(const struct ref_scissor *scissor, int32_t x, int32_t y)
{
    switch (scissor->mode) {
    case PICA_SCISSOR_MODE_OFF: return true;
    case PICA_SCISSOR_MODE_OUTSIDE: return !is_in_box(&scissor->box, x, y);
    case PICA_SCISSOR_MODE_OFF_2: return true;
    case PICA_SCISSOR_MODE_INSIDE:
    default: return is_in_box(&scissor->box, x, y); /* the field has two bits */
    }
}

/* SCS-01, other side: a machine without a scissor test, which is as if the mode were always off. */
static enum pica_scissor_mode effective_mode(const struct ref_gpu *gpu)
{
    if (ref_takes(gpu, PICA_SIDE_SCISSOR_TEST_MISSING))
        return PICA_SCISSOR_MODE_OFF;
    return pica_scissortest_mode_mode(gpu->regs[PICA_REG_SCISSORTEST_MODE]);
}

struct ref_scissor ref_scissor_load(const struct ref_gpu *gpu)
{
    const uint32_t pos = gpu->regs[PICA_REG_SCISSORTEST_POS];
    const uint32_t dim = gpu->regs[PICA_REG_SCISSORTEST_DIM];
    const struct ref_scissor scissor = {
        .mode = effective_mode(gpu),
        .box = { (int32_t)pica_scissortest_pos_x1(pos), (int32_t)pica_scissortest_dim_x2(dim),
                 (int32_t)pica_scissortest_pos_y1(pos), (int32_t)pica_scissortest_dim_y2(dim) },
    };
    return scissor;
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record(const struct ref_gpu *gpu, enum pica_scissor_mode mode, bool passed)
{
    ref_feature(gpu, (passed ? PICA_FEATURE_SCISSOR_PASSES : PICA_FEATURE_SCISSOR_FAILS) + (uint32_t)mode);
}

bool ref_scissor_test(const struct ref_gpu *gpu, const struct ref_scissor *scissor, int32_t x, int32_t y)
{
    const bool passed = passes(scissor, x, y);
    if (gpu->is_watched)
        record(gpu, scissor->mode, passed);
    return passed;
}
