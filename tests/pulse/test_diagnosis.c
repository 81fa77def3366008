/* What is wrong with a campaign, in a line: each threshold from both sides. */
#include "harness/pulse/diagnosis.h"

#include <criterion/criterion.h>
#include <stdio.h>
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

Test(diagnosis, large_inputs_are_slow)
{
    totals.survey.median_bytes = HARNESS_PULSE_LARGE - 1;
    cr_expect_str_eq(diagnose(), "");
    totals.survey.median_bytes = 40000;
    cr_expect_str_eq(diagnose(), "slow: median input 40 KB");
}

/* An instance that has run for so many minutes and executed so much in each of them, after what it had. */
static void run_one(struct harness_pulse_total *one, unsigned minutes, uint64_t executions)
{
    one->takes_part = true;
    for (unsigned i = 0; i < minutes; i++) {
        one->seconds += 60.0;
        one->executions += executions;
        harness_pace_take(&one->pace, one->seconds, one->executions);
    }
}

Test(diagnosis, less_than_a_third_of_its_first_hour_is_slow)
{
    struct harness_pulse_total *const one = &totals.instances[0];
    totals.count = 1;
    (void)snprintf(one->name, sizeof one->name, "pair");
    run_one(one, 60, 6000);
    run_one(one, 30, 2001);
    cr_expect_str_eq(diagnose(), "");
    run_one(one, 29, 1999);
    cr_expect_str_eq(diagnose(), "", "its half hour is not over");
    run_one(one, 1, 1999);
    cr_expect_str_eq(diagnose(), "slow: pair makes 33 executions a second, 100 in its first hour");
    one->takes_part = false;
    cr_expect_str_eq(diagnose(), "", "this start does not have it");
    one->takes_part = true;
    run_one(one, 4, 6000);
    cr_expect_not_null(strstr(diagnose(), "slow: pair"), "too early to say: %s", line);
    run_one(one, 1, 6000);
    cr_expect_str_eq(diagnose(), "", "it has recovered");
}

Test(diagnosis, of_slow_instances_the_slowest_is_named)
{
    static const char *const names[] = { "pair", "pair-msan", "text" };
    static const uint64_t before[] = { 120000, 240, 240000 }, now[] = { 39000, 60, 240000 };
    totals.count = 3;
    for (size_t i = 0; i < 3; i++) {
        struct harness_pulse_total *const one = &totals.instances[i];
        (void)snprintf(one->name, sizeof one->name, "%s", names[i]);
        run_one(one, 60, before[i]);
        run_one(one, 30, now[i]);
    }
    cr_expect_str_eq(diagnose(),
                     "slow: pair-msan makes 1.0 executions a second, 4.0 in its first hour (2 instances are slow)");
}

/* ------------------------------------------------------------------------------------- a campaign that takes turns */

enum {
    INSTANCES = 38, /* pair, which has four shares of the time; slow ones under sanitizers; quick readers of files */
    DAY = 24 * 60   /* minutes */
};

struct simulation {
    double rates[INSTANCES];  /* executions a second */
    unsigned left[INSTANCES]; /* minutes of the turn that it has */
    uint32_t random;
};

/* From 0 to 1. */
static double toss(struct simulation *simulation)
{
    simulation->random = simulation->random * 1664525u + 1013904223u;
    return (double)(simulation->random >> 8) / (double)(1 << 24);
}

static void begin_simulation(struct simulation *simulation)
{
    *simulation = (struct simulation){ .random = 1 };
    totals.count = INSTANCES;
    for (size_t i = 0; i < INSTANCES; i++) {
        simulation->rates[i] = i == 3 || i >= 26 ? 400000.0 - 8000.0 * (double)i : 200.0 + 60.0 * (double)i;
        (void)snprintf(totals.instances[i].name, sizeof totals.instances[i].name, "instance-%zu", i);
        totals.instances[i].takes_part = true;
    }
    simulation->rates[0] = 2010.0;
    (void)snprintf(totals.instances[0].name, sizeof totals.instances[0].name, "pair");
}

/* As harness/campaign/turns.c deals them out: whoever had least of its share. */
static void deal_turns(struct simulation *simulation, unsigned jobs)
{
    unsigned running = 0;
    for (size_t i = 0; i < INSTANCES; i++)
        running += simulation->left[i] != 0;
    for (; running < jobs; running++) {
        size_t next = INSTANCES;
        double least = 0.0;
        for (size_t i = 0; i < INSTANCES; i++) {
            const double used = totals.instances[i].seconds / (i == 0 ? 4.0 : 1.0);
            if (simulation->left[i] == 0 && (next == INSTANCES || used < least)) {
                next = i;
                least = used;
            }
        }
        simulation->left[next] = 10;
    }
}

/* A minute. In the first one of a turn the corpus is read, at half the speed; inputs cost a fifth more in the end; the
 * machine has other work, which takes up to a third. */
static void run_minute(struct simulation *simulation, unsigned jobs)
{
    deal_turns(simulation, jobs);
    for (size_t i = 0; i < INSTANCES; i++) {
        struct harness_pulse_total *const one = &totals.instances[i];
        if (simulation->left[i] == 0)
            continue;
        const double cost = one->seconds > 7200.0 ? 1.2 : 1.0 + 0.2 * one->seconds / 7200.0;
        const double speed = (simulation->left[i] == 10 ? 0.5 : 1.0) * (0.67 + 0.33 * toss(simulation)) / cost;
        const uint64_t executions = (uint64_t)(60.0 * simulation->rates[i] * speed);
        one->seconds += 60.0;
        one->executions += executions;
        totals.executions += executions;
        harness_pace_take(&one->pace, one->seconds, one->executions);
        simulation->left[i]--;
    }
    totals.seconds += 60.0;
    add((uint64_t)totals.seconds, totals.executions, (uint64_t)totals.seconds);
}

static void expect_never_slow(unsigned jobs, unsigned days)
{
    struct simulation simulation;
    unsigned wrong = 0;
    char said[HARNESS_PULSE_LINE] = "";
    begin_simulation(&simulation);
    for (unsigned minute = 0; minute < days * DAY; minute++) {
        run_minute(&simulation, jobs);
        if (strstr(diagnose(), "slow") == NULL)
            continue;
        wrong++;
        (void)snprintf(said, sizeof said, "%s", line);
    }
    cr_expect_eq(wrong, 0, "%u jobs: in %u of %u minutes, as \"%s\"", jobs, wrong, days * DAY, said);
}

Test(diagnosis, turns_of_one_job_are_not_slow)
{
    expect_never_slow(1, 8); /* with fewer none of the others has its first hour behind it */
}

Test(diagnosis, turns_of_two_jobs_are_not_slow)
{
    expect_never_slow(2, 4);
}

Test(diagnosis, turns_of_eight_jobs_are_not_slow)
{
    expect_never_slow(8, 2);
}

/* It is a hundredth of all executions. */
Test(diagnosis, one_of_many_that_becomes_slow_is_named_within_an_hour_of_its_running)
{
    static const unsigned all_jobs[] = { 1, 2, 8 };
    for (size_t k = 0; k < 3; k++)
        for (unsigned begin = 40; begin < 70; begin += 7) { /* at other points of its half hours */
            struct simulation simulation;
            totals = (struct harness_pulse_totals){ .count = 0 };
            harness_pulse_history_free(&history);
            begin_simulation(&simulation);
            while (totals.instances[0].seconds < 3600.0 + 60.0 * begin)
                run_minute(&simulation, all_jobs[k]);
            cr_expect_str_eq(diagnose(), "");
            const double then = totals.instances[0].seconds;
            simulation.rates[0] /= 10.0;
            while (totals.instances[0].seconds < then + 3600.0 && strstr(diagnose(), "slow") == NULL)
                run_minute(&simulation, all_jobs[k]);
            cr_expect_eq(strncmp(diagnose(), "slow: pair makes ", 17), 0, "%u jobs, after %u minutes: \"%s\"",
                         all_jobs[k], begin, line);
            cr_expect_null(strstr(line, "instances"), "%s", line);
        }
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

/* The page's table has the whole. */
Test(diagnosis, a_long_reason_ends_with_a_word)
{
    totals.count = 1;
    struct harness_pulse_total *const one = &totals.instances[0];
    (void)snprintf(one->name, sizeof one->name, "afl");
    (void)snprintf(one->trouble, sizeof one->trouble,
                   "the target fuzz_pair_afl ended without a finding; it said: PROGRAM ABORT : Unable to communicate "
                   "with fork server, after which it says much more");
    cr_expect_str_eq(diagnose(), "afl does not run: the target fuzz_pair_afl ended without a finding; it said: PROGRAM "
                                 "ABORT : Unable to communicate with fork ...");
    one->trouble[110] = '\0';
    cr_expect_not_null(strstr(diagnose(), "communicate with fork"), "it has room: %s", line);
    cr_expect_null(strstr(line, "..."), "%s", line);
    one->trouble[0] = '\0';
    const char *const share =
        "/a/directory/of/many/machines/that/is/rather/long: the directory of --share cannot be reached at the moment: "
        "Transport endpoint is not connected, and it is tried again later, every half a minute or so";
    harness_pulse_diagnose(&totals, &history, share, line, sizeof line);
    cr_expect_eq(strncmp(line, share, strlen(line) - 3), 0, "%s", line);
    cr_expect_not_null(strstr(line, "tried again later, ..."), "%s", line);
}
