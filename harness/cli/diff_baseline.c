/* `picafuzz diff` and the baseline: --buckets, --accept. */
#include "harness/cli/baseline.h"
#include "harness/cli/diff_parts.h"
#include "harness/cli/judge.h"
#include "harness/cli/quirks.h"
#include "harness/quirks/edit.h"

#include <stdio.h>
#include <string.h>

int diff_open_baseline(struct diff_request *request)
{
    struct cli_run_options *const options = &request->options;
    if (request->note != NULL && !request->accept)
        return cli_usage("diff", "--note is for --accept");
    if (request->buckets && options->quirks_path == NULL)
        return cli_usage("diff", "--buckets judges by the baseline of a quirks file: name it with --quirks");
    const int code = request->accept ? cli_quirks_change("diff", options, &request->quirks_path) : CLI_OK;
    return code == CLI_OK ? cli_quirks_open("diff", options) : code;
}

static int find_bucket(const void *argument)
{
    const struct diff_request *const request = argument;
    cli_doing("looking for its bucket");
    if (!cli_bucket_of(&request->options, request->path, request->totals->bucket))
        request->totals->bucket[0] = '\0';
    return CLI_OK;
}

bool diff_bucket(const void *argument, char *name)
{
    const struct diff_request *const request = argument;
    request->totals->bucket[0] = '\0';
    (void)cli_guard(request->path, request->options.timeout.seconds, find_bucket, request);
    (void)snprintf(name, HARNESS_BUCKET_NAME, "%s", request->totals->bucket);
    return name[0] != '\0';
}

int diff_accept(const struct diff_request *request, int code)
{
    char name[4096], note[1024];
    struct harness_error error = { "" };
    if (!request->accept || cli_showing_of(code) == HARNESS_SHOWS_NOTHING)
        return code;
    (void)snprintf(name, sizeof name, "%s", request->path);
    (void)snprintf(note, sizeof note, "%s", request->note != NULL ? request->note : "");
    const bool crashes = cli_showing_of(code) == HARNESS_SHOWS_CRASH;
    const struct harness_accepted entry = { .test_case = name,
                                            .expectation = crashes ? HARNESS_EXPECT_CRASH : HARNESS_EXPECT_FAIL,
                                            .note = note };
    const enum harness_status status = harness_quirks_accept(request->quirks_path, &entry, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    request->totals->accepted++;
    return CLI_OK;
}
