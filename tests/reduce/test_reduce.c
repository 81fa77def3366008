/* The reducer on planted faults: how small, and the same whatever the number of workers and interruptions. */
#include "harness/reduce/reduce_pass.h"
#include "tests/reduce/faulty.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct outcome {
    double removed; /* percent of the bytes */
    uint32_t writes;
};

/* tests/reduce/cases: generated cases of 10 to 13 KiB, kept so that the numbers do not follow the generator. */
static struct harness_case *begin_kept(struct faulty *faulty, const char *fault, const char *name)
{
    char path[1024];
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    faulty_open(faulty, fault);
    (void)snprintf(path, sizeof path, "%s/tests/reduce/cases/%s.pcb", PICAFUZZ_SOURCE_DIR, name);
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    return test_case;
}

static void reduce(struct harness_case *test_case, const struct harness_reduce_options *options,
                   struct harness_reduce_result *result)
{
    struct harness_error error = { "" };
    cr_assert_eq(harness_reduce(test_case, options, result, &error), HARNESS_OK, "%s", error.message);
}

static struct outcome reduce_fault(const char *fault, enum harness_outcome kind, const char *name)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const test_case = begin_kept(&faulty, fault, name);
    const struct harness_reduce_options options = { .probe = faulty.options };
    const bool overlaps = harness_reduce_overlaps(test_case);
    reduce(test_case, &options, &result);
    cr_expect(overlaps || !harness_reduce_overlaps(test_case), "%s: a buffer was brought over a list", fault);
    cr_expect(result.complete, "%s", fault);
    cr_expect_eq(result.symptom.kind, kind, "%s", fault);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
    return (struct outcome){ 100.0 - 100.0 * (double)result.progress.bytes / (double)result.progress.first_bytes,
                             result.progress.writes };
}

Test(reduce, turns_of_a_pass_are_found_by_name)
{
    unsigned number = 0, turns = 0;
    uint64_t commands = 0, all = 0;
    for (; harness_reduce_turn_name(turns, &number) != NULL; turns++) {
        char name[64];
        const bool is_commands = strcmp(harness_reduce_turn_name(turns, &number), "commands") == 0;
        (void)snprintf(name, sizeof name, "%s:%u", harness_reduce_turn_name(turns, &number), number);
        const uint64_t found = harness_reduce_find_turns(name);
        cr_expect_eq(found, UINT64_C(1) << turns, "%s", name);
        commands |= is_commands ? found : 0;
        all |= found;
    }
    cr_expect_eq(harness_reduce_find_turns("commands"), commands);
    cr_expect_neq(commands & (commands - 1), 0, "commands are tried more than once a round");
    cr_expect_eq(all, (UINT64_C(1) << turns) - 1);
    const char *const nothing[] = {
        "", "command", "commandss", "commands:", "commands:0", "commands:99", "commands:1x"
    };
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        cr_expect_eq(harness_reduce_find_turns(nothing[i]), 0, "%s", nothing[i]);
}

/* The turns that are left out try nothing, the others try and keep what the whole did. */
Test(reduce, passes_can_be_left_out)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const test_case = begin_kept(&faulty, "stencil", "stencil");
    const uint32_t writes = harness_case_writes(test_case);
    struct harness_reduce_options options = { .probe = faulty.options, .without = UINT64_MAX };
    reduce(test_case, &options, &result);
    cr_expect(result.complete);
    cr_expect_eq(result.progress.tried, 0);
    cr_expect_eq(harness_case_writes(test_case), writes);
    options.without = ~harness_reduce_find_turns("commands:2");
    options.tries = 200;
    reduce(test_case, &options, &result);
    uint64_t tried = 0, kept = 0;
    for (uint32_t i = 0; i < HARNESS_REDUCE_MOST_TURNS; i++) {
        tried += result.turns[i].tried;
        kept += result.turns[i].kept;
        cr_expect((options.without >> i & 1u) == 0 || result.turns[i].tried == 0, "turn %u", (unsigned)i);
    }
    cr_expect_gt(result.progress.tried, 0);
    cr_expect_eq(tried, result.progress.tried);
    cr_expect_eq(kept, result.progress.accepted);
    cr_expect_lt(harness_case_writes(test_case), writes);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

Test(reduce, planted_faults_come_down_to_a_dozen_or_two_of_register_writes)
{
    static const char *const faults[] = { "depth-less", "strip", "interpolate" };
    enum {
        COUNT = sizeof faults / sizeof faults[0]
    };
    struct outcome outcomes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        outcomes[i] = reduce_fault(faults[i], HARNESS_DIVERGE, faults[i]);
        cr_expect_leq(outcomes[i].writes, 20u, "%s: %u register writes are left", faults[i], outcomes[i].writes);
        cr_expect_geq(outcomes[i].removed, 98.0, "%s: only %.1f %% of the bytes went", faults[i], outcomes[i].removed);
    }
}

/* A backend that keeps something from an earlier case differs on cases that are sound by themselves. */
Test(reduce, the_reduced_case_differs_in_a_process_that_has_run_nothing_else)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_symptom symptom;
    struct harness_error error = { "" };
    struct harness_probe *probe = NULL;
    struct harness_case *const test_case = begin_kept(&faulty, "stain", "fog");
    const struct harness_reduce_options options = { .probe = faulty.options };
    reduce(test_case, &options, &result);
    cr_expect_eq(result.symptom.kind, HARNESS_DIVERGE);
    cr_assert_eq(harness_probe_create(&faulty.options, &probe, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_probe_try(probe, test_case, false, &symptom, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(symptom.kind, HARNESS_DIVERGE);
    cr_expect_leq(result.progress.writes, 22u, "%u register writes are left", result.progress.writes);
    harness_probe_destroy(probe);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

Test(reduce, a_crash_comes_down_to_the_draw_that_causes_it)
{
    const struct outcome outcome = reduce_fault("crash-fog", HARNESS_CRASH, "fog");
    cr_expect_leq(outcome.writes, 5u, "%u register writes are left", outcome.writes);
    cr_expect_geq(outcome.removed, 99.0);
}

Test(reduce, a_hang_comes_down_to_the_draw_that_causes_it)
{
    const struct outcome outcome = reduce_fault("hang-light", HARNESS_HANG, "fog");
    cr_expect_leq(outcome.writes, 5u, "%u register writes are left", outcome.writes);
    cr_expect_geq(outcome.removed, 99.0);
}

Test(reduce, the_number_of_workers_changes_nothing)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const one = begin_kept(&faulty, "stencil", "stencil");
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

/* Work is saved after each look at it: who is killed at the third has saved twice. */
static bool be_killed(void *user, const struct harness_reduce_progress *progress)
{
    (void)progress;
    *(unsigned *)user -= 1;
    return *(unsigned *)user != 0 || raise(SIGKILL) != 0;
}

/* A reduction in a process of its own, which is killed at this look. */
static void reduce_and_be_killed(const struct harness_case *test_case, struct harness_reduce_options options,
                                 unsigned looks)
{
    int status = 0;
    options.watcher = be_killed;
    options.user = &looks;
    const pid_t child = fork();
    if (child == 0) {
        struct harness_reduce_result result;
        struct harness_error error = { "" };
        struct harness_case *const own = harness_case_clone(test_case);
        (void)harness_reduce(own, &options, &result, &error);
        _exit(0);
    }
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "it came to its end");
}

Test(reduce, a_killed_reduction_goes_on_where_it_was_and_ends_alike)
{
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const whole = begin_kept(&faulty, "stencil", "stencil");
    struct harness_case *const resumed = harness_case_clone(whole);
    struct harness_reduce_options options = { .probe = faulty.options };
    reduce(whole, &options, &result);
    (void)snprintf(path, sizeof path, "%s/reduce-resume.reducing", PICAFUZZ_BINARY_DIR);
    (void)unlink(path);
    options.state_path = path;
    options.identity = "a test";
    for (unsigned looks = 2; looks <= 4; looks++)
        reduce_and_be_killed(resumed, options, looks);
    reduce(resumed, &options, &result);
    cr_expect(result.resumed);
    cr_expect(harness_case_equal(whole, resumed, true));
    harness_case_destroy(whole);
    harness_case_destroy(resumed);
    faulty_close(&faulty);
}

/* Changes the number of this place, from 0, in the line of numbers of a state. */
static void spoil_number(const char *path, unsigned place, const char *number)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    char *at = strchr(text, '\n') + strlen("\n# ");
    while (place-- != 0)
        at += strcspn(at, " ") + 1;
    file = fopen(path, "w");
    cr_assert_not_null(file);
    (void)fprintf(file, "%.*s%s%s", (int)(at - text), text, number, at + strcspn(at, " "));
    cr_assert_eq(fclose(file), 0);
}

/* Whatever number is there, the reduction ends where it would have ended. */
Test(reduce, a_state_with_numbers_beyond_all_bounds_does_no_harm)
{
    static const char *const numbers[] = { "1000000", "4294967295" };
    char path[1024];
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_case *const whole = begin_kept(&faulty, "fog", "fog");
    struct harness_reduce_options options = { .probe = faulty.options, .identity = "a test" };
    (void)snprintf(path, sizeof path, "%s/reduce-spoilt.reducing", PICAFUZZ_BINARY_DIR);
    options.state_path = path;
    for (unsigned place = 1; place <= 12; place++) {
        struct harness_case *const resumed = harness_case_clone(whole);
        options.tries = 20;
        (void)unlink(path);
        reduce(resumed, &options, &result);
        spoil_number(path, place, numbers[place % 2]);
        options.tries = 40;
        reduce(resumed, &options, &result);
        cr_expect_eq(result.symptom.kind, HARNESS_DIVERGE, "number %u", place);
        harness_case_destroy(resumed);
    }
    harness_case_destroy(whole);
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
    struct harness_case *const test_case = begin_kept(&faulty, "fog", "fog");
    const struct harness_reduce_options options = { .probe = faulty.options, .watcher = stop_at_once, .user = &calls };
    reduce(test_case, &options, &result);
    cr_expect_eq(calls, 1);
    cr_expect_not(result.complete);
    cr_expect_eq(result.symptom.kind, HARNESS_DIVERGE, "the best so far no longer shows the fault");
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

Test(reduce, a_case_with_nothing_wrong_is_refused_and_left_alone)
{
    struct faulty faulty;
    struct harness_reduce_result result;
    struct harness_error error = { "" };
    struct harness_case *const test_case = begin_kept(&faulty, "fog", "fog");
    struct harness_case *const before = harness_case_clone(test_case);
    cr_assert_eq(setenv("PICAFUZZ_FAULT", "none", 1), 0);
    const struct harness_reduce_options options = { .probe = faulty.options };
    cr_expect_eq(harness_reduce(test_case, &options, &result, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "nothing is wrong"), "%s", error.message);
    cr_expect(harness_case_equal(test_case, before, true));
    harness_case_destroy(test_case);
    harness_case_destroy(before);
    faulty_close(&faulty);
}
