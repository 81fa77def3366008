/*
 * All instances that are worth having: a table, and which of them this machine can run. What the presets build lies
 * side by side: BUILDS/fuzz/bin/fuzz_pair, BUILDS/asan/bin/fuzz_pair, BUILDS/afl/bin/fuzz_pair_afl, with it
 * BUILDS/afl/lib/mutator_afl.so, ...
 */
#ifndef HARNESS_CAMPAIGN_PLAN_H
#define HARNESS_CAMPAIGN_PLAN_H

#include "harness/campaign/campaign.h"

enum {
    HARNESS_PLAN_PATH = 1024
};

/* A line of the table, and whether it can run here. */
struct harness_plan_entry {
    const char *name;
    const char *preset;
    const char *what;    /* for people: "threads", "under AddressSanitizer + UndefinedBehaviorSanitizer" */
    const char *lacking; /* why it cannot run: the preset is not built, the host has no such instruction set; NULL: it
                            can */
};

struct harness_plan_files {
    char dictionary[HARNESS_PLAN_PATH], seeds[HARNESS_PLAN_PATH], mutator[HARNESS_PLAN_PATH];
};

struct harness_plan {
    struct harness_campaign_instance instances[HARNESS_CAMPAIGN_MAX_INSTANCES]; /* that can run, the most worth first */
    size_t count;
    struct harness_plan_entry entries[HARNESS_CAMPAIGN_MAX_INSTANCES]; /* all */
    size_t entry_count;
    char paths[HARNESS_CAMPAIGN_MAX_INSTANCES][HARNESS_PLAN_PATH];
    struct harness_plan_files files[HARNESS_CAMPAIGN_MAX_INSTANCES];
    char cmplog[HARNESS_PLAN_PATH];
};

/* `builds`: the directory above those of the presets. `mutator`: path of AFL++'s; NULL: that of each preset. */
void harness_plan_make(struct harness_plan *plan, const char *builds, const char *mutator);

/* Keeps those that are named ("pair", "afl-asan"); a word that ends with * names all that begin so. HARNESS_BAD_INPUT
 * for a name that is not in the table, HARNESS_HOST for one that cannot run or if nothing is left. */
enum harness_status harness_plan_choose(struct harness_plan *plan, const char *const *names, size_t count,
                                        struct harness_error *error);

#endif
