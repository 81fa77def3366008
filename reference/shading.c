/*
 * The order of work for one fragment, and the events of files 40 and 50 that are decided once for each drawing batch.
 *
 * A fragment passes three steps: sample the texture units whose output can matter, light it if some combiner source
 * asks for lighting, combine. Sampling has no side effects but events of class R (TEV-02), so skipping units that are
 * not used (TEX-32) can never be seen. Batch events look at registers and windows alone (GEN-09, TEX-07): a draw with a
 * reserved combiner source raises its event even if no pixel is covered and no stage reads that source.
 *
 * Worked number: stage 0 with RGB mode "replace" reads one of its three sources, so a texture in position 2 is not
 * used by it, unless position 0 says "previous", which in stage 0 means position 2 (TEV-06, TEV-17).
 */
#include "reference/texture.h"

#include "reference/trace.h"

#include <string.h>

enum {
    STAGES = 6
};

/* The word of a combiner stage, by the id that stage 0 has for it. */
static uint32_t stage_word(const struct ref_gpu *gpu, uint32_t stage, enum pica_reg base)
{
    return gpu->regs[pica_reg_texenv(stage, base)];
}

static bool is_lighting_source(uint32_t source)
{
    return source == PICA_TEV_SOURCE_FRAGMENT_PRIMARY || source == PICA_TEV_SOURCE_FRAGMENT_SECONDARY;
}

/* Whether some of the 36 source fields selects a lighting colour, read or not. */
static bool names_lighting(const struct ref_gpu *gpu)
{
    for (uint32_t s = 0; s < STAGES; s++) {
        const uint32_t sources = stage_word(gpu, s, PICA_REG_TEXENV0_SOURCE);
        for (uint32_t i = 0; i < 3; i++) {
            if (is_lighting_source(pica_texenv_source_rgb_source_at(sources, i)) ||
                is_lighting_source(pica_texenv_source_alpha_source_at(sources, i)))
                return true;
        }
    }
    return false;
}

/* "Lit" of file 50 section 5. LIT-01: 1C6 alone switches lighting. */
static bool is_lit(const struct ref_gpu *gpu)
{
    return pica_lighting_enable1_disable(gpu->regs[PICA_REG_LIGHTING_ENABLE1]) == 0 && names_lighting(gpu);
}

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

/* What the fragments of the batch have to bring along. */
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

void ref_shading_decode(const struct ref_gpu *gpu, struct ref_shading *shading)
{
    ref_combiner_decode(gpu, &shading->combiner);
    shading->is_lit = is_lit(gpu);
    shading->used_units = used_units(gpu, shading->combiner.sources_read, shading->is_lit);
    for (uint32_t unit = 0; unit < 4; unit++)
        ref_feature_if(gpu, is_used(shading, unit), PICA_FEATURE_UNIT_USED + unit);
    for (uint32_t unit = 0; unit < 3; unit++)
        if (is_used(shading, unit)) {
            ref_image_decode(gpu, unit, &shading->images[unit]);
            ref_feature_if(gpu, shading->images[unit].state == REF_UNIT_LIVE, PICA_FEATURE_UNIT_LIVE + unit);
        }
    if (is_used(shading, 3))
        ref_proctex_decode(gpu, &shading->proctex);
    if (shading->is_lit)
        ref_lighting_decode(gpu, &shading->lighting);
    shading->needs = fragment_needs(shading);
    shading->has_last = false;
}

/* TEV: equal sources, which neighbours often have, give equal colours. */
static void combine(const struct ref_gpu *gpu, struct ref_shading *shading, struct ref_sources *sources,
                    uint8_t color[4])
{
    const bool is_known = shading->has_last && memcmp(&shading->last_sources, sources, sizeof *sources) == 0;
    if (!is_known || gpu->trace.is_active) {
        shading->last_sources = *sources;
        shading->has_last = true;
        ref_combine(gpu, &shading->combiner, sources, shading->last_color);
    }
    memcpy(color, shading->last_color, 4);
}

/* LIT-02: without lighting both of its colours are 0. */
void ref_shade(struct ref_gpu *gpu, struct ref_shading *shading, const struct ref_fragment *fragment, uint8_t color[4])
{
    struct ref_sources sources = { { { 0 } } };
    if ((shading->needs & REF_NEEDS_COLOR) != 0)
        memcpy(sources.colors[PICA_TEV_SOURCE_PRIMARY_COLOR], fragment->c8, 4);
    for (uint32_t unit = 0; unit < 3; unit++)
        if (is_used(shading, unit)) {
            uint8_t *const texture = sources.colors[PICA_TEV_SOURCE_TEXTURE0 + unit];
            ref_image_sample(gpu, &shading->images[unit], fragment, texture);
            ref_trace_color(gpu, PICA_TRACE_ID_TEXTURE_COLOR, unit, texture);
        }
    if (is_used(shading, 3)) {
        uint8_t *const texture = sources.colors[PICA_TEV_SOURCE_TEXTURE3];
        ref_proctex_sample(gpu, &shading->proctex, fragment, texture);
        ref_trace_color(gpu, PICA_TRACE_ID_PROCTEX_COLOR, 0, texture);
    }
    if (shading->is_lit)
        ref_light(gpu, &shading->lighting, fragment, &sources);
    combine(gpu, shading, &sources, color);
}

/* -------------------------------------------------------------------------- events of file 40 (section 12), class M */

/* TEX-18: a power of two from 8 to 1024. */
static bool is_legal_size(uint32_t size)
{
    return size >= 8u && size <= 1024u && (size & (size - 1u)) == 0;
}

/* TEX-06, TEX-31 */
static bool is_outside(const struct ref_gpu *gpu, uint32_t unit)
{
    uint32_t address;
    uint64_t size;
    for (uint32_t index = 0; ref_texture_range(gpu, unit, index, &address, &size); index++) {
        if (!ref_range_in_memory(gpu, address, size))
            return true;
    }
    return false;
}

static void live_unit_events(struct ref_gpu *gpu, uint32_t unit, const struct ref_image *image)
{
    const uint32_t size = image->width < image->height ? image->width : image->height;
    const bool shadow = image->type == PICA_TEXTURE_TYPE_SHADOW_2D || image->type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
    ref_event_if(gpu, !is_legal_size(image->width) || !is_legal_size(image->height), PICA_EVENT_TEX_DIM_ILLEGAL);
    ref_event_if(gpu, (uint32_t)image->wrap_s >= 4u || (uint32_t)image->wrap_t >= 4u, PICA_EVENT_WRAP_4_7);
    ref_event_if(gpu, image->max_level >= 1u && (size >> image->max_level) < 8u, PICA_EVENT_MIP_BELOW_8);
    ref_event_if(gpu, is_outside(gpu, unit), PICA_EVENT_TEX_OOB);
    ref_event_if(gpu, shadow && image->format != PICA_TEXTURE_FORMAT_RGBA8, PICA_EVENT_TEX_SHADOW_FORMAT);
}

static void image_unit_events(struct ref_gpu *gpu, uint32_t unit)
{
    struct ref_image image;
    ref_image_decode(gpu, unit, &image);
    if (image.state == REF_UNIT_DISABLED)
        return;
    ref_event_if(gpu, image.state == REF_UNIT_NULL, PICA_EVENT_TEX_NULL);
    ref_event_if(gpu, image.state == REF_UNIT_ZERO_SIZE, PICA_EVENT_TEX_ZERO_DIM);
    ref_event_if(gpu, image.state == REF_UNIT_FORMAT_RESERVED, PICA_EVENT_TEX_FORMAT_RESERVED);
    const uint32_t parameter = gpu->regs[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM)];
    const enum pica_texture_type type = pica_texunit_param_type(parameter);
    const bool reserved = type == PICA_TEXTURE_TYPE_RESERVED_6 || type == PICA_TEXTURE_TYPE_RESERVED_7;
    ref_event_if(gpu, unit == 0 && reserved, PICA_EVENT_TEX_TYPE_RESERVED);
    if (image.state == REF_UNIT_LIVE)
        live_unit_events(gpu, unit, &image);
}

static void proctex_events(struct ref_gpu *gpu)
{
    const uint32_t config = gpu->regs[PICA_REG_TEXUNIT_CONFIG];
    const uint32_t word0 = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX0];
    const uint32_t word4 = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX4];
    const uint32_t high_offsets = gpu->regs[PICA_REG_UNUSED_0AE];
    if (pica_texunit_config_unit3_enable(config) == 0)
        return;
    const uint32_t filter = (uint32_t)pica_texunit3_proctex4_filter(word4);
    const bool separate_alpha = pica_texunit3_proctex0_separate_alpha(word0) != 0;
    ref_event_if(gpu, pica_texunit_config_unit3_coord(config) == PICA_TEXUNIT3_COORD_RESERVED_3,
                 PICA_EVENT_PROCTEX_COORD_3);
    ref_event_if(gpu,
                 pica_texunit3_proctex0_u_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3 ||
                     pica_texunit3_proctex0_v_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3,
                 PICA_EVENT_PROCTEX_SHIFT_3);
    ref_event_if(gpu,
                 pica_texunit3_proctex0_u_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5 ||
                     pica_texunit3_proctex0_v_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5,
                 PICA_EVENT_PROCTEX_CLAMP_RESERVED);
    ref_event_if(gpu,
                 pica_texunit3_proctex0_rgb_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10 ||
                     (separate_alpha && pica_texunit3_proctex0_alpha_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10),
                 PICA_EVENT_PROCTEX_FUNC_RESERVED);
    ref_event_if(gpu, filter >= (uint32_t)PICA_PROCTEX_FILTER_RESERVED_6, PICA_EVENT_PROCTEX_FILTER_RESERVED);
    ref_event_if(gpu, pica_texunit3_proctex4_width(word4) == 0, PICA_EVENT_PROCTEX_WIDTH_0);
    ref_event_if(gpu,
                 filter >= 2u && pica_texunit3_proctex4_max_lod(word4) >= 4u && high_offsets != 0 &&
                     high_offsets != 0xFEFCF8F0u,
                 PICA_EVENT_PROCTEX_OFFSET_HIGH);
}

/* --------------------------------------------------------------------------- events of file 50 (section 5), class M */

/* LIT-03 */
static bool is_above_255(uint32_t color)
{
    return pica_light_color_red(color) > 255u || pica_light_color_green(color) > 255u ||
           pica_light_color_blue(color) > 255u;
}

static bool has_color_above_255(const struct ref_gpu *gpu)
{
    static const enum pica_reg colors[4] = { PICA_REG_LIGHT0_SPECULAR0, PICA_REG_LIGHT0_SPECULAR1,
                                             PICA_REG_LIGHT0_DIFFUSE, PICA_REG_LIGHT0_AMBIENT };
    bool above = is_above_255(gpu->regs[PICA_REG_LIGHTING_AMBIENT]);
    const uint32_t last = pica_lighting_num_lights_lights_minus_1(gpu->regs[PICA_REG_LIGHTING_NUM_LIGHTS]);
    const uint32_t permutation = gpu->regs[PICA_REG_LIGHTING_LIGHT_PERMUTATION];
    for (uint32_t slot = 0; slot <= last; slot++) {
        const uint32_t light = pica_lighting_light_permutation_slot_light_at(permutation, slot);
        for (int i = 0; i < 4; i++)
            above = above || is_above_255(gpu->regs[pica_reg_light(light, colors[i])]);
    }
    return above;
}

static void lighting_events(struct ref_gpu *gpu)
{
    const uint32_t enable0 = pica_lighting_enable0_enable(gpu->regs[PICA_REG_LIGHTING_ENABLE0]);
    const uint32_t disable1 = pica_lighting_enable1_disable(gpu->regs[PICA_REG_LIGHTING_ENABLE1]);
    ref_event_if(gpu, names_lighting(gpu) && enable0 == disable1, PICA_EVENT_LIGHTING_ENABLE_MISMATCH);
    if (!is_lit(gpu))
        return;
    const uint32_t config0 = gpu->regs[PICA_REG_LIGHTING_CONFIG0];
    const enum pica_light_environment environment = pica_lighting_config0_environment(config0);
    ref_event_if(gpu, has_color_above_255(gpu), PICA_EVENT_LIGHT_COLOR_GT_255);
    ref_event_if(gpu,
                 environment == PICA_LIGHT_ENVIRONMENT_RESERVED_7 || environment >= PICA_LIGHT_ENVIRONMENT_RESERVED_9,
                 PICA_EVENT_LIGHT_CONFIG_RESERVED);
    ref_event_if(gpu, pica_lighting_config0_bump_mode(config0) == PICA_BUMP_MODE_RESERVED_3, PICA_EVENT_BUMP_MODE_3);
    for (uint32_t group = 0; group < 7; group++) {
        const uint32_t scale =
            pica_lighting_lutinput_scale_scale_at(gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SCALE], group);
        const uint32_t input =
            pica_lighting_lutinput_select_input_at(gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SELECT], group);
        ref_event_if(gpu, scale == PICA_LUT_SCALE_RESERVED_4 || scale == PICA_LUT_SCALE_RESERVED_5,
                     PICA_EVENT_LUT_SCALE_RESERVED);
        ref_event_if(gpu, input >= PICA_LUT_INPUT_RESERVED_6, PICA_EVENT_LUT_INPUT_RESERVED);
    }
}

/* TEV-05 */
static bool is_reserved_source(uint32_t source)
{
    return source >= PICA_TEV_SOURCE_RESERVED_7 && source <= PICA_TEV_SOURCE_RESERVED_12;
}

/* TEV-07 */
static bool is_reserved_operand(uint32_t operand)
{
    return operand == PICA_TEV_RGB_OPERAND_RESERVED_6 || operand == PICA_TEV_RGB_OPERAND_RESERVED_7 ||
           operand == PICA_TEV_RGB_OPERAND_RESERVED_10 || operand == PICA_TEV_RGB_OPERAND_RESERVED_11 ||
           operand == PICA_TEV_RGB_OPERAND_RESERVED_14 || operand == PICA_TEV_RGB_OPERAND_RESERVED_15;
}

static void stage_events(struct ref_gpu *gpu, uint32_t s)
{
    const uint32_t sources = stage_word(gpu, s, PICA_REG_TEXENV0_SOURCE);
    const uint32_t operands = stage_word(gpu, s, PICA_REG_TEXENV0_OPERAND);
    const uint32_t modes = stage_word(gpu, s, PICA_REG_TEXENV0_COMBINER);
    const uint32_t scales = stage_word(gpu, s, PICA_REG_TEXENV0_SCALE);
    for (uint32_t i = 0; i < 3; i++) {
        ref_event_if(gpu,
                     is_reserved_source(pica_texenv_source_rgb_source_at(sources, i)) ||
                         is_reserved_source(pica_texenv_source_alpha_source_at(sources, i)),
                     PICA_EVENT_TEV_SOURCE_RESERVED);
        ref_event_if(gpu, is_reserved_operand(pica_texenv_operand_rgb_operand_at(operands, i)),
                     PICA_EVENT_TEV_OPERAND_RESERVED);
    }
    const enum pica_tev_mode rgb_mode = pica_texenv_combiner_rgb_mode(modes);
    const enum pica_tev_mode alpha_mode = pica_texenv_combiner_alpha_mode(modes);
    const bool alpha_reserved = alpha_mode == PICA_TEV_MODE_DOT3_RGB || alpha_mode == PICA_TEV_MODE_DOT3_RGBA ||
                                alpha_mode >= PICA_TEV_MODE_RESERVED_10;
    ref_event_if(gpu, rgb_mode >= PICA_TEV_MODE_RESERVED_10, PICA_EVENT_TEV_OP_RESERVED);
    ref_event_if(gpu, rgb_mode != PICA_TEV_MODE_DOT3_RGBA && alpha_reserved, PICA_EVENT_TEV_ALPHA_OP_RESERVED);
    ref_event_if(gpu,
                 pica_texenv_scale_rgb_scale(scales) == PICA_TEV_SCALE_RESERVED_3 ||
                     pica_texenv_scale_alpha_scale(scales) == PICA_TEV_SCALE_RESERVED_3,
                 PICA_EVENT_TEV_SCALE_3);
}

/* FOG-01, GSF-01: only fragment mode 0 has fog. */
static void fog_events(struct ref_gpu *gpu)
{
    const uint32_t operation = gpu->regs[PICA_REG_COLOR_OPERATION];
    if (pica_color_operation_fragment_mode(operation) != PICA_FRAGMENT_MODE_DEFAULT)
        return;
    const enum pica_fog_mode mode = pica_texenv_update_buffer_fog_mode(gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER]);
    const bool known = mode == PICA_FOG_MODE_OFF || mode == PICA_FOG_MODE_FOG || mode == PICA_FOG_MODE_GAS;
    ref_event_if(gpu, !known, PICA_EVENT_FOG_MODE_RESERVED);
    ref_event_if(gpu, mode == PICA_FOG_MODE_GAS, PICA_EVENT_GAS_SHADING);
}

/* TEX-20, GEN-09: registers do not change within a batch, so this is the same wherever in the batch it is called. */
void ref_shading_events(struct ref_gpu *gpu)
{
    for (uint32_t unit = 0; unit < 3; unit++)
        image_unit_events(gpu, unit);
    proctex_events(gpu);
    lighting_events(gpu);
    for (uint32_t s = 0; s < STAGES; s++)
        stage_events(gpu, s);
    fog_events(gpu);
}
