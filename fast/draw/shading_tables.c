/*
 * Look-up tables: raw words to pairs of value and slope, each decoded when a batch first needs it after a change.
 *
 * The raw words and their uploads are port.c's (LIT-05, PTX-01, PTX-02, PTX-03, FOG-02, GSF-03; PTX-05: 0 at
 * reset). The gas table is never decoded: nothing looks at its colours and differences (GSF-04).
 */
#include "fast/draw/shading_parts.h"

#include "fast/gpu.h"
#include "fast/number.h"

/* Tells whether the table has to be decoded, and notes that it will be. */
static bool is_stale(struct fast_gpu *gpu, uint32_t table)
{
    const uint32_t bit = 1u << table;
    const bool stale = (gpu->shading->stale_tables & bit) != 0;
    gpu->shading->stale_tables &= ~bit;
    return stale;
}

/* LIT-17: sign and magnitude; LIT-05: bits 0-23 of the word are used. */
const struct fast_lut256 *fast_table_lighting(struct fast_gpu *gpu, uint32_t table)
{
    struct fast_lut256 *lut = &gpu->shading->tables.lighting[table];
    if (is_stale(gpu, FAST_TABLE_LIGHTING_0 + table))
        for (uint32_t k = 0; k < 256; k++) {
            const uint32_t word = gpu->tables.lighting[table][k];
            const float slope = (float)pica_lighting_lut_data_magnitude(word) / 2047.0f;
            lut->words[2 * k] = fast_bits((float)pica_lighting_lut_data_value(word) / 4095.0f);
            lut->words[2 * k + 1] = fast_bits(pica_lighting_lut_data_negative(word) ? -slope : slope);
        }
    return lut;
}

/* FOG-03. */
const struct fast_lut128 *fast_table_fog(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.fog;
    if (is_stale(gpu, FAST_TABLE_FOG))
        for (uint32_t k = 0; k < 128; k++) {
            lut->words[2 * k] = fast_bits((float)pica_fog_lut_data_value(gpu->tables.fog[k]) / 2047.0f);
            lut->words[2 * k + 1] = fast_bits((float)pica_fog_lut_data_difference(gpu->tables.fog[k]) / 2047.0f);
        }
    return lut;
}

/* PTX-04, PTX-06: the divisions of LUT(t, c). */
static const struct fast_lut128 *decode_map(struct fast_lut128 *lut, const uint32_t *words)
{
    for (uint32_t k = 0; k < 128; k++) {
        lut->words[2 * k] = fast_bits((float)pica_proctex_map_entry_value(words[k]) / 4095.0f);
        lut->words[2 * k + 1] = fast_bits((float)pica_proctex_map_entry_difference(words[k]) / 4095.0f);
    }
    return lut;
}

const struct fast_lut128 *fast_table_noise(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.noise;
    return is_stale(gpu, FAST_TABLE_NOISE) ? decode_map(lut, gpu->tables.proctex_noise) : lut;
}

const struct fast_lut128 *fast_table_color_map(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.color_map;
    return is_stale(gpu, FAST_TABLE_COLOR_MAP) ? decode_map(lut, gpu->tables.proctex_color_map) : lut;
}

const struct fast_lut128 *fast_table_alpha_map(struct fast_gpu *gpu)
{
    struct fast_lut128 *lut = &gpu->shading->tables.alpha_map;
    return is_stale(gpu, FAST_TABLE_ALPHA_MAP) ? decode_map(lut, gpu->tables.proctex_alpha_map) : lut;
}

/* PTX-04. */
const float *fast_table_color(struct fast_gpu *gpu)
{
    float(*color)[4] = gpu->shading->tables.color;
    if (is_stale(gpu, FAST_TABLE_COLOR))
        for (uint32_t k = 0; k < 256; k++)
            for (uint32_t c = 0; c < 4; c++)
                color[k][c] = (float)pica_rgba8_channel_at(gpu->tables.proctex_color[k], c);
    return &color[0][0];
}

/* PTX-04, PTX-21: the used difference is twice the signed byte. */
const float *fast_table_difference(struct fast_gpu *gpu)
{
    float(*difference)[4] = gpu->shading->tables.difference;
    if (is_stale(gpu, FAST_TABLE_DIFFERENCE))
        for (uint32_t k = 0; k < 256; k++) {
            const uint32_t word = gpu->tables.proctex_difference[k];
            difference[k][0] = (float)(2 * pica_proctex_difference_entry_red(word));
            difference[k][1] = (float)(2 * pica_proctex_difference_entry_green(word));
            difference[k][2] = (float)(2 * pica_proctex_difference_entry_blue(word));
            difference[k][3] = (float)(2 * pica_proctex_difference_entry_alpha(word));
        }
    return &difference[0][0];
}
