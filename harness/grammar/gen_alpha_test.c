/* The alpha test. */
#include "harness/grammar/gen_parts.h"

void gen_alpha_test(struct gen *gen)
{
    const bool enabled = gen_has(gen, GEN_ALPHA_TEST) && gen_percent(gen, 70);
    const enum gen_contents reference = (enum gen_contents)gen_below(gen, 3);
    uint32_t word = gen->want[PICA_REG_FRAGOP_ALPHA_TEST];
    word = pica_fragop_alpha_test_set_enable(word, enabled ? 1 : 0);
    word = pica_fragop_alpha_test_set_function(word, gen_compare_function(gen, reference));
    if (reference != GEN_CONTENTS_MIXED)
        word = pica_fragop_alpha_test_set_reference(word, reference == GEN_CONTENTS_ONES ? gen_between(gen, 225, 255)
                                                                                         : gen_below(gen, 25));
    gen_set(gen, PICA_REG_FRAGOP_ALPHA_TEST, word);
}
