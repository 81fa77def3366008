/* Alpha test: when it can fail, and against what. */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

/* ATS-01: only in fragment mode 0. */
void fast_decode_alpha_test(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t word = decoder->registers[PICA_REG_FRAGOP_ALPHA_TEST];
    state->alpha_function = pica_fragop_alpha_test_function(word);
    state->alpha_reference = pica_fragop_alpha_test_reference(word);
    state->alpha_test = state->mode == PICA_FRAGMENT_MODE_DEFAULT && pica_fragop_alpha_test_enable(word) != 0u &&
                        state->alpha_function != PICA_COMPARE_FUNC_ALWAYS;
}
