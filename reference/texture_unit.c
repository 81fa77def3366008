/*
 * What the registers say about an image unit: whether it is on, its type, size, format, levels and filters; which bytes
 * of memory it can read; and the events that registers and windows decide.
 *
 * A unit that cannot be sampled (off, without an address, of size 0, of a reserved format) has a stated colour
 * instead (TEX-16). The levels of a mipmap follow each other in memory, each a quarter of the one before; the faces of
 * a cube have addresses of their own that share their upper bits.
 *
 * Worked number: 16x8 texels of RGB565, field "highest level" 6: min(6, log2(8)) = 3 is the last level. Level 1 begins
 * 16 * 8 * 2 = 256 bytes after level 0, level 2 another 64 bytes later (MIP-01, MIP-02).
 */
#include "reference/texture.h"

#include "reference/gpu.h"

/* ------------------------------------------------------------------------------------------------------- registers */

/* The word of an image unit, by the id that unit 0 has for it. */
static uint32_t unit_word(const struct ref_gpu *gpu, uint32_t unit, enum pica_reg base)
{
    return gpu->regs[pica_reg_texunit(unit, base)];
}

/* TEX-15, TEX-17: the type that acts. The ETC1 hint, the shadow hint and all bits without a name are ignored. */
static enum pica_texture_type effective_type(uint32_t unit, uint32_t parameter)
{
    if (unit != 0)
        return PICA_TEXTURE_TYPE_2D;
    const enum pica_texture_type type = pica_texunit_param_type(parameter);
    if (type == PICA_TEXTURE_TYPE_RESERVED_6 || type == PICA_TEXTURE_TYPE_RESERVED_7)
        return PICA_TEXTURE_TYPE_2D;
    return type;
}

/* TEX-11, TEX-12: the coordinates of an image unit. */
static uint32_t coordinate_set(const struct ref_gpu *gpu, uint32_t unit)
{
    if (unit != 2)
        return unit;
    const uint32_t config = gpu->regs[PICA_REG_TEXUNIT_CONFIG];
    return pica_texunit_config_unit2_coord(config) == PICA_TEXUNIT2_COORD_TEXCOORD1 ? 1 : 2;
}

/* TEX-16: the rows in their order. */
static enum ref_unit_state unit_state(const struct ref_gpu *gpu, uint32_t unit, const struct ref_image *image)
{
    if (pica_texunit_config_unit_enable_at(gpu->regs[PICA_REG_TEXUNIT_CONFIG], unit) == 0)
        return REF_UNIT_DISABLED;
    if (pica_texunit_addr_address(unit_word(gpu, unit, PICA_REG_TEXUNIT0_ADDR1)) == 0)
        return REF_UNIT_NULL;
    if (image->type == PICA_TEXTURE_TYPE_DISABLED)
        return REF_UNIT_TYPE_DISABLED;
    if (image->width == 0 || image->height == 0)
        return REF_UNIT_ZERO_SIZE;
    if (image->format == PICA_TEXTURE_FORMAT_RESERVED_14 || image->format == PICA_TEXTURE_FORMAT_RESERVED_15)
        return REF_UNIT_FORMAT_RESERVED;
    return REF_UNIT_LIVE;
}

/* MIP-02: Lmax = min(field, floor(log2(min(W, H)))). */
static uint32_t usable_max_level(uint32_t field, uint32_t width, uint32_t height)
{
    const uint32_t size = width < height ? width : height;
    uint32_t level = 0;
    while (level < field && (size >> (level + 1u)) != 0)
        level++;
    return level;
}

/* TEX-19, CUB-03: address of a face (0: also of every other image) in bytes. */
static uint32_t face_address(const struct ref_gpu *gpu, uint32_t unit, uint32_t face)
{
    static const uint32_t face_registers[5] = { PICA_REG_TEXUNIT0_ADDR2, PICA_REG_TEXUNIT0_ADDR3,
                                                PICA_REG_TEXUNIT0_ADDR4, PICA_REG_TEXUNIT0_ADDR5,
                                                PICA_REG_TEXUNIT0_ADDR6 };
    const uint32_t first = pica_texunit_addr_address(unit_word(gpu, unit, PICA_REG_TEXUNIT0_ADDR1));
    if (face == 0)
        return first * 8u;
    const uint32_t low = pica_texunit_addr_face_address_low(gpu->regs[face_registers[face - 1u]]);
    return ((first & 0x0FC00000u) | low) * 8u;
}

bool ref_is_cube(enum pica_texture_type type)
{
    return type == PICA_TEXTURE_TYPE_CUBE || type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
}

/* MIP-01, MIP-02: the levels of a live unit, one after the other. */
static void decode_levels(const struct ref_gpu *gpu, uint32_t unit, struct ref_image *image)
{
    const uint32_t bits = ref_texel_bits(image->format);
    const uint32_t field = pica_texunit_lod_max_level(unit_word(gpu, unit, PICA_REG_TEXUNIT0_LOD));
    image->max_level = usable_max_level(field, image->width, image->height);
    image->level_offsets[0] = 0;
    for (uint32_t k = 0; k < image->max_level; k++)
        image->level_offsets[k + 1u] =
            image->level_offsets[k] + (((image->width >> k) * (image->height >> k) * bits) >> 3);
    for (uint32_t face = 0; face < (ref_is_cube(image->type) ? 6u : 1u); face++)
        image->faces[face] = face_address(gpu, unit, face);
}

/* WRP-07: on the other side, modes 4 and 5 act like 0 and 1. */
static enum pica_texture_wrap effective_wrap(const struct ref_gpu *gpu, enum pica_texture_wrap mode)
{
    if (!ref_takes(gpu, PICA_SIDE_WRAP_4_5_AS_0_AND_1))
        return mode;
    if (mode == PICA_TEXTURE_WRAP_REPEAT_EDGE)
        return PICA_TEXTURE_WRAP_CLAMP_TO_EDGE;
    return mode == PICA_TEXTURE_WRAP_REPEAT_BORDER ? PICA_TEXTURE_WRAP_CLAMP_TO_BORDER : mode;
}

/* TEX-90, knob P1: filter bits read as 0, and level 0 is the only one. */
static void take_nearest(struct ref_image *image)
{
    image->mag_linear = false;
    image->min_linear = false;
    image->mip_linear = false;
    image->lod_lowest = 0;
    image->lod_highest = 0;
}

/* MIP-08: the minification filter is taken if the level of detail before its limits is above this. Deciding by the
 * limited one instead means: always if the lowest level is above 0, never if the highest one is 0. */
static int32_t minified_above(const struct ref_gpu *gpu, const struct ref_image *image)
{
    if (ref_takes(gpu, PICA_SIDE_FILTER_CHOICE_BEFORE) || (image->lod_highest > 0 && image->lod_lowest <= 0))
        return 0;
    return image->lod_highest > 0 ? INT32_MIN : INT32_MAX;
}

/* SDW-05, SDW-06, MIP-08, TEX-27: members that depend on choices; call it after the filter bits were decoded. */
static void decode_sides(const struct ref_gpu *gpu, struct ref_image *image)
{
    if (ref_takes(gpu, PICA_SIDE_TEXTURE_FILTER_NEAREST))
        take_nearest(image);
    image->shadow_linear = (image->mag_linear || ref_takes(gpu, PICA_SIDE_SHADOW_FILTER_ALWAYS)) &&
                           !ref_takes(gpu, PICA_SIDE_SHADOW_FILTER_NEVER);
    image->shadow_is_strict = ref_takes(gpu, PICA_SIDE_SHADOW_COMPARE_GREATER);
    image->minified_above = minified_above(gpu, image);
    image->truncates = ref_takes(gpu, PICA_SIDE_NEAREST_TEXEL_TRUNCATE);
}

/* MIP-07, MIP-09, MIP-10: filters and limits of the level of detail; SDW-01, SDW-03: of shadow textures. */
static void decode_filter(const struct ref_gpu *gpu, uint32_t unit, uint32_t parameter, struct ref_image *image)
{
    const uint32_t lod = unit_word(gpu, unit, PICA_REG_TEXUNIT0_LOD);
    const uint32_t shadow = gpu->regs[PICA_REG_TEXUNIT0_SHADOW];
    image->mag_linear = pica_texunit_param_mag_filter(parameter) == PICA_TEXTURE_FILTER_LINEAR;
    image->min_linear = pica_texunit_param_min_filter(parameter) == PICA_TEXTURE_FILTER_LINEAR;
    image->mip_linear = pica_texunit_param_mip_filter(parameter) == PICA_TEXTURE_FILTER_LINEAR;
    image->lod_bias = pica_texunit_lod_bias(lod);
    image->lod_lowest = (int32_t)pica_texunit_lod_min_level(lod) * 256;
    image->lod_highest = (int32_t)image->max_level * 256;
    image->no_division = pica_texunit_shadow_no_division(shadow) != 0;
    image->shadow_bias = (int32_t)(pica_texunit_shadow_bias(shadow) * 2u);
}

/* TEX-18: any size of 1 to 2047 works; TEX-14: the bit that clears the texture cache means nothing here. */
void ref_image_decode(const struct ref_gpu *gpu, uint32_t unit, struct ref_image *image)
{
    const uint32_t border = unit_word(gpu, unit, PICA_REG_TEXUNIT0_BORDER_COLOR);
    const uint32_t dim = unit_word(gpu, unit, PICA_REG_TEXUNIT0_DIM);
    const uint32_t parameter = unit_word(gpu, unit, PICA_REG_TEXUNIT0_PARAM);
    image->unit = unit;
    image->shortcuts = gpu->shortcuts;
    image->type = effective_type(unit, parameter);
    image->set = coordinate_set(gpu, unit);
    image->width = pica_texunit_dim_width(dim);
    image->height = pica_texunit_dim_height(dim);
    image->format = pica_texunit_type_format(unit_word(gpu, unit, PICA_REG_TEXUNIT0_TYPE));
    image->wrap_s = effective_wrap(gpu, pica_texunit_param_wrap_s(parameter));
    image->wrap_t = effective_wrap(gpu, pica_texunit_param_wrap_t(parameter));
    image->state = unit_state(gpu, unit, image);
    image->max_level = 0;
    if (image->state != REF_UNIT_LIVE)
        return;
    for (uint32_t c = 0; c < 4; c++)
        image->border[c] = (uint8_t)pica_rgba8_channel_at(border, c);
    decode_levels(gpu, unit, image);
    decode_filter(gpu, unit, parameter, image);
    decode_sides(gpu, image);
}

void ref_image_level(const struct ref_image *image, uint32_t face, uint32_t level, struct ref_level *out)
{
    out->number = level;
    out->format = image->format;
    out->address = image->faces[face] + image->level_offsets[level];
    out->width = image->width >> level;
    out->height = image->height >> level;
}

/* -------------------------------------------------------------------------------------------------- range (TEX-31) */

/* TEX-31: e_l, the end of what a level can read, counted from the level's base. */
static uint64_t level_end(enum pica_texture_format format, uint32_t width, uint32_t height)
{
    const uint32_t mx = (width < 8u ? width : 8u) - 1u;
    const uint32_t my = (height < 8u ? height : 8u) - 1u;
    const uint64_t tile = (((height - 1u) >> 3) * (width >> 3)) + ((width - 1u) >> 3);
    if (format == PICA_TEXTURE_FORMAT_ETC1 || format == PICA_TEXTURE_FORMAT_ETC1A4) {
        const uint32_t block_bytes = format == PICA_TEXTURE_FORMAT_ETC1 ? 8u : 16u;
        return (tile * block_bytes * 4u) + (((mx >> 2) + (2u * (my >> 2)) + 1u) * block_bytes);
    }
    const uint64_t texels = (tile * 64u) + ref_texel_morton(mx, my) + 1u;
    return ((texels * ref_texel_bits(format)) + 7u) >> 3;
}

/* TEX-31: a live unit has one range, or one per face. */
bool ref_texture_range(const struct ref_gpu *gpu, uint32_t unit, uint32_t index, uint32_t *address, uint64_t *size)
{
    struct ref_image image;
    ref_image_decode(gpu, unit, &image);
    if (image.state != REF_UNIT_LIVE || index >= (ref_is_cube(image.type) ? 6u : 1u))
        return false;
    *address = image.faces[index];
    *size = 0;
    for (uint32_t l = 0; l <= image.max_level; l++) {
        struct ref_level level;
        ref_image_level(&image, index, l, &level);
        const uint64_t end = (level.address - *address) + level_end(level.format, level.width, level.height);
        if (end > *size)
            *size = end;
    }
    return true;
}

/* ------------------------------------------------------------------------------------- events of a batch (class M) */

/* TEX-18: a power of two from 8 to 1024. */
static bool is_legal_size(uint32_t size)
{
    return size >= 8u && size <= 1024u && (size & (size - 1u)) == 0;
}

/* TEX-06, TEX-31 */
static bool is_outside(const struct ref_gpu *gpu, uint32_t unit)
{
    uint32_t address;
    uint64_t size;
    for (uint32_t index = 0; ref_texture_range(gpu, unit, index, &address, &size); index++) {
        if (!ref_range_in_memory(gpu, address, size))
            return true;
    }
    return false;
}

static void live_unit_events(struct ref_gpu *gpu, uint32_t unit, const struct ref_image *image)
{
    const uint32_t size = image->width < image->height ? image->width : image->height;
    const bool shadow = image->type == PICA_TEXTURE_TYPE_SHADOW_2D || image->type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
    ref_event_if(gpu, !is_legal_size(image->width) || !is_legal_size(image->height), PICA_EVENT_TEX_DIM_ILLEGAL);
    ref_event_if(gpu, (uint32_t)image->wrap_s >= 4u || (uint32_t)image->wrap_t >= 4u, PICA_EVENT_WRAP_4_7);
    ref_event_if(gpu, image->max_level >= 1u && (size >> image->max_level) < 8u, PICA_EVENT_MIP_BELOW_8);
    ref_event_if(gpu, is_outside(gpu, unit), PICA_EVENT_TEX_OOB);
    ref_event_if(gpu, shadow && image->format != PICA_TEXTURE_FORMAT_RGBA8, PICA_EVENT_TEX_SHADOW_FORMAT);
}

static void image_unit_events(struct ref_gpu *gpu, uint32_t unit)
{
    struct ref_image image;
    ref_image_decode(gpu, unit, &image);
    if (image.state == REF_UNIT_DISABLED)
        return;
    ref_event_if(gpu, image.state == REF_UNIT_NULL, PICA_EVENT_TEX_NULL);
    ref_event_if(gpu, image.state == REF_UNIT_ZERO_SIZE, PICA_EVENT_TEX_ZERO_DIM);
    ref_event_if(gpu, image.state == REF_UNIT_FORMAT_RESERVED, PICA_EVENT_TEX_FORMAT_RESERVED);
    const uint32_t parameter = gpu->regs[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM)];
    const enum pica_texture_type type = pica_texunit_param_type(parameter);
    const bool reserved = type == PICA_TEXTURE_TYPE_RESERVED_6 || type == PICA_TEXTURE_TYPE_RESERVED_7;
    ref_event_if(gpu, unit == 0 && reserved, PICA_EVENT_TEX_TYPE_RESERVED);
    if (image.state == REF_UNIT_LIVE)
        live_unit_events(gpu, unit, &image);
}

/* TEX-20 */
void ref_texture_events(struct ref_gpu *gpu)
{
    for (uint32_t unit = 0; unit < 3; unit++)
        image_unit_events(gpu, unit);
}
