/*
 * The rasteriser: which pixels a triangle covers, and the depth and attributes of each of them.
 *
 * Corners lie on a grid of 1/16 pixel, so whether a pixel centre is inside is decided by exact integers: each edge
 * has a function E that is positive on the inner side and grows with the distance. A centre exactly on an edge belongs
 * to the triangle only if the edge is a left one, or the lowest horizontal one (y grows upwards), so that triangles
 * that share an edge neither overlap nor leave a gap. The three integers are also the weights of the interpolation,
 * which is perspective correct for attributes and plain for depth.
 *
 * Worked number: corners (0,0) (8,0) (0,8) in pixels are (0,0) (128,0) (0,128) in 1/16, A = 128 * 128 = 16384. At the
 * centre of pixel (0,0), (8,8): E = 14336, 1024, 1024; the first edge is a right one and gets -1: weights 14335, 1024,
 * 1024 and S = 16383.
 */
#include "reference/raster.h"

#include "reference/fragment.h"
#include "reference/framebuffer.h"
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

/* Pixels first .. last in both directions; empty if last < first. */
struct box {
    int32_t x_first, x_last;
    int32_t y_first, y_last;
};

/* A fan triangle with A > 0 and what is constant in it. */
struct triangle {
    const struct ref_screen_vertex *v[3];      /* order after CUL-04 */
    float attributes[REF_ATTRIBUTE_VALUES][3]; /* of v */
    struct ref_gradient gradient;
    uint32_t needs;                  /* REF_NEEDS_* */
    float depth_scale, depth_offset; /* ITP-14 */
    bool z_buffer;                   /* ITP-15 */
};

/* RST-03: the biased weights of a pixel. */
struct weights {
    int64_t w[3];
};

/* RST-01: how E changes from a pixel to the next one, to the right or up; exact, like E itself. */
struct steps {
    int64_t x[3];
    int64_t y[3];
};

static bool box_is_empty(const struct box *box)
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

static struct box intersection(const struct box *a, const struct box *b)
{
    const struct box result = { greater(a->x_first, b->x_first), smaller(a->x_last, b->x_last),
                                greater(a->y_first, b->y_first), smaller(a->y_last, b->y_last) };
    return result;
}

static bool is_contained(const struct box *inner, const struct box *outer)
{
    return inner->x_first >= outer->x_first && inner->x_last <= outer->x_last && inner->y_first >= outer->y_first &&
           inner->y_last <= outer->y_last;
}

static bool is_in_box(const struct box *box, int32_t x, int32_t y)
{
    return box->x_first <= x && x <= box->x_last && box->y_first <= y && y <= box->y_last;
}

/* ---------------------------------------------------------------------------------------------------------- culling */

/* CUL-01: the signed double area. It looks at the snapped positions only, not at FBF-06 (CUL-05). */
static int64_t double_area(const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
                           const struct ref_screen_vertex *v2)
{
    const int64_t x1 = (int64_t)v1->x_sub - v0->x_sub, y1 = (int64_t)v1->y_sub - v0->y_sub;
    const int64_t x2 = (int64_t)v2->x_sub - v0->x_sub, y2 = (int64_t)v2->y_sub - v0->y_sub;
    return (x1 * y2) - (y1 * x2);
}

/* CUL-02, CUL-03. */
static bool orientation_is_kept(enum pica_cull_mode mode, int64_t area)
{
    if (area == 0)
        return false;
    switch (mode) {
    case PICA_CULL_MODE_NONE: return true;
    case PICA_CULL_MODE_FRONT: return area < 0;
    case PICA_CULL_MODE_BACK: return area > 0;
    case PICA_CULL_MODE_NONE_3:
    default: return true; /* the field has two bits */
    }
}

/* ------------------------------------------------------------------------------------------ boxes, scissor, budget */

static int32_t floor_div16(int32_t value)
{
    const int32_t remainder = value % 16;
    return (value - (remainder < 0 ? remainder + 16 : remainder)) / 16;
}

/* RST-05: the pixels whose centres (RST-01) are within the corners' box. ceil((m - 8) / 16) = floor((m + 7) / 16). */
static struct box box_of_corners(const struct triangle *triangle)
{
    const struct ref_screen_vertex *a = triangle->v[0], *b = triangle->v[1], *c = triangle->v[2];
    const struct box box = {
        floor_div16(smaller(a->x_sub, smaller(b->x_sub, c->x_sub)) + 7),
        floor_div16(greater(a->x_sub, greater(b->x_sub, c->x_sub)) - 8),
        floor_div16(smaller(a->y_sub, smaller(b->y_sub, c->y_sub)) + 7),
        floor_div16(greater(a->y_sub, greater(b->y_sub, c->y_sub)) - 8),
    };
    return box;
}

/* SCS-02, SCS-03: corners inclusive, screen coordinates with y up (SCS-04). */
static struct box scissor_box(const struct ref_gpu *gpu)
{
    const uint32_t pos = gpu->regs[PICA_REG_SCISSORTEST_POS];
    const uint32_t dim = gpu->regs[PICA_REG_SCISSORTEST_DIM];
    const struct box box = { (int32_t)pica_scissortest_pos_x1(pos), (int32_t)pica_scissortest_dim_x2(dim),
                             (int32_t)pica_scissortest_pos_y1(pos), (int32_t)pica_scissortest_dim_y2(dim) };
    return box;
}

static enum pica_scissor_mode scissor_mode(const struct ref_gpu *gpu)
{
    return pica_scissortest_mode_mode(gpu->regs[PICA_REG_SCISSORTEST_MODE]);
}

/* RST-08: counts the pixels of a box; false if the submission's budget does not last. */
static bool budget_lasts(struct ref_gpu *gpu, const struct box *box)
{
    const uint64_t width = box_is_empty(box) ? 0u : (uint64_t)(box->x_last - box->x_first) + 1u;
    const uint64_t height = box_is_empty(box) ? 0u : (uint64_t)(box->y_last - box->y_first) + 1u;
    if (gpu->budget.pixels_spent)
        return false;
    if (gpu->budget.pixels + width * height > gpu->limits.pixels) {
        gpu->budget.pixels_spent = true;
        ref_event(gpu, PICA_EVENT_BUDGET_PIXELS);
        return false;
    }
    gpu->budget.pixels += width * height;
    return true;
}

/* RST-05, RST-08: the pixels of a triangle that exist and may be inside; events and budget. False: draw nothing. */
static bool pixels_to_visit(struct ref_gpu *gpu, const struct triangle *triangle, struct box *visit)
{
    const struct box framebuffer = { 0, (int32_t)gpu->batch->width - 1, 0, (int32_t)gpu->batch->height - 1 };
    struct box box = box_of_corners(triangle);
    if (scissor_mode(gpu) == PICA_SCISSOR_MODE_INSIDE) {
        const struct box scissor = scissor_box(gpu);
        box = intersection(&box, &scissor);
    }
    ref_event_if(gpu, !box_is_empty(&box) && !is_contained(&box, &framebuffer), PICA_EVENT_OUTSIDE_FRAMEBUFFER);
    *visit = intersection(&box, &framebuffer);
    return budget_lasts(gpu, visit);
}

/* SCS-01. */
static bool scissor_passes(enum pica_scissor_mode mode, const struct box *scissor, int32_t x, int32_t y)
{
    switch (mode) {
    case PICA_SCISSOR_MODE_OFF: return true;
    case PICA_SCISSOR_MODE_OUTSIDE: return !is_in_box(scissor, x, y);
    case PICA_SCISSOR_MODE_OFF_2: return true;
    case PICA_SCISSOR_MODE_INSIDE:
    default: return is_in_box(scissor, x, y); /* the field has two bits */
    }
}

/* --------------------------------------------------------------------------------------------------------- coverage */

/* RST-01: E(a, b) at the sub-pixel position (x, y). */
static int64_t edge(const struct ref_screen_vertex *a, const struct ref_screen_vertex *b, int32_t x, int32_t y)
{
    return ((int64_t)b->x_sub - a->x_sub) * ((int64_t)y - a->y_sub) -
           ((int64_t)b->y_sub - a->y_sub) * ((int64_t)x - a->x_sub);
}

/* RST-02: -1 for a right edge and for the horizontal edge at the greatest y. */
static int64_t bias(const struct ref_screen_vertex *a, const struct ref_screen_vertex *b)
{
    const int32_t dx = b->x_sub - a->x_sub;
    const int32_t dy = b->y_sub - a->y_sub;
    return dy > 0 || (dy == 0 && dx < 0) ? -1 : 0;
}

/* RST-01, RST-03: the weights at the centre of pixel (x, y). */
static struct weights weights_at(const struct triangle *triangle, int32_t x, int32_t y)
{
    const int32_t px = 16 * x + 8;
    const int32_t py = 16 * y + 8;
    struct weights result;
    for (int i = 0; i < 3; i++) {
        const struct ref_screen_vertex *a = triangle->v[(i + 1) % 3];
        const struct ref_screen_vertex *b = triangle->v[(i + 2) % 3];
        result.w[i] = edge(a, b, px, py) + bias(a, b);
    }
    return result;
}

/* RST-01: E is linear, and neighbouring centres are 16 units apart. */
static struct steps edge_steps(const struct triangle *triangle)
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

static void advance(struct weights *weights, const int64_t step[3])
{
    for (int i = 0; i < 3; i++)
        weights->w[i] += step[i];
}

/* RST-03: S. */
static int64_t weight_sum(const struct weights *weights)
{
    return weights->w[0] + weights->w[1] + weights->w[2];
}

/* RST-04. */
static bool is_covered(const struct weights *weights)
{
    const bool all_inside = (weights->w[0] | weights->w[1] | weights->w[2]) >= 0; /* no sign bit is set */
    return all_inside && weight_sum(weights) > 0;
}

/* ---------------------------------------------------------------------------------------------------- interpolation */

/*
 * ITP-01, ITP-02: one binary32 operation for each operator; `a . b` of the specification is ref_mul, `a*b` is `*`.
 * ITP-03, ITP-05, ITP-06: NaN, rha and clamp01 are those of number.h.
 */

/* ITP-12: one attribute; b are the weights of ITP-10. */
static float interpolate(const struct triangle *triangle, const float b[3], float q, int value)
{
    const float *const a = triangle->attributes[value];
    const float plain = (((a[0] * b[0]) + (a[1] * b[1])) + (a[2] * b[2])) * q;
    if (!ref_is_nan(plain)) /* then no product was NaN, and PICA products are plain ones */
        return plain;
    return ref_mul((ref_mul(a[0], b[0]) + ref_mul(a[1], b[1])) + ref_mul(a[2], b[2]), q);
}

static void interpolate_values(const struct triangle *triangle, const float b[3], float q, int first, int count,
                               float *out)
{
    for (int i = 0; i < count; i++)
        out[i] = interpolate(triangle, b, q, first + i);
}

/* ITP-13: a * 255 is a plain product, and the saturation hides NaN. rha of a value from 0 to 255; the rest is exact. */
static uint8_t color_byte(float value)
{
    const float limited = ref_saturate(value * 255.0f, 0.0f, 255.0f);
    const int32_t whole = (int32_t)limited;
    return (uint8_t)(limited - (float)whole >= 0.5f ? whole + 1 : whole);
}

/* ITP-14, ITP-15, ITP-16: plain products, in f32 whatever the profile (ITP-04). */
static float fragment_depth(const struct triangle *triangle, const float b[3], float sum, float q)
{
    const float z0 = triangle->v[0]->z, z1 = triangle->v[1]->z, z2 = triangle->v[2]->z;
    const float zw = (((z0 * b[0]) + (z1 * b[1])) + (z2 * b[2])) / sum;
    float depth = (zw * triangle->depth_scale) + triangle->depth_offset;
    if (!triangle->z_buffer)
        depth = depth * (q * sum);
    return ref_clamp01(depth);
}

static void interpolate_color(const struct triangle *triangle, const float b[3], float q, uint8_t c8[4])
{
    float color[4];
    interpolate_values(triangle, b, q, REF_ATTRIBUTE_COLOR, 4, color);
    for (int i = 0; i < 4; i++)
        c8[i] = color_byte(color[i]);
}

/* ITP-10, ITP-11, ITP-12: the fragment of a covered pixel. What shading does not need is not filled in. */
static void make_fragment(const struct triangle *triangle, const struct weights *weights, int32_t x, int32_t y,
                          struct ref_fragment *fragment)
{
    const float b[3] = { (float)weights->w[0], (float)weights->w[1], (float)weights->w[2] };
    const float sum = (float)weight_sum(weights);
    const float d =
        (ref_mul(triangle->v[0]->r, b[0]) + ref_mul(triangle->v[1]->r, b[1])) + ref_mul(triangle->v[2]->r, b[2]);
    const float q = 1.0f / d;
    fragment->x = x;
    fragment->y = y;
    fragment->q = q;
    fragment->gradient = &triangle->gradient;
    fragment->depth = fragment_depth(triangle, b, sum, q);
    if ((triangle->needs & REF_NEEDS_COLOR) != 0)
        interpolate_color(triangle, b, q, fragment->c8);
    if ((triangle->needs & REF_NEEDS_TC0) != 0)
        interpolate_values(triangle, b, q, REF_ATTRIBUTE_TC0, 3, fragment->tc[0]);
    if ((triangle->needs & REF_NEEDS_TC1) != 0)
        interpolate_values(triangle, b, q, REF_ATTRIBUTE_TC1, 2, fragment->tc[1]);
    if ((triangle->needs & REF_NEEDS_TC2) != 0)
        interpolate_values(triangle, b, q, REF_ATTRIBUTE_TC2, 2, fragment->tc[2]);
    if ((triangle->needs & REF_NEEDS_SURFACE) != 0) {
        interpolate_values(triangle, b, q, REF_ATTRIBUTE_QUAT, 4, fragment->quat);
        interpolate_values(triangle, b, q, REF_ATTRIBUTE_VIEW, 3, fragment->view);
    }
}

static void trace_corners(const struct ref_gpu *gpu, const struct triangle *triangle)
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

/* Only what the fragment has is reported. */
static void trace_fragment(const struct ref_gpu *gpu, const struct triangle *triangle, const struct weights *weights,
                           const struct ref_fragment *fragment)
{
    uint32_t halves[6];
    for (int i = 0; i < 3; i++) {
        halves[2 * i] = (uint32_t)((uint64_t)weights->w[i] & 0xFFFFFFFFu);
        halves[2 * i + 1] = (uint32_t)((uint64_t)weights->w[i] >> 32);
    }
    trace_corners(gpu, triangle);
    ref_trace(gpu, PICA_TRACE_ID_WEIGHTS, 0, halves, 6);
    if ((triangle->needs & REF_NEEDS_COLOR) != 0)
        ref_trace_color(gpu, PICA_TRACE_ID_PRIMARY_COLOR, 0, fragment->c8);
    for (uint32_t set = 0; set < 3; set++)
        if ((triangle->needs & (uint32_t)REF_NEEDS_TC0 << set) != 0)
            ref_trace_floats(gpu, PICA_TRACE_ID_TEXCOORD, set, fragment->tc[set], set == 0 ? 3 : 2);
    if ((triangle->needs & REF_NEEDS_SURFACE) != 0) {
        ref_trace_floats(gpu, PICA_TRACE_ID_QUATERNION, 0, fragment->quat, 4);
        ref_trace_floats(gpu, PICA_TRACE_ID_VIEW, 0, fragment->view, 3);
    }
    ref_trace_floats(gpu, PICA_TRACE_ID_DEPTH_VALUE, 0, &fragment->depth, 1);
}

/* MIP-03, TEX-09: of the plane with value a[i] at vertex i; BX_i and BY_i belong to the edge opposite to it. */
static struct ref_rate plane_rate(const struct triangle *triangle, const float a[3])
{
    float bx[3], by[3];
    for (int i = 0; i < 3; i++) {
        const struct ref_screen_vertex *from = triangle->v[(i + 1) % 3];
        const struct ref_screen_vertex *to = triangle->v[(i + 2) % 3];
        bx[i] = (float)(-16 * (to->y_sub - from->y_sub));
        by[i] = (float)(16 * (to->x_sub - from->x_sub));
    }
    const struct ref_rate rate = { ((a[0] * bx[0]) + (a[1] * bx[1])) + (a[2] * bx[2]),
                                   ((a[0] * by[0]) + (a[1] * by[1])) + (a[2] * by[2]) };
    return rate;
}

/* TEX-09: per-triangle values for the derivatives of texture coordinates; values are already times r (VPT-01). */
static void fill_gradient(struct triangle *triangle)
{
    static const int first[3] = { REF_ATTRIBUTE_TC0, REF_ATTRIBUTE_TC1, REF_ATTRIBUTE_TC2 };
    static const int count[3] = { 3, 2, 2 };
    const float r[3] = { triangle->v[0]->r, triangle->v[1]->r, triangle->v[2]->r };
    triangle->gradient.r = plane_rate(triangle, r);
    for (int set = 0; set < 3; set++)
        for (int k = 0; k < count[set] && (triangle->needs & (uint32_t)REF_NEEDS_TC0 << set) != 0; k++)
            triangle->gradient.tc[set][k] = plane_rate(triangle, triangle->attributes[first[set] + k]);
}

/* One row of pixels; `weights` are those of the first. What a triangle covers in a row has no gap. */
static void visit_row(struct ref_gpu *gpu, const struct triangle *triangle, const struct box *visit, int32_t y,
                      struct weights weights, const int64_t step[3])
{
    const enum pica_scissor_mode mode = scissor_mode(gpu);
    const struct box scissor = scissor_box(gpu);
    bool was_covered = false;
    for (int32_t x = visit->x_first; x <= visit->x_last; x++, advance(&weights, step)) {
        if (!is_covered(&weights)) {
            if (was_covered)
                return;
            continue;
        }
        was_covered = true;
        const bool passes = scissor_passes(mode, &scissor, x, y);
        ref_feature(gpu, (passes ? PICA_FEATURE_SCISSOR_PASSES : PICA_FEATURE_SCISSOR_FAILS) + (uint32_t)mode);
        if (!passes)
            continue;
        struct ref_fragment fragment;
        make_fragment(triangle, &weights, x, y, &fragment);
        ref_trace_pixel_begin(gpu, x, y);
        if (gpu->trace.is_active)
            trace_fragment(gpu, triangle, &weights, &fragment);
        gpu->pixels += ref_output_fragment(gpu, &fragment) ? 1u : 0u;
        ref_trace_end(gpu);
    }
}

/* RST-06: within a triangle the order of the pixels has no effect. SCS-01 is step 1 of FBF-21. */
static void visit_pixels(struct ref_gpu *gpu, const struct triangle *triangle, const struct box *visit)
{
    const struct steps steps = edge_steps(triangle);
    struct weights weights = weights_at(triangle, visit->x_first, visit->y_first);
    for (int32_t y = visit->y_first; y <= visit->y_last; y++, advance(&weights, steps.y))
        visit_row(gpu, triangle, visit, y, weights, steps.x);
}

static void note_orientation(const struct ref_gpu *gpu, enum pica_cull_mode mode, int64_t area, bool is_kept)
{
    const uint32_t front = is_kept ? PICA_FEATURE_FRONT_KEPT : PICA_FEATURE_FRONT_REMOVED;
    const uint32_t back = is_kept ? PICA_FEATURE_BACK_KEPT : PICA_FEATURE_BACK_REMOVED;
    ref_feature(gpu, area == 0 ? PICA_FEATURE_TRIANGLE_DEGENERATE : (area > 0 ? front : back) + (uint32_t)mode);
}

/* CUL-02, CUL-04, RST-05, RST-08: A != 0 and kept makes a drawing batch (FBF-33), whatever the budget. */
void ref_raster_triangle(struct ref_gpu *gpu, const struct ref_screen_vertex *v0, const struct ref_screen_vertex *v1,
                         const struct ref_screen_vertex *v2)
{
    const int64_t area = double_area(v0, v1, v2);
    const uint32_t *regs = gpu->regs;
    struct triangle triangle;
    struct box visit;
    const enum pica_cull_mode cull = pica_faceculling_config_mode(regs[PICA_REG_FACECULLING_CONFIG]);
    const bool is_kept = orientation_is_kept(cull, area);
    note_orientation(gpu, cull, area, is_kept);
    if (!is_kept)
        return;
    ref_batch_triangle_kept(gpu);
    triangle.v[0] = v0;
    triangle.v[1] = area > 0 ? v1 : v2;
    triangle.v[2] = area > 0 ? v2 : v1;
    if (!pixels_to_visit(gpu, &triangle, &visit) || box_is_empty(&visit))
        return;
    ref_batch_decode(gpu);
    triangle.needs = gpu->batch->shading.needs;
    for (int value = 0; value < REF_ATTRIBUTE_VALUES; value++)
        for (int i = 0; i < 3; i++)
            triangle.attributes[value][i] = triangle.v[i]->attributes[value];
    fill_gradient(&triangle);
    triangle.depth_scale = ref_float24(pica_depthmap_scale_scale(regs[PICA_REG_DEPTHMAP_SCALE]));
    triangle.depth_offset = ref_float24(pica_depthmap_offset_offset(regs[PICA_REG_DEPTHMAP_OFFSET]));
    triangle.z_buffer = pica_depthmap_enable_z_buffer(regs[PICA_REG_DEPTHMAP_ENABLE]) != 0;
    visit_pixels(gpu, &triangle, &visit);
}

/*
 * RST-07, REG-07, EDT-02: batch events (GEN-09). The early depth registers 0x061, 0x062, 0x063, 0x06A and 0x118 have
 * no other effect (EDT-01), nor have 0x058 and 0x060.
 */
void ref_raster_events(struct ref_gpu *gpu)
{
    const uint32_t *regs = gpu->regs;
    ref_event_if(gpu,
                 pica_earlydepth_test_enable(regs[PICA_REG_EARLYDEPTH_TEST1]) ||
                     pica_earlydepth_test_enable(regs[PICA_REG_EARLYDEPTH_TEST2]),
                 PICA_EVENT_EARLY_DEPTH);
    ref_event_if(gpu, pica_unused_058_flat_shading(regs[PICA_REG_UNUSED_058]), PICA_EVENT_REG_0058);
    ref_event_if(gpu, pica_unused_060_pixel_skip(regs[PICA_REG_UNUSED_060]) != 0, PICA_EVENT_REG_0060);
}
