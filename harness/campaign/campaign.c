#include "harness/campaign/campaign.h"

#include "harness/campaign/campaign_parts.h"
#include "harness/case/formats.h"
#include "harness/case/temporary.h"
#include "harness/run/load.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    WAIT_MS = 200,
    LOOK_SECONDS = 1,      /* between two looks at what the engine left */
    GENTLE_SECONDS = 1,    /* from asking an engine to end to interrupting it, ... */
    PATIENCE_SECONDS = 15, /* ... and to killing it */
    LEAST_MEBIBYTES = 32   /* of the disk: engines do not check that their writes arrive */
};

/* ------------------------------------------------------------------------------------------------------ statistics */

/* In memory, not in a file: nobody has to remove it, however this process ends. The target opens it by the name that it
 * has in /proc while this process lives. */
static enum harness_status open_statistics(struct campaign *campaign)
{
    const size_t size = sizeof *campaign->statistics;
    void *memory = MAP_FAILED;
    campaign->statistics_file = memfd_create("picafuzz statistics", MFD_CLOEXEC);
    if (campaign->statistics_file >= 0 && ftruncate(campaign->statistics_file, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, campaign->statistics_file, 0);
    if (memory == MAP_FAILED)
        return harness_fail(campaign->error, HARNESS_HOST, "no memory to share with the target: %s", strerror(errno));
    campaign->statistics = memory;
    (void)snprintf(campaign->statistics_path, sizeof campaign->statistics_path, "/proc/%ld/fd/%d", (long)getpid(),
                   campaign->statistics_file);
    return HARNESS_OK;
}

static void close_statistics(struct campaign *campaign)
{
    if (campaign->statistics != NULL)
        (void)munmap(campaign->statistics, sizeof *campaign->statistics);
    if (campaign->statistics_file >= 0)
        (void)close(campaign->statistics_file);
}

static void tell(struct campaign *campaign, harness_campaign_watcher watcher, void *user)
{
    struct harness_campaign_summary *const summary = campaign->summary;
    summary->statistics = *campaign->statistics;
    summary->progress.executions = summary->statistics.executions;
    summary->progress.elapsed = harness_seconds_now() - campaign->start;
    if (!watcher(user, &summary->progress))
        campaign->asked = true;
}

/* ------------------------------------------------------------------------------------------------------ directories */

static enum harness_status check_disk(const char *directory, struct harness_error *error)
{
    struct statvfs disk;
    if (statvfs(directory, &disk) != 0)
        return harness_fail(error, HARNESS_HOST, "%s: %s", directory, strerror(errno));
    const uint64_t mebibytes = (uint64_t)disk.f_bavail * disk.f_frsize >> 20;
    if (mebibytes >= LEAST_MEBIBYTES)
        return HARNESS_OK;
    return harness_fail(error, HARNESS_HOST, "%s: the disk has room for %llu MiB only; a campaign needs %d", directory,
                        (unsigned long long)mebibytes, LEAST_MEBIBYTES);
}

static enum harness_status check_disks(const struct campaign *campaign)
{
    const enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    return status == HARNESS_OK ? check_disk(campaign->options->findings, campaign->error) : status;
}

/* What killed processes were writing. */
static void clean_temporaries(const struct harness_campaign_options *options)
{
    (void)harness_temporary_clean("/tmp", "picafuzz", HARNESS_WRITERS_ANYWHERE);
    (void)harness_temporary_clean(options->corpus, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_ANYWHERE);
    harness_findings_clean(options->findings);
}

/* --------------------------------------------------------------------------------------------------------- the loop */

/* Seconds that an engine started now may run: 0 = without end, -1 = too late to start one. */
static long time_left(const struct campaign *campaign)
{
    if (campaign->options->seconds == 0)
        return 0;
    const double left = campaign->options->seconds - (harness_seconds_now() - campaign->start);
    return left >= 0.5 ? (long)(left + 0.5) : -1; /* a second has begun when the first one starts */
}

static bool has_enough(const struct campaign *campaign)
{
    return campaign->summary->progress.findings >= campaign->options->max_findings;
}

static bool may_start(const struct campaign *campaign)
{
    const bool is_spent = campaign->options->executions != 0 && campaign_executions_left(campaign) == 0;
    return !is_spent && !campaign->asked && time_left(campaign) >= 0 && !has_enough(campaign);
}

/* An engine gets time to write what it has and to exit; one that does not is killed with all that it started. One
 * that is saying why it fails exits by itself, and would lose the failing input if it were disturbed. */
static void ask_to_end(struct campaign *campaign)
{
    const double now = harness_seconds_now();
    const double waited = campaign->dismissed != 0.0 ? now - campaign->dismissed : 0.0;
    const int gentle = campaign->engine->gentle;
    struct campaign_said said;
    campaign_hear_engine(campaign, &said);
    const bool is_telling = said.failure.kind[0] != '\0';
    if (waited >= (double)PATIENCE_SECONDS) {
        harness_child_stop(&campaign->child, true);
    } else if (!is_telling && campaign->dismissed == 0.0) {
        (void)kill(campaign->child.process, gentle);
    } else if (!is_telling && !campaign->urged && gentle != SIGINT && waited >= (double)GENTLE_SECONDS) {
        harness_child_stop(&campaign->child, false);
        campaign->urged = true;
    }
    if (campaign->dismissed == 0.0)
        campaign->dismissed = now;
}

/* Of an engine that goes on after a failing input: files those that it left until now. */
static enum harness_status look(struct campaign *campaign)
{
    size_t found = 0;
    enum harness_status status = check_disks(campaign);
    if (status == HARNESS_OK && campaign->engine->collect != NULL) {
        status = campaign->engine->collect(campaign, false);
        if (status == HARNESS_OK)
            status = campaign_take_artifacts(campaign, NULL, &found, &campaign->summary->left);
    }
    campaign_bound_log(campaign);
    return status;
}

/* Until the engine has ended, by itself or since it was asked to. */
static enum harness_status watch_engine(struct campaign *campaign, harness_campaign_watcher watcher, void *user)
{
    double looked = harness_seconds_now();
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && !harness_child_has_ended(&campaign->child)) {
        (void)poll(NULL, 0, WAIT_MS);
        tell(campaign, watcher, user);
        const double now = harness_seconds_now();
        if (now < looked + (double)LOOK_SECONDS)
            continue;
        looked = now;
        status = look(campaign);
        const unsigned seconds = campaign->options->seconds;
        const bool late = seconds != 0 && now - campaign->start > seconds + 2.0;
        /* An engine that ends with each finding is not started again when there are enough. */
        if (campaign->asked || late || (has_enough(campaign) && !campaign->engine->restarts))
            ask_to_end(campaign);
    }
    return status;
}

/* A process of the engine, from its start to the end. *found: failing inputs that it ended with. */
static enum harness_status run_engine(struct campaign *campaign, harness_campaign_watcher watcher, void *user,
                                      size_t *found)
{
    struct campaign_said said;
    enum harness_status status = campaign_start_engine(campaign, (unsigned)time_left(campaign));
    if (status != HARNESS_OK)
        return status;
    status = watch_engine(campaign, watcher, user);
    if (status != HARNESS_OK) { /* host trouble: nothing more is read */
        ask_to_end(campaign);
        (void)harness_child_wait_or_kill(&campaign->child, 1000 * PATIENCE_SECONDS);
        return status;
    }
    harness_child_stop(&campaign->child, true); /* with what it left behind */
    const struct harness_child_end end = harness_child_wait(&campaign->child);
    campaign_hear_engine(campaign, &said);
    if (campaign->engine->collect != NULL)
        status = campaign->engine->collect(campaign, true);
    if (status == HARNESS_OK)
        status = campaign_take_artifacts(campaign, campaign->engine->restarts ? &said : NULL, found,
                                         &campaign->summary->left);
    tell(campaign, watcher, user);
    if (status != HARNESS_OK || (campaign->engine->restarts && *found != 0))
        return status;
    return campaign_judge_end(campaign, end, &said);
}

/* libFuzzer ends with each finding. */
static enum harness_status loop(struct campaign *campaign, harness_campaign_watcher watcher, void *user)
{
    enum harness_status status = HARNESS_OK;
    size_t found = 1;
    while (status == HARNESS_OK && found != 0 && may_start(campaign)) {
        found = 0;
        status = run_engine(campaign, watcher, user, &found);
        found = campaign->engine->restarts ? found : 0;
    }
    return status;
}

static enum harness_status run(struct campaign *campaign, harness_campaign_watcher watcher, void *user)
{
    size_t found = 0;
    enum harness_status status = check_disks(campaign);
    if (status == HARNESS_OK)
        status = campaign_peel_begin(campaign);
    if (status == HARNESS_OK)
        status = open_statistics(campaign);
    if (status == HARNESS_OK && campaign->engine->prepare != NULL)
        status = campaign->engine->prepare(campaign);
    if (status == HARNESS_OK) /* of a campaign that was killed */
        status = campaign_take_artifacts(campaign, NULL, &found, &campaign->summary->left);
    if (status == HARNESS_OK)
        status = loop(campaign, watcher, user);
    return status == HARNESS_OK && campaign->engine->finish != NULL ? campaign->engine->finish(campaign) : status;
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
    campaign->engine = options->engine == HARNESS_ENGINE_AFL ? &campaign_afl : &campaign_libfuzzer;
    campaign->statistics_file = -1;
    campaign->summary = summary;
    campaign->error = error;
    campaign->start = harness_seconds_now();
    (void)snprintf(campaign->log_path, sizeof campaign->log_path, "%s/engine.log", options->findings);
    clean_temporaries(options);
    enum harness_status status = run(campaign, watcher, user);
    if (campaign->statistics != NULL) {
        tell(campaign, watcher, user);
        const enum harness_status written = campaign_peel_end(campaign);
        status = status == HARNESS_OK ? written : status;
    }
    summary->inputs = campaign_count_files(options->corpus);
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
