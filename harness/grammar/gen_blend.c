/* Blending. */
#include "harness/grammar/gen_parts.h"

/* Alpha is blended as the colour is: where four channels can be computed at once, emulators take shortcuts. */
static void follow_color(struct gen *gen)
{
    uint32_t word = gen->want[PICA_REG_BLEND_FUNC];
    word = pica_blend_func_set_alpha_equation(word, pica_blend_func_rgb_equation(word));
    word = pica_blend_func_set_alpha_source(word, pica_blend_func_rgb_source(word));
    word = pica_blend_func_set_alpha_dest(word, pica_blend_func_rgb_dest(word));
    gen_set(gen, PICA_REG_BLEND_FUNC, word);
}

void gen_blend(struct gen *gen)
{
    if (gen_has(gen, GEN_BLEND) && gen_percent(gen, 85)) {
        if (gen_percent(gen, 30))
            follow_color(gen);
        return; /* as drawn */
    }
    uint32_t word = pica_blend_func_set_rgb_source(0, PICA_BLEND_FACTOR_ONE);
    word = pica_blend_func_set_alpha_source(word, PICA_BLEND_FACTOR_ONE);
    gen_set(gen, PICA_REG_BLEND_FUNC, word);
}
