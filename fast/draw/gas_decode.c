/*
 * Gas (fragment mode 1). A fragment adds its density to the colour buffer (kernels). The rest of gas has no effect on
 * results: GSF-02 to GSF-06, GAS-02, GAS-03, REG-33: its registers, its table, the feedback register. The fog
 * mode "gas" is fog_decode.c's (GSF-01).
 */
#include "fast/draw/fragment_decode.h"
#include "pica/regs.h"

void fast_gas_access(const struct fast_decoder *decoder)
{
    decoder->state->color_surface.written = decoder->color_write;
}

void fast_gas_events(const struct fast_decoder *decoder)
{
    fast_raster_event_if(decoder->state, decoder->state->mode == PICA_FRAGMENT_MODE_GAS, PICA_EVENT_GAS_MODE);
}
