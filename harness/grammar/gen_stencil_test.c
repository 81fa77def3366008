/* The stencil test. */
#include "harness/grammar/gen_parts.h"

/* The reference is on the left, the stored value on the right (STC-03). */
void gen_stencil_test(struct gen *gen)
{
    const bool enabled = gen_has(gen, GEN_STENCIL) && gen_percent(gen, 75);
    uint32_t word = gen->want[PICA_REG_STENCIL_TEST];
    word = pica_stencil_test_set_enable(word, enabled ? 1 : 0);
    word = pica_stencil_test_set_function(word, gen_compare_function(gen, gen->target.depth_contents));
    if (gen_percent(gen, 60))
        word = pica_stencil_test_set_write_mask(word, 0xFF);
    if (gen_percent(gen, 70))
        word = pica_stencil_test_set_compare_mask(word, 0xFF);
    if (gen_percent(gen, 70))
        word = pica_stencil_test_set_reference(word, gen_between(gen, 1, 254));
    gen_set(gen, PICA_REG_STENCIL_TEST, word);
}
