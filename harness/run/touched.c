#include "harness/run/touched.h"

#include "harness/run/backends.h"
#include "harness/run/image.h"
#include "harness/run/runner.h"
#include "harness/run/surfaces.h"

#include <stdlib.h>
#include <string.h>

static size_t words_of(const struct pica_window *window)
{
    return harness_page_words(window->size);
}

static enum harness_status read_reports(struct harness_runner *runner, const struct harness_case *test_case,
                                        struct harness_page_reports *reports, struct harness_error *error)
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
                                       const struct pica_chunk *more, uint32_t more_count,
                                       struct harness_surfaces *targets, struct harness_error *error)
{
    struct harness_program *const program = harness_program_create();
    if (program == NULL)
        return harness_fail_memory(error);
    enum harness_status status = harness_case_setup(test_case, program, error);
    if (more_count != 0) { /* captures have no chunks of their own */
        program->setup.chunks = more;
        program->setup.chunk_count = more_count;
    }
    if (status == HARNESS_OK && (harness_runner_load(runner, &program->setup) != PICA_OK ||
                                 harness_runner_backend(runner)->observe_draws(
                                     harness_runner_instance(runner), harness_surfaces_observe, targets) != PICA_OK ||
                                 harness_runner_run(runner, program->operations, program->count) != PICA_OK))
        status = harness_fail(error, HARNESS_HOST, "finding the windows of the capture: operation %u failed",
                              (unsigned)(harness_runner_steps(runner) != 0 ? harness_runner_steps(runner) - 1 : 0));
    harness_program_destroy(program);
    return status;
}

/* What memory held in the beginning, for one window. */
static void place_chunks(const struct pica_chunk *chunks, uint32_t count, const struct pica_window *window,
                         uint8_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (chunks[i].address - window->address < window->size)
            memcpy(out + (chunks[i].address - window->address), chunks[i].data, chunks[i].size);
}

/* A backend counts what is loaded in the beginning as written. Here only pages that have changed since count. */
static enum harness_status forget_unchanged(struct harness_runner *runner, const struct harness_case *test_case,
                                            const struct pica_chunk *chunks, uint32_t count,
                                            struct harness_page_reports *reports, struct harness_error *error)
{
    uint64_t *bits = reports->bits;
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        const struct pica_window *const window = &test_case->windows[i];
        uint64_t *const written = bits + words_of(window);
        uint8_t *const before = calloc(1, window->size);
        const uint8_t *after = NULL;
        if (before == NULL ||
            harness_runner_backend(runner)->view_memory(harness_runner_instance(runner), i, &after) != PICA_OK) {
            free(before);
            return harness_fail_memory(error);
        }
        place_chunks(chunks, count, window, before);
        for (uint32_t page = 0; page < window->size / PICA_PAGE_SIZE; page++) {
            const size_t at = (size_t)page * PICA_PAGE_SIZE;
            if (memcmp(before + at, after + at, PICA_PAGE_SIZE) == 0)
                written[page / 64] &= ~((uint64_t)1 << page % 64);
        }
        free(before);
        bits += 2 * words_of(window);
    }
    return HARNESS_OK;
}

/* All of a buffer that is drawn to counts, also where the draws leave it as it was: it is one picture (FBF-01). */
static void add_target(const struct harness_case *test_case, const struct oracle_surface *surface,
                       struct harness_page_reports *reports)
{
    const uint64_t end = surface->address + oracle_surface_bytes(surface);
    uint64_t *bits = reports->bits;
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        const struct pica_window *const window = &test_case->windows[i];
        uint64_t *const written = bits + words_of(window);
        for (uint32_t page = 0; page < window->size / PICA_PAGE_SIZE; page++) {
            const uint64_t address = (uint64_t)window->address + page * PICA_PAGE_SIZE;
            if (address + PICA_PAGE_SIZE > surface->address && address < end)
                written[page / 64] |= (uint64_t)1 << page % 64;
        }
        bits += 2 * words_of(window);
    }
}

enum harness_status harness_touched_pages(const struct harness_case *test_case, const struct pica_chunk *more,
                                          uint32_t more_count, struct harness_page_reports *out,
                                          struct harness_error *error)
{
    const struct pica_options options = { .flags = PICA_OPTION_TRACK_READS };
    struct harness_runner *runner = NULL;
    const struct pica_choices normative = { { 0 } };
    struct harness_surfaces targets;
    harness_surfaces_clear(&targets, &normative);
    memset(out, 0, sizeof *out);
    if (harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner) != PICA_OK)
        return harness_fail_memory(error);
    enum harness_status status = run_tracked(runner, test_case, more, more_count, &targets, error);
    if (status == HARNESS_OK)
        status = read_reports(runner, test_case, out, error);
    if (status == HARNESS_OK && more_count != 0)
        status = forget_unchanged(runner, test_case, more, more_count, out, error);
    for (size_t i = 0; i < targets.count && status == HARNESS_OK && more_count != 0; i++)
        add_target(test_case, &targets.items[i].surface, out);
    harness_runner_destroy(runner);
    return status;
}

void harness_page_reports_free(struct harness_page_reports *reports)
{
    free(reports->bits);
}
