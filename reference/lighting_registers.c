/*
 * What the registers say about lighting: whether it is on, which lights are on, their colours and positions, which
 * tables are looked up and with what, and the events that depend on registers alone.
 *
 * Eight slots choose the lights and their order. Which of the seven kinds of table exist depends on one of nine
 * environments, and each kind has a switch of its own, so "enabled" means both. Positions are small floats, spot
 * directions fixed-point numbers, colours ten bits for 0 to 4.
 *
 * Worked number: a diffuse red of 0x140 = 320 is 320 / 255 = 1.2549, brighter than white; the sum is limited to 1 only
 * at the end (LIT-03, LIT-38).
 */
#include "reference/lighting.h"

#include "reference/gpu.h"
#include "reference/number.h"
#include "reference/shortcuts.h"

/* The word of light n, by the id that light 0 has for it. */
static uint32_t light_word(const struct ref_gpu *gpu, uint32_t n, enum pica_reg base)
{
    return gpu->regs[pica_reg_light(n, base)];
}

/* LIT-03: a channel is 10 bits (on the other side, 8), divided by 255 and not clamped. */
static void light_color(const struct ref_gpu *gpu, uint32_t word, float rgb[3])
{
    const uint32_t bits = ref_takes(gpu, PICA_SIDE_LIGHT_COLORS_BITS_8) ? 0xFFu : 0x3FFu;
    for (uint32_t c = 0; c < 3; c++)
        rgb[c] = (float)(pica_light_color_channel_at(word, c) & bits) / 255.0f;
}

/* LIT-08, LIT-09: bit k set = table kind k is available. */
static bool is_available(const struct ref_gpu *gpu, enum ref_lut lut)
{
    enum {
        D0 = 1 << REF_LUT_D0,
        D1 = 1 << REF_LUT_D1,
        SP = 1 << REF_LUT_SP,
        FR = 1 << REF_LUT_FR,
        RR = 1 << REF_LUT_RR,
        RG = 1 << REF_LUT_RG,
        RB = 1 << REF_LUT_RB,
        RESERVED = D0 | D1 | SP | FR | RR
    };
    static const uint8_t available[16] = {
        D0 | SP | RR,
        SP | FR | RR,
        D0 | D1 | RR,
        D0 | D1 | FR,
        D0 | D1 | SP | RR | RG | RB,
        D0 | SP | FR | RR | RG | RB,
        D0 | D1 | SP | FR | RR,
        RESERVED,
        D0 | D1 | SP | FR | RR | RG | RB,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
    };
    const uint32_t config0 = gpu->regs[PICA_REG_LIGHTING_CONFIG0];
    const uint32_t environment = (uint32_t)pica_lighting_config0_environment(config0);
    if (environment == PICA_LIGHT_ENVIRONMENT_RESERVED_7 && ref_takes(gpu, PICA_SIDE_LIGHT_CONFIG_7_NONE))
        return false;
    return ((available[environment & 15u] >> (uint32_t)lut) & 1u) != 0;
}

/* LIT-07, LIT-26, LIT-27, LIT-28: whether a register disables a table kind; the bits of SP are those of the lights.
 * Knob P5 exchanges RB and RR. */
static bool is_disabled(const struct ref_gpu *gpu, enum ref_lut lut)
{
    const uint32_t config1 = gpu->regs[PICA_REG_LIGHTING_CONFIG1];
    const bool rb = pica_lighting_config1_rb_disable(config1) != 0, rr = pica_lighting_config1_rr_disable(config1) != 0;
    const bool exchanged = ref_takes(gpu, PICA_SIDE_LIGHT_DISABLE_RR_20);
    switch (lut) {
    case REF_LUT_D0: return pica_lighting_config1_d0_disable(config1) != 0;
    case REF_LUT_D1: return pica_lighting_config1_d1_disable(config1) != 0;
    case REF_LUT_SP: return false;
    case REF_LUT_FR: return pica_lighting_config1_fr_disable(config1) != 0;
    case REF_LUT_RB: return exchanged ? rr : rb;
    case REF_LUT_RG: return pica_lighting_config1_rg_disable(config1) != 0;
    case REF_LUT_RR:
    default: return exchanged ? rb : rr; /* one of the seven */
    }
}

/* LIT-05, LIT-22 */
static enum pica_lighting_table table_of(enum ref_lut lut)
{
    switch (lut) {
    case REF_LUT_D0: return PICA_LIGHTING_TABLE_D0;
    case REF_LUT_D1: return PICA_LIGHTING_TABLE_D1;
    case REF_LUT_SP: return PICA_LIGHTING_TABLE_SP0;
    case REF_LUT_FR: return PICA_LIGHTING_TABLE_FR;
    case REF_LUT_RB: return PICA_LIGHTING_TABLE_RB;
    case REF_LUT_RG: return PICA_LIGHTING_TABLE_RG;
    case REF_LUT_RR:
    default: return PICA_LIGHTING_TABLE_RR; /* one of the seven */
    }
}

/* LIT-20 */
static float lut_scale(enum pica_lut_scale scale)
{
    switch (scale) {
    case PICA_LUT_SCALE_1X: return 1.0f;
    case PICA_LUT_SCALE_2X: return 2.0f;
    case PICA_LUT_SCALE_4X: return 4.0f;
    case PICA_LUT_SCALE_8X: return 8.0f;
    case PICA_LUT_SCALE_RESERVED_4:
    case PICA_LUT_SCALE_RESERVED_5: return 0.0f;
    case PICA_LUT_SCALE_QUARTER: return 0.25f;
    case PICA_LUT_SCALE_HALF:
    default: return 0.5f; /* the field has three bits */
    }
}

/* LIT-07, LIT-20, LIT-22, LIT-23 */
static void decode_lookup(const struct ref_gpu *gpu, enum ref_lut lut, struct ref_lookup *lookup)
{
    const uint32_t group = (uint32_t)lut;
    const uint32_t select = gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SELECT];
    const uint32_t scale = gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SCALE];
    lookup->is_enabled = is_available(gpu, lut) && !is_disabled(gpu, lut);
    lookup->table = gpu->tables.lighting[table_of(lut)];
    lookup->input = (enum pica_lut_input)pica_lighting_lutinput_select_input_at(select, group);
    lookup->is_signed = pica_lighting_lutinput_abs_abs_off_at(gpu->regs[PICA_REG_LIGHTING_LUTINPUT_ABS], group) != 0;
    lookup->factor = lut_scale((enum pica_lut_scale)pica_lighting_lutinput_scale_scale_at(scale, group));
}

static bool is_half_input(enum pica_lut_input input)
{
    return input == PICA_LUT_INPUT_NORMAL_HALF || input == PICA_LUT_INPUT_VIEW_HALF || input == PICA_LUT_INPUT_COS_PHI;
}

/* LIT-03, LIT-04, LIT-15: the vectors and colours of light n. */
static void decode_light_values(const struct ref_gpu *gpu, uint32_t n, struct ref_light *light)
{
    const uint32_t xy = light_word(gpu, n, PICA_REG_LIGHT0_XY);
    const uint32_t z = light_word(gpu, n, PICA_REG_LIGHT0_Z);
    const uint32_t spot_xy = light_word(gpu, n, PICA_REG_LIGHT0_SPOTDIR_XY);
    const uint32_t spot_z = light_word(gpu, n, PICA_REG_LIGHT0_SPOTDIR_Z);
    light->position = (struct ref_vector){ ref_float16(&gpu->choices, pica_light_xy_x(xy)),
                                           ref_float16(&gpu->choices, pica_light_xy_y(xy)),
                                           ref_float16(&gpu->choices, pica_light_z_z(z)) };
    const float divisor = ref_takes(gpu, PICA_SIDE_SPOT_DIVISOR_BY_2048) ? 2048.0f : 2047.0f;
    light->spot = (struct ref_vector){ (float)pica_light_spotdir_xy_x(spot_xy) / divisor,
                                       (float)pica_light_spotdir_xy_y(spot_xy) / divisor,
                                       (float)pica_light_spotdir_z_z(spot_z) / divisor };
    light_color(gpu, light_word(gpu, n, PICA_REG_LIGHT0_SPECULAR0), light->specular0);
    light_color(gpu, light_word(gpu, n, PICA_REG_LIGHT0_SPECULAR1), light->specular1);
    light_color(gpu, light_word(gpu, n, PICA_REG_LIGHT0_DIFFUSE), light->diffuse);
    light_color(gpu, light_word(gpu, n, PICA_REG_LIGHT0_AMBIENT), light->ambient);
}

/* LIT-25: the distance attenuation of light n. */
static void decode_attenuation(const struct ref_gpu *gpu, uint32_t n, struct ref_light *light)
{
    const uint32_t config1 = gpu->regs[PICA_REG_LIGHTING_CONFIG1];
    const uint32_t bias = light_word(gpu, n, PICA_REG_LIGHT0_ATTENUATION_BIAS);
    const uint32_t scale = light_word(gpu, n, PICA_REG_LIGHT0_ATTENUATION_SCALE);
    light->attenuation_table = NULL;
    if (pica_lighting_config1_light_attenuation_disable_at(config1, n) == 0)
        light->attenuation_table = gpu->tables.lighting[(uint32_t)PICA_LIGHTING_TABLE_DA0 + n];
    light->attenuation_bias = ref_float20(&gpu->choices, pica_light_attenuation_bias_bias(bias));
    light->attenuation_scale = ref_float20(&gpu->choices, pica_light_attenuation_scale_scale(scale));
}

/* LIT-06, LIT-07, LIT-26, LIT-34 */
static void decode_light(const struct ref_gpu *gpu, uint32_t n, struct ref_light *light)
{
    const uint32_t config0 = gpu->regs[PICA_REG_LIGHTING_CONFIG0];
    const uint32_t config1 = gpu->regs[PICA_REG_LIGHTING_CONFIG1];
    const uint32_t config = light_word(gpu, n, PICA_REG_LIGHT0_CONFIG);
    const bool shadowed = pica_lighting_config1_light_shadow_disable_at(config1, n) == 0;
    light->number = n;
    light->is_directional = pica_light_config_directional(config) != 0;
    light->is_two_sided = pica_light_config_two_sided(config) != 0;
    light->geometric_factor0 = pica_light_config_geometric_factor0(config) != 0;
    light->geometric_factor1 = pica_light_config_geometric_factor1(config) != 0;
    light->shadow_diffuse = shadowed && pica_lighting_config0_shadow_primary(config0) != 0;
    light->shadow_specular = shadowed && pica_lighting_config0_shadow_secondary(config0) != 0;
    light->spot_enabled = is_available(gpu, REF_LUT_SP) && pica_lighting_config1_light_spot_disable_at(config1, n) == 0;
    light->spot_table = gpu->tables.lighting[(uint32_t)PICA_LIGHTING_TABLE_SP0 + n];
    decode_light_values(gpu, n, light);
    decode_attenuation(gpu, n, light);
}

/* LIT-06: the switches that all lights share. */
static void decode_switches(const struct ref_gpu *gpu, struct ref_lighting *lighting)
{
    const uint32_t config0 = gpu->regs[PICA_REG_LIGHTING_CONFIG0];
    lighting->has_cos_phi = pica_lighting_config0_environment(config0) == PICA_LIGHT_ENVIRONMENT_ALL;
    lighting->bump_mode = pica_lighting_config0_bump_mode(config0);
    if (lighting->bump_mode == PICA_BUMP_MODE_RESERVED_3 && ref_takes(gpu, PICA_SIDE_BUMP_MODE_3_AS_0))
        lighting->bump_mode = PICA_BUMP_MODE_OFF;
    lighting->bump_unit = pica_lighting_config0_bump_unit(config0);
    lighting->no_z_recalculation = pica_lighting_config0_no_z_recalculation(config0) != 0;
    lighting->shadow_unit = pica_lighting_config0_shadow_unit(config0);
    lighting->shadow_enable = pica_lighting_config0_shadow_enable(config0) != 0;
    lighting->shadow_invert = pica_lighting_config0_shadow_invert(config0) != 0;
    lighting->shadow_alpha = pica_lighting_config0_shadow_alpha(config0) != 0;
    lighting->rounds = ref_takes(gpu, PICA_SIDE_LIGHTING_ROUNDING_ROUNDS);
    lighting->value_divisor = ref_takes(gpu, PICA_SIDE_LIGHT_TABLE_DIVISOR_BY_4096) ? 4096.0f : 4095.0f;
    lighting->slope_divisor = ref_takes(gpu, PICA_SIDE_LIGHT_DIFFERENCE_BY_2048) ? 2048.0f : 2047.0f;
    lighting->has_no_slopes = ref_takes(gpu, PICA_SIDE_LIGHT_DIFFERENCE_NONE);
    lighting->clamp_highlights = pica_lighting_config0_clamp_highlights(config0) != 0;
    lighting->fresnel_to_primary = pica_lighting_config0_fresnel_to_primary_alpha(config0) != 0;
    lighting->fresnel_to_secondary = pica_lighting_config0_fresnel_to_secondary_alpha(config0) != 0;
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_light(const struct ref_gpu *gpu, const struct ref_light *light)
{
    ref_feature(gpu, PICA_FEATURE_LIGHT_USED + light->number);
    ref_feature_if(gpu, light->spot_enabled, PICA_FEATURE_LIGHT_SPOT + light->number);
    ref_feature_if(gpu, light->spot_enabled, PICA_FEATURE_LUT_USED + (uint32_t)REF_LUT_SP);
    ref_feature_if(gpu, light->attenuation_table != NULL, PICA_FEATURE_LIGHT_ATTENUATED + light->number);
}

static void record(const struct ref_gpu *gpu, const struct ref_lighting *lighting)
{
    ref_feature(gpu, PICA_FEATURE_LIGHTING_RAN);
    for (uint32_t lut = 0; lut < 7; lut++)
        ref_feature_if(gpu, lighting->lookups[lut].is_enabled, PICA_FEATURE_LUT_USED + lut);
    for (uint32_t slot = 0; slot < lighting->light_count; slot++)
        record_light(gpu, &lighting->lights[slot]);
}

/* LIT-32: the slots choose the lights. */
void ref_lighting_decode(const struct ref_gpu *gpu, struct ref_lighting *lighting)
{
    const uint32_t permutation = gpu->regs[PICA_REG_LIGHTING_LIGHT_PERMUTATION];
    decode_switches(gpu, lighting);
    light_color(gpu, gpu->regs[PICA_REG_LIGHTING_AMBIENT], lighting->ambient);
    lighting->uses_half = false;
    for (uint32_t lut = 0; lut < 7; lut++) {
        decode_lookup(gpu, (enum ref_lut)lut, &lighting->lookups[lut]);
        if (lighting->lookups[lut].is_enabled && is_half_input(lighting->lookups[lut].input))
            lighting->uses_half = true;
    }
    lighting->needs_half = ref_is_needed(gpu, lighting->uses_half);
    lighting->needs_tangent = ref_is_needed(gpu, lighting->has_cos_phi);
    lighting->light_count = pica_lighting_num_lights_lights_minus_1(gpu->regs[PICA_REG_LIGHTING_NUM_LIGHTS]) + 1u;
    for (uint32_t slot = 0; slot < lighting->light_count; slot++)
        decode_light(gpu, pica_lighting_light_permutation_slot_light_at(permutation, slot), &lighting->lights[slot]);
    if (gpu->is_watched)
        record(gpu, lighting);
}

/* ------------------------------------------------------------------------------------------------ whether it is on */

static bool is_lighting_source(uint32_t source)
{
    return source == PICA_TEV_SOURCE_FRAGMENT_PRIMARY || source == PICA_TEV_SOURCE_FRAGMENT_SECONDARY;
}

/* Whether some of the 36 source fields selects a lighting colour, read or not. */
static bool names_lighting(const struct ref_gpu *gpu)
{
    for (uint32_t s = 0; s < 6u; s++) {
        const uint32_t sources = gpu->regs[pica_reg_texenv(s, PICA_REG_TEXENV0_SOURCE)];
        for (uint32_t i = 0; i < 3; i++) {
            if (is_lighting_source(pica_texenv_source_rgb_source_at(sources, i)) ||
                is_lighting_source(pica_texenv_source_alpha_source_at(sources, i)))
                return true;
        }
    }
    return false;
}

/* LIT-01: register 0x1C6 alone switches lighting; on the other side, 0x08F. */
static bool is_on(const struct ref_gpu *gpu)
{
    if (ref_takes(gpu, PICA_SIDE_LIGHTING_ENABLE_REG_08F))
        return pica_lighting_enable0_enable(gpu->regs[PICA_REG_LIGHTING_ENABLE0]) != 0;
    return pica_lighting_enable1_disable(gpu->regs[PICA_REG_LIGHTING_ENABLE1]) == 0;
}

/* "Lit" of file 50 section 5. */
bool ref_is_lit(const struct ref_gpu *gpu)
{
    return is_on(gpu) && names_lighting(gpu);
}

/* ------------------------------------------------------------------------------------- events of a batch (class M) */

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

void ref_lighting_events(struct ref_gpu *gpu)
{
    const uint32_t enable0 = pica_lighting_enable0_enable(gpu->regs[PICA_REG_LIGHTING_ENABLE0]);
    const uint32_t disable1 = pica_lighting_enable1_disable(gpu->regs[PICA_REG_LIGHTING_ENABLE1]);
    ref_event_if(gpu, names_lighting(gpu) && enable0 == disable1, PICA_EVENT_LIGHTING_ENABLE_MISMATCH);
    if (!ref_is_lit(gpu))
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
