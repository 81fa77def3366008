/* An image unit (spec 40) as the kernels see it: formats are decoded, addresses are indices of texels. */
#ifndef FAST_DRAW_TEXTURE_DECODE_H
#define FAST_DRAW_TEXTURE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

struct fast_gpu;
struct fast_image;

enum {
    FAST_TEXTURE_LEVELS = 11, /* MIP-02: floor(log2(2047)) + 1 */
    FAST_TEXTURE_FACES = 6,
    FAST_IMAGE_UNITS = 3
};

/* How a unit gets its colour (TEX-16, TEX-17). */
enum fast_unit_kind {
    FAST_UNIT_CONSTANT, /* an early result of TEX-16, or the unit is not used (TEX-32) */
    FAST_UNIT_2D,
    FAST_UNIT_PROJECTION,
    FAST_UNIT_CUBE,
    FAST_UNIT_SHADOW_2D,
    FAST_UNIT_SHADOW_CUBE
};

/*
 * Decoded texels are words R | G << 8 | B << 16 | A << 24 in the arena of the texture cache, addressed by word index.
 * A dense level is linear in (t, s): index = base + t * pitch + s; t = 0 is the last row in memory (TEX-21).
 * A sparse level (of a huge texture most of whose bytes are outside the windows) has one word per 8x8 tile: index =
 * arena[base + tile number] + row_in_tile * 8 + column_in_tile, with rows counted as in memory.
 */
struct fast_texture_unit {
    enum fast_unit_kind kind;
    uint32_t number;     /* 0-2 */
    uint32_t constant;   /* FAST_UNIT_CONSTANT: the colour */
    uint32_t coordinate; /* which texture coordinate, 0-2 (TEX-12) */
    uint32_t wrap_s, wrap_t;
    uint32_t border; /* as a texel */
    bool has_border; /* some wrap mode can give the border colour */

    const uint32_t *arena;
    uint32_t face_count; /* 0 = FAST_UNIT_CONSTANT */
    struct fast_image *images[FAST_TEXTURE_FACES];
    const struct fast_gpu *gpu; /* memory that images are decoded from */
    bool lazy;                  /* texels must be requested before they are read (texture_lanes.h) */
    bool sparse;
    bool power_of_two; /* every level has power-of-two sizes in both directions */
    uint32_t base[FAST_TEXTURE_FACES][FAST_TEXTURE_LEVELS];
    uint32_t pitch[FAST_TEXTURE_LEVELS];      /* dense: words per row; sparse: tiles per row (TEX-22) */
    uint32_t width[FAST_TEXTURE_LEVELS];      /* Wl */
    uint32_t height[FAST_TEXTURE_LEVELS];     /* Hl */
    float width_f32[FAST_TEXTURE_LEVELS];     /* (f32)Wl */
    float height_f32[FAST_TEXTURE_LEVELS];    /* (f32)Hl */
    uint32_t wrap_width[FAST_TEXTURE_LEVELS]; /* WRP-08: 2^32 mod N, N = Wl, or 2 Wl for mirrored repeat */
    uint32_t wrap_height[FAST_TEXTURE_LEVELS];

    bool linear_magnify, linear_minify; /* MIP-08 */
    bool linear_mip;                    /* MIP-10 */
    bool needs_lod;                     /* the filter or the level depends on the fragment */
    int32_t lod_bias;                   /* MIP-07 */
    int32_t lod_min, lod_max;           /* MIP-09: 256 * min level, 256 * Lmax */

    int32_t shadow_bias; /* SDW-03 */
    bool shadow_divides; /* SDW-01: register 08B bit 0 is 0 */
};

#endif
