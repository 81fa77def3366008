/*
 * AFL++: one afl-fuzz that mutates by structure, in a directory of its own below CORPUS-afl/. It begins with the corpus
 * directory; what it found goes there when it has ended, and what that of a killed campaign had found when the next
 * one starts.
 */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#define INSTANCE "structure"

enum {
    SETTLE_SECONDS = 2 /* a file that old is whole */
};

static void join(char out[CAMPAIGN_PATH_SIZE], const char *directory, const char *name)
{
    (void)snprintf(out, CAMPAIGN_PATH_SIZE, "%.1600s/%.400s", directory, name);
}

/* CORPUS-afl */
static void state_directory(const struct harness_campaign *campaign, char out[CAMPAIGN_PATH_SIZE])
{
    size_t length = strlen(campaign->options->corpus);
    while (length > 1 && campaign->options->corpus[length - 1] == '/')
        length--;
    (void)snprintf(out, CAMPAIGN_PATH_SIZE, "%.*s-afl", (int)length, campaign->options->corpus);
}

/* Called for each entry of a directory (but for hidden ones), in order, until it fails. A missing directory counts as
 * empty. */
typedef enum harness_status (*visitor)(const struct harness_campaign *campaign, const char *directory, const char *name,
                                       const void *user);

static enum harness_status visit(const struct harness_campaign *campaign, const char *path, visitor each,
                                 const void *user)
{
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, NULL, alphasort);
    enum harness_status status = HARNESS_OK;
    for (int i = 0; i < count; i++) {
        if (status == HARNESS_OK && entries[i]->d_name[0] != '.')
            status = each(campaign, path, entries[i]->d_name, user);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* Copies a file to DIRECTORY/PREFIX+32 digits+SUFFIX: the same input is one file. */
static enum harness_status copy_by_content(const struct harness_campaign *campaign, const char *from,
                                           const char *to_directory, const char *prefix, const char *suffix)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct stat there;
    char name[96], path[CAMPAIGN_PATH_SIZE];
    enum harness_status status = harness_file_read(from, &bytes, &size, campaign->error);
    if (status != HARNESS_OK)
        return status;
    const XXH128_hash_t hash = XXH3_128bits(bytes, size);
    (void)snprintf(name, sizeof name, "%s%016llx%016llx%s", prefix, (unsigned long long)hash.high64,
                   (unsigned long long)hash.low64, suffix);
    join(path, to_directory, name);
    /* A power cut can leave an empty or short file of the right name. */
    if (size != 0 && (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || (uintmax_t)there.st_size != size))
        status = harness_file_write_lazily(path, bytes, size, campaign->error);
    free(bytes);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ finds */

/* "id:000012,src:..." is found, "...,orig:..." a seed and "...,sync:..." another instance's: those are there
 * already. */
static enum harness_status export_entry(const struct harness_campaign *campaign, const char *directory,
                                        const char *name, const void *user)
{
    char path[CAMPAIGN_PATH_SIZE];
    (void)user;
    if (strncmp(name, "id:", 3) != 0 || strstr(name, ",orig:") != NULL || strstr(name, ",sync:") != NULL)
        return HARNESS_OK;
    join(path, directory, name);
    return copy_by_content(campaign, path, campaign->options->corpus, "", ".pcb");
}

/* A failing input becomes an artifact in the findings directory, and leaves that of afl-fuzz, which may still be
 * writing it if that has not ended (`user`). */
static enum harness_status move_failing(const struct harness_campaign *campaign, const char *directory,
                                        const char *name, const void *user)
{
    const bool *const ended = user;
    char path[CAMPAIGN_PATH_SIZE], prefix[64];
    struct stat file;
    join(path, directory, name);
    if (strncmp(name, "id:", 3) != 0 || stat(path, &file) != 0 ||
        (!*ended && difftime(time(NULL), file.st_mtime) < (double)SETTLE_SECONDS))
        return HARNESS_OK;
    const bool hangs = strcmp(strrchr(directory, '/'), "/hangs") == 0;
    (void)snprintf(prefix, sizeof prefix, CAMPAIGN_ARTIFACT "%s-", hangs ? "timeout" : "crash");
    const enum harness_status status = copy_by_content(campaign, path, campaign->options->findings, prefix, "");
    if (status == HARNESS_OK)
        (void)unlink(path);
    return status;
}

static enum harness_status collect_from(const struct harness_campaign *campaign, const char *instance, bool ended)
{
    char path[CAMPAIGN_PATH_SIZE];
    join(path, instance, "crashes");
    const enum harness_status status = visit(campaign, path, move_failing, &ended);
    join(path, instance, "hangs");
    return status == HARNESS_OK ? visit(campaign, path, move_failing, &ended) : status;
}

static enum harness_status collect(struct harness_campaign *campaign, bool ended)
{
    char state[CAMPAIGN_PATH_SIZE], own[CAMPAIGN_PATH_SIZE];
    state_directory(campaign, state);
    join(own, state, INSTANCE);
    return collect_from(campaign, own, ended);
}

static enum harness_status finish(struct harness_campaign *campaign)
{
    char state[CAMPAIGN_PATH_SIZE], own[CAMPAIGN_PATH_SIZE], queue[CAMPAIGN_PATH_SIZE];
    state_directory(campaign, state);
    join(own, state, INSTANCE);
    join(queue, own, "queue");
    return visit(campaign, queue, export_entry, NULL);
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

/* Waits for the disk once for all that was written into the corpus: flushing each of ten thousand files takes a
 * minute. */
static enum harness_status flush_corpus(const struct harness_campaign *campaign)
{
    const int directory = open(campaign->options->corpus, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum harness_status status = HARNESS_OK;
    if (directory < 0 || syncfs(directory) != 0)
        status = harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be written: %s", campaign->options->corpus,
                              strerror(errno));
    if (directory >= 0)
        (void)close(directory);
    return status;
}

/* An instance's directory, recognised by its queue, goes when its finds are safe: afl-fuzz would refuse to begin
 * there. */
static enum harness_status take_over(const struct harness_campaign *campaign, const char *directory, const char *name,
                                     const void *user)
{
    static const bool ended = true;
    char path[CAMPAIGN_PATH_SIZE], queue[CAMPAIGN_PATH_SIZE];
    (void)user;
    join(path, directory, name);
    join(queue, path, "queue");
    if (access(queue, R_OK | X_OK) != 0)
        return HARNESS_OK;
    enum harness_status status = visit(campaign, queue, export_entry, NULL);
    if (status == HARNESS_OK)
        status = collect_from(campaign, path, ended);
    if (status == HARNESS_OK)
        status = flush_corpus(campaign); /* until then only the directory holds a copy that is safe */
    if (status == HARNESS_OK && nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0)
        status = harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be removed: %s", path, strerror(errno));
    return status;
}

/* afl-fuzz needs a seed: if there is none, the smallest case. */
static enum harness_status write_seed(const struct harness_campaign *campaign)
{
    const uint8_t byte = 0;
    char path[CAMPAIGN_PATH_SIZE];
    join(path, campaign->options->corpus, "empty.pcb");
    return campaign_count_files(campaign->options->corpus) == 0
               ? harness_file_write(path, &byte, sizeof byte, campaign->error)
               : HARNESS_OK;
}

/* afl-fuzz makes it while it looks for a core, for milliseconds. If it is killed then, the next one would wait for
 * ever. */
static void remove_lock(const char *state)
{
    char lock[CAMPAIGN_PATH_SIZE];
    join(lock, state, ".affinity_lock");
    (void)unlink(lock);
}

static enum harness_status prepare(struct harness_campaign *campaign)
{
    char state[CAMPAIGN_PATH_SIZE];
    state_directory(campaign, state);
    if (mkdir(state, 0777) != 0 && errno != EEXIST)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be made: %s", state, strerror(errno));
    remove_lock(state);
    const enum harness_status status = visit(campaign, state, take_over, NULL);
    return status == HARNESS_OK ? write_seed(campaign) : status;
}

/* ------------------------------------------------------------------------------------------------------------- run */

/* afl-fuzz and its target take turns, so one core is enough for both, and they need not be woken on another. But a
 * backend with threads, or in a process of its own, needs more. */
static bool needs_one_core(const struct harness_campaign *campaign)
{
    return campaign->options->backends.names == NULL && campaign->options->threads == 0;
}

static void set_environment(const char *mutator, bool one_core)
{
    static const char *const settings[][2] = { { "AFL_NO_UI", "1" },
                                               { "AFL_SKIP_CPUFREQ", "1" },
                                               { "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1" },
                                               { "AFL_FAST_CAL", "1" },
                                               { "AFL_FORKSRV_INIT_TMOUT", "30000" }, /* milliseconds */
                                               { "AFL_CUSTOM_MUTATOR_ONLY", "1" },
                                               { "AFL_IGNORE_UNKNOWN_ENVS", "1" } };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        (void)setenv(settings[i][0], settings[i][1], 1);
    (void)setenv("AFL_CUSTOM_MUTATOR_LIBRARY", mutator, 1);
    (void)setenv(one_core ? "AFL_TRY_AFFINITY" : "AFL_NO_AFFINITY", "1", 1);
    (void)unsetenv(one_core ? "AFL_NO_AFFINITY" : "AFL_TRY_AFFINITY"); /* it ends if it finds both */
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
    state_directory(campaign, state);
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
    add(&arguments, "-S", INSTANCE);
    add(&arguments, "-t", timeout);
    add(&arguments, "-G", length);
    if (seconds != 0)
        add(&arguments, "-V", limit);
    if (options->executions != 0)
        add(&arguments, "-E", executions);
    if (options->seed != 0)
        add(&arguments, "-s", seed);
    add(&arguments, "--", options->target);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO); /* it says everything there */
    (void)execvp("afl-fuzz", arguments.items);
    fprintf(stderr, "PROGRAM ABORT : afl-fuzz cannot be run (%s); it is in the Debian package afl++\n",
            strerror(errno));
}

const struct campaign_engine campaign_afl = { prepare, become, collect, finish, false, SIGINT };
