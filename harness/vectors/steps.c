#include "harness/vectors/steps.h"

#include "harness/case/grow.h"

#include "oracles/screens.h"
#include "pica/events.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void vectors_steps_free(struct vectors_steps *steps)
{
    free(steps->items);
    memset(steps, 0, sizeof *steps);
}

static enum harness_status begin(struct harness_runner *runner, const struct harness_program *program,
                                 struct harness_error *error)
{
    const enum pica_status status = harness_runner_load(runner, &program->setup);
    return status == PICA_OK ? HARNESS_OK : harness_runner_fail(runner, "loading the case", status, error);
}

static enum harness_status step(struct harness_runner *runner, const struct pica_operation *operation,
                                struct oracle_run *run, struct harness_error *error)
{
    enum pica_status status = harness_runner_step(runner, operation);
    if (status == PICA_OK)
        status = harness_runner_collect(runner, run);
    return status == PICA_OK ? HARNESS_OK : harness_runner_fail(runner, "running the case", status, error);
}

/* --------------------------------------------------------------------------------------------------------- surfaces */

static void observe(struct harness_runner *runner, struct harness_surfaces *surfaces)
{
    (void)harness_runner_backend(runner)->observe_draws(harness_runner_instance(runner),
                                                        surfaces != NULL ? harness_surfaces_observe : NULL, surfaces);
}

enum harness_status vectors_find_surfaces(struct harness_runner *runner, const struct harness_program *program,
                                          struct harness_surfaces *surfaces, struct harness_error *error)
{
    const struct pica_choices normative = { { 0 } };
    harness_surfaces_clear(surfaces, &normative);
    enum harness_status status = begin(runner, program, error);
    observe(runner, surfaces);
    for (uint32_t i = 0; i < program->count && status == HARNESS_OK; i++) {
        struct oracle_run run;
        harness_surfaces_add_operation(surfaces, &program->operations[i]);
        status = step(runner, &program->operations[i], &run, error);
    }
    observe(runner, NULL);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- digests */

static void add(struct vectors_steps *steps, uint32_t at, uint32_t what, uint64_t digest)
{
    struct vectors_digest *const items = harness_grow(steps->items, steps->count, sizeof *items);
    steps->failed = steps->failed || items == NULL;
    if (items == NULL)
        return;
    steps->items = items;
    steps->items[steps->count++] = (struct vectors_digest){ at, what, digest };
}

static void add_changes(struct vectors_steps *steps, uint32_t at, size_t surfaces, const struct vectors_digests *before,
                        const struct vectors_digests *now)
{
    for (uint32_t part = 0; part < VECTORS_PARTS && !steps->failed; part++) {
        if (before->parts[part] == now->parts[part])
            continue;
        add(steps, at, part, now->parts[part]);
        steps->tells |= 1u << part;
    }
    for (uint32_t i = 0; i < surfaces && !steps->failed; i++)
        if (before->surfaces[i] != now->surfaces[i])
            add(steps, at, VECTORS_SURFACE + i, now->surfaces[i]);
}

static void note_undefined(const struct oracle_run *run, struct vectors_steps *steps)
{
    for (size_t i = 0; i < sizeof run->events.words / sizeof run->events.words[0]; i++)
        steps->undefined = steps->undefined || (run->events.words[i] & pica_events_class_m().words[i]) != 0;
}

/* Digests now, and the state that they are of. */
struct moment {
    struct vectors_digests digests;
    struct pica_state state;
};

/* After operation number `at`, unless that is a load. */
static bool take_moment(struct moment *moment, const struct oracle_run *run, const struct harness_surfaces *surfaces,
                        struct vectors_steps *out, uint32_t at, bool is_load)
{
    struct vectors_digests now;
    if (!vectors_digest(run, surfaces, &moment->digests, &moment->state, &now))
        return false;
    if (!is_load)
        add_changes(out, at, surfaces->count, &moment->digests, &now);
    moment->digests = now;
    moment->state = *run->state;
    return true;
}

static enum harness_status take_steps(struct moment *moment, struct harness_runner *runner,
                                      const struct harness_program *program, const struct harness_surfaces *surfaces,
                                      struct vectors_steps *out, struct harness_recorder *recorder,
                                      struct harness_error *error)
{
    uint32_t at = 0;
    struct oracle_run run;
    if (harness_runner_collect(runner, &run) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "reading results failed");
    moment->state = *run.state;
    bool good = vectors_digest(&run, surfaces, NULL, NULL, &moment->digests);
    for (uint32_t i = 0; good && i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        const bool is_load = operation->kind == PICA_OPERATION_LOAD_MEMORY;
        enum harness_status status = step(runner, operation, &run, error);
        if (status == HARNESS_OK && recorder != NULL)
            status = harness_recorder_step_with(recorder, operation, &run, error);
        if (status != HARNESS_OK)
            return status;
        good = take_moment(moment, &run, surfaces, out, at, is_load);
        at += !is_load;
    }
    note_undefined(&run, out);
    return good && !out->failed ? HARNESS_OK : harness_fail_memory(error);
}

enum harness_status vectors_take_steps(struct harness_runner *runner, const struct harness_program *program,
                                       const struct harness_surfaces *surfaces, struct vectors_steps *out,
                                       struct harness_recorder *recorder, const char *name, struct harness_error *error)
{
    struct moment *const moment = malloc(sizeof *moment);
    enum harness_status status = moment != NULL ? begin(runner, program, error) : harness_fail_memory(error);
    if (status == HARNESS_OK && recorder != NULL)
        status = harness_recorder_begin(recorder, name, &program->setup, runner, error);
    if (status == HARNESS_OK)
        status = take_steps(moment, runner, program, surfaces, out, recorder, error);
    if (status == HARNESS_OK && recorder != NULL)
        status = harness_recorder_end(recorder, error);
    free(moment);
    return status;
}

static void add_trace(struct vectors_trace *trace, const struct oracle_run *run)
{
    trace->state = XXH3_64bits_withSeed(run->state, sizeof *run->state, trace->state);
    for (uint32_t window = 0; window < run->window_count; window++)
        trace->memory = XXH3_64bits_withSeed(run->memory[window], run->windows[window].size, trace->memory);
    for (uint32_t screen = 0; screen < ORACLE_SCREENS; screen++)
        if (run->screens[screen] != NULL)
            trace->memory = XXH3_64bits_withSeed(run->screens[screen], oracle_screen_bytes((enum oracle_screen)screen),
                                                 trace->memory);
}

enum harness_status vectors_take_trace(struct harness_runner *runner, const struct harness_program *program,
                                       struct vectors_trace *out, struct harness_error *error)
{
    struct oracle_run run;
    enum harness_status status = begin(runner, program, error);
    if (status == HARNESS_OK && harness_runner_collect(runner, &run) != PICA_OK)
        status = harness_fail(error, HARNESS_HOST, "reading results failed");
    *out = (struct vectors_trace){ 0, 0 };
    if (status == HARNESS_OK)
        add_trace(out, &run);
    for (uint32_t i = 0; i < program->count && status == HARNESS_OK; i++) {
        status = step(runner, &program->operations[i], &run, error);
        if (status == HARNESS_OK && program->operations[i].kind != PICA_OPERATION_LOAD_MEMORY)
            add_trace(out, &run);
    }
    return status;
}

bool vectors_trace_equal(const struct vectors_trace *a, const struct vectors_trace *b)
{
    return a->memory == b->memory && a->state == b->state;
}
