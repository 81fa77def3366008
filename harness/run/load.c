#include "harness/run/load.h"

#include "harness/run/backends.h"
#include "harness/run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The page reports of one run, for every window of the case. */
struct page_reports {
    struct harness_touched windows[PICA_MAX_WINDOWS];
    uint64_t *bits;
};

static size_t words_of(const struct pica_window *window)
{
    return (window->size / PICA_PAGE_SIZE + 63) / 64;
}

static enum harness_status read_reports(struct harness_runner *runner, const struct harness_case *test_case,
                                        struct page_reports *reports, struct harness_error *error)
{
    size_t total = 0;
    for (uint32_t i = 0; i < test_case->window_count; i++)
        total += 2 * words_of(&test_case->windows[i]);
    reports->bits = calloc(total, sizeof *reports->bits);
    if (reports->bits == NULL)
        return harness_fail_memory(error);
    const struct pica_backend *const backend = harness_runner_backend(runner);
    void *const instance = harness_runner_instance(runner);
    uint64_t *bits = reports->bits;
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        const size_t words = words_of(&test_case->windows[i]);
        if (backend->touched_pages(instance, i, PICA_PAGES_READ, bits, words) != PICA_OK ||
            backend->touched_pages(instance, i, PICA_PAGES_WRITTEN, bits + words, words) != PICA_OK)
            return harness_fail(error, HARNESS_HOST, "backend %s: reports no pages", backend->name);
        reports->windows[i] = (struct harness_touched){ .read = bits, .written = bits + words, .words = words };
        bits += 2 * words;
    }
    return HARNESS_OK;
}

static enum harness_status run_tracked(struct harness_runner *runner, const struct harness_case *test_case,
                                       struct harness_error *error)
{
    struct harness_program *const program = harness_program_create();
    if (program == NULL)
        return harness_fail_memory(error);
    enum harness_status status = harness_case_setup(test_case, program, error);
    size_t failed = 0;
    if (status == HARNESS_OK && (harness_runner_load(runner, &program->setup) != PICA_OK ||
                                 harness_runner_run(runner, program->operations, program->count, &failed) != PICA_OK))
        status = harness_fail(error, HARNESS_HOST, "finding the windows of the capture: operation %zu failed", failed);
    harness_program_destroy(program);
    return status;
}

enum harness_status harness_tighten_windows(struct harness_case *test_case, struct harness_text *warnings,
                                            struct harness_error *error)
{
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    const struct pica_options options = { .flags = PICA_OPTION_TRACK_READS };
    struct harness_runner *runner = NULL;
    if (harness_runner_create(linked[0], &options, &runner) != PICA_OK)
        return harness_fail_memory(error);
    struct page_reports reports;
    memset(&reports, 0, sizeof reports);
    enum harness_status status = run_tracked(runner, test_case, error);
    if (status == HARNESS_OK)
        status = read_reports(runner, test_case, &reports, error);
    if (status == HARNESS_OK)
        status = harness_import_windows(test_case, reports.windows, warnings, error);
    free(reports.bits);
    harness_runner_destroy(runner);
    return status;
}

enum harness_status harness_load(struct harness_case *out, const char *path, struct harness_text *warnings,
                                 struct harness_error *error)
{
    enum harness_format format = HARNESS_FORMAT_PCASE;
    const enum harness_status status = harness_case_load_file(out, path, &format, warnings, error);
    if (status != HARNESS_OK || format == HARNESS_FORMAT_PCASE || format == HARNESS_FORMAT_PCB)
        return status;
    return harness_tighten_windows(out, warnings, error);
}

enum harness_status harness_load_input(const char *path, uint8_t *out, size_t *size, struct harness_error *error)
{
    *size = 0;
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status =
        test_case == NULL ? harness_fail_memory(error) : harness_load(test_case, path, NULL, error);
    if (status == HARNESS_OK) {
        harness_bound_case(test_case);
        status = harness_pcb_encode(test_case, out, HARNESS_MAX_INPUT, size, error);
    }
    harness_case_destroy(test_case);
    return status;
}

void harness_input_name(const char *path, char *out, size_t size)
{
    size_t first = strlen(path);
    for (int slashes = 0; first != 0 && slashes < 2; first--)
        if (path[first - 1] == '/' && ++slashes == 2)
            break;
    (void)snprintf(out, size, "%s.pcb", path + first);
    for (char *c = out; *c != '\0'; c++)
        if (*c == '/')
            *c = '-';
}
