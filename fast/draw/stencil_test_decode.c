/* Stencil test: whether it can change or reject anything. After the depth test. */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

/*
 * STC-01, STC-02, STC-05, STC-06. Without a write mask, a test that always passes has no effect; the
 * same holds if every operation keeps the real byte.
 */
void fast_decode_stencil_test(const struct fast_decoder *decoder)
{
    struct fast_stencil_state *stencil = &decoder->state->stencil;
    const struct fast_depth_state *depth = &decoder->state->depth;
    const uint32_t word = decoder->registers[PICA_REG_STENCIL_TEST];
    const uint32_t operations = decoder->registers[PICA_REG_STENCIL_OP];
    stencil->function = pica_stencil_test_function(word);
    stencil->reference = pica_stencil_test_reference(word);
    stencil->compare_mask = pica_stencil_test_compare_mask(word);
    stencil->stencil_fail = pica_stencil_op_stencil_fail(operations);
    stencil->depth_fail = pica_stencil_op_depth_fail(operations);
    stencil->pass = pica_stencil_op_pass(operations);
    const bool keeps = depth->read && stencil->stencil_fail == PICA_STENCIL_OP_KEEP &&
                       stencil->depth_fail == PICA_STENCIL_OP_KEEP && stencil->pass == PICA_STENCIL_OP_KEEP;
    stencil->write_mask = decoder->depth_write && !keeps ? pica_stencil_test_write_mask(word) : 0u;
    stencil->active = pica_stencil_test_enable(word) != 0u && depth->format == PICA_DEPTH_FORMAT_D24S8 &&
                      (stencil->function != PICA_COMPARE_FUNC_ALWAYS || stencil->write_mask != 0u);
}
