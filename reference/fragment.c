/*
 * The order of the last stages of a fragment (FBF-21), from its colour to memory. Nothing is computed here; each stage
 * has a file of its name.
 *
 * A fragment first gets the colour of the combiner. Then come alpha test, fog, stencil test, depth test, depth write,
 * stencil operation, blend or logic operation, channel masks, colour write. A test that fails ends the fragment, and
 * only the stencil byte may still change. The alpha test looks at the colour before fog, the depth is written before
 * blending. Two other modes replace all steps after the colour: shadow keeps a depth and an intensity in the colour
 * buffer, gas changes two 16-bit halves.
 *
 * Worked number: a fragment of depth 0.5 passes the stencil test, meets a stored depth of 0.25 and the function "less":
 * it fails, so the stencil operation for "depth test failed" runs and the colour is never looked at.
 */
#include "reference/fragment.h"

#include "reference/pipeline.h"
#include "reference/trace.h"

/* Steps 5 to 8 of FBF-21; STC-06, DPT-01, DPT-04. False: the fragment has ended. */
static bool stencil_and_depth(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint32_t index)
{
    const struct ref_depth_pixel pixel = ref_depth_pixel_load(gpu, index);
    const uint32_t operations = gpu->regs[PICA_REG_STENCIL_OP];
    const uint32_t depth = ref_depth_integer(gpu->batch->depth_format, fragment->depth);
    if (ref_stencil_is_active(gpu) && !ref_stencil_test(gpu, &pixel)) {
        ref_stencil_write(gpu, &pixel, pica_stencil_op_stencil_fail(operations));
        return false;
    }
    if (!ref_depth_test(gpu, depth, pixel.depth)) {
        ref_stencil_write(gpu, &pixel, pica_stencil_op_depth_fail(operations));
        return false;
    }
    ref_depth_write(gpu, &pixel, depth);
    ref_stencil_write(gpu, &pixel, pica_stencil_op_pass(operations));
    return true;
}

/* Steps 9 and 10 of FBF-21; BLD-05; FBF-25; FBF-12: nothing is written to the reserved formats. */
static void blend_and_write(struct ref_gpu *gpu, const uint8_t color[4], uint32_t index)
{
    const struct ref_batch *batch = gpu->batch;
    if (!batch->color_write || batch->color_format >= PICA_COLOR_FORMAT_RESERVED_5)
        return;
    struct ref_color_pixel pixel;
    uint8_t result[4];
    ref_color_pixel_load(gpu, index, &pixel);
    if (batch->blending.is_blend)
        ref_blend(gpu, color, pixel.dest, result);
    else
        ref_logic_op(gpu, color, pixel.dest, result);
    ref_color_pixel_write(gpu, &pixel, result);
}

/* FBF-21, steps 3 to 10. */
static void default_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4], uint32_t index)
{
    if (!ref_alpha_test(gpu, color[3]))
        return;
    ref_fog(gpu, fragment, color);
    if (stencil_and_depth(gpu, fragment, index))
        blend_and_write(gpu, color, index);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_place(const struct ref_gpu *gpu, uint32_t index)
{
    const struct ref_batch *const batch = gpu->batch;
    ref_trace_rule(gpu, "FBF-05", 0, (const uint32_t[]){ batch->width, batch->height, batch->pitch }, 3);
    ref_trace_rule(
        gpu, "FBF-02", 0,
        (const uint32_t[]){ batch->color.address + batch->color.first, batch->depth.address + batch->depth.first }, 2);
    ref_trace_rule(gpu, "FBF-09", 0, (const uint32_t[]){ batch->color_bytes, batch->depth_bytes }, 2);
    ref_trace_rule(gpu, "FBF-25", 0, (const uint32_t[]){ batch->color_read, batch->color_write }, 2);
    ref_trace_rule(gpu, "FBF-28", 0, (const uint32_t[]){ batch->depth_read, batch->depth_write, batch->stencil_write },
                   3);
    ref_trace_rule(gpu, batch->block32 ? "FBF-08" : "FBF-07", 0, &index, 1);
}

static void record_color(const struct ref_gpu *gpu, const uint8_t color[4])
{
    ref_feature(gpu, PICA_FEATURE_FRAGMENT_MADE + (uint32_t)gpu->batch->mode);
    ref_trace_color(gpu, PICA_TRACE_ID_COMBINER_RESULT, 0, color);
}

/* FBF-21, FBF-22: step 1, the scissor test, is done; step 2 is the same in all modes. */
bool ref_output_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t index = ref_pixel_index(batch, (uint32_t)fragment->x, (uint32_t)fragment->y);
    uint8_t color[4];
    if (gpu->is_watched)
        record_place(gpu, index);
    ref_shade(gpu, &batch->shading, fragment, color);
    if (gpu->is_watched)
        record_color(gpu, color);
    batch->has_written = false;
    switch (batch->mode) {
    case PICA_FRAGMENT_MODE_DEFAULT: default_fragment(gpu, fragment, color, index); break;
    case PICA_FRAGMENT_MODE_GAS: ref_gas_fragment(gpu, index); break;
    case PICA_FRAGMENT_MODE_RESERVED_2: break; /* FBF-30: changes no memory */
    case PICA_FRAGMENT_MODE_SHADOW: ref_shadow_fragment(gpu, fragment, color, index); break;
    }
    return batch->has_written;
}
