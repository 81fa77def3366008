#include "harness/hunt/state.h"

#include "harness/quirks/force.h"
#include "pica/regs.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest value of a counter, so that the products of counters with small factors stay below 2^64. */
static const uint64_t LARGEST = (uint64_t)1 << 53;

enum {
    VERSION = 2,
    FIELD_NAME = 96,
    COUNTERS = sizeof(struct harness_pair_statistics) / sizeof(uint64_t)
};

/* --------------------------------------------------------------------------------------------------------- writing */

/* Written as a string, because JSON numbers are exact only up to 2^53. */
static bool add_number(cJSON *object, const char *name, uint64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    return cJSON_AddStringToObject(object, name, text) != NULL;
}

static cJSON *add_object(cJSON *array)
{
    cJSON *const object = cJSON_CreateObject();
    if (object != NULL && !cJSON_AddItemToArray(array, object)) {
        cJSON_Delete(object);
        return NULL;
    }
    return object;
}

static bool add_texts(cJSON *object, const char *kind, const char *key)
{
    return object != NULL && cJSON_AddStringToObject(object, "kind", kind) != NULL &&
           cJSON_AddStringToObject(object, "key", key) != NULL;
}

static bool add_lists(cJSON *root, const struct hunt_state *state)
{
    cJSON *const keys = cJSON_AddArrayToObject(root, "keys"), *const waiting = cJSON_AddArrayToObject(root, "waiting");
    bool good = keys != NULL && waiting != NULL;
    for (uint32_t i = 0; i < state->key_count && good; i++) {
        const struct hunt_key *const key = &state->keys[i];
        cJSON *const object = add_object(keys);
        good = add_texts(object, key->kind, key->key) && add_number(object, "seen", key->seen) &&
               add_number(object, "next", key->next) && add_number(object, "epoch", key->epoch);
    }
    for (uint32_t i = 0; i < state->waiting_count && good; i++) {
        const struct hunt_waiting *const what = &state->waiting[i];
        cJSON *const object = add_object(waiting);
        good =
            add_texts(object, what->kind, what->key) && cJSON_AddStringToObject(object, "name", what->name) != NULL &&
            cJSON_AddStringToObject(object, "title", what->title) != NULL && add_number(object, "bytes", what->bytes);
    }
    return good;
}

static bool add_needs(cJSON *object, const struct harness_peel_cause *cause)
{
    cJSON *const needs = cJSON_AddArrayToObject(object, "needs");
    bool good = needs != NULL;
    for (uint32_t i = 0; i < cause->count && good; i++) {
        const struct harness_peel_need *const need = &cause->needs[i];
        cJSON *const item = add_object(needs);
        char name[FIELD_NAME];
        (void)snprintf(name, sizeof name, "%s.%s", pica_layout_info(need->field->layout)->name, need->field->name);
        good = item != NULL && cJSON_AddStringToObject(item, "field", name) != NULL &&
               add_number(item, "low", need->values[0]) && add_number(item, "high", need->values[1]) &&
               add_number(item, "usual", need->usual);
    }
    return good;
}

static bool add_causes(cJSON *root, const struct hunt_state *state)
{
    cJSON *const causes = cJSON_AddArrayToObject(root, "causes");
    bool good = causes != NULL;
    for (uint32_t i = 0; i < state->peel.count && good; i++) {
        const struct harness_peel_cause *const cause = &state->peel.causes[i];
        cJSON *const object = add_object(causes);
        good = object != NULL && cJSON_AddStringToObject(object, "bucket", cause->bucket) != NULL &&
               cJSON_AddBoolToObject(object, "dies", cause->dies) != NULL &&
               cJSON_AddStringToObject(object, "sign", cause->sign) != NULL &&
               add_number(object, "seen", cause->seen) && add_number(object, "taught", state->taught[i]) &&
               add_needs(object, cause);
    }
    return good;
}

static bool add_statistics(cJSON *root, const struct harness_pair_statistics *statistics)
{
    uint64_t counters[COUNTERS];
    cJSON *const array = cJSON_AddArrayToObject(root, "statistics");
    memcpy(counters, statistics, sizeof counters);
    bool good = array != NULL;
    for (size_t i = 0; i < COUNTERS && good; i++)
        good = cJSON_AddItemToArray(array, cJSON_CreateNumber((double)counters[i]));
    return good;
}

char *hunt_state_print(const struct hunt_state *state)
{
    cJSON *const root = cJSON_CreateObject();
    const bool good = root != NULL && cJSON_AddNumberToObject(root, "picafuzz-hunt", VERSION) != NULL &&
                      cJSON_AddStringToObject(root, "identity", state->identity) != NULL &&
                      cJSON_AddStringToObject(root, "options", state->again) != NULL &&
                      cJSON_AddStringToObject(root, "directory", state->started_in) != NULL &&
                      add_number(root, "first", state->first) && add_number(root, "blocks", state->next) &&
                      add_number(root, "begun", state->begun) && add_number(root, "filed", state->filed) &&
                      add_number(root, "chosen", state->chosen) &&
                      cJSON_AddStringToObject(root, "done", state->done) != NULL &&
                      add_statistics(root, &state->statistics) && add_causes(root, state) && add_lists(root, state);
    char *const text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}

/* --------------------------------------------------------------------------------------------------------- reading */

static const char *text_of(const cJSON *object, const char *name)
{
    const char *const text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text != NULL ? text : "";
}

static bool take_number(const cJSON *object, const char *name, uint64_t *out)
{
    const char *const text = text_of(object, name);
    char *end = NULL;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static bool take_text(const cJSON *object, const char *name, char *out, size_t size)
{
    const char *const text = text_of(object, name);
    (void)snprintf(out, size, "%s", text);
    return strlen(text) < size && cJSON_IsString(cJSON_GetObjectItemCaseSensitive(object, name));
}

bool hunt_is_name(const char *name, size_t length)
{
    const size_t prefix = strncmp(name, "seed-", 5) == 0 ? 5 : strncmp(name, "input-", 6) == 0 ? 6 : length;
    return prefix < length && length < HARNESS_HUNT_NAME && prefix + strspn(name + prefix, "0123456789") == length;
}

static bool take_lists(const cJSON *root, struct hunt_state *out)
{
    const cJSON *const keys = cJSON_GetObjectItemCaseSensitive(root, "keys");
    const cJSON *const waiting = cJSON_GetObjectItemCaseSensitive(root, "waiting");
    const cJSON *item = NULL;
    if (!cJSON_IsArray(keys) || !cJSON_IsArray(waiting))
        return false;
    cJSON_ArrayForEach(item, keys)
    {
        struct hunt_key *const key = &out->keys[out->key_count];
        if (out->key_count == HUNT_MOST_KEYS || !take_text(item, "kind", key->kind, sizeof key->kind) ||
            !take_text(item, "key", key->key, sizeof key->key) || !take_number(item, "seen", &key->seen) ||
            !take_number(item, "next", &key->next) || !take_number(item, "epoch", &key->epoch) || key->next == 0 ||
            key->next > LARGEST || key->seen > LARGEST)
            return false;
        out->key_count++;
    }
    cJSON_ArrayForEach(item, waiting)
    {
        struct hunt_waiting *const what = &out->waiting[out->waiting_count];
        if (out->waiting_count == HUNT_MOST_WAITING || !take_text(item, "name", what->name, sizeof what->name) ||
            !take_text(item, "kind", what->kind, sizeof what->kind) ||
            !take_text(item, "key", what->key, sizeof what->key) ||
            !take_text(item, "title", what->title, sizeof what->title) || !take_number(item, "bytes", &what->bytes) ||
            !hunt_is_name(what->name, strlen(what->name)))
            return false;
        out->waiting_count++;
    }
    return true;
}

static bool take_need(const cJSON *item, struct harness_peel_need *out)
{
    char name[FIELD_NAME];
    struct harness_error unknown = { "" };
    uint32_t slot = 0;
    uint64_t usual = 0;
    if (!take_text(item, "field", name, sizeof name) || !take_number(item, "low", &out->values[0]) ||
        !take_number(item, "high", &out->values[1]) || !take_number(item, "usual", &usual) ||
        harness_force_field(name, &out->field, &slot, &unknown) != HARNESS_OK || slot != HARNESS_SLOTS)
        return false;
    out->usual = (uint32_t)usual;
    return out->field->width <= 7 && usual >> out->field->width == 0 && (out->values[0] | out->values[1]) != 0 &&
           (out->values[usual / 64] >> (usual % 64) & 1u) == 0;
}

static bool take_cause(const cJSON *item, struct harness_peel_cause *out, uint32_t *taught)
{
    const cJSON *const dies = cJSON_GetObjectItemCaseSensitive(item, "dies"), *need = NULL;
    const cJSON *const needs = cJSON_GetObjectItemCaseSensitive(item, "needs");
    uint64_t findings = 0;
    if (!take_text(item, "bucket", out->bucket, sizeof out->bucket) || !cJSON_IsBool(dies) || !cJSON_IsArray(needs) ||
        !take_text(item, "sign", out->sign, sizeof out->sign) || !take_number(item, "seen", &out->seen) ||
        !take_number(item, "taught", &findings) || findings > UINT32_MAX || out->seen > LARGEST)
        return false;
    out->dies = cJSON_IsTrue(dies) != 0;
    *taught = (uint32_t)findings;
    cJSON_ArrayForEach(need, needs)
    {
        if (out->count == HARNESS_PEEL_MOST_NEEDS || !take_need(need, &out->needs[out->count]))
            return false;
        out->count++;
    }
    return true;
}

static bool take_causes(const cJSON *root, struct hunt_state *out)
{
    const cJSON *const causes = cJSON_GetObjectItemCaseSensitive(root, "causes"), *item = NULL;
    cJSON_ArrayForEach(item, causes)
    {
        if (out->peel.count == HARNESS_PEEL_MOST ||
            !take_cause(item, &out->peel.causes[out->peel.count], &out->taught[out->peel.count]))
            return false;
        out->peel.count++;
    }
    return cJSON_IsArray(causes);
}

static bool take_statistics(const cJSON *root, struct harness_pair_statistics *out)
{
    const cJSON *const array = cJSON_GetObjectItemCaseSensitive(root, "statistics"), *item = NULL;
    uint64_t counters[COUNTERS] = { 0 };
    size_t count = 0;
    cJSON_ArrayForEach(item, array)
    {
        if (count == COUNTERS || !cJSON_IsNumber(item) || !(item->valuedouble >= 0.0 && item->valuedouble < 0x1p53))
            return false;
        counters[count++] = (uint64_t)item->valuedouble;
    }
    memcpy(out, counters, sizeof counters);
    return cJSON_IsArray(array);
}

static bool take(const cJSON *root, struct hunt_state *out)
{
    uint64_t begun = 0, chosen = 0;
    const bool good = take_text(root, "identity", out->identity, sizeof out->identity) &&
                      take_number(root, "first", &out->first) && take_number(root, "blocks", &out->next) &&
                      take_number(root, "begun", &begun) && take_statistics(root, &out->statistics) &&
                      take_causes(root, out) && take_lists(root, out);
    if (cJSON_HasObjectItem(root, "options") && !take_text(root, "options", out->again, sizeof out->again))
        return false;
    if (cJSON_HasObjectItem(root, "directory") &&
        !take_text(root, "directory", out->started_in, sizeof out->started_in))
        return false;
    if (cJSON_HasObjectItem(root, "done") && (!take_text(root, "done", out->done, sizeof out->done) ||
                                              (out->done[0] != '\0' && !hunt_is_name(out->done, strlen(out->done)))))
        return false;
    out->begun = (uint32_t)begun;
    if (!good || !take_number(root, "chosen", &chosen) || chosen > out->waiting_count)
        return false;
    out->chosen = (uint32_t)chosen;
    return good && take_number(root, "filed", &out->filed) && begun < HARNESS_HUNT_BLOCK &&
           out->next <= LARGEST / HARNESS_HUNT_BLOCK;
}

enum harness_status hunt_state_parse(const char *bytes, size_t size, struct hunt_state *out,
                                     struct harness_error *error)
{
    cJSON *const root = cJSON_ParseWithLength(bytes, size);
    const cJSON *const version = cJSON_GetObjectItemCaseSensitive(root, "picafuzz-hunt");
    enum harness_status status = HARNESS_OK;
    memset(out, 0, sizeof *out);
    if (!cJSON_IsObject(root))
        status = harness_fail(error, HARNESS_BAD_INPUT, "is damaged: no JSON object");
    else if (!cJSON_IsNumber(version) || version->valueint != VERSION)
        status = harness_fail(error, HARNESS_BAD_INPUT, "is no state of a hunt, version %d", VERSION);
    else if (!take(root, out))
        status = harness_fail(error, HARNESS_BAD_INPUT, "is damaged: a field is missing, or out of its range");
    cJSON_Delete(root);
    return status;
}
