/*
 * From a triangle in clip space to fragments: the records that clip.c, viewport.c, cull.c, scissor.c, raster.c and
 * interpolation.c hand to each other, and the calls between them, in the order in which a triangle passes them.
 */
#ifndef REFERENCE_RASTER_H
#define REFERENCE_RASTER_H

#include "reference/interpolation.h"

#include "pica/enums.h"

#include <stdbool.h>
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

/* A vertex in clip space (section 1 of file 30): 4 + 18 = 22 values. */
struct ref_clip_vertex {
    float position[4]; /* x y z w */
    float attributes[REF_ATTRIBUTE_VALUES];
};

/* ------------------------------------------------------------------------------------------------------ viewport.c */

/* The viewport's scale and offset; INVW, INVH and RENDERBUF_DIM have no effect (VPT-05). */
struct ref_viewport {
    float half_width, half_height;
    float x, y;
    bool wraps; /* VPT-03, other side */
};

/* A vertex after the viewport transformation. */
struct ref_screen_vertex {
    int32_t x_sub, y_sub;                   /* 1/16 pixel, y up (VPT-03, VPT-06) */
    float z;                                /* Z of VPT-02 */
    float r;                                /* 1 / w (VPT-01) */
    float attributes[REF_ATTRIBUTE_VALUES]; /* times r (VPT-01) */
    const float *clip_position;             /* x y z w before VPT; for traces only */
};

struct ref_viewport ref_viewport_load(struct ref_gpu *gpu);
struct ref_screen_vertex ref_to_screen(const struct ref_viewport *viewport, const struct ref_clip_vertex *vertex);

/* ---------------------------------------------------------------------------------------------------------- cull.c */

/* A fan triangle that culling kept: A >= 0 for its corners. The members after `v` are those of interpolation.c. */
struct ref_triangle {
    const struct ref_screen_vertex *v[3]; /* order after CUL-04 */
    bool has_area;                        /* CUL-03: A > 0 */
    struct ref_gradient gradient;
    uint32_t needs;                  /* REF_NEEDS_* */
    float depth_scale, depth_offset; /* ITP-14 */
    bool z_buffer;                   /* ITP-15 */
    bool raises_ties, truncates;     /* ITP-13, other sides: how the colour becomes bytes */
};

/* CUL: false if the triangle is removed; else fills in `v`. */
bool ref_cull(const struct ref_gpu *gpu, const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
              const struct ref_screen_vertex *v2, struct ref_triangle *triangle);

/* ------------------------------------------------------------------------------------------------------- scissor.c */

/* Pixels first .. last in both directions; empty if last < first. */
struct ref_box {
    int32_t x_first, x_last;
    int32_t y_first, y_last;
};

struct ref_scissor {
    enum pica_scissor_mode mode;
    struct ref_box box;
};

/* SCS-02, SCS-03, SCS-04. */
struct ref_scissor ref_scissor_load(const struct ref_gpu *gpu);

/* SCS-01: step 1 of FBF-21, for a covered pixel. */
bool ref_scissor_test(const struct ref_gpu *gpu, const struct ref_scissor *scissor, int32_t x, int32_t y);

/* -------------------------------------------------------------------------------------------------------- raster.c */

/* RST-03: the biased weights of a pixel. */
struct ref_weights {
    int64_t w[3];
};

/* RST-03: S. */
static inline int64_t ref_weight_sum(const struct ref_weights *weights)
{
    return weights->w[0] + weights->w[1] + weights->w[2];
}

/* One fan triangle: CUL, RST, SCS, ITP, and a call of ref_output_fragment for each covered pixel. */
void ref_raster_triangle(struct ref_gpu *gpu, const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
                         const struct ref_screen_vertex *v2);

/* RST-07: the batch events of the rasteriser. */
void ref_raster_events(struct ref_gpu *gpu);

/* ------------------------------------------------------------------------------------------------- interpolation.c */

/* Computes what is constant in a triangle. The state of the batch must have been decoded (ref_batch_decode). */
void ref_interpolation_prepare(const struct ref_gpu *gpu, struct ref_triangle *triangle);

/* ITP-10, ITP-11, ITP-12: the fragment of a covered pixel. What shading does not need is not filled in. */
void ref_interpolate(const struct ref_gpu *gpu, const struct ref_triangle *triangle, const struct ref_weights *weights,
                     int32_t x, int32_t y, struct ref_fragment *fragment);

#endif
