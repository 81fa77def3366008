/*
 * kernels/clip.h: which vertices are inside of the planes of CLP-04 and CLP-08, with the tolerance of CLP-05, and which
 * triangles vanish at the first plane that cuts them (CLP-09).
 */
#include "tests/kernels/screen_triangles.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ROUNDS = 2000 / TEST_PART,
    PLANES = 6 /* 1-6 of CLP-04: those of which the word of a vertex tells */
};

/* CLP-05 */
static bool inside(float d)
{
    return d >= -1e-8f;
}

/* CLP-04: bit n for plane n + 1 that the vertex v is outside of. */
static uint32_t planes_outside(const float v[4])
{
    const float d[PLANES] = { v[3] - v[0], v[3] + v[0], v[3] - v[1], v[3] + v[1], -v[2], v[3] + v[2] };
    uint32_t outside = 0;
    for (uint32_t i = 0; i < PLANES; i++)
        outside |= inside(d[i]) ? 0u : 1u << i;
    return outside;
}

/* CLP-08 */
static bool outside_user_plane(const struct fast_fragment_state *state, const float v[4])
{
    const float *const c = state->plane;
    const float two = c[0] * v[0] + c[1] * v[1];
    const float three = two + c[2] * v[2];
    return state->user_plane && !inside(three + c[3] * v[3]);
}

/* What the kernel should leave of planes, and whether the vertex is fit. */
static bool expected_fit(const struct fast_fragment_state *state, const float v[4], uint32_t *planes)
{
    *planes = planes_outside(v);
    for (uint32_t k = 0; k < 4; k++)
        if (!isfinite(v[k])) {
            *planes = 0; /* CLP-02: for the way of single triangles */
            return false;
        }
    return *planes == 0 && !outside_user_plane(state, v) && v[3] >= 0x1p-60f && v[3] <= 0x1p60f;
}

/* On a plane, or up to three tolerances beside it; a w of 1e-7 and 1e-8 are far enough apart to be told. */
static float random_coordinate(struct harness_random *random, float w)
{
    const float steps = (float)harness_random_below(random, 7) - 3.0f;
    const float side = harness_random_percent(random, 50) ? w : -w;
    if (harness_random_percent(random, 50))
        return harness_random_float(random, -0.9f, 0.9f) * w;
    return harness_random_percent(random, 4) ? random_float(random) : side + steps * 0.5e-8f;
}

static void random_vertices(struct harness_random *random, float *block)
{
    static const float usual[4] = { 1e-7f, 1e-7f, 1.0f, 4.0f };
    static const float unusual[4] = { 0.0f, -1.0f, FLT_MAX, INFINITY };
    for (uint32_t lane = 0; lane < FAST_LANES; lane++) {
        const bool odd = harness_random_percent(random, 3);
        const float at = (odd ? unusual : usual)[harness_random_below(random, 4)];
        block[0 * FAST_LANES + lane] = random_coordinate(random, at);
        block[1 * FAST_LANES + lane] = random_coordinate(random, at);
        block[2 * FAST_LANES + lane] = -0.5f * at;
        if (harness_random_percent(random, 40)) /* near planes 5 or 6 */
            block[2 * FAST_LANES + lane] = random_coordinate(random, harness_random_percent(random, 50) ? 0.0f : -at);
        block[3 * FAST_LANES + lane] = at;
    }
}

static void random_plane(struct harness_random *random, struct fast_fragment_state *state)
{
    memset(state, 0, sizeof *state);
    state->half_width = state->half_height = 8.0f; /* whatever is inside is near the screen */
    state->user_plane = harness_random_percent(random, 50);
    for (uint32_t i = 0; i < 4; i++)
        state->plane[i] = (float)harness_random_below(random, 5) - 2.0f;
}

/* Vertices that count for the tests: inside, outside of one plane alone, and of the user plane alone. */
struct tally {
    uint32_t fit, by_plane[PLANES], by_user_plane;
};

static void expect_vertices(const struct kernel_set *set, const struct fast_fragment_state *state, const float *block,
                            uint32_t round, struct tally *tally)
{
    static _Alignas(64) float screen[FAST_BLOCK_FLOATS];
    _Alignas(64) uint32_t place[FAST_LANES];
    set->kernels.project(state, block, screen, place);
    for (uint32_t lane = 0; lane < FAST_LANES; lane++) {
        const float v[4] = { block[lane], block[FAST_LANES + lane], block[2 * FAST_LANES + lane],
                             block[3 * FAST_LANES + lane] };
        const bool is_fit = (place[lane] & 0xFFFFu) != FAST_PLACE_UNFIT;
        const uint32_t outside = place[lane] / FAST_PLACE_FIRST_PLANE;
        uint32_t planes;
        const bool wanted = expected_fit(state, v, &planes);
        cr_expect_eq(is_fit, wanted, "clip.h, %s, round %u: (%a %a %a %a) is fit: %d", set->name, round, (double)v[0],
                     (double)v[1], (double)v[2], (double)v[3], is_fit);
        cr_expect(is_fit || outside == planes, "clip.h, %s, round %u: (%a %a %a %a) is outside of %02X, not %02X",
                  set->name, round, (double)v[0], (double)v[1], (double)v[2], (double)v[3], outside, planes);
        tally->fit += wanted;
        tally->by_user_plane += planes == 0 && outside_user_plane(state, v);
        for (uint32_t i = 0; i < PLANES; i++)
            tally->by_plane[i] += planes == 1u << i;
    }
}

Test(clip, CLP_05_vertices_are_inside_of_the_planes_of_the_rules)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("clip");
    struct tally tally = { 0 };
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct harness_random random;
        struct fast_fragment_state state;
        static _Alignas(64) float block[FAST_BLOCK_FLOATS];
        harness_random_init(&random, seed + round);
        random_plane(&random, &state);
        random_vertices(&random, block);
        for (uint32_t s = 0; s < set_count; s++)
            expect_vertices(&sets[s], &state, block, round, &tally);
    }
    cr_log_info("%u vertices inside, %u outside of the user plane alone", tally.fit, tally.by_user_plane);
    cr_expect_geq(tally.fit, ROUNDS);
    cr_expect_geq(tally.by_user_plane, ROUNDS);
    for (uint32_t i = 0; i < PLANES; i++)
        cr_expect_geq(tally.by_plane[i], ROUNDS / 4, "plane %u alone: %u vertices", i + 1, tally.by_plane[i]);
}

/* CLP-09: the first plane that has a corner outside has all three; but a fit corner is outside of none. */
static bool vanishes(const uint32_t outside[3])
{
    const uint32_t some = outside[0] | outside[1] | outside[2];
    const uint32_t all = outside[0] & outside[1] & outside[2];
    for (uint32_t i = 0; i < PLANES; i++)
        if ((some >> i & 1u) != 0)
            return (all >> i & 1u) != 0;
    return false;
}

/* Most corners are outside of a plane or several, which their words say. */
static void put_outside(struct harness_random *random, struct screen_triangles *triangles,
                        uint32_t outside[FAST_LANES][3])
{
    for (uint32_t n = 0; n < FAST_LANES; n++)
        for (uint32_t k = 0; k < 3; k++) {
            outside[n][k] = harness_random_below(random, 64);
            outside[n][k] &= harness_random_below(random, 64);
            if (harness_random_percent(random, 40))
                outside[n][k] |= 1u << harness_random_below(random, 2);
            if (outside[n][k] != 0)
                triangles->place[k * FAST_LANES + n] = FAST_PLACE_UNFIT | outside[n][k] * FAST_PLACE_FIRST_PLANE;
        }
}

Test(clip, CLP_09_triangles_vanish_at_the_first_plane_that_cuts)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("clip");
    struct fast_fragment_state state;
    uint32_t gone = 0, left = 0;
    memset(&state, 0, sizeof state);
    state.width = state.height = 512;
    state.keeps_positive = state.keeps_negative = true;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct harness_random random;
        static struct screen_triangles triangles;
        uint32_t outside[FAST_LANES][3];
        harness_random_init(&random, seed + round);
        screen_triangles_random(&triangles, &random, 100);
        put_outside(&random, &triangles, outside);
        for (uint32_t s = 0; s < set_count; s++) {
            struct fast_triangle_batch batch;
            screen_triangles_set_up(&sets[s], &state, &screen_layout, &triangles, &batch);
            for (uint32_t n = 0; n < FAST_LANES; n++) {
                const uint32_t *const o = outside[n];
                const bool wanted = (o[0] | o[1] | o[2]) != 0 && !vanishes(o);
                cr_expect_eq(batch.unfit >> n & 1u, wanted,
                             "clip.h, %s, round %u: triangle %u outside of %02X %02X %02X", sets[s].name, round, n,
                             o[0], o[1], o[2]);
                gone += vanishes(o);
                left += wanted;
            }
        }
    }
    cr_log_info("%u triangles vanish, %u have to be clipped", gone, left);
    cr_expect_geq(gone, ROUNDS);
    cr_expect_geq(left, ROUNDS);
}
