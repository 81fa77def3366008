/* Scissor: the box on the screen and in memory. */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

/* SCS-01; SCS-02: the second corner is inclusive; SCS-03: ten bits count; SCS-04: screen coordinates. */
void fast_decode_scissor(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const uint32_t first = registers[PICA_REG_SCISSORTEST_POS];
    const uint32_t second = registers[PICA_REG_SCISSORTEST_DIM];
    struct fast_box box;
    box.left = (int32_t)pica_scissortest_pos_x1(first);
    box.bottom = (int32_t)pica_scissortest_pos_y1(first);
    box.right = (int32_t)pica_scissortest_dim_x2(second);
    box.top = (int32_t)pica_scissortest_dim_y2(second);
    state->scissor = box;
    state->scissor_memory = box;
    if (state->bottom_row_last) {
        state->scissor_memory.bottom = (int32_t)state->height - 1 - box.top;
        state->scissor_memory.top = (int32_t)state->height - 1 - box.bottom;
    }
    switch (pica_scissortest_mode_mode(registers[PICA_REG_SCISSORTEST_MODE])) {
    case PICA_SCISSOR_MODE_OFF:
    case PICA_SCISSOR_MODE_OFF_2: break;
    case PICA_SCISSOR_MODE_OUTSIDE: state->scissor_outside = box.left <= box.right && box.bottom <= box.top; break;
    case PICA_SCISSOR_MODE_INSIDE: state->scissor_inside = true; break;
    }
}
