/* The order in which the stages after the combiner are configured. */
#include "harness/grammar/gen_parts.h"

/* Mostly a function that passes something: `a FUNC b`, with b small, large or anything. */
uint32_t gen_compare_function(struct gen *gen, enum gen_contents b)
{
    /* never always equal not-equal less less-equal greater greater-equal */
    static const uint32_t weights[3][8] = { { 3, 16, 5, 16, 4, 5, 25, 26 },
                                            { 3, 16, 5, 16, 25, 26, 4, 5 },
                                            { 3, 16, 5, 15, 15, 15, 15, 16 } };
    return harness_random_weighted(&gen->random, weights[b], 8);
}

static void set_operation(struct gen *gen)
{
    uint32_t word = gen->want[PICA_REG_COLOR_OPERATION];
    word = gen_logic_op(gen, word);
    if (!gen_wild(gen, 5))
        word = pica_color_operation_set_dither(word, 0);
    if (!gen_wild(gen, 4))
        word = gen_shadow(gen, word);
    gen_set(gen, PICA_REG_COLOR_OPERATION, word);
}

void gen_fragment(struct gen *gen)
{
    gen_set_drawn(gen, PICA_REG_COLOR_OPERATION, PICA_REG_DEPTH_COLOR_MASK);
    set_operation(gen);
    gen_blend(gen);
    gen_alpha_test(gen);
    gen_stencil_test(gen);
    gen_depth_test(gen);
    gen_access(gen);
    gen_set_drawn(gen, PICA_REG_FRAGOP_SHADOW, PICA_REG_FRAGOP_SHADOW);
    if (gen_percent(gen, 20))
        gen_gas_light(gen);
}

void gen_plain_fragment(struct gen *gen)
{
    uint32_t mask = gen->want[PICA_REG_DEPTH_COLOR_MASK];
    mask = pica_depth_color_mask_set_depth_test(mask, 0);
    for (uint32_t c = 0; c < 4; c++)
        mask = pica_depth_color_mask_set_color_write_at(mask, c, 1);
    gen_set(gen, PICA_REG_DEPTH_COLOR_MASK, mask);
    gen_set(gen, PICA_REG_COLOR_OPERATION,
            pica_color_operation_set_blend_mode(0, PICA_BLEND_MODE_BLEND) | gen_below(gen, 256) << 16);
    gen_set(gen, PICA_REG_BLEND_FUNC, pica_blend_func_set_rgb_source(0, PICA_BLEND_FACTOR_ONE));
    gen_set(gen, PICA_REG_FRAGOP_ALPHA_TEST, 0);
    gen_set(gen, PICA_REG_STENCIL_TEST, 0);
    gen_set(gen, PICA_REG_FACECULLING_CONFIG, PICA_CULL_MODE_NONE);
    gen_set(gen, PICA_REG_SCISSORTEST_MODE, PICA_SCISSOR_MODE_OFF);
    gen_set(gen, PICA_REG_COLORBUFFER_READ, 15);
    gen_set(gen, PICA_REG_COLORBUFFER_WRITE, 15);
}
