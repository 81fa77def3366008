/* A hunt for the page of its findings: what it ran, what its cases exercise, and what it never compares. */
#ifndef HARNESS_CLI_HUNT_JSON_H
#define HARNESS_CLI_HUNT_JSON_H

#include "harness/cli/cli.h"
#include "harness/hunt/hunt.h"

struct cJSON;

/* `session`: the hunt's backends, opened. `quirks`: what is known of them; NULL: nothing. The caller's; NULL without
 * memory. */
struct cJSON *cli_hunt_json(const char *directory, const struct harness_hunt_recalled *hunt,
                            const struct cli_session *session, const struct harness_quirks *quirks);

#endif
