#include "harness/explore/pixel_history.h"

#include "harness/case/grow.h"
#include "harness/explore/touch.h"
#include "harness/run/backends.h"
#include "harness/run/surfaces.h"
#include "pica/stage_words.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more of `count` items; NULL: no memory. */
static void *grow(struct harness_pixel_history *history, void *items, size_t count, size_t size)
{
    void *const more = harness_grow(items, count, size);
    history->failed = history->failed || more == NULL;
    return more;
}

/* What a plug-in reports may be anything: it gets words, and not more values than there is room for. */
static struct pica_trace_step cleaned(const struct pica_trace_step *step)
{
    struct pica_trace_step clean = *step;
    if (clean.stage == NULL)
        clean.stage = "(no stage)";
    if (clean.name == NULL)
        clean.name = "(no name)";
    if (clean.count > sizeof clean.values / sizeof clean.values[0])
        clean.count = sizeof clean.values / sizeof clean.values[0];
    return clean;
}

/* What single rules compute on the way (pica/trace.def) is left out: it is three times as much, and only the search for
 * a difference needs it. */
static void add_step(void *user, const struct pica_trace_step *step)
{
    struct harness_pixel_history *const history = user;
    if (step->name != NULL && pica_stage_word_of_rule(step->name) != NULL)
        return;
    struct pica_trace_step *const steps = grow(history, history->steps, history->step_count, sizeof *history->steps);
    if (steps == NULL)
        return;
    history->steps = steps;
    steps[history->step_count++] = cleaned(step);
}

/* Numbers count from 0 in each draw. */
static struct harness_pixel_fragment *add_fragment(struct harness_pixel_history *history, uint32_t draw)
{
    const size_t count = history->fragment_count;
    struct harness_pixel_fragment *const items = grow(history, history->fragments, count, sizeof *history->fragments);
    if (items == NULL)
        return NULL;
    history->fragments = items;
    struct harness_pixel_fragment *const fragment = &items[history->fragment_count++];
    memset(fragment, 0, sizeof *fragment);
    fragment->draw = draw;
    fragment->number = count > 0 && items[count - 1].draw == draw ? items[count - 1].number + 1 : 0;
    return fragment;
}

static void add_touch(struct harness_pixel_history *history, const struct harness_pixel_touch *touch)
{
    struct harness_pixel_touch *const items =
        grow(history, history->touches, history->touch_count, sizeof *history->touches);
    if (items == NULL)
        return;
    history->touches = items;
    items[history->touch_count++] = *touch;
}

void harness_pixel_history_init(struct harness_pixel_history *history, uint32_t x, uint32_t y,
                                const struct pica_choices *choices)
{
    memset(history, 0, sizeof *history);
    history->x = x;
    history->y = y;
    harness_draws_init(&history->draws, choices);
}

void harness_pixel_history_free(struct harness_pixel_history *history)
{
    harness_draws_free(&history->draws);
    free(history->targets);
    free(history->fragments);
    free(history->touches);
    free(history->steps);
    memset(history, 0, sizeof *history);
}

struct oracle_trace harness_pixel_steps(const struct harness_pixel_history *history,
                                        const struct harness_pixel_fragment *fragment)
{
    const size_t count = fragment->end_step - fragment->first_step;
    const struct oracle_trace trace = { count != 0 ? &history->steps[fragment->first_step] : NULL, count };
    return trace;
}

/* ---------------------------------------------------------------------------------------------------------- targets */

/* A buffer that lies in no window is one that no draw uses: registers always have some address. */
static bool is_in_memory(const struct harness_program *program, uint32_t address)
{
    for (uint32_t i = 0; i < program->setup.window_count; i++)
        if (address - program->setup.windows[i].address < program->setup.windows[i].size)
            return true;
    return false;
}

static void add_target(struct harness_pixel_history *history, const struct harness_program *program,
                       const struct oracle_surface *surface, bool is_depth)
{
    struct harness_pixel_target target = { *surface, is_depth, 0, { 0 }, { 0 } };
    if (!harness_pixel_address(surface, history->x, history->y, &target.address) ||
        !is_in_memory(program, target.address))
        return;
    for (size_t i = 0; i < history->target_count; i++)
        if (history->targets[i].is_depth == is_depth && harness_surface_is_same(&history->targets[i].surface, surface))
            return;
    struct harness_pixel_target *const items =
        grow(history, history->targets, history->target_count, sizeof *history->targets);
    if (items == NULL)
        return;
    history->targets = items;
    items[history->target_count++] = target;
}

static void find_targets(struct harness_pixel_history *history, const struct harness_program *program)
{
    for (uint32_t i = 0; i < history->draws.count; i++) {
        const struct harness_drawn *const drawn = &history->draws.items[i];
        if (drawn->has_color)
            add_target(history, program, &drawn->color, false);
        if (drawn->has_depth)
            add_target(history, program, &drawn->depth, true);
    }
}

/* ---------------------------------------------------------------------------------------------- bytes of operations */

static enum pica_status finish(struct harness_runner *runner)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    return backend->finish == NULL ? PICA_OK : backend->finish(harness_runner_instance(runner));
}

static enum pica_status read_target(struct harness_runner *runner, const struct harness_pixel_target *target,
                                    uint8_t out[4])
{
    memset(out, 0, 4);
    return harness_runner_backend(runner)->read_memory(harness_runner_instance(runner), target->address, out,
                                                       oracle_bytes_per_pixel(target->surface.format));
}

static enum pica_status look_at_first(struct harness_pixel_history *history, struct harness_runner *runner)
{
    enum pica_status status = finish(runner);
    for (size_t i = 0; status == PICA_OK && i < history->target_count; i++) {
        struct harness_pixel_target *const target = &history->targets[i];
        status = read_target(runner, target, target->first);
        memcpy(target->last, target->first, sizeof target->last);
    }
    return status;
}

/* After operation `step`. */
static enum pica_status look_again(struct harness_pixel_history *history, struct harness_runner *runner,
                                   const struct pica_operation *operation, uint32_t step)
{
    const struct harness_touch touch = harness_touch_of(operation, &history->draws.choices);
    enum pica_status status = finish(runner);
    for (size_t i = 0; status == PICA_OK && i < history->target_count; i++) {
        struct harness_pixel_target *const target = &history->targets[i];
        const uint32_t bytes = oracle_bytes_per_pixel(target->surface.format);
        struct harness_pixel_touch found = { step, i, false, false, { 0 }, { 0 } };
        found.reads = harness_range_has(&touch.reads, target->address, bytes);
        found.writes = harness_range_has(&touch.writes, target->address, bytes);
        memcpy(found.before, target->last, sizeof found.before);
        status = read_target(runner, target, found.after);
        memcpy(target->last, found.after, sizeof target->last);
        if (found.reads || found.writes || memcmp(found.before, found.after, sizeof found.before) != 0)
            add_touch(history, &found);
    }
    return status;
}

static enum pica_status run_all(struct harness_pixel_history *history, struct harness_runner *runner,
                                const struct harness_program *program)
{
    enum pica_status status = harness_runner_load(runner, &program->setup);
    if (status == PICA_OK)
        status = look_at_first(history, runner);
    for (uint32_t step = 0; status == PICA_OK && step < program->count; step++) {
        status = harness_runner_step(runner, &program->operations[step]);
        if (status == PICA_OK)
            status = look_again(history, runner, &program->operations[step], step);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------- visits or traces */

static enum pica_visit_wish wants(void *user, uint32_t draw, uint32_t x, uint32_t y)
{
    const struct harness_pixel_history *const history = user;
    (void)draw;
    return x == history->x && y == history->y ? PICA_VISIT_WITH_STEPS : PICA_VISIT_UNWANTED;
}

/* The steps since the fragment before are its own. */
static void take_visit(void *user, const struct pica_visit *visit)
{
    struct harness_pixel_history *const history = user;
    const size_t count = history->fragment_count;
    struct harness_pixel_fragment *const fragment = add_fragment(history, visit->draw);
    if (fragment == NULL)
        return;
    fragment->visit = *visit;
    fragment->first_step = count > 0 ? history->fragments[count - 1].end_step : 0;
    fragment->end_step = history->step_count;
}

/* A draw of which one buffer at least has the pixel. */
static bool has_pixel(const struct harness_pixel_history *history, const struct harness_drawn *drawn)
{
    uint32_t address;
    return (drawn->has_color && harness_pixel_address(&drawn->color, history->x, history->y, &address)) ||
           (drawn->has_depth && harness_pixel_address(&drawn->depth, history->x, history->y, &address));
}

/* Cuts the steps of a draw, those from `first` on, into fragments; one if the trace does not say where they begin. */
static void split(struct harness_pixel_history *history, uint32_t draw, size_t first)
{
    if (history->step_count == first)
        return;
    const struct oracle_trace trace = { &history->steps[first], history->step_count - first };
    size_t parts = oracle_trace_parts(&trace);
    if (parts == 0)
        parts = 1;
    for (size_t part = 0; part < parts; part++) {
        struct harness_pixel_fragment *const fragment = add_fragment(history, draw);
        if (fragment == NULL)
            return;
        fragment->first_step = part == 0 ? first : first + oracle_trace_part(&trace, part);
        fragment->end_step = first + oracle_trace_part(&trace, part + 1);
    }
}

/* Traces the pixel in one draw, by a run of the case up to the operation of the draw. */
static enum pica_status trace_draw(struct harness_pixel_history *history, struct harness_runner *runner,
                                   const struct harness_program *program, uint32_t draw)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    const struct pica_trace_request request = { draw, PICA_TRACE_PIXEL, history->x, history->y };
    const size_t first = history->step_count;
    enum pica_status status = harness_runner_load(runner, &program->setup);
    if (status == PICA_OK)
        status = backend->trace(harness_runner_instance(runner), &request, add_step, history);
    if (status == PICA_OK)
        status = harness_runner_run(runner, program->operations, history->draws.items[draw].step + (size_t)1);
    (void)backend->trace(harness_runner_instance(runner), NULL, NULL, NULL);
    split(history, draw, first);
    return status;
}

static enum pica_status trace_all(struct harness_pixel_history *history, struct harness_runner *runner,
                                  const struct harness_program *program)
{
    enum pica_status status = PICA_OK;
    for (uint32_t draw = 0; status == PICA_OK && draw < history->draws.count; draw++)
        if (has_pixel(history, &history->draws.items[draw]))
            status = trace_draw(history, runner, program, draw);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- together */

static enum pica_status find_draws(struct harness_pixel_history *history, struct harness_runner *runner,
                                   const struct harness_program *program)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *reference = NULL;
    if (harness_runner_backend(runner)->observe_draws != NULL)
        return harness_draws_find(&history->draws, runner, program);
    enum pica_status status = harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &reference);
    if (status == PICA_OK)
        status = harness_draws_find(&history->draws, reference, program);
    harness_runner_destroy(reference);
    return status;
}

static enum pica_status take(struct harness_pixel_history *history, struct harness_runner *runner,
                             const struct harness_program *program)
{
    const struct pica_visits visits = { wants, NULL, add_step, take_visit, history };
    enum pica_status status = find_draws(history, runner, program);
    if (status != PICA_OK)
        return status;
    find_targets(history, program);
    if (harness_observe_visits(runner, &visits) == PICA_OK) {
        history->source = HARNESS_PIXEL_VISITS;
        status = run_all(history, runner, program);
        (void)harness_observe_visits(runner, NULL);
        return status;
    }
    history->source = harness_runner_backend(runner)->trace != NULL ? HARNESS_PIXEL_TRACES : HARNESS_PIXEL_MEMORY;
    status = run_all(history, runner, program);
    return status == PICA_OK && history->source == HARNESS_PIXEL_TRACES ? trace_all(history, runner, program) : status;
}

enum pica_status harness_pixel_history_take(struct harness_pixel_history *history, struct harness_runner *runner,
                                            const struct harness_program *program)
{
    const enum pica_status status = take(history, runner, program);
    return history->failed ? PICA_NO_MEMORY : status;
}
