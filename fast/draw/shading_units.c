/* Image units and the procedural unit: registers to struct fast_texture_unit and struct fast_proctex. */
#include "fast/draw/shading_parts.h"

#include "fast/gpu.h"
#include "fast/number.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------- registers */

/* TEX-15, TEX-17: units 1 and 2 are always 2D, types 6 and 7 act as 0. */
static enum pica_texture_type acting_type(uint32_t unit, uint32_t param)
{
    if (unit != 0)
        return PICA_TEXTURE_TYPE_2D;
    const enum pica_texture_type type = pica_texunit_param_type(param);
    return type == PICA_TEXTURE_TYPE_RESERVED_6 || type == PICA_TEXTURE_TYPE_RESERVED_7 ? PICA_TEXTURE_TYPE_2D : type;
}

/* MIP-02: floor(log2(x)) for x > 0. */
static uint32_t log2_floor(uint32_t x)
{
    uint32_t result = 0;
    while (x >> (result + 1) != 0)
        result++;
    return result;
}

/* MIP-02. */
static uint32_t last_level(uint32_t dim, uint32_t lod)
{
    const uint32_t width = pica_texunit_dim_width(dim);
    const uint32_t height = pica_texunit_dim_height(dim);
    const uint32_t side = width < height ? width : height;
    if (side == 0)
        return 0;
    const uint32_t limit = log2_floor(side);
    const uint32_t wanted = pica_texunit_lod_max_level(lod);
    return wanted < limit ? wanted : limit;
}

/* CUB-03, TEX-19: bits 22-27 of all faces come from the first register. */
static uint32_t face_address(const uint32_t *registers, uint32_t first, uint32_t face)
{
    const uint32_t whole = pica_texunit_addr_address(registers[first]);
    if (face == 0)
        return whole * 8;
    const uint32_t low = pica_texunit_addr_face_address_low(registers[first + face]);
    return ((whole & 0x0FC00000u) | low) * 8;
}

/* TEX-11, and the table of 40 section 3. */
void fast_unit_read_words(const uint32_t *registers, uint32_t unit, struct fast_unit_words *words)
{
    *words = (struct fast_unit_words){
        .config = registers[PICA_REG_TEXUNIT_CONFIG],
        .border = registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_BORDER_COLOR)],
        .dim = registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)],
        .param = registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM)],
        .lod = registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_LOD)],
        .format = pica_texunit_type_format(registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE)]),
    };
    words->type = acting_type(unit, words->param);
    words->faces = words->type == PICA_TEXTURE_TYPE_CUBE || words->type == PICA_TEXTURE_TYPE_SHADOW_CUBE ? 6 : 1;
    words->last_level = last_level(words->dim, words->lod);
    for (uint32_t face = 0; face < words->faces; face++)
        words->address[face] = face_address(registers, pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1), face);
}

/* TEX-16. */
enum fast_early_result fast_unit_early_result(const struct fast_unit_words *words, uint32_t unit)
{
    if (!pica_texunit_config_unit_enable_at(words->config, unit))
        return FAST_EARLY_DISABLED;
    if (words->address[0] == 0)
        return FAST_EARLY_NULL;
    if (words->type == PICA_TEXTURE_TYPE_DISABLED)
        return FAST_EARLY_TYPE_DISABLED;
    if (pica_texunit_dim_width(words->dim) == 0 || pica_texunit_dim_height(words->dim) == 0)
        return FAST_EARLY_ZERO_DIM;
    if (words->format == PICA_TEXTURE_FORMAT_RESERVED_14 || words->format == PICA_TEXTURE_FORMAT_RESERVED_15)
        return FAST_EARLY_FORMAT;
    return FAST_LIVE;
}

void fast_unit_image_key(const struct fast_unit_words *words, uint32_t face, struct fast_image_key *key)
{
    *key = (struct fast_image_key){
        .address = words->address[face],
        .format = words->format,
        .width = pica_texunit_dim_width(words->dim),
        .height = pica_texunit_dim_height(words->dim),
        .last_level = words->last_level,
    };
}

/* ----------------------------------------------------------------------------------------------------- image units */

/* TEX-16, column "result". */
static uint32_t early_color(enum fast_early_result early)
{
    switch (early) {
    case FAST_EARLY_NULL: return 0xFF000000u;
    case FAST_EARLY_ZERO_DIM: return 0xFF000000u;
    case FAST_EARLY_DISABLED: return 0;
    case FAST_EARLY_TYPE_DISABLED: return 0;
    case FAST_EARLY_FORMAT: return 0;
    case FAST_LIVE:
    default: return 0;
    }
}

/* TEX-17: what a live unit samples. */
static enum fast_unit_kind unit_kind(enum pica_texture_type type)
{
    switch (type) {
    case PICA_TEXTURE_TYPE_CUBE: return FAST_UNIT_CUBE;
    case PICA_TEXTURE_TYPE_SHADOW_2D: return FAST_UNIT_SHADOW_2D;
    case PICA_TEXTURE_TYPE_PROJECTION: return FAST_UNIT_PROJECTION;
    case PICA_TEXTURE_TYPE_SHADOW_CUBE: return FAST_UNIT_SHADOW_CUBE;
    case PICA_TEXTURE_TYPE_2D:
    case PICA_TEXTURE_TYPE_DISABLED: /* never live */
    case PICA_TEXTURE_TYPE_RESERVED_6:
    case PICA_TEXTURE_TYPE_RESERVED_7:
    default: return FAST_UNIT_2D;
    }
}

/* TEX-12. */
static uint32_t unit_coordinate(uint32_t unit, uint32_t config)
{
    if (unit == 2 && pica_texunit_config_unit2_coord(config) == PICA_TEXUNIT2_COORD_TEXCOORD1)
        return 1;
    return unit;
}

static bool is_power_of_two(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

/* WRP-08: (2^32) mod the divisor that the wrap mode uses at this size. */
static uint32_t wrap_remainder(uint32_t wrap, uint32_t size)
{
    const uint32_t divisor = wrap == PICA_TEXTURE_WRAP_MIRRORED_REPEAT ? 2 * size : size;
    return (uint32_t)(((uint64_t)1 << 32) % divisor);
}

/* WRP-01, WRP-05. */
static bool may_say_border(uint32_t wrap)
{
    return wrap == PICA_TEXTURE_WRAP_CLAMP_TO_BORDER || wrap == PICA_TEXTURE_WRAP_REPEAT_BORDER;
}

static void decode_levels(struct fast_texture_unit *out, const struct fast_unit_words *words)
{
    const uint32_t width = pica_texunit_dim_width(words->dim);
    const uint32_t height = pica_texunit_dim_height(words->dim);
    out->power_of_two = is_power_of_two(width) && is_power_of_two(height);
    for (uint32_t level = 0; level <= words->last_level; level++) {
        const uint32_t w = width >> level;
        const uint32_t h = height >> level;
        out->width[level] = w;
        out->height[level] = h;
        out->width_f32[level] = (float)w;
        out->height_f32[level] = (float)h;
        out->pitch[level] = w;
        out->wrap_width[level] = wrap_remainder(out->wrap_s, w);
        out->wrap_height[level] = wrap_remainder(out->wrap_t, h);
    }
}

/* MIP-07 to MIP-10. SDW-06: shadow units look at level 0 and the magnification filter only. */
static void decode_lod(struct fast_texture_unit *out, const struct fast_unit_words *words)
{
    out->linear_magnify = pica_texunit_param_mag_filter(words->param) == PICA_TEXTURE_FILTER_LINEAR;
    out->linear_minify = pica_texunit_param_min_filter(words->param) == PICA_TEXTURE_FILTER_LINEAR;
    out->linear_mip = pica_texunit_param_mip_filter(words->param) == PICA_TEXTURE_FILTER_LINEAR;
    out->lod_bias = pica_texunit_lod_bias(words->lod);
    out->lod_min = 256 * (int32_t)pica_texunit_lod_min_level(words->lod);
    out->lod_max = 256 * (int32_t)words->last_level;
    if (out->lod_min > out->lod_max)
        out->lod_min = out->lod_max; /* MIP-09: the maximum wins */
    const bool shadow = out->kind == FAST_UNIT_SHADOW_2D || out->kind == FAST_UNIT_SHADOW_CUBE;
    out->needs_lod = !shadow && (out->lod_min != out->lod_max || out->linear_magnify != out->linear_minify);
}

static void decode_images(struct fast_gpu *gpu, struct fast_texture_unit *out, const struct fast_unit_words *words)
{
    struct fast_texture_cache *cache = &gpu->shading->textures;
    out->arena = cache->arena;
    struct fast_image_key keys[FAST_TEXTURE_FACES];
    out->sparse = true;
    for (uint32_t face = 0; face < words->faces; face++) {
        fast_unit_image_key(words, face, &keys[face]);
        out->sparse = out->sparse && fast_image_is_better_sparse(gpu, &keys[face]);
    }
    for (uint32_t face = 0; face < words->faces; face++) {
        keys[face].sparse = out->sparse;
        const struct fast_image *image = fast_texture_cache_get(gpu, cache, &keys[face]);
        memcpy(out->base[face], image->base, sizeof image->base);
    }
    if (out->sparse)
        for (uint32_t level = 0; level <= words->last_level; level++)
            out->pitch[level] = out->width[level] >> 3;
}

static void decode_unit(struct fast_gpu *gpu, uint32_t unit, bool used, struct fast_texture_unit *out)
{
    struct fast_unit_words words;
    fast_unit_read_words(gpu->registers, unit, &words);
    const enum fast_early_result early = fast_unit_early_result(&words, unit);
    memset(out, 0, sizeof *out);
    out->kind = FAST_UNIT_CONSTANT;
    out->constant = early_color(early);
    out->number = unit;
    if (early != FAST_LIVE || !used)
        return;

    out->kind = unit_kind(words.type);
    out->coordinate = unit_coordinate(unit, words.config);
    out->wrap_s = pica_texunit_param_wrap_s(words.param);
    out->wrap_t = pica_texunit_param_wrap_t(words.param);
    out->border = words.border; /* R in the low byte, as in decoded texels */
    out->has_border = may_say_border(out->wrap_s) || may_say_border(out->wrap_t);
    decode_levels(out, &words);
    decode_lod(out, &words);
    decode_images(gpu, out, &words);
    if (unit == 0) {
        /* SDW-01, SDW-03: the bias field shifted by one. */
        const uint32_t shadow = gpu->registers[PICA_REG_TEXUNIT0_SHADOW];
        out->shadow_bias = (int32_t)(pica_texunit_shadow_bias(shadow) << 1);
        out->shadow_divides = !pica_texunit_shadow_no_division(shadow);
    }
}

void fast_decode_units(struct fast_gpu *gpu, struct fast_shading_state *state)
{
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        decode_unit(gpu, unit, (state->unit_used >> unit & 1) != 0, &state->units[unit]);
}

/* ------------------------------------------------------------------------------------------------- procedural unit */

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
    out->noise_lut = fast_table_noise(gpu);
    out->rgb_lut = fast_table_color_map(gpu);
    out->alpha_lut = fast_table_alpha_map(gpu);
    out->color = fast_table_color(gpu);
    out->difference = fast_table_difference(gpu);
}
