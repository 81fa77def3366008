/* Interpolation: how the depth of a fragment comes from z and w. */
#include "fast/draw/fragment_decode.h"
#include "fast/number.h"
#include "pica/regs.h"

/* ITP-14, ITP-15. */
void fast_decode_depth_map(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    state->depth_scale = fast_float24(pica_depthmap_scale_scale(registers[PICA_REG_DEPTHMAP_SCALE]));
    state->depth_offset = fast_float24(pica_depthmap_offset_offset(registers[PICA_REG_DEPTHMAP_OFFSET]));
    state->z_buffer = pica_depthmap_enable_z_buffer(registers[PICA_REG_DEPTHMAP_ENABLE]) != 0u;
}
