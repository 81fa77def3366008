/* The depth test, the write masks that share its register, the early depth test. */
#include "harness/grammar/gen_parts.h"

void gen_depth_test(struct gen *gen)
{
    const bool tested = gen_has(gen, GEN_DEPTH) && gen_percent(gen, 75);
    const bool masked = gen_has(gen, GEN_MASKS) && gen_percent(gen, 80);
    uint32_t word = gen->want[PICA_REG_DEPTH_COLOR_MASK];
    word = pica_depth_color_mask_set_depth_test(word, tested ? 1 : 0);
    word = pica_depth_color_mask_set_depth_function(word, gen_compare_function(gen, gen->target.depth_contents));
    uint32_t channels = masked ? gen_below(gen, 16) : 15;
    if ((channels & 7u) == 0 && gen_percent(gen, 80))
        channels |= 1u << gen_below(gen, 3); /* not every format has alpha */
    for (uint32_t c = 0; c < 4; c++)
        word = pica_depth_color_mask_set_color_write_at(word, c, channels >> c);
    gen_set(gen, PICA_REG_DEPTH_COLOR_MASK, word);
}

/* EDT-01: stored without effect; only the enable bits record an event. */
void gen_early_depth_test(struct gen *gen)
{
    gen_set_drawn(gen, PICA_REG_EARLYDEPTH_FUNC, PICA_REG_EARLYDEPTH_FUNC);
    gen_set_drawn(gen, PICA_REG_EARLYDEPTH_DATA, PICA_REG_EARLYDEPTH_DATA);
    gen_set(gen, PICA_REG_EARLYDEPTH_TEST1, gen_wild(gen, 20) ? 1 : 0);
    gen_set(gen, PICA_REG_EARLYDEPTH_TEST2, gen_wild(gen, 20) ? 1 : 0);
}
