/* llvmpipe is timed on the same work: its picture is that of the reference, but for rounding. */
#include "bench/llvmpipe.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "harness/run/surfaces.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Mesa and LLVM are not built for sanitizers, and keep memory until the process ends. */
static bool is_sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    return true;
#endif
#endif
    return false;
}

static void read_case(struct harness_runner *runner, enum bench_scene scene, const struct bench_size *size,
                      uint8_t *rgba)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    struct harness_surfaces surfaces = { .count = 0 };
    cr_assert(test_case != NULL && program != NULL && bench_scene_build(test_case, scene, size));
    cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
    const struct pica_backend *const backend = harness_runner_backend(runner);
    cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
    cr_assert_eq(backend->observe_draws(harness_runner_instance(runner), harness_surfaces_observe, &surfaces), PICA_OK);
    cr_assert_eq(harness_runner_run(runner, program->operations, program->count), PICA_OK);
    cr_assert_geq(surfaces.count, 1);
    const struct oracle_surface *const surface = &surfaces.items[0].surface;
    for (uint32_t y = 0; y < size->height; y++)
        for (uint32_t x = 0; x < size->width; x++) {
            uint8_t bytes[4];
            const uint64_t at = surface->address + oracle_pixel_offset(surface, x, size->height - 1 - y);
            cr_assert_eq(backend->read_memory(harness_runner_instance(runner), (uint32_t)at, bytes, 4), PICA_OK);
            const struct oracle_pixel pixel = oracle_pixel_decode(surface->format, bytes);
            for (int k = 0; k < 4; k++)
                *rgba++ = (uint8_t)pixel.channel[k];
        }
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

/* Of 1000 pixels, those in which a channel differs by more than `most`. */
static double differing(const uint8_t *a, const uint8_t *b, size_t pixels, int most)
{
    size_t count = 0;
    for (size_t i = 0; i < pixels; i++) {
        bool differs = false;
        for (size_t k = 4 * i; k < 4 * i + 4; k++)
            differs = differs || abs(a[k] - b[k]) > most;
        count += differs;
    }
    return 1000.0 * (double)count / (double)pixels;
}

static bool is_empty(const uint8_t *rgba, size_t pixels)
{
    for (size_t i = 0; i < 4 * pixels; i++)
        if (rgba[i] != 0)
            return false;
    return true;
}

/* Bytes in the combiner, 1/16 pixels of the rasterizer and the order of filtering explain this much and no more. */
struct expectation {
    enum bench_scene scene;
    struct bench_size size;
    int most;        /* of 255, in one channel */
    double thousand; /* of 1000 pixels may differ by more */
};

static const struct expectation expectations[] = {
    { BENCH_VERTEX_COLOR, { 400, 240, 4 }, 4, 1.0 },
    { BENCH_TEXTURE_NEAREST, { 400, 240, 4 }, 2, 1.0 },
    { BENCH_TEXTURE_BILINEAR, { 400, 240, 4 }, 3, 1.0 },
    { BENCH_LIGHT, { 400, 240, 4 }, 7, 1.0 },
    { BENCH_RANDOM, { 400, 240, 4000 }, 4, 10.0 },
    { BENCH_MESH, { 400, 240, 4 }, 7, 5.0 },
    { BENCH_SHADER, { 400, 240, 30000 }, 2, 1.0 },
    { BENCH_SKINNING, { 400, 240, 30000 }, 2, 1.0 },
    { BENCH_SMALL, { 64, 64, 1 }, 2, 1.0 },
    { BENCH_SMALL_LIGHT, { 64, 64, 1 }, 7, 1.0 },
};

static void expect_same_picture(const struct expectation *expectation, struct harness_runner *runner)
{
    const struct bench_size *const size = &expectation->size;
    const size_t pixels = (size_t)size->width * size->height;
    const char *const name = bench_scene_plan(expectation->scene)->name;
    struct bench_llvmpipe_error error;
    uint8_t *const ours = malloc(8 * pixels), *const theirs = ours + 4 * pixels;
    cr_assert_not_null(ours);
    struct bench_llvmpipe *const pipe = bench_llvmpipe_open(expectation->scene, size, &error);
    cr_assert_not_null(pipe, "%s: %s", name, error.why);
    bench_llvmpipe_draw(pipe);
    bench_llvmpipe_read(pipe, theirs);
    bench_llvmpipe_close(pipe);
    read_case(runner, expectation->scene, size, ours);
    cr_expect(!is_empty(ours, pixels) && !is_empty(theirs, pixels), "%s: nothing was drawn", name);
    const double found = differing(ours, theirs, pixels, expectation->most);
    cr_expect_leq(found, expectation->thousand, "%s: %.1f of 1000 pixels differ by more than %d", name, found,
                  expectation->most);
    free(ours);
}

Test(bench_llvmpipe, draws_the_pictures_of_the_reference, .timeout = 120)
{
    const struct bench_plan *const plan = bench_scene_plan(BENCH_SMALL);
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct bench_llvmpipe_error error;
    struct harness_runner *runner = NULL;
    if (is_sanitized())
        cr_skip_test("Mesa is not built for sanitizers");
    struct bench_llvmpipe *const pipe = bench_llvmpipe_open(BENCH_SMALL, &plan->size, &error);
    if (pipe == NULL)
        cr_skip_test("%s", error.why);
    bench_llvmpipe_close(pipe);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++)
        expect_same_picture(&expectations[i], runner);
    harness_runner_destroy(runner);
}
