#include "harness/findings/triage.h"

#include "harness/findings/features.h"
#include "harness/findings/reduce.h"
#include "harness/run/dump.h"
#include "harness/run/load.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- the index */

static cJSON *read_index(const struct harness_triage_options *options)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (options->index_path == NULL || harness_file_read(options->index_path, &bytes, &size, NULL) != HARNESS_OK)
        return NULL;
    cJSON *const index = cJSON_ParseWithLength((const char *)bytes, size);
    free(bytes);
    const char *const identity = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(index, "identity"));
    if (identity != NULL && strcmp(identity, options->identity) == 0)
        return index;
    cJSON_Delete(index);
    return NULL;
}

/* What the index knows of a file with these bytes; false if nothing, or nothing sound. */
static bool recall(const cJSON *index, struct harness_triage_entry *entry)
{
    const cJSON *const cases = cJSON_GetObjectItemCaseSensitive(index, "cases");
    const cJSON *const known = cJSON_GetObjectItemCaseSensitive(cases, entry->digest);
    const char *const bucket = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(known, "bucket"));
    const char *const key = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(known, "key"));
    const cJSON *const bytes = cJSON_GetObjectItemCaseSensitive(known, "bytes");
    const cJSON *const kind = cJSON_GetObjectItemCaseSensitive(known, "kind");
    if (bucket == NULL || key == NULL || !cJSON_IsNumber(bytes) || !cJSON_IsNumber(kind) || kind->valuedouble < 0.0 ||
        kind->valuedouble > (double)HARNESS_SYMPTOM_TEST || strlen(bucket) >= sizeof entry->bucket)
        return false;
    entry->key = strdup(key);
    memcpy(entry->bucket, bucket, strlen(bucket) + 1);
    entry->bytes = (uint64_t)bytes->valuedouble;
    entry->kind = (enum harness_symptom_kind)(int)kind->valuedouble;
    return entry->key != NULL;
}

static enum harness_status write_index(const struct harness_triage_options *options,
                                       const struct harness_triage *triage, struct harness_error *error)
{
    cJSON *const index = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(index, "identity", options->identity);
    cJSON *const cases = cJSON_AddObjectToObject(index, "cases");
    for (size_t i = 0; i < triage->count; i++) {
        const struct harness_triage_entry *const entry = &triage->entries[i];
        if (cJSON_GetObjectItemCaseSensitive(cases, entry->digest) != NULL)
            continue; /* the same bytes under two names */
        cJSON *const known = cJSON_AddObjectToObject(cases, entry->digest);
        (void)cJSON_AddNumberToObject(known, "kind", entry->kind);
        (void)cJSON_AddStringToObject(known, "bucket", entry->bucket);
        (void)cJSON_AddStringToObject(known, "key", entry->key);
        (void)cJSON_AddNumberToObject(known, "bytes", (double)entry->bytes);
    }
    char *const text = cJSON_Print(index);
    cJSON_Delete(index);
    const enum harness_status status =
        text != NULL ? harness_file_write(options->index_path, text, strlen(text), error) : harness_fail_memory(error);
    cJSON_free(text);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- running */

static bool name_entry(struct harness_triage_entry *entry, const struct harness_symptom *symptom,
                       const struct harness_probe *probe, const struct harness_case *test_case)
{
    struct harness_text features;
    struct harness_bucket bucket;
    harness_text_init(&features);
    harness_text_add(&features, harness_probe_features(probe));
    harness_features_shader(test_case, &features);
    harness_bucket_make(&bucket, symptom, harness_text_string(&features), harness_probe_stage(probe));
    entry->kind = symptom->kind;
    if (symptom->kind < HARNESS_SYMPTOM_DIVERGE) {
        (void)snprintf(entry->bucket, sizeof entry->bucket, "%s", harness_symptom_kind_name(symptom->kind));
        entry->key = strdup(symptom->kind == HARNESS_SYMPTOM_TROUBLE ? symptom->detail : "nothing is wrong");
    } else {
        memcpy(entry->bucket, bucket.name, sizeof entry->bucket);
        entry->key = strdup(harness_text_string(&bucket.key));
    }
    harness_bucket_free(&bucket);
    harness_text_free(&features);
    return entry->key != NULL;
}

static enum harness_status run_entry(struct harness_triage_entry *entry, const struct harness_triage_options *options,
                                     struct harness_error *error)
{
    struct harness_probe_options probe_options = options->probe;
    struct harness_probe *probe = NULL;
    struct harness_symptom symptom;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    enum harness_status status = test_case == NULL || program == NULL
                                     ? harness_fail_memory(error)
                                     : harness_load(test_case, entry->path, NULL, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(test_case, program, error);
    if (status == HARNESS_OK) {
        probe_options.case_bytes = harness_probe_size(program);
        status = harness_probe_create(&probe_options, &probe, error);
    }
    if (status == HARNESS_OK)
        status = harness_probe_try(probe, test_case, true, &symptom, error);
    if (status == HARNESS_OK) {
        entry->fresh = true;
        entry->bytes = harness_case_bytes(test_case);
        if (!name_entry(entry, &symptom, probe, test_case))
            status = harness_fail_memory(error);
    }
    harness_probe_destroy(probe);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return status;
}

static enum harness_status fill_entry(struct harness_triage_entry *entry, const char *path, const cJSON *index,
                                      const struct harness_triage_options *options, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    entry->path = strdup(path);
    if (entry->path == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status != HARNESS_OK)
        return status;
    (void)snprintf(entry->digest, sizeof entry->digest, "%016" PRIX64, harness_digest_bytes(bytes, size));
    free(bytes);
    return recall(index, entry) ? HARNESS_OK : run_entry(entry, options, error);
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
    triage->buckets[triage->bucket_count++] = (struct harness_triage_bucket){
        .name = entry->bucket, .key = entry->key, .kind = entry->kind, .count = 1, .smallest = entry
    };
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
    cJSON *const index = read_index(options);
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < count && status == HARNESS_OK; i++) {
        status = fill_entry(&out->entries[i], paths[i], index, options, error);
        out->count++; /* also a half-filled one: harness_triage_free frees it */
        out->run += out->entries[i].fresh;
    }
    cJSON_Delete(index);
    if (status == HARNESS_OK && options->index_path != NULL && out->run != 0)
        status = write_index(options, out, error);
    for (size_t i = 0; i < out->count && status == HARNESS_OK; i++)
        add_to_bucket(out, &out->entries[i]);
    qsort(out->buckets, out->bucket_count, sizeof *out->buckets, by_count);
    return status;
}

void harness_triage_free(struct harness_triage *triage)
{
    for (size_t i = 0; triage->entries != NULL && i < triage->count; i++) {
        free(triage->entries[i].path);
        free(triage->entries[i].key);
    }
    free(triage->entries);
    free(triage->buckets);
    memset(triage, 0, sizeof *triage);
}
