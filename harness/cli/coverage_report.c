#include "harness/cli/coverage_report.h"

#include "harness/cli/cli.h"
#include "harness/coverage/level.h"
#include "harness/pages/pages.h"
#include "harness/pages/json.h"

#include <cjson/cJSON.h>
#include <stdio.h>

enum {
    NAME_SIZE = 256
};

/* The numbers of one area. */
struct area {
    size_t first, total, seen, effect;
};

static struct area count(const struct coverage_report *report, enum harness_area area)
{
    struct area counts = { 0, 0, 0, 0 };
    harness_universe_area(report->universe, area, &counts.first, &counts.total);
    for (size_t i = counts.first; i < counts.first + counts.total; i++) {
        counts.seen += (report->marks[i] & HARNESS_MARK_SEEN) != 0;
        counts.effect += (report->marks[i] & HARNESS_MARK_EFFECT) != 0;
    }
    return counts;
}

/* With effect, in percent, rounded down to two digits: 100 only if nothing is missing. */
static double percent_of(const struct area *area)
{
    return area->total == 0 ? 100.0 : (double)(area->effect * 10000u / area->total) / 100.0;
}

/* ------------------------------------------------------------------------------------------------------------ text */

void coverage_print_text(const struct coverage_report *report, bool missing)
{
    char name[NAME_SIZE];
    printf("%llu case(s)\n%-12s %8s %8s %8s\n", (unsigned long long)report->cases, "", "total", "seen", "with effect");
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++) {
        const struct area area = count(report, (enum harness_area)a);
        printf("%-12s %8zu %8zu %8zu %6.2f %%\n", harness_area_name((enum harness_area)a), area.total, area.seen,
               area.effect, percent_of(&area));
    }
    for (int a = 0; a < HARNESS_AREA_TOTAL && missing; a++) {
        const struct area area = count(report, (enum harness_area)a);
        if (area.effect < area.total)
            printf("\nmissing %s:\n", harness_area_name((enum harness_area)a));
        for (size_t i = area.first; i < area.first + area.total; i++) {
            if ((report->marks[i] & HARNESS_MARK_EFFECT) != 0)
                continue;
            harness_item_name(report->universe, i, name, sizeof name);
            printf("  %s%s\n", name, (report->marks[i] & HARNESS_MARK_SEEN) != 0 ? " (seen)" : "");
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ JSON */

static cJSON *missing_names(const struct coverage_report *report, const struct area *area)
{
    char name[NAME_SIZE];
    cJSON *const names = cJSON_CreateArray();
    for (size_t i = area->first; i < area->first + area->total; i++) {
        if ((report->marks[i] & HARNESS_MARK_EFFECT) != 0)
            continue;
        harness_item_name(report->universe, i, name, sizeof name);
        cJSON *const item = harness_json_row(names);
        cJSON_AddStringToObject(item, "name", name);
        cJSON_AddBoolToObject(item, "seen", (report->marks[i] & HARNESS_MARK_SEEN) != 0);
    }
    return names;
}

struct cJSON *coverage_json(const struct coverage_report *report, bool missing)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddNumberToObject(object, "cases", (double)report->cases);
    cJSON *const areas = cJSON_AddObjectToObject(object, "areas");
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++) {
        const struct area area = count(report, (enum harness_area)a);
        cJSON *const entry = cJSON_AddObjectToObject(areas, harness_area_name((enum harness_area)a));
        cJSON_AddNumberToObject(entry, "total", (double)area.total);
        cJSON_AddNumberToObject(entry, "seen", (double)area.seen);
        cJSON_AddNumberToObject(entry, "effect", (double)area.effect);
        cJSON_AddNumberToObject(entry, "percent", percent_of(&area));
        if (missing)
            cJSON_AddItemToObject(entry, "missing", missing_names(report, &area));
    }
    return object;
}

enum harness_status coverage_write_html(const struct coverage_report *report, const char *path,
                                        struct harness_error *error)
{
    return harness_json_page(path, "coverage", coverage_json(report, true), error);
}

/* ----------------------------------------------------------------------------------------------------------- level */

enum harness_status coverage_write_level(const struct coverage_report *report, const char *path,
                                         struct harness_error *error)
{
    cJSON *const object = cJSON_CreateObject();
    for (int a = 0; a < HARNESS_AREA_TOTAL; a++) {
        const struct area area = count(report, (enum harness_area)a);
        cJSON_AddNumberToObject(object, harness_area_name((enum harness_area)a), percent_of(&area));
    }
    return harness_json_write(path, object, error);
}

enum harness_status coverage_check_level(const struct coverage_report *report, const char *path, bool *passes,
                                         struct harness_error *error)
{
    struct harness_level level;
    const enum harness_status status = harness_level_read(path, &level, error);
    *passes = true;
    for (int a = 0; status == HARNESS_OK && a < HARNESS_AREA_TOTAL; a++) {
        const struct area area = count(report, (enum harness_area)a);
        const double percent = percent_of(&area);
        if (!level.asked[a] || percent + 0.001 >= level.percent[a])
            continue;
        *passes = false;
        cli_print(stderr, "picafuzz: coverage: %s: %.2f %% with effect, %s asks for %.2f %%\n",
                  harness_area_name((enum harness_area)a), percent, path, level.percent[a]);
    }
    return status;
}
