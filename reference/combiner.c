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

#include "reference/trace.h"

#include <string.h>

enum {
    STAGES = 6
};

/* The words of a stage. */
struct stage_words {
    uint32_t source, operand, combiner, color, scale;
};

static struct stage_words stage_words(const struct ref_gpu *gpu, uint32_t s)
{
    const uint32_t *words = &gpu->regs[pica_reg_texenv(s, PICA_REG_TEXENV0_SOURCE)];
    const struct stage_words stage = {
        .source = words[0],
        .operand = words[PICA_REG_TEXENV0_OPERAND - PICA_REG_TEXENV0_SOURCE],
        .combiner = words[PICA_REG_TEXENV0_COMBINER - PICA_REG_TEXENV0_SOURCE],
        .color = words[PICA_REG_TEXENV0_COLOR - PICA_REG_TEXENV0_SOURCE],
        .scale = words[PICA_REG_TEXENV0_SCALE - PICA_REG_TEXENV0_SOURCE],
    };
    return stage;
}

/* -------------------------------------------------------------------------------------------------------- decoding */

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

/* One channel of a source, or its complement. */
static struct ref_operand take(enum pica_tev_source source, uint32_t channel, bool complement)
{
    const struct ref_operand operand = { (uint8_t)(4u * (uint32_t)source + channel), complement ? 255 : 0 };
    return operand;
}

/* 0, as every reserved source. */
static struct ref_operand no_operand(void)
{
    return take(PICA_TEV_SOURCE_RESERVED_7, 0, false);
}

/* TEV-07: channel c (0-2) of an RGB operand. */
static struct ref_operand rgb_operand(enum pica_tev_rgb_operand operand, enum pica_tev_source source, uint32_t c)
{
    switch (operand) {
    case PICA_TEV_RGB_OPERAND_COLOR: return take(source, c, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_COLOR: return take(source, c, true);
    case PICA_TEV_RGB_OPERAND_ALPHA: return take(source, 3, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_ALPHA: return take(source, 3, true);
    case PICA_TEV_RGB_OPERAND_RED: return take(source, 0, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_RED: return take(source, 0, true);
    case PICA_TEV_RGB_OPERAND_GREEN: return take(source, 1, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_GREEN: return take(source, 1, true);
    case PICA_TEV_RGB_OPERAND_BLUE: return take(source, 2, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_BLUE: return take(source, 2, true);
    case PICA_TEV_RGB_OPERAND_RESERVED_6:
    case PICA_TEV_RGB_OPERAND_RESERVED_7:
    case PICA_TEV_RGB_OPERAND_RESERVED_10:
    case PICA_TEV_RGB_OPERAND_RESERVED_11:
    case PICA_TEV_RGB_OPERAND_RESERVED_14:
    case PICA_TEV_RGB_OPERAND_RESERVED_15: break;
    }
    return no_operand();
}

/* TEV-08 */
static struct ref_operand alpha_operand(enum pica_tev_alpha_operand operand, enum pica_tev_source source)
{
    switch (operand) {
    case PICA_TEV_ALPHA_OPERAND_ALPHA: return take(source, 3, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_ALPHA: return take(source, 3, true);
    case PICA_TEV_ALPHA_OPERAND_RED: return take(source, 0, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_RED: return take(source, 0, true);
    case PICA_TEV_ALPHA_OPERAND_GREEN: return take(source, 1, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_GREEN: return take(source, 1, true);
    case PICA_TEV_ALPHA_OPERAND_BLUE: return take(source, 2, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_BLUE:
    default: return take(source, 2, true); /* the field has three bits */
    }
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
    case PICA_TEV_MODE_RESERVED_15:
    default: return 0; /* the field has four bits */
    }
}

/* TEV-17, TEX-32: the sources whose operands some formula of stage s reads. */
static uint32_t sources_read(uint32_t s, const struct stage_words *words)
{
    const enum pica_tev_mode rgb_mode = pica_texenv_combiner_rgb_mode(words->combiner);
    const uint32_t rgb_count = operands_read(rgb_mode, false);
    uint32_t sources = 0;
    for (uint32_t i = 0; i < rgb_count; i++)
        sources |= 1u << rgb_source(s, words->source, i);
    if (rgb_mode == PICA_TEV_MODE_DOT3_RGBA)
        return sources;
    const uint32_t alpha_count = operands_read(pica_texenv_combiner_alpha_mode(words->combiner), true);
    for (uint32_t i = 0; i < alpha_count; i++)
        sources |= 1u << alpha_source(s, words->source, i);
    return sources;
}

/* TEV-13 */
static int32_t scale_factor(enum pica_tev_scale scale)
{
    switch (scale) {
    case PICA_TEV_SCALE_1X: return 1;
    case PICA_TEV_SCALE_2X: return 2;
    case PICA_TEV_SCALE_4X: return 4;
    case PICA_TEV_SCALE_RESERVED_3:
    default: return 1; /* the field has two bits */
    }
}

/* Programs leave the stages that they do not need like this: the output is that of the stage before. */
static bool passes_through(uint32_t s, const struct stage_words *words)
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

static void unpack(uint32_t word, uint8_t color[4])
{
    for (uint32_t c = 0; c < 4; c++)
        color[c] = (uint8_t)pica_rgba8_channel_at(word, c);
}

/* TEV-07, TEV-08, TEV-17: position i of stage s; 0 where no formula reads it. */
static void decode_operand(uint32_t s, const struct stage_words *words, uint32_t i, struct ref_operand operand[4])
{
    const enum pica_tev_mode rgb_mode = pica_texenv_combiner_rgb_mode(words->combiner);
    const enum pica_tev_mode alpha_mode = pica_texenv_combiner_alpha_mode(words->combiner);
    const enum pica_tev_rgb_operand rgb =
        (enum pica_tev_rgb_operand)pica_texenv_operand_rgb_operand_at(words->operand, i);
    const enum pica_tev_alpha_operand alpha =
        (enum pica_tev_alpha_operand)pica_texenv_operand_alpha_operand_at(words->operand, i);
    for (uint32_t c = 0; c < 3; c++)
        operand[c] =
            i < operands_read(rgb_mode, false) ? rgb_operand(rgb, rgb_source(s, words->source, i), c) : no_operand();
    operand[3] = rgb_mode != PICA_TEV_MODE_DOT3_RGBA && i < operands_read(alpha_mode, true)
                     ? alpha_operand(alpha, alpha_source(s, words->source, i))
                     : no_operand();
}

/* `update` is the word of TEV-12: only stages 0-3 can fill the buffer. */
static void decode_stage(uint32_t s, const struct stage_words *words, uint32_t update, struct ref_stage *stage)
{
    stage->passes_through = passes_through(s, words);
    stage->rgb_mode = pica_texenv_combiner_rgb_mode(words->combiner);
    stage->alpha_mode = pica_texenv_combiner_alpha_mode(words->combiner);
    const uint32_t rgb_count = operands_read(stage->rgb_mode, false);
    const uint32_t alpha_count = operands_read(stage->alpha_mode, true);
    stage->operand_count = rgb_count > alpha_count ? rgb_count : alpha_count;
    for (uint32_t i = 0; i < 3; i++)
        decode_operand(s, words, i, stage->operands[i]);
    stage->rgb_scale = scale_factor(pica_texenv_scale_rgb_scale(words->scale));
    stage->alpha_scale = scale_factor(pica_texenv_scale_alpha_scale(words->scale));
    unpack(words->color, stage->constant);
    stage->rgb_update = s < 4u && pica_texenv_update_buffer_rgb_update_at(update, s) != 0;
    stage->alpha_update = s < 4u && pica_texenv_update_buffer_alpha_update_at(update, s) != 0;
}

void ref_combiner_decode(const struct ref_gpu *gpu, struct ref_combiner *combiner)
{
    combiner->sources_read = 0;
    unpack(gpu->regs[PICA_REG_TEXENV_BUFFER_COLOR], combiner->buffer);
    for (uint32_t s = 0; s < STAGES; s++) {
        const struct stage_words words = stage_words(gpu, s);
        decode_stage(s, &words, gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER], &combiner->stages[s]);
        combiner->sources_read |= sources_read(s, &words);
    }
}

/* ----------------------------------------------------------------------------------------------------- arithmetic */

static int32_t limit(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* Of a number that is not negative. */
static int32_t div255_floor(int32_t value)
{
    return (int32_t)((uint32_t)value / 255u);
}

/* TEV-09: one channel; the modes that TEV-10 handles give 0 here (TEV-11). */
static inline int32_t join(enum pica_tev_mode mode, int32_t a, int32_t b, int32_t c)
{
    switch (mode) {
    case PICA_TEV_MODE_REPLACE: return a;
    case PICA_TEV_MODE_MODULATE: return div255_floor(a * b);
    case PICA_TEV_MODE_ADD: return limit(a + b);
    case PICA_TEV_MODE_ADD_SIGNED: return limit(a + b - 128);
    case PICA_TEV_MODE_INTERPOLATE: return div255_floor((a * c) + (b * (255 - c)));
    case PICA_TEV_MODE_SUBTRACT: return limit(a - b);
    case PICA_TEV_MODE_DOT3_RGB:
    case PICA_TEV_MODE_DOT3_RGBA: return 0;
    case PICA_TEV_MODE_MULTIPLY_ADD: return limit(div255_floor((a * b) + (255 * c)));
    case PICA_TEV_MODE_ADD_MULTIPLY: return div255_floor(limit(a + b) * c);
    case PICA_TEV_MODE_RESERVED_10:
    case PICA_TEV_MODE_RESERVED_11:
    case PICA_TEV_MODE_RESERVED_12:
    case PICA_TEV_MODE_RESERVED_13:
    case PICA_TEV_MODE_RESERVED_14:
    case PICA_TEV_MODE_RESERVED_15:
    default: return 0; /* the field has four bits */
    }
}

/* TEV-10: each term truncates toward zero. */
static int32_t dot3(const int32_t a[4], const int32_t b[4])
{
    int32_t sum = 0;
    for (int c = 0; c < 3; c++)
        sum += ((((2 * a[c]) - 255) * ((2 * b[c]) - 255)) + 128) / 256;
    return limit(sum);
}

/* TEV-04: the operands of a stage, by position and channel; 0 where no formula reads them. */
struct values {
    int32_t at[3][4];
};

static struct values read_operands(const struct ref_stage *stage, const struct ref_sources *sources)
{
    struct values values = { { { 0 } } };
    const uint8_t *const bytes = (const uint8_t *)sources;
    for (uint32_t i = 0; i < stage->operand_count; i++)
        for (int c = 0; c < 4; c++) {
            const struct ref_operand *operand = &stage->operands[i][c];
            values.at[i][c] = bytes[operand->byte] ^ operand->complement;
        }
    return values;
}

/* TEV-13: of a result from 0 to 255. */
static uint8_t scaled(int32_t result, int32_t scale)
{
    const int32_t product = result * scale;
    return (uint8_t)(product > 255 ? 255 : product);
}

static void trace_operands(const struct ref_gpu *gpu, uint32_t s, const struct values *values)
{
    uint32_t list[12];
    for (uint32_t i = 0; i < 12; i++)
        list[i] = (uint32_t)values->at[i / 4u][i % 4u];
    ref_trace(gpu, PICA_TRACE_ID_COMBINER_OPERANDS, s, list, 12);
}

/* TEV-09, TEV-10, TEV-11, TEV-13: stage s; its output replaces the previous colour. */
static void run_stage(const struct ref_gpu *gpu, uint32_t s, const struct ref_stage *stage, struct ref_sources *sources)
{
    uint8_t *previous = sources->colors[PICA_TEV_SOURCE_PREVIOUS];
    int32_t result[4];
    memcpy(sources->colors[PICA_TEV_SOURCE_CONSTANT], stage->constant, 4);
    const struct values values = read_operands(stage, sources);
    if (gpu->trace.is_active)
        trace_operands(gpu, s, &values);
    const int32_t *a = values.at[0], *b = values.at[1], *c = values.at[2];
    for (int i = 0; i < 3; i++)
        result[i] = join(stage->rgb_mode, a[i], b[i], c[i]);
    result[3] = join(stage->alpha_mode, a[3], b[3], c[3]);
    if (stage->rgb_mode == PICA_TEV_MODE_DOT3_RGB || stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA)
        result[0] = result[1] = result[2] = dot3(a, b);
    if (stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA)
        result[3] = result[0];
    for (int i = 0; i < 3; i++)
        previous[i] = scaled(result[i], stage->rgb_scale);
    previous[3] = scaled(result[3], stage->alpha_scale);
}

/*
 * TEV-03, TEV-04, TEV-12, TEV-14: the primary colour arrives as ITP-13's bytes; the output of stage 5 is the colour.
 * "Previous" is 0 before stage 0, so that position 2 reads 0 there (TEV-06).
 */
void ref_combine(const struct ref_gpu *gpu, const struct ref_combiner *combiner, struct ref_sources *sources,
                 uint8_t color[4])
{
    uint8_t *const previous = sources->colors[PICA_TEV_SOURCE_PREVIOUS];
    uint8_t *const buffer = sources->colors[PICA_TEV_SOURCE_PREVIOUS_BUFFER];
    const bool buffer_is_read = ((combiner->sources_read >> PICA_TEV_SOURCE_PREVIOUS_BUFFER) & 1u) != 0;
    uint8_t pending[4];
    memcpy(pending, combiner->buffer, 4);
    for (uint32_t s = 0; s < STAGES; s++) {
        const struct ref_stage *stage = &combiner->stages[s];
        if (!stage->passes_through)
            run_stage(gpu, s, stage, sources);
        ref_trace_color(gpu, PICA_TRACE_ID_COMBINER_OUTPUT, s, previous);
        if (!buffer_is_read)
            continue;
        memcpy(buffer, pending, 4);
        if (stage->rgb_update)
            memcpy(pending, previous, 3);
        if (stage->alpha_update)
            pending[3] = previous[3];
    }
    memcpy(color, previous, 4);
}
