/* Lighting (50 section 1): registers and tables -> struct fast_lighting, and its events. */
#include "fast/draw/shading_decode.h"
#include "fast/gpu.h"
#include "fast/number.h"

#include <math.h>

/* --------------------------------------------------------------------------------------------------------- look-ups */

/* LIT-08, LIT-09. */
static uint32_t available_lookups(uint32_t environment)
{
    const uint32_t d0 = 1u << FAST_LUT_D0, d1 = 1u << FAST_LUT_D1, sp = 1u << FAST_LUT_SP, fr = 1u << FAST_LUT_FR;
    const uint32_t rb = 1u << FAST_LUT_RB, rg = 1u << FAST_LUT_RG, rr = 1u << FAST_LUT_RR;
    switch ((enum pica_light_environment)environment) {
    case PICA_LIGHT_ENVIRONMENT_D0_RR_SP: return d0 | sp | rr;
    case PICA_LIGHT_ENVIRONMENT_FR_RR_SP: return sp | fr | rr;
    case PICA_LIGHT_ENVIRONMENT_D0_D1_RR: return d0 | d1 | rr;
    case PICA_LIGHT_ENVIRONMENT_D0_D1_FR: return d0 | d1 | fr;
    case PICA_LIGHT_ENVIRONMENT_ALL_BUT_FR: return d0 | d1 | sp | rr | rg | rb;
    case PICA_LIGHT_ENVIRONMENT_ALL_BUT_D1: return d0 | sp | fr | rr | rg | rb;
    case PICA_LIGHT_ENVIRONMENT_ALL_BUT_RB_RG: break;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_7: break;
    case PICA_LIGHT_ENVIRONMENT_ALL: return d0 | d1 | sp | fr | rr | rg | rb;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_9: break;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_10: break;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_11: break;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_12: break;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_13: break;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_14: break;
    case PICA_LIGHT_ENVIRONMENT_RESERVED_15: break;
    }
    return d0 | d1 | sp | fr | rr;
}

/* LIT-07; bit n = FAST_LUT_n. SP has no bit of its own: it is disabled per light. */
static uint32_t disabled_lookups(uint32_t config1)
{
    return pica_lighting_config1_d0_disable(config1) << FAST_LUT_D0 |
           pica_lighting_config1_d1_disable(config1) << FAST_LUT_D1 |
           pica_lighting_config1_fr_disable(config1) << FAST_LUT_FR |
           pica_lighting_config1_rb_disable(config1) << FAST_LUT_RB |
           pica_lighting_config1_rg_disable(config1) << FAST_LUT_RG |
           pica_lighting_config1_rr_disable(config1) << FAST_LUT_RR;
}

/* LIT-20: 4 and 5 are 0. */
static float lookup_scale(uint32_t scale)
{
    switch ((enum pica_lut_scale)scale) {
    case PICA_LUT_SCALE_1X: return 1.0f;
    case PICA_LUT_SCALE_2X: return 2.0f;
    case PICA_LUT_SCALE_4X: return 4.0f;
    case PICA_LUT_SCALE_8X: return 8.0f;
    case PICA_LUT_SCALE_RESERVED_4: return 0.0f;
    case PICA_LUT_SCALE_RESERVED_5: return 0.0f;
    case PICA_LUT_SCALE_QUARTER: return 0.25f;
    case PICA_LUT_SCALE_HALF:
    default: return 0.5f;
    }
}

/* LIT-22: table of each look-up except SP, which has one per light. */
static uint32_t lookup_table(uint32_t lookup)
{
    static const uint8_t tables[FAST_LIGHTING_LUTS] = { PICA_LIGHTING_TABLE_D0,  PICA_LIGHTING_TABLE_D1,
                                                        PICA_LIGHTING_TABLE_SP0, PICA_LIGHTING_TABLE_FR,
                                                        PICA_LIGHTING_TABLE_RB,  PICA_LIGHTING_TABLE_RG,
                                                        PICA_LIGHTING_TABLE_RR };
    return tables[lookup];
}

/*
 * The look-ups whose values can be seen: D0, D1, RB, RG, RR affect only the secondary colour (LIT-29), FR only the
 * alphas (LIT-30).
 */
static uint32_t visible_lookups(const struct fast_lighting *lighting)
{
    uint32_t visible = 1u << FAST_LUT_SP;
    if (lighting->secondary)
        visible |= 1u << FAST_LUT_D0 | 1u << FAST_LUT_D1 | 1u << FAST_LUT_RB | 1u << FAST_LUT_RG | 1u << FAST_LUT_RR;
    if ((lighting->primary && lighting->fresnel_primary) || (lighting->secondary && lighting->fresnel_secondary))
        visible |= 1u << FAST_LUT_FR;
    return visible;
}

/* LIT-17: sign and magnitude; LIT-05: bits 0-23 of the word are used. */
static const struct fast_lut256 *decoded_table(struct fast_gpu *gpu, uint32_t table)
{
    struct fast_lut256 *lut = &gpu->shading->tables.lighting[table];
    if (fast_table_is_stale(gpu, FAST_TABLE_LIGHTING_0 + table))
        for (uint32_t k = 0; k < 256; k++) {
            const uint32_t word = gpu->tables.lighting[table][k];
            const float slope = (float)pica_lighting_lut_data_magnitude(word) / 2047.0f;
            lut->words[2 * k] = fast_bits((float)pica_lighting_lut_data_value(word) / 4095.0f);
            lut->words[2 * k + 1] = fast_bits(pica_lighting_lut_data_negative(word) ? -slope : slope);
        }
    return lut;
}

static void decode_lookups(struct fast_gpu *gpu, struct fast_lighting *out)
{
    const uint32_t *r = gpu->registers;
    const uint32_t available = available_lookups(pica_lighting_config0_environment(r[PICA_REG_LIGHTING_CONFIG0]));
    const uint32_t enabled = available & ~disabled_lookups(r[PICA_REG_LIGHTING_CONFIG1]) & visible_lookups(out);
    out->enabled_lookups = enabled;
    for (uint32_t i = 0; i < FAST_LIGHTING_LUTS; i++) {
        struct fast_lighting_lookup *lookup = &out->lookups[i];
        lookup->enabled = (enabled >> i & 1) != 0;
        lookup->absolute = !pica_lighting_lutinput_abs_abs_off_at(r[PICA_REG_LIGHTING_LUTINPUT_ABS], i);
        lookup->input = pica_lighting_lutinput_select_input_at(r[PICA_REG_LIGHTING_LUTINPUT_SELECT], i);
        lookup->scale = lookup_scale(pica_lighting_lutinput_scale_scale_at(r[PICA_REG_LIGHTING_LUTINPUT_SCALE], i));
        lookup->table = lookup->enabled && i != FAST_LUT_SP ? decoded_table(gpu, lookup_table(i)) : NULL;
    }
}

/* ----------------------------------------------------------------------------------------------------------- lights */

/* LIT-03. */
static void decode_color(uint32_t word, float out[3])
{
    for (uint32_t c = 0; c < 3; c++)
        out[c] = (float)pica_light_color_channel_at(word, c) / 255.0f;
}

/* LIT-04. */
static void decode_vectors(const uint32_t *r, uint32_t light, struct fast_light *out)
{
    const uint32_t xy = r[pica_reg_light(light, PICA_REG_LIGHT0_XY)];
    const uint32_t z = r[pica_reg_light(light, PICA_REG_LIGHT0_Z)];
    const uint32_t spot_xy = r[pica_reg_light(light, PICA_REG_LIGHT0_SPOTDIR_XY)];
    const uint32_t spot_z = r[pica_reg_light(light, PICA_REG_LIGHT0_SPOTDIR_Z)];
    out->position[0] = fast_float16(pica_light_xy_x(xy));
    out->position[1] = fast_float16(pica_light_xy_y(xy));
    out->position[2] = fast_float16(pica_light_z_z(z));
    out->spot_direction[0] = (float)pica_light_spotdir_xy_x(spot_xy) / 2047.0f;
    out->spot_direction[1] = (float)pica_light_spotdir_xy_y(spot_xy) / 2047.0f;
    out->spot_direction[2] = (float)pica_light_spotdir_z_z(spot_z) / 2047.0f;
}

/* LIT-15 for a directional light: the vectors are the same for every fragment, so they are computed here. */
static void decode_direction(struct fast_light *light)
{
    const float x = light->position[0], y = light->position[1], z = light->position[2];
    light->distance = sqrtf(((x * x) + (y * y)) + (z * z));
    light->direction[0] = x / light->distance;
    light->direction[1] = y / light->distance;
    light->direction[2] = z / light->distance;
}

static bool is_black(const float color[3])
{
    return color[0] == 0.0f && color[1] == 0.0f && color[2] == 0.0f;
}

static void decode_light(struct fast_gpu *gpu, const struct fast_lighting *lighting, uint32_t light,
                         struct fast_light *out)
{
    const uint32_t *r = gpu->registers;
    const uint32_t config = r[pica_reg_light(light, PICA_REG_LIGHT0_CONFIG)];
    const uint32_t config1 = r[PICA_REG_LIGHTING_CONFIG1];
    const uint32_t bias = r[pica_reg_light(light, PICA_REG_LIGHT0_ATTENUATION_BIAS)];
    const uint32_t scale = r[pica_reg_light(light, PICA_REG_LIGHT0_ATTENUATION_SCALE)];
    decode_color(r[pica_reg_light(light, PICA_REG_LIGHT0_SPECULAR0)], out->specular0);
    decode_color(r[pica_reg_light(light, PICA_REG_LIGHT0_SPECULAR1)], out->specular1);
    decode_color(r[pica_reg_light(light, PICA_REG_LIGHT0_DIFFUSE)], out->diffuse);
    decode_color(r[pica_reg_light(light, PICA_REG_LIGHT0_AMBIENT)], out->ambient);
    out->has_specular0 = !is_black(out->specular0);
    out->has_specular1 = !is_black(out->specular1);
    decode_vectors(r, light, out);
    decode_direction(out);
    out->directional = pica_light_config_directional(config);
    out->two_sided = pica_light_config_two_sided(config);
    out->geometric0 = pica_light_config_geometric_factor0(config);
    out->geometric1 = pica_light_config_geometric_factor1(config);
    out->shadow_enabled = !pica_lighting_config1_light_shadow_disable_at(config1, light);
    /* LIT-26, LIT-25: tables 8 + n and 16 + n. */
    out->spot_enabled =
        lighting->lookups[FAST_LUT_SP].enabled && !pica_lighting_config1_light_spot_disable_at(config1, light);
    if (out->spot_enabled)
        out->spot_table = decoded_table(gpu, PICA_LIGHTING_TABLE_SP0 + light);
    out->attenuation_enabled = !pica_lighting_config1_light_attenuation_disable_at(config1, light);
    if (out->attenuation_enabled)
        out->attenuation_table = decoded_table(gpu, PICA_LIGHTING_TABLE_DA0 + light);
    out->attenuation_bias = fast_float20(pica_light_attenuation_bias_bias(bias));
    out->attenuation_scale = fast_float20(pica_light_attenuation_scale_scale(scale));
}

/* -------------------------------------------------------------------------------------------------------- all of it */

/* LIT-06. */
static void decode_config0(uint32_t config0, struct fast_lighting *out)
{
    out->input5_is_projected = pica_lighting_config0_environment(config0) == PICA_LIGHT_ENVIRONMENT_ALL;
    out->bump_mode = pica_lighting_config0_bump_mode(config0);
    out->bump_unit = pica_lighting_config0_bump_unit(config0);
    out->bump_keeps_z = pica_lighting_config0_no_z_recalculation(config0);
    out->shadow = pica_lighting_config0_shadow_enable(config0);
    out->shadow_primary = pica_lighting_config0_shadow_primary(config0);
    out->shadow_secondary = pica_lighting_config0_shadow_secondary(config0);
    out->shadow_alpha = pica_lighting_config0_shadow_alpha(config0);
    out->shadow_inverted = pica_lighting_config0_shadow_invert(config0);
    out->shadow_unit = pica_lighting_config0_shadow_unit(config0);
    out->fresnel_primary = pica_lighting_config0_fresnel_to_primary_alpha(config0);
    out->fresnel_secondary = pica_lighting_config0_fresnel_to_secondary_alpha(config0);
    out->clamp_highlights = pica_lighting_config0_clamp_highlights(config0);
}

/* LIT-30, LIT-36: whether anything makes the alphas differ from 1.0. */
static void decode_opacity(struct fast_lighting *lighting)
{
    const bool changes = lighting->lookups[FAST_LUT_FR].enabled || (lighting->shadow && lighting->shadow_alpha);
    lighting->primary_is_opaque = !(changes && lighting->fresnel_primary);
    lighting->secondary_is_opaque = !(changes && lighting->fresnel_secondary);
}

/* Which vectors the enabled look-ups and the geometric factors use. */
static void decode_inputs(struct fast_lighting *lighting)
{
    bool spot = false;
    bool geometric = false;
    for (uint32_t slot = 0; slot < lighting->light_count; slot++) {
        const struct fast_light *light = &lighting->lights[slot];
        spot = spot || light->spot_enabled;
        geometric = geometric || light->geometric0 || light->geometric1;
    }
    for (uint32_t i = 0; i < FAST_LIGHTING_LUTS; i++)
        if (lighting->lookups[i].enabled && (i != FAST_LUT_SP || spot))
            lighting->inputs |= 1u << lighting->lookups[i].input;
    const uint32_t with_view = 1u << PICA_LUT_INPUT_NORMAL_HALF | 1u << PICA_LUT_INPUT_VIEW_HALF |
                               1u << PICA_LUT_INPUT_NORMAL_VIEW | 1u << PICA_LUT_INPUT_COS_PHI;
    lighting->needs_view = (lighting->inputs & with_view) != 0 || (geometric && lighting->secondary);
}

/*
 * The caller sets `enabled`, `primary` and `secondary`. The slots of 1D9 are decoded in order (50 section 1.5); a light
 * may occur several times.
 */
void fast_decode_lighting(struct fast_gpu *gpu, struct fast_lighting *lighting)
{
    const uint32_t *r = gpu->registers;
    decode_config0(r[PICA_REG_LIGHTING_CONFIG0], lighting);
    decode_lookups(gpu, lighting);
    decode_color(r[PICA_REG_LIGHTING_AMBIENT], lighting->global_ambient);
    lighting->light_count = pica_lighting_num_lights_lights_minus_1(r[PICA_REG_LIGHTING_NUM_LIGHTS]) + 1;
    for (uint32_t slot = 0; slot < lighting->light_count; slot++) {
        const uint32_t light =
            pica_lighting_light_permutation_slot_light_at(r[PICA_REG_LIGHTING_LIGHT_PERMUTATION], slot);
        decode_light(gpu, lighting, light, &lighting->lights[slot]);
    }
    decode_opacity(lighting);
    decode_inputs(lighting);
}

/* ----------------------------------------------------------------------------------------------------------- events */

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

static void enabled_events(const struct fast_event_sink *to)
{
    const uint32_t *r = to->gpu->registers;
    const uint32_t config0 = r[PICA_REG_LIGHTING_CONFIG0];
    const enum pica_light_environment environment = pica_lighting_config0_environment(config0);
    fast_shading_event_if(to, some_color_exceeds_255(r), PICA_EVENT_LIGHT_COLOR_GT_255);
    fast_shading_event_if(
        to, environment == PICA_LIGHT_ENVIRONMENT_RESERVED_7 || environment >= PICA_LIGHT_ENVIRONMENT_RESERVED_9,
        PICA_EVENT_LIGHT_CONFIG_RESERVED);
    fast_shading_event_if(to, pica_lighting_config0_bump_mode(config0) == PICA_BUMP_MODE_RESERVED_3,
                          PICA_EVENT_BUMP_MODE_3);
    for (uint32_t i = 0; i < FAST_LIGHTING_LUTS; i++) {
        const uint32_t scale = pica_lighting_lutinput_scale_scale_at(r[PICA_REG_LIGHTING_LUTINPUT_SCALE], i);
        const uint32_t input = pica_lighting_lutinput_select_input_at(r[PICA_REG_LIGHTING_LUTINPUT_SELECT], i);
        fast_shading_event_if(to, scale == PICA_LUT_SCALE_RESERVED_4 || scale == PICA_LUT_SCALE_RESERVED_5,
                              PICA_EVENT_LUT_SCALE_RESERVED);
        fast_shading_event_if(to, input >= PICA_LUT_INPUT_RESERVED_6, PICA_EVENT_LUT_INPUT_RESERVED);
    }
}

/* LIT-01. `named`: some stage of the combiner has a result of lighting as a source. */
void fast_lighting_events(const struct fast_event_sink *to, bool named)
{
    const uint32_t *r = to->gpu->registers;
    const uint32_t enable = pica_lighting_enable0_enable(r[PICA_REG_LIGHTING_ENABLE0]);
    const uint32_t disable = pica_lighting_enable1_disable(r[PICA_REG_LIGHTING_ENABLE1]);
    fast_shading_event_if(to, named && enable == disable, PICA_EVENT_LIGHTING_ENABLE_MISMATCH);
    if (named && !disable)
        enabled_events(to);
}
