/*
 * What the files of the shading stage share with each other, and with nobody else: the helper functions of TEX-02 that
 * numbers.h lacks, image units as decoded from their registers, and the calls between shading.c, texture.c,
 * texcoord.c, texel.c, etc1.c, proctex.c, lighting.c and combiner.c.
 *
 * Worked number: ref_max_first(-0.0, 0.0) is -0.0 and ref_max_first(NaN, 0.0) is NaN, where the saturation of numbers.h
 * gives +0.0 for both.
 */
#ifndef REFERENCE_TEXTURE_H
#define REFERENCE_TEXTURE_H

#include "pica/enums.h"
#include "reference/gpu.h"
#include "reference/numbers.h"
#include "reference/shading.h"

#include <stdbool.h>
#include <stdint.h>

/* --------------------------------------------------------------------------------------- numbers (TEX-01 to TEX-05) */

/*
 * TEX-02: MIN and MAX give their first operand for an unordered pair; CLAMP keeps a NaN. The other helpers are in
 * numbers.h, with the packed floats F16 and F20 (TEX-04). What a NaN holds beside being one never matters (TEX-03).
 */
static inline float ref_min_first(float a, float b)
{
    return b < a ? b : a;
}

static inline float ref_max_first(float a, float b)
{
    return a < b ? b : a;
}

static inline float ref_clamp_nan(float value, float low, float high)
{
    if (value < low)
        return low;
    return high < value ? high : value;
}

/* MIP-05, PTX-23: g(p, q), which gives its second operand for an unordered pair. */
static inline float ref_greater(float p, float q)
{
    return p > q ? p : q;
}

/* ------------------------------------------------------------------------------------------------ texels (texel.c) */

/* One level of one image in memory. */
struct ref_level {
    enum pica_texture_format format;
    uint32_t address;
    uint32_t width, height;
};

/* TEX-22. x and y are 0-7. */
uint32_t ref_texel_morton(uint32_t x, uint32_t y);

/* TEX-23: 0 for the reserved formats. */
uint32_t ref_texel_bits(enum pica_texture_format format);

/* TEX-22, TEX-23, TEX-24: the texel of column `col` and memory row `row`, inside the level. Class R event: ETC-05. */
void ref_texel(struct ref_gpu *gpu, const struct ref_level *level, uint32_t col, uint32_t row, uint8_t rgba[4]);

/* etc1.c. ETC-03, ETC-04, ETC-06: texel (x, y), each 0-3, of a colour block; true if its base overflowed (ETC-05). */
bool ref_etc1_color(uint64_t block, uint32_t x, uint32_t y, uint8_t rgb[3]);

/* etc1.c. ETC-02: alpha of texel (x, y) of the alpha block of an ETC1A4 block. */
uint8_t ref_etc1_alpha(uint64_t block, uint32_t x, uint32_t y);

/* ---------------------------------------------------------------------------------------- coordinates (texcoord.c) */

/* An interpolated value and its derivatives: to the right (x) and up (y). */
struct ref_slope {
    float value;
    float x, y;
};

/* Where a unit samples: 2D coordinates (S, T) on one image, with their derivatives. */
struct ref_coordinates {
    struct ref_slope s, t;
    uint32_t face; /* 0-5 in the order +X -X +Y -Y +Z -Z; 0 unless the type is a cube type */
    float z;       /* Z of CUB-01, for SDW-02; w0 for the other types (SDW-01) */
};

/* TEX-08, MIP-03: component 0-2 (u v w; w of set 0 only) of texture coordinate set 0-2. */
struct ref_slope ref_coordinate(const struct ref_fragment *fragment, uint32_t set, uint32_t component);

/* TEX-26, MIP-04, CUB, SDW-01: (S, T) of a fragment for an image unit of this type that uses this set. */
void ref_coordinates(const struct ref_fragment *fragment, uint32_t set, enum pica_texture_type type, bool no_division,
                     struct ref_coordinates *coordinates);

/* MIP-06: logarithm with 8 fraction bits of a footprint in texels. */
int32_t ref_footprint_lod(float footprint);

/* MIP-05, MIP-06: level of detail of coordinates on an image whose level 0 has this size. */
int32_t ref_lod(const struct ref_coordinates *coordinates, uint32_t width, uint32_t height);

/* ------------------------------------------------------------------------------------------- units (texture.c) */

/* TEX-16: what the registers say of an image unit: live, or the row that applies first. */
enum ref_unit_state {
    REF_UNIT_LIVE,
    REF_UNIT_DISABLED,
    REF_UNIT_NULL,
    REF_UNIT_TYPE_DISABLED,
    REF_UNIT_ZERO_SIZE,
    REF_UNIT_FORMAT_RESERVED
};

/* An image unit (0-2), decoded. */
struct ref_image {
    enum ref_unit_state state;
    enum pica_texture_type type; /* always 2D for units 1 and 2, and for the reserved types (TEX-15, TEX-17) */
    uint32_t set;                /* texture coordinate set */
    uint32_t width, height;      /* of level 0 */
    enum pica_texture_format format;
    enum pica_texture_wrap wrap_s, wrap_t;
    uint32_t border;    /* register word */
    uint32_t parameter; /* register word: filters */
    uint32_t max_level; /* Lmax of MIP-02; 0 unless live */
};

void ref_image_decode(const struct ref_gpu *gpu, uint32_t unit, struct ref_image *image);

/* MIP-01: level `level` <= Lmax of face `face` of a live image unit. */
void ref_image_level(const struct ref_gpu *gpu, uint32_t unit, const struct ref_image *image, uint32_t face,
                     uint32_t level, struct ref_level *out);

/* TEX-10: the output R G B A of image unit 0-2 for one fragment. */
void ref_image_sample(struct ref_gpu *gpu, uint32_t unit, const struct ref_fragment *fragment, uint8_t rgba[4]);

/* proctex.c: the output of unit 3. */
void ref_proctex_sample(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t rgba[4]);

/* ---------------------------------------------------------------------------- lighting.c, combiner.c, shading.c */

/* Everything a combiner stage can select beside its constant, the buffer and the previous stage. Bytes R G B A. */
struct ref_sources {
    uint8_t primary[4];
    uint8_t lighting[2][4]; /* fragment lighting primary, secondary */
    uint8_t texture[4][4];  /* unused units (TEX-32): zeros */
};

/* LIT: fills sources->lighting from the fragment and sources->texture. Only called when LIT-01 says lighting is on. */
void ref_light(const struct ref_gpu *gpu, const struct ref_fragment *fragment, struct ref_sources *sources);

/* TEV: the output of stage 5. */
void ref_combine(const struct ref_gpu *gpu, const struct ref_sources *sources, uint8_t color[4]);

/* TEV-17: bit i is set if some stage reads texture unit i. */
uint32_t ref_combiner_units(const struct ref_gpu *gpu);

#endif
