#include "harness/run/compare.h"

#include "harness/run/image.h"
#include "harness/run/kind.h"
#include "oracles/equal.h"
#include "pica/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A comparison on its way. */
struct work {
    struct harness_runner *const *runners;
    size_t count;
    const struct harness_program *program;
    const struct harness_compare_options *options;
    struct harness_surfaces surfaces; /* drawn to so far */
    uint32_t step;                    /* of the program; UINT32_MAX: loading */
    struct harness_comparison *out;
    struct harness_error *error;
};

static void tell(const struct work *work, size_t backend)
{
    const struct harness_compare_watcher *const watcher = work->options->watcher;
    if (watcher != NULL && watcher->at != NULL)
        watcher->at(watcher->user, backend, work->step);
}

static enum harness_status fail(const struct work *work, size_t backend, const char *what, enum pica_status status)
{
    char place[64];
    (void)snprintf(place, sizeof place, "%s (operation %u)", what, (unsigned)work->out->operation);
    tell(work, backend);
    return harness_runner_fail(work->runners[backend], place, status, work->error);
}

/* The case cannot be tested with this backend, which is no fault of anyone. */
static enum harness_status refuse(const struct work *work, size_t backend)
{
    struct oracle_report *const report = &work->out->report;
    tell(work, backend);
    memset(report, 0, sizeof *report);
    report->verdict = ORACLE_REFUSED;
    report->oracle = "refused";
    oracle_say(report, "%s\n", harness_runner_refusal(work->runners[backend]));
    return HARNESS_OK;
}

/* Adds what the pictures say: the same bytes as pixels. */
static void explain_pictures(const struct oracle_run *a, const struct oracle_run *b,
                             const struct harness_surfaces *surfaces, struct harness_comparison *out)
{
    for (size_t i = 0; i < surfaces->count; i++) {
        struct oracle_report report;
        oracle_framebuffer_equal(a, b, &surfaces->items[i].surface,
                                 harness_surface_origin_name(surfaces->items[i].origin), &report);
        out->pictures++;
        out->differing_pixels += report.differences;
        if (report.verdict != ORACLE_DIVERGE)
            continue;
        if (out->picture[0] == '\0')
            out->picture = harness_surface_origin_name(surfaces->items[i].origin);
        oracle_say(&out->report, "%s", report.message);
    }
}

const struct oracle_tolerance *harness_compare_tolerance(const struct harness_runner *a, const struct harness_runner *b)
{
    const struct oracle_tolerance *const tolerance = harness_runner_tolerance(b);
    return tolerance != NULL ? tolerance : harness_runner_tolerance(a);
}

/* They differ: judges again after removing the differences that are allowed. If the host has no memory for that, none
 * is. */
static void judge_tolerantly(const struct work *work, const struct oracle_run *first, const struct oracle_run *other,
                             const struct oracle_tolerance *tolerance)
{
    const struct harness_surfaces *const surfaces = &work->surfaces;
    struct harness_comparison *const out = work->out;
    struct oracle_surface plain[HARNESS_MAX_SURFACES];
    struct oracle_allowance allowed;
    struct oracle_run cleaned;
    const size_t size = harness_image_size(&work->program->setup);
    struct oracle_tolerated *const space = malloc(sizeof *space);
    uint8_t *const memory = malloc(size);
    if (space != NULL && memory != NULL) {
        space->memory = memory;
        space->size = size;
        for (size_t i = 0; i < surfaces->count; i++)
            plain[i] = surfaces->items[i].surface;
        oracle_tolerate(first, other, plain, surfaces->count, tolerance, space, &cleaned, &allowed);
        oracle_all_equal(first, &cleaned, work->options->slow, &out->report);
        oracle_allowance_add(&out->allowed, &allowed);
    }
    free(space);
    free(memory);
}

/* Judges one against the first: false if they differ, and more than is tolerated. */
static bool is_same(const struct work *work, const struct oracle_run *first, const struct oracle_run *other,
                    size_t backend, bool last)
{
    const struct harness_compare_options *const options = work->options;
    struct harness_comparison *const out = work->out;
    const struct oracle_tolerance *const tolerance =
        harness_compare_tolerance(work->runners[0], work->runners[backend]);
    if (!options->slow && (options->quick || !last) && oracle_same(first, other))
        return true;
    oracle_all_equal(first, other, options->slow, &out->report);
    if (tolerance != NULL && out->report.verdict >= ORACLE_DIVERGE)
        judge_tolerantly(work, first, other, tolerance);
    out->bytes = out->report.compared;
    return out->report.verdict < ORACLE_DIVERGE;
}

static enum harness_status explain_difference(struct work *work, const struct oracle_run *first,
                                              const struct oracle_run *other, size_t backend)
{
    const struct harness_compare_watcher *const watcher = work->options->watcher;
    struct harness_comparison *const out = work->out;
    if (harness_runner_lacks(work->runners[backend], &first->events))
        return refuse(work, backend);
    if (harness_runner_lacks(work->runners[0], &other->events))
        return refuse(work, 0);
    out->first = first->backend;
    out->second = other->backend;
    explain_pictures(first, other, &work->surfaces, out);
    if (work->options->excuse)
        oracle_excuse_undefined(first, &out->report);
    tell(work, backend);
    if (watcher != NULL && watcher->differs != NULL)
        watcher->differs(watcher->user, first, other, &work->surfaces);
    return HARNESS_OK;
}

static enum harness_status judge(struct work *work, uint32_t done, bool last)
{
    struct oracle_run first;
    tell(work, 0);
    enum pica_status status = harness_runner_collect(work->runners[0], &first);
    if (status == PICA_OK && work->options->check_vacuity && last)
        status = harness_runner_add_loaded(work->runners[0], work->program->operations, done, &first);
    if (status != PICA_OK)
        return fail(work, 0, "reading results", status);
    work->out->events = first.events;
    for (size_t i = 1; i < work->count; i++) {
        struct oracle_run other;
        tell(work, i);
        status = harness_runner_collect(work->runners[i], &other);
        if (status != PICA_OK)
            return fail(work, i, "reading results", status);
        memcpy(other.loaded, first.loaded, sizeof other.loaded);
        if (!is_same(work, &first, &other, i, last))
            return explain_difference(work, &first, &other, i);
    }
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------ what is tolerated once */

static bool is_tolerant(struct harness_runner *const *runners, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (harness_compare_tolerance(runners[0], runners[i]) != NULL)
            return true;
    return false;
}

/* Gives a runner a window of another one, but for pages that mean nothing in one of the two. */
static enum pica_status take_over_window(struct harness_runner *runner, const struct oracle_run *first,
                                         const struct oracle_run *own, uint32_t window)
{
    const uint32_t size = first->windows[window].size;
    uint8_t *const bytes = malloc(size);
    if (bytes == NULL)
        return PICA_NO_MEMORY;
    for (uint32_t at = 0; at < size; at += PICA_PAGE_SIZE) {
        const bool both =
            oracle_holds(first, window, at / PICA_PAGE_SIZE) && oracle_holds(own, window, at / PICA_PAGE_SIZE);
        memcpy(bytes + at, (both ? first : own)->memory[window] + at, PICA_PAGE_SIZE);
    }
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = first->windows[window].address, .size = size, .data = bytes
    };
    const enum pica_status status = memcmp(bytes, own->memory[window], size) == 0
                                        ? PICA_OK
                                        : harness_runner_backend(runner)->run(harness_runner_instance(runner), &load);
    free(bytes);
    return status;
}

static enum pica_status take_over_memory(struct harness_runner *runner, const struct oracle_run *first)
{
    enum pica_status status = PICA_OK;
    for (uint32_t i = 0; i < first->window_count && status == PICA_OK; i++) {
        struct oracle_run own; /* valid until the next load */
        status = harness_runner_collect(runner, &own);
        if (status == PICA_OK)
            status = take_over_window(runner, first, &own, i);
    }
    return status;
}

static bool is_recorded(const struct harness_runner *runner)
{
    return harness_is_recorded(harness_runner_backend(runner));
}

/* After an operation on which all agree: so that what a tolerance let pass does not add up, all take over the memory of
 * the first one. (A transfer of a picture that is off by one may then be off by one itself, and no more.) A recording
 * takes over nothing, so the first recording, if there is one, is what others take over; between two recordings
 * differences do add up. */
static enum harness_status take_over(const struct work *work)
{
    struct oracle_run base;
    size_t leader = 0, i = 0;
    while (leader + 1 < work->count && !is_recorded(work->runners[leader]))
        leader++;
    leader = is_recorded(work->runners[leader]) ? leader : 0;
    enum pica_status status = harness_runner_collect(work->runners[leader], &base);
    for (i = 0; i < work->count && status == PICA_OK; i++)
        if (i != leader && !is_recorded(work->runners[i]))
            status = take_over_memory(work->runners[i], &base);
    return status == PICA_OK ? HARNESS_OK : fail(work, i != 0 ? i - 1 : 0, "taking over what is tolerated", status);
}

static void observe(struct harness_runner *runner, pica_draw_observer observer, void *user)
{
    const struct pica_backend *backend = harness_runner_backend(runner);
    if (backend->observe_draws != NULL)
        (void)backend->observe_draws(harness_runner_instance(runner), observer, user);
}

/* One operation on all. A backend that lacks a budget at which the first has stopped might run for ever: refused. */
static enum harness_status step_all(const struct work *work, const struct pica_operation *operation)
{
    for (size_t i = 0; i < work->count; i++) {
        struct harness_runner *const runner = work->runners[i];
        struct pica_events events;
        if (i != 0 && !harness_runner_keeps_budgets(runner) &&
            harness_runner_events(work->runners[0], &events) == PICA_OK && harness_runner_lacks(runner, &events))
            return refuse(work, i);
        tell(work, i);
        const enum pica_status status = harness_runner_step(runner, operation);
        if (status == PICA_NOT_SUPPORTED)
            return refuse(work, i);
        if (status != PICA_OK)
            return fail(work, i, "running an operation", status);
    }
    return HARNESS_OK;
}

static enum harness_status run_all(struct work *work)
{
    const struct harness_program *const program = work->program;
    const bool tolerant = is_tolerant(work->runners, work->count);
    for (uint32_t done = 0; done < program->count; done++) {
        const struct pica_operation *const operation = &program->operations[done];
        const bool last = done + 1 == program->count;
        work->step = done;
        work->out->operation = program->origins[done];
        harness_surfaces_add_operation(&work->surfaces, operation);
        enum harness_status status = step_all(work, operation);
        if (status != HARNESS_OK || work->out->report.verdict == ORACLE_REFUSED)
            return status;
        const bool judges = (work->options->every_operation || tolerant) && work->count > 1 &&
                            operation->kind != PICA_OPERATION_LOAD_MEMORY;
        if (!last && !judges)
            continue;
        status = judge(work, done + 1, last);
        if (status != HARNESS_OK || work->out->report.verdict >= ORACLE_REFUSED)
            return status;
        if (!last && tolerant)
            status = take_over(work);
        if (status != HARNESS_OK)
            return status;
    }
    return program->count == 0 ? judge(work, 0, true) : HARNESS_OK;
}

/* The parts that all of them model, if those are not all parts. */
static void name_scope(struct harness_runner *const *runners, size_t count, struct harness_comparison *out)
{
    struct oracle_scope scope;
    oracle_scope_all(&scope);
    for (size_t i = 0; i < count; i++)
        oracle_scope_meet(&scope, harness_runner_scope(runners[i]));
    if (!oracle_scope_is_all(&scope))
        oracle_scope_text(&scope, out->scope, sizeof out->scope);
}

static enum harness_status load_all(const struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        tell(work, i);
        const enum pica_status status = harness_runner_load(work->runners[i], &work->program->setup);
        if (status == PICA_NOT_SUPPORTED)
            return refuse(work, i);
        if (status != PICA_OK)
            return harness_runner_fail(work->runners[i], "loading the case", status, work->error);
    }
    return HARNESS_OK;
}

enum harness_status harness_compare(struct harness_runner *const *runners, size_t count,
                                    const struct harness_program *program,
                                    const struct harness_compare_options *options, struct harness_comparison *out,
                                    struct harness_error *error)
{
    struct work work = { .runners = runners,
                         .count = count,
                         .program = program,
                         .options = options,
                         .step = UINT32_MAX,
                         .out = out,
                         .error = error };
    struct pica_choices choices;
    memset(out, 0, sizeof *out);
    out->picture = "";
    harness_runners_choices(runners, count, &choices);
    harness_surfaces_clear(&work.surfaces, &choices);
    if (options->surfaces != NULL)
        work.surfaces = *options->surfaces;
    name_scope(runners, count, out);
    enum harness_status status = load_all(&work);
    if (status != HARNESS_OK || out->report.verdict == ORACLE_REFUSED)
        return status;
    observe(runners[0], harness_surfaces_observe, &work.surfaces);
    status = run_all(&work);
    observe(runners[0], NULL, NULL);
    return status;
}

bool harness_events_within(const struct pica_events *some, const struct pica_events *all)
{
    const struct pica_events needed = pica_events_without_hints(*some);
    for (size_t i = 0; i < PICA_EVENT_WORDS; i++)
        if ((needed.words[i] & ~all->words[i]) != 0)
            return false;
    return true;
}
