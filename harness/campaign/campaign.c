#include "harness/campaign/campaign.h"

#include "harness/campaign/campaign_parts.h"
#include "harness/campaign/peeling.h"
#include "harness/case/formats.h"
#include "harness/case/temporary.h"
#include "harness/run/child.h"
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
#include <unistd.h>
#include <xxhash.h>

enum {
    PATIENCE_SECONDS = 15, /* from asking an engine to end to killing it */
    MAX_READS = 64         /* at once of what a job says: more than a pipe holds */
};

/* ------------------------------------------------------------------------------------------------------ statistics */

static enum harness_status open_statistics(struct campaign *campaign)
{
    struct harness_text name;
    harness_text_init(&name);
    harness_temporary_name(&name, "/tmp/picafuzz");
    (void)snprintf(campaign->statistics_path, sizeof campaign->statistics_path, "%s", harness_text_string(&name));
    harness_text_free(&name);
    const int file = mkstemp(campaign->statistics_path);
    const size_t size = CAMPAIGN_MAX_JOBS * sizeof *campaign->statistics;
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
        (void)munmap(campaign->statistics, CAMPAIGN_MAX_JOBS * sizeof *campaign->statistics);
    if (campaign->statistics_path[0] != '\0')
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
        sum.first_ns += one->first_ns;
        sum.others_ns += one->others_ns;
        sum.compare_ns += one->compare_ns;
        sum.not_tested += one->not_tested;
        sum.differing += one->differing;
        sum.forced += one->forced;
        sum.tolerated += one->tolerated;
        sum.avoided += one->avoided;
        sum.unstable += one->unstable;
        for (size_t k = 0; k < HARNESS_PAIR_CAUSES; k++)
            sum.known[k] += one->known[k];
        sum.mutations += one->mutations;
        sum.crossovers += one->crossovers;
        sum.trims += one->trims;
        sum.trims_kept += one->trims_kept;
    }
    campaign->summary->statistics = sum;
    campaign->summary->progress.executions = sum.executions;
    campaign->summary->progress.elapsed = harness_seconds_now() - campaign->start;
}

/* ----------------------------------------------------------------------------------------- what kills left behind */

/* The findings directory and its buckets. */
static void clean_findings(const char *directory)
{
    DIR *const opened = opendir(directory);
    (void)harness_temporary_clean(directory, HARNESS_TEMPORARY_FILE);
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        char path[HARNESS_CAMPAIGN_PATH_SIZE + 256];
        (void)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] != '.')
            (void)harness_temporary_clean(path, HARNESS_TEMPORARY_FILE); /* there are none if that is not a directory */
    }
    if (opened != NULL)
        (void)closedir(opened);
}

static void clean_temporaries(const struct harness_campaign_options *options)
{
    (void)harness_temporary_clean("/tmp", "picafuzz");
    (void)harness_temporary_clean(options->corpus, HARNESS_TEMPORARY_FILE);
    clean_findings(options->findings);
}

/* -------------------------------------------------------------------------------------------------------- processes */

static const struct campaign_engine *engine_of(const struct campaign *campaign)
{
    switch (campaign->options->engine) {
    case HARNESS_ENGINE_LIBFUZZER: return &campaign_libfuzzer;
    case HARNESS_ENGINE_AFL: return &campaign_afl;
    }
    return &campaign_libfuzzer; /* not reached */
}

static void take_line(void *user, const char *line, size_t length)
{
    struct campaign_job *const job = user;
    engine_of(job->campaign)->take_line(job->campaign, job, line, length);
}

/* How engines and targets begin. Ctrl-C reaches only this program, which then stops the engine; if this program is
 * killed, the engine stops too. */
static const struct harness_child_setup child_setup = { .group = true, .silent = true, .death_signal = SIGTERM };

static void set_or_not(const char *name, const char *value)
{
    if (value != NULL)
        (void)setenv(name, value, 1);
    else
        (void)unsetenv(name); /* what the user's shell has is not for this campaign */
}

/* What a target is told beside its arguments, which are the engine's. */
static void tell_target(const struct campaign *campaign)
{
    const struct harness_campaign_options *const options = campaign->options;
    char plain[16];
    (void)snprintf(plain, sizeof plain, "%u", options->plain);
    set_or_not("PICAFUZZ_BACKENDS", options->backends.names);
    set_or_not("PICAFUZZ_ONLY", options->backends.only);
    set_or_not("PICAFUZZ_IGNORE", options->backends.ignore);
    set_or_not("PICAFUZZ_QUIRKS", options->backends.quirks_path);
    set_or_not("PICAFUZZ_FORCE", options->backends.force);
    set_or_not("PICAFUZZ_PEEL", campaign->peel_path[0] != '\0' ? campaign->peel_path : NULL);
    set_or_not("PICAFUZZ_PLAIN", options->plain != 0 ? plain : NULL);
}

/* Of the whole number each job gets its part, and goes on counting where the process before it died. */
static uint64_t share_of(const struct campaign *campaign, unsigned index)
{
    const uint64_t executions = campaign->options->executions;
    return executions / campaign->options->jobs + (index < executions % campaign->options->jobs);
}

uint64_t campaign_executions_left(const struct campaign *campaign, unsigned index)
{
    const uint64_t share = share_of(campaign, index), done = campaign->statistics[index].executions;
    return campaign->spent[index] || done >= share ? 0 : share - done;
}

static int become_engine(void *user)
{
    struct campaign_job *const job = user;
    char index[16], share[24];
    (void)snprintf(index, sizeof index, "%u", job->index);
    (void)setenv("PICAFUZZ_STATISTICS", job->campaign->statistics_path, 1);
    (void)setenv("PICAFUZZ_JOB", index, 1);
    (void)snprintf(share, sizeof share, "%llu", (unsigned long long)share_of(job->campaign, job->index));
    set_or_not("PICAFUZZ_EXECUTIONS", job->campaign->options->executions != 0 ? share : NULL);
    tell_target(job->campaign);
    engine_of(job->campaign)->become(job->campaign, job, job->seconds);
    return HARNESS_CHILD_NOT_RUN;
}

static void close_output(struct campaign_job *job)
{
    if (job->output >= 0)
        (void)close(job->output);
    job->output = -1;
}

static enum harness_status start_job(struct campaign *campaign, unsigned index, unsigned seconds)
{
    struct campaign_job *const job = &campaign->jobs[index];
    struct harness_child_setup setup = child_setup;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "pipe: %s", strerror(errno));
    memset(job, 0, sizeof *job);
    job->campaign = campaign;
    job->index = index;
    job->seconds = seconds;
    job->output = ends[0];
    setup.said = ends[1];
    campaign->starts++;
    const bool started = harness_child_start(&job->child, &setup, become_engine, job);
    const int trouble = errno;
    (void)close(ends[1]);
    if (started)
        return HARNESS_OK;
    (void)close(ends[0]);
    return harness_fail(campaign->error, HARNESS_HOST, "fork: %s", strerror(trouble));
}

static unsigned running_jobs(const struct campaign *campaign)
{
    unsigned count = 0;
    for (unsigned i = 0; i < campaign->options->jobs; i++)
        count += campaign->jobs[i].child.process != 0;
    return count;
}

/* An engine gets time to write what it has and to exit; one that does not is killed with all that it started. One
 * that is saying why it fails exits by itself, and would lose the failing input if it were disturbed. */
static void stop_jobs(struct campaign *campaign)
{
    const bool kill_now = campaign->stopping && harness_seconds_now() >= campaign->kill_at;
    if (campaign->stopping && !kill_now)
        return;
    for (unsigned i = 0; i < campaign->options->jobs; i++) {
        const struct campaign_job *const job = &campaign->jobs[i];
        if (job->child.process != 0 && (kill_now || !job->telling))
            harness_child_stop(&job->child, kill_now);
    }
    if (!campaign->stopping)
        campaign->kill_at = harness_seconds_now() + (double)PATIENCE_SECONDS;
    campaign->stopping = true;
}

void campaign_show_step(struct campaign *campaign, const char *step, uint64_t done, uint64_t total)
{
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    const double now = harness_seconds_now();
    if (done != 0 && done != total && now < campaign->next_step)
        return;
    campaign->next_step = now + 0.2;
    progress->step = step;
    progress->step_done = done;
    progress->step_total = total;
    (void)campaign->watcher(campaign->user, progress);
    progress->step = NULL;
}

/* "exit code 1" or "signal 9". */
static void describe_end(struct harness_child_end end, char *out, size_t size)
{
    (void)snprintf(out, size, "%s %d", end.how == HARNESS_CHILD_EXITED ? "exit code" : "signal", end.number);
}

/* A job ended without a finding and without being asked to. A target that has worked is started again (it may have been
 * killed for memory); one that never did, or an engine that is not started again, would make an empty campaign. */
static enum harness_status judge_end(const struct campaign *campaign, const struct campaign_job *job,
                                     struct harness_child_end end)
{
    char how[32];
    describe_end(end, how, sizeof how);
    if (job->telling && !harness_child_is_good(end))
        return harness_fail(campaign->error, HARNESS_HOST, "the target %s ended without a finding; it said: %s",
                            campaign->options->target, job->said.text);
    if (!campaign_goes_on(campaign) || (job->worked && engine_of(campaign)->restarts))
        return HARNESS_OK;
    if (!job->worked)
        return harness_fail(campaign->error, HARNESS_HOST, "the target %s executed nothing and ended with %s",
                            campaign->options->target, how);
    if (harness_child_is_good(end))
        return HARNESS_OK;
    return harness_fail(campaign->error, HARNESS_HOST, "the engine of job %u ended with %s, and was not asked to",
                        job->index, how);
}

/* A process ended: by its time limit, by our wish, or on a finding. Processes that it started are killed. */
static enum harness_status finish_job(struct campaign *campaign, struct campaign_job *job)
{
    harness_child_stop(&job->child, true);
    const struct harness_child_end end = harness_child_wait(&job->child);
    close_output(job);
    size_t found = 0;
    const enum harness_status status = engine_of(campaign)->look(campaign, job, true, &found);
    campaign->spent[job->index] = found == 0 && harness_child_is_good(end) && campaign->options->executions != 0;
    const bool ended_by_finding = found != 0 && engine_of(campaign)->restarts;
    return status != HARNESS_OK || ended_by_finding ? status : judge_end(campaign, job, end);
}

/* ----------------------------------------------------------------------------------------------------------- replay */

struct replay {
    const struct campaign *campaign;
    const char *const *paths;
    size_t count;
};

static int become_replay(void *user)
{
    const struct replay *const replay = user;
    char *arguments[CAMPAIGN_REPLAY_BATCH + 2] = { (char *)replay->campaign->options->target };
    for (size_t i = 0; i < replay->count && i < CAMPAIGN_REPLAY_BATCH; i++)
        arguments[1 + i] = (char *)replay->paths[i];
    (void)setenv("PICAFUZZ_JOB", "0", 1);
    (void)unsetenv("PICAFUZZ_STATISTICS"); /* not part of the campaign's speed */
    (void)unsetenv("PICAFUZZ_EXECUTIONS");
    tell_target(replay->campaign);
    (void)unsetenv("PICAFUZZ_PEEL"); /* it is to say what happens */
    (void)execv(replay->campaign->options->target, arguments);
    return HARNESS_CHILD_NOT_RUN;
}

static void remember_line(void *user, const char *line, size_t length)
{
    campaign_remember(user, line, length);
}

enum harness_status campaign_replay(struct campaign *campaign, const char *const *paths, size_t count, bool *failed,
                                    struct campaign_said *said)
{
    static const char hang[] = "picafuzz: the target does not end: stopped";
    struct replay replay = { campaign, paths, count };
    struct harness_child_end end;
    memset(said, 0, sizeof *said);
    if (!harness_child_run(&child_setup, become_replay, &replay, (double)HARNESS_INPUT_TIMEOUT + (double)count,
                           remember_line, said, &end))
        return harness_fail(campaign->error, HARNESS_HOST, "fork: %s", strerror(errno));
    if (end.how == HARNESS_CHILD_TIMED_OUT)
        campaign_remember(said, hang, sizeof hang - 1);
    *failed = !harness_child_is_good(end);
    if (end.how == HARNESS_CHILD_EXITED && end.number == HARNESS_CHILD_NOT_RUN)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be run", campaign->options->target);
    return HARNESS_OK;
}

/* --------------------------------------------------------------------------------------------------------- the loop */

/* What a job has said until now. End of file by itself does not mean that the job ended, and what it left (the fork
 * server of an afl-fuzz that was killed) may hold the descriptor long after. */
static void hear_job(struct campaign_job *job)
{
    struct pollfd ready = { .fd = job->output, .events = POLLIN };
    for (int reads = 0; reads < MAX_READS && job->output >= 0 && poll(&ready, 1, 0) > 0; reads++)
        if (!harness_lines_read(&job->lines, job->output, take_line, job))
            close_output(job);
}

/* Waits until one of them says something, or for so many milliseconds. */
static void wait_for_jobs(const struct campaign *campaign, int milliseconds)
{
    struct pollfd descriptors[CAMPAIGN_MAX_JOBS];
    nfds_t count = 0;
    for (unsigned i = 0; i < campaign->options->jobs; i++)
        if (campaign->jobs[i].child.process != 0)
            descriptors[count++] = (struct pollfd){ .fd = campaign->jobs[i].output, .events = POLLIN };
    (void)poll(descriptors, count, milliseconds);
}

static enum harness_status poll_jobs(struct campaign *campaign, int milliseconds)
{
    wait_for_jobs(campaign, milliseconds);
    for (unsigned i = 0; i < campaign->options->jobs; i++) {
        struct campaign_job *const job = &campaign->jobs[i];
        if (job->child.process == 0)
            continue;
        const bool ended = harness_child_has_ended(&job->child); /* asked before: what it said last is there now */
        hear_job(job);
        const enum harness_status status = ended ? finish_job(campaign, job) : HARNESS_OK;
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
    const double left = campaign->options->seconds - (harness_seconds_now() - campaign->start);
    return left >= 0.5 ? (long)(left + 0.5) : -1; /* a second has begun when the first one starts */
}

void campaign_note_work(struct campaign_job *job)
{
    job->worked = job->campaign->worked = true;
}

static bool has_executions(const struct campaign *campaign, unsigned index)
{
    return campaign->options->executions == 0 || campaign_executions_left(campaign, index) != 0;
}

bool campaign_goes_on(const struct campaign *campaign)
{
    bool some = false;
    for (unsigned i = 0; i < campaign->options->jobs; i++)
        some = some || has_executions(campaign, i);
    return some && !campaign->stopping && time_left(campaign) >= 0 &&
           campaign->summary->progress.findings < campaign->options->max_findings;
}

static enum harness_status start_idle_jobs(struct campaign *campaign)
{
    if (!campaign_goes_on(campaign))
        return HARNESS_OK;
    const bool first = campaign->starts == 0;
    enum harness_status status = HARNESS_OK;
    for (unsigned i = 0; i < campaign->options->jobs && status == HARNESS_OK; i++)
        if (campaign->jobs[i].child.process == 0 && (first || engine_of(campaign)->restarts) &&
            has_executions(campaign, i))
            status = start_job(campaign, i, (unsigned)time_left(campaign));
    return status;
}

static enum harness_status look_at_jobs(struct campaign *campaign)
{
    enum harness_status status = HARNESS_OK;
    size_t found = 0;
    for (unsigned i = 0; i < campaign->options->jobs && status == HARNESS_OK; i++)
        if (campaign->jobs[i].child.process != 0)
            status = engine_of(campaign)->look(campaign, &campaign->jobs[i], false, &found);
    return status;
}

/* Once a second. */
static enum harness_status report(struct campaign *campaign)
{
    enum harness_status status = look_at_jobs(campaign);
    if (status == HARNESS_OK)
        status = campaign_check_files(campaign, false);
    const bool enough = campaign->summary->progress.findings >= campaign->options->max_findings;
    const bool late =
        campaign->options->seconds != 0 && campaign->summary->progress.elapsed > campaign->options->seconds + 2.0;
    if (!campaign->watcher(campaign->user, &campaign->summary->progress))
        campaign->asked = true;
    for (unsigned i = 0; i < campaign->options->jobs; i++) /* or one that has begun to say why it fails is disturbed */
        if (campaign->jobs[i].child.process != 0)
            hear_job(&campaign->jobs[i]);
    if (campaign->asked || campaign->stopping || late || (enough && !engine_of(campaign)->restarts))
        stop_jobs(campaign);
    return status;
}

/* After host trouble: they end, and their output is no longer read. */
static void bury_jobs(struct campaign *campaign)
{
    campaign->stopping = false;
    stop_jobs(campaign);
    for (unsigned i = 0; i < campaign->options->jobs; i++)
        if (campaign->jobs[i].child.process != 0) {
            (void)harness_child_wait_or_kill(&campaign->jobs[i].child, 1000 * PATIENCE_SECONDS);
            close_output(&campaign->jobs[i]);
        }
}

static enum harness_status loop(struct campaign *campaign)
{
    double next_report = 0.0;
    enum harness_status status = start_idle_jobs(campaign);
    while (status == HARNESS_OK && running_jobs(campaign) != 0) {
        status = poll_jobs(campaign, 200);
        sum_statistics(campaign);
        if (status == HARNESS_OK && campaign->summary->progress.elapsed >= next_report) {
            next_report = campaign->summary->progress.elapsed + 1.0;
            status = report(campaign);
        }
        if (status == HARNESS_OK)
            status = start_idle_jobs(campaign);
    }
    if (status != HARNESS_OK)
        bury_jobs(campaign);
    return status;
}

/* A nightly run that fuzzed nothing is not a good run. A campaign stopped by its user may be that short. */
static enum harness_status check_work(const struct campaign *campaign)
{
    const struct harness_campaign_progress *const progress = &campaign->summary->progress;
    if (campaign->worked || campaign->asked || progress->findings != 0 || progress->duplicates != 0)
        return HARNESS_OK;
    return harness_fail(campaign->error, HARNESS_HOST, "nothing was executed: the target %s never began to work",
                        campaign->options->target);
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
    campaign->watcher = watcher;
    campaign->user = user;
    campaign->start = harness_seconds_now();
    clean_temporaries(options);
    enum harness_status status = campaign_begin_files(campaign);
    if (status == HARNESS_OK)
        status = campaign_peel_begin(campaign);
    if (status == HARNESS_OK)
        status = open_statistics(campaign);
    if (status == HARNESS_OK)
        status = engine_of(campaign)->prepare(campaign);
    if (status == HARNESS_OK)
        status = campaign_take_leftovers(campaign);
    if (status == HARNESS_OK)
        status = loop(campaign);
    if (status == HARNESS_OK)
        status = campaign_check_files(campaign, true);
    if (status == HARNESS_OK)
        status = check_work(campaign);
    if (status == HARNESS_OK)
        status = engine_of(campaign)->finish(campaign);
    if (campaign->statistics != NULL) {
        sum_statistics(campaign);
        const enum harness_status written = campaign_peel_end(campaign);
        status = status == HARNESS_OK ? written : status;
    }
    close_statistics(campaign);
    free(campaign);
    return status;
}

/* Another file of that name, with other contents, is not overwritten: the seed gets a name of its own by contents. */
static void keep_apart(const char *corpus, char *path, size_t size, const uint8_t *bytes, size_t count)
{
    uint8_t *other = NULL;
    size_t other_count = 0;
    const bool differs = harness_file_read(path, &other, &other_count, NULL) == HARNESS_OK &&
                         (other_count != count || memcmp(other, bytes, count) != 0);
    free(other);
    if (differs)
        (void)snprintf(path, size, "%s/seed-%016llx.pcb", corpus, (unsigned long long)XXH3_64bits(bytes, count));
}

enum harness_status harness_campaign_add_seed(const struct harness_campaign_options *options, const char *path,
                                              struct harness_error *error)
{
    char name[256], output[HARNESS_CAMPAIGN_PATH_SIZE];
    harness_input_name(path, name, sizeof name);
    (void)snprintf(output, sizeof output, "%s/%s", options->corpus, name);
    uint8_t *const bytes = malloc(HARNESS_MAX_INPUT);
    size_t size = 0;
    enum harness_status status =
        bytes == NULL ? harness_fail_memory(error) : harness_load_input(path, bytes, &size, error);
    if (status == HARNESS_OK) {
        keep_apart(options->corpus, output, sizeof output, bytes, size);
        status = harness_file_write(output, bytes, size, error);
    }
    free(bytes);
    return status;
}
