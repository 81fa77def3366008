/* Depth test: function, format and what of the buffer is read and written. */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

/* FBF-14, FBF-16, FBF-27, DPT-01 to DPT-03, ITP-17. */
void fast_decode_depth_test(const struct fast_decoder *decoder)
{
    struct fast_depth_state *depth = &decoder->state->depth;
    const uint32_t word = decoder->registers[PICA_REG_DEPTH_COLOR_MASK];
    depth->format = pica_depthbuffer_format_format(decoder->registers[PICA_REG_DEPTHBUFFER_FORMAT]);
    depth->factor = depth->format == PICA_DEPTH_FORMAT_D16 ? 65535.0f : 16777215.0f;
    depth->function = pica_depth_color_mask_depth_function(word);
    const bool reserved = depth->format == PICA_DEPTH_FORMAT_RESERVED_1;
    depth->read = decoder->depth_read && !reserved;
    depth->write = decoder->depth_write && !reserved && pica_depth_color_mask_depth_write(word) != 0u;
    depth->test = pica_depth_color_mask_depth_test(word) != 0u && depth->function != PICA_COMPARE_FUNC_ALWAYS;
}

/* EDT-01, EDT-02: the early depth test has no effect. FBF-14: the reserved format. */
void fast_depth_test_events(const struct fast_decoder *decoder, bool depth_used)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    fast_raster_event_if(state,
                         pica_earlydepth_test_enable(registers[PICA_REG_EARLYDEPTH_TEST1]) != 0u ||
                             pica_earlydepth_test_enable(registers[PICA_REG_EARLYDEPTH_TEST2]) != 0u,
                         PICA_EVENT_EARLY_DEPTH);
    fast_raster_event_if(state, depth_used && state->depth.format == PICA_DEPTH_FORMAT_RESERVED_1,
                         PICA_EVENT_DEPTH_FORMAT_1);
}
