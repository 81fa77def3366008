/* kernels/cull.h: by the sign of A of CUL-01, which of 16 triangles are kept and which are turned over. */
#include "tests/kernels/screen_triangles.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <string.h>

enum {
    ROUNDS = 500 / TEST_PART
};

/* Triangles by the sign of A: none, positive, negative. */
static void count_signs(const struct screen_triangles *triangles, uint32_t counts[3])
{
    for (uint32_t n = 0; n < FAST_LANES; n++) {
        const int64_t area = screen_triangle_area(triangles, n);
        counts[area > 0 ? 1 : area < 0 ? 2 : 0] += 1;
    }
}

/* CUL-02 to CUL-04 for what a value of FACECULLING_CONFIG keeps. */
static void expect_facing(const struct kernel_set *set, const struct screen_triangles *triangles, bool positive,
                          bool negative, uint32_t round)
{
    struct fast_fragment_state state;
    struct fast_triangle_batch batch;
    memset(&state, 0, sizeof state);
    state.width = state.height = 1024;
    state.keeps_positive = positive;
    state.keeps_negative = negative;
    screen_triangles_set_up(set, &state, &screen_layout, triangles, &batch);
    for (uint32_t n = 0; n < FAST_LANES; n++) {
        const int64_t area = screen_triangle_area(triangles, n);
        const bool kept = area > 0 ? positive : area < 0 && negative;
        cr_expect_eq(batch.kept >> n & 1u, kept, "cull.h, %s, round %u: triangle %u with A = %lld", set->name, round, n,
                     (long long)area);
        cr_expect_eq(batch.turned >> n & 1u, area < 0, "cull.h, %s, round %u: triangle %u with A = %lld is turned",
                     set->name, round, n, (long long)area);
    }
}

Test(cull, CUL_02_the_sign_of_the_area_decides)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("cull");
    uint32_t counts[3] = { 0, 0, 0 };
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct harness_random random;
        static struct screen_triangles triangles;
        harness_random_init(&random, seed + round);
        screen_triangles_random(&triangles, &random, (int32_t)harness_random_between(&random, 1, 8000));
        count_signs(&triangles, counts);
        for (uint32_t s = 0; s < set_count; s++)
            for (uint32_t kept = 0; kept < 4; kept++)
                expect_facing(&sets[s], &triangles, (kept & 1u) != 0, (kept & 2u) != 0, round);
    }
    cr_log_info("%u triangles without area, %u counter-clockwise, %u clockwise", counts[0], counts[1], counts[2]);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_geq(counts[i], ROUNDS / 2);
}
