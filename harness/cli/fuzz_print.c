#include "harness/cli/fuzz_print.h"

#include "harness/cli/print.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum {
    SHOW_SECONDS = 10, /* between two lines without a terminal, ... */
    FIRST_SECONDS = 5  /* ... and before the first */
};

void cli_fuzz_view_begin(struct cli_fuzz_view *view)
{
    *view = (struct cli_fuzz_view){ .terminal = isatty(STDERR_FILENO) != 0 };
    view->next = view->terminal ? 1.0 : (double)FIRST_SECONDS;
}

bool cli_fuzz_view_show(struct cli_fuzz_view *view, double elapsed, uint64_t executions, size_t findings,
                        const char *more)
{
    if (!view->begun) /* cases of earlier starts do not count for the speed */
        view->last_executions = executions;
    view->begun = true;
    if (elapsed < view->next)
        return !cli_is_interrupted();
    const double interval = elapsed - view->last_elapsed;
    const double rate = interval > 0.0 ? (double)(executions - view->last_executions) / interval : 0.0;
    view->last_executions = executions;
    view->last_elapsed = elapsed;
    view->next = elapsed + (view->terminal ? 1.0 : (double)SHOW_SECONDS);
    fprintf(stderr, "%s%6.0f s  %10" PRIu64 " cases  %7.0f/s  findings %zu%-*s%s", view->terminal ? "\r" : "", elapsed,
            executions, rate, findings, view->terminal ? 42 : 0, more, view->terminal ? "" : "\n");
    return !cli_is_interrupted();
}

void cli_fuzz_view_end(const struct cli_fuzz_view *view)
{
    if (view->terminal)
        fprintf(stderr, "\n");
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

void cli_fuzz_cause_text(const struct harness_peel_cause *cause, struct harness_text *out)
{
    if (cause->count != 0)
        harness_text_format(out, " (avoided by %s.%s = %u)", pica_layout_info(cause->needs[0].field->layout)->name,
                            cause->needs[0].field->name, (unsigned)cause->needs[0].usual);
    if (cause->sign[0] != '\0')
        harness_text_format(out, " (and every `%s`)", cause->sign);
    if (cause->count == 0 && cause->sign[0] == '\0')
        harness_text_add(out, " (not known how to avoid it)");
}

static void print_cause(const struct harness_peel_cause *cause)
{
    struct harness_text how = { 0 };
    cli_fuzz_cause_text(cause, &how);
    cli_print(stdout, "  %8" PRIu64 "  %s%s\n", cause->seen, cause->bucket, harness_text_string(&how));
    harness_text_free(&how);
}

void cli_fuzz_print_known(const struct harness_peel *peel, const struct harness_pair_statistics *statistics)
{
    if (peel->count == 0)
        return;
    printf("%u known cause(s), and how many cases showed nothing else", (unsigned)peel->count);
    if (statistics->avoided != 0)
        printf("; %" PRIu64 " were changed before they ran, not to crash", statistics->avoided);
    printf(":\n");
    for (uint32_t i = 0; i < peel->count; i++)
        print_cause(&peel->causes[i]);
}

void cli_fuzz_time_text(const struct harness_pair_statistics *s, struct harness_text *out)
{
    const uint64_t total = s->decode_ns + s->reset_ns + s->first_ns + s->others_ns + s->compare_ns;
    harness_text_format(out,
                        "decode %.0f %%, reset %.0f %%, the first backend %.0f %%, the others %.0f %%, compare %.0f %%",
                        percent(s->decode_ns, total), percent(s->reset_ns, total), percent(s->first_ns, total),
                        percent(s->others_ns, total), percent(s->compare_ns, total));
}

void cli_fuzz_statistics_text(const struct harness_pair_statistics *s, struct harness_text *out)
{
    if (s->forced != 0)
        harness_text_format(out, "rewritten by force: %" PRIu64 " of them\n", s->forced);
    if (s->tolerated != 0)
        harness_text_format(out, "within the tolerance only: %" PRIu64 " of them\n", s->tolerated);
    if (s->unstable != 0)
        harness_text_format(out, "unstable: %" PRIu64 " of them, which showed nothing in a fresh process\n",
                            s->unstable);
    if (s->not_tested != 0)
        harness_text_format(out,
                            "not tested: %" PRIu64 " of them (%.1f %%), which a backend or the quirks file does not "
                            "have\n",
                            s->not_tested, percent(s->not_tested, s->executions));
    if (s->trouble != 0)
        harness_text_format(out, "no verdict: %" PRIu64 " of them (%.1f %%): a backend failed, or this host\n",
                            s->trouble, percent(s->trouble, s->executions));
    harness_text_add(out, "time of cases: ");
    cli_fuzz_time_text(s, out);
    harness_text_add(out, "\n");
}

void cli_fuzz_print_none(const struct harness_pair_statistics *s, const char *backends, bool knows_some)
{
    if (s->executions == 0 || s->not_tested + s->trouble >= s->executions)
        printf("no findings: nothing was compared\n");
    else if (knows_some)
        printf("no new findings: what differs is known\n");
    else if (s->trouble != 0)
        printf("no findings, but not every case came to a verdict: a backend failed\n");
    else if (s->compare_ns == 0) /* a target that reads files or tests a single backend */
        printf("no findings; no backends were compared\n");
    else
        cli_print(stdout, "no findings: %s agreed on every case that was tested\n", backends);
}

void cli_fuzz_print_baseline(const struct harness_quirks *quirks, uint64_t known, uint64_t new, uint64_t unsorted)
{
    if (quirks == NULL || quirks->accepted_count == 0)
        return;
    printf("baseline: %" PRIu64 " known, %" PRIu64 " new", known, new);
    if (unsorted != 0)
        printf(", %" PRIu64 " not sorted yet, which count as new", unsorted);
    printf("\n");
}

void cli_fuzz_catch(void)
{
    struct sigaction action;
    cli_catch_interrupts();
    if (sigaction(SIGHUP, NULL, &action) != 0 || action.sa_handler != SIG_DFL) /* as under nohup */
        return;
    (void)sigaction(SIGTERM, NULL, &action);
    (void)sigaction(SIGHUP, &action, NULL);
}

int cli_fuzz_code(const struct harness_pair_statistics *s, uint64_t trouble, bool found)
{
    int code = found ? CLI_DIVERGED : CLI_OK;
    if (trouble != 0)
        code = cli_worse(code, CLI_HOST);
    return s->executions != 0 && s->not_tested >= s->executions ? cli_worse(code, CLI_USAGE) : code;
}
