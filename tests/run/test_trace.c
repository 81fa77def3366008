/*
 * Both linked backends trace the same pixels and vertices of generated cases and of the captures: every value that both
 * report is equal, in the same order, and a traced draw leaves the same bits as one that is not watched.
 */
#include "fast/fast.h"
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "oracles/equal.h"
#include "oracles/trace_equal.h"
#include "pica/regs.h"
#include "tests/case/captures.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DRAWS = 4096,
    MAX_STEPS = 1 << 17,
    GENERATED_CASES = 900 / TEST_PART, /* of 3 traces each */
    CAPTURE_TRACES = 6                 /* of each capture */
};

enum side {
    REFERENCE,
    FAST,
    FAST_UNTRACED,
    SIDES
};

struct steps {
    struct pica_trace_step *steps;
    size_t count;
    bool too_many; /* then the trace proves nothing */
};

/* What a draw was, for a good choice of what to trace. */
struct drawn {
    uint32_t vertices, width, height;
};

/* What the traces of a test showed. */
struct seen {
    uint32_t traces, visits, vertices;
    bool steps[PICA_TRACE_IDS];
};

struct bench {
    struct harness_runner *runners[SIDES];
    struct harness_program *program;
    struct harness_case *test_case;
    struct harness_random random;
    struct steps steps[2];
    struct drawn *draws;
    uint32_t draw_count;
    struct seen seen;
};

/* ----------------------------------------------------------------------------------------------------------- bench */

static void bench_open(struct bench *bench, uint64_t seed)
{
    memset(bench, 0, sizeof *bench);
    harness_random_init(&bench->random, seed);
    bench->program = harness_program_create();
    bench->test_case = harness_case_create();
    bench->draws = calloc(MAX_DRAWS, sizeof *bench->draws);
    for (int side = 0; side < 2; side++)
        bench->steps[side].steps = calloc(MAX_STEPS, sizeof *bench->steps[side].steps);
    cr_assert(bench->program != NULL && bench->test_case != NULL && bench->draws != NULL);
}

static void bench_close(struct bench *bench)
{
    for (int side = 0; side < 2; side++)
        free(bench->steps[side].steps);
    free(bench->draws);
    harness_case_destroy(bench->test_case);
    harness_program_destroy(bench->program);
}

static void open_runners(struct bench *bench, uint32_t instruction_sets)
{
    const struct pica_options options = { .threads = 1, .instruction_sets = instruction_sets };
    for (int side = 0; side < SIDES; side++)
        cr_assert_eq(
            harness_runner_create(harness_linked_backend(side == REFERENCE ? 0 : 1), &options, &bench->runners[side]),
            PICA_OK);
}

static void close_runners(struct bench *bench)
{
    for (int side = 0; side < SIDES; side++)
        harness_runner_destroy(bench->runners[side]);
}

static void keep_draw(void *user, const struct pica_draw *draw)
{
    struct bench *const bench = user;
    const uint32_t dim = draw->registers[PICA_REG_FRAMEBUFFER_DIM];
    if (bench->draw_count == MAX_DRAWS)
        return;
    struct drawn *const drawn = &bench->draws[bench->draw_count++];
    const bool triggered = draw->trigger == PICA_REG_DRAWARRAYS || draw->trigger == PICA_REG_DRAWELEMENTS;
    drawn->vertices = triggered ? pica_numvertices_count(draw->registers[PICA_REG_NUMVERTICES]) : 1;
    drawn->width = pica_framebuffer_dim_width(dim);
    drawn->height = pica_framebuffer_dim_height_minus_1(dim) + 1;
}

static void keep_step(void *user, const struct pica_trace_step *step)
{
    struct steps *const steps = user;
    if (steps->count == MAX_STEPS)
        steps->too_many = true;
    else
        steps->steps[steps->count++] = *step;
}

static void run(struct bench *bench, enum side side, const struct pica_trace_request *request, struct oracle_run *out)
{
    struct harness_runner *const runner = bench->runners[side];
    const struct pica_backend *const backend = harness_runner_backend(runner);
    cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
    if (request != NULL) {
        bench->steps[side].count = 0;
        bench->steps[side].too_many = false;
        cr_assert_eq(backend->trace(harness_runner_instance(runner), request, keep_step, &bench->steps[side]), PICA_OK);
    } else if (side == FAST_UNTRACED) {
        bench->draw_count = 0;
        cr_assert_eq(backend->observe_draws(harness_runner_instance(runner), keep_draw, bench), PICA_OK);
    }
    cr_assert_eq(harness_runner_run(runner, bench->program->operations, bench->program->count), PICA_OK);
    cr_assert_eq(harness_runner_collect(runner, out), PICA_OK);
}

/* ---------------------------------------------------------------------------------------------------------- traces */

static struct pica_trace_request choose(struct bench *bench)
{
    struct pica_trace_request request = { .draw = harness_random_below(&bench->random, bench->draw_count) };
    const struct drawn *const drawn = &bench->draws[request.draw];
    if (harness_random_percent(&bench->random, 65)) {
        request.subject = PICA_TRACE_PIXEL;
        request.x = harness_random_below(&bench->random, drawn->width);
        request.y = harness_random_below(&bench->random, drawn->height);
        return request;
    }
    const bool all = drawn->vertices <= 40 && harness_random_percent(&bench->random, 30);
    request.subject = all ? PICA_TRACE_VERTICES : PICA_TRACE_VERTEX;
    request.x = harness_random_below(&bench->random, drawn->vertices);
    return request;
}

static void count_steps(struct bench *bench)
{
    bench->seen.traces++;
    for (size_t i = 0; i < bench->steps[FAST].count; i++)
        for (int id = 0; id < PICA_TRACE_IDS; id++) {
            const struct pica_trace_info *const info = pica_trace_info((enum pica_trace_id)id);
            const struct pica_trace_step *const step = &bench->steps[FAST].steps[i];
            if (strcmp(info->name, step->name) != 0 || strcmp(info->stage, step->stage) != 0)
                continue;
            bench->seen.steps[id] = true;
            bench->seen.visits += id == PICA_TRACE_ID_WEIGHTS;
            bench->seen.vertices += id == PICA_TRACE_ID_VERTEX_NUMBER;
        }
}

static void print_step(char *text, size_t size, const char *side, const struct pica_trace_step *step)
{
    int length = snprintf(text, size, "%s: ", side);
    if (step == NULL) {
        snprintf(text + length, size - (size_t)length, "nothing");
        return;
    }
    length += snprintf(text + length, size - (size_t)length, "%s, %s [%u]", step->stage, step->name, step->index);
    for (uint32_t i = 0; i < step->count; i++)
        length += snprintf(text + length, size - (size_t)length, " %08X", (unsigned)step->values[i]);
}

/* One trace on both sides; the untraced run is that of the case. */
static void compare(struct bench *bench, const char *name, const struct oracle_run *untraced)
{
    struct oracle_run runs[2];
    struct oracle_trace_difference difference;
    char first[512], second[512];
    const struct pica_trace_request request = choose(bench);
    run(bench, REFERENCE, &request, &runs[0]);
    run(bench, FAST, &request, &runs[1]);
    cr_assert(oracle_same(&runs[1], untraced), "%s: draw %u, traced and untraced runs differ", name, request.draw);
    if (bench->steps[0].too_many || bench->steps[1].too_many)
        return;
    const struct oracle_trace traces[2] = { { bench->steps[0].steps, bench->steps[0].count },
                                            { bench->steps[1].steps, bench->steps[1].count } };
    oracle_trace_compare(&traces[0], &traces[1], NULL, &difference);
    print_step(first, sizeof first, "reference", difference.first);
    print_step(second, sizeof second, "fast", difference.second);
    cr_expect_eq(difference.relation, ORACLE_TRACE_SAME, "%s: draw %u, subject %d (%u,%u), part %zu: %s; %s", name,
                 request.draw, (int)request.subject, request.x, request.y, difference.part, first, second);
    count_steps(bench);
}

static void trace_case(struct bench *bench, const char *name, uint32_t traces)
{
    struct harness_error error = { "" };
    struct oracle_run untraced;
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    run(bench, FAST_UNTRACED, NULL, &untraced);
    for (uint32_t i = 0; i < traces && bench->draw_count > 0; i++)
        compare(bench, name, &untraced);
}

/* `wanted`: percent of the steps of pica/trace.def that `fast` must have shown. */
static void expect_seen(const struct bench *bench, uint32_t traces, uint32_t wanted)
{
    uint32_t steps = 0;
    for (int id = 0; id < PICA_TRACE_IDS; id++)
        steps += bench->seen.steps[id];
    cr_log_info("%u traces, %u visits of a pixel, %u vertices, %u of %d kinds of steps", bench->seen.traces,
                bench->seen.visits, bench->seen.vertices, steps, (int)PICA_TRACE_IDS);
    cr_expect_geq(bench->seen.traces, traces);
    cr_expect_geq(bench->seen.visits, traces / 10);
    cr_expect_geq(bench->seen.vertices, traces / 10);
    cr_expect_geq(100 * steps, wanted * PICA_TRACE_IDS, "%u kinds of steps", steps);
}

/* ----------------------------------------------------------------------------------------------------------- tests */

Test(trace, both_backends_compute_the_same_values_in_generated_cases)
{
    static const uint32_t sets[3] = { UINT32_MAX, 0, FAST_CPU_AVX2 };
    struct bench bench;
    bench_open(&bench, 1);
    for (uint32_t set = 0; set < 3; set++) {
        open_runners(&bench, sets[set]);
        for (uint32_t seed = set; seed < GENERATED_CASES; seed += 3) {
            char name[64];
            snprintf(name, sizeof name, "case of seed %u, instruction sets %x", (unsigned)seed, (unsigned)sets[set]);
            harness_generate(bench.test_case, seed, NULL);
            trace_case(&bench, name, 3);
        }
        close_runners(&bench);
    }
    expect_seen(&bench, GENERATED_CASES * 4 / 3, 90);
    bench_close(&bench);
}

Test(trace, both_backends_compute_the_same_values_in_the_captures)
{
    struct bench bench;
    bench_open(&bench, 2);
    open_runners(&bench, UINT32_MAX);
    for (uint32_t i = 0; i < TEST_CAPTURES; i += TEST_PART) {
        test_capture_load(i, bench.test_case);
        trace_case(&bench, test_capture_names[i], CAPTURE_TRACES);
    }
    expect_seen(&bench, TEST_CAPTURES / TEST_PART * CAPTURE_TRACES / 2, 60);
    close_runners(&bench);
    bench_close(&bench);
}
