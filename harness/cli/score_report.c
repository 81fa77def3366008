/* Counting and printing of `picafuzz score`. */
#include "harness/cli/score_report.h"

#include "harness/cli/cli.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
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

/* "measured on consoles", "documented", "chosen by us or by emulators". Static. */
static const char *standing_text(uint32_t standing)
{
    static const char *const texts[SCORE_STANDINGS] = { "measured on consoles", "documented",
                                                        "chosen by us or by emulators" };
    return standing < SCORE_STANDINGS ? texts[standing] : "";
}

static enum score_standing standing_of(enum vectors_provenance provenance)
{
    return provenance == VECTORS_HW ? SCORE_MEASURED : provenance == VECTORS_DOC ? SCORE_DOCUMENTED : SCORE_CHOSEN;
}

void score_count(struct score_report *report)
{
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++)
        report->provenances[i].name = vectors_provenance_name(i);
    for (uint32_t i = 0; i < SCORE_STANDINGS; i++)
        report->standings[i].name = standing_text(i);
    for (size_t i = 0; i < vectors_count(report->vectors); i++) {
        const struct vectors_case *const about = vectors_about(report->vectors, i);
        if (!report->done[i])
            continue;
        count(&report->all, report->scored[i].result);
        count(area_row(report, about->area), report->scored[i].result);
        count(&report->provenances[about->provenance], report->scored[i].result);
        count(&report->standings[standing_of(about->provenance)], report->scored[i].result);
    }
}

size_t score_good(const struct score_row *row)
{
    return row->results[VECTORS_PASSED] + row->results[VECTORS_ACCEPTABLE];
}

size_t score_tested(const struct score_row *row)
{
    return row->cases - row->results[VECTORS_NOT_TESTED] - row->results[VECTORS_TROUBLE];
}

/* "measured on consoles 214 of 220, documented 310 of 312, chosen by us or by emulators 1400 of 1500; 1086 not tested".
 */
static void add_summary(const struct score_report *report, struct harness_text *out)
{
    for (uint32_t i = 0; i < SCORE_STANDINGS; i++) {
        const struct score_row *const row = &report->standings[i];
        harness_text_format(out, "%s%s %zu of %zu", i != 0 ? ", " : "", row->name, score_good(row), score_tested(row));
    }
    harness_text_format(out, "; %zu not tested", report->all.results[VECTORS_NOT_TESTED]);
    if (report->all.results[VECTORS_TROUBLE] != 0)
        harness_text_format(out, "; %zu failed: no verdict", report->all.results[VECTORS_TROUBLE]);
}

/* The case at this place of a list that begins with what is best known. `order` has room for all cases of the pack. */
static void sort(const struct vectors *vectors, size_t *order)
{
    size_t count = 0;
    for (uint32_t provenance = 0; provenance < VECTORS_PROVENANCES; provenance++)
        for (size_t i = 0; i < vectors_count(vectors); i++)
            if ((uint32_t)vectors_about(vectors, i)->provenance == provenance)
                order[count++] = i;
}

static const char *provenance_text(uint32_t provenance)
{
    static const char *const texts[VECTORS_PROVENANCES] = {
        "measured on consoles",
        "documents say so",
        "emulators do so",
        "sources differ; a side of a known choice",
        "nobody measured it; the specification chose",
        "emulators were said to do so; which was not recorded",
    };
    return provenance < VECTORS_PROVENANCES ? texts[provenance] : "";
}

/* ------------------------------------------------------------------------------------------------------------- text */

static void print_row(const struct score_row *row, const char *remark)
{
    cli_print(stdout, "  %-18s %6zu %7zu %11zu %7zu %11zu %8zu %5zu %7zu%s%s\n", row->name, row->cases,
              row->results[VECTORS_PASSED], row->results[VECTORS_ACCEPTABLE], row->results[VECTORS_FAILED],
              row->results[VECTORS_NOT_TESTED], row->results[VECTORS_CRASHED], row->results[VECTORS_HUNG],
              row->results[VECTORS_TROUBLE], remark[0] != '\0' ? "  " : "", remark);
}

static void print_head(const char *title)
{
    printf("  %-18s %6s %7s %11s %7s %11s %8s %5s %7s\n", title, "cases", "passed", "acceptable", "failed",
           "not tested", "crashed", "hung", "trouble");
}

static bool is_listed(const struct score_report *report, size_t index)
{
    const enum vectors_result result = report->scored[index].result;
    return report->done[index] && result != VECTORS_PASSED && result != VECTORS_ACCEPTABLE &&
           result != VECTORS_NOT_TESTED;
}

static void print_case(const struct score_report *report, size_t index)
{
    const struct vectors_case *const about = vectors_about(report->vectors, index);
    cli_print(stdout, "%s%s: %s (%s; %s%s%s): %s\n", vectors_result_name(report->scored[index].result),
              report->known[index] ? " (known)" : "", about->name, about->rules,
              vectors_provenance_name(about->provenance), about->provenance == VECTORS_HW ? " " : "",
              about->provenance == VECTORS_HW ? about->evidence : "", report->scored[index].note);
}

static void print_cases(const struct score_report *report, size_t most)
{
    size_t listed = 0;
    const size_t count = vectors_count(report->vectors);
    size_t *const order = calloc(count + 1, sizeof *order);
    if (order == NULL)
        return;
    sort(report->vectors, order);
    for (size_t i = 0; i < count; i++)
        if (is_listed(report, order[i]) && listed++ < most)
            print_case(report, order[i]);
    if (listed > most)
        printf("... and %zu more: --list N, --html, --json and --junit have them\n", listed - most);
    free(order);
}

/* "its sides: row-order=highest-first, ...", where they were asked for. */
static void print_sides(const struct score_report *report)
{
    const char *before = "its sides where sources differ: ";
    for (uint32_t i = 0; report->fingerprint != NULL && i < PICA_CHOICES; i++) {
        const struct harness_finger *const finger = &report->fingerprint->fingers[i];
        if (finger->kind != HARNESS_FINGER_SIDE || finger->side == 0)
            continue;
        const struct pica_side_info *const side = pica_side_info(i, finger->side);
        cli_print(stdout, "%s%s=%s%s%s%s", before, pica_choice_info(i)->name, side->word,
                  side->standing == PICA_STANDING_REFUTED ? " (refuted by " : "", side->piece,
                  side->standing == PICA_STANDING_REFUTED ? ")"
                  : side->standing == PICA_STANDING_LACK  ? " (a lack)"
                                                          : "");
        before = ", ";
    }
    if (before[0] == ',')
        printf("\n");
}

void score_print_text(const struct score_report *report, size_t most_listed)
{
    print_cases(report, most_listed);
    print_head("area");
    for (size_t i = 0; i < report->area_count; i++)
        print_row(&report->areas[i], "");
    print_head("provenance");
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++)
        print_row(&report->provenances[i], provenance_text(i));
    if (report->compared[0] != '\0')
        cli_print(stdout, "compared: %s\n", report->compared);
    print_sides(report);
    struct harness_text summary = { 0 };
    add_summary(report, &summary);
    cli_print(stdout, "%s: %s\n%s: %zu of %zu (pack %u)\n", report->backend, harness_text_string(&summary),
              report->backend, score_good(&report->all), score_tested(&report->all),
              (unsigned)vectors_pack_version(report->vectors));
    harness_text_free(&summary);
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
    if (about->evidence[0] != '\0')
        (void)cJSON_AddStringToObject(object, "evidence", about->evidence);
    (void)cJSON_AddStringToObject(object, "result", vectors_result_name(scored->result));
    if (report->known[index])
        (void)cJSON_AddBoolToObject(object, "known", true);
    if (scored->note[0] != '\0')
        (void)cJSON_AddStringToObject(object, scored->result == VECTORS_ACCEPTABLE ? "side" : "note", scored->note);
    return object;
}

static void add_standings(cJSON *object, const struct score_report *report)
{
    static const char *const names[SCORE_STANDINGS] = { "measured", "documented", "chosen" };
    for (uint32_t i = 0; i < SCORE_STANDINGS; i++) {
        cJSON *const standing = cJSON_AddObjectToObject(object, names[i]);
        (void)cJSON_AddNumberToObject(standing, "score", (double)score_good(&report->standings[i]));
        (void)cJSON_AddNumberToObject(standing, "of", (double)score_tested(&report->standings[i]));
    }
    (void)cJSON_AddNumberToObject(object, "not tested", (double)report->all.results[VECTORS_NOT_TESTED]);
}

/* Choices that are not on the normative side. */
static void add_sides(cJSON *object, const struct score_report *report)
{
    cJSON *const sides = report->fingerprint != NULL ? cJSON_AddObjectToObject(object, "sides") : NULL;
    for (uint32_t i = 0; sides != NULL && i < PICA_CHOICES; i++) {
        const struct harness_finger *const finger = &report->fingerprint->fingers[i];
        if (finger->kind != HARNESS_FINGER_SIDE || finger->side != 0)
            (void)cJSON_AddStringToObject(sides, pica_choice_info(i)->name,
                                          harness_finger_word(report->fingerprint, i));
    }
}

cJSON *score_json(const struct score_report *report)
{
    cJSON *const object = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(object, "backend", report->backend);
    (void)cJSON_AddNumberToObject(object, "pack", vectors_pack_version(report->vectors));
    (void)cJSON_AddNumberToObject(object, "score", (double)score_good(&report->all));
    (void)cJSON_AddNumberToObject(object, "of", (double)score_tested(&report->all));
    add_standings(object, report);
    add_sides(object, report);
    if (report->compared[0] != '\0')
        (void)cJSON_AddStringToObject(object, "compared", report->compared);
    (void)cJSON_AddItemToObject(object, "all", row_json(&report->all));
    cJSON *const areas = cJSON_AddObjectToObject(object, "areas");
    for (size_t i = 0; i < report->area_count; i++)
        (void)cJSON_AddItemToObject(areas, report->areas[i].name, row_json(&report->areas[i]));
    cJSON *const provenances = cJSON_AddObjectToObject(object, "provenances");
    for (uint32_t i = 0; i < VECTORS_PROVENANCES; i++) {
        cJSON *const row = row_json(&report->provenances[i]);
        (void)cJSON_AddStringToObject(row, "says", provenance_text(i));
        (void)cJSON_AddItemToObject(provenances, report->provenances[i].name, row);
    }
    cJSON *const cases = cJSON_AddArrayToObject(object, "cases");
    for (size_t i = 0; i < vectors_count(report->vectors); i++)
        if (report->done[i])
            (void)cJSON_AddItemToArray(cases, case_json(report, i));
    return object;
}
