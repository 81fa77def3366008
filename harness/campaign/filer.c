/*
 * Findings that are reduced and filed beside the engines: one at a time, in a process of its own, so that a reduction
 * neither stops the watch over the engines nor, if a plug-in kills it, the campaign. What waits lies in the findings
 * directory as CASE.pcb, CASE.pcase and CASE.txt; a campaign that is killed leaves it there for the next one.
 */
#include "harness/campaign/campaign_parts.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GROWTH = 16,
    LEAST_SECONDS = 60, /* of a filing before it is killed; a reduction may end late, and buckets need more looks */
    PATIENCE = 6        /* times the seconds of a reduction */
};

/* What the process says when it is done. */
struct filer_result {
    atomic_bool done;
    enum harness_status status;
    struct harness_error error;
    struct campaign_filed filed;
};

struct campaign_filing {
    char name[256];
    struct campaign_failure failure;
};

struct campaign_filer {
    struct campaign_filing *waiting; /* the first one is in work while `child` runs */
    size_t count, capacity;
    struct harness_child child;
    struct harness_child_time begun;
    struct filer_result *result; /* shared */
};

static struct campaign_filer *create_filer(void)
{
    struct campaign_filer *const filer = calloc(1, sizeof *filer);
    if (filer == NULL)
        return NULL;
    filer->result = mmap(NULL, sizeof *filer->result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (filer->result != MAP_FAILED)
        return filer;
    free(filer);
    return NULL;
}

bool campaign_files_later(const struct campaign *campaign)
{
    const struct harness_campaign_options *const options = campaign->options;
    return options->instances != NULL && options->reduce_seconds != 0 && !options->peel && options->executions == 0;
}

bool campaign_is_waiting(const struct campaign *campaign, const struct campaign_failure *failure)
{
    for (size_t i = 0; campaign->filer != NULL && i < campaign->filer->count; i++)
        if (campaign_is_same_failure(&campaign->filer->waiting[i].failure, failure))
            return true;
    return false;
}

enum harness_status campaign_file_later(struct campaign *campaign, const char *name,
                                        const struct campaign_failure *failure)
{
    if (campaign->filer == NULL)
        campaign->filer = create_filer();
    struct campaign_filer *const filer = campaign->filer;
    if (filer == NULL)
        return harness_fail_memory(campaign->error);
    if (filer->count == filer->capacity) {
        struct campaign_filing *const more =
            realloc(filer->waiting, (filer->capacity + GROWTH) * sizeof *filer->waiting);
        if (more == NULL)
            return harness_fail_memory(campaign->error);
        filer->waiting = more;
        filer->capacity += GROWTH;
    }
    struct campaign_filing *const filing = &filer->waiting[filer->count++];
    (void)snprintf(filing->name, sizeof filing->name, "%s", name);
    filing->failure = *failure;
    campaign->summary->progress.waiting = filer->count;
    return HARNESS_OK;
}

/* In the child. */
static int file_first(void *user)
{
    struct campaign *const campaign = user;
    const struct campaign_filing *const filing = &campaign->filer->waiting[0];
    struct filer_result *const result = campaign->filer->result;
    campaign->error = &result->error;
    result->status = campaign_file_artifact(campaign, filing->name, &filing->failure, &result->filed);
    result->done = true;
    return 0;
}

static enum harness_status start(struct campaign *campaign)
{
    static const struct harness_child_setup setup = { .group = true, .silent = true, .death_signal = SIGKILL };
    struct campaign_filer *const filer = campaign->filer;
    memset(filer->result, 0, sizeof *filer->result);
    if (!harness_child_start(&filer->child, &setup, file_first, campaign))
        return harness_fail(campaign->error, HARNESS_HOST, "fork: %s", strerror(errno));
    filer->begun = harness_child_begin(&filer->child);
    return HARNESS_OK;
}

/* A reduction that died or did not end leaves the finding as the target found it. */
static void keep_unfiled(const struct campaign *campaign, struct campaign_filing *filing, struct campaign_filed *filed)
{
    *filed = (struct campaign_filed){ .duplicate = false };
    (void)snprintf(filed->path, sizeof filed->path, "%.700s/%s.pcase", campaign->options->findings, filing->name);
    struct campaign_failure *const failure = &filing->failure;
    const size_t length = strlen(failure->title);
    (void)snprintf(failure->title + length, sizeof failure->title - length, " (not reduced: the reduction died)");
}

/* Of a process that has ended. */
static enum harness_status take_result(struct campaign *campaign)
{
    struct campaign_filer *const filer = campaign->filer;
    struct filer_result *const result = filer->result;
    if (result->done && result->status == HARNESS_HOST) {
        *campaign->error = result->error;
        return HARNESS_HOST;
    }
    if (!result->done || result->status != HARNESS_OK)
        keep_unfiled(campaign, &filer->waiting[0], &result->filed);
    campaign_add_finding(campaign, &filer->waiting[0].failure, &result->filed);
    filer->count--;
    memmove(filer->waiting, filer->waiting + 1, filer->count * sizeof *filer->waiting);
    campaign->summary->progress.waiting = filer->count;
    return HARNESS_OK;
}

enum harness_status campaign_tend_filer(struct campaign *campaign)
{
    struct campaign_filer *const filer = campaign->filer;
    if (filer == NULL)
        return HARNESS_OK;
    if (filer->child.process != 0) {
        const double limit = (double)PATIENCE * campaign->options->reduce_seconds + LEAST_SECONDS;
        if (!harness_child_has_ended(&filer->child) && harness_child_spent(&filer->child, filer->begun).wall < limit)
            return HARNESS_OK;
        harness_child_kill(&filer->child);
        const enum harness_status status = take_result(campaign);
        if (status != HARNESS_OK)
            return status;
    }
    return filer->count != 0 && campaign->summary->progress.findings < HARNESS_CAMPAIGN_MAX_FINDINGS ? start(campaign)
                                                                                                     : HARNESS_OK;
}

/* What watches over the disk, and what the page says, when no engine runs. Once a second. */
static enum harness_status report_drain(struct campaign *campaign)
{
    const enum harness_status status = campaign_check_files(campaign, false);
    campaign_flush_due(campaign);
    return status == HARNESS_OK ? campaign_take_pulse(campaign) : status;
}

enum harness_status campaign_drain(struct campaign *campaign)
{
    const struct harness_campaign_progress *const progress = &campaign->summary->progress;
    const uint64_t total = progress->waiting;
    const double until = harness_seconds_now() + HARNESS_CAMPAIGN_DRAIN_SECONDS;
    double next_report = 0.0;
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && progress->waiting != 0 && !campaign->asked && harness_seconds_now() < until &&
           progress->findings < HARNESS_CAMPAIGN_MAX_FINDINGS) {
        campaign_show_step(campaign, "reducing what was found", total - progress->waiting, total);
        campaign_wait(200);
        status = campaign_tend_filer(campaign);
        if (status == HARNESS_OK && harness_seconds_now() >= next_report) {
            next_report = harness_seconds_now() + 1.0;
            status = report_drain(campaign);
        }
    }
    return status;
}

/* A process that is killed after it has filed its finding has filed it. */
void campaign_filer_end(struct campaign *campaign)
{
    struct campaign_filer *const filer = campaign->filer;
    if (filer == NULL)
        return;
    const bool worked = filer->child.process != 0;
    harness_child_kill(&filer->child);
    if (worked && filer->result->done && filer->result->status != HARNESS_HOST)
        (void)take_result(campaign);
    campaign->summary->left += filer->count;
    (void)munmap(filer->result, sizeof *filer->result);
    free(filer->waiting);
    free(filer);
    campaign->filer = NULL;
}
