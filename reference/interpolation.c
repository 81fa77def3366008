/*
 * Interpolation: depth, colour, texture coordinates and what lighting needs at one covered pixel.
 *
 * The three weights of the rasteriser say how near the pixel is to each corner. The attributes of the corners were
 * divided by w (viewport.c), so their weighted sum is divided by the weighted sum of 1/w, which makes a texture on a
 * slanted wall look right. The depth is plain linear in screen space; in "w buffer" mode it is multiplied by w again.
 * The planes of the triangle also say how fast texture coordinates change from pixel to pixel, for mipmaps.
 *
 * Worked number: weights 14335, 1024, 1024, all w 1, red 1, 0, 0 at the corners: 14335 / 16383 = 0.875, so the byte is
 * round(0.875 * 255) = 223.
 */
#include "reference/raster.h"

#include "reference/framebuffer.h"
#include "reference/number.h"
#include "reference/trace.h"

/*
 * ITP-01, ITP-02: one binary32 operation for each operator; `a . b` of the specification is ref_mul, `a*b` is `*`.
 * ITP-03, ITP-05, ITP-06: NaN, rha and clamp01 are those of number.h.
 */

/* ITP-12: attributes that follow each other; b are the weights of ITP-10. */
static inline void interpolate_values(const struct ref_triangle *triangle, const float b[3], float q, int first,
                                      int count, float *out)
{
    const float *const a0 = &triangle->v[0]->attributes[first], *const a1 = &triangle->v[1]->attributes[first],
                       *const a2 = &triangle->v[2]->attributes[first];
    for (int i = 0; i < count; i++)
        out[i] = (((a0[i] * b[0]) + (a1[i] * b[1])) + (a2[i] * b[2])) * q;
    for (int i = 0; i < count; i++)
        if (ref_is_nan(out[i])) /* else no product was NaN, and PICA products are plain ones */
            out[i] = ref_mul((ref_mul(a0[i], b[0]) + ref_mul(a1[i], b[1])) + ref_mul(a2[i], b[2]), q);
}

/* ITP-14, ITP-15, ITP-16: plain products, in f32 whatever the profile (ITP-04). */
static float fragment_depth(const struct ref_triangle *triangle, const float b[3], float sum, float q)
{
    const float z0 = triangle->v[0]->z, z1 = triangle->v[1]->z, z2 = triangle->v[2]->z;
    const float zw = (((z0 * b[0]) + (z1 * b[1])) + (z2 * b[2])) / sum;
    float depth = (zw * triangle->depth_scale) + triangle->depth_offset;
    if (!triangle->z_buffer)
        depth = depth * (q * sum);
    return ref_clamp01(depth);
}

/* ITP-13: a * 255 is a plain product, and NaN becomes 0. The conversion rounds, ties down; on other sides it rounds
 * ties up, or truncates. */
static void interpolate_color(const struct ref_triangle *triangle, const float b[3], float q, uint8_t c8[4])
{
    float color[4];
    interpolate_values(triangle, b, q, REF_ATTRIBUTE_COLOR, 4, color);
    for (int i = 0; i < 4; i++)
        c8[i] = ref_nearest_u8(color[i] * 255.0f);
    if (triangle->raises_ties)
        for (int i = 0; i < 4; i++)
            c8[i] = ref_rounded_u8(color[i] * 255.0f);
    if (triangle->truncates)
        for (int i = 0; i < 4; i++)
            c8[i] = ref_u8(color[i] * 255.0f);
}

/* ITP-10, ITP-11, ITP-12. */
static void make_fragment(const struct ref_triangle *triangle, const struct ref_weights *weights, int32_t x, int32_t y,
                          struct ref_fragment *fragment)
{
    const float b[3] = { (float)weights->w[0], (float)weights->w[1], (float)weights->w[2] };
    const float sum = (float)ref_weight_sum(weights);
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

/* ---------------------------------------------------------------------------------------- what a triangle has once */

/* MIP-03, TEX-09: of the plane with value a[i] at vertex i; BX_i and BY_i belong to the edge opposite to it. */
static struct ref_rate plane_rate(const struct ref_triangle *triangle, const float a[3])
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

static struct ref_rate attribute_rate(const struct ref_triangle *triangle, int value)
{
    const float a[3] = { triangle->v[0]->attributes[value], triangle->v[1]->attributes[value],
                         triangle->v[2]->attributes[value] };
    return plane_rate(triangle, a);
}

/* TEX-09: per-triangle values for the derivatives of texture coordinates; values are already times r (VPT-01). */
static void fill_gradient(struct ref_triangle *triangle)
{
    static const int first[3] = { REF_ATTRIBUTE_TC0, REF_ATTRIBUTE_TC1, REF_ATTRIBUTE_TC2 };
    static const int count[3] = { 3, 2, 2 };
    const float r[3] = { triangle->v[0]->r, triangle->v[1]->r, triangle->v[2]->r };
    triangle->gradient.r = plane_rate(triangle, r);
    for (int set = 0; set < 3; set++)
        for (int k = 0; k < count[set] && (triangle->needs & (uint32_t)REF_NEEDS_TC0 << set) != 0; k++)
            triangle->gradient.tc[set][k] = attribute_rate(triangle, first[set] + k);
}

void ref_interpolation_prepare(const struct ref_gpu *gpu, struct ref_triangle *triangle)
{
    const uint32_t *regs = gpu->regs;
    triangle->needs = gpu->batch->shading.needs;
    fill_gradient(triangle);
    triangle->depth_scale = ref_float24(&gpu->choices, pica_depthmap_scale_scale(regs[PICA_REG_DEPTHMAP_SCALE]));
    triangle->depth_offset = ref_float24(&gpu->choices, pica_depthmap_offset_offset(regs[PICA_REG_DEPTHMAP_OFFSET]));
    triangle->raises_ties = ref_takes(gpu, PICA_SIDE_PRIMARY_ROUNDING_ROUNDS);
    triangle->truncates = ref_takes(gpu, PICA_SIDE_PRIMARY_ROUNDING_TRUNCATES);
    triangle->z_buffer = pica_depthmap_enable_z_buffer(regs[PICA_REG_DEPTHMAP_ENABLE]) != 0;
}

/* ------------------------------------------------------------------------------------------------------- recording */

/* The colour before it is rounded. */
static void record_color(const struct ref_gpu *gpu, const struct ref_triangle *triangle,
                         const struct ref_weights *weights, float q)
{
    const float b[3] = { (float)weights->w[0], (float)weights->w[1], (float)weights->w[2] };
    float color[4];
    interpolate_values(triangle, b, q, REF_ATTRIBUTE_COLOR, 4, color);
    ref_trace_rule_floats(gpu, "ITP-12", 0, color, 4);
}

/* Only what the fragment has is reported. */
static void record(const struct ref_gpu *gpu, const struct ref_triangle *triangle, const struct ref_weights *weights,
                   const struct ref_fragment *fragment)
{
    const uint32_t needs = triangle->needs;
    ref_trace_rule_floats(gpu, "ITP-11", 0, &fragment->q, 1);
    if ((needs & REF_NEEDS_COLOR) != 0) {
        record_color(gpu, triangle, weights, fragment->q);
        ref_trace_color(gpu, PICA_TRACE_ID_PRIMARY_COLOR, 0, fragment->c8);
    }
    for (uint32_t set = 0; set < 3; set++)
        if ((needs & (uint32_t)REF_NEEDS_TC0 << set) != 0)
            ref_trace_floats(gpu, PICA_TRACE_ID_TEXCOORD, set, fragment->tc[set], set == 0 ? 3 : 2);
    if ((needs & REF_NEEDS_SURFACE) != 0) {
        ref_trace_floats(gpu, PICA_TRACE_ID_QUATERNION, 0, fragment->quat, 4);
        ref_trace_floats(gpu, PICA_TRACE_ID_VIEW, 0, fragment->view, 3);
    }
    ref_trace_floats(gpu, PICA_TRACE_ID_DEPTH_VALUE, 0, &fragment->depth, 1);
}

void ref_interpolate(const struct ref_gpu *gpu, const struct ref_triangle *triangle, const struct ref_weights *weights,
                     int32_t x, int32_t y, struct ref_fragment *fragment)
{
    make_fragment(triangle, weights, x, y, fragment);
    if (gpu->is_watched)
        record(gpu, triangle, weights, fragment);
}
