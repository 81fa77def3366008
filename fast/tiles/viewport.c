/* Viewport (30 section 2): the vertices of a polygon on the screen, in 1/16 pixel. */
#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/tiles/single_triangle.h"

/*
 * CLP-10: false = the whole polygon is dropped. All vertices are looked at: both events may occur. `inverse_w` becomes
 * 1 / w of each vertex.
 */
static bool positions_usable(struct fast_bins *bins, const struct fast_clip_vertex *vertices, uint32_t count,
                             float *inverse_w)
{
    bool usable = true;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t slot = 0; slot < 4u; slot++)
            if (!fast_is_finite(fast_slot_value(&vertices[i], slot))) {
                fast_bins_event(bins, PICA_EVENT_NONFINITE_POSITION);
                usable = false;
            }
        const float w = fast_slot_value(&vertices[i], 3);
        inverse_w[i] = 1.0f / w;
        if (w <= 0.0f || (fast_bits(inverse_w[i]) & 0x7fffffffu) == 0x7f800000u) {
            fast_bins_event(bins, PICA_EVENT_W_NOT_POSITIVE);
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
static inline struct fast_screen_vertex project(const struct fast_fragment_state *state,
                                                const struct fast_clip_vertex *vertex, float r)
{
    struct fast_screen_vertex result;
    const float x =
        fast_slot_value(vertex, 0) * r; /* IEEE products: the position is finite, r is neither 0 nor infinite */
    const float y = fast_slot_value(vertex, 1) * r;
    result.source = *vertex;
    result.x = snap(fast_pica_product(x + 1.0f, state->half_width) + state->offset_x);
    result.y = snap(fast_pica_product(y + 1.0f, state->half_height) + state->offset_y);
    result.z = fast_slot_value(vertex, 2) * r;
    result.inverse_w = r;
    return result;
}

/* CLP-10, VPT-04, CLP-12. */
void fast_viewport_polygon(struct fast_bins *bins, const struct fast_clip_vertex *vertices, uint32_t count)
{
    const struct fast_fragment_state *state = bins->renderer->job.raster;
    float inverse_w[FAST_POLYGON_VERTICES];
    if (!positions_usable(bins, vertices, count, inverse_w))
        return;
    if (state->viewport_nonfinite)
        fast_bins_event(bins, PICA_EVENT_VIEWPORT_NONFINITE);
    const struct fast_screen_vertex first = project(state, &vertices[0], inverse_w[0]);
    struct fast_screen_vertex previous = project(state, &vertices[1], inverse_w[1]);
    for (uint32_t i = 2; i < count; i++) {
        const struct fast_screen_vertex current = project(state, &vertices[i], inverse_w[i]);
        fast_cull_triangle(bins, &first, &previous, &current);
        previous = current;
    }
}
