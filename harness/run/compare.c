#include "harness/run/compare.h"

#include "oracles/equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum harness_status fail(struct harness_runner *runner, const char *what, uint32_t operation,
                                enum pica_status status, struct harness_error *error)
{
    char place[64];
    (void)snprintf(place, sizeof place, "%s (operation %u)", what, (unsigned)operation);
    return harness_runner_fail(runner, place, status, error);
}

/* The case cannot be tested with this backend, which is no fault of anyone. */
static enum harness_status refuse(const struct harness_runner *runner, struct harness_comparison *out)
{
    memset(&out->report, 0, sizeof out->report);
    out->report.verdict = ORACLE_REFUSED;
    out->report.oracle = "refused";
    oracle_say(&out->report, "%s\n", harness_runner_refusal(runner));
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

/* They differ: again without what is allowed. Without memory nothing is. */
static void judge_tolerantly(const struct oracle_run *first, const struct oracle_run *other,
                             const struct oracle_tolerance *tolerance, const struct harness_surfaces *surfaces,
                             bool slow, struct harness_comparison *out)
{
    struct oracle_surface plain[HARNESS_MAX_SURFACES];
    struct oracle_allowance allowed;
    struct oracle_run cleaned;
    size_t size = 0;
    for (uint32_t window = 0; window < other->window_count; window++)
        size += other->windows[window].size;
    struct oracle_tolerated *const space = malloc(sizeof *space);
    uint8_t *const memory = malloc(size);
    if (space != NULL && memory != NULL) {
        space->memory = memory;
        space->size = size;
        for (size_t i = 0; i < surfaces->count; i++)
            plain[i] = surfaces->items[i].surface;
        oracle_tolerate(first, other, plain, surfaces->count, tolerance, space, &cleaned, &allowed);
        oracle_all_equal(first, &cleaned, slow, &out->report);
        oracle_allowance_add(&out->allowed, &allowed);
    }
    free(space);
    free(memory);
}

bool harness_compare_forgives(const struct harness_runner *a, const struct harness_runner *b,
                              const struct oracle_run *first, const struct oracle_run *other,
                              const struct harness_surfaces *surfaces)
{
    const struct oracle_tolerance *const tolerance = harness_compare_tolerance(a, b);
    struct harness_comparison *const comparison = tolerance != NULL ? calloc(1, sizeof *comparison) : NULL;
    if (comparison == NULL)
        return false;
    comparison->report.verdict = ORACLE_DIVERGE; /* until it is judged: there may be no memory for that */
    judge_tolerantly(first, other, tolerance, surfaces, false, comparison);
    const bool forgives = comparison->report.verdict < ORACLE_DIVERGE_UNDEFINED;
    free(comparison);
    return forgives;
}

static enum harness_status judge(struct harness_runner *const *runners, size_t count,
                                 const struct harness_program *program, uint32_t done,
                                 const struct harness_compare_options *options, const struct harness_surfaces *surfaces,
                                 struct harness_comparison *out, struct harness_error *error)
{
    struct oracle_run first;
    enum pica_status status = harness_runner_collect(runners[0], &first);
    if (status == PICA_OK && options->check_vacuity)
        status = harness_runner_add_loaded(runners[0], program->operations, done, &first);
    if (status != PICA_OK)
        return fail(runners[0], "reading results", out->operation, status, error);
    for (size_t i = 1; i < count; i++) {
        struct oracle_run other;
        status = harness_runner_collect(runners[i], &other);
        if (status != PICA_OK)
            return fail(runners[i], "reading results", out->operation, status, error);
        memcpy(other.loaded, first.loaded, sizeof other.loaded);
        const struct oracle_tolerance *const tolerance = harness_compare_tolerance(runners[0], runners[i]);
        oracle_all_equal(&first, &other, options->slow, &out->report);
        if (tolerance != NULL && out->report.verdict >= ORACLE_DIVERGE)
            judge_tolerantly(&first, &other, tolerance, surfaces, options->slow, out);
        out->bytes = out->report.compared;
        if (out->report.verdict < ORACLE_DIVERGE)
            continue;
        if (harness_runner_lacks(runners[i], &first.events))
            return refuse(runners[i], out);
        if (harness_runner_lacks(runners[0], &other.events))
            return refuse(runners[0], out);
        out->first = first.backend;
        out->second = other.backend;
        out->second_index = i;
        explain_pictures(&first, &other, surfaces, out);
        if (options->excuse)
            oracle_excuse_undefined(&first, &out->report);
        return HARNESS_OK;
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

/* Gives a runner the windows of the first one that differ. */
static enum pica_status take_over_memory(struct harness_runner *runner, const struct oracle_run *first)
{
    enum pica_status status = PICA_OK;
    for (uint32_t i = 0; i < first->window_count && status == PICA_OK; i++) {
        const struct pica_window *const window = &first->windows[i];
        const struct pica_operation load = { .kind = PICA_OPERATION_LOAD_MEMORY,
                                             .address = window->address,
                                             .size = window->size,
                                             .data = first->memory[i] };
        struct oracle_run own; /* valid until the next load */
        status = harness_runner_collect(runner, &own);
        const bool is_whole = first->held[i] == NULL && own.held[i] == NULL; /* else some bytes mean nothing */
        if (status == PICA_OK && is_whole && memcmp(first->memory[i], own.memory[i], window->size) != 0)
            status = harness_runner_backend(runner)->run(harness_runner_instance(runner), &load);
    }
    return status;
}

/* After an operation that all agree on: what a tolerance let pass goes on as the first one has it. A transfer of a
 * picture that is off by one may be off by one itself, and no more. */
static enum harness_status take_over(struct harness_runner *const *runners, size_t count,
                                     struct harness_comparison *out, struct harness_error *error)
{
    struct oracle_run first;
    enum pica_status status = harness_runner_collect(runners[0], &first);
    for (size_t i = 1; i < count && status == PICA_OK; i++)
        status = take_over_memory(runners[i], &first);
    return status == PICA_OK ? HARNESS_OK
                             : fail(runners[1], "taking over what is tolerated", out->operation, status, error);
}

static void observe(struct harness_runner *runner, pica_draw_observer observer, void *user)
{
    const struct pica_backend *backend = harness_runner_backend(runner);
    if (backend->observe_draws != NULL)
        (void)backend->observe_draws(harness_runner_instance(runner), observer, user);
}

/* One operation on all, but not on one that would run on for ever where the first has stopped. */
static enum harness_status step_all(struct harness_runner *const *runners, size_t count,
                                    const struct pica_operation *operation, struct harness_comparison *out,
                                    struct harness_error *error)
{
    for (size_t i = 0; i < count; i++) {
        struct pica_events events;
        if (i != 0 && !harness_runner_keeps_budgets(runners[i]) &&
            harness_runner_events(runners[0], &events) == PICA_OK && harness_runner_lacks(runners[i], &events))
            return refuse(runners[i], out);
        const enum pica_status status = harness_runner_step(runners[i], operation);
        if (status == PICA_NOT_SUPPORTED)
            return refuse(runners[i], out);
        if (status != PICA_OK)
            return fail(runners[i], "running an operation", out->operation, status, error);
    }
    return HARNESS_OK;
}

static enum harness_status run_all(struct harness_runner *const *runners, size_t count,
                                   const struct harness_program *program, const struct harness_compare_options *options,
                                   struct harness_surfaces *surfaces, struct harness_comparison *out,
                                   struct harness_error *error)
{
    for (uint32_t done = 0; done < program->count; done++) {
        out->operation = program->origins[done];
        harness_surfaces_add_operation(surfaces, &program->operations[done]);
        enum harness_status status = step_all(runners, count, &program->operations[done], out, error);
        if (status != HARNESS_OK || out->report.verdict == ORACLE_REFUSED)
            return status;
        const bool last = done + 1 == program->count, tolerant = is_tolerant(runners, count);
        if (!last && !options->every_operation && !tolerant)
            continue;
        status = judge(runners, count, program, done + 1, options, surfaces, out, error);
        if (status != HARNESS_OK || out->report.verdict >= ORACLE_REFUSED)
            return status;
        if (!last && tolerant)
            status = take_over(runners, count, out, error);
        if (status != HARNESS_OK)
            return status;
    }
    if (program->count == 0)
        return judge(runners, count, program, 0, options, surfaces, out, error);
    return HARNESS_OK;
}

/* What all of them model. */
static void name_scope(struct harness_runner *const *runners, size_t count, struct harness_comparison *out)
{
    struct oracle_scope scope;
    oracle_scope_all(&scope);
    for (size_t i = 0; i < count; i++)
        oracle_scope_meet(&scope, harness_runner_scope(runners[i]));
    if (!oracle_scope_is_all(&scope))
        oracle_scope_text(&scope, out->scope, sizeof out->scope);
}

enum harness_status harness_compare(struct harness_runner *const *runners, size_t count,
                                    const struct harness_program *program,
                                    const struct harness_compare_options *options, struct harness_comparison *out,
                                    struct harness_error *error)
{
    memset(out, 0, sizeof *out);
    out->picture = "";
    struct harness_surfaces surfaces;
    struct pica_choices choices;
    harness_runners_choices(runners, count, &choices);
    harness_surfaces_clear(&surfaces, &choices);
    if (options->surfaces != NULL)
        surfaces = *options->surfaces;
    name_scope(runners, count, out);
    for (size_t i = 0; i < count; i++) {
        const enum pica_status status = harness_runner_load(runners[i], &program->setup);
        if (status == PICA_NOT_SUPPORTED)
            return refuse(runners[i], out);
        if (status != PICA_OK)
            return harness_runner_fail(runners[i], "loading the case", status, error);
    }
    observe(runners[0], harness_surfaces_observe, &surfaces);
    const enum harness_status status = run_all(runners, count, program, options, &surfaces, out, error);
    observe(runners[0], NULL, NULL);
    return status;
}
