/* Processes with a backend each, and the calls that go to them. */
#include "harness/run/process_link.h"

#include "pica/trace.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WATCH_MS = 20,
    QUIT_MS = 2000 /* for destroy */
};

/* -------------------------------------------------------------------------------------------------------- processes */

/* Seconds of the process and of the clock when a call began. */
struct watch {
    double busy, wall;
};

static double seconds(clockid_t clock)
{
    struct timespec time = { 0, 0 };
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool process_start(struct process_instance *instance)
{
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return false;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        (void)close(sockets[0]);
        process_serve(instance->process->target, instance->mailbox, sockets[1]);
    }
    (void)close(sockets[1]);
    if (child < 0) {
        (void)close(sockets[0]);
        return false;
    }
    instance->child = child;
    instance->socket = sockets[0];
    (void)clock_getcpuclockid(child, &instance->processor);
    memset(&instance->death, 0, sizeof instance->death);
    return true;
}

/* Waits for a process that has ended, or is about to; one that closed its descriptors and lives on is killed. The
 * socket goes first: what still wants to say something shall not wait for us. */
static int reap(struct process_instance *instance)
{
    const struct timespec pause = { .tv_nsec = 1000000 };
    int status = 0;
    (void)close(instance->socket);
    pid_t ended = waitpid(instance->child, &status, WNOHANG);
    for (int i = 0; ended == 0 && i < QUIT_MS; i++) {
        (void)nanosleep(&pause, NULL);
        ended = waitpid(instance->child, &status, WNOHANG);
    }
    if (ended == 0)
        (void)kill(instance->child, SIGKILL);
    while (ended == 0 && waitpid(instance->child, &status, 0) < 0 && errno == EINTR) {
    }
    instance->child = 0;
    return status;
}

static const char *call_name(enum process_request request)
{
    switch (request) {
    case PROCESS_OPEN: return "dlopen";
    case PROCESS_CREATE: return "create";
    case PROCESS_LOAD: return "load";
    case PROCESS_RUN: return "run";
    case PROCESS_READ_MEMORY: return "read_memory";
    case PROCESS_READ_STATE: return "read_state";
    case PROCESS_READ_EVENTS: return "read_events";
    case PROCESS_VIEW: return "view_memory";
    case PROCESS_PAGES: return "touched_pages";
    case PROCESS_OBSERVE: return "observe_draws";
    case PROCESS_TRACE: return "trace";
    case PROCESS_SAVE: return "save";
    case PROCESS_RESTORE: return "restore";
    case PROCESS_DISCARD: return "discard";
    case PROCESS_SCAN_OUT: return "scan_out";
    case PROCESS_FEATURES: return "observe_features";
    case PROCESS_QUIT: return "destroy";
    }
    return "a call"; /* not reached */
}

/* "run (submit)" */
static void say_call(const struct process_instance *instance, enum process_request request, char *out, size_t size)
{
    static const char *const kinds[] = { "load", "submit", "write", "fill", "transfer", "vblank" };
    const size_t kind = (size_t)instance->operation_kind;
    if (request == PROCESS_RUN && kind < sizeof kinds / sizeof kinds[0])
        (void)snprintf(out, size, "run (%s)", kinds[kind]);
    else
        (void)snprintf(out, size, "%s", call_name(request));
}

static void bury(struct process_instance *instance, enum process_request request)
{
    char place[32];
    say_call(instance, request, place, sizeof place);
    struct harness_death *const death = &instance->death;
    const int status = reap(instance);
    death->kind = HARNESS_DEATH_CRASH;
    death->code = WIFSIGNALED(status) ? WTERMSIG(status) : 256 + WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        (void)snprintf(death->text, sizeof death->text, "crashed in %s: %s", place, strsignal(WTERMSIG(status)));
    else
        (void)snprintf(death->text, sizeof death->text, "ended its process in %s: exit code %d", place,
                       WEXITSTATUS(status));
}

static void kill_child(struct process_instance *instance)
{
    (void)kill(instance->child, SIGKILL);
    (void)reap(instance);
}

static void stop_hanging(struct process_instance *instance, enum process_request request, const struct watch *watch)
{
    const double busy = seconds(instance->processor) - watch->busy, wall = seconds(CLOCK_MONOTONIC) - watch->wall;
    char place[32];
    say_call(instance, request, place, sizeof place);
    kill_child(instance);
    instance->death.kind = HARNESS_DEATH_HANG;
    (void)snprintf(instance->death.text, sizeof instance->death.text,
                   "hung in %s: not done after %.1f s, %.1f s of processor time", place, wall, busy);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static bool is_over_time(const struct process_instance *instance, const struct watch *watch)
{
    const struct harness_process *const process = instance->process;
    return (process->busy_ms != 0 && seconds(instance->processor) - watch->busy > process->busy_ms * 1e-3) ||
           (process->wall_ms != 0 && seconds(CLOCK_MONOTONIC) - watch->wall > process->wall_ms * 1e-3);
}

/* The other end's byte; 0 if its process is gone, or was killed because it hangs. */
static char listen_to(struct process_instance *instance, enum process_request request, const struct watch *watch)
{
    struct pollfd descriptor = { .fd = instance->socket, .events = POLLIN };
    char reply = 0;
    int ready = 0;
    while ((ready = poll(&descriptor, 1, WATCH_MS)) <= 0) {
        if ((ready < 0 && errno != EINTR) || is_over_time(instance, watch)) {
            stop_hanging(instance, request, watch);
            return 0;
        }
    }
    if (recv(instance->socket, &reply, 1, 0) == 1)
        return reply;
    bury(instance, request);
    return 0;
}

static void send_byte(const struct process_instance *instance, char byte)
{
    /* whoever is gone is missed when no reply comes */
    const ssize_t sent = send(instance->socket, &byte, 1, MSG_NOSIGNAL);
    (void)sent;
}

/* The counters are the user's between calls and while it is told of a draw, and the backend's at other times. */
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

static const char *keep_name(struct process_instance *instance, const char *text)
{
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

enum pica_status process_call(struct process_instance *instance, enum process_request request)
{
    if (instance->child == 0)
        return PICA_FAILED;
    const struct watch watch = { seconds(instance->processor), seconds(CLOCK_MONOTONIC) };
    lend_counters(instance);
    for (char out = (char)request;;) {
        send_byte(instance, out);
        const char reply = listen_to(instance, request, &watch);
        if (reply == PROCESS_STEPS)
            deliver_steps(instance);
        else if (reply == PROCESS_DRAW)
            deliver_draw(instance);
        else if (reply != PROCESS_DONE)
            return PICA_FAILED;
        else
            break;
        out = reply;
    }
    take_counters(instance);
    return instance->mailbox->status;
}

void process_quit(struct process_instance *instance)
{
    if (instance->child == 0)
        return;
    struct pollfd descriptor = { .fd = instance->socket, .events = POLLIN };
    send_byte(instance, PROCESS_QUIT);
    if (poll(&descriptor, 1, QUIT_MS) > 0)
        (void)reap(instance);
    else
        kill_child(instance);
}
