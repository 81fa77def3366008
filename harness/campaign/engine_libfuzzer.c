/* libFuzzer: the target contains the engine, ends with each finding, and is started again. */
#include "harness/campaign/campaign_parts.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    RELOAD_SECONDS = 10
};

/*
 * -entropic=0: the bookkeeping of that schedule takes longer than running our inputs, which have about a thousand
 * features each (60 000 executions from an empty corpus: 75 s with it, 31 s without, the same coverage; re-reading a
 * corpus: five times as long).
 *
 * -reload: reads what other processes write into the corpus. It is 0 if executions are counted, because otherwise the
 * process would also reload its own files, at a moment that depends on the clock. -runs is for targets that do not end
 * by themselves after so many executions (targets/fuzz_pair.c does).
 */
static void become(const struct harness_campaign *campaign, unsigned seconds)
{
    const struct harness_campaign_options *const options = campaign->options;
    const char *const target = options->target;
    char limit[48], prefix[HARNESS_CAMPAIGN_PATH_SIZE + 32], length[32], timeout[32], memory[32], seed[32];
    char runs[32], reload[16];
    (void)snprintf(limit, sizeof limit, "-max_total_time=%u", seconds);
    (void)snprintf(prefix, sizeof prefix, "-artifact_prefix=%s/" CAMPAIGN_ARTIFACT, options->findings);
    (void)snprintf(length, sizeof length, "-max_len=%d", HARNESS_MAX_INPUT);
    (void)snprintf(timeout, sizeof timeout, "-timeout=%d", HARNESS_INPUT_TIMEOUT);
    (void)snprintf(memory, sizeof memory, "-rss_limit_mb=%d", HARNESS_INPUT_MEMORY);
    (void)snprintf(seed, sizeof seed, "-seed=%u", options->seed == 0 ? 0 : options->seed + campaign->starts);
    (void)snprintf(runs, sizeof runs, "-runs=%lld",
                   options->executions == 0 ? -1LL : (long long)campaign_executions_left(campaign));
    (void)snprintf(reload, sizeof reload, "-reload=%d", options->executions == 0 ? RELOAD_SECONDS : 0);
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
                          NULL };
    (void)execv(target, arguments);
    fprintf(stderr, "picafuzz: %s: cannot be run: %s\n", target, strerror(errno));
}

static bool failing(const struct harness_campaign *campaign, unsigned place, char out[CAMPAIGN_PATH_SIZE])
{
    (void)snprintf(out, CAMPAIGN_PATH_SIZE, "%s", campaign->options->findings);
    return place == 0;
}

/* libFuzzer removes an input before it writes the smaller one that replaces it. On SIGINT it ends at once, even between
 * the two; on SIGUSR1 it ends before the next mutation, so not while it reads its corpus. Therefore SIGINT is sent only
 * a second later (campaign.c), also if a single input takes longer than that. */
const struct campaign_engine campaign_libfuzzer = {
    .become = become, .failing = failing, .artifact = CAMPAIGN_ARTIFACT, .restarts = true, .gentle = SIGUSR1
};
