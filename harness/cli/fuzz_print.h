/* What `picafuzz fuzz` has in common with and without an engine: lines of progress, parts of the summary, signals. */
#ifndef HARNESS_CLI_FUZZ_PRINT_H
#define HARNESS_CLI_FUZZ_PRINT_H

#include "harness/cli/cli.h"
#include "harness/peel/peel.h"
#include "harness/quirks/quirks.h"
#include "harness/run/pair.h"

enum {
    CLI_FUZZ_CASE_MS = 2000 /* processor time in ms for a case in a plug-in; usual cases take a few */
};

/* Lines of progress on stderr: every second on a terminal, else every ten. Times are in seconds since the start. */
struct cli_fuzz_view {
    bool terminal, begun;
    double next, last_elapsed;
    uint64_t last_executions;
    bool has_paused; /* the first pause for a reduction is told at once */
};

void cli_fuzz_view_begin(struct cli_fuzz_view *view);

/* Prints a line if one is due after `elapsed` seconds; `more` is its end. False: the user pressed Ctrl-C. */
bool cli_fuzz_view_show(struct cli_fuzz_view *view, double elapsed, uint64_t executions, size_t findings,
                        const char *more);
void cli_fuzz_view_end(const struct cli_fuzz_view *view);

/* Prints the known causes, and how many cases showed nothing else; nothing if there are no causes. */
void cli_fuzz_print_known(const struct harness_peel *peel, const struct harness_pair_statistics *statistics);

/* Appends how a cause is avoided: " (avoided by blend_func.rgb_equation = 0)". */
void cli_fuzz_cause_text(const struct harness_peel_cause *cause, struct harness_text *out);

/* Appends how the time of cases was divided. */
void cli_fuzz_time_text(const struct harness_pair_statistics *statistics, struct harness_text *out);

/* Appends lines to `out`: how many cases had no ordinary verdict, and how the time was divided. */
void cli_fuzz_statistics_text(const struct harness_pair_statistics *statistics, struct harness_text *out);

/* Prints why there is no finding. `backends` names those that agreed. `knows_some`: something differs, but it was filed
 * or accepted before. */
void cli_fuzz_print_none(const struct harness_pair_statistics *statistics, const char *backends, bool knows_some);

/* From now on Ctrl-C, SIGTERM and, except under nohup, SIGHUP only set what cli_is_interrupted returns. */
void cli_fuzz_catch(void);

/* Prints the counts of known and new findings as other commands do, if the baseline accepts any; `unsorted`: of those
 * that it cannot judge before they are in a bucket. */
void cli_fuzz_print_baseline(const struct harness_quirks *quirks, uint64_t known, uint64_t new, uint64_t unsorted);

/* The exit code (docs/verdicts.md). `trouble`: cases of this start without a verdict. */
int cli_fuzz_code(const struct harness_pair_statistics *statistics, uint64_t trouble, bool found);

#endif
