/* What `picafuzz fuzz` does alike with an engine and without: progress, what it says in the end, signals. */
#ifndef HARNESS_CLI_FUZZ_PRINT_H
#define HARNESS_CLI_FUZZ_PRINT_H

#include "harness/cli/cli.h"
#include "harness/peel/peel.h"
#include "harness/quirks/quirks.h"
#include "harness/run/pair.h"

enum {
    CLI_FUZZ_CASE_MS = 2000 /* processor time of a case in a plug-in: those of a hunt end in a few */
};

/* A line of progress, every second on a terminal, else every ten. */
struct cli_fuzz_view {
    bool terminal, begun;
    double next, last_elapsed;
    uint64_t last_executions;
};

void cli_fuzz_view_begin(struct cli_fuzz_view *view);

/* After `elapsed` seconds; `more` ends the line. False: Ctrl-C was pressed. */
bool cli_fuzz_view_show(struct cli_fuzz_view *view, double elapsed, uint64_t executions, size_t findings,
                        const char *more);
void cli_fuzz_view_end(const struct cli_fuzz_view *view);

/* The causes that are known, and how many cases showed nothing else; nothing if there are none. */
void cli_fuzz_print_known(const struct harness_peel *peel, const struct harness_pair_statistics *statistics);

/* Appends lines: cases that did not come to a verdict of their own, and where the time went. */
void cli_fuzz_statistics_text(const struct harness_pair_statistics *statistics, struct harness_text *out);

/* Where nothing was found: why that is. `backends` are those that agreed, for people. `knows_some`: something differs,
 * but it was filed or accepted before. */
void cli_fuzz_print_none(const struct harness_pair_statistics *statistics, const char *backends, bool knows_some);

/* Ctrl-C, SIGTERM, and SIGHUP but under nohup, do no more than cli_is_interrupted says. */
void cli_fuzz_catch(void);

/* As the other commands count it, where the baseline accepts something. */
void cli_fuzz_print_baseline(const struct harness_quirks *quirks, uint64_t known, size_t new);

/* docs/verdicts.md; `trouble`: cases of this start without a verdict. */
int cli_fuzz_code(const struct harness_pair_statistics *statistics, uint64_t trouble, bool found);

#endif
