#include "harness/pulse/totals.h"

#include "harness/case/text.h"
#include "harness/grammar/mutate.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "picafuzz stats";

/* ----------------------------------------------------------------------------------------------------------- adding */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct harness_pulse_total *find(struct harness_pulse_totals *totals, const char *name)
{
    for (size_t i = 0; i < totals->count; i++)
        if (strcmp(totals->instances[i].name, name) == 0)
            return &totals->instances[i];
    if (totals->count == HARNESS_PULSE_INSTANCES)
        return NULL;
    struct harness_pulse_total *const added = &totals->instances[totals->count++];
    (void)snprintf(added->name, sizeof added->name, "%s", name);
    return added;
}

static void add_instance(struct harness_pulse_totals *now, const struct harness_pulse_instance *instance)
{
    struct harness_pulse_total *const total = find(now, instance->name);
    if (total == NULL)
        return;
    (void)snprintf(total->engine, sizeof total->engine, "%s", instance->engine);
    (void)snprintf(total->target, sizeof total->target, "%s", instance->target);
    (void)snprintf(total->trouble, sizeof total->trouble, "%s", instance->trouble != NULL ? instance->trouble : "");
    total->running = instance->running;
    total->takes_part = true;
    total->seconds += instance->seconds;
    total->executions += instance->executions;
    total->findings += instance->findings;
    total->edges = larger(total->edges, instance->edges);
    total->features = larger(total->features, instance->features);
    total->corpus = instance->corpus != 0 ? instance->corpus : total->corpus;
    now->executions += instance->executions;
    if (instance->statistics == NULL)
        return;
    now->mutations += instance->statistics->mutations;
    now->crossovers += instance->statistics->crossovers;
    now->trims += instance->statistics->trims;
    now->generated += instance->statistics->generated;
    for (size_t i = 0; i < HARNESS_PAIR_CHANGES; i++)
        now->changes[i] += instance->statistics->changes[i];
}

/* Builds and engines count differently: the first instance that has any speaks for all. */
static void take_edges(struct harness_pulse_totals *now, const struct harness_pulse_sample *sample)
{
    for (size_t i = 0; i < sample->count; i++) {
        const struct harness_pulse_total *const first = find(now, sample->instances[i].name);
        if (first == NULL || first->edges == 0)
            continue;
        now->edges = first->edges;
        now->features = first->features;
        return;
    }
}

void harness_totals_add(const struct harness_pulse_totals *before, const struct harness_pulse_sample *sample,
                        struct harness_pulse_totals *now)
{
    *now = *before;
    for (size_t i = 0; i < now->count; i++) {
        now->instances[i].running = now->instances[i].takes_part = false; /* unless the sample says so */
        now->instances[i].trouble[0] = '\0';
    }
    now->corpus = sample->inputs;
    now->seconds += sample->elapsed;
    now->findings += sample->findings;
    now->duplicates += sample->duplicates;
    now->waiting = sample->waiting;
    for (size_t i = 0; i < sample->count; i++)
        add_instance(now, &sample->instances[i]);
    take_edges(now, sample);
}

/* --------------------------------------------------------------------------------------------------------- printing */

static void put(cJSON *object, const char *name, uint64_t value)
{
    (void)cJSON_AddNumberToObject(object, name, (double)value);
}

static void put_piece(cJSON *object, const char *name, const struct harness_pace_piece *piece)
{
    cJSON *const pair = cJSON_AddObjectToObject(object, name);
    (void)cJSON_AddNumberToObject(pair, "seconds", piece->seconds);
    put(pair, "executions", piece->executions);
}

static cJSON *print_instance(const struct harness_pulse_total *total)
{
    cJSON *const object = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(object, "name", total->name);
    (void)cJSON_AddStringToObject(object, "engine", total->engine);
    (void)cJSON_AddStringToObject(object, "target", total->target);
    (void)cJSON_AddBoolToObject(object, "running", total->running);
    (void)cJSON_AddStringToObject(object, "trouble", total->trouble);
    (void)cJSON_AddNumberToObject(object, "seconds", total->seconds);
    put(object, "executions", total->executions);
    put(object, "findings", total->findings);
    put(object, "edges", total->edges);
    put(object, "features", total->features);
    put(object, "corpus", total->corpus);
    put_piece(object, "first", &total->pace.first);
    put_piece(object, "last", &total->pace.last);
    put_piece(object, "begun", &total->pace.begun);
    return object;
}

static cJSON *print_survey(const struct harness_survey_result *survey)
{
    cJSON *const object = cJSON_CreateObject();
    put(object, "inputs", survey->inputs);
    put(object, "bytes", survey->bytes);
    (void)cJSON_AddNumberToObject(object, "median_bytes", survey->median_bytes);
    (void)cJSON_AddNumberToObject(object, "median_us", survey->median_us);
    (void)cJSON_AddNumberToObject(object, "vacuous", survey->vacuous);
    put(object, "semantic", survey->semantic);
    put(object, "semantic_total", survey->semantic_total);
    cJSON *const slowest = cJSON_AddArrayToObject(object, "slowest");
    for (size_t i = 0; i < survey->slow_count; i++) {
        cJSON *const slow = cJSON_CreateObject();
        (void)cJSON_AddStringToObject(slow, "name", survey->slowest[i].name);
        (void)cJSON_AddNumberToObject(slow, "us", survey->slowest[i].us);
        put(slow, "bytes", survey->slowest[i].bytes);
        (void)cJSON_AddItemToArray(slowest, slow);
    }
    return object;
}

/* Whole numbers of the head, in the order of the file. */
struct number {
    const char *name;
    size_t offset;
};

#define NUMBER(field)                                        \
    {                                                        \
#field, offsetof(struct harness_pulse_totals, field) \
    }
static const struct number numbers[] = { NUMBER(began),       NUMBER(written),    NUMBER(starts),    NUMBER(executions),
                                         NUMBER(findings),    NUMBER(duplicates), NUMBER(waiting),   NUMBER(edges),
                                         NUMBER(features),    NUMBER(corpus),     NUMBER(mutations), NUMBER(crossovers),
                                         NUMBER(trims),       NUMBER(generated),  NUMBER(disk_free), NUMBER(disk_size),
                                         NUMBER(memory_free), NUMBER(memory_size) };
#undef NUMBER

enum {
    NUMBERS = sizeof numbers / sizeof numbers[0]
};

char *harness_totals_print(const struct harness_pulse_totals *totals)
{
    cJSON *const object = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(object, "format", format_name);
    put(object, "version", HARNESS_STATS_VERSION);
    (void)cJSON_AddStringToObject(object, "line", totals->line);
    (void)cJSON_AddNumberToObject(object, "seconds", totals->seconds);
    for (size_t i = 0; i < NUMBERS; i++) {
        uint64_t value = 0;
        memcpy(&value, (const char *)totals + numbers[i].offset, sizeof value);
        put(object, numbers[i].name, value);
    }
    (void)cJSON_AddItemToObject(object, "survey", print_survey(&totals->survey));
    cJSON *const changes = cJSON_AddObjectToObject(object, "changes");
    for (uint32_t i = 0; i < harness_mutation_kinds(); i++)
        put(changes, harness_mutation_kind_name(i), totals->changes[i]);
    cJSON *const instances = cJSON_AddArrayToObject(object, "instances");
    for (size_t i = 0; i < totals->count; i++)
        (void)cJSON_AddItemToArray(instances, print_instance(&totals->instances[i]));
    char *const text = cJSON_Print(object);
    cJSON_Delete(object);
    if (text != NULL) /* file names, and what programs said, cut somewhere */
        harness_make_utf8(text);
    return text;
}

/* ---------------------------------------------------------------------------------------------------------- parsing */

/* A number from 0 to 2^53, of what cJSON keeps as a double. */
static bool get_number(const cJSON *object, const char *name, double *out, struct harness_error *error)
{
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble >= 0.0 &&
        item->valuedouble <= 9007199254740992.0) {
        *out = item->valuedouble;
        return true;
    }
    (void)harness_fail(error, HARNESS_BAD_INPUT, "%s: expected a number that is not negative", name);
    return false;
}

static bool get_whole(const cJSON *object, const char *name, uint64_t *out, struct harness_error *error)
{
    double value = 0.0;
    if (!get_number(object, name, &value, error))
        return false;
    *out = (uint64_t)value;
    return true;
}

static bool get_text(const cJSON *object, const char *name, char *out, size_t size, struct harness_error *error)
{
    const cJSON *const item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (cJSON_IsString(item) && strlen(item->valuestring) < size) {
        (void)snprintf(out, size, "%s", item->valuestring);
        return true;
    }
    (void)harness_fail(error, HARNESS_BAD_INPUT, "%s: expected a text of less than %zu bytes", name, size);
    return false;
}

static bool get_piece(const cJSON *object, const char *name, struct harness_pace_piece *out,
                      struct harness_error *error)
{
    const cJSON *const pair = cJSON_GetObjectItemCaseSensitive(object, name);
    if (get_number(pair, "seconds", &out->seconds, error) && get_whole(pair, "executions", &out->executions, error))
        return true;
    harness_error_prefix(error, name);
    return false;
}

/* Version 1 does not have it: the instance's hour begins now. */
static bool parse_pace(const cJSON *object, uint64_t version, struct harness_pulse_total *out,
                       struct harness_error *error)
{
    struct harness_pace *const pace = &out->pace;
    pace->begun = (struct harness_pace_piece){ out->seconds, out->executions };
    return version < 2 ||
           (get_piece(object, "first", &pace->first, error) && get_piece(object, "last", &pace->last, error) &&
            get_piece(object, "begun", &pace->begun, error));
}

static bool parse_instance(const cJSON *object, uint64_t version, struct harness_pulse_total *out,
                           struct harness_error *error)
{
    return get_text(object, "name", out->name, sizeof out->name, error) &&
           get_text(object, "engine", out->engine, sizeof out->engine, error) &&
           get_text(object, "target", out->target, sizeof out->target, error) &&
           get_text(object, "trouble", out->trouble, sizeof out->trouble, error) &&
           get_number(object, "seconds", &out->seconds, error) &&
           get_whole(object, "executions", &out->executions, error) &&
           get_whole(object, "findings", &out->findings, error) && get_whole(object, "edges", &out->edges, error) &&
           get_whole(object, "features", &out->features, error) && get_whole(object, "corpus", &out->corpus, error) &&
           parse_pace(object, version, out, error);
}

static bool parse_instances(const cJSON *object, uint64_t version, struct harness_pulse_totals *out,
                            struct harness_error *error)
{
    const cJSON *const instances = cJSON_GetObjectItemCaseSensitive(object, "instances"), *item = NULL;
    const int count = cJSON_IsArray(instances) ? cJSON_GetArraySize(instances) : -1;
    if (count < 0 || count > HARNESS_PULSE_INSTANCES) {
        (void)harness_fail(error, HARNESS_BAD_INPUT, "instances: expected an array of at most %d",
                           HARNESS_PULSE_INSTANCES);
        return false;
    }
    cJSON_ArrayForEach(item, instances)
    {
        char place[64];
        if (!parse_instance(item, version, &out->instances[out->count], error)) {
            harness_error_prefix(error, harness_place(place, sizeof place, "instance", (unsigned)out->count));
            return false;
        }
        out->count++;
    }
    return true;
}

/* By name: another version of the grammar has other kinds, which begin anew. */
static bool parse_changes(const cJSON *object, struct harness_pulse_totals *out, struct harness_error *error)
{
    const cJSON *const changes = cJSON_GetObjectItemCaseSensitive(object, "changes");
    if (!cJSON_IsObject(changes)) {
        (void)harness_fail(error, HARNESS_BAD_INPUT, "changes: expected an object");
        return false;
    }
    for (uint32_t i = 0; i < harness_mutation_kinds(); i++) {
        const char *const name = harness_mutation_kind_name(i);
        if (cJSON_GetObjectItemCaseSensitive(changes, name) != NULL &&
            !get_whole(changes, name, &out->changes[i], error))
            return false;
    }
    return true;
}

static bool parse_head(const cJSON *object, uint64_t *version, struct harness_pulse_totals *out,
                       struct harness_error *error)
{
    const cJSON *const format = cJSON_GetObjectItemCaseSensitive(object, "format");
    if (!cJSON_IsString(format) || strcmp(format->valuestring, format_name) != 0) {
        (void)harness_fail(error, HARNESS_BAD_INPUT, "format: expected \"%s\"", format_name);
        return false;
    }
    if (!get_whole(object, "version", version, error))
        return false;
    if (*version < HARNESS_STATS_OLDEST || *version > HARNESS_STATS_VERSION) {
        (void)harness_fail(error, HARNESS_BAD_INPUT, "version: expected %d to %d, found %llu", HARNESS_STATS_OLDEST,
                           HARNESS_STATS_VERSION, (unsigned long long)*version);
        return false;
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        uint64_t value = 0;
        if (!get_whole(object, numbers[i].name, &value, error))
            return false;
        memcpy((char *)out + numbers[i].offset, &value, sizeof value);
    }
    return get_number(object, "seconds", &out->seconds, error);
}

/* The line and the survey are made anew; only counts go on. */
enum harness_status harness_totals_parse(const char *bytes, size_t size, struct harness_pulse_totals *out,
                                         struct harness_error *error)
{
    uint64_t version = 0;
    memset(out, 0, sizeof *out);
    cJSON *const object = cJSON_ParseWithLength(bytes, size);
    if (object == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "expected JSON");
    const bool good = parse_head(object, &version, out, error) && parse_changes(object, out, error) &&
                      parse_instances(object, version, out, error);
    cJSON_Delete(object);
    return good ? HARNESS_OK : HARNESS_BAD_INPUT;
}
