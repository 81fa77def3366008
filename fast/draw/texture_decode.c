/* Image units (spec 40): registers -> struct fast_texture_unit, and the events of textures. */
#include "fast/draw/shading_decode.h"
#include "fast/gpu.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- registers */

/* The registers of one image unit, 0-2. */
struct unit_words {
    uint32_t config, border, dim, param, lod, format;
    uint32_t address[FAST_TEXTURE_FACES]; /* bytes; units 1 and 2 have only the first (CUB-03) */
    enum pica_texture_type type;          /* the type after TEX-15 and TEX-17 */
    uint32_t faces;                       /* 1 or 6 */
    uint32_t last_level;                  /* Lmax of MIP-02; 0 if a side is 0 */
};

/* TEX-16: the first row of the table whose condition holds. */
enum early_result {
    EARLY_DISABLED = 1,
    EARLY_NULL = 2,
    EARLY_TYPE_DISABLED = 3,
    EARLY_ZERO_DIM = 4,
    EARLY_FORMAT = 5,
    LIVE = 6
};

/* TEX-15, TEX-17: units 1 and 2 are always 2D, and types 6 and 7 act as type 0. */
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
static void read_words(const uint32_t *registers, uint32_t unit, struct unit_words *words)
{
    *words = (struct unit_words){
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
static enum early_result early_result(const struct unit_words *words, uint32_t unit)
{
    if (!pica_texunit_config_unit_enable_at(words->config, unit))
        return EARLY_DISABLED;
    if (words->address[0] == 0)
        return EARLY_NULL;
    if (words->type == PICA_TEXTURE_TYPE_DISABLED)
        return EARLY_TYPE_DISABLED;
    if (pica_texunit_dim_width(words->dim) == 0 || pica_texunit_dim_height(words->dim) == 0)
        return EARLY_ZERO_DIM;
    if (words->format == PICA_TEXTURE_FORMAT_RESERVED_14 || words->format == PICA_TEXTURE_FORMAT_RESERVED_15)
        return EARLY_FORMAT;
    return LIVE;
}

static void image_key(const struct unit_words *words, uint32_t face, struct fast_image_key *key)
{
    *key = (struct fast_image_key){
        .address = words->address[face],
        .format = words->format,
        .width = pica_texunit_dim_width(words->dim),
        .height = pica_texunit_dim_height(words->dim),
        .last_level = words->last_level,
    };
}

/* ------------------------------------------------------------------------------------------------------------ units */

/* TEX-16, column "result". */
static uint32_t early_color(enum early_result early)
{
    switch (early) {
    case EARLY_NULL: return 0xFF000000u;
    case EARLY_ZERO_DIM: return 0xFF000000u;
    case EARLY_DISABLED: return 0;
    case EARLY_TYPE_DISABLED: return 0;
    case EARLY_FORMAT: return 0;
    case LIVE:
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

/* WRP-01, WRP-05: can this wrap mode give the border colour? */
static bool may_say_border(uint32_t wrap)
{
    return wrap == PICA_TEXTURE_WRAP_CLAMP_TO_BORDER || wrap == PICA_TEXTURE_WRAP_REPEAT_BORDER;
}

static void decode_levels(struct fast_texture_unit *out, const struct unit_words *words)
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

/* MIP-07 to MIP-10. SDW-06: shadow units use only level 0 and the magnification filter. */
static void decode_lod(struct fast_texture_unit *out, const struct unit_words *words)
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

static void decode_images(struct fast_gpu *gpu, struct fast_texture_unit *out, const struct unit_words *words)
{
    struct fast_texture_cache *cache = &gpu->shading->textures;
    out->arena = cache->arena;
    out->gpu = gpu;
    out->face_count = words->faces;
    struct fast_image_key keys[FAST_TEXTURE_FACES];
    out->sparse = true;
    for (uint32_t face = 0; face < words->faces; face++) {
        image_key(words, face, &keys[face]);
        out->sparse = out->sparse && fast_image_is_better_sparse(gpu, &keys[face]);
    }
    for (uint32_t face = 0; face < words->faces; face++) {
        keys[face].sparse = out->sparse;
        out->images[face] = fast_texture_cache_get(gpu, cache, &keys[face]);
        for (uint32_t level = 0; level <= words->last_level; level++)
            out->base[face][level] = out->images[face]->levels[level].base;
    }
    if (out->sparse)
        for (uint32_t level = 0; level <= words->last_level; level++)
            out->pitch[level] = out->width[level] >> 3;
}

static void decode_unit(struct fast_gpu *gpu, uint32_t unit, bool used, struct fast_texture_unit *out)
{
    struct unit_words words;
    read_words(gpu->registers, unit, &words);
    const enum early_result early = early_result(&words, unit);
    memset(out, 0, sizeof *out);
    out->kind = FAST_UNIT_CONSTANT;
    out->constant = early_color(early);
    out->number = unit;
    if (early != LIVE || !used)
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

void fast_decode_textures(struct fast_gpu *gpu, struct fast_shading_state *state)
{
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        decode_unit(gpu, unit, (state->unit_used >> unit & 1) != 0, &state->units[unit]);
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* TEX-18. */
static bool is_legal_size(uint32_t size)
{
    return size >= 8 && size <= 1024 && (size & (size - 1)) == 0;
}

/* TEX-06: is some byte of TEX-31, of any face, outside the windows? */
static bool reaches_outside(const struct fast_gpu *gpu, const struct unit_words *words)
{
    for (uint32_t face = 0; face < words->faces; face++) {
        struct fast_image_key key;
        image_key(words, face, &key);
        if (!fast_memory_has(gpu, key.address, fast_image_size(&key)))
            return true;
    }
    return false;
}

/* WRP-07: 4 to 7. */
static bool is_odd_wrap(enum pica_texture_wrap wrap)
{
    switch (wrap) {
    case PICA_TEXTURE_WRAP_CLAMP_TO_EDGE: return false;
    case PICA_TEXTURE_WRAP_CLAMP_TO_BORDER: return false;
    case PICA_TEXTURE_WRAP_REPEAT: return false;
    case PICA_TEXTURE_WRAP_MIRRORED_REPEAT: return false;
    case PICA_TEXTURE_WRAP_REPEAT_EDGE: return true;
    case PICA_TEXTURE_WRAP_REPEAT_BORDER: return true;
    case PICA_TEXTURE_WRAP_REPEAT_6: return true;
    case PICA_TEXTURE_WRAP_REPEAT_7:
    default: return true;
    }
}

static void live_unit_events(const struct fast_event_sink *to, uint32_t unit, const struct unit_words *words)
{
    const uint32_t width = pica_texunit_dim_width(words->dim);
    const uint32_t height = pica_texunit_dim_height(words->dim);
    const uint32_t side = width < height ? width : height;
    const bool shadow = words->type == PICA_TEXTURE_TYPE_SHADOW_2D || words->type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
    fast_shading_event_if(to, !is_legal_size(width) || !is_legal_size(height), PICA_EVENT_TEX_DIM_ILLEGAL);
    fast_shading_event_if(to,
                          is_odd_wrap(pica_texunit_param_wrap_s(words->param)) ||
                              is_odd_wrap(pica_texunit_param_wrap_t(words->param)),
                          PICA_EVENT_WRAP_4_7);
    fast_shading_event_if(to, words->last_level >= 1 && side >> words->last_level < 8, PICA_EVENT_MIP_BELOW_8);
    fast_shading_event_if(to, reaches_outside(to->gpu, words), PICA_EVENT_TEX_OOB);
    fast_shading_event_if(to, unit == 0 && shadow && words->format != PICA_TEXTURE_FORMAT_RGBA8,
                          PICA_EVENT_TEX_SHADOW_FORMAT);
}

/* TEX-16, TEX-17. */
static void unit_events(const struct fast_event_sink *to, uint32_t unit)
{
    struct unit_words words;
    read_words(to->gpu->registers, unit, &words);
    const enum early_result early = early_result(&words, unit);
    const enum pica_texture_type type = pica_texunit_param_type(words.param);
    fast_shading_event_if(to,
                          early != EARLY_DISABLED && unit == 0 &&
                              (type == PICA_TEXTURE_TYPE_RESERVED_6 || type == PICA_TEXTURE_TYPE_RESERVED_7),
                          PICA_EVENT_TEX_TYPE_RESERVED);
    switch (early) {
    case EARLY_DISABLED: return;
    case EARLY_NULL: pica_events_add(to->events, PICA_EVENT_TEX_NULL); return;
    case EARLY_TYPE_DISABLED: return;
    case EARLY_ZERO_DIM: pica_events_add(to->events, PICA_EVENT_TEX_ZERO_DIM); return;
    case EARLY_FORMAT: pica_events_add(to->events, PICA_EVENT_TEX_FORMAT_RESERVED); return;
    case LIVE: live_unit_events(to, unit, &words); return;
    }
}

void fast_texture_events(const struct fast_event_sink *to)
{
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        unit_events(to, unit);
}
