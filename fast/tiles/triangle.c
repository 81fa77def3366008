/*
 * Clipping, viewport, snapping, culling, set-up of one triangle (30, sections 1 to 4). On the caller's thread. Most
 * triangles are set up 16 at a time (triangle_batch.c, kernels/set_up.c); this is the way for all others.
 */
#include "fast/tiles/triangle.h"

#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/pipeline.h"
#include "fast/tiles/renderer.h"
#include "fast/trace.h"

enum {
    POLYGON_VERTICES = 63, /* CLP-11: 3 vertices grow by at most a half in each of 8 passes */
    CLIP_PLANES = 8
};

/* A vertex in clip space: the 22 values in their slots (SHD-80), as arrays with a stride. */
struct clip_vertex {
    const float *slots; /* value of slot s is slots[s * stride] */
    uint32_t stride;
    uint32_t quaternion_sign; /* PRM-08, CLP-03: xor for the bits of the quaternion */
};

/* VPT-01 to VPT-03. */
struct screen_vertex {
    struct clip_vertex source;
    int32_t x, y; /* 1/16 pixel */
    float z;
    float inverse_w;
};

static float slot_value(const struct clip_vertex *vertex, uint32_t slot)
{
    return vertex->slots[slot * vertex->stride];
}

/* --------------------------------------------------------------------------------------------------------- clipping */

/* CLP-04: signed distance to plane 0..7 (the table counts from 1); CLP-01 is the volume they enclose. */
static inline float plane_distance(const struct fast_raster_state *state, uint32_t plane, const float *position)
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

/* A polygon on its way through the planes: lists[which] has the vertices, each an array of values. */
struct polygon {
    float lists[2][POLYGON_VERTICES][FAST_VERTEX_SLOTS];
    float distances[POLYGON_VERTICES];
    uint8_t slots[FAST_VERTEX_SLOTS]; /* those that somebody looks at, position first */
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

/* CLP-06: one pass. If all vertices are inside, it leaves the list as it is. */
static void clip_pass(const struct fast_raster_state *state, uint32_t plane, struct polygon *polygon)
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
            assert(length < POLYGON_VERTICES);
            cut_edge(polygon, out[length++], i, previous);
        }
        if (inside) {
            assert(length < POLYGON_VERTICES);
            memcpy(out[length++], in[i], sizeof out[0]);
        }
    }
    polygon->which ^= 1u;
    polygon->count = length;
}

/* CLP-04, CLP-09: all planes in order. */
static void clip_polygon(const struct fast_raster_state *state, struct polygon *polygon)
{
    const uint32_t planes = state->user_plane ? CLIP_PLANES : CLIP_PLANES - 1u;
    for (uint32_t plane = 0; plane < planes && polygon->count >= 3u; plane++)
        clip_pass(state, plane, polygon);
}

/* --------------------------------------------------------------------------------------------------------- viewport */

/*
 * CLP-10: false = the whole polygon is dropped. All vertices are looked at: both events may occur. `inverse_w` becomes
 * 1 / w of each vertex.
 */
static bool positions_usable(struct fast_gpu *gpu, const struct clip_vertex *vertices, uint32_t count, float *inverse_w)
{
    bool usable = true;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t slot = 0; slot < 4u; slot++)
            if (!fast_is_finite(slot_value(&vertices[i], slot))) {
                fast_event(gpu, PICA_EVENT_NONFINITE_POSITION);
                usable = false;
            }
        const float w = slot_value(&vertices[i], 3);
        inverse_w[i] = 1.0f / w;
        if (w <= 0.0f || (fast_bits(inverse_w[i]) & 0x7fffffffu) == 0x7f800000u) {
            fast_event(gpu, PICA_EVENT_W_NOT_POSITIVE);
            usable = false;
        }
    }
    return usable;
}

/* VPT-03, ITP-05: 1/16 pixels, rounded half away from zero, saturated; ITP-03: NaN gives 0. */
static int32_t snap(float pixels)
{
    const float units = pixels * 16.0f;
    if (units >= 262143.0f)
        return 262143;
    if (units <= -262144.0f)
        return -262144;
    if (fast_is_nan(units))
        return 0;
    const float just_below_half = 0x1.fffffep-2f; /* see v_i32_rha_positive in simd.h */
    return units < 0.0f ? -(int32_t)(just_below_half - units) : (int32_t)(units + just_below_half);
}

/* VPT-01 to VPT-03; VPT-06: y goes up; VPT-07: nothing is cut off here. */
static inline struct screen_vertex project(const struct fast_raster_state *state, const struct clip_vertex *vertex,
                                           float r)
{
    struct screen_vertex result;
    const float x = slot_value(vertex, 0) * r; /* IEEE products: the position is finite, r is neither 0 nor infinite */
    const float y = slot_value(vertex, 1) * r;
    result.source = *vertex;
    result.x = snap(fast_pica_product(x + 1.0f, state->half_width) + state->offset_x);
    result.y = snap(fast_pica_product(y + 1.0f, state->half_height) + state->offset_y);
    result.z = slot_value(vertex, 2) * r;
    result.inverse_w = r;
    return result;
}

/* ----------------------------------------------------------------------------------------------------------- set-up */

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* floor(value / 16) */
static int32_t floor_div16(int32_t value)
{
    return value >= 0 ? value >> 4 : ~(~value >> 4);
}

static bool box_is_empty(const struct fast_box *box)
{
    return box->right < box->left || box->top < box->bottom;
}

static struct fast_box cut_box(const struct fast_box *a, const struct fast_box *b)
{
    const struct fast_box box = { greater(a->left, b->left), greater(a->bottom, b->bottom), lesser(a->right, b->right),
                                  lesser(a->top, b->top) };
    return box;
}

/* RST-05: the pixels whose centres lie in the bounding box, cut by the scissor box in mode 3. */
static inline struct fast_box pixel_box(const struct fast_raster_state *state,
                                        const struct screen_vertex *const corners[3])
{
    const int32_t min_x = lesser(corners[0]->x, lesser(corners[1]->x, corners[2]->x));
    const int32_t max_x = greater(corners[0]->x, greater(corners[1]->x, corners[2]->x));
    const int32_t min_y = lesser(corners[0]->y, lesser(corners[1]->y, corners[2]->y));
    const int32_t max_y = greater(corners[0]->y, greater(corners[1]->y, corners[2]->y));
    const struct fast_box box = { floor_div16(min_x + 7), floor_div16(min_y + 7), floor_div16(max_x - 8),
                                  floor_div16(max_y - 8) };
    return state->scissor_inside ? cut_box(&box, &state->scissor) : box;
}

/* RST-05, RST-08: records events, counts the budget; false = draws nothing. `box` becomes the box to draw. */
static bool admit_box(struct fast_gpu *gpu, const struct fast_raster_state *state, struct fast_box *box)
{
    const struct fast_box frame = { 0, 0, (int32_t)state->width - 1, (int32_t)state->height - 1 };
    if (box_is_empty(box))
        return false;
    if (box->left < frame.left || box->bottom < frame.bottom || box->right > frame.right || box->top > frame.top)
        fast_event(gpu, PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    *box = cut_box(box, &frame);
    if (box_is_empty(box))
        return false;
    return fast_triangle_admit(gpu, (uint64_t)(box->right - box->left + 1) * (uint64_t)(box->top - box->bottom + 1));
}

/* RST-02 */
static int32_t edge_bias(int32_t dx, int32_t dy)
{
    return dy > 0 || (dy == 0 && dx < 0) ? -1 : 0;
}

/* RST-01 to RST-04, TEX-09: edge functions; returns S. */
static int64_t set_up_edges(const struct fast_raster_state *state, struct fast_triangle *triangle,
                            const struct screen_vertex *const corners[3])
{
    int64_t sum = 0;
    bool fits = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const struct screen_vertex *a = corners[(i + 1u) % 3u];
        const struct screen_vertex *b = corners[(i + 2u) % 3u];
        const int32_t dx = b->x - a->x;
        const int32_t dy = b->y - a->y;
        const int32_t step_y = 16 * dx; /* up the screen */
        int64_t weight = (int64_t)dx * (8 - a->y) - (int64_t)dy * (8 - a->x) + edge_bias(dx, dy);
        sum += weight;
        triangle->step_x[i] = -16 * dy;
        triangle->step_row[i] = step_y;
        triangle->weight_dx[i] = (float)triangle->step_x[i];
        triangle->weight_dy[i] = (float)step_y;
        if (state->bottom_row_last) { /* FBF-06 */
            weight += (int64_t)step_y * (int64_t)(state->height - 1u);
            triangle->step_row[i] = -step_y;
        }
        triangle->wide_weight[i] = weight;
        fits = fits && weight >= INT32_MIN && weight <= INT32_MAX;
        triangle->weight[i] = (int32_t)(fits ? weight : 0);
    }
    triangle->narrow = fits && sum < (int64_t)1 << 30;
    return sum;
}

/* Attributes that a draw needs or not together: where they lie in the slots of a vertex, and where they go. */
struct attribute_group {
    uint32_t need, attribute, slot, count;
};

static const struct attribute_group attribute_groups[] = {
    { FAST_NEED_QUATERNION, FAST_ATTRIBUTE_QUATERNION, FAST_SLOT_QUATERNION, 4 },
    { FAST_NEED_COLOR, FAST_ATTRIBUTE_COLOR, FAST_SLOT_COLOR, 4 },
    { FAST_NEED_TEXCOORD0, FAST_ATTRIBUTE_TEXCOORD0, FAST_SLOT_TEXCOORD0, 2 },
    { FAST_NEED_TEXCOORD1, FAST_ATTRIBUTE_TEXCOORD1, FAST_SLOT_TEXCOORD1, 2 },
    { FAST_NEED_TEXCOORD0_W, FAST_ATTRIBUTE_TEXCOORD0_W, FAST_SLOT_TEXCOORD0_W, 1 },
    { FAST_NEED_VIEW, FAST_ATTRIBUTE_VIEW, FAST_SLOT_VIEW, 3 },
    { FAST_NEED_TEXCOORD2, FAST_ATTRIBUTE_TEXCOORD2, FAST_SLOT_TEXCOORD2, 2 },
};

/* VPT-01: the attributes of one group, a * r; returns the largest magnitude as bits. */
static uint32_t set_up_attributes(struct fast_triangle *triangle, const struct screen_vertex *const corners[3],
                                  const struct attribute_group *group)
{
    uint32_t greatest = 0;
    for (uint32_t k = 0; k < group->count; k++)
        for (uint32_t i = 0; i < 3u; i++) {
            const float value = slot_value(&corners[i]->source, group->slot + k) * corners[i]->inverse_w;
            const uint32_t magnitude = fast_bits(value) & 0x7fffffffu;
            triangle->attribute[group->attribute + k][i] = value;
            if (magnitude > greatest)
                greatest = magnitude;
        }
    return greatest;
}

static void sign_quaternion(struct fast_triangle *triangle, const struct screen_vertex *const corners[3])
{
    for (uint32_t i = 0; i < 3u; i++)
        for (uint32_t k = 0; k < 4u; k++) {
            float *value = &triangle->attribute[FAST_ATTRIBUTE_QUATERNION + k][i];
            *value = fast_float(fast_bits(*value) ^ corners[i]->source.quaternion_sign);
        }
}

/* Colours of 0..1 without -0, texture coordinates of at most 2^10: what the quick way asks for (quick.h). */
static bool corners_are_bounded(const struct screen_vertex *const corners[3], uint32_t needs)
{
    static const uint32_t bits_of_1 = 0x3f800000u;
    static const uint32_t bits_of_2_10 = 0x44800000u;
    bool bounded = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const struct clip_vertex *vertex = &corners[i]->source;
        for (uint32_t k = 0; k < 4u && (needs & FAST_NEED_COLOR) != 0u; k++)
            bounded = bounded && fast_bits(slot_value(vertex, FAST_SLOT_COLOR + k)) <= bits_of_1;
        for (uint32_t k = 0; k < 2u && (needs & FAST_NEED_TEXCOORD0) != 0u; k++)
            bounded = bounded && (fast_bits(slot_value(vertex, FAST_SLOT_TEXCOORD0 + k)) & 0x7fffffffu) <= bits_of_2_10;
        for (uint32_t k = 0; k < 2u && (needs & FAST_NEED_TEXCOORD1) != 0u; k++)
            bounded = bounded && (fast_bits(slot_value(vertex, FAST_SLOT_TEXCOORD1 + k)) & 0x7fffffffu) <= bits_of_2_10;
        for (uint32_t k = 0; k < 2u && (needs & FAST_NEED_TEXCOORD2) != 0u; k++)
            bounded = bounded && (fast_bits(slot_value(vertex, FAST_SLOT_TEXCOORD2 + k)) & 0x7fffffffu) <= bits_of_2_10;
    }
    return bounded;
}

/*
 * `a . r` of VPT-01 is the IEEE product, because r is finite and not 0 (CLP-10). In the interpolation PICA and IEEE
 * products agree if every a_i is below 2^60 and every r_i within 2^-60 .. 2^60: the weights are below 2^40, so no
 * operand is infinite and D is not 0.
 */
static void set_up_values(struct fast_triangle *triangle, const struct screen_vertex *const corners[3], uint32_t needs)
{
    static const uint32_t bits_of_2_60 = 0x5d800000u;
    static const uint32_t bits_of_2_minus_60 = 0x21800000u;
    uint32_t greatest = 0;
    bool moderate = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const uint32_t bits = fast_bits(corners[i]->inverse_w);
        moderate = moderate && bits >= bits_of_2_minus_60 && bits <= bits_of_2_60;
        triangle->inverse_w[i] = corners[i]->inverse_w;
        triangle->z[i] = corners[i]->z;
    }
    for (uint32_t g = 0; g < sizeof attribute_groups / sizeof attribute_groups[0]; g++)
        if ((needs & attribute_groups[g].need) != 0u) {
            const uint32_t magnitude = set_up_attributes(triangle, corners, &attribute_groups[g]);
            greatest = magnitude > greatest ? magnitude : greatest;
        }
    if ((needs & FAST_NEED_QUATERNION) != 0u)
        sign_quaternion(triangle, corners);
    triangle->ieee = moderate && greatest <= bits_of_2_60;
    triangle->bounded = triangle->ieee && corners_are_bounded(corners, needs);
}

static void record_corners(const struct fast_renderer *renderer, const struct screen_vertex *const corners[3])
{
    struct fast_trace_corner *const out = renderer->job.tracer->corners[renderer->triangle_count];
    for (uint32_t i = 0; i < 3u; i++) {
        const struct screen_vertex *const corner = corners[i];
        out[i] = (struct fast_trace_corner){
            .z = corner->z, .inverse_w = corner->inverse_w, .x = corner->x, .y = corner->y
        };
        for (uint32_t k = 0; k < 4u; k++)
            out[i].position[k] = slot_value(&corner->source, k);
    }
}

/* CUL-01, CUL-02, CUL-03 (A = 0 draws nothing), CUL-04, then section 4: one fan triangle. */
static void draw_fan_triangle(struct fast_renderer *renderer, const struct screen_vertex *v0,
                              const struct screen_vertex *v1, const struct screen_vertex *v2)
{
    struct fast_gpu *gpu = renderer->gpu;
    const struct fast_raster_state *state = renderer->job.raster;
    const int64_t area = (int64_t)(v1->x - v0->x) * (v2->y - v0->y) - (int64_t)(v1->y - v0->y) * (v2->x - v0->x);
    if (area == 0 || !(area < 0 ? state->keeps_negative : state->keeps_positive))
        return;
    renderer->drawing = true; /* FBF-33 */
    const struct screen_vertex *const corners[3] = { v0, area < 0 ? v2 : v1, area < 0 ? v1 : v2 };
    struct fast_box box = pixel_box(state, corners);
    if (!admit_box(gpu, state, &box) || !state->draws)
        return;

    struct fast_triangle *triangle = fast_bins_next(renderer);
    const int64_t sum = set_up_edges(state, triangle, corners);
    if (sum <= 0) /* RST-04 */
        return;
    triangle->area = (float)sum; /* ITP-10 */
    triangle->uncut = false;     /* not looked at: only a shortcut */
    triangle->left = (uint16_t)box.left;
    triangle->right = (uint16_t)box.right;
    triangle->first_row = (uint16_t)(state->bottom_row_last ? (int32_t)state->height - 1 - box.top : box.bottom);
    triangle->last_row = (uint16_t)(state->bottom_row_last ? (int32_t)state->height - 1 - box.bottom : box.top);
    set_up_values(triangle, corners, renderer->job.needs);
    if (renderer->job.tracer != NULL)
        record_corners(renderer, corners);
    fast_bins_add(renderer, 0u);
}

/* CLP-10, VPT-04, CLP-12. */
static void draw_polygon(struct fast_renderer *renderer, const struct clip_vertex *vertices, uint32_t count)
{
    struct fast_gpu *gpu = renderer->gpu;
    const struct fast_raster_state *state = renderer->job.raster;
    float inverse_w[POLYGON_VERTICES];
    if (!positions_usable(gpu, vertices, count, inverse_w))
        return;
    if (state->viewport_nonfinite)
        fast_event(gpu, PICA_EVENT_VIEWPORT_NONFINITE);
    const struct screen_vertex first = project(state, &vertices[0], inverse_w[0]);
    struct screen_vertex previous = project(state, &vertices[1], inverse_w[1]);
    for (uint32_t i = 2; i < count; i++) {
        const struct screen_vertex current = project(state, &vertices[i], inverse_w[i]);
        draw_fan_triangle(renderer, &first, &previous, &current);
        previous = current;
    }
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/* Bit p: outside of plane p (CLP-04, CLP-05). Without branches: which planes a vertex is outside of is
 * unforeseeable. */
static inline uint32_t outside_planes(const struct fast_raster_state *state, const float position[4])
{
    uint32_t outside = 0;
    for (uint32_t plane = 0; plane < CLIP_PLANES - 1u; plane++)
        outside |= (uint32_t)!is_inside(plane_distance(state, plane, position)) << plane;
    if (state->user_plane)
        outside |= (uint32_t)!is_inside(plane_distance(state, CLIP_PLANES - 1u, position)) << (CLIP_PLANES - 1u);
    return outside;
}

/* CLP-02 */
static inline bool position_finite(const float position[4])
{
    bool finite = true;
    for (uint32_t k = 0; k < 4u; k++)
        finite &= fast_is_finite(position[k]);
    return finite;
}

/* The values that a draw looks at. */
static void list_slots(struct polygon *polygon, uint32_t needs)
{
    for (uint32_t slot = 0; slot < 4u; slot++)
        polygon->slots[slot] = (uint8_t)(FAST_SLOT_POSITION + slot);
    polygon->slot_count = 4;
    for (uint32_t g = 0; g < sizeof attribute_groups / sizeof attribute_groups[0]; g++)
        for (uint32_t k = 0; k < attribute_groups[g].count && (needs & attribute_groups[g].need) != 0u; k++)
            polygon->slots[polygon->slot_count++] = (uint8_t)(attribute_groups[g].slot + k);
}

static void draw_clipped(struct fast_renderer *renderer, const struct clip_vertex *corners)
{
    struct polygon polygon;
    struct clip_vertex vertices[POLYGON_VERTICES];
    polygon.which = 0;
    polygon.count = 3;
    list_slots(&polygon, renderer->job.needs);
    for (uint32_t i = 0; i < 3u; i++)
        for (uint32_t k = 0; k < polygon.slot_count; k++) {
            const uint32_t slot = polygon.slots[k];
            const bool quaternion = slot >= FAST_SLOT_QUATERNION && slot < FAST_SLOT_COLOR;
            const uint32_t bits = fast_bits(slot_value(&corners[i], slot));
            polygon.lists[0][i][slot] = fast_float(quaternion ? bits ^ corners[i].quaternion_sign : bits);
        }
    clip_polygon(renderer->job.raster, &polygon);
    if (polygon.count < 3u)
        return;
    for (uint32_t i = 0; i < polygon.count; i++)
        vertices[i] = (struct clip_vertex){ .slots = polygon.lists[polygon.which][i], .stride = 1u };
    draw_polygon(renderer, vertices, polygon.count);
}

void fast_triangle_draw(struct fast_renderer *renderer, const struct fast_triangles *triangles, uint32_t number)
{
    struct fast_gpu *gpu = renderer->gpu;
    const struct fast_raster_state *state = renderer->job.raster;
    struct clip_vertex corners[3];
    float position[3][4];
    for (uint32_t i = 0; i < 3u; i++) {
        corners[i].slots = triangles->floats + triangles->corner[i][number];
        corners[i].stride = FAST_LANES;
        corners[i].quaternion_sign = (triangles->flips[number] >> i & 1u) << 31;
        for (uint32_t slot = 0; slot < 4u; slot++)
            position[i][slot] = slot_value(&corners[i], slot);
    }
    if (!position_finite(position[0]) || !position_finite(position[1]) || !position_finite(position[2])) { /* CLP-02 */
        fast_event(gpu, PICA_EVENT_NONFINITE_POSITION);
        return;
    }
    if (state->user_plane && state->plane_nonfinite) /* CLP-08 */
        fast_event(gpu, PICA_EVENT_CLIP_PLANE_NONFINITE);

    const uint32_t out0 = outside_planes(state, position[0]);
    const uint32_t out1 = outside_planes(state, position[1]);
    const uint32_t out2 = outside_planes(state, position[2]);
    const uint32_t some = out0 | out1 | out2;
    if (some == 0u) {
        draw_polygon(renderer, corners, 3);
        return;
    }
    /* The first plane that cuts anything sees the original corners: if all are outside, the list is empty (CLP-09). */
    const uint32_t first_plane = some & (0u - some);
    if ((out0 & out1 & out2 & first_plane) == 0u)
        draw_clipped(renderer, corners);
}
