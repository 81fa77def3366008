/* From clipped vertices to fragments, and the vertex records that clip.c and raster.c share. */
#ifndef REFERENCE_RASTER_H
#define REFERENCE_RASTER_H

#include <stdint.h>

struct ref_gpu;

/* Where each attribute begins among the values that are clipped and interpolated alike (section 1 of file 30). */
enum {
    REF_ATTRIBUTE_QUAT = 0,  /* x y z w */
    REF_ATTRIBUTE_COLOR = 4, /* r g b a */
    REF_ATTRIBUTE_TC0 = 8,   /* u v w */
    REF_ATTRIBUTE_TC1 = 11,  /* u v */
    REF_ATTRIBUTE_TC2 = 13,  /* u v */
    REF_ATTRIBUTE_VIEW = 15, /* x y z */
    REF_ATTRIBUTE_VALUES = 18
};

/* A vertex after the viewport transformation. */
struct ref_screen_vertex {
    int32_t x_sub, y_sub;                   /* 1/16 pixel, y up (VPT-03, VPT-06) */
    float z;                                /* Z of VPT-02 */
    float r;                                /* 1 / w (VPT-01) */
    float attributes[REF_ATTRIBUTE_VALUES]; /* times r (VPT-01) */
    const float *clip_position;             /* x y z w before VPT; for traces only */
};

/* One fan triangle: CUL, RST, SCS, ITP, and a call of ref_output_fragment for each covered pixel. */
void ref_raster_triangle(struct ref_gpu *gpu, const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
                         const struct ref_screen_vertex *v2);

/* EDT-02, RST-07: the batch events of the rasteriser. */
void ref_raster_events(struct ref_gpu *gpu);

#endif
