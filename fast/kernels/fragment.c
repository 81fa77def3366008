/*
 * Step 2 of FBF-21 in order: texture units, lighting, combiner; for one block, or on the quick way for several cells,
 * one stage at a time. TEV-02, TEX-32: what is not used is not computed. LIT-02, PTX-25: what is switched off gives 0.
 */
#include "fast/kernels/fragment.h"

#include "fast/kernels/combiner.h"
#include "fast/kernels/interpolation.h"
#include "fast/kernels/lighting.h"
#include "fast/kernels/proctex.h"
#include "fast/kernels/texture.h"

#include "pica/enums.h"

/* -------------------------------------------------------------------------------------------------- the general way */

/* TEV-03: c8, the interpolated colour, is a member of the block. */
void FAST_ISA(fast_shade_block)(const struct fast_shading_state *state, const struct fast_block *block,
                                struct fast_colors *out)
{
    struct fast_combiner_sources sources;
    struct fast_colors textures[FAST_IMAGE_UNITS + 1], primary, secondary;
    const struct fast_colors black = fast_colors_splat(0);
    sources.id[PICA_TEV_SOURCE_PRIMARY_COLOR] = block->color;
    for (uint32_t unit = 0; unit <= FAST_IMAGE_UNITS; unit++)
        sources.id[PICA_TEV_SOURCE_TEXTURE0 + unit] = textures[unit].channel;
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        if (state->unit_used >> unit & 1)
            FAST_ISA(fast_sample_unit)(&state->units[unit], block, &textures[unit]);
    if (state->proctex.enabled)
        FAST_ISA(fast_sample_proctex)(&state->proctex, block, &textures[FAST_IMAGE_UNITS]);
    else
        sources.id[PICA_TEV_SOURCE_TEXTURE3] = black.channel;

    sources.id[PICA_TEV_SOURCE_FRAGMENT_PRIMARY] = sources.id[PICA_TEV_SOURCE_FRAGMENT_SECONDARY] = black.channel;
    if (state->lighting.enabled) {
        FAST_ISA(fast_light_block)
        (&state->lighting, block, &sources.id[PICA_TEV_SOURCE_TEXTURE0], &primary, &secondary);
        sources.id[PICA_TEV_SOURCE_FRAGMENT_PRIMARY] = primary.channel;
        sources.id[PICA_TEV_SOURCE_FRAGMENT_SECONDARY] = secondary.channel;
    }
    FAST_ISA(fast_combine_block)(&state->combiner, block, &sources, out);
}

/* ---------------------------------------------------------------------------------------------------- the quick way */

/* The colours that the combiner and lighting take as inputs. */
struct inputs {
    struct fast_cell_colors color, primary, secondary, textures[FAST_IMAGE_UNITS];
};

static void sample_unit(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count,
                        struct fast_cell_colors *out)
{
    const uint32_t texel = unit->constant;
    if (unit->kind == FAST_UNIT_CONSTANT) {
        for (uint32_t n = 0; n < count; n++)
            out->of[n] = (struct fast_pairs){ v_u32_splat(texel & 0x00FF00FFu), v_u32_splat(texel >> 8 & 0x00FF00FFu) };
        return;
    }
    FAST_ISA(fast_sample_colors)(unit, cells, count, out->of);
}

/* TEV-03: c8 is interpolated here. */
uint32_t FAST_ISA(fast_stage_cells)(const struct fast_shading_state *state, struct fast_cell *cells, uint32_t count)
{
    struct inputs inputs;
    const struct fast_cell_colors *sources[16] = { NULL };
    uint32_t unbounded = 0;
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        if ((state->unit_used >> unit & 1u) != 0u) {
            sample_unit(&state->units[unit], cells, count, &inputs.textures[unit]);
            sources[PICA_TEV_SOURCE_TEXTURE0 + unit] = &inputs.textures[unit];
        }
    if ((state->needs & FAST_NEED_COLOR) != 0u) {
        for (uint32_t n = 0; n < count; n++)
            inputs.color.of[n] = cell_color(&cells[n]);
        sources[PICA_TEV_SOURCE_PRIMARY_COLOR] = &inputs.color;
    }
    if (state->lighting.enabled) {
        unbounded = FAST_ISA(fast_light_cells)(&state->lighting, cells, count, &inputs.primary, &inputs.secondary);
        sources[PICA_TEV_SOURCE_FRAGMENT_PRIMARY] = &inputs.primary;
        sources[PICA_TEV_SOURCE_FRAGMENT_SECONDARY] = &inputs.secondary;
    }
    FAST_ISA(fast_combine_cells)(&state->combiner, sources, cells, count);
    return unbounded;
}
