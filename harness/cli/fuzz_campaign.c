#include "harness/cli/fuzz_campaign.h"

#include "harness/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* The presets' directories lie side by side, and this program in bin/ of one of them. */
static void find_builds(const struct cli_campaign_request *request, char *out, size_t size)
{
    char self[1024];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    (void)snprintf(out, size, "%s", request->builds != NULL ? request->builds : "build");
    if (request->builds != NULL || length <= 0)
        return;
    self[length] = '\0';
    for (int parts = 0; parts < 3; parts++) {
        char *const slash = strrchr(self, '/');
        if (slash == NULL)
            return;
        *slash = '\0';
    }
    (void)snprintf(out, size, "%s", self);
}

int cli_campaign_list(const struct cli_campaign_request *request, const char *mutator)
{
    char builds[1024];
    struct harness_plan *const plan = malloc(sizeof *plan);
    struct harness_error error = { "" };
    if (plan == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    find_builds(request, builds, sizeof builds);
    harness_plan_make(plan, builds, mutator);
    for (size_t i = 0; i < plan->entry_count; i++) {
        const struct harness_plan_entry *const entry = &plan->entries[i];
        printf("%-18s %-10s %-14s %s\n", entry->name, entry->preset, entry->lacking != NULL ? entry->lacking : "ready",
               entry->what);
    }
    cli_print(stdout, "%zu of %zu can run; what a preset builds is looked for in %s/PRESET/bin\n", plan->count,
              plan->entry_count, builds);
    free(plan);
    return CLI_OK;
}

/* What compares `reference` with `fast` says nothing of another backend. */
static void keep_for_others(struct harness_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct harness_campaign_instance *const instance = &plan->instances[i];
        if (instance->inputs == HARNESS_INPUTS_PAIR && !instance->sanitized && instance->threads == 0 &&
            instance->instruction_sets == NULL && !instance->float24)
            plan->instances[kept++] = *instance;
    }
    plan->count = kept;
}

static enum harness_status choose(const struct cli_campaign_request *request, bool others, const char *mutator,
                                  struct cli_campaign *campaign, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    harness_plan_make(&campaign->plan, campaign->builds, mutator);
    if (others)
        keep_for_others(&campaign->plan);
    if (request->instances.count != 0)
        status = harness_plan_choose(&campaign->plan, request->instances.items, request->instances.count, error);
    if (status == HARNESS_OK && campaign->plan.count == 0)
        status = harness_fail(error, HARNESS_HOST,
                              "%s: no fuzz target is built there; build one: cmake --preset fuzz && cmake --build "
                              "--preset fuzz (ci/fuzz --all builds all)",
                              campaign->builds);
    return status;
}

/* Two campaigns in one directory would take each other's findings for those of a killed one. The lock goes with the
 * process, however that ends, and with those of its children that run this program: if it was killed they end a moment
 * later. */
static enum harness_status lock(const char *directory, int *out, struct harness_error *error)
{
    enum {
        TRIES = 10,
        PAUSE_MS = 100
    };
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/lock", directory);
    *out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*out < 0)
        return harness_fail(error, HARNESS_HOST, "%s: cannot be made: %s", path, strerror(errno));
    for (int i = 0; i < TRIES; i++) {
        if (flock(*out, LOCK_EX | LOCK_NB) == 0)
            return HARNESS_OK;
        (void)poll(NULL, 0, PAUSE_MS);
    }
    return harness_fail(error, HARNESS_HOST, "%s: another campaign runs there", directory);
}

static enum harness_status find_machine(const struct cli_campaign_request *request, char *out, size_t size,
                                        struct harness_error *error)
{
    if (request->machine != NULL)
        (void)snprintf(out, size, "%s", request->machine);
    else if (gethostname(out, size - 1) != 0)
        return harness_fail(error, HARNESS_HOST, "the name of this machine: %s", strerror(errno));
    out[size - 1] = '\0';
    if (out[0] != '\0' && out[0] != '.' && strlen(out) < 200 && strpbrk(out, "/:,") == NULL)
        return HARNESS_OK;
    return harness_fail(error, HARNESS_BAD_INPUT,
                        "--machine: '%s' is no name of a directory that others can see: it must not be empty, begin "
                        "with a dot or hold one of / : ,",
                        out);
}

static enum harness_status begin(const struct cli_campaign_request *request, bool others,
                                 struct harness_campaign_options *options, struct cli_campaign *campaign,
                                 struct harness_error *error)
{
    (void)snprintf(campaign->corpus, sizeof campaign->corpus, "%s/corpus", request->directory);
    (void)snprintf(campaign->findings, sizeof campaign->findings, "%s/findings", request->directory);
    find_builds(request, campaign->builds, sizeof campaign->builds);
    enum harness_status status = choose(request, others, options->mutator, campaign, error);
    if (status == HARNESS_OK)
        status = find_machine(request, campaign->machine, sizeof campaign->machine, error);
    if (status == HARNESS_OK)
        status = cli_make_directory(request->directory, error);
    if (status == HARNESS_OK)
        status = lock(request->directory, &campaign->lock, error);
    options->directory = request->directory;
    options->corpus = campaign->corpus;
    options->findings = campaign->findings;
    options->instances = campaign->plan.instances;
    options->instance_count = campaign->plan.count;
    options->machine = campaign->machine;
    return status;
}

int cli_campaign_begin(const struct cli_campaign_request *request, bool others,
                       struct harness_campaign_options *options, struct cli_campaign *campaign)
{
    struct harness_error error = { "" };
    campaign->lock = -1;
    if (strlen(request->directory) > HARNESS_CAMPAIGN_PATH_SIZE / 2)
        return cli_usage("fuzz", "the path of the campaign's directory is too long");
    const enum harness_status status = begin(request, others, options, campaign, &error);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

void cli_campaign_end(struct cli_campaign *campaign)
{
    if (campaign->lock >= 0)
        (void)close(campaign->lock);
    campaign->lock = -1;
}
