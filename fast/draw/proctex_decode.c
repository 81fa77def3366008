/* The procedural unit (spec 40): registers and tables -> struct fast_proctex, and its events. */
#include "fast/draw/shading_decode.h"
#include "fast/gpu.h"
#include "fast/number.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- tables */

/* PTX-04, PTX-06: the divisions of LUT(t, c). */
static const struct fast_lut128 *decode_map(struct fast_lut128 *lut, const uint32_t *words)
{
    for (uint32_t k = 0; k < 128; k++) {
        lut->words[2 * k] = fast_bits((float)pica_proctex_map_entry_value(words[k]) / 4095.0f);
        lut->words[2 * k + 1] = fast_bits((float)pica_proctex_map_entry_difference(words[k]) / 4095.0f);
    }
    return lut;
}

static const struct fast_lut128 *table_noise(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.noise;
    return fast_table_is_stale(gpu, FAST_TABLE_NOISE) ? decode_map(lut, gpu->tables.proctex_noise) : lut;
}

static const struct fast_lut128 *table_color_map(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.color_map;
    return fast_table_is_stale(gpu, FAST_TABLE_COLOR_MAP) ? decode_map(lut, gpu->tables.proctex_color_map) : lut;
}

static const struct fast_lut128 *table_alpha_map(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.alpha_map;
    return fast_table_is_stale(gpu, FAST_TABLE_ALPHA_MAP) ? decode_map(lut, gpu->tables.proctex_alpha_map) : lut;
}

/* PTX-04. */
static const float *table_color(struct fast_gpu *gpu)
{
    float(*color)[4] = gpu->shading->tables.color;
    if (fast_table_is_stale(gpu, FAST_TABLE_COLOR))
        for (uint32_t k = 0; k < 256; k++)
            for (uint32_t c = 0; c < 4; c++)
                color[k][c] = (float)pica_rgba8_channel_at(gpu->tables.proctex_color[k], c);
    return &color[0][0];
}

/* PTX-04, PTX-21: the used difference is twice the signed byte. */
static const float *table_difference(struct fast_gpu *gpu)
{
    float(*difference)[4] = gpu->shading->tables.difference;
    if (fast_table_is_stale(gpu, FAST_TABLE_DIFFERENCE))
        for (uint32_t k = 0; k < 256; k++) {
            const uint32_t word = gpu->tables.proctex_difference[k];
            difference[k][0] = (float)(2 * pica_proctex_difference_entry_red(word));
            difference[k][1] = (float)(2 * pica_proctex_difference_entry_green(word));
            difference[k][2] = (float)(2 * pica_proctex_difference_entry_blue(word));
            difference[k][3] = (float)(2 * pica_proctex_difference_entry_alpha(word));
        }
    return &difference[0][0];
}

/* -------------------------------------------------------------------------------------------------------- registers */

/* TEX-13: 3 acts as 0. */
static uint32_t proctex_coordinate(uint32_t config)
{
    switch (pica_texunit_config_unit3_coord(config)) {
    case PICA_TEXUNIT3_COORD_TEXCOORD0: return 0;
    case PICA_TEXUNIT3_COORD_TEXCOORD1: return 1;
    case PICA_TEXUNIT3_COORD_TEXCOORD2: return 2;
    case PICA_TEXUNIT3_COORD_RESERVED_3:
    default: return 0;
    }
}

/* PTX-22: bit 0 and bits 1-2 of the filter field; mip mode 3 acts as 2. */
static void decode_proctex_filter(uint32_t filter, struct fast_proctex *out)
{
    out->linear = (filter & 1) != 0;
    out->mip = filter >> 1;
    if (out->mip == 3)
        out->mip = 2;
}

/* PTX-19, PTX-20. */
static void decode_proctex_levels(uint32_t offsets, uint32_t width, struct fast_proctex *out)
{
    static const uint32_t high_offsets[4] = { 0xF0, 0xF8, 0xFC, 0xFE };
    for (uint32_t level = 0; level < 8; level++) {
        const uint32_t size = width >> level;
        const uint32_t offset = level < 4 ? pica_texunit3_proctex5_offset_at(offsets, level) : high_offsets[level - 4];
        out->offset[level] = (float)offset;
        out->width[level] = size > 0 ? (float)(size - 1) : 0.0f;
    }
}

/* PTX-23, PTX-24. */
static void decode_proctex_lod(uint32_t word0, uint32_t word4, struct fast_proctex *out)
{
    const uint32_t bias = pica_texunit3_proctex0_bias_low(word0) | (uint32_t)pica_texunit3_proctex4_bias_high(word4)
                                                                       << 8;
    const uint32_t highest = pica_texunit3_proctex4_max_lod(word4);
    out->bias_is_zero = (bias & 0x7FFF) == 0;
    out->width_bias = (float)pica_texunit3_proctex4_width(word4) * fast_float16(bias);
    out->lod_min = 256 * (int32_t)pica_texunit3_proctex4_min_lod(word4);
    out->lod_max = 256 * (int32_t)(highest < 7 ? highest : 7);
}

/* TEX-04: F16 and F20 are fast_float16 and fast_float20. */
void fast_decode_proctex(struct fast_gpu *gpu, struct fast_shading_state *state)
{
    const uint32_t *r = gpu->registers;
    struct fast_proctex *out = &state->proctex;
    memset(out, 0, sizeof *out);
    out->enabled = (state->unit_used >> 3 & 1) != 0 && pica_texunit_config_unit3_enable(r[PICA_REG_TEXUNIT_CONFIG]);
    if (!out->enabled)
        return; /* PTX-25 */

    const uint32_t word0 = r[PICA_REG_TEXUNIT3_PROCTEX0];
    const uint32_t word4 = r[PICA_REG_TEXUNIT3_PROCTEX4];
    out->coordinate = proctex_coordinate(r[PICA_REG_TEXUNIT_CONFIG]);
    out->clamp_u = pica_texunit3_proctex0_u_clamp(word0);
    out->clamp_v = pica_texunit3_proctex0_v_clamp(word0);
    out->shift_u = pica_texunit3_proctex0_u_shift(word0);
    out->shift_v = pica_texunit3_proctex0_v_shift(word0);
    out->function_rgb = pica_texunit3_proctex0_rgb_func(word0);
    out->function_alpha = pica_texunit3_proctex0_alpha_func(word0);
    out->separate_alpha = pica_texunit3_proctex0_separate_alpha(word0);
    out->noise = pica_texunit3_proctex0_noise_enable(word0);
    out->amplitude_u = (float)pica_proctex_noise_amplitude(r[PICA_REG_TEXUNIT3_PROCTEX1]);
    out->amplitude_v = (float)pica_proctex_noise_amplitude(r[PICA_REG_TEXUNIT3_PROCTEX2]);
    out->phase_u = fast_float16(pica_proctex_noise_phase(r[PICA_REG_TEXUNIT3_PROCTEX1]));
    out->phase_v = fast_float16(pica_proctex_noise_phase(r[PICA_REG_TEXUNIT3_PROCTEX2]));
    out->frequency_u = fast_float16(pica_texunit3_proctex3_u_frequency(r[PICA_REG_TEXUNIT3_PROCTEX3]));
    out->frequency_v = fast_float16(pica_texunit3_proctex3_v_frequency(r[PICA_REG_TEXUNIT3_PROCTEX3]));
    decode_proctex_filter(pica_texunit3_proctex4_filter(word4), out);
    decode_proctex_levels(r[PICA_REG_TEXUNIT3_PROCTEX5], pica_texunit3_proctex4_width(word4), out);
    decode_proctex_lod(word0, word4, out);
    out->noise_lut = table_noise(gpu);
    out->rgb_lut = table_color_map(gpu);
    out->alpha_lut = table_alpha_map(gpu);
    out->color = table_color(gpu);
    out->difference = table_difference(gpu);
}

/* ----------------------------------------------------------------------------------------------------------- events */

void fast_proctex_events(const struct fast_event_sink *to)
{
    const uint32_t *r = to->gpu->registers;
    const uint32_t config = r[PICA_REG_TEXUNIT_CONFIG];
    if (!pica_texunit_config_unit3_enable(config))
        return;
    const uint32_t word0 = r[PICA_REG_TEXUNIT3_PROCTEX0];
    const uint32_t word4 = r[PICA_REG_TEXUNIT3_PROCTEX4];
    const enum pica_proctex_filter filter = pica_texunit3_proctex4_filter(word4);
    fast_shading_event_if(to, pica_texunit_config_unit3_coord(config) == PICA_TEXUNIT3_COORD_RESERVED_3,
                          PICA_EVENT_PROCTEX_COORD_3);
    fast_shading_event_if(to,
                          pica_texunit3_proctex0_u_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3 ||
                              pica_texunit3_proctex0_v_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3,
                          PICA_EVENT_PROCTEX_SHIFT_3);
    fast_shading_event_if(to,
                          pica_texunit3_proctex0_u_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5 ||
                              pica_texunit3_proctex0_v_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5,
                          PICA_EVENT_PROCTEX_CLAMP_RESERVED);
    fast_shading_event_if(to,
                          pica_texunit3_proctex0_rgb_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10 ||
                              (pica_texunit3_proctex0_separate_alpha(word0) &&
                               pica_texunit3_proctex0_alpha_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10),
                          PICA_EVENT_PROCTEX_FUNC_RESERVED);
    fast_shading_event_if(to, filter >= PICA_PROCTEX_FILTER_RESERVED_6, PICA_EVENT_PROCTEX_FILTER_RESERVED);
    fast_shading_event_if(to, pica_texunit3_proctex4_width(word4) == 0, PICA_EVENT_PROCTEX_WIDTH_0);
    fast_shading_event_if(to,
                          filter >= PICA_PROCTEX_FILTER_NEAREST_MIP_NEAREST &&
                              pica_texunit3_proctex4_max_lod(word4) >= 4 && r[PICA_REG_UNUSED_0AE] != 0 &&
                              r[PICA_REG_UNUSED_0AE] != 0xFEFCF8F0u,
                          PICA_EVENT_PROCTEX_OFFSET_HIGH);
}
