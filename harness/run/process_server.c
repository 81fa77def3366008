/* A backend in a process of its own: the backend's side. */
#include "harness/run/backends.h"
#include "harness/run/child.h"
#include "harness/run/crash_place.h"
#include "harness/run/edges.h"
#include "harness/run/image.h"
#include "harness/run/kind.h"
#include "harness/run/memory.h"
#include "harness/run/process_shared.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct server {
    struct process_mailbox *mailbox;
    int socket;
    struct harness_backend opened;
    void *instance;
    struct harness_edges edges; /* of the opened library */
};

/* False if the other end is gone, or if the backend closed this one, perhaps with all the descriptors that it saw. */
static bool send_to_user(const struct server *server, char reply)
{
    if (send(server->socket, &reply, 1, MSG_NOSIGNAL) == 1)
        return true;
    if (errno == EBADF || errno == ENOTSOCK)
        server->mailbox->cut_off = true;
    return false;
}

/* Sends a byte and waits for the other end's; ends this process if the other is gone. */
static char say(const struct server *server, char reply)
{
    char answer = 0;
    if (!send_to_user(server, reply) || !harness_child_read(server->socket, &answer))
        _exit(0);
    return answer;
}

/* ----------------------------------------------------------------------------------------- what the backend reports */

static void send_steps(struct server *server)
{
    if (server->mailbox->step_count != 0)
        (void)say(server, PROCESS_STEPS);
    server->mailbox->step_count = 0;
}

static void on_step(void *user, const struct pica_trace_step *step)
{
    struct server *const server = user;
    struct process_mailbox *const mailbox = server->mailbox;
    if (mailbox->step_count == PROCESS_STEPS_AT_ONCE)
        send_steps(server);
    struct process_step *const out = &mailbox->steps[mailbox->step_count++];
    out->step = *step;
    (void)snprintf(out->stage, sizeof out->stage, "%s", step->stage != NULL ? step->stage : "");
    (void)snprintf(out->name, sizeof out->name, "%s", step->name != NULL ? step->name : "");
}

static void on_draw(void *user, const struct pica_draw *draw)
{
    struct server *const server = user;
    struct process_mailbox *const mailbox = server->mailbox;
    send_steps(server);
    mailbox->draw = *draw;
    memcpy(mailbox->registers, draw->registers, sizeof mailbox->registers);
    mailbox->draw.registers = mailbox->registers;
    (void)say(server, PROCESS_DRAW);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static struct process_has what_has(const struct pica_backend *backend)
{
    struct process_has has;
#define PROCESS_HAS(function) has.function = backend->function != NULL;
    PROCESS_OPTIONAL(PROCESS_HAS)
#undef PROCESS_HAS
    has.save = has.restore = has.discard = has.save && has.restore && has.discard;
    return has;
}

static enum pica_status open_backend(struct server *server, const char *name)
{
    struct process_mailbox *const mailbox = server->mailbox;
    struct harness_error error = { "" };
    if (harness_backend_open_here(name, &server->opened, &error) != HARNESS_OK) {
        (void)snprintf(mailbox->fault, sizeof mailbox->fault, "%.*s", PROCESS_TEXT - 1, error.message);
        return PICA_NOT_SUPPORTED;
    }
    const struct pica_backend *const backend = server->opened.backend;
    harness_crash_watch(backend);
    mailbox->fault[0] = '\0';
    (void)snprintf(mailbox->name, sizeof mailbox->name, "%s", backend->name);
    (void)snprintf(mailbox->summary, sizeof mailbox->summary, "%s", backend->summary);
    mailbox->has = what_has(backend);
    harness_declaration_take(&mailbox->declaration, backend->models);
    harness_edges_find(server->opened.library, &server->edges);
    harness_edges_number(&server->edges, mailbox->map, PROCESS_MOST_EDGES, sizeof mailbox->map);
    if (server->edges.counters == NULL)
        server->edges.count = 0;
    if (server->edges.count > PROCESS_MOST_EDGES)
        server->edges.count = PROCESS_MOST_EDGES;
    mailbox->edge_count = (uint32_t)server->edges.count;
    return PICA_OK;
}

static enum pica_status take_edges(const struct server *server)
{
    if (server->edges.counters == NULL)
        return PICA_NOT_SUPPORTED;
    memcpy(server->mailbox->edges, server->edges.counters, server->edges.count);
    memset(server->edges.counters, 0, server->edges.count);
    return PICA_OK;
}

/* Copies the window to the shared memory, from the backend's own view if it has one. */
static enum pica_status view(const struct server *server, const struct pica_backend *backend)
{
    struct process_mailbox *const mailbox = server->mailbox;
    const struct pica_window window = mailbox->setup.windows[mailbox->window];
    uint8_t *const out = mailbox->views[mailbox->window];
    const uint8_t *bytes = NULL;
    if (backend->view_memory == NULL || backend->view_memory(server->instance, mailbox->window, &bytes) != PICA_OK)
        return backend->read_memory(server->instance, window.address, out, window.size);
    memcpy(out, bytes, window.size);
    return PICA_OK;
}

static enum pica_status pages(const struct server *server, const struct pica_backend *backend)
{
    struct process_mailbox *const mailbox = server->mailbox;
    memset(mailbox->bitmap, 0, mailbox->length * sizeof *mailbox->bitmap);
    return backend->touched_pages(server->instance, mailbox->window, mailbox->which, mailbox->bitmap, mailbox->length);
}

static enum pica_status read_windows(struct server *server, const struct pica_backend *backend)
{
    struct process_mailbox *const mailbox = server->mailbox;
    enum pica_status status = PICA_OK;
    for (uint32_t i = 0; i < mailbox->setup.window_count && status == PICA_OK; i++) {
        const size_t words = harness_page_words(mailbox->setup.windows[i].size);
        mailbox->window = i;
        status = view(server, backend);
        memset(mailbox->bitmaps[i], 0, words * sizeof *mailbox->bitmaps[i]);
        if (status == PICA_OK && backend->touched_pages != NULL &&
            backend->touched_pages(server->instance, i, PICA_PAGES_WRITTEN, mailbox->bitmaps[i], words) != PICA_OK)
            memset(mailbox->bitmaps[i], 0xFF, words * sizeof *mailbox->bitmaps[i]);
    }
    return status;
}

/* The state to the shared memory; blocks that are 0 there and in the backend's own view stay as they are. */
static enum pica_status read_state(const struct server *server, const struct pica_backend *backend)
{
    const struct harness_kind *const kind = harness_kind(backend);
    struct process_mailbox *const mailbox = server->mailbox;
    const struct pica_state_blocks before = mailbox->zeros;
    const struct pica_state *state = NULL;
    memset(&mailbox->zeros, 0, sizeof mailbox->zeros);
    if (kind->view_state == NULL)
        return backend->read_state(server->instance, &mailbox->state);
    const enum pica_status status = kind->view_state(server->instance, &state, &mailbox->zeros);
    for (uint32_t block = 0; block < PICA_STATE_BLOCKS && status == PICA_OK; block++) {
        const size_t offset = (size_t)block * PICA_STATE_BLOCK;
        if (!pica_state_blocks_have(&before, block) || !pica_state_blocks_have(&mailbox->zeros, block))
            memcpy((uint8_t *)&mailbox->state + offset, (const uint8_t *)state + offset, pica_state_block_bytes(block));
    }
    return status;
}

/* One request for a whole case: each costs two changes of process. */
static enum pica_status run_case(struct server *server, const struct pica_backend *backend)
{
    struct process_mailbox *const mailbox = server->mailbox;
    enum pica_status status = backend->load(server->instance, &mailbox->setup);
    while (status == PICA_OK && mailbox->progress < mailbox->operation_count) {
        const uint32_t begun = mailbox->progress++;
        status = backend->run(server->instance, &mailbox->operations[begun]);
    }
    mailbox->reading = status == PICA_OK;
    if (status == PICA_OK && backend->finish != NULL)
        status = backend->finish(server->instance);
    if (status == PICA_OK && backend->read_state != NULL)
        status = read_state(server, backend);
    if (status == PICA_OK && backend->read_events != NULL)
        status = backend->read_events(server->instance, &mailbox->events);
    if (status == PICA_OK)
        status = read_windows(server, backend);
    if (mailbox->wants_edges)
        (void)take_edges(server);
    return status;
}

/* Calls of a backend that has no such function are not sent. */
static enum pica_status serve_call(struct server *server, enum process_request request)
{
    const struct pica_backend *const backend = server->opened.backend;
    struct process_mailbox *const mailbox = server->mailbox;
    void *const instance = server->instance;
    switch (request) {
    case PROCESS_CREATE: return harness_backend_create(backend, &mailbox->options, &server->instance);
    case PROCESS_LOAD: return backend->load(instance, &mailbox->setup);
    case PROCESS_RUN: return backend->run(instance, &mailbox->operation);
    case PROCESS_READ_MEMORY: return backend->read_memory(instance, mailbox->address, mailbox->bytes, mailbox->length);
    case PROCESS_READ_STATE: return read_state(server, backend);
    case PROCESS_READ_EVENTS: return backend->read_events(instance, &mailbox->events);
    case PROCESS_VIEW: return view(server, backend);
    case PROCESS_PAGES: return pages(server, backend);
    case PROCESS_OBSERVE: return backend->observe_draws(instance, mailbox->on ? on_draw : NULL, server);
    case PROCESS_TRACE:
        return backend->trace(instance, mailbox->on ? &mailbox->request : NULL, mailbox->on ? on_step : NULL, server);
    case PROCESS_SAVE: return backend->save(instance, &mailbox->snapshot);
    case PROCESS_RESTORE: return backend->restore(instance, mailbox->snapshot);
    case PROCESS_DISCARD: backend->discard(instance, mailbox->snapshot); return PICA_OK;
    case PROCESS_SCAN_OUT:
        return backend->scan_out(instance, mailbox->window, mailbox->which, mailbox->bytes, mailbox->length);
    case PROCESS_FEATURES:
        return backend->observe_features(instance, mailbox->on ? mailbox->counters : NULL, mailbox->counter_count);
    case PROCESS_FINISH: return backend->finish(instance);
    case PROCESS_CASE: return run_case(server, backend);
    case PROCESS_EDGES: return take_edges(server);
    case PROCESS_OPEN:
    case PROCESS_QUIT: break;
    }
    return PICA_BAD_ARGUMENT; /* not reached */
}

static _Noreturn void quit(struct server *server)
{
    if (server->instance != NULL)
        server->opened.backend->destroy(server->instance);
    harness_backend_close(&server->opened);
    (void)fflush(NULL);
    (void)send_to_user(server, PROCESS_DONE); /* goodbye */
    _exit(0);                                 /* a forked copy must not run this program's exit functions */
}

_Noreturn void process_serve(const char *name, struct process_mailbox *mailbox, int socket)
{
    struct server server = { .mailbox = mailbox, .socket = socket };
    char request = 0;
    if (!harness_child_read(socket, &request))
        _exit(0);
    for (;;) {
        if (request == PROCESS_QUIT)
            quit(&server);
        harness_memory_begin();
        mailbox->status =
            request == PROCESS_OPEN ? open_backend(&server, name) : serve_call(&server, (enum process_request)request);
        send_steps(&server);
        request = say(&server, PROCESS_DONE);
    }
}
