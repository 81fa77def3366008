/* Logic operation: which one, and whether its result depends on the framebuffer. */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

bool fast_logic_op_reads_destination(enum pica_logic_op operation)
{
    return operation != PICA_LOGIC_OP_CLEAR && operation != PICA_LOGIC_OP_COPY && operation != PICA_LOGIC_OP_SET &&
           operation != PICA_LOGIC_OP_COPY_INVERTED;
}

/* LOP-01. It acts where blending is off, or copies the source (fast_decode_blend). */
void fast_decode_logic_op(const struct fast_decoder *decoder)
{
    decoder->state->blend.logic_op = pica_logic_op_operation(decoder->registers[PICA_REG_LOGIC_OP]);
}
