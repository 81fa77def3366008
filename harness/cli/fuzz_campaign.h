/* `picafuzz fuzz --campaign DIRECTORY`: everything in one directory, and all instances that are worth having. */
#ifndef HARNESS_CLI_FUZZ_CAMPAIGN_H
#define HARNESS_CLI_FUZZ_CAMPAIGN_H

#include "harness/campaign/campaign.h"
#include "harness/campaign/plan.h"
#include "harness/cli/options.h"

/* What only such a campaign has. */
struct cli_campaign_request {
    const char *directory;     /* NULL: it is none */
    struct cli_list instances; /* names; none: all */
    const char *builds;        /* NULL: beside this program's own */
    const char *machine;       /* NULL: the host's name */
};

struct cli_campaign {
    struct harness_plan plan;
    char corpus[1024], findings[1024], builds[1024], machine[256];
    int lock; /* -1: none */
};

/* Prints which instances there are and which can run here: CLI_OK. `mutator`: AFL++'s; NULL: that of each preset. */
int cli_campaign_list(const struct cli_campaign_request *request, const char *mutator);

/* Makes the directory, locks it and fills in the options, of which the mutator may be given. `others`: not `reference`
 * and `fast` are compared. Returns an exit code, after a message if it is not CLI_OK. */
int cli_campaign_begin(const struct cli_campaign_request *request, bool others,
                       struct harness_campaign_options *options, struct cli_campaign *campaign);
void cli_campaign_end(struct cli_campaign *campaign);

#endif
