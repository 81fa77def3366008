/* Viewport: registers -> scale and offset of screen coordinates. */
#include "fast/draw/fragment_decode.h"
#include "fast/number.h"
#include "pica/regs.h"

/* VPT-02, VPT-04. VPT-05: VIEWPORT_INVW, VIEWPORT_INVH and RENDERBUF_DIM have no effect. */
void fast_decode_viewport(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    state->half_width = fast_float24(pica_viewport_size_half_size(registers[PICA_REG_VIEWPORT_WIDTH]));
    state->half_height = fast_float24(pica_viewport_size_half_size(registers[PICA_REG_VIEWPORT_HEIGHT]));
    state->offset_x = (float)pica_viewport_xy_x(registers[PICA_REG_VIEWPORT_XY]);
    state->offset_y = (float)pica_viewport_xy_y(registers[PICA_REG_VIEWPORT_XY]);
    state->viewport_nonfinite = !fast_is_finite(state->half_width) || !fast_is_finite(state->half_height);
}
