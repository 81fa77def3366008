/* The texture combiner (50 section 2) on the quick way: several blocks, stage by stage. */
#include "fast/kernels/stage_cells.h"

#include "pica/enums.h"

/* ------------------------------------------------------------------------------------------------------ arithmetic */

/* TEV-09 on two channels of each lane: bytes in 16-bit halves (the proofs are in combiner.c). */
typedef v_u32 operation(v_u32 a, v_u32 b, v_u32 c);

static inline v_u32 bytes(void)
{
    return v_u32_splat(0x00FF00FFu);
}

static inline v_u32 replace(v_u32 a, v_u32 b, v_u32 c)
{
    (void)b;
    (void)c;
    return a;
}

static inline v_u32 modulate(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u32_div255_halves(v_u32_mul_halves(a, b));
}

static inline v_u32 add(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u32_min_halves(v_u32_add_halves(a, b), bytes());
}

static inline v_u32 add_signed(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u32_min_halves(v_u32_subs_halves(v_u32_add_halves(a, b), v_u32_splat(0x00800080u)), bytes());
}

static inline v_u32 interpolate(v_u32 a, v_u32 b, v_u32 c)
{
    const v_u32 rest = v_u32_xor(c, bytes());
    return v_u32_div255_halves(v_u32_add_halves(v_u32_mul_halves(a, c), v_u32_mul_halves(b, rest)));
}

static inline v_u32 subtract(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u32_subs_halves(a, b);
}

static inline v_u32 multiply_add(v_u32 a, v_u32 b, v_u32 c)
{
    return v_u32_min_halves(v_u32_add_halves(modulate(a, b, c), c), bytes());
}

static inline v_u32 add_multiply(v_u32 a, v_u32 b, v_u32 c)
{
    return modulate(add(a, b, c), c, c);
}

static inline v_u32 nothing(v_u32 a, v_u32 b, v_u32 c)
{
    (void)a;
    (void)b;
    (void)c;
    return v_u32_splat(0);
}

/* -------------------------------------------------------------------------------------------------------- operands */

/* A colour for each cell, or one for all of them (step 0). */
struct operand {
    const struct fast_pairs *colors;
    uint32_t step;
};

static inline struct fast_pairs pairs_of_bytes(const uint8_t channel[4])
{
    return (struct fast_pairs){ v_u32_splat(channel[0] | (uint32_t)channel[2] << 16),
                                v_u32_splat(channel[1] | (uint32_t)channel[3] << 16) };
}

static inline v_u32 low_half(v_u32 a)
{
    return v_u32_and(a, v_u32_splat(0x0000FFFFu));
}

static inline v_u32 high_half(v_u32 a)
{
    return v_u32_and(a, v_u32_splat(0xFFFF0000u));
}

/* One channel in the low half. */
static inline v_u32 channel_of(const struct fast_pairs *color, uint32_t channel)
{
    const v_u32 pair = (channel & 1u) != 0u ? color->odd : color->even;
    return channel < 2u ? low_half(pair) : v_u32_shr(pair, 16);
}

/* TEV-07: the channels of RGB; alpha is whatever comes of it. */
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

/* TEV-08, in the high half. */
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

/* A stage that is_plain. */
struct plain_stage {
    uint32_t mode;
    bool continues; /* operand 0 is what the stage before left in registers */
    bool stores;    /* the next stage looks at the output in memory */
    struct operand in[3];
    struct fast_pairs constant;
};

/* What all stages work with. */
struct machine {
    uint32_t count;
    struct operand sources[16]; /* by id */
    struct fast_pairs zero, constant;
    struct fast_cell_colors operands[3]; /* those that are not just a source */
    struct fast_cell_colors outputs[2];  /* the previous output and the next one, in turn */
    struct fast_cell_colors alpha, buffer, pending;
    struct plain_stage plan[FAST_COMBINER_STAGES];
};

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

/* ---------------------------------------------------------------------------------------------------------- stages */

static inline void each(const struct operand in[3], uint32_t count, operation *function, struct fast_pairs *out)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct fast_pairs *a = &in[0].colors[n * in[0].step];
        const struct fast_pairs *b = &in[1].colors[n * in[1].step];
        const struct fast_pairs *c = &in[2].colors[n * in[2].step];
        out[n] = (struct fast_pairs){ function(a->even, b->even, c->even), function(a->odd, b->odd, c->odd) };
    }
}

/* TEV-10: one channel; the division by 256 truncates toward zero. */
static inline v_i32 dot3_term(const struct fast_pairs *a, const struct fast_pairs *b, uint32_t channel)
{
    const v_i32 middle = v_i32_splat(255);
    const v_i32 left = v_i32_sub(v_i32_shl(v_i32_from_u32(channel_of(a, channel)), 1), middle);
    const v_i32 right = v_i32_sub(v_i32_shl(v_i32_from_u32(channel_of(b, channel)), 1), middle);
    const v_i32 sum = v_i32_add(v_i32_mul(left, right), v_i32_splat(128));
    const v_i32 toward_zero = v_i32_and(v_i32_shr(sum, 31), middle);
    return v_i32_shr(v_i32_add(sum, toward_zero), 8);
}

/* TEV-10, TEV-11: all four channels; without TEV-11, alpha takes its place afterwards. */
static void dot3(const struct operand in[3], uint32_t count, struct fast_pairs *out)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct fast_pairs *a = &in[0].colors[n * in[0].step];
        const struct fast_pairs *b = &in[1].colors[n * in[1].step];
        const v_i32 sum = v_i32_add(v_i32_add(dot3_term(a, b, 0), dot3_term(a, b, 1)), dot3_term(a, b, 2));
        const v_u32 byte = v_u32_from_i32(v_i32_clamp(sum, v_i32_splat(0), v_i32_splat(255)));
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

/* Takes alpha from `alpha`. */
static void replace_alpha(struct fast_pairs *colors, const struct fast_pairs *alpha, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        colors[n].odd = v_u32_or(low_half(colors[n].odd), high_half(alpha[n].odd));
}

/* TEV-13; shifted bytes fit the halves. */
static void scale(const struct fast_combiner_stage *stage, uint32_t count, struct fast_pairs *colors)
{
    const int rgb = (int)stage->rgb_shift;
    const int alpha = (int)stage->alpha_shift;
    if (rgb == 0 && alpha == 0)
        return;
    for (uint32_t n = 0; n < count; n++) {
        const v_u32 odd = colors[n].odd;
        const v_u32 scaled = v_u32_or(low_half(v_u32_shl(odd, rgb)), high_half(v_u32_shl(high_half(odd), alpha)));
        colors[n].even = v_u32_min_halves(v_u32_shl(colors[n].even, rgb), bytes());
        colors[n].odd = v_u32_min_halves(scaled, bytes());
    }
}

/* TEV-04, TEV-11: both halves of a stage read the state before it. */
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

/* ---------------------------------------------------------------------------------------------------- plain stages */

/*
 * Stages that do the same with all four channels of whole sources, one after the other for a few cells at a time: what
 * a stage hands on to the next stays in registers, for to store it takes longer than most of them.
 */
enum {
    GROUP = V_PARTS == 1 ? 4 : 2 /* as many as there are registers for; divides FAST_CELLS */
};

static bool is_plain_mode(uint32_t mode)
{
    return mode <= PICA_TEV_MODE_SUBTRACT || mode == PICA_TEV_MODE_MULTIPLY_ADD || mode == PICA_TEV_MODE_ADD_MULTIPLY;
}

static bool is_plain(const struct fast_combiner_stage *stage)
{
    if (!is_plain_mode(stage->rgb_mode) || stage->alpha_mode != stage->rgb_mode || stage->rgb_shift != 0u ||
        stage->alpha_shift != 0u)
        return false;
    for (uint32_t i = 0; i < stage->rgb_count; i++)
        if (!takes_whole_rgb(&stage->rgb[i]) || !takes_whole_alpha(&stage->alpha[i]) ||
            stage->alpha[i].source != stage->rgb[i].source)
            return false;
    return true;
}

static struct operand plain_operand(struct machine *machine, const struct fast_combiner_stage *stage, uint32_t number,
                                    struct fast_pairs *constant)
{
    const uint32_t source = stage->rgb[number].source;
    if (number >= stage->rgb_count)
        return (struct operand){ &machine->zero, 0 };
    return source == PICA_TEV_SOURCE_CONSTANT ? (struct operand){ constant, 0 } : machine->sources[source];
}

/* Plans the plain stages from stage `first` on; returns their number. */
static uint32_t plan_stages(struct machine *machine, const struct fast_combiner *combiner, uint32_t first)
{
    uint32_t count = 0;
    while (first + count < combiner->stage_count && is_plain(&combiner->stages[first + count])) {
        const struct fast_combiner_stage *stage = &combiner->stages[first + count];
        struct plain_stage *plan = &machine->plan[count];
        const bool follows = count > 0;
        plan->mode = stage->rgb_mode;
        if (stage->reads_constant)
            plan->constant = pairs_of_bytes(stage->constant);
        for (uint32_t i = 0; i < 3; i++)
            plan->in[i] = plain_operand(machine, stage, i, &plan->constant);
        plan->continues = follows && stage->rgb[0].source == PICA_TEV_SOURCE_PREVIOUS;
        plan->stores = false;
        if (follows)
            for (uint32_t i = 1; i < stage->rgb_count; i++)
                machine->plan[count - 1].stores |= stage->rgb[i].source == PICA_TEV_SOURCE_PREVIOUS;
        machine->sources[PICA_TEV_SOURCE_PREVIOUS] = (struct operand){ machine->outputs[0].of, 1 };
        count++;
    }
    return count;
}

static inline void apply(operation *function, const struct plain_stage *stage, uint32_t first,
                         struct fast_pairs all[GROUP])
{
    const struct fast_pairs *b = &stage->in[1].colors[first * stage->in[1].step];
    const struct fast_pairs *c = &stage->in[2].colors[first * stage->in[2].step];
    for (uint32_t k = 0; k < GROUP; k++, b += stage->in[1].step, c += stage->in[2].step) {
        all[k].even = function(all[k].even, b->even, c->even);
        all[k].odd = function(all[k].odd, b->odd, c->odd);
    }
}

/* TEV-09 */
static inline void apply_mode(const struct plain_stage *stage, uint32_t first, struct fast_pairs all[GROUP])
{
    switch (stage->mode) {
    case PICA_TEV_MODE_REPLACE: return;
    case PICA_TEV_MODE_MODULATE: apply(modulate, stage, first, all); return;
    case PICA_TEV_MODE_ADD: apply(add, stage, first, all); return;
    case PICA_TEV_MODE_ADD_SIGNED: apply(add_signed, stage, first, all); return;
    case PICA_TEV_MODE_INTERPOLATE: apply(interpolate, stage, first, all); return;
    case PICA_TEV_MODE_SUBTRACT: apply(subtract, stage, first, all); return;
    case PICA_TEV_MODE_MULTIPLY_ADD: apply(multiply_add, stage, first, all); return;
    default: apply(add_multiply, stage, first, all); return;
    }
}

/* The planned stages for the cells from `first` on; those beyond the last cell hold anything. */
static inline void run_plan(struct machine *machine, uint32_t count, uint32_t first, struct fast_pairs all[GROUP])
{
    struct fast_pairs *stored = &machine->outputs[0].of[first];
    for (uint32_t k = 0; k < GROUP; k++)
        all[k] = machine->zero;
    for (uint32_t index = 0; index < count; index++) {
        const struct plain_stage *stage = &machine->plan[index];
        if (!stage->continues)
            for (uint32_t k = 0; k < GROUP; k++)
                all[k] = stage->in[0].colors[(first + k) * stage->in[0].step];
        apply_mode(stage, first, all);
        if (stage->stores)
            for (uint32_t k = 0; k < GROUP; k++)
                stored[k] = all[k];
    }
}

/* Where the previous output is not. */
static struct fast_pairs *next_output(struct machine *machine)
{
    const bool first = machine->sources[PICA_TEV_SOURCE_PREVIOUS].colors == machine->outputs[0].of;
    return machine->outputs[first ? 1 : 0].of;
}

static void run_plain_stages(struct machine *machine, uint32_t count, bool last, struct fast_cell *cells)
{
    for (uint32_t first = 0; first < machine->count; first += GROUP) {
        struct fast_pairs all[GROUP];
        run_plan(machine, count, first, all);
        for (uint32_t k = 0; k < GROUP; k++)
            if (!last)
                machine->outputs[0].of[first + k] = all[k];
            else if (first + k < machine->count)
                cells[first + k].color = all[k];
    }
}

/* TEV-04, TEV-05, TEV-06, TEV-12, TEV-14. In stage 0 nobody reads "previous": decode redirected it. */
void FAST_ISA(fast_combine_cells)(const struct fast_combiner *combiner,
                                  const struct fast_cell_colors *const sources[16], struct fast_cell *cells,
                                  uint32_t count)
{
    struct machine machine;
    machine.count = count;
    start(&machine, combiner, sources);
    for (uint32_t index = 0; index < combiner->stage_count; index++) {
        const struct fast_combiner_stage *stage = &combiner->stages[index];
        const uint32_t plain = combiner->reads_buffer ? 0u : plan_stages(&machine, combiner, index);
        if (plain > 0u) {
            index += plain - 1u;
            run_plain_stages(&machine, plain, index + 1u == combiner->stage_count, cells);
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
