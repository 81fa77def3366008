/* A backend in a process of its own is the same backend: results, draws, traces, features, snapshots, pictures. */
#include "harness/run/backends.h"
#include "harness/run/load.h"
#include "harness/run/runner.h"
#include "oracles/equal.h"
#include "pica/features.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_DRAWS = 256,
    MAX_STEPS = 20000
};

/* What one side reported. */
struct record {
    struct pica_draw draws[MAX_DRAWS];
    uint32_t draw_count;
    uint64_t registers; /* sum over all draws */
    struct pica_trace_step steps[MAX_STEPS];
    uint32_t step_count;
    uint8_t counters[PICA_FEATURE_TOTAL];
    struct oracle_run run;
};

struct bench {
    struct harness_backend opened[2];
    struct harness_runner *runners[2];
    struct harness_case *test_case;
    struct harness_program *program;
    struct record records[2];
};

static void on_draw(void *user, const struct pica_draw *draw)
{
    struct record *const record = user;
    if (record->draw_count == MAX_DRAWS)
        return;
    for (uint32_t i = 0; i < PICA_REGISTERS; i++)
        record->registers += (uint64_t)draw->registers[i] * (i + 1);
    record->draws[record->draw_count] = *draw;
    record->draws[record->draw_count++].registers = NULL;
}

static void on_step(void *user, const struct pica_trace_step *step)
{
    struct record *const record = user;
    if (record->step_count < MAX_STEPS)
        record->steps[record->step_count++] = *step;
}

static struct bench *open_bench(const char *path)
{
    static struct bench bench; /* of this test; large */
    static const char *const names[2] = { "reference", "process:reference" };
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    memset(&bench, 0, sizeof bench);
    bench.test_case = harness_case_create();
    bench.program = harness_program_create();
    cr_assert_eq(harness_load(bench.test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(bench.test_case, bench.program, &error), HARNESS_OK, "%s", error.message);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(harness_backend_open(names[i], &bench.opened[i], &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_create(bench.opened[i].backend, &options, &bench.runners[i]), PICA_OK);
    }
    return &bench;
}

static void close_bench(struct bench *bench)
{
    for (int i = 0; i < 2; i++) {
        harness_runner_destroy(bench->runners[i]);
        harness_backend_close(&bench->opened[i]);
    }
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
}

static void run_watched(struct bench *bench, int side, const struct pica_trace_request *request)
{
    struct record *const record = &bench->records[side];
    const struct pica_backend *const backend = harness_runner_backend(bench->runners[side]);
    void *const instance = harness_runner_instance(bench->runners[side]);
    cr_assert_eq(harness_runner_load(bench->runners[side], &bench->program->setup), PICA_OK);
    cr_assert_eq(backend->observe_draws(instance, on_draw, record), PICA_OK);
    cr_assert_eq(backend->observe_features(instance, record->counters, sizeof record->counters), PICA_OK);
    cr_assert_eq(backend->trace(instance, request, on_step, record), PICA_OK);
    cr_assert_eq(harness_runner_run(bench->runners[side], bench->program->operations, bench->program->count), PICA_OK);
    cr_assert_eq(backend->trace(instance, NULL, NULL, NULL), PICA_OK);
    cr_assert_eq(backend->observe_features(instance, NULL, 0), PICA_OK);
    cr_assert_eq(backend->observe_draws(instance, NULL, NULL), PICA_OK);
    cr_assert_eq(harness_runner_collect(bench->runners[side], &record->run), PICA_OK);
}

static void expect_same_reports(const struct record *a, const struct record *b)
{
    cr_expect_eq(a->draw_count, b->draw_count);
    cr_expect_eq(memcmp(a->draws, b->draws, sizeof a->draws), 0);
    cr_expect_eq(a->registers, b->registers);
    cr_expect_arr_eq(a->counters, b->counters, sizeof a->counters);
    cr_assert_eq(a->step_count, b->step_count);
    for (uint32_t i = 0; i < a->step_count; i++) {
        cr_expect_str_eq(a->steps[i].stage, b->steps[i].stage);
        cr_expect_str_eq(a->steps[i].name, b->steps[i].name);
        cr_expect_eq(a->steps[i].index, b->steps[i].index);
        cr_expect_eq(a->steps[i].count, b->steps[i].count);
        cr_expect_arr_eq(a->steps[i].values, b->steps[i].values, a->steps[i].count * sizeof(uint32_t));
    }
}

Test(process, reports_and_results_are_those_of_the_backend_itself)
{
    const struct pica_trace_request request = { .draw = 0, .subject = PICA_TRACE_VERTICES };
    struct bench *const bench = open_bench(PICAFUZZ_SOURCE_DIR "/corpus/captures/mesh-f0.picacap");
    for (int side = 0; side < 2; side++)
        run_watched(bench, side, &request);
    expect_same_reports(&bench->records[0], &bench->records[1]);
    cr_expect_gt(bench->records[0].draw_count, 0, "nothing was drawn");
    cr_expect_gt(bench->records[0].step_count, 256, "fewer steps than travel at once");
    struct oracle_report report;
    oracle_all_equal(&bench->records[0].run, &bench->records[1].run, true, &report);
    cr_expect_eq(report.verdict, ORACLE_AGREE, "%s", report.message);
    close_bench(bench);
}

/* pica/backend.h: loading a case does not end it. */
Test(process, who_watches_a_backend_does_so_over_loads)
{
    static const char *const names[] = { "reference", "fast", "process:reference", "process:fast" };
    const struct pica_trace_request request = { .draw = 0, .subject = PICA_TRACE_VERTICES };
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct bench *const bench = open_bench(PICAFUZZ_SOURCE_DIR "/corpus/captures/mesh-f0.picacap");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct record *const record = &bench->records[0];
        struct harness_backend opened;
        struct harness_runner *runner = NULL;
        struct harness_error error = { "" };
        memset(record, 0, sizeof *record);
        cr_assert_eq(harness_backend_open(names[i], &opened, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_create(opened.backend, &options, &runner), PICA_OK);
        void *const instance = harness_runner_instance(runner);
        cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
        cr_assert_eq(opened.backend->observe_draws(instance, on_draw, record), PICA_OK);
        cr_assert_eq(opened.backend->trace(instance, &request, on_step, record), PICA_OK);
        cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
        cr_assert_eq(harness_runner_run(runner, bench->program->operations, bench->program->count), PICA_OK);
        cr_expect_gt(record->draw_count, 0, "%s: no draw", names[i]);
        cr_expect_gt(record->step_count, 0, "%s: no step", names[i]);
        harness_runner_destroy(runner);
        harness_backend_close(&opened);
    }
    close_bench(bench);
}

/* The process is killed by its own fault; the next load starts another, which is watched like the first one. */
Test(process, a_load_after_a_crash_starts_anew_and_is_watched_again)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct bench *const bench = open_bench(PICAFUZZ_SOURCE_DIR "/corpus/captures/mesh-f0.picacap");
    struct record *const record = &bench->records[0];
    struct harness_backend opened;
    struct harness_runner *runner = NULL;
    struct harness_error error = { "" };
    cr_assert_eq(setenv("PICAFUZZ_FAULT", "crash", 1), 0);
    cr_assert_eq(harness_backend_open(PICAFUZZ_BINARY_DIR "/lib/broken_backend.so", &opened, &error), HARNESS_OK, "%s",
                 error.message);
    cr_assert_eq(harness_runner_create(opened.backend, &options, &runner), PICA_OK);
    void *const instance = harness_runner_instance(runner);
    cr_assert_eq(opened.backend->observe_draws(instance, on_draw, record), PICA_OK);
    cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
    cr_assert_eq(harness_runner_run(runner, bench->program->operations, bench->program->count), PICA_FAILED);
    cr_assert_not_null(harness_runner_death(runner));
    cr_expect_eq(harness_runner_death(runner)->kind, HARNESS_DEATH_CRASH);
    cr_expect_str_eq(harness_runner_death(runner)->text, "crashed in run (submit): Aborted");
    cr_expect_eq(bench->program->operations[harness_runner_steps(runner) - 1].kind, PICA_OPERATION_SUBMIT_LIST);
    cr_assert_eq(setenv("PICAFUZZ_FAULT", "none", 1), 0);
    record->draw_count = 0;
    cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
    cr_expect_null(harness_runner_death(runner));
    cr_assert_eq(harness_runner_run(runner, bench->program->operations, bench->program->count), PICA_OK);
    cr_expect_gt(record->draw_count, 0);
    harness_runner_destroy(runner);
    harness_backend_close(&opened);
    close_bench(bench);
}

/* harness_runner_run_case: the same results, and what is asked for afterwards is that of the moment. */
Test(process, a_case_in_one_go_gives_what_its_steps_give)
{
    struct bench *const bench = open_bench(PICAFUZZ_SOURCE_DIR "/corpus/captures/mesh-f0.picacap");
    const struct harness_program *const program = bench->program;
    struct oracle_run runs[2];
    struct oracle_report report;
    struct record *const record = &bench->records[1];
    for (int side = 0; side < 2; side++)
        cr_assert_eq(
            harness_runner_run_case(bench->runners[side], &program->setup, program->operations, program->count),
            PICA_OK);
    cr_expect_eq(harness_runner_steps(bench->runners[1]), program->count);
    for (int side = 0; side < 2; side++)
        cr_assert_eq(harness_runner_collect(bench->runners[side], &runs[side]), PICA_OK);
    oracle_all_equal(&runs[0], &runs[1], true, &report);
    cr_expect_eq(report.verdict, ORACLE_AGREE, "%s", report.message);
    for (int side = 0; side < 2; side++) {
        const struct pica_operation fill = { .kind = PICA_OPERATION_MEMORY_FILL,
                                             .words = { 0x18000000u >> 3, 0x18000100u >> 3, 0x12345678u, 0x201u } };
        cr_assert_eq(harness_runner_step(bench->runners[side], &fill), PICA_OK);
        cr_assert_eq(harness_runner_collect(bench->runners[side], &runs[side]), PICA_OK);
    }
    oracle_all_equal(&runs[0], &runs[1], true, &report);
    cr_expect_eq(report.verdict, ORACLE_AGREE, "%s", report.message);
    cr_expect_eq(runs[1].memory[0][0], 0x78, "what was there before the fill");
    cr_assert_eq(harness_runner_backend(bench->runners[1])
                     ->observe_draws(harness_runner_instance(bench->runners[1]), on_draw, record),
                 PICA_OK);
    cr_assert_eq(harness_runner_run_case(bench->runners[1], &program->setup, program->operations, program->count),
                 PICA_OK);
    cr_expect_gt(record->draw_count, 0, "watched in one go, too");
    close_bench(bench);
}

Test(process, a_case_in_one_go_says_where_it_died)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    static const char *const faults[][2] = { { "crash", "crashed in run (submit): Aborted" },
                                             { "load-crash", "crashed in load: Aborted" },
                                             { "exit", "ended its process in run (submit): exit code 7" },
                                             { "close", "closed the descriptors of its process" } };
    struct bench *const bench = open_bench(PICAFUZZ_SOURCE_DIR "/corpus/captures/mesh-f0.picacap");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct harness_backend opened;
        struct harness_runner *runner = NULL;
        struct harness_error error = { "" };
        cr_assert_eq(setenv("PICAFUZZ_FAULT", faults[i][0], 1), 0);
        cr_assert_eq(harness_backend_open(PICAFUZZ_BINARY_DIR "/lib/broken_backend.so", &opened, &error), HARNESS_OK,
                     "%s", error.message);
        cr_assert_eq(harness_runner_create(opened.backend, &options, &runner), PICA_OK);
        cr_expect_eq(
            harness_runner_run_case(runner, &bench->program->setup, bench->program->operations, bench->program->count),
            PICA_FAILED);
        cr_assert_not_null(harness_runner_death(runner));
        cr_expect_str_eq(harness_runner_death(runner)->text, faults[i][1]);
        harness_runner_destroy(runner);
        harness_backend_close(&opened);
    }
    close_bench(bench);
}

Test(process, snapshots_memory_and_screens_travel)
{
    static uint8_t rgb[2][3 * PICA_TOP_COLUMNS * PICA_SCREEN_LINES], bytes[2][1 << 14];
    struct bench *const bench = open_bench(PICAFUZZ_SOURCE_DIR "/corpus/captures/hall-f0.picacap");
    for (int side = 0; side < 2; side++) {
        const struct pica_backend *const backend = harness_runner_backend(bench->runners[side]);
        void *const instance = harness_runner_instance(bench->runners[side]);
        void *snapshot = NULL;
        cr_assert_eq(harness_runner_load(bench->runners[side], &bench->program->setup), PICA_OK);
        cr_assert_eq(backend->save(instance, &snapshot), PICA_OK);
        cr_assert_eq(harness_runner_run(bench->runners[side], bench->program->operations, bench->program->count),
                     PICA_OK);
        cr_assert_eq(backend->scan_out(instance, 0, 0, rgb[side], sizeof rgb[side]), PICA_OK);
        cr_expect_eq(backend->scan_out(instance, 0, 0, rgb[side], 1), PICA_BAD_ARGUMENT);
        cr_assert_eq(backend->restore(instance, snapshot), PICA_OK);
        backend->discard(instance, snapshot);
        cr_assert_eq(
            backend->read_memory(instance, bench->program->setup.windows[0].address, bytes[side], sizeof bytes[side]),
            PICA_OK);
    }
    cr_expect_arr_eq(rgb[0], rgb[1], sizeof rgb[0]);
    cr_expect_arr_eq(bytes[0], bytes[1], sizeof bytes[0]);
    close_bench(bench);
}

Test(process, two_instances_of_one_backend_do_not_meet)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct bench *const bench = open_bench(PICAFUZZ_SOURCE_DIR "/corpus/captures/jumps-f0.picacap");
    struct harness_runner *other = NULL;
    struct pica_state *const state = malloc(sizeof *state);
    cr_assert_eq(harness_runner_create(bench->opened[1].backend, &options, &other), PICA_OK);
    cr_assert_eq(harness_runner_load(other, &bench->program->setup), PICA_OK);
    cr_assert_eq(harness_runner_load(bench->runners[1], &bench->program->setup), PICA_OK);
    cr_assert_eq(harness_runner_run(other, bench->program->operations, bench->program->count), PICA_OK);
    cr_assert_not_null(state);
    cr_assert_eq(harness_runner_backend(other)->read_state(harness_runner_instance(bench->runners[1]), state), PICA_OK);
    cr_expect_eq(state->interrupts[5], 0, "the other one's list raised an interrupt here");
    cr_expect_null(harness_runner_death(other));
    free(state);
    harness_runner_destroy(other);
    close_bench(bench);
}

/* --------------------------------------------------------------------------------------------------------- coverage */

static uint32_t edges_of(const char *path, struct harness_backend *backend, struct harness_runner *runner)
{
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    uint32_t edges = 0;
    cr_assert_eq(harness_load(test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
    (void)harness_process_take_edges(harness_runner_instance(runner)); /* of the load */
    (void)harness_runner_run(runner, program->operations, program->count);
    const uint8_t *const counters = harness_process_take_edges(harness_runner_instance(runner));
    cr_assert_not_null(counters);
    for (size_t i = 0; i < harness_process_edges(backend->backend); i++)
        edges += counters[i] != 0;
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return edges;
}

/* A plug-in that was built to count: what it counts belongs to what it does. `with`: what builds it. */
static void check_edges(const char *plug_in, const char *with)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_backend backend;
    struct harness_runner *runner = NULL;
    struct harness_error error = { "" };
    char name[512];
    (void)snprintf(name, sizeof name, PICAFUZZ_BINARY_DIR "/lib/%s", plug_in);
    if (access(name, R_OK) != 0)
        cr_skip_test("%s is missing: %s was not there when this was built", plug_in, with);
    cr_assert_eq(harness_backend_open(name, &backend, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_runner_create(backend.backend, &options, &runner), PICA_OK);
    cr_assert_gt(harness_process_edges(backend.backend), 10u);
    const uint32_t fill = edges_of("corpus/seeds/fill/widths.pcase", &backend, runner);
    cr_expect_gt(fill, 3u);
    cr_expect_eq(fill, edges_of("corpus/seeds/fill/widths.pcase", &backend, runner), "counters begin at 0 again");
    cr_expect_neq(fill, edges_of("corpus/captures/mesh-f0.picacap", &backend, runner), "other work, other edges");
    harness_runner_destroy(runner);
    harness_backend_close(&backend);
}

Test(process, tells_the_edges_of_a_plug_in_that_counts_them)
{
    check_edges("counting_backend.so", "clang");
    check_edges("fuzzer_backend.so", "clang");
}

Test(process, tells_the_edges_of_a_plug_in_with_guards)
{
    check_edges("guarded_backend.so", "clang");
}

Test(process, tells_the_edges_of_a_plug_in_built_by_afl_clang_fast)
{
    check_edges("afl_backend.so", "afl-clang-fast (Debian package afl++)");
}

Test(process, has_no_edges_of_what_is_not_instrumented)
{
    struct harness_backend backend;
    struct harness_error error = { "" };
    cr_assert_eq(harness_backend_open("process:reference", &backend, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(harness_process_edges(backend.backend), 0u);
    harness_backend_close(&backend);
}
