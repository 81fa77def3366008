/* The processes of engines and targets: how they start, what they are told, and what their end means. */
#include "harness/campaign/campaign_parts.h"

#include "harness/run/backends.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_READS = 64 /* at once of what a job says: more than a pipe holds */
};

/* How engines and targets begin. Ctrl-C reaches only this program, which then stops the engine; if this program is
 * killed, the engine stops too. */
static const struct harness_child_setup child_setup = { .group = true, .silent = true, .death_signal = SIGTERM };

/* ----------------------------------------------------------------------------------------------- what they are told */

static void set_or_not(const char *name, const char *value)
{
    if (value != NULL)
        (void)setenv(name, value, 1);
    else
        (void)unsetenv(name); /* what the user's shell has is not for this campaign */
}

struct pica_options campaign_machine(const struct campaign *campaign)
{
    return (struct pica_options){ .threads = campaign->options->threads,
                                  .instruction_sets = UINT32_MAX,
                                  .capacity = campaign->options->capacity };
}

static void set_number(const char *name, uint32_t number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%u", (unsigned)number);
    set_or_not(name, number != 0 ? text : NULL);
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
    set_number("PICAFUZZ_THREADS", options->threads);
    set_number("PICAFUZZ_CAPACITY", options->capacity);
}

/* Of the whole number each job gets its part, and goes on counting where the process before it died. */
static uint64_t share_of(const struct campaign *campaign, unsigned index)
{
    const uint64_t executions = campaign->options->executions;
    return executions / campaign->count + (index < executions % campaign->count);
}

uint64_t campaign_executions_left(const struct campaign *campaign, unsigned index)
{
    const uint64_t share = share_of(campaign, index), done = campaign->statistics[index].executions;
    return campaign->jobs[index].spent || done >= share ? 0 : share - done;
}

bool campaign_has_executions(const struct campaign *campaign, unsigned index)
{
    return campaign->options->executions == 0 || campaign_executions_left(campaign, index) != 0;
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
    job->campaign->engine->become(job->campaign, job, job->seconds);
    return HARNESS_CHILD_NOT_RUN;
}

/* ---------------------------------------------------------------------------------------------------- start and end */

static void close_output(struct campaign_job *job)
{
    if (job->output >= 0)
        (void)close(job->output);
    job->output = -1;
}

/* Nothing of the process before it stays, but for the numbers of what was looked at. */
static void clear_job(struct campaign_job *job, unsigned seconds, int output)
{
    struct campaign_job next = { .campaign = job->campaign,
                                 .mutation = job->mutation,
                                 .index = job->index,
                                 .starts = job->starts + 1,
                                 .seconds = seconds,
                                 .output = output };
    memcpy(next.name, job->name, sizeof next.name);
    *job = next;
    job->counted = job->campaign->statistics[job->index].executions;
    job->counts = job->counted != 0;
}

enum harness_status campaign_start_job(struct campaign *campaign, struct campaign_job *job, unsigned seconds)
{
    struct harness_child_setup setup = child_setup;
    const enum harness_status begun = campaign->engine->begin(campaign, job);
    int ends[2];
    if (begun != HARNESS_OK)
        return begun;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return harness_fail(campaign->error, HARNESS_HOST, "pipe: %s", strerror(errno));
    clear_job(job, seconds, ends[0]);
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
    const bool begins_again = campaign->engine->restarts;
    if (job->still && !begins_again && campaign_goes_on(campaign))
        return harness_fail(campaign->error, HARNESS_HOST, "%s executed nothing for %u seconds, and was ended",
                            job->name, campaign->options->still_seconds);
    if (!campaign_goes_on(campaign) || job->dismissed != 0.0 || (job->worked && campaign->engine->restarts))
        return HARNESS_OK;
    if (!job->worked)
        return harness_fail(campaign->error, HARNESS_HOST, "the target %s executed nothing and ended with %s%s%s",
                            campaign->options->target, how, job->said.length != 0 ? "; it said: " : "", job->said.text);
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
    const enum harness_status status = campaign->engine->look(campaign, job, true, &found);
    job->spent = /* libFuzzer ends as well when it is asked to by SIGUSR1 */
        found == 0 && harness_child_is_good(end) && job->dismissed == 0.0 && campaign->options->executions != 0;
    if (status != HARNESS_OK || (found != 0 && campaign->engine->restarts))
        return status;
    return judge_end(campaign, job, end);
}

/* ---------------------------------------------------------------------------------------------------- what they say */

static void take_line(void *user, const char *line, size_t length)
{
    struct campaign_job *const job = user;
    job->campaign->engine->take_line(job->campaign, job, line, length);
}

/* End of file by itself does not mean that the job ended, and what it left (the fork server of an afl-fuzz that was
 * killed) may hold the descriptor long after. */
void campaign_hear_job(struct campaign_job *job)
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
    for (unsigned i = 0; i < campaign->count; i++)
        if (campaign->jobs[i].child.process != 0)
            descriptors[count++] = (struct pollfd){ .fd = campaign->jobs[i].output, .events = POLLIN };
    (void)poll(descriptors, count, milliseconds);
}

enum harness_status campaign_poll_jobs(struct campaign *campaign, int milliseconds)
{
    wait_for_jobs(campaign, milliseconds);
    for (unsigned i = 0; i < campaign->count; i++) {
        struct campaign_job *const job = &campaign->jobs[i];
        if (job->child.process == 0)
            continue;
        const bool ended = harness_child_has_ended(&job->child); /* asked before: what it said last is there now */
        campaign_hear_job(job);
        const enum harness_status status = ended ? finish_job(campaign, job) : HARNESS_OK;
        if (status != HARNESS_OK)
            return status;
    }
    return HARNESS_OK;
}

void campaign_bury_job(struct campaign_job *job, unsigned milliseconds)
{
    (void)harness_child_wait_or_kill(&job->child, milliseconds);
    close_output(job);
}

/* ----------------------------------------------------------------------------------------------------------- replay */

static void tell_alone(const struct campaign *campaign)
{
    (void)setenv("PICAFUZZ_JOB", "0", 1);
    (void)unsetenv("PICAFUZZ_STATISTICS"); /* not part of the campaign's speed */
    (void)unsetenv("PICAFUZZ_EXECUTIONS");
    tell_target(campaign);
}

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
    tell_alone(replay->campaign);
    (void)unsetenv("PICAFUZZ_PEEL"); /* it is to say what happens */
    (void)execv(replay->campaign->options->target, arguments);
    return HARNESS_CHILD_NOT_RUN;
}

static void remember_line(void *user, const char *line, size_t length)
{
    campaign_remember(user, line, length);
}

/* HARNESS_HOST if there is no such program. */
static enum harness_status run_on_files(struct campaign *campaign, struct replay *replay, struct campaign_said *said,
                                        struct harness_child_end *end)
{
    static const char hang[] = "picafuzz: the target does not end: stopped";
    memset(said, 0, sizeof *said);
    if (!harness_child_run(&child_setup, become_replay, replay, (double)HARNESS_INPUT_TIMEOUT + (double)replay->count,
                           remember_line, said, end))
        return harness_fail(campaign->error, HARNESS_HOST, "fork: %s", strerror(errno));
    if (end->how == HARNESS_CHILD_TIMED_OUT)
        campaign_remember(said, hang, sizeof hang - 1);
    if (end->how == HARNESS_CHILD_EXITED && end->number == HARNESS_CHILD_NOT_RUN)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be run", replay->campaign->options->target);
    return HARNESS_OK;
}

enum harness_status campaign_replay(struct campaign *campaign, const char *const *paths, size_t count, bool *failed,
                                    struct campaign_said *said)
{
    struct replay replay = { campaign, paths, count };
    struct harness_child_end end;
    const enum harness_status status = run_on_files(campaign, &replay, said, &end);
    *failed = status != HARNESS_OK || !harness_child_is_good(end);
    return status;
}

/* A target that fails dies of a signal, so that its engine sees it; whatever else ends with an exit code. */
enum harness_status campaign_try_target(struct campaign *campaign)
{
    static const char *const nothing[] = { "/dev/null" };
    struct replay replay = { campaign, nothing, 1 };
    struct campaign_said said;
    struct harness_child_end end;
    char how[32];
    const enum harness_status status = run_on_files(campaign, &replay, &said, &end);
    if (status != HARNESS_OK || end.how != HARNESS_CHILD_EXITED || end.number == 0 || said.failure.kind[0] != '\0')
        return status;
    describe_end(end, how, sizeof how);
    return harness_fail(campaign->error, HARNESS_HOST, "the target %s executed nothing and ended with %s%s%s",
                        campaign->options->target, how, said.length != 0 ? "; it said: " : "", said.text);
}
