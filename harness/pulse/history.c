#include "harness/pulse/history.h"

#include "harness/case/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 11,
    LINE = 512,
    DAY = 86400,
    WEEK = 7 * DAY,
    OF_A_WEEK = 600, /* seconds between two points that are older than a day ... */
    OLDER = 3600     /* ... and than a week */
};

static const char head[] = "# picafuzz history 1\n"
                           "# time\tstarts\tseconds\texecutions\tedges\tfeatures\tcorpus\tbytes\tsemantic\tfindings"
                           "\tdisk_free\n";

void harness_pulse_history_free(struct harness_pulse_history *history)
{
    free(history->points);
    *history = (struct harness_pulse_history){ NULL, 0, 0 };
}

/* A clock that was set back: time goes on from the last point, by what the campaign ran since. */
static uint64_t time_after(const struct harness_pulse_point *last, const struct harness_pulse_point *point)
{
    const bool ran = point->starts == last->starts && point->seconds > last->seconds;
    if (point->time > last->time)
        return point->time;
    if (ran)
        return last->time + (point->seconds - last->seconds);
    return point->starts != last->starts ? last->time + 1 : 0;
}

enum harness_status harness_pulse_history_add(struct harness_pulse_history *history,
                                              const struct harness_pulse_point *point)
{
    const struct harness_pulse_point *const last = history->count != 0 ? &history->points[history->count - 1] : NULL;
    const uint64_t time = last != NULL ? time_after(last, point) : point->time;
    if (last != NULL && time <= last->time) /* nothing happened since; or a number without sense */
        return HARNESS_OK;
    if (history->count == history->capacity) {
        const size_t capacity = history->capacity != 0 ? 2 * history->capacity : 256;
        struct harness_pulse_point *const more = realloc(history->points, capacity * sizeof *more);
        if (more == NULL)
            return HARNESS_NO_MEMORY;
        history->points = more;
        history->capacity = capacity;
    }
    history->points[history->count] = *point;
    history->points[history->count++].time = time;
    return HARNESS_OK;
}

/* The columns of a point, in the order of the file. */
static void to_columns(const struct harness_pulse_point *point, uint64_t columns[COLUMNS])
{
    const uint64_t all[COLUMNS] = { point->time,     point->starts,   point->seconds,  point->executions,
                                    point->edges,    point->features, point->corpus,   point->bytes,
                                    point->semantic, point->findings, point->disk_free };
    memcpy(columns, all, sizeof all);
}

static struct harness_pulse_point of_columns(const uint64_t columns[COLUMNS])
{
    return (struct harness_pulse_point){ columns[0], columns[1], columns[2], columns[3], columns[4], columns[5],
                                         columns[6], columns[7], columns[8], columns[9], columns[10] };
}

/* Whole numbers with tabs between them, and nothing else. */
static bool parse_line(const char *line, struct harness_pulse_point *out)
{
    uint64_t columns[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        char *end = NULL;
        if (*line < '0' || *line > '9')
            return false;
        errno = 0;
        columns[i] = strtoull(line, &end, 10);
        if (errno != 0 || *end != (i + 1 < COLUMNS ? '\t' : '\0'))
            return false;
        line = end + 1;
    }
    *out = of_columns(columns);
    return true;
}

static enum harness_status parse_lines(const char *text, size_t size, struct harness_pulse_history *out,
                                       struct harness_error *error)
{
    unsigned number = 0;
    for (const char *end = NULL; size != 0 && (end = memchr(text, '\n', size)) != NULL;) {
        const size_t length = (size_t)(end - text);
        char line[LINE];
        struct harness_pulse_point point;
        number++;
        (void)snprintf(line, sizeof line, "%.*s", (int)(length < LINE ? length : (size_t)LINE), text);
        if (number == 1 && strncmp(head, text, length + 1) != 0)
            return harness_fail(error, HARNESS_BAD_INPUT, "line 1: expected \"# picafuzz history %d\"",
                                HARNESS_PULSE_HISTORY_VERSION);
        if (line[0] != '#' && (length >= LINE || !parse_line(line, &point)))
            return harness_fail(error, HARNESS_BAD_INPUT, "line %u: expected %d whole numbers with tabs between them",
                                number, COLUMNS);
        if (line[0] != '#' && harness_pulse_history_add(out, &point) != HARNESS_OK)
            return harness_fail_memory(error);
        text += length + 1;
        size -= length + 1;
    }
    return HARNESS_OK;
}

enum harness_status harness_pulse_history_parse(const char *text, size_t size, struct harness_pulse_history *out,
                                                struct harness_error *error)
{
    *out = (struct harness_pulse_history){ NULL, 0, 0 };
    const enum harness_status status = parse_lines(text, size, out, error);
    if (status != HARNESS_OK)
        harness_pulse_history_free(out);
    return status;
}

/* How far apart points of that age are to be. */
static uint64_t distance(uint64_t age)
{
    if (age <= DAY)
        return 0;
    return age <= WEEK ? (uint64_t)OF_A_WEEK : (uint64_t)OLDER;
}

/* The first point of each start stays: before it there is a gap. */
void harness_pulse_history_thin(struct harness_pulse_history *history)
{
    size_t kept = 0;
    const uint64_t now = history->count != 0 ? history->points[history->count - 1].time : 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct harness_pulse_point *const point = &history->points[i];
        const struct harness_pulse_point *const last = kept != 0 ? &history->points[kept - 1] : NULL;
        if (last == NULL || point->starts != last->starts || point->time - last->time >= distance(now - point->time))
            history->points[kept++] = *point;
    }
    history->count = kept;
}

char *harness_pulse_history_print(const struct harness_pulse_history *history)
{
    struct harness_text text;
    harness_text_init(&text);
    harness_text_add(&text, head);
    for (size_t i = 0; i < history->count; i++) {
        uint64_t columns[COLUMNS];
        to_columns(&history->points[i], columns);
        for (int k = 0; k < COLUMNS; k++)
            harness_text_format(&text, "%llu%c", (unsigned long long)columns[k], k + 1 < COLUMNS ? '\t' : '\n');
    }
    char *const copy = text.failed ? NULL : strdup(harness_text_string(&text));
    harness_text_free(&text);
    return copy;
}
