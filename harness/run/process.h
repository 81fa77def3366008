/*
 * A backend in a process of its own: it may crash, hang or exit without harm to this one. To its users it is a
 * backend like any other, whose calls return PICA_FAILED once its process is gone; the next load starts another.
 *
 * The process is a copy of this one (fork) that opens the shared library; both talk through shared memory and a socket.
 * Calls and what a backend reports meanwhile (draws, traces, features) keep their order. A call costs two changes of
 * process, a case in one go (harness_runner_run_case) no more than that; memory is copied once.
 */
#ifndef HARNESS_RUN_PROCESS_H
#define HARNESS_RUN_PROCESS_H

#include "harness/case/error.h"
#include "pica/backend.h"
#include "pica/splits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_HANG_MS = 10000,   /* who takes more processor time for a case hangs, unless a user or a hunt says less;
                                  of a call the same; opening and creating get three times as much */
    HARNESS_PROCESS_WALL = 10, /* so much more time by the clock */
    HARNESS_DEATH_TEXT = 128
};

enum harness_death_kind {
    HARNESS_DEATH_NONE = 0,
    HARNESS_DEATH_CRASH = 1, /* a signal, or an exit that nobody asked for */
    HARNESS_DEATH_HANG = 2,
    HARNESS_DEATH_MEMORY = 3 /* as CRASH, after it was refused memory */
};

struct harness_death {
    enum harness_death_kind kind;
    int code;                      /* CRASH, MEMORY: signal, or 256 + exit code */
    char text[HARNESS_DEATH_TEXT]; /* "crashed in run: Segmentation fault", "hung in load: ..." */
};

struct harness_process;

/*
 * Starts such a process once to ask what the backend called `name` can do (a name as harness_backend_open takes it).
 * `sides`: those that it takes as a `reference` with choices, else NULL. HARNESS_CRASHED if it does not survive that.
 * *out is freed with its backend's kind (harness/run/kind.h), after all instances are destroyed.
 */
enum harness_status harness_process_open(const char *name, const struct pica_choices *sides,
                                         struct harness_process **out, struct harness_error *error);

const struct pica_backend *harness_process_backend(const struct harness_process *process);

/* Processor time and wall time of a call, in ms, after which its process counts as hanging and is killed. 0: never.
 * Applies to calls from now on. */
void harness_process_limit(struct harness_process *process, unsigned busy_ms, unsigned wall_ms);

/* What each of its processes may take of memory (harness/run/memory.h), in MiB. Applies to processes that are started
 * from now on. */
void harness_process_memory(struct harness_process *process, unsigned mebibytes);

/* Another process after so many cases, instead of what the backend declares (pica_models.fresh_every); 0: never. */
void harness_process_fresh(struct harness_process *process, unsigned cases);

/* How an instance died in destroy, or its library when it was unloaded: after the results of its cases were taken.
 * Kind NONE if none did. */
const struct harness_death *harness_process_farewell(const struct harness_process *process);

/* Is this the backend of a harness_process? */
bool harness_process_is(const struct pica_backend *backend);

/* Has the backend there a view_memory? One in a process of its own always has: of the memory that both share. */
bool harness_process_has_view(const struct pica_backend *backend);

/* Edge counters of the backend's library, if it was built with them (harness/run/edges.h); 0 for other backends. */
size_t harness_process_edges(const struct pica_backend *backend);

/* What an instance of such a backend counted since it was asked last, or, once it was asked, in the last case in one
 * go: a byte for each edge, valid until the next call. NULL if it is not instrumented, or its process died. */
const uint8_t *harness_process_take_edges(void *instance);

#endif
