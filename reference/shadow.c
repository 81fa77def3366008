/*
 * Shadow maps, the drawing side: fragment mode 3 keeps in each 32-bit word of the colour buffer the depth of whatever
 * is nearest to a light (24 bits) and how soft its shadow is there (8 bits). Unit 0 reads such maps (texture.c, SDW).
 *
 * The green channel of the fragment's colour is its intensity. With 0 the fragment is solid: its depth replaces the
 * stored one where it is nearer. With more it belongs to a soft edge, and only lowers the stored intensity; a formula
 * of two register constants makes the edge wider with the distance from what casts the shadow. Neither tests nor masks
 * apply, and a word changes only where the fragment is nearer.
 *
 * Worked number: intensity 128, d = 100 before zr = 200, constant 1.0, linear 0.5: 128 / (1 + 0.5 * 0.5) = 102.4, so
 * 102 is stored if the old intensity is above it.
 */
#include "reference/fragment.h"

#include "reference/number.h"
#include "reference/trace.h"

/* SHW-02: v of the penumbra formula, as a byte. d and zr fit f32 exactly. */
static uint32_t softened_intensity(const struct ref_gpu *gpu, uint32_t intensity, uint32_t d, uint32_t zr)
{
    const uint32_t word = gpu->regs[PICA_REG_FRAGOP_SHADOW];
    const float constant = ref_float16(&gpu->choices, pica_fragop_shadow_constant(word));
    const float linear = ref_float16(&gpu->choices, pica_fragop_shadow_linear(word));
    const float x = (float)d / (float)zr;
    return ref_u8((float)intensity / (constant + ref_mul(linear, x)));
}

/* SHW-01: the depth is big-endian in bytes 0-2. */
static uint32_t depth_of(uint32_t stored)
{
    return (stored & 0xFFu) << 16 | (stored & 0xFF00u) | (stored >> 16 & 0xFFu);
}

/* SHW-01, SHW-02: what becomes of the stored word. */
static uint32_t word_after(const struct ref_gpu *gpu, uint32_t stored, uint32_t d, uint32_t intensity)
{
    const uint32_t zr = depth_of(stored);
    if (d >= zr)
        return stored;
    if (intensity == 0)
        return (stored & 0xFF000000u) | d >> 16 | (d & 0xFF00u) | (d & 0xFFu) << 16;
    const uint32_t softened = softened_intensity(gpu, intensity, d, zr);
    return softened < stored >> 24 ? (stored & 0xFFFFFFu) | softened << 24 : stored;
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* Softening changes a word only by lowering its intensity. */
static void record(const struct ref_gpu *gpu, uint32_t stored, uint32_t changed, uint32_t d, uint32_t intensity)
{
    ref_trace_rule(gpu, "SHW-01", 0, (const uint32_t[]){ stored, depth_of(stored), d }, 3);
    const bool is_hidden = d >= depth_of(stored);
    const bool is_soft = !is_hidden && intensity != 0;
    ref_feature_if(gpu, is_hidden, PICA_FEATURE_SHADOW_HIDDEN);
    ref_feature_if(gpu, !is_hidden && intensity == 0, PICA_FEATURE_SHADOW_DEPTH_WRITTEN);
    ref_feature_if(gpu, is_soft, PICA_FEATURE_SHADOW_SOFTENED);
    ref_feature_if(gpu, is_soft && changed != stored, PICA_FEATURE_SHADOW_SOFT_WRITTEN);
    ref_trace(gpu, PICA_TRACE_ID_SHADOW_WRITE, 0, (const uint32_t[]){ stored, changed }, 2);
}

/* SHW-01 to SHW-04: no tests, no fog, no masks; SHW-03: with READ off zr is seen as 0, so nothing is nearer. */
void ref_shadow_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment, const uint8_t color[4],
                         uint32_t index)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t offset = batch->color.first + index * batch->color_bytes;
    const uint32_t d = (uint32_t)(fragment->depth * 16777215.0f);
    if (!(batch->color_read && batch->color_write) && !ref_takes(gpu, PICA_SIDE_SHADOW_ACCESS_IGNORED)) /* SHW-03 */
        return;
    const uint32_t stored = ref_surface_read(gpu, &batch->color, offset, 4);
    const uint32_t changed = word_after(gpu, stored, d, color[1]);
    if (changed != stored)
        ref_surface_write(gpu, &batch->color, offset, 4, changed);
    if (gpu->is_watched)
        record(gpu, stored, changed, d, color[1]);
}
