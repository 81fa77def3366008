/* Shadow maps drawn into the colour buffer (fragment mode 3): constants, access, events. */
#include "fast/draw/fragment_decode.h"
#include "fast/number.h"
#include "pica/regs.h"

/* SHW-02: float16 of 0x130. SHW-03, GAS-01: what READ off means there is done in the kernel. */
void fast_decode_shadow(const struct fast_decoder *decoder)
{
    const uint32_t word = decoder->registers[PICA_REG_FRAGOP_SHADOW];
    decoder->state->shadow_read = decoder->color_read;
    decoder->state->shadow_constant = fast_float16(pica_fragop_shadow_constant(word));
    decoder->state->shadow_linear = fast_float16(pica_fragop_shadow_linear(word));
}

/* SHW-03: drawn only with both READ and WRITE on. */
void fast_shadow_access(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    state->color_surface.written = decoder->color_write && decoder->color_read;
    state->needs_depth = true;
    state->shades = true;
}

void fast_shadow_events(const struct fast_decoder *decoder, bool color_used)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t layout = decoder->registers[PICA_REG_COLORBUFFER_FORMAT];
    if (state->mode != PICA_FRAGMENT_MODE_SHADOW)
        return;
    fast_raster_event_if(state, color_used && pica_colorbuffer_format_format(layout) != PICA_COLOR_FORMAT_RGBA8,
                         PICA_EVENT_SHADOW_FORMAT);
    fast_raster_event_if(state, !(decoder->color_read && decoder->color_write), PICA_EVENT_SHADOW_ACCESS);
}
