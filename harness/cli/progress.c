#include "harness/cli/progress.h"

#include "harness/cli/cli.h"
#include "harness/run/child.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum {
    SHOW_SECONDS = 10 /* without a terminal */
};

static bool has_terminal(void)
{
    return isatty(STDERR_FILENO) != 0;
}

void cli_progress_begin(struct cli_progress *progress)
{
    cli_catch_interrupts();
    *progress = (struct cli_progress){ .next = harness_seconds_now() + (has_terminal() ? 2.0 : (double)SHOW_SECONDS) };
}

bool cli_progress_goes_on(struct cli_progress *progress, uint64_t done, uint64_t count, const char *more)
{
    const bool terminal = has_terminal();
    const double now = harness_seconds_now();
    if (cli_is_interrupted())
        return false;
    if (now < progress->next)
        return true;
    progress->next = now + (terminal ? 1.0 : (double)SHOW_SECONDS);
    progress->is_shown = terminal;
    fprintf(stderr, "%s%" PRIu64 " of %" PRIu64 " cases%s%s", terminal ? "\r" : "", done, count, more,
            terminal ? "  " : "\n");
    return true;
}

bool cli_progress_watch(void *progress, size_t done, size_t count)
{
    return cli_progress_goes_on(progress, done, count, "");
}

int cli_progress_end(const struct cli_progress *progress, uint64_t left)
{
    if (progress->is_shown)
        fprintf(stderr, "\n");
    if (left == 0)
        return CLI_OK;
    fprintf(stderr, "picafuzz: interrupted: %" PRIu64 " %s not run\n", left, cli_word(left, "case was", "cases were"));
    return CLI_HOST;
}
