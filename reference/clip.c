/*
 * Clipping: cuts a triangle at the planes of the view volume, in clip space, before the division by w.
 *
 * The view volume is -w <= x <= w, -w <= y <= w and, unlike OpenGL's, -w <= z <= 0: depth runs from 0 at the eye's
 * side to -1. The polygon is cut by seven planes one after the other, and by an eighth that the program may set. The
 * planes have a tolerance: a vertex at a distance of -1e-8 still counts as inside. Each cut makes new vertices on the
 * plane, all of whose values are interpolated alike. What is left is drawn as a fan of triangles.
 *
 * Worked number: an edge from x = 0 to x = 2, both w = 1, meets the plane x = w at distances 1 and -1, so at t = 1/2.
 */
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/raster.h"
#include "reference/trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    POLYGON_MAX = 63, /* CLP-11: a pass makes floor(1.5 n) of n vertices at most: 3 4 6 9 13 19 28 42 63 */
    PLANES = 8,
    USER_PLANE = 7 /* the last one */
};

/* What the planes are. */
struct planes {
    bool has_user;
    float user[4]; /* CLP-08 */
    float least;   /* CLP-05: the distance that still counts as inside */
};

struct polygon {
    uint32_t count;
    struct ref_clip_vertex vertices[POLYGON_MAX];
};

/* What the planes did to a polygon. */
struct passes {
    int last;       /* which of the two polygons is the result */
    uint32_t cut;   /* bit n: plane n cut something off */
    int removed_by; /* the plane that left nothing; -1: none did */
};

/* SHD-80: the slots of the attributes, in the order of REF_ATTRIBUTE_*; slots 0-3 are the position. */
static const uint8_t attribute_slots[REF_ATTRIBUTE_VALUES] = {
    0x04, 0x05, 0x06, 0x07, /* quaternion, with the signs that PRM-08 gave it (CLP-03) */
    0x08, 0x09, 0x0A, 0x0B, /* colour, limited by SHD-81 */
    0x0C, 0x0D, 0x10,       /* texcoord0 u v w */
    0x0E, 0x0F,             /* texcoord1 */
    0x16, 0x17,             /* texcoord2 */
    0x12, 0x13, 0x14        /* view */
};

static struct ref_clip_vertex load_vertex(const struct pica_final_vertex *final)
{
    struct ref_clip_vertex vertex;
    for (int i = 0; i < 4; i++)
        vertex.position[i] = ref_float(final->slots[i]);
    for (int i = 0; i < REF_ATTRIBUTE_VALUES; i++)
        vertex.attributes[i] = ref_float(final->slots[attribute_slots[i]]);
    return vertex;
}

static bool is_finite(const float values[4])
{
    for (int i = 0; i < 4; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* CLP-02, CLP-10: only positions have to be finite. */
static bool positions_are_finite(const struct polygon *polygon)
{
    for (uint32_t i = 0; i < polygon->count; i++)
        if (!is_finite(polygon->vertices[i].position))
            return false;
    return true;
}

/* CLP-05: inside has a tolerance of 1e-8; CLP-08: the coefficients c0 .. c3 of plane 8. */
static void load_planes(const struct ref_gpu *gpu, struct planes *planes)
{
    planes->least = ref_takes(gpu, PICA_SIDE_CLIP_TOLERANCE_NONE) ? 0.0f : ref_float(0xB22BCC77u);
    planes->has_user = pica_fragop_clip_enable(gpu->regs[PICA_REG_FRAGOP_CLIP]) != 0;
    for (uint32_t i = 0; i < 4 && planes->has_user; i++) {
        const uint32_t word = gpu->regs[PICA_REG_FRAGOP_CLIP_DATA0 + i];
        planes->user[i] = ref_float24(&gpu->choices, pica_fragop_clip_data_coefficient(word));
    }
}

/* CLP-01, CLP-04, CLP-08: the signed distance from plane 0 .. 7 (numbered 1 .. 8 there). */
static float distance(const struct ref_clip_vertex *vertex, int plane, const struct planes *planes)
{
    const float *const user = planes->user;
    const float x = vertex->position[0], y = vertex->position[1], z = vertex->position[2], w = vertex->position[3];
    switch (plane) {
    case 0: return w - x;
    case 1: return w + x;
    case 2: return w - y;
    case 3: return w + y;
    case 4: return ref_negate(z);
    case 5: return w + z;
    case 6: return w + ref_float(0x3727C5ACu); /* 1e-5 */
    }
    return ((ref_mul(user[0], x) + ref_mul(user[1], y)) + ref_mul(user[2], z)) + ref_mul(user[3], w);
}

/* CLP-05: NaN is outside. */
static bool is_inside(const struct planes *planes, float d)
{
    return d >= planes->least;
}

/* CLP-07: X(cur, prev); all 22 values alike, the position is not snapped to the plane. */
static struct ref_clip_vertex intersect(const struct ref_clip_vertex *cur, float dc, const struct ref_clip_vertex *prev,
                                        float dp)
{
    const float t = dp / (dp - dc);
    const float u = 1.0f - t;
    struct ref_clip_vertex result;
    for (int i = 0; i < 4; i++)
        result.position[i] = ref_mul(cur->position[i], t) + ref_mul(prev->position[i], u);
    for (int i = 0; i < REF_ATTRIBUTE_VALUES; i++)
        result.attributes[i] = ref_mul(cur->attributes[i], t) + ref_mul(prev->attributes[i], u);
    return result;
}

static void append(struct polygon *polygon, const struct ref_clip_vertex *vertex)
{
    polygon->vertices[polygon->count++] = *vertex;
}

/* CLP-06: one pass over the list for one plane. `in` is not empty. */
static void clip_by_plane(const struct polygon *in, int plane, const struct planes *planes, struct polygon *out)
{
    const struct ref_clip_vertex *prev = &in->vertices[in->count - 1u];
    float dp = distance(prev, plane, planes);
    out->count = 0;
    assert(in->count + in->count / 2u <= POLYGON_MAX); /* CLP-11 */
    for (uint32_t i = 0; i < in->count; i++) {
        const struct ref_clip_vertex *cur = &in->vertices[i];
        const float dc = distance(cur, plane, planes);
        if (is_inside(planes, dc) != is_inside(planes, dp)) {
            const struct ref_clip_vertex crossing = intersect(cur, dc, prev, dp);
            append(out, &crossing);
        }
        if (is_inside(planes, dc))
            append(out, cur);
        prev = cur;
        dp = dc;
    }
}

/* CLP-06: whether all vertices are inside of a plane; its pass then leaves the list unchanged. */
static bool is_all_inside(const struct polygon *polygon, int plane, const struct planes *planes)
{
    for (uint32_t i = 0; i < polygon->count; i++)
        if (!is_inside(planes, distance(&polygon->vertices[i], plane, planes)))
            return false;
    return true;
}

/* CLP-04, CLP-09: all planes in their order. What is left is in polygons[last], unless a plane removed all. */
static struct passes clip_by_planes(struct polygon polygons[2], const struct planes *planes)
{
    struct passes passes = { .last = 0, .cut = 0, .removed_by = -1 };
    for (int plane = 0; plane < PLANES; plane++) {
        const struct polygon *polygon = &polygons[passes.last];
        if (plane == USER_PLANE && !planes->has_user)
            continue;
        if (is_all_inside(polygon, plane, planes))
            continue;
        passes.last = 1 - passes.last;
        clip_by_plane(polygon, plane, planes, &polygons[passes.last]);
        if (polygons[passes.last].count < 3) {
            passes.removed_by = plane;
            break;
        }
        passes.cut |= 1u << plane;
    }
    return passes;
}

/* CLP-10: whether the polygon can be divided by w. */
static bool can_divide(const struct polygon *polygon)
{
    for (uint32_t i = 0; i < polygon->count; i++) {
        const float w = polygon->vertices[i].position[3];
        if (w <= 0.0f || isinf(1.0f / w))
            return false;
    }
    return true;
}

/* CLP-12: the polygon as a fan. */
static void draw_fan(struct ref_gpu *gpu, const struct polygon *polygon)
{
    const struct ref_viewport viewport = ref_viewport_load(gpu);
    const struct ref_screen_vertex first = ref_to_screen(&viewport, &polygon->vertices[0]);
    struct ref_screen_vertex second = ref_to_screen(&viewport, &polygon->vertices[1]);
    for (uint32_t i = 2; i < polygon->count; i++) {
        const struct ref_screen_vertex third = ref_to_screen(&viewport, &polygon->vertices[i]);
        ref_raster_triangle(gpu, &first, &second, &third);
        second = third;
    }
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* The distances of the corners from all planes. */
static void record_distances(const struct ref_gpu *gpu, const struct planes *planes, const struct polygon *polygon)
{
    float distances[PLANES] = { 0 };
    if (planes->has_user)
        ref_trace_rule_floats(gpu, "CLP-08", 0, planes->user, 4);
    for (uint32_t i = 0; i < polygon->count; i++) {
        for (int plane = 0; plane < (planes->has_user ? PLANES : USER_PLANE); plane++)
            distances[plane] = distance(&polygon->vertices[i], plane, planes);
        ref_trace_rule_floats(gpu, "CLP-04", i, distances, PLANES);
    }
}

static void record_vertex(const struct ref_gpu *gpu, const struct ref_clip_vertex *vertex, uint32_t index)
{
    ref_trace_rule_floats(gpu, "CLP-07", 3u * index, vertex->position, 4);
    ref_trace_rule_floats(gpu, "CLP-07", 3u * index + 1u, vertex->attributes, 9);
    ref_trace_rule_floats(gpu, "CLP-07", 3u * index + 2u, vertex->attributes + 9, 9);
}

/* Where the first plane that cuts meets the edges. */
static void record_crossings(const struct ref_gpu *gpu, const struct planes *planes, const struct polygon *polygon)
{
    int plane = 0;
    while (plane < (planes->has_user ? PLANES : USER_PLANE) && is_all_inside(polygon, plane, planes))
        plane++;
    for (uint32_t i = 0; i < polygon->count && plane < (planes->has_user ? PLANES : USER_PLANE); i++) {
        const struct ref_clip_vertex *const cur = &polygon->vertices[i];
        const struct ref_clip_vertex *const prev = &polygon->vertices[(i + polygon->count - 1u) % polygon->count];
        const float dc = distance(cur, plane, planes), dp = distance(prev, plane, planes);
        const struct ref_clip_vertex crossing = intersect(cur, dc, prev, dp);
        if (is_inside(planes, dc) != is_inside(planes, dp))
            record_vertex(gpu, &crossing, POLYGON_MAX + i);
    }
}

/* What the planes left. */
static void record_polygon(const struct ref_gpu *gpu, const struct polygon *after, const struct passes *passes)
{
    ref_trace_rule(gpu, "CLP-06", 0, (const uint32_t[]){ passes->cut, (uint32_t)passes->removed_by, after->count }, 3);
    for (uint32_t i = 0; passes->removed_by < 0 && i < after->count; i++)
        record_vertex(gpu, &after->vertices[i], i);
}

static void record(const struct ref_gpu *gpu, bool has_user_plane, const struct passes *passes)
{
    ref_feature_if(gpu, has_user_plane, PICA_FEATURE_USER_PLANE);
    for (uint32_t plane = 0; plane < PLANES; plane++)
        ref_feature_if(gpu, (passes->cut >> plane & 1u) != 0, PICA_FEATURE_CLIP_CUT + plane);
    ref_feature_if(gpu, passes->removed_by >= 0, PICA_FEATURE_CLIP_REMOVED + (uint32_t)passes->removed_by);
}

/* CLP-10: what cannot be divided by w is not drawn, or with 1/w as it comes. */
static void divide_and_draw(struct ref_gpu *gpu, const struct polygon *polygon)
{
    const bool finite = positions_are_finite(polygon);
    const bool divisible = can_divide(polygon);
    ref_event_if(gpu, !finite, PICA_EVENT_NONFINITE_POSITION);
    ref_event_if(gpu, !divisible, PICA_EVENT_W_NOT_POSITIVE);
    ref_trace_rule(gpu, "CLP-10", 0, (const uint32_t[]){ finite, divisible }, 2);
    if (finite && (divisible || ref_takes(gpu, PICA_SIDE_CLIPPED_W_COMPUTED)))
        draw_fan(gpu, polygon);
}

/* RST-07, REG-07, other side: flat shading. */
static void share_color(struct ref_clip_vertex vertices[3])
{
    for (int i = 0; i < 2; i++)
        memcpy(&vertices[i].attributes[REF_ATTRIBUTE_COLOR], &vertices[2].attributes[REF_ATTRIBUTE_COLOR],
               4 * sizeof vertices[2].attributes[0]);
}

/* CLP-02 to CLP-12. */
void ref_draw_triangle(struct ref_gpu *gpu, const struct pica_final_vertex triangle[3])
{
    struct polygon polygons[2];
    struct planes planes;
    polygons[0].count = 3;
    for (int i = 0; i < 3; i++)
        polygons[0].vertices[i] = load_vertex(&triangle[i]);
    if (!positions_are_finite(&polygons[0])) {
        ref_event(gpu, PICA_EVENT_NONFINITE_POSITION);
        return;
    }
    if (ref_takes(gpu, PICA_SIDE_FLAT_SHADING_THIRD) && pica_unused_058_flat_shading(gpu->regs[PICA_REG_UNUSED_058]))
        share_color(polygons[0].vertices);
    load_planes(gpu, &planes);
    if (gpu->trace.is_active) {
        record_distances(gpu, &planes, &polygons[0]);
        record_crossings(gpu, &planes, &polygons[0]);
    }
    const struct passes passes = clip_by_planes(polygons, &planes);
    ref_event_if(gpu, planes.has_user && !is_finite(planes.user), PICA_EVENT_CLIP_PLANE_NONFINITE);
    if (gpu->is_watched)
        record(gpu, planes.has_user, &passes);
    if (gpu->trace.is_active)
        record_polygon(gpu, &polygons[passes.last], &passes);
    if (passes.removed_by < 0)
        divide_and_draw(gpu, &polygons[passes.last]);
}
