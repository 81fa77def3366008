/*
 * Fragment shading: texture units, lighting, combiner, fog (docs/spec 40 and 50).
 *
 * Flow of one batch: fast_shading_state_decode turns registers and LUTs into one struct fast_shading_state; after that
 * nothing here looks at registers or tables again, and only texture_image.h at guest memory. Then the kernels
 * fast_shade_block and fast_fog_block (kernels.h) run once per 4x4 block of fragments, on any thread.
 */
#ifndef FAST_DRAW_SHADING_STATE_H
#define FAST_DRAW_SHADING_STATE_H

#include "fast/draw/combiner_decode.h"
#include "fast/draw/fog_decode.h"
#include "fast/draw/lighting_decode.h"
#include "fast/draw/proctex_decode.h"
#include "fast/draw/texture_decode.h"
#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fast_gpu;

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
 * What outlives a batch: texture cache and decoded LUTs. struct fast_gpu has a member `struct fast_shading *shading`;
 * create once per backend instance, reset whenever a case is loaded.
 */
struct fast_shading;
enum pica_status fast_shading_create(struct fast_shading **out);
void fast_shading_destroy(struct fast_shading *shading); /* accepts NULL */
void fast_shading_reset(struct fast_shading *shading);

/*
 * Once per batch, before its first fragment. Texels are decoded later, as they are needed (texture_image.h); where the
 * ranges of TEX-31 meet a surface, guest memory does not change before the end of the batch (TEX-30, FBF-19).
 */
void fast_shading_state_decode(struct fast_gpu *gpu, struct fast_shading_state *state);

/* The class M events of 40 and 50, for a drawing batch (FBF-33) with the registers of the last decode. */
void fast_shading_events(struct fast_gpu *gpu);

/* Call after every write to guest memory. Costs a compare where nothing is cached. */
void fast_textures_invalidate(struct fast_gpu *gpu, uint32_t address, uint32_t size);

#endif
