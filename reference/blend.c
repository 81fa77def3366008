/*
 * Blending: mixes the fragment's colour S with the stored one D, channel by channel, as glBlendFuncSeparate does.
 *
 * Each of the two is multiplied by a factor, from 0 to 255 for 0 to 1, that a register chooses: a constant, one of the
 * two colours, an alpha, or one minus these. Then the products are added, subtracted, or the smaller or larger one is
 * taken; unlike in OpenGL, "min" and "max" keep the factors. RGB and alpha have factors and equation of their own.
 * There is one division by 255, after the sum, that truncates. Where COLOR_OPERATION selects a logic operation instead
 * (logic_op.c), none of this is used.
 *
 * Worked number: S red 200 with alpha 128 over D red 10, factors source alpha and one minus source alpha:
 * (200 * 128 + 10 * 127) / 255 = 26870 / 255 = 105.
 */
#include "reference/fragment.h"

#include "reference/trace.h"

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void set_all(uint8_t f[4], uint32_t value)
{
    f[0] = f[1] = f[2] = f[3] = (uint8_t)value;
}

static void set_color(uint8_t f[4], const uint8_t color[4])
{
    for (int c = 0; c < 4; c++)
        f[c] = color[c];
}

static void set_one_minus(uint8_t f[4], const uint8_t color[4])
{
    for (int c = 0; c < 4; c++)
        f[c] = (uint8_t)(255u - color[c]);
}

/* BLD-01, BLD-04: a factor f for R, G, B and A from the source, stored and constant colours. */
static void factor(enum pica_blend_factor factor, const uint8_t s[4], const uint8_t d[4], const uint8_t k[4],
                   uint8_t f[4])
{
    switch (factor) {
    case PICA_BLEND_FACTOR_ZERO: set_all(f, 0); return;
    case PICA_BLEND_FACTOR_ONE: set_all(f, 255); return;
    case PICA_BLEND_FACTOR_SOURCE_COLOR: set_color(f, s); return;
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_COLOR: set_one_minus(f, s); return;
    case PICA_BLEND_FACTOR_DEST_COLOR: set_color(f, d); return;
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_COLOR: set_one_minus(f, d); return;
    case PICA_BLEND_FACTOR_SOURCE_ALPHA: set_all(f, s[3]); return;
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_ALPHA: set_all(f, 255u - s[3]); return;
    case PICA_BLEND_FACTOR_DEST_ALPHA: set_all(f, d[3]); return;
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_ALPHA: set_all(f, 255u - d[3]); return;
    case PICA_BLEND_FACTOR_CONSTANT_COLOR: set_color(f, k); return;
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR: set_one_minus(f, k); return;
    case PICA_BLEND_FACTOR_CONSTANT_ALPHA: set_all(f, k[3]); return;
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA: set_all(f, 255u - k[3]); return;
    case PICA_BLEND_FACTOR_SOURCE_ALPHA_SATURATE:
        set_all(f, smaller(s[3], 255u - d[3]));
        f[3] = 255;
        return;
    case PICA_BLEND_FACTOR_RESERVED_15:
    default: set_color(f, s); return; /* the field has four bits */
    }
}

/* BLD-02: r, g, b use the RGB factor, alpha its own. */
static void factors(enum pica_blend_factor rgb, enum pica_blend_factor alpha, const uint8_t s[4], const uint8_t d[4],
                    const uint8_t k[4], uint8_t f[4])
{
    uint8_t of_alpha[4];
    factor(alpha, s, d, k, of_alpha);
    factor(rgb, s, d, k, f);
    f[3] = of_alpha[3];
}

/* BLD-02, BLD-03: p = S times its factor, q = D times its factor. There is one division, toward zero, after the sum;
 * `more` is added before the division. */
static uint32_t equation(enum pica_blend_equation equation, uint32_t p, uint32_t q, uint32_t more)
{
    switch (equation) {
    case PICA_BLEND_EQUATION_ADD:
    case PICA_BLEND_EQUATION_ADD_5:
    case PICA_BLEND_EQUATION_ADD_6:
    case PICA_BLEND_EQUATION_ADD_7: return smaller(255u, (p + q + more) / 255u);
    case PICA_BLEND_EQUATION_SUBTRACT: return p > q ? (p - q + more) / 255u : 0u;
    case PICA_BLEND_EQUATION_REVERSE_SUBTRACT: return q > p ? (q - p + more) / 255u : 0u;
    case PICA_BLEND_EQUATION_MIN: return (smaller(p, q) + more) / 255u;
    case PICA_BLEND_EQUATION_MAX:
    default: return ((p > q ? p : q) + more) / 255u; /* the field has three bits */
    }
}

/* BLD-01, BLD-02: all four channels. */
static void blend(const struct ref_blending *b, const uint8_t s[4], const uint8_t d[4], uint8_t result[4])
{
    uint8_t sf[4], df[4];
    factors(b->rgb_source, b->alpha_source, s, d, b->constant, sf);
    factors(b->rgb_dest, b->alpha_dest, s, d, b->constant, df);
    for (int c = 0; c < 3; c++)
        result[c] = (uint8_t)equation(b->rgb_equation, s[c] * sf[c], d[c] * df[c], b->before_division);
    result[3] = (uint8_t)equation(b->alpha_equation, s[3] * sf[3], d[3] * df[3], b->before_division);
}

/* -------------------------------------------------------------------------------------------------------- decoding */

/* BLD-04: factor 15 is the source's channel, or 255. */
static enum pica_blend_factor known_factor(const struct ref_gpu *gpu, enum pica_blend_factor factor)
{
    if (factor == PICA_BLEND_FACTOR_RESERVED_15 && ref_takes(gpu, PICA_SIDE_BLEND_FACTOR_15_ONE))
        return PICA_BLEND_FACTOR_ONE;
    return factor;
}

/* BLD-03, other side: minimum and maximum ignore the factors, which is the same as factors of 255. */
static void forget_factors(enum pica_blend_equation equation, enum pica_blend_factor *source,
                           enum pica_blend_factor *dest)
{
    if (equation == PICA_BLEND_EQUATION_MIN || equation == PICA_BLEND_EQUATION_MAX)
        *source = *dest = PICA_BLEND_FACTOR_ONE;
}

void ref_blend_decode(const struct ref_gpu *gpu, struct ref_blending *blending)
{
    const uint32_t word = gpu->regs[PICA_REG_BLEND_FUNC];
    blending->rgb_source = known_factor(gpu, pica_blend_func_rgb_source(word));
    blending->rgb_dest = known_factor(gpu, pica_blend_func_rgb_dest(word));
    blending->rgb_equation = pica_blend_func_rgb_equation(word);
    blending->alpha_source = known_factor(gpu, pica_blend_func_alpha_source(word));
    blending->alpha_dest = known_factor(gpu, pica_blend_func_alpha_dest(word));
    blending->alpha_equation = pica_blend_func_alpha_equation(word);
    blending->before_division = ref_takes(gpu, PICA_SIDE_BLEND_ROUNDING_ROUNDS) ? 127u : 0u;
    if (ref_takes(gpu, PICA_SIDE_MIN_MAX_FACTORS_IGNORED)) {
        forget_factors(blending->rgb_equation, &blending->rgb_source, &blending->rgb_dest);
        forget_factors(blending->alpha_equation, &blending->alpha_source, &blending->alpha_dest);
    }
    for (uint32_t c = 0; c < 4; c++)
        blending->constant[c] = (uint8_t)pica_rgba8_channel_at(gpu->regs[PICA_REG_BLEND_COLOR], c);
    blending->is_blend = pica_color_operation_blend_mode(gpu->regs[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND;
    blending->logic_op = pica_logic_op_operation(gpu->regs[PICA_REG_LOGIC_OP]);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_factors(const struct ref_gpu *gpu, const uint8_t source[4], const uint8_t dest[4])
{
    const struct ref_blending *const b = &gpu->batch->blending;
    uint8_t sf[4], df[4];
    factors(b->rgb_source, b->alpha_source, source, dest, b->constant, sf);
    factors(b->rgb_dest, b->alpha_dest, source, dest, b->constant, df);
    ref_trace_rule(gpu, "BLD-01", 0, (const uint32_t[]){ sf[0], sf[1], sf[2], sf[3], df[0], df[1], df[2], df[3] }, 8);
}

static void record(const struct ref_gpu *gpu, const uint8_t source[4], const uint8_t dest[4], const uint8_t result[4])
{
    ref_feature(gpu, PICA_FEATURE_BLENDED + (uint32_t)PICA_BLEND_MODE_BLEND);
    ref_trace_color(gpu, PICA_TRACE_ID_BLEND_DEST, 0, dest);
    record_factors(gpu, source, dest);
    ref_trace_color(gpu, PICA_TRACE_ID_BLEND_RESULT, 0, result);
}

void ref_blend(const struct ref_gpu *gpu, const uint8_t source[4], const uint8_t dest[4], uint8_t result[4])
{
    blend(&gpu->batch->blending, source, dest, result);
    if (gpu->is_watched)
        record(gpu, source, dest, result);
}
