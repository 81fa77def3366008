#include "harness/vectors/steps.h"

#include "harness/case/state.h"
#include "oracles/scope.h"
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
    if ((steps->count & (steps->count - 1)) == 0) {
        void *const more = realloc(steps->items, (steps->count == 0 ? 1 : 2 * steps->count) * sizeof *steps->items);
        steps->failed = steps->failed || more == NULL;
        if (more == NULL)
            return;
        steps->items = more;
    }
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

enum harness_status vectors_take_steps(struct harness_runner *runner, const struct harness_program *program,
                                       const struct harness_surfaces *surfaces, struct vectors_steps *out,
                                       struct harness_recorder *recorder, const char *name, struct harness_error *error)
{
    struct vectors_digests before, now;
    struct oracle_run run;
    uint32_t at = 0;
    enum harness_status status = begin(runner, program, error);
    if (status == HARNESS_OK && recorder != NULL)
        status = harness_recorder_begin(recorder, name, &program->setup, runner, error);
    if (status == HARNESS_OK && harness_runner_collect(runner, &run) != PICA_OK)
        status = harness_fail(error, HARNESS_HOST, "reading results failed");
    bool good = status == HARNESS_OK && vectors_digest(&run, surfaces, &before);
    for (uint32_t i = 0; good && i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        status = step(runner, operation, &run, error);
        if (status == HARNESS_OK && recorder != NULL)
            status = harness_recorder_step(recorder, operation, runner, error);
        good = status == HARNESS_OK && vectors_digest(&run, surfaces, &now);
        if (good && operation->kind != PICA_OPERATION_LOAD_MEMORY)
            add_changes(out, at++, surfaces->count, &before, &now);
        before = now;
    }
    if (good)
        note_undefined(&run, out);
    if (status == HARNESS_OK && recorder != NULL)
        status = harness_recorder_end(recorder, error);
    return status == HARNESS_OK && (!good || out->failed) ? harness_fail_memory(error) : status;
}

enum harness_status vectors_trace(struct harness_runner *runner, const struct harness_program *program, uint64_t *out,
                                  struct harness_error *error)
{
    enum harness_status status = begin(runner, program, error);
    *out = 0;
    for (uint32_t i = 0; i < program->count && status == HARNESS_OK; i++) {
        struct oracle_run run;
        status = step(runner, &program->operations[i], &run, error);
        if (status != HARNESS_OK || program->operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            continue;
        *out = XXH3_64bits_withSeed(run.state, sizeof *run.state, *out);
        for (uint32_t window = 0; window < run.window_count; window++)
            *out = XXH3_64bits_withSeed(run.memory[window], run.windows[window].size, *out);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------- open words */

static bool add_open(struct vectors_open *open, uint32_t item)
{
    for (uint32_t i = 0; i < open->count; i++)
        if (open->items[i] == item)
            return true;
    if (open->count == VECTORS_MOST_OPEN)
        return false;
    open->items[open->count++] = item;
    return true;
}

bool vectors_open_meets(const struct vectors_open *a, const struct vectors_open *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (a->items[i] == b->items[k])
                return true;
    return false;
}

bool vectors_open_join(struct vectors_open *open, const struct vectors_open *more)
{
    struct vectors_open all = *open;
    for (uint32_t i = 0; i < more->count; i++)
        if (!add_open(&all, more->items[i]))
            return false;
    *open = all;
    return true;
}

static bool same_memory(const struct oracle_run *a, const struct oracle_run *b)
{
    for (uint32_t i = 0; i < a->window_count; i++)
        if (memcmp(a->memory[i], b->memory[i], a->windows[i].size) != 0)
            return false;
    return true;
}

static bool add_words(const uint32_t *a, const uint32_t *b, uint32_t count, uint32_t first, struct vectors_open *open)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i] && !add_open(open, first + i))
            return false;
    return true;
}

/* Lines of pica/state.def that are neither registers nor words. */
static bool add_lines(const struct pica_state *a, const struct pica_state *b, struct vectors_open *open)
{
    for (uint32_t line = 0; line < harness_part_count; line++) {
        const struct harness_part *const part = &harness_parts[line];
        const enum pica_part bit = oracle_scope_part_at(part->offset);
        if (bit != PICA_PART_REGISTERS && bit != PICA_PART_ENGINES &&
            memcmp((const uint8_t *)a + part->offset, (const uint8_t *)b + part->offset,
                   (size_t)part->width * part->count) != 0 &&
            !add_open(open, VECTORS_LINE + line))
            return false;
    }
    return true;
}

/* Does memory agree? Then what differs otherwise is added. */
static bool add_differing(const struct oracle_run *a, const struct oracle_run *b, struct vectors_open *open)
{
    return same_memory(a, b) && memcmp(a->state->lcd_fill, b->state->lcd_fill, sizeof a->state->lcd_fill) == 0 &&
           add_words(a->state->registers, b->state->registers, PICA_REGISTERS, 0, open) &&
           add_words(a->state->external, b->state->external, PICA_EXTERNAL_WORDS, VECTORS_ENGINE, open) &&
           add_lines(a->state, b->state, open);
}

enum harness_status vectors_find_open(struct harness_runner *first, struct harness_runner *other,
                                      const struct harness_program *program, struct vectors_open *open, bool *alone,
                                      struct harness_error *error)
{
    struct vectors_open more = *open;
    struct oracle_run a, b;
    enum harness_status status = begin(first, program, error);
    if (status == HARNESS_OK)
        status = begin(other, program, error);
    *alone = true;
    for (uint32_t i = 0; i < program->count && status == HARNESS_OK && *alone; i++) {
        status = step(first, &program->operations[i], &a, error);
        if (status == HARNESS_OK)
            status = step(other, &program->operations[i], &b, error);
        if (status == HARNESS_OK)
            *alone = add_differing(&a, &b, &more);
    }
    if (*alone)
        *open = more;
    return status;
}
