/*
 * One triangle on its way from the assembler to the bins (spec 30), if the kernels that take 16 at a time
 * (raster_set_up.h) cannot handle it: each file does its stage and calls the next one.
 *
 *   clip.c fast_triangle_draw -> viewport.c -> cull.c -> raster_set_up.c -> raster_bins.c
 */
#ifndef FAST_TILES_SINGLE_TRIANGLE_H
#define FAST_TILES_SINGLE_TRIANGLE_H

#include "fast/draw/shading_state.h"
#include "fast/tiles/renderer.h"
#include "fast/tiles/triangle.h"
#include "fast/vertex/assembly.h"

enum {
    FAST_POLYGON_VERTICES = 63 /* CLP-11: 3 vertices grow by at most a half in each of 8 passes */
};

/* A vertex in clip space: the 22 values in their slots (SHD-80), as arrays with a stride. */
struct fast_clip_vertex {
    const float *slots; /* value of slot s is slots[s * stride] */
    uint32_t stride;
    uint32_t quaternion_sign; /* PRM-08, CLP-03: xor for the bits of the quaternion */
};

/* VPT-01 to VPT-03. */
struct fast_screen_vertex {
    struct fast_clip_vertex source;
    int32_t x, y; /* 1/16 pixel */
    float z;
    float inverse_w;
};

static inline float fast_slot_value(const struct fast_clip_vertex *vertex, uint32_t slot)
{
    return vertex->slots[slot * vertex->stride];
}

/* Attributes that a draw needs together or not at all: where they lie in the slots of a vertex, and where they go. */
struct fast_needed_attribute {
    uint32_t need, attribute, slot, count;
};

enum {
    FAST_NEEDED_ATTRIBUTES = 7
};

static const struct fast_needed_attribute fast_needed_attributes[FAST_NEEDED_ATTRIBUTES] = {
    { FAST_NEED_QUATERNION, FAST_ATTRIBUTE_QUATERNION, FAST_SLOT_QUATERNION, 4 },
    { FAST_NEED_COLOR, FAST_ATTRIBUTE_COLOR, FAST_SLOT_COLOR, 4 },
    { FAST_NEED_TEXCOORD0, FAST_ATTRIBUTE_TEXCOORD0, FAST_SLOT_TEXCOORD0, 2 },
    { FAST_NEED_TEXCOORD1, FAST_ATTRIBUTE_TEXCOORD1, FAST_SLOT_TEXCOORD1, 2 },
    { FAST_NEED_TEXCOORD0_W, FAST_ATTRIBUTE_TEXCOORD0_W, FAST_SLOT_TEXCOORD0_W, 1 },
    { FAST_NEED_VIEW, FAST_ATTRIBUTE_VIEW, FAST_SLOT_VIEW, 3 },
    { FAST_NEED_TEXCOORD2, FAST_ATTRIBUTE_TEXCOORD2, FAST_SLOT_TEXCOORD2, 2 },
};

/* viewport.c: a polygon that is clipped, at most FAST_POLYGON_VERTICES. */
void fast_viewport_polygon(struct fast_bins *bins, const struct fast_clip_vertex *vertices, uint32_t count);

/* cull.c: one triangle of its fan. */
void fast_cull_triangle(struct fast_bins *bins, const struct fast_screen_vertex *v0,
                        const struct fast_screen_vertex *v1, const struct fast_screen_vertex *v2);

/* raster_set_up.c: one that is kept, in the order after CUL-04. */
void fast_set_up_triangle(struct fast_bins *bins, const struct fast_screen_vertex *const corners[3]);

#endif
