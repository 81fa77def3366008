#include "harness/cli/judge.h"

#include "harness/cli/baseline.h"
#include "harness/cli/quirks.h"

#include <stdio.h>
#include <string.h>

bool cli_lies_in(const char *path, const char *bucket)
{
    const char *const slash = strrchr(path, '/');
    const size_t length = strlen(bucket);
    return slash != NULL && (size_t)(slash - path) >= length && memcmp(slash - length, bucket, length) == 0 &&
           ((size_t)(slash - path) == length || slash[-(long)length - 1] == '/');
}

void cli_judged_text(const struct cli_run_options *options, const struct cli_judged *judged, char *out, size_t size)
{
    char where[1200];
    cli_accepted_text(options, judged->accepted, where, sizeof where);
    (void)snprintf(out, size, "%s%s", judged->accepted != NULL ? "known" : "", where);
    if (judged->is_flaky)
        (void)snprintf(out, size, "flaky: it does not come back each time");
}

/* ---------------------------------------------------------------------------------------------------------- buckets */

/* What the functions below work with. */
struct court {
    const struct cli_run_options *options;
    const struct harness_triage *triage;
    struct cli_judged *judged;
};

static void mark(struct cli_quirks *quirks, const struct harness_accepted *entry)
{
    if (entry != NULL)
        quirks->counts.matched[entry - quirks->file->accepted] = true;
}

/* Looks up each case of the bucket. Returns how many of them nothing accepts. */
static size_t ask_baseline(const struct court *court, const struct harness_triage_bucket *bucket)
{
    size_t count = 0;
    struct cli_quirks *const quirks = court->options->quirks;
    mark(quirks, harness_quirks_bucket(quirks->file, bucket->name, HARNESS_BUCKET_VERSION));
    for (size_t i = 0; i < court->triage->count; i++) {
        const struct harness_triage_entry *const found = &court->triage->entries[i];
        if (strcmp(found->bucket, bucket->name) != 0)
            continue;
        const struct harness_shown shown = { .test_case = found->path,
                                             .bucket = found->bucket,
                                             .version = HARNESS_BUCKET_VERSION,
                                             .what = cli_showing_of((int)harness_outcome_exit(found->kind)) };
        mark(quirks, harness_quirks_case(quirks->file, found->path));
        court->judged[i].accepted = harness_quirks_accepts(quirks->file, &shown);
        count += court->judged[i].accepted == NULL;
    }
    return count;
}

static void call_flaky(const struct court *court, const struct harness_triage_bucket *bucket)
{
    for (size_t i = 0; i < court->triage->count; i++)
        if (strcmp(court->triage->entries[i].bucket, bucket->name) == 0 && court->judged[i].accepted == NULL)
            court->judged[i].is_flaky = true;
}

static int judge_bucket(const struct court *court, const struct harness_triage_bucket *bucket)
{
    const struct cli_run_options *const options = court->options;
    struct cli_quirks_counts *const counts = &options->quirks->counts;
    const size_t left = ask_baseline(court, bucket);
    counts->known += bucket->count - left;
    if (left == 0) {
        cli_baseline_say(options, bucket->name, "known",
                         harness_quirks_bucket(options->quirks->file, bucket->name, HARNESS_BUCKET_VERSION));
        return CLI_OK;
    }
    const bool flaky = bucket->kind == HARNESS_UNSTABLE;
    cli_baseline_say(options, bucket->name, flaky ? "flaky: it did not come back in fresh processes" : "new", NULL);
    counts->fresh += flaky ? 0 : left;
    counts->flaky += flaky ? left : 0;
    if (flaky)
        call_flaky(court, bucket);
    return flaky ? CLI_OK : (int)harness_outcome_exit(bucket->kind);
}

void cli_triage_take(const struct cli_run_options *options, const struct harness_backend *backends, size_t count,
                     struct harness_triage_options *out, struct harness_text *identity)
{
    out->probe.backends = backends;
    out->probe.backend_count = count;
    out->probe.backend_options = cli_backend_options(options);
    out->probe.hang_ms = options->timeout.ms;
    harness_triage_identity(options->backends.items, options->backends.count, &out->probe, identity);
    cli_scope_text(options, identity);
    out->identity = harness_text_string(identity);
    out->prepare = cli_quirks_case;
    out->prepare_what = options;
}

bool cli_bucket_of(const struct cli_run_options *options, const struct cli_trials *trials, const char *path, char *name)
{
    struct harness_triage triage;
    struct harness_error error = { "" };
    const struct harness_triage_options how = {
        .probe = { .backends = trials->backends,
                   .backend_count = trials->count,
                   .backend_options = cli_backend_options(options),
                   .test_format = HARNESS_FORMAT_PCASE,
                   .jobs = 1,
                   .hang_ms = options->timeout.ms },
        .prepare = cli_quirks_case,
        .prepare_what = options,
        .identity = "",
        .read_only = true,
    };
    const bool sorted = harness_triage_run(&path, 1, &how, &triage, &error) == HARNESS_OK && triage.count == 1 &&
                        harness_outcome_is_wrong(triage.entries[0].kind);
    if (sorted)
        (void)snprintf(name, HARNESS_BUCKET_NAME, "%s", triage.entries[0].bucket);
    harness_triage_free(&triage);
    return sorted;
}

/* ---------------------------------------------------------------------------------------------------------- entries */

/* Counts for each entry of the baseline its cases, and those that show nothing any more. */
static void count_silent(const struct court *court)
{
    struct cli_quirks *const quirks = court->options->quirks;
    for (uint32_t k = 0; k < quirks->file->accepted_count; k++) {
        const struct harness_accepted *const entry = &quirks->file->accepted[k];
        for (size_t i = 0; i < court->triage->count; i++) {
            const struct harness_triage_entry *const found = &court->triage->entries[i];
            const bool is_of = entry->bucket != NULL ? cli_lies_in(found->path, entry->bucket)
                                                     : harness_path_ends(found->path, entry->test_case);
            quirks->counts.filed[k] += is_of;
            quirks->counts.silent[k] += is_of && (found->kind == HARNESS_AGREE || found->kind == HARNESS_VACUOUS);
        }
    }
}

int cli_judge(const struct cli_run_options *options, const struct harness_triage *triage, struct cli_judged *judged)
{
    int code = CLI_OK;
    const struct court court = { options, triage, judged };
    const bool has_baseline = cli_has_baseline(options);
    memset(judged, 0, triage->count * sizeof *judged);
    for (size_t i = 0; i < triage->bucket_count; i++) {
        const struct harness_triage_bucket *const bucket = &triage->buckets[i];
        code = cli_worse(code, has_baseline && harness_outcome_is_wrong(bucket->kind)
                                   ? judge_bucket(&court, bucket)
                                   : (int)harness_outcome_exit(bucket->kind));
    }
    if (has_baseline)
        count_silent(&court);
    return code;
}

int cli_nothing_sorted(const struct harness_triage *triage)
{
    size_t compared = 0;
    for (size_t i = 0; i < triage->count; i++)
        compared += harness_outcome_compared(triage->entries[i].kind);
    return triage->count != 0 && compared == 0 ? CLI_USAGE : CLI_OK;
}
