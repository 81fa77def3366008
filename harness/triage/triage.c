#include "harness/triage/triage.h"

#include "harness/pages/json.h"
#include "harness/trial/fatal.h"
#include "harness/trial/trial.h"
#include "harness/reduce/reduce.h"
#include "harness/run/dump.h"
#include "harness/run/load.h"
#include "pica/regs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- identity */

static void add_digest(const char *path, struct harness_text *out)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (harness_file_read(path, &bytes, &size, NULL) == HARNESS_OK)
        harness_text_format(out, " %016" PRIX64, harness_digest_bytes(bytes, size));
    free(bytes);
}

void harness_triage_identity(const char *const *names, size_t count, const struct harness_probe_options *options,
                             struct harness_text *out)
{
    for (size_t i = 0; i < count; i++) {
        harness_text_format(out, "%s%s", i != 0 ? ", " : "", names[i]);
        const char *const target = harness_backend_target(names[i]);
        add_digest(strchr(target, '/') != NULL ? target : "/proc/self/exe", out);
    }
    if (options->backend_options.capacity != 0)
        harness_text_format(out, "; capacity %" PRIu32, options->backend_options.capacity);
    harness_text_format(out, "; threads %" PRIu32 " isa %" PRIu32 " hang %u", options->backend_options.threads,
                        options->backend_options.instruction_sets, options->hang_ms);
}

/* ------------------------------------------------------------------------------------------------------- the index */

/* The version of an index, or of a bucket in one; the first if it names none. */
static int version_in(const cJSON *object)
{
    const cJSON *const version = cJSON_GetObjectItemCaseSensitive(object, "version");
    return cJSON_IsNumber(version) ? version->valueint : 1;
}

/* NULL: there is none. *damaged: there is one, but it is not valid JSON. */
static cJSON *read_index(const struct harness_triage_options *options, bool *damaged)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (options->index_path == NULL || harness_file_read(options->index_path, &bytes, &size, NULL) != HARNESS_OK)
        return NULL;
    cJSON *const index = cJSON_ParseWithLength((const char *)bytes, size);
    *damaged = size != 0 && !cJSON_IsObject(index);
    free(bytes);
    /* What a case shows depends on the backends and on the key; when a bucket was first seen does not. */
    const char *const identity = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(index, "identity"));
    if (identity == NULL || strcmp(identity, options->identity) != 0 || version_in(index) != HARNESS_BUCKET_VERSION)
        cJSON_DeleteItemFromObjectCaseSensitive(index, "cases");
    return index;
}

static const char *string_in(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* A number of an object within 0 .. most; false if there is none. */
static bool number_in(const cJSON *object, const char *name, double most, double *out)
{
    const cJSON *const number = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0.0) || number->valuedouble > most)
        return false;
    *out = number->valuedouble;
    return true;
}

/* Is it a name as harness_bucket_make writes it? An index may come from anywhere, and the name becomes a path. */
static bool is_bucket(const char *name)
{
    static const char fit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return name[0] != '\0' && strlen(name) < HARNESS_BUCKET_NAME && name[strspn(name, fit)] == '\0';
}

/* What the index knows about a file with these bytes; false if nothing, or nothing sound. */
static bool recall(const cJSON *index, struct harness_triage_entry *entry)
{
    const cJSON *const cases = cJSON_GetObjectItemCaseSensitive(index, "cases");
    const cJSON *const known = cJSON_GetObjectItemCaseSensitive(cases, entry->digest);
    const char *const bucket = string_in(known, "bucket");
    const char *const key = string_in(known, "key");
    const char *const title = string_in(known, "title");
    const char *const summary = string_in(known, "summary");
    const cJSON *const needs = cJSON_GetObjectItemCaseSensitive(known, "needs");
    double bytes = 0.0, kind = 0.0, operation = 0.0, command = 0.0;
    if (bucket == NULL || key == NULL || title == NULL || summary == NULL || !cJSON_IsArray(needs) ||
        !number_in(known, "bytes", 1e15, &bytes) || !number_in(known, "kind", (double)HARNESS_VACUOUS, &kind) ||
        !number_in(known, "operation", (double)UINT32_MAX, &operation) ||
        !number_in(known, "command", (double)UINT32_MAX, &command) || !is_bucket(bucket))
        return false;
    entry->key = strdup(key);
    entry->title = strdup(title);
    entry->needs = cJSON_PrintUnformatted(needs);
    entry->summary = strdup(summary);
    memcpy(entry->bucket, bucket, strlen(bucket) + 1);
    entry->bytes = (uint64_t)bytes;
    entry->kind = (enum harness_outcome)(int)kind;
    entry->operation = (uint32_t)operation;
    entry->command = (uint32_t)command;
    return entry->key != NULL && entry->title != NULL && entry->needs != NULL && entry->summary != NULL;
}

static void add_known_cases(cJSON *index, const struct harness_triage *triage)
{
    cJSON *const cases = cJSON_AddObjectToObject(index, "cases");
    for (size_t i = 0; i < triage->count; i++) {
        const struct harness_triage_entry *const entry = &triage->entries[i];
        if (cJSON_GetObjectItemCaseSensitive(cases, entry->digest) != NULL)
            continue; /* the same bytes under two names */
        cJSON *const known = cJSON_AddObjectToObject(cases, entry->digest);
        (void)cJSON_AddNumberToObject(known, "kind", entry->kind);
        (void)cJSON_AddStringToObject(known, "bucket", entry->bucket);
        (void)cJSON_AddStringToObject(known, "key", entry->key);
        (void)cJSON_AddStringToObject(known, "title", entry->title);
        (void)cJSON_AddRawToObject(known, "needs", entry->needs);
        (void)cJSON_AddStringToObject(known, "summary", entry->summary);
        (void)cJSON_AddNumberToObject(known, "operation", entry->operation);
        (void)cJSON_AddNumberToObject(known, "command", entry->command);
        (void)cJSON_AddNumberToObject(known, "bytes", (double)entry->bytes);
    }
}

/* `known`: the buckets of the index before; those that hold no case any more stay. Takes it over. */
static void add_known_buckets(cJSON *index, cJSON *known, const struct harness_triage *triage)
{
    cJSON *const buckets = cJSON_IsObject(known) ? known : cJSON_CreateObject();
    if (buckets != known)
        cJSON_Delete(known);
    for (size_t i = 0; i < triage->bucket_count; i++) {
        const struct harness_triage_bucket *const bucket = &triage->buckets[i];
        cJSON_DeleteItemFromObjectCaseSensitive(buckets, bucket->name);
        cJSON *const entry = cJSON_AddObjectToObject(buckets, bucket->name);
        (void)cJSON_AddStringToObject(entry, "first_seen", bucket->first_seen);
        (void)cJSON_AddStringToObject(entry, "title", bucket->title);
        (void)cJSON_AddNumberToObject(entry, "version", HARNESS_BUCKET_VERSION);
    }
    (void)cJSON_AddItemToObject(index, "buckets", buckets);
}

static enum harness_status write_index(const struct harness_triage_options *options, cJSON *before,
                                       const struct harness_triage *triage, struct harness_error *error)
{
    cJSON *const index = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(index, "identity", options->identity);
    (void)cJSON_AddNumberToObject(index, "version", HARNESS_BUCKET_VERSION);
    add_known_buckets(index, cJSON_DetachItemFromObjectCaseSensitive(before, "buckets"), triage);
    add_known_cases(index, triage);
    return harness_json_write(options->index_path, index, error);
}

/* --------------------------------------------------------------------------------------------------------- running */

/* "broken: crash in operation 2 (submit), at its command 32 (DRAWARRAYS): signal 6" */
static void add_place(const struct harness_triage_entry *entry, const struct harness_symptom *symptom,
                      const struct harness_case *test_case, struct harness_text *text)
{
    if (symptom->operation_kind == HARNESS_SYMPTOM_LOADING) {
        harness_text_add(text, "while the case was loaded");
        return;
    }
    harness_text_format(text, "in operation %" PRIu32 " (%s)", symptom->operation,
                        harness_symptom_operation_name(symptom));
    if (entry->command == 0 || symptom->operation >= test_case->operation_count)
        return;
    harness_text_format(text, ", at its command %" PRIu32, entry->command);
    const struct harness_command *const command =
        harness_fatal_place(&test_case->operations[symptom->operation], entry->command);
    if (command != NULL && command->id < PICA_REGISTERS)
        harness_text_format(text, " (%s)", pica_reg_info(command->id)->name);
}

/* One line about a crash or hang; false without memory. */
static bool summarise(struct harness_triage_entry *entry, const struct harness_symptom *symptom,
                      const struct harness_triage_options *options, const struct harness_case *test_case)
{
    struct harness_text text = { 0 };
    if (symptom->kind == HARNESS_CRASH || symptom->kind == HARNESS_HANG) {
        harness_text_format(&text, "%s: %s ", options->probe.backends[symptom->backend].backend->name,
                            harness_outcome_name(symptom->kind));
        add_place(entry, symptom, test_case, &text);
    }
    if (symptom->kind == HARNESS_CRASH)
        harness_text_format(&text, ": %s %d", symptom->code < 256 ? "signal" : "exit code", symptom->code % 256);
    if (symptom->kind == HARNESS_CRASH && symptom->memory_mib != 0)
        harness_text_format(&text, ": out of memory: its limit is %" PRIu32 " MiB", symptom->memory_mib);
    else if (symptom->kind == HARNESS_CRASH && symptom->detail[0] != '\0')
        harness_text_format(&text, ": %s", symptom->detail);
    entry->operation = symptom->operation_kind == HARNESS_SYMPTOM_LOADING ? HARNESS_TRIAGE_LOADING : symptom->operation;
    entry->summary = strdup(harness_text_string(&text));
    harness_text_free(&text);
    return entry->summary != NULL;
}

static bool name_entry(struct harness_triage_entry *entry, const struct harness_symptom *symptom,
                       const struct harness_cause *cause)
{
    struct harness_bucket bucket;
    struct harness_text needs = { 0 };
    harness_bucket_make(&bucket, symptom, cause);
    entry->kind = symptom->kind;
    if (!harness_outcome_is_finding(symptom->kind)) {
        (void)snprintf(entry->bucket, sizeof entry->bucket, "%s",
                       symptom->kind == HARNESS_NOT_TESTED ? "not-tested" : harness_outcome_name(symptom->kind));
        entry->key = strdup(symptom->kind == HARNESS_AGREE     ? "nothing is wrong"
                            : symptom->kind == HARNESS_VACUOUS ? "nothing is wrong, and no memory was changed"
                                                               : symptom->detail);
        entry->title = strdup(entry->key != NULL ? entry->key : "");
    } else {
        memcpy(entry->bucket, bucket.name, sizeof entry->bucket);
        entry->key = strdup(harness_text_string(&bucket.key));
        entry->title = strdup(harness_text_string(&bucket.title));
    }
    harness_cause_needs_json(cause, &needs);
    entry->needs = strdup(harness_text_string(&needs));
    harness_text_free(&needs);
    harness_bucket_free(&bucket);
    return entry->key != NULL && entry->title != NULL && entry->needs != NULL;
}

/* A case that cannot be sorted by what it shows; `summary`: on what it depends, or "". */
static enum harness_status leave(struct harness_triage_entry *entry, enum harness_outcome kind, const char *key,
                                 const char *summary, const struct harness_case *test_case, struct harness_error *error)
{
    entry->kind = kind;
    entry->fresh = true;
    entry->bytes = harness_case_bytes(test_case);
    entry->operation = HARNESS_TRIAGE_LOADING;
    entry->key = strdup(key);
    entry->title = strdup(key);
    entry->needs = strdup("[]");
    entry->summary = strdup(summary);
    return entry->key != NULL && entry->title != NULL && entry->needs != NULL && entry->summary != NULL
               ? HARNESS_OK
               : harness_fail_memory(error);
}

/* The case uses something that is known to be missing, so it is not tested. */
static enum harness_status leave_untested(struct harness_triage_entry *entry, const char *why,
                                          const struct harness_case *test_case, struct harness_error *error)
{
    char key[160];
    (void)snprintf(key, sizeof key, "without: %s", why);
    (void)snprintf(entry->bucket, sizeof entry->bucket, "not-tested");
    return leave(entry, HARNESS_NOT_TESTED, key, "", test_case, error);
}

/* The case is flaky, so what it showed says little. */
static enum harness_status leave_unstable(struct harness_triage_entry *entry, const struct harness_stability *stability,
                                          const struct harness_case *test_case, struct harness_error *error)
{
    const char *const word = harness_dependence_name(stability->depends_on);
    char key[160];
    (void)snprintf(key, sizeof key, "unstable: depends on %s", word);
    (void)snprintf(entry->bucket, sizeof entry->bucket, "unstable-%s", word);
    return leave(entry, HARNESS_UNSTABLE, key, stability->text, test_case, error);
}

/* Runs the case in fresh processes. */
static enum harness_status try_case(const struct harness_triage_options *options, const struct harness_case *test_case,
                                    struct harness_trial *out, struct harness_error *error)
{
    const struct harness_trial_options how = { .probe = options->probe };
    struct harness_trials *trials = NULL;
    enum harness_status status = harness_trials_create(&how, &trials, error);
    if (status == HARNESS_OK)
        status = harness_trial_run(trials, test_case, NULL, out, error);
    harness_trials_destroy(trials);
    return status;
}

static enum harness_status load_prepared(const char *path, const struct harness_triage_options *options,
                                         struct harness_case *test_case, const char **why, struct harness_error *error)
{
    const enum harness_status status = harness_load(test_case, path, NULL, error);
    return status == HARNESS_OK && options->prepare != NULL
               ? options->prepare(options->prepare_what, test_case, why, error)
               : status;
}

/* Finds bucket, title and summary of a case that is not flaky. */
static enum harness_status sort_out(struct harness_triage_entry *entry, const struct harness_triage_options *options,
                                    struct harness_case *test_case, struct harness_symptom *symptom,
                                    struct harness_error *error)
{
    struct harness_probe_options probe_options = options->probe;
    struct harness_probe *probe = NULL;
    struct harness_cause cause = { 0 };
    struct harness_program *const program = harness_program_create();
    enum harness_status status =
        program != NULL ? harness_case_setup(test_case, program, error) : harness_fail_memory(error);
    if (status == HARNESS_OK) {
        probe_options.case_bytes = 2 * harness_probe_size(program) + HARNESS_PCB_USUAL_WINDOW; /* for experiments */
        status = harness_probe_create(&probe_options, &probe, error);
    }
    if (status == HARNESS_OK)
        status = harness_cause_find(probe, test_case, symptom, &cause, error);
    if (status == HARNESS_OK)
        status = harness_fatal_command(probe, test_case, symptom, &entry->command, error);
    if (status == HARNESS_OK && (!name_entry(entry, symptom, &cause) || !summarise(entry, symptom, options, test_case)))
        status = harness_fail_memory(error);
    entry->fresh = true;
    entry->bytes = harness_case_bytes(test_case);
    harness_probe_destroy(probe);
    harness_program_destroy(program);
    return status;
}

static enum harness_status run_entry(struct harness_triage_entry *entry, const struct harness_triage_options *options,
                                     struct harness_error *error)
{
    const char *why = NULL;
    struct harness_case *const test_case = harness_case_create();
    struct harness_trial *const trial = calloc(1, sizeof *trial);
    enum harness_status status = test_case == NULL || trial == NULL
                                     ? harness_fail_memory(error)
                                     : load_prepared(entry->path, options, test_case, &why, error);
    if (status == HARNESS_OK && why == NULL)
        status = try_case(options, test_case, trial, error);
    if (status == HARNESS_OK && why != NULL)
        status = leave_untested(entry, why, test_case, error);
    else if (status == HARNESS_OK && trial->outcome == HARNESS_UNSTABLE)
        status = leave_unstable(entry, &trial->stability, test_case, error);
    else if (status == HARNESS_OK)
        status = sort_out(entry, options, test_case, &trial->symptom, error);
    free(trial);
    harness_case_destroy(test_case);
    return status;
}

/* Reads what the directory of the file remembers, if it is the one that a hunt made for this bucket. */
static void read_record(struct harness_triage_entry *entry)
{
    char directory[4096];
    const char *const slash = strrchr(entry->path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - entry->path) : 0;
    const size_t name = strlen(entry->bucket);
    if (length == 0 || length >= sizeof directory)
        return;
    memcpy(directory, entry->path, length);
    directory[length] = '\0';
    struct harness_bucket_record record;
    harness_bucket_record_read(directory, &record);
    entry->older = record.found != 0 && record.version != HARNESS_BUCKET_VERSION;
    if (length >= name && strcmp(directory + length - name, entry->bucket) == 0 &&
        (length == name || directory[length - name - 1] == '/'))
        entry->record = record;
}

static enum harness_status fill_entry(struct harness_triage_entry *entry, const char *path, const cJSON *index,
                                      const struct harness_triage_options *options, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    entry->path = strdup(path);
    if (entry->path == NULL)
        return harness_fail_memory(error);
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status != HARNESS_OK)
        return status;
    (void)snprintf(entry->digest, sizeof entry->digest, "%016" PRIX64, harness_digest_bytes(bytes, size));
    free(bytes);
    if (!recall(index, entry))
        status = run_entry(entry, options, error);
    if (status == HARNESS_OK)
        read_record(entry);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- buckets */

static int by_count(const void *a, const void *b)
{
    const struct harness_triage_bucket *const x = a;
    const struct harness_triage_bucket *const y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->name, y->name);
}

static bool is_smaller(const struct harness_triage_entry *a, const struct harness_triage_entry *b)
{
    return a->bytes != b->bytes ? a->bytes < b->bytes : strcmp(a->path, b->path) < 0;
}

static void add_to_bucket(struct harness_triage *triage, const struct harness_triage_entry *entry)
{
    for (size_t i = 0; i < triage->bucket_count; i++) {
        struct harness_triage_bucket *const bucket = &triage->buckets[i];
        if (strcmp(bucket->name, entry->bucket) != 0)
            continue;
        bucket->count++;
        if (is_smaller(entry, bucket->smallest))
            bucket->smallest = entry;
        return;
    }
    triage->buckets[triage->bucket_count++] = (struct harness_triage_bucket){ .name = entry->bucket,
                                                                              .key = entry->key,
                                                                              .title = entry->title,
                                                                              .kind = entry->kind,
                                                                              .count = 1,
                                                                              .smallest = entry };
}

static void take_earlier(char first_seen[HARNESS_MOMENT], const char *other)
{
    if (other != NULL && harness_moment_is_sound(other) && (first_seen[0] == '\0' || strcmp(other, first_seen) < 0))
        memcpy(first_seen, other, strlen(other) + 1);
}

static void date_buckets(struct harness_triage *triage, const cJSON *index,
                         const struct harness_triage_options *options)
{
    const cJSON *const known = cJSON_GetObjectItemCaseSensitive(index, "buckets");
    for (size_t i = 0; i < triage->bucket_count; i++) {
        struct harness_triage_bucket *const bucket = &triage->buckets[i];
        take_earlier(bucket->first_seen,
                     string_in(cJSON_GetObjectItemCaseSensitive(known, bucket->name), "first_seen"));
        for (size_t k = 0; k < triage->count; k++)
            if (strcmp(triage->entries[k].bucket, bucket->name) == 0)
                take_earlier(bucket->first_seen, triage->entries[k].record.first_seen);
        if (bucket->first_seen[0] == '\0' && !options->read_only)
            harness_moment_text(options->now, bucket->first_seen);
    }
}

/* Buckets of the index that no case can fall into any more, for the key has changed. */
static size_t count_older(const cJSON *index)
{
    const cJSON *bucket = NULL;
    size_t older = 0;
    cJSON_ArrayForEach(bucket, cJSON_GetObjectItemCaseSensitive(index, "buckets")) older +=
        version_in(bucket) != HARNESS_BUCKET_VERSION;
    return older;
}

static void clear_entry(struct harness_triage_entry *entry)
{
    free(entry->path);
    free(entry->key);
    free(entry->title);
    free(entry->needs);
    free(entry->summary);
    memset(entry, 0, sizeof *entry);
}

/* A file that is not a case says nothing about the others. */
static enum harness_status leave_out(struct harness_triage *out, const struct harness_error *error)
{
    if (out->refused++ == 0)
        (void)snprintf(out->refusal, sizeof out->refusal, "%s", error->message);
    clear_entry(&out->entries[out->count]);
    return HARNESS_OK;
}

enum harness_status harness_triage_run(const char *const *paths, size_t count,
                                       const struct harness_triage_options *options, struct harness_triage *out,
                                       struct harness_error *error)
{
    memset(out, 0, sizeof *out);
    out->entries = calloc(count + 1, sizeof *out->entries);
    out->buckets = calloc(count + 1, sizeof *out->buckets);
    if (out->entries == NULL || out->buckets == NULL)
        return harness_fail_memory(error);
    cJSON *const index = read_index(options, &out->is_index_damaged);
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < count && status == HARNESS_OK; i++) {
        if (options->goes_on != NULL && !options->goes_on(options->watcher, i, count)) {
            out->left = count - i;
            break;
        }
        status = fill_entry(&out->entries[out->count], paths[i], index, options, error);
        if (status == HARNESS_BAD_INPUT || status == HARNESS_TOO_LARGE) {
            status = leave_out(out, error);
            continue;
        }
        out->run += out->entries[out->count].fresh;
        out->count++; /* also a half-filled one: harness_triage_free frees it */
    }
    for (size_t i = 0; i < out->count && status == HARNESS_OK; i++)
        add_to_bucket(out, &out->entries[i]);
    out->older = count_older(index);
    if (status == HARNESS_OK)
        date_buckets(out, index, options);
    if (status == HARNESS_OK && options->index_path != NULL && out->run != 0 && !options->read_only &&
        !out->is_index_damaged)
        status = write_index(options, index, out, error);
    cJSON_Delete(index);
    qsort(out->buckets, out->bucket_count, sizeof *out->buckets, by_count);
    return status;
}

void harness_triage_free(struct harness_triage *triage)
{
    for (size_t i = 0; triage->entries != NULL && i < triage->count; i++)
        clear_entry(&triage->entries[i]);
    free(triage->entries);
    free(triage->buckets);
    memset(triage, 0, sizeof *triage);
}
