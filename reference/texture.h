/*
 * What the files of the shading stage share with each other, and with nobody else: the helper functions of TEX-02 that
 * number.h lacks, image units as decoded from their registers, and the calls between shading.c, texture.c,
 * texture_coordinate.c, texture_texel.c, texture_etc.c, proctex.c, lighting.c and combiner.c.
 *
 * Worked number: ref_max_first(-0.0, 0.0) is -0.0 and ref_max_first(NaN, 0.0) is NaN, where the saturation of number.h
 * gives +0.0 for both.
 */
#ifndef REFERENCE_TEXTURE_H
#define REFERENCE_TEXTURE_H

#include "pica/enums.h"
#include "reference/gpu.h"
#include "reference/number.h"
#include "reference/shading.h"

#include <stdbool.h>
#include <stdint.h>

/* --------------------------------------------------------------------------------------- numbers (TEX-01 to TEX-05) */

/*
 * TEX-02: MIN and MAX give their first operand for an unordered pair; CLAMP keeps a NaN. The other helpers are in
 * number.h, with the packed floats F16 and F20 (TEX-04). What a NaN holds beside being one never matters (TEX-03).
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

/* ---------------------------------------------------------------------------------------- texels (texture_texel.c) */

/* One level of one image in memory. */
struct ref_level {
    uint32_t number;
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

/* texture_etc.c. ETC-03, ETC-04, ETC-06: texel (x, y), each 0-3, of a colour block; true: ETC-05, base overflow. */
bool ref_etc1_color(uint64_t block, uint32_t x, uint32_t y, uint8_t rgb[3]);

/* texture_etc.c. ETC-02: alpha of texel (x, y) of the alpha block of an ETC1A4 block. */
uint8_t ref_etc1_alpha(uint64_t block, uint32_t x, uint32_t y);

/* ------------------------------------------------------------------------------ coordinates (texture_coordinate.c) */

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

enum {
    REF_LEVELS = 11 /* sizes are below 2048 (MIP-02) */
};

/* An image unit, 0-2, decoded. The members after `max_level` are those of a live unit. */
struct ref_image {
    uint32_t unit;
    enum ref_unit_state state;
    enum pica_texture_type type; /* always 2D for units 1 and 2, and for the reserved types (TEX-15, TEX-17) */
    uint32_t set;                /* texture coordinate set */
    uint32_t width, height;      /* of level 0 */
    enum pica_texture_format format;
    enum pica_texture_wrap wrap_s, wrap_t;
    uint32_t max_level;                 /* Lmax of MIP-02; 0 unless live */
    uint32_t faces[6];                  /* addresses (TEX-19, CUB-03); only the first unless the type is a cube type */
    uint32_t level_offsets[REF_LEVELS]; /* bytes from the face's address to level 0 .. Lmax (MIP-01) */
    uint8_t border[4];                  /* R G B A */
    bool mag_linear, min_linear, mip_linear;
    int32_t lod_bias, lod_lowest, lod_highest; /* in 1/256 (MIP-09) */
    bool no_division;                          /* SDW-01 */
    int32_t shadow_bias;                       /* SDW-03: 2 * field */
};

void ref_image_decode(const struct ref_gpu *gpu, uint32_t unit, struct ref_image *image);

/* MIP-01: level `level` <= Lmax of face `face` of a live image unit. */
void ref_image_level(const struct ref_image *image, uint32_t face, uint32_t level, struct ref_level *out);

/* TEX-10: the output R G B A of an image unit for one fragment. */
void ref_image_sample(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_fragment *fragment,
                      uint8_t rgba[4]);

/* Unit 3, decoded. */
struct ref_proctex {
    bool enabled;
    const struct pica_tables *tables;
    uint32_t set;                 /* texture coordinate set */
    uint32_t word0, word4, word5; /* 0A8, 0AC, 0AD */
    float amplitude_u, amplitude_v;
    float phase_u, phase_v;
    float frequency_u, frequency_v;
};

void ref_proctex_decode(const struct ref_gpu *gpu, struct ref_proctex *proctex);

/* proctex.c: the output of unit 3. */
void ref_proctex_sample(struct ref_gpu *gpu, const struct ref_proctex *proctex, const struct ref_fragment *fragment,
                        uint8_t rgba[4]);

/* ------------------------------------------------------------------------------------------------------ lighting.c */

struct ref_vector {
    float x, y, z;
};

/* The kinds of tables, in the order of their groups in 1D0-1D2 (LIT-20). */
enum ref_lut {
    REF_LUT_D0,
    REF_LUT_D1,
    REF_LUT_SP,
    REF_LUT_FR,
    REF_LUT_RB,
    REF_LUT_RG,
    REF_LUT_RR
};

/* How one kind of table is looked up (LIT-18 to LIT-21). */
struct ref_lookup {
    bool is_enabled;       /* LIT-07, LIT-08; for SP: available, whatever the lights say */
    const uint32_t *table; /* LIT-22; for SP: that of light 0 */
    enum pica_lut_input input;
    bool is_signed;
    float factor;
};

/* One light of a fragment, decoded. */
struct ref_light {
    struct ref_vector position, spot; /* LIT-04, LIT-15 */
    bool is_directional, is_two_sided;
    bool geometric_factor0, geometric_factor1;
    bool shadow_diffuse, shadow_specular;
    float specular0[3], specular1[3], diffuse[3], ambient[3]; /* LIT-03 */
    const uint32_t *attenuation_table;                        /* NULL: no attenuation (LIT-25) */
    float attenuation_bias, attenuation_scale;
    bool spot_enabled;
    const uint32_t *spot_table;
};

/* The lighting of a batch, decoded. */
struct ref_lighting {
    uint32_t light_count;
    struct ref_light lights[8];   /* in the order of their slots (LIT-32) */
    struct ref_lookup lookups[7]; /* by enum ref_lut */
    bool uses_half;               /* some enabled lookup asks for a cosine with H */
    bool has_cos_phi;             /* LIT-21 */
    float ambient[3];
    enum pica_bump_mode bump_mode;
    uint32_t bump_unit, shadow_unit;
    bool no_z_recalculation;
    bool shadow_enable, shadow_invert, shadow_alpha;
    bool clamp_highlights;
    bool fresnel_to_primary, fresnel_to_secondary;
};

/* ------------------------------------------------------------------------------------------------------ combiner.c */

/* What a combiner stage can select, by enum pica_tev_source (TEV-05): bytes R G B A. Reserved sources stay 0. */
struct ref_sources {
    uint8_t colors[16][4];
};

/* TEV-07, TEV-08: one channel of one operand: a byte of a source, or its complement. */
struct ref_operand {
    uint8_t byte;       /* of struct ref_sources: 4 * source + channel */
    uint8_t complement; /* 0 or 255; 255 - x is x ^ 255 for a byte */
};

/* One combiner stage, decoded. */
struct ref_stage {
    bool passes_through;               /* the output is that of the stage before */
    struct ref_operand operands[3][4]; /* [position][R G B A] */
    uint32_t operand_count;            /* positions that some formula of the stage reads */
    enum pica_tev_mode rgb_mode, alpha_mode;
    int32_t rgb_scale, alpha_scale; /* 1, 2, 4 */
    uint8_t constant[4];
    bool rgb_update, alpha_update; /* TEV-12 */
};

struct ref_combiner {
    struct ref_stage stages[6];
    uint8_t buffer[4];     /* TEV-12: at the beginning */
    uint32_t sources_read; /* TEV-17: bit i is set if some stage reads source i */
};

void ref_combiner_decode(const struct ref_gpu *gpu, struct ref_combiner *combiner);

/* TEV: the output of stage 5. `sources` has all but the constant, the buffer and the previous colour; it is used up. */
void ref_combine(const struct ref_gpu *gpu, const struct ref_combiner *combiner, struct ref_sources *sources,
                 uint8_t color[4]);

/* ------------------------------------------------------------------------------------------------------- shading.c */

/* TEX-32, LIT-01: everything that the fragments of a batch share. */
struct ref_shading {
    bool is_lit;
    uint32_t used_units; /* TEX-32: bit i is set if unit i is used; the others are not decoded */
    uint32_t needs;      /* REF_NEEDS_* */
    struct ref_image images[3];
    struct ref_proctex proctex;
    struct ref_lighting lighting; /* if is_lit */
    struct ref_combiner combiner;
    bool has_last; /* what the combiner made of the fragment before: */
    struct ref_sources last_sources;
    uint8_t last_color[4];
};

void ref_lighting_decode(const struct ref_gpu *gpu, struct ref_lighting *lighting);

/* LIT: from the fragment and the colours of the texture units to the two lighting colours. */
void ref_light(const struct ref_gpu *gpu, const struct ref_lighting *lighting, const struct ref_fragment *fragment,
               struct ref_sources *sources);

#endif
