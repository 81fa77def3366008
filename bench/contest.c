#include "bench/contest.h"

#include "bench/hand_over.h"
#include "bench/llvmpipe.h"
#include "bench/measure.h"
#include "fast/fast.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"

#include <stdio.h>
#include <string.h>

/* One configuration while the contest runs. */
struct contestant {
    struct harness_runner *runner;
    struct bench_llvmpipe *pipe;
    double rates[BENCH_MOST_RUNS], cpu_rates[BENCH_MOST_RUNS];
};

/* The scene as all of them get it. */
struct arena {
    enum bench_scene scene;
    const struct bench_plan *plan;
    struct bench_size size;
    struct harness_case *test_case;
    struct harness_program *program;
    struct contestant contestants[BENCH_MOST_CONFIGURATIONS];
};

/* The number at the start of *text, which is moved past it; 0 if there is none up to `most`, or if it begins with a
 * zero. */
static uint32_t take_number(const char **text, uint32_t most)
{
    uint32_t number = 0;
    if (**text == '0')
        return 0;
    while (**text >= '0' && **text <= '9' && number <= most)
        number = 10 * number + (uint32_t)(*(*text)++ - '0');
    return number <= most ? number : 0;
}

bool bench_contest_size(struct bench_contest *contest, const char *program, const char *text)
{
    const char *at = text;
    struct bench_size *const size = &contest->size;
    size->width = take_number(&at, BENCH_MOST_SIDE);
    at += *at == 'x';
    size->height = take_number(&at, BENCH_MOST_SIDE);
    size->count = *at == '\0' ? 1u : 0u;
    if (*at == 'x') {
        at++;
        size->count = take_number(&at, BENCH_MOST_LAYERS);
    }
    if (*at == '\0' && size->width > 0 && size->height > 0 && size->count > 0 && size->width % 8 == 0 &&
        size->height % 8 == 0 && size->width * size->height <= BENCH_MOST_PIXELS)
        return true;
    fprintf(
        stderr,
        "%s: --size: '%s' is not WIDTHxHEIGHT or WIDTHxHEIGHTxLAYERS with multiples of 8 up to %d, together at most "
        "%d pixels, and 1-%d layers\n",
        program, text, BENCH_MOST_SIDE, BENCH_MOST_PIXELS, BENCH_MOST_LAYERS);
    return false;
}

struct bench_size bench_contest_scene_size(const struct bench_contest *contest, enum bench_scene scene)
{
    const struct bench_plan *const plan = bench_scene_plan(scene);
    return plan->unit == BENCH_PIXELS && contest->size.width != 0 ? contest->size : plan->size;
}

bool bench_contest_add(struct bench_contest *contest, const char *name, enum bench_renderer renderer, const char *isa,
                       uint32_t workers)
{
    if (contest->count == BENCH_MOST_CONFIGURATIONS)
        return false;
    struct bench_configuration *const configuration = &contest->configurations[contest->count++];
    *configuration = (struct bench_configuration){ .renderer = renderer, .isa = isa, .workers = workers };
    (void)snprintf(configuration->name, sizeof configuration->name, "%s", name);
    return true;
}

bool bench_host_has(const char *isa)
{
    const char *const sets = harness_host_instruction_sets();
    const size_t length = strlen(isa);
    for (const char *at = strstr(sets, isa); at != NULL; at = strstr(at + 1, isa))
        if ((at == sets || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool fail(struct bench_contest *contest, const char *what, const char *why)
{
    (void)snprintf(contest->message, sizeof contest->message, "%s: %s", what, why);
    return false;
}

static bool open_backend(struct contestant *contestant, const struct bench_configuration *configuration,
                         const struct harness_program *program)
{
    struct pica_options options = { .threads = configuration->workers };
    return harness_instruction_set(configuration->isa, &options.instruction_sets) &&
           harness_runner_create(harness_linked_backend(configuration->renderer), &options, &contestant->runner) ==
               PICA_OK &&
           harness_runner_load(contestant->runner, &program->setup) == PICA_OK &&
           harness_runner_run(contestant->runner, program->operations, program->count) == PICA_OK;
}

static bool open_contestant(struct bench_contest *contest, struct arena *arena, size_t index)
{
    const struct bench_configuration *const configuration = &contest->configurations[index];
    struct contestant *const contestant = &arena->contestants[index];
    struct bench_llvmpipe_error error;
    if (configuration->renderer != BENCH_LLVMPIPE) {
        if (!open_backend(contestant, configuration, arena->program))
            return fail(contest, configuration->name, "the backend failed, or the host refused memory");
        if (configuration->renderer == BENCH_FAST)
            (void)fast_draw_key(harness_runner_instance(contestant->runner), contest->key, sizeof contest->key);
        return true;
    }
    if (arena->plan->unit == BENCH_CASES)
        return true;
    contestant->pipe = bench_llvmpipe_open(arena->scene, &arena->size, &error);
    if (contestant->pipe == NULL)
        (void)fail(contest, configuration->name, error.why);
    else
        bench_llvmpipe_draw(contestant->pipe); /* the first one compiles */
    return true;
}

/* The whole case for BENCH_CASES, its last submission for the others. */
static bool draw(struct contestant *contestant, const struct arena *arena)
{
    const struct harness_program *const program = arena->program;
    if (contestant->pipe != NULL) {
        bench_llvmpipe_draw(contestant->pipe);
        return true;
    }
    if (arena->plan->unit != BENCH_CASES)
        return harness_runner_step(contestant->runner, &program->operations[program->count - 1]) == PICA_OK;
    return harness_runner_load(contestant->runner, &program->setup) == PICA_OK &&
           harness_runner_run(contestant->runner, program->operations, program->count) == PICA_OK;
}

/* Draws for a while: how much that was in the unit of the scene; 0 if the backend failed. */
static double draw_much(const struct bench_contest *contest, const struct arena *arena, struct contestant *contestant)
{
    const double start = bench_seconds();
    const int burst = arena->plan->unit == BENCH_CASES ? 16 : 1; /* reading the clock takes time too */
    uint64_t repetitions = 0;
    while (bench_seconds() - start < contest->seconds) {
        for (int i = 0; i < burst; i++)
            if (!draw(contestant, arena))
                return 0.0;
        repetitions += (uint64_t)burst;
    }
    return (double)repetitions * (double)bench_scene_work(arena->scene, &arena->size);
}

static bool measure(const struct bench_contest *contest, const struct arena *arena, struct contestant *contestant,
                    size_t run)
{
    const double start = bench_seconds(), cpu_start = bench_cpu_seconds();
    const double work = draw_much(contest, arena, contestant);
    contestant->rates[run] = work / (bench_seconds() - start);
    contestant->cpu_rates[run] = work / (bench_cpu_seconds() - cpu_start);
    return work > 0.0;
}

/* For bench_hand_over_measure. */
struct drawing {
    const struct arena *arena;
    struct contestant *contestant;
};

static bool draw_once(void *context)
{
    const struct drawing *const drawing = context;
    return draw(drawing->contestant, drawing->arena);
}

static bool measure_shares(const struct bench_contest *contest, struct arena *arena, size_t index,
                           struct bench_rates *rates)
{
    struct drawing drawing = { arena, &arena->contestants[index] };
    const uint32_t workers = contest->configurations[index].workers;
    struct bench_hand_over times;
    if (!bench_hand_over_measure(draw_once, &drawing, workers, contest->seconds * (double)contest->runs, &times))
        return false;
    rates->alone = times.alone / times.work;
    rates->model = times.longest > 0.0 ? times.work / times.longest : 0.0;
    return true;
}

static bool takes_part(const struct contestant *contestant)
{
    return contestant->runner != NULL || contestant->pipe != NULL;
}

static bool measure_all(struct bench_contest *contest, struct arena *arena)
{
    for (size_t run = 0; run < contest->runs; run++)
        for (size_t i = 0; i < contest->count; i++)
            if (takes_part(&arena->contestants[i]) && !measure(contest, arena, &arena->contestants[i], run))
                return fail(contest, contest->configurations[i].name, "the backend failed");
    for (size_t i = 0; i < contest->count; i++) {
        struct contestant *const contestant = &arena->contestants[i];
        struct bench_rates *const rates = &contest->rates[i];
        *rates = (struct bench_rates){ .median = 0 };
        if (!takes_part(contestant))
            continue;
        rates->median = bench_median(contestant->rates, contest->runs);
        rates->best = contestant->rates[contest->runs - 1];
        rates->cpu_median = bench_median(contestant->cpu_rates, contest->runs);
        rates->cpu_best = contestant->cpu_rates[contest->runs - 1];
        if (!contest->shares || contest->configurations[i].workers == 0)
            continue;
        if (!measure_shares(contest, arena, i, rates))
            return fail(contest, contest->configurations[i].name, "the backend failed");
    }
    return true;
}

bool bench_contest_run(struct bench_contest *contest, enum bench_scene scene)
{
    struct arena arena = { .scene = scene, .plan = bench_scene_plan(scene) };
    arena.size = bench_contest_scene_size(contest, scene);
    struct harness_error error = { "the host refused memory" };
    contest->message[0] = '\0';
    contest->key[0] = '\0';
    arena.test_case = harness_case_create();
    arena.program = harness_program_create();
    bool good =
        (arena.test_case != NULL && arena.program != NULL && bench_scene_build(arena.test_case, scene, &arena.size) &&
         harness_case_setup(arena.test_case, arena.program, &error) == HARNESS_OK) ||
        fail(contest, arena.plan->name, error.message);
    if (good)
        arena.program->setup.work = 0; /* CMD-23: no bound, for the last submission is repeated without another load */
    for (size_t i = 0; i < contest->count; i++)
        good = good && open_contestant(contest, &arena, i);
    good = good && measure_all(contest, &arena);
    for (size_t i = 0; i < contest->count; i++) {
        harness_runner_destroy(arena.contestants[i].runner);
        bench_llvmpipe_close(arena.contestants[i].pipe);
    }
    harness_program_destroy(arena.program);
    harness_case_destroy(arena.test_case);
    return good;
}

double bench_contest_ratio(const struct bench_contest *contest, size_t index, size_t base)
{
    const struct bench_rates *const a = &contest->rates[index], *const b = &contest->rates[base];
    const bool by_clock = contest->configurations[index].workers != 0 || contest->configurations[base].workers != 0;
    const double divisor = by_clock ? b->median : b->cpu_median;
    return divisor > 0.0 ? (by_clock ? a->median : a->cpu_median) / divisor : 0.0;
}
