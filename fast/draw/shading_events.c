/* The class M events of 40 (section 12) and 50 (section 5): decided per drawing batch from registers and windows. */
#include "fast/draw/shading_parts.h"

#include "fast/gpu.h"

/* The registers that decide, and the set that is decided. */
struct decision {
    const struct fast_gpu *gpu;
    struct pica_events *events;
};

static void event_if(const struct decision *to, bool condition, enum pica_event event)
{
    if (condition)
        pica_events_add(to->events, event);
}

/* ----------------------------------------------------------------------------------------------------- image units */

/* TEX-18. */
static bool is_legal_size(uint32_t size)
{
    return size >= 8 && size <= 1024 && (size & (size - 1)) == 0;
}

/* TEX-06: some byte of TEX-31 of any face is outside the windows. */
static bool reaches_outside(const struct fast_gpu *gpu, const struct fast_unit_words *words)
{
    for (uint32_t face = 0; face < words->faces; face++) {
        struct fast_image_key key;
        fast_unit_image_key(words, face, &key);
        if (!fast_memory_has(gpu, key.address, fast_image_size(&key)))
            return true;
    }
    return false;
}

/* WRP-07: 4 to 7. */
static bool is_odd_wrap(enum pica_texture_wrap wrap)
{
    switch (wrap) {
    case PICA_TEXTURE_WRAP_CLAMP_TO_EDGE: return false;
    case PICA_TEXTURE_WRAP_CLAMP_TO_BORDER: return false;
    case PICA_TEXTURE_WRAP_REPEAT: return false;
    case PICA_TEXTURE_WRAP_MIRRORED_REPEAT: return false;
    case PICA_TEXTURE_WRAP_REPEAT_EDGE: return true;
    case PICA_TEXTURE_WRAP_REPEAT_BORDER: return true;
    case PICA_TEXTURE_WRAP_REPEAT_6: return true;
    case PICA_TEXTURE_WRAP_REPEAT_7:
    default: return true;
    }
}

static void live_unit_events(const struct decision *to, uint32_t unit, const struct fast_unit_words *words)
{
    const uint32_t width = pica_texunit_dim_width(words->dim);
    const uint32_t height = pica_texunit_dim_height(words->dim);
    const uint32_t side = width < height ? width : height;
    const bool shadow = words->type == PICA_TEXTURE_TYPE_SHADOW_2D || words->type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
    event_if(to, !is_legal_size(width) || !is_legal_size(height), PICA_EVENT_TEX_DIM_ILLEGAL);
    event_if(to,
             is_odd_wrap(pica_texunit_param_wrap_s(words->param)) ||
                 is_odd_wrap(pica_texunit_param_wrap_t(words->param)),
             PICA_EVENT_WRAP_4_7);
    event_if(to, words->last_level >= 1 && side >> words->last_level < 8, PICA_EVENT_MIP_BELOW_8);
    event_if(to, reaches_outside(to->gpu, words), PICA_EVENT_TEX_OOB);
    event_if(to, unit == 0 && shadow && words->format != PICA_TEXTURE_FORMAT_RGBA8, PICA_EVENT_TEX_SHADOW_FORMAT);
}

/* TEX-16, TEX-17. */
static void unit_events(const struct decision *to, uint32_t unit)
{
    struct fast_unit_words words;
    fast_unit_read_words(to->gpu->registers, unit, &words);
    const enum fast_early_result early = fast_unit_early_result(&words, unit);
    const enum pica_texture_type type = pica_texunit_param_type(words.param);
    event_if(to,
             early != FAST_EARLY_DISABLED && unit == 0 &&
                 (type == PICA_TEXTURE_TYPE_RESERVED_6 || type == PICA_TEXTURE_TYPE_RESERVED_7),
             PICA_EVENT_TEX_TYPE_RESERVED);
    switch (early) {
    case FAST_EARLY_DISABLED: return;
    case FAST_EARLY_NULL: pica_events_add(to->events, PICA_EVENT_TEX_NULL); return;
    case FAST_EARLY_TYPE_DISABLED: return;
    case FAST_EARLY_ZERO_DIM: pica_events_add(to->events, PICA_EVENT_TEX_ZERO_DIM); return;
    case FAST_EARLY_FORMAT: pica_events_add(to->events, PICA_EVENT_TEX_FORMAT_RESERVED); return;
    case FAST_LIVE: live_unit_events(to, unit, &words); return;
    }
}

/* ------------------------------------------------------------------------------------------------- procedural unit */

static void proctex_events(const struct decision *to)
{
    const uint32_t *r = to->gpu->registers;
    const uint32_t config = r[PICA_REG_TEXUNIT_CONFIG];
    if (!pica_texunit_config_unit3_enable(config))
        return;
    const uint32_t word0 = r[PICA_REG_TEXUNIT3_PROCTEX0];
    const uint32_t word4 = r[PICA_REG_TEXUNIT3_PROCTEX4];
    const enum pica_proctex_filter filter = pica_texunit3_proctex4_filter(word4);
    event_if(to, pica_texunit_config_unit3_coord(config) == PICA_TEXUNIT3_COORD_RESERVED_3, PICA_EVENT_PROCTEX_COORD_3);
    event_if(to,
             pica_texunit3_proctex0_u_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3 ||
                 pica_texunit3_proctex0_v_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3,
             PICA_EVENT_PROCTEX_SHIFT_3);
    event_if(to,
             pica_texunit3_proctex0_u_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5 ||
                 pica_texunit3_proctex0_v_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5,
             PICA_EVENT_PROCTEX_CLAMP_RESERVED);
    event_if(to,
             pica_texunit3_proctex0_rgb_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10 ||
                 (pica_texunit3_proctex0_separate_alpha(word0) &&
                  pica_texunit3_proctex0_alpha_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10),
             PICA_EVENT_PROCTEX_FUNC_RESERVED);
    event_if(to, filter >= PICA_PROCTEX_FILTER_RESERVED_6, PICA_EVENT_PROCTEX_FILTER_RESERVED);
    event_if(to, pica_texunit3_proctex4_width(word4) == 0, PICA_EVENT_PROCTEX_WIDTH_0);
    event_if(to,
             filter >= PICA_PROCTEX_FILTER_NEAREST_MIP_NEAREST && pica_texunit3_proctex4_max_lod(word4) >= 4 &&
                 r[PICA_REG_UNUSED_0AE] != 0 && r[PICA_REG_UNUSED_0AE] != 0xFEFCF8F0u,
             PICA_EVENT_PROCTEX_OFFSET_HIGH);
}

/* -------------------------------------------------------------------------------------------------------- lighting */

/* LIT-03. */
static bool exceeds_255(uint32_t color)
{
    return pica_light_color_red(color) > 255 || pica_light_color_green(color) > 255 ||
           pica_light_color_blue(color) > 255;
}

static bool some_color_exceeds_255(const uint32_t *r)
{
    const uint32_t slots = pica_lighting_num_lights_lights_minus_1(r[PICA_REG_LIGHTING_NUM_LIGHTS]) + 1;
    bool exceeds = exceeds_255(r[PICA_REG_LIGHTING_AMBIENT]);
    for (uint32_t slot = 0; slot < slots; slot++) {
        const uint32_t light =
            pica_lighting_light_permutation_slot_light_at(r[PICA_REG_LIGHTING_LIGHT_PERMUTATION], slot);
        exceeds = exceeds || exceeds_255(r[pica_reg_light(light, PICA_REG_LIGHT0_SPECULAR0)]) ||
                  exceeds_255(r[pica_reg_light(light, PICA_REG_LIGHT0_SPECULAR1)]) ||
                  exceeds_255(r[pica_reg_light(light, PICA_REG_LIGHT0_DIFFUSE)]) ||
                  exceeds_255(r[pica_reg_light(light, PICA_REG_LIGHT0_AMBIENT)]);
    }
    return exceeds;
}

static void lit_events(const struct decision *to)
{
    const uint32_t *r = to->gpu->registers;
    const uint32_t config0 = r[PICA_REG_LIGHTING_CONFIG0];
    const enum pica_light_environment environment = pica_lighting_config0_environment(config0);
    event_if(to, some_color_exceeds_255(r), PICA_EVENT_LIGHT_COLOR_GT_255);
    event_if(to, environment == PICA_LIGHT_ENVIRONMENT_RESERVED_7 || environment >= PICA_LIGHT_ENVIRONMENT_RESERVED_9,
             PICA_EVENT_LIGHT_CONFIG_RESERVED);
    event_if(to, pica_lighting_config0_bump_mode(config0) == PICA_BUMP_MODE_RESERVED_3, PICA_EVENT_BUMP_MODE_3);
    for (uint32_t i = 0; i < FAST_LIGHTING_LUTS; i++) {
        const uint32_t scale = pica_lighting_lutinput_scale_scale_at(r[PICA_REG_LIGHTING_LUTINPUT_SCALE], i);
        const uint32_t input = pica_lighting_lutinput_select_input_at(r[PICA_REG_LIGHTING_LUTINPUT_SELECT], i);
        event_if(to, scale == PICA_LUT_SCALE_RESERVED_4 || scale == PICA_LUT_SCALE_RESERVED_5,
                 PICA_EVENT_LUT_SCALE_RESERVED);
        event_if(to, input >= PICA_LUT_INPUT_RESERVED_6, PICA_EVENT_LUT_INPUT_RESERVED);
    }
}

/* ------------------------------------------------------------------------------------------------ combiner and fog */

/* TEV-05: 7 to 12. */
static bool is_reserved_source(uint32_t source)
{
    return source >= PICA_TEV_SOURCE_RESERVED_7 && source <= PICA_TEV_SOURCE_RESERVED_12;
}

/* TEV-07. */
static bool is_reserved_operand(uint32_t operand)
{
    switch ((enum pica_tev_rgb_operand)operand) {
    case PICA_TEV_RGB_OPERAND_COLOR: return false;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_COLOR: return false;
    case PICA_TEV_RGB_OPERAND_ALPHA: return false;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_ALPHA: return false;
    case PICA_TEV_RGB_OPERAND_RED: return false;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_RED: return false;
    case PICA_TEV_RGB_OPERAND_RESERVED_6: return true;
    case PICA_TEV_RGB_OPERAND_RESERVED_7: return true;
    case PICA_TEV_RGB_OPERAND_GREEN: return false;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_GREEN: return false;
    case PICA_TEV_RGB_OPERAND_RESERVED_10: return true;
    case PICA_TEV_RGB_OPERAND_RESERVED_11: return true;
    case PICA_TEV_RGB_OPERAND_BLUE: return false;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_BLUE: return false;
    case PICA_TEV_RGB_OPERAND_RESERVED_14: return true;
    case PICA_TEV_RGB_OPERAND_RESERVED_15:
    default: return true;
    }
}

/* All 36 source fields and 18 RGB operand fields count, read or not (TEV-17). */
static void stage_events(const struct decision *to, uint32_t stage, bool *names_lighting)
{
    const uint32_t *r = to->gpu->registers;
    const uint32_t sources = r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)];
    const uint32_t operands = r[pica_reg_texenv(stage, PICA_REG_TEXENV0_OPERAND)];
    const uint32_t modes = r[pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER)];
    const uint32_t scales = r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SCALE)];
    const enum pica_tev_mode rgb = pica_texenv_combiner_rgb_mode(modes);
    const enum pica_tev_mode alpha = pica_texenv_combiner_alpha_mode(modes);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t rgb_source = pica_texenv_source_rgb_source_at(sources, i);
        const uint32_t alpha_source = pica_texenv_source_alpha_source_at(sources, i);
        *names_lighting = *names_lighting || rgb_source == PICA_TEV_SOURCE_FRAGMENT_PRIMARY ||
                          rgb_source == PICA_TEV_SOURCE_FRAGMENT_SECONDARY ||
                          alpha_source == PICA_TEV_SOURCE_FRAGMENT_PRIMARY ||
                          alpha_source == PICA_TEV_SOURCE_FRAGMENT_SECONDARY;
        event_if(to, is_reserved_source(rgb_source) || is_reserved_source(alpha_source),
                 PICA_EVENT_TEV_SOURCE_RESERVED);
        event_if(to, is_reserved_operand(pica_texenv_operand_rgb_operand_at(operands, i)),
                 PICA_EVENT_TEV_OPERAND_RESERVED);
    }
    event_if(to, rgb >= PICA_TEV_MODE_RESERVED_10, PICA_EVENT_TEV_OP_RESERVED);
    event_if(to,
             rgb != PICA_TEV_MODE_DOT3_RGBA && (alpha == PICA_TEV_MODE_DOT3_RGB || alpha == PICA_TEV_MODE_DOT3_RGBA ||
                                                alpha >= PICA_TEV_MODE_RESERVED_10),
             PICA_EVENT_TEV_ALPHA_OP_RESERVED);
    event_if(to,
             pica_texenv_scale_rgb_scale(scales) == PICA_TEV_SCALE_RESERVED_3 ||
                 pica_texenv_scale_alpha_scale(scales) == PICA_TEV_SCALE_RESERVED_3,
             PICA_EVENT_TEV_SCALE_3);
}

/* FOG-01, GSF-01: in fragment mode 0 only. */
static void fog_events(const struct decision *to)
{
    const uint32_t operation = to->gpu->registers[PICA_REG_COLOR_OPERATION];
    if (pica_color_operation_fragment_mode(operation) != PICA_FRAGMENT_MODE_DEFAULT)
        return;
    switch (pica_texenv_update_buffer_fog_mode(to->gpu->registers[PICA_REG_TEXENV_UPDATE_BUFFER])) {
    case PICA_FOG_MODE_OFF: return;
    case PICA_FOG_MODE_RESERVED_1: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_RESERVED_2: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_RESERVED_3: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_RESERVED_4: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_FOG: return;
    case PICA_FOG_MODE_RESERVED_6: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_GAS: pica_events_add(to->events, PICA_EVENT_GAS_SHADING); return;
    }
}

static void decide(const struct decision *to)
{
    const uint32_t *r = to->gpu->registers;
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        unit_events(to, unit);
    proctex_events(to);

    bool names_lighting = false;
    for (uint32_t stage = 0; stage < FAST_COMBINER_STAGES; stage++)
        stage_events(to, stage, &names_lighting);
    const uint32_t enable = pica_lighting_enable0_enable(r[PICA_REG_LIGHTING_ENABLE0]);
    const uint32_t disable = pica_lighting_enable1_disable(r[PICA_REG_LIGHTING_ENABLE1]);
    event_if(to, names_lighting && enable == disable, PICA_EVENT_LIGHTING_ENABLE_MISMATCH);
    if (names_lighting && !disable)
        lit_events(to);
    fog_events(to);
}

/* TEX-07, GEN-09. Decided once per decoded state: registers and windows cannot change without a new one. */
void fast_shading_events(struct fast_gpu *gpu)
{
    struct fast_shading *shading = gpu->shading;
    if (!shading->events_are_known) {
        shading->events = (struct pica_events){ { 0 } };
        decide(&(struct decision){ gpu, &shading->events });
        shading->events_are_known = true;
    }
    pica_events_unite(&gpu->events, &shading->events);
}
