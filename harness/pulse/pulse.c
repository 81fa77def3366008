#include "harness/pulse/pulse.h"

#include "harness/case/formats.h"
#include "harness/pulse/diagnosis.h"
#include "harness/pulse/history.h"
#include "harness/pulse/page.h"
#include "harness/pulse/survey.h"
#include "harness/pulse/totals.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum {
    STATS_SECONDS = 5,
    PAGE_SECONDS = 10
};

/* How much an instance had executed when that was last seen to grow, and for how long it had run. */
struct work {
    uint64_t executions;
    double seconds;
    struct harness_pace pace;
};

struct harness_pulse {
    struct harness_pulse_options options;
    struct harness_pulse_totals before, now;
    struct work work[HARNESS_PULSE_INSTANCES]; /* of the instances of `now` */
    struct harness_pulse_history history;
    struct harness_survey *survey;
    double next_stats, next_page; /* of the sample's time */
    uint64_t semantic;            /* the most that any start saw */
};

static void path_of(const struct harness_pulse *pulse, const char *name, char *out, size_t size)
{
    (void)snprintf(out, size, "%.1000s/%s", pulse->options.directory, name);
}

/* ---------------------------------------------------------------------------------------------------------- opening */

/* What cannot be read is kept beside, and counting begins anew. */
static void set_aside(const char *path, const struct harness_error *error, char *said, size_t size)
{
    char aside[1300];
    (void)snprintf(aside, sizeof aside, "%s.damaged", path);
    (void)rename(path, aside);
    (void)snprintf(said, size, "%s: %s; it is %s now", path, error->message, aside);
}

static void read_stats(struct harness_pulse *pulse, char *said, size_t size)
{
    char path[1200];
    uint8_t *bytes = NULL;
    size_t count = 0;
    struct harness_error error = { "" };
    path_of(pulse, "stats.json", path, sizeof path);
    if (access(path, F_OK) != 0)
        return;
    enum harness_status status = harness_file_read(path, &bytes, &count, &error);
    if (status == HARNESS_OK)
        status = harness_totals_parse((const char *)bytes, count, &pulse->before, &error);
    free(bytes);
    if (status == HARNESS_OK)
        return;
    memset(&pulse->before, 0, sizeof pulse->before);
    set_aside(path, &error, said, size);
}

static void read_history(struct harness_pulse *pulse, char *said, size_t size)
{
    char path[1200];
    uint8_t *bytes = NULL;
    size_t count = 0;
    struct harness_error error = { "" };
    path_of(pulse, "history.tsv", path, sizeof path);
    if (access(path, F_OK) != 0)
        return;
    enum harness_status status = harness_file_read(path, &bytes, &count, &error);
    if (status == HARNESS_OK)
        status = harness_pulse_history_parse((const char *)bytes, count, &pulse->history, &error);
    free(bytes);
    if (status != HARNESS_OK)
        set_aside(path, &error, said, size);
    for (size_t i = 0; i < pulse->history.count; i++)
        if (pulse->history.points[i].semantic > pulse->semantic)
            pulse->semantic = pulse->history.points[i].semantic;
}

enum harness_status harness_pulse_open(const struct harness_pulse_options *options, struct harness_pulse **out,
                                       char *said, size_t size, struct harness_error *error)
{
    struct harness_pulse *const pulse = calloc(1, sizeof *pulse);
    *out = pulse;
    said[0] = '\0';
    if (pulse == NULL)
        return harness_fail_memory(error);
    pulse->options = *options;
    read_stats(pulse, said, size);
    read_history(pulse, said, size);
    if (pulse->before.began == 0)
        pulse->before.began = (uint64_t)time(NULL);
    pulse->before.starts++;
    for (size_t i = 0; i < pulse->before.count; i++) {
        const struct harness_pulse_total *const total = &pulse->before.instances[i];
        pulse->work[i] = (struct work){ total->executions, total->executions != 0 ? total->seconds : 0.0, total->pace };
    }
    pulse->now = pulse->before;
    pulse->survey = harness_survey_open(options->corpus);
    return HARNESS_OK;
}

double harness_pulse_ran(const struct harness_pulse *pulse, const char *name)
{
    for (size_t i = 0; i < pulse->before.count; i++)
        if (strcmp(pulse->before.instances[i].name, name) == 0)
            return pulse->before.instances[i].seconds;
    return -1.0;
}

/* ----------------------------------------------------------------------------------------------------------- taking */

static void look_at_machine(const struct harness_pulse *pulse, struct harness_pulse_totals *now)
{
    struct statvfs disk;
    if (statvfs(pulse->options.directory, &disk) == 0) {
        now->disk_free = (uint64_t)disk.f_bavail * disk.f_frsize;
        now->disk_size = (uint64_t)(disk.f_blocks - disk.f_bfree + disk.f_bavail) * disk.f_frsize;
    }
    FILE *const file = fopen("/proc/meminfo", "r");
    char line[128];
    unsigned long long kibibytes = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemTotal: %llu", &kibibytes) == 1)
            now->memory_size = (uint64_t)kibibytes << 10;
        if (sscanf(line, "MemAvailable: %llu", &kibibytes) == 1)
            now->memory_free = (uint64_t)kibibytes << 10;
    }
    if (file != NULL)
        (void)fclose(file);
}

/* On the disk before it takes the place of the one before: file systems exist where a power cut leaves neither
 * otherwise, and weeks would be counted anew. */
static enum harness_status write_text(const struct harness_pulse *pulse, const char *name, char *text,
                                      struct harness_error *error)
{
    char path[1200];
    path_of(pulse, name, path, sizeof path);
    const enum harness_status status =
        text != NULL ? harness_file_write(path, text, strlen(text), error) : harness_fail_memory(error);
    free(text);
    return status;
}

static enum harness_status write_stats(const struct harness_pulse *pulse, struct harness_error *error)
{
    return write_text(pulse, "stats.json", harness_totals_print(&pulse->now), error);
}

static enum harness_status write_page(const struct harness_pulse *pulse, struct harness_error *error)
{
    struct harness_text text;
    harness_text_init(&text);
    harness_pulse_page(&pulse->now, &pulse->history, &text);
    char *const copy = text.failed ? NULL : strdup(harness_text_string(&text));
    harness_text_free(&text);
    return write_text(pulse, "index.html", copy, error);
}

static enum harness_status add_point(struct harness_pulse *pulse, struct harness_error *error)
{
    const struct harness_pulse_totals *const now = &pulse->now;
    const struct harness_pulse_point point = { .time = now->written,
                                               .starts = now->starts,
                                               .seconds = (uint64_t)now->seconds,
                                               .executions = now->executions,
                                               .edges = now->edges,
                                               .features = now->features,
                                               .corpus = now->corpus,
                                               .bytes = now->survey.bytes,
                                               .semantic = pulse->semantic,
                                               .findings = now->findings,
                                               .disk_free = now->disk_free };
    if (harness_pulse_history_add(&pulse->history, &point) != HARNESS_OK)
        return harness_fail_memory(error);
    harness_pulse_history_thin(&pulse->history);
    return write_text(pulse, "history.tsv", harness_pulse_history_print(&pulse->history), error);
}

/* A point a minute of running, whatever the clock does, and the first one of each start at once. */
static bool is_point_due(const struct harness_pulse *pulse)
{
    const struct harness_pulse_history *const history = &pulse->history;
    const struct harness_pulse_point *const last = history->count != 0 ? &history->points[history->count - 1] : NULL;
    return last == NULL || last->starts != pulse->now.starts ||
           pulse->now.seconds >= (double)(last->seconds + HARNESS_PULSE_HISTORY_PERIOD);
}

/* Does its count grow with each execution? An engine says its own now and then only, after hours perhaps. */
static bool counts_each(const struct harness_pulse_sample *sample, const char *name)
{
    for (size_t i = 0; i < sample->count; i++) {
        const struct harness_pulse_instance *const one = &sample->instances[i];
        if (strcmp(one->name, name) == 0)
            return one->executions == 0 || (one->statistics != NULL && one->statistics->executions != 0);
    }
    return false;
}

static void look_at_work(struct harness_pulse *pulse, const struct harness_pulse_sample *sample)
{
    for (size_t i = 0; i < pulse->now.count; i++) {
        struct harness_pulse_total *const total = &pulse->now.instances[i];
        struct work *const work = &pulse->work[i];
        if (total->executions > work->executions) {
            work->executions = total->executions;
            work->seconds = total->seconds;
            harness_pace_take(&work->pace, total->seconds, total->executions);
        }
        total->pace = work->pace;
        total->idle = counts_each(sample, total->name) ? total->seconds - work->seconds : 0.0;
    }
}

static void update(struct harness_pulse *pulse, const struct harness_pulse_sample *sample)
{
    struct harness_survey_result survey = pulse->now.survey;
    if (pulse->survey != NULL)
        harness_survey_tend(pulse->survey, &survey);
    harness_totals_add(&pulse->before, sample, &pulse->now);
    look_at_work(pulse, sample);
    pulse->semantic = survey.semantic > pulse->semantic ? survey.semantic : pulse->semantic;
    survey.semantic = pulse->semantic;
    pulse->now.survey = survey;
    pulse->now.written = (uint64_t)time(NULL);
    look_at_machine(pulse, &pulse->now);
    harness_pulse_diagnose(&pulse->now, &pulse->history, sample->trouble, pulse->now.line, sizeof pulse->now.line);
}

static enum harness_status write_due(struct harness_pulse *pulse, double elapsed, bool all, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    if (all || is_point_due(pulse))
        status = add_point(pulse, error);
    if (status == HARNESS_OK && (all || elapsed >= pulse->next_stats)) {
        pulse->next_stats = elapsed + STATS_SECONDS;
        status = write_stats(pulse, error);
    }
    if (status == HARNESS_OK && (all || elapsed >= pulse->next_page)) {
        pulse->next_page = elapsed + PAGE_SECONDS;
        status = write_page(pulse, error);
    }
    return status;
}

enum harness_status harness_pulse_take(struct harness_pulse *pulse, const struct harness_pulse_sample *sample,
                                       struct harness_error *error)
{
    update(pulse, sample);
    return write_due(pulse, sample->elapsed, false, error);
}

/* Length of the number that begins at `at`, with decimals or without; 0: none does. "pair-avx2" has none. */
static size_t number_at(const char *line, const char *at)
{
    static const char digits[] = "0123456789";
    if (at != line && (isalnum((unsigned char)at[-1]) || at[-1] == '-' || at[-1] == '_'))
        return 0;
    const size_t whole = strspn(at, digits);
    const size_t decimals = whole != 0 && at[whole] == '.' ? strspn(at + whole + 1, digits) : 0;
    return decimals != 0 ? whole + 1 + decimals : whole;
}

bool harness_pulse_is_other(const char *one, const char *other)
{
    const char *a = one, *b = other;
    while (*a != '\0' && *b != '\0') {
        const size_t length = number_at(one, a), other_length = number_at(other, b);
        if ((length == 0) != (other_length == 0) || (length == 0 && *a != *b))
            return true;
        a += length != 0 ? length : 1;
        b += other_length != 0 ? other_length : 1;
    }
    return *a != *b;
}

const char *harness_pulse_line(const struct harness_pulse *pulse)
{
    return pulse->now.line;
}

void harness_pulse_reach(const struct harness_pulse *pulse, uint64_t *edges, uint64_t *features)
{
    *edges = pulse->now.edges;
    *features = pulse->now.features;
}

enum harness_status harness_pulse_close(struct harness_pulse *pulse, struct harness_error *error)
{
    if (pulse == NULL)
        return HARNESS_OK;
    for (size_t i = 0; i < pulse->now.count; i++)
        pulse->now.instances[i].running = false;
    const enum harness_status status = pulse->now.written != 0 ? write_due(pulse, 0.0, true, error) : HARNESS_OK;
    harness_survey_close(pulse->survey);
    harness_pulse_history_free(&pulse->history);
    free(pulse);
    return status;
}
