#include "harness/findings/campaign.h"

#include "harness/case/formats.h"
#include "harness/findings/filing.h"
#include "harness/run/load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_JOBS = 64,
    LINE_SIZE = 4096,
    SAID_SIZE = 16384,
    ENGINE_TIMEOUT = 25,
    MEMORY_LIMIT_MB = 4096
};

/* One running target. */
struct job {
    pid_t process; /* 0 = not running */
    int output;    /* read end of its stderr */
    unsigned index;
    char line[LINE_SIZE];
    size_t line_length;
    char said[SAID_SIZE]; /* the last lines that are not progress: why it died */
    size_t said_length;
    bool leftover; /* not a job: stands for one of a campaign that was killed */
    bool telling;  /* something other than progress was said: from here on keep everything */
};

struct campaign {
    const struct harness_campaign_options *options;
    struct harness_campaign_summary *summary;
    struct harness_error *error;
    struct harness_pair_statistics *statistics; /* [jobs], in the shared file */
    char statistics_path[64];
    struct job jobs[MAX_JOBS];
    double start;
    unsigned starts;
};

static double seconds_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ------------------------------------------------------------------------------------------------------ statistics */

static enum harness_status open_statistics(struct campaign *campaign)
{
    (void)snprintf(campaign->statistics_path, sizeof campaign->statistics_path, "/tmp/picafuzz-XXXXXX");
    const int file = mkstemp(campaign->statistics_path);
    const size_t size = MAX_JOBS * sizeof *campaign->statistics;
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        (void)close(file);
    if (memory == MAP_FAILED)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be made: %s", campaign->statistics_path,
                            strerror(errno));
    campaign->statistics = memory;
    return HARNESS_OK;
}

static void close_statistics(struct campaign *campaign)
{
    if (campaign->statistics != NULL)
        (void)munmap(campaign->statistics, MAX_JOBS * sizeof *campaign->statistics);
    (void)unlink(campaign->statistics_path);
}

static void sum_statistics(struct campaign *campaign)
{
    struct harness_pair_statistics sum = { 0 };
    for (unsigned i = 0; i < campaign->options->jobs; i++) {
        const struct harness_pair_statistics *const one = &campaign->statistics[i];
        sum.executions += one->executions;
        sum.decode_ns += one->decode_ns;
        sum.reset_ns += one->reset_ns;
        sum.reference_ns += one->reference_ns;
        sum.fast_ns += one->fast_ns;
        sum.compare_ns += one->compare_ns;
    }
    campaign->summary->statistics = sum;
    campaign->summary->progress.executions = sum.executions;
    campaign->summary->progress.elapsed = seconds_now() - campaign->start;
}

/* ------------------------------------------------------------------------------------------------ the engine's text */

/* The number after "NAME: " in a progress line, or 0. */
static uint64_t number_after(const char *line, const char *name)
{
    const char *const found = strstr(line, name);
    return found != NULL ? strtoull(found + strlen(name), NULL, 10) : 0;
}

static void keep_largest(uint64_t *value, uint64_t seen)
{
    if (seen > *value)
        *value = seen;
}

static void remember(struct job *job, const char *line, size_t length)
{
    if (job->said_length + length + 2 > sizeof job->said)
        return;
    memcpy(job->said + job->said_length, line, length);
    job->said_length += length;
    job->said[job->said_length++] = '\n';
    job->said[job->said_length] = '\0';
}

/* "#1234	NEW    cov: 56 ft: 78 corp: 9/10b lim: 11 exec/s: 12 rss: 13Mb ..." is progress; "INFO: ..." is chatter. */
static void take_line(struct campaign *campaign, struct job *job)
{
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    job->line[job->line_length] = '\0';
    if (job->line[0] == '#' && !job->telling) {
        keep_largest(&progress->edges, number_after(job->line, "cov: "));
        keep_largest(&progress->features, number_after(job->line, "ft: "));
        keep_largest(&progress->corpus, number_after(job->line, "corp: "));
    } else if (job->telling || strncmp(job->line, "picafuzz:", 9) == 0 || strstr(job->line, "ERROR:") != NULL ||
               strstr(job->line, "runtime error:") != NULL) {
        job->telling = true;
        remember(job, job->line, job->line_length);
    }
    job->line_length = 0;
}

/* False at the end of the target's output. */
static bool read_output(struct campaign *campaign, struct job *job)
{
    char bytes[LINE_SIZE];
    const ssize_t count = read(job->output, bytes, sizeof bytes);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN;
    for (ssize_t i = 0; i < count; i++) {
        if (bytes[i] == '\n')
            take_line(campaign, job);
        else if (job->line_length + 1 < sizeof job->line)
            job->line[job->line_length++] = bytes[i];
    }
    return count > 0;
}

/* -------------------------------------------------------------------------------------------------------- processes */

static void become_target(const struct campaign *campaign, const struct job *job, int output, unsigned seconds)
{
    const struct harness_campaign_options *const options = campaign->options;
    char limit[48], prefix[HARNESS_CAMPAIGN_PATH_SIZE + 32], length[32], timeout[32], memory[32], seed[32], index[16];
    (void)snprintf(limit, sizeof limit, "-max_total_time=%u", seconds);
    (void)snprintf(prefix, sizeof prefix, "-artifact_prefix=%s/job%u-", options->findings, job->index);
    (void)snprintf(length, sizeof length, "-max_len=%d", HARNESS_CAMPAIGN_MAX_INPUT);
    (void)snprintf(timeout, sizeof timeout, "-timeout=%d", ENGINE_TIMEOUT);
    (void)snprintf(memory, sizeof memory, "-rss_limit_mb=%d", MEMORY_LIMIT_MB);
    (void)snprintf(seed, sizeof seed, "-seed=%u", options->seed == 0 ? 0 : options->seed + campaign->starts);
    (void)snprintf(index, sizeof index, "%u", job->index);
    (void)setenv("PICAFUZZ_STATISTICS", campaign->statistics_path, 1);
    (void)setenv("PICAFUZZ_JOB", index, 1);
    const int null = open("/dev/null", O_RDWR);
    (void)dup2(null, STDIN_FILENO);
    (void)dup2(null, STDOUT_FILENO);
    (void)dup2(output, STDERR_FILENO);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody collects what it finds once this program is gone */
    (void)setpgid(0, 0);                    /* Ctrl-C reaches this program, which then stops the targets */
    char *const arguments[] = { (char *)options->target,
                                limit,
                                prefix,
                                length,
                                timeout,
                                memory,
                                seed,
                                (char *)"-detect_leaks=0",
                                (char *)"-reload=1",
                                (char *)options->corpus,
                                NULL };
    (void)execv(options->target, arguments);
    fprintf(stderr, "picafuzz: %s: cannot be run: %s\n", options->target, strerror(errno));
    _exit(127);
}

static enum harness_status start_job(struct campaign *campaign, struct job *job, unsigned seconds)
{
    int ends[2];
    if (pipe(ends) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "pipe: %s", strerror(errno));
    const unsigned index = job->index;
    memset(job, 0, sizeof *job);
    job->index = index;
    campaign->starts++;
    const pid_t process = fork();
    if (process == 0) {
        (void)close(ends[0]);
        become_target(campaign, job, ends[1], seconds);
    }
    (void)close(ends[1]);
    if (process < 0) {
        (void)close(ends[0]);
        return harness_fail(campaign->error, HARNESS_HOST, "fork: %s", strerror(errno));
    }
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    job->process = process;
    job->output = ends[0];
    return HARNESS_OK;
}

static unsigned running_jobs(const struct campaign *campaign)
{
    unsigned count = 0;
    for (unsigned i = 0; i < campaign->options->jobs; i++)
        count += campaign->jobs[i].process != 0;
    return count;
}

static void stop_jobs(struct campaign *campaign)
{
    for (unsigned i = 0; i < campaign->options->jobs; i++)
        if (campaign->jobs[i].process != 0)
            (void)kill(campaign->jobs[i].process, SIGINT);
}

/* -------------------------------------------------------------------------------------------------------- findings */

/* Are two titles of one kind? Counts, addresses and values differ from case to case: digits do not count. */
static bool same_kind(const char *a, const char *b)
{
    static const char digits[] = "0123456789ABCDEFx";
    for (;;) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b)
            return false;
        if (*a == '\0')
            return true;
        a++;
        b++;
    }
}

static bool title_known(const struct harness_campaign_summary *summary, const char *title)
{
    for (size_t i = 0; i < summary->progress.findings; i++)
        if (same_kind(summary->findings[i].title, title))
            return true;
    return false;
}

/* What the target said first. */
static void make_title(const struct job *job, char *title, size_t size)
{
    const char *text = job->said;
    if (strncmp(text, "picafuzz: reference and fast differ\n", 36) == 0)
        text += 36;
    (void)snprintf(title, size, "%.*s", (int)strcspn(text, "\n"), text);
    if (title[0] == '\0')
        (void)snprintf(title, size, "the target died without a word");
}

/* A failing input that lies in the corpus would end every later start of the target at once: it leaves the corpus. */
static enum harness_status drop_from_corpus(const struct campaign *campaign, const uint8_t *bytes, size_t size)
{
    DIR *const directory = opendir(campaign->options->corpus);
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->corpus, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(directory)) != NULL;) {
        char path[HARNESS_CAMPAIGN_PATH_SIZE];
        struct stat file;
        (void)snprintf(path, sizeof path, "%s/%s", campaign->options->corpus, entry->d_name);
        if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || (size_t)file.st_size != size)
            continue;
        uint8_t *other = NULL;
        size_t other_size = 0;
        status = harness_file_read(path, &other, &other_size, campaign->error);
        if (status == HARNESS_OK && other_size == size && memcmp(other, bytes, size) == 0)
            (void)unlink(path);
        free(other);
    }
    (void)closedir(directory);
    return status;
}

/* CASE.pcb as the engine left it -> CASE.pcb with the limits it ran under, CASE.pcase, CASE.txt. */
static enum harness_status write_finding(struct campaign *campaign, const struct job *job, const char *artifact)
{
    struct harness_error *const error = campaign->error;
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum harness_status status = harness_file_read(artifact, &bytes, &size, error);
    struct harness_case *const test_case = harness_case_create();
    if (status == HARNESS_OK && (test_case == NULL || !harness_pcb_decode(test_case, bytes, size)))
        status = harness_fail_memory(error);
    char path[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    if (status == HARNESS_OK) {
        harness_bound_case(test_case);
        (void)snprintf(path, sizeof path, "%s.pcb", artifact);
        status = harness_case_save_file(test_case, path, error);
    }
    if (status == HARNESS_OK) {
        (void)snprintf(path, sizeof path, "%s.txt", artifact);
        status = harness_file_write(path, job->said, job->said_length, error);
    }
    if (status == HARNESS_OK) {
        (void)snprintf(path, sizeof path, "%s.pcase", artifact);
        status = harness_case_save_file(test_case, path, error);
    }
    if (status == HARNESS_OK)
        (void)unlink(artifact);
    harness_case_destroy(test_case);
    free(bytes);
    return status;
}

/* From the findings directory to the bucket's. */
static enum harness_status file_artifact(struct campaign *campaign, const char *artifact, const char *name, char *path,
                                         bool *duplicate)
{
    const struct harness_filing filing = { .findings = campaign->options->findings,
                                           .name = name,
                                           .seconds = campaign->options->reduce_seconds };
    char found[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    *duplicate = false;
    (void)snprintf(path, HARNESS_CAMPAIGN_PATH_SIZE, "%.*s.pcase", HARNESS_CAMPAIGN_PATH_SIZE - 8, artifact);
    if (filing.seconds == 0)
        return HARNESS_OK;
    (void)snprintf(found, sizeof found, "%s.pcb", artifact);
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case != NULL
                                     ? harness_case_load_file(test_case, found, NULL, NULL, campaign->error)
                                     : harness_fail_memory(campaign->error);
    if (status == HARNESS_OK)
        status = harness_file_finding(&filing, test_case, path, HARNESS_CAMPAIGN_PATH_SIZE, duplicate, campaign->error);
    harness_case_destroy(test_case);
    return status;
}

static enum harness_status take_artifact(struct campaign *campaign, const struct job *job, const char *name)
{
    struct harness_campaign_summary *const summary = campaign->summary;
    char artifact[HARNESS_CAMPAIGN_PATH_SIZE];
    (void)snprintf(artifact, sizeof artifact, "%s/%s", campaign->options->findings, name);
    char title[sizeof summary->findings[0].title];
    make_title(job, title, sizeof title);
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum harness_status status = harness_file_read(artifact, &bytes, &size, campaign->error);
    if (status == HARNESS_OK)
        status = drop_from_corpus(campaign, bytes, size);
    free(bytes);
    if (status == HARNESS_OK && !job->leftover && title_known(summary, title)) {
        summary->progress.duplicates++;
        return unlink(artifact) == 0 ? HARNESS_OK
                                     : harness_fail(campaign->error, HARNESS_HOST, "%s: %s", artifact, strerror(errno));
    }
    bool duplicate = false;
    char path[HARNESS_CAMPAIGN_PATH_SIZE];
    if (status == HARNESS_OK)
        status = write_finding(campaign, job, artifact);
    if (status == HARNESS_OK)
        status = file_artifact(campaign, artifact, name, path, &duplicate);
    if (status != HARNESS_OK || summary->progress.findings == HARNESS_CAMPAIGN_MAX_FINDINGS)
        return status;
    summary->progress.duplicates += duplicate;
    if (duplicate)
        return HARNESS_OK;
    struct harness_campaign_finding *const finding = &summary->findings[summary->progress.findings++];
    (void)snprintf(finding->title, sizeof finding->title, "%s", title);
    (void)snprintf(finding->path, sizeof finding->path, "%s", path);
    return HARNESS_OK;
}

/* The engine's name for a failing input: "job0-crash-SHA1", also timeout, oom, leak, slow-unit. */
static bool is_artifact(const char *name, unsigned job)
{
    static const char *const kinds[] = { "crash-", "timeout-", "oom-", "leak-" };
    char prefix[32];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        (void)snprintf(prefix, sizeof prefix, "job%u-%s", job, kinds[i]);
        if (strncmp(name, prefix, strlen(prefix)) == 0 && strchr(name, '.') == NULL)
            return true;
    }
    return false;
}

static enum harness_status collect_artifacts(struct campaign *campaign, const struct job *job, size_t *found)
{
    DIR *const directory = opendir(campaign->options->findings);
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->findings, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(directory)) != NULL;) {
        if (!is_artifact(entry->d_name, job->index))
            continue;
        (*found)++;
        status = take_artifact(campaign, job, entry->d_name);
    }
    (void)closedir(directory);
    return status;
}

/* "job0-crash-SHA1.pcb" in the findings directory itself: written down, but not filed. */
static bool is_unfiled(const char *name)
{
    const char *const dot = strrchr(name, '.');
    return strncmp(name, "job", 3) == 0 && dot != NULL && strcmp(dot, ".pcb") == 0;
}

static enum harness_status file_leftovers(struct campaign *campaign)
{
    DIR *const directory = opendir(campaign->options->findings);
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->findings, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(directory)) != NULL;) {
        char artifact[HARNESS_CAMPAIGN_PATH_SIZE], path[HARNESS_CAMPAIGN_PATH_SIZE], name[sizeof entry->d_name];
        bool duplicate = false;
        if (!is_unfiled(entry->d_name))
            continue;
        (void)snprintf(name, sizeof name, "%.*s", (int)(strlen(entry->d_name) - strlen(".pcb")), entry->d_name);
        (void)snprintf(artifact, sizeof artifact, "%s/%s", campaign->options->findings, name);
        status = file_artifact(campaign, artifact, name, path, &duplicate);
    }
    (void)closedir(directory);
    return status;
}

/* What an earlier campaign in this directory found but was killed before it could write it down or file it. */
static enum harness_status take_leftovers(struct campaign *campaign)
{
    static const char said[] = "found by a campaign that was killed before it could say more";
    enum harness_status status = HARNESS_OK;
    for (unsigned i = 0; i < MAX_JOBS && status == HARNESS_OK; i++) {
        struct job job = { .index = i, .leftover = true };
        size_t found = 0;
        remember(&job, said, strlen(said));
        status = collect_artifacts(campaign, &job, &found);
    }
    if (status == HARNESS_OK && campaign->options->reduce_seconds != 0)
        status = file_leftovers(campaign);
    return status;
}

/* A target ended: by its time limit, by our wish, or on a finding. */
static enum harness_status finish_job(struct campaign *campaign, struct job *job)
{
    int code = 0;
    while (waitpid(job->process, &code, 0) < 0 && errno == EINTR) {
    }
    (void)close(job->output);
    job->process = 0;
    size_t found = 0;
    const enum harness_status status = collect_artifacts(campaign, job, &found);
    if (status != HARNESS_OK || found != 0 || (WIFEXITED(code) && WEXITSTATUS(code) == 0) || !job->telling)
        return status;
    return harness_fail(campaign->error, HARNESS_HOST, "the target %s ended without a finding; it said: %s",
                        campaign->options->target, job->said);
}

/* --------------------------------------------------------------------------------------------------------- the loop */

static enum harness_status poll_jobs(struct campaign *campaign, int milliseconds)
{
    struct pollfd descriptors[MAX_JOBS];
    struct job *owners[MAX_JOBS];
    nfds_t count = 0;
    for (unsigned i = 0; i < campaign->options->jobs; i++) {
        if (campaign->jobs[i].process == 0)
            continue;
        owners[count] = &campaign->jobs[i];
        descriptors[count++] = (struct pollfd){ .fd = campaign->jobs[i].output, .events = POLLIN };
    }
    if (poll(descriptors, count, milliseconds) <= 0)
        return HARNESS_OK;
    for (nfds_t i = 0; i < count; i++) {
        if (descriptors[i].revents == 0 || read_output(campaign, owners[i]))
            continue;
        const enum harness_status status = finish_job(campaign, owners[i]);
        if (status != HARNESS_OK)
            return status;
    }
    return HARNESS_OK;
}

/* Seconds that a target started now may run: 0 = without end, -1 = too late to start one. */
static long time_left(const struct campaign *campaign)
{
    if (campaign->options->seconds == 0)
        return 0;
    const double left = campaign->options->seconds - (seconds_now() - campaign->start);
    return left >= 1.0 ? (long)(left + 0.5) : -1;
}

static enum harness_status start_idle_jobs(struct campaign *campaign)
{
    const long left = time_left(campaign);
    if (left < 0 || campaign->summary->progress.findings >= campaign->options->max_findings)
        return HARNESS_OK;
    for (unsigned i = 0; i < campaign->options->jobs; i++) {
        if (campaign->jobs[i].process != 0)
            continue;
        campaign->jobs[i].index = i;
        const enum harness_status status = start_job(campaign, &campaign->jobs[i], (unsigned)left);
        if (status != HARNESS_OK)
            return status;
    }
    return HARNESS_OK;
}

static enum harness_status loop(struct campaign *campaign, harness_campaign_watcher watcher, void *user)
{
    bool stopping = false;
    double next_report = 0.0;
    enum harness_status status = start_idle_jobs(campaign);
    while (status == HARNESS_OK && running_jobs(campaign) != 0) {
        status = poll_jobs(campaign, 200);
        sum_statistics(campaign);
        if (campaign->summary->progress.elapsed >= next_report) {
            next_report = campaign->summary->progress.elapsed + 1.0;
            if (!watcher(user, &campaign->summary->progress) && !stopping) {
                stopping = true;
                stop_jobs(campaign);
            }
        }
        if (status == HARNESS_OK && !stopping)
            status = start_idle_jobs(campaign);
    }
    stop_jobs(campaign); /* after host trouble */
    return status;
}

enum harness_status harness_campaign_run(const struct harness_campaign_options *options,
                                         harness_campaign_watcher watcher, void *user,
                                         struct harness_campaign_summary *summary, struct harness_error *error)
{
    memset(summary, 0, sizeof *summary);
    struct campaign *const campaign = calloc(1, sizeof *campaign);
    if (campaign == NULL)
        return harness_fail_memory(error);
    campaign->options = options;
    campaign->summary = summary;
    campaign->error = error;
    campaign->start = seconds_now();
    enum harness_status status = open_statistics(campaign);
    if (status == HARNESS_OK)
        status = take_leftovers(campaign);
    if (status == HARNESS_OK)
        status = loop(campaign, watcher, user);
    if (campaign->statistics != NULL)
        sum_statistics(campaign);
    close_statistics(campaign);
    free(campaign);
    return status;
}

enum harness_status harness_campaign_add_seed(const struct harness_campaign_options *options, const char *path,
                                              struct harness_error *error)
{
    const char *const slash = strrchr(path, '/');
    char output[HARNESS_CAMPAIGN_PATH_SIZE];
    (void)snprintf(output, sizeof output, "%s/%s.pcb", options->corpus, slash != NULL ? slash + 1 : path);
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(HARNESS_CAMPAIGN_MAX_INPUT);
    enum harness_status status =
        test_case == NULL || bytes == NULL ? harness_fail_memory(error) : harness_load(test_case, path, NULL, error);
    size_t size = 0;
    if (status == HARNESS_OK) {
        harness_bound_case(test_case);
        status = harness_pcb_encode(test_case, bytes, HARNESS_CAMPAIGN_MAX_INPUT, &size, error);
    }
    if (status == HARNESS_OK)
        status = harness_file_write(output, bytes, size, error);
    free(bytes);
    harness_case_destroy(test_case);
    return status;
}
