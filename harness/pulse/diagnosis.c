#include "harness/pulse/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST = 3,     /* things that are said at once */
    REASON = 110, /* bytes of why an instance does not run, which the page has whole, ... */
    OF_ALL = 180, /* ... and of what is wrong with the campaign itself: three fit into the line */
    HOUR = 3600
};

struct complaints {
    char *out;
    size_t size;
    int count;
};

static __attribute__((format(printf, 2, 3))) void complain(struct complaints *complaints, const char *format, ...)
{
    const size_t length = strlen(complaints->out);
    if (complaints->count++ >= MOST)
        return;
    va_list arguments;
    va_start(arguments, format);
    const int separator = snprintf(complaints->out + length, complaints->size - length, "%s", length != 0 ? "; " : "");
    const size_t begin = length + (separator > 0 ? (size_t)separator : 0);
    if (begin < complaints->size)
        (void)vsnprintf(complaints->out + begin, complaints->size - begin, format, arguments);
    va_end(arguments);
}

static void look_at_machine(struct complaints *complaints, const struct harness_pulse_totals *totals)
{
    const uint64_t size = totals->disk_size, left = totals->disk_free;
    const uint64_t used = size != 0 ? 100 - 100 * left / size : 0;
    if (size != 0 && used >= HARNESS_PULSE_DISK)
        complain(complaints, "disk %llu %%", (unsigned long long)used);
    else if (size != 0 && left < HARNESS_PULSE_DISK_LEFT)
        complain(complaints, "disk: %llu MiB left", (unsigned long long)(left >> 20));
    if (totals->memory_size != 0 && 100 * totals->memory_free < HARNESS_PULSE_MEMORY * totals->memory_size)
        complain(complaints, "memory: %llu MiB left", (unsigned long long)(totals->memory_free >> 20));
}

/* At most `most` bytes of it: words that are whole, and "...". `out` has room for one more. */
static const char *shorten(char *out, size_t most, const char *text)
{
    static const char dots[] = "...";
    size_t length = strlen(text);
    if (length <= most) {
        (void)snprintf(out, most + 1, "%s", text);
        return out;
    }
    length = most - strlen(dots) - 1;
    while (length != 0 && text[length] != ' ')
        length--;
    if (length == 0) /* a word that no line has room for */
        length = most - strlen(dots) - 1;
    (void)snprintf(out, most + 1, "%.*s %s", (int)length, text, dots);
    return out;
}

static void look_at_instances(struct complaints *complaints, const struct harness_pulse_totals *totals)
{
    char reason[REASON + 1];
    for (size_t i = 0; i < totals->count; i++) {
        const struct harness_pulse_total *const one = &totals->instances[i];
        if (one->trouble[0] != '\0')
            complain(complaints, "%s does not run: %s", one->name, shorten(reason, REASON, one->trouble));
        else if (one->running && one->idle >= HARNESS_PULSE_IDLE)
            complain(complaints, "%s executed nothing in %.0f minutes", one->name, one->idle / 60.0);
    }
}

static bool is_more(uint64_t *most, uint64_t value)
{
    const bool more = value > *most;
    *most = more ? value : *most;
    return more;
}

/* Seconds of running since the last point that had more of something than all before it. A start may begin with less,
 * and what it then finds again is not new; it may also begin some seconds earlier than a killed one ended. */
static uint64_t seconds_without_news(const struct harness_pulse_history *history)
{
    struct harness_pulse_point most = history->points[0];
    uint64_t news = most.seconds;
    for (size_t i = 1; i < history->count; i++) {
        const struct harness_pulse_point *const point = &history->points[i];
        const bool edges = is_more(&most.edges, point->edges), features = is_more(&most.features, point->features),
                   semantic = is_more(&most.semantic, point->semantic),
                   findings = is_more(&most.findings, point->findings);
        if (edges || features || semantic || findings)
            news = point->seconds;
    }
    const uint64_t now = history->points[history->count - 1].seconds;
    return now > news ? now - news : 0;
}

static void look_at_news(struct complaints *complaints, const struct harness_pulse_history *history)
{
    const uint64_t seconds = history->count != 0 ? seconds_without_news(history) : 0;
    if (seconds >= HARNESS_PULSE_STUCK)
        complain(complaints, "stuck for %llu h: nothing new", (unsigned long long)(seconds / HOUR));
}

/* Of how many instances, and which one is it most? */
static const struct harness_pulse_total *find_slowest(const struct harness_pulse_totals *totals, unsigned *count)
{
    const struct harness_pulse_total *slowest = NULL;
    double least = 0.0;
    for (size_t i = 0; i < totals->count; i++) {
        const struct harness_pulse_total *const one = &totals->instances[i];
        if (!one->takes_part || one->trouble[0] != '\0' ||
            !harness_pace_is_slow(&one->pace, one->seconds, one->executions, (double)HARNESS_PULSE_SLOWER))
            continue;
        const double share = harness_pace_rate(&one->pace.last) / harness_pace_rate(&one->pace.first);
        if (slowest == NULL || share < least) {
            slowest = one;
            least = share;
        }
        (*count)++;
    }
    return slowest;
}

static int decimals_of(double rate)
{
    return rate < 10.0 ? 1 : 0;
}

/* Each against itself. Where a machine has other work or less cores than before, it is many of them. */
static void look_at_speed(struct complaints *complaints, const struct harness_pulse_totals *totals)
{
    unsigned count = 0;
    char others[48] = "";
    if (totals->survey.median_bytes >= (double)HARNESS_PULSE_LARGE)
        complain(complaints, "slow: median input %.0f KB", totals->survey.median_bytes / 1000.0);
    const struct harness_pulse_total *const one = find_slowest(totals, &count);
    if (one == NULL)
        return;
    if (count > 1)
        (void)snprintf(others, sizeof others, " (%u instances are slow)", count);
    const double now = harness_pace_rate(&one->pace.last), before = harness_pace_rate(&one->pace.first);
    complain(complaints, "slow: %s makes %.*f executions a second, %.*f in its first hour%s", one->name,
             decimals_of(now), now, decimals_of(before), before, others);
}

void harness_pulse_diagnose(const struct harness_pulse_totals *totals, const struct harness_pulse_history *history,
                            const char *trouble, char *out, size_t size)
{
    struct complaints complaints = { out, size, 0 };
    char reason[OF_ALL + 1];
    out[0] = '\0';
    look_at_machine(&complaints, totals);
    if (trouble[0] != '\0')
        complain(&complaints, "%s", shorten(reason, OF_ALL, trouble));
    look_at_instances(&complaints, totals);
    look_at_news(&complaints, history);
    look_at_speed(&complaints, totals);
    if (totals->survey.vacuous * 100.0 >= HARNESS_PULSE_VACUOUS)
        complain(&complaints, "%.0f %% of inputs vacuous", totals->survey.vacuous * 100.0);
    if (totals->waiting >= HARNESS_PULSE_WAITING)
        complain(&complaints, "%llu findings wait for their reduction", (unsigned long long)totals->waiting);
}
