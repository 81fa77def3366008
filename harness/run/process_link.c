/* Processes with a backend each, and the calls that go to them. */
#include "harness/run/process_link.h"

#include "harness/run/memory.h"
#include "harness/run/outcome.h"
#include "pica/trace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    QUIT_MS = 2000,  /* for destroy */
    BEGIN_FACTOR = 3 /* opening and creating may take so much longer than a call: a graphics context */
};

/* -------------------------------------------------------------------------------------------------------- processes */

struct server_ends {
    const struct process_instance *instance;
    int ours, theirs;
};

/* Where a backend calls exit, this program's exit functions must not run: a fuzzing engine's would report a crash. */
static void leave(int code, void *unused)
{
    (void)unused;
    _exit(code);
}

/* A fuzzing engine, or a sanitizer, handles the signals of this program. The copy is to die of them. */
static void forget_handlers(void)
{
    sigset_t none;
    const struct sigaction standard = { .sa_handler = SIG_DFL };
    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &standard, NULL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)on_exit(leave, NULL);
}

static int serve(void *user)
{
    const struct server_ends *const ends = user;
    harness_child_keep(&ends->theirs, 1);
    forget_handlers();
    harness_memory_limit(ends->instance->process->memory_mib);
    harness_memory_watch(&ends->instance->mailbox->refused_mib);
    process_serve(ends->instance->process->target, ends->instance->mailbox, ends->theirs);
}

bool process_start(struct process_instance *instance)
{
    /* A backend must not outlive its harness, nor what it starts the backend. */
    const struct harness_child_setup setup = { .group = true, .tamed = true, .death_signal = SIGKILL };
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return false;
    struct server_ends ends = { instance, sockets[0], sockets[1] };
    const bool started = harness_child_start(&instance->child, &setup, serve, &ends);
    (void)close(sockets[1]);
    if (!started) {
        (void)close(sockets[0]);
        return false;
    }
    instance->socket = sockets[0];
    memset(&instance->death, 0, sizeof instance->death);
    instance->mailbox->guard = instance->mailbox->end_guard = PROCESS_GUARD;
    instance->mailbox->cut_off = false;
    instance->mailbox->refused_mib = 0;
    instance->cases = 0;
    return true;
}

/* Waits for a process that has ended, or is about to; one that closed its descriptors and lives on is killed. The
 * socket is closed first, so that a process that still sends something does not wait for us. */
static struct harness_child_end reap(struct process_instance *instance)
{
    (void)close(instance->socket);
    return harness_child_wait_or_kill(&instance->child, QUIT_MS);
}

static const char *call_name(enum process_request request)
{
    switch (request) {
#define PROCESS_REQUEST(name, byte, words) \
    case PROCESS_##name: return words;
        PROCESS_REQUESTS(PROCESS_REQUEST)
#undef PROCESS_REQUEST
    }
    return "a call"; /* not reached */
}

/* "run (submit)" */
static void say_call(const struct process_instance *instance, enum process_request request, char *out, size_t size)
{
    const struct process_mailbox *const mailbox = instance->mailbox;
    const uint32_t begun = mailbox->progress;
    const char *kind = request == PROCESS_RUN ? harness_operation_name((uint32_t)instance->operation_kind) : NULL;
    if (request == PROCESS_CASE && !mailbox->reading) {
        const bool runs = begun != 0 && begun <= instance->operation_count;
        request = runs ? PROCESS_RUN : PROCESS_LOAD;
        kind = runs ? harness_operation_name((uint32_t)instance->operations[begun - 1].kind) : NULL;
    }
    (void)snprintf(out, size, kind != NULL ? "%s (%s)" : "%s", call_name(request), kind);
}

static bool is_spoiled(const struct process_instance *instance)
{
    return instance->mailbox->guard != PROCESS_GUARD || instance->mailbox->end_guard != PROCESS_GUARD;
}

/* Nothing that it says can be believed; `ended`: how, or NULL if it lives still. */
static void tell_spoiling(struct process_instance *instance, const char *place, const struct harness_child_end *ended)
{
    struct harness_death *const death = &instance->death;
    death->kind = HARNESS_DEATH_CRASH;
    death->code = ended != NULL ? harness_child_code(*ended) : SIGKILL;
    (void)snprintf(death->text, sizeof death->text, "wrote %s not its own before the end of %s",
                   is_spoiled(instance) ? "over memory that is" : "to descriptors that are", place);
}

/* What of its own doing ended the process, in the call or place of that name. */
static void tell_end(const struct process_instance *instance, const char *place, struct harness_child_end end,
                     struct harness_death *death)
{
    const unsigned refused = instance->mailbox->refused_mib;
    death->kind = refused != 0 ? HARNESS_DEATH_MEMORY : HARNESS_DEATH_CRASH;
    death->code = harness_child_code(end);
    if (refused != 0)
        (void)snprintf(death->text, sizeof death->text, "out of memory in %s: its limit is %u MiB (%s)", place, refused,
                       end.how == HARNESS_CHILD_EXITED ? "it ended its process" : strsignal(end.number));
    else if (instance->mailbox->cut_off || end.how == HARNESS_CHILD_TIMED_OUT)
        (void)snprintf(death->text, sizeof death->text,
                       "closed the descriptors of its process"); /* no place: the call in which it did went on */
    else if (end.how == HARNESS_CHILD_EXITED)
        (void)snprintf(death->text, sizeof death->text, "ended its process in %s: exit code %d", place, end.number);
    else
        (void)snprintf(death->text, sizeof death->text, "crashed in %s: %s", place, strsignal(end.number));
}

static void bury(struct process_instance *instance, enum process_request request)
{
    char place[32];
    say_call(instance, request, place, sizeof place);
    const struct harness_child_end end = reap(instance);
    if (is_spoiled(instance))
        tell_spoiling(instance, place, &end);
    else
        tell_end(instance, place, end, &instance->death);
}

static void kill_child(struct process_instance *instance)
{
    (void)close(instance->socket);
    harness_child_kill(&instance->child);
}

/* For one that spoiled the mailbox, lives, and goes on as if nothing had happened. */
static void stop_spoiling(struct process_instance *instance, enum process_request request)
{
    char place[32];
    say_call(instance, request, place, sizeof place);
    kill_child(instance);
    tell_spoiling(instance, place, NULL);
}

static void stop_hanging(struct process_instance *instance, enum process_request request,
                         struct harness_child_time begin)
{
    const struct harness_child_time spent = harness_child_spent(&instance->child, begin);
    char place[32];
    say_call(instance, request, place, sizeof place);
    kill_child(instance);
    instance->death.kind = HARNESS_DEATH_HANG;
    (void)snprintf(instance->death.text, sizeof instance->death.text,
                   "hung in %s: not done after %.1f s, %.1f s of processor time", place, spent.wall, spent.busy);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

struct call {
    const struct harness_process *process;
    enum process_request request;
};

static struct harness_child_time limits_of_call(const void *user)
{
    const struct call *const call = user;
    const bool begins = call->request == PROCESS_OPEN || call->request == PROCESS_CREATE;
    const double factor = 1e-3 * (begins ? (double)BEGIN_FACTOR : 1.0);
    return (struct harness_child_time){ call->process->busy_ms * factor, call->process->wall_ms * factor };
}

/* The other end's byte; 0 if its process is gone, or was killed because it hangs or spoiled the mailbox. */
static char listen_to(struct process_instance *instance, enum process_request request, struct harness_child_time begin)
{
    const struct call call = { instance->process, request };
    char reply = 0;
    if (harness_child_listen(&instance->child, instance->socket, begin, limits_of_call, &call) != HARNESS_CHILD_HEARD)
        stop_hanging(instance, request, begin);
    else if (recv(instance->socket, &reply, 1, 0) != 1)
        bury(instance, request);
    else if (is_spoiled(instance))
        stop_spoiling(instance, request);
    else
        return reply;
    return 0;
}

static void send_byte(const struct process_instance *instance, char byte)
{
    /* a process that is gone is noticed when no reply comes */
    const ssize_t sent = send(instance->socket, &byte, 1, MSG_NOSIGNAL);
    (void)sent;
}

/* The counters belong to the user between calls and while it is told of a draw, else to the backend. */
static void lend_counters(const struct process_instance *instance)
{
    if (instance->counters != NULL)
        memcpy(instance->mailbox->counters, instance->counters, instance->counter_count);
}

static void take_counters(const struct process_instance *instance)
{
    if (instance->counters != NULL)
        memcpy(instance->counters, instance->mailbox->counters, instance->counter_count);
}

/* "" is what the other process makes of NULL. */
static const char *keep_name(struct process_instance *instance, const char *text)
{
    if (text[0] == '\0')
        return NULL;
    for (const struct process_name *name = instance->names; name != NULL; name = name->next)
        if (strcmp(name->text, text) == 0)
            return name->text;
    struct process_name *const name = calloc(1, sizeof *name);
    if (name == NULL)
        return "?";
    (void)snprintf(name->text, sizeof name->text, "%s", text);
    name->next = instance->names;
    instance->names = name;
    return name->text;
}

static void deliver_steps(struct process_instance *instance)
{
    struct process_mailbox *const mailbox = instance->mailbox;
    for (uint32_t i = 0; i < mailbox->step_count && i < PROCESS_STEPS_AT_ONCE; i++) {
        struct process_step *const from = &mailbox->steps[i];
        struct pica_trace_step step = from->step;
        from->stage[PROCESS_STEP_NAME - 1] = '\0';
        from->name[PROCESS_STEP_NAME - 1] = '\0';
        const struct pica_trace_info *const info = pica_trace_info_by_name(from->stage, from->name);
        step.stage = info != NULL ? info->stage : keep_name(instance, from->stage);
        step.name = info != NULL ? info->name : keep_name(instance, from->name);
        if (instance->sink != NULL)
            instance->sink(instance->sink_user, &step);
    }
}

static void deliver_draw(struct process_instance *instance)
{
    struct pica_draw draw = instance->mailbox->draw;
    draw.registers = instance->mailbox->registers;
    take_counters(instance);
    if (instance->observer != NULL)
        instance->observer(instance->observer_user, &draw);
    lend_counters(instance);
}

/* The clock starts anew with each call, processor time with each case: what a case takes counts together. */
static struct harness_child_time begin_call(struct process_instance *instance, enum process_request request)
{
    struct harness_child_time begin = harness_child_begin(&instance->child);
    if (request == PROCESS_OPEN || request == PROCESS_CREATE || request == PROCESS_LOAD || request == PROCESS_CASE)
        instance->case_began = begin.busy;
    begin.busy = instance->case_began;
    return begin;
}

enum pica_status process_call(struct process_instance *instance, enum process_request request)
{
    if (instance->child.process == 0)
        return PICA_FAILED;
    instance->results_are_here = false;
    const struct harness_child_time begin = begin_call(instance, request);
    lend_counters(instance);
    for (char out = (char)request;;) {
        send_byte(instance, out);
        const char reply = listen_to(instance, request, begin);
        if (reply == PROCESS_STEPS)
            deliver_steps(instance);
        else if (reply == PROCESS_DRAW)
            deliver_draw(instance);
        else if (reply == PROCESS_DONE)
            break;
        else {
            if (reply != 0)
                stop_spoiling(instance, request);
            return PICA_FAILED;
        }
        out = reply;
    }
    take_counters(instance);
    return instance->mailbox->status;
}

/* How a process ended that did not confirm PROCESS_QUIT. */
static void note_farewell(struct process_instance *instance, struct harness_child_end end)
{
    struct harness_death *const death = &instance->process->farewell;
    tell_end(instance, "destroy or at unloading", end, death);
    if (end.how != HARNESS_CHILD_TIMED_OUT || instance->mailbox->cut_off)
        return;
    death->kind = HARNESS_DEATH_HANG;
    (void)snprintf(death->text, sizeof death->text, "hung in destroy or at unloading");
}

static struct harness_child_time limits_of_quit(const void *unused)
{
    (void)unused;
    return (struct harness_child_time){ .wall = QUIT_MS * 1e-3 };
}

void process_quit(struct process_instance *instance)
{
    if (instance->child.process == 0)
        return;
    char goodbye = 0;
    send_byte(instance, PROCESS_QUIT);
    if (harness_child_listen(&instance->child, instance->socket, harness_child_begin(&instance->child), limits_of_quit,
                             NULL) == HARNESS_CHILD_HEARD)
        (void)!recv(instance->socket, &goodbye, 1, 0);
    const struct harness_child_end end = reap(instance);
    if (goodbye != PROCESS_DONE)
        note_farewell(instance, end);
}
