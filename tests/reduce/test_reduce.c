/* The reducer on planted faults: how small, and the same whatever the number of workers and interruptions. */
#include "tests/reduce/faulty.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    REALISTIC = 10000 /* bytes of a case before reduction, at least */
};

struct outcome {
    double removed; /* percent of the bytes */
    uint32_t writes;
};

/* Finds a case that shows the fault. */
static struct harness_case *begin(struct faulty *faulty, const char *fault, enum harness_symptom_kind kind)
{
    struct harness_case *const test_case = harness_case_create();
    faulty_open(faulty, fault);
    faulty_find_case(faulty, kind, REALISTIC, test_case);
    return test_case;
}

static void reduce(struct harness_case *test_case, const struct harness_reduce_options *options,
                   struct harness_reduce_result *result)
{
    struct harness_error error = { "" };
    cr_assert_eq(harness_reduce(test_case, options, result, &error), HARNESS_OK, "%s", error.message);
    harness_text_free(&result->features);
}

static struct outcome reduce_fault(const char *fault, enum harness_symptom_kind kind)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const test_case = begin(&faulty, fault, kind);
    const struct harness_reduce_options options = { .probe = faulty.options };
    reduce(test_case, &options, &result);
    cr_expect(result.complete, "%s", fault);
    cr_expect_eq(result.symptom.kind, kind, "%s", fault);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
    return (struct outcome){ 100.0 - 100.0 * (double)result.progress.bytes / (double)result.progress.first_bytes,
                             result.progress.writes };
}

/* tests/reduce/cases: generated cases of 10 to 13 KiB, kept so that the numbers do not follow the generator. */
static struct outcome reduce_kept_case(const char *fault)
{
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    faulty_open(&faulty, fault);
    (void)snprintf(path, sizeof path, "%s/tests/reduce/cases/%s.pcb", PICAFUZZ_SOURCE_DIR, fault);
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    const struct harness_reduce_options options = { .probe = faulty.options };
    reduce(test_case, &options, &result);
    cr_expect_eq(result.symptom.kind, HARNESS_SYMPTOM_DIVERGE, "%s", fault);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
    return (struct outcome){ 100.0 - 100.0 * (double)result.progress.bytes / (double)result.progress.first_bytes,
                             result.progress.writes };
}

Test(reduce, planted_faults_come_down_to_a_dozen_or_two_of_register_writes)
{
    static const char *const faults[] = { "depth-less", "fog", "stencil", "strip", "interpolate" };
    enum {
        COUNT = sizeof faults / sizeof faults[0]
    };
    struct outcome outcomes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        outcomes[i] = reduce_kept_case(faults[i]);
        cr_expect_leq(outcomes[i].writes, 20u, "%s: %u register writes are left", faults[i], outcomes[i].writes);
        cr_expect_geq(outcomes[i].removed, 98.0, "%s: only %.1f %% of the bytes went", faults[i], outcomes[i].removed);
    }
}

/* A backend in which something stays behind differs on cases that are sound by themselves. */
Test(reduce, the_reduced_case_differs_in_a_process_that_has_run_nothing_else)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_symptom symptom;
    struct harness_error error = { "" };
    struct harness_probe *probe = NULL;
    struct harness_case *const test_case = harness_case_create();
    faulty_open(&faulty, "stain");
    cr_assert_eq(
        harness_case_load_file(test_case, PICAFUZZ_SOURCE_DIR "/tests/reduce/cases/fog.pcb", NULL, NULL, &error),
        HARNESS_OK, "%s", error.message);
    const struct harness_reduce_options options = { .probe = faulty.options };
    reduce(test_case, &options, &result);
    cr_expect_eq(result.symptom.kind, HARNESS_SYMPTOM_DIVERGE);
    cr_assert_eq(harness_probe_create(&faulty.options, &probe, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_probe_try(probe, test_case, false, &symptom, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(symptom.kind, HARNESS_SYMPTOM_DIVERGE);
    cr_expect_leq(result.progress.writes, 20u, "%u register writes are left", result.progress.writes);
    harness_probe_destroy(probe);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

Test(reduce, a_crash_comes_down_to_the_draw_that_causes_it)
{
    const struct outcome outcome = reduce_fault("crash-fog", HARNESS_SYMPTOM_CRASH);
    cr_expect_leq(outcome.writes, 5u, "%u register writes are left", outcome.writes);
    cr_expect_geq(outcome.removed, 99.0);
}

Test(reduce, a_hang_comes_down_to_the_draw_that_causes_it)
{
    const struct outcome outcome = reduce_fault("hang-light", HARNESS_SYMPTOM_HANG);
    cr_expect_leq(outcome.writes, 5u, "%u register writes are left", outcome.writes);
    cr_expect_geq(outcome.removed, 99.0);
}

Test(reduce, the_number_of_workers_changes_nothing)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const one = begin(&faulty, "stencil", HARNESS_SYMPTOM_DIVERGE);
    struct harness_case *const three = harness_case_clone(one);
    struct harness_reduce_options options = { .probe = faulty.options };
    reduce(one, &options, &result);
    options.probe.jobs = 3;
    reduce(three, &options, &result);
    cr_expect(harness_case_equal(one, three, true));
    harness_case_destroy(one);
    harness_case_destroy(three);
    faulty_close(&faulty);
}

/* A reduction in a process of its own, killed without warning. */
static void reduce_and_be_killed(const struct harness_case *test_case, const struct harness_reduce_options *options,
                                 long milliseconds)
{
    const pid_t child = fork();
    if (child == 0) {
        struct harness_reduce_result result;
        struct harness_error error = { "" };
        struct harness_case *const own = harness_case_clone(test_case);
        (void)harness_reduce(own, options, &result, &error);
        _exit(0);
    }
    cr_assert_gt(child, 0);
    const struct timespec pause = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000 };
    (void)nanosleep(&pause, NULL);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
}

Test(reduce, a_killed_reduction_goes_on_where_it_was_and_ends_alike)
{
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const whole = begin(&faulty, "depth-less", HARNESS_SYMPTOM_DIVERGE);
    struct harness_case *const resumed = harness_case_clone(whole);
    struct harness_reduce_options options = { .probe = faulty.options };
    reduce(whole, &options, &result);
    (void)snprintf(path, sizeof path, "%s/reduce-resume.reducing", PICAFUZZ_BINARY_DIR);
    (void)unlink(path);
    options.state_path = path;
    options.identity = "a test";
    for (long i = 1; i <= 3; i++)
        reduce_and_be_killed(resumed, &options, 300 * i);
    cr_assert_eq(access(path, R_OK), 0, "a killed reduction left no state");
    reduce(resumed, &options, &result);
    cr_expect(result.resumed);
    cr_expect(harness_case_equal(whole, resumed, true));
    harness_case_destroy(whole);
    harness_case_destroy(resumed);
    faulty_close(&faulty);
}

static bool stop_at_once(void *user, const struct harness_reduce_progress *progress)
{
    (void)progress;
    *(unsigned *)user += 1;
    return false;
}

Test(reduce, a_stopped_reduction_gives_the_best_so_far)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    unsigned calls = 0;
    struct harness_case *const test_case = begin(&faulty, "fog", HARNESS_SYMPTOM_DIVERGE);
    const struct harness_reduce_options options = { .probe = faulty.options, .watcher = stop_at_once, .user = &calls };
    reduce(test_case, &options, &result);
    cr_expect_eq(calls, 1);
    cr_expect_not(result.complete);
    cr_expect_eq(result.symptom.kind, HARNESS_SYMPTOM_DIVERGE, "the best so far no longer shows the fault");
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

Test(reduce, a_case_with_nothing_wrong_is_refused_and_left_alone)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_error error = { "" };
    struct harness_case *const test_case = begin(&faulty, "fog", HARNESS_SYMPTOM_DIVERGE);
    struct harness_case *const before = harness_case_clone(test_case);
    cr_assert_eq(setenv("PICAFUZZ_FAULT", "none", 1), 0);
    const struct harness_reduce_options options = { .probe = faulty.options };
    cr_expect_eq(harness_reduce(test_case, &options, &result, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "nothing is wrong"), "%s", error.message);
    cr_expect(harness_case_equal(test_case, before, true));
    harness_text_free(&result.features);
    harness_case_destroy(test_case);
    harness_case_destroy(before);
    faulty_close(&faulty);
}
