/* GEN-10: worker threads change how long a draw takes and nothing else, in draws large enough that they are called. */
#include "bench/scenes.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    REPETITIONS = 6 /* a pool is asked again and again: awake, asleep, late */
};

/* Two instances of `fast`, the first one without workers. */
struct pair {
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_runner *runners[2];
};

static void open_pair(struct pair *pair, enum bench_scene scene, struct bench_size size, uint32_t workers)
{
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    struct harness_error error = { "" };
    cr_assert_eq(harness_linked_backends(linked, HARNESS_LINKED_BACKENDS), HARNESS_LINKED_BACKENDS);
    pair->test_case = harness_case_create();
    pair->program = harness_program_create();
    cr_assert(pair->test_case != NULL && pair->program != NULL && bench_scene_build(pair->test_case, scene, &size));
    cr_assert_eq(harness_case_setup(pair->test_case, pair->program, &error), HARNESS_OK, "%s", error.message);
    for (uint32_t i = 0; i < 2; i++) {
        const struct pica_options options = { .threads = i * workers, .instruction_sets = UINT32_MAX };
        cr_assert_eq(harness_runner_create(linked[1], &options, &pair->runners[i]), PICA_OK);
    }
}

static void close_pair(struct pair *pair)
{
    for (uint32_t i = 0; i < 2; i++)
        harness_runner_destroy(pair->runners[i]);
    harness_program_destroy(pair->program);
    harness_case_destroy(pair->test_case);
}

static void expect_same(enum bench_scene scene, struct bench_size size, uint32_t workers)
{
    const struct harness_compare_options options = { .slow = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    struct pair pair;
    open_pair(&pair, scene, size, workers);
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        cr_assert_eq(harness_compare(pair.runners, 2, pair.program, &options, &comparison, &error), HARNESS_OK, "%s",
                     error.message);
        cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s, %u workers: %s", bench_scene_plan(scene)->name,
                     (unsigned)workers, comparison.report.message);
    }
    close_pair(&pair);
}

Test(fast_workers, GEN_10_any_number_of_workers_draws_the_same, .timeout = 120)
{
    static const uint32_t workers[] = { 1, 2, 7 };
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        expect_same(BENCH_VERTEX_COLOR, (struct bench_size){ 400, 240, 2 }, workers[i]);
        expect_same(BENCH_LIGHT, (struct bench_size){ 200, 120, 1 }, workers[i]);
        expect_same(BENCH_RANDOM, (struct bench_size){ 400, 240, 6000 }, workers[i]);
    }
}
