/* history.tsv: read, damaged, thinned. */
#include "harness/pulse/history.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct harness_pulse_history history;
static struct harness_error error;

static enum harness_status parse(const char *text)
{
    error.message[0] = '\0';
    return harness_pulse_history_parse(text, strlen(text), &history, &error);
}

#define HEAD  "# picafuzz history 1\n# columns\n"
#define POINT "100\t1\t0\t5\t6\t7\t8\t9\t10\t11\t12\n"

Test(history, what_is_printed_is_read_again)
{
    const struct harness_pulse_point first = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 },
                                     second = { 61, 2, 63, UINT64_MAX, 5, 6, 7, 8, 9, 10, 11 };
    cr_assert_eq(harness_pulse_history_add(&history, &first), HARNESS_OK);
    cr_assert_eq(harness_pulse_history_add(&history, &second), HARNESS_OK);
    char *const text = harness_pulse_history_print(&history);
    harness_pulse_history_free(&history);
    cr_assert_eq(parse(text), HARNESS_OK, "%s", error.message);
    cr_assert_eq(history.count, 2);
    cr_expect_arr_eq(&history.points[0], &first, sizeof first);
    cr_expect_arr_eq(&history.points[1], &second, sizeof second);
    harness_pulse_history_free(&history);
    free(text);
}

/* A power cut may leave a part of the last line. */
Test(history, a_last_line_that_is_not_whole_is_left_out)
{
    cr_assert_eq(parse(HEAD POINT "160\t1\t60\t5"), HARNESS_OK, "%s", error.message);
    cr_expect_eq(history.count, 1);
    harness_pulse_history_free(&history);
    cr_assert_eq(parse(""), HARNESS_OK);
    cr_expect_eq(history.count, 0);
}

Test(history, what_does_not_fit_is_refused_with_its_line)
{
    static const struct {
        const char *text, *words;
    } cases[] = { { "# picafuzz history 2\n" POINT, "line 1: expected \"# picafuzz history 1\"" },
                  { POINT, "line 1" },
                  { HEAD POINT "160\t1\t60\t5\n", "line 4: expected 11 whole numbers" },
                  { HEAD "-1\t1\t0\t5\t6\t7\t8\t9\t10\t11\t12\n", "line 3" },
                  { HEAD "99999999999999999999\t1\t0\t5\t6\t7\t8\t9\t10\t11\t12\n", "line 3" },
                  { HEAD "1\t1\t0\t5\t6\t7\t8\t9\t10\t11\t12\t13\n", "line 3" },
                  { HEAD "1\t1\t0\t5\t6\t7\t8\t9\t10\t11\t 12\n", "line 3" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(parse(cases[i].text), HARNESS_BAD_INPUT, "case %zu", i);
        cr_expect_not_null(strstr(error.message, cases[i].words), "case %zu: %s", i, error.message);
        cr_expect_eq(history.count, 0);
    }
}

/* The campaign goes on, so its points do; only what is no later point of a start is left out. */
Test(history, a_clock_that_is_set_back_does_not_end_it)
{
    static const struct harness_pulse_point points[] = {
        { .time = 9000, .starts = 1, .seconds = 60 },  { .time = 9060, .starts = 1, .seconds = 120 },
        { .time = 5460, .starts = 1, .seconds = 180 }, { .time = 5460, .starts = 1, .seconds = 180 },
        { .time = 5470, .starts = 2, .seconds = 175 }, { .time = 5530, .starts = 2, .seconds = 235 },
        { .time = 9999, .starts = 2, .seconds = 295 },
    };
    static const uint64_t times[] = { 9000, 9060, 9120, 9121, 9181, 9999 };
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        cr_assert_eq(harness_pulse_history_add(&history, &points[i]), HARNESS_OK);
    cr_assert_eq(history.count, sizeof times / sizeof times[0]);
    for (size_t i = 0; i < history.count; i++)
        cr_expect_eq(history.points[i].time, times[i], "point %zu at %llu", i,
                     (unsigned long long)history.points[i].time);
    harness_pulse_history_free(&history);
}

/* No bytes harm its reader. */
Test(history, any_change_of_a_byte_is_read_or_refused)
{
    static const char good[] = HEAD POINT POINT;
    char text[sizeof good];
    for (size_t i = 0; i + 1 < sizeof good; i++)
        for (int byte = 0; byte < 256; byte += 5) {
            memcpy(text, good, sizeof good);
            text[i] = (char)byte;
            const enum harness_status status = harness_pulse_history_parse(text, sizeof good - 1, &history, &error);
            cr_expect(status == HARNESS_OK || status == HARNESS_BAD_INPUT);
            harness_pulse_history_free(&history);
        }
}

Test(history, a_month_stays_small_and_keeps_the_last_day_and_every_start)
{
    enum {
        MINUTES = 31 * 24 * 60
    };
    for (uint64_t i = 0; i < MINUTES; i++) {
        const struct harness_pulse_point point = { .time = 1000000 + 60 * i,
                                                   .starts = i == 5001  ? 2
                                                             : i > 5001 ? 3
                                                                        : 1 };
        cr_assert_eq(harness_pulse_history_add(&history, &point), HARNESS_OK);
        if (i % 1440 == 0)
            harness_pulse_history_thin(&history);
    }
    harness_pulse_history_thin(&history);
    cr_expect_lt(history.count, 1440 + 6 * 144 + 24 * 24 + 20, "%zu", history.count);
    cr_expect_gt(history.count, 1440 + 6 * 144 + 24 * 24 - 20, "%zu", history.count);
    uint64_t starts = 0;
    for (size_t i = 0; i < history.count; i++) {
        cr_expect(i == 0 || history.points[i].time > history.points[i - 1].time);
        starts = history.points[i].starts == 2 ? 2 : starts;
    }
    cr_expect_eq(starts, 2, "the only point of a start has gone");
    harness_pulse_history_free(&history);
}
