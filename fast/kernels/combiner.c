/* The texture combiner (50 section 2), one block at a time. */
#include "fast/kernels/combiner.h"

#include "fast/kernels/trace_hooks.h"

#include "pica/enums.h"

/* ------------------------------------------------------------------------------------------------------- arithmetic */

static v_u16 at_most_255(v_u16 a)
{
    return v_u16_min(a, v_u16_splat(255));
}

static v_u16 modulate(v_u16 a, v_u16 b)
{
    return v_u16_div255_floor(v_u16_mul(a, b));
}

/* a * c + b * (255 - c) is at most 255 * 255. */
static v_u16 interpolate(v_u16 a, v_u16 b, v_u16 c)
{
    return v_u16_div255_floor(v_u16_add(v_u16_mul(a, c), v_u16_mul(b, v_u16_xor(c, v_u16_splat(255)))));
}

/*
 * TEV-09 on bytes, for `count` channels at once, so that the mode is looked at only once; operands that the mode does
 * not read may hold anything (examples: TEV-15). Multiply-add: (a*b + 255*c) / 255 is exactly (a*b) / 255 + c. Dot3 and
 * reserved modes give 0 here.
 */
static inline void combine(uint32_t mode, v_u16 operand[3][4], int count, v_u16 *out)
{
    const v_u16 *a = operand[0], *b = operand[1], *c = operand[2];
    switch ((enum pica_tev_mode)mode) {
    case PICA_TEV_MODE_REPLACE:
        for (int k = 0; k < count; k++)
            out[k] = a[k];
        return;
    case PICA_TEV_MODE_MODULATE:
        for (int k = 0; k < count; k++)
            out[k] = modulate(a[k], b[k]);
        return;
    case PICA_TEV_MODE_ADD:
        for (int k = 0; k < count; k++)
            out[k] = at_most_255(v_u16_add(a[k], b[k]));
        return;
    case PICA_TEV_MODE_ADD_SIGNED:
        for (int k = 0; k < count; k++)
            out[k] = at_most_255(v_u16_subs(v_u16_add(a[k], b[k]), v_u16_splat(128)));
        return;
    case PICA_TEV_MODE_INTERPOLATE:
        for (int k = 0; k < count; k++)
            out[k] = interpolate(a[k], b[k], c[k]);
        return;
    case PICA_TEV_MODE_SUBTRACT:
        for (int k = 0; k < count; k++)
            out[k] = v_u16_subs(a[k], b[k]);
        return;
    case PICA_TEV_MODE_MULTIPLY_ADD:
        for (int k = 0; k < count; k++)
            out[k] = at_most_255(v_u16_add(modulate(a[k], b[k]), c[k]));
        return;
    case PICA_TEV_MODE_ADD_MULTIPLY:
        for (int k = 0; k < count; k++)
            out[k] = modulate(at_most_255(v_u16_add(a[k], b[k])), c[k]);
        return;
    case PICA_TEV_MODE_DOT3_RGB: break;
    case PICA_TEV_MODE_DOT3_RGBA: break;
    case PICA_TEV_MODE_RESERVED_10: break;
    case PICA_TEV_MODE_RESERVED_11: break;
    case PICA_TEV_MODE_RESERVED_12: break;
    case PICA_TEV_MODE_RESERVED_13: break;
    case PICA_TEV_MODE_RESERVED_14: break;
    case PICA_TEV_MODE_RESERVED_15: break;
    }
    for (int k = 0; k < count; k++)
        out[k] = v_u16_splat(0);
}

/* N(2a - 255) */
static inline v_u16 dot3_magnitude(v_u16 a)
{
    const v_u16 twice = v_u16_shl(a, 1);
    return v_u16_or(v_u16_subs(twice, v_u16_splat(255)), v_u16_subs(v_u16_splat(254), twice));
}

static inline v_u16 dot3_term(v_u16 a, v_u16 b)
{
    const v_u16 product = v_u16_mul(dot3_magnitude(a), dot3_magnitude(b));
    const v_u16 signs_differ = v_u16_sub(v_u16_splat(0), v_u16_shr(v_u16_xor(a, b), 7));
    return v_u16_xor(v_u16_div255_floor(v_u16_add(product, v_u16_splat(127))), signs_differ);
}

/* TEV-10 */
static v_u16 dot3(const v_u16 a[3], const v_u16 b[3])
{
    v_u16 sum = v_u16_splat(DOT3_LEAST);
    for (int c = 0; c < 3; c++)
        sum = v_u16_add(sum, dot3_term(a[c], b[c]));
    return at_most_255(v_u16_subs(sum, v_u16_splat(DOT3_LEAST)));
}

/* ----------------------------------------------------------------------------------------------------------- stages */

/* TEV-07, TEV-08: loads an operand, which decoding has turned into a source, channels and an inversion. */
static inline void load_operand(const struct fast_combiner_operand *operand,
                                const struct fast_combiner_sources *sources, int count, v_u16 *out)
{
    const v_u16 *source = sources->id[operand->source];
    const v_u16 invert = v_u16_splat(operand->invert);
    for (int k = 0; k < count; k++)
        out[k] = v_u16_xor(source[operand->channel[k]], invert);
}

/* TEV-13. */
static inline void scale_channels(v_u16 *channels, int count, uint32_t shift)
{
    if (shift == 0)
        return;
    for (int k = 0; k < count; k++)
        channels[k] = at_most_255(v_u16_shl(channels[k], (int)shift));
}

/*
 * TEV-04: both halves (RGB and alpha) read the state from before the stage. TEV-11: dot3 RGBA sets alpha too. Often
 * both halves have the same mode; then the four channels are computed together. `out` is written channel by channel: a
 * copy of the whole structure would load wider words than were stored, which the processor cannot forward from its
 * store buffer.
 */
static inline void run_stage(const struct fast_combiner_stage *stage, const struct fast_combiner_sources *sources,
                             const struct fast_block *block, struct fast_colors *out)
{
    const bool dot = stage->rgb_mode == PICA_TEV_MODE_DOT3_RGB || stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA;
    const v_u16 zero = v_u16_splat(0);
    v_u16 operand[3][4] = { { zero, zero, zero, zero }, { zero, zero, zero, zero }, { zero, zero, zero, zero } };
    v_u16 result[4];
    for (uint32_t i = 0; i < 3; i++) {
        if (i < stage->rgb_count)
            load_operand(&stage->rgb[i], sources, 3, operand[i]);
        if (i < stage->alpha_count)
            load_operand(&stage->alpha[i], sources, 1, &operand[i][3]);
    }
    trace_channels(block, PICA_TRACE_ID_COMBINER_OPERANDS, stage->number, operand[0], 12u);
    if (!dot && stage->rgb_mode == stage->alpha_mode) {
        combine(stage->rgb_mode, operand, 4, result);
    } else {
        v_u16 alpha[3][4] = { { operand[0][3] }, { operand[1][3] }, { operand[2][3] } };
        combine(stage->alpha_mode, alpha, 1, &result[3]);
        if (dot)
            result[0] = result[1] = result[2] = dot3(operand[0], operand[1]);
        else
            combine(stage->rgb_mode, operand, 3, result);
    }
    if (stage->alpha_from_dot3)
        result[3] = result[0];
    scale_channels(result, 3, stage->rgb_shift);
    scale_channels(&result[3], 1, stage->alpha_shift);
    for (int k = 0; k < 4; k++)
        out->channel[k] = result[k];
    trace_channels(block, PICA_TRACE_ID_COMBINER_OUTPUT, stage->number, result, 4u);
}

static struct fast_colors colors_from_bytes(const uint8_t bytes[4])
{
    return (struct fast_colors){ { v_u16_splat(bytes[0]), v_u16_splat(bytes[1]), v_u16_splat(bytes[2]),
                                   v_u16_splat(bytes[3]) } };
}

/* TEV-12: the effect of the stage's output on the pending buffer. */
static void update_buffer(const struct fast_combiner_stage *stage, const struct fast_colors *output,
                          struct fast_colors *pending)
{
    for (int c = 0; c < 3 && stage->updates_rgb; c++)
        pending->channel[c] = output->channel[c];
    if (stage->updates_alpha)
        pending->channel[3] = output->channel[3];
}

/*
 * TEV-04, TEV-05, TEV-06, TEV-12, TEV-14 (example: TEV-16). Stage 0 never reads "previous": decoding has redirected it.
 */
void FAST_ISA(fast_combine_block)(const struct fast_combiner *combiner, const struct fast_block *block,
                                  struct fast_combiner_sources *sources, struct fast_colors *out)
{
    const struct fast_colors black = fast_colors_splat(0);
    struct fast_colors constant = black, buffer = black, pending = black;
    for (int id = PICA_TEV_SOURCE_RESERVED_7; id <= PICA_TEV_SOURCE_RESERVED_12; id++)
        sources->id[id] = black.channel;
    sources->id[PICA_TEV_SOURCE_PREVIOUS_BUFFER] = buffer.channel;
    sources->id[PICA_TEV_SOURCE_CONSTANT] = constant.channel;
    sources->id[PICA_TEV_SOURCE_PREVIOUS] = out->channel;
    *out = black;
    if (combiner->reads_buffer)
        pending = colors_from_bytes(combiner->buffer);
    for (uint32_t index = 0; index < combiner->stage_count; index++) {
        const struct fast_combiner_stage *stage = &combiner->stages[index];
        if (stage->reads_constant)
            constant = colors_from_bytes(stage->constant);
        run_stage(stage, sources, block, out);
        if (combiner->reads_buffer) {
            buffer = pending;
            update_buffer(stage, out, &pending);
        }
    }
    trace_channels(block, PICA_TRACE_ID_COMBINER_RESULT, 0u, out->channel, 4u);
}
