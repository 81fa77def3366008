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
    GENTLE_SECONDS = 1,    /* from asking an engine to end to interrupting it, ... */
    PATIENCE_SECONDS = 15, /* ... and to killing it */
    WATCH_SECONDS = 5      /* between two looks at whether an engine stands still, at most */
};

/* ------------------------------------------------------------------------------------------------------ statistics */

/* In memory, not in a file: nobody has to remove it, however this process ends. Targets open it by the name that it has
 * in /proc while this process lives. */
static enum harness_status open_statistics(struct campaign *campaign)
{
    const size_t size = CAMPAIGN_MAX_JOBS * sizeof *campaign->statistics;
    void *memory = MAP_FAILED;
    campaign->statistics_file = memfd_create("picafuzz statistics", MFD_CLOEXEC);
    if (campaign->statistics_file >= 0 && ftruncate(campaign->statistics_file, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, campaign->statistics_file, 0);
    if (memory == MAP_FAILED)
        return harness_fail(campaign->error, HARNESS_HOST, "no memory to share with the targets: %s", strerror(errno));
    campaign->statistics = memory;
    (void)snprintf(campaign->statistics_path, sizeof campaign->statistics_path, "/proc/%ld/fd/%d", (long)getpid(),
                   campaign->statistics_file);
    return HARNESS_OK;
}

static void close_statistics(struct campaign *campaign)
{
    if (campaign->statistics != NULL)
        (void)munmap(campaign->statistics, CAMPAIGN_MAX_JOBS * sizeof *campaign->statistics);
    if (campaign->statistics_file >= 0)
        (void)close(campaign->statistics_file);
}

static void sum_statistics(struct campaign *campaign)
{
    struct harness_campaign_summary *const summary = campaign->summary;
    memset(&summary->statistics, 0, sizeof summary->statistics);
    for (unsigned i = 0; i < campaign->count; i++)
        harness_pair_statistics_add(&summary->statistics, &campaign->statistics[i]);
    summary->progress.executions = summary->statistics.executions;
    summary->progress.elapsed = harness_seconds_now() - campaign->start;
}

/* ----------------------------------------------------------------------------------------- what kills left behind */

/* That the processes of a campaign that was killed have ended is seen (temporary.h). */
static void clean_temporaries(const struct harness_campaign_options *options)
{
    (void)harness_temporary_clean("/tmp", "picafuzz", HARNESS_WRITERS_ANYWHERE);
    (void)harness_temporary_clean(options->corpus, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_ANYWHERE);
    harness_findings_clean(options->findings);
}

void campaign_show_step(struct campaign *campaign, const char *step, uint64_t done, uint64_t total)
{
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    const double now = harness_seconds_now();
    if (done != 0 && done != total && now < campaign->next_step)
        return;
    campaign->next_step = now + 0.2;
    progress->elapsed = now - campaign->start; /* nobody else says so while no engine runs */
    progress->step = step;
    progress->step_done = done;
    progress->step_total = total;
    if (!campaign->watcher(campaign->user, progress))
        campaign->asked = true;
    progress->step = NULL;
}

/* --------------------------------------------------------------------------------------------------------- the loop */

static unsigned running_jobs(const struct campaign *campaign)
{
    unsigned count = 0;
    for (unsigned i = 0; i < campaign->count; i++)
        count += campaign->jobs[i].child.process != 0;
    return count;
}

/* An engine gets time to write what it has and to exit; one that does not is killed with all that it started. One
 * that is saying why it fails exits by itself, and would lose the failing input if it were disturbed. */
static void ask_to_end(struct campaign_job *job)
{
    const double now = harness_seconds_now(), waited = job->dismissed != 0.0 ? now - job->dismissed : 0.0;
    const int gentle = job->campaign->engine->gentle;
    if (waited >= (double)PATIENCE_SECONDS) {
        harness_child_stop(&job->child, true);
    } else if (!job->telling && job->dismissed == 0.0) {
        (void)kill(job->child.process, gentle);
    } else if (!job->telling && !job->urged && gentle != SIGINT && waited >= (double)GENTLE_SECONDS) {
        harness_child_stop(&job->child, false);
        job->urged = true;
    }
    if (job->dismissed == 0.0)
        job->dismissed = now;
}

/* An engine that waits for what does not come (a target that is stopped for ever, a plug-in that blocks the signal of
 * its alarm) would keep its turn for ever. Only what targets count is known at each moment. A look that comes late says
 * little: the machine may have been stopped, and the engine with it. */
static void watch_job(struct campaign_job *job)
{
    const struct campaign *const campaign = job->campaign;
    const uint64_t counted = campaign->statistics[job->index].executions;
    const double now = harness_seconds_now(), since = job->watched != 0.0 ? now - job->watched : 0.0;
    const unsigned most = campaign->options->still_seconds;
    if (counted != job->counted) {
        job->counts = true;
        job->stood = 0.0;
    } else if (job->counts) {
        job->stood += since < (double)WATCH_SECONDS ? since : (double)WATCH_SECONDS;
    }
    job->counted = counted;
    job->watched = now;
    job->still = job->still || (most != 0 && job->stood > most && job->dismissed == 0.0 && !campaign->stopping);
    if (job->still)
        ask_to_end(job);
}

static void ask_jobs(struct campaign *campaign)
{
    for (unsigned i = 0; i < campaign->count; i++)
        if (campaign->jobs[i].child.process != 0)
            ask_to_end(&campaign->jobs[i]);
}

static void note_stop(struct campaign *campaign)
{
    if (!campaign->stopping)
        campaign->stopped_at = time(NULL);
}

static void stop_jobs(struct campaign *campaign)
{
    ask_jobs(campaign);
    note_stop(campaign);
    campaign->stopping = true;
}

static void wait_for(int milliseconds)
{
    (void)poll(NULL, 0, milliseconds);
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

bool campaign_goes_on(const struct campaign *campaign)
{
    bool some = false;
    for (unsigned i = 0; i < campaign->count; i++)
        some = some || campaign_has_executions(campaign, i);
    return some && !campaign->stopping && !campaign->asked && time_left(campaign) >= 0 &&
           campaign->summary->progress.findings < campaign->options->max_findings;
}

/* It ended, and nothing forbids that it is started (again). NULL: there is none. */
static struct campaign_job *next_job(struct campaign *campaign)
{
    for (unsigned i = 0; i < campaign->count; i++) {
        struct campaign_job *const job = &campaign->jobs[i];
        if (job->child.process == 0 && (job->starts == 0 || campaign->engine->restarts) &&
            campaign_has_executions(campaign, i))
            return job;
    }
    return NULL;
}

static enum harness_status start_idle_jobs(struct campaign *campaign)
{
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && campaign_goes_on(campaign) && running_jobs(campaign) < campaign->options->jobs) {
        struct campaign_job *const job = next_job(campaign);
        if (job == NULL)
            break;
        status = campaign_start_job(campaign, job, (unsigned)time_left(campaign));
    }
    return status;
}

static enum harness_status look_at_jobs(struct campaign *campaign)
{
    enum harness_status status = HARNESS_OK;
    size_t found = 0;
    for (unsigned i = 0; i < campaign->count && status == HARNESS_OK; i++)
        if (campaign->jobs[i].child.process != 0)
            status = campaign->engine->look(campaign, &campaign->jobs[i], false, &found);
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
    for (unsigned i = 0; i < campaign->count; i++) /* or one that has begun to say why it fails is disturbed */
        if (campaign->jobs[i].child.process != 0) {
            campaign_hear_job(&campaign->jobs[i]);
            watch_job(&campaign->jobs[i]);
        }
    /* An engine that ends with each finding is not started again when there are enough. */
    if (campaign->asked || campaign->stopping || late || (enough && !campaign->engine->restarts))
        stop_jobs(campaign);
    return status;
}

static bool some_run(const struct campaign *campaign)
{
    for (unsigned i = 0; i < campaign->count; i++)
        if (campaign->jobs[i].child.process != 0 && !harness_child_has_ended(&campaign->jobs[i].child))
            return true;
    return false;
}

/* By then each engine that was asked to end was interrupted, too, if it did not. */
static const double interrupted_seconds = GENTLE_SECONDS + 0.5;

/* After host trouble: they end, and their output is no longer read. */
static void bury_jobs(struct campaign *campaign)
{
    const double begun = harness_seconds_now();
    campaign->stopping = false;
    do {
        stop_jobs(campaign);
        wait_for(20);
    } while (some_run(campaign) && harness_seconds_now() < begun + interrupted_seconds);
    for (unsigned i = 0; i < campaign->count; i++)
        if (campaign->jobs[i].child.process != 0)
            campaign_bury_job(&campaign->jobs[i], 1000 * PATIENCE_SECONDS);
}

static enum harness_status loop(struct campaign *campaign)
{
    double next_report = 0.0;
    enum harness_status status = start_idle_jobs(campaign);
    while (status == HARNESS_OK && running_jobs(campaign) != 0) {
        status = campaign_poll_jobs(campaign, 200);
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

/* With afl-fuzz, the second mutates by bytes, the third with CmpLog, if it can. */
static void make_jobs(struct campaign *campaign)
{
    const struct harness_campaign_options *const options = campaign->options;
    const bool afl = options->engine == HARNESS_ENGINE_AFL;
    campaign->engine = afl ? &campaign_afl : &campaign_libfuzzer;
    campaign->count = options->jobs;
    for (unsigned i = 0; i < campaign->count; i++) {
        struct campaign_job *const job = &campaign->jobs[i];
        job->campaign = campaign;
        job->index = i;
        (void)snprintf(job->name, sizeof job->name, "structure%u", i);
        if (afl && i == 1) {
            job->mutation = HARNESS_MUTATION_BYTES;
            (void)snprintf(job->name, sizeof job->name, "bytes");
        } else if (afl && i == 2 && options->cmplog != NULL) {
            job->mutation = HARNESS_MUTATION_CMPLOG;
            (void)snprintf(job->name, sizeof job->name, "cmplog");
        }
    }
}

static enum harness_status run(struct campaign *campaign)
{
    enum harness_status status = campaign_begin_files(campaign);
    if (status == HARNESS_OK)
        status = campaign_peel_begin(campaign);
    if (status == HARNESS_OK)
        status = open_statistics(campaign);
    if (status == HARNESS_OK)
        status = campaign->engine->prepare(campaign);
    if (status == HARNESS_OK)
        status = campaign_take_leftovers(campaign);
    if (status == HARNESS_OK)
        status = loop(campaign);
    if (status == HARNESS_OK)
        status = campaign_check_files(campaign, true);
    if (status == HARNESS_OK)
        status = check_work(campaign);
    return status == HARNESS_OK ? campaign->engine->finish(campaign) : status;
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
    campaign->statistics_file = -1;
    campaign->summary = summary;
    campaign->error = error;
    campaign->watcher = watcher;
    campaign->user = user;
    campaign->start = harness_seconds_now();
    make_jobs(campaign);
    clean_temporaries(options);
    enum harness_status status = run(campaign);
    if (campaign->statistics != NULL) {
        sum_statistics(campaign);
        const enum harness_status written = campaign_peel_end(campaign);
        status = status == HARNESS_OK ? written : status;
    }
    campaign_count_inputs(campaign);
    if (status == HARNESS_OK) /* what was filed, and what AFL++ left, after the last report */
        (void)watcher(user, &summary->progress);
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
