/* The shading state of a batch: combiner, fog, and which units, attributes and results anybody looks at. */
#include "fast/draw/shading.h"

#include "fast/draw/shading_parts.h"
#include "fast/gpu.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- lifetime */

enum pica_status fast_shading_create(struct fast_shading **out)
{
    struct fast_shading *shading = calloc(1, sizeof *shading);
    if (shading == NULL)
        return PICA_NO_MEMORY;
    const enum pica_status status = fast_texture_cache_init(&shading->textures);
    if (status != PICA_OK) {
        free(shading);
        return status;
    }
    fast_shading_reset(shading);
    *out = shading;
    return PICA_OK;
}

void fast_shading_destroy(struct fast_shading *shading)
{
    if (shading == NULL)
        return;
    fast_texture_cache_release(&shading->textures);
    free(shading);
}

void fast_shading_reset(struct fast_shading *shading)
{
    shading->stale_tables = UINT32_MAX;
    shading->events_are_known = false;
    fast_texture_cache_reset(&shading->textures);
}

/* -------------------------------------------------------------------------------------------------------- combiner */

/* TEV-06: in stage 0 the previous output is what position 2 selects, and 0,0,0,0 (as a reserved source) there. */
static void redirect_previous(uint32_t source[3])
{
    if (source[2] == PICA_TEV_SOURCE_PREVIOUS)
        source[2] = PICA_TEV_SOURCE_RESERVED_7;
    for (uint32_t i = 0; i < 2; i++)
        if (source[i] == PICA_TEV_SOURCE_PREVIOUS)
            source[i] = source[2];
}

/* TEV-13: 3 acts as x1. */
static uint32_t scale_shift(uint32_t scale)
{
    switch ((enum pica_tev_scale)scale) {
    case PICA_TEV_SCALE_1X: return 0;
    case PICA_TEV_SCALE_2X: return 1;
    case PICA_TEV_SCALE_4X: return 2;
    case PICA_TEV_SCALE_RESERVED_3:
    default: return 0;
    }
}

/* TEV-09, TEV-10: how many operands the mode reads (TEV-17). */
static uint32_t operands_read(uint32_t mode)
{
    switch ((enum pica_tev_mode)mode) {
    case PICA_TEV_MODE_REPLACE: return 1;
    case PICA_TEV_MODE_MODULATE: return 2;
    case PICA_TEV_MODE_ADD: return 2;
    case PICA_TEV_MODE_ADD_SIGNED: return 2;
    case PICA_TEV_MODE_INTERPOLATE: return 3;
    case PICA_TEV_MODE_SUBTRACT: return 2;
    case PICA_TEV_MODE_DOT3_RGB: return 2;
    case PICA_TEV_MODE_DOT3_RGBA: return 2;
    case PICA_TEV_MODE_MULTIPLY_ADD: return 3;
    case PICA_TEV_MODE_ADD_MULTIPLY: return 3;
    case PICA_TEV_MODE_RESERVED_10: return 0;
    case PICA_TEV_MODE_RESERVED_11: return 0;
    case PICA_TEV_MODE_RESERVED_12: return 0;
    case PICA_TEV_MODE_RESERVED_13: return 0;
    case PICA_TEV_MODE_RESERVED_14: return 0;
    case PICA_TEV_MODE_RESERVED_15:
    default: return 0;
    }
}

/* TEV-17. */
static uint32_t alpha_operands_read(const struct fast_combiner_stage *stage)
{
    const bool none = stage->alpha_from_dot3 || stage->alpha_mode == PICA_TEV_MODE_DOT3_RGB ||
                      stage->alpha_mode == PICA_TEV_MODE_DOT3_RGBA;
    return none ? 0 : operands_read(stage->alpha_mode);
}

/* TEV-07; reserved operands give 0. */
static struct fast_combiner_operand rgb_operand(uint32_t source, uint32_t operand)
{
    const uint8_t id = (uint8_t)source;
    switch ((enum pica_tev_rgb_operand)operand) {
    case PICA_TEV_RGB_OPERAND_COLOR: return (struct fast_combiner_operand){ id, { 0, 1, 2 }, 0 };
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_COLOR: return (struct fast_combiner_operand){ id, { 0, 1, 2 }, 255 };
    case PICA_TEV_RGB_OPERAND_ALPHA: return (struct fast_combiner_operand){ id, { 3, 3, 3 }, 0 };
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_ALPHA: return (struct fast_combiner_operand){ id, { 3, 3, 3 }, 255 };
    case PICA_TEV_RGB_OPERAND_RED: return (struct fast_combiner_operand){ id, { 0, 0, 0 }, 0 };
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_RED: return (struct fast_combiner_operand){ id, { 0, 0, 0 }, 255 };
    case PICA_TEV_RGB_OPERAND_RESERVED_6: break;
    case PICA_TEV_RGB_OPERAND_RESERVED_7: break;
    case PICA_TEV_RGB_OPERAND_GREEN: return (struct fast_combiner_operand){ id, { 1, 1, 1 }, 0 };
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_GREEN: return (struct fast_combiner_operand){ id, { 1, 1, 1 }, 255 };
    case PICA_TEV_RGB_OPERAND_RESERVED_10: break;
    case PICA_TEV_RGB_OPERAND_RESERVED_11: break;
    case PICA_TEV_RGB_OPERAND_BLUE: return (struct fast_combiner_operand){ id, { 2, 2, 2 }, 0 };
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_BLUE: return (struct fast_combiner_operand){ id, { 2, 2, 2 }, 255 };
    case PICA_TEV_RGB_OPERAND_RESERVED_14: break;
    case PICA_TEV_RGB_OPERAND_RESERVED_15: break;
    }
    return (struct fast_combiner_operand){ PICA_TEV_SOURCE_RESERVED_7, { 0, 0, 0 }, 0 };
}

/* TEV-08. */
static struct fast_combiner_operand alpha_operand(uint32_t source, uint32_t operand)
{
    const uint8_t id = (uint8_t)source;
    switch ((enum pica_tev_alpha_operand)operand) {
    case PICA_TEV_ALPHA_OPERAND_ALPHA: return (struct fast_combiner_operand){ id, { 3 }, 0 };
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_ALPHA: return (struct fast_combiner_operand){ id, { 3 }, 255 };
    case PICA_TEV_ALPHA_OPERAND_RED: return (struct fast_combiner_operand){ id, { 0 }, 0 };
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_RED: return (struct fast_combiner_operand){ id, { 0 }, 255 };
    case PICA_TEV_ALPHA_OPERAND_GREEN: return (struct fast_combiner_operand){ id, { 1 }, 0 };
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_GREEN: return (struct fast_combiner_operand){ id, { 1 }, 255 };
    case PICA_TEV_ALPHA_OPERAND_BLUE: return (struct fast_combiner_operand){ id, { 2 }, 0 };
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_BLUE:
    default: return (struct fast_combiner_operand){ id, { 2 }, 255 };
    }
}

static void decode_operands(const uint32_t *r, uint32_t index, struct fast_combiner_stage *stage)
{
    const uint32_t sources = r[pica_reg_texenv(index, PICA_REG_TEXENV0_SOURCE)];
    const uint32_t operands = r[pica_reg_texenv(index, PICA_REG_TEXENV0_OPERAND)];
    uint32_t rgb[3], alpha[3];
    for (uint32_t i = 0; i < 3; i++) {
        rgb[i] = pica_texenv_source_rgb_source_at(sources, i);
        alpha[i] = pica_texenv_source_alpha_source_at(sources, i);
    }
    if (index == 0) {
        redirect_previous(rgb);
        redirect_previous(alpha);
    }
    for (uint32_t i = 0; i < 3; i++) {
        stage->rgb[i] = rgb_operand(rgb[i], pica_texenv_operand_rgb_operand_at(operands, i));
        stage->alpha[i] = alpha_operand(alpha[i], pica_texenv_operand_alpha_operand_at(operands, i));
    }
}

static void decode_stage(const uint32_t *r, uint32_t index, struct fast_combiner_stage *stage)
{
    const uint32_t modes = r[pica_reg_texenv(index, PICA_REG_TEXENV0_COMBINER)];
    const uint32_t color = r[pica_reg_texenv(index, PICA_REG_TEXENV0_COLOR)];
    const uint32_t scales = r[pica_reg_texenv(index, PICA_REG_TEXENV0_SCALE)];
    const uint32_t update = r[PICA_REG_TEXENV_UPDATE_BUFFER];
    stage->number = (uint8_t)index;
    decode_operands(r, index, stage);
    stage->rgb_mode = pica_texenv_combiner_rgb_mode(modes);
    stage->alpha_mode = pica_texenv_combiner_alpha_mode(modes);
    stage->alpha_from_dot3 = stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA;
    stage->rgb_count = operands_read(stage->rgb_mode);
    stage->alpha_count = alpha_operands_read(stage);
    stage->rgb_shift = scale_shift(pica_texenv_scale_rgb_scale(scales));
    stage->alpha_shift = scale_shift(pica_texenv_scale_alpha_scale(scales));
    for (uint32_t c = 0; c < 4; c++)
        stage->constant[c] = (uint8_t)pica_rgba8_channel_at(color, c);
    /* TEV-12: stages 4 and 5 never update the buffer. */
    stage->updates_rgb = index < 4 && pica_texenv_update_buffer_rgb_update_at(update, index);
    stage->updates_alpha = index < 4 && pica_texenv_update_buffer_alpha_update_at(update, index);
}

/* Is the output always the previous output? (Not in stage 0, where nothing has this source any more.) */
static bool passes_through(const struct fast_combiner_stage *stage)
{
    const struct fast_combiner_operand *rgb = &stage->rgb[0];
    const struct fast_combiner_operand *alpha = &stage->alpha[0];
    const bool rgb_passes = stage->rgb_mode == PICA_TEV_MODE_REPLACE && rgb->source == PICA_TEV_SOURCE_PREVIOUS &&
                            rgb->channel[0] == 0 && rgb->channel[1] == 1 && rgb->invert == 0 && stage->rgb_shift == 0;
    const bool alpha_passes = stage->alpha_mode == PICA_TEV_MODE_REPLACE && alpha->source == PICA_TEV_SOURCE_PREVIOUS &&
                              alpha->channel[0] == 3 && alpha->invert == 0 && stage->alpha_shift == 0;
    return rgb_passes && alpha_passes;
}

/* The sources that a stage reads (TEV-17), one bit each. */
static uint32_t sources_read(const struct fast_combiner_stage *stage)
{
    uint32_t sources = 0;
    for (uint32_t i = 0; i < stage->rgb_count; i++)
        sources |= 1u << stage->rgb[i].source;
    for (uint32_t i = 0; i < stage->alpha_count; i++)
        sources |= 1u << stage->alpha[i].source;
    return sources;
}

static void decode_combiner(const uint32_t *registers, struct fast_combiner *combiner)
{
    combiner->sources = 0;
    for (uint32_t index = 0; index < FAST_COMBINER_STAGES; index++) {
        struct fast_combiner_stage *stage = &combiner->stages[index];
        decode_stage(registers, index, stage);
        const uint32_t sources = sources_read(stage);
        stage->reads_constant = (sources >> PICA_TEV_SOURCE_CONSTANT & 1) != 0;
        combiner->sources |= sources;
    }
    for (uint32_t c = 0; c < 4; c++)
        combiner->buffer[c] = (uint8_t)pica_rgba8_channel_at(registers[PICA_REG_TEXENV_BUFFER_COLOR], c);

    combiner->reads_buffer = (combiner->sources >> PICA_TEV_SOURCE_PREVIOUS_BUFFER & 1) != 0;
    combiner->stage_count = 0;
    for (uint32_t index = 0; index < FAST_COMBINER_STAGES; index++)
        if (combiner->reads_buffer || !passes_through(&combiner->stages[index]))
            combiner->stages[combiner->stage_count++] = combiner->stages[index];
    fast_plan_combiner(combiner);
}

/* ------------------------------------------------------------------------------------------------------------- fog */

/* TEV-01, FOG-01, GSF-01: fog acts in fragment mode 0 and fog mode 5 only; gas (7) leaves the colour as it is. */
static void decode_fog(struct fast_gpu *gpu, struct fast_fog *fog)
{
    const uint32_t word = gpu->registers[PICA_REG_TEXENV_UPDATE_BUFFER];
    const uint32_t operation = gpu->registers[PICA_REG_COLOR_OPERATION];
    memset(fog, 0, sizeof *fog);
    fog->enabled = pica_color_operation_fragment_mode(operation) == PICA_FRAGMENT_MODE_DEFAULT &&
                   pica_texenv_update_buffer_fog_mode(word) == PICA_FOG_MODE_FOG;
    if (!fog->enabled)
        return;
    fog->flipped = pica_texenv_update_buffer_fog_z_flip(word);
    for (uint32_t c = 0; c < 3; c++)
        fog->color[c] = (float)pica_fog_color_channel_at(gpu->registers[PICA_REG_FOG_COLOR], c);
    fog->lut = fast_table_fog(gpu);
}

/* ----------------------------------------------------------------------------------------------------------- state */

/* TEV-01: gas mode and mode 2 look at no colour. */
static bool mode_has_color(uint32_t operation)
{
    switch (pica_color_operation_fragment_mode(operation)) {
    case PICA_FRAGMENT_MODE_DEFAULT: return true;
    case PICA_FRAGMENT_MODE_GAS: return false;
    case PICA_FRAGMENT_MODE_RESERVED_2: return false;
    case PICA_FRAGMENT_MODE_SHADOW:
    default: return true;
    }
}

/* TEX-32, narrowed: lighting whose result no operand reads uses nothing. */
static uint32_t used_units(uint32_t sources, bool lighting_enabled, uint32_t config0)
{
    uint32_t used = sources >> PICA_TEV_SOURCE_TEXTURE0 & 15;
    if (!lighting_enabled)
        return used;
    const enum pica_bump_mode bump = pica_lighting_config0_bump_mode(config0);
    if (bump == PICA_BUMP_MODE_NORMAL_MAP || bump == PICA_BUMP_MODE_TANGENT_MAP)
        used |= 1u << pica_lighting_config0_bump_unit(config0);
    if (pica_lighting_config0_shadow_enable(config0))
        used |= 1u << pica_lighting_config0_shadow_unit(config0);
    return used;
}

static uint32_t needs_of_coordinate(uint32_t coordinate)
{
    static const uint32_t needs[3] = { FAST_NEED_TEXCOORD0, FAST_NEED_TEXCOORD1, FAST_NEED_TEXCOORD2 };
    return needs[coordinate];
}

static uint32_t needs_of_unit(const struct fast_texture_unit *unit)
{
    if (unit->kind == FAST_UNIT_CONSTANT)
        return 0;
    uint32_t needs = needs_of_coordinate(unit->coordinate);
    if (unit->kind != FAST_UNIT_2D)
        needs |= FAST_NEED_TEXCOORD0_W;
    if (unit->needs_lod)
        needs |= FAST_NEED_DERIVATIVES;
    return needs;
}

static uint32_t needs_of_state(const struct fast_shading_state *state, uint32_t sources)
{
    uint32_t needs = FAST_NEED_SHADING;
    if (sources >> PICA_TEV_SOURCE_PRIMARY_COLOR & 1)
        needs |= FAST_NEED_COLOR;
    if (state->lighting.enabled)
        needs |= FAST_NEED_QUATERNION | FAST_NEED_VIEW;
    if (state->fog.enabled)
        needs |= FAST_NEED_FOG_DEPTH;
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        needs |= needs_of_unit(&state->units[unit]);
    if (state->proctex.enabled) {
        needs |= needs_of_coordinate(state->proctex.coordinate);
        if (state->proctex.mip != 0)
            needs |= FAST_NEED_DERIVATIVES;
    }
    return needs;
}

/*
 * TEX-20: registers and tables of this moment. TEV-02, TEX-32: what is not looked at is not computed.
 * GSF-02, GSF-03, GSF-04, GSF-05, GSF-06, REG-33: the gas registers and table, the feedback register included, have no
 * effect on results.
 */
void fast_shading_state_decode(struct fast_gpu *gpu, struct fast_shading_state *state)
{
    const uint32_t *r = gpu->registers;
    gpu->shading->stale_tables |= gpu->dirty_tables;
    gpu->dirty_tables = 0;
    gpu->shading->events_are_known = false;

    memset(&state->lighting, 0, sizeof state->lighting);
    state->has_color = gpu->traces_pixel || mode_has_color(r[PICA_REG_COLOR_OPERATION]);
    decode_combiner(r, &state->combiner);
    const uint32_t sources = state->combiner.sources;
    state->lighting.primary = (sources >> PICA_TEV_SOURCE_FRAGMENT_PRIMARY & 1) != 0;
    state->lighting.secondary = (sources >> PICA_TEV_SOURCE_FRAGMENT_SECONDARY & 1) != 0;
    state->lighting.enabled = state->has_color && (state->lighting.primary || state->lighting.secondary) &&
                              !pica_lighting_enable1_disable(r[PICA_REG_LIGHTING_ENABLE1]); /* LIT-01 */
    state->unit_used =
        state->has_color ? used_units(sources, state->lighting.enabled, r[PICA_REG_LIGHTING_CONFIG0]) : 0;

    fast_texture_cache_make_room(gpu, &gpu->shading->textures);
    fast_decode_units(gpu, state);
    fast_decode_proctex(gpu, state);
    if (state->lighting.enabled)
        fast_decode_lighting(gpu, &state->lighting);
    decode_fog(gpu, &state->fog);
    state->needs = state->has_color ? needs_of_state(state, sources) : 0;
}
