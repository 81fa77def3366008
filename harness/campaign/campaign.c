#include "harness/campaign/campaign.h"

#include "harness/campaign/campaign_parts.h"
#include "harness/case/formats.h"
#include "harness/case/temporary.h"
#include "harness/run/load.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xxhash.h>

enum {
    LOOK_SECONDS = 1,      /* between two checks of the running engine */
    GENTLE_SECONDS = 1,    /* from asking an engine to end to sending SIGINT, ... */
    PATIENCE_SECONDS = 15, /* ... and to killing it */
    MORE_SECONDS = 1,      /* that an engine may need to end by itself after its time */
    LEAST_MEBIBYTES = 32   /* free on the disk: engines do not check whether their writes succeed */
};

/* ------------------------------------------------------------------------------------------------------ statistics */

/* Creates the counters in a memory file, which vanishes however this process ends. The target opens it by its name in
 * /proc, which exists while this process lives. */
static enum harness_status open_statistics(struct harness_campaign *campaign)
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

static void close_statistics(struct harness_campaign *campaign)
{
    if (campaign->statistics != NULL)
        (void)munmap(campaign->statistics, sizeof *campaign->statistics);
    if (campaign->statistics_file >= 0)
        (void)close(campaign->statistics_file);
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

static enum harness_status check_disks(const struct harness_campaign *campaign)
{
    const enum harness_status status = check_disk(campaign->options->corpus, campaign->error);
    return status == HARNESS_OK ? check_disk(campaign->options->findings, campaign->error) : status;
}

/* Prepares the directories before the engine's first start, and removes temporary files of processes that were
 * killed. */
static enum harness_status prepare(struct harness_campaign *campaign)
{
    (void)harness_temporary_clean("/tmp", "picafuzz", HARNESS_WRITERS_ANYWHERE);
    (void)harness_temporary_clean(campaign->options->corpus, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_ANYWHERE);
    const enum harness_status status = check_disks(campaign);
    campaign->is_prepared = true;
    return status == HARNESS_OK && campaign->engine->prepare != NULL ? campaign->engine->prepare(campaign) : status;
}

/* --------------------------------------------------------------------------------------------------------- the loop */

/* Seconds that an engine started now may run: 0 = without end, -1 = too late to start one. */
static long time_left(const struct harness_campaign *campaign)
{
    if (campaign->options->seconds == 0)
        return 0;
    const double left = campaign->options->seconds - (harness_seconds_now() - campaign->start);
    return left >= 0.5 ? (long)(left + 0.5) : -1; /* rounded: the first start comes a little after campaign->start */
}

static bool may_start(const struct harness_campaign *campaign)
{
    return time_left(campaign) >= 0 && (campaign->options->executions == 0 || campaign_executions_left(campaign) != 0);
}

/* Asks the engine to end, in steps, each time that this is called: its gentle signal; SIGINT; after PATIENCE_SECONDS it
 * is killed with all processes that it started. An engine that is already printing why it fails is not disturbed until
 * then: it exits by itself, and a signal would lose the failing input. */
static void ask_to_end(struct harness_campaign *campaign)
{
    const double now = harness_seconds_now();
    const double waited = campaign->dismissed != 0.0 ? now - campaign->dismissed : 0.0;
    const int gentle = campaign->engine->gentle;
    if (waited >= (double)PATIENCE_SECONDS) {
        harness_child_stop(&campaign->child, true);
        return;
    }
    campaign_hear_engine(campaign);
    if (!campaign->said.is_telling && campaign->dismissed == 0.0) {
        (void)kill(campaign->child.process, gentle);
    } else if (!campaign->said.is_telling && !campaign->urged && gentle != SIGINT && waited >= (double)GENTLE_SECONDS) {
        harness_child_stop(&campaign->child, false);
        campaign->urged = true;
    }
    if (campaign->dismissed == 0.0)
        campaign->dismissed = now;
}

/* Handles the end of the engine's process: ends what it left running, judges its end, and decides whether the engine is
 * started again. */
static enum harness_status take_end(struct harness_campaign *campaign, bool over)
{
    char first[HARNESS_HUNT_PATH];
    harness_child_stop(&campaign->child, true);
    const struct harness_child_end end = harness_child_wait(&campaign->child);
    campaign_hear_engine(campaign);
    enum harness_status status = HARNESS_OK;
    const bool goes_on = campaign->engine->restarts && campaign_artifacts(campaign, first) != 0;
    campaign->ended = over || !goes_on;
    if (!goes_on)
        status = campaign_judge_end(campaign, end);
    return status == HARNESS_OK && campaign->ended && campaign->engine->finish != NULL
               ? campaign->engine->finish(campaign)
               : status;
}

static enum harness_status watch_engine(struct harness_campaign *campaign, bool over)
{
    const double now = harness_seconds_now();
    if (harness_child_has_ended(&campaign->child))
        return take_end(campaign, over);
    if (now < campaign->looked + LOOK_SECONDS)
        return HARNESS_OK;
    campaign->looked = now;
    const enum harness_status status = check_disks(campaign);
    campaign_bound_log(campaign);
    /* The engine ends by itself when its time is over; a user who wants that sooner is obeyed at once. */
    if (campaign->asked || (over && now >= campaign->start + campaign->options->seconds + MORE_SECONDS))
        ask_to_end(campaign);
    return status;
}

/* Starts the engine, or starts it again. The caller first hands out the failing inputs that are there: those of a
 * killed campaign, or the finding with which libFuzzer ended. */
static enum harness_status start_engine(struct harness_campaign *campaign, bool over)
{
    campaign->ended = over || !may_start(campaign);
    campaign->looked = harness_seconds_now();
    return campaign->ended ? HARNESS_OK : campaign_start_engine(campaign, (unsigned)time_left(campaign));
}

static void give(struct harness_campaign *campaign, struct harness_hunt_input *next)
{
    if (campaign_artifacts(campaign, next->path) == 0)
        return;
    campaign_drop_from_corpus(campaign, next->path);
    /* An engine that keeps running prints nothing about single inputs. */
    const char *const words = campaign->engine->restarts ? campaign_last_words(&campaign->said) : "";
    (void)snprintf(next->said, sizeof next->said, "%s", words);
    if (words[0] == '\0')
        (void)snprintf(next->said, sizeof next->said, "the engine saw the target fail; see why: %s CASE.pcb",
                       campaign->options->target);
    campaign->said.length = 0;
    campaign->said.text[0] = '\0';
}

static enum harness_status look(void *user, bool over, bool idle, struct harness_hunt_input *next, bool *ended,
                                struct harness_error *error)
{
    struct harness_campaign *const campaign = user;
    enum harness_status status = HARNESS_OK;
    const unsigned seconds = campaign->options->seconds;
    campaign->error = error;
    if (over && (seconds == 0 || harness_seconds_now() < campaign->start + seconds))
        campaign->asked = true;
    if (!campaign->is_prepared)
        status = prepare(campaign);
    if (status == HARNESS_OK && campaign->child.process != 0)
        status = watch_engine(campaign, over);
    if (status == HARNESS_OK && next != NULL && (campaign->child.process == 0 || !campaign->engine->restarts))
        give(campaign, next);
    const bool has_case = next != NULL && next->path[0] != '\0';
    if (status == HARNESS_OK && campaign->child.process == 0 && !campaign->ended && idle && !has_case)
        status = start_engine(campaign, over);
    *ended = (campaign->ended || over) && campaign->child.process == 0 && (!has_case || campaign->asked);
    return status;
}

struct harness_campaign *harness_campaign_create(const struct harness_campaign_options *options,
                                                 struct harness_error *error)
{
    struct harness_campaign *const campaign = calloc(1, sizeof *campaign);
    if (campaign == NULL) {
        (void)harness_fail_memory(error);
        return NULL;
    }
    campaign->options = options;
    campaign->engine = options->engine == HARNESS_ENGINE_AFL ? &campaign_afl : &campaign_libfuzzer;
    campaign->statistics_file = -1;
    campaign->error = error;
    campaign->start = harness_seconds_now();
    (void)snprintf(campaign->log_path, sizeof campaign->log_path, "%s/engine.log", options->findings);
    if (open_statistics(campaign) == HARNESS_OK) {
        campaign->source = (struct harness_hunt_source){ campaign, look, campaign->statistics };
        return campaign;
    }
    harness_campaign_destroy(campaign);
    return NULL;
}

void harness_campaign_destroy(struct harness_campaign *campaign)
{
    if (campaign == NULL)
        return;
    harness_child_kill(&campaign->child);
    close_statistics(campaign);
    free(campaign);
}

const struct harness_hunt_source *harness_campaign_source(const struct harness_campaign *campaign)
{
    return &campaign->source;
}

uint64_t harness_campaign_inputs(const struct harness_campaign *campaign)
{
    return campaign_count_files(campaign->options->corpus);
}

uint64_t harness_campaign_left(const struct harness_campaign *campaign)
{
    char first[HARNESS_HUNT_PATH];
    return campaign_artifacts(campaign, first);
}

/* If the corpus has another file of that name, it is not overwritten: the seed gets a name made from its contents. */
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
