/*
 * Vertex colours of large triangles as planes, drawn as they are or multiplied by a texture.
 *
 * ITP-10 to ITP-13 ask for a byte, ceil(t - 1/2), where t is a rounded value of t* = 255 * N / D, and N = sum a_i w_i
 * and D = sum r_i w_i are affine functions of the pixel. Here 65536 * t* + 32768 + MARGIN is computed from planes, with
 * other roundings. The bits from 16 upwards are the byte that the rules give if the 16 bits below are at least 2 *
 * MARGIN, provided that the errors of both computations together are less than MARGIN. Otherwise the byte is computed
 * by the rules; this includes halves, the only t for which floor(t + 1/2) is another byte.
 *
 * The proof, u = 2^-24, for a covered lane (w_i >= 0) of a bounded triangle: all terms of N and D are positive or 0,
 * and N <= D, because a_i is c_i * r_i rounded, c_i <= 1. r_i is in 2^-60 .. 2^60: nothing overflows, and what
 * underflows is below 2^-80 of the result.
 *
 * - The rules: N and D suffer four roundings each (w_i, the product, two sums), then there are the quotient and the two
 *   products with q and 255. So t is off by 11 u (1 + 2^-20) * 255 at most, in units of 2^-16 by 10.96.
 * - The planes: with K = 255 * 65536 and H = 32768 + MARGIN, P = K * N + H * D. Slopes and values at lane 0 are found
 *   in doubles and rounded once. With G(P) = 3 (|dP/dx| + |dP/dy|), the most that P differs between two lanes, P at
 *   lane 0 is off by u (P + G), the offsets of the lanes by 3 u G (slope, product, sum), and their sum by another u P:
 *   u (2 P + 4 G(P)); D likewise by u (2 D + 4 G(D)). The quotient and the product add u each. P / D < 255.501 * 65536,
 *   so with g(X) = G(X) / D the result is off by less than 5.99 + 4 g(N) + 4.01 g(D).
 * - Doubles: |w_i| at (0, 0) and what a column or a row adds are below 2^36 for the three edges together, and no value
 *   goes through more than 8 roundings: 8 * 2^-53 * 2^36 * max r, which is 2^-28 D or less if max r * 2^14 <= D; P and
 *   D both have that error: below 0.13 in all.
 *
 * D >= S * min r. With g(N), g(D) <= 1.5 the sum is 10.96 + 5.99 + 6 + 6.02 + 0.13 = 29.1 < MARGIN. Slivers, triangles
 * of a few pixels and triangles with strong perspective do not meet these limits. Part of kernels/block.c.
 */
#ifndef FAST_KERNELS_INTERPOLATION_PLANES_H
#define FAST_KERNELS_INTERPOLATION_PLANES_H

#include "fast/kernels/cell.h"
#include "fast/kernels/interpolation.h"

enum {
    COLOR_PLANES = 4,           /* r g b a */
    PLANES = 5,                 /* the four colours and D */
    PLANE_MARGIN = 32,          /* of the proof; a power of two */
    PLANES_LEAST_AREA = 1 << 15 /* of S: 64 pixels. Below that, finding the planes costs more than they save. */
};

#define PLANE_SCALE (255.0 * 65536.0)
#define PLANE_HALF  (32768.0 + (double)PLANE_MARGIN)

/*
 * The planes of one triangle: value at (0, 0), slopes along columns and memory rows, and what each lane of a block
 * adds.
 */
struct planes {
    double origin[PLANES], across[PLANES], along[PLANES];
    v_f32 lane[PLANES];
    uint32_t exact; /* bit k: channel k lies at the edge of a byte in the whole triangle */
};

static inline double plane_slope(const float values[3], const int32_t steps[3])
{
    return (double)values[0] * steps[0] + (double)values[1] * steps[1] + (double)values[2] * steps[2];
}

static inline double lesser_of_3(const float values[3])
{
    const double a = values[0] < values[1] ? (double)values[0] : (double)values[1];
    return a < (double)values[2] ? a : (double)values[2];
}

static inline double greater_of_3(const float values[3])
{
    const double a = values[0] > values[1] ? (double)values[0] : (double)values[1];
    return a > (double)values[2] ? a : (double)values[2];
}

/* G(X) <= 1.5 * S * min r */
static inline bool is_gentle(double across, double along, double least)
{
    const double x = across < 0.0 ? -across : across;
    const double y = along < 0.0 ? -along : along;
    return 3.0 * (x + y) <= 1.5 * least;
}

/* Channels whose three corners have the same value, so near the edge of a byte that planes could not decide it. */
static inline uint32_t find_exact_channels(const struct fast_triangle *triangle)
{
    uint32_t exact = 0;
    const double w[3] = { 1.0 / (double)triangle->inverse_w[0], 1.0 / (double)triangle->inverse_w[1],
                          1.0 / (double)triangle->inverse_w[2] };
    for (int k = 0; k < 4; k++) {
        uint32_t value[3];
        for (int i = 0; i < 3; i++)
            value[i] =
                (uint32_t)((double)triangle->attribute[FAST_ATTRIBUTE_COLOR + k][i] * w[i] * PLANE_SCALE + PLANE_HALF);
        const bool same = value[0] >> 16 == value[1] >> 16 && value[0] >> 16 == value[2] >> 16;
        const uint32_t most = ((value[0] | value[1] | value[2]) & 0xFFFFu);
        exact |= same && most < 2u * PLANE_MARGIN ? 1u << k : 0u;
    }
    return exact;
}

/* Finds the planes; false if the proof does not cover the triangle. */
static inline bool find_planes(const struct fast_triangle *triangle, struct planes *planes)
{
    const double least = (double)triangle->area * lesser_of_3(triangle->inverse_w);
    const float *const r = triangle->inverse_w;
    const double across = plane_slope(r, triangle->step_x);
    const double along = plane_slope(r, triangle->step_row);
    const double origin = plane_slope(r, triangle->weight);
    bool gentle = greater_of_3(r) * 16384.0 <= least && is_gentle(across, along, least);
    for (int k = 0; k < 4; k++) {
        const float *const a = triangle->attribute[FAST_ATTRIBUTE_COLOR + k];
        const double n_across = plane_slope(a, triangle->step_x);
        const double n_along = plane_slope(a, triangle->step_row);
        gentle = gentle && is_gentle(n_across, n_along, least);
        planes->across[k] = n_across * PLANE_SCALE + across * PLANE_HALF;
        planes->along[k] = n_along * PLANE_SCALE + along * PLANE_HALF;
        planes->origin[k] = plane_slope(a, triangle->weight) * PLANE_SCALE + origin * PLANE_HALF;
    }
    planes->across[4] = across;
    planes->along[4] = along;
    planes->origin[4] = origin;
    const v_f32 x = v_f32_from_i32(v_i32_lane_x());
    const v_f32 row = v_f32_from_i32(v_i32_lane_y());
    for (int k = 0; k < PLANES; k++)
        planes->lane[k] = v_f32_add(v_f32_mul(x, v_f32_splat((float)planes->across[k])),
                                    v_f32_mul(row, v_f32_splat((float)planes->along[k])));
    planes->exact = find_exact_channels(triangle);
    return gentle;
}

static inline bool may_have_planes(const struct fast_triangle *triangle)
{
    return triangle->bounded && triangle->narrow && triangle->area >= (float)PLANES_LEAST_AREA;
}

/* The first `count` planes at lane 0 of several blocks. */
struct plane_bases {
    _Alignas(64) float value[PLANES][FAST_CELLS];
};

static inline void find_bases(const struct planes *planes, int count, const uint32_t *column, const uint32_t *row,
                              struct plane_bases *out)
{
    const v_i32 x = v_i32_from_u32(v_u32_load(column));
    const v_i32 y = v_i32_from_u32(v_u32_load(row));
    for (int k = 0; k < count; k++)
        v_f32_store(out->value[k], v_f32_affine(x, y, planes->origin[k], planes->across[k], planes->along[k]));
}

/* The upper 16-bit halves of both: that of `low` in the low half, that of `high` in the high half. */
static inline v_u32 join_upper_halves(v_u32 low, v_u32 high)
{
    return v_u32_or(v_u32_shr(low, 16), v_u32_and(high, v_u32_splat(0xFFFF0000u)));
}

/* One channel of block n, in units of 1 / 65536. */
static inline v_u32 plane_channel(const struct planes *planes, const struct plane_bases *bases, uint32_t n, int k,
                                  v_f32 q)
{
    const v_f32 sum = v_f32_add(planes->lane[k], v_f32_splat(bases->value[k][n]));
    return v_u32_from_i32(v_i32_trunc_in_range(v_f32_mul(sum, q)));
}

/* The lower 16-bit halves of both: that of `low` in the low half, that of `high` in the high half. */
static inline v_u32 join_lower_halves(v_u32 low, v_u32 high)
{
    return v_u32_or(v_u32_and(low, v_u32_splat(0xFFFFu)), v_u32_shl(high, 16));
}

/* Is a byte of any lane nearer to its edges than the proof allows? Lanes that are not covered are checked too. */
static inline bool any_doubtful(const v_u32 value[4])
{
    const v_u32 least = v_u16x2_min(join_lower_halves(value[3], value[1]), join_lower_halves(value[2], value[0]));
    return v_u16x2_any_lacks(least, 0x10000u - 2u * PLANE_MARGIN);
}

/* Computes r g b a of block n; returns whether a byte may be wrong. Lanes that are not covered may hold anything. */
static inline bool plane_color(const struct planes *planes, const struct plane_bases *bases, uint32_t n, v_u32 value[4])
{
    const v_f32 d = v_f32_add(planes->lane[4], v_f32_splat(bases->value[4][n]));
    const v_f32 q = v_f32_div(v_f32_splat(1.0f), d);
    for (int k = 0; k < 4; k++)
        value[k] = plane_channel(planes, bases, n, k, q);
    return any_doubtful(value);
}

/*
 * The same, but the channels of `exact` are computed by the rules, and the plane of D is not used. `cell` has weights
 * and q by the rules; so D is off by 4 u at most, where the proof allows 8 u.
 */
static inline bool mixed_color(const struct planes *planes, const struct plane_bases *bases, uint32_t n, uint32_t exact,
                               const struct fast_cell *cell, v_u32 value[4])
{
    for (uint32_t k = 0; k < 4u; k++) {
        if ((exact >> k & 1u) != 0u) {
            value[k] = v_u32_or(v_u32_shl(cell_channel(cell, k), 16), v_u32_splat(0x8000u));
        } else {
            value[k] = plane_channel(planes, bases, n, (int)k, cell->q);
        }
    }
    return any_doubtful(value);
}

/* The bytes of values that are not doubtful. */
static inline struct fast_pairs plane_pairs(const v_u32 value[4])
{
    return (struct fast_pairs){ join_upper_halves(value[0], value[2]), join_upper_halves(value[1], value[3]) };
}

#endif
