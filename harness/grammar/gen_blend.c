/* Blending. */
#include "harness/grammar/gen_parts.h"

void gen_blend(struct gen *gen)
{
    if (gen_has(gen, GEN_BLEND) && gen_percent(gen, 85))
        return; /* as drawn */
    uint32_t word = pica_blend_func_set_rgb_source(0, PICA_BLEND_FACTOR_ONE);
    word = pica_blend_func_set_alpha_source(word, PICA_BLEND_FACTOR_ONE);
    gen_set(gen, PICA_REG_BLEND_FUNC, word);
}
