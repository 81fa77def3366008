/* `picafuzz triage` and the baseline: what is known, what is new, --accept, --migrate. */
#include "harness/cli/baseline.h"
#include "harness/cli/judge.h"
#include "harness/cli/quirks.h"
#include "harness/cli/triage_parts.h"
#include "harness/quirks/edit.h"
#include "harness/report/sarif.h"
#include "harness/triage/migrate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int triage_open(struct triage_request *request)
{
    struct cli_run_options *const options = &request->options;
    const bool changes = request->accept.count != 0 || (request->migrate && options->quirks_path != NULL);
    if (request->accept.count != 0 && request->migrate)
        return cli_usage("triage", "--accept and --migrate: one after the other");
    if (request->note != NULL && request->accept.count == 0)
        return cli_usage("triage", "--note is for --accept");
    const int code = changes ? cli_quirks_change("triage", options, &request->quirks_path) : CLI_OK;
    if (request->migrate && changes)
        options->quirks_path = request->quirks_path; /* there must be one */
    return code == CLI_OK ? cli_run_open("triage", options) : code;
}

/* ------------------------------------------------------------------------------------------------------------ SARIF */

/* What the baseline says of a bucket; NULL: it is new. */
static const char *acceptance(const struct triage_request *request, const struct harness_triage_bucket *bucket)
{
    const struct cli_quirks *const quirks = request->options.quirks;
    const struct harness_accepted *const entry =
        quirks != NULL ? harness_quirks_bucket(quirks->file, bucket->name, HARNESS_BUCKET_VERSION) : NULL;
    if (entry == NULL)
        return NULL;
    return entry->note != NULL && entry->note[0] != '\0' ? entry->note : "known to the baseline";
}

int triage_write_sarif(const struct triage_request *request, const struct harness_triage *triage)
{
    struct harness_error error = { "" };
    struct harness_sarif sarif = { NULL, NULL, NULL };
    struct harness_text message = { 0 };
    if (request->sarif_path == NULL)
        return CLI_OK;
    for (size_t i = 0; i < triage->bucket_count; i++) {
        const struct harness_triage_bucket *const bucket = &triage->buckets[i];
        if (!harness_outcome_is_wrong(bucket->kind))
            continue;
        harness_text_clear(&message);
        harness_text_format(&message, "%s (%zu %s)", bucket->title, bucket->count,
                            cli_word(bucket->count, "case", "cases"));
        const struct harness_sarif_result result = { .rule = bucket->name,
                                                     .message = harness_text_string(&message),
                                                     .path = bucket->smallest->path,
                                                     .accepted = acceptance(request, bucket) };
        harness_sarif_add(&sarif, &result);
    }
    harness_text_free(&message);
    const enum harness_status status = harness_sarif_write(&sarif, request->sarif_path, &error);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

/* --------------------------------------------------------------------------------------------------------- changing */

static const struct harness_triage_bucket *find_bucket(const struct harness_triage *triage, const char *name)
{
    for (size_t i = 0; i < triage->bucket_count; i++)
        if (strcmp(triage->buckets[i].name, name) == 0 && harness_outcome_is_wrong(triage->buckets[i].kind))
            return &triage->buckets[i];
    return NULL;
}

static struct harness_accepted entry_for(const struct harness_triage_bucket *bucket, const char *note)
{
    return (struct harness_accepted){ .bucket = bucket->name,
                                      .version = HARNESS_BUCKET_VERSION,
                                      .expectation = (int)harness_outcome_exit(bucket->kind) == CLI_CRASHED
                                                         ? HARNESS_EXPECT_CRASH
                                                         : HARNESS_EXPECT_FAIL,
                                      .note = note };
}

static const char everything[] = "all";

/* Names the buckets that may have been meant. */
static int no_such_bucket(const struct harness_triage *triage, const char *name)
{
    struct harness_text names = { 0 };
    for (size_t i = 0; i < triage->bucket_count; i++)
        if (harness_outcome_is_wrong(triage->buckets[i].kind))
            harness_text_format(&names, "%s%s", names.size != 0 ? ", " : "", triage->buckets[i].name);
    const int code = cli_usage("triage", "--accept: no case falls into a bucket '%s'; there are: %s", name,
                               names.size != 0 ? harness_text_string(&names) : "none, for nothing is wrong");
    harness_text_free(&names);
    return code;
}

/* `all` is what the baseline does not accept yet. */
static bool is_asked_for(const struct triage_request *request, const struct harness_triage_bucket *bucket)
{
    const struct cli_quirks *const quirks = request->options.quirks;
    for (size_t i = 0; i < request->accept.count && harness_outcome_is_wrong(bucket->kind); i++) {
        const char *const name = request->accept.items[i];
        const bool is_new =
            quirks == NULL || harness_quirks_bucket(quirks->file, bucket->name, HARNESS_BUCKET_VERSION) == NULL;
        if (strcmp(name, bucket->name) == 0 || (strcmp(name, everything) == 0 && is_new))
            return true;
    }
    return false;
}

static int accept_entry(const struct triage_request *request, const struct harness_accepted *entry)
{
    const int code = cli_baseline_accept(request->quirks_path, entry);
    if (code == CLI_OK)
        cli_print(stderr, "picafuzz: %s: accepted in %s\n", entry->bucket != NULL ? entry->bucket : entry->test_case,
                  request->quirks_path);
    return code;
}

/* What is unstable may fall into another bucket the next time, so its cases are accepted by name, whatever they
 * show. */
static int accept_unstable(const struct triage_request *request, const struct harness_triage *triage,
                           const struct harness_triage_bucket *bucket)
{
    const struct cli_quirks *const quirks = request->options.quirks;
    int code = CLI_OK;
    for (size_t i = 0; i < triage->count && code == CLI_OK; i++) {
        const char *const path = triage->entries[i].path;
        const struct harness_accepted entry = { .test_case = path,
                                                .expectation = HARNESS_EXPECT_FLAKY,
                                                .note = request->note };
        if (strcmp(triage->entries[i].bucket, bucket->name) == 0 &&
            (quirks == NULL || harness_quirks_case(quirks->file, path) == NULL))
            code = accept_entry(request, &entry);
    }
    return code;
}

static int accept_bucket(const struct triage_request *request, const struct harness_triage *triage,
                         const struct harness_triage_bucket *bucket)
{
    const struct harness_accepted entry = entry_for(bucket, request->note);
    return bucket->kind == HARNESS_UNSTABLE ? accept_unstable(request, triage, bucket) : accept_entry(request, &entry);
}

static int accept_buckets(const struct triage_request *request, const struct harness_triage *triage)
{
    for (size_t i = 0; i < request->accept.count; i++)
        if (strcmp(request->accept.items[i], everything) != 0 && find_bucket(triage, request->accept.items[i]) == NULL)
            return no_such_bucket(triage, request->accept.items[i]);
    int code = CLI_OK;
    for (size_t i = 0; i < triage->bucket_count && code == CLI_OK; i++)
        if (is_asked_for(request, &triage->buckets[i]))
            code = accept_bucket(request, triage, &triage->buckets[i]);
    return code;
}

enum {
    MOST_SUCCESSORS = 32
};

/* The buckets of today into which the cases fall that lie in the old one's directory. */
static uint32_t find_successors(const struct harness_triage *triage, const struct harness_accepted *old,
                                struct harness_accepted out[MOST_SUCCESSORS])
{
    uint32_t count = 0;
    for (size_t i = 0; i < triage->count && count < MOST_SUCCESSORS; i++) {
        const struct harness_triage_entry *const entry = &triage->entries[i];
        const struct harness_triage_bucket *const bucket = find_bucket(triage, entry->bucket);
        bool known = bucket == NULL || !cli_lies_in(entry->path, old->bucket);
        for (uint32_t k = 0; k < count && !known; k++)
            known = strcmp(out[k].bucket, entry->bucket) == 0;
        if (known)
            continue;
        out[count] = entry_for(bucket, old->note);
        if (old->expectation == HARNESS_EXPECT_FLAKY || old->expectation == HARNESS_EXPECT_SKIP)
            out[count].expectation = old->expectation;
        count++;
    }
    return count;
}

static int migrate_entry(const struct triage_request *request, const struct harness_triage *triage, uint32_t index,
                         bool *done)
{
    struct harness_accepted entries[MOST_SUCCESSORS];
    struct harness_error error = { "" };
    const struct harness_accepted *const old = &request->options.quirks->file->accepted[index];
    *done = false;
    if (old->bucket == NULL || old->version == HARNESS_BUCKET_VERSION)
        return CLI_OK;
    const uint32_t count = find_successors(triage, old, entries);
    if (count == 0) {
        cli_baseline_say(&request->options, old->bucket, "left as it is: no case lies in a directory of this name",
                         old);
        return CLI_OK;
    }
    const enum harness_status status = harness_quirks_replace(request->quirks_path, index, entries, count, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    for (uint32_t i = 0; i < count; i++)
        cli_print(stderr, "picafuzz: %s: is %s now\n", old->bucket, entries[i].bucket);
    *done = true;
    return CLI_OK;
}

/* From the last entry to the first, so that those that are left keep their numbers. */
static int migrate_baseline(const struct triage_request *request, const struct harness_triage *triage)
{
    int code = CLI_OK;
    uint32_t count = 0;
    for (uint32_t i = request->options.quirks->file->accepted_count; i-- > 0 && code == CLI_OK;) {
        bool done = false;
        code = migrate_entry(request, triage, i, &done);
        count += done;
    }
    cli_print(stderr, "picafuzz: %" PRIu32 " entries of %s were brought to version %d\n", count, request->quirks_path,
              HARNESS_BUCKET_VERSION);
    return code;
}

static void tell_migrated(void *user, const struct harness_migrated *migrated)
{
    size_t *const count = user;
    *count += migrated->refused == NULL;
    if (migrated->refused == NULL)
        cli_print(stderr, "picafuzz: %s: is called %s now\n", migrated->path, migrated->bucket);
    else
        cli_print(stderr, "picafuzz: %s: left as it is: %s (%s)\n", migrated->path, migrated->refused,
                  migrated->bucket);
}

/* The baseline first: it goes by the old names of directories. */
static int migrate(const struct triage_request *request, const struct harness_triage *triage)
{
    struct harness_error error = { "" };
    size_t count = 0;
    const int code = request->options.quirks != NULL ? migrate_baseline(request, triage) : CLI_OK;
    if (code != CLI_OK)
        return code;
    const enum harness_status status = harness_migrate(triage, tell_migrated, &count, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_print(stderr, "picafuzz: %zu %s of version %d\n", count,
              count == 1 ? "directory was given the name" : "directories were given the names", HARNESS_BUCKET_VERSION);
    return CLI_OK;
}

int triage_judge(const struct triage_request *request, const struct harness_triage *triage)
{
    struct harness_error error = { "" };
    if (request->accept.count != 0)
        return accept_buckets(request, triage);
    if (request->migrate)
        return migrate(request, triage);
    struct cli_judged *const judged = calloc(triage->count + 1, sizeof *judged);
    if (judged == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    const int code = cli_judge(&request->options, triage, judged);
    cli_baseline_unmatched(&request->options, true);
    free(judged);
    return code;
}
