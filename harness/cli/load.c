#include "harness/cli/cli.h"

#include "harness/run/load.h"

#include <stdio.h>

enum harness_status cli_load(const char *path, struct harness_case *out, struct harness_error *error)
{
    struct harness_text warnings;
    harness_text_init(&warnings);
    const enum harness_status status = harness_load(out, path, &warnings, error);
    fputs(harness_text_string(&warnings), stderr);
    harness_text_free(&warnings);
    return status;
}
