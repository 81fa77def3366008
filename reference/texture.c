/*
 * The three image texture units. A unit turns the coordinates of a fragment into one RGBA8 colour: it picks a mipmap
 * level (texture_coordinate.c), turns coordinates into fixed point with 8 fraction bits, wraps the texel indices, and
 * takes the nearest texel or blends four with 8-bit weights. Shadow maps compare each texel with a depth first and
 * blend the results. The picture is stored upside down: t = 0 is the last row in memory (TEX-21). Unit 3 is in
 * proctex.c.
 *
 * All is total: disabled units, zero sizes, reserved formats and coordinates that are NaN have stated results.
 *
 * Worked number: S = 0.3 on a level 16 texels wide gives U = floor(0.3 * 16 * 256) = 1228, so the nearest texel is 4;
 * for linear filtering U - 128 = 1100: texels 4 and 5 with weights 180 and 76 of 256 (TEX-29, MIP-13, MIP-16).
 */
#include "reference/texture.h"

#include "reference/trace.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- registers */

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

static bool is_cube(enum pica_texture_type type)
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
    for (uint32_t face = 0; face < (is_cube(image->type) ? 6u : 1u); face++)
        image->faces[face] = face_address(gpu, unit, face);
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
    image->type = effective_type(unit, parameter);
    image->set = coordinate_set(gpu, unit);
    image->width = pica_texunit_dim_width(dim);
    image->height = pica_texunit_dim_height(dim);
    image->format = pica_texunit_type_format(unit_word(gpu, unit, PICA_REG_TEXUNIT0_TYPE));
    image->wrap_s = pica_texunit_param_wrap_s(parameter);
    image->wrap_t = pica_texunit_param_wrap_t(parameter);
    image->state = unit_state(gpu, unit, image);
    image->max_level = 0;
    if (image->state != REF_UNIT_LIVE)
        return;
    for (uint32_t c = 0; c < 4; c++)
        image->border[c] = (uint8_t)pica_rgba8_channel_at(border, c);
    decode_levels(gpu, unit, image);
    decode_filter(gpu, unit, parameter, image);
}

void ref_image_level(const struct ref_image *image, uint32_t face, uint32_t level, struct ref_level *out)
{
    out->number = level;
    out->format = image->format;
    out->address = image->faces[face] + image->level_offsets[level];
    out->width = image->width >> level;
    out->height = image->height >> level;
}

/* --------------------------------------------------------------------------------------------------- range (TEX-31) */

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
    if (image.state != REF_UNIT_LIVE || index >= (is_cube(image.type) ? 6u : 1u))
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

/* ------------------------------------------------------------------------------------------------------- sampling */

/* How one fragment samples one level. */
struct sampler {
    const struct ref_image *image;
    struct ref_level level;
    bool linear;       /* MIP-12, else MIP-11 */
    bool shadow;       /* each texel is compared (SDW-05) */
    int32_t reference; /* zi of SDW-03 */
};

/* WRP-02, WRP-08: repeat works on the 32-bit pattern of a negative index. */
static int32_t repeat(int32_t i, int32_t n)
{
    const uint32_t mask = (uint32_t)n - 1u;
    if (((uint32_t)n & mask) == 0) /* a power of two: the same, faster */
        return (int32_t)((uint32_t)i & mask);
    return (int32_t)((uint32_t)i % (uint32_t)n);
}

/* WRP-03 */
static int32_t mirror(int32_t i, int32_t n)
{
    const int32_t m = repeat(i, 2 * n);
    return m < n ? m : (2 * n) - 1 - m;
}

/* WRP-00 to WRP-07 (examples: WRP-10): index i on n texels; -1 means border. */
static int32_t wrap(enum pica_texture_wrap mode, int32_t i, int32_t n)
{
    switch (mode) {
    case PICA_TEXTURE_WRAP_CLAMP_TO_EDGE: return i < 0 ? 0 : i >= n ? n - 1 : i;
    case PICA_TEXTURE_WRAP_CLAMP_TO_BORDER: return i < 0 || i >= n ? -1 : i; /* WRP-01 */
    case PICA_TEXTURE_WRAP_REPEAT: return repeat(i, n);
    case PICA_TEXTURE_WRAP_MIRRORED_REPEAT: return mirror(i, n);
    case PICA_TEXTURE_WRAP_REPEAT_EDGE: return i < 0 ? repeat(i, n) : i >= n ? n - 1 : i; /* WRP-04 */
    case PICA_TEXTURE_WRAP_REPEAT_BORDER: return i < 0 ? repeat(i, n) : i >= n ? -1 : i;  /* WRP-05 */
    case PICA_TEXTURE_WRAP_REPEAT_6:
    case PICA_TEXTURE_WRAP_REPEAT_7:
    default: return repeat(i, n); /* WRP-06; the field has three bits */
    }
}

/* SDW-04, SDW-05, SDW-08: compares one texel and replaces it by its sample value in all channels. Example: SDW-10. */
static void compare_depth(const struct ref_gpu *gpu, int32_t reference, uint8_t rgba[4])
{
    const int32_t stored = (int32_t)(((uint32_t)rgba[3] << 16) | ((uint32_t)rgba[2] << 8) | rgba[1]);
    const uint8_t value = stored >= reference ? rgba[0] : 0;
    ref_feature(gpu, stored >= reference ? PICA_FEATURE_SHADOW_LIT : PICA_FEATURE_SHADOW_DARK);
    for (int c = 0; c < 4; c++)
        rgba[c] = value;
}

/* Which side of the texture an index is on. */
static void note_wrap(const struct ref_gpu *gpu, enum pica_texture_wrap mode, int32_t i, uint32_t n)
{
    const uint32_t side = i < 0             ? PICA_FEATURE_WRAP_BELOW
                          : (uint32_t)i < n ? PICA_FEATURE_WRAP_INSIDE
                                            : PICA_FEATURE_WRAP_ABOVE;
    ref_feature(gpu, side + (uint32_t)mode);
}

static int32_t wrap_s(const struct sampler *sampler, int32_t i)
{
    return wrap(sampler->image->wrap_s, i, (int32_t)sampler->level.width);
}

static int32_t wrap_t(const struct sampler *sampler, int32_t j)
{
    return wrap(sampler->image->wrap_t, j, (int32_t)sampler->level.height);
}

/* WRP-09, TEX-21: the texel of wrapped indices; the border is decided for each. SDW-07: also for shadow textures. */
static void fetch(struct ref_gpu *gpu, const struct sampler *sampler, int32_t col, int32_t t, uint8_t rgba[4])
{
    const struct ref_level *level = &sampler->level;
    if (col < 0 || t < 0)
        memcpy(rgba, sampler->image->border, 4);
    else
        ref_texel(gpu, level, (uint32_t)col, level->height - 1u - (uint32_t)t, rgba);
}

/* SDW-05: the sample value of a texel; taps are those of MIP-12. */
static void finish_texel(const struct ref_gpu *gpu, const struct sampler *sampler, uint32_t tap, uint8_t rgba[4])
{
    const uint32_t level = sampler->image->unit * 16u + sampler->level.number;
    ref_trace_color(gpu, PICA_TRACE_ID_TEXTURE_TEXEL, level * 4u + tap, rgba);
    if (sampler->shadow)
        compare_depth(gpu, sampler->reference, rgba);
}

/* TEX-27, TEX-28: a coordinate in 1/256 texels of a level that is `size` texels wide. */
static int32_t fixed_coordinate(struct ref_gpu *gpu, float coordinate, uint32_t size)
{
    const float limit = 1073741824.0f;
    const float product = (coordinate * (float)size) * 256.0f;
    ref_event_if(gpu, !(ref_abs(product) < limit), PICA_EVENT_TEXCOORD_RANGE);
    const float limited = ref_saturate(product, -limit, limit);
    const int32_t whole = (int32_t)limited;
    return (float)whole > limited ? whole - 1 : whole;
}

/* TEX-05: v >> 8, arithmetic. */
static int32_t shift_right_8(int32_t v)
{
    return (v - (v & 255)) / 256;
}

/* MIP-12: blends the texels c00, c10 (larger S), c01 (larger T), c11 of one channel. */
static uint8_t blend4(uint32_t c00, uint32_t c10, uint32_t c01, uint32_t c11, uint32_t fs, uint32_t ft)
{
    const uint32_t top = (c00 * (256u - fs)) + (c10 * fs);
    const uint32_t bottom = (c01 * (256u - fs)) + (c11 * fs);
    return (uint8_t)(((top * (256u - ft)) + (bottom * ft) + 32768u) >> 16);
}

/* MIP-11, MIP-12 */
static void sample_level(struct ref_gpu *gpu, const struct sampler *sampler, const struct ref_coordinates *coordinates,
                         uint8_t rgba[4])
{
    const int32_t u = fixed_coordinate(gpu, coordinates->s.value, sampler->level.width);
    const int32_t v = fixed_coordinate(gpu, coordinates->t.value, sampler->level.height);
    note_wrap(gpu, sampler->image->wrap_s, shift_right_8(u), sampler->level.width);
    note_wrap(gpu, sampler->image->wrap_t, shift_right_8(v), sampler->level.height);
    if (!sampler->linear) {
        fetch(gpu, sampler, wrap_s(sampler, shift_right_8(u)), wrap_t(sampler, shift_right_8(v)), rgba);
        finish_texel(gpu, sampler, 0, rgba);
        return;
    }
    const int32_t i = shift_right_8(u - 128);
    const int32_t j = shift_right_8(v - 128);
    const int32_t i0 = wrap_s(sampler, i), i1 = wrap_s(sampler, i + 1);
    const int32_t j0 = wrap_t(sampler, j), j1 = wrap_t(sampler, j + 1);
    const uint32_t fs = (uint32_t)(u - 128) & 255u;
    const uint32_t ft = (uint32_t)(v - 128) & 255u;
    uint8_t texels[4][4];
    fetch(gpu, sampler, i0, j0, texels[0]);
    fetch(gpu, sampler, i1, j0, texels[1]);
    fetch(gpu, sampler, i0, j1, texels[2]);
    fetch(gpu, sampler, i1, j1, texels[3]);
    for (uint32_t tap = 0; tap < 4; tap++)
        finish_texel(gpu, sampler, tap, texels[tap]);
    for (int c = 0; c < 4; c++)
        rgba[c] = blend4(texels[0][c], texels[1][c], texels[2][c], texels[3][c], fs, ft);
}

/* SDW-01, SDW-02, SDW-03, SDW-06: level 0 only, with the magnification filter bit. SDW-09: any format is compared. */
static void sample_shadow(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_coordinates *coordinates,
                          uint8_t rgba[4])
{
    const float depth = ref_saturate(ref_abs(coordinates->z), 0.0f, 1.0f) * 16777215.0f;
    struct sampler sampler = {
        .image = image,
        .linear = image->mag_linear,
        .shadow = true,
        .reference = (int32_t)depth - image->shadow_bias,
    };
    ref_image_level(image, coordinates->face, 0, &sampler.level);
    sample_level(gpu, &sampler, coordinates, rgba);
    ref_trace(gpu, PICA_TRACE_ID_TEXTURE_SHADOW, image->unit, (const uint32_t[]){ (uint32_t)sampler.reference }, 1);
}

/* MIP-07, MIP-08, MIP-09, MIP-10: the types without comparison. CUB-04: wrapping and filtering stay on the face. */
static void sample_color(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_coordinates *coordinates,
                         uint8_t rgba[4])
{
    const int32_t lod = ref_lod(coordinates, image->width, image->height) + image->lod_bias;
    int32_t clamped = lod > image->lod_lowest ? lod : image->lod_lowest; /* MIP-09 */
    clamped = clamped < image->lod_highest ? clamped : image->lod_highest;
    clamped = clamped > 0 ? clamped : 0;
    ref_trace(gpu, PICA_TRACE_ID_TEXTURE_LOD, image->unit, (const uint32_t[]){ (uint32_t)lod, (uint32_t)clamped }, 2);

    struct sampler sampler = { .image = image, .linear = lod > 0 ? image->min_linear : image->mag_linear };
    ref_feature(gpu, (lod > 0 ? PICA_FEATURE_MINIFIED : PICA_FEATURE_MAGNIFIED) + (sampler.linear ? 1u : 0u));
    const uint32_t level = (uint32_t)(image->mip_linear ? clamped : clamped + 128) / 256u;
    ref_image_level(image, coordinates->face, level, &sampler.level);
    ref_feature(gpu, PICA_FEATURE_LEVEL_READ + (level < 8u ? level : 7u));
    sample_level(gpu, &sampler, coordinates, rgba);
    if (!image->mip_linear || level == image->max_level) /* at the last level both samples are the same one */
        return;

    uint8_t second[4];
    ref_feature(gpu, PICA_FEATURE_LEVELS_BLENDED);
    const uint32_t f = (uint32_t)clamped & 255u;
    ref_image_level(image, coordinates->face, level + 1u, &sampler.level);
    sample_level(gpu, &sampler, coordinates, second);
    for (int c = 0; c < 4; c++)
        rgba[c] = (uint8_t)(((rgba[c] * (256u - f)) + (second[c] * f) + 128u) >> 8);
}

/* TEX-16: the results of the rows 1-5. */
static void early_result(struct ref_gpu *gpu, enum ref_unit_state state, uint8_t rgba[4])
{
    const bool opaque = state == REF_UNIT_NULL || state == REF_UNIT_ZERO_SIZE;
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = opaque ? 255 : 0;
    ref_event_if(gpu, state == REF_UNIT_DISABLED || state == REF_UNIT_TYPE_DISABLED, PICA_EVENT_TEX_DISABLED_READ);
}

static void trace_coordinates(const struct ref_gpu *gpu, const struct ref_image *image,
                              const struct ref_coordinates *coordinates)
{
    const float st[2] = { coordinates->s.value, coordinates->t.value };
    ref_trace_floats(gpu, PICA_TRACE_ID_TEXTURE_COORDINATE, image->unit, st, 2);
    if (is_cube(image->type))
        ref_trace(gpu, PICA_TRACE_ID_TEXTURE_FACE, image->unit, &coordinates->face, 1);
}

/*
 * TEX-30: memory does not change during a batch, so texels are read straight from it; framebuffer.c keeps what the
 * batch draws apart until it ends. TEX-90: none of the comparison knobs exists here.
 */
void ref_image_sample(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_fragment *fragment,
                      uint8_t rgba[4])
{
    ref_feature(gpu, PICA_FEATURE_UNIT_STATE + (uint32_t)image->state);
    if (image->state != REF_UNIT_LIVE) {
        early_result(gpu, image->state, rgba);
        return;
    }
    struct ref_coordinates coordinates;
    ref_feature(gpu, PICA_FEATURE_TEXTURE_FORMAT_READ + (uint32_t)image->format);
    ref_feature(gpu, PICA_FEATURE_TEXTURE_TYPE_READ + (uint32_t)image->type);
    ref_coordinates(fragment, image->set, image->type, image->no_division, &coordinates);
    ref_feature_if(gpu, is_cube(image->type), PICA_FEATURE_CUBE_FACE + coordinates.face);
    trace_coordinates(gpu, image, &coordinates);
    if (image->type == PICA_TEXTURE_TYPE_SHADOW_2D || image->type == PICA_TEXTURE_TYPE_SHADOW_CUBE)
        sample_shadow(gpu, image, &coordinates, rgba);
    else
        sample_color(gpu, image, &coordinates, rgba);
}
