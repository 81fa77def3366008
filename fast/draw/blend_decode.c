/* Blending: equations and factors; those with the same effect are decoded to the same value. */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

/* BLD-01, BLD-04 */
static struct fast_blend_factor canonical_factor(enum pica_blend_factor factor, bool alpha)
{
    switch (factor) {
    case PICA_BLEND_FACTOR_ZERO: return (struct fast_blend_factor){ FAST_BLEND_ZERO, 0 };
    case PICA_BLEND_FACTOR_ONE: return (struct fast_blend_factor){ FAST_BLEND_ZERO, 255 };
    case PICA_BLEND_FACTOR_SOURCE_COLOR:
    case PICA_BLEND_FACTOR_RESERVED_15: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_COLOR, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_COLOR: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_COLOR, 255 };
    case PICA_BLEND_FACTOR_DEST_COLOR: return (struct fast_blend_factor){ FAST_BLEND_DEST_COLOR, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_COLOR: return (struct fast_blend_factor){ FAST_BLEND_DEST_COLOR, 255 };
    case PICA_BLEND_FACTOR_SOURCE_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_ALPHA, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_ALPHA, 255 };
    case PICA_BLEND_FACTOR_DEST_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_DEST_ALPHA, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_DEST_ALPHA, 255 };
    case PICA_BLEND_FACTOR_CONSTANT_COLOR: return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_COLOR, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
        return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_COLOR, 255 };
    case PICA_BLEND_FACTOR_CONSTANT_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_ALPHA, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
        return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_ALPHA, 255 };
    case PICA_BLEND_FACTOR_SOURCE_ALPHA_SATURATE: /* 255 for alpha */
    default:
        if (alpha)
            return (struct fast_blend_factor){ FAST_BLEND_ZERO, 255 };
        return (struct fast_blend_factor){ FAST_BLEND_SATURATE, 0 };
    }
}

static bool factor_reads_destination(struct fast_blend_factor factor)
{
    return factor.operand == FAST_BLEND_DEST_COLOR || factor.operand == FAST_BLEND_DEST_ALPHA ||
           factor.operand == FAST_BLEND_SATURATE;
}

static bool factor_is_zero(struct fast_blend_factor factor)
{
    return factor.operand == FAST_BLEND_ZERO && factor.flip == 0u;
}

static bool factor_is_one(struct fast_blend_factor factor)
{
    return factor.operand == FAST_BLEND_ZERO && factor.flip != 0u;
}

/* BLD-02, BLD-03: 5, 6 and 7 are additions too. */
static enum pica_blend_equation canonical_equation(enum pica_blend_equation equation)
{
    switch (equation) {
    case PICA_BLEND_EQUATION_SUBTRACT:
    case PICA_BLEND_EQUATION_REVERSE_SUBTRACT:
    case PICA_BLEND_EQUATION_MIN:
    case PICA_BLEND_EQUATION_MAX: return equation;
    case PICA_BLEND_EQUATION_ADD:
    case PICA_BLEND_EQUATION_ADD_5:
    case PICA_BLEND_EQUATION_ADD_6:
    case PICA_BLEND_EQUATION_ADD_7:
    default: return PICA_BLEND_EQUATION_ADD;
    }
}

static bool copies_source(enum pica_blend_equation equation, struct fast_blend_factor source,
                          struct fast_blend_factor dest)
{
    return equation == PICA_BLEND_EQUATION_ADD && factor_is_one(source) && factor_is_zero(dest);
}

/*
 * BLD-01 to BLD-05. Call after fast_decode_logic_op: a blend that copies the source (S * 255 / 255) is decoded as the
 * logic operation "copy".
 */
void fast_decode_blend(const struct fast_decoder *decoder)
{
    struct fast_blend_state *blend = &decoder->state->blend;
    const uint32_t *registers = decoder->registers;
    const uint32_t word = registers[PICA_REG_BLEND_FUNC];
    blend->rgb_equation = canonical_equation(pica_blend_func_rgb_equation(word));
    blend->alpha_equation = canonical_equation(pica_blend_func_alpha_equation(word));
    blend->rgb_source = canonical_factor(pica_blend_func_rgb_source(word), false);
    blend->rgb_dest = canonical_factor(pica_blend_func_rgb_dest(word), false);
    blend->alpha_source = canonical_factor(pica_blend_func_alpha_source(word), true);
    blend->alpha_dest = canonical_factor(pica_blend_func_alpha_dest(word), true);
    blend->adds = blend->rgb_equation == PICA_BLEND_EQUATION_ADD && blend->alpha_equation == PICA_BLEND_EQUATION_ADD;
    for (uint32_t channel = 0; channel < 4u; channel++)
        blend->constant[channel] = (uint16_t)pica_rgba8_channel_at(registers[PICA_REG_BLEND_COLOR], channel);
    blend->selected = pica_color_operation_blend_mode(registers[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND;
    blend->enabled = blend->selected;
    if (blend->enabled && copies_source(blend->rgb_equation, blend->rgb_source, blend->rgb_dest) &&
        copies_source(blend->alpha_equation, blend->alpha_source, blend->alpha_dest)) {
        blend->enabled = false;
        blend->logic_op = PICA_LOGIC_OP_COPY;
    }
    if (blend->enabled)
        blend->reads_destination = !factor_is_zero(blend->rgb_dest) || !factor_is_zero(blend->alpha_dest) ||
                                   factor_reads_destination(blend->rgb_source) ||
                                   factor_reads_destination(blend->alpha_source);
    else
        blend->reads_destination = fast_logic_op_reads_destination(blend->logic_op);
    if (!decoder->color_read)
        blend->reads_destination = false; /* FBF-15: D is 0 */
}

/* BLD-04 */
void fast_blend_events(const struct fast_decoder *decoder)
{
    const uint32_t blend = decoder->registers[PICA_REG_BLEND_FUNC];
    const uint32_t operation = decoder->registers[PICA_REG_COLOR_OPERATION];
    const bool factor_15 = pica_blend_func_rgb_source(blend) == PICA_BLEND_FACTOR_RESERVED_15 ||
                           pica_blend_func_rgb_dest(blend) == PICA_BLEND_FACTOR_RESERVED_15 ||
                           pica_blend_func_alpha_source(blend) == PICA_BLEND_FACTOR_RESERVED_15 ||
                           pica_blend_func_alpha_dest(blend) == PICA_BLEND_FACTOR_RESERVED_15;
    fast_raster_event_if(decoder->state,
                         decoder->state->mode == PICA_FRAGMENT_MODE_DEFAULT && decoder->color_write && factor_15 &&
                             pica_color_operation_blend_mode(operation) == PICA_BLEND_MODE_BLEND,
                         PICA_EVENT_BLEND_FACTOR_15);
}
