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

/* The case of a seed, lowered. *why: it is not to be tested. */
static enum harness_status generate(const struct diff_request *request, uint64_t seed, bool counts,
                                    struct cli_case *out, const char **why, struct harness_error *error)
{
    const enum harness_status status = diff_generate(request, seed, counts, out->test_case, why, error);
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

/* A backend in a process of its own; not one that hung, which takes its time each time. */
static bool has_crashed(const struct cli_session *session)
{
    for (size_t i = 0; i < session->count; i++) {
        const struct harness_death *const death = harness_runner_death(session->runners[i]);
        if (death != NULL && death->kind == HARNESS_DEATH_CRASH)
            return true;
    }
    return false;
}

/* Most cases agree: the quick way first, which judges at the end. A case by chance may change nothing. *died: a backend
 * in a process of its own did. */
static bool agrees(const struct diff_request *request, struct cli_session *session, const struct cli_case *loaded,
                   bool *died)
{
    struct harness_compare_options quick = request->compare;
    struct harness_comparison comparison;
    struct harness_error error;
    quick.every_operation = quick.check_vacuity = false;
    cli_doing("running on %zu backends", session->count);
    const enum harness_status status =
        harness_compare(session->runners, session->count, loaded->program, &quick, &comparison, &error);
    *died = status == HARNESS_CRASHED && has_crashed(session);
    if (status != HARNESS_OK || comparison.report.verdict > ORACLE_VACUOUS)
        return false;
    cli_quirks_allowed(&request->options, &comparison.allowed);
    const bool is_within = comparison.allowed.pixels != 0 || comparison.allowed.values != 0;
    request->totals->agree += comparison.report.verdict == ORACLE_AGREE && !is_within;
    request->totals->within += comparison.report.verdict == ORACLE_AGREE && is_within;
    request->totals->vacuous += comparison.report.verdict == ORACLE_VACUOUS;
    return true;
}

/* It is not said what it showed before it is known whether it comes back, which only fresh processes tell. */
static void put_off(struct diff_totals *totals, bool crashed)
{
    totals->pending[totals->pending_count++] = (struct diff_pending){ .seed = totals->seed, .crashed = crashed };
}

/* `shown`: the exit code of what was said. What is not expected is kept. */
static int conclude(const struct diff_request *request, const struct cli_case *loaded, int shown)
{
    const int code = cli_baseline_judge(&request->options, request->path, shown);
    return code == CLI_OK ? CLI_OK : cli_worse(diff_accept(request, code), keep(request, loaded));
}

static int diff_seed(struct diff_request *request, struct cli_session *session, struct cli_case *loaded)
{
    struct diff_totals *const totals = request->totals;
    struct harness_error error = { "" };
    struct diff_outcome outcome;
    struct diff_request first = *request;
    const char *why = NULL;
    bool died = false;
    const enum harness_status status = generate(request, totals->seed, true, loaded, &why, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    totals->not_tested += why != NULL;
    if (why != NULL || cli_baseline_skips(&request->options, request->path) || agrees(request, session, loaded, &died))
        return CLI_OK;
    first.defers = !request->no_explain;
    totals->diverged = false;
    died = died && first.defers;
    const int code = died ? CLI_OK : diff_loaded(&first, session, loaded, &outcome);
    if (died || totals->diverged)
        put_off(totals, died);
    return died || totals->diverged ? CLI_OK : conclude(request, loaded, code);
}

/* One that was put off, with its verdict now. */
static int diff_settled(struct diff_request *request, struct cli_session *session, struct cli_case *loaded)
{
    struct diff_totals *const totals = request->totals;
    struct harness_error error = { "" };
    struct diff_outcome outcome;
    const char *why = NULL;
    totals->stability = totals->pending[totals->settled].stability;
    const enum harness_status status = generate(request, totals->seed, false, loaded, &why, &error);
    const int code = status != HARNESS_OK ? cli_fail(status, &error)
                                          : conclude(request, loaded, diff_loaded(request, session, loaded, &outcome));
    totals->stability.text[0] = '\0';
    totals->unexplained = false;
    return code;
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

/* The next one: first those that were put off. False if there is none. */
static bool take_next(struct diff_request *request, char *name, size_t size)
{
    struct diff_totals *const totals = request->totals;
    if (totals->settled < totals->known)
        totals->seed = totals->pending[totals->settled].seed;
    else if (totals->done < request->seeds.count && totals->asked == 0 && !cli_part_over(&request->options))
        totals->seed = request->seeds.first + totals->done;
    else
        return false;
    name_case(request, totals->seed, name, size);
    request->path = name;
    return true;
}

/* All that were put off have their verdict: the rest are new. */
static void begin_new(const struct diff_request *request)
{
    struct diff_totals *const totals = request->totals;
    totals->pending_count = totals->known = totals->settled = 0;
    totals->stretch_seed = request->seeds.first + totals->done;
}

/* Those that were put off, then from where the process before stopped, for some seconds. */
static int diff_cases(struct diff_request *request, struct cli_session *session, struct cli_case *loaded)
{
    struct diff_totals *const totals = request->totals;
    const double end = harness_seconds_now() + (double)STRETCH_SECONDS;
    double next = harness_seconds_now() + (isatty(STDERR_FILENO) != 0 ? 1.0 : (double)STRETCH_SECONDS - 1.0);
    int code = CLI_OK;
    char name[64];
    while (take_next(request, name, sizeof name)) {
        const bool is_old = totals->settled < totals->known;
        if (!is_old && (harness_seconds_now() >= end || totals->pending_count == DIFF_PENDING))
            break;
        totals->crashed = true; /* until this process has come to an end with it */
        totals->done += !is_old;
        code = cli_worse(code, is_old ? diff_settled(request, session, loaded) : diff_seed(request, session, loaded));
        totals->crashed = false;
        totals->settled += is_old;
        if (is_old && totals->settled == totals->known)
            begin_new(request);
        show_progress(request, &next);
    }
    return code;
}

/* In the guarded child. */
static int diff_stretch(const void *argument)
{
    struct diff_request request = *(const struct diff_request *)argument;
    struct harness_error error = { "" };
    struct cli_session session;
    struct cli_case loaded = { NULL, NULL };
    int code = cli_session_open(&session, &request.options);
    if (code == CLI_OK && cli_case_create(&loaded, &error) != HARNESS_OK)
        code = cli_fail(HARNESS_NO_MEMORY, &error);
    if (code == CLI_OK) {
        request.totals->no_float24 = !harness_backends_take_float24(session.backends, session.count);
        code = diff_cases(&request, &session, &loaded);
    }
    cli_case_destroy(&loaded);
    return cli_worse(code, cli_session_close(&session));
}

/* The child died of the case in hand. If that comes back the case is worth keeping, and if not it says so. */
static int keep_crash(struct diff_request *request, int died, bool hung)
{
    struct diff_totals *const totals = request->totals;
    struct harness_error error = { "" };
    struct cli_case loaded = { NULL, NULL };
    struct diff_pending pending = { .seed = totals->seed, .crashed = true };
    char name[64];
    const char *why = NULL;
    int code = CLI_OK;
    name_case(request, totals->seed, name, sizeof name);
    request->path = name;
    cli_print(stderr, "picafuzz: that was %s\n", name);
    if (died == CLI_CRASHED && !hung && !request->no_explain && !diff_seed_comes_back(request, &pending)) {
        totals->stability = pending.stability;
        died = diff_unstable(request);
        totals->stability.text[0] = '\0';
    }
    enum harness_status status = cli_case_create(&loaded, &error);
    if (status == HARNESS_OK)
        status = generate(request, totals->seed, false, &loaded, &why, &error);
    code = status != HARNESS_OK ? cli_fail(status, &error) : conclude(request, &loaded, died);
    cli_case_destroy(&loaded);
    totals->crashed = false;
    totals->settled += totals->settled < totals->known;
    return code;
}

/* A backend died of explaining one that was put off: the next child only judges it. */
static void judge_again(struct diff_totals *totals)
{
    totals->explaining = totals->crashed = false;
    totals->unexplained = true;
}

/* Those that were put off: do they come back? Here no backend has run. */
static void look_at_pending(struct diff_request *request)
{
    struct diff_totals *const totals = request->totals;
    char name[64];
    if (totals->settled == totals->known && totals->known != 0) { /* the last of the old ones ended its process */
        memmove(totals->pending, totals->pending + totals->known,
                (totals->pending_count - totals->known) * sizeof totals->pending[0]);
        totals->pending_count -= totals->known;
        totals->known = totals->settled = 0;
    }
    for (; totals->known < totals->pending_count; totals->known++) {
        name_case(request, totals->pending[totals->known].seed, name, sizeof name);
        request->path = name;
        (void)diff_seed_comes_back(request, &totals->pending[totals->known]);
    }
}

static bool has_more(const struct diff_request *request)
{
    const struct diff_totals *const totals = request->totals;
    return totals->settled < totals->known ||
           (totals->done < request->seeds.count && totals->asked == 0 && !cli_part_over(&request->options));
}

int diff_generated(struct diff_request *request)
{
    struct diff_totals *const totals = request->totals;
    const struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
    struct sigaction before;
    int code = CLI_OK;
    shared_totals = totals;
    (void)sigaction(SIGINT, &action, &before);
    while (has_more(request)) {
        const size_t begin = totals->done, settled = totals->settled, known = totals->known;
        if (known == 0)
            begin_new(request);
        const double start = harness_seconds_now();
        int stretch = cli_guard("generated cases", request->options.timeout.seconds, diff_stretch, request);
        if (totals->explaining) {
            judge_again(totals);
            continue;
        }
        if (totals->crashed)
            stretch = keep_crash(request, stretch, harness_seconds_now() - start >= request->options.timeout.seconds);
        code = cli_worse(code, stretch);
        if (totals->done == begin && totals->settled == settled && totals->known == known)
            break; /* nothing can be started, and that has been said */
        look_at_pending(request);
    }
    (void)sigaction(SIGINT, &before, NULL);
    if (isatty(STDERR_FILENO) != 0)
        fprintf(stderr, "\n");
    if (totals->kept != 0)
        cli_print(stdout, "%zu case(s) in %s/\n", totals->kept, request->output.path);
    return code;
}
