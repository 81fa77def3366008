/*
 * Histories of pixels in bulk over the seeds: they tell of each fragment exactly what a trace of that pixel in that
 * draw tells, and change nothing.
 */
#include "harness/explore/draws.h"
#include "harness/run/dump.h"
#include "harness/run/load.h"
#include "oracles/trace_equal.h"
#include "reference/reference.h"
#include "tests/corpus/files.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 1 << 14,
    MOST_DRAWS = 6,    /* of a seed that are traced one by one */
    PIXELS = 3,        /* of a seed */
    LEAST_SEEDS = 100, /* that are looked at */
    LEAST_FRAGMENTS = 300
};

/* What is told of one pixel: the steps of all draws in a row, and where those of each visit end. */
struct history {
    uint32_t x, y;
    const struct harness_draws *draws;
    struct pica_trace_step *steps;
    size_t step_count;
    uint32_t visit_count;
    uint32_t step_draws[MOST_STEPS]; /* draw of each step */
    struct pica_visit last;
    size_t last_begin; /* first step of the running visit */
};

struct bench {
    struct harness_runner *runner;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_draws draws;
    struct history bulk;
    struct pica_trace_step *traced;
    size_t traced_count;
    size_t seeds;
    uint32_t fragments;
};

static enum pica_visit_wish wants(void *user, uint32_t draw, uint32_t x, uint32_t y)
{
    const struct history *const history = user;
    (void)draw;
    return x == history->x && y == history->y ? PICA_VISIT_WITH_STEPS : PICA_VISIT_UNWANTED;
}

static void take_step(void *user, const struct pica_trace_step *step)
{
    struct history *const history = user;
    if (history->step_count < MOST_STEPS)
        history->steps[history->step_count++] = *step;
}

/* The last step of that line since the visit began; NULL: none. */
static const struct pica_trace_step *find(const struct history *history, enum pica_trace_id id)
{
    for (size_t i = history->step_count; i-- > history->last_begin;)
        if (pica_trace_info_by_name(history->steps[i].stage, history->steps[i].name) == pica_trace_info(id))
            return &history->steps[i];
    return NULL;
}

static bool fails(const struct history *history, enum pica_trace_id id)
{
    const struct pica_trace_step *const step = find(history, id);
    return step != NULL && step->values[step->count - 1] == 0;
}

/* What ended the visit by its steps. */
static enum pica_visit_end end_of(const struct history *history)
{
    return fails(history, PICA_TRACE_ID_ALPHA_TEST)     ? PICA_VISIT_ALPHA_TEST
           : fails(history, PICA_TRACE_ID_STENCIL_TEST) ? PICA_VISIT_STENCIL_TEST
           : fails(history, PICA_TRACE_ID_DEPTH_TEST)   ? PICA_VISIT_DEPTH_TEST
                                                        : PICA_VISIT_PASSED;
}

/* Who knows a buffer from registers finds the pixel at the same place. */
static void expect_address(const struct history *history, const struct pica_visit *visit)
{
    const struct harness_drawn *const drawn = &history->draws->items[visit->draw];
    uint32_t address = 0;
    if (visit->color.bytes != 0)
        cr_expect(drawn->has_color && harness_pixel_address(&drawn->color, visit->x, visit->y, &address) &&
                      address == visit->color.address &&
                      oracle_bytes_per_pixel(drawn->color.format) == visit->color.bytes,
                  "colour at %08X, %08X", (unsigned)visit->color.address, (unsigned)address);
    if (visit->depth.bytes != 0)
        cr_expect(drawn->has_depth && harness_pixel_address(&drawn->depth, visit->x, visit->y, &address) &&
                      address == visit->depth.address &&
                      oracle_bytes_per_pixel(drawn->depth.format) == visit->depth.bytes,
                  "depth at %08X, %08X", (unsigned)visit->depth.address, (unsigned)address);
}

static void take_visit(void *user, const struct pica_visit *visit)
{
    struct history *const history = user;
    const struct pica_trace_step *const write = find(history, PICA_TRACE_ID_COLOR_WRITE);
    const bool goes_on = history->visit_count > 0 && history->last.draw == visit->draw;
    cr_assert_lt(visit->draw, history->draws->count);
    expect_address(history, visit);
    cr_expect_eq(visit->end, end_of(history));
    cr_expect(write == NULL || visit->has_written);
    if (write != NULL && visit->color.after != 0) /* FBF-01: outside the windows nothing is stored */
        cr_expect_eq(visit->color.after, write->values[0]);
    if (goes_on)
        cr_expect(visit->color.before == history->last.color.after && visit->depth.before == history->last.depth.after);
    for (size_t i = history->last_begin; i < history->step_count; i++)
        history->step_draws[i] = visit->draw;
    history->last_begin = history->step_count;
    history->last = *visit;
    history->visit_count++;
}

static void take_traced(void *user, const struct pica_trace_step *step)
{
    struct bench *const bench = user;
    if (pica_trace_info_by_name(step->stage, step->name) == NULL)
        return; /* what a rule gives on the way: histories have none of that */
    if (bench->traced_count < MOST_STEPS)
        bench->traced[bench->traced_count++] = *step;
}

static void run(struct bench *bench, const char *path, struct harness_digest *digest)
{
    struct oracle_run result;
    struct harness_error error = { "" };
    cr_assert_eq(harness_runner_load(bench->runner, &bench->program->setup), PICA_OK, "%s", path);
    cr_assert_eq(harness_runner_run(bench->runner, bench->program->operations, bench->program->count), PICA_OK, "%s",
                 path);
    cr_assert_eq(harness_runner_collect(bench->runner, &result), PICA_OK, "%s", path);
    cr_assert_eq(harness_digest(&result, digest, &error), HARNESS_OK, "%s", path);
}

static void observe(struct bench *bench, const char *path, struct harness_digest *digest)
{
    struct history *const history = &bench->bulk;
    const struct pica_visits visits = { wants, NULL, take_step, take_visit, history };
    history->draws = &bench->draws;
    history->step_count = history->last_begin = 0;
    history->visit_count = 0;
    cr_assert_eq(ref_observe_visits(harness_runner_instance(bench->runner), &visits), PICA_OK);
    run(bench, path, digest);
    cr_assert_eq(ref_observe_visits(harness_runner_instance(bench->runner), NULL), PICA_OK);
    bench->fragments += history->visit_count;
}

/* One draw alone, as a tracer tells of it, against its steps in the history. */
static void expect_like_trace(struct bench *bench, uint32_t draw, const char *path)
{
    const struct history *const history = &bench->bulk;
    const struct pica_trace_request request = { draw, PICA_TRACE_PIXEL, history->x, history->y };
    void *const instance = harness_runner_instance(bench->runner);
    struct harness_digest digest;
    size_t i = 0, k = 0;
    bench->traced_count = 0;
    cr_assert_eq(ref_backend()->trace(instance, &request, take_traced, bench), PICA_OK);
    run(bench, path, &digest);
    cr_assert_eq(ref_backend()->trace(instance, NULL, NULL, NULL), PICA_OK);
    for (; i < history->step_count; i++) {
        if (history->step_draws[i] != draw)
            continue;
        const struct pica_trace_step *const step = &bench->traced[k++];
        cr_assert_leq(k, bench->traced_count, "%s: draw %u: more steps than the trace has", path, (unsigned)draw);
        cr_assert(oracle_trace_same_key(step, &history->steps[i]) && step->count == history->steps[i].count &&
                      memcmp(step->values, history->steps[i].values, step->count * sizeof step->values[0]) == 0,
                  "%s: draw %u: %s, %s", path, (unsigned)draw, step->stage, step->name);
    }
    cr_expect_eq(k, bench->traced_count, "%s: draw %u: fewer steps than the trace has", path, (unsigned)draw);
}

/* A pixel of the first draw's colour buffer that differs from seed to seed. */
static bool choose(struct bench *bench, uint32_t turn)
{
    struct history *const history = &bench->bulk;
    for (uint32_t i = 0; i < bench->draws.count; i++) {
        const struct harness_drawn *const drawn = &bench->draws.items[i];
        if (!drawn->has_color || drawn->color.width == 0 || drawn->color.height == 0)
            continue;
        const uint32_t number = PIXELS * (uint32_t)bench->seeds + turn;
        history->x = number % (drawn->color.width < 8 ? drawn->color.width : 8);
        history->y = number / 8 % (drawn->color.height < 8 ? drawn->color.height : 8);
        return true;
    }
    return false;
}

static void look_at(struct bench *bench, const char *path)
{
    const struct pica_choices choices = { 0 };
    struct harness_error error = { "" };
    struct harness_digest plain, watched;
    harness_case_reset(bench->test_case);
    cr_assert_eq(harness_load(bench->test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    harness_draws_init(&bench->draws, &choices);
    cr_assert_eq(harness_draws_find(&bench->draws, bench->runner, bench->program), PICA_OK, "%s", path);
    run(bench, path, &plain);
    for (uint32_t turn = 0; turn < PIXELS && choose(bench, turn); turn++) {
        observe(bench, path, &watched);
        cr_expect_eq(memcmp(&plain, &watched, sizeof plain), 0, "%s: who watches changes what there is", path);
        for (uint32_t draw = 0; draw < bench->draws.count && draw < MOST_DRAWS; draw++)
            expect_like_trace(bench, draw, path);
    }
    bench->seeds += choose(bench, 0) ? 1 : 0;
    harness_draws_free(&bench->draws);
}

Test(visits_corpus, tell_what_a_trace_of_each_draw_tells_and_change_nothing)
{
    const struct pica_options options = { 0 };
    struct bench *const bench = calloc(1, sizeof *bench);
    struct corpus_files files;
    cr_assert_not_null(bench);
    cr_assert_eq(harness_runner_create(ref_backend(), &options, &bench->runner), PICA_OK);
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    bench->traced = calloc(MOST_STEPS, sizeof *bench->traced);
    bench->bulk.steps = calloc(MOST_STEPS, sizeof *bench->bulk.steps);
    cr_assert(bench->test_case != NULL && bench->program != NULL && bench->traced != NULL && bench->bulk.steps != NULL);
    corpus_files_find(&files, "seeds", ".pcase");
    for (size_t i = 0; i < files.count; i++)
        look_at(bench, files.items[i].path);
    corpus_files_free(&files);
    cr_expect_geq(bench->seeds, LEAST_SEEDS, "%zu seeds", bench->seeds);
    cr_expect_geq(bench->fragments, LEAST_FRAGMENTS, "%u fragments", (unsigned)bench->fragments);
    free(bench->bulk.steps);
    free(bench->traced);
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
    harness_runner_destroy(bench->runner);
    free(bench);
}
