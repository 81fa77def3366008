/* The texture combiner (50 section 2): registers -> struct fast_combiner, and its events. */
#include "fast/draw/shading_decode.h"
#include "fast/gpu.h"

/* ----------------------------------------------------------------------------------------------------------- stages */

/*
 * TEV-06: in stage 0, "previous" acts as the source that position 2 selects; if that is "previous" too, it acts as a
 * reserved source, which gives 0,0,0,0.
 */
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

/*
 * Is the output of the stage always the previous output? (Never so in stage 0, where redirect_previous has replaced
 * that source.)
 */
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

/* Bit n: the stage reads source n (TEV-17). */
static uint32_t sources_read(const struct fast_combiner_stage *stage)
{
    uint32_t sources = 0;
    for (uint32_t i = 0; i < stage->rgb_count; i++)
        sources |= 1u << stage->rgb[i].source;
    for (uint32_t i = 0; i < stage->alpha_count; i++)
        sources |= 1u << stage->alpha[i].source;
    return sources;
}

void fast_decode_combiner(const uint32_t *registers, struct fast_combiner *combiner)
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
    fast_find_rgba_stages(combiner);
}

/* ----------------------------------------------------------------------------------------------------------- events */

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
static void stage_events(const struct fast_event_sink *to, uint32_t stage, bool *names_lighting)
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
        fast_shading_event_if(to, is_reserved_source(rgb_source) || is_reserved_source(alpha_source),
                              PICA_EVENT_TEV_SOURCE_RESERVED);
        fast_shading_event_if(to, is_reserved_operand(pica_texenv_operand_rgb_operand_at(operands, i)),
                              PICA_EVENT_TEV_OPERAND_RESERVED);
    }
    fast_shading_event_if(to, rgb >= PICA_TEV_MODE_RESERVED_10, PICA_EVENT_TEV_OP_RESERVED);
    fast_shading_event_if(
        to,
        rgb != PICA_TEV_MODE_DOT3_RGBA &&
            (alpha == PICA_TEV_MODE_DOT3_RGB || alpha == PICA_TEV_MODE_DOT3_RGBA || alpha >= PICA_TEV_MODE_RESERVED_10),
        PICA_EVENT_TEV_ALPHA_OP_RESERVED);
    fast_shading_event_if(to,
                          pica_texenv_scale_rgb_scale(scales) == PICA_TEV_SCALE_RESERVED_3 ||
                              pica_texenv_scale_alpha_scale(scales) == PICA_TEV_SCALE_RESERVED_3,
                          PICA_EVENT_TEV_SCALE_3);
}

void fast_combiner_events(const struct fast_event_sink *to, bool *names_lighting)
{
    *names_lighting = false;
    for (uint32_t stage = 0; stage < FAST_COMBINER_STAGES; stage++)
        stage_events(to, stage, names_lighting);
}
