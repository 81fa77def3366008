/* A target that fails says why, in one line; then the engine handles the signal as it always does. */
#include "harness/run/child.h"
#include "harness/targets/failure.h"
#include "harness/targets/target.h"

#include <assert.h>
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
enum {
    SANITIZED = 1
};
#else
enum {
    SANITIZED = 0
};
#endif
#else
enum {
    SANITIZED = 0
};
#endif

/* harness_target needs one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return data == NULL && size != 0;
}

/* --------------------------------------------------------------------------------------------------------- failures */

static int tell(void *user)
{
    (void)user;
    target_begin_input();
    target_tell("differ", "register 0x092 TEXUNIT1_DIM width", "register 0x092: 1, 2\nand more");
    target_tell("differ", "another", "which is not the first");
    __builtin_trap();
}

#ifndef NDEBUG
static int fail_an_assertion(void *user)
{
    (void)user;
    target_begin_input();
    assert(user != NULL);
    return 0;
}
#endif

static int read_nothing(void *user)
{
    target_begin_input();
    (void)raise(SIGSEGV);
    return *(volatile char *)user;
}

static int read_past_the_end(void *user)
{
    (void)user;
    target_begin_input();
    volatile char *const bytes = malloc(8);
    volatile size_t at = 8;
    return bytes[at];
}

static int overflow(void *user)
{
    (void)user;
    target_begin_input();
    volatile int most = 0x7FFFFFFF;
    most = most + 1;
    return most;
}

/* What an engine does. */
static void engines_handler(int number)
{
    (void)number;
    static const char line[] = "the engine's turn\n";
    const ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    _exit(written > 0 ? 77 : 78);
}

static int abort_under_an_engine(void *user)
{
    (void)user;
    (void)signal(SIGABRT, engines_handler);
    target_begin_input();
    abort();
}

/* Somebody presses Ctrl-C before the engine has written its input. */
static void stopped_engines_handler(int number)
{
    (void)raise(SIGINT);
    engines_handler(number);
}

static int abort_and_be_stopped(void *user)
{
    (void)user;
    (void)signal(SIGABRT, stopped_engines_handler);
    target_begin_input();
    abort();
}

static int die_early(void *user)
{
    (void)user;
    (void)signal(SIGALRM, engines_handler);
    target_begin_input();
    (void)raise(SIGALRM);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------ the lines */

static char lines[4][1024];
static unsigned line_count;
static bool engine_spoke;

static void take_line(void *user, const char *line, size_t length)
{
    (void)user;
    (void)length;
    engine_spoke = engine_spoke || strcmp(line, "the engine's turn") == 0;
    if (strncmp(line, "picafuzz: failure", 17) == 0 && line_count < 4)
        (void)snprintf(lines[line_count++], sizeof lines[0], "%s", line);
}

static struct harness_child_end run(int (*work)(void *user))
{
    const struct harness_child_setup setup = { .death_signal = SIGKILL };
    struct harness_child_end end = { HARNESS_CHILD_LOST, 0 };
    line_count = 0;
    engine_spoke = false;
    for (int number = 1; number < 32; number++) /* not what the test framework does */
        if (number != SIGKILL && number != SIGSTOP && number != SIGCHLD)
            (void)signal(number, SIG_DFL);
    cr_assert(harness_child_run(&setup, work, NULL, 60.0, take_line, NULL, &end));
    return end;
}

/* The one line: its kind, key, place (what it begins with) and title. */
static void expect_line(const char *kind, const char *key, const char *place)
{
    char copy[1024], *fields[5] = { NULL };
    size_t count = 0;
    cr_assert_eq(line_count, 1, "%u lines; %s", line_count, lines[0]);
    (void)snprintf(copy, sizeof copy, "%s", lines[0]);
    for (char *at = copy; at != NULL && count < 5; count++) {
        fields[count] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    cr_assert_eq(count, 5, "%s", lines[0]);
    cr_expect_str_eq(fields[0], "picafuzz: failure 1");
    cr_expect_str_eq(fields[1], kind);
    cr_expect_str_eq(fields[2], key);
    cr_expect_eq(strncmp(fields[3], place, strlen(place)), 0, "%s", lines[0]);
    cr_expect_neq(fields[4][0], '\0');
    cr_expect_null(strchr(fields[4], '\t'));
}

Test(failure, a_property_is_told_once_by_its_first_line)
{
    const struct harness_child_end end = run(tell);
    cr_expect_eq(end.how, HARNESS_CHILD_SIGNALLED, "a trap that is told is a trap still");
    expect_line("differ", "register 0x092 TEXUNIT1_DIM width", "");
    cr_expect_not_null(strstr(lines[0], "\tregister 0x092: 1, 2"));
    cr_expect_null(strstr(lines[0], "and more"));
}

#ifndef NDEBUG
Test(failure, an_assertion_is_told_with_its_place)
{
    cr_expect_not(harness_child_is_good(run(fail_an_assertion)));
    expect_line("assertion", "user != NULL", "fail_an_assertion test_failure.c:");
}
#endif

Test(failure, a_signal_is_told_with_its_place)
{
    const struct harness_child_end end = run(read_nothing);
    cr_expect_not(harness_child_is_good(end));
    expect_line("signal", "SIGSEGV", SANITIZED != 0 ? "read_nothing test_failure.c:" : "+0x");
}

Test(failure, an_engine_has_its_turn_afterwards)
{
    const struct harness_child_end end = run(abort_under_an_engine);
    cr_expect_eq(end.how, HARNESS_CHILD_EXITED);
    cr_expect_eq(end.number, 77);
    cr_expect(engine_spoke);
    expect_line("signal", "SIGABRT", SANITIZED != 0 ? "abort_under_an_engine test_failure.c:" : "+0x");
}

Test(failure, who_fails_is_not_stopped_before_its_input_is_written)
{
    const struct harness_child_end end = run(abort_and_be_stopped);
    cr_expect_eq(end.how, HARNESS_CHILD_EXITED, "the signal that it got: %d", end.number);
    cr_expect(engine_spoke);
}

Test(failure, an_alarm_before_its_time_is_the_engines_alone)
{
    cr_expect_eq(run(die_early).number, 77);
    cr_expect(engine_spoke);
    cr_expect_eq(line_count, 0);
}

/* Nothing in the other builds would notice. */
Test(failure, reports_of_sanitizers_are_told_with_their_place)
{
    if (SANITIZED == 0)
        return;
    (void)run(read_past_the_end);
    expect_line("address", "heap-buffer-overflow", "read_past_the_end test_failure.c:");
    (void)run(overflow);
    expect_line("undefined", "signed-integer-overflow", "test_failure.c:");
}
