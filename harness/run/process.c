/* A backend in a process of its own: the user's side. */
#include "harness/run/process.h"

#include "harness/run/image.h"
#include "harness/run/memory.h"
#include "harness/run/process_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t mapping_size = (size_t)1 << 30; /* address space; memory only where it is used */

/* The setup and a place for the contents of each window. False if there is no room. */
static bool share_setup(struct process_instance *instance, const struct pica_setup *setup)
{
    struct process_mailbox *const mailbox = instance->mailbox;
    instance->room = harness_packer_behind(mailbox, mapping_size, sizeof *mailbox);
    bool good = harness_pack_setup(&instance->room, setup, &mailbox->setup);
    for (uint32_t i = 0; good && i < setup->window_count; i++) {
        const size_t words = harness_page_words(setup->windows[i].size);
        instance->views[i] = harness_pack_room(&instance->room, setup->windows[i].size);
        instance->bitmaps[i] = harness_pack_room(&instance->room, words * sizeof *instance->bitmaps[i]);
        good = instance->views[i] != NULL && instance->bitmaps[i] != NULL;
        mailbox->views[i] = instance->views[i];
        mailbox->bitmaps[i] = instance->bitmaps[i];
    }
    return good;
}

/* ------------------------------------------------------------------------------------------------------ the backend */

/* An observer stays in place across loads (pica/backend.h), so also across one that starts a new process. */
static bool watch_again(struct process_instance *instance)
{
    struct process_mailbox *const mailbox = instance->mailbox;
    bool good = true;
    mailbox->on = true;
    if (instance->counters != NULL) {
        mailbox->counter_count = instance->counter_count;
        good = process_call(instance, PROCESS_FEATURES) == PICA_OK;
    }
    if (good && instance->observer != NULL)
        good = process_call(instance, PROCESS_OBSERVE) == PICA_OK;
    if (good && instance->sink != NULL) {
        mailbox->request = instance->request;
        good = process_call(instance, PROCESS_TRACE) == PICA_OK;
    }
    return good;
}

static bool revive(struct process_instance *instance)
{
    if (!process_start(instance) || process_call(instance, PROCESS_OPEN) != PICA_OK)
        return false;
    instance->mailbox->options = instance->options;
    if (process_call(instance, PROCESS_CREATE) != PICA_OK)
        return false;
    return watch_again(instance);
}

static enum pica_status proxy_observe_features(void *opaque, uint8_t *counters, size_t size)
{
    struct process_instance *const instance = opaque;
    if (size > PROCESS_COUNTERS)
        return PICA_BAD_ARGUMENT;
    instance->counters = counters;
    instance->counter_count = size;
    instance->mailbox->on = counters != NULL;
    instance->mailbox->counter_count = size;
    const enum pica_status status = process_call(instance, PROCESS_FEATURES);
    if (status != PICA_OK)
        instance->counters = NULL;
    return status;
}

/* A process that lives and a mailbox with the setup. */
static enum pica_status prepare(struct process_instance *instance, const struct pica_setup *setup)
{
    if (setup->window_count > PICA_MAX_WINDOWS)
        return PICA_BAD_ARGUMENT;
    if (instance->process->fresh != 0 && instance->cases >= instance->process->fresh)
        process_quit(instance);
    if (instance->child.process == 0 && !revive(instance)) {
        if (instance->child.process != 0) /* alive, but without an instance: the next load tries again */
            process_quit(instance);
        return PICA_FAILED;
    }
    instance->cases++;
    instance->window_count = 0;
    if (!share_setup(instance, setup))
        return PICA_NO_MEMORY;
    instance->window_count = setup->window_count;
    return PICA_OK;
}

static enum pica_status proxy_load(void *opaque, const struct pica_setup *setup)
{
    const enum pica_status status = prepare(opaque, setup);
    return status == PICA_OK ? process_call(opaque, PROCESS_LOAD) : status;
}

/* The operations and what they point at, behind the setup. */
static bool share_operations(struct process_instance *instance, const struct pica_operation *operations, size_t count)
{
    struct pica_operation *const shared = harness_pack(&instance->room, operations, count * sizeof *operations);
    for (size_t i = 0; shared != NULL && i < count; i++) {
        shared[i].data = NULL;
        if (operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            shared[i].data = harness_pack(&instance->room, operations[i].data, operations[i].size);
    }
    instance->mailbox->operations = shared;
    return !instance->room.failed;
}

/*
 * Loads a case, runs all operations and reads the results, at the price of one call; reading state, events, views and
 * written pages costs nothing afterwards, until the next call of another kind. The status of the first call that is not
 * PICA_OK; *begun = operations begun, 0 if the load was refused.
 */
static enum pica_status run_case(void *opaque, const struct pica_setup *setup, const struct pica_operation *operations,
                                 uint32_t count, uint32_t *begun)
{
    struct process_instance *const instance = opaque;
    struct process_mailbox *const mailbox = instance->mailbox;
    enum pica_status status = prepare(instance, setup);
    *begun = 0;
    if (status != PICA_OK)
        return status;
    const struct harness_packer room = instance->room;
    if (!share_operations(instance, operations, count)) {
        instance->room = room;
        return PICA_NO_MEMORY;
    }
    instance->operations = operations;
    instance->operation_count = mailbox->operation_count = count;
    mailbox->progress = 0;
    mailbox->reading = false;
    status = process_call(instance, PROCESS_CASE);
    *begun = mailbox->progress < count ? mailbox->progress : count;
    instance->results_are_here = status == PICA_OK;
    instance->room = room;
    return status;
}

static enum pica_status proxy_run(void *opaque, const struct pica_operation *operation)
{
    struct process_instance *const instance = opaque;
    const struct harness_packer room = instance->room;
    instance->operation_kind = operation->kind;
    instance->mailbox->operation = *operation;
    instance->mailbox->operation.data = NULL;
    if (operation->kind == PICA_OPERATION_LOAD_MEMORY) {
        instance->mailbox->operation.data = harness_pack(&instance->room, operation->data, operation->size);
        if (instance->mailbox->operation.data == NULL)
            return PICA_NO_MEMORY;
    }
    const enum pica_status status = process_call(instance, PROCESS_RUN);
    instance->room = room;
    return status;
}

/* What reading results asks for is there already after run_case. */
static enum pica_status ask_for(struct process_instance *instance, enum process_request request)
{
    return instance->results_are_here ? PICA_OK : process_call(instance, request);
}

static enum pica_status proxy_read_memory(void *opaque, uint32_t address, uint8_t *out, size_t size)
{
    struct process_instance *const instance = opaque;
    enum pica_status status = PICA_OK;
    for (size_t at = 0; at < size && status == PICA_OK; at += PROCESS_PIECE) {
        const size_t piece = size - at < PROCESS_PIECE ? size - at : PROCESS_PIECE;
        instance->mailbox->address = address + (uint32_t)at;
        instance->mailbox->length = piece;
        status = process_call(instance, PROCESS_READ_MEMORY);
        if (status == PICA_OK)
            memcpy(out + at, instance->mailbox->bytes, piece);
    }
    return status;
}

static enum pica_status proxy_read_state(void *opaque, struct pica_state *out)
{
    struct process_instance *const instance = opaque;
    const enum pica_status status = ask_for(instance, PROCESS_READ_STATE);
    if (status == PICA_OK)
        *out = instance->mailbox->state;
    return status;
}

static enum pica_status view_state(void *opaque, const struct pica_state **state, struct pica_state_blocks *zeros)
{
    struct process_instance *const instance = opaque;
    const enum pica_status status = ask_for(instance, PROCESS_READ_STATE);
    *state = &instance->mailbox->state;
    *zeros = instance->mailbox->zeros;
    return status;
}

static enum pica_status proxy_read_events(void *opaque, struct pica_events *out)
{
    struct process_instance *const instance = opaque;
    const enum pica_status status = ask_for(instance, PROCESS_READ_EVENTS);
    if (status == PICA_OK)
        *out = instance->mailbox->events;
    return status;
}

static enum pica_status proxy_view_memory(void *opaque, uint32_t window, const uint8_t **bytes)
{
    struct process_instance *const instance = opaque;
    if (window >= instance->window_count)
        return PICA_BAD_ARGUMENT;
    instance->mailbox->window = window;
    *bytes = instance->views[window];
    return ask_for(instance, PROCESS_VIEW);
}

static enum pica_status proxy_touched_pages(void *opaque, uint32_t window, int which, uint64_t *bitmap, size_t words)
{
    struct process_instance *const instance = opaque;
    const bool here = instance->results_are_here && which == PICA_PAGES_WRITTEN && window < instance->window_count;
    if (words > PROCESS_BITMAP_WORDS)
        return PICA_BAD_ARGUMENT;
    instance->mailbox->window = window;
    instance->mailbox->which = which;
    instance->mailbox->length = words;
    const enum pica_status status = here ? PICA_OK : process_call(instance, PROCESS_PAGES);
    const uint64_t *const from = here ? instance->bitmaps[window] : instance->mailbox->bitmap;
    for (size_t i = 0; status == PICA_OK && i < words; i++)
        bitmap[i] |= from[i];
    return status;
}

static enum pica_status proxy_observe_draws(void *opaque, pica_draw_observer observer, void *user)
{
    struct process_instance *const instance = opaque;
    instance->observer = observer;
    instance->observer_user = user;
    instance->mailbox->on = observer != NULL;
    return process_call(instance, PROCESS_OBSERVE);
}

static enum pica_status proxy_trace(void *opaque, const struct pica_trace_request *request, pica_trace_sink sink,
                                    void *user)
{
    struct process_instance *const instance = opaque;
    instance->sink = request != NULL ? sink : NULL;
    instance->sink_user = user;
    instance->mailbox->on = request != NULL;
    if (request != NULL) {
        instance->mailbox->request = *request;
        instance->request = *request;
    }
    return process_call(instance, PROCESS_TRACE);
}

static enum pica_status proxy_save(void *opaque, void **snapshot)
{
    struct process_instance *const instance = opaque;
    const enum pica_status status = process_call(instance, PROCESS_SAVE);
    *snapshot = status == PICA_OK ? instance->mailbox->snapshot : NULL;
    return status;
}

/* A snapshot is known by its address in the other process, which is written there alone. */
static enum pica_status proxy_restore(void *opaque, const void *snapshot)
{
    struct process_instance *const instance = opaque;
    memcpy(&instance->mailbox->snapshot, &snapshot, sizeof snapshot);
    return process_call(instance, PROCESS_RESTORE);
}

static enum pica_status proxy_finish(void *opaque)
{
    return ask_for(opaque, PROCESS_FINISH);
}

static void proxy_discard(void *opaque, void *snapshot)
{
    struct process_instance *const instance = opaque;
    instance->mailbox->snapshot = snapshot;
    (void)process_call(instance, PROCESS_DISCARD);
}

static enum pica_status proxy_scan_out(void *opaque, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    struct process_instance *const instance = opaque;
    if (size > PROCESS_PIECE)
        return PICA_BAD_ARGUMENT;
    instance->mailbox->window = screen;
    instance->mailbox->which = right_eye;
    instance->mailbox->length = size;
    const enum pica_status status = process_call(instance, PROCESS_SCAN_OUT);
    if (status == PICA_OK)
        memcpy(rgb, instance->mailbox->bytes, size);
    return status;
}

/* ---------------------------------------------------------------------------------------------- life of an instance */

static void proxy_destroy(void *opaque)
{
    struct process_instance *const instance = opaque;
    if (instance == NULL)
        return;
    process_quit(instance);
    harness_shared_destroy(instance->mailbox, mapping_size);
    while (instance->names != NULL) {
        struct process_name *const next = instance->names->next;
        free(instance->names);
        instance->names = next;
    }
    free(instance);
}

static struct process_instance *make_instance(struct harness_process *process)
{
    struct process_instance *const instance = calloc(1, sizeof *instance);
    if (instance == NULL)
        return NULL;
    instance->process = process;
    instance->mailbox = harness_shared_create(mapping_size);
    if (instance->mailbox != NULL) {
        instance->mailbox->size = mapping_size;
        return instance;
    }
    free(instance);
    return NULL;
}

static enum pica_status create(const struct pica_backend *backend, const struct pica_options *options, void **out)
{
    struct harness_process *process = NULL;
    memcpy(&process, &backend, sizeof process); /* the backend is the beginning of one, which is ours to change */
    struct process_instance *const instance = make_instance(process);
    *out = NULL;
    if (instance == NULL)
        return PICA_NO_MEMORY;
    instance->options = *options;
    if (!revive(instance) && instance->death.kind == HARNESS_DEATH_NONE) {
        const enum pica_status status = instance->child.process != 0 ? instance->mailbox->status : PICA_FAILED;
        proxy_destroy(instance);
        return status;
    }
    *out = instance;
    return PICA_OK;
}

static void renew(void *instance)
{
    process_quit(instance);
}

static const struct harness_death *death_of(const void *opaque)
{
    const struct process_instance *const instance = opaque;
    return instance->death.kind != HARNESS_DEATH_NONE ? &instance->death : NULL;
}

/* ------------------------------------------------------------------------------------------------ life of a backend */

static void close_process(void *special)
{
    struct harness_process *const process = special;
    free(process->target);
    free(process);
}

static unsigned memory_limit(const struct pica_backend *backend)
{
    return ((const struct harness_process *)backend)->memory_mib;
}

static const struct harness_kind process_kind = { .create = create,
                                                  .close = close_process,
                                                  .memory_limit = memory_limit,
                                                  .death = death_of,
                                                  .renew = renew,
                                                  .run_case = run_case,
                                                  .view_state = view_state };

bool harness_process_is(const struct pica_backend *backend)
{
    return harness_kind(backend) == &process_kind;
}

static void fill_backend(struct harness_process *process, const struct process_mailbox *mailbox)
{
    const struct process_has has = mailbox->has;
    harness_declaration_take(&process->declaration, &mailbox->declaration.models);
    (void)snprintf(process->name, sizeof process->name, "%.*s", PROCESS_TEXT - 1, mailbox->name);
    (void)snprintf(process->summary, sizeof process->summary, "%.*s", PROCESS_TEXT - 1, mailbox->summary);
    process->edge_count = mailbox->edge_count;
    process->has_view = has.view_memory;
    process->fresh = process->declaration.models.fresh_every;
    process->special.kind = &process_kind;
    process->special.backend = (struct pica_backend){
        .abi = PICA_BACKEND_ABI,
        .name = process->name,
        .summary = process->summary,
        .create = harness_special_create,
        .destroy = proxy_destroy,
        .load = proxy_load,
        .run = proxy_run,
        .read_memory = proxy_read_memory,
        .read_state = has.read_state ? proxy_read_state : NULL,
        .read_events = has.read_events ? proxy_read_events : NULL,
        .view_memory = proxy_view_memory,
        .touched_pages = has.touched_pages ? proxy_touched_pages : NULL,
        .observe_draws = has.observe_draws ? proxy_observe_draws : NULL,
        .trace = has.trace ? proxy_trace : NULL,
        .save = has.save ? proxy_save : NULL,
        .restore = has.restore ? proxy_restore : NULL,
        .discard = has.discard ? proxy_discard : NULL,
        .scan_out = has.scan_out ? proxy_scan_out : NULL,
        .observe_features = has.observe_features ? proxy_observe_features : NULL,
        .size = sizeof process->special.backend,
        .models = &process->declaration.models,
        .finish = has.finish ? proxy_finish : NULL,
    };
}

static enum harness_status ask(struct harness_process *process, struct harness_error *error)
{
    struct process_instance *const instance = make_instance(process);
    enum harness_status status = HARNESS_OK;
    if (instance == NULL)
        return harness_fail_memory(error);
    if (!process_start(instance))
        status = harness_fail(error, HARNESS_HOST, "backend %s: no process can be started: %s", process->target,
                              strerror(errno));
    else if (process_call(instance, PROCESS_OPEN) == PICA_OK)
        fill_backend(process, instance->mailbox);
    else if (instance->death.kind != HARNESS_DEATH_NONE)
        status = harness_fail(error, HARNESS_CRASHED, "backend %s: %s", process->target, instance->death.text);
    else
        status = harness_fail(error, HARNESS_HOST, "%.*s", PROCESS_TEXT - 1, instance->mailbox->fault);
    proxy_destroy(instance);
    return status;
}

enum harness_status harness_process_open(const char *name, const struct pica_choices *sides,
                                         struct harness_process **out, struct harness_error *error)
{
    *out = NULL;
    struct harness_process *const process = calloc(1, sizeof *process);
    if (process == NULL)
        return harness_fail_memory(error);
    process->busy_ms = HARNESS_HANG_MS;
    process->wall_ms = HARNESS_PROCESS_WALL * HARNESS_HANG_MS;
    process->memory_mib = HARNESS_MEMORY_MIB;
    process->target = strdup(name);
    process->special.is_chosen = sides != NULL;
    if (sides != NULL)
        process->special.choices = *sides;
    const enum harness_status status = process->target == NULL ? harness_fail_memory(error) : ask(process, error);
    if (status == HARNESS_OK)
        *out = process;
    else
        close_process(process);
    return status;
}

const struct pica_backend *harness_process_backend(const struct harness_process *process)
{
    return &process->special.backend;
}

void harness_process_memory(struct harness_process *process, unsigned mebibytes)
{
    process->memory_mib = mebibytes;
}

void harness_process_fresh(struct harness_process *process, unsigned cases)
{
    process->fresh = cases;
}

const struct harness_death *harness_process_farewell(const struct harness_process *process)
{
    return &process->farewell;
}

void harness_process_limit(struct harness_process *process, unsigned busy_ms, unsigned wall_ms)
{
    process->busy_ms = busy_ms;
    process->wall_ms = wall_ms;
}

bool harness_process_has_view(const struct pica_backend *backend)
{
    return ((const struct harness_process *)backend)->has_view;
}

size_t harness_process_edges(const struct pica_backend *backend)
{
    return harness_process_is(backend) ? ((const struct harness_process *)backend)->edge_count : 0;
}

const uint8_t *harness_process_take_edges(void *opaque)
{
    struct process_instance *const instance = opaque;
    const bool here = instance->results_are_here && instance->mailbox->wants_edges;
    instance->mailbox->wants_edges = true; /* from now on a case in one go brings them along */
    if (here && instance->process->edge_count != 0)
        return instance->mailbox->edges;
    return process_call(instance, PROCESS_EDGES) == PICA_OK ? instance->mailbox->edges : NULL;
}
