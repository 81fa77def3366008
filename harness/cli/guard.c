/* Work in a child process, so that a backend that crashes or hangs takes nothing with it. */
#include "harness/cli/cli.h"
#include "harness/run/child.h"
#include "harness/run/memory.h"
#include "harness/run/shared.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DOING_SIZE = 256,
    GUARD = 0x70696361, /* at both ends: a plug-in in this process may write over what it finds */
    PATIENCE = 10       /* times the limit of processor time by the clock: other work may have the machine */
};

/* Shared with the guarded child; NULL outside cli_guard. Process-wide by nature: there is one child at a time. */
struct shared {
    uint32_t guard;
    char doing[DOING_SIZE];
    volatile unsigned refused_mib; /* it died after memory was refused: its limit */
    bool has_ended;                /* the work returned; another end, also exit(0), is the backend's doing */
    uint32_t end_guard;
};

static struct shared *shared;

/* What cli_shared_create made, and what it held before the child began. */
struct piece {
    struct piece *next;
    void *memory;
    size_t size;
    unsigned char before[];
};

static struct piece *pieces;

void *cli_shared_create(size_t size)
{
    struct piece *const piece = malloc(sizeof *piece + size);
    void *const memory = piece != NULL ? harness_shared_create(size) : NULL;
    if (memory == NULL) {
        free(piece);
        return NULL;
    }
    piece->next = pieces;
    piece->memory = memory;
    piece->size = size;
    pieces = piece;
    return memory;
}

void cli_shared_destroy(void *memory)
{
    struct piece **at = &pieces;
    while (*at != NULL && (*at)->memory != memory)
        at = &(*at)->next;
    struct piece *const piece = *at;
    if (piece == NULL)
        return;
    *at = piece->next;
    harness_shared_destroy(memory, piece->size);
    free(piece);
}

static void keep_pieces(void)
{
    for (struct piece *piece = pieces; piece != NULL; piece = piece->next)
        memcpy(piece->before, piece->memory, piece->size);
}

static void restore_pieces(void)
{
    for (const struct piece *piece = pieces; piece != NULL; piece = piece->next)
        memcpy(piece->memory, piece->before, piece->size);
}

void cli_doing(const char *format, ...)
{
    if (shared == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(shared->doing, DOING_SIZE, format, arguments);
    va_end(arguments);
}

void cli_guard_memory(const struct harness_backend *backend)
{
    if (shared != NULL)
        harness_backend_keep_memory(backend, 1);
}

static int explain_death(const char *what, unsigned timeout, struct harness_child_end end)
{
    if (end.how == HARNESS_CHILD_TIMED_OUT)
        cli_print(stderr, "picafuzz: %s: hung: not done after %u s (%s)\n", what, timeout, shared->doing);
    else if (shared->refused_mib != 0)
        cli_print(stderr, "picafuzz: %s: out of memory: the plug-in's limit is %u MiB: %s (%s)\n", what,
                  shared->refused_mib, strsignal(end.number), shared->doing);
    else
        cli_print(stderr, "picafuzz: %s: crashed: %s (%s)\n", what, strsignal(end.number), shared->doing);
    return CLI_CRASHED;
}

static int explain(const char *what, unsigned timeout, struct harness_child_end end)
{
    if (end.how == HARNESS_CHILD_LOST) {
        cli_print(stderr, "picafuzz: %s: waiting failed: %s\n", what, strerror(end.number));
        return CLI_HOST;
    }
    if (shared->guard != GUARD || shared->end_guard != GUARD) {
        restore_pieces(); /* it wrote there, too; whatever is said there now cannot be believed */
        cli_print(stderr, "picafuzz: %s: crashed: a plug-in wrote over memory that this program shares with others\n",
                  what);
        return CLI_CRASHED;
    }
    if (end.how == HARNESS_CHILD_SIGNALLED && end.number == SIGPIPE)
        (void)raise(SIGPIPE); /* the reader of our output went away: there is nobody to tell */
    if (end.how != HARNESS_CHILD_EXITED)
        return explain_death(what, timeout, end);
    if (shared->has_ended && end.number <= CLI_HOST)
        return end.number;
    if (shared->refused_mib != 0)
        cli_print(stderr, "picafuzz: %s: out of memory: the plug-in's limit is %u MiB: it ended its process (%s)\n",
                  what, shared->refused_mib, shared->doing);
    else
        cli_print(stderr, "picafuzz: %s: crashed: it ended its process with exit code %d (%s)\n", what, end.number,
                  shared->doing);
    return CLI_CRASHED; /* a sanitizer's exit, or a plug-in that called exit */
}

struct guarded {
    int (*work)(const void *argument);
    const void *argument;
};

/* Ends as a program does: coverage and leak reports are written by exit functions. */
static int do_guarded(void *user)
{
    const struct guarded *const guarded = user;
    harness_memory_watch(&shared->refused_mib);
    const int code = guarded->work(guarded->argument);
    cli_doing("unloading");
    shared->has_ended = true;
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        fprintf(stderr, "picafuzz: standard output: cannot be written\n");
        exit(cli_worse(code, CLI_HOST));
    }
    exit(code);
}

int cli_guard(const char *what, unsigned timeout, int (*work)(const void *argument), const void *argument)
{
    const struct harness_child_setup setup = { .alarm_seconds = PATIENCE * timeout, .busy_seconds = timeout };
    /* a little later than its own limits, which end it more gently */
    const struct harness_child_time limit = { .busy = timeout * 1.25, .wall = PATIENCE * timeout * 1.25 };
    struct guarded guarded = { work, argument };
    struct harness_child child;
    int code = CLI_HOST;
    shared = harness_shared_create(sizeof *shared);
    if (shared == NULL) {
        cli_print(stderr, "picafuzz: %s: out of memory\n", what);
        return CLI_HOST;
    }
    shared->guard = shared->end_guard = GUARD;
    keep_pieces();
    (void)snprintf(shared->doing, DOING_SIZE, "starting");
    if (harness_child_start(&child, &setup, do_guarded, &guarded))
        code = explain(what, timeout, harness_child_wait_within(&child, limit));
    else
        cli_print(stderr, "picafuzz: %s: cannot start a process: %s\n", what, strerror(errno));
    harness_shared_destroy(shared, sizeof *shared);
    shared = NULL;
    return code;
}
