#include "harness/cli/apart.h"

#include <stdio.h>
#include <string.h>

/* A path, not of recorded results: these run nothing. */
static bool is_library(const char *target)
{
    return strchr(target, '/') != NULL && strncmp(target, "recorded:", 9) != 0;
}

const struct cli_run_options *cli_keep_apart(const struct cli_run_options *options, struct cli_apart *apart)
{
    apart->options = *options;
    for (size_t i = 0; i < options->backends.count; i++) {
        const char *const target = harness_backend_target(options->backends.items[i]);
        const int length = snprintf(apart->names[i], sizeof apart->names[i], "process:%s", target);
        if (is_library(target) && length < (int)sizeof apart->names[i])
            apart->options.backends.items[i] = apart->names[i];
    }
    return &apart->options;
}
