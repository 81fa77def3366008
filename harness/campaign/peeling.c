#include "harness/campaign/peeling.h"

#include "harness/hunt/needs.h"

#include <stdio.h>
#include <string.h>

enum {
    HANG_MS = 500,      /* a case that ends does so in less; of a hang each try costs that */
    LEAST_SECONDS = 10, /* for finding out what it needs */
    NEEDS_TRIES = 2000, /* instead of that, where time is to decide nothing; ... */
    HANG_TRIES = 60,    /* ... each costs HANG_MS ... */
    CRASH_TRIES = 500   /* ... or a new process */
};

static struct harness_peel *peel_of(const struct campaign *campaign)
{
    return &campaign->summary->peel;
}

enum harness_status campaign_peel_begin(struct campaign *campaign)
{
    if (!campaign->options->peel)
        return HARNESS_OK;
    (void)snprintf(campaign->peel_path, sizeof campaign->peel_path, "%s/peel", campaign->options->findings);
    const enum harness_status status = harness_peel_read(campaign->peel_path, peel_of(campaign), campaign->error);
    for (uint32_t i = 0; i < HARNESS_PEEL_MOST; i++)
        campaign->peel_before[i] = peel_of(campaign)->causes[i].seen;
    return status;
}

/* With what the targets have counted until now. */
static enum harness_status write(struct campaign *campaign)
{
    struct harness_peel *const peel = peel_of(campaign);
    for (uint32_t i = 0; i < peel->count; i++)
        peel->causes[i].seen = campaign->peel_before[i] + campaign->summary->statistics.known[i];
    return harness_peel_write(campaign->peel_path, peel, campaign->error);
}

bool campaign_is_unstable(const struct campaign_failure *failure)
{
    return strcmp(failure->kind, "unstable") == 0;
}

enum harness_status campaign_peel_free(struct campaign *campaign, struct harness_case *test_case, bool *freed)
{
    struct harness_peeled peeled = { 0 };
    if (!harness_peel_free(peel_of(campaign), false, test_case, &peeled))
        return harness_fail_memory(campaign->error);
    *freed = peeled.count != 0;
    return HARNESS_OK;
}

static unsigned needs_tries(enum harness_outcome kind)
{
    if (kind == HARNESS_HANG)
        return HANG_TRIES;
    return kind == HARNESS_CRASH ? (unsigned)CRASH_TRIES : (unsigned)NEEDS_TRIES;
}

static enum harness_status find_needs(struct campaign *campaign, const struct harness_filing *filing,
                                      const struct harness_filed *filed, const struct harness_case *test_case,
                                      struct harness_peel_cause *cause)
{
    const struct harness_probe_options probe = { .backends = campaign->options->backends.opened,
                                                 .backend_count = campaign->options->backends.count,
                                                 .backend_options = filing->machine,
                                                 .jobs = 1,
                                                 .hang_ms = HANG_MS };
    if (!filed->confirmed || campaign->options->backends.opened == NULL)
        return HARNESS_OK;
    const unsigned seconds = campaign->options->reduce_seconds;
    struct harness_needs_hint hint = { .seconds = seconds > LEAST_SECONDS ? seconds : (unsigned)LEAST_SECONDS,
                                       .cause = &filed->cause };
    if (campaign->options->reduce_tries != 0) {
        hint.seconds = 0;
        hint.tries = needs_tries(filed->symptom.kind);
    }
    return harness_needs_find(test_case, &probe, &hint, cause, campaign->error);
}

enum harness_status campaign_peel_learn(struct campaign *campaign, const struct campaign_failure *failure,
                                        const struct harness_filing *filing, const struct harness_filed *filed,
                                        const struct harness_case *test_case, struct harness_case *found)
{
    struct harness_peel_cause cause = { .dies = filed->symptom.kind == HARNESS_CRASH ||
                                                filed->symptom.kind == HARNESS_HANG };
    if (!campaign->options->peel || (!filed->confirmed && campaign_is_unstable(failure)))
        return HARNESS_OK;
    (void)snprintf(cause.bucket, sizeof cause.bucket, "%s", filed->bucket);
    enum harness_status status = find_needs(campaign, filing, filed, test_case, &cause);
    if (status == HARNESS_OK &&
        !harness_peel_learn(peel_of(campaign), campaign->peel_findings, &cause, failure->kind, failure->key, found))
        status = harness_fail_memory(campaign->error);
    return status == HARNESS_OK ? write(campaign) : status;
}

enum harness_status campaign_peel_end(struct campaign *campaign)
{
    return campaign->options->peel ? write(campaign) : HARNESS_OK;
}
