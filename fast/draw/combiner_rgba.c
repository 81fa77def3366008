/*
 * RGBA stages of the combiner: stages that treat all four channels alike, found when the state of a draw is decoded.
 * kernels/combiner_rgba_tmpl.h runs them over many fragments without looking at operands, with constants folded into
 * the arithmetic.
 */
#include "fast/draw/shading_decode.h"

#include <string.h>

static bool is_rgba_mode(uint32_t mode)
{
    return mode <= PICA_TEV_MODE_SUBTRACT || mode == PICA_TEV_MODE_MULTIPLY_ADD || mode == PICA_TEV_MODE_ADD_MULTIPLY;
}

/* Do both operands together read the four channels of one source unchanged? */
static bool takes_whole(const struct fast_combiner_operand *rgb, const struct fast_combiner_operand *alpha)
{
    return rgb->invert == 0u && rgb->channel[0] != rgb->channel[1] && alpha->invert == 0u && alpha->channel[0] == 3u &&
           alpha->source == rgb->source;
}

static bool is_rgba_stage(const struct fast_combiner_stage *stage)
{
    if (!is_rgba_mode(stage->rgb_mode) || stage->alpha_mode != stage->rgb_mode || stage->rgb_shift != 0u ||
        stage->alpha_shift != 0u)
        return false;
    for (uint32_t i = 0; i < stage->rgb_count; i++)
        if (!takes_whole(&stage->rgb[i], &stage->alpha[i]))
            return false;
    return true;
}

/* TEV-09: modes 0 to 5, 8 and 9. */
static enum fast_rgba_operation operation_of(uint32_t mode)
{
    static const enum fast_rgba_operation operations[10] = {
        [PICA_TEV_MODE_REPLACE] = FAST_RGBA_REPLACE,
        [PICA_TEV_MODE_MODULATE] = FAST_RGBA_MODULATE,
        [PICA_TEV_MODE_ADD] = FAST_RGBA_ADD,
        [PICA_TEV_MODE_ADD_SIGNED] = FAST_RGBA_ADD_SIGNED,
        [PICA_TEV_MODE_INTERPOLATE] = FAST_RGBA_INTERPOLATE,
        [PICA_TEV_MODE_SUBTRACT] = FAST_RGBA_SUBTRACT,
        [PICA_TEV_MODE_MULTIPLY_ADD] = FAST_RGBA_MULTIPLY_ADD,
        [PICA_TEV_MODE_ADD_MULTIPLY] = FAST_RGBA_ADD_MULTIPLY,
    };
    return operations[mode];
}

/* In all modes but interpolate and subtract, the first two operands may be exchanged. */
static void order_sources(struct fast_rgba_stage *rgba)
{
    const uint8_t first = rgba->source[0];
    const uint8_t second = rgba->source[1];
    const bool ordered = rgba->operation == FAST_RGBA_REPLACE || rgba->operation == FAST_RGBA_INTERPOLATE ||
                         rgba->operation == FAST_RGBA_SUBTRACT;
    if (ordered || (first != PICA_TEV_SOURCE_CONSTANT && second != PICA_TEV_SOURCE_PREVIOUS))
        return;
    rgba->source[0] = second;
    rgba->source[1] = first;
}

static void set_words(uint32_t words[2], const uint16_t channel[4])
{
    words[0] = channel[0] | (uint32_t)channel[2] << 16;
    words[1] = channel[1] | (uint32_t)channel[3] << 16;
}

/*
 * floor(a * k / 255) for bytes: let a * k = 255 * n + r with r <= 254, so n <= a. Then a * (257 * k + 1) is 65536 * n +
 * (257 * r + a - n), and the bracket is in 0 .. 65533: n is the high half of the product. For k = 255 the factor does
 * not fit 16 bits; there the result is a itself, which is selected by the bits of a that `second` has.
 */
static void set_scale(struct fast_rgba_stage *rgba, const uint8_t constant[4])
{
    uint16_t factor[4];
    uint16_t whole[4];
    for (uint32_t c = 0; c < 4u; c++) {
        factor[c] = constant[c] == 255u ? 0u : (uint16_t)(257u * constant[c] + 1u);
        whole[c] = constant[c] == 255u ? 255u : 0u;
    }
    set_words(rgba->first, factor);
    set_words(rgba->second, whole);
}

/*
 * clamp(a + k - 128, 0, 255): depending on k, a constant is either added, saturating at 255, or subtracted, saturating
 * at 0.
 */
static void set_shift(struct fast_rgba_stage *rgba, const uint8_t constant[4])
{
    uint16_t more[4];
    uint16_t less[4];
    for (uint32_t c = 0; c < 4u; c++) {
        more[c] = (uint16_t)(constant[c] > 128u ? constant[c] - 128u : 0u);
        less[c] = (uint16_t)(constant[c] < 128u ? 128u - constant[c] : 0u);
    }
    set_words(rgba->first, more);
    set_words(rgba->second, less);
}

/*
 * (a * b + k * (255 - b)) / 255, where b is the weight: the sum is s = (a - k) * b + 255 * k <= 65025, so it may be
 * computed modulo 65536, and floor(s / 255) is the high half of (s + 1) * 257: for s = 255 * n + r that product is
 * 65536 * n + (257 * r + 257 - n). `second` holds 255 * k + 1.
 */
static void set_mix(struct fast_rgba_stage *rgba, const uint8_t constant[4])
{
    uint16_t bytes[4];
    uint16_t sums[4];
    for (uint32_t c = 0; c < 4u; c++) {
        bytes[c] = constant[c];
        sums[c] = (uint16_t)(255u * constant[c] + 1u);
    }
    set_words(rgba->first, bytes);
    set_words(rgba->second, sums);
}

/* The operation of a stage whose second operand (ADD_MULTIPLY: third) is the constant; itself if there is none. */
static enum fast_rgba_operation folded_operation(enum fast_rgba_operation operation, const uint8_t constant[4])
{
    const bool white = (constant[0] & constant[1] & constant[2] & constant[3]) == 255u;
    if (operation == FAST_RGBA_MODULATE)
        return white ? FAST_RGBA_REPLACE : FAST_RGBA_SCALE;
    if (operation == FAST_RGBA_MULTIPLY_ADD)
        return white ? FAST_RGBA_ADD : FAST_RGBA_SCALE_ADD;
    if (operation == FAST_RGBA_ADD_MULTIPLY)
        return white ? FAST_RGBA_ADD : FAST_RGBA_ADD_SCALE;
    if (operation == FAST_RGBA_ADD_SIGNED)
        return FAST_RGBA_SHIFT;
    return operation == FAST_RGBA_INTERPOLATE ? FAST_RGBA_MIX : operation;
}

/*
 * If the operand in the place that can be folded is a constant, gives the stage the folded operation; the constant is
 * then no longer a source.
 */
static void fold_constant(struct fast_rgba_stage *rgba, const uint8_t constant[4])
{
    const uint32_t place = rgba->operation == FAST_RGBA_ADD_MULTIPLY ? 2u : 1u;
    const enum fast_rgba_operation folded = folded_operation(rgba->operation, constant);
    if (place >= rgba->count || rgba->source[place] != PICA_TEV_SOURCE_CONSTANT || folded == rgba->operation)
        return;
    rgba->operation = folded;
    if (folded == FAST_RGBA_SHIFT)
        set_shift(rgba, constant);
    else if (folded == FAST_RGBA_MIX)
        set_mix(rgba, constant);
    else
        set_scale(rgba, constant);
    if (place == 1u)
        rgba->source[1] = rgba->source[2];
    rgba->count--;
}

static void describe(const struct fast_combiner_stage *stage, struct fast_rgba_stage *rgba)
{
    rgba->operation = operation_of(stage->rgb_mode);
    rgba->count = (uint8_t)stage->rgb_count;
    for (uint32_t i = 0; i < stage->rgb_count; i++)
        rgba->source[i] = stage->rgb[i].source;
    order_sources(rgba);
    fold_constant(rgba, stage->constant);
    for (uint32_t i = 0; i < rgba->count; i++)
        rgba->reads_constant = rgba->reads_constant || rgba->source[i] == PICA_TEV_SOURCE_CONSTANT;
}

void fast_find_rgba_stages(struct fast_combiner *combiner)
{
    memset(combiner->rgba, 0, sizeof combiner->rgba);
    if (combiner->reads_buffer)
        return;
    for (uint32_t index = 0; index < combiner->stage_count; index++) {
        struct fast_rgba_stage *const rgba = &combiner->rgba[index];
        rgba->active = is_rgba_stage(&combiner->stages[index]);
        if (!rgba->active)
            continue;
        describe(&combiner->stages[index], rgba);
        if (index == 0u || !rgba[-1].active)
            continue;
        rgba->continues = rgba->source[0] == PICA_TEV_SOURCE_PREVIOUS;
        for (uint32_t i = 1; i < rgba->count; i++)
            rgba[-1].is_read_again = rgba[-1].is_read_again || rgba->source[i] == PICA_TEV_SOURCE_PREVIOUS;
    }
}
