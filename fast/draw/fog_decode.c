/* Fog (50 section 3): registers and table -> struct fast_fog, and the events of the fog modes, gas among them. */
#include "fast/draw/shading_decode.h"
#include "fast/gpu.h"
#include "fast/number.h"

#include <string.h>

/* FOG-03. */
static const struct fast_lut128 *decoded_table(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.fog;
    if (fast_table_is_stale(gpu, FAST_TABLE_FOG))
        for (uint32_t k = 0; k < 128; k++) {
            lut->words[2 * k] = fast_bits((float)pica_fog_lut_data_value(gpu->tables.fog[k]) / 2047.0f);
            lut->words[2 * k + 1] = fast_bits((float)pica_fog_lut_data_difference(gpu->tables.fog[k]) / 2047.0f);
        }
    return lut;
}

/* TEV-01, FOG-01, GSF-01: fog acts in fragment mode 0 and fog mode 5 only; gas (7) leaves the colour as it is. */
void fast_decode_fog(struct fast_gpu *gpu, struct fast_fog *fog)
{
    const uint32_t word = gpu->registers[PICA_REG_TEXENV_UPDATE_BUFFER];
    const uint32_t operation = gpu->registers[PICA_REG_COLOR_OPERATION];
    memset(fog, 0, sizeof *fog);
    fog->enabled = pica_color_operation_fragment_mode(operation) == PICA_FRAGMENT_MODE_DEFAULT &&
                   pica_texenv_update_buffer_fog_mode(word) == PICA_FOG_MODE_FOG;
    if (!fog->enabled)
        return;
    fog->flipped = pica_texenv_update_buffer_fog_z_flip(word);
    for (uint32_t c = 0; c < 3; c++)
        fog->color[c] = (float)pica_fog_color_channel_at(gpu->registers[PICA_REG_FOG_COLOR], c);
    fog->lut = decoded_table(gpu);
}

/* FOG-01, GSF-01: in fragment mode 0 only. */
void fast_fog_events(const struct fast_event_sink *to)
{
    const uint32_t operation = to->gpu->registers[PICA_REG_COLOR_OPERATION];
    if (pica_color_operation_fragment_mode(operation) != PICA_FRAGMENT_MODE_DEFAULT)
        return;
    switch (pica_texenv_update_buffer_fog_mode(to->gpu->registers[PICA_REG_TEXENV_UPDATE_BUFFER])) {
    case PICA_FOG_MODE_OFF: return;
    case PICA_FOG_MODE_RESERVED_1: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_RESERVED_2: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_RESERVED_3: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_RESERVED_4: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_FOG: return;
    case PICA_FOG_MODE_RESERVED_6: pica_events_add(to->events, PICA_EVENT_FOG_MODE_RESERVED); return;
    case PICA_FOG_MODE_GAS: pica_events_add(to->events, PICA_EVENT_GAS_SHADING); return;
    }
}
