/*
 * GEN-10: worker threads change how long a draw takes and nothing else. The linker's --wrap (CMakeLists.txt) brings
 * hand-overs and bins here: so every hand-over is one in which workers draw, and many small triangles are handed over
 * as well, whether that pays or not.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench/scenes.h"
#include "fast/tiles/renderer.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum {
    REPETITIONS = 6, /* a pool is asked many times: awake, asleep, late */
    PATIENCE_S = 60  /* for a worker to take a bin */
};

/* ------------------------------------------------------------------------------------------------------ hand-overs */

static struct {
    pthread_t caller;
    bool always;         /* hand over what would not pay */
    int rounding;        /* the caller's when it creates an instance with workers */
    bool waits;          /* the caller's: it has not drawn a bin of the running hand-over */
    uint32_t hand_overs; /* so far */
    atomic_uint bins;    /* that workers have drawn in the running one */
} spy;

/* The names that the linker makes. */
bool __real_fast_workers_pay(const struct fast_workers *workers, uint64_t units);
void __real_fast_workers_draw(struct fast_workers *workers, const struct fast_renderer *renderer);
void __real_fast_tile_draw(const struct fast_renderer *renderer, uint32_t region);
bool __wrap_fast_workers_pay(const struct fast_workers *workers, uint64_t units);
void __wrap_fast_workers_draw(struct fast_workers *workers, const struct fast_renderer *renderer);
void __wrap_fast_tile_draw(const struct fast_renderer *renderer, uint32_t region);

/* A draw that pays in any case, if there are workers. */
bool __wrap_fast_workers_pay(const struct fast_workers *workers, uint64_t units)
{
    return __real_fast_workers_pay(workers, spy.always ? UINT64_MAX : units);
}

void __wrap_fast_workers_draw(struct fast_workers *workers, const struct fast_renderer *renderer)
{
    spy.waits = true;
    spy.hand_overs++;
    atomic_store(&spy.bins, 0);
    __real_fast_workers_draw(workers, renderer);
    cr_expect_gt(atomic_load(&spy.bins), 0, "hand-over %u: no worker came", (unsigned)spy.hand_overs);
    spy.waits = false;
}

static time_t now(void)
{
    struct timespec time = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

/* The caller leaves the first bin of a hand-over alone until a worker has drawn another one. */
void __wrap_fast_tile_draw(const struct fast_renderer *renderer, uint32_t region)
{
    if (!pthread_equal(pthread_self(), spy.caller)) {
        __real_fast_tile_draw(renderer, region);
        atomic_fetch_add(&spy.bins, 1);
        return;
    }
    const time_t end = now() + PATIENCE_S;
    while (spy.waits && atomic_load(&spy.bins) == 0 && now() < end)
        sched_yield();
    spy.waits = false;
    __real_fast_tile_draw(renderer, region);
}

/* ----------------------------------------------------------------------------------------------------------- scenes */

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
        cr_assert_eq(fesetround(i == 0 ? FE_TONEAREST : spy.rounding), 0);
        cr_assert_eq(harness_runner_create(linked[1], &options, &pair->runners[i]), PICA_OK);
        cr_assert_eq(fesetround(FE_TONEAREST), 0);
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
    const uint32_t hand_overs = spy.hand_overs;
    open_pair(&pair, scene, size, workers);
    for (uint32_t i = 0; i < REPETITIONS; i++) {
        cr_assert_eq(harness_compare(pair.runners, 2, pair.program, &options, &comparison, &error), HARNESS_OK, "%s",
                     error.message);
        cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s, %u workers: %s", bench_scene_plan(scene)->name,
                     (unsigned)workers, comparison.report.message);
    }
    cr_expect_geq(spy.hand_overs - hand_overs, REPETITIONS, "%s, %u workers: nothing was handed over",
                  bench_scene_plan(scene)->name, (unsigned)workers);
    close_pair(&pair);
}

Test(fast_threads, GEN_10_any_number_of_workers_draws_the_same, .timeout = 120)
{
    static const uint32_t workers[] = { 1, 2, 7 };
    spy.caller = pthread_self();
    spy.rounding = FE_TONEAREST;
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        expect_same(BENCH_VERTEX_COLOR, (struct bench_size){ 400, 240, 2 }, workers[i]);
        expect_same(BENCH_LIGHT, (struct bench_size){ 200, 120, 1 }, workers[i]);
        spy.always = true;
        expect_same(BENCH_RANDOM, (struct bench_size){ 400, 240, 6000 }, workers[i]);
        spy.always = false;
    }
}

/* A thread begins with the rounding mode of who creates it. */
Test(fast_threads, GEN_01_workers_round_to_nearest, .timeout = 120)
{
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    spy.caller = pthread_self();
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        spy.rounding = modes[i];
        expect_same(BENCH_LIGHT, (struct bench_size){ 200, 120, 1 }, 2);
    }
}
