/*
 * Fragment shading: texture units, lighting, combiner, fog (docs/spec 40 and 50).
 *
 * Flow of one batch: fast_shading_state_decode turns registers, LUTs and texture memory into one struct
 * fast_shading_state; after that nothing here looks at registers, tables or guest memory again. Then the kernels
 * fast_shade_block and fast_fog_block (kernels.h) run once per 4x4 block of fragments, on any thread.
 */
#ifndef FAST_DRAW_SHADING_H
#define FAST_DRAW_SHADING_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fast_gpu;

enum {
    FAST_TEXTURE_LEVELS = 11, /* MIP-02: floor(log2(2047)) + 1 */
    FAST_TEXTURE_FACES = 6,
    FAST_IMAGE_UNITS = 3
};

/* What the block of fragments must carry for the kernels to read it; the rest may hold anything. */
enum fast_need {
    FAST_NEED_COLOR = 1u << 0,       /* interpolated vertex colour, r g b a */
    FAST_NEED_TEXCOORD0 = 1u << 1,   /* u0, v0 */
    FAST_NEED_TEXCOORD0_W = 1u << 2, /* w0 */
    FAST_NEED_TEXCOORD1 = 1u << 3,
    FAST_NEED_TEXCOORD2 = 1u << 4,
    FAST_NEED_QUATERNION = 1u << 5,
    FAST_NEED_VIEW = 1u << 6,
    FAST_NEED_DERIVATIVES = 1u << 7, /* q and what TEX-09 names, for the texture coordinates needed above */
    FAST_NEED_FOG_DEPTH = 1u << 8,   /* the clamped f32 depth of ITP-16, for fast_fog_block */
    FAST_NEED_SHADING = 1u << 9      /* set whenever has_color: fast_shade_block has to be called */
};

/* ----------------------------------------------------------------------------------------------------- image units */

/* How a unit gets its colour (TEX-16, TEX-17). */
enum fast_unit_kind {
    FAST_UNIT_CONSTANT, /* an early result of TEX-16, or nobody looks at the unit (TEX-32) */
    FAST_UNIT_2D,
    FAST_UNIT_PROJECTION,
    FAST_UNIT_CUBE,
    FAST_UNIT_SHADOW_2D,
    FAST_UNIT_SHADOW_CUBE
};

/*
 * Decoded texels are words R | G << 8 | B << 16 | A << 24 in the arena of the texture cache, found by word index.
 * A dense level is linear in (t, s): index = base + t * pitch + s, t = 0 being the last row in memory (TEX-21).
 * A sparse level (a huge texture most of whose bytes are outside the windows) goes through a word per 8x8 tile:
 * index = arena[base + tile number] + row_in_tile * 8 + column_in_tile, rows counted as in memory.
 */
struct fast_texture_unit {
    enum fast_unit_kind kind;
    uint32_t number;     /* 0-2 */
    uint32_t constant;   /* FAST_UNIT_CONSTANT: the colour */
    uint32_t coordinate; /* which texture coordinate, 0-2 (TEX-12) */
    uint32_t wrap_s, wrap_t;
    uint32_t border; /* as a texel */
    bool has_border; /* some wrap mode may say border */

    const uint32_t *arena;
    bool sparse;
    bool power_of_two; /* every level of both directions */
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

/* ---------------------------------------------------------------------------------------------- procedural texture */

/*
 * PTX-06, FOG-03, LIT-17: entry k is value + slope * fraction, both already divided: the bits of these two floats are
 * words 2k and 2k + 1, which are loaded as one (v_f32_load_pairs_at).
 */
struct fast_lut128 {
    uint32_t words[128 * 2];
};

struct fast_lut256 {
    uint32_t words[256 * 2];
};

struct fast_proctex {
    bool enabled;        /* used and 080 bit 10; otherwise the colour is 0,0,0,0 (PTX-25) */
    uint32_t coordinate; /* 0-2 (TEX-13) */
    uint32_t clamp_u, clamp_v, shift_u, shift_v;
    uint32_t function_rgb, function_alpha;
    bool separate_alpha, noise;
    float amplitude_u, amplitude_v; /* (f32)amp */
    float phase_u, phase_v, frequency_u, frequency_v;
    bool linear;       /* PTX-21 */
    uint32_t mip;      /* 0 none, 1 nearest, 2 linear (PTX-22) */
    bool bias_is_zero; /* PTX-23 */
    float width_bias;  /* (f32)width * b */
    int32_t lod_min, lod_max;
    float offset[8]; /* PTX-19: (f32)offset of the level */
    float width[8];  /* PTX-20: (f32)wm */
    const struct fast_lut128 *noise_lut, *rgb_lut, *alpha_lut;
    const float *color;      /* [256][4]: colour table as f32 */
    const float *difference; /* [256][4]: twice the signed difference, as f32 */
};

/* -------------------------------------------------------------------------------------------------------- lighting */

enum fast_lighting_lut {
    FAST_LUT_D0,
    FAST_LUT_D1,
    FAST_LUT_SP,
    FAST_LUT_FR,
    FAST_LUT_RB,
    FAST_LUT_RG,
    FAST_LUT_RR
};
enum {
    FAST_LIGHTING_LUTS = 7
};

/* One of the seven look-ups (LIT-20). The table of SP depends on the light. */
struct fast_lighting_lookup {
    bool enabled;  /* available (LIT-08) and not disabled (LIT-07); SP also per light */
    bool absolute; /* unsigned index of LIT-19 */
    uint32_t input;
    float scale;
    const struct fast_lut256 *table;
};

struct fast_light {
    float specular0[3], specular1[3], diffuse[3], ambient[3];
    bool has_specular0, has_specular1; /* the colour is not 0,0,0 */
    float position[3];
    float direction[3], distance; /* directional: Ld and dist of LIT-15 */
    float spot_direction[3];
    bool directional, two_sided, geometric0, geometric1;
    bool spot_enabled;                    /* LIT-26 */
    const struct fast_lut256 *spot_table; /* LIT-22 */
    bool attenuation_enabled;             /* LIT-25 */
    float attenuation_bias, attenuation_scale;
    const struct fast_lut256 *attenuation_table;
    bool shadow_enabled; /* 1C4 bits 0-7, inverted */
};

struct fast_lighting {
    bool enabled;            /* LIT-01, and somebody looks at the result */
    bool primary, secondary; /* which of the two results somebody looks at */
    uint32_t light_count;    /* 1-8 slots */
    struct fast_light lights[8];
    struct fast_lighting_lookup lookups[FAST_LIGHTING_LUTS];
    uint32_t enabled_lookups; /* bit n: look-up n is enabled */
    uint32_t inputs;          /* bit n: some look-up that matters selects input n (LIT-21) */
    bool needs_view;          /* Vn of LIT-15 matters: for an input, or for the geometric factor */
    bool input5_is_projected; /* LIT-21: raw configuration 8 */
    uint32_t bump_mode, bump_unit;
    bool bump_keeps_z; /* 1C3 bit 30 */
    bool shadow, shadow_primary, shadow_secondary, shadow_alpha, shadow_inverted;
    uint32_t shadow_unit;
    bool fresnel_primary, fresnel_secondary;
    bool clamp_highlights;
    bool primary_is_opaque, secondary_is_opaque; /* difA, spcA are 1.0 */
    float global_ambient[3];
};

/* -------------------------------------------------------------------------------------------------------- combiner */

enum {
    FAST_COMBINER_STAGES = 6
};

/*
 * One operand: channel `channel[c]` of the source, exclusive or `invert` (TEV-07, TEV-08). Operands that give 0 have a
 * source that gives 0. Alpha operands use channel[0] only.
 */
struct fast_combiner_operand {
    uint8_t source; /* enum pica_tev_source, after TEV-06 */
    uint8_t channel[3];
    uint16_t invert; /* 0 or 255 */
};

struct fast_combiner_stage {
    uint8_t number;       /* 0-5 */
    bool alpha_from_dot3; /* TEV-11 */
    bool reads_constant;
    uint8_t constant[4];
    uint32_t rgb_mode, alpha_mode;
    uint32_t rgb_count, alpha_count; /* operands that the modes read (TEV-17) */
    struct fast_combiner_operand rgb[3], alpha[3];
    uint32_t rgb_shift, alpha_shift; /* TEV-13: 0, 1, 2 */
    bool updates_rgb, updates_alpha; /* TEV-12 */
};

/* What an RGBA stage does to two channels of a lane at once: bytes in 16-bit halves (kernels/combiner_plan_tmpl.h). */
enum fast_rgba_operation {
    FAST_RGBA_REPLACE,
    FAST_RGBA_MODULATE,
    FAST_RGBA_ADD,
    FAST_RGBA_ADD_SIGNED,
    FAST_RGBA_INTERPOLATE,
    FAST_RGBA_SUBTRACT,
    FAST_RGBA_MULTIPLY_ADD,
    FAST_RGBA_ADD_MULTIPLY,
    /* With one operand that is the constant of the stage, folded into `first` and `second`: */
    FAST_RGBA_SCALE,     /* a * constant */
    FAST_RGBA_SCALE_ADD, /* a * constant, plus b */
    FAST_RGBA_ADD_SCALE, /* a plus b, times constant */
    FAST_RGBA_SHIFT,     /* a add-signed constant */
    FAST_RGBA_MIX        /* a, constant interpolated by b */
};

/*
 * A stage that does the same with all four channels of whole sources, without scale, as combiner_plan.c describes it:
 * of two operands that may be exchanged, the first one is the previous output if either is.
 */
struct fast_rgba_stage {
    bool active; /* otherwise nothing below is set */
    enum fast_rgba_operation operation;
    uint8_t count; /* sources that are read */
    uint8_t source[3];
    bool reads_constant;          /* one of these is the constant */
    bool continues;               /* the stage before is one, too, and source 0 is its output */
    bool is_read_again;           /* the stage after is one, too, and has the output as source 1 or 2 */
    uint32_t first[2], second[2]; /* r and b, g and a */
};

/* The stages that do something, in order: without those that hand on the previous output and touch no buffer. */
struct fast_combiner {
    struct fast_combiner_stage stages[FAST_COMBINER_STAGES];
    struct fast_rgba_stage rgba[FAST_COMBINER_STAGES]; /* none is if reads_buffer */
    uint32_t stage_count;
    uint32_t sources;  /* bit n: some operand that is read has source n */
    bool reads_buffer; /* otherwise nobody has to keep the buffer (TEV-12) */
    uint8_t buffer[4]; /* 0FD */
};

/* ------------------------------------------------------------------------------------------------------------- fog */

struct fast_fog {
    bool enabled; /* fragment mode 0 and fog mode 5: only then fast_fog_block has work */
    bool flipped; /* 0E0 bit 16 */
    float color[3];
    const struct fast_lut128 *lut;
};

/* ----------------------------------------------------------------------------------------------------------- state */

/*
 * Everything a batch's shading depends on. Pointers lead into the object of fast_shading_create and stay valid until
 * the next decode, invalidation or reset: one batch at a time is in flight.
 */
struct fast_shading_state {
    uint32_t needs;     /* FAST_NEED_*; 0 if has_color is false */
    bool has_color;     /* false in fragment modes 1 and 2: no colour is looked at, fast_shade_block has no work.
                         * Always true if the draw is traced (trace.h) */
    uint32_t unit_used; /* bit i: unit i is used (TEX-32) */
    struct fast_texture_unit units[FAST_IMAGE_UNITS];
    struct fast_proctex proctex;
    struct fast_lighting lighting;
    struct fast_combiner combiner;
    struct fast_fog fog;
};

/*
 * The part with a life: texture cache and decoded LUTs. struct fast_gpu has a member `struct fast_shading *shading`;
 * create once per backend instance, reset whenever a case is loaded.
 */
struct fast_shading;
enum pica_status fast_shading_create(struct fast_shading **out);
void fast_shading_destroy(struct fast_shading *shading); /* accepts NULL */
void fast_shading_reset(struct fast_shading *shading);

/*
 * Once per batch, before its first fragment and before any of its writes: texels are read here (TEX-30). So nothing has
 * to know where the ranges of TEX-31 meet a surface (FBF-19).
 */
void fast_shading_state_decode(struct fast_gpu *gpu, struct fast_shading_state *state);

/* The class M events of 40 and 50, for a drawing batch (FBF-33) with the registers of the last decode. */
void fast_shading_events(struct fast_gpu *gpu);

/* Call after every write to guest memory. Costs a compare where nothing is cached. */
void fast_textures_invalidate(struct fast_gpu *gpu, uint32_t address, uint32_t size);

#endif
