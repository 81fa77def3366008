#include "harness/cli/record.h"

#include "harness/case/formats.h"
#include "harness/run/recording.h"
#include "harness/run/surfaces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* SOURCE_DATE_EPOCH, as reproducible builds have it: the same results are the same file then. */
static time_t moment(void)
{
    const char *const given = getenv("SOURCE_DATE_EPOCH");
    uint64_t seconds = 0;
    return given != NULL && cli_number(given, 0, 253402300799u, &seconds) ? (time_t)seconds : time(NULL);
}

void cli_record_date(char *out, size_t size)
{
    const time_t now = moment();
    struct tm parts;
    if (gmtime_r(&now, &parts) == NULL || strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        (void)snprintf(out, size, "unknown");
}

/* ------------------------------------------------------------------------------------------------------------ pages */

int cli_record_take_pages(struct cli_record *record)
{
    const struct cli_list *const words = &record->pages;
    if (words->count != 0 && record->path == NULL)
        return cli_usage("run", "--record-pages goes with --record");
    record->surfaces = words->count == 1 && strcmp(words->items[0], "surfaces") == 0;
    for (size_t i = 0; i < words->count && !record->surfaces; i++)
        if (!cli_range(words->items[i], UINT32_MAX, &record->ranges[i]))
            return cli_usage("run", "--record-pages: '%s' is neither `surfaces` nor ADDRESS+BYTES", words->items[i]);
    return CLI_OK;
}

static struct pica_window range_of(const struct oracle_surface *surface)
{
    const uint64_t bytes = oracle_surface_bytes(surface);
    return (struct pica_window){ surface->address, bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX };
}

/* The buffers of the case, as `reference` has them, for not every plug-in reports its draws. */
static uint32_t find_buffers(const struct harness_program *program, struct pica_window out[HARNESS_MAX_SURFACES])
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct harness_runner *runner = NULL;
    struct pica_choices choices;
    struct harness_surfaces surfaces;
    if (harness_runner_create(reference, &options, &runner) != PICA_OK)
        return 0;
    harness_runners_choices(&runner, 1, &choices);
    harness_surfaces_clear(&surfaces, &choices);
    (void)reference->observe_draws(harness_runner_instance(runner), harness_surfaces_observe, &surfaces);
    if (harness_runner_load(runner, &program->setup) == PICA_OK)
        (void)harness_runner_run(runner, program->operations, program->count);
    for (uint32_t i = 0; i < program->count; i++)
        harness_surfaces_add_operation(&surfaces, &program->operations[i]);
    harness_runner_destroy(runner);
    for (size_t i = 0; i < surfaces.count; i++)
        out[i] = range_of(&surfaces.items[i].surface);
    return (uint32_t)surfaces.count;
}

/* ------------------------------------------------------------------------------------------------------------- file */

static int write_head(const struct cli_record *record)
{
    struct harness_recording_head head = { .program = "picafuzz " PICAFUZZ_VERSION, .has_absences = true };
    struct harness_backend backend;
    struct harness_error error = { "" };
    enum harness_status status =
        harness_backend_open(harness_backend_apart(record->options->backends.items[0]), &backend, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_scope_apply(record->options, &backend);
    (void)snprintf(head.backend, sizeof head.backend, "%s", backend.backend->name);
    cli_record_date(head.date, sizeof head.date);
    head.scope = backend.scope;
    head.scope.some_pages = head.scope.some_pages || record->pages.count != 0;
    head.has_screens = (head.scope.parts & (uint32_t)PICA_PART_SCREENS) != 0;
    if (backend.backend->models != NULL) {
        head.budgets = backend.backend->models->budgets;
        head.float24 = backend.backend->models->float24 != 0;
    }
    status = harness_recording_head(record->growing, &head, &error);
    harness_backend_close(&backend);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

int cli_record_start(struct cli_record *record, const struct cli_run_options *options)
{
    record->options = options;
    if (record->path == NULL)
        return CLI_OK;
    if (harness_file_is_special(record->path))
        return cli_usage("run", "--record: a recording grows in a file");
    if ((size_t)snprintf(record->growing, sizeof record->growing, "%s.recording", record->path) >=
        sizeof record->growing)
        return cli_usage("run", "--record: the path is too long");
    return write_head(record);
}

enum harness_status cli_record_open(const struct cli_record *record, const struct harness_program *program,
                                    struct harness_recorder **out, struct harness_error *error)
{
    struct pica_window buffers[HARNESS_MAX_SURFACES];
    *out = NULL;
    const enum harness_status status =
        record->path == NULL ? HARNESS_OK : harness_recorder_open(record->growing, out, error);
    if (*out == NULL || record->pages.count == 0)
        return status;
    if (!record->surfaces)
        return harness_recorder_keep(*out, record->ranges, (uint32_t)record->pages.count, error);
    return harness_recorder_keep(*out, buffers, find_buffers(program, buffers), error);
}

off_t cli_record_begin(const struct cli_record *record)
{
    struct stat status;
    return record->path != NULL && stat(record->growing, &status) == 0 ? status.st_size : -1;
}

void cli_record_end(const struct cli_record *record, off_t before, bool good)
{
    if (!good && before >= 0 && truncate(record->growing, before) != 0)
        cli_print(stderr, "picafuzz: %s: cannot be cut: %s\n", record->growing, strerror(errno));
}

int cli_record_finish(struct cli_record *record)
{
    struct harness_error error = { "" };
    if (record->path == NULL)
        return CLI_OK;
    enum harness_status status = harness_recording_end(record->growing, &error);
    if (status == HARNESS_OK && rename(record->growing, record->path) != 0)
        status = harness_fail(&error, HARNESS_HOST, "%s: cannot be written: %s", record->path, strerror(errno));
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_print(stderr, "%s: %zu case(s) recorded", record->path, record->cases);
    if (record->not_tested != 0)
        cli_print(stderr, ", %zu more as not tested", record->not_tested);
    cli_print(stderr, "; compare with `-b recorded:%s`\n", record->path);
    return CLI_OK;
}
