/*
 * The texture combiner ("TEV"): six fixed stages turn the colours of a fragment into one.
 *
 * A stage picks up to three sources (vertex colour, lighting, textures, a constant, the output of an earlier stage),
 * bends each with an operand ("one minus alpha", "green in all channels"), and joins them with one of ten formulas, RGB
 * and alpha separately; the result may be doubled or quadrupled. All arithmetic is on 8-bit integers and truncates, but
 * for the dot product, which rounds and negates by inverting bits: that is what a console's results show.
 * Beside "the stage before" there is a buffer that stages 0-3 can fill, and that is read with one stage of delay. Stage
 * 0 has no stage before it: TEV-06, TEV-16.
 *
 * Worked number: interpolate 200 and 30 by 77: (200 * 77 + 30 * 178) / 255 = 81. Dot product of (86, 86, 86) with
 * itself: 2 * 86 - 255 = -83, inverted 82, 82 * 82 / 255 = 26.4, so 26 + 26 + 26 = 78 (TEV-15).
 */
#include "reference/shading.h"

#include "reference/gpu.h"
#include "reference/shortcuts.h"
#include "reference/trace.h"

#include <string.h>

enum {
    STAGES = 6
};

/* -------------------------------------------------------------------------------------------------------- operands */

/* TEV-04: the operands of a stage, by position and channel; 0 where no formula reads them (TEV-17). */
struct operands {
    int32_t at[3][4];
};

/* TEV-07, TEV-08: channels of sources, or one minus them. */
static struct operands read_operands(const struct ref_stage *stage, const struct ref_sources *sources)
{
    const uint8_t *const bytes = sources->colors[0];
    struct operands operands = { { { 0 } } };
    for (uint32_t i = 0; i < stage->operand_count; i++)
        for (int c = 0; c < 4; c++)
            operands.at[i][c] = bytes[stage->operands[i][c].place] ^ stage->operands[i][c].flips;
    return operands;
}

/* -------------------------------------------------------------------------------------------------------- formulas */

static int32_t limit(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* Of a number that is not negative. */
static int32_t div255_floor(int32_t value)
{
    return (int32_t)((uint32_t)value / 255u);
}

/* TEV-09: one channel; the modes that TEV-10 handles give 0 here (TEV-11). `more` is added before a division. */
static inline int32_t join(enum pica_tev_mode mode, int32_t a, int32_t b, int32_t c, int32_t more)
{
    switch (mode) {
    case PICA_TEV_MODE_REPLACE: return a;
    case PICA_TEV_MODE_MODULATE: return div255_floor((a * b) + more);
    case PICA_TEV_MODE_ADD: return limit(a + b);
    case PICA_TEV_MODE_ADD_SIGNED: return limit(a + b - 128);
    case PICA_TEV_MODE_INTERPOLATE: return div255_floor((a * c) + (b * (255 - c)) + more);
    case PICA_TEV_MODE_SUBTRACT: return limit(a - b);
    case PICA_TEV_MODE_DOT3_RGB:
    case PICA_TEV_MODE_DOT3_RGBA: return 0;
    case PICA_TEV_MODE_MULTIPLY_ADD: return limit(div255_floor((a * b) + (255 * c) + more));
    case PICA_TEV_MODE_ADD_MULTIPLY: return div255_floor((limit(a + b) * c) + more);
    case PICA_TEV_MODE_RESERVED_10:
    case PICA_TEV_MODE_RESERVED_11:
    case PICA_TEV_MODE_RESERVED_12:
    case PICA_TEV_MODE_RESERVED_13:
    case PICA_TEV_MODE_RESERVED_14:
    case PICA_TEV_MODE_RESERVED_15:
    default: return 0; /* the field has four bits */
    }
}

/* TEV-10: N(v). */
static int32_t ones_complement_magnitude(int32_t v)
{
    return v < 0 ? -v - 1 : v;
}

/* TEV-10: p / 255 for p from 0 to 65025, to nearest; on the other side a shift, which is not always the nearest. */
static int32_t div255_nearest(int32_t p, bool shifts)
{
    return shifts ? (int32_t)(((uint32_t)p + ((uint32_t)p >> 8) + 128u) >> 8) : div255_floor(p + 127);
}

/* TEV-10: the term of one channel. Its two factors are odd numbers, so they are never 0. */
static int32_t dot3_term(const struct ref_dot3 *dot3, int32_t a, int32_t b)
{
    const int32_t x = (2 * a) - 255, y = (2 * b) - 255;
    if (dot3->by_256)
        return ((x * y) + 128) / 256;
    const int32_t m = div255_nearest(ones_complement_magnitude(x) * ones_complement_magnitude(y), dot3->shifts);
    if ((x < 0) == (y < 0))
        return m;
    return dot3->negates ? -(m > 1 ? m : 1) : -m - 1;
}

/* TEV-10 */
static int32_t dot3(const struct ref_dot3 *dot3, const int32_t a[4], const int32_t b[4])
{
    int32_t sum = 0;
    for (int c = 0; c < 3; c++)
        sum += dot3_term(dot3, a[c], b[c]);
    return limit(sum);
}

/* TEV-13: scales a result from 0 to 255 and limits it to 255. */
static uint8_t scaled(int32_t result, int32_t scale)
{
    const int32_t product = result * scale;
    return (uint8_t)(product > 255 ? 255 : product);
}

/* TEV-09, other side: mode 3 subtracts 127. */
static void add_signed_127(const struct ref_stage *stage, const int32_t a[4], const int32_t b[4], int32_t result[4])
{
    for (int i = 0; i < 4; i++)
        if ((i < 3 ? stage->rgb_mode : stage->alpha_mode) == PICA_TEV_MODE_ADD_SIGNED)
            result[i] = limit(a[i] + b[i] - 127);
}

/* TEV-09, TEV-10, TEV-11: the result of a stage before its scale. */
static void join_operands(const struct ref_stage *stage, const struct operands *operands, int32_t result[4])
{
    const int32_t *a = operands->at[0], *b = operands->at[1], *c = operands->at[2];
    for (int i = 0; i < 3; i++)
        result[i] = join(stage->rgb_mode, a[i], b[i], c[i], stage->before_division);
    result[3] = join(stage->alpha_mode, a[3], b[3], c[3], stage->before_division);
    if (stage->adds_signed_127)
        add_signed_127(stage, a, b, result);
    if (stage->rgb_mode == PICA_TEV_MODE_DOT3_RGB || stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA)
        result[0] = result[1] = result[2] = dot3(&stage->dot3, a, b);
    if (stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA)
        result[3] = result[0];
}

/* TEV-13: the output of a stage. */
static void run_stage(const struct ref_stage *stage, const struct operands *operands, uint8_t output[4])
{
    int32_t result[4];
    join_operands(stage, operands, result);
    for (int i = 0; i < 3; i++)
        output[i] = scaled(result[i], stage->rgb_scale);
    output[3] = scaled(result[3], stage->alpha_scale);
}

/* -------------------------------------------------------------------------------------------------------- decoding */

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

/* TEV-05 */
static bool is_reserved_source(uint32_t source)
{
    return source >= PICA_TEV_SOURCE_RESERVED_7 && source <= PICA_TEV_SOURCE_RESERVED_12;
}

/* TEV-05: a reserved source is 0; on the other side, the primary colour. */
static enum pica_tev_source known_source(const struct ref_gpu *gpu, enum pica_tev_source source)
{
    const bool is_primary = is_reserved_source(source) && ref_takes(gpu, PICA_SIDE_SOURCE_RESERVED_PRIMARY);
    return is_primary ? PICA_TEV_SOURCE_PRIMARY_COLOR : source;
}

/* TEV-06: in stage 0 "previous" in position 0 or 1 means position 2's source. On other sides only for RGB, or it means
 * the primary colour, or it stays "previous", which then holds the buffer colour (first_previous). */
static enum pica_tev_source redirect(const struct ref_gpu *gpu, enum pica_tev_source source, uint32_t position,
                                     enum pica_tev_source source2, bool is_alpha)
{
    if (source != PICA_TEV_SOURCE_PREVIOUS)
        return source;
    if (ref_takes(gpu, PICA_SIDE_FIRST_PREVIOUS_PRIMARY))
        return PICA_TEV_SOURCE_PRIMARY_COLOR;
    const bool takes_third = ref_takes(gpu, PICA_SIDE_FIRST_PREVIOUS_THIRD) ||
                             (ref_takes(gpu, PICA_SIDE_FIRST_PREVIOUS_THIRD_RGB) && !is_alpha);
    return takes_third && position < 2u ? source2 : source;
}

static enum pica_tev_source rgb_source(const struct ref_gpu *gpu, uint32_t s, uint32_t word, uint32_t position)
{
    const enum pica_tev_source source = (enum pica_tev_source)pica_texenv_source_rgb_source_at(word, position);
    const enum pica_tev_source source2 = pica_texenv_source_rgb_source2(word);
    return known_source(gpu, s == 0 ? redirect(gpu, source, position, source2, false) : source);
}

static enum pica_tev_source alpha_source(const struct ref_gpu *gpu, uint32_t s, uint32_t word, uint32_t position)
{
    const enum pica_tev_source source = (enum pica_tev_source)pica_texenv_source_alpha_source_at(word, position);
    const enum pica_tev_source source2 = pica_texenv_source_alpha_source2(word);
    return known_source(gpu, s == 0 ? redirect(gpu, source, position, source2, true) : source);
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

/* TEV-13 */
static int32_t scale_factor(const struct ref_gpu *gpu, enum pica_tev_scale scale)
{
    switch (scale) {
    case PICA_TEV_SCALE_1X: return 1;
    case PICA_TEV_SCALE_2X: return 2;
    case PICA_TEV_SCALE_4X: return 4;
    case PICA_TEV_SCALE_RESERVED_3:
    default: return ref_takes(gpu, PICA_SIDE_SCALE_3_BY_8) ? 8 : 1; /* the field has two bits */
    }
}

static void unpack(uint32_t word, uint8_t color[4])
{
    for (uint32_t c = 0; c < 4; c++)
        color[c] = (uint8_t)pica_rgba8_channel_at(word, c);
}

static struct ref_operand take(enum pica_tev_source source, uint32_t channel, bool one_minus)
{
    const struct ref_operand operand = { (uint8_t)(4u * source + channel), one_minus ? 255 : 0 };
    return operand;
}

/* An operand that is 0. */
static struct ref_operand no_operand(void)
{
    return take(PICA_TEV_SOURCE_RESERVED_7, 0, false);
}

/* TEV-07: channel c (0-2) of an RGB operand. `reserved`: 6, 7, 10 and 11 are like operand 0. */
static struct ref_operand rgb_operand(enum pica_tev_rgb_operand operand, enum pica_tev_source s, uint32_t c,
                                      bool reserved)
{
    switch (operand) {
    case PICA_TEV_RGB_OPERAND_COLOR: return take(s, c, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_COLOR: return take(s, c, true);
    case PICA_TEV_RGB_OPERAND_ALPHA: return take(s, 3, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_ALPHA: return take(s, 3, true);
    case PICA_TEV_RGB_OPERAND_RED: return take(s, 0, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_RED: return take(s, 0, true);
    case PICA_TEV_RGB_OPERAND_GREEN: return take(s, 1, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_GREEN: return take(s, 1, true);
    case PICA_TEV_RGB_OPERAND_BLUE: return take(s, 2, false);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_BLUE: return take(s, 2, true);
    case PICA_TEV_RGB_OPERAND_RESERVED_6:
    case PICA_TEV_RGB_OPERAND_RESERVED_7:
    case PICA_TEV_RGB_OPERAND_RESERVED_10:
    case PICA_TEV_RGB_OPERAND_RESERVED_11: return reserved ? take(s, c, false) : no_operand();
    case PICA_TEV_RGB_OPERAND_RESERVED_14:
    case PICA_TEV_RGB_OPERAND_RESERVED_15: break;
    }
    return no_operand();
}

/* TEV-08 */
static struct ref_operand alpha_operand(enum pica_tev_alpha_operand operand, enum pica_tev_source s)
{
    switch (operand) {
    case PICA_TEV_ALPHA_OPERAND_ALPHA: return take(s, 3, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_ALPHA: return take(s, 3, true);
    case PICA_TEV_ALPHA_OPERAND_RED: return take(s, 0, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_RED: return take(s, 0, true);
    case PICA_TEV_ALPHA_OPERAND_GREEN: return take(s, 1, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_GREEN: return take(s, 1, true);
    case PICA_TEV_ALPHA_OPERAND_BLUE: return take(s, 2, false);
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_BLUE:
    default: return take(s, 2, true); /* the field has three bits */
    }
}

/* TEV-06, TEV-17: position i of stage s; 0 where no formula reads it. */
static void decode_operand(const struct ref_gpu *gpu, uint32_t s, uint32_t i, struct ref_stage *stage)
{
    const struct stage_words words = stage_words(gpu, s);
    const bool reserved = ref_takes(gpu, PICA_SIDE_OPERAND_RESERVED_COLOR);
    const enum pica_tev_rgb_operand rgb =
        (enum pica_tev_rgb_operand)pica_texenv_operand_rgb_operand_at(words.operand, i);
    const enum pica_tev_alpha_operand alpha =
        (enum pica_tev_alpha_operand)pica_texenv_operand_alpha_operand_at(words.operand, i);
    const enum pica_tev_source of_rgb = rgb_source(gpu, s, words.source, i);
    const enum pica_tev_source of_alpha = alpha_source(gpu, s, words.source, i);
    for (uint32_t c = 0; c < 3; c++)
        stage->operands[i][c] = i < stage->rgb_count ? rgb_operand(rgb, of_rgb, c, reserved) : no_operand();
    stage->operands[i][3] = i < stage->alpha_count ? alpha_operand(alpha, of_alpha) : no_operand();
}

/* TEV-12: only stages 0-3 can fill the buffer. */
static void decode_stage(const struct ref_gpu *gpu, uint32_t s, const struct stage_words *words,
                         struct ref_stage *stage)
{
    const uint32_t update = gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER];
    stage->rgb_mode = pica_texenv_combiner_rgb_mode(words->combiner);
    stage->alpha_mode = pica_texenv_combiner_alpha_mode(words->combiner);
    stage->rgb_count = operands_read(stage->rgb_mode, false);
    stage->alpha_count =
        stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA ? 0 : operands_read(stage->alpha_mode, true); /* TEV-10 */
    stage->operand_count = stage->rgb_count > stage->alpha_count ? stage->rgb_count : stage->alpha_count;
    for (uint32_t i = 0; i < 3; i++)
        decode_operand(gpu, s, i, stage);
    stage->rgb_scale = scale_factor(gpu, pica_texenv_scale_rgb_scale(words->scale));
    stage->alpha_scale = scale_factor(gpu, pica_texenv_scale_alpha_scale(words->scale));
    stage->adds_signed_127 = ref_takes(gpu, PICA_SIDE_ADD_SIGNED_BY_127);
    stage->before_division = ref_takes(gpu, PICA_SIDE_COMBINER_ROUNDING_ROUNDS) ? 127 : 0;
    stage->dot3 = (struct ref_dot3){ .negates = ref_takes(gpu, PICA_SIDE_DOT3_NEGATION_NEGATES),
                                     .shifts = ref_takes(gpu, PICA_SIDE_DOT3_DIVISION_SHIFTS),
                                     .by_256 = ref_takes(gpu, PICA_SIDE_DOT3_BY_256) };
    unpack(words->color, stage->constant);
    stage->rgb_update = s < 4u && pica_texenv_update_buffer_rgb_update_at(update, s) != 0;
    stage->alpha_update = s < 4u && pica_texenv_update_buffer_alpha_update_at(update, s) != 0;
}

/* TEV-17, TEX-32: bit i is set if some formula of the stage reads source i, whatever its operand makes of it. */
static uint32_t sources_read(const struct ref_gpu *gpu, uint32_t s, const struct stage_words *words,
                             const struct ref_stage *stage)
{
    uint32_t sources = 0;
    for (uint32_t i = 0; i < stage->rgb_count; i++)
        sources |= 1u << rgb_source(gpu, s, words->source, i);
    for (uint32_t i = 0; i < stage->alpha_count; i++)
        sources |= 1u << alpha_source(gpu, s, words->source, i);
    return sources;
}

void ref_combiner_decode(const struct ref_gpu *gpu, struct ref_combiner *combiner)
{
    const uint32_t buffer = gpu->regs[PICA_REG_TEXENV_BUFFER_COLOR];
    combiner->sources_read = 0;
    unpack(buffer, combiner->buffer);
    unpack(ref_takes(gpu, PICA_SIDE_FIRST_BUFFER_REGISTER) ? buffer : 0, combiner->first_buffer);
    unpack(ref_takes(gpu, PICA_SIDE_FIRST_PREVIOUS_BUFFER) ? buffer : 0, combiner->first_previous);
    for (uint32_t s = 0; s < STAGES; s++) {
        const struct stage_words words = stage_words(gpu, s);
        decode_stage(gpu, s, &words, &combiner->stages[s]);
        combiner->sources_read |= sources_read(gpu, s, &words, &combiner->stages[s]);
    }
    combiner->needs_buffer = ref_is_needed(gpu, (combiner->sources_read >> PICA_TEV_SOURCE_PREVIOUS_BUFFER & 1u) != 0);
    combiner->stages_needed = ref_stages_needed(gpu, combiner);
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* TEV-05, TEV-17: the sources that are read, by their numbers; 255: none. TEV-06: of stage 0. */
static void record_sources(const struct ref_gpu *gpu, uint32_t s, const struct ref_stage *stage)
{
    const uint32_t word = stage_words(gpu, s).source;
    uint32_t list[6];
    for (uint32_t i = 0; i < 3; i++) {
        list[i] = i < stage->rgb_count ? (uint32_t)rgb_source(gpu, s, word, i) : 255u;
        list[3u + i] = i < stage->alpha_count ? (uint32_t)alpha_source(gpu, s, word, i) : 255u;
    }
    ref_trace_rule(gpu, "TEV-17", s, (const uint32_t[]){ stage->rgb_count, stage->alpha_count }, 2);
    ref_trace_rule(gpu, s == 0 ? "TEV-06" : "TEV-05", s, list, 6);
}

static void record_operands(const struct ref_gpu *gpu, uint32_t s, const struct operands *operands)
{
    const uint32_t alphas[3] = { (uint32_t)operands->at[0][3], (uint32_t)operands->at[1][3],
                                 (uint32_t)operands->at[2][3] };
    uint32_t list[12];
    for (uint32_t i = 0; i < 12; i++)
        list[i] = (uint32_t)operands->at[i / 4u][i % 4u];
    ref_trace_rule(gpu, "TEV-08", s, alphas, 3);
    ref_trace(gpu, PICA_TRACE_ID_COMBINER_OPERANDS, s, list, 12);
}

static void record_result(const struct ref_gpu *gpu, uint32_t s, const struct ref_stage *stage,
                          const struct operands *operands)
{
    const bool is_dot3 = stage->rgb_mode == PICA_TEV_MODE_DOT3_RGB || stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA;
    int32_t result[4];
    join_operands(stage, operands, result);
    ref_trace_rule(
        gpu, is_dot3 ? "TEV-10" : "TEV-09", s,
        (const uint32_t[]){ (uint32_t)result[0], (uint32_t)result[1], (uint32_t)result[2], (uint32_t)result[3] }, 4);
}

static void record_buffer(const struct ref_gpu *gpu, uint32_t s, const uint8_t buffer[4])
{
    ref_trace_rule(gpu, "TEV-12", s, (const uint32_t[]){ buffer[0], buffer[1], buffer[2], buffer[3] }, 4);
}

static void record_output(const struct ref_gpu *gpu, uint32_t s, const uint8_t output[4])
{
    ref_trace_color(gpu, PICA_TRACE_ID_COMBINER_OUTPUT, s, output);
}

/* Stage s; its output replaces the previous colour. */
static void stage(const struct ref_gpu *gpu, uint32_t s, const struct ref_stage *stage, struct ref_sources *sources)
{
    memcpy(sources->colors[PICA_TEV_SOURCE_CONSTANT], stage->constant, 4);
    const struct operands operands = read_operands(stage, sources);
    run_stage(stage, &operands, sources->colors[PICA_TEV_SOURCE_PREVIOUS]);
    if (gpu->is_watched) {
        record_sources(gpu, s, stage);
        record_operands(gpu, s, &operands);
        record_result(gpu, s, stage, &operands);
    }
}

/*
 * TEV-03, TEV-04, TEV-12, TEV-14: the primary colour arrives as ITP-13's bytes; the output of stage 5 is the colour.
 * "Previous" and the buffer are 0 in stage 0, so that position 2 reads 0 there (TEV-06).
 */
void ref_combine(const struct ref_gpu *gpu, const struct ref_combiner *combiner, struct ref_sources *sources,
                 uint8_t color[4])
{
    uint8_t *const previous = sources->colors[PICA_TEV_SOURCE_PREVIOUS];
    uint8_t *const buffer = sources->colors[PICA_TEV_SOURCE_PREVIOUS_BUFFER];
    const uint32_t stages = gpu->trace.is_active ? STAGES : combiner->stages_needed;
    uint8_t pending[4];
    memcpy(previous, combiner->first_previous, 4);
    memcpy(buffer, combiner->first_buffer, 4);
    memcpy(pending, combiner->buffer, 4);
    for (uint32_t s = 0; s < stages; s++) {
        if (gpu->is_watched && combiner->needs_buffer)
            record_buffer(gpu, s, buffer);
        stage(gpu, s, &combiner->stages[s], sources);
        if (gpu->is_watched)
            record_output(gpu, s, previous);
        if (!combiner->needs_buffer)
            continue;
        memcpy(buffer, pending, 4);
        if (combiner->stages[s].rgb_update)
            memcpy(pending, previous, 3);
        if (combiner->stages[s].alpha_update)
            pending[3] = previous[3];
    }
    memcpy(color, previous, 4);
}

/* ------------------------------------------------------------------------------------- events of a batch (class M) */

/* TEV-07 */
static bool is_reserved_operand(uint32_t operand)
{
    return operand == PICA_TEV_RGB_OPERAND_RESERVED_6 || operand == PICA_TEV_RGB_OPERAND_RESERVED_7 ||
           operand == PICA_TEV_RGB_OPERAND_RESERVED_10 || operand == PICA_TEV_RGB_OPERAND_RESERVED_11 ||
           operand == PICA_TEV_RGB_OPERAND_RESERVED_14 || operand == PICA_TEV_RGB_OPERAND_RESERVED_15;
}

static void stage_events(struct ref_gpu *gpu, uint32_t s)
{
    const struct stage_words words = stage_words(gpu, s);
    const uint32_t sources = words.source;
    const uint32_t operands = words.operand;
    const uint32_t modes = words.combiner;
    const uint32_t scales = words.scale;
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

void ref_combiner_events(struct ref_gpu *gpu)
{
    for (uint32_t s = 0; s < STAGES; s++)
        stage_events(gpu, s);
}
