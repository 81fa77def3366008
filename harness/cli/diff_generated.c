/* `picafuzz diff --generate`: cases by seed, in guarded children that take as many as they can in a stretch. */
#include "harness/case/formats.h"
#include "harness/cli/baseline.h"
#include "harness/cli/diff_parts.h"
#include "harness/cli/quirks.h"
#include "harness/run/child.h"
#include "harness/run/pair.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    STRETCH_SECONDS = 10, /* of a child; --timeout is for what comes after it, one case */
    SHOW_SECONDS = 10     /* between two lines where there is no terminal */
};

/* Ctrl-C reaches parent and child, which share this; a handler can be given nothing. */
static struct diff_totals *shared_totals;

static void on_interrupt(int number)
{
    (void)number;
    shared_totals->asked = 1;
}

static void name_case(const struct diff_request *request, uint64_t seed, char *out, size_t size)
{
    (void)snprintf(out, size, "%s-%" PRIu64, harness_generate_mode_name(request->generate.mode), seed);
}

/* The case of a seed as fuzzers run it, rewritten by --force. *why: it is not to be tested. */
static enum harness_status generate(const struct diff_request *request, uint64_t seed, struct cli_case *out,
                                    const char **why, struct harness_error *error)
{
    harness_case_reset(out->test_case);
    harness_generate(out->test_case, seed, &request->generate);
    if (request->totals->no_float24 && out->test_case->profile == PICA_PROFILE_F24)
        out->test_case->profile = PICA_PROFILE_F32;
    harness_bound_case(out->test_case);
    const enum harness_status status = cli_quirks_case(&request->options, out->test_case, NULL, why, error);
    return status != HARNESS_OK ? status : harness_case_setup(out->test_case, out->program, error);
}

static int keep(const struct diff_request *request, const struct cli_case *test_case)
{
    struct harness_error error = { "" };
    char path[4096];
    if (request->output.path == NULL)
        return CLI_OK;
    (void)snprintf(path, sizeof path, "%s/%s.pcase", request->output.path, request->path);
    if (harness_case_save_file(test_case->test_case, path, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    request->totals->kept++;
    return CLI_OK;
}

/* Most cases agree: the quick way first, which judges at the end. A case by chance may change nothing. */
static bool agrees(const struct diff_request *request, struct cli_session *session, const struct cli_case *loaded)
{
    struct harness_compare_options quick = request->compare;
    struct harness_comparison comparison;
    struct harness_error error;
    quick.every_operation = quick.check_vacuity = false;
    cli_doing("running on %zu backends", session->count);
    if (harness_compare(session->runners, session->count, loaded->program, &quick, &comparison, &error) != HARNESS_OK ||
        comparison.report.verdict > ORACLE_VACUOUS)
        return false;
    cli_quirks_allowed(&request->options, &comparison.allowed);
    const bool is_within = comparison.allowed.pixels != 0 || comparison.allowed.values != 0;
    request->totals->agree += comparison.report.verdict == ORACLE_AGREE && !is_within;
    request->totals->within += comparison.report.verdict == ORACLE_AGREE && is_within;
    request->totals->vacuous += comparison.report.verdict == ORACLE_VACUOUS;
    return true;
}

static int diff_seed(struct diff_request *request, struct cli_session *session, struct cli_case *loaded, uint64_t seed)
{
    struct harness_error error = { "" };
    struct diff_outcome outcome;
    char name[64];
    name_case(request, seed, name, sizeof name);
    request->path = name;
    const char *why = NULL;
    const enum harness_status status = generate(request, seed, loaded, &why, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    request->totals->not_tested += why != NULL;
    if (why != NULL)
        return CLI_OK;
    if (cli_baseline_skips(&request->options, name) || agrees(request, session, loaded))
        return CLI_OK;
    const int code = cli_baseline_judge(&request->options, name, diff_loaded(request, session, loaded, &outcome));
    return code == CLI_OK ? CLI_OK : cli_worse(diff_accept(request, code), keep(request, loaded));
}

static void show_progress(const struct diff_request *request, double *next)
{
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const double now = harness_seconds_now();
    if (now < *next)
        return;
    *next = now + (terminal ? 1.0 : (double)SHOW_SECONDS);
    const struct diff_totals *const totals = request->totals;
    fprintf(stderr, "%s%zu of %" PRIu64 " generated cases, %zu agree, %zu not tested%s", terminal ? "\r" : "",
            totals->done, request->seeds.count, totals->agree, totals->not_tested, terminal ? "  " : "\n");
}

/* In the guarded child: from where the one before stopped, for some seconds. */
static int diff_stretch(const void *argument)
{
    struct diff_request request = *(const struct diff_request *)argument;
    struct diff_totals *const totals = request.totals;
    struct harness_error error = { "" };
    struct cli_session session;
    struct cli_case loaded = { NULL, NULL };
    int code = cli_session_open(&session, &request.options);
    if (code == CLI_OK && cli_case_create(&loaded, &error) != HARNESS_OK)
        code = cli_fail(HARNESS_NO_MEMORY, &error);
    const bool good = code == CLI_OK;
    totals->no_float24 = good && !harness_backends_take_float24(session.backends, session.count);
    const double end = harness_seconds_now() + (double)STRETCH_SECONDS;
    double next = harness_seconds_now() + (isatty(STDERR_FILENO) != 0 ? 1.0 : (double)STRETCH_SECONDS - 1.0);
    while (good && totals->done < request.seeds.count && totals->asked == 0 && harness_seconds_now() < end &&
           !cli_part_over(&request.options)) {
        totals->crashed = true; /* until this process has come to an end with it */
        totals->done++;
        code = cli_worse(code, diff_seed(&request, &session, &loaded, request.seeds.first + totals->done - 1));
        totals->crashed = false;
        show_progress(&request, &next);
    }
    cli_case_destroy(&loaded);
    return cli_worse(code, cli_session_close(&session));
}

/* The child died of its last case, which is worth keeping. */
static int keep_crash(struct diff_request *request, int died)
{
    struct harness_error error = { "" };
    struct cli_case loaded = { NULL, NULL };
    char name[64];
    int code = CLI_OK;
    const char *why = NULL;
    const uint64_t seed = request->seeds.first + request->totals->done - 1;
    name_case(request, seed, name, sizeof name);
    request->path = name;
    cli_print(stderr, "picafuzz: that was %s\n", name);
    enum harness_status status = cli_case_create(&loaded, &error);
    if (status == HARNESS_OK)
        status = generate(request, seed, &loaded, &why, &error);
    died = cli_baseline_judge(&request->options, name, died);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    else if (died != CLI_OK)
        code = keep(request, &loaded);
    cli_case_destroy(&loaded);
    request->totals->crashed = false;
    return cli_worse(code, diff_accept(request, died));
}

/* The child died of explaining its last case: that is the first of the next child, which only judges it. */
static void judge_again(struct diff_totals *totals)
{
    totals->explaining = totals->crashed = false;
    totals->unexplained = true;
    totals->done--;
}

int diff_generated(struct diff_request *request)
{
    struct diff_totals *const totals = request->totals;
    const struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
    struct sigaction before;
    int code = CLI_OK;
    shared_totals = totals;
    (void)sigaction(SIGINT, &action, &before);
    while (totals->done < request->seeds.count && totals->asked == 0 && !cli_part_over(&request->options)) {
        const size_t begin = totals->done;
        int stretch = cli_guard("generated cases", request->options.timeout.seconds, diff_stretch, request);
        if (totals->explaining) {
            judge_again(totals);
            continue;
        }
        if (totals->crashed)
            stretch = keep_crash(request, stretch);
        code = cli_worse(code, stretch);
        if (totals->done == begin)
            break; /* nothing can be started, and that has been said */
    }
    (void)sigaction(SIGINT, &before, NULL);
    if (isatty(STDERR_FILENO) != 0)
        fprintf(stderr, "\n");
    if (totals->kept != 0)
        cli_print(stdout, "%zu case(s) in %s/\n", totals->kept, request->output.path);
    return code;
}
