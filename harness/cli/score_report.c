/* Counting and printing of `picafuzz score`. */
#include "harness/cli/score_report.h"

#include "harness/cli/cli.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static struct score_row *area_row(struct score_report *report, const char *name)
{
    for (size_t i = 0; i < report->area_count; i++)
        if (strcmp(report->areas[i].name, name) == 0)
            return &report->areas[i];
    if (report->area_count == SCORE_MOST_AREAS)
        return &report->areas[SCORE_MOST_AREAS - 1]; /* a pack of more areas than any: the last one holds the rest */
    report->areas[report->area_count].name = name;
    return &report->areas[report->area_count++];
}

static void count(struct score_row *row, enum vectors_result result)
{
    row->cases++;
    row->results[result]++;
}

void score_count(struct score_report *report)
{
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++)
        report->provenances[i].name = vectors_provenance_name(i);
    for (size_t i = 0; i < vectors_count(report->vectors); i++) {
        const struct vectors_case *const about = vectors_about(report->vectors, i);
        if (!report->done[i])
            continue;
        count(&report->all, report->scored[i].result);
        count(area_row(report, about->area), report->scored[i].result);
        count(&report->provenances[about->provenance], report->scored[i].result);
    }
}

size_t score_good(const struct score_row *row)
{
    return row->results[VECTORS_PASSED] + row->results[VECTORS_ACCEPTABLE];
}

const char *score_provenance_text(uint32_t provenance)
{
    static const char *const texts[VECTORS_PROVENANCES] = { "measured on hardware", "documents say so",
                                                            "emulators do so",
                                                            "sources differ; a side of a known choice",
                                                            "nobody measured it; the specification chose" };
    return provenance < VECTORS_PROVENANCES ? texts[provenance] : "";
}

/* ------------------------------------------------------------------------------------------------------------- text */

static void print_row(const struct score_row *row, const char *remark)
{
    cli_print(stdout, "  %-18s %6zu %7zu %11zu %7zu %11zu %8zu %5zu%s%s\n", row->name, row->cases,
              row->results[VECTORS_PASSED], row->results[VECTORS_ACCEPTABLE], row->results[VECTORS_FAILED],
              row->results[VECTORS_NOT_TESTED], row->results[VECTORS_CRASHED], row->results[VECTORS_HUNG],
              remark[0] != '\0' ? "  " : "", remark);
}

static void print_head(const char *title)
{
    printf("  %-18s %6s %7s %11s %7s %11s %8s %5s\n", title, "cases", "passed", "acceptable", "failed", "not tested",
           "crashed", "hung");
}

static bool is_listed(const struct score_report *report, size_t index)
{
    const enum vectors_result result = report->scored[index].result;
    return report->done[index] && result != VECTORS_PASSED && result != VECTORS_ACCEPTABLE &&
           result != VECTORS_NOT_TESTED;
}

static void print_cases(const struct score_report *report, size_t most)
{
    size_t listed = 0, left = 0;
    for (size_t i = 0; i < vectors_count(report->vectors); i++) {
        const struct vectors_case *const about = vectors_about(report->vectors, i);
        if (!is_listed(report, i))
            continue;
        if (listed++ >= most)
            left++;
        else
            cli_print(stdout, "%s%s: %s (%s): %s\n", vectors_result_name(report->scored[i].result),
                      report->known[i] ? " (known)" : "", about->name, about->rules, report->scored[i].note);
    }
    if (left != 0)
        printf("... and %zu more: --list N, --html, --json and --junit have them\n", left);
}

void score_print_text(const struct score_report *report, size_t most_listed)
{
    print_cases(report, most_listed);
    print_head("area");
    for (size_t i = 0; i < report->area_count; i++)
        print_row(&report->areas[i], "");
    print_head("provenance");
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++)
        print_row(&report->provenances[i], score_provenance_text(i));
    if (report->compared[0] != '\0')
        cli_print(stdout, "compared: %s\n", report->compared);
    cli_print(stdout, "%s: %zu of %zu (pack %u)\n", report->backend, score_good(&report->all), report->all.cases,
              (unsigned)vectors_pack_version(report->vectors));
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static cJSON *row_json(const struct score_row *row)
{
    cJSON *const object = cJSON_CreateObject();
    (void)cJSON_AddNumberToObject(object, "cases", (double)row->cases);
    for (uint32_t i = 0; i < VECTORS_RESULTS; i++)
        (void)cJSON_AddNumberToObject(object, vectors_result_name(i), (double)row->results[i]);
    return object;
}

static cJSON *case_json(const struct score_report *report, size_t index)
{
    const struct vectors_case *const about = vectors_about(report->vectors, index);
    const struct vectors_scored *const scored = &report->scored[index];
    cJSON *const object = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(object, "case", about->name);
    (void)cJSON_AddNumberToObject(object, "version", about->version);
    (void)cJSON_AddStringToObject(object, "area", about->area);
    (void)cJSON_AddStringToObject(object, "rules", about->rules);
    (void)cJSON_AddStringToObject(object, "provenance", vectors_provenance_name(about->provenance));
    (void)cJSON_AddStringToObject(object, "result", vectors_result_name(scored->result));
    if (report->known[index])
        (void)cJSON_AddBoolToObject(object, "known", true);
    if (scored->note[0] != '\0')
        (void)cJSON_AddStringToObject(object, scored->result == VECTORS_ACCEPTABLE ? "side" : "note", scored->note);
    return object;
}

void score_print_json(const struct score_report *report)
{
    cJSON *const object = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(object, "backend", report->backend);
    (void)cJSON_AddNumberToObject(object, "pack", vectors_pack_version(report->vectors));
    (void)cJSON_AddNumberToObject(object, "score", (double)score_good(&report->all));
    (void)cJSON_AddNumberToObject(object, "of", (double)report->all.cases);
    if (report->compared[0] != '\0')
        (void)cJSON_AddStringToObject(object, "compared", report->compared);
    (void)cJSON_AddItemToObject(object, "all", row_json(&report->all));
    cJSON *const areas = cJSON_AddObjectToObject(object, "areas");
    for (size_t i = 0; i < report->area_count; i++)
        (void)cJSON_AddItemToObject(areas, report->areas[i].name, row_json(&report->areas[i]));
    cJSON *const provenances = cJSON_AddObjectToObject(object, "provenances");
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++)
        (void)cJSON_AddItemToObject(provenances, report->provenances[i].name, row_json(&report->provenances[i]));
    cJSON *const cases = cJSON_AddArrayToObject(object, "cases");
    for (size_t i = 0; i < vectors_count(report->vectors); i++)
        if (report->done[i])
            (void)cJSON_AddItemToArray(cases, case_json(report, i));
    char *const text = cJSON_PrintUnformatted(object);
    if (text != NULL)
        puts(text);
    cJSON_free(text);
    cJSON_Delete(object);
}
