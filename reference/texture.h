/*
 * The three image texture units, as decoded from their registers, and the calls between texture.c, texture_unit.c,
 * texture_coordinate.c, texture_texel.c and texture_etc.c.
 */
#ifndef REFERENCE_TEXTURE_H
#define REFERENCE_TEXTURE_H

#include "reference/interpolation.h"

#include "pica/enums.h"

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;

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

/* TEX-22: in the order of memory. */
uint32_t ref_texel_number(const struct ref_level *level, uint32_t col, uint32_t row);

/* TEX-22, TEX-23, TEX-24: the texel of column `col` and memory row `row`, inside the level; true: overflow (ETC-05). */
bool ref_texel(const struct ref_gpu *gpu, const struct ref_level *level, uint32_t col, uint32_t row, uint8_t rgba[4]);

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

/* ----------------------------------------------------------------------------------------------- units (texture.c) */

/* TEX-16: the state of an image unit: live, or the first row of that rule's table that applies. */
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
    bool shadow_linear;                        /* SDW-06 */
    bool shadow_is_strict;                     /* SDW-05, other side */
    int32_t minified_above;                    /* MIP-08: a greater lodb takes the minification filter */
    bool truncates;                            /* TEX-27, other side */
    bool shortcuts;                            /* shortcuts.h */
};

bool ref_is_cube(enum pica_texture_type type);

void ref_image_decode(const struct ref_gpu *gpu, uint32_t unit, struct ref_image *image);

/* MIP-01: level `level` <= Lmax of face `face` of a live image unit. */
void ref_image_level(const struct ref_image *image, uint32_t face, uint32_t level, struct ref_level *out);

/* TEX-10: the output R G B A of an image unit for one fragment. */
void ref_image_sample(struct ref_gpu *gpu, const struct ref_image *image, const struct ref_fragment *fragment,
                      uint8_t rgba[4]);

/*
 * TEX-31: byte range number `index` of image unit `unit` (0-2): [*address, *address + *size), modulo 2^32. Units have
 * one range, cube types of unit 0 six (index 0-5). False if the unit is not live (TEX-16) or has no such range; so
 * counting index up from 0 until false visits them all.
 */
bool ref_texture_range(const struct ref_gpu *gpu, uint32_t unit, uint32_t index, uint32_t *address, uint64_t *size);

/* Section 12 of file 40: the batch events of the image units. */
void ref_texture_events(struct ref_gpu *gpu);

#endif
