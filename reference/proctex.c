/*
 * Unit 3 computes its colours instead of fetching them. Coordinates (u, v) are made positive, shifted and disturbed by
 * noise, clamped to [0, 1], and reduced to one number by one of ten functions (u, u*u, the distance from the origin,
 * ...). A 128-entry curve bends that number, and a colour ramp in a 256-entry table turns it into RGBA; parts of the
 * table serve as mipmap levels. Alpha may come from a function and a curve of its own. With these few registers games
 * draw wood, marble and rings.
 *
 * Worked number: a ramp with red = 2k at entry k, width 128, linear: c = 0.3 lies at 38.1, between 76 and 78: 76 + 0.1
 * * 2 is cut to 76 (PTX-26). Noise, curves and levels: PTX-18 and TEX-91.
 *
 * Programs fill the tables through ports (PTX-01, PTX-02, PTX-03: port.c); they are zero at reset (PTX-05).
 */
#include "reference/proctex.h"

#include "reference/gpu.h"
#include "reference/number.h"
#include "reference/texture.h"
#include "reference/trace.h"

#include <math.h>
#include <string.h>

/* TEX-13: the texture coordinate set of unit 3. */
static uint32_t coordinate_set(const struct ref_gpu *gpu)
{
    switch (pica_texunit_config_unit3_coord(gpu->regs[PICA_REG_TEXUNIT_CONFIG])) {
    case PICA_TEXUNIT3_COORD_TEXCOORD0: return 0;
    case PICA_TEXUNIT3_COORD_TEXCOORD1: return 1;
    case PICA_TEXUNIT3_COORD_TEXCOORD2: return 2;
    case PICA_TEXUNIT3_COORD_RESERVED_3:
    default: return 0; /* the field has two bits */
    }
}

/* PTX-23 */
static float lod_bias(const struct ref_gpu *gpu)
{
    const uint32_t low = pica_texunit3_proctex0_bias_low(gpu->regs[PICA_REG_TEXUNIT3_PROCTEX0]);
    const uint32_t high = pica_texunit3_proctex4_bias_high(gpu->regs[PICA_REG_TEXUNIT3_PROCTEX4]);
    return ref_float16(&gpu->choices, low | (high << 8));
}

void ref_proctex_decode(const struct ref_gpu *gpu, struct ref_proctex *proctex)
{
    const uint32_t noise_u = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX1];
    const uint32_t noise_v = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX2];
    const uint32_t frequencies = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX3];
    proctex->enabled = pica_texunit_config_unit3_enable(gpu->regs[PICA_REG_TEXUNIT_CONFIG]) != 0;
    proctex->tables = &gpu->tables;
    proctex->set = coordinate_set(gpu);
    proctex->word0 = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX0];
    proctex->word4 = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX4];
    proctex->word5 = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX5];
    proctex->amplitude_u = (float)pica_proctex_noise_amplitude(noise_u);
    proctex->amplitude_v = (float)pica_proctex_noise_amplitude(noise_v);
    proctex->phase_u = ref_float16(&gpu->choices, pica_proctex_noise_phase(noise_u));
    proctex->phase_v = ref_float16(&gpu->choices, pica_proctex_noise_phase(noise_v));
    proctex->frequency_u = ref_float16(&gpu->choices, pica_texunit3_proctex3_u_frequency(frequencies));
    proctex->frequency_v = ref_float16(&gpu->choices, pica_texunit3_proctex3_v_frequency(frequencies));
    proctex->bias = lod_bias(gpu);
    proctex->high_offsets =
        ref_takes(gpu, PICA_SIDE_PROCTEX_OFFSETS_REGISTER) ? gpu->regs[PICA_REG_UNUSED_0AE] : 0xFEFCF8F0u; /* PTX-19 */
    proctex->has_levels = !ref_takes(gpu, PICA_SIDE_TEXTURE_FILTER_NEAREST);
    proctex->map_divisor = ref_takes(gpu, PICA_SIDE_PROCTEX_DIVISOR_BY_4096) ? 4096.0f : 4095.0f;
    proctex->noise_divisor = ref_takes(gpu, PICA_SIDE_NOISE_DIVISOR_BY_4096) ? 4096.0f : 4095.0f;
    proctex->keeps_low_byte = ref_takes(gpu, PICA_SIDE_PROCTEX_COLOR_LOW_BYTE);
}

/* PTX-04, PTX-06: LUT(table, c) for c in [0, 1]. */
static float look_up(const struct ref_proctex *proctex, const uint32_t table[128], float c)
{
    const float position = c * 128.0f;
    const uint32_t truncated = (uint32_t)position;
    const uint32_t i = truncated < 127u ? truncated : 127u;
    const float f = position - (float)i;
    const float value = (float)pica_proctex_map_entry_value(table[i]) / proctex->map_divisor;
    const float difference = (float)pica_proctex_map_entry_difference(table[i]) / proctex->map_divisor;
    return ref_saturate(value + (f * difference), 0.0f, 1.0f);
}

/* ---------------------------------------------------------------------------------------------------- noise (10.3) */

/* PTX-15 */
static uint32_t noise_1d(uint32_t x)
{
    static const uint8_t t1[16] = { 0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11 };
    return ((((x % 9u) + 2u) * 3u) & 15u) ^ t1[(x / 9u) & 15u];
}

/* PTX-16: N(x, y). */
static float noise_2d(uint32_t x, uint32_t y)
{
    static const uint8_t t2[16] = { 10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14 };
    const uint32_t p = noise_1d(x);
    uint32_t q = noise_1d(y);
    if ((p & 3u) == 1u)
        q += 4u;
    q ^= (p & 1u) * 6u;
    q = (q + 10u + p) & 15u;
    q ^= t2[p];
    return -1.0f + (((float)q * 2.0f) / 15.0f);
}

/* PTX-17: a place on the lattice. */
static float noise_place(float frequency, float coordinate, float phase)
{
    return ref_saturate((9.0f * frequency) * ref_abs(coordinate + phase), 0.0f, 1073741824.0f /* 2^30 */);
}

/* PTX-17 */
static float noise(const struct ref_proctex *proctex, float u, float v)
{
    const float x = noise_place(proctex->frequency_u, u, proctex->phase_u);
    const float y = noise_place(proctex->frequency_v, v, proctex->phase_v);
    const uint32_t xi = (uint32_t)x;
    const uint32_t yi = (uint32_t)y;
    const float xf = x - (float)xi;
    const float yf = y - (float)yi;
    const float s = xf + yf;
    const float g0 = noise_2d(xi, yi) * s;
    const float g1 = noise_2d(xi + 1u, yi) * (s - 1.0f);
    const float g2 = noise_2d(xi, yi + 1u) * (s - 1.0f);
    const float g3 = noise_2d(xi + 1u, yi + 1u) * (s - 2.0f);
    const float tx = look_up(proctex, proctex->tables->proctex_noise, xf);
    const float ty = look_up(proctex, proctex->tables->proctex_noise, yf);
    const float h0 = (g0 * (1.0f - tx)) + (g1 * tx);
    const float h1 = (g2 * (1.0f - tx)) + (g3 * tx);
    return (h0 * (1.0f - ty)) + (h1 * ty);
}

/* ---------------------------------------------------------------------------------------------- coordinates (10.2) */

static const float COORDINATE_LIMIT = 8388608.0f; /* PTX-07: 2^23 */

static bool is_in_range(float coordinate)
{
    return ref_abs(coordinate) <= COORDINATE_LIMIT;
}

/* PTX-07: the non-negative coordinate. */
static float fold(float coordinate)
{
    return ref_saturate(ref_abs(coordinate), 0.0f, COORDINATE_LIMIT);
}

/* PTX-08: offset of one coordinate, from the other one. */
static float shift_offset(float other, enum pica_proctex_shift shift, enum pica_proctex_clamp clamp)
{
    const float step = clamp == PICA_PROCTEX_CLAMP_MIRRORED_REPEAT ? 1.0f : 0.5f;
    const uint32_t n = (uint32_t)other;
    switch (shift) {
    case PICA_PROCTEX_SHIFT_NONE: return 0.0f;
    case PICA_PROCTEX_SHIFT_ODD: return step * (float)((n / 2u) % 2u);
    case PICA_PROCTEX_SHIFT_EVEN: return step * (float)(((n + 1u) / 2u) % 2u);
    case PICA_PROCTEX_SHIFT_RESERVED_3:
    default: return 0.0f; /* the field has two bits */
    }
}

/* PTX-11: c >= 0, result in [0, 1]. */
static float clamp_coordinate(float c, enum pica_proctex_clamp mode)
{
    const uint32_t i = (uint32_t)c;
    const float f = c - (float)i;
    switch (mode) {
    case PICA_PROCTEX_CLAMP_ZERO: return c > 1.0f ? 0.0f : c;
    case PICA_PROCTEX_CLAMP_SYMMETRICAL_REPEAT: return f; /* FLOOR and TRUNC agree for c >= 0 */
    case PICA_PROCTEX_CLAMP_MIRRORED_REPEAT: return i % 2u == 0 ? f : 1.0f - f;
    case PICA_PROCTEX_CLAMP_PULSE: return c <= 0.5f ? 0.0f : 1.0f;
    case PICA_PROCTEX_CLAMP_EDGE:
    case PICA_PROCTEX_CLAMP_RESERVED_5:
    case PICA_PROCTEX_CLAMP_RESERVED_6:
    case PICA_PROCTEX_CLAMP_RESERVED_7:
    default: return c > 1.0f ? 1.0f : c; /* the field has three bits */
    }
}

/* PTX-09: a coordinate with noise. */
static float disturbed(const struct ref_proctex *proctex, float coordinate, float n, float amplitude)
{
    return coordinate + ((n * amplitude) / proctex->noise_divisor);
}

/* PTX-07, PTX-08, PTX-09, PTX-10, PTX-11: from the incoming (u, v) to clamped ones. True: none was out of range. */
static bool prepare(const struct ref_proctex *proctex, float *u_inout, float *v_inout)
{
    const enum pica_proctex_clamp u_clamp = pica_texunit3_proctex0_u_clamp(proctex->word0);
    const enum pica_proctex_clamp v_clamp = pica_texunit3_proctex0_v_clamp(proctex->word0);
    bool in_range = is_in_range(*u_inout) && is_in_range(*v_inout);
    float u = fold(*u_inout);
    float v = fold(*v_inout);
    const float u_shift = shift_offset(v, pica_texunit3_proctex0_u_shift(proctex->word0), u_clamp);
    const float v_shift = shift_offset(u, pica_texunit3_proctex0_v_shift(proctex->word0), v_clamp);
    if (pica_texunit3_proctex0_noise_enable(proctex->word0) != 0) { /* PTX-09 */
        const float n = noise(proctex, u, v);
        const float noisy_u = disturbed(proctex, u, n, proctex->amplitude_u);
        const float noisy_v = disturbed(proctex, v, n, proctex->amplitude_v);
        in_range = in_range && is_in_range(noisy_u) && is_in_range(noisy_v);
        u = fold(noisy_u);
        v = fold(noisy_v);
    }
    *u_inout = clamp_coordinate(u + u_shift, u_clamp); /* PTX-10, PTX-11 */
    *v_inout = clamp_coordinate(v + v_shift, v_clamp);
    return in_range;
}

/* PTX-12: g(u, v) for u and v in [0, 1]; the root is exact. */
static float combine(enum pica_proctex_func function, float u, float v)
{
    switch (function) {
    case PICA_PROCTEX_FUNC_U: return u;
    case PICA_PROCTEX_FUNC_U2: return u * u;
    case PICA_PROCTEX_FUNC_V: return v;
    case PICA_PROCTEX_FUNC_V2: return v * v;
    case PICA_PROCTEX_FUNC_ADD: return (u + v) * 0.5f;
    case PICA_PROCTEX_FUNC_ADD2: return ((u * u) + (v * v)) * 0.5f;
    case PICA_PROCTEX_FUNC_SQRT2: return ref_min_first(sqrtf((u * u) + (v * v)), 1.0f);
    case PICA_PROCTEX_FUNC_MIN: return ref_min_first(u, v);
    case PICA_PROCTEX_FUNC_MAX: return ref_max_first(u, v);
    case PICA_PROCTEX_FUNC_RMAX: return ref_min_first((((u + v) * 0.5f) + sqrtf((u * u) + (v * v))) * 0.5f, 1.0f);
    case PICA_PROCTEX_FUNC_RESERVED_10:
    case PICA_PROCTEX_FUNC_RESERVED_11:
    case PICA_PROCTEX_FUNC_RESERVED_12:
    case PICA_PROCTEX_FUNC_RESERVED_13:
    case PICA_PROCTEX_FUNC_RESERVED_14:
    case PICA_PROCTEX_FUNC_RESERVED_15:
    default: return 0.0f; /* the field has four bits */
    }
}

/* ------------------------------------------------------------------------------------- colour table and LOD (10.4) */

/* PTX-19: where level 0-7 begins in the colour table. */
static uint32_t level_offset(const struct ref_proctex *proctex, uint32_t level)
{
    if (level >= 4u)
        return pica_texunit3_proctex5_offset_at(proctex->high_offsets, level - 4u);
    return pica_texunit3_proctex5_offset_at(proctex->word5, level);
}

/* PTX-04, PTX-21: one channel between table entries; the stored difference is half of what is used. */
static uint8_t ramp(const struct ref_proctex *proctex, uint32_t color, uint32_t half_difference, uint32_t channel,
                    float f)
{
    const uint32_t raw = pica_proctex_difference_entry_channel_raw_at(half_difference, channel);
    const int32_t difference = (int32_t)raw - (raw >= 128u ? 256 : 0);
    const float sum = (float)pica_rgba8_channel_at(color, channel) + (f * (float)(2 * difference));
    return proctex->keeps_low_byte ? (uint8_t)(int32_t)sum : ref_u8(sum);
}

/* PTX-20, PTX-21 */
static void level_color(const struct ref_proctex *proctex, float c, uint32_t level, uint8_t rgba[4])
{
    const uint32_t width = pica_texunit3_proctex4_width(proctex->word4) >> level;
    const uint32_t last = width > 0 ? width - 1u : 0;
    const float x = (float)level_offset(proctex, level) + (c * (float)last);
    const uint32_t i = (uint32_t)x;
    const float f = x - (float)i;
    const bool linear = ((uint32_t)pica_texunit3_proctex4_filter(proctex->word4) % 2u) == 1u;
    const uint32_t entry = ((linear || f < 0.5f) ? i : i + 1u) & 255u; /* RHA(x) if nearest */
    const uint32_t color = proctex->tables->proctex_color[entry];
    const uint32_t difference = proctex->tables->proctex_difference[entry];
    for (uint32_t channel = 0; channel < 4; channel++) {
        rgba[channel] =
            linear ? ramp(proctex, color, difference, channel, f) : (uint8_t)pica_rgba8_channel_at(color, channel);
    }
}

/* PTX-23: from the derivatives of the incoming coordinates; noise, shift and clamp do not matter. */
static int32_t level_of_detail(const struct ref_proctex *proctex, const struct ref_slope *u, const struct ref_slope *v)
{
    if (proctex->bias == 0.0f)
        return 0;
    const float width = (float)pica_texunit3_proctex4_width(proctex->word4);
    const float du = ref_greater(ref_abs(u->x), ref_abs(u->y));
    const float dv = ref_greater(ref_abs(v->x), ref_abs(v->y));
    return ref_footprint_lod(ref_abs(width * proctex->bias) * (du + dv));
}

/* PTX-24: the level of detail between the two limits, 0 to 7 * 256. */
static uint32_t clamp_level(const struct ref_proctex *proctex, int32_t lod)
{
    const int32_t lowest = (int32_t)pica_texunit3_proctex4_min_lod(proctex->word4) * 256;
    const uint32_t max_level = pica_texunit3_proctex4_max_lod(proctex->word4);
    const int32_t highest = (int32_t)(max_level < 7u ? max_level : 7u) * 256;
    int32_t clamped = lod > lowest ? lod : lowest;
    clamped = clamped < highest ? clamped : highest;
    return (uint32_t)(clamped > 0 ? clamped : 0);
}

enum mip_mode {
    MIP_NONE,
    MIP_NEAREST,
    MIP_LINEAR
};

/* PTX-22 */
static enum mip_mode mip_mode(enum pica_proctex_filter filter)
{
    switch (filter) {
    case PICA_PROCTEX_FILTER_NEAREST:
    case PICA_PROCTEX_FILTER_LINEAR: return MIP_NONE;
    case PICA_PROCTEX_FILTER_NEAREST_MIP_NEAREST:
    case PICA_PROCTEX_FILTER_LINEAR_MIP_NEAREST: return MIP_NEAREST;
    case PICA_PROCTEX_FILTER_NEAREST_MIP_LINEAR:
    case PICA_PROCTEX_FILTER_LINEAR_MIP_LINEAR:
    case PICA_PROCTEX_FILTER_RESERVED_6:
    case PICA_PROCTEX_FILTER_RESERVED_7:
    default: return MIP_LINEAR; /* the field has three bits */
    }
}

/* PTX-22, PTX-24: the colour table at place c, on the level or levels that `lod` selects. */
static void filtered_color(const struct ref_proctex *proctex, float c, uint32_t lod, uint8_t rgba[4])
{
    switch (proctex->has_levels ? mip_mode(pica_texunit3_proctex4_filter(proctex->word4)) : MIP_NONE) {
    case MIP_NONE: level_color(proctex, c, 0, rgba); return;
    case MIP_NEAREST: level_color(proctex, c, (lod + 128u) >> 8, rgba); return;
    case MIP_LINEAR: break;
    }
    const uint32_t level = lod >> 8;
    const uint32_t f = lod & 255u;
    uint8_t next[4];
    level_color(proctex, c, level, rgba);
    level_color(proctex, c, level < 7u ? level + 1u : 7u, next);
    for (int channel = 0; channel < 4; channel++)
        rgba[channel] = (uint8_t)(((rgba[channel] * (256u - f)) + (next[channel] * f) + 128u) >> 8);
}

/* What unit 3 computes for a fragment. */
struct lookup {
    float u, v;       /* PTX-11 */
    float rgb, alpha; /* PTX-13, PTX-14: results of the curves */
    uint8_t color[4];
};

/* PTX-13, PTX-14: the colour of the clamped coordinates. */
static void look_up_color(const struct ref_proctex *proctex, uint32_t lod, struct lookup *lookup)
{
    const float rgb = combine(pica_texunit3_proctex0_rgb_func(proctex->word0), lookup->u, lookup->v);
    lookup->rgb = look_up(proctex, proctex->tables->proctex_color_map, rgb);
    filtered_color(proctex, lookup->rgb, lod, lookup->color);
    if (pica_texunit3_proctex0_separate_alpha(proctex->word0) == 0)
        return;
    const float alpha = combine(pica_texunit3_proctex0_alpha_func(proctex->word0), lookup->u, lookup->v);
    lookup->alpha = look_up(proctex, proctex->tables->proctex_alpha_map, alpha);
    lookup->color[3] = ref_u8(lookup->alpha * 255.0f);
}

/* True if a coordinate left the range of PTX-07. */
static bool sample(const struct ref_proctex *proctex, const struct ref_fragment *fragment, struct lookup *lookup)
{
    const struct ref_slope u = ref_coordinate(fragment, proctex->set, 0);
    const struct ref_slope v = ref_coordinate(fragment, proctex->set, 1);
    lookup->u = u.value;
    lookup->v = v.value;
    const bool is_in_range = prepare(proctex, &lookup->u, &lookup->v);
    look_up_color(proctex, clamp_level(proctex, level_of_detail(proctex, &u, &v)), lookup);
    return !is_in_range;
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_noise(const struct ref_gpu *gpu, const struct ref_proctex *proctex, float u, float v)
{
    const float x = noise_place(proctex->frequency_u, u, proctex->phase_u);
    const float y = noise_place(proctex->frequency_v, v, proctex->phase_v);
    const uint32_t i = (uint32_t)x, j = (uint32_t)y;
    const float corners[4] = { noise_2d(i, j), noise_2d(i + 1u, j), noise_2d(i, j + 1u), noise_2d(i + 1u, j + 1u) };
    const float n = noise(proctex, u, v);
    ref_trace_rule(gpu, "PTX-15", 0, (const uint32_t[]){ noise_1d(i), noise_1d(i + 1u), noise_1d(j), noise_1d(j + 1u) },
                   4);
    ref_trace_rule_floats(gpu, "PTX-16", 0, corners, 4);
    ref_trace_rule_floats(gpu, "PTX-17", 0, &n, 1);
    ref_trace_rule_floats(gpu, "PTX-09", 0,
                          (const float[]){ disturbed(proctex, u, n, proctex->amplitude_u),
                                           disturbed(proctex, v, n, proctex->amplitude_v) },
                          2);
}

static void record_coordinates(const struct ref_gpu *gpu, const struct ref_proctex *proctex,
                               const struct ref_fragment *fragment)
{
    const float u = fold(ref_coordinate(fragment, proctex->set, 0).value);
    const float v = fold(ref_coordinate(fragment, proctex->set, 1).value);
    const float offsets[2] = {
        shift_offset(v, pica_texunit3_proctex0_u_shift(proctex->word0), pica_texunit3_proctex0_u_clamp(proctex->word0)),
        shift_offset(u, pica_texunit3_proctex0_v_shift(proctex->word0), pica_texunit3_proctex0_v_clamp(proctex->word0))
    };
    ref_trace_rule_floats(gpu, "PTX-07", 0, (const float[]){ u, v }, 2);
    ref_trace_rule_floats(gpu, "PTX-08", 0, offsets, 2);
    if (pica_texunit3_proctex0_noise_enable(proctex->word0) != 0)
        record_noise(gpu, proctex, u, v);
}

/* What the colour table gives, on the level or levels in use. */
static void record_levels(const struct ref_gpu *gpu, const struct ref_proctex *proctex,
                          const struct ref_fragment *fragment, const struct lookup *lookup)
{
    const struct ref_slope u = ref_coordinate(fragment, proctex->set, 0);
    const struct ref_slope v = ref_coordinate(fragment, proctex->set, 1);
    const int32_t lod = level_of_detail(proctex, &u, &v);
    const uint32_t clamped = clamp_level(proctex, lod), level = clamped >> 8;
    uint8_t color[4];
    ref_trace_rule_floats(gpu, "MIP-03", 3, (const float[]){ u.x, u.y, v.x, v.y }, 4);
    ref_trace_rule(gpu, "PTX-23", 0, (const uint32_t[]){ (uint32_t)lod }, 1);
    ref_trace_rule(gpu, "PTX-24", 0, &clamped, 1);
    ref_trace_rule(gpu, "PTX-19", 0, (const uint32_t[]){ level_offset(proctex, level) }, 1);
    for (uint32_t i = 0; i < 2; i++) {
        level_color(proctex, lookup->rgb, level + i < 7u ? level + i : 7u, color);
        ref_trace_rule(gpu, "PTX-21", i, (const uint32_t[]){ color[0], color[1], color[2], color[3] }, 4);
    }
    filtered_color(proctex, lookup->rgb, clamped, color);
    ref_trace_rule(gpu, "PTX-22", 0, (const uint32_t[]){ color[0], color[1], color[2], color[3] }, 4);
}

static void record_functions(const struct ref_gpu *gpu, const struct ref_proctex *proctex, const struct lookup *lookup)
{
    const float results[2] = { combine(pica_texunit3_proctex0_rgb_func(proctex->word0), lookup->u, lookup->v),
                               combine(pica_texunit3_proctex0_alpha_func(proctex->word0), lookup->u, lookup->v) };
    ref_trace_rule_floats(gpu, "PTX-12", 0, results,
                          pica_texunit3_proctex0_separate_alpha(proctex->word0) != 0 ? 2 : 1);
}

static void record_lookup(const struct ref_gpu *gpu, const struct ref_proctex *proctex, const struct lookup *lookup)
{
    ref_trace_floats(gpu, PICA_TRACE_ID_PROCTEX_COORDINATE, 0, (const float[]){ lookup->u, lookup->v }, 2);
    record_functions(gpu, proctex, lookup);
    ref_trace_rule_floats(gpu, "PTX-06", 0, (const float[]){ lookup->rgb, lookup->alpha }, 2);
    ref_trace_floats(gpu, PICA_TRACE_ID_PROCTEX_LOOKUP, 0, &lookup->rgb, 1);
    if (pica_texunit3_proctex0_separate_alpha(proctex->word0) != 0)
        ref_trace_floats(gpu, PICA_TRACE_ID_PROCTEX_LOOKUP, 1, &lookup->alpha, 1);
}

static void record(const struct ref_gpu *gpu, const struct ref_proctex *proctex, const struct ref_fragment *fragment,
                   const struct lookup *lookup)
{
    if (proctex->enabled) {
        record_coordinates(gpu, proctex, fragment);
        record_lookup(gpu, proctex, lookup);
        record_levels(gpu, proctex, fragment, lookup);
    }
    ref_trace_color(gpu, PICA_TRACE_ID_PROCTEX_COLOR, 0, lookup->color);
}

/* PTX-25: 0 while the unit is off. */
void ref_proctex_sample(struct ref_gpu *gpu, const struct ref_proctex *proctex, const struct ref_fragment *fragment,
                        uint8_t rgba[4])
{
    struct lookup lookup = { .color = { 0 } };
    if (proctex->enabled)
        ref_event_if(gpu, sample(proctex, fragment, &lookup), PICA_EVENT_PROCTEX_RANGE);
    else
        ref_event(gpu, PICA_EVENT_TEX_DISABLED_READ);
    memcpy(rgba, lookup.color, 4);
    if (gpu->is_watched)
        record(gpu, proctex, fragment, &lookup);
}

/* ------------------------------------------------------------------------------------- events of a batch (class M) */

void ref_proctex_events(struct ref_gpu *gpu)
{
    const uint32_t config = gpu->regs[PICA_REG_TEXUNIT_CONFIG];
    const uint32_t word0 = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX0];
    const uint32_t word4 = gpu->regs[PICA_REG_TEXUNIT3_PROCTEX4];
    const uint32_t high_offsets = gpu->regs[PICA_REG_UNUSED_0AE];
    if (pica_texunit_config_unit3_enable(config) == 0)
        return;
    const uint32_t filter = (uint32_t)pica_texunit3_proctex4_filter(word4);
    const bool separate_alpha = pica_texunit3_proctex0_separate_alpha(word0) != 0;
    ref_event_if(gpu, pica_texunit_config_unit3_coord(config) == PICA_TEXUNIT3_COORD_RESERVED_3,
                 PICA_EVENT_PROCTEX_COORD_3);
    ref_event_if(gpu,
                 pica_texunit3_proctex0_u_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3 ||
                     pica_texunit3_proctex0_v_shift(word0) == PICA_PROCTEX_SHIFT_RESERVED_3,
                 PICA_EVENT_PROCTEX_SHIFT_3);
    ref_event_if(gpu,
                 pica_texunit3_proctex0_u_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5 ||
                     pica_texunit3_proctex0_v_clamp(word0) >= PICA_PROCTEX_CLAMP_RESERVED_5,
                 PICA_EVENT_PROCTEX_CLAMP_RESERVED);
    ref_event_if(gpu,
                 pica_texunit3_proctex0_rgb_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10 ||
                     (separate_alpha && pica_texunit3_proctex0_alpha_func(word0) >= PICA_PROCTEX_FUNC_RESERVED_10),
                 PICA_EVENT_PROCTEX_FUNC_RESERVED);
    ref_event_if(gpu, filter >= (uint32_t)PICA_PROCTEX_FILTER_RESERVED_6, PICA_EVENT_PROCTEX_FILTER_RESERVED);
    ref_event_if(gpu, pica_texunit3_proctex4_width(word4) == 0, PICA_EVENT_PROCTEX_WIDTH_0);
    ref_event_if(gpu,
                 filter >= 2u && pica_texunit3_proctex4_max_lod(word4) >= 4u && high_offsets != 0 &&
                     high_offsets != 0xFEFCF8F0u,
                 PICA_EVENT_PROCTEX_OFFSET_HIGH);
}
