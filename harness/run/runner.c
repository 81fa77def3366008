#include "harness/run/runner.h"

#include "harness/case/state.h"
#include "harness/run/display.h"
#include "harness/run/image.h"
#include "harness/run/kind.h"
#include "harness/run/backends.h"
#include "harness/run/memory.h"
#include "harness/run/surroundings.h"
#include "pica/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory that is kept from case to case. */
struct room {
    void *bytes;
    size_t size;
};

struct harness_runner {
    const struct pica_backend *backend;
    const struct harness_kind *kind; /* of it */
    void *instance;
    const struct pica_setup *setup;
    uint32_t steps;          /* since the last load */
    volatile uint32_t *step; /* told to others; or NULL */
    harness_step_observer observer;
    void *observer_user;
    struct oracle_scope scope;
    bool scope_is_all;
    bool is_guest; /* a plug-in in this process */
    const struct oracle_tolerance *tolerance;
    char refusal[160];
    struct pica_state state; /* after reset, if the backend gives none */
    struct room copies;      /* window contents of a backend that offers no view */
    struct room loaded;      /* harness_runner_add_loaded */
    struct room touched;     /* a bit for each page of all windows: written? */
    struct room held;        /* the same: recorded? */
    struct room screens;     /* all pictures, one after the other */
    struct harness_display display;
    bool hides_screens;
};

void harness_runners_choices(struct harness_runner *const *runners, size_t count, struct pica_choices *out)
{
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        const struct harness_special *const special = harness_special(runners[i]->backend);
        if (special == NULL || !special->is_chosen)
            continue;
        *out = special->choices;
        return;
    }
}

static void enter(const struct harness_runner *runner)
{
    if (runner->is_guest)
        harness_surroundings_lend();
}

static void leave(const struct harness_runner *runner)
{
    if (runner->is_guest)
        harness_surroundings_take_back(runner->backend->name);
}

enum pica_status harness_runner_create(const struct pica_backend *backend, const struct pica_options *options,
                                       struct harness_runner **out)
{
    *out = NULL;
    struct harness_runner *const runner = calloc(1, sizeof *runner);
    if (runner == NULL)
        return PICA_NO_MEMORY;
    runner->backend = backend;
    runner->kind = harness_kind(backend);
    struct oracle_scope scope;
    harness_backend_models(backend, &scope);
    oracle_scope_all(&runner->scope);
    harness_runner_restrict(runner, &scope);
    if (backend->read_state == NULL)
        harness_state_reset(&runner->state);
    runner->is_guest = harness_backend_is_guest(backend);
    enter(runner);
    const enum pica_status status = harness_backend_create(backend, options, &runner->instance);
    leave(runner);
    if (status != PICA_OK) {
        free(runner);
        return status;
    }
    *out = runner;
    return PICA_OK;
}

void harness_runner_destroy(struct harness_runner *runner)
{
    if (runner == NULL)
        return;
    enter(runner);
    runner->backend->destroy(runner->instance);
    leave(runner);
    free(runner->copies.bytes);
    free(runner->loaded.bytes);
    free(runner->touched.bytes);
    free(runner->held.bytes);
    free(runner->screens.bytes);
    free(runner);
}

const struct pica_backend *harness_runner_backend(const struct harness_runner *runner)
{
    return runner->backend;
}

void *harness_runner_instance(struct harness_runner *runner)
{
    return runner->instance;
}

uint32_t harness_runner_steps(const struct harness_runner *runner)
{
    return runner->steps;
}

void harness_runner_watch(struct harness_runner *runner, harness_step_observer observer, void *user)
{
    runner->observer = observer;
    runner->observer_user = user;
}

void harness_runner_restrict(struct harness_runner *runner, const struct oracle_scope *scope)
{
    oracle_scope_meet(&runner->scope, scope);
    runner->scope_is_all = oracle_scope_is_all(&runner->scope);
}

const struct oracle_scope *harness_runner_scope(const struct harness_runner *runner)
{
    return &runner->scope;
}

void harness_runner_tolerate(struct harness_runner *runner, const struct oracle_tolerance *tolerance)
{
    runner->tolerance = tolerance;
}

const struct oracle_tolerance *harness_runner_tolerance(const struct harness_runner *runner)
{
    return runner->tolerance;
}

const char *harness_runner_refusal(const struct harness_runner *runner)
{
    return runner->refusal;
}

static void refuse(struct harness_runner *runner, const char *why)
{
    (void)snprintf(runner->refusal, sizeof runner->refusal, "backend %s: %s", runner->backend->name, why);
}

static uint32_t budgets_of(const struct harness_runner *runner)
{
    return runner->backend->models != NULL ? runner->backend->models->budgets : 0;
}

bool harness_runner_keeps_budgets(const struct harness_runner *runner)
{
    return (budgets_of(runner) & (uint32_t)PICA_BUDGETS_ALL) == (uint32_t)PICA_BUDGETS_ALL;
}

bool harness_runner_lacks(struct harness_runner *runner, const struct pica_events *events)
{
    static const struct {
        enum pica_budget budget;
        enum pica_event event;
        const char *why;
    } rows[] = {
        { PICA_BUDGET_COMMANDS, PICA_EVENT_BUDGET_CMDS, "does not stop after so many commands (CMD-20)" },
        { PICA_BUDGET_VERTICES, PICA_EVENT_BUDGET_VERTS, "does not stop after so many vertices (VTX-23)" },
        { PICA_BUDGET_INSTRUCTIONS, PICA_EVENT_BUDGET_INSTR, "does not stop after so many instructions (SHD-14)" },
        { PICA_BUDGET_EMITS, PICA_EVENT_BUDGET_EMIT, "does not stop after so many emits (GSH-34)" },
        { PICA_BUDGET_PIXELS, PICA_EVENT_BUDGET_PIXELS, "does not stop after so many pixels (RST-08)" },
        { PICA_BUDGET_WORK, PICA_EVENT_BUDGET_WORK, "does not stop after so much work (CMD-24, RST-09)" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((budgets_of(runner) & (uint32_t)rows[i].budget) == 0 && pica_events_has(events, rows[i].event)) {
            refuse(runner, rows[i].why);
            return true;
        }
    return false;
}

enum pica_status harness_runner_events(struct harness_runner *runner, struct pica_events *out)
{
    memset(out, 0, sizeof *out);
    return runner->backend->read_events != NULL ? runner->backend->read_events(runner->instance, out) : PICA_OK;
}

const struct harness_death *harness_runner_death(const struct harness_runner *runner)
{
    return runner->kind->death != NULL ? runner->kind->death(runner->instance) : NULL;
}

bool harness_runner_is_apart(const struct harness_runner *runner)
{
    return runner->kind->run_case != NULL;
}

void harness_runner_renew(struct harness_runner *runner)
{
    if (runner->kind->renew != NULL)
        runner->kind->renew(runner->instance);
}

static const char *status_name(enum pica_status status)
{
    switch (status) {
    case PICA_OK: return "ok";
    case PICA_NOT_SUPPORTED: return "not supported";
    case PICA_BAD_ARGUMENT: return "bad argument";
    case PICA_NO_MEMORY: return "out of memory";
    case PICA_FAILED: return "failed";
    }
    return "unknown status"; /* a plug-in may return anything */
}

enum harness_status harness_runner_fail(const struct harness_runner *runner, const char *what, enum pica_status status,
                                        struct harness_error *error)
{
    const struct harness_death *const death = harness_runner_death(runner);
    const unsigned limit =
        runner->kind->memory_limit != NULL ? runner->kind->memory_limit(runner->backend) : harness_memory_limited();
    const size_t fault = runner->kind->fault != NULL ? runner->kind->fault(runner->instance) : 0;
    if (death == NULL && status == PICA_NO_MEMORY && limit != 0)
        return harness_fail(error, HARNESS_HOST, "backend %s: %s: out of memory: its limit is %u MiB",
                            runner->backend->name, what, limit);
    if (fault != 0)
        return harness_fail(error, HARNESS_HOST,
                            "backend %s: %s: offset %zu of its file: this step does not unpack to what "
                            "docs/formats/results.md says: the file was edited; record it again",
                            runner->backend->name, what, fault);
    return harness_fail(error, death != NULL ? HARNESS_CRASHED : HARNESS_HOST, "backend %s: %s: %s",
                        runner->backend->name, what, death != NULL ? death->text : status_name(status));
}

static void tell_step(const struct harness_runner *runner)
{
    if (runner->step != NULL)
        *runner->step = runner->steps - 1; /* loading: UINT32_MAX */
}

void harness_runner_tell_step(struct harness_runner *runner, volatile uint32_t *step)
{
    runner->step = step;
}

/* The part of a load that does not call the backend. */
static enum pica_status begin_load(struct harness_runner *runner, const struct pica_setup *setup)
{
    const struct pica_models *const models = runner->backend->models;
    runner->setup = setup;
    runner->steps = 0;
    tell_step(runner);
    runner->refusal[0] = '\0';
    harness_display_begin(&runner->display, setup->initial_state);
    if (setup->profile != PICA_PROFILE_F24 || (models != NULL && models->float24 != 0))
        return PICA_OK;
    refuse(runner, "does not model float24 (FLT-03)");
    return PICA_NOT_SUPPORTED;
}

static enum pica_status refuse_call(struct harness_runner *runner, bool loads)
{
    if (runner->kind->refusal != NULL)
        refuse(runner, runner->kind->refusal(runner->instance, loads));
    else
        refuse(runner, loads ? "does not take the case (load: not supported)"
                             : "does not take an operation (run: not supported)");
    return PICA_NOT_SUPPORTED;
}

enum pica_status harness_runner_load(struct harness_runner *runner, const struct pica_setup *setup)
{
    enum pica_status status = begin_load(runner, setup);
    if (status != PICA_OK)
        return status;
    enter(runner);
    status = runner->backend->load(runner->instance, setup);
    leave(runner);
    return status == PICA_NOT_SUPPORTED ? refuse_call(runner, true) : status;
}

enum pica_status harness_runner_step(struct harness_runner *runner, const struct pica_operation *operation)
{
    runner->steps++;
    tell_step(runner);
    harness_display_step(&runner->display, operation);
    enter(runner);
    const enum pica_status status = runner->backend->run(runner->instance, operation);
    leave(runner);
    if (status == PICA_NOT_SUPPORTED)
        (void)refuse_call(runner, false);
    if (runner->observer != NULL)
        runner->observer(runner->observer_user, operation);
    return status;
}

enum pica_status harness_runner_run(struct harness_runner *runner, const struct pica_operation *operations,
                                    size_t count)
{
    enum pica_status status = PICA_OK;
    for (size_t i = 0; i < count && status == PICA_OK; i++)
        status = harness_runner_step(runner, &operations[i]);
    return status;
}

/* One call for the whole case; the runner's own state is then as after a load and single steps. */
static enum pica_status run_in_process(struct harness_runner *runner, const struct pica_setup *setup,
                                       const struct pica_operation *operations, size_t count)
{
    uint32_t begun = 0;
    enum pica_status status = begin_load(runner, setup);
    if (status != PICA_OK)
        return status;
    status = runner->kind->run_case(runner->instance, setup, operations, (uint32_t)count, &begun);
    runner->steps = begun;
    tell_step(runner);
    for (uint32_t i = 0; i < begun; i++)
        harness_display_step(&runner->display, &operations[i]);
    return status == PICA_NOT_SUPPORTED ? refuse_call(runner, begun == 0) : status;
}

enum pica_status harness_runner_run_case(struct harness_runner *runner, const struct pica_setup *setup,
                                         const struct pica_operation *operations, size_t count)
{
    if (harness_runner_is_apart(runner) && count <= UINT32_MAX)
        return run_in_process(runner, setup, operations, count);
    const enum pica_status status = harness_runner_load(runner, setup);
    return status == PICA_OK ? harness_runner_run(runner, operations, count) : status;
}

/* At least `size` bytes (a case may have no window: 0), whatever they hold; NULL without memory. */
static void *reserve(struct room *room, size_t size)
{
    if (room->size <= size) {
        free(room->bytes);
        room->bytes = malloc(size + 1);
        room->size = room->bytes != NULL ? size + 1 : 0;
    }
    return room->bytes;
}

static enum pica_status collect_memory(struct harness_runner *runner, struct oracle_run *out)
{
    const struct pica_setup *setup = runner->setup;
    const struct pica_backend *backend = runner->backend;
    size_t offset = 0;
    for (uint32_t window = 0; window < setup->window_count; window++) {
        const uint32_t size = setup->windows[window].size;
        if (backend->view_memory != NULL &&
            backend->view_memory(runner->instance, window, &out->memory[window]) == PICA_OK)
            continue;
        uint8_t *const copies = reserve(&runner->copies, harness_image_size(setup));
        const enum pica_status status =
            copies != NULL
                ? backend->read_memory(runner->instance, setup->windows[window].address, copies + offset, size)
                : PICA_NO_MEMORY;
        if (status != PICA_OK)
            return status;
        out->memory[window] = copies + offset;
        offset += size;
    }
    return PICA_OK;
}

/* Room for a bit for each page of all windows; NULL without memory. */
static uint64_t *room_for_pages(const struct pica_setup *setup, struct room *room)
{
    size_t words = 0;
    for (uint32_t window = 0; window < setup->window_count; window++)
        words += harness_page_words(setup->windows[window].size);
    return reserve(room, words * sizeof(uint64_t));
}

static enum pica_status collect_pages(struct harness_runner *runner, struct oracle_run *out)
{
    const struct pica_setup *setup = runner->setup;
    if (runner->backend->touched_pages == NULL || setup->window_count == 0)
        return PICA_OK;
    uint64_t *bitmap = room_for_pages(setup, &runner->touched);
    if (bitmap == NULL)
        return PICA_NO_MEMORY;
    for (uint32_t window = 0; window < setup->window_count; window++) {
        const size_t length = harness_page_words(setup->windows[window].size);
        memset(bitmap, 0, length * sizeof *bitmap);
        if (runner->backend->touched_pages(runner->instance, window, PICA_PAGES_WRITTEN, bitmap, length) == PICA_OK)
            out->touched[window] = bitmap;
        bitmap += length;
    }
    return PICA_OK;
}

static enum pica_status collect_state(struct harness_runner *runner, struct oracle_run *out)
{
    out->state = &runner->state;
    if (runner->backend->read_state == NULL)
        return PICA_OK;
    if (runner->kind->view_state != NULL)
        return runner->kind->view_state(runner->instance, &out->state, &out->zeros);
    return runner->backend->read_state(runner->instance, &runner->state);
}

/* A recording of some pages: the others mean nothing. */
static enum pica_status collect_held(struct harness_runner *runner, struct oracle_run *out)
{
    const struct pica_setup *const setup = runner->setup;
    if (!runner->scope.some_pages || runner->kind->held == NULL || setup->window_count == 0)
        return PICA_OK;
    uint64_t *bitmap = room_for_pages(setup, &runner->held);
    if (bitmap == NULL)
        return PICA_NO_MEMORY;
    for (uint32_t window = 0; window < setup->window_count; window++) {
        runner->kind->held(runner->instance, window, bitmap);
        out->held[window] = bitmap;
        bitmap += harness_page_words(setup->windows[window].size);
    }
    return PICA_OK;
}

static uint32_t lit_screens(const struct harness_runner *runner)
{
    return harness_display_lit(&runner->display, runner->setup->windows, runner->setup->window_count);
}

const struct harness_display *harness_runner_display(const struct harness_runner *runner)
{
    return &runner->display;
}

bool harness_runner_is_lit(const struct harness_runner *runner)
{
    return lit_screens(runner) != 0;
}

void harness_runner_hide_screens(struct harness_runner *runner, bool hidden)
{
    runner->hides_screens = hidden;
}

/* PDC: what lit screens show. A backend may say that it does not know one (PICA_NOT_SUPPORTED). */
static enum pica_status collect_screens(struct harness_runner *runner, struct oracle_run *out)
{
    const bool counts = (runner->scope.parts & (uint32_t)PICA_PART_SCREENS) != 0 && !runner->hides_screens;
    const uint32_t lit = counts ? lit_screens(runner) : 0;
    size_t all = 0;
    if (lit == 0)
        return PICA_OK;
    for (uint32_t i = 0; i < ORACLE_SCREENS; i++)
        all += oracle_screen_bytes((enum oracle_screen)i);
    uint8_t *rgb = reserve(&runner->screens, all);
    enum pica_status status = rgb != NULL ? PICA_OK : PICA_NO_MEMORY;
    for (uint32_t i = 0; i < ORACLE_SCREENS && status == PICA_OK; i++) {
        const size_t size = oracle_screen_bytes((enum oracle_screen)i);
        if ((lit >> i & 1u) != 0)
            status = runner->backend->scan_out(runner->instance, i == ORACLE_SCREEN_BOTTOM,
                                               i == ORACLE_SCREEN_RIGHT_EYE, rgb, size);
        if ((lit >> i & 1u) != 0 && status == PICA_OK)
            out->screens[i] = rgb;
        status = status == PICA_NOT_SUPPORTED ? PICA_OK : status;
        rgb += size;
    }
    return status;
}

enum pica_status harness_runner_collect(struct harness_runner *runner, struct oracle_run *out)
{
    memset(out, 0, sizeof *out);
    out->backend = runner->backend->name;
    out->window_count = runner->setup->window_count;
    out->windows = runner->setup->windows;
    const struct pica_backend *const backend = runner->backend;
    enter(runner);
    enum pica_status status = backend->finish != NULL ? backend->finish(runner->instance) : PICA_OK;
    if (status == PICA_OK)
        status = collect_state(runner, out);
    if (status == PICA_OK)
        status = harness_runner_events(runner, &out->events);
    if (status == PICA_OK)
        status = collect_screens(runner, out);
    if (status == PICA_OK)
        status = collect_memory(runner, out);
    if (status == PICA_OK)
        status = collect_pages(runner, out);
    if (status == PICA_OK)
        status = collect_held(runner, out);
    leave(runner);
    out->scope = runner->scope_is_all ? NULL : &runner->scope;
    return status;
}

enum pica_status harness_runner_add_loaded(struct harness_runner *runner, const struct pica_operation *operations,
                                           size_t count, struct oracle_run *run)
{
    const struct pica_setup *setup = runner->setup;
    uint8_t *const loaded = reserve(&runner->loaded, harness_image_size(setup));
    if (loaded == NULL)
        return PICA_NO_MEMORY;
    harness_image_loads(setup, operations, count, loaded);
    size_t offset = 0;
    for (uint32_t window = 0; window < setup->window_count; window++) {
        run->loaded[window] = loaded + offset;
        offset += setup->windows[window].size;
    }
    return PICA_OK;
}
