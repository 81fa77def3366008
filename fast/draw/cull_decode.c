/* Culling: which signs of the area are kept. */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

/* CUL-02. CUL-05: the y direction of the framebuffer plays no part. */
void fast_decode_cull(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    switch (pica_faceculling_config_mode(decoder->registers[PICA_REG_FACECULLING_CONFIG])) {
    case PICA_CULL_MODE_NONE:
    case PICA_CULL_MODE_NONE_3:
        state->keeps_negative = true;
        state->keeps_positive = true;
        break;
    case PICA_CULL_MODE_FRONT: state->keeps_negative = true; break;
    case PICA_CULL_MODE_BACK: state->keeps_positive = true; break;
    }
}
