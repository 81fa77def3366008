/*
 * A fragment, as interpolation.c makes it and shading reads it. Attributes that shading does not read are not set.
 */
#ifndef REFERENCE_INTERPOLATION_H
#define REFERENCE_INTERPOLATION_H

#include <stdint.h>

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

#endif
