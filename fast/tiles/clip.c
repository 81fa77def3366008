/* Clipping (30 section 1) of a single triangle; most triangles do not need it. */
#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/tiles/single_triangle.h"

enum {
    CLIP_PLANES = 8
};

/* ----------------------------------------------------------------------------------------------------------- planes */

/*
 * CLP-04: signed distance to plane 0..7 (the table of the rule counts from 1). CLP-01 is the volume that the planes
 * enclose.
 */
static inline float plane_distance(const struct fast_fragment_state *state, uint32_t plane, const float *position)
{
    const float x = position[0];
    const float y = position[1];
    const float z = position[2];
    const float w = position[3];
    switch (plane) {
    case 0: return w - x;
    case 1: return w + x;
    case 2: return w - y;
    case 3: return w + y;
    case 4: return -z;
    case 5: return w + z;
    case 6: return w + 1e-5f;
    default: /* 7, CLP-08 */
        return ((fast_pica_product(state->plane[0], x) + fast_pica_product(state->plane[1], y)) +
                fast_pica_product(state->plane[2], z)) +
               fast_pica_product(state->plane[3], w);
    }
}

/* CLP-05: NaN is outside. */
static bool is_inside(float distance)
{
    return distance >= -1e-8f;
}

/* Bit p: the position is outside of plane p (CLP-04, CLP-05). Without branches, because they would be mispredicted. */
static inline uint32_t outside_planes(const struct fast_fragment_state *state, const float position[4])
{
    uint32_t outside = 0;
    for (uint32_t plane = 0; plane < CLIP_PLANES - 1u; plane++)
        outside |= (uint32_t)!is_inside(plane_distance(state, plane, position)) << plane;
    if (state->user_plane)
        outside |= (uint32_t)!is_inside(plane_distance(state, CLIP_PLANES - 1u, position)) << (CLIP_PLANES - 1u);
    return outside;
}

/* --------------------------------------------------------------------------------------------------------- polygons */

/* A polygon while it is clipped plane by plane: lists[which] holds the vertices, each an array of values. */
struct polygon {
    float lists[2][FAST_POLYGON_VERTICES][FAST_VERTEX_SLOTS];
    float distances[FAST_POLYGON_VERTICES];
    uint8_t slots[FAST_VERTEX_SLOTS]; /* those that the draw uses, position first */
    uint32_t slot_count;
    uint32_t which, count;
};

/* CLP-07, ITP-02 */
static void cut_edge(const struct polygon *polygon, float *out, uint32_t current, uint32_t previous)
{
    const float *const from = polygon->lists[polygon->which][current];
    const float *const to = polygon->lists[polygon->which][previous];
    const float distance = polygon->distances[previous];
    const float t = distance / (distance - polygon->distances[current]);
    const float u = 1.0f - t;
    for (uint32_t i = 0; i < polygon->slot_count; i++) {
        const uint32_t slot = polygon->slots[i];
        out[slot] = fast_pica_product(from[slot], t) + fast_pica_product(to[slot], u);
    }
}

/* CLP-06: clips by one plane. If all vertices are inside, the list stays as it is. */
static void clip_pass(const struct fast_fragment_state *state, uint32_t plane, struct polygon *polygon)
{
    const uint32_t count = polygon->count;
    float(*const in)[FAST_VERTEX_SLOTS] = polygon->lists[polygon->which];
    float(*const out)[FAST_VERTEX_SLOTS] = polygon->lists[polygon->which ^ 1u];
    uint32_t length = 0;
    bool cuts = false;
    for (uint32_t i = 0; i < count; i++) {
        polygon->distances[i] = plane_distance(state, plane, in[i]);
        cuts |= !is_inside(polygon->distances[i]);
    }
    if (!cuts)
        return;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t previous = i != 0u ? i - 1u : count - 1u;
        const bool inside = is_inside(polygon->distances[i]);
        if (inside != is_inside(polygon->distances[previous])) {
            assert(length < FAST_POLYGON_VERTICES);
            cut_edge(polygon, out[length++], i, previous);
        }
        if (inside) {
            assert(length < FAST_POLYGON_VERTICES);
            memcpy(out[length++], in[i], sizeof out[0]);
        }
    }
    polygon->which ^= 1u;
    polygon->count = length;
}

/* CLP-04, CLP-09: all planes in order. */
static void clip_polygon(const struct fast_fragment_state *state, struct polygon *polygon)
{
    const uint32_t planes = state->user_plane ? CLIP_PLANES : CLIP_PLANES - 1u;
    for (uint32_t plane = 0; plane < planes && polygon->count >= 3u; plane++)
        clip_pass(state, plane, polygon);
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/* CLP-02 */
static inline bool position_finite(const float position[4])
{
    bool finite = true;
    for (uint32_t k = 0; k < 4u; k++)
        finite &= fast_is_finite(position[k]);
    return finite;
}

/* Lists the slots that the draw uses. */
static void list_slots(struct polygon *polygon, uint32_t needs)
{
    for (uint32_t slot = 0; slot < 4u; slot++)
        polygon->slots[slot] = (uint8_t)(FAST_SLOT_POSITION + slot);
    polygon->slot_count = 4;
    for (uint32_t g = 0; g < FAST_NEEDED_ATTRIBUTES; g++)
        for (uint32_t k = 0; k < fast_needed_attributes[g].count && (needs & fast_needed_attributes[g].need) != 0u; k++)
            polygon->slots[polygon->slot_count++] = (uint8_t)(fast_needed_attributes[g].slot + k);
}

static void draw_clipped(struct fast_bins *bins, const struct fast_clip_vertex *corners)
{
    struct polygon polygon;
    struct fast_clip_vertex vertices[FAST_POLYGON_VERTICES];
    polygon.which = 0;
    polygon.count = 3;
    list_slots(&polygon, bins->renderer->job.needs);
    for (uint32_t i = 0; i < 3u; i++)
        for (uint32_t k = 0; k < polygon.slot_count; k++) {
            const uint32_t slot = polygon.slots[k];
            const bool quaternion = slot >= FAST_SLOT_QUATERNION && slot < FAST_SLOT_COLOR;
            const uint32_t bits = fast_bits(fast_slot_value(&corners[i], slot));
            polygon.lists[0][i][slot] = fast_float(quaternion ? bits ^ corners[i].quaternion_sign : bits);
        }
    clip_polygon(bins->renderer->job.raster, &polygon);
    if (polygon.count < 3u)
        return;
    for (uint32_t i = 0; i < polygon.count; i++)
        vertices[i] = (struct fast_clip_vertex){ .slots = polygon.lists[polygon.which][i], .stride = 1u };
    fast_viewport_polygon(bins, vertices, polygon.count);
}

void fast_triangle_draw(struct fast_bins *bins, const struct fast_triangles *triangles, uint32_t number)
{
    const struct fast_fragment_state *state = bins->renderer->job.raster;
    struct fast_clip_vertex corners[3];
    float position[3][4];
    for (uint32_t i = 0; i < 3u; i++) {
        corners[i].slots = triangles->floats + triangles->corner[i][number];
        corners[i].stride = FAST_LANES;
        corners[i].quaternion_sign = (triangles->flips[number] >> i & 1u) << 31;
        for (uint32_t slot = 0; slot < 4u; slot++)
            position[i][slot] = fast_slot_value(&corners[i], slot);
    }
    if (!position_finite(position[0]) || !position_finite(position[1]) || !position_finite(position[2])) { /* CLP-02 */
        fast_bins_event(bins, PICA_EVENT_NONFINITE_POSITION);
        return;
    }
    if (state->user_plane && state->plane_nonfinite) /* CLP-08 */
        fast_bins_event(bins, PICA_EVENT_CLIP_PLANE_NONFINITE);

    const uint32_t out0 = outside_planes(state, position[0]);
    const uint32_t out1 = outside_planes(state, position[1]);
    const uint32_t out2 = outside_planes(state, position[2]);
    const uint32_t some = out0 | out1 | out2;
    if (some == 0u) {
        fast_viewport_polygon(bins, corners, 3);
        return;
    }
    /*
     * The first plane that cuts anything is applied to the original corners: if all are outside, nothing is left
     * (CLP-09).
     */
    const uint32_t first_plane = some & (0u - some);
    if ((out0 & out1 & out2 & first_plane) == 0u)
        draw_clipped(bins, corners);
}
