#include "harness/report/report.h"

#include "harness/case/formats.h"
#include "harness/case/grow.h"
#include "harness/reduce/reduce.h"
#include "harness/report/report_parts.h"
#include "oracles/equal.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum harness_status report_path(const char *directory, const char *folder, const char *file, char *out, size_t size,
                                struct harness_error *error)
{
    const int length = snprintf(out, size, "%s%s%s/%s", directory, folder[0] != '\0' ? "/" : "", folder, file);
    return length > 0 && (size_t)length < size
               ? HARNESS_OK
               : harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
}

enum harness_status harness_report_create(const char *directory, const char *specification, struct harness_report **out,
                                          struct harness_error *error)
{
    *out = NULL;
    struct harness_report *const report = calloc(1, sizeof *report);
    if (report == NULL)
        return harness_fail_memory(error);
    report->directory = strdup(directory);
    report->specification = specification;
    const enum harness_status status =
        report->directory == NULL ? harness_fail_memory(error) : harness_directory_make(directory, error);
    if (status == HARNESS_OK)
        *out = report;
    else
        harness_report_destroy(report);
    return status;
}

static void clear_entry(struct report_entry *entry)
{
    free(entry->path);
    free(entry->name);
    free(entry->key);
    free(entry->title);
    free(entry->message);
    free(entry->accepted);
    free(entry->verdict_text);
    cJSON_Delete(entry->memory);
}

void harness_report_destroy(struct harness_report *report)
{
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->count; i++)
        clear_entry(&report->entries[i]);
    free(report->entries);
    free(report->directory);
    cJSON_Delete(report->hunts);
    free(report);
}

void harness_report_hunt(struct harness_report *report, cJSON *hunt)
{
    if (report->hunts == NULL)
        report->hunts = cJSON_CreateArray();
    if (!cJSON_AddItemToArray(report->hunts, hunt))
        cJSON_Delete(hunt);
}

bool report_is_failure(const struct report_entry *entry)
{
    return entry->failed && entry->accepted[0] == '\0';
}

int report_rank(const struct report_entry *entry)
{
    if (report_is_failure(entry))
        return 0;
    return entry->failed ? 1 : 2;
}

const char *report_state(const struct report_entry *entry)
{
    static const char *const states[] = { "finding", "accepted", "clear" };
    return states[report_rank(entry)];
}

struct harness_report_totals harness_report_totals(const struct harness_report *report)
{
    struct harness_report_totals totals = { .cases = report->count };
    for (size_t i = 0; i < report->count; i++) {
        const struct report_entry *const entry = &report->entries[i];
        totals.failures += report_is_failure(entry);
        totals.accepted += entry->failed && !report_is_failure(entry);
        totals.not_tested += entry->not_tested;
    }
    return totals;
}

/* The next entry, filled with what is known before anything runs; NULL without memory. Counted by the caller. */
static struct report_entry *new_entry(struct harness_report *report, const struct harness_report_input *input)
{
    struct report_entry *const entries = harness_grow(report->entries, report->count, sizeof *entries);
    if (entries == NULL)
        return NULL;
    report->entries = entries;
    for (size_t i = 0; i < report->count; i++)
        harness_location_moved(&entries[i].location);
    struct report_entry *const entry = &report->entries[report->count];
    memset(entry, 0, sizeof *entry);
    entry->path = strdup(input->path);
    entry->name = strdup(input->name);
    entry->key = strdup(input->sorted->key);
    entry->title = strdup(input->sorted->title);
    entry->accepted = strdup(input->accepted);
    entry->options = input->options;
    entry->record = input->sorted->record;
    memcpy(entry->bucket, input->sorted->bucket, sizeof entry->bucket);
    for (size_t i = 0; i < input->triage->bucket_count; i++)
        if (strcmp(input->triage->buckets[i].name, entry->bucket) == 0)
            memcpy(entry->first_seen, input->triage->buckets[i].first_seen, sizeof entry->first_seen);
    entry->operations = input->test_case->operation_count;
    entry->writes = harness_case_writes(input->test_case);
    entry->bytes = harness_case_bytes(input->test_case);
    if (entry->path != NULL && entry->name != NULL && entry->key != NULL && entry->title != NULL &&
        entry->accepted != NULL)
        return entry;
    clear_entry(entry);
    return NULL;
}

static enum harness_status make_folder(const struct harness_report *report, const struct report_entry *entry,
                                       struct harness_error *error)
{
    char path[4096];
    const enum harness_status status = report_path(report->directory, "", entry->name, path, sizeof path, error);
    return status == HARNESS_OK ? harness_directory_make(path, error) : status;
}

enum harness_status report_run(struct harness_runner *runner, const struct harness_program *program, uint32_t last,
                               struct harness_surfaces *surfaces, struct oracle_run *out, struct harness_error *error)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    void *const instance = harness_runner_instance(runner);
    enum pica_status status = harness_runner_load(runner, &program->setup);
    const bool watched = surfaces != NULL && status == PICA_OK && backend->observe_draws != NULL &&
                         backend->observe_draws(instance, harness_surfaces_observe, surfaces) == PICA_OK;
    for (uint32_t i = 0; i < program->count && status == PICA_OK && program->origins[i] <= last; i++) {
        if (surfaces != NULL)
            harness_surfaces_add_operation(surfaces, &program->operations[i]);
        status = harness_runner_step(runner, &program->operations[i]);
    }
    if (watched)
        (void)backend->observe_draws(instance, NULL, NULL);
    if (status != PICA_OK)
        return harness_runner_fail(runner, "running the case", status, error);
    status = out != NULL ? harness_runner_collect(runner, out) : PICA_OK;
    return status == PICA_OK ? HARNESS_OK : harness_runner_fail(runner, "reading results", status, error);
}

/* Both sides up to and including the operation in which they differ (or the last one), and the buffers used until
 * then. */
static enum harness_status run_to(struct harness_runner *const runners[2], const struct harness_program *program,
                                  const struct harness_location *location, struct harness_surfaces *surfaces,
                                  struct oracle_run runs[2], struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    struct pica_choices choices;
    harness_runners_choices(runners, 2, &choices);
    harness_surfaces_clear(surfaces, &choices);
    for (int side = 0; side < 2 && status == HARNESS_OK; side++)
        status = report_run(runners[side], program, location->differs ? location->operation : UINT32_MAX,
                            side == 0 ? surfaces : NULL, &runs[side], error);
    return status;
}

/* Runs the case on both sides now. */
static enum harness_status look_closer(struct harness_report *report, struct report_entry *entry,
                                       struct harness_runner *const runners[2], const struct harness_case *test_case,
                                       struct harness_error *error)
{
    struct harness_surfaces surfaces;
    struct oracle_run runs[2];
    struct harness_program *const program = harness_program_create();
    if (program == NULL)
        return harness_fail_memory(error);
    enum harness_status status = harness_case_setup(test_case, program, error);
    if (status == HARNESS_OK)
        status = harness_localise(runners[0], runners[1], program, &entry->location, error);
    if (status == HARNESS_OK)
        status = run_to(runners, program, &entry->location, &surfaces, runs, error);
    if (status == HARNESS_OK) {
        struct oracle_report judged;
        oracle_all_equal(&runs[0], &runs[1], false, &judged);
        entry->message = strdup(judged.message);
        report_write_memory(entry, &runs[0], &runs[1]);
        status = report_write_pictures(report, entry, runs, &surfaces, error);
    }
    harness_program_destroy(program);
    return status;
}

/* The verdict stays that of when the case was sorted; where and how the two differ is what the run now shows. */
static void judge(struct report_entry *entry, const struct harness_triage_entry *sorted)
{
    static const char unsteady[] = "The two differed when the case was sorted, and not when this page was made.\n";
    entry->not_tested = sorted->kind == HARNESS_NOT_TESTED;
    entry->failed = harness_outcome_exit(sorted->kind) != HARNESS_EXIT_OK;
    entry->verdict = harness_outcome_name(sorted->kind);
    entry->has_operation = entry->location.differs;
    entry->operation = entry->location.operation;
    if (sorted->kind != HARNESS_DIVERGE || entry->location.differs)
        return;
    free(entry->message);
    entry->message = strdup(entry->location.note[0] == '\0' ? unsteady : entry->location.note);
}

/* "agree (memory, registers)": no more was compared. */
static void name_scope(struct report_entry *entry, struct harness_runner *const runners[2])
{
    char text[ORACLE_SCOPE_TEXT];
    struct oracle_scope scope = *harness_runner_scope(runners[0]);
    oracle_scope_meet(&scope, harness_runner_scope(runners[1]));
    if (oracle_scope_is_all(&scope))
        return;
    oracle_scope_text(&scope, text, sizeof text);
    struct harness_text verdict = { 0 };
    harness_text_format(&verdict, "%s (%s)", entry->verdict, text);
    entry->verdict_text = strdup(harness_text_string(&verdict));
    harness_text_free(&verdict);
    if (entry->verdict_text != NULL)
        entry->verdict = entry->verdict_text;
}

/* For a case that is not run now: what was seen when it was sorted. */
static void take_over(struct report_entry *entry, const struct harness_triage_entry *sorted)
{
    judge(entry, sorted);
    entry->has_operation = harness_outcome_is_finding(sorted->kind) && sorted->operation != HARNESS_TRIAGE_LOADING;
    entry->operation = sorted->operation;
    entry->command = sorted->command;
    free(entry->message);
    entry->message = strdup(sorted->summary[0] != '\0' ? sorted->summary : sorted->key);
}

enum harness_status harness_report_add(struct harness_report *report, struct harness_runner *a,
                                       struct harness_runner *b, const struct harness_report_input *input,
                                       struct harness_error *error)
{
    struct harness_runner *const runners[2] = { a, b };
    struct report_entry *const entry = new_entry(report, input);
    const enum harness_outcome kind = input->sorted->kind;
    if (entry == NULL)
        return harness_fail_memory(error);
    enum harness_status status = make_folder(report, entry, error);
    if (status == HARNESS_OK && (kind == HARNESS_AGREE || kind == HARNESS_VACUOUS || kind == HARNESS_DIVERGE)) {
        status = look_closer(report, entry, runners, input->test_case, error);
        judge(entry, input->sorted);
        if (!entry->failed)
            name_scope(entry, runners);
        if (status == HARNESS_CRASHED) { /* a backend that survived the case when it was sorted */
            free(entry->message);
            entry->message = strdup(error->message);
            status = HARNESS_OK;
        }
    } else {
        take_over(entry, input->sorted);
    }
    if (status == HARNESS_OK && entry->message == NULL)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = report_write_page(report, entry, input->test_case, error);
    if (status == HARNESS_OK)
        report->count++;
    else
        clear_entry(entry);
    return status;
}
