/*
 * The three image texture units. A unit turns the coordinates of a fragment into one RGBA8 colour: it picks a mipmap
 * level (texture_coordinate.c), turns coordinates into fixed point with 8 fraction bits, wraps the texel indices, and
 * takes the nearest texel or blends four with 8-bit weights. Shadow maps compare each texel with a depth first and
 * blend the results. The picture is stored upside down: t = 0 is the last row in memory (TEX-21). Unit 3 is in
 * proctex.c.
 *
 * Every input has a stated result: disabled units, zero sizes, reserved formats, coordinates that are NaN.
 *
 * Worked number: S = 0.3 on a level 16 texels wide gives U = floor(0.3 * 16 * 256) = 1228, so the nearest texel is 4;
 * for linear filtering U - 128 = 1100: texels 4 and 5 with weights 180 and 76 of 256 (TEX-29, MIP-13, MIP-16).
 */
#include "reference/texture.h"

#include "reference/gpu.h"
#include "reference/number.h"
#include "reference/shortcuts.h"
#include "reference/trace.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- wrapping */

/* WRP-02, WRP-08: repeat works on the 32-bit pattern of a negative index. */
static int32_t repeat(int32_t i, int32_t n, bool shortcuts)
{
    return (int32_t)ref_modulo((uint32_t)i, (uint32_t)n, shortcuts);
}

/* WRP-03 */
static int32_t mirror(int32_t i, int32_t n, bool shortcuts)
{
    const int32_t m = repeat(i, 2 * n, shortcuts);
    return m < n ? m : (2 * n) - 1 - m;
}

/* WRP-00 to WRP-07 (examples: WRP-10): index i on n texels; -1 means border. */
static int32_t wrap(enum pica_texture_wrap mode, int32_t i, int32_t n, bool shortcuts)
{
    switch (mode) {
    case PICA_TEXTURE_WRAP_CLAMP_TO_EDGE: return i < 0 ? 0 : i >= n ? n - 1 : i;
    case PICA_TEXTURE_WRAP_CLAMP_TO_BORDER: return i < 0 || i >= n ? -1 : i; /* WRP-01 */
    case PICA_TEXTURE_WRAP_REPEAT: return repeat(i, n, shortcuts);
    case PICA_TEXTURE_WRAP_MIRRORED_REPEAT: return mirror(i, n, shortcuts);
    case PICA_TEXTURE_WRAP_REPEAT_EDGE: return i < 0 ? repeat(i, n, shortcuts) : i >= n ? n - 1 : i; /* WRP-04 */
    case PICA_TEXTURE_WRAP_REPEAT_BORDER: return i < 0 ? repeat(i, n, shortcuts) : i >= n ? -1 : i;  /* WRP-05 */
    case PICA_TEXTURE_WRAP_REPEAT_6:
    case PICA_TEXTURE_WRAP_REPEAT_7:
    default: return repeat(i, n, shortcuts); /* WRP-06; the field has three bits */
    }
}

/* ------------------------------------------------------------------------------------------------------- one level */

/* How one fragment samples one level. */
struct sampler {
    const struct ref_image *image;
    struct ref_level level;
    bool linear;       /* MIP-12, else MIP-11 */
    bool shadow;       /* each texel is compared (SDW-05) */
    int32_t reference; /* zi of SDW-03 */
};

/* The result. */
struct level_sample {
    int32_t u, v;         /* in 1/256 texels */
    bool is_out_of_range; /* TEX-28: a coordinate was limited */
    bool has_overflow;    /* ETC-05 */
    uint8_t texels[4][4]; /* before they were compared; taps are those of MIP-12, the nearest filter has tap 0 */
};

static const float COORDINATE_LIMIT = 1073741824.0f; /* TEX-28: 2^30 */

/* TEX-27: a coordinate in 1/256 texels of a level that is `size` texels wide. */
static float in_256ths(float coordinate, uint32_t size)
{
    return (coordinate * (float)size) * 256.0f;
}

/* TEX-28: the floor, between the limits. */
static int32_t fixed_coordinate(float product)
{
    const float limited = ref_saturate(product, -COORDINATE_LIMIT, COORDINATE_LIMIT);
    const int32_t whole = (int32_t)limited;
    return (float)whole > limited ? whole - 1 : whole;
}

static bool is_out_of_range(float product)
{
    return !(ref_abs(product) < COORDINATE_LIMIT);
}

/* TEX-05: v >> 8, arithmetic. */
static int32_t shift_right_8(int32_t v)
{
    return (v - (v & 255)) / 256;
}

static int32_t wrap_s(const struct sampler *sampler, int32_t i)
{
    return wrap(sampler->image->wrap_s, i, (int32_t)sampler->level.width, sampler->image->shortcuts);
}

static int32_t wrap_t(const struct sampler *sampler, int32_t j)
{
    return wrap(sampler->image->wrap_t, j, (int32_t)sampler->level.height, sampler->image->shortcuts);
}

/*
 * WRP-09, TEX-21: the texel of wrapped indices; the border is decided for each. SDW-07: also for shadow textures.
 * True if the base of its ETC1 block overflowed.
 */
static bool fetch(const struct ref_gpu *gpu, const struct sampler *sampler, int32_t col, int32_t t, uint8_t rgba[4])
{
    const struct ref_level *level = &sampler->level;
    if (col >= 0 && t >= 0)
        return ref_texel(gpu, level, (uint32_t)col, level->height - 1u - (uint32_t)t, rgba);
    memcpy(rgba, sampler->image->border, 4);
    return false;
}

/* SDW-04, SDW-05: the depth in a texel is at least the reference. */
static bool is_lit(const struct sampler *sampler, const uint8_t texel[4])
{
    const int32_t stored = (int32_t)(((uint32_t)texel[3] << 16) | ((uint32_t)texel[2] << 8) | texel[1]);
    return sampler->image->shadow_is_strict ? stored > sampler->reference : stored >= sampler->reference;
}

/* SDW-05, SDW-08: channel c of the sample value of a texel; all are alike if it is compared. Example: SDW-10. */
static uint32_t sample_value(const struct sampler *sampler, const uint8_t texel[4], int c)
{
    if (!sampler->shadow)
        return texel[c];
    return is_lit(sampler, texel) ? texel[0] : 0u;
}

/* MIP-12: blends the texels c00, c10 (larger S), c01 (larger T), c11 of one channel. */
static uint8_t blend4(uint32_t c00, uint32_t c10, uint32_t c01, uint32_t c11, uint32_t fs, uint32_t ft)
{
    const uint32_t top = (c00 * (256u - fs)) + (c10 * fs);
    const uint32_t bottom = (c01 * (256u - fs)) + (c11 * fs);
    return (uint8_t)(((top * (256u - ft)) + (bottom * ft) + 32768u) >> 16);
}

/* TEX-27, knob P2: the nearest texel, toward 0. */
static int32_t truncated_index(float coordinate, uint32_t size)
{
    const float product = coordinate * (float)size;
    return product > -2147483648.0f && product < 2147483648.0f ? (int32_t)product : INT32_MIN;
}

/* MIP-11 */
static void sample_nearest(const struct ref_gpu *gpu, const struct sampler *sampler,
                           const struct ref_coordinates *coordinates, struct level_sample *sample, uint8_t rgba[4])
{
    int32_t i = shift_right_8(sample->u), j = shift_right_8(sample->v);
    const uint8_t *const texel = sample->texels[0];
    if (sampler->image->truncates) {
        i = truncated_index(coordinates->s.value, sampler->level.width);
        j = truncated_index(coordinates->t.value, sampler->level.height);
    }
    sample->has_overflow = fetch(gpu, sampler, wrap_s(sampler, i), wrap_t(sampler, j), sample->texels[0]);
    for (int c = 0; c < 4; c++)
        rgba[c] = (uint8_t)sample_value(sampler, texel, c);
}

/* MIP-12: the first of the two texels that a coordinate lies between. */
static int32_t lower_index(int32_t u)
{
    return shift_right_8(u - 128);
}

/* MIP-12 */
static void sample_linear(const struct ref_gpu *gpu, const struct sampler *sampler, struct level_sample *sample,
                          uint8_t rgba[4])
{
    const int32_t i = lower_index(sample->u), j = lower_index(sample->v);
    const int32_t i01[2] = { wrap_s(sampler, i), wrap_s(sampler, i + 1) };
    const int32_t j01[2] = { wrap_t(sampler, j), wrap_t(sampler, j + 1) };
    const uint32_t fs = (uint32_t)(sample->u - 128) & 255u;
    const uint32_t ft = (uint32_t)(sample->v - 128) & 255u;
    for (int tap = 0; tap < 4; tap++)
        sample->has_overflow |= fetch(gpu, sampler, i01[tap % 2], j01[tap / 2], sample->texels[tap]);
    for (int c = 0; c < 4; c++)
        rgba[c] =
            blend4(sample_value(sampler, sample->texels[0], c), sample_value(sampler, sample->texels[1], c),
                   sample_value(sampler, sample->texels[2], c), sample_value(sampler, sample->texels[3], c), fs, ft);
}

static void sample_level(const struct ref_gpu *gpu, const struct sampler *sampler,
                         const struct ref_coordinates *coordinates, struct level_sample *sample, uint8_t rgba[4])
{
    const float s = in_256ths(coordinates->s.value, sampler->level.width);
    const float t = in_256ths(coordinates->t.value, sampler->level.height);
    sample->u = fixed_coordinate(s);
    sample->v = fixed_coordinate(t);
    sample->is_out_of_range = is_out_of_range(s) || is_out_of_range(t);
    sample->has_overflow = false;
    if (sampler->linear)
        sample_linear(gpu, sampler, sample, rgba);
    else
        sample_nearest(gpu, sampler, coordinates, sample, rgba);
}

/* ---------------------------------------------------------------------------------------------- levels of an image */

/* How a fragment samples the levels of an image (MIP-07 to MIP-10). */
struct choice {
    int32_t lod, limited; /* lodb and lodc of MIP-09, in 1/256 levels */
    bool linear;          /* within a level */
    uint32_t level;
    bool has_second; /* level + 1 is mixed in, `fraction` / 256 of it */
    uint32_t fraction;
};

/* MIP-07, MIP-08, MIP-09, MIP-10. At the last level both samples would be the same one. */
static struct choice choose_levels(const struct ref_image *image, const struct ref_coordinates *coordinates)
{
    const int32_t lod = ref_lod(coordinates, image->width, image->height) + image->lod_bias;
    int32_t limited = lod > image->lod_lowest ? lod : image->lod_lowest; /* MIP-09 */
    limited = limited < image->lod_highest ? limited : image->lod_highest;
    limited = limited > 0 ? limited : 0;
    const uint32_t level = (uint32_t)(image->mip_linear ? limited : limited + 128) / 256u;
    const struct choice choice = {
        .lod = lod,
        .limited = limited,
        .linear = lod > image->minified_above ? image->min_linear : image->mag_linear,
        .level = level,
        .has_second = image->mip_linear && level != image->max_level,
        .fraction = (uint32_t)limited & 255u,
    };
    return choice;
}

static void mix_levels(uint8_t rgba[4], const uint8_t second[4], uint32_t f)
{
    for (int c = 0; c < 4; c++)
        rgba[c] = (uint8_t)(((rgba[c] * (256u - f)) + (second[c] * f) + 128u) >> 8);
}

/* SDW-01, SDW-02, SDW-03, SDW-06: level 0 only. SDW-09: any format is compared. SDW-05: a strict one is at least 0. */
static struct sampler shadow_sampler(const struct ref_image *image, const struct ref_coordinates *coordinates)
{
    const float depth = ref_saturate(ref_abs(coordinates->z), 0.0f, 1.0f) * 16777215.0f;
    struct sampler sampler = {
        .image = image,
        .linear = image->shadow_linear,
        .shadow = true,
        .reference = (int32_t)depth - image->shadow_bias,
    };
    if (image->shadow_is_strict && sampler.reference < 0)
        sampler.reference = 0;
    ref_image_level(image, coordinates->face, 0, &sampler.level);
    return sampler;
}

/* TEX-16: the results of the rows 1-5. */
static void early_result(const struct ref_gpu *gpu, enum ref_unit_state state, uint8_t rgba[4])
{
    const bool opaque = (state == REF_UNIT_NULL && ref_takes(gpu, PICA_SIDE_NULL_TEXTURE_OPAQUE)) ||
                        (state == REF_UNIT_ZERO_SIZE && ref_takes(gpu, PICA_SIDE_SIZE_0_TEXTURE_OPAQUE));
    rgba[0] = rgba[1] = rgba[2] = 0;
    rgba[3] = opaque ? 255 : 0;
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* Which side of the texture an index is on. */
static void record_wrap(const struct ref_gpu *gpu, enum pica_texture_wrap mode, int32_t i, uint32_t n)
{
    const uint32_t side = i < 0             ? PICA_FEATURE_WRAP_BELOW
                          : (uint32_t)i < n ? PICA_FEATURE_WRAP_INSIDE
                                            : PICA_FEATURE_WRAP_ABOVE;
    ref_feature(gpu, side + (uint32_t)mode);
}

static const char *rule_of_wrap(enum pica_texture_wrap mode)
{
    static const char *const rules[8] = {
        "WRP-00", "WRP-01", "WRP-02", "WRP-03", "WRP-04", "WRP-05", "WRP-06", "WRP-06"
    };
    return rules[(uint32_t)mode & 7u];
}

/* The wrapped indices of a tap, and the number of its texel. */
static void record_place(const struct ref_gpu *gpu, const struct sampler *sampler, const struct level_sample *sample,
                         uint32_t tap, uint32_t index)
{
    const bool linear = sampler->linear;
    const int32_t u = linear ? lower_index(sample->u) : shift_right_8(sample->u);
    const int32_t v = linear ? lower_index(sample->v) : shift_right_8(sample->v);
    const int32_t i = wrap_s(sampler, u + (int32_t)(tap % 2u)), j = wrap_t(sampler, v + (int32_t)(tap / 2u));
    const uint32_t whole[2] = { (uint32_t)u, (uint32_t)v };
    ref_trace_rule(gpu, linear ? "MIP-12" : "MIP-11", index, whole, 2);
    ref_trace_rule(gpu, rule_of_wrap(sampler->image->wrap_s), 2u * index, (const uint32_t[]){ (uint32_t)i }, 1);
    ref_trace_rule(gpu, rule_of_wrap(sampler->image->wrap_t), 2u * index + 1u, (const uint32_t[]){ (uint32_t)j }, 1);
    if (i >= 0 && j >= 0) {
        const uint32_t row = sampler->level.height - 1u - (uint32_t)j;
        ref_trace_rule(gpu, "TEX-22", index, (const uint32_t[]){ ref_texel_number(&sampler->level, (uint32_t)i, row) },
                       1);
    }
}

static void record_texel(const struct ref_gpu *gpu, const struct sampler *sampler, const uint8_t texel[4],
                         uint32_t index)
{
    const enum pica_texture_format format = sampler->level.format;
    const uint32_t values[4] = { texel[0], texel[1], texel[2], texel[3] };
    if (format == PICA_TEXTURE_FORMAT_ETC1 || format == PICA_TEXTURE_FORMAT_ETC1A4) {
        ref_trace_rule(gpu, "ETC-02", index, &values[3], 1);
        ref_trace_rule(gpu, "ETC-06", index, values, 3);
    }
    if (format == PICA_TEXTURE_FORMAT_I4 || format == PICA_TEXTURE_FORMAT_A4)
        ref_trace_rule(gpu, "TEX-24", index, values, 4);
    ref_trace_color(gpu, PICA_TRACE_ID_TEXTURE_TEXEL, index, texel);
}

static void record_level(const struct ref_gpu *gpu, const struct sampler *sampler, const struct level_sample *sample,
                         const uint8_t rgba[4])
{
    const uint32_t level = sampler->image->unit * 16u + sampler->level.number;
    const uint32_t place[3] = { sampler->level.address, sampler->level.width, sampler->level.height };
    record_wrap(gpu, sampler->image->wrap_s, shift_right_8(sample->u), sampler->level.width);
    record_wrap(gpu, sampler->image->wrap_t, shift_right_8(sample->v), sampler->level.height);
    ref_trace_rule(gpu, sampler->level.number == 0 ? "TEX-19" : "MIP-01", level, place, 3);
    ref_trace_rule(gpu, "TEX-28", level, (const uint32_t[]){ (uint32_t)sample->u, (uint32_t)sample->v }, 2);
    for (uint32_t tap = 0; tap < (sampler->linear ? 4u : 1u); tap++) {
        const bool lit = sampler->shadow && is_lit(sampler, sample->texels[tap]);
        ref_feature_if(gpu, sampler->shadow, lit ? PICA_FEATURE_SHADOW_LIT : PICA_FEATURE_SHADOW_DARK);
        record_place(gpu, sampler, sample, tap, level * 4u + tap);
        record_texel(gpu, sampler, sample->texels[tap], level * 4u + tap);
        ref_trace_rule(gpu, "SDW-05", level * 4u + tap, (const uint32_t[]){ sampler->shadow, lit }, 2);
    }
    ref_trace_rule(gpu, sampler->linear ? "MIP-12" : "MIP-11", 4096u + level,
                   (const uint32_t[]){ rgba[0], rgba[1], rgba[2], rgba[3] }, 4);
}

static void record_choice(const struct ref_gpu *gpu, const struct ref_image *image,
                          const struct ref_coordinates *coordinates, const struct choice *choice)
{
    const uint32_t lod = (uint32_t)ref_lod(coordinates, image->width, image->height);
    ref_trace_rule(gpu, "MIP-05", image->unit, &lod, 1);
    const uint32_t range = choice->lod > 0 ? PICA_FEATURE_MINIFIED : PICA_FEATURE_MAGNIFIED;
    ref_feature(gpu, range + (choice->linear ? 1u : 0u));
    ref_feature(gpu, PICA_FEATURE_LEVEL_READ + (choice->level < 8u ? choice->level : 7u));
    ref_feature_if(gpu, choice->has_second, PICA_FEATURE_LEVELS_BLENDED);
    const uint32_t lods[2] = { (uint32_t)choice->lod, (uint32_t)choice->limited };
    ref_trace(gpu, PICA_TRACE_ID_TEXTURE_LOD, image->unit, lods, 2);
    ref_trace_rule(gpu, "MIP-08", image->unit, (const uint32_t[]){ choice->linear }, 1);
    ref_trace_rule(gpu, "MIP-10", image->unit,
                   (const uint32_t[]){ choice->level, choice->has_second, choice->has_second ? choice->fraction : 0 },
                   3);
}

static const char *rule_of_type(enum pica_texture_type type)
{
    return ref_is_cube(type)                      ? "CUB-02"
           : type == PICA_TEXTURE_TYPE_SHADOW_2D  ? "SDW-01"
           : type == PICA_TEXTURE_TYPE_PROJECTION ? "TEX-26"
                                                  : "TEX-12";
}

/* How fast the texture coordinates and what is sampled with change from pixel to pixel. */
static void record_slopes(const struct ref_gpu *gpu, const struct ref_image *image, const struct ref_fragment *fragment,
                          const struct ref_coordinates *coordinates)
{
    const struct ref_slope u = ref_coordinate(fragment, image->set, 0), v = ref_coordinate(fragment, image->set, 1);
    const struct ref_slope *const s = &coordinates->s, *const t = &coordinates->t;
    if (image->type == PICA_TEXTURE_TYPE_SHADOW_2D || image->type == PICA_TEXTURE_TYPE_SHADOW_CUBE)
        return;
    ref_trace_rule_floats(gpu, "MIP-03", image->unit, (const float[]){ u.x, u.y, v.x, v.y }, 4);
    ref_trace_rule_floats(gpu, ref_is_cube(image->type) ? "CUB-05" : "MIP-04", image->unit,
                          (const float[]){ s->x, s->y, t->x, t->y }, 4);
}

static void record_coordinates(const struct ref_gpu *gpu, const struct ref_image *image,
                               const struct ref_fragment *fragment, const struct ref_coordinates *coordinates)
{
    const float st[2] = { coordinates->s.value, coordinates->t.value };
    if (ref_is_cube(image->type))
        ref_trace_rule(gpu, "CUB-01", image->unit, &coordinates->face, 1);
    ref_trace_rule_floats(gpu, rule_of_type(image->type), image->unit, st, 2);
    record_slopes(gpu, image, fragment, coordinates);
    ref_feature(gpu, PICA_FEATURE_TEXTURE_FORMAT_READ + (uint32_t)image->format);
    ref_feature(gpu, PICA_FEATURE_TEXTURE_TYPE_READ + (uint32_t)image->type);
    ref_trace_floats(gpu, PICA_TRACE_ID_TEXTURE_COORDINATE, image->unit, st, 2);
    if (!ref_is_cube(image->type))
        return;
    ref_feature(gpu, PICA_FEATURE_CUBE_FACE + coordinates->face);
    ref_trace(gpu, PICA_TRACE_ID_TEXTURE_FACE, image->unit, &coordinates->face, 1);
}

static void record_reference(const struct ref_gpu *gpu, const struct sampler *sampler)
{
    ref_trace(gpu, PICA_TRACE_ID_TEXTURE_SHADOW, sampler->image->unit,
              (const uint32_t[]){ (uint32_t)sampler->reference }, 1);
}

static void record_unit(const struct ref_gpu *gpu, const struct ref_image *image, const uint8_t rgba[4])
{
    ref_feature(gpu, PICA_FEATURE_UNIT_STATE + (uint32_t)image->state);
    ref_trace_color(gpu, PICA_TRACE_ID_TEXTURE_COLOR, image->unit, rgba);
}

/* ----------------------------------------------------------------------------------------------------------- order */

static void take_level(struct ref_gpu *gpu, const struct sampler *sampler, const struct ref_coordinates *coordinates,
                       uint8_t rgba[4])
{
    struct level_sample sample;
    sample_level(gpu, sampler, coordinates, &sample, rgba);
    ref_event_if(gpu, sample.is_out_of_range, PICA_EVENT_TEXCOORD_RANGE);
    ref_event_if(gpu, sample.has_overflow, PICA_EVENT_ETC_DIFF_OVERFLOW);
    if (gpu->is_watched)
        record_level(gpu, sampler, &sample, rgba);
}

static void sample_shadow(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_coordinates *coordinates,
                          uint8_t rgba[4])
{
    const struct sampler sampler = shadow_sampler(image, coordinates);
    if (gpu->is_watched)
        ref_trace_rule(gpu, "SDW-03", image->unit, (const uint32_t[]){ (uint32_t)sampler.reference }, 1);
    take_level(gpu, &sampler, coordinates, rgba);
    if (gpu->is_watched)
        record_reference(gpu, &sampler);
}

/* The types without comparison. CUB-04: wrapping and filtering stay on the face. */
static void sample_color(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_coordinates *coordinates,
                         uint8_t rgba[4])
{
    const struct choice choice = choose_levels(image, coordinates);
    struct sampler sampler = { .image = image, .linear = choice.linear };
    if (gpu->is_watched)
        record_choice(gpu, image, coordinates, &choice);
    ref_image_level(image, coordinates->face, choice.level, &sampler.level);
    take_level(gpu, &sampler, coordinates, rgba);
    if (!choice.has_second)
        return;
    uint8_t second[4];
    ref_image_level(image, coordinates->face, choice.level + 1u, &sampler.level);
    take_level(gpu, &sampler, coordinates, second);
    mix_levels(rgba, second, choice.fraction);
}

static void sample_live(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_fragment *fragment,
                        uint8_t rgba[4])
{
    struct ref_coordinates coordinates;
    ref_coordinates(fragment, image->set, image->type, image->no_division, &coordinates);
    if (gpu->is_watched)
        record_coordinates(gpu, image, fragment, &coordinates);
    if (image->type == PICA_TEXTURE_TYPE_SHADOW_2D || image->type == PICA_TEXTURE_TYPE_SHADOW_CUBE)
        sample_shadow(gpu, image, &coordinates, rgba);
    else
        sample_color(gpu, image, &coordinates, rgba);
}

/* TEX-90: the knobs of that rule are sides of choices in pica/splits.def. */
void ref_image_sample(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_fragment *fragment,
                      uint8_t rgba[4])
{
    const bool is_disabled = image->state == REF_UNIT_DISABLED || image->state == REF_UNIT_TYPE_DISABLED;
    if (gpu->is_watched)
        ref_trace_rule(gpu, "TEX-16", image->unit, (const uint32_t[]){ (uint32_t)image->state }, 1);
    if (image->state == REF_UNIT_LIVE)
        sample_live(gpu, image, fragment, rgba);
    else
        early_result(gpu, image->state, rgba);
    ref_event_if(gpu, is_disabled, PICA_EVENT_TEX_DISABLED_READ);
    if (gpu->is_watched)
        record_unit(gpu, image, rgba);
}
