/*
 * Fragment shading: from one covered pixel to its colour (specification 40 and 50).
 *
 * The rasteriser hands over a fragment: position, depth, primary colour, interpolated attributes. `ref_shade` samples
 * the texture units, lights the fragment and runs the six combiner stages (step 2 of FBF-21); after the alpha test
 * `ref_fog` mixes in the fog colour (step 4). Registers are decoded once for each batch, into `struct ref_shading`. The
 * rest reads that and the tables in `gpu`, reads memory for texels, and writes nothing but the colour and class R
 * events. Nothing here keeps state between two fragments.
 *
 * Worked number: primary colour red 200 in stage 0, sources (previous, previous, primary), mode modulate, operands
 * "colour" and "one minus colour" gives 200 * 55 / 255 = 43 (TEV-16).
 */
#ifndef REFERENCE_SHADING_H
#define REFERENCE_SHADING_H

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;
struct ref_shading;

/* What the shading of a batch looks at in its fragments; the rasteriser interpolates nothing else. */
enum {
    REF_NEEDS_COLOR = 1,
    REF_NEEDS_TC0 = 2, /* << set: TC1, TC2 */
    REF_NEEDS_TC1 = 4,
    REF_NEEDS_TC2 = 8,
    REF_NEEDS_SURFACE = 16 /* quaternion and view */
};

/* How fast a plane rises: one pixel to the right, one pixel up. */
struct ref_rate {
    float x, y;
};

/* MIP-03, TEX-09: what derivatives of texture coordinates need of a triangle. */
struct ref_gradient {
    struct ref_rate r;        /* dx and dy: of 1/w */
    struct ref_rate tc[3][3]; /* nx and ny of [set][u v w], needed sets only; only set 0 has w */
};

/* One covered pixel of one triangle. Floats may be any bit pattern, NaN and infinity included (TEX-08). */
struct ref_fragment {
    int32_t x, y;   /* RST-01 coordinates (y up) */
    uint8_t c8[4];  /* ITP-13: primary colour R G B A */
    float tc[3][3]; /* [set][u v w]; only set 0 has w */
    float quat[4];  /* x y z w */
    float view[3];  /* x y z */
    float depth;    /* ITP-16, in [0, 1] */
    float q;        /* ITP-11: 1 / D */
    const struct ref_gradient *gradient;
};

/* Decodes all registers that ref_shade needs; they are the same for all fragments of a batch. */
void ref_shading_decode(const struct ref_gpu *gpu, struct ref_shading *shading);

/* Step 2 of FBF-21: textures, lighting, combiners. `color` receives the bytes R G B A of the combiner output. */
void ref_shade(struct ref_gpu *gpu, struct ref_shading *shading, const struct ref_fragment *fragment, uint8_t color[4]);

/* Step 4 of FBF-21, to be called in fragment mode 0 only (TEV-01): changes R, G, B of `color` in place. */
void ref_fog(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4]);

/* All class M batch events of the files 40 and 50: call once for each drawing batch (FBF-33, GEN-09). */
void ref_shading_events(struct ref_gpu *gpu);

/*
 * TEX-31: byte range number `index` of image unit `unit` (0-2): [*address, *address + *size), modulo 2^32. Units have
 * one range, cube types of unit 0 six (index 0-5). False if the unit is not live (TEX-16) or has no such range; so
 * counting index up from 0 until false visits them all.
 */
bool ref_texture_range(const struct ref_gpu *gpu, uint32_t unit, uint32_t index, uint32_t *address, uint64_t *size);

#endif
