/*
 * AFL++: one afl-fuzz for each job, in directories of its own below CORPUS-afl/. Job 0 mutates by structure; job 1 by
 * bytes, for what no grammar would think of; job 2, if the target is there, logs comparisons
 * (CmpLog), bytewise too; further ones mutate by structure. None is called main (-M): afl-fuzz 4.04c does not trim in a
 * main instance, and where there is none, a secondary takes its part in exchanging inputs.
 *
 * All start from the corpus directory. Their finds go there when they have ended, and those of a killed campaign when
 * the next one starts. Seeds run once before: afl-fuzz would skip those that fail.
 */
#include "harness/campaign/engine_afl.h"

#include "harness/case/formats.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    SETTLE_SECONDS = 2, /* a file that old is whole */
    LOCK_SECONDS = 5,   /* a lock that old is nobody's */
    REPLAY_SECONDS = 60 /* for what a process kept and nobody looked at while it ran */
};

/* --------------------------------------------------------------------------------------------------------- findings */

/* A title that nothing else has: "WHAT: INSTANCE/crashes/id:000003,sig:04,...", the end of `path`. */
static void remember_sight(struct campaign_said *said, const char *what, const char *path)
{
    char line[AFL_PATH_SIZE];
    const char *name = path + strlen(path);
    for (int parts = 0; name > path && (parts += name[-1] == '/') < 3;)
        name--;
    const size_t length = (size_t)snprintf(line, sizeof line, "%s: %s", what, name);
    campaign_remember(said, line, length < sizeof line ? length : sizeof line - 1);
}

/* A failing input among the findings. */
struct copied {
    char name[80], path[AFL_PATH_SIZE];
    bool was_there; /* the same one, perhaps written down already */
};

/* Copies it, named as libFuzzer names them. */
static enum harness_status copy_failing(struct campaign *campaign, const struct campaign_job *job, const char *kind,
                                        const char *path, struct copied *copied)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum harness_status status = harness_file_read(path, &bytes, &size, campaign->error);
    if (status != HARNESS_OK)
        return status;
    char hash[40], written[AFL_PATH_SIZE + 8];
    campaign_afl_name_by_content(bytes, size, hash, sizeof hash);
    (void)snprintf(copied->name, sizeof copied->name, "job%u-%s-%s", job->index, kind, hash);
    campaign_afl_join(copied->path, campaign->options->findings, copied->name);
    (void)snprintf(written, sizeof written, "%s.pcb", copied->path);
    copied->was_there = access(copied->path, F_OK) == 0 || access(written, F_OK) == 0;
    status = harness_file_write(copied->path, bytes, size, campaign->error);
    free(bytes);
    return status;
}

/* The same, and what the target says about it. */
static enum harness_status take_failing(struct campaign *campaign, struct campaign_job *job, const char *kind,
                                        const char *path)
{
    struct copied copied;
    enum harness_status status = copy_failing(campaign, job, kind, path, &copied);
    if (status != HARNESS_OK)
        return status;
    struct campaign_said said = { .length = 0 };
    bool failed = false;
    const char *const paths[] = { copied.path };
    status = campaign_replay(campaign, paths, 1, &failed, &said);
    if (status != HARNESS_OK)
        return status;
    if (!failed)
        remember_sight(&said, "picafuzz: the target does not fail on this input alone, but afl-fuzz saw it do so",
                       path);
    return campaign_take_artifact(campaign, &said, copied.name, failed);
}

struct seeds {
    uint64_t files; /* in the corpus, for people to see */
    char paths[CAMPAIGN_REPLAY_BATCH][AFL_PATH_SIZE];
    const char *pointers[CAMPAIGN_REPLAY_BATCH];
    size_t count;
    size_t total;
};

static enum harness_status run_seeds(struct campaign *campaign, struct seeds *seeds)
{
    struct campaign_said said;
    bool failed = false;
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < seeds->count; i++)
        seeds->pointers[i] = seeds->paths[i];
    campaign_show_step(campaign, "running the corpus once", seeds->total, seeds->files);
    if (seeds->count != 0)
        status = campaign_replay(campaign, seeds->pointers, seeds->count, &failed, &said);
    for (size_t i = 0; failed && i < seeds->count && status == HARNESS_OK; i++) {
        status = campaign_replay(campaign, &seeds->pointers[i], 1, &failed, &said);
        if (status == HARNESS_OK && failed)
            status = take_failing(campaign, &campaign->jobs[0], "crash", seeds->paths[i]);
        failed = true;
    }
    seeds->count = 0;
    return status;
}

static enum harness_status collect_seed(struct campaign *campaign, const char *directory, const char *name, void *user)
{
    struct seeds *const seeds = user;
    struct stat file;
    char *const path = seeds->paths[seeds->count];
    campaign_afl_join(path, directory, name);
    if (!campaign_goes_on(campaign) || stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return HARNESS_OK;
    seeds->count++;
    seeds->total++;
    return seeds->count == CAMPAIGN_REPLAY_BATCH ? run_seeds(campaign, seeds) : HARNESS_OK;
}

/* afl-fuzz needs a seed: if there is none, the smallest case. */
static enum harness_status write_seed(const struct campaign *campaign)
{
    char path[AFL_PATH_SIZE];
    campaign_afl_join(path, campaign->options->corpus, "empty.pcb");
    const uint8_t byte = 0;
    return harness_file_write(path, &byte, sizeof byte, campaign->error);
}

static enum harness_status try_seeds(struct campaign *campaign)
{
    struct seeds *const seeds = calloc(1, sizeof *seeds);
    if (seeds == NULL)
        return harness_fail_memory(campaign->error);
    seeds->files = campaign_count_files(campaign->options->corpus, 0);
    enum harness_status status = campaign_try_target(campaign); /* or each seed would look like a finding */
    if (status == HARNESS_OK)
        status = campaign_afl_visit(campaign, campaign->options->corpus, collect_seed, seeds);
    if (status == HARNESS_OK)
        status = run_seeds(campaign, seeds);
    if (status == HARNESS_OK && (seeds->total == 0 || seeds->total == campaign->summary->progress.findings))
        status = write_seed(campaign);
    free(seeds);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- prepare */

static bool is_in_path(const char *program)
{
    const char *directories = getenv("PATH");
    while (directories != NULL && *directories != '\0') {
        const size_t length = strcspn(directories, ":");
        char path[AFL_PATH_SIZE];
        (void)snprintf(path, sizeof path, "%.*s/%s", (int)length, directories, program);
        if (access(path, X_OK) == 0)
            return true;
        directories += length + (directories[length] == ':');
    }
    return false;
}

static enum harness_status check_mutator(const struct campaign *campaign)
{
    const char *const mutator = campaign->options->mutator;
    if (mutator == NULL || access(mutator, R_OK) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: no custom mutator there",
                            mutator != NULL ? mutator : "(no path)");
    if (strpbrk(mutator, ":;,") != NULL)
        return harness_fail(campaign->error, HARNESS_BAD_INPUT,
                            "%s: afl-fuzz takes no custom mutator whose path holds one of : ; ,", mutator);
    return HARNESS_OK;
}

/* afl-fuzz makes it while it looks for a core, for milliseconds. One that is killed then leaves it, and all others
 * would wait for ever. */
static void remove_old_lock(const struct campaign *campaign, bool of_any_age)
{
    char state[AFL_PATH_SIZE], lock[AFL_PATH_SIZE + 24];
    struct stat file;
    campaign_afl_state_directory(campaign, state);
    (void)snprintf(lock, sizeof lock, "%s/.affinity_lock", state);
    if (lstat(lock, &file) == 0 && (of_any_age || difftime(time(NULL), file.st_mtime) > (double)LOCK_SECONDS))
        (void)unlink(lock);
}

static enum harness_status prepare(struct campaign *campaign)
{
    if (!is_in_path("afl-fuzz"))
        return harness_fail(campaign->error, HARNESS_HOST,
                            "afl-fuzz: not found; it is in the Debian package afl++ (apt-get install afl++)");
    enum harness_status status = check_mutator(campaign);
    if (status != HARNESS_OK)
        return status;
    char state[AFL_PATH_SIZE];
    campaign_afl_state_directory(campaign, state);
    if (mkdir(state, 0777) != 0 && errno != EEXIST)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be made: %s", state, strerror(errno));
    remove_old_lock(campaign, true);
    status = campaign_afl_export_all(campaign, true);
    return status == HARNESS_OK ? try_seeds(campaign) : status;
}

/* ------------------------------------------------------------------------------------------------------------- run */

static enum harness_status begin(struct campaign *campaign, struct campaign_job *job)
{
    (void)job;
    remove_old_lock(campaign, false);
    return HARNESS_OK;
}

/* afl-fuzz and its target take turns, so one core is enough for both, and they need not be woken on another. But a
 * backend with threads, or in a process of its own, needs more. */
static bool needs_one_core(const struct campaign *campaign)
{
    return campaign->options->backends.names == NULL && campaign->options->threads == 0;
}

static void set_environment(const char *mutator, bool one_core)
{
    static const char *const settings[][2] = { { "AFL_NO_UI", "1" },
                                               { "AFL_SKIP_CPUFREQ", "1" },
                                               { "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1" },
                                               { "AFL_FAST_CAL", "1" },
                                               { "AFL_SYNC_TIME", "2" },              /* minutes */
                                               { "AFL_FORKSRV_INIT_TMOUT", "30000" }, /* milliseconds */
                                               { "AFL_IGNORE_UNKNOWN_ENVS", "1" } };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        (void)setenv(settings[i][0], settings[i][1], 1);
    (void)setenv(one_core ? "AFL_TRY_AFFINITY" : "AFL_NO_AFFINITY", "1", 1);
    (void)unsetenv(one_core ? "AFL_NO_AFFINITY" : "AFL_TRY_AFFINITY"); /* it ends if it finds both */
    (void)unsetenv("ASAN_OPTIONS");                                    /* afl-fuzz insists on its own */
    (void)unsetenv("UBSAN_OPTIONS");
    (void)unsetenv("AFL_CUSTOM_MUTATOR_LIBRARY");
    if (mutator == NULL)
        return;
    (void)setenv("AFL_CUSTOM_MUTATOR_LIBRARY", mutator, 1);
    (void)setenv("AFL_CUSTOM_MUTATOR_ONLY", "1", 1);
}

struct arguments {
    char *items[32];
    size_t count;
};

static void add(struct arguments *arguments, const char *option, const char *value)
{
    arguments->items[arguments->count++] = (char *)option;
    if (value != NULL)
        arguments->items[arguments->count++] = (char *)value;
}

static void become(struct campaign *campaign, struct campaign_job *job, unsigned seconds)
{
    const struct harness_campaign_options *const options = campaign->options;
    const enum harness_mutation mutation = job->mutation;
    char state[AFL_PATH_SIZE], limit[24], executions[24], timeout[24], length[24], memory[24], seed[24];
    campaign_afl_state_directory(campaign, state);
    (void)snprintf(limit, sizeof limit, "%u", seconds);
    (void)snprintf(timeout, sizeof timeout, "%d+", 1000 * HARNESS_INPUT_TIMEOUT);
    (void)snprintf(length, sizeof length, "%d", HARNESS_MAX_INPUT);
    (void)snprintf(memory, sizeof memory, "%u", campaign_memory(campaign));
    (void)snprintf(seed, sizeof seed, "%u", options->seed + job->index);
    (void)snprintf(executions, sizeof executions, "%llu",
                   (unsigned long long)campaign_executions_left(campaign, job->index));
    set_environment(mutation == HARNESS_MUTATION_STRUCTURE ? options->mutator : NULL, needs_one_core(campaign));
    struct arguments arguments = { { NULL }, 0 };
    add(&arguments, "afl-fuzz", NULL);
    add(&arguments, "-i", options->corpus);
    add(&arguments, "-o", state);
    add(&arguments, "-S", job->name);
    add(&arguments, "-t", timeout);
    add(&arguments, "-G", length);
    if (options->memory_mib != 0)
        add(&arguments, "-m", memory);
    if (seconds != 0)
        add(&arguments, "-V", limit);
    if (options->executions != 0)
        add(&arguments, "-E", executions);
    if (options->seed != 0)
        add(&arguments, "-s", seed);
    if (mutation != HARNESS_MUTATION_STRUCTURE && options->dictionary != NULL)
        add(&arguments, "-x", options->dictionary);
    if (mutation == HARNESS_MUTATION_CMPLOG)
        add(&arguments, "-c", options->cmplog);
    add(&arguments, "--", options->target);
    (void)dup2(STDERR_FILENO, STDOUT_FILENO); /* it says everything there */
    (void)execvp("afl-fuzz", arguments.items);
    fprintf(stderr, "PROGRAM ABORT : afl-fuzz cannot be run: %s\n", strerror(errno));
}

/* Takes out the colours: ESC [ digits and ; m. */
static size_t without_colours(const char *text, char *out, size_t size)
{
    size_t length = 0;
    while (*text != '\0' && length + 1 < size) {
        if (*text == '\033' && text[1] == '[') {
            text += 2;
            text += strspn(text, "0123456789;");
            text += *text != '\0';
        } else {
            out[length++] = *text++;
        }
    }
    out[length] = '\0';
    return length;
}

/* Only why it gave up is worth keeping. */
static void take_line(struct campaign *campaign, struct campaign_job *job, const char *line, size_t length)
{
    (void)campaign;
    (void)length;
    const char *text = strstr(line, "PROGRAM ABORT");
    if (text == NULL)
        text = strstr(line, "SYSTEM ERROR");
    if (text == NULL)
        return;
    char plain[HARNESS_LINE_SIZE];
    job->telling = true;
    campaign_remember(&job->said, plain, without_colours(text, plain, sizeof plain));
}

/* ------------------------------------------------------------------------------------------------------------ look */

enum {
    CRASHES,
    HANGS
};

struct failing {
    struct campaign_job *job;
    unsigned kind;
    bool ended;
    double begun; /* the look */
    size_t found;
    uint64_t total; /* of that kind */
};

/* Is there no time to look at one more? A hang that is run again takes HARNESS_INPUT_TIMEOUT, an emulator has hundreds,
 * and nothing else is done meanwhile. While afl-fuzz runs, what is late is looked at later. */
static bool is_too_late(const struct campaign *campaign, const struct failing *failing)
{
    const bool by_clock = campaign->options->executions == 0;
    if (campaign->asked)
        return true;
    return failing->ended ? by_clock && harness_seconds_now() - failing->begun > (double)REPLAY_SECONDS
                          : failing->kind == HANGS && failing->found != 0;
}

/* It lies among the findings, and the next start there takes it (artifacts.c). */
static enum harness_status leave_failing(struct campaign *campaign, const struct failing *failing, const char *kind,
                                         const char *path)
{
    struct copied copied;
    const enum harness_status status = copy_failing(campaign, failing->job, kind, path, &copied);
    campaign->summary->left += status == HARNESS_OK && !copied.was_there; /* afl-fuzz finds it again in each turn */
    return status;
}

/* "id:000003,sig:04,...": each once, in order, when it is whole. */
static enum harness_status look_at_failing(struct campaign *campaign, const char *directory, const char *name,
                                           void *user)
{
    static const char *const kinds[] = { "crash", "timeout" };
    struct failing *const failing = user;
    char path[AFL_PATH_SIZE];
    struct stat file;
    campaign_afl_join(path, directory, name);
    if (strncmp(name, "id:", 3) != 0 || stat(path, &file) != 0)
        return HARNESS_OK;
    const unsigned number = (unsigned)strtoul(name + 3, NULL, 10);
    if (number < failing->job->next[failing->kind] ||
        (!failing->ended && difftime(time(NULL), file.st_mtime) < (double)SETTLE_SECONDS))
        return HARNESS_OK;
    const bool enough = campaign->summary->progress.findings >= campaign->options->max_findings;
    const bool is_late = is_too_late(campaign, failing);
    if (!failing->ended && (enough || is_late))
        return HARNESS_OK;
    failing->job->next[failing->kind] = number + 1;
    failing->found++;
    if (is_late)
        return leave_failing(campaign, failing, kinds[failing->kind], path);
    campaign_show_step(campaign, "running again what failed", number + 1, failing->total);
    return take_failing(campaign, failing->job, kinds[failing->kind], path);
}

static enum harness_status count_entry(struct campaign *campaign, const char *directory, const char *name, void *user)
{
    (void)campaign;
    (void)directory;
    *(uint64_t *)user += strncmp(name, "id:", 3) == 0;
    return HARNESS_OK;
}

/* The last number of the last whole line of plot_data: edges found. The first line comes after a minute. */
static uint64_t read_edges(const char *directory)
{
    char path[AFL_PATH_SIZE], line[512];
    uint64_t edges = 0;
    campaign_afl_join(path, directory, "plot_data");
    FILE *const file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *const comma = strrchr(line, ',');
        if (line[0] != '#' && comma != NULL && strchr(line, '\n') != NULL)
            edges = strtoull(comma + 1, NULL, 10);
    }
    if (file != NULL)
        (void)fclose(file);
    return edges;
}

static enum harness_status look(struct campaign *campaign, struct campaign_job *job, bool ended, size_t *found)
{
    static const char *const directories[] = { "crashes", "hangs" };
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    const double begun = harness_seconds_now();
    char state[AFL_PATH_SIZE], own[AFL_PATH_SIZE], path[AFL_PATH_SIZE];
    campaign_afl_state_directory(campaign, state);
    campaign_afl_join(own, state, job->name);
    enum harness_status status = HARNESS_OK;
    for (unsigned kind = CRASHES; kind <= HANGS && status == HARNESS_OK; kind++) {
        struct failing failing = { job, kind, ended, begun, 0, 0 };
        campaign_afl_join(path, own, directories[kind]);
        status = campaign_afl_visit(campaign, path, count_entry, &failing.total);
        if (status == HARNESS_OK)
            status = campaign_afl_visit(campaign, path, look_at_failing, &failing);
        *found += failing.found;
    }
    uint64_t corpus = 0;
    campaign_afl_join(path, own, "queue");
    if (status == HARNESS_OK)
        status = campaign_afl_visit(campaign, path, count_entry, &corpus);
    if (corpus != 0)
        campaign_note_work(job); /* it has run its seeds, or it says why it gave up */
    progress->corpus = corpus > progress->corpus ? corpus : progress->corpus;
    const uint64_t edges = read_edges(own);
    progress->edges = edges > progress->edges ? edges : progress->edges;
    return status;
}

static enum harness_status finish(struct campaign *campaign)
{
    return campaign_afl_export_all(campaign, false);
}

const struct campaign_engine campaign_afl = { prepare, begin, become, take_line, look, finish, false, SIGINT };
