#include "harness/campaign/campaign_parts.h"

#include "harness/hunt/needs.h"

#include <stdio.h>
#include <string.h>

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

enum harness_status campaign_peel_learn(struct campaign *campaign, const struct campaign_failure *failure,
                                        const struct harness_filing *filing, const struct harness_filed *filed,
                                        const struct harness_case *test_case, struct harness_case *found)
{
    struct harness_peel_cause cause;
    if (!campaign->options->peel || (!filed->confirmed && campaign_is_unstable(failure)))
        return HARNESS_OK;
    enum harness_status status = harness_needs_find(filing, filed, test_case, &cause, campaign->error);
    if (status == HARNESS_OK &&
        !harness_peel_learn(peel_of(campaign), campaign->peel_findings, &cause, failure->kind, failure->key, found))
        status = harness_fail_memory(campaign->error);
    return status == HARNESS_OK ? write(campaign) : status;
}

enum harness_status campaign_peel_end(struct campaign *campaign)
{
    return campaign->options->peel ? write(campaign) : HARNESS_OK;
}
