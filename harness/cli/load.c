#include "harness/cli/cli.h"

#include "harness/run/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum harness_status cli_load(const char *path, struct harness_case *out, struct harness_error *error)
{
    struct stat status_of_file;
    if (stat(path, &status_of_file) != 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (S_ISDIR(status_of_file.st_mode))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: expected a case file, found a directory", path);
    struct harness_text warnings;
    harness_text_init(&warnings);
    const enum harness_status status = harness_load(out, path, &warnings, error);
    fputs(harness_text_string(&warnings), stderr);
    harness_text_free(&warnings);
    return status;
}
