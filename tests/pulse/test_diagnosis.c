/* What is wrong with a campaign, in a line: each threshold from both sides. */
#include "harness/pulse/diagnosis.h"

#include <criterion/criterion.h>
#include <string.h>

static struct harness_pulse_totals totals;
static struct harness_pulse_history history;
static char line[HARNESS_PULSE_LINE];

static const char *diagnose(void)
{
    harness_pulse_diagnose(&totals, &history, "", line, sizeof line);
    return line;
}

static void add(uint64_t seconds, uint64_t executions, uint64_t edges)
{
    const struct harness_pulse_point point = {
        .time = 1000 + seconds, .starts = 1, .seconds = seconds, .executions = executions, .edges = edges
    };
    cr_assert_eq(harness_pulse_history_add(&history, &point), HARNESS_OK);
}

Test(diagnosis, nothing_is_wrong_with_a_campaign_that_begins)
{
    cr_expect_str_eq(diagnose(), "");
}

Test(diagnosis, stuck_is_said_after_three_hours_of_running)
{
    add(0, 0, 10);
    add(600, 6000, 11);
    add(HARNESS_PULSE_STUCK + 599, 60000, 11);
    cr_expect_null(strstr(diagnose(), "stuck"), "%s", line);
    add(HARNESS_PULSE_STUCK + 600, 60001, 11);
    cr_expect_not_null(strstr(diagnose(), "stuck for 3 h: nothing new"), "%s", line);
    add(HARNESS_PULSE_STUCK + 660, 60002, 12);
    cr_expect_null(strstr(diagnose(), "stuck"), "%s", line);
}

/* Three hours in pieces of one: each start begins with less, and finds again what was there. */
Test(diagnosis, what_a_start_finds_again_is_not_new)
{
    for (uint64_t start = 0; start < 4; start++)
        for (uint64_t minute = 0; minute < 60; minute++) {
            const uint64_t seconds = 60 * (60 * start + minute);
            const struct harness_pulse_point point = { .time = 1000 + 2 * seconds,
                                                       .starts = start + 1,
                                                       .seconds = seconds,
                                                       .edges = 10 + (minute < 5 ? minute : 5) };
            cr_assert_eq(harness_pulse_history_add(&history, &point), HARNESS_OK);
        }
    cr_expect_str_eq(diagnose(), "stuck for 3 h: nothing new");
    const struct harness_pulse_point more = { .time = 100000, .starts = 4, .seconds = 4 * 3600, .edges = 16 };
    cr_assert_eq(harness_pulse_history_add(&history, &more), HARNESS_OK);
    cr_expect_str_eq(diagnose(), "");
}

/* Its last seconds were in no stats.json when it was killed. */
Test(diagnosis, a_start_that_begins_before_the_news_of_a_killed_one_is_not_stuck)
{
    const struct harness_pulse_point next = { .time = 2000, .starts = 2, .seconds = 597, .edges = 11 };
    add(540, 0, 10);
    add(600, 0, 11);
    cr_assert_eq(harness_pulse_history_add(&history, &next), HARNESS_OK);
    cr_expect_str_eq(diagnose(), "");
}

/* The clock went on while the campaign did not. */
Test(diagnosis, time_in_which_it_did_not_run_does_not_count)
{
    const struct harness_pulse_point later = { .time = 1000000, .starts = 2, .seconds = 700, .edges = 10 };
    add(0, 0, 10);
    add(600, 0, 10);
    cr_assert_eq(harness_pulse_history_add(&history, &later), HARNESS_OK);
    cr_expect_str_eq(diagnose(), "");
}

Test(diagnosis, large_inputs_and_a_falling_rate_are_slow)
{
    totals.survey.median_bytes = HARNESS_PULSE_LARGE - 1;
    cr_expect_str_eq(diagnose(), "");
    totals.survey.median_bytes = 40000;
    cr_expect_str_eq(diagnose(), "slow: median input 40 KB");
    totals.survey.median_bytes = 0;
    for (uint64_t minute = 0; minute <= 60; minute++)
        add(60 * minute, 6000 * minute, minute);
    for (uint64_t minute = 61; minute <= 120; minute++)
        add(60 * minute, 360000 + 1999 * (minute - 60), minute);
    cr_expect_str_eq(diagnose(), "slow: 33 executions a second, 100 in the first hour");
}

Test(diagnosis, a_third_of_the_rate_is_not_slow_yet)
{
    for (uint64_t minute = 0; minute <= 60; minute++)
        add(60 * minute, 6000 * minute, minute);
    for (uint64_t minute = 61; minute <= 120; minute++)
        add(60 * minute, 360000 + 2001 * (minute - 60), minute);
    cr_expect_str_eq(diagnose(), "");
}

Test(diagnosis, inputs_that_show_nothing_are_said)
{
    totals.survey.vacuous = 0.499;
    cr_expect_str_eq(diagnose(), "");
    totals.survey.vacuous = 0.61;
    cr_expect_str_eq(diagnose(), "61 % of inputs vacuous");
}

Test(diagnosis, disk_and_memory_are_watched)
{
    totals.disk_size = 100ull << 30;
    totals.disk_free = 11ull << 30;
    totals.memory_size = 100;
    totals.memory_free = 5;
    cr_expect_str_eq(diagnose(), "");
    totals.disk_free = 10ull << 30;
    cr_expect_str_eq(diagnose(), "disk 90 %");
    totals.disk_size = 4ull << 30;
    totals.disk_free = 1000ull << 20;
    cr_expect_str_eq(diagnose(), "disk: 1000 MiB left");
    totals.disk_size = 0;
    totals.memory_free = 4;
    cr_expect_str_eq(diagnose(), "memory: 0 MiB left");
}

Test(diagnosis, instances_that_do_not_run_are_named)
{
    totals.count = 1;
    totals.instances[0] = (struct harness_pulse_total){ .name = "pair-msan", .trouble = "it is broken" };
    cr_expect_str_eq(diagnose(), "pair-msan does not run: it is broken");
    totals.instances[0] = (struct harness_pulse_total){ .name = "pair", .running = true, .idle = 599 };
    cr_expect_str_eq(diagnose(), "");
    totals.instances[0].idle = 1200;
    cr_expect_str_eq(diagnose(), "pair executed nothing in 20 minutes");
}

Test(diagnosis, the_most_pressing_three_are_said)
{
    totals.disk_size = 100;
    totals.waiting = HARNESS_PULSE_WAITING;
    totals.survey.vacuous = 1.0;
    totals.survey.median_bytes = 20000;
    harness_pulse_diagnose(&totals, &history, "/mnt/all: away", line, sizeof line);
    cr_expect_str_eq(line, "disk 100 %; /mnt/all: away; slow: median input 20 KB");
    totals = (struct harness_pulse_totals){ .waiting = HARNESS_PULSE_WAITING };
    cr_expect_str_eq(diagnose(), "20 findings wait for their reduction");
}

/* A line of one campaign is never longer than its place. */
Test(diagnosis, long_reasons_are_cut)
{
    totals.count = 3;
    for (size_t i = 0; i < 3; i++)
        memset(totals.instances[i].trouble, 'x', sizeof totals.instances[i].trouble - 1);
    char trouble[400];
    memset(trouble, 'y', sizeof trouble - 1);
    trouble[sizeof trouble - 1] = '\0';
    harness_pulse_diagnose(&totals, &history, trouble, line, sizeof line);
    cr_expect_lt(strlen(line), sizeof line);
}
