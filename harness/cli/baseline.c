#include "harness/cli/baseline.h"

#include "harness/cli/progress.h"
#include "harness/cli/quirks.h"
#include "harness/quirks/edit.h"
#include "harness/run/child.h"
#include "harness/triage/bucket.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------------- baseline */

static const struct harness_accepted *entry_of(const struct cli_run_options *options, const char *name)
{
    const struct harness_accepted *const entry =
        options->quirks != NULL ? harness_quirks_case(options->quirks->file, name) : NULL;
    if (entry != NULL)
        options->quirks->counts.matched[entry - options->quirks->file->accepted] = true;
    return entry;
}

bool cli_has_baseline(const struct cli_run_options *options)
{
    return options->quirks != NULL && options->quirks->file->accepted_count != 0;
}

void cli_accepted_text(const struct cli_run_options *options, const struct harness_accepted *entry, char *out,
                       size_t size)
{
    out[0] = '\0';
    if (entry != NULL)
        (void)snprintf(out, size, " (%s:%" PRIu32 "%s%s)", options->quirks->file->path, entry->line,
                       entry->note[0] != '\0' ? ": " : "", entry->note);
}

void cli_baseline_say(const struct cli_run_options *options, const char *name, const char *what,
                      const struct harness_accepted *entry)
{
    char where[1200];
    cli_accepted_text(options, entry, where, sizeof where);
    cli_print(stderr, "picafuzz: %s: %s%s\n", name, what, where);
}

enum harness_showing cli_showing_of(int code)
{
    if (code == CLI_CRASHED)
        return HARNESS_SHOWS_CRASH;
    return code == CLI_DIVERGED ? HARNESS_SHOWS_DIFFERENCE : HARNESS_SHOWS_NOTHING;
}

bool cli_baseline_skips(const struct cli_run_options *options, const char *name)
{
    const struct harness_accepted *const entry = entry_of(options, name);
    if (entry == NULL || entry->expectation != HARNESS_EXPECT_SKIP)
        return false;
    options->quirks->counts.skipped++;
    cli_baseline_say(options, name, "skipped", entry);
    return true;
}

/* The entry that accepts it: by its name, then by its bucket if that is wanted. */
static const struct harness_accepted *accepted_by(const struct cli_run_options *options,
                                                  const struct cli_judge_case *question, enum harness_showing what)
{
    char bucket[HARNESS_BUCKET_NAME];
    const struct harness_quirks *const file = options->quirks->file;
    struct harness_shown shown = { .test_case = question->name, .version = HARNESS_BUCKET_VERSION, .what = what };
    const struct harness_accepted *entry = harness_quirks_accepts(file, &shown);
    if (entry != NULL || what == HARNESS_SHOWS_NOTHING || question->bucket == NULL ||
        harness_quirks_buckets(file) == 0 || !question->bucket(question->argument, bucket))
        return entry;
    shown.bucket = bucket;
    entry = harness_quirks_accepts(file, &shown);
    if (entry != NULL)
        options->quirks->counts.matched[entry - file->accepted] = true;
    return entry;
}

bool cli_baseline_knows(const struct cli_run_options *options, const char *name, const struct harness_trial *trial)
{
    const struct cli_judge_case question = { .name = name };
    return cli_has_baseline(options) &&
           accepted_by(options, &question, cli_showing_of((int)harness_outcome_exit(trial->outcome))) != NULL;
}

/* True if the baseline has an answer; *code becomes what counts. */
static bool is_settled(const struct cli_run_options *options, const struct cli_judge_case *question, int *code)
{
    const struct harness_accepted *const entry = entry_of(options, question->name);
    const bool tested = harness_outcome_compared(question->trial->outcome);
    struct cli_quirks_counts *const counts = &options->quirks->counts;
    if (*code == CLI_OK && entry != NULL && tested && entry->expectation <= HARNESS_EXPECT_CRASH) {
        counts->fixed++;
        cli_baseline_say(options, question->name, "fixed: nothing is wrong any more", entry);
    }
    const struct harness_accepted *const accepted = accepted_by(options, question, cli_showing_of(*code));
    if (accepted != NULL) {
        counts->known++;
        cli_baseline_say(options, question->name, "known", accepted);
        *code = CLI_OK;
    }
    return *code != CLI_DIVERGED && *code != CLI_CRASHED;
}

int cli_baseline_judge_trial(const struct cli_run_options *options, const struct cli_judge_case *question)
{
    const struct harness_trial *const trial = question->trial;
    struct harness_text text = { 0 };
    int code = harness_trial_is_excused(trial) ? CLI_OK : (int)harness_outcome_exit(trial->outcome);
    if (!cli_has_baseline(options) || is_settled(options, question, &code))
        return code;
    const bool flaky = trial->outcome == HARNESS_UNSTABLE;
    harness_text_format(&text, "%s%s", flaky ? "flaky: " : "new", flaky ? trial->stability.text : "");
    cli_baseline_say(options, question->name, harness_text_string(&text), NULL);
    harness_text_free(&text);
    options->quirks->counts.fresh += !flaky;
    options->quirks->counts.flaky += flaky;
    return flaky ? CLI_OK : code;
}

int cli_baseline_accept(const char *path, const struct harness_accepted *entry)
{
    struct harness_error error = { "" };
    const enum harness_status status = harness_quirks_accept(path, entry, &error);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

int cli_baseline_accept_case(const char *path, const char *name, int code, const char *note)
{
    const enum harness_expectation expectation = code == CLI_CRASHED ? HARNESS_EXPECT_CRASH : HARNESS_EXPECT_FAIL;
    return cli_baseline_accept(
        path, &(struct harness_accepted){ .test_case = name, .expectation = expectation, .note = note });
}

/* Says that entries for buckets were not looked at, or one would think that they were. */
static void say_buckets(uint32_t count)
{
    if (count != 0)
        cli_print(stderr,
                  "picafuzz: %" PRIu32 " %s: `picafuzz triage --quirks` and report judge %s, `diff --buckets` too\n",
                  count, count == 1 ? "entry accepts a bucket" : "entries accept buckets", count == 1 ? "it" : "them");
}

/* An entry that nothing matched: is it fixed, of another version, or is there no such case? */
static void say_unmatched(const struct cli_run_options *options, uint32_t index)
{
    struct cli_quirks_counts *const counts = &options->quirks->counts;
    const struct harness_accepted *const entry = &options->quirks->file->accepted[index];
    const bool is_fixed = counts->filed[index] != 0 && counts->silent[index] == counts->filed[index];
    const bool is_old = entry->bucket != NULL && entry->version != HARNESS_BUCKET_VERSION;
    counts->fixed += is_fixed;
    counts->unmatched += !is_fixed;
    cli_baseline_say(options, entry->bucket != NULL ? entry->bucket : entry->test_case,
                     is_fixed ? "fixed: nothing is wrong any more"
                     : is_old ? "its key is of another version: `picafuzz triage --migrate`"
                              : "no case is this one",
                     entry);
}

void cli_baseline_unmatched(const struct cli_run_options *options, bool judged)
{
    if (options->quirks == NULL)
        return;
    const struct harness_quirks *const file = options->quirks->file;
    if (!judged)
        say_buckets(harness_quirks_buckets(file));
    if (options->shards > 1 || cli_part_over(options))
        return;
    for (uint32_t i = 0; i < file->accepted_count; i++)
        if ((judged || file->accepted[i].test_case != NULL) && !options->quirks->counts.matched[i])
            say_unmatched(options, i);
}

/* ------------------------------------------------------------------------------------------------------------ parts */

const struct cli_option cli_part_option_table[CLI_PART_OPTIONS] = {
    { "shard", 0, CLI_TEXT, 0, 0, offsetof(struct cli_run_options, shard_text), "K/N",
      "run only part K of N of the cases, always the same part: 1/4", NULL },
    { "seconds", 0, CLI_SECONDS, 0, 31536000, offsetof(struct cli_run_options, seconds), "SECONDS",
      "start no new case after this time; 0 = no limit", NULL },
};

static bool take_shard(const char *text, struct cli_run_options *options)
{
    char first[16];
    uint64_t shard = 0, shards = 0;
    const size_t length = strcspn(text, "/");
    if (text[length] != '/' || length >= sizeof first)
        return false;
    memcpy(first, text, length);
    first[length] = '\0';
    if (!cli_number(text + length + 1, 1, 1000000, &shards) || !cli_number(first, 1, shards, &shard))
        return false;
    options->shard = shard - 1;
    options->shards = shards;
    return true;
}

int cli_part_open(const char *command, struct cli_run_options *options)
{
    options->shards = 1;
    if (options->shard_text != NULL && !take_shard(options->shard_text, options))
        return cli_usage(command, "--shard: '%s' is not K/N with K from 1 to N", options->shard_text);
    options->deadline = harness_seconds_now() + options->seconds.ms / 1000.0;
    return CLI_OK;
}

int cli_part_files(const struct cli_run_options *options, const struct cli_paths *paths,
                   int (*run)(void *user, const char *path, size_t index), void *user, uint64_t *left)
{
    struct cli_progress progress;
    uint64_t interrupted = 0;
    int code = CLI_OK;
    bool goes_on = true;
    cli_progress_begin(&progress);
    for (size_t i = 0; i < paths->count; i++) {
        goes_on = goes_on && cli_progress_goes_on(&progress, i, paths->count, "");
        if (options->shards > 1 && i % options->shards != options->shard)
            continue;
        if (!goes_on)
            interrupted++;
        else if (cli_part_over(options))
            ++*left;
        else if (!cli_baseline_skips(options, paths->items[i]))
            code = cli_worse(code, run(user, paths->items[i], i));
    }
    return cli_worse(code, cli_progress_end(&progress, interrupted));
}

void cli_part_seeds(const struct cli_run_options *options, struct cli_seeds *seeds)
{
    if (options->shards <= 1)
        return;
    const uint64_t first = seeds->count * options->shard / options->shards;
    const uint64_t end = seeds->count * (options->shard + 1) / options->shards;
    seeds->first += first;
    seeds->count = end - first;
}

bool cli_part_over(const struct cli_run_options *options)
{
    return options->seconds.ms != 0 && harness_seconds_now() >= options->deadline;
}

void cli_part_print(const struct cli_run_options *options, uint64_t left, bool json)
{
    if (options->seconds.ms == 0 && options->shard_text == NULL)
        return;
    if (!json) {
        if (options->shard_text != NULL)
            cli_print(stdout, "shard %s\n", options->shard_text);
        if (left != 0)
            cli_print(stdout, "%" PRIu64 " cases were not run: --seconds %g were over\n", left,
                      options->seconds.ms / 1000.0);
        return;
    }
    cJSON *const object = cJSON_CreateObject();
    if (options->shard_text != NULL)
        (void)cJSON_AddStringToObject(object, "shard", options->shard_text);
    (void)cJSON_AddNumberToObject(object, "not_run", (double)left);
    cli_print_json(object);
}
