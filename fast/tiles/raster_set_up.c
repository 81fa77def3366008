/* Sets up a single triangle (30 section 4): box, edge functions, attributes. */
#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/tiles/single_triangle.h"
#include "fast/trace.h"

/* -------------------------------------------------------------------------------------------------------------- box */

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

/* RST-05: the pixels whose centres lie in the bounding box. */
static inline struct fast_box pixel_box(const struct fast_screen_vertex *const corners[3])
{
    const int32_t min_x = lesser(corners[0]->x, lesser(corners[1]->x, corners[2]->x));
    const int32_t max_x = greater(corners[0]->x, greater(corners[1]->x, corners[2]->x));
    const int32_t min_y = lesser(corners[0]->y, lesser(corners[1]->y, corners[2]->y));
    const int32_t max_y = greater(corners[0]->y, greater(corners[1]->y, corners[2]->y));
    return (struct fast_box){ floor_div16(min_x + 7), floor_div16(min_y + 7), floor_div16(max_x - 8),
                              floor_div16(max_y - 8) };
}

/*
 * RST-05, RST-08: cuts `box` by the scissor box in mode 3, records events and counts the budget; afterwards `box` is
 * the box to draw. False: nothing is drawn.
 */
static bool admit_box(struct fast_bins *bins, const struct fast_fragment_state *state, struct fast_box *box)
{
    const struct fast_box frame = { 0, 0, (int32_t)state->width - 1, (int32_t)state->height - 1 };
    if (state->scissor_inside)
        *box = cut_box(box, &state->scissor);
    if (box_is_empty(box))
        return false;
    if (box->left < frame.left || box->bottom < frame.bottom || box->right > frame.right || box->top > frame.top)
        fast_bins_event(bins, PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    *box = cut_box(box, &frame);
    if (box_is_empty(box))
        return false;
    return fast_bins_admit(bins, (uint64_t)(box->right - box->left + 1) * (uint64_t)(box->top - box->bottom + 1));
}

/* ------------------------------------------------------------------------------------------------------------ edges */

/* RST-02: the bias of an edge. */
static int32_t edge_bias(int32_t dx, int32_t dy)
{
    return dy > 0 || (dy == 0 && dx < 0) ? -1 : 0;
}

/* RST-01 to RST-04, TEX-09: sets the edge functions; returns S. */
static int64_t set_up_edges(const struct fast_fragment_state *state, struct fast_triangle *triangle,
                            const struct fast_screen_vertex *const corners[3])
{
    int64_t sum = 0;
    bool fits = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const struct fast_screen_vertex *a = corners[(i + 1u) % 3u];
        const struct fast_screen_vertex *b = corners[(i + 2u) % 3u];
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

/* ------------------------------------------------------------------------------------------------------- attributes */

/* VPT-01: sets one attribute that is needed, a * r; returns the bits of the largest magnitude. */
static uint32_t set_up_attributes(struct fast_triangle *triangle, const struct fast_screen_vertex *const corners[3],
                                  const struct fast_needed_attribute *needed)
{
    uint32_t greatest = 0;
    for (uint32_t k = 0; k < needed->count; k++)
        for (uint32_t i = 0; i < 3u; i++) {
            const float value = fast_slot_value(&corners[i]->source, needed->slot + k) * corners[i]->inverse_w;
            const uint32_t magnitude = fast_bits(value) & 0x7fffffffu;
            triangle->attribute[needed->attribute + k][i] = value;
            if (magnitude > greatest)
                greatest = magnitude;
        }
    return greatest;
}

static void sign_quaternion(struct fast_triangle *triangle, const struct fast_screen_vertex *const corners[3])
{
    for (uint32_t i = 0; i < 3u; i++)
        for (uint32_t k = 0; k < 4u; k++) {
            float *value = &triangle->attribute[FAST_ATTRIBUTE_QUATERNION + k][i];
            *value = fast_float(fast_bits(*value) ^ corners[i]->source.quaternion_sign);
        }
}

/* Are colours in 0..1 and not -0, and texture coordinates at most 2^10? The quick way requires that (quick.h). */
static bool corners_are_bounded(const struct fast_screen_vertex *const corners[3], uint32_t needs)
{
    static const uint32_t bits_of_1 = 0x3f800000u;
    static const uint32_t bits_of_2_10 = 0x44800000u;
    bool bounded = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const struct fast_clip_vertex *vertex = &corners[i]->source;
        for (uint32_t k = 0; k < 4u && (needs & FAST_NEED_COLOR) != 0u; k++)
            bounded = bounded && fast_bits(fast_slot_value(vertex, FAST_SLOT_COLOR + k)) <= bits_of_1;
        for (uint32_t k = 0; k < 2u && (needs & FAST_NEED_TEXCOORD0) != 0u; k++)
            bounded =
                bounded && (fast_bits(fast_slot_value(vertex, FAST_SLOT_TEXCOORD0 + k)) & 0x7fffffffu) <= bits_of_2_10;
        for (uint32_t k = 0; k < 2u && (needs & FAST_NEED_TEXCOORD1) != 0u; k++)
            bounded =
                bounded && (fast_bits(fast_slot_value(vertex, FAST_SLOT_TEXCOORD1 + k)) & 0x7fffffffu) <= bits_of_2_10;
        for (uint32_t k = 0; k < 2u && (needs & FAST_NEED_TEXCOORD2) != 0u; k++)
            bounded =
                bounded && (fast_bits(fast_slot_value(vertex, FAST_SLOT_TEXCOORD2 + k)) & 0x7fffffffu) <= bits_of_2_10;
    }
    return bounded;
}

/*
 * `a . r` of VPT-01 is the IEEE product, because r is finite and not 0 (CLP-10). In the interpolation PICA and IEEE
 * products agree if every a_i is below 2^60 and every r_i within 2^-60 .. 2^60: the weights are below 2^40, so no
 * operand is infinite and D is not 0.
 */
static void set_up_values(struct fast_triangle *triangle, const struct fast_screen_vertex *const corners[3],
                          uint32_t needs)
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
    for (uint32_t g = 0; g < FAST_NEEDED_ATTRIBUTES; g++)
        if ((needs & fast_needed_attributes[g].need) != 0u) {
            const uint32_t magnitude = set_up_attributes(triangle, corners, &fast_needed_attributes[g]);
            greatest = magnitude > greatest ? magnitude : greatest;
        }
    if ((needs & FAST_NEED_QUATERNION) != 0u)
        sign_quaternion(triangle, corners);
    triangle->ieee = moderate && greatest <= bits_of_2_60;
    triangle->bounded = triangle->ieee && corners_are_bounded(corners, needs);
}

static void record_corners(const struct fast_bins *bins, const struct fast_screen_vertex *const corners[3])
{
    struct fast_trace_corner *const out = bins->renderer->job.tracer->corners[bins->triangle_count];
    for (uint32_t i = 0; i < 3u; i++) {
        const struct fast_screen_vertex *const corner = corners[i];
        out[i] = (struct fast_trace_corner){
            .z = corner->z, .inverse_w = corner->inverse_w, .x = corner->x, .y = corner->y
        };
        for (uint32_t k = 0; k < 4u; k++)
            out[i].position[k] = fast_slot_value(&corner->source, k);
    }
}

/* The 4x4 blocks of the box, as fast_bins_add expects them; 0 unless the triangle is small. */
static uint32_t find_blocks(const struct fast_triangle *triangle)
{
    const uint32_t columns = triangle->right / 4u - triangle->left / 4u + 1u;
    const uint32_t rows = triangle->last_row / 4u - triangle->first_row / 4u + 1u;
    if (!triangle->uncut || !triangle->narrow || columns > 3u || rows > 3u)
        return 0u;
    return ((1u << columns) - 1u) * (0111u & ((1u << 3u * rows) - 1u));
}

/* -------------------------------------------------------------------------------------------------------- all of it */

/* Section 4 of 30. `corners` are in the order after CUL-04. */
void fast_set_up_triangle(struct fast_bins *bins, const struct fast_screen_vertex *const corners[3])
{
    const struct fast_renderer *renderer = bins->renderer;
    const struct fast_fragment_state *state = renderer->job.raster;
    const struct fast_box whole = pixel_box(corners);
    struct fast_box box = whole;
    if (!admit_box(bins, state, &box) || !state->draws)
        return;

    struct fast_triangle *triangle = fast_bins_next(bins);
    const int64_t sum = set_up_edges(state, triangle, corners);
    if (sum <= 0) /* RST-04 */
        return;
    triangle->area = (float)sum; /* ITP-10 */
    triangle->uncut = memcmp(&box, &whole, sizeof box) == 0;
    triangle->left = (uint16_t)box.left;
    triangle->right = (uint16_t)box.right;
    triangle->first_row = (uint16_t)(state->bottom_row_last ? (int32_t)state->height - 1 - box.top : box.bottom);
    triangle->last_row = (uint16_t)(state->bottom_row_last ? (int32_t)state->height - 1 - box.bottom : box.top);
    set_up_values(triangle, corners, renderer->job.needs);
    if (renderer->job.tracer != NULL)
        record_corners(bins, corners);
    fast_bins_add(bins, renderer->job.tracer == NULL ? find_blocks(triangle) : 0u);
}
