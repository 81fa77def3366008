/* libFuzzer: the target is the engine. It ends with each finding and is started again. */
#include "harness/campaign/campaign_parts.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RELOAD_SECONDS = 10
};

static enum harness_status nothing(struct campaign *campaign)
{
    (void)campaign;
    return HARNESS_OK;
}

static enum harness_status begin_nothing(struct campaign *campaign, struct campaign_job *job)
{
    (void)campaign;
    (void)job;
    return HARNESS_OK;
}

/*
 * -entropic=0: its bookkeeping takes longer than running our inputs, which have about a thousand features each (60 000
 * executions from an empty corpus: 75 s with it, 31 s without, the same coverage; re-reading a corpus: five times as
 * long).
 *
 * -reload: what other processes found. Each time it asks the system about every file of the corpus; once a second, as
 * it does by itself, took 4 % of a campaign's time. 0 for one job that counts its executions: what it wrote itself
 * would come back at a moment that the clock chooses. -runs is for targets that do not end by themselves then
 * (targets/hunt.h).
 */
static void become(struct campaign *campaign, struct campaign_job *job, unsigned seconds)
{
    const struct harness_campaign_options *const options = campaign->options;
    const char *const target = options->target, *const words = options->dictionary;
    char limit[48], prefix[HARNESS_CAMPAIGN_PATH_SIZE + 32], length[32], timeout[32], memory[32], seed[32];
    char runs[32], reload[16], dictionary[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    (void)snprintf(limit, sizeof limit, "-max_total_time=%u", seconds);
    (void)snprintf(prefix, sizeof prefix, "-artifact_prefix=%s/job%u-", options->findings, job->index);
    (void)snprintf(length, sizeof length, "-max_len=%d", HARNESS_MAX_INPUT);
    (void)snprintf(timeout, sizeof timeout, "-timeout=%d", HARNESS_INPUT_TIMEOUT);
    (void)snprintf(memory, sizeof memory, "-rss_limit_mb=%u", campaign_memory(campaign));
    (void)snprintf(seed, sizeof seed, "-seed=%u", options->seed == 0 ? 0 : options->seed + campaign->starts);
    (void)snprintf(dictionary, sizeof dictionary, "-dict=%s", words != NULL ? words : "");
    (void)snprintf(runs, sizeof runs, "-runs=%lld",
                   options->executions == 0 ? -1LL : (long long)campaign_executions_left(campaign, job->index));
    (void)snprintf(reload, sizeof reload, "-reload=%d",
                   options->executions == 0 || campaign->count > 1 ? RELOAD_SECONDS : 0);
    char *arguments[] = { (char *)target,
                          limit,
                          runs,
                          prefix,
                          length,
                          timeout,
                          memory,
                          seed,
                          (char *)"-detect_leaks=0",
                          reload,
                          (char *)"-entropic=0",
                          (char *)"-print_funcs=0",
                          (char *)options->corpus,
                          words != NULL ? dictionary : NULL,
                          NULL };
    (void)execv(target, arguments);
    fprintf(stderr, "picafuzz: %s: cannot be run: %s\n", target, strerror(errno));
}

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

/* Lines with which a target begins to say why it ends: our own, and those of libFuzzer, the sanitizers and assert. A
 * plug-in in the process may log whatever it likes, and of errors, too; what it writes last may stand before any of
 * them. */
static bool says_why_it_ends(const char *line)
{
    static const char *const marks[] = { "==ERROR: ",         "== ERROR: libFuzzer: ", "==WARNING: MemorySanitizer: ",
                                         ": runtime error: ", ": Assertion `",         "SUMMARY: " };
    if (strncmp(line, "picafuzz:", 9) == 0)
        return true;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strstr(line, marks[i]) != NULL)
            return true;
    return false;
}

static void remember_only(struct campaign_said *said, const char *line, size_t length)
{
    said->length = 0;
    campaign_remember(said, line, length);
}

/* "#1234	NEW    cov: 56 ft: 78 corp: 9/10b lim: 11 exec/s: 12 rss: 13Mb ..." is progress; "INFO: ..." is chatter. */
static void take_line(struct campaign *campaign, struct campaign_job *job, const char *line, size_t length)
{
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    if (line[0] == '#') {     /* frames of a stack are indented */
        job->telling = false; /* whatever it said, it went on */
        job->said.length = 0;
        campaign_note_work(job);
        keep_largest(&progress->edges, number_after(line, "cov: "));
        keep_largest(&progress->features, number_after(line, "ft: "));
        keep_largest(&progress->corpus, number_after(line, "corp: "));
    } else if (job->telling) {
        campaign_remember(&job->said, line, length);
    } else if (says_why_it_ends(line)) {
        job->telling = true;
        remember_only(&job->said, line, length);
    } else if (strstr(line, "ERROR:") != NULL) { /* perhaps why it ends, if it ends now */
        remember_only(&job->said, line, length);
    }
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

static enum harness_status look(struct campaign *campaign, struct campaign_job *job, bool ended, size_t *found)
{
    if (!ended)
        return HARNESS_OK;
    const char *const findings = campaign->options->findings;
    DIR *const directory = opendir(findings);
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", findings, strerror(errno));
    size_t mine = 0;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        mine += is_artifact(entry->d_name, job->index);
    rewinddir(directory);
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(directory)) != NULL;) {
        if (!is_artifact(entry->d_name, job->index))
            continue;
        (*found)++;
        status = campaign_take_artifact(campaign, &job->said, entry->d_name, mine == 1);
    }
    (void)closedir(directory);
    return status;
}

/* It removes an input before it writes the smaller one that takes its place. By SIGINT it ends at once, between the two
 * as well; by SIGUSR1 before the next mutation, so not while it reads its corpus. SIGINT follows a second later
 * (campaign.c), also where a single input takes longer than that. */
const struct campaign_engine campaign_libfuzzer = { nothing, begin_nothing, become, take_line,
                                                    look,    nothing,       true,   SIGUSR1 };
