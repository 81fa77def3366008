/* `picafuzz diff` and the baseline: --buckets, --accept. */
#include "harness/cli/baseline.h"
#include "harness/cli/diff_parts.h"
#include "harness/cli/judge.h"
#include "harness/cli/quirks.h"

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

bool diff_bucket(const void *argument, char *name)
{
    const struct diff_request *const request = argument;
    return cli_bucket_of(&request->options, &request->judges, request->path, name);
}

int diff_accept(struct diff_request *request, int code)
{
    if (!request->accept || cli_showing_of(code) == HARNESS_SHOWS_NOTHING)
        return code;
    code = cli_baseline_accept_case(request->quirks_path, request->path, code, request->note);
    request->accepted += code == CLI_OK;
    return code;
}
