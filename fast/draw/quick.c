/* Decides whether a draw may take the quick way, and which form of it. */
#include "fast/draw/quick.h"

#include "pica/enums.h"

#include <string.h>

static bool has_common_depth(const struct fast_fragment_state *raster)
{
    if (raster->stencil.active)
        return false;
    if (!raster->depth.test && !raster->depth.write)
        return true;
    return raster->depth.read && raster->depth.format == PICA_DEPTH_FORMAT_D24S8 && raster->z_buffer;
}

static bool has_common_color(const struct fast_fragment_state *raster)
{
    const struct fast_blend_state *blend = &raster->blend;
    const bool common_operation = blend->enabled ? blend->adds : blend->logic_op == PICA_LOGIC_OP_COPY;
    return raster->color.write && raster->color.format == PICA_COLOR_FORMAT_RGBA8 && !raster->color.keeps_bits &&
           common_operation;
}

static bool same_factor(struct fast_blend_factor a, struct fast_blend_factor b)
{
    return a.operand == b.operand && a.flip == b.flip;
}

/* Does the operand read the four channels of `source` unchanged? */
static bool takes_whole(const struct fast_combiner_operand *rgb, const struct fast_combiner_operand *alpha,
                        uint32_t source)
{
    return rgb->source == source && rgb->channel[0] == 0 && rgb->channel[1] == 1 && rgb->channel[2] == 2 &&
           rgb->invert == 0 && alpha->source == source && alpha->channel[0] == 3 && alpha->invert == 0;
}

static bool is_image_unit(uint32_t source)
{
    return source == PICA_TEV_SOURCE_TEXTURE0 || source == PICA_TEV_SOURCE_TEXTURE1 ||
           source == PICA_TEV_SOURCE_TEXTURE2;
}

/* Sizes are powers of two and no texel is border, so a mask or a limit gives every index. */
static bool is_common_unit(const struct fast_texture_unit *unit)
{
    return unit->kind == FAST_UNIT_2D && !unit->sparse && unit->power_of_two && !unit->has_border && !unit->needs_lod;
}

static bool has_common_units(const struct fast_shading_state *shading)
{
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        if ((shading->unit_used >> unit & 1u) != 0u && shading->units[unit].kind != FAST_UNIT_CONSTANT &&
            !is_common_unit(&shading->units[unit]))
            return false;
    return !shading->proctex.enabled;
}

static bool has_common_light(const struct fast_lighting *lighting)
{
    return !lighting->enabled || (lighting->bump_mode == PICA_BUMP_MODE_OFF && !lighting->shadow);
}

static enum fast_quick_shading staged_shading(const struct fast_shading_state *shading)
{
    return has_common_units(shading) && has_common_light(&shading->lighting) ? FAST_QUICK_STAGES : FAST_QUICK_GENERAL;
}

static enum fast_quick_shading common_shading(const struct fast_shading_state *shading, uint32_t *unit)
{
    const struct fast_combiner *combiner = &shading->combiner;
    const struct fast_combiner_stage *stage = &combiner->stages[0];
    if (combiner->stage_count != 1u || stage->rgb_mode != stage->alpha_mode || stage->rgb_shift != 0u ||
        stage->alpha_shift != 0u)
        return staged_shading(shading);
    const uint32_t first = stage->rgb[0].source;
    const uint32_t second = stage->rgb[1].source;
    const uint32_t source = is_image_unit(first) ? first : second;
    *unit = is_image_unit(source) ? source - PICA_TEV_SOURCE_TEXTURE0 : 0u;
    if (!takes_whole(&stage->rgb[0], &stage->alpha[0], first))
        return staged_shading(shading);
    if (stage->rgb_mode == PICA_TEV_MODE_REPLACE && first == PICA_TEV_SOURCE_PRIMARY_COLOR)
        return FAST_QUICK_COLOR;
    if (!is_image_unit(source) || !is_common_unit(&shading->units[*unit]))
        return staged_shading(shading);
    if (stage->rgb_mode == PICA_TEV_MODE_REPLACE && first == source)
        return FAST_QUICK_TEXTURE;
    if (stage->rgb_mode == PICA_TEV_MODE_MODULATE && takes_whole(&stage->rgb[1], &stage->alpha[1], second) &&
        (first == PICA_TEV_SOURCE_PRIMARY_COLOR || second == PICA_TEV_SOURCE_PRIMARY_COLOR))
        return FAST_QUICK_MODULATE;
    return staged_shading(shading);
}

void fast_quick_choose(const struct fast_fragment_state *raster, const struct fast_shading_state *shading,
                       struct fast_quick *quick)
{
    const struct fast_blend_state *blend = &raster->blend;
    memset(quick, 0, sizeof *quick);
    if (!raster->draws || raster->mode != PICA_FRAGMENT_MODE_DEFAULT || raster->alpha_test || raster->scissor_outside ||
        shading->fog.enabled || !has_common_depth(raster) || !has_common_color(raster))
        return;
    quick->active = true;
    quick->depth = raster->depth.test || raster->depth.write;
    quick->shading = common_shading(shading, &quick->unit);
    quick->blends = blend->enabled;
    quick->splits_alpha =
        !same_factor(blend->rgb_source, blend->alpha_source) || !same_factor(blend->rgb_dest, blend->alpha_dest);
}
