#include "bench/guard.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FILE = 1 << 20
};

static const char *const sets[BENCH_GUARD_SETS] = { "scalar", "avx2", "avx512", "neon" };

const char *bench_guard_set(size_t index)
{
    return sets[index];
}

enum bench_guard_verdict bench_guard_judge(double measured, double recorded, const struct bench_guard_limits *limits)
{
    if (!(measured > 0.0) || !(recorded > 0.0))
        return BENCH_GUARD_UNKNOWN;
    const double change = (measured / recorded - 1.0) * 100.0;
    if (change < -limits->fail)
        return BENCH_GUARD_FAILURE;
    if (change < -limits->warn)
        return BENCH_GUARD_WARNING;
    return change > limits->warn ? BENCH_GUARD_FASTER : BENCH_GUARD_FINE;
}

/* The value of a line "key : value"; NULL if the line has another key. */
static const char *value_of(const char *line, const char *key)
{
    const size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    const char *const colon = line + length + strspn(line + length, " \t");
    return *colon == ':' ? colon + 1 + strspn(colon + 1, " \t") : NULL;
}

/* Appends the value of the first line with that key. */
static void append_value(const char *cpuinfo, const char *key, char *out, size_t size)
{
    for (const char *line = cpuinfo; *line != '\0';) {
        const char *const value = value_of(line, key);
        const size_t used = strlen(out);
        if (value != NULL) {
            (void)snprintf(out + used, size - used, "%s%.*s", used != 0 ? " " : "", (int)strcspn(value, "\n"), value);
            return;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

void bench_guard_processor(const char *cpuinfo, char *out, size_t size)
{
    static const char *const keys[] = { "vendor_id", "cpu family", "model", "CPU implementer", "CPU part" };
    out[0] = '\0';
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        append_value(cpuinfo, keys[i], out, size);
    if (out[0] == '\0')
        (void)snprintf(out, size, "unknown");
}

/* ------------------------------------------------------------------------------------------------------- the file */

static bool fail(struct bench_guard_error *error, const char *path, const char *why)
{
    (void)snprintf(error->message, sizeof error->message, "%.400s: %s", path, why);
    return false;
}

static cJSON *read_file(const char *path, struct bench_guard_error *error)
{
    FILE *const file = fopen(path, "rb");
    char *const text = malloc(MOST_FILE + 1);
    cJSON *root = NULL;
    if (file == NULL || text == NULL) {
        (void)fail(error, path, file == NULL ? "cannot be opened" : "out of memory");
    } else {
        text[fread(text, 1, MOST_FILE, file)] = '\0';
        root = cJSON_Parse(text);
        if (root == NULL)
            (void)fail(error, path, "is not JSON");
    }
    if (file != NULL)
        (void)fclose(file);
    free(text);
    return root;
}

static bool read_limits(const cJSON *root, struct bench_guard_limits *limits)
{
    const cJSON *const warn = cJSON_GetObjectItemCaseSensitive(root, "warn_percent");
    const cJSON *const failure = cJSON_GetObjectItemCaseSensitive(root, "fail_percent");
    if (!cJSON_IsNumber(warn) || !cJSON_IsNumber(failure))
        return false;
    *limits = (struct bench_guard_limits){ .warn = warn->valuedouble, .fail = failure->valuedouble };
    return limits->warn > 0.0 && limits->fail >= limits->warn;
}

static void read_ratios(const cJSON *processor, struct bench_ratios *ratios)
{
    for (int scene = 0; scene < BENCH_SCENES; scene++) {
        const char *const name = bench_scene_plan((enum bench_scene)scene)->name;
        const cJSON *const line = cJSON_GetObjectItemCaseSensitive(processor, name);
        for (size_t set = 0; set < BENCH_GUARD_SETS; set++) {
            const cJSON *const ratio = cJSON_GetObjectItemCaseSensitive(line, sets[set]);
            ratios->of[scene][set] = cJSON_IsNumber(ratio) ? ratio->valuedouble : 0.0;
        }
    }
}

bool bench_guard_load(const char *path, const char *processor, struct bench_guard_limits *limits,
                      struct bench_ratios *ratios, bool *is_known, struct bench_guard_error *error)
{
    cJSON *const root = read_file(path, error);
    if (root == NULL)
        return false;
    const cJSON *const processors = cJSON_GetObjectItemCaseSensitive(root, "processors");
    const cJSON *const own = cJSON_GetObjectItemCaseSensitive(processors, processor);
    const bool good = read_limits(root, limits) && cJSON_IsObject(processors);
    *is_known = cJSON_IsObject(own);
    if (good)
        read_ratios(*is_known ? own : processors->child, ratios);
    cJSON_Delete(root);
    return good || fail(error, path, "has no warn_percent, fail_percent and processors");
}

/* Three digits: more would be noise. */
static bool put_ratio(cJSON *line, const char *set, double ratio)
{
    const double unit = pow(10.0, floor(log10(ratio)) - 2.0);
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g", floor(ratio / unit + 0.5) * unit);
    cJSON_DeleteItemFromObjectCaseSensitive(line, set);
    return cJSON_AddRawToObject(line, set, text) != NULL;
}

static cJSON *get_object(cJSON *parent, const char *name)
{
    cJSON *const child = cJSON_GetObjectItemCaseSensitive(parent, name);
    return child != NULL ? child : cJSON_AddObjectToObject(parent, name);
}

static bool put_ratios(cJSON *processor, const struct bench_ratios *ratios)
{
    bool good = processor != NULL;
    for (int scene = 0; scene < BENCH_SCENES; scene++)
        for (size_t set = 0; set < BENCH_GUARD_SETS && good; set++)
            if (ratios->of[scene][set] > 0.0)
                good = put_ratio(get_object(processor, bench_scene_plan((enum bench_scene)scene)->name), sets[set],
                                 ratios->of[scene][set]);
    return good;
}

/* cJSON indents with tabs and puts one after colons; .editorconfig asks for blanks. */
static bool write_text(FILE *file, const char *text)
{
    bool good = true;
    for (const char *at = text; *at != '\0'; at++) {
        const bool is_separator = at > text && at[-1] == ':';
        const char one[2] = { *at, '\0' };
        good = good && fputs(*at != '\t' ? one : is_separator ? " " : "  ", file) >= 0;
    }
    return good && fputc('\n', file) != EOF;
}

bool bench_guard_record(const char *path, const char *processor, const struct bench_ratios *ratios,
                        struct bench_guard_error *error)
{
    cJSON *const root = read_file(path, error);
    if (root == NULL)
        return false;
    char *const text =
        put_ratios(get_object(get_object(root, "processors"), processor), ratios) ? cJSON_Print(root) : NULL;
    FILE *const file = text != NULL ? fopen(path, "wb") : NULL;
    bool good = file != NULL && write_text(file, text);
    if (file != NULL && fclose(file) != 0)
        good = false;
    cJSON_free(text);
    cJSON_Delete(root);
    return good || fail(error, path, "cannot be written");
}
