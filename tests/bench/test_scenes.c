/* Each scene is what its name says: both backends draw the same, as much as is claimed, and nothing undefined. */
#include "bench/scenes.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"

#include <criterion/criterion.h>
#include <string.h>

/* One scene on both backends. */
struct stage {
    enum bench_scene scene;
    struct bench_size size;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_runner *runners[HARNESS_LINKED_BACKENDS];
};

/* Sizes that take the reference no more than a moment, on targets of odd shapes. */
static struct bench_size small_size(enum bench_scene scene)
{
    const struct bench_plan *const plan = bench_scene_plan(scene);
    switch (plan->unit) {
    case BENCH_PIXELS: return (struct bench_size){ 72, 40, plan->size.count };
    case BENCH_TRIANGLES: return (struct bench_size){ 104, 72, scene == BENCH_MESH ? 3 : 4000 };
    case BENCH_VERTICES: return (struct bench_size){ 400, 240, 5000 };
    case BENCH_CASES: return plan->size;
    }
    return plan->size; /* not reached */
}

static void open_stage(struct stage *stage, enum bench_scene scene, struct bench_size size, uint32_t workers)
{
    const struct pica_options options = { .threads = workers, .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    *stage = (struct stage){ .scene = scene, .size = size };
    stage->test_case = harness_case_create();
    stage->program = harness_program_create();
    cr_assert(stage->test_case != NULL && stage->program != NULL);
    cr_assert(bench_scene_build(stage->test_case, scene, &size));
    cr_assert_eq(harness_case_check(stage->test_case, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(stage->test_case, stage->program, &error), HARNESS_OK, "%s", error.message);
    for (size_t i = 0; i < HARNESS_LINKED_BACKENDS; i++)
        cr_assert_eq(harness_runner_create(harness_linked_backend(i), &options, &stage->runners[i]), PICA_OK);
}

static void close_stage(struct stage *stage)
{
    for (size_t i = 0; i < HARNESS_LINKED_BACKENDS; i++)
        harness_runner_destroy(stage->runners[i]);
    harness_program_destroy(stage->program);
    harness_case_destroy(stage->test_case);
}

static void expect_agreement(enum bench_scene scene, uint32_t workers)
{
    const struct harness_compare_options options = { .slow = true, .check_vacuity = true };
    struct stage stage;
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    open_stage(&stage, scene, small_size(scene), workers);
    const enum harness_status status =
        harness_compare(stage.runners, HARNESS_LINKED_BACKENDS, stage.program, &options, &comparison, &error);
    cr_assert_eq(status, HARNESS_OK, "%s: %s", bench_scene_plan(scene)->name, error.message);
    const bool draws = scene != BENCH_EMPTY && scene != BENCH_ONE_VERTEX;
    cr_assert_eq(comparison.report.verdict, draws ? ORACLE_AGREE : ORACLE_VACUOUS, "%s, %u workers: %s",
                 bench_scene_plan(scene)->name, (unsigned)workers, comparison.report.message);
    close_stage(&stage);
}

Test(bench_scenes, both_backends_draw_the_same, .timeout = 120)
{
    for (int scene = 0; scene < BENCH_SCENES; scene++)
        for (uint32_t workers = 0; workers < 3; workers += 2)
            expect_agreement((enum bench_scene)scene, workers);
}

static void run(struct stage *stage)
{
    cr_assert_eq(harness_runner_load(stage->runners[0], &stage->program->setup), PICA_OK);
    cr_assert_eq(harness_runner_run(stage->runners[0], stage->program->operations, stage->program->count), PICA_OK);
}

Test(bench_scenes, nothing_undefined_is_measured, .timeout = 120)
{
    for (int scene = 0; scene < BENCH_SCENES; scene++) {
        struct stage stage;
        struct pica_events events, none;
        open_stage(&stage, (enum bench_scene)scene, small_size((enum bench_scene)scene), 0);
        run(&stage);
        const struct pica_backend *const reference = harness_runner_backend(stage.runners[0]);
        cr_assert_eq(reference->read_events(harness_runner_instance(stage.runners[0]), &events), PICA_OK);
        memset(&none, 0, sizeof none);
        cr_expect_eq(memcmp(&events, &none, sizeof none), 0, "%s: events %llx %llx %llx %llx",
                     bench_scene_plan((enum bench_scene)scene)->name, (unsigned long long)events.words[0],
                     (unsigned long long)events.words[1], (unsigned long long)events.words[2],
                     (unsigned long long)events.words[3]);
        close_stage(&stage);
    }
}

/* -------------------------------------------------------------------------------------------- as much as is claimed */

static void add_pixels(void *user, const struct pica_draw *draw)
{
    *(uint64_t *)user += draw->pixels;
}

/* Pixels that the reference writes in the second of two submissions. */
static uint64_t pixels_of(enum bench_scene scene, struct bench_size size)
{
    struct stage stage;
    uint64_t pixels = 0;
    open_stage(&stage, scene, size, 0);
    run(&stage);
    const struct pica_backend *const reference = harness_runner_backend(stage.runners[0]);
    void *const instance = harness_runner_instance(stage.runners[0]);
    cr_assert_eq(reference->observe_draws(instance, add_pixels, &pixels), PICA_OK);
    cr_assert_eq(harness_runner_step(stage.runners[0], &stage.program->operations[stage.program->count - 1]), PICA_OK);
    close_stage(&stage);
    return pixels;
}

Test(bench_scenes, every_pixel_of_every_layer_is_written_each_time)
{
    static const enum bench_scene layered[] = { BENCH_VERTEX_COLOR, BENCH_TEXTURE_NEAREST, BENCH_TEXTURE_BILINEAR,
                                                BENCH_LIGHT,        BENCH_SMALL,           BENCH_SMALL_LIGHT };
    for (size_t i = 0; i < sizeof layered / sizeof layered[0]; i++) {
        const struct bench_size size = small_size(layered[i]);
        cr_expect_eq(pixels_of(layered[i], size), bench_scene_work(layered[i], &size), "%s",
                     bench_scene_plan(layered[i])->name);
    }
}

/* Few enough that they seldom hide each other, but enough for an average. */
Test(bench_scenes, triangles_are_four_pixels_large)
{
    const struct bench_size random = { 800, 800, 3000 }, mesh = { 400, 240, 1 };
    const double random_pixels = (double)pixels_of(BENCH_RANDOM, random);
    const double mesh_pixels = (double)pixels_of(BENCH_MESH, mesh);
    cr_expect_float_eq(random_pixels / (double)bench_scene_work(BENCH_RANDOM, &random), 4.0, 0.15);
    cr_expect_float_eq(mesh_pixels / (double)bench_scene_work(BENCH_MESH, &mesh), 3.84, 0.15);
}

Test(bench_scenes, a_frame_of_scene_d_has_100_000_triangles)
{
    cr_expect_eq(bench_scene_work(BENCH_RANDOM, &bench_scene_plan(BENCH_RANDOM)->size), 100000);
    cr_expect_eq(bench_scene_work(BENCH_MESH, &bench_scene_plan(BENCH_MESH)->size), 100000);
}

Test(bench_scenes, hardly_a_pixel_is_drawn_by_scene_e)
{
    static const enum bench_scene scenes[] = { BENCH_SHADER, BENCH_SKINNING };
    for (int i = 0; i < 2; i++) {
        const uint64_t pixels = pixels_of(scenes[i], (struct bench_size){ 400, 240, 30000 });
        cr_expect(pixels > 20 && pixels < 600, "%llu pixels", (unsigned long long)pixels);
    }
}

static void count_instruction(void *user, const struct pica_trace_step *step)
{
    *(uint32_t *)user += strcmp(step->stage, "shader") == 0 && strcmp(step->name, "instruction") == 0;
}

Test(bench_scenes, scene_e_executes_25_instructions_and_end)
{
    static const enum bench_scene scenes[] = { BENCH_SHADER, BENCH_SKINNING, BENCH_ONE_VERTEX };
    for (int i = 0; i < 3; i++) {
        const struct pica_trace_request request = { .draw = 0, .subject = PICA_TRACE_VERTEX, .x = 0 };
        struct stage stage;
        uint32_t instructions = 0;
        open_stage(&stage, scenes[i], (struct bench_size){ 64, 64, 1 }, 0);
        const struct pica_backend *const reference = harness_runner_backend(stage.runners[0]);
        void *const instance = harness_runner_instance(stage.runners[0]);
        cr_assert_eq(harness_runner_load(stage.runners[0], &stage.program->setup), PICA_OK);
        cr_assert_eq(reference->trace(instance, &request, count_instruction, &instructions), PICA_OK);
        for (uint32_t k = 0; k < stage.program->count; k++)
            cr_assert_eq(harness_runner_step(stage.runners[0], &stage.program->operations[k]), PICA_OK);
        cr_expect_eq(instructions, 26, "%s: %u", bench_scene_plan(scenes[i])->name, (unsigned)instructions);
        close_stage(&stage);
    }
}
