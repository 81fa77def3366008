#include "harness/campaign/peeling.h"

#include "harness/campaign/needs.h"

#include <stdio.h>
#include <string.h>

enum {
    HANG_MS = 500,      /* a case that ends does so in less; of a hang each try costs that */
    LEAST_SECONDS = 10, /* for finding out what it needs */
    NEEDS_TRIES = 2000, /* instead of that, where time is to decide nothing; ... */
    HANG_TRIES = 60,    /* ... each costs HANG_MS ... */
    CRASH_TRIES = 500,  /* ... or a new process */
    PATIENCE = 4 /* findings of one cause that teach nothing; then every failure that looks the same counts as it */
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

bool campaign_peel_knows(const struct campaign *campaign, const struct campaign_failure *failure)
{
    return campaign->options->peel && failure->kind[0] != '\0' &&
           harness_peel_find_sign(peel_of(campaign), failure->kind, failure->key) >= 0;
}

enum harness_status campaign_peel_free(struct campaign *campaign, struct harness_case *test_case, bool *freed)
{
    struct harness_peeled peeled = { 0 };
    if (!harness_peel_free(peel_of(campaign), false, test_case, &peeled))
        return harness_fail_memory(campaign->error);
    *freed = peeled.count != 0;
    return HARNESS_OK;
}

/* The same bucket and the same fields. *news: another value of a need. */
static bool widen(struct harness_peel_cause *known, const struct harness_peel_cause *cause, bool *news)
{
    if (strcmp(known->bucket, cause->bucket) != 0 || known->dies != cause->dies || known->count != cause->count)
        return false;
    for (uint32_t i = 0; i < cause->count; i++)
        if (known->needs[i].field != cause->needs[i].field || known->needs[i].usual != cause->needs[i].usual)
            return false;
    for (uint32_t i = 0; i < cause->count; i++)
        for (uint32_t k = 0; k < 2; k++) {
            *news = *news || (cause->needs[i].values[k] & ~known->needs[i].values[k]) != 0;
            known->needs[i].values[k] |= cause->needs[i].values[k];
        }
    return true;
}

static struct harness_peel_cause *remember(struct harness_peel *peel, const struct harness_peel_cause *cause,
                                           bool *news)
{
    for (uint32_t i = 0; i < peel->count; i++)
        if (widen(&peel->causes[i], cause, news))
            return &peel->causes[i];
    if (peel->count == HARNESS_PEEL_MOST)
        return NULL;
    peel->causes[peel->count] = *cause;
    return &peel->causes[peel->count++];
}

static unsigned needs_tries(enum harness_symptom_kind kind)
{
    if (kind == HARNESS_SYMPTOM_HANG)
        return HANG_TRIES;
    return kind == HARNESS_SYMPTOM_CRASH ? (unsigned)CRASH_TRIES : (unsigned)NEEDS_TRIES;
}

static enum harness_status find_needs(struct campaign *campaign, const struct harness_filed *filed,
                                      const struct harness_case *test_case, struct harness_peel_cause *cause)
{
    const struct harness_probe_options probe = { .backends = campaign->options->backends.opened,
                                                 .backend_count = campaign->options->backends.count,
                                                 .backend_options = { .instruction_sets = UINT32_MAX },
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
                                        const struct harness_filed *filed, const struct harness_case *test_case)
{
    struct harness_peel_cause cause = { .dies = filed->symptom.kind == HARNESS_SYMPTOM_CRASH ||
                                                filed->symptom.kind == HARNESS_SYMPTOM_HANG };
    if (!campaign->options->peel)
        return HARNESS_OK;
    (void)snprintf(cause.bucket, sizeof cause.bucket, "%s", filed->bucket);
    const enum harness_status status = find_needs(campaign, filed, test_case, &cause);
    if (status != HARNESS_OK)
        return status;
    bool news = false;
    struct harness_peel_cause *const known = remember(peel_of(campaign), &cause, &news);
    if (known != NULL && !news && failure->kind[0] != '\0' &&
        ++campaign->peel_findings[known - peel_of(campaign)->causes] >= PATIENCE)
        harness_peel_sign(failure->kind, failure->key, known->sign); /* its needs do not tell it from others */
    return write(campaign);
}

enum harness_status campaign_peel_end(struct campaign *campaign)
{
    return campaign->options->peel ? write(campaign) : HARNESS_OK;
}
