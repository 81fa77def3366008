#include "harness/campaign/peeling.h"

#include "harness/hunt/needs.h"

#include <stdio.h>
#include <string.h>

enum {
    HANG_MS = 500,      /* a case that ends does so in less; of a hang each try costs that */
    LEAST_SECONDS = 10, /* for finding out what it needs */
    NEEDS_TRIES = 2000, /* instead of that, where time is to decide nothing; ... */
    HANG_TRIES = 60,    /* ... each costs HANG_MS ... */
    CRASH_TRIES = 500,  /* ... or a new process */
    PATIENCE = 4        /* findings of one cause that teach nothing; then it is avoided in another way */
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

static const struct harness_peel_need *find_need(const struct harness_peel_cause *cause,
                                                 const struct harness_peel_need *like)
{
    for (uint32_t i = 0; i < cause->count; i++)
        if (cause->needs[i].field == like->field && cause->needs[i].usual == like->usual)
            return &cause->needs[i];
    return NULL;
}

/* The same bucket and all fields that the known one needs. *news: another value of one. */
static bool widen(struct harness_peel_cause *known, const struct harness_peel_cause *cause, bool *news)
{
    if (strcmp(known->bucket, cause->bucket) != 0 || known->dies != cause->dies ||
        (known->count == 0) != (cause->count == 0))
        return false;
    for (uint32_t i = 0; i < known->count; i++)
        if (find_need(cause, &known->needs[i]) == NULL)
            return false;
    for (uint32_t i = 0; i < known->count; i++) {
        const struct harness_peel_need *const need = find_need(cause, &known->needs[i]);
        for (uint32_t k = 0; k < 2; k++) {
            *news = *news || (need->values[k] & ~known->needs[i].values[k]) != 0;
            known->needs[i].values[k] |= need->values[k];
        }
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

/* The reducer moves things to their usual places, from unit 1 to unit 0, and then the reduced case needs unit 0. What
 * was found shows it without: that is no need. *news: one is gone. */
static enum harness_status narrow(struct campaign *campaign, struct harness_peel_cause *known,
                                  struct harness_case *found, bool *news)
{
    uint32_t has = 0, kept = 0;
    if (!harness_peel_has(known, found, &has))
        return harness_fail_memory(campaign->error);
    if (has == 0) /* it is done by what no visitor sees */
        return HARNESS_OK;
    for (uint32_t i = 0; i < known->count; i++)
        if ((has >> i & 1u) != 0)
            known->needs[kept++] = known->needs[i];
    *news = *news || kept != known->count;
    known->count = kept;
    return HARNESS_OK;
}

/* To avoid it by its first need did not help: by the next one, and when each had its turn, by how it looks. */
static void lose_patience(const struct campaign *campaign, struct harness_peel_cause *known,
                          const struct campaign_failure *failure)
{
    const uint32_t findings = campaign->peel_findings[known - campaign->summary->peel.causes];
    if (findings % PATIENCE != 0)
        return;
    if (findings / PATIENCE >= known->count) {
        harness_peel_sign(failure->kind, failure->key, known->sign);
        return;
    }
    const struct harness_peel_need first = known->needs[0];
    memmove(&known->needs[0], &known->needs[1], (known->count - 1) * sizeof first);
    known->needs[known->count - 1] = first;
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
    bool news = false;
    struct harness_peel_cause *const known = status == HARNESS_OK ? remember(peel_of(campaign), &cause, &news) : NULL;
    if (known != NULL)
        status = narrow(campaign, known, found, &news);
    if (status != HARNESS_OK)
        return status;
    if (known != NULL && !news && failure->kind[0] != '\0') {
        campaign->peel_findings[known - peel_of(campaign)->causes]++;
        lose_patience(campaign, known, failure);
    }
    return write(campaign);
}

enum harness_status campaign_peel_end(struct campaign *campaign)
{
    return campaign->options->peel ? write(campaign) : HARNESS_OK;
}
