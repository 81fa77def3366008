/*
 * The order of work for the colour of one fragment, and what of it a batch needs at all.
 *
 * A fragment passes three steps: sample the texture units whose output can matter, light it if some combiner source
 * asks for lighting, combine. Sampling has no side effects but events of class R (TEV-02), so skipping units that are
 * not used (TEX-32) can never be seen. Batch events look at registers and windows alone (GEN-09, TEX-07): a draw with a
 * reserved combiner source raises its event even if no pixel is covered and no stage reads that source.
 *
 * Worked number: stage 0 with RGB mode "replace" reads one of its three sources, so a texture in position 2 is not
 * used by it, unless position 0 says "previous", which in stage 0 means position 2 (TEV-06, TEV-17).
 */
#include "reference/shading.h"

#include "reference/fragment.h"
#include "reference/gpu.h"

#include <string.h>

/* TEX-32: bit i is set if unit i is used. */
static uint32_t used_units(const struct ref_gpu *gpu, uint32_t sources_read, bool lit)
{
    uint32_t units = (sources_read >> PICA_TEV_SOURCE_TEXTURE0) & 15u;
    const uint32_t config0 = gpu->regs[PICA_REG_LIGHTING_CONFIG0];
    const enum pica_bump_mode bump = pica_lighting_config0_bump_mode(config0);
    if (lit && (bump == PICA_BUMP_MODE_NORMAL_MAP || bump == PICA_BUMP_MODE_TANGENT_MAP))
        units |= 1u << pica_lighting_config0_bump_unit(config0);
    if (lit && pica_lighting_config0_shadow_enable(config0) != 0)
        units |= 1u << pica_lighting_config0_shadow_unit(config0);
    return units;
}

static bool is_used(const struct ref_shading *shading, uint32_t unit)
{
    return ((shading->used_units >> unit) & 1u) != 0;
}

/* What the rasteriser has to interpolate for the fragments of the batch. */
static uint32_t fragment_needs(const struct ref_shading *shading)
{
    uint32_t needs = 0;
    if (((shading->combiner.sources_read >> PICA_TEV_SOURCE_PRIMARY_COLOR) & 1u) != 0)
        needs |= REF_NEEDS_COLOR;
    for (uint32_t unit = 0; unit < 3; unit++)
        if (is_used(shading, unit))
            needs |= (uint32_t)REF_NEEDS_TC0 << shading->images[unit].set;
    if (is_used(shading, 3))
        needs |= (uint32_t)REF_NEEDS_TC0 << shading->proctex.set;
    if (shading->is_lit)
        needs |= REF_NEEDS_SURFACE;
    return needs;
}

static void record_units(const struct ref_gpu *gpu, const struct ref_shading *shading)
{
    for (uint32_t unit = 0; unit < 4; unit++)
        ref_feature_if(gpu, is_used(shading, unit), PICA_FEATURE_UNIT_USED + unit);
    for (uint32_t unit = 0; unit < 3; unit++)
        ref_feature_if(gpu, is_used(shading, unit) && shading->images[unit].state == REF_UNIT_LIVE,
                       PICA_FEATURE_UNIT_LIVE + unit);
}

void ref_shading_decode(const struct ref_gpu *gpu, struct ref_shading *shading)
{
    memset(&shading->sources, 0, sizeof shading->sources);
    ref_combiner_decode(gpu, &shading->combiner);
    shading->is_lit = ref_is_lit(gpu);
    shading->used_units = used_units(gpu, shading->combiner.sources_read, shading->is_lit);
    for (uint32_t unit = 0; unit < 3; unit++)
        if (is_used(shading, unit))
            ref_image_decode(gpu, unit, &shading->images[unit]);
    if (is_used(shading, 3))
        ref_proctex_decode(gpu, &shading->proctex);
    if (shading->is_lit)
        ref_lighting_decode(gpu, &shading->lighting);
    shading->needs = fragment_needs(shading);
    if (gpu->is_watched)
        record_units(gpu, shading);
}

/* LIT-02: without lighting both of its colours are 0. */
void ref_shade(struct ref_gpu *gpu, struct ref_shading *shading, const struct ref_fragment *fragment, uint8_t color[4])
{
    struct ref_sources *const sources = &shading->sources;
    if ((shading->needs & REF_NEEDS_COLOR) != 0)
        memcpy(sources->colors[PICA_TEV_SOURCE_PRIMARY_COLOR], fragment->c8, 4);
    for (uint32_t unit = 0; unit < 3; unit++)
        if (is_used(shading, unit))
            ref_image_sample(gpu, &shading->images[unit], fragment, sources->colors[PICA_TEV_SOURCE_TEXTURE0 + unit]);
    if (is_used(shading, 3))
        ref_proctex_sample(gpu, &shading->proctex, fragment, sources->colors[PICA_TEV_SOURCE_TEXTURE3]);
    if (shading->is_lit)
        ref_light(gpu, &shading->lighting, fragment, sources);
    ref_combine(gpu, &shading->combiner, sources, color);
}

/* TEX-20, GEN-09: registers do not change within a batch, so this is the same wherever in the batch it is called. */
void ref_shading_events(struct ref_gpu *gpu)
{
    ref_texture_events(gpu);
    ref_proctex_events(gpu);
    ref_lighting_events(gpu);
    ref_combiner_events(gpu);
    ref_fog_events(gpu);
}
