/*
 * Colours from planes (kernels/interpolation_planes.h) against ITP-10 to ITP-13 on very many triangles: where a lane is
 * not called doubtful, its bytes are those of the rules; and planes and rules are never further apart than the margin
 * allows. Triangles go up to what is narrow (tiles/triangle.h; weights at the first pixel that fit 32 bits, S below
 * 2^30) with corners far off the screen, blocks up to the last of the largest framebuffer, 1/w up to the limits of
 * ieee, slopes on both sides of the limit "gentle".
 */
#define FAST_ISA_SCALAR /* any set would do: each operation is one IEEE operation on all of them */
#include "fast/kernels/interpolation_planes.h"
#include "tests/kernels/kernel_sets.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <string.h>

enum {
    TRIANGLES = 60000 / TEST_PART,
    BLOCKS = 6,             /* of each */
    LAST_COLUMN = 2048 - 4, /* of a block in the largest framebuffer */
    ROWS = 1024,
    LAST_ROW = ROWS - 4,
    GREATEST_AREA = 1 << 30, /* S of a narrow triangle is below */
    GREAT_AREA = 1 << 29     /* the larger half of them, which must occur */
};

struct corner {
    int32_t x, y; /* 1/16 pixel */
};

struct counts {
    uint32_t found, refused, mixed;
    uint32_t turned;               /* triangles with planes whose memory rows go down the screen */
    uint32_t great, outside, wide; /* large ones with planes, with a corner off the screen; those that are not narrow */
    uint32_t kept, doubtful;       /* lanes */
    double furthest;               /* of planes and rules, 1 / 65536 */
};

/* -------------------------------------------------------------------------------------------------------- triangles */

static struct corner random_corner(struct harness_random *random, struct corner middle, uint32_t reach)
{
    const int32_t x = middle.x + (int32_t)harness_random_below(random, 2 * reach) - (int32_t)reach;
    const int32_t y = middle.y + (int32_t)harness_random_below(random, 2 * reach) - (int32_t)reach;
    return (struct corner){ x, y };
}

/* CUL-01 */
static int64_t double_area(const struct corner c[3])
{
    return (int64_t)(c[1].x - c[0].x) * (c[2].y - c[0].y) - (int64_t)(c[1].y - c[0].y) * (c[2].x - c[0].x);
}

/* Anything from some pixels to beyond what is narrow, around places on the largest screen; now and then a sliver. */
static void random_corners(struct harness_random *random, struct corner corners[3])
{
    static const uint32_t reaches[7] = { 100, 200, 700, 3000, 8000, 16000, 24000 };
    const uint32_t reach = reaches[harness_random_below(random, 7)];
    const struct corner middle = random_corner(random, (struct corner){ 8192, 8192 }, reach < 8192 ? 8192 - reach : 64);
    for (uint32_t i = 0; i < 3; i++)
        corners[i] = random_corner(random, middle, reach);
    if (harness_random_percent(random, 25)) {
        const struct corner on_edge = { (corners[0].x + corners[1].x) / 2, (corners[0].y + corners[1].y) / 2 };
        corners[2] = random_corner(random, on_edge, reach / 8 + 1);
    }
    if (double_area(corners) < 0) {
        const struct corner other = corners[1];
        corners[1] = corners[2];
        corners[2] = other;
    }
}

/* RST-02, RST-03; FBF-06 if `turned`. Returns S. */
static int64_t put_edges(const struct corner corners[3], bool turned, struct fast_triangle *triangle)
{
    int64_t sum = 0;
    bool fits = true;
    for (uint32_t i = 0; i < 3; i++) {
        const struct corner a = corners[(i + 1) % 3];
        const struct corner b = corners[(i + 2) % 3];
        const int32_t dx = b.x - a.x;
        const int32_t dy = b.y - a.y;
        const int64_t at_bottom =
            (int64_t)dx * (8 - a.y) - (int64_t)dy * (8 - a.x) - (dy > 0 || (dy == 0 && dx < 0) ? 1 : 0);
        const int64_t weight = at_bottom + (turned ? (int64_t)16 * dx * (ROWS - 1) : 0);
        fits = fits && weight >= INT32_MIN && weight <= INT32_MAX;
        triangle->weight[i] = fits ? (int32_t)weight : 0;
        triangle->step_x[i] = -16 * dy;
        triangle->step_row[i] = turned ? -16 * dx : 16 * dx;
        sum += at_bottom;
    }
    triangle->narrow = fits && sum < GREATEST_AREA;
    return sum;
}

/* ----------------------------------------------------------------------------------------------------------- values */

static float some_steps_off(struct harness_random *random, float value)
{
    const uint32_t steps = harness_random_below(random, 4);
    for (uint32_t i = 0; i < steps; i++)
        value = nextafterf(value, harness_random_percent(random, 50) ? 2.0f : -1.0f);
    return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

/* 0..1 without -0 (fast_triangle.bounded). */
static float random_channel(struct harness_random *random)
{
    const float k = (float)harness_random_below(random, 256);
    switch (harness_random_below(random, 6)) {
    case 0: return some_steps_off(random, k / 255.0f);
    case 1: return some_steps_off(random, k < 255.0f ? (k + 0.5f) / 255.0f : 0.5f);
    case 2: return some_steps_off(random, harness_random_percent(random, 50) ? 1.0f : 0.0f);
    case 3: return ldexpf(1.0f, -(int)harness_random_below(random, 149));
    default: return harness_random_float(random, 0.0f, 1.0f);
    }
}

static void random_inverse_w(struct harness_random *random, float r[3])
{
    static const float ratios[5] = { 1.0f, 1.5f, 4.0f, 30.0f, 1000.0f };
    const float greatest = ratios[harness_random_below(random, 5)];
    const int scale = harness_random_percent(random, 30) ? (int)harness_random_below(random, 107) - 58 : 0;
    for (uint32_t i = 0; i < 3; i++)
        r[i] = ldexpf(harness_random_float(random, 1.0f, greatest), scale); /* 2^-58 .. 2^59 */
}

static void random_values(struct harness_random *random, struct fast_triangle *triangle)
{
    random_inverse_w(random, triangle->inverse_w);
    for (uint32_t k = 0; k < 4; k++) {
        const float whole = random_channel(random);
        const uint32_t kind = harness_random_below(random, 3);
        for (uint32_t i = 0; i < 3; i++) {
            float value = kind == 0 ? random_channel(random) : kind == 1 ? some_steps_off(random, whole) : whole;
            value = kind == 1 && harness_random_percent(random, 50) ? whole + 0.001f * (1.0f - whole) : value;
            triangle->attribute[FAST_ATTRIBUTE_COLOR + k][i] = value * triangle->inverse_w[i];
        }
    }
}

static bool random_triangle(struct harness_random *random, struct corner corners[3], bool turned,
                            struct fast_triangle *triangle)
{
    memset(triangle, 0, sizeof *triangle);
    random_corners(random, corners);
    const int64_t sum = put_edges(corners, turned, triangle);
    triangle->area = (float)sum;
    triangle->ieee = triangle->bounded = true;
    random_values(random, triangle);
    return sum > 0;
}

/* -------------------------------------------------------------------------------------------------------- judgement */

/* RST-03, RST-04, ITP-10, ITP-11 */
static v_mask put_cell(const struct fast_triangle *triangle, uint32_t column, uint32_t row, struct fast_cell *cell)
{
    v_i32 together = v_i32_splat(0);
    cell->triangle = triangle;
    for (int i = 0; i < 3; i++) {
        const v_i32 x = v_i32_add(v_i32_lane_x(), v_i32_splat((int32_t)column));
        const v_i32 y = v_i32_add(v_i32_lane_y(), v_i32_splat((int32_t)row));
        const v_i32 weight =
            v_i32_add(v_i32_splat(triangle->weight[i]), v_i32_add(v_i32_mul(x, v_i32_splat(triangle->step_x[i])),
                                                                  v_i32_mul(y, v_i32_splat(triangle->step_row[i]))));
        together = v_i32_or(together, weight);
        cell->weight[i] = v_f32_from_i32(weight);
    }
    cell->q = v_f32_div(v_f32_splat(1.0f), cell_sum(cell, triangle->inverse_w));
    return v_i32_ge(together, v_i32_splat(0));
}

/* Is a pixel of the block covered? Only then do its weights fit 32 bits. */
static bool is_touched(const struct fast_triangle *triangle, uint32_t column, uint32_t row)
{
    for (uint32_t lane = 0; lane < 16; lane++) {
        bool covered = true;
        for (uint32_t i = 0; i < 3; i++)
            covered = covered && triangle->weight[i] + (int64_t)(column + lane % 4) * triangle->step_x[i] +
                                         (int64_t)(row + lane / 4) * triangle->step_row[i] >=
                                     0;
        if (covered)
            return true;
    }
    return false;
}

/* The lanes that the proof says nothing about. */
static v_mask is_doubtful(v_u32 value)
{
    return v_u32_lt(v_u32_and(value, v_u32_splat(0xFFFFu)), v_u32_splat(2 * PLANE_MARGIN));
}

/* One channel of the covered lanes. */
static void judge_channel(const struct fast_cell *cell, uint32_t covered, uint32_t channel, v_u32 value,
                          struct counts *counts)
{
    float scaled[V_LANES];
    uint32_t values[V_LANES];
    uint32_t bytes[V_LANES];
    const uint32_t unsure = v_mask_bits(is_doubtful(value));
    v_f32_store(scaled, v_f32_mul(cell_attribute(cell, FAST_ATTRIBUTE_COLOR + channel), v_f32_splat(255.0f)));
    v_u32_store(values, value);
    v_u32_store(bytes, cell_channel(cell, channel));
    for (uint32_t lane = 0; lane < V_LANES; lane++) {
        if ((covered >> lane & 1u) == 0)
            continue;
        const double apart = fabs((double)values[lane] - ((double)scaled[lane] * 65536.0 + PLANE_HALF));
        counts->furthest = apart > counts->furthest ? apart : counts->furthest;
        if ((unsure >> lane & 1u) != 0) {
            counts->doubtful++;
            continue;
        }
        counts->kept++;
        cr_assert_eq(values[lane] >> 16, bytes[lane], "channel %u: %08X, by the rules %u, r %a %a %a, a %a %a %a",
                     channel, values[lane], bytes[lane], (double)cell->triangle->inverse_w[0],
                     (double)cell->triangle->inverse_w[1], (double)cell->triangle->inverse_w[2],
                     (double)cell->triangle->attribute[channel][0], (double)cell->triangle->attribute[channel][1],
                     (double)cell->triangle->attribute[channel][2]);
    }
}

/* A channel by the rules is not doubtful and has the byte of the rules. */
static void judge_mixed(const struct planes *planes, const struct plane_bases *bases, uint32_t n,
                        const struct fast_cell *cell, uint32_t covered, struct counts *counts)
{
    v_u32 value[4];
    const bool doubtful = mixed_color(planes, bases, n, planes->exact, cell, value);
    uint32_t others = 0;
    for (uint32_t k = 0; k < 4; k++) {
        if ((planes->exact >> k & 1u) == 0) {
            judge_channel(cell, covered, k, value[k], counts);
            others |= v_mask_bits(is_doubtful(value[k]));
            continue;
        }
        const v_mask same = v_u32_eq(v_u32_shr(value[k], 16), cell_channel(cell, k));
        cr_assert_eq(v_mask_bits(same) & covered, covered);
    }
    cr_assert_eq(doubtful, others != 0);
    counts->mixed++;
}

/* FBF-06: do memory rows go down the screen? */
static bool is_turned(const struct corner corners[3], const struct fast_triangle *triangle)
{
    bool turned = false;
    for (uint32_t i = 0; i < 3; i++)
        turned = turned || triangle->step_row[i] != 16 * (corners[(i + 2) % 3].x - corners[(i + 1) % 3].x);
    return turned;
}

static void judge_blocks(struct harness_random *random, const struct corner corners[3],
                         const struct fast_triangle *triangle, const struct planes *planes, struct counts *counts)
{
    uint32_t column[FAST_CELLS] = { 0 };
    uint32_t row[FAST_CELLS] = { 0 };
    struct plane_bases bases;
    const bool turned = is_turned(corners, triangle);
    for (uint32_t n = 0; n < BLOCKS; n++) {
        /* near a corner, on the way to the middle of the triangle, or anywhere in it */
        const struct corner a = corners[n % 3], b = corners[(n + 1) % 3], c = corners[(n + 2) % 3];
        const float u = harness_random_float(random, 0.0f, 1.0f) * (n < 3 ? 0.1f : 1.0f);
        const float v = harness_random_float(random, 0.0f, 1.0f) * (1.0f - u) * (n < 3 ? 0.1f : 1.0f);
        const float x = (float)a.x + u * (float)(b.x - a.x) + v * (float)(c.x - a.x);
        const float y = (float)a.y + u * (float)(b.y - a.y) + v * (float)(c.y - a.y);
        column[n] = (uint32_t)fminf(fmaxf(x, 0.0f) / 16.0f, (float)LAST_COLUMN) & ~3u;
        row[n] = (uint32_t)fminf(fmaxf(y, 0.0f) / 16.0f, (float)LAST_ROW) & ~3u;
        row[n] = turned ? (uint32_t)LAST_ROW - row[n] : row[n];
    }
    find_bases(planes, PLANES, column, row, &bases);
    for (uint32_t n = 0; n < BLOCKS; n++) {
        struct fast_cell cell;
        v_u32 value[4];
        uint32_t each = 0;
        if (!is_touched(triangle, column[n], row[n]))
            continue;
        const uint32_t covered = v_mask_bits(put_cell(triangle, column[n], row[n], &cell));
        const bool doubtful = plane_color(planes, &bases, n, value);
        for (uint32_t k = 0; k < 4; k++) {
            judge_channel(&cell, covered, k, value[k], counts);
            each |= v_mask_bits(is_doubtful(value[k]));
        }
        cr_assert_eq(doubtful, each != 0);
        if (planes->exact != 0)
            judge_mixed(planes, &bases, n, &cell, covered, counts);
    }
}

static bool is_outside(const struct corner corners[3])
{
    bool outside = false;
    for (uint32_t i = 0; i < 3; i++)
        outside = outside || corners[i].x < 0 || corners[i].y < 0 || corners[i].x >= 16 * (LAST_COLUMN + 4) ||
                  corners[i].y >= 16 * (LAST_ROW + 4);
    return outside;
}

Test(kernels, planes_give_the_bytes_of_the_rules)
{
    const uint64_t seed = test_seed("planes");
    struct counts counts = { 0 };
    for (uint32_t number = 0; number < TRIANGLES; number++) {
        struct harness_random random;
        struct corner corners[3];
        struct fast_triangle triangle;
        struct planes planes;
        harness_random_init(&random, seed + number);
        const bool covers = random_triangle(&random, corners, number % 2 != 0, &triangle);
        counts.wide += covers && !triangle.narrow;
        if (!covers || !may_have_planes(&triangle))
            continue;
        if (find_planes(&triangle, &planes)) {
            counts.found++;
            counts.turned += is_turned(corners, &triangle);
            counts.great += triangle.area >= (float)GREAT_AREA;
            counts.outside += is_outside(corners);
            judge_blocks(&random, corners, &triangle, &planes, &counts);
        } else {
            counts.refused++;
        }
    }
    cr_log_info("%u great ones, %u off the screen, %u not narrow", counts.great, counts.outside, counts.wide);
    cr_log_info("%u triangles with planes, %u refused; %u lanes kept, %u doubtful, %u mixed blocks; furthest %.1f",
                counts.found, counts.refused, counts.kept, counts.doubtful, counts.mixed, counts.furthest);
    cr_expect_geq(counts.found, TRIANGLES / 4);
    cr_expect_geq(counts.turned, TRIANGLES / 8);
    cr_expect_geq(counts.refused, TRIANGLES / 50);
    cr_expect_geq(counts.kept, 1000000 / TEST_PART);
    cr_expect_geq(counts.doubtful, 10000 / TEST_PART);
    cr_expect_geq(counts.mixed, 1000 / TEST_PART);
    cr_expect_geq(counts.great, TRIANGLES / 100);
    cr_expect_geq(counts.outside, TRIANGLES / 10);
    cr_expect_geq(counts.wide, TRIANGLES / 1000);
    cr_expect_lt(counts.furthest, (double)PLANE_MARGIN);
}
