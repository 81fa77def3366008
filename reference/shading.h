/*
 * Fragment shading: from one covered pixel to its colour (specification 40 and 50).
 *
 * The rasteriser hands over a fragment: position, depth, primary colour, interpolated attributes. `ref_shade` samples
 * the texture units, lights the fragment and runs the six combiner stages (step 2 of FBF-21); after the alpha test
 * `ref_fog` mixes in the fog colour (step 4). Both read the registers and tables in `gpu`, read memory for texels, and
 * write nothing but the colour and class R events. Nothing here keeps state between two fragments.
 *
 * Worked number: primary colour red 200 in stage 0, sources (previous, previous, primary), mode modulate, operands
 * "colour" and "one minus colour" gives 200 * 55 / 255 = 43 (TEV-16).
 */
#ifndef REFERENCE_SHADING_H
#define REFERENCE_SHADING_H

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;

/* TEX-09: what derivatives of texture coordinates need of a triangle, vertices in the order after CUL-04. */
struct ref_gradient {
    float r[3];      /* r_i: 1/w of vertex i (VPT-01) */
    float tc0[3][3]; /* a_i: [vertex][u v w], each already multiplied with r_i (VPT-01) */
    float tc1[3][2];
    float tc2[3][2];
    float bx[3]; /* BX_i = (f32)(-16 * (yb - ya)) of the edge opposite to vertex i: one pixel to the right */
    float by[3]; /* BY_i = (f32)(16 * (xb - xa)): one pixel up */
};

/* One covered pixel of one triangle. Floats may be any bit pattern, NaN and infinity included (TEX-08). */
struct ref_fragment {
    int32_t x, y;  /* RST-01 coordinates (y up) */
    uint8_t c8[4]; /* ITP-13: primary colour R G B A */
    float tc0[3];  /* u v w */
    float tc1[2];
    float tc2[2];
    float quat[4]; /* x y z w */
    float view[3]; /* x y z */
    float depth;   /* ITP-16, in [0, 1] */
    float q;       /* ITP-11: 1 / D */
    const struct ref_gradient *gradient;
};

/* Step 2 of FBF-21: textures, lighting, combiners. `color` receives the bytes R G B A of the combiner output. */
void ref_shade(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4]);

/* Step 4 of FBF-21, to be called in fragment mode 0 only (TEV-01): changes R, G, B of `color` in place. */
void ref_fog(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4]);

/* All class M batch events of the files 40 and 50: call once for each drawing batch (FBF-33, GEN-09). */
void ref_shading_events(struct ref_gpu *gpu);

/*
 * TEX-31: byte range number `index` of image unit `unit` (0-2): [*address, *address + *size), modulo 2^32. Units have
 * one range, cube types of unit 0 six (index 0-5). False if the unit is not live (TEX-16) or has no such range; so
 * counting index up from 0 until false visits them all.
 */
bool ref_texture_range(const struct ref_gpu *gpu, int unit, int index, uint32_t *address, uint64_t *size);

#endif
