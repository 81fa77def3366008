/* The texture combiner (50 section 2), and fast_shade_block, which runs units, lighting and combiner in order. */
#include "fast/kernels/shading_kernels.h"

#include "pica/enums.h"

/* ---------------------------------------------------------------------------------------------------------- operands */

/* ~x of TEV-07. */
static v_u16 inverse(v_u16 a)
{
    return v_u16_xor(a, v_u16_splat(255));
}

struct rgb {
    v_u16 channel[3];
};

static struct rgb grey(v_u16 a)
{
    return (struct rgb){ { a, a, a } };
}

/* TEV-07; reserved operands give 0. */
static struct rgb rgb_operand(const struct fast_colors *source, uint32_t operand)
{
    const v_u16 *c = source->channel;
    switch ((enum pica_tev_rgb_operand)operand) {
    case PICA_TEV_RGB_OPERAND_COLOR: return (struct rgb){ { c[0], c[1], c[2] } };
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_COLOR: return (struct rgb){ { inverse(c[0]), inverse(c[1]), inverse(c[2]) } };
    case PICA_TEV_RGB_OPERAND_ALPHA: return grey(c[3]);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_ALPHA: return grey(inverse(c[3]));
    case PICA_TEV_RGB_OPERAND_RED: return grey(c[0]);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_RED: return grey(inverse(c[0]));
    case PICA_TEV_RGB_OPERAND_RESERVED_6: break;
    case PICA_TEV_RGB_OPERAND_RESERVED_7: break;
    case PICA_TEV_RGB_OPERAND_GREEN: return grey(c[1]);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_GREEN: return grey(inverse(c[1]));
    case PICA_TEV_RGB_OPERAND_RESERVED_10: break;
    case PICA_TEV_RGB_OPERAND_RESERVED_11: break;
    case PICA_TEV_RGB_OPERAND_BLUE: return grey(c[2]);
    case PICA_TEV_RGB_OPERAND_ONE_MINUS_BLUE: return grey(inverse(c[2]));
    case PICA_TEV_RGB_OPERAND_RESERVED_14: break;
    case PICA_TEV_RGB_OPERAND_RESERVED_15: break;
    }
    return grey(v_u16_splat(0));
}

/* TEV-08. */
static v_u16 alpha_operand(const struct fast_colors *source, uint32_t operand)
{
    const v_u16 *c = source->channel;
    switch ((enum pica_tev_alpha_operand)operand) {
    case PICA_TEV_ALPHA_OPERAND_ALPHA: return c[3];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_ALPHA: return inverse(c[3]);
    case PICA_TEV_ALPHA_OPERAND_RED: return c[0];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_RED: return inverse(c[0]);
    case PICA_TEV_ALPHA_OPERAND_GREEN: return c[1];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_GREEN: return inverse(c[1]);
    case PICA_TEV_ALPHA_OPERAND_BLUE: return c[2];
    case PICA_TEV_ALPHA_OPERAND_ONE_MINUS_BLUE: return inverse(c[2]);
    }
    return c[3]; /* not reached: the field has three bits */
}

/* -------------------------------------------------------------------------------------------------------- arithmetic */

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
    return v_u16_div255_floor(v_u16_add(v_u16_mul(a, c), v_u16_mul(b, inverse(c))));
}

/*
 * TEV-09 on bytes; operands the mode does not read may hold anything (examples: TEV-15). Multiply-add: (a*b + 255*c) / 255
 * is (a*b) / 255 + c exactly. Dot3 and reserved modes give 0 here.
 */
static v_u16 combine(uint32_t mode, v_u16 a, v_u16 b, v_u16 c)
{
    switch ((enum pica_tev_mode)mode) {
    case PICA_TEV_MODE_REPLACE: return a;
    case PICA_TEV_MODE_MODULATE: return modulate(a, b);
    case PICA_TEV_MODE_ADD: return at_most_255(v_u16_add(a, b));
    case PICA_TEV_MODE_ADD_SIGNED: return at_most_255(v_u16_subs(v_u16_add(a, b), v_u16_splat(128)));
    case PICA_TEV_MODE_INTERPOLATE: return interpolate(a, b, c);
    case PICA_TEV_MODE_SUBTRACT: return v_u16_subs(a, b);
    case PICA_TEV_MODE_DOT3_RGB: break;
    case PICA_TEV_MODE_DOT3_RGBA: break;
    case PICA_TEV_MODE_MULTIPLY_ADD: return at_most_255(v_u16_add(modulate(a, b), c));
    case PICA_TEV_MODE_ADD_MULTIPLY: return modulate(at_most_255(v_u16_add(a, b)), c);
    case PICA_TEV_MODE_RESERVED_10: break;
    case PICA_TEV_MODE_RESERVED_11: break;
    case PICA_TEV_MODE_RESERVED_12: break;
    case PICA_TEV_MODE_RESERVED_13: break;
    case PICA_TEV_MODE_RESERVED_14: break;
    case PICA_TEV_MODE_RESERVED_15: break;
    }
    return v_u16_splat(0);
}

/* TEV-10: one channel; the division by 256 truncates toward zero. */
static v_i32 dot3_term(v_u16 a, v_u16 b)
{
    const v_i32 middle = v_i32_splat(255);
    const v_i32 left = v_i32_sub(v_i32_shl(v_i32_from_u16(a), 1), middle);
    const v_i32 right = v_i32_sub(v_i32_shl(v_i32_from_u16(b), 1), middle);
    const v_i32 sum = v_i32_add(v_i32_mul(left, right), v_i32_splat(128));
    const v_i32 toward_zero = v_i32_and(v_i32_shr(sum, 31), middle);
    return v_i32_shr(v_i32_add(sum, toward_zero), 8);
}

static v_u16 dot3(const struct rgb *a, const struct rgb *b)
{
    v_i32 sum = v_i32_splat(0);
    for (int c = 0; c < 3; c++)
        sum = v_i32_add(sum, dot3_term(a->channel[c], b->channel[c]));
    return v_u16_from_i32(v_i32_clamp(sum, v_i32_splat(0), v_i32_splat(255)));
}

/* ------------------------------------------------------------------------------------------------------------- stages */

/* TEV-13. */
static v_u16 scaled(v_u16 a, uint32_t shift)
{
    return shift == 0 ? a : at_most_255(v_u16_shl(a, (int)shift));
}

static struct rgb stage_rgb(const struct fast_combiner_stage *stage, const struct fast_combiner_sources *sources)
{
    struct rgb operand[3];
    for (int i = 0; i < 3; i++)
        operand[i] = rgb_operand(&sources->id[stage->rgb_source[i]], stage->rgb_operand[i]);
    if (stage->rgb_mode == PICA_TEV_MODE_DOT3_RGB || stage->rgb_mode == PICA_TEV_MODE_DOT3_RGBA)
        return grey(dot3(&operand[0], &operand[1]));
    struct rgb result;
    for (int c = 0; c < 3; c++)
        result.channel[c] =
            combine(stage->rgb_mode, operand[0].channel[c], operand[1].channel[c], operand[2].channel[c]);
    return result;
}

static v_u16 stage_alpha(const struct fast_combiner_stage *stage, const struct fast_combiner_sources *sources)
{
    v_u16 operand[3];
    for (int i = 0; i < 3; i++)
        operand[i] = alpha_operand(&sources->id[stage->alpha_source[i]], stage->alpha_operand[i]);
    return combine(stage->alpha_mode, operand[0], operand[1], operand[2]);
}

/* TEV-04: both halves read the state before the stage. TEV-11: dot3 RGBA is its own alpha. */
static struct fast_colors run_stage(const struct fast_combiner_stage *stage, const struct fast_combiner_sources *sources)
{
    const struct rgb color = stage_rgb(stage, sources);
    const v_u16 alpha = stage->alpha_from_dot3 ? color.channel[0] : stage_alpha(stage, sources);
    return (struct fast_colors){ { scaled(color.channel[0], stage->rgb_shift),
                                   scaled(color.channel[1], stage->rgb_shift),
                                   scaled(color.channel[2], stage->rgb_shift), scaled(alpha, stage->alpha_shift) } };
}

static struct fast_colors colors_from_bytes(const uint8_t bytes[4])
{
    return (struct fast_colors){ { v_u16_splat(bytes[0]), v_u16_splat(bytes[1]), v_u16_splat(bytes[2]),
                                   v_u16_splat(bytes[3]) } };
}

/* TEV-12: what the stage's output does to the pending buffer. */
static void update_buffer(const struct fast_combiner_stage *stage, const struct fast_colors *output,
                          struct fast_colors *pending)
{
    for (int c = 0; c < 3 && stage->updates_rgb; c++)
        pending->channel[c] = output->channel[c];
    if (stage->updates_alpha)
        pending->channel[3] = output->channel[3];
}

/* TEV-04 to TEV-06, TEV-12, TEV-14 (example: TEV-16). In stage 0 nobody reads "previous": decode redirected it. */
void FAST_ISA(fast_combine_block)(const struct fast_combiner *combiner, struct fast_combiner_sources *sources,
                                  struct fast_colors *out)
{
    struct fast_colors pending = colors_from_bytes(combiner->buffer);
    const struct fast_colors black = fast_colors_splat(0);
    for (int id = PICA_TEV_SOURCE_RESERVED_7; id <= PICA_TEV_SOURCE_RESERVED_12; id++)
        sources->id[id] = black;
    sources->id[PICA_TEV_SOURCE_PREVIOUS_BUFFER] = black;
    sources->id[PICA_TEV_SOURCE_PREVIOUS] = black;
    for (int index = 0; index < FAST_COMBINER_STAGES; index++) {
        const struct fast_combiner_stage *stage = &combiner->stages[index];
        if (!stage->passes_through) {
            sources->id[PICA_TEV_SOURCE_CONSTANT] = colors_from_bytes(stage->constant);
            sources->id[PICA_TEV_SOURCE_PREVIOUS] = run_stage(stage, sources);
        }
        sources->id[PICA_TEV_SOURCE_PREVIOUS_BUFFER] = pending;
        update_buffer(stage, &sources->id[PICA_TEV_SOURCE_PREVIOUS], &pending);
    }
    *out = sources->id[PICA_TEV_SOURCE_PREVIOUS];
}

/* ------------------------------------------------------------------------------------------------------ whole fragment */

/* Step 2 of FBF-21. TEV-02: unused units are constants, unused lighting is off. TEV-03: c8 comes with the block. */
void FAST_ISA(fast_shade_block)(const struct fast_shading_state *state, const struct fast_block *block,
                                struct fast_colors *out)
{
    struct fast_combiner_sources sources;
    const struct fast_colors black = fast_colors_splat(0);
    struct fast_colors *textures = &sources.id[PICA_TEV_SOURCE_TEXTURE0];
    for (int unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        FAST_ISA(fast_sample_unit)(&state->units[unit], block, &textures[unit]);
    textures[3] = black; /* PTX-25 */
    if (state->proctex.enabled)
        FAST_ISA(fast_sample_proctex)(&state->proctex, block, &textures[3]);

    /* LIT-02 */
    sources.id[PICA_TEV_SOURCE_FRAGMENT_PRIMARY] = black;
    sources.id[PICA_TEV_SOURCE_FRAGMENT_SECONDARY] = black;
    if (state->lighting.enabled)
        FAST_ISA(fast_light_block)(&state->lighting, block, textures, &sources.id[PICA_TEV_SOURCE_FRAGMENT_PRIMARY],
                                   &sources.id[PICA_TEV_SOURCE_FRAGMENT_SECONDARY]);

    sources.id[PICA_TEV_SOURCE_PRIMARY_COLOR] = black;
    for (int c = 0; c < 4 && (state->needs & FAST_NEED_COLOR) != 0; c++)
        sources.id[PICA_TEV_SOURCE_PRIMARY_COLOR].channel[c] = block->color[c];
    FAST_ISA(fast_combine_block)(&state->combiner, &sources, out);
}
