/* Pages of campaigns for page.sh: weeks.html of one that has run for two weeks with a pause and has troubles,
 * begun.html of one that has just begun; they are from the future, or a slow machine would make them old before they
 * are looked at. now.html is written just now, old.html is no longer written. Usage: make_pages DIRECTORY */
#include "harness/case/formats.h"
#include "harness/pulse/page.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    HOUR = 3600,
    HOURS = 14 * 24,
    INSTANCES = 38
};

static int write_page(const char *directory, const char *name, const struct harness_pulse_totals *totals,
                      const struct harness_pulse_history *history)
{
    char path[4096];
    struct harness_text text;
    struct harness_error error = { "" };
    (void)snprintf(path, sizeof path, "%s/%s.html", directory, name);
    harness_text_init(&text);
    harness_pulse_page(totals, history, &text);
    const enum harness_status status = harness_file_write(path, harness_text_string(&text), text.size, &error);
    harness_text_free(&text);
    if (status != HARNESS_OK)
        fprintf(stderr, "make_pages: %s\n", error.message);
    return status == HARNESS_OK ? 0 : 1;
}

/* What grows fast at first; executions and findings go on. Half-way it did not run for a day. */
static void fill_history(struct harness_pulse_history *history, uint64_t begin)
{
    for (uint64_t hour = 0; hour < HOURS; hour++) {
        const uint64_t slow = 20000 - 20000 / (hour + 1);
        const struct harness_pulse_point point = { .time = begin + HOUR * (hour < HOURS / 2 ? hour : hour + 24),
                                                   .starts = hour < HOURS / 2 ? 1 : 2,
                                                   .seconds = HOUR * hour,
                                                   .executions = 9000000 * hour,
                                                   .edges = slow,
                                                   .semantic = slow / 2,
                                                   .corpus = slow / 3,
                                                   .findings = hour / 40 };
        if (hour != HOURS - 1)
            (void)harness_pulse_history_add(history, &point);
    }
}

/* Names are other people's: markup, and a word that no line has room for. */
static void fill_totals(struct harness_pulse_totals *totals)
{
    static const char evil[] = "<img src=x onerror=\"document.title='obeyed'\">";
    totals->seconds = (double)HOUR * HOURS;
    totals->starts = 2;
    totals->executions = 9000000ull * HOURS;
    totals->findings = HOURS / 40;
    totals->edges = 20000;
    totals->generated = 5000;
    totals->crossovers = 3000;
    totals->trims = 2000;
    totals->count = INSTANCES;
    for (size_t i = 0; i < INSTANCES; i++) {
        struct harness_pulse_total *const one = &totals->instances[i];
        (void)snprintf(one->name, sizeof one->name, "instance-%zu", i);
        one->running = i < 2;
        one->seconds = totals->seconds / INSTANCES;
        one->executions = totals->executions / INSTANCES;
    }
    (void)snprintf(totals->instances[5].name, sizeof totals->instances[5].name, "%.20s", evil);
    memset(totals->instances[5].trouble, 'x', sizeof totals->instances[5].trouble - 1);
    totals->survey.inputs = 6000;
    totals->survey.semantic = 10000;
    totals->survey.semantic_total = 12000;
    totals->survey.slow_count = HARNESS_SURVEY_SLOWEST;
    for (size_t i = 0; i < HARNESS_SURVEY_SLOWEST; i++)
        (void)snprintf(totals->survey.slowest[i].name, sizeof totals->survey.slowest[i].name, "%zu%s", i, evil);
    (void)snprintf(totals->line, sizeof totals->line, "stuck for 3 h: nothing new; %s", evil);
}

int main(int argc, char **argv)
{
    static struct harness_pulse_totals totals; /* too large for a stack */
    struct harness_pulse_history none = { NULL, 0, 0 }, history = { NULL, 0, 0 };
    if (argc != 2) {
        fprintf(stderr, "usage: make_pages DIRECTORY\n");
        return 2;
    }
    const uint64_t now = (uint64_t)time(NULL);
    totals.began = now - HOUR;
    totals.written = now - HOUR;
    int code = write_page(argv[1], "old", &totals, &none);
    totals.written = now;
    code |= write_page(argv[1], "now", &totals, &none);
    totals.written = now + HOUR;
    code |= write_page(argv[1], "begun", &totals, &none);
    totals.began = now - HOUR * (HOURS + 24);
    fill_totals(&totals);
    fill_history(&history, totals.began);
    code |= write_page(argv[1], "weeks", &totals, &history);
    harness_pulse_history_free(&history);
    return code;
}
