/*
 * Fog mixes the fragment's colour with a constant one; how much comes from a 128-entry table over depth, with linear
 * interpolation. It comes after the alpha test and before stencil, depth test and blending, whatever the write masks
 * say (FOG-07), and only in fragment mode 0 (TEV-01). Alpha passes unchanged. A second mode, gas, was meant to shade
 * accumulated densities; nobody knows its formulas, so it leaves the colour alone (GSF-01) and raises an event.
 *
 * Worked number: depth 0.3 with flipped z lies at 89.6; entry 89 holds 1000 / 2047 and the difference -200 / 2047, so
 * 0.43 of the colour 255 stays on black fog: 109 (FOG-06).
 *
 * The tables are filled by the register file (FOG-02, GSF-03: state.c). The gas registers, the gas table and the
 * feedback of gas mode only store values here (GSF-02, GSF-04, GSF-05); what they may mean is GSF-06.
 */
#include "reference/texture.h"

#include "reference/trace.h"

#include <math.h>

/* FOG-03, FOG-04: how much of the fragment's colour stays, 0 to 1. */
static float visibility(const struct ref_gpu *gpu, float depth)
{
    const bool flip = pica_texenv_update_buffer_fog_z_flip(gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER]) != 0;
    const float x = (flip ? 1.0f - depth : depth) * 128.0f;
    const float i = ref_clamp_nan(floorf(x), 0.0f, 127.0f);
    const float f = x - i;
    const uint32_t entry = gpu->tables.fog[(uint32_t)i];
    const float value = (float)pica_fog_lut_data_value(entry) / 2047.0f;
    const float difference = (float)pica_fog_lut_data_difference(entry) / 2047.0f;
    return ref_clamp_nan(value + (difference * f), 0.0f, 1.0f);
}

/* FOG-05 */
static void mix(const struct ref_gpu *gpu, float depth, uint8_t color[4])
{
    const float k = visibility(gpu, depth);
    const uint32_t fog_color = gpu->regs[PICA_REG_FOG_COLOR];
    for (uint32_t c = 0; c < 3; c++) {
        const float fog = (float)pica_fog_color_channel_at(fog_color, c);
        color[c] = ref_u8((k * (float)color[c]) + ((1.0f - k) * fog));
    }
    ref_trace_color(gpu, PICA_TRACE_ID_FOG_COLOR, 0, color);
}

/* FOG-01, GSF-01 */
void ref_fog(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4])
{
    switch (pica_texenv_update_buffer_fog_mode(gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER])) {
    case PICA_FOG_MODE_FOG:
        ref_feature(gpu, PICA_FEATURE_FOG_APPLIED);
        mix(gpu, fragment->depth, color);
        return;
    case PICA_FOG_MODE_OFF:
    case PICA_FOG_MODE_RESERVED_1:
    case PICA_FOG_MODE_RESERVED_2:
    case PICA_FOG_MODE_RESERVED_3:
    case PICA_FOG_MODE_RESERVED_4:
    case PICA_FOG_MODE_RESERVED_6:
    case PICA_FOG_MODE_GAS: return;
    }
}
