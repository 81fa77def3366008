/*
 * GEN-10: a small capacity (pica_options) makes queues, pools and caches full more often and changes nothing else. The
 * linker's --wrap (CMakeLists.txt) brings the calls here that tell how often that was: chunks of triangles, bins,
 * hand-overs to workers, images that are decoded, programs.
 */
#include "bench/scenes.h"
#include "fast/draw/texture_image.h"
#include "fast/fast.h"
#include "fast/pipeline.h"
#include "fast/tiles/renderer.h"
#include "fast/vertex/fetch_slices.h"
#include "fast/vertex/shader_plan.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <string.h>

/* How often; any thread sets up chunks and draws bins. `sliced`: vertices or indices that went in slices. */
static struct {
    uint32_t hand_overs, images, plans, sliced;
    atomic_uint chunks, bins;
} calls;

/* The names that the linker makes. */
void __real_fast_bins_triangles(struct fast_bins *bins, const struct fast_triangles *triangles);
void __real_fast_tile_draw(const struct fast_renderer *renderer, uint32_t region);
void __real_fast_workers_run(struct fast_workers *workers, const struct fast_job *job);
uint32_t __real_fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first);
uint32_t __real_fast_image_place(const struct fast_gpu *gpu, struct fast_image *image, const struct fast_image_key *key,
                                 uint32_t *arena, uint32_t first);
void __real_fast_plan_build(struct fast_plan *plan, const struct fast_plan_key *key,
                            const struct fast_recording *recording);
void __wrap_fast_bins_triangles(struct fast_bins *bins, const struct fast_triangles *triangles);
void __wrap_fast_tile_draw(const struct fast_renderer *renderer, uint32_t region);
void __wrap_fast_workers_run(struct fast_workers *workers, const struct fast_job *job);
uint32_t __wrap_fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first);
uint32_t __wrap_fast_image_place(const struct fast_gpu *gpu, struct fast_image *image, const struct fast_image_key *key,
                                 uint32_t *arena, uint32_t first);
void __wrap_fast_plan_build(struct fast_plan *plan, const struct fast_plan_key *key,
                            const struct fast_recording *recording);

void __wrap_fast_bins_triangles(struct fast_bins *bins, const struct fast_triangles *triangles)
{
    atomic_fetch_add(&calls.chunks, 1);
    __real_fast_bins_triangles(bins, triangles);
}

void __wrap_fast_tile_draw(const struct fast_renderer *renderer, uint32_t region)
{
    atomic_fetch_add(&calls.bins, 1);
    __real_fast_tile_draw(renderer, region);
}

void __wrap_fast_workers_run(struct fast_workers *workers, const struct fast_job *job)
{
    calls.hand_overs++;
    __real_fast_workers_run(workers, job);
}

uint32_t __wrap_fast_slices_draw(struct fast_gpu *gpu, struct fast_draw_range *draw, uint32_t first)
{
    const uint32_t next = __real_fast_slices_draw(gpu, draw, first);
    calls.sliced += next - first;
    return next;
}

uint32_t __wrap_fast_image_place(const struct fast_gpu *gpu, struct fast_image *image, const struct fast_image_key *key,
                                 uint32_t *arena, uint32_t first)
{
    calls.images++;
    return __real_fast_image_place(gpu, image, key, arena, first);
}

void __wrap_fast_plan_build(struct fast_plan *plan, const struct fast_plan_key *key,
                            const struct fast_recording *recording)
{
    calls.plans++;
    __real_fast_plan_build(plan, key, recording);
}

/* ---------------------------------------------------------------------------------------------------------- runners */

static const struct pica_backend *fast(void)
{
    return harness_linked_backend(HARNESS_FAST);
}

static struct harness_runner *open_runner(uint32_t threads, uint32_t capacity)
{
    const struct pica_options options = { .threads = threads, .instruction_sets = UINT32_MAX, .capacity = capacity };
    struct harness_runner *runner = NULL;
    cr_assert_eq(harness_runner_create(fast(), &options, &runner), PICA_OK);
    return runner;
}

struct bench {
    struct harness_case *test_case;
    struct harness_program *program;
};

static void open_bench(struct bench *bench)
{
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    cr_assert(bench->test_case != NULL && bench->program != NULL);
}

static void close_bench(struct bench *bench)
{
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
}

/* `runners`: the usual one, and another. */
static void expect_same(const struct bench *bench, struct harness_runner *runners[2], const char *what, uint64_t number)
{
    const struct harness_compare_options options = { .slow = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_compare(runners, 2, bench->program, &options, &comparison, &error), HARNESS_OK, "%s",
                 error.message);
    cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s %llu: %s", what, (unsigned long long)number,
                 comparison.report.message);
}

static void run(struct harness_runner *runner, const struct bench *bench)
{
    struct harness_error error = { "" };
    memset(&calls, 0, sizeof calls);
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
    for (uint32_t i = 0; i < bench->program->count; i++)
        cr_assert_eq(harness_runner_step(runner, &bench->program->operations[i]), PICA_OK);
}

/* ------------------------------------------------------------------------------------------------------ the results */

Test(fast_capacity, GEN_10_any_capacity_draws_scenes_the_same, .timeout = 240)
{
    static const struct {
        enum bench_scene scene;
        struct bench_size size;
    } scenes[] = {
        { BENCH_TEXTURE_BILINEAR, { 96, 72, 2 } }, { BENCH_LIGHT, { 72, 96, 1 } },
        { BENCH_RANDOM, { 200, 120, 1500 } },      { BENCH_MESH, { 128, 96, 2 } },
        { BENCH_SHADER, { 64, 64, 700 } },         { BENCH_SKINNING, { 64, 64, 700 } },
    };
    static const uint32_t capacities[] = { 1, 2, 3, 7, 16, 100, 1023, UINT32_MAX };
    struct harness_runner *runners[2] = { open_runner(0, 0), NULL };
    for (size_t k = 0; k < sizeof capacities / sizeof capacities[0]; k++) {
        runners[1] = open_runner(k % 2 == 0 ? 0 : 2, capacities[k]);
        for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
            struct bench bench;
            open_bench(&bench);
            cr_assert(bench_scene_build(bench.test_case, scenes[i].scene, &scenes[i].size));
            expect_same(&bench, runners, bench_scene_plan(scenes[i].scene)->name, capacities[k]);
            close_bench(&bench);
        }
        harness_runner_destroy(runners[1]);
    }
    harness_runner_destroy(runners[0]);
}

/* Generated cases: also draws over their own textures, vertices and other surface, and all that is not quick. */
Test(fast_capacity, GEN_10_any_capacity_runs_generated_cases_the_same, .timeout = 240)
{
    enum {
        CAPACITIES = 9,
        SEEDS = 900
    };
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_MIXED };
    struct harness_runner *plain = open_runner(0, 0), *small[CAPACITIES];
    struct bench bench;
    for (uint32_t i = 0; i < CAPACITIES; i++)
        small[i] = open_runner(i % 2 * 2, 1 + i * i / 2);
    open_bench(&bench);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct harness_runner *runners[2] = { plain, small[seed % CAPACITIES] };
        harness_generate(bench.test_case, seed, &options);
        expect_same(&bench, runners, "seed", seed);
    }
    cr_expect_gt(calls.sliced, 1000, "only %u vertices went in slices", (unsigned)calls.sliced);
    close_bench(&bench);
    for (uint32_t i = 0; i < CAPACITIES; i++)
        harness_runner_destroy(small[i]);
    harness_runner_destroy(plain);
}

/* ------------------------------------------------------------------------------------------------------- the effect */

static void count_in_scene(enum bench_scene scene, struct bench_size size, uint32_t threads, uint32_t capacity)
{
    struct bench bench;
    struct harness_runner *const runner = open_runner(threads, capacity);
    open_bench(&bench);
    cr_assert(bench_scene_build(bench.test_case, scene, &size));
    run(runner, &bench);
    close_bench(&bench);
    harness_runner_destroy(runner);
}

Test(fast_capacity, a_small_one_is_full_more_often)
{
    const struct bench_size size = { 64, 64, 60 };
    count_in_scene(BENCH_RANDOM, size, 2, 0);
    cr_expect_eq(calls.chunks, 1, "60 triangles: %u chunks", (unsigned)calls.chunks);
    cr_expect_eq(calls.bins, 1, "64x64 pixels: %u bins", (unsigned)calls.bins);
    cr_expect_eq(calls.hand_overs, 0);
    cr_expect_eq(calls.plans, 0);
    count_in_scene(BENCH_RANDOM, size, 2, 16);
    cr_expect_geq(calls.chunks, 60 * 3 / 16, "%u chunks", (unsigned)calls.chunks);
    cr_expect_geq(calls.bins, 60 / 16 * 4, "%u bins", (unsigned)calls.bins);
    cr_expect_geq(calls.hand_overs, 60 / 16, "%u hand-overs", (unsigned)calls.hand_overs);
    cr_expect_geq(calls.plans, 1);
    count_in_scene(BENCH_RANDOM, size, 0, 1);
    cr_expect_eq(calls.chunks, 60, "a triangle is more than there is room for, and goes alone: %u chunks",
                 (unsigned)calls.chunks);
    cr_expect_geq(calls.bins, 60, "%u bins", (unsigned)calls.bins);
}

static uint32_t images_of_generated(uint32_t capacity)
{
    struct harness_runner *const runner = open_runner(0, capacity);
    uint32_t images = 0;
    struct bench bench;
    open_bench(&bench);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        harness_generate(bench.test_case, seed, NULL);
        run(runner, &bench);
        images += calls.images;
    }
    close_bench(&bench);
    harness_runner_destroy(runner);
    return images;
}

Test(fast_capacity, a_small_texture_cache_forgets)
{
    const uint32_t usual = images_of_generated(0), small = images_of_generated(1);
    cr_expect_gt(usual, 100, "%u images", (unsigned)usual);
    cr_expect_gt(small, usual, "%u images, with room for one %u", (unsigned)usual, (unsigned)small);
}

/* A caller built with an older header has no such member: what lies there is anything. */
Test(fast_capacity, it_counts_only_with_its_flag)
{
    const struct bench_size size = { 64, 64, 60 };
    struct pica_options options = { .instruction_sets = UINT32_MAX, .capacity = 1 };
    void *instance = NULL;
    struct bench bench;
    open_bench(&bench);
    cr_assert(bench_scene_build(bench.test_case, BENCH_RANDOM, &size));
    struct harness_error error = { "" };
    cr_assert_eq(harness_case_setup(bench.test_case, bench.program, &error), HARNESS_OK, "%s", error.message);
    for (uint32_t i = 0; i < 2; i++) {
        options.flags = i * PICA_OPTION_CAPACITY;
        cr_assert_eq(fast_backend()->create(&options, &instance), PICA_OK);
        cr_assert_eq(fast_backend()->load(instance, &bench.program->setup), PICA_OK);
        memset(&calls, 0, sizeof calls);
        for (uint32_t k = 0; k < bench.program->count; k++)
            cr_assert_eq(fast_backend()->run(instance, &bench.program->operations[k]), PICA_OK);
        cr_expect_eq(calls.chunks, i == 0 ? 1 : 60, "%u chunks", (unsigned)calls.chunks);
        fast_backend()->destroy(instance);
    }
    close_bench(&bench);
}
