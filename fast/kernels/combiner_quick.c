/* The texture combiner (50 section 2) on the quick way: several blocks at a time, stage by stage. */
#include "fast/kernels/combiner_machine.h"
#include "fast/kernels/combiner_rgba_tmpl.h"

#include "pica/enums.h"

/* --------------------------------------------------------------------------------------------------------- operands */

static inline v_u32 low_half(v_u32 a)
{
    return v_u32_and(a, v_u32_splat(0x0000FFFFu));
}

static inline v_u32 high_half(v_u32 a)
{
    return v_u32_and(a, v_u32_splat(0xFFFF0000u));
}

/* One channel of each lane, in the low half. */
static inline v_u32 channel_of(const struct fast_pairs *color, uint32_t channel)
{
    const v_u32 pair = (channel & 1u) != 0u ? color->odd : color->even;
    return channel < 2u ? low_half(pair) : v_u32_shr(pair, 16);
}

/* TEV-07: the operand's RGB channels; alpha may hold anything. */
static inline struct fast_pairs rgb_operand(const struct fast_combiner_operand *operand, const struct fast_pairs *color)
{
    const v_u32 invert = v_u32_splat(operand->invert * 0x10001u);
    struct fast_pairs out = *color;
    if (operand->channel[0] == operand->channel[1]) {
        const v_u32 channel = channel_of(color, operand->channel[0]);
        out.even = out.odd = v_u32_or(channel, v_u32_shl(channel, 16));
    }
    return (struct fast_pairs){ v_u32_xor(out.even, invert), v_u32_xor(out.odd, invert) };
}

/* TEV-08: the operand's alpha, in the high half. */
static inline v_u32 alpha_operand(const struct fast_combiner_operand *operand, const struct fast_pairs *color)
{
    const v_u32 channel = v_u32_shl(channel_of(color, operand->channel[0]), 16);
    return v_u32_xor(channel, v_u32_splat((uint32_t)operand->invert << 16));
}

static inline bool takes_whole_rgb(const struct fast_combiner_operand *operand)
{
    return operand->invert == 0u && operand->channel[0] != operand->channel[1];
}

static inline bool takes_whole_alpha(const struct fast_combiner_operand *operand)
{
    return operand->invert == 0u && operand->channel[0] == 3u;
}

/* Operand `number` of a stage; those that are not read are 0. */
static struct operand find_operand(struct machine *machine, const struct fast_combiner_stage *stage, uint32_t number)
{
    const struct fast_combiner_operand *rgb = &stage->rgb[number];
    const struct fast_combiner_operand *alpha = &stage->alpha[number];
    const bool reads_rgb = number < stage->rgb_count;
    const bool reads_alpha = number < stage->alpha_count;
    const struct operand none = { &machine->zero, 0 };
    const struct operand color = reads_rgb ? machine->sources[rgb->source] : none;
    const struct operand other = reads_alpha ? machine->sources[alpha->source] : none;
    struct fast_pairs *out = machine->operands[number].of;
    if (!reads_rgb && !reads_alpha)
        return none;
    if (reads_rgb && takes_whole_rgb(rgb) &&
        (!reads_alpha || (takes_whole_alpha(alpha) && alpha->source == rgb->source)))
        return color;
    for (uint32_t n = 0; n < machine->count; n++) {
        struct fast_pairs mixed = rgb_operand(rgb, &color.colors[n * color.step]);
        if (reads_alpha)
            mixed.odd = v_u32_or(low_half(mixed.odd), alpha_operand(alpha, &other.colors[n * other.step]));
        out[n] = mixed;
    }
    return (struct operand){ out, 1 };
}

/* ----------------------------------------------------------------------------------------------------------- stages */

static inline void each(const struct operand in[3], uint32_t count, operation *function, struct fast_pairs *out)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct fast_pairs *a = &in[0].colors[n * in[0].step];
        const struct fast_pairs *b = &in[1].colors[n * in[1].step];
        const struct fast_pairs *c = &in[2].colors[n * in[2].step];
        out[n] = (struct fast_pairs){ function(a->even, b->even, c->even), function(a->odd, b->odd, c->odd) };
    }
}

/* N(2a - 255) in both halves. */
static inline v_u32 dot3_magnitudes(v_u32 a)
{
    const v_u32 twice = v_u32_shl(a, 1);
    return v_u32_or(v_u16x2_subs(twice, v_u32_splat(255u * 0x10001u)),
                    v_u16x2_subs(v_u32_splat(254u * 0x10001u), twice));
}

static inline v_u32 dot3_terms(v_u32 a, v_u32 b)
{
    const v_u32 products = v_u16x2_mul(dot3_magnitudes(a), dot3_magnitudes(b));
    const v_u32 signs_differ = v_u16x2_sub(v_u32_splat(0), v_u16x2_shr(v_u32_xor(a, b), 7));
    return v_u32_xor(v_u16x2_div255(v_u16x2_add(products, v_u32_splat(127u * 0x10001u))), signs_differ);
}

/* TEV-10, TEV-11: sets all four channels; in stages without TEV-11, the caller then replaces alpha. */
static void dot3(const struct operand in[3], uint32_t count, struct fast_pairs *out)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct fast_pairs *a = &in[0].colors[n * in[0].step];
        const struct fast_pairs *b = &in[1].colors[n * in[1].step];
        const v_u32 even = dot3_terms(a->even, b->even);
        const v_u32 some = v_u16x2_add(even, dot3_terms(a->odd, b->odd));
        const v_u32 sum = v_u16x2_add(v_u16x2_add(some, v_u32_shr(even, 16)), v_u32_splat(DOT3_LEAST));
        const v_u32 byte = v_u16x2_min(v_u16x2_subs(low_half(sum), v_u32_splat(DOT3_LEAST)), bytes());
        out[n].even = out[n].odd = v_u32_or(byte, v_u32_shl(byte, 16));
    }
}

/* TEV-09. Dot3 and reserved modes give 0 here. */
static void combine(uint32_t mode, const struct operand in[3], uint32_t count, struct fast_pairs *out)
{
    switch ((enum pica_tev_mode)mode) {
    case PICA_TEV_MODE_REPLACE: each(in, count, replace, out); return;
    case PICA_TEV_MODE_MODULATE: each(in, count, modulate, out); return;
    case PICA_TEV_MODE_ADD: each(in, count, add, out); return;
    case PICA_TEV_MODE_ADD_SIGNED: each(in, count, add_signed, out); return;
    case PICA_TEV_MODE_INTERPOLATE: each(in, count, interpolate, out); return;
    case PICA_TEV_MODE_SUBTRACT: each(in, count, subtract, out); return;
    case PICA_TEV_MODE_MULTIPLY_ADD: each(in, count, multiply_add, out); return;
    case PICA_TEV_MODE_ADD_MULTIPLY: each(in, count, add_multiply, out); return;
    case PICA_TEV_MODE_DOT3_RGB: break;
    case PICA_TEV_MODE_DOT3_RGBA: break;
    case PICA_TEV_MODE_RESERVED_10: break;
    case PICA_TEV_MODE_RESERVED_11: break;
    case PICA_TEV_MODE_RESERVED_12: break;
    case PICA_TEV_MODE_RESERVED_13: break;
    case PICA_TEV_MODE_RESERVED_14: break;
    case PICA_TEV_MODE_RESERVED_15: break;
    }
    each(in, count, nothing, out);
}

/* Replaces the alpha of `colors` with that of `alpha`. */
static void replace_alpha(struct fast_pairs *colors, const struct fast_pairs *alpha, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        colors[n].odd = v_u32_or(low_half(colors[n].odd), high_half(alpha[n].odd));
}

/* TEV-13. A byte shifted by at most 2 fits a 16-bit half. */
static void scale(const struct fast_combiner_stage *stage, uint32_t count, struct fast_pairs *colors)
{
    const int rgb = (int)stage->rgb_shift;
    const int alpha = (int)stage->alpha_shift;
    if (rgb == 0 && alpha == 0)
        return;
    for (uint32_t n = 0; n < count; n++) {
        const v_u32 odd = colors[n].odd;
        const v_u32 scaled = v_u32_or(low_half(v_u32_shl(odd, rgb)), high_half(v_u32_shl(high_half(odd), alpha)));
        colors[n].even = v_u16x2_min(v_u32_shl(colors[n].even, rgb), bytes());
        colors[n].odd = v_u16x2_min(scaled, bytes());
    }
}

/* TEV-04, TEV-11: both the RGB and the alpha half of a stage read the state from before the stage. */
static void run_stage(struct machine *machine, const struct fast_combiner_stage *stage, struct fast_pairs *out)
{
    const bool dot = stage->rgb_mode == PICA_TEV_MODE_DOT3_RGB || stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA;
    const uint32_t count = machine->count;
    struct operand in[3];
    if (stage->reads_constant)
        machine->constant = pairs_of_bytes(stage->constant);
    for (uint32_t i = 0; i < 3; i++)
        in[i] = find_operand(machine, stage, i);
    if (dot)
        dot3(in, count, out);
    else
        combine(stage->rgb_mode, in, count, out);
    if (!stage->alpha_from_dot3 && (dot || stage->alpha_mode != stage->rgb_mode)) {
        combine(stage->alpha_mode, in, count, machine->alpha.of);
        replace_alpha(out, machine->alpha.of, count);
    }
    scale(stage, count, out);
}

/* TEV-12. */
static void update_buffer(struct machine *machine, const struct fast_combiner_stage *stage,
                          const struct fast_pairs *output)
{
    struct fast_pairs *pending = machine->pending.of;
    for (uint32_t n = 0; n < machine->count; n++) {
        const struct fast_pairs old = pending[n];
        machine->buffer.of[n] = old;
        if (stage->updates_rgb)
            pending[n] = (struct fast_pairs){ output[n].even, v_u32_or(low_half(output[n].odd), high_half(old.odd)) };
        if (stage->updates_alpha)
            pending[n].odd = v_u32_or(low_half(pending[n].odd), high_half(output[n].odd));
    }
}

static void start(struct machine *machine, const struct fast_combiner *combiner,
                  const struct fast_cell_colors *const sources[16])
{
    machine->zero = (struct fast_pairs){ v_u32_splat(0), v_u32_splat(0) };
    for (uint32_t id = 0; id < 16; id++) {
        const bool exists = id < PICA_TEV_SOURCE_RESERVED_7 && sources[id] != NULL;
        machine->sources[id] = exists ? (struct operand){ sources[id]->of, 1 } : (struct operand){ &machine->zero, 0 };
    }
    machine->sources[PICA_TEV_SOURCE_CONSTANT] = (struct operand){ &machine->constant, 0 };
    if (!combiner->reads_buffer)
        return;
    machine->sources[PICA_TEV_SOURCE_PREVIOUS_BUFFER] = (struct operand){ machine->buffer.of, 1 };
    for (uint32_t n = 0; n < machine->count; n++) {
        machine->buffer.of[n] = machine->zero;
        machine->pending.of[n] = pairs_of_bytes(combiner->buffer);
    }
}

/* Of the two outputs, the one that does not hold the previous output. */
static struct fast_pairs *next_output(struct machine *machine)
{
    const bool first = machine->sources[PICA_TEV_SOURCE_PREVIOUS].colors == machine->outputs[0].of;
    return machine->outputs[first ? 1 : 0].of;
}

/* TEV-04, TEV-05, TEV-06, TEV-12, TEV-14. Stage 0 never reads "previous": decoding has redirected it. */
void FAST_ISA(fast_combine_cells)(const struct fast_combiner *combiner,
                                  const struct fast_cell_colors *const sources[16], struct fast_cell *cells,
                                  uint32_t count)
{
    struct machine machine;
    machine.count = count;
    start(&machine, combiner, sources);
    for (uint32_t index = 0; index < combiner->stage_count; index++) {
        const struct fast_combiner_stage *stage = &combiner->stages[index];
        const uint32_t rgba = prepare_rgba_stages(&machine, combiner, index);
        if (rgba > 0u) {
            index += rgba - 1u;
            run_rgba_stages(&machine, &combiner->rgba[index + 1u - rgba], rgba,
                            index + 1u == combiner->stage_count ? cells : NULL);
            if (index + 1u == combiner->stage_count)
                return;
            continue;
        }
        struct fast_pairs *out = next_output(&machine);
        run_stage(&machine, stage, out);
        machine.sources[PICA_TEV_SOURCE_PREVIOUS] = (struct operand){ out, 1 };
        if (combiner->reads_buffer)
            update_buffer(&machine, stage, out);
    }
    const struct operand last = machine.sources[PICA_TEV_SOURCE_PREVIOUS];
    for (uint32_t n = 0; n < count; n++)
        cells[n].color = last.colors[n * last.step];
}
