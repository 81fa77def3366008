#include "harness/findings/report.h"

#include "harness/case/formats.h"
#include "harness/findings/report_parts.h"
#include "oracles/equal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool report_path(const struct harness_report *report, const char *name, const char *file, char *out, size_t size)
{
    const int length = snprintf(out, size, "%s%s%s/%s", report->directory, name[0] != '\0' ? "/" : "", name, file);
    return length > 0 && (size_t)length < size;
}

static enum harness_status make_directory(const char *path, struct harness_error *error)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return harness_fail(error, HARNESS_HOST, "%s: cannot be made: %s", path, strerror(errno));
    return HARNESS_OK;
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
        report->directory == NULL ? harness_fail_memory(error) : make_directory(directory, error);
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
    free(entry->bucket);
    free(entry->first_seen);
    free(entry->message);
}

void harness_report_destroy(struct harness_report *report)
{
    if (report == NULL)
        return;
    for (size_t i = 0; i < report->count; i++)
        clear_entry(&report->entries[i]);
    free(report->entries);
    free(report->directory);
    free(report);
}

size_t harness_report_count(const struct harness_report *report)
{
    return report->count;
}

size_t harness_report_failures(const struct harness_report *report)
{
    size_t failures = 0;
    for (size_t i = 0; i < report->count; i++)
        failures += report->entries[i].failed;
    return failures;
}

/* Register writes in the case's typed lists: each parameter of a command is one. */
static uint32_t count_writes(const struct harness_case *test_case)
{
    uint32_t writes = 0;
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const struct harness_operation *const operation = &test_case->operations[i];
        writes += operation->kind == HARNESS_WRITE;
        if (operation->kind != HARNESS_RUN)
            continue;
        for (uint32_t c = 0; c < operation->data.list.count; c++)
            writes += operation->data.list.commands[c].count;
    }
    return writes;
}

/* The next entry, filled with what is known before anything runs; NULL without memory. Counted by the caller. */
static struct report_entry *new_entry(struct harness_report *report, const struct harness_report_input *input)
{
    if (report->count == report->capacity) {
        const size_t capacity = report->capacity == 0 ? 16 : report->capacity * 2;
        struct report_entry *const entries = realloc(report->entries, capacity * sizeof *entries);
        if (entries == NULL)
            return NULL;
        report->entries = entries;
        report->capacity = capacity;
    }
    struct report_entry *const entry = &report->entries[report->count];
    memset(entry, 0, sizeof *entry);
    entry->path = strdup(input->path);
    entry->name = strdup(input->name);
    entry->first_seen = input->first_seen != NULL ? strdup(input->first_seen) : NULL;
    entry->operations = input->test_case->operation_count;
    entry->writes = count_writes(input->test_case);
    if (harness_pcb_encode(input->test_case, NULL, 0, &entry->bytes, NULL) == HARNESS_TOO_LARGE && entry->bytes == 0)
        entry->bytes = 0;
    if (entry->path == NULL || entry->name == NULL || (input->first_seen != NULL && entry->first_seen == NULL)) {
        clear_entry(entry);
        return NULL;
    }
    return entry;
}

/* Without a bucket from triage, findings with the same verdict, stage and rule stand together. */
static bool set_bucket(struct report_entry *entry, const char *bucket)
{
    char made[REPORT_NAME];
    const char *const stage = entry->location.stage != NULL ? entry->location.stage : "";
    const char *const rule = entry->location.rule != NULL ? entry->location.rule : "";
    (void)snprintf(made, sizeof made, "%s%s%s%s%s", entry->verdict, stage[0] != '\0' ? ", " : "", stage,
                   rule[0] != '\0' ? " " : "", rule);
    entry->bucket = strdup(bucket != NULL ? bucket : made);
    return entry->bucket != NULL;
}

static enum harness_status make_folder(const struct harness_report *report, const struct report_entry *entry,
                                       struct harness_error *error)
{
    char path[4096];
    if (!report_path(report, "", entry->name, path, sizeof path))
        return harness_fail(error, HARNESS_HOST, "%s: the path is too long", entry->name);
    return make_directory(path, error);
}

/* Both sides up to and with the operation in which they differ (or the last one), and the buffers used until then. */
static enum harness_status run_to(struct harness_runner *const runners[2], const struct harness_program *program,
                                  const struct harness_location *location, struct harness_surfaces *surfaces,
                                  struct oracle_run runs[2], struct harness_error *error)
{
    enum pica_status status = PICA_OK;
    harness_surfaces_clear(surfaces);
    for (int side = 0; side < 2 && status == PICA_OK; side++) {
        const struct pica_backend *const backend = harness_runner_backend(runners[side]);
        void *const instance = harness_runner_instance(runners[side]);
        status = harness_runner_load(runners[side], &program->setup);
        const bool watched = side == 0 && status == PICA_OK && backend->observe_draws != NULL &&
                             backend->observe_draws(instance, harness_surfaces_observe, surfaces) == PICA_OK;
        for (uint32_t i = 0; i < program->count && status == PICA_OK; i++) {
            if (location->differs && program->origins[i] > location->operation)
                break;
            if (side == 0)
                harness_surfaces_add_operation(surfaces, &program->operations[i]);
            status = harness_runner_step(runners[side], &program->operations[i]);
        }
        if (watched)
            (void)backend->observe_draws(instance, NULL, NULL);
        if (status == PICA_OK)
            status = harness_runner_collect(runners[side], &runs[side]);
    }
    return status == PICA_OK ? HARNESS_OK : harness_fail(error, HARNESS_HOST, "report: running the case failed");
}

static enum harness_status fill_entry(struct harness_report *report, struct report_entry *entry,
                                      struct harness_runner *const runners[2], const struct harness_case *test_case,
                                      struct harness_program *program, struct harness_error *error)
{
    struct harness_surfaces surfaces;
    struct oracle_run runs[2];
    enum harness_status status = harness_case_setup(test_case, program, error);
    if (status == HARNESS_OK)
        status = harness_localise(runners[0], runners[1], program, &entry->location, error);
    if (status == HARNESS_OK)
        status = run_to(runners, program, &entry->location, &surfaces, runs, error);
    if (status != HARNESS_OK)
        return status;
    struct oracle_report judged;
    oracle_all_equal(&runs[0], &runs[1], false, &judged);
    entry->failed = entry->location.differs;
    entry->verdict = oracle_verdict_name(entry->failed ? ORACLE_DIVERGE : ORACLE_AGREE);
    entry->message = strdup(judged.message);
    if (entry->message == NULL)
        return harness_fail_memory(error);
    status = make_folder(report, entry, error);
    return status == HARNESS_OK ? report_write_pictures(report, entry, &runs[0], &runs[1], &surfaces, error) : status;
}

static enum harness_status complete(struct harness_report *report, struct report_entry *entry,
                                    const struct harness_report_input *input, struct harness_error *error)
{
    if (!set_bucket(entry, input->bucket))
        return harness_fail_memory(error);
    return report_write_page(report, entry, input->test_case, error);
}

enum harness_status harness_report_add(struct harness_report *report, struct harness_runner *a,
                                       struct harness_runner *b, const struct harness_report_input *input,
                                       struct harness_error *error)
{
    struct harness_runner *const runners[2] = { a, b };
    struct report_entry *const entry = new_entry(report, input);
    struct harness_program *const program = harness_program_create();
    if (entry == NULL || program == NULL) {
        harness_program_destroy(program);
        return harness_fail_memory(error);
    }
    report->count++;
    enum harness_status status = fill_entry(report, entry, runners, input->test_case, program, error);
    harness_program_destroy(program);
    if (status == HARNESS_OK)
        status = complete(report, entry, input, error);
    if (status != HARNESS_OK) {
        clear_entry(entry);
        report->count--;
    }
    return status;
}

enum harness_status harness_report_add_failed(struct harness_report *report, const struct harness_report_input *input,
                                              const char *verdict, const char *message, struct harness_error *error)
{
    struct report_entry *const entry = new_entry(report, input);
    if (entry == NULL)
        return harness_fail_memory(error);
    report->count++;
    entry->failed = true;
    entry->verdict = verdict;
    entry->message = strdup(message);
    enum harness_status status = entry->message == NULL ? harness_fail_memory(error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = make_folder(report, entry, error);
    if (status == HARNESS_OK)
        status = complete(report, entry, input, error);
    if (status != HARNESS_OK) {
        clear_entry(entry);
        report->count--;
    }
    return status;
}
