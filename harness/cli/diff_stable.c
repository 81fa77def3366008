/* Does what a case showed come back? Of files, and of generated cases, whose past is known: the seeds before. */
#include "harness/cli/diff_parts.h"
#include "harness/cli/quirks.h"
#include "harness/cli/stable.h"
#include "harness/run/pair.h"

#include <string.h>

static bool ask(const struct diff_request *request, struct cli_stable *question, struct harness_stability *out)
{
    question->options = &request->options;
    question->name = request->path;
    question->slow = request->compare.slow;
    const bool comes_back = !cli_stable_ask(question, out) || out->stable;
    if (comes_back)
        memset(out, 0, sizeof *out);
    return comes_back;
}

bool diff_comes_back(const struct diff_request *request)
{
    const struct cli_stable_file file = { &request->options, request->path };
    struct cli_stable question = { .kind = HARNESS_SYMPTOM_DIVERGE, .make = cli_stable_make_file, .what = &file };
    return ask(request, &question, &request->totals->stability);
}

/* ------------------------------------------------------------------------------------------------- generated cases */

struct past {
    const struct diff_request *request;
    uint64_t seed; /* of the case in question */
};

enum harness_status diff_generate(const struct diff_request *request, uint64_t seed, bool counts,
                                  struct harness_case *out, const char **why, struct harness_error *error)
{
    struct harness_quirks_result result = { 0 };
    const struct harness_quirks *const quirks = cli_quirks_file(&request->options);
    harness_case_reset(out);
    harness_generate(out, seed, &request->generate);
    if (request->totals->no_float24 && out->profile == PICA_PROFILE_F24)
        out->profile = PICA_PROFILE_F32;
    harness_bound_case(out);
    if (counts)
        return cli_quirks_case(&request->options, out, NULL, why, error);
    if (quirks != NULL && harness_quirks_apply(quirks, out, &result) != HARNESS_OK)
        return harness_fail_memory(error);
    *why = result.without;
    return HARNESS_OK;
}

static bool make_generated(const void *what, size_t back, struct harness_case *out)
{
    const struct past *const past = what;
    const char *why = NULL;
    struct harness_error error;
    return diff_generate(past->request, past->seed - back, false, out, &why, &error) == HARNESS_OK && why == NULL;
}

bool diff_seed_comes_back(const struct diff_request *request, struct diff_pending *pending)
{
    const struct past past = { request, pending->seed };
    struct cli_stable question = { .kind = pending->crashed ? HARNESS_SYMPTOM_CRASH : HARNESS_SYMPTOM_DIVERGE,
                                   .make = make_generated,
                                   .what = &past,
                                   .before_count = (size_t)(pending->seed - request->totals->stretch_seed) };
    return ask(request, &question, &pending->stability);
}
