/* `picafuzz diff --generate`: cases by seed, one after another in a process that they share. */
#include "harness/case/formats.h"
#include "harness/cli/baseline.h"
#include "harness/cli/diff_parts.h"
#include "harness/cli/progress.h"
#include "harness/cli/quirks.h"
#include "harness/run/pair.h"

#include <inttypes.h>
#include <stdio.h>

/* ------------------------------------------------------------------------------------------------------------ cases */

/* What make_again works with. */
struct past {
    const struct diff_request *request;
    uint64_t seed;
};

/* The case of a seed as fuzzers run it, not yet rewritten. */
static void generate(const struct diff_request *request, uint64_t seed, struct harness_case *out)
{
    harness_case_reset(out);
    harness_generate(out, seed, &request->generate);
    if (request->no_float24 && out->profile == PICA_PROFILE_F24)
        out->profile = PICA_PROFILE_F32;
    harness_bound_case(out);
}

/* Makes a case again that ran before, without counting it again. */
static bool make_again(const void *what, size_t back, struct harness_case *out)
{
    const struct past *const past = what;
    const struct harness_quirks *const quirks = cli_quirks_file(&past->request->options);
    struct harness_quirks_result result = { 0 };
    generate(past->request, past->seed - back, out);
    return quirks == NULL || (harness_quirks_apply(quirks, out, &result) == HARNESS_OK && result.without == NULL);
}

static int keep(struct diff_request *request, const struct harness_case *test_case)
{
    struct harness_error error = { "" };
    char path[4096];
    if (request->output.path == NULL)
        return CLI_OK;
    (void)snprintf(path, sizeof path, "%s/%s.pcase", request->output.path, request->path);
    if (harness_case_save_file(test_case, path, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    request->kept++;
    return CLI_OK;
}

/* What is not expected is printed and kept. */
static int diff_seed(struct diff_request *request, uint64_t seed, struct harness_case *test_case)
{
    struct harness_trial *const trial = &request->judges.trial;
    struct harness_error error = { "" };
    const struct past past = { request, seed };
    const struct harness_past before = { make_again, &past, (size_t)(seed - request->seeds.first) };
    generate(request, seed, test_case);
    const enum harness_status status =
        cli_trial_case(&request->options, &request->judges, test_case, &before, trial, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    if (harness_outcome_exit(trial->outcome) != HARNESS_EXIT_OK)
        diff_print(request, trial);
    const int code = diff_judge(request, trial);
    return code == CLI_OK ? CLI_OK : cli_worse(code, keep(request, test_case));
}

/* --------------------------------------------------------------------------------------------------------- the work */

static int diff_seeds(struct diff_request *request, struct harness_case *test_case)
{
    int code = CLI_OK;
    char name[64], more[80];
    struct cli_progress progress;
    cli_progress_begin(&progress);
    while (request->done < request->seeds.count && !cli_part_over(&request->options)) {
        (void)snprintf(more, sizeof more, ", %" PRIu64 " agree, %" PRIu64 " not tested",
                       request->totals.of[HARNESS_AGREE], request->totals.of[HARNESS_NOT_TESTED]);
        if (!cli_progress_goes_on(&progress, request->done, request->seeds.count, more))
            break;
        const uint64_t seed = request->seeds.first + request->done++;
        (void)snprintf(name, sizeof name, "%s-%" PRIu64, harness_generate_mode_name(request->generate.mode), seed);
        request->path = name;
        if (!cli_baseline_skips(&request->options, name))
            code = cli_worse(code, diff_seed(request, seed, test_case));
    }
    return cli_worse(code,
                     cli_progress_end(&progress, cli_is_interrupted() ? request->seeds.count - request->done : 0));
}

int diff_generated(struct diff_request *request)
{
    struct harness_case *const test_case = harness_case_create();
    request->no_float24 = !harness_backends_take_float24(request->judges.backends, request->judges.count);
    const int code = test_case != NULL ? diff_seeds(request, test_case) : CLI_HOST;
    if (request->kept != 0)
        cli_print(stdout, "%zu case(s) in %s/\n", request->kept, request->output.path);
    harness_case_destroy(test_case);
    return code;
}
