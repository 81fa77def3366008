/*
 * Divergence: comparisons, addresses and relative operands whose values differ from vertex to vertex, so that vertices
 * which an emulator shades together take different paths. Without these nearly all conditions come from uniforms, and
 * sixteen vertices in a vector all do the same.
 */
#include "harness/grammar/gen_parts.h"

/* A temporary that differs from vertex to vertex; `finite`: it holds no NaN (special_bits in gen_fetch.c). */
static struct gen_source varying(struct gen *gen, const struct gen_body *body, bool finite)
{
    const uint32_t first = finite ? body->varying_finite : 0;
    return gen_source(body->varying[first + gen_below(gen, body->varying_count - first)]);
}

/* In x and y other components of the same vector, so that the two operands of a comparison are not always equal. */
static uint32_t other_selectors(struct gen *gen, uint32_t selectors)
{
    const uint32_t x = (selectors >> 6 & 3u) + 1u + gen_below(gen, 3);
    const uint32_t y = (selectors >> 4 & 3u) + 1u + gen_below(gen, 3);
    return (x & 3u) << 6 | (y & 3u) << 4 | (selectors & 15u);
}

bool gen_lanes_may(const struct gen_body *body)
{
    return body->varying_count != 0;
}

/* SHD-31: compares a component with another one or with a uniform, mostly by order, as equal ones are rare. */
void gen_lanes_compare(struct gen *gen, struct gen_code *code, const struct gen_body *body)
{
    const bool ordered = gen_percent(gen, 85);
    const uint32_t x = ordered ? gen_between(gen, PICA_SHADER_COMPARE_LT, PICA_SHADER_COMPARE_GE) : gen_below(gen, 6);
    const uint32_t y = ordered ? gen_between(gen, PICA_SHADER_COMPARE_LT, PICA_SHADER_COMPARE_GE) : gen_below(gen, 6);
    struct gen_source sources[3] = { varying(gen, body, false), { .selectors = GEN_XYZW }, { .selectors = GEN_XYZW } };
    sources[1] = sources[0];
    sources[0].selectors = gen_below(gen, 256);
    sources[1].selectors = other_selectors(gen, sources[0].selectors);
    sources[1].negate = gen_percent(gen, 20);
    if (gen_percent(gen, 25))
        sources[0] = body->spread;
    gen_alu(code, PICA_OPCODE_CMP, x | y << 3, gen_below(gen, 16), sources);
}

/* SHD-32: a few different small integers. Uses up one of the body's temporaries. */
void gen_lanes_address(struct gen *gen, struct gen_code *code, const struct gen_body *body)
{
    if (body->varying_finite == body->varying_count)
        return;
    const uint32_t temporary = body->temporaries[gen_below(gen, body->temporary_count)];
    struct gen_source spread = body->spread;
    struct gen_source vector = varying(gen, body, true);
    spread.selectors = gen_below(gen, 256);
    vector.selectors = gen_below(gen, 256);
    gen_two(code, PICA_OPCODE_MUL, temporary, 15, spread, vector);
    const struct gen_source sources[3] = { gen_source(temporary),
                                           { .selectors = GEN_XYZW },
                                           { .selectors = GEN_XYZW } };
    gen_alu(code, PICA_OPCODE_MOVA, 0, gen_percent(gen, 50) ? 12u : gen_between(gen, 1, 3) << 2, sources);
}

/* SHD-22: a relative operand near the uniforms that hold something. */
void gen_lanes_read(struct gen *gen, struct gen_code *code, const struct gen_body *body, bool in_loop)
{
    const uint32_t temporary = body->temporaries[gen_below(gen, body->temporary_count)];
    struct gen_source operand = gen_source(body->spread.number + gen_below(gen, 12));
    if (operand.number > PICA_SHADER_SOURCE_C0 + PICA_FLOAT_UNIFORMS - 1u)
        operand.number = body->spread.number;
    operand.relative = in_loop && gen_percent(gen, 50)
                           ? (uint32_t)PICA_SHADER_RELATIVE_AL
                           : gen_between(gen, PICA_SHADER_RELATIVE_A0_X, PICA_SHADER_RELATIVE_A0_Y);
    operand.selectors = gen_percent(gen, 50) ? GEN_XYZW : gen_below(gen, 256);
    if (gen_percent(gen, 50))
        gen_mov(code, temporary, 15, operand);
    else
        gen_two(code, PICA_OPCODE_ADD, temporary, 15, operand, gen_source(temporary));
}
