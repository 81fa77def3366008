/*
 * The depth test: keeps the fragment that is nearest to the eye, or whatever else the comparison asks for.
 *
 * The interpolated depth, 0 to 1, becomes an integer of the buffer's width, 16 or 24 bits, and is compared with the
 * stored one; the fragment is on the left. Test and write have switches of their own, and unlike in OpenGL a depth may
 * be written while the test is off. The stencil byte of a 32-bit pixel stays as it is. The console also has an early
 * test with a coarse memory of its own; it is not modelled, and its registers do nothing (EDT-01).
 *
 * Worked number: depth 0.5 is floor(0.5 * 65535) = 32767 in D16 and floor(0.5 * 16777215) = 8388607 in D24.
 */
#include "reference/fragment.h"

#include "reference/raster.h"
#include "reference/trace.h"

/* ITP-17: the depth is from 0 to 1. */
uint32_t ref_depth_integer(enum pica_depth_format format, float depth)
{
    return (uint32_t)(depth * (format == PICA_DEPTH_FORMAT_D16 ? 65535.0f : 16777215.0f));
}

/* DPT-02. */
static bool passes(uint32_t word, uint32_t incoming, uint32_t stored)
{
    if (!pica_depth_color_mask_depth_test(word))
        return true;
    return ref_compare(pica_depth_color_mask_depth_function(word), incoming, stored);
}

/* DPT-03, FBF-27; FBF-14: the reserved format is not written. Whether the test is on has no influence. */
static bool is_written(uint32_t word, const struct ref_batch *batch)
{
    return pica_depth_color_mask_depth_write(word) && batch->depth_write &&
           batch->depth_format != PICA_DEPTH_FORMAT_RESERVED_1;
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_test(const struct ref_gpu *gpu, uint32_t incoming, uint32_t stored, bool passed)
{
    const uint32_t word = gpu->regs[PICA_REG_DEPTH_COLOR_MASK];
    const uint32_t outcome = passed ? PICA_FEATURE_DEPTH_PASSES : PICA_FEATURE_DEPTH_FAILS;
    const uint32_t function = (uint32_t)pica_depth_color_mask_depth_function(word);
    ref_feature_if(gpu, pica_depth_color_mask_depth_test(word) != 0, outcome + function);
    ref_trace_rule(gpu, "ITP-17", 0, &incoming, 1);
    ref_trace_rule(gpu, "FBF-14", 0, &stored, 1);
    if (pica_depth_color_mask_depth_test(word) != 0)
        ref_trace_rule(gpu, "DPT-02", 0, (const uint32_t[]){ passed }, 1);
    ref_trace(gpu, PICA_TRACE_ID_DEPTH_TEST, 0, (const uint32_t[]){ incoming, stored, passed }, 3);
}

static void record_write(const struct ref_gpu *gpu, uint32_t depth)
{
    ref_feature(gpu, PICA_FEATURE_DEPTH_WRITTEN + (uint32_t)gpu->batch->depth_format);
    ref_trace(gpu, PICA_TRACE_ID_DEPTH_WRITE, 0, &depth, 1);
}

bool ref_depth_test(const struct ref_gpu *gpu, uint32_t incoming, uint32_t stored)
{
    const bool passed = passes(gpu->regs[PICA_REG_DEPTH_COLOR_MASK], incoming, stored);
    if (gpu->is_watched)
        record_test(gpu, incoming, stored, passed);
    return passed;
}

/* FBF-32: two bytes of D16, three of the other formats; a stencil byte stays. */
void ref_depth_write(struct ref_gpu *gpu, const struct ref_depth_pixel *pixel, uint32_t depth)
{
    struct ref_batch *batch = gpu->batch;
    if (!is_written(gpu->regs[PICA_REG_DEPTH_COLOR_MASK], batch))
        return;
    ref_surface_write(gpu, &batch->depth, pixel->offset, batch->depth_format == PICA_DEPTH_FORMAT_D16 ? 2u : 3u, depth);
    if (gpu->is_watched)
        record_write(gpu, depth);
}

/* EDT-01, EDT-02: the registers 0x061, 0x062, 0x063, 0x06A and 0x118 have no other effect than this batch event. */
void ref_depth_test_events(struct ref_gpu *gpu)
{
    ref_event_if(gpu,
                 pica_earlydepth_test_enable(gpu->regs[PICA_REG_EARLYDEPTH_TEST1]) ||
                     pica_earlydepth_test_enable(gpu->regs[PICA_REG_EARLYDEPTH_TEST2]),
                 PICA_EVENT_EARLY_DEPTH);
}
