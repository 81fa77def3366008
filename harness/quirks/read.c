#include "harness/quirks/quirks.h"

#include "harness/case/formats.h"
#include "harness/cli/options.h"

#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What every function of the reader needs. */
struct reading {
    struct harness_quirks *quirks;
    const char *name; /* of the file, in messages */
    struct harness_error *error;
};

static enum harness_status expected(const struct reading *reading, const config_setting_t *at, const char *what,
                                    const char *found)
{
    return harness_fail(reading->error, HARNESS_BAD_INPUT, "%s:%u: expected %s, found %s", reading->name,
                        (unsigned)config_setting_source_line(at), what, found);
}

static const char *type_text(const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP: return "a group";
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64: return "a number";
    case CONFIG_TYPE_FLOAT: return "a decimal number";
    case CONFIG_TYPE_STRING: return "a text";
    case CONFIG_TYPE_BOOL: return "true or false";
    case CONFIG_TYPE_ARRAY: return "an array";
    case CONFIG_TYPE_LIST: return "a list";
    default: return "nothing";
    }
}

static enum harness_status unknown_name(const struct reading *reading, const config_setting_t *at, const char *what,
                                        const char *found, const char *const *names, size_t count)
{
    char text[80];
    (void)snprintf(text, sizeof text, "'%.60s'", found);
    const enum harness_status status = expected(reading, at, what, text);
    harness_error_suggest(reading->error, cli_nearest(found, names, count));
    return status;
}

/* Puts the place in front of a message that another function wrote, if there is one. Returns the status. */
static enum harness_status at_place(const struct reading *reading, const config_setting_t *at,
                                    enum harness_status status)
{
    char place[300];
    (void)snprintf(place, sizeof place, "%.230s:%u", reading->name, (unsigned)config_setting_source_line(at));
    if (status != HARNESS_OK)
        harness_error_prefix(reading->error, place);
    return status;
}

static enum harness_status take_number(const struct reading *reading, const config_setting_t *setting, uint32_t most,
                                       uint32_t *out)
{
    char what[64];
    const long long value = config_setting_is_number(setting) ? config_setting_get_int64(setting) : -1;
    const int type = config_setting_type(setting);
    (void)snprintf(what, sizeof what, "a number from 0 to %u", (unsigned)most);
    if (type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64)
        return expected(reading, setting, what, type_text(setting));
    if (value < 0 || value > most)
        return expected(reading, setting, what, "another one");
    *out = (uint32_t)value;
    return HARNESS_OK;
}

static enum harness_status take_string(const struct reading *reading, const config_setting_t *setting, const char **out)
{
    *out = config_setting_get_string(setting);
    return *out != NULL ? HARNESS_OK : expected(reading, setting, "a text", type_text(setting));
}

static config_setting_t *element(const config_setting_t *setting, int index)
{
    return config_setting_get_elem(setting, (unsigned)index);
}

/* --------------------------------------------------------------------------------------------------------- sections */

static enum harness_status read_version(const struct reading *reading, const config_setting_t *setting)
{
    uint32_t version = 0;
    const enum harness_status status = take_number(reading, setting, INT32_MAX, &version);
    if (status == HARNESS_OK && version != HARNESS_QUIRKS_VERSION)
        return expected(reading, setting, "version = 1", "another version");
    return status;
}

static enum harness_status unknown_choice(const struct reading *reading, const config_setting_t *setting)
{
    const char *names[PICA_CHOICES];
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        names[i] = pica_choice_info(i)->name;
    return unknown_name(reading, setting, "a choice of pica/splits.def", config_setting_name(setting), names,
                        PICA_CHOICES);
}

static enum harness_status unknown_side(const struct reading *reading, const config_setting_t *setting, uint32_t choice,
                                        const char *found)
{
    char what[200] = "one of";
    const char *names[PICA_MOST_SIDES];
    const uint32_t count = pica_side_count(choice);
    for (uint32_t i = 0; i < count; i++) {
        const size_t length = strlen(what);
        names[i] = pica_side_info(choice, i)->word;
        (void)snprintf(what + length, sizeof what - length, "%s%s", i == 0 ? " " : ", ", names[i]);
    }
    return unknown_name(reading, setting, what, found, names, count);
}

static enum harness_status read_choices(const struct reading *reading, const config_setting_t *setting)
{
    if (!config_setting_is_group(setting))
        return expected(reading, setting, "choices = { NAME = \"side\"; }", type_text(setting));
    reading->quirks->has_choices = true;
    for (int i = 0; i < config_setting_length(setting); i++) {
        const config_setting_t *const one = element(setting, i);
        const struct pica_choice_info *const info = pica_choice_by_name(config_setting_name(one));
        const char *word = NULL;
        if (info == NULL)
            return unknown_choice(reading, one);
        const enum harness_status status = take_string(reading, one, &word);
        if (status != HARNESS_OK)
            return status;
        const struct pica_side_info *const side = pica_side_by_word((uint32_t)info->choice, word);
        if (side == NULL)
            return unknown_side(reading, one, (uint32_t)info->choice, word);
        reading->quirks->choices.sides[info->choice] = (uint8_t)side->number;
    }
    return HARNESS_OK;
}

/* Calls `add` for each text of a list or array. */
static enum harness_status read_texts(const struct reading *reading, const config_setting_t *setting, const char *what,
                                      enum harness_status (*add)(struct harness_quirks *quirks, const char *text,
                                                                 struct harness_error *error))
{
    enum harness_status status = HARNESS_OK;
    if (!config_setting_is_list(setting) && !config_setting_is_array(setting))
        return expected(reading, setting, what, type_text(setting));
    for (int i = 0; i < config_setting_length(setting) && status == HARNESS_OK; i++) {
        const config_setting_t *const one = element(setting, i);
        const char *text = NULL;
        status = take_string(reading, one, &text);
        if (status == HARNESS_OK)
            status = at_place(reading, one, add(reading->quirks, text, reading->error));
    }
    return status;
}

static enum harness_status add_force(struct harness_quirks *quirks, const char *text, struct harness_error *error)
{
    return harness_force_add(&quirks->force, text, error);
}

static enum harness_status add_without(struct harness_quirks *quirks, const char *text, struct harness_error *error)
{
    return harness_without_add(&quirks->without, text, error);
}

static enum harness_status read_force(const struct reading *reading, const config_setting_t *setting)
{
    return read_texts(reading, setting, "force = ( \"REGISTER.field = value\", ... )", add_force);
}

static enum harness_status read_without(const struct reading *reading, const config_setting_t *setting)
{
    return read_texts(reading, setting, "without = ( \"feature\", ... )", add_without);
}

/* "color" counts for the channels that have no line of their own. */
static void spread_color(const config_setting_t *setting, uint32_t color, struct oracle_tolerance *tolerance)
{
    static const char *const names[] = { "red", "green", "blue", "alpha" };
    for (size_t c = 0; c < 4; c++)
        if (config_setting_get_member(setting, names[c]) == NULL)
            tolerance->channels[c] = color;
}

static enum harness_status read_tolerance(const struct reading *reading, const config_setting_t *setting)
{
    struct oracle_tolerance *const tolerance = &reading->quirks->tolerance;
    uint32_t color = 0;
    const struct {
        const char *name;
        uint32_t *target;
        uint32_t most;
    } rows[] = {
        { "color", &color, 255 },
        { "red", &tolerance->channels[0], 255 },
        { "green", &tolerance->channels[1], 255 },
        { "blue", &tolerance->channels[2], 255 },
        { "alpha", &tolerance->channels[3], 255 },
        { "depth", &tolerance->depth, 0xFFFFFF },
        { "edge", &tolerance->edge, ORACLE_TOLERANCE_REACH },
        { "filter", &tolerance->filter, ORACLE_TOLERANCE_REACH },
        { "ulps", &tolerance->ulps, 0x7FFFFF },
    };
    enum {
        ROWS = sizeof rows / sizeof rows[0]
    };
    const char *names[ROWS];
    if (!config_setting_is_group(setting))
        return expected(reading, setting, "tolerance = { color = 2; ... }", type_text(setting));
    for (size_t i = 0; i < ROWS; i++)
        names[i] = rows[i].name;
    for (int i = 0; i < config_setting_length(setting); i++) {
        const config_setting_t *const one = element(setting, i);
        size_t row = 0;
        while (row < ROWS && strcmp(rows[row].name, config_setting_name(one)) != 0)
            row++;
        if (row == ROWS)
            return unknown_name(reading, one, "color, red, green, blue, alpha, depth, edge, filter or ulps",
                                config_setting_name(one), names, ROWS);
        const enum harness_status status = take_number(reading, one, rows[row].most, rows[row].target);
        if (status != HARNESS_OK)
            return status;
    }
    spread_color(setting, color, tolerance);
    return HARNESS_OK;
}

/* --------------------------------------------------------------------------------------------------------- baseline */

static enum harness_status take_expectation(const struct reading *reading, const config_setting_t *setting,
                                            enum harness_expectation *out)
{
    const char *names[4], *word = NULL;
    const enum harness_status status = take_string(reading, setting, &word);
    if (status != HARNESS_OK)
        return status;
    for (uint32_t i = 0; i < 4; i++) {
        names[i] = harness_expectation_name(i);
        if (strcmp(names[i], word) != 0)
            continue;
        *out = (enum harness_expectation)i;
        return HARNESS_OK;
    }
    return unknown_name(reading, setting, "fail, crash, flaky or skip", word, names, 4);
}

static enum harness_status take_copy(const struct reading *reading, const config_setting_t *setting, const char **out)
{
    const char *text = NULL;
    const enum harness_status status = take_string(reading, setting, &text);
    if (status != HARNESS_OK)
        return status;
    *out = strdup(text);
    return *out != NULL ? HARNESS_OK : harness_fail_memory(reading->error);
}

static enum harness_status take_member(const struct reading *reading, const config_setting_t *setting,
                                       struct harness_accepted *entry)
{
    static const char *const names[] = { "bucket", "case", "version", "expect", "note" };
    const char *const name = config_setting_name(setting);
    if (strcmp(name, "bucket") == 0)
        return take_copy(reading, setting, &entry->bucket);
    if (strcmp(name, "case") == 0)
        return take_copy(reading, setting, &entry->test_case);
    if (strcmp(name, "version") == 0)
        return take_number(reading, setting, INT32_MAX, &entry->version);
    if (strcmp(name, "expect") == 0)
        return take_expectation(reading, setting, &entry->expectation);
    if (strcmp(name, "note") == 0)
        return take_copy(reading, setting, &entry->note);
    return unknown_name(reading, setting, "bucket, case, version, expect or note", name, names, 5);
}

static enum harness_status read_entry(const struct reading *reading, const config_setting_t *setting,
                                      struct harness_accepted *entry)
{
    if (!config_setting_is_group(setting))
        return expected(reading, setting, "{ bucket = \"NAME\"; expect = \"fail\"; }", type_text(setting));
    entry->line = config_setting_source_line(setting);
    entry->version = 1; /* what files mean that were written before keys had versions */
    enum harness_status status = HARNESS_OK;
    for (int i = 0; i < config_setting_length(setting) && status == HARNESS_OK; i++)
        status = take_member(reading, element(setting, i), entry);
    if (status != HARNESS_OK)
        return status;
    if ((entry->bucket == NULL) == (entry->test_case == NULL))
        return expected(reading, setting, "a bucket or a case", entry->bucket == NULL ? "neither" : "both");
    if (config_setting_get_member(setting, "expect") == NULL)
        return expected(reading, setting, "expect = \"fail\", \"crash\", \"flaky\" or \"skip\"", "none");
    if (entry->note == NULL)
        entry->note = strdup("");
    return entry->note != NULL ? HARNESS_OK : harness_fail_memory(reading->error);
}

static enum harness_status read_baseline(const struct reading *reading, const config_setting_t *setting)
{
    struct harness_quirks *const quirks = reading->quirks;
    if (!config_setting_is_list(setting))
        return expected(reading, setting, "baseline = ( { ... }, ... )", type_text(setting));
    const int count = config_setting_length(setting);
    if (count > HARNESS_MOST_ACCEPTED)
        return expected(reading, setting, "at most 16384 entries", "more");
    quirks->accepted = calloc((size_t)count + 1u, sizeof *quirks->accepted);
    if (quirks->accepted == NULL)
        return harness_fail_memory(reading->error);
    enum harness_status status = HARNESS_OK;
    for (int i = 0; i < count && status == HARNESS_OK; i++) {
        quirks->accepted_count++; /* before it is read, so that it is freed even if it is incomplete */
        status = read_entry(reading, element(setting, i), &quirks->accepted[i]);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ files */

static enum harness_status read_section(const struct reading *reading, const config_setting_t *setting)
{
    static const struct {
        const char *name;
        enum harness_status (*read)(const struct reading *reading, const config_setting_t *setting);
    } sections[] = { { "version", read_version }, { "choices", read_choices },     { "force", read_force },
                     { "without", read_without }, { "tolerance", read_tolerance }, { "baseline", read_baseline } };
    enum {
        SECTIONS = sizeof sections / sizeof sections[0]
    };
    const char *names[SECTIONS];
    for (size_t i = 0; i < SECTIONS; i++) {
        names[i] = sections[i].name;
        if (strcmp(names[i], config_setting_name(setting)) == 0)
            return sections[i].read(reading, setting);
    }
    return unknown_name(reading, setting, "version, choices, force, without, tolerance or baseline",
                        config_setting_name(setting), names, SECTIONS);
}

/* Returns the line of an @include, with which libconfig would read other files, or of a 0 byte, at which it would stop;
 * 0 if there is neither. */
static unsigned bad_line(const char *text, size_t size, const char **what)
{
    static const char include[] = "@include";
    unsigned line = 1;
    for (size_t i = 0; i < size; i++) {
        *what = "a byte of 0";
        if (text[i] == '\0')
            return line;
        *what = "@include";
        if (size - i >= sizeof include - 1 && memcmp(text + i, include, sizeof include - 1) == 0)
            return line;
        line += text[i] == '\n';
    }
    return 0;
}

static enum harness_status read_all(const struct reading *reading, const config_t *config)
{
    const config_setting_t *const root = config_root_setting(config);
    if (config_setting_get_member(root, "version") == NULL)
        return harness_fail(reading->error, HARNESS_BAD_INPUT, "%s:1: expected version = 1;, found none",
                            reading->name);
    enum harness_status status = HARNESS_OK;
    for (int i = 0; i < config_setting_length(root) && status == HARNESS_OK; i++)
        status = read_section(reading, element(root, i));
    return status;
}

enum harness_status harness_quirks_parse(struct harness_quirks *quirks, const char *text, size_t size, const char *name,
                                         struct harness_error *error)
{
    const struct reading reading = { quirks, name, error };
    const char *what = "";
    if (harness_mark_of(text, size) != NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s:1: expected plain UTF-8, found %s", name,
                            harness_mark_of(text, size));
    const unsigned line = bad_line(text, size, &what);
    if (line != 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s:%u: expected plain text, found %s", name, line, what);
    if (size > HARNESS_QUIRKS_BYTES)
        return harness_fail(error, HARNESS_TOO_LARGE, "%s:1: expected at most %d bytes", name, HARNESS_QUIRKS_BYTES);
    char *const copy = malloc(size + 1);
    if (copy == NULL)
        return harness_fail_memory(error);
    memcpy(copy, text, size);
    copy[size] = '\0';
    config_t config;
    config_init(&config);
    enum harness_status status = HARNESS_OK;
    if (config_read_string(&config, copy) != CONFIG_TRUE)
        status = harness_fail(error, HARNESS_BAD_INPUT, "%s:%d: %s", name, config_error_line(&config),
                              config_error_text(&config));
    else
        status = read_all(&reading, &config);
    config_destroy(&config);
    free(copy);
    return status;
}

enum harness_status harness_quirks_read(struct harness_quirks *quirks, const char *path, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    quirks->path = strdup(path);
    if (quirks->path == NULL)
        return harness_fail_memory(error);
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status == HARNESS_OK)
        status = harness_quirks_parse(quirks, (const char *)bytes, size, path, error);
    free(bytes);
    return status;
}
