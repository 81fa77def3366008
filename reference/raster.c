/*
 * The rasteriser: which pixels a triangle covers.
 *
 * Corners lie on a grid of 1/16 pixel, so whether a pixel centre is inside is decided by exact integers: each edge has
 * a function E that is positive on the inner side and grows with the distance. A centre exactly on an edge belongs to
 * the triangle only if the edge is a left one, or the lowest horizontal one (y grows upwards), so that triangles that
 * share an edge neither overlap nor leave a gap. The three integers are also the weights of the interpolation. This
 * file also has the order of work for one fan triangle: culling, the pixels that exist, scissor test, fragments.
 *
 * Worked number: corners (0,0) (8,0) (0,8) in pixels are (0,0) (128,0) (0,128) in 1/16, A = 128 * 128 = 16384. At the
 * centre of pixel (0,0), (8,8): E = 14336, 1024, 1024; the first edge is a right one and gets -1: weights 14335, 1024,
 * 1024 and S = 16383.
 */
#include "reference/raster.h"

#include "reference/fragment.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

/* RST-01: E(a, b) at the sub-pixel position (x, y). */
static int64_t edge(const struct ref_screen_vertex *a, const struct ref_screen_vertex *b, int32_t x, int32_t y)
{
    return ((int64_t)b->x_sub - a->x_sub) * ((int64_t)y - a->y_sub) -
           ((int64_t)b->y_sub - a->y_sub) * ((int64_t)x - a->x_sub);
}

/* RST-02: -1 for a right edge and for the horizontal edge at the largest y. */
static int64_t bias(const struct ref_screen_vertex *a, const struct ref_screen_vertex *b)
{
    const int32_t dx = b->x_sub - a->x_sub;
    const int32_t dy = b->y_sub - a->y_sub;
    return dy > 0 || (dy == 0 && dx < 0) ? -1 : 0;
}

/* RST-02, other side: -1 if the third corner is left of where the edge's line meets its row, cut to 1/16 pixel. */
static int64_t bias_by_division(const struct ref_screen_vertex *a, const struct ref_screen_vertex *b,
                                const struct ref_screen_vertex *third)
{
    const int64_t dx = (int64_t)b->x_sub - a->x_sub;
    const int64_t dy = (int64_t)b->y_sub - a->y_sub;
    if (dy == 0)
        return third->y_sub < a->y_sub ? -1 : 0;
    return third->x_sub < a->x_sub + dx * ((int64_t)third->y_sub - a->y_sub) / dy ? -1 : 0;
}

/* RST-01, RST-03: the weights at the centre of pixel (x, y). */
static struct ref_weights weights_at(const struct ref_gpu *gpu, const struct ref_triangle *triangle, int32_t x,
                                     int32_t y)
{
    const bool divides = ref_takes(gpu, PICA_SIDE_FILL_RULE_DIVISION);
    const int32_t px = 16 * x + 8;
    const int32_t py = 16 * y + 8;
    struct ref_weights result;
    for (int i = 0; i < 3; i++) {
        const struct ref_screen_vertex *a = triangle->v[(i + 1) % 3];
        const struct ref_screen_vertex *b = triangle->v[(i + 2) % 3];
        result.w[i] = edge(a, b, px, py) + (divides ? bias_by_division(a, b, triangle->v[i]) : bias(a, b));
    }
    return result;
}

/* RST-01: how E changes from a pixel to the next one, to the right or up; exact, like E itself. */
struct steps {
    int64_t x[3];
    int64_t y[3];
};

/* RST-01: E is linear, and neighbouring centres are 16 units apart. */
static struct steps edge_steps(const struct ref_triangle *triangle)
{
    struct steps steps;
    for (int i = 0; i < 3; i++) {
        const struct ref_screen_vertex *a = triangle->v[(i + 1) % 3];
        const struct ref_screen_vertex *b = triangle->v[(i + 2) % 3];
        steps.x[i] = -16 * ((int64_t)b->y_sub - a->y_sub);
        steps.y[i] = 16 * ((int64_t)b->x_sub - a->x_sub);
    }
    return steps;
}

static void advance(struct ref_weights *weights, const int64_t step[3])
{
    for (int i = 0; i < 3; i++)
        weights->w[i] += step[i];
}

/* RST-04. */
static bool is_covered(const struct ref_weights *weights)
{
    return weights->w[0] >= 0 && weights->w[1] >= 0 && weights->w[2] >= 0 && ref_weight_sum(weights) > 0;
}

/* RST-04, CUL-03, other sides: S may be 0, and then all three weights are 0. */
static bool is_empty(const struct ref_weights *weights)
{
    return weights->w[0] == 0 && weights->w[1] == 0 && weights->w[2] == 0;
}

/* ------------------------------------------------------------------------------------------------ boxes and budget */

static bool box_is_empty(const struct ref_box *box)
{
    return box->x_last < box->x_first || box->y_last < box->y_first;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static struct ref_box intersection(const struct ref_box *a, const struct ref_box *b)
{
    const struct ref_box result = { greater(a->x_first, b->x_first), smaller(a->x_last, b->x_last),
                                    greater(a->y_first, b->y_first), smaller(a->y_last, b->y_last) };
    return result;
}

static bool is_contained(const struct ref_box *inner, const struct ref_box *outer)
{
    return inner->x_first >= outer->x_first && inner->x_last <= outer->x_last && inner->y_first >= outer->y_first &&
           inner->y_last <= outer->y_last;
}

static int32_t floor_div16(int32_t value)
{
    const int32_t remainder = value % 16;
    return (value - (remainder < 0 ? remainder + 16 : remainder)) / 16;
}

/*
 * RST-05: the pixels whose centres (RST-01) are within the corners' box. ceil((m - 8) / 16) = floor((m + 7) / 16).
 * CUL-03: without an area from floor(min / 16) to ceil(max / 16) - 1 = floor((max - 1) / 16).
 */
static struct ref_box box_of_corners(const struct ref_triangle *triangle)
{
    const struct ref_screen_vertex *a = triangle->v[0], *b = triangle->v[1], *c = triangle->v[2];
    const int32_t first = triangle->has_area ? 7 : 0;
    const int32_t last = triangle->has_area ? 8 : 1;
    const struct ref_box box = {
        floor_div16(smaller(a->x_sub, smaller(b->x_sub, c->x_sub)) + first),
        floor_div16(greater(a->x_sub, greater(b->x_sub, c->x_sub)) - last),
        floor_div16(smaller(a->y_sub, smaller(b->y_sub, c->y_sub)) + first),
        floor_div16(greater(a->y_sub, greater(b->y_sub, c->y_sub)) - last),
    };
    return box;
}

/* RST-08: counts the pixels of a box; false if the submission's budget is not enough for them. */
static bool pixels_last(struct ref_gpu *gpu, uint64_t pixels)
{
    if (gpu->budget.pixels_spent)
        return false;
    if (gpu->budget.pixels + pixels > gpu->limits.pixels) {
        gpu->budget.pixels_spent = true;
        ref_event(gpu, PICA_EVENT_BUDGET_PIXELS);
        return false;
    }
    gpu->budget.pixels += pixels;
    return true;
}

/* RST-09: how much of the budget one pixel of the batch uses, whether it is covered or not. */
static uint64_t shading_of_pixel(const struct ref_gpu *gpu)
{
    const uint32_t *const regs = gpu->regs;
    const uint32_t units = regs[PICA_REG_TEXUNIT_CONFIG];
    const bool is_lit = pica_lighting_enable1_disable(regs[PICA_REG_LIGHTING_ENABLE1]) == 0;
    const uint32_t lights =
        is_lit ? pica_lighting_num_lights_lights_minus_1(regs[PICA_REG_LIGHTING_NUM_LIGHTS]) + 1u : 0;
    return 8u + 2u * lights +
           4u * (pica_texunit_config_unit0_enable(units) + pica_texunit_config_unit1_enable(units) +
                 pica_texunit_config_unit2_enable(units) + pica_texunit_config_unit3_enable(units));
}

/* RST-09: counts the shading of a box; false if the budget of the case is not enough for it. */
static bool shading_lasts(struct ref_gpu *gpu, uint64_t pixels)
{
    gpu->work.shading += pixels * shading_of_pixel(gpu);
    if (gpu->work.shading <= gpu->work.limit)
        return true;
    gpu->work.shading_spent = true;
    ref_event(gpu, PICA_EVENT_BUDGET_WORK);
    return false;
}

/* RST-08, RST-09. */
static bool budgets_last(struct ref_gpu *gpu, const struct ref_box *box)
{
    const uint64_t width = box_is_empty(box) ? 0u : (uint64_t)(box->x_last - box->x_first) + 1u;
    const uint64_t height = box_is_empty(box) ? 0u : (uint64_t)(box->y_last - box->y_first) + 1u;
    return !gpu->work.shading_spent && pixels_last(gpu, width * height) && shading_lasts(gpu, width * height);
}

/* RST-05, RST-08, RST-09: the pixels of a triangle that exist and may be inside, its events. False: draw nothing. */
static bool pixels_to_visit(struct ref_gpu *gpu, const struct ref_triangle *triangle, const struct ref_scissor *scissor,
                            struct ref_box *visit)
{
    const struct ref_box framebuffer = { 0, (int32_t)gpu->batch->width - 1, 0, (int32_t)gpu->batch->height - 1 };
    struct ref_box box = box_of_corners(triangle);
    if (scissor->mode == PICA_SCISSOR_MODE_INSIDE)
        box = intersection(&box, &scissor->box);
    ref_event_if(gpu, !box_is_empty(&box) && !is_contained(&box, &framebuffer), PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    *visit = intersection(&box, &framebuffer);
    return budgets_last(gpu, visit);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_corners(const struct ref_gpu *gpu, const struct ref_triangle *triangle)
{
    for (uint32_t i = 0; i < 3; i++)
        ref_trace_floats(gpu, PICA_TRACE_ID_CLIP_POSITION, i, triangle->v[i]->clip_position, 4);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t position[2] = { (uint32_t)triangle->v[i]->x_sub, (uint32_t)triangle->v[i]->y_sub };
        ref_trace(gpu, PICA_TRACE_ID_SCREEN_POSITION, i, position, 2);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const float depth[2] = { triangle->v[i]->z, triangle->v[i]->r };
        ref_trace_floats(gpu, PICA_TRACE_ID_SCREEN_DEPTH, i, depth, 2);
    }
}

/* Each weight as low word and high word. */
static void record_weights(const struct ref_gpu *gpu, const struct ref_weights *weights)
{
    uint32_t halves[6];
    for (int i = 0; i < 3; i++) {
        halves[2 * i] = (uint32_t)((uint64_t)weights->w[i] & 0xFFFFFFFFu);
        halves[2 * i + 1] = (uint32_t)((uint64_t)weights->w[i] >> 32);
    }
    ref_trace(gpu, PICA_TRACE_ID_WEIGHTS, 0, halves, 6);
}

/* A triangle visits a pixel; until ref_trace_pixel_end its steps are reported if it is the traced one. */
static void record_visit(struct ref_gpu *gpu, const struct ref_triangle *triangle, const struct ref_weights *weights,
                         int32_t x, int32_t y)
{
    ref_trace_pixel_begin(gpu, x, y);
    if (!gpu->trace.is_active)
        return;
    record_corners(gpu, triangle);
    record_weights(gpu, weights);
}

/* ----------------------------------------------------------------------------------------------------------- order */

/* A covered pixel that passed the scissor test. */
static void draw_pixel(struct ref_gpu *gpu, const struct ref_triangle *triangle, const struct ref_weights *weights,
                       int32_t x, int32_t y)
{
    struct ref_fragment fragment;
    if (gpu->is_watched)
        record_visit(gpu, triangle, weights, x, y);
    ref_interpolate(gpu, triangle, weights, x, y, &fragment);
    gpu->pixels += ref_output_fragment(gpu, &fragment) ? 1u : 0u;
    if (gpu->is_watched)
        ref_trace_pixel_end(gpu);
}

/* RST-06: within a triangle the order of the pixels has no effect. SCS-01 is step 1 of FBF-21. */
static void visit_pixels(struct ref_gpu *gpu, const struct ref_triangle *triangle, const struct ref_scissor *scissor,
                         const struct ref_box *visit)
{
    const struct steps steps = edge_steps(triangle);
    const bool draws_empty = !triangle->has_area || ref_takes(gpu, PICA_SIDE_EMPTY_SUM_DRAWN);
    struct ref_weights row = weights_at(gpu, triangle, visit->x_first, visit->y_first);
    for (int32_t y = visit->y_first; y <= visit->y_last; y++, advance(&row, steps.y)) {
        struct ref_weights weights = row;
        for (int32_t x = visit->x_first; x <= visit->x_last; x++, advance(&weights, steps.x))
            if ((is_covered(&weights) || (draws_empty && is_empty(&weights))) && ref_scissor_test(gpu, scissor, x, y))
                draw_pixel(gpu, triangle, &weights, x, y);
    }
}

/* A triangle that the rasteriser gets, for the trace of the vertex that completes it. */
static void record_screen(const struct ref_gpu *gpu, const struct ref_screen_vertex *vertex, uint32_t index)
{
    ref_trace_rule_floats(gpu, "VPT-02", index, (const float[]){ vertex->z, vertex->r }, 2);
    ref_trace_rule(gpu, "VPT-03", index, (const uint32_t[]){ (uint32_t)vertex->x_sub, (uint32_t)vertex->y_sub }, 2);
    ref_trace_rule_floats(gpu, "VPT-01", 2u * index, vertex->attributes, 9);
    ref_trace_rule_floats(gpu, "VPT-01", 2u * index + 1u, vertex->attributes + 9, 9);
}

static void record_corners_on_screen(const struct ref_gpu *gpu, const struct ref_screen_vertex *v0,
                                     const struct ref_screen_vertex *v1, const struct ref_screen_vertex *v2)
{
    record_screen(gpu, v0, 0);
    record_screen(gpu, v1, 1);
    record_screen(gpu, v2, 2);
}

static void record_box(const struct ref_gpu *gpu, const struct ref_scissor *scissor,
                       const struct ref_triangle *triangle, const struct ref_box *visit)
{
    const struct ref_weights weights = weights_at(gpu, triangle, visit->x_first, visit->y_first);
    uint32_t edges[3];
    for (int i = 0; i < 3; i++)
        edges[i] = (uint32_t)bias(triangle->v[(i + 1) % 3], triangle->v[(i + 2) % 3]);
    ref_trace_rule(gpu, "SCS-02", 0,
                   (const uint32_t[]){ (uint32_t)scissor->mode, (uint32_t)scissor->box.x_first,
                                       (uint32_t)scissor->box.x_last, (uint32_t)scissor->box.y_first,
                                       (uint32_t)scissor->box.y_last },
                   5);
    ref_trace_rule(gpu, "RST-05", 0,
                   (const uint32_t[]){ (uint32_t)visit->x_first, (uint32_t)visit->x_last, (uint32_t)visit->y_first,
                                       (uint32_t)visit->y_last },
                   4);
    ref_trace_rule(gpu, "RST-02", 0, edges, 3);
    ref_trace_rule(gpu, "RST-01", 0,
                   (const uint32_t[]){ (uint32_t)weights.w[0], (uint32_t)weights.w[1], (uint32_t)weights.w[2] }, 3);
}

/* CUL-02, RST-05, RST-08: A != 0 and kept makes a drawing batch (FBF-33), whatever the budget. */
void ref_raster_triangle(struct ref_gpu *gpu, const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
                         const struct ref_screen_vertex *v2)
{
    const struct ref_scissor scissor = ref_scissor_load(gpu);
    struct ref_triangle triangle;
    struct ref_box visit;
    if (gpu->trace.is_active)
        record_corners_on_screen(gpu, v0, v1, v2);
    if (!ref_cull(gpu, v0, v1, v2, &triangle))
        return;
    ref_batch_triangle_kept(gpu);
    gpu->trace.triangles += 1u;
    const bool may_draw = pixels_to_visit(gpu, &triangle, &scissor, &visit);
    if (gpu->trace.is_active)
        record_box(gpu, &scissor, &triangle, &visit);
    if (!may_draw || box_is_empty(&visit))
        return;
    const bool vertex_is_traced = gpu->trace.is_active;
    gpu->trace.is_active = false;
    ref_batch_decode(gpu);
    ref_interpolation_prepare(gpu, &triangle);
    visit_pixels(gpu, &triangle, &scissor, &visit);
    gpu->trace.is_active = vertex_is_traced;
}

/* RST-07, REG-07: batch events (GEN-09). 0x058 and 0x060 have no other effect. */
void ref_raster_events(struct ref_gpu *gpu)
{
    const uint32_t *regs = gpu->regs;
    ref_event_if(gpu, pica_unused_058_flat_shading(regs[PICA_REG_UNUSED_058]), PICA_EVENT_REG_0058);
    ref_event_if(gpu, pica_unused_060_pixel_skip(regs[PICA_REG_UNUSED_060]) != 0, PICA_EVENT_REG_0060);
}
