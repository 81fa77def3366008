/* `picafuzz triage` and the baseline: what is known, what is new, --accept, --migrate. */
#include "harness/cli/baseline.h"
#include "harness/cli/quirks.h"
#include "harness/cli/triage_parts.h"
#include "harness/quirks/edit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int code_of(enum harness_symptom_kind kind)
{
    switch (kind) {
    case HARNESS_SYMPTOM_NONE:
    case HARNESS_SYMPTOM_NOT_TESTED: return CLI_OK;
    case HARNESS_SYMPTOM_TROUBLE: return CLI_HOST;
    case HARNESS_SYMPTOM_DIVERGE:
    case HARNESS_SYMPTOM_RELATION:
    case HARNESS_SYMPTOM_TEST: return CLI_DIVERGED;
    case HARNESS_SYMPTOM_HANG:
    case HARNESS_SYMPTOM_CRASH: return CLI_CRASHED;
    }
    return CLI_HOST; /* not reached */
}

static bool is_finding(const struct harness_triage_bucket *bucket)
{
    return code_of(bucket->kind) == CLI_DIVERGED || code_of(bucket->kind) == CLI_CRASHED;
}

int triage_open(struct triage_request *request)
{
    struct cli_run_options *const options = &request->options;
    request->quirks_path = options->quirks_path;
    const bool changes = request->accept.count != 0 || request->migrate;
    if (changes && options->quirks_path == NULL)
        return cli_usage("triage", "--accept and --migrate change a file: name it with --quirks");
    if (request->accept.count != 0 && request->migrate)
        return cli_usage("triage", "--accept and --migrate: one after the other");
    if (request->note != NULL && request->accept.count == 0)
        return cli_usage("triage", "--note is for --accept");
    if (changes && !cli_has_stranger(options))
        return cli_usage("triage", "--accept, --migrate: between reference and fast nothing is accepted");
    if (request->accept.count != 0 && access(options->quirks_path, F_OK) != 0)
        options->quirks_path = NULL; /* it begins with what is accepted now */
    return cli_quirks_open("triage", options);
}

/* ---------------------------------------------------------------------------------------------------------- judging */

static bool fits(const struct harness_accepted *entry, int code)
{
    return entry->expectation == HARNESS_EXPECT_FLAKY || entry->expectation == HARNESS_EXPECT_SKIP ||
           (entry->expectation == HARNESS_EXPECT_CRASH ? code == CLI_CRASHED : code == CLI_DIVERGED);
}

/* The entry for the bucket, of today's key, or NULL. Marks it as matched. */
static const struct harness_accepted *entry_of(const struct triage_request *request,
                                               const struct harness_triage_bucket *bucket)
{
    const struct cli_quirks *const quirks = request->options.quirks;
    const struct harness_accepted *const entry = harness_quirks_bucket(quirks->file, bucket->name);
    if (entry == NULL || entry->version != HARNESS_BUCKET_VERSION)
        return NULL;
    quirks->counts->matched[entry - quirks->file->accepted] = true;
    return fits(entry, code_of(bucket->kind)) ? entry : NULL;
}

/* Cases of the bucket that have no entry of their own. */
static size_t unaccepted(const struct triage_request *request, const struct harness_triage *triage,
                         const struct harness_triage_bucket *bucket)
{
    size_t count = 0;
    const struct cli_quirks *const quirks = request->options.quirks;
    for (size_t i = 0; i < triage->count; i++) {
        if (strcmp(triage->entries[i].bucket, bucket->name) != 0)
            continue;
        const struct harness_accepted *const entry = harness_quirks_case(quirks->file, triage->entries[i].path);
        if (entry != NULL)
            quirks->counts->matched[entry - quirks->file->accepted] = true;
        count += entry == NULL || !fits(entry, code_of(bucket->kind));
    }
    return count;
}

/* How often the smallest case falls into the bucket again, each time in a process of its own. */
static unsigned count_again(const struct triage_request *request, const struct harness_triage_bucket *bucket)
{
    unsigned same = 0;
    struct harness_triage_options options = request->triage;
    options.index_path = NULL;
    options.read_only = true;
    for (unsigned i = 0; i < CLI_BASELINE_AGAIN; i++) {
        struct harness_triage again;
        struct harness_error error = { "" };
        const char *const path = bucket->smallest->path;
        if (harness_triage_run(&path, 1, &options, &again, &error) == HARNESS_OK && again.count == 1)
            same += strcmp(again.entries[0].bucket, bucket->name) == 0;
        harness_triage_free(&again);
    }
    return same;
}

static int judge_bucket(const struct triage_request *request, const struct harness_triage *triage,
                        const struct harness_triage_bucket *bucket)
{
    char text[96];
    struct cli_quirks_counts *const counts = request->options.quirks->counts;
    const struct harness_accepted *const entry = entry_of(request, bucket);
    const size_t left = unaccepted(request, triage, bucket);
    if (entry != NULL || left == 0) {
        counts->known += bucket->count;
        cli_baseline_say(&request->options, bucket->name, "known", entry);
        return CLI_OK;
    }
    counts->known += bucket->count - left;
    const unsigned same = count_again(request, bucket);
    (void)snprintf(text, sizeof text, "%s: %u of %u runs", same == CLI_BASELINE_AGAIN ? "new" : "flaky", same + 1,
                   CLI_BASELINE_AGAIN + 1);
    cli_baseline_say(&request->options, bucket->name, text, NULL);
    counts->fresh += same == CLI_BASELINE_AGAIN ? left : 0;
    counts->flaky += same == CLI_BASELINE_AGAIN ? 0 : left;
    return same == CLI_BASELINE_AGAIN ? code_of(bucket->kind) : CLI_OK;
}

/* The directory that the case lies in is named after a bucket; is it this one? */
static bool lies_in(const char *path, const char *bucket)
{
    const char *const slash = strrchr(path, '/');
    const size_t length = strlen(bucket);
    return slash != NULL && (size_t)(slash - path) >= length && memcmp(slash - length, bucket, length) == 0 &&
           ((size_t)(slash - path) == length || slash[-(long)length - 1] == '/');
}

/* A bucket without cases: those that were filed under it may be fixed. */
static void judge_entry(const struct triage_request *request, const struct harness_triage *triage,
                        const struct harness_accepted *entry)
{
    size_t filed = 0, silent = 0;
    struct cli_quirks_counts *const counts = request->options.quirks->counts;
    const char *const name = entry->bucket != NULL ? entry->bucket : entry->test_case;
    for (size_t i = 0; i < triage->count; i++) {
        const struct harness_triage_entry *const found = &triage->entries[i];
        const bool is_of = entry->bucket != NULL ? lies_in(found->path, entry->bucket)
                                                 : harness_path_ends(found->path, entry->test_case);
        filed += is_of;
        silent += is_of && found->kind == HARNESS_SYMPTOM_NONE;
    }
    if (filed != 0 && silent == filed) {
        counts->fixed++;
        cli_baseline_say(&request->options, name, "fixed: nothing is wrong any more", entry);
        return;
    }
    counts->unmatched++;
    cli_baseline_say(&request->options, name,
                     entry->bucket != NULL && entry->version != HARNESS_BUCKET_VERSION
                         ? "its key is of another version: `picafuzz triage --migrate`"
                         : "no case is this one",
                     entry);
}

static int hold_against(const struct triage_request *request, const struct harness_triage *triage)
{
    int code = CLI_OK;
    const struct cli_quirks *const quirks = request->options.quirks;
    for (size_t i = 0; i < triage->bucket_count; i++)
        code = cli_worse(code, is_finding(&triage->buckets[i]) ? judge_bucket(request, triage, &triage->buckets[i])
                                                               : code_of(triage->buckets[i].kind));
    for (uint32_t i = 0; i < quirks->file->accepted_count; i++)
        if (!quirks->counts->matched[i])
            judge_entry(request, triage, &quirks->file->accepted[i]);
    return code;
}

/* --------------------------------------------------------------------------------------------------------- changing */

static const struct harness_triage_bucket *find_bucket(const struct harness_triage *triage, const char *name)
{
    for (size_t i = 0; i < triage->bucket_count; i++)
        if (strcmp(triage->buckets[i].name, name) == 0 && is_finding(&triage->buckets[i]))
            return &triage->buckets[i];
    return NULL;
}

/* A copy for the writer, which changes nothing of it. */
static struct harness_accepted entry_for(const struct harness_triage_bucket *bucket, char name[HARNESS_BUCKET_NAME],
                                         char *note)
{
    (void)snprintf(name, HARNESS_BUCKET_NAME, "%s", bucket->name);
    return (struct harness_accepted){ .bucket = name,
                                      .version = HARNESS_BUCKET_VERSION,
                                      .expectation = code_of(bucket->kind) == CLI_CRASHED ? HARNESS_EXPECT_CRASH
                                                                                          : HARNESS_EXPECT_FAIL,
                                      .note = note };
}

static int accept_buckets(const struct triage_request *request, const struct harness_triage *triage)
{
    char note[1024] = "";
    if (request->note != NULL)
        (void)snprintf(note, sizeof note, "%s", request->note);
    for (size_t i = 0; i < request->accept.count; i++)
        if (find_bucket(triage, request->accept.items[i]) == NULL)
            return cli_usage("triage", "--accept: no case falls into a bucket '%s'", request->accept.items[i]);
    for (size_t i = 0; i < request->accept.count; i++) {
        char name[HARNESS_BUCKET_NAME];
        struct harness_error error = { "" };
        const struct harness_accepted entry = entry_for(find_bucket(triage, request->accept.items[i]), name, note);
        const enum harness_status status = harness_quirks_accept(request->quirks_path, &entry, &error);
        if (status != HARNESS_OK)
            return cli_fail(status, &error);
        cli_print(stderr, "picafuzz: %s: accepted in %s\n", name, request->quirks_path);
    }
    return CLI_OK;
}

enum {
    MOST_SUCCESSORS = 32
};

/* The buckets of today into which the cases fall that lie in the old one's directory. */
static uint32_t find_successors(const struct harness_triage *triage, const struct harness_accepted *old,
                                char names[MOST_SUCCESSORS][HARNESS_BUCKET_NAME],
                                struct harness_accepted out[MOST_SUCCESSORS])
{
    uint32_t count = 0;
    for (size_t i = 0; i < triage->count && count < MOST_SUCCESSORS; i++) {
        const struct harness_triage_entry *const entry = &triage->entries[i];
        const struct harness_triage_bucket *const bucket = find_bucket(triage, entry->bucket);
        bool known = bucket == NULL || !lies_in(entry->path, old->bucket);
        for (uint32_t k = 0; k < count && !known; k++)
            known = strcmp(names[k], entry->bucket) == 0;
        if (known)
            continue;
        out[count] = entry_for(bucket, names[count], old->note);
        if (old->expectation == HARNESS_EXPECT_FLAKY || old->expectation == HARNESS_EXPECT_SKIP)
            out[count].expectation = old->expectation;
        count++;
    }
    return count;
}

static int migrate_entry(const struct triage_request *request, const struct harness_triage *triage, uint32_t index,
                         bool *done)
{
    char names[MOST_SUCCESSORS][HARNESS_BUCKET_NAME];
    struct harness_accepted entries[MOST_SUCCESSORS];
    struct harness_error error = { "" };
    const struct harness_accepted *const old = &request->options.quirks->file->accepted[index];
    *done = false;
    if (old->bucket == NULL || old->version == HARNESS_BUCKET_VERSION)
        return CLI_OK;
    const uint32_t count = find_successors(triage, old, names, entries);
    if (count == 0) {
        cli_baseline_say(&request->options, old->bucket, "left as it is: no case lies in a directory of this name",
                         old);
        return CLI_OK;
    }
    const enum harness_status status = harness_quirks_replace(request->quirks_path, index, entries, count, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    for (uint32_t i = 0; i < count; i++)
        cli_print(stderr, "picafuzz: %s: is %s now\n", old->bucket, names[i]);
    *done = true;
    return CLI_OK;
}

/* From the last entry to the first, so that those that are left keep their numbers. */
static int migrate(const struct triage_request *request, const struct harness_triage *triage)
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

int triage_judge(const struct triage_request *request, const struct harness_triage *triage)
{
    int code = CLI_OK;
    if (request->accept.count != 0)
        return accept_buckets(request, triage);
    if (request->migrate)
        return migrate(request, triage);
    if (request->options.quirks != NULL && request->options.quirks->file->accepted_count != 0)
        return hold_against(request, triage);
    for (size_t i = 0; i < triage->bucket_count; i++)
        code = cli_worse(code, code_of(triage->buckets[i].kind));
    return code;
}
