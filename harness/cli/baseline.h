/* Findings that are accepted, and what else continuous integration needs: a part of the cases, and an end in time. */
#ifndef HARNESS_CLI_BASELINE_H
#define HARNESS_CLI_BASELINE_H

#include "harness/cli/cli.h"
#include "harness/quirks/quirks.h"
#include "harness/trial/trial.h"

/* A case with its verdict. */
struct cli_judge_case {
    const char *name;
    const struct harness_trial *trial;
    /* Its bucket, into HARNESS_BUCKET_NAME bytes; false if it has none. NULL: only its name is looked up. */
    bool (*bucket)(const void *argument, char *name);
    const void *argument;
};

/*
 * What the baseline says about it: CLI_OK if that was expected, or if it is unstable, which is called flaky; else its
 * exit code, as without a baseline. Says what is known, fixed, flaky, new.
 */
int cli_baseline_judge_trial(const struct cli_run_options *options, const struct cli_judge_case *question);

/* Does it accept what the case shows, by its name? */
bool cli_baseline_knows(const struct cli_run_options *options, const char *name, const struct harness_trial *trial);

/* Is anything accepted? */
bool cli_has_baseline(const struct cli_run_options *options);

/* What an exit code says of a case. */
enum harness_showing cli_showing_of(int code);

/* " (FILE:LINE: NOTE)", or nothing for NULL. */
void cli_accepted_text(const struct cli_run_options *options, const struct harness_accepted *entry, char *out,
                       size_t size);

/* "picafuzz: NAME: WHAT (FILE:LINE: NOTE)" on stderr; `entry` may be NULL. */
void cli_baseline_say(const struct cli_run_options *options, const char *name, const char *what,
                      const struct harness_accepted *entry);

/* Adds an entry to the baseline of that file, or replaces the one for the same bucket or case. */
int cli_baseline_accept(const char *path, const struct harness_accepted *entry);

/* The same for a case with this exit code. */
int cli_baseline_accept_case(const char *path, const char *name, int code, const char *note);

/* Does the baseline skip the case? Then that is counted, and said. */
bool cli_baseline_skips(const struct cli_run_options *options, const char *name);

/* Entries that no case matched, if all cases were there to match; and, unless buckets were `judged`, how many entries
 * accept buckets. */
void cli_baseline_unmatched(const struct cli_run_options *options, bool judged);

/* --shard and --seconds, for struct cli_run_options. */
enum {
    CLI_PART_OPTIONS = 2
};
extern const struct cli_option cli_part_option_table[CLI_PART_OPTIONS];

/* Takes them. CLI_OK, or CLI_USAGE with a complaint. */
int cli_part_open(const char *command, struct cli_run_options *options);

/*
 * Calls run(user, path, index) for each of the files that is this shard's and that the baseline does not skip, until
 * --seconds are over or Ctrl-C; with progress on stderr. Adds to *left the files for which there was no time. Returns
 * the worst exit code.
 */
int cli_part_files(const struct cli_run_options *options, const struct cli_paths *paths,
                   int (*run)(void *user, const char *path, size_t index), void *user, uint64_t *left);

/* Cuts seeds down to those of this shard: a stretch of them. */
void cli_part_seeds(const struct cli_run_options *options, struct cli_seeds *seeds);

/* Is the time over? */
bool cli_part_over(const struct cli_run_options *options);

/* Says which part it was, and how many cases were left when time was over. */
void cli_part_print(const struct cli_run_options *options, uint64_t left, bool json);

#endif
