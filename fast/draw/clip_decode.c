/* Clipping: the registers of the user plane. */
#include "fast/draw/fragment_decode.h"
#include "fast/number.h"
#include "pica/regs.h"

/* CLP-08, ITP-04: the coefficients are float24 in both numeric profiles. */
void fast_decode_clip(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    state->user_plane = pica_fragop_clip_enable(registers[PICA_REG_FRAGOP_CLIP]) != 0u;
    for (uint32_t i = 0; i < 4u; i++) {
        const uint32_t word = registers[PICA_REG_FRAGOP_CLIP_DATA0 + i];
        state->plane[i] = fast_float24(pica_fragop_clip_data_coefficient(word));
        if (!fast_is_finite(state->plane[i]))
            state->plane_nonfinite = true;
    }
}
