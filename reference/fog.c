/*
 * Fog mixes the fragment's colour with a constant one, more of it the farther away the fragment is.
 *
 * How much of the colour stays comes from a table of 128 entries over depth, each with a value and the difference to
 * the next one, for linear interpolation; so programs can have any curve. Fog comes after the alpha test and before
 * stencil, depth test and blending, whatever the write masks say (FOG-07), and only in fragment mode 0 (TEV-01). Alpha
 * passes unchanged. A second mode, gas, was meant to shade accumulated densities; its formulas are unknown, so it
 * leaves the colour alone (GSF-01) and raises an event. The table is filled through a port (FOG-02, GSF-03: port.c).
 *
 * Worked number: depth 0.3 with flipped z lies at 89.6; entry 89 holds 1000 / 2047 and the difference -200 / 2047, so
 * 0.43 of the colour 255 stays on black fog: 109 (FOG-06).
 */
#include "reference/fragment.h"

#include "reference/number.h"
#include "reference/trace.h"

#include <math.h>
#include <string.h>

/* FOG-03, FOG-04: how much of the fragment's colour stays, 0 to 1. */
static float visibility(const struct ref_gpu *gpu, bool flip, float depth)
{
    const float divisor = ref_takes(gpu, PICA_SIDE_FOG_DIVISOR_BY_2048) ? 2048.0f : 2047.0f;
    const float x = (flip ? 1.0f - depth : depth) * 128.0f;
    const float i = ref_clamp_nan(floorf(x), 0.0f, 127.0f);
    const float f = x - i;
    const uint32_t entry = gpu->tables.fog[(uint32_t)i];
    const float value = (float)pica_fog_lut_data_value(entry) / divisor;
    const float difference = (float)pica_fog_lut_data_difference(entry) / divisor;
    return ref_clamp_nan(value + (difference * f), 0.0f, 1.0f);
}

/* FOG-05: R, G, B; k is the visibility. */
static void mix(const struct ref_gpu *gpu, float k, uint8_t color[4])
{
    const bool rounds = ref_takes(gpu, PICA_SIDE_FOG_ROUNDING_ROUNDS);
    for (uint32_t c = 0; c < 3; c++) {
        const float fog = (float)pica_fog_color_channel_at(gpu->regs[PICA_REG_FOG_COLOR], c);
        const float mixed = (k * (float)color[c]) + ((1.0f - k) * fog);
        color[c] = rounds ? ref_rounded_u8(mixed) : ref_u8(mixed);
    }
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record(const struct ref_gpu *gpu, float k, const uint8_t color[4])
{
    ref_feature(gpu, PICA_FEATURE_FOG_APPLIED);
    ref_trace_rule_floats(gpu, "FOG-03", 0, &k, 1);
    ref_trace_color(gpu, PICA_TRACE_ID_FOG_COLOR, 0, color);
}

/* FOG-01, GSF-01: all modes except fog leave the colour alone. */
void ref_fog(const struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4])
{
    const uint32_t word = gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER];
    const enum pica_fog_mode mode = pica_texenv_update_buffer_fog_mode(word);
    if (gpu->is_watched)
        ref_trace_rule(gpu, "FOG-01", 0, (const uint32_t[]){ (uint32_t)mode }, 1);
    if (mode == PICA_FOG_MODE_GAS && ref_takes(gpu, PICA_SIDE_GAS_SHADING_TRANSPARENT))
        memset(color, 0, 4);
    if (mode != PICA_FOG_MODE_FOG)
        return;
    const bool flip = pica_texenv_update_buffer_fog_z_flip(word) != 0;
    const float k = visibility(gpu, flip, fragment->depth);
    mix(gpu, k, color);
    if (gpu->is_watched)
        record(gpu, k, color);
}

/* FOG-01, GSF-01: only fragment mode 0 has fog. */
void ref_fog_events(struct ref_gpu *gpu)
{
    const uint32_t operation = gpu->regs[PICA_REG_COLOR_OPERATION];
    if (pica_color_operation_fragment_mode(operation) != PICA_FRAGMENT_MODE_DEFAULT)
        return;
    const enum pica_fog_mode mode = pica_texenv_update_buffer_fog_mode(gpu->regs[PICA_REG_TEXENV_UPDATE_BUFFER]);
    const bool known = mode == PICA_FOG_MODE_OFF || mode == PICA_FOG_MODE_FOG || mode == PICA_FOG_MODE_GAS;
    ref_event_if(gpu, !known, PICA_EVENT_FOG_MODE_RESERVED);
    ref_event_if(gpu, mode == PICA_FOG_MODE_GAS, PICA_EVENT_GAS_SHADING);
}
