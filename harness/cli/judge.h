/* Sorted findings compared with the baseline: what triage, report and diff --buckets share. */
#ifndef HARNESS_CLI_JUDGE_H
#define HARNESS_CLI_JUDGE_H

#include "harness/cli/trial.h"
#include "harness/triage/triage.h"

/* What the baseline says of one case. */
struct cli_judged {
    const struct harness_accepted *accepted; /* NULL: nothing */
    bool is_flaky;                           /* the difference did not come back each time */
};

/*
 * All buckets: what is accepted is known, what is unstable flaky, the rest new. Says what it finds, counts, and returns
 * the exit code of what is new; without a baseline, of everything. `judged`: one for each of triage's entries.
 */
int cli_judge(const struct cli_run_options *options, const struct harness_triage *triage, struct cli_judged *judged);

/* Fills in how triage runs cases: on these backends, with the limit and the quirks of `options`. `identity` gets the
 * text on which results depend, and is borrowed by *out. */
void cli_triage_take(const struct cli_run_options *options, const struct harness_backend *backends, size_t count,
                     struct harness_triage_options *out, struct harness_text *identity);

/* CLI_USAGE if there are cases, and none of them was compared; else CLI_OK. */
int cli_nothing_sorted(const struct harness_triage *triage);

/* In words: "known (my.quirks:3: issue 12)", "flaky: ...", or "" if it is new. */
void cli_judged_text(const struct cli_run_options *options, const struct cli_judged *judged, char *out, size_t size);

/* Does the case lie in a directory that is named after the bucket? */
bool cli_lies_in(const char *path, const char *bucket);

/* The bucket of one case, which is run now, into HARNESS_BUCKET_NAME bytes; false if it is no finding. */
bool cli_bucket_of(const struct cli_run_options *options, const struct cli_trials *trials, const char *path,
                   char *name);

#endif
