/*
 * AFL++: one afl-fuzz process that mutates by structure. Its directory is CORPUS-afl/structure, in which the next one
 * continues. It takes inputs from the corpus directory; what it found is copied there when it has ended.
 */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define INSTANCE "structure"

/* CORPUS-afl/MORE */
static void in_state(const struct harness_campaign *campaign, const char *more, char out[CAMPAIGN_PATH_SIZE])
{
    size_t length = strlen(campaign->options->corpus);
    while (length > 1 && campaign->options->corpus[length - 1] == '/')
        length--;
    (void)snprintf(out, CAMPAIGN_PATH_SIZE, "%.*s-afl/%.400s", (int)length, campaign->options->corpus, more);
}

static bool failing(const struct harness_campaign *campaign, unsigned place, char out[CAMPAIGN_PATH_SIZE])
{
    static const char *const places[] = { INSTANCE "/crashes", INSTANCE "/hangs" };
    if (place < sizeof places / sizeof places[0])
        in_state(campaign, places[place], out);
    return place < sizeof places / sizeof places[0];
}

/* ------------------------------------------------------------------------------------------------------------ finds */

/* Is the queue entry a find, of this session ("id:000012,src:...") or of an earlier one
 * ("id:000003,time:0,execs:0,orig:id:000012,src:...")? A seed has no "src", and an entry with "sync" came from the
 * corpus. */
static int is_found(const struct dirent *entry)
{
    return strncmp(entry->d_name, "id:", 3) == 0 && strstr(entry->d_name, ",src:") != NULL &&
           strstr(entry->d_name, ",sync:") == NULL;
}

/* Copies a find to CORPUS/HASH.pcb, HASH being 32 digits of its contents, so that equal inputs are one file. */
static enum harness_status give_back(const struct harness_campaign *campaign, const char *find)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct stat there;
    char path[CAMPAIGN_PATH_SIZE];
    enum harness_status status = harness_file_read(find, &bytes, &size, campaign->error);
    if (status != HARNESS_OK)
        return status;
    const XXH128_hash_t hash = XXH3_128bits(bytes, size);
    (void)snprintf(path, sizeof path, "%s/%016llx%016llx.pcb", campaign->options->corpus,
                   (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    /* A power cut can leave an empty or short file of the right name. */
    if (size != 0 && (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || (uintmax_t)there.st_size != size))
        status = harness_file_write_lazily(path, bytes, size, campaign->error);
    free(bytes);
    return status;
}

static enum harness_status finish(struct harness_campaign *campaign)
{
    struct dirent **entries = NULL;
    char queue[CAMPAIGN_PATH_SIZE];
    in_state(campaign, INSTANCE "/queue", queue);
    const int count = scandir(queue, &entries, is_found, NULL);
    enum harness_status status = HARNESS_OK;
    for (int i = 0; i < count; i++) {
        char find[CAMPAIGN_PATH_SIZE + sizeof entries[i]->d_name];
        (void)snprintf(find, sizeof find, "%s/%s", queue, entries[i]->d_name);
        if (status == HARNESS_OK)
            status = give_back(campaign, find);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

/* afl-fuzz needs at least one seed: if there is none, the smallest case is written. A stale lock is removed: afl-fuzz
 * holds it for milliseconds, while it looks for a free core, and if it is killed then, the next one would wait
 * forever. */
static enum harness_status prepare(struct harness_campaign *campaign)
{
    const uint8_t byte = 0;
    char path[CAMPAIGN_PATH_SIZE];
    in_state(campaign, "", path);
    const enum harness_status status = harness_directory_make(path, campaign->error);
    if (status != HARNESS_OK)
        return status;
    in_state(campaign, ".affinity_lock", path);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/empty.pcb", campaign->options->corpus);
    return campaign_count_files(campaign->options->corpus) == 0
               ? harness_file_write(path, &byte, sizeof byte, campaign->error)
               : HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------- run */

/* afl-fuzz and its target take turns, so one core is enough for both, and saves waking the other on another core. A
 * backend with threads, or in a process of its own, needs more. */
static bool needs_one_core(const struct harness_campaign *campaign)
{
    return campaign->options->backends.names == NULL && campaign->options->threads == 0;
}

static bool goes_on(const struct harness_campaign *campaign)
{
    char path[CAMPAIGN_PATH_SIZE];
    in_state(campaign, INSTANCE "/fuzzer_stats", path);
    return access(path, F_OK) == 0;
}

static void set_environment(const char *mutator, bool one_core)
{
    static const char *const settings[][2] = { { "AFL_NO_UI", "1" },
                                               { "AFL_SKIP_CPUFREQ", "1" },
                                               { "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1" },
                                               { "AFL_FAST_CAL", "1" },
                                               { "AFL_FORKSRV_INIT_TMOUT", "30000" }, /* milliseconds */
                                               { "AFL_CUSTOM_MUTATOR_ONLY", "1" },
                                               { "AFL_AUTORESUME", "1" },
                                               { "AFL_IGNORE_UNKNOWN_ENVS", "1" } };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        (void)setenv(settings[i][0], settings[i][1], 1);
    (void)setenv("AFL_CUSTOM_MUTATOR_LIBRARY", mutator, 1);
    (void)setenv(one_core ? "AFL_TRY_AFFINITY" : "AFL_NO_AFFINITY", "1", 1);
    (void)unsetenv(one_core ? "AFL_NO_AFFINITY" : "AFL_TRY_AFFINITY"); /* afl-fuzz refuses to run with both */
    (void)unsetenv("ASAN_OPTIONS");                                    /* afl-fuzz insists on its own */
    (void)unsetenv("UBSAN_OPTIONS");
}

struct arguments {
    char *items[24];
    size_t count;
};

static void add(struct arguments *arguments, const char *option, const char *value)
{
    arguments->items[arguments->count++] = (char *)option;
    if (value != NULL)
        arguments->items[arguments->count++] = (char *)value;
}

static void become(const struct harness_campaign *campaign, unsigned seconds)
{
    const struct harness_campaign_options *const options = campaign->options;
    char state[CAMPAIGN_PATH_SIZE], limit[24], executions[24], timeout[24], length[24], seed[24];
    in_state(campaign, "", state);
    (void)snprintf(limit, sizeof limit, "%u", seconds);
    (void)snprintf(timeout, sizeof timeout, "%d+", 1000 * HARNESS_INPUT_TIMEOUT);
    (void)snprintf(length, sizeof length, "%d", HARNESS_MAX_INPUT);
    (void)snprintf(seed, sizeof seed, "%u", options->seed);
    (void)snprintf(executions, sizeof executions, "%llu", (unsigned long long)campaign_executions_left(campaign));
    set_environment(options->mutator, needs_one_core(campaign));
    struct arguments arguments = { { NULL }, 0 };
    add(&arguments, "afl-fuzz", NULL);
    add(&arguments, "-i", options->corpus);
    add(&arguments, "-o", state);
    add(&arguments, "-M", INSTANCE);
    if (goes_on(campaign)) { /* afl-fuzz ignores -i when it resumes */
        add(&arguments, "-F", options->corpus);
        (void)setenv("AFL_IMPORT_FIRST", "1", 1);
    }
    add(&arguments, "-t", timeout);
    add(&arguments, "-G", length);
    if (seconds != 0)
        add(&arguments, "-V", limit);
    if (options->executions != 0)
        add(&arguments, "-E", executions);
    if (options->seed != 0)
        add(&arguments, "-s", seed);
    add(&arguments, "--", options->target);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO); /* where afl-fuzz prints everything */
    (void)execvp("afl-fuzz", arguments.items);
    fprintf(stderr, "PROGRAM ABORT : afl-fuzz cannot be run (%s); it is in the Debian package afl++\n",
            strerror(errno));
}

const struct campaign_engine campaign_afl = {
    .prepare = prepare, .become = become, .failing = failing, .artifact = "id:", .finish = finish, .gentle = SIGINT
};
