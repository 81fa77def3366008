/*
 * Six fixed stages turn the colours of a fragment into one. A stage picks up to three sources (vertex colour, lighting,
 * textures, a constant, the output of an earlier stage), bends each with an operand ("one minus alpha", "green in all
 * channels"), and joins them with one of ten formulas, RGB and alpha separately; the result may be doubled or
 * quadrupled. All is 8-bit integer arithmetic that truncates. Beside "the stage before" there is a buffer that stages
 * 0-3 can fill, and that is read with one stage of delay.
 *
 * Worked number: interpolate 200 and 30 by 77: (200 * 77 + 30 * 178) / 255 = 81. Dot product of (128, 128, 255) with
 * itself: 254 (TEV-15). Stage 0 has no stage before it: TEV-06, TEV-16.
 */
#include "reference/texture.h"

enum {
    STAGES = 6
};

/* The words of a stage. */
struct stage {
    uint32_t source, operand, combiner, color, scale;
};

static struct stage stage_words(const struct ref_gpu *gpu, uint32_t s)
{
    const uint32_t *words = &gpu->regs[pica_reg_texenv(s, PICA_REG_TEXENV0_SOURCE)];
    const struct stage stage = {
        .source = words[0],
        .operand = words[PICA_REG_TEXENV0_OPERAND - PICA_REG_TEXENV0_SOURCE],
        .combiner = words[PICA_REG_TEXENV0_COMBINER - PICA_REG_TEXENV0_SOURCE],
        .color = words[PICA_REG_TEXENV0_COLOR - PICA_REG_TEXENV0_SOURCE],
        .scale = words[PICA_REG_TEXENV0_SCALE - PICA_REG_TEXENV0_SOURCE],
    };
    return stage;
}

/* ------------------------------------------------------------------------------------------------ sources, operands */

/* TEV-06: in stage 0 "previous" in position 0 or 1 means position 2's source. */
static enum pica_tev_source redirect(uint32_t s, enum pica_tev_source source, uint32_t position,
                                     enum pica_tev_source source2)
{
    if (s == 0 && position < 2u && source == PICA_TEV_SOURCE_PREVIOUS)
        return source2;
    return source;
}

static enum pica_tev_source rgb_source(uint32_t s, uint32_t word, uint32_t position)
{
    return redirect(s, (enum pica_tev_source)pica_texenv_source_rgb_source_at(word, position), position,
                    pica_texenv_source_rgb_source2(word));
}

static enum pica_tev_source alpha_source(uint32_t s, uint32_t word, uint32_t position)
{
    return redirect(s, (enum pica_tev_source)pica_texenv_source_alpha_source_at(word, position), position,
                    pica_texenv_source_alpha_source2(word));
}

/* What changes from stage to stage. */
struct state {
    uint8_t previous[4]; /* TEV-14; zeros before stage 0, so that position 2 reads 0 there (TEV-06) */
    uint8_t buffer[4];   /* TEV-12: readable */
    uint8_t pending[4];
    uint8_t constant[4];
};

static const uint8_t black[4] = { 0, 0, 0, 0 };

/* TEV-05 */
static const uint8_t *source_color(const struct ref_sources *sources, const struct state *state,
                                   enum pica_tev_source source)
{
    switch (source) {
    case PICA_TEV_SOURCE_PRIMARY_COLOR: return sources->primary;
    case PICA_TEV_SOURCE_FRAGMENT_PRIMARY: return sources->lighting[0];
    case PICA_TEV_SOURCE_FRAGMENT_SECONDARY: return sources->lighting[1];
    case PICA_TEV_SOURCE_TEXTURE0: return sources->texture[0];
    case PICA_TEV_SOURCE_TEXTURE1: return sources->texture[1];
    case PICA_TEV_SOURCE_TEXTURE2: return sources->texture[2];
    case PICA_TEV_SOURCE_TEXTURE3: return sources->texture[3];
    case PICA_TEV_SOURCE_RESERVED_7:
    case PICA_TEV_SOURCE_RESERVED_8:
    case PICA_TEV_SOURCE_RESERVED_9:
    case PICA_TEV_SOURCE_RESERVED_10:
    case PICA_TEV_SOURCE_RESERVED_11:
    case PICA_TEV_SOURCE_RESERVED_12: return black;
    case PICA_TEV_SOURCE_PREVIOUS_BUFFER: return state->buffer;
    case PICA_TEV_SOURCE_CONSTANT: return state->constant;
    case PICA_TEV_SOURCE_PREVIOUS: return state->previous;
    }
    return black; /* not reached: the field has four bits */
}

/* One value, or its complement, in all three channels. */
static void spread(uint8_t value, bool complement, int32_t rgb[3])
{
    rgb[0] = rgb[1] = rgb[2] = complement ? 255 - value : value;
}

/* TEV-07 */
static void rgb_operand(enum pica_tev_rgb_operand operand, const uint8_t color[4], int32_t rgb[3])
{
    switch (operand) {
    case PICA_TEV_RGB_OPERAND_COLOR:
        for (int c = 0; c < 3; c++)
            rgb[c] = color[c];
        return;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_COLOR:
        for (int c = 0; c < 3; c++)
            rgb[c] = 255 - color[c];
        return;
    case PICA_TEV_RGB_OPERAND_ALPHA: spread(color[3], false, rgb); return;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_ALPHA: spread(color[3], true, rgb); return;
    case PICA_TEV_RGB_OPERAND_RED: spread(color[0], false, rgb); return;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_RED: spread(color[0], true, rgb); return;
    case PICA_TEV_RGB_OPERAND_GREEN: spread(color[1], false, rgb); return;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_GREEN: spread(color[1], true, rgb); return;
    case PICA_TEV_RGB_OPERAND_BLUE: spread(color[2], false, rgb); return;
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_BLUE: spread(color[2], true, rgb); return;
    case PICA_TEV_RGB_OPERAND_RESERVED_6:
    case PICA_TEV_RGB_OPERAND_RESERVED_7:
    case PICA_TEV_RGB_OPERAND_RESERVED_10:
    case PICA_TEV_RGB_OPERAND_RESERVED_11:
    case PICA_TEV_RGB_OPERAND_RESERVED_14:
    case PICA_TEV_RGB_OPERAND_RESERVED_15: break;
    }
    spread(0, false, rgb);
}

/* TEV-08 */
static int32_t alpha_operand(enum pica_tev_alpha_operand operand, const uint8_t color[4])
{
    switch (operand) {
    case PICA_TEV_ALPHA_OPERAND_ALPHA: return color[3];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_ALPHA: return 255 - color[3];
    case PICA_TEV_ALPHA_OPERAND_RED: return color[0];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_RED: return 255 - color[0];
    case PICA_TEV_ALPHA_OPERAND_GREEN: return color[1];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_GREEN: return 255 - color[1];
    case PICA_TEV_ALPHA_OPERAND_BLUE: return color[2];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_BLUE: return 255 - color[2];
    }
    return 0; /* not reached: the field has three bits */
}

/* ----------------------------------------------------------------------------------------------------- arithmetic */

static int32_t limit(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* TEV-09: one channel; the modes that TEV-10 handles give 0 here (TEV-11). */
static int32_t join(enum pica_tev_mode mode, int32_t a, int32_t b, int32_t c)
{
    switch (mode) {
    case PICA_TEV_MODE_REPLACE: return a;
    case PICA_TEV_MODE_MODULATE: return (a * b) / 255;
    case PICA_TEV_MODE_ADD: return limit(a + b);
    case PICA_TEV_MODE_ADD_SIGNED: return limit(a + b - 128);
    case PICA_TEV_MODE_INTERPOLATE: return ((a * c) + (b * (255 - c))) / 255;
    case PICA_TEV_MODE_SUBTRACT: return limit(a - b);
    case PICA_TEV_MODE_DOT3_RGB:
    case PICA_TEV_MODE_DOT3_RGBA: return 0;
    case PICA_TEV_MODE_MULTIPLY_ADD: return limit(((a * b) + (255 * c)) / 255);
    case PICA_TEV_MODE_ADD_MULTIPLY: return (limit(a + b) * c) / 255;
    case PICA_TEV_MODE_RESERVED_10:
    case PICA_TEV_MODE_RESERVED_11:
    case PICA_TEV_MODE_RESERVED_12:
    case PICA_TEV_MODE_RESERVED_13:
    case PICA_TEV_MODE_RESERVED_14:
    case PICA_TEV_MODE_RESERVED_15: return 0;
    }
    return 0; /* not reached: the field has four bits */
}

/* TEV-10: each term truncates toward zero. */
static int32_t dot3(const int32_t a[3], const int32_t b[3])
{
    int32_t sum = 0;
    for (int c = 0; c < 3; c++)
        sum += ((((2 * a[c]) - 255) * ((2 * b[c]) - 255)) + 128) / 256;
    return limit(sum);
}

/* TEV-13 */
static uint8_t scale_up(enum pica_tev_scale scale, int32_t value)
{
    switch (scale) {
    case PICA_TEV_SCALE_1X: return (uint8_t)value;
    case PICA_TEV_SCALE_2X: return (uint8_t)limit(value * 2);
    case PICA_TEV_SCALE_4X: return (uint8_t)limit(value * 4);
    case PICA_TEV_SCALE_RESERVED_3: return (uint8_t)value;
    }
    return 0; /* not reached: the field has two bits */
}

/* TEV-17: how many operands, from position 0 on, a mode reads. */
static uint32_t operands_read(enum pica_tev_mode mode, bool alpha)
{
    switch (mode) {
    case PICA_TEV_MODE_REPLACE: return 1;
    case PICA_TEV_MODE_MODULATE:
    case PICA_TEV_MODE_ADD:
    case PICA_TEV_MODE_ADD_SIGNED:
    case PICA_TEV_MODE_SUBTRACT: return 2;
    case PICA_TEV_MODE_DOT3_RGB:
    case PICA_TEV_MODE_DOT3_RGBA: return alpha ? 0 : 2;
    case PICA_TEV_MODE_INTERPOLATE:
    case PICA_TEV_MODE_MULTIPLY_ADD:
    case PICA_TEV_MODE_ADD_MULTIPLY: return 3;
    case PICA_TEV_MODE_RESERVED_10:
    case PICA_TEV_MODE_RESERVED_11:
    case PICA_TEV_MODE_RESERVED_12:
    case PICA_TEV_MODE_RESERVED_13:
    case PICA_TEV_MODE_RESERVED_14:
    case PICA_TEV_MODE_RESERVED_15: return 0;
    }
    return 0; /* not reached: the field has four bits */
}

/* TEV-04, TEV-09, TEV-10, TEV-11: the operands joined, before scaling. Only those that are read are worked out. */
static void rgb_result(uint32_t s, const struct stage *words, const struct ref_sources *sources,
                       const struct state *state, int32_t rgb[3])
{
    const enum pica_tev_mode mode = pica_texenv_combiner_rgb_mode(words->combiner);
    const uint32_t count = operands_read(mode, false);
    int32_t operands[3][3] = { { 0 } };
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *color = source_color(sources, state, rgb_source(s, words->source, i));
        rgb_operand((enum pica_tev_rgb_operand)pica_texenv_operand_rgb_operand_at(words->operand, i), color,
                    operands[i]);
    }
    if (mode == PICA_TEV_MODE_DOT3_RGB || mode == PICA_TEV_MODE_DOT3_RGBA) {
        rgb[0] = rgb[1] = rgb[2] = dot3(operands[0], operands[1]);
        return;
    }
    for (int c = 0; c < 3; c++)
        rgb[c] = join(mode, operands[0][c], operands[1][c], operands[2][c]);
}

static int32_t alpha_result(uint32_t s, const struct stage *words, const struct ref_sources *sources,
                            const struct state *state)
{
    const enum pica_tev_mode mode = pica_texenv_combiner_alpha_mode(words->combiner);
    const uint32_t count = operands_read(mode, true);
    int32_t operands[3] = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *color = source_color(sources, state, alpha_source(s, words->source, i));
        operands[i] =
            alpha_operand((enum pica_tev_alpha_operand)pica_texenv_operand_alpha_operand_at(words->operand, i), color);
    }
    return join(mode, operands[0], operands[1], operands[2]);
}

static void unpack(uint32_t word, uint8_t color[4])
{
    for (uint32_t c = 0; c < 4; c++)
        color[c] = (uint8_t)pica_rgba8_channel_at(word, c);
}

/* TEV-12: after stage s. */
static void update_buffer(uint32_t word, uint32_t s, struct state *state)
{
    for (int c = 0; c < 4; c++)
        state->buffer[c] = state->pending[c];
    if (s >= 4u)
        return;
    if (pica_texenv_update_buffer_rgb_update_at(word, s) != 0) {
        for (int c = 0; c < 3; c++)
            state->pending[c] = state->previous[c];
    }
    if (pica_texenv_update_buffer_alpha_update_at(word, s) != 0)
        state->pending[3] = state->previous[3];
}

/* Programs leave the stages that they do not need like this: the output is that of the stage before. */
static bool passes_through(uint32_t s, const struct stage *words)
{
    return s > 0 && pica_texenv_combiner_rgb_mode(words->combiner) == PICA_TEV_MODE_REPLACE &&
           pica_texenv_combiner_alpha_mode(words->combiner) == PICA_TEV_MODE_REPLACE &&
           pica_texenv_source_rgb_source0(words->source) == PICA_TEV_SOURCE_PREVIOUS &&
           pica_texenv_source_alpha_source0(words->source) == PICA_TEV_SOURCE_PREVIOUS &&
           pica_texenv_operand_rgb_operand0(words->operand) == PICA_TEV_RGB_OPERAND_COLOR &&
           pica_texenv_operand_alpha_operand0(words->operand) == PICA_TEV_ALPHA_OPERAND_ALPHA &&
           pica_texenv_scale_rgb_scale(words->scale) == PICA_TEV_SCALE_1X &&
           pica_texenv_scale_alpha_scale(words->scale) == PICA_TEV_SCALE_1X;
}

/* TEV-09, TEV-11, TEV-13: one stage; its output replaces state->previous. */
static void run_stage(uint32_t s, const struct stage *words, const struct ref_sources *sources, struct state *state)
{
    int32_t rgb[3];
    unpack(words->color, state->constant);
    rgb_result(s, words, sources, state, rgb);
    const bool dot3_rgba = pica_texenv_combiner_rgb_mode(words->combiner) == PICA_TEV_MODE_DOT3_RGBA;
    const int32_t alpha = dot3_rgba ? rgb[0] : alpha_result(s, words, sources, state);
    for (int c = 0; c < 3; c++)
        state->previous[c] = scale_up(pica_texenv_scale_rgb_scale(words->scale), rgb[c]);
    state->previous[3] = scale_up(pica_texenv_scale_alpha_scale(words->scale), alpha);
}

/* TEV-03, TEV-04, TEV-14: the primary colour arrives as ITP-13's bytes; the output of stage 5 is the colour. */
void ref_combine(const struct ref_gpu *gpu, const struct ref_sources *sources, uint8_t color[4])
{
    struct state state = { .previous = { 0 } };
    unpack(gpu->regs[PICA_REG_TEXENV_BUFFER_COLOR], state.pending);
    for (uint32_t s = 0; s < STAGES; s++) {
        const struct stage words = stage_words(gpu, s);
        if (!passes_through(s, &words))
            run_stage(s, &words, sources, &state);
        update_buffer(gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER], s, &state);
    }
    for (int c = 0; c < 4; c++)
        color[c] = state.previous[c];
}

/* -------------------------------------------------------------------------------------- which units matter (TEX-32) */

/* The bit of the texture unit that a source is, or 0. */
static uint32_t unit_bit(enum pica_tev_source source)
{
    if (source < PICA_TEV_SOURCE_TEXTURE0 || source > PICA_TEV_SOURCE_TEXTURE3)
        return 0;
    return 1u << ((uint32_t)source - (uint32_t)PICA_TEV_SOURCE_TEXTURE0);
}

uint32_t ref_combiner_units(const struct ref_gpu *gpu)
{
    uint32_t units = 0;
    for (uint32_t s = 0; s < STAGES; s++) {
        const struct stage words = stage_words(gpu, s);
        const enum pica_tev_mode rgb_mode = pica_texenv_combiner_rgb_mode(words.combiner);
        const uint32_t rgb_count = operands_read(rgb_mode, false);
        for (uint32_t i = 0; i < rgb_count; i++)
            units |= unit_bit(rgb_source(s, words.source, i));
        if (rgb_mode == PICA_TEV_MODE_DOT3_RGBA)
            continue;
        const uint32_t alpha_count = operands_read(pica_texenv_combiner_alpha_mode(words.combiner), true);
        for (uint32_t i = 0; i < alpha_count; i++)
            units |= unit_bit(alpha_source(s, words.source, i));
    }
    return units;
}
