/* What a campaign tells: the watcher, about once a second and during long steps; the pulse, which keeps it. */
#include "harness/campaign/campaign_parts.h"

#include <stdio.h>
#include <string.h>

void campaign_show_step(struct campaign *campaign, const char *step, uint64_t done, uint64_t total)
{
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    const double now = harness_seconds_now();
    if (done != 0 && done != total && now < campaign->next_step)
        return;
    campaign->next_step = now + 0.2;
    progress->elapsed = now - campaign->start; /* nobody else says so while no engine runs */
    progress->step = step;
    progress->step_done = done;
    progress->step_total = total;
    if (!campaign->watcher(campaign->user, progress))
        campaign->asked = true;
    progress->step = NULL;
}

/* What is wrong with it as a whole. */
static const char *trouble_of(const struct campaign *campaign)
{
    return campaign->rest_trouble[0] != '\0' ? campaign->rest_trouble : campaign->share_trouble;
}

/* A line that differs in numbers only is not told once more: "disk: 812 MiB left" becomes another one each second. */
static void tell_trouble(struct campaign *campaign, const char *trouble)
{
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    progress->trouble = trouble;
    if (!harness_pulse_is_other(trouble, campaign->told))
        return;
    (void)snprintf(campaign->told, sizeof campaign->told, "%s", trouble);
    progress->troubles++;
}

static struct harness_pulse_instance describe(const struct campaign *campaign, unsigned index)
{
    const struct campaign_record *const record = &campaign->records[index];
    const struct harness_campaign_instance *const instance = &campaign->instances[index];
    const char *const slash = strrchr(instance->target, '/');
    const bool running = campaign->jobs[index].child.process != 0;
    return (struct harness_pulse_instance){
        .name = instance->name,
        .engine = instance->engine == HARNESS_ENGINE_AFL ? "afl" : "libfuzzer",
        .target = slash != NULL ? slash + 1 : instance->target,
        .running = running,
        .trouble = record->trouble[0] != '\0' ? record->trouble : NULL,
        .seconds = record->seconds + (running ? harness_seconds_now() - record->began : 0.0),
        .executions = campaign_executions_of(campaign, index),
        .findings = record->findings,
        .statistics = &campaign->statistics[index],
        .edges = record->edges,
        .features = record->features,
        .corpus = record->corpus,
    };
}

enum harness_status campaign_take_pulse(struct campaign *campaign)
{
    struct harness_campaign_progress *const progress = &campaign->summary->progress;
    struct harness_pulse_instance instances[CAMPAIGN_MAX_JOBS];
    if (campaign->pulse == NULL) {
        tell_trouble(campaign, trouble_of(campaign));
        return HARNESS_OK;
    }
    for (unsigned i = 0; i < campaign->count; i++)
        instances[i] = describe(campaign, i);
    const struct harness_pulse_sample sample = { .elapsed = progress->elapsed,
                                                 .instances = instances,
                                                 .count = campaign->count,
                                                 .findings = progress->findings,
                                                 .duplicates = progress->duplicates,
                                                 .waiting = progress->waiting,
                                                 .inputs = progress->inputs,
                                                 .trouble = trouble_of(campaign) };
    const enum harness_status status = harness_pulse_take(campaign->pulse, &sample, campaign->error);
    tell_trouble(campaign, harness_pulse_line(campaign->pulse));
    harness_pulse_reach(campaign->pulse, &progress->edges, &progress->features);
    return status;
}

enum harness_status campaign_open_pulse(struct campaign *campaign)
{
    const struct harness_pulse_options options = { campaign->options->directory, campaign->options->corpus };
    char said[HARNESS_ERROR_SIZE + 64];
    if (options.directory == NULL)
        return HARNESS_OK;
    const enum harness_status status =
        harness_pulse_open(&options, &campaign->pulse, said, sizeof said, campaign->error);
    if (said[0] != '\0')
        fprintf(stderr, "picafuzz: %s\n", said);
    if (status == HARNESS_OK)
        campaign_recall_turns(campaign);
    return status;
}
