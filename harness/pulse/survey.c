#include "harness/pulse/survey.h"

#include "harness/case/formats.h"
#include "harness/coverage/universe.h"
#include "harness/run/child.h"
#include "harness/run/pair.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    REST = 19,         /* times as long as it worked it rests: a twentieth of a core */
    SCAN_SECONDS = 5,  /* between two looks at the directory */
    AGAIN_SECONDS = 5, /* until a child that died is followed by another */
    MOST_DEATHS = 16   /* and as many inputs that are left out; then there is no survey any more */
};

/* ----------------------------------------------------------------------------------------------------- in the child */

/* An input that was looked at. */
struct entry {
    uint64_t hash; /* of its name */
    char name[HARNESS_SURVEY_NAME];
    uint32_t bytes;
    float us;
    bool vacuous, present;
};

struct surveyor {
    const struct harness_survey *survey;
    struct entry *entries; /* by hash */
    size_t count, capacity;
    struct harness_pair *timed;   /* nobody watches it: what a case costs */
    struct harness_pair *watched; /* what it exercises */
    struct harness_universe *universe;
    struct harness_collector *collector;
    uint8_t *marks;
    size_t items;
    struct harness_case *test_case;
    float *numbers; /* for medians */
};

/* What both processes see. */
struct shared {
    char doing[HARNESS_SURVEY_NAME]; /* the input in work; "": none */
};

struct harness_survey {
    const char *corpus;
    struct shared *shared;
    struct harness_child child;
    int output; /* results come from there, one after the other, each whole */
    int input;  /* the child's end */
    double again_at;
    char skipped[MOST_DEATHS][HARNESS_SURVEY_NAME];
    size_t deaths;
    struct harness_survey_result newest;
};

static double busy_seconds(void)
{
    struct timespec time = { 0, 0 };
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void rest(double seconds)
{
    const struct timespec time = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
    (void)nanosleep(&time, NULL);
}

static bool create_tools(struct surveyor *surveyor)
{
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX };
    surveyor->universe = harness_universe_create();
    surveyor->timed = harness_pair_create(&options);
    surveyor->watched = harness_pair_create(&options);
    surveyor->test_case = harness_case_create();
    if (surveyor->universe == NULL || surveyor->timed == NULL || surveyor->watched == NULL ||
        surveyor->test_case == NULL)
        return false;
    surveyor->items = harness_universe_items(surveyor->universe);
    surveyor->marks = calloc(surveyor->items, 1);
    const struct harness_runner *const reference = harness_pair_reference(surveyor->watched);
    if (surveyor->marks != NULL)
        surveyor->collector = harness_collector_create(
            surveyor->universe, harness_runner_backend(reference),
            harness_runner_instance(harness_pair_reference(surveyor->watched)), surveyor->marks);
    return surveyor->collector != NULL;
}

/* Where the entry of that hash is, or would be. */
static size_t place_of(const struct surveyor *surveyor, uint64_t hash)
{
    size_t low = 0, high = surveyor->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (surveyor->entries[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_skipped(const struct harness_survey *survey, const char *name)
{
    for (size_t i = 0; i < survey->deaths; i++)
        if (strncmp(survey->skipped[i], name, HARNESS_SURVEY_NAME - 1) == 0)
            return true;
    return false;
}

static struct entry *insert(struct surveyor *surveyor, size_t at)
{
    if (surveyor->count == surveyor->capacity) {
        const size_t capacity = surveyor->capacity != 0 ? 2 * surveyor->capacity : 1024;
        struct entry *const more = realloc(surveyor->entries, capacity * sizeof *more);
        float *const numbers = more != NULL ? realloc(surveyor->numbers, capacity * sizeof *numbers) : NULL;
        surveyor->entries = more != NULL ? more : surveyor->entries;
        if (numbers == NULL)
            return NULL;
        surveyor->numbers = numbers;
        surveyor->capacity = capacity;
    }
    memmove(&surveyor->entries[at + 1], &surveyor->entries[at], (surveyor->count - at) * sizeof *surveyor->entries);
    surveyor->count++;
    return &surveyor->entries[at];
}

/* As a target runs it: any bytes are a case. */
static void run(struct surveyor *surveyor, const uint8_t *bytes, size_t size, struct entry *entry)
{
    const double begun = busy_seconds();
    const enum harness_outcome outcome = harness_pair_run(surveyor->timed, bytes, size);
    entry->us = (float)((busy_seconds() - begun) * 1e6);
    entry->vacuous = outcome == HARNESS_AGREE && harness_pair_is_vacuous(surveyor->timed);
    harness_collector_begin(surveyor->collector, NULL);
    (void)harness_pair_run(surveyor->watched, bytes, size);
    harness_collector_finish(surveyor->collector);
}

static bool look_at(struct surveyor *surveyor, const char *name, size_t at, uint64_t hash)
{
    char path[2048];
    struct stat file;
    uint8_t *bytes = NULL;
    size_t size = 0;
    (void)snprintf(path, sizeof path, "%.1500s/%.300s", surveyor->survey->corpus, name);
    if (lstat(path, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size > HARNESS_MAX_INPUT ||
        harness_file_read(path, &bytes, &size, NULL) != HARNESS_OK)
        return true;
    struct entry *const entry = insert(surveyor, at);
    if (entry != NULL) {
        *entry = (struct entry){ .hash = hash, .bytes = (uint32_t)size, .present = true };
        (void)snprintf(entry->name, sizeof entry->name, "%s", name);
        (void)snprintf(surveyor->survey->shared->doing, HARNESS_SURVEY_NAME, "%s", name);
        run(surveyor, bytes, size, entry);
        surveyor->survey->shared->doing[0] = '\0';
    }
    free(bytes);
    return entry != NULL;
}

static int compare(const void *a, const void *b)
{
    const float one = *(const float *)a, other = *(const float *)b;
    return (one > other) - (one < other);
}

static double median(float *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
    return count != 0 ? (double)numbers[count / 2] : 0.0;
}

/* Keeps the slowest in order. */
static void rank(struct harness_survey_result *result, const struct entry *entry)
{
    size_t at = result->slow_count;
    while (at > 0 && result->slowest[at - 1].us < (double)entry->us)
        at--;
    if (at == HARNESS_SURVEY_SLOWEST)
        return;
    const size_t last = result->slow_count < HARNESS_SURVEY_SLOWEST ? result->slow_count++ : result->slow_count - 1;
    memmove(&result->slowest[at + 1], &result->slowest[at], (last - at) * sizeof result->slowest[0]);
    (void)snprintf(result->slowest[at].name, sizeof result->slowest[at].name, "%s", entry->name);
    result->slowest[at].us = (double)entry->us;
    result->slowest[at].bytes = entry->bytes;
}

/* A result is shorter than PIPE_BUF: it is written whole or not at all. */
static void tell(struct surveyor *surveyor)
{
    struct harness_survey_result result = { .semantic_total = surveyor->items };
    uint64_t vacuous = 0;
    for (size_t i = 0; i < surveyor->items; i++)
        result.semantic += (surveyor->marks[i] & HARNESS_MARK_EFFECT) != 0;
    for (size_t i = 0; i < surveyor->count; i++) {
        surveyor->numbers[i] = surveyor->entries[i].us;
        result.bytes += surveyor->entries[i].bytes;
        vacuous += surveyor->entries[i].vacuous;
        rank(&result, &surveyor->entries[i]);
    }
    result.inputs = surveyor->count;
    result.vacuous = surveyor->count != 0 ? (double)vacuous / (double)surveyor->count : 0.0;
    result.median_us = median(surveyor->numbers, surveyor->count);
    for (size_t i = 0; i < surveyor->count; i++)
        surveyor->numbers[i] = (float)surveyor->entries[i].bytes;
    result.median_bytes = median(surveyor->numbers, surveyor->count);
    (void)!write(surveyor->survey->input, &result, sizeof result);
}

/* Forgets those that have gone. What they exercised stays: something smaller does the same. */
static void leave_out_absent(struct surveyor *surveyor)
{
    size_t kept = 0;
    for (size_t i = 0; i < surveyor->count; i++)
        if (surveyor->entries[i].present)
            surveyor->entries[kept++] = surveyor->entries[i];
    surveyor->count = kept;
}

/* Every input that is new. In between it tells what it knows, and rests. */
static bool scan(struct surveyor *surveyor)
{
    double told = harness_seconds_now();
    DIR *const directory = opendir(surveyor->survey->corpus);
    if (directory == NULL)
        return true;
    for (size_t i = 0; i < surveyor->count; i++)
        surveyor->entries[i].present = false;
    bool good = true;
    for (const struct dirent *entry; good && (entry = readdir(directory)) != NULL;) {
        const uint64_t hash = XXH3_64bits(entry->d_name, strlen(entry->d_name));
        const size_t at = place_of(surveyor, hash);
        if (at < surveyor->count && surveyor->entries[at].hash == hash) {
            surveyor->entries[at].present = true;
            continue;
        }
        if (entry->d_name[0] == '.' || is_skipped(surveyor->survey, entry->d_name))
            continue;
        const double begun = busy_seconds();
        good = look_at(surveyor, entry->d_name, at, hash);
        rest((busy_seconds() - begun) * REST);
        if (harness_seconds_now() - told > SCAN_SECONDS) {
            tell(surveyor);
            told = harness_seconds_now();
        }
    }
    (void)closedir(directory);
    leave_out_absent(surveyor);
    return good;
}

static int survey_corpus(void *user)
{
    struct surveyor surveyor = { .survey = user };
    (void)setpriority(PRIO_PROCESS, 0, 19);
    if (!create_tools(&surveyor))
        return 1;
    while (scan(&surveyor)) {
        tell(&surveyor);
        rest(SCAN_SECONDS);
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------- in the parent */

struct harness_survey *harness_survey_open(const char *corpus)
{
    _Static_assert(sizeof(struct harness_survey_result) <= 4096, "PIPE_BUF of Linux");
    struct harness_survey *const survey = calloc(1, sizeof *survey);
    int ends[2];
    if (survey == NULL)
        return NULL;
    survey->corpus = corpus;
    survey->shared = mmap(NULL, sizeof *survey->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (survey->shared != MAP_FAILED && pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
        survey->output = ends[0];
        survey->input = ends[1];
        return survey;
    }
    if (survey->shared != MAP_FAILED)
        (void)munmap(survey->shared, sizeof *survey->shared);
    free(survey);
    return NULL;
}

/* The input on which it died is left out from now on. */
static void bury(struct harness_survey *survey)
{
    (void)harness_child_wait_or_kill(&survey->child, 0);
    survey->again_at = harness_seconds_now() + AGAIN_SECONDS;
    (void)snprintf(survey->skipped[survey->deaths++], HARNESS_SURVEY_NAME, "%s", survey->shared->doing);
    survey->shared->doing[0] = '\0';
}

void harness_survey_tend(struct harness_survey *survey, struct harness_survey_result *out)
{
    static const struct harness_child_setup setup = { .group = true, .silent = true, .death_signal = SIGKILL };
    struct harness_survey_result read_result;
    if (survey->child.process != 0 && harness_child_has_ended(&survey->child))
        bury(survey);
    if (survey->child.process == 0 && survey->deaths < MOST_DEATHS && harness_seconds_now() >= survey->again_at)
        (void)harness_child_start(&survey->child, &setup, survey_corpus, survey);
    while (read(survey->output, &read_result, sizeof read_result) == (ssize_t)sizeof read_result)
        survey->newest = read_result;
    *out = survey->newest;
}

void harness_survey_close(struct harness_survey *survey)
{
    if (survey == NULL)
        return;
    harness_child_kill(&survey->child);
    (void)close(survey->output);
    (void)close(survey->input);
    (void)munmap(survey->shared, sizeof *survey->shared);
    free(survey);
}
