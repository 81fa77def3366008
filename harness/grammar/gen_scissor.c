/* The scissor box. */
#include "harness/grammar/gen_parts.h"

void gen_scissor(struct gen *gen)
{
    uint32_t x1 = gen_below(gen, gen->target.width);
    uint32_t y1 = gen_below(gen, gen->target.height);
    uint32_t x2 = gen_between(gen, x1, gen->target.width - 1u);
    uint32_t y2 = gen_between(gen, y1, gen->target.height - 1u);
    if (gen_percent(gen, 50)) {
        x1 /= 4u;
        y1 /= 4u;
        x2 |= gen->target.width / 2u;
        y2 |= gen->target.height / 2u;
        x2 = x2 < gen->target.width ? x2 : gen->target.width - 1u;
        y2 = y2 < gen->target.height ? y2 : gen->target.height - 1u;
    }
    const uint32_t mode = gen_has(gen, GEN_SCISSOR) && gen_percent(gen, 80) ? gen_below(gen, 4) : PICA_SCISSOR_MODE_OFF;
    if (gen_wild(gen, 10)) {
        x2 = harness_random_number(&gen->random, 10);
        y2 = harness_random_number(&gen->random, 10);
    }
    gen_set(gen, PICA_REG_SCISSORTEST_MODE, mode);
    gen_set(gen, PICA_REG_SCISSORTEST_POS, pica_scissortest_pos_set_y1(pica_scissortest_pos_set_x1(0, x1), y1));
    gen_set(gen, PICA_REG_SCISSORTEST_DIM, pica_scissortest_dim_set_y2(pica_scissortest_dim_set_x2(0, x2), y2));
}
